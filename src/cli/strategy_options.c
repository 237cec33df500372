/* strategy_options.c - the strategy that a command line asks for: --strategy, and options that are keys of it. */
#include "cli/cli.h"

#include <string.h>

/* Options of commands that are keys of a strategy. */
static const char *const key_options[] = {"depth", "nodes", "time", "threads"};

/* An option and the strategy may not say different things. */
static bool set_key(const struct cli *cli, struct mp_strategy *strategy, const char *key, bool replaces)
{
    const char *value = cli_option(cli, key), *given = mp_strategy_given(strategy, key);
    struct mp_error error;
    if (!value)
        return true;
    if (given && !replaces && strcmp(given, value) != 0)
        return cli_refuse(cli, "--%s %.60s contradicts %s=%.60s in the strategy, expected one of them", key,
                          value, key, given);
    if (mp_strategy_set(strategy, key, value, &error))
        return true;
    /* What was written is an option. */
    char as_key[128];
    int length = snprintf(as_key, sizeof as_key, "strategy: %s=%.60s", key, value);
    bool says_key = !strncmp(error.text, as_key, (size_t)length);
    return cli_refuse(cli, "--%s %.60s%s%s", key, value, says_key ? "" : ": ",
                      error.text + (says_key ? length : 0));
}

/* A limit of the command line is instead of the default's own. */
static void drop_limit(const struct cli *cli, struct mp_strategy *strategy)
{
    if (cli_option(cli, "time") || cli_option(cli, "nodes"))
        mp_strategy_set(strategy, "depth", NULL, NULL);
}

struct mp_strategy *cli_strategy(const struct cli *cli, const struct mp_game *game, const char *option,
                                 const char *split)
{
    const char *text = cli_option(cli, option);
    struct mp_error error;
    struct mp_strategy *strategy = mp_strategy_new(game, text, &error);
    bool ok = strategy && (text || !split || mp_strategy_set(strategy, "split", split, &error));
    if (!ok)
        cli_fail(cli, "%s", error.text);
    if (ok && !text)
        drop_limit(cli, strategy);
    for (size_t i = 0; ok && i < sizeof key_options / sizeof *key_options; i++)
        ok = set_key(cli, strategy, key_options[i], !text);
    if (ok)
        return strategy;
    mp_strategy_free(strategy);
    return NULL;
}

bool cli_limit(const struct cli *cli, struct mp_strategy *strategy, const char *key, const char *value)
{
    struct mp_error error;
    if (mp_strategy_is_limited(strategy) || mp_strategy_set(strategy, key, value, &error))
        return true;
    return cli_refuse(cli, "%s", error.text);
}

struct mp_search *cli_search(const struct cli *cli, const struct mp_strategy *strategy)
{
    struct mp_error error;
    struct mp_search *search = mp_search_with(strategy, &error);
    if (!search)
        cli_fail(cli, "%s", error.text);
    return search;
}

bool cli_book(const struct cli *cli, struct mp_strategy *strategy)
{
    struct mp_error error = {0};
    const char *path = cli_option(cli, "book");
    return !path || mp_strategy_set(strategy, "book", path, &error) || cli_refuse(cli, "%s", error.text);
}

/* cmd_strategies.c - how a search can be described: algorithms, schemes and keys, for all games or for one. */
#include "cli/commands.h"

#include "lab/catalogue.h"

#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* A name and its summary, two columns. */
static void print_list(const char *title, const json_t *list, int width)
{
    size_t i;
    json_t *item;
    printf("\n%s\n", title);
    json_array_foreach(list, i, item)
    {
        bool exact = json_is_true(json_object_get(item, "exact"));
        printf("  %-*s  %s%s\n", width, text_of(item, "name"), exact ? "exact; " : "",
               text_of(item, "summary"));
    }
}

static void print_keys(const json_t *list)
{
    size_t i;
    json_t *key;
    printf("\nKeys\n");
    json_array_foreach(list, i, key)
    {
        const char *initial = text_of(key, "default");
        const char *schemes = text_of(key, "schemes");
        printf("  %-18s  %s; %s%s%s (%s%s%s)\n", text_of(key, "name"), text_of(key, "summary"),
               text_of(key, "values"), initial ? "; default: " : "", initial ? initial : "",
               text_of(key, "algorithms"), *schemes ? "; split=" : "", schemes);
    }
}

static int print_all(const json_t *all, const struct mp_game *game)
{
    printf("A strategy is an algorithm and keys: alphabeta,depth=6,eval=discs\n");
    if (game) {
        char text[256];
        struct mp_strategy *strategy = mp_strategy_new(game, NULL, NULL);
        if (strategy)
            printf("The default of %s is %s.\n", game->name, mp_strategy_asked(strategy, text, sizeof text));
        mp_strategy_free(strategy);
    }
    print_list("Algorithms", json_object_get(all, "algorithms"), 14);
    print_list("Parallel schemes, split=", json_object_get(all, "schemes"), 14);
    print_keys(json_object_get(all, "keys"));
    print_list("Names that reports use, with their numbers: MinimaxParAB,1,4",
               json_object_get(all, "report_names"), 28);
    printf(
        "\nExact: the value is what plain minimax gives at the same depth, on any number of threads,\n"
        "and the move has that value. With nodes= or time= it is exact for the depth that was finished.\n");
    return 0;
}

static int run(const struct cli *cli)
{
    struct mp_error error;
    const char *name = cli->arguments[0];
    struct mp_game *game = name ? mp_game_open(name, &error) : NULL;
    if (name && !game)
        return cli_fail(cli, "%s", error.text);
    json_t *all = catalogue_strategies(game);
    int code = cli->json ? print_json(json_incref(all)) : print_all(all, game);
    json_decref(all);
    mp_game_close(game);
    return code;
}

static const struct cli_argument arguments[] = {
    {"GAME", "only what makes sense for this game", true},
    {0},
};

const struct cli_command command_strategies = {.name = "strategies",
                                               .summary = "list algorithms, parallel schemes and their keys",
                                               .arguments = arguments,
                                               .run = run};

/* options.c - reads a command line by its table, and prints the help that the table implies. */
#include "cli/cli.h"
#include "cli/kept_table.h"

#include "base/text.h"
#include "network/weights.h"

#include <stdlib.h>
#include <string.h>

static const struct cli_option common_options[] = {
    {"json", NULL, "print one JSON object instead of text (fields: docs/json.md)"},
    {"help", NULL, "show this help"},
    {0},
};

const struct cli_option *cli_common_options(const struct cli_command *command)
{
    return common_options + (command->text_only ? 1 : 0);
}

int cli_fail(const struct cli *cli, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    /* What was typed or read is quoted in the sentence and must not break it or steer the terminal. */
    fprintf(stderr, "%s%s%s: %s\n", cli_program, cli ? " " : "", cli ? cli->command->name : "", shown(text));
    return EXIT_USAGE;
}

static int find_option(const struct cli_option *options, const char *name, size_t length)
{
    for (int i = 0; options && options[i].name; i++)
        if (strlen(options[i].name) == length && !strncmp(options[i].name, name, length))
            return i;
    return -1;
}

/* Options and arguments whose value is named "S..." may be given again. */
static bool may_repeat(const char *value)
{
    const char *dots = value ? strstr(value, "...") : NULL;
    return dots && !dots[3];
}

static bool refuse_unknown(const struct cli *cli, const char *name, size_t length)
{
    char typed[61], meant[TEXT_GUESS];
    snprintf(typed, sizeof typed, "%.*s", length < 60 ? (int)length : 60, name);
    struct text_guess guess = {.typed = typed, .lead = "--"};
    const struct cli_option *lists[] = {cli->command->options, cli_common_options(cli->command)};
    for (int list = 0; list < 2; list++)
        for (int i = 0; lists[list] && lists[list][i].name; i++)
            text_guess_try(&guess, lists[list][i].name);
    return cli_refuse(cli, "unknown option --%s%s; `manyply %s --help` lists the options", typed,
                      text_guess_said(&guess, meant), cli->command->name);
}

/* Reads one option at argv[*at] and moves on; a value may begin with '-'. */
static bool read_option(struct cli *cli, int argc, char **argv, int *at)
{
    const char *name = argv[*at] + 2;
    const char *value = strchr(name, '=');
    size_t length = value ? (size_t)(value - name) : strlen(name);
    value = value ? value + 1 : NULL;
    ++*at;
    const struct cli_option *shared = cli_common_options(cli->command);
    int common = find_option(shared, name, length);
    int own = find_option(cli->command->options, name, length);
    if (common < 0 && own < 0)
        return refuse_unknown(cli, name, length);
    bool takes_value = own >= 0 && cli->command->options[own].value;
    if (!takes_value && value)
        return cli_refuse(cli, "option --%.*s takes no value", (int)length, name);
    if (takes_value && !value) {
        if (*at == argc) {
            const struct cli_option *option = &cli->command->options[own];
            return cli_refuse(cli, "option --%s has no value, expected %s: %s", option->name, option->value,
                              option->help);
        }
        value = argv[(*at)++];
    }
    if (own >= 0) {
        const struct cli_option *option = &cli->command->options[own];
        if (!may_repeat(option->value) && cli_option(cli, option->name))
            return cli_refuse(cli, "option --%s is given twice, expected once", option->name);
        if (cli->given_count == CLI_MAX_GIVEN)
            return cli_refuse(cli, "more than %d options, expected fewer", CLI_MAX_GIVEN);
        cli->given[cli->given_count].option = option;
        cli->given[cli->given_count++].value = value ? value : "";
    } else if (!strcmp(shared[common].name, "json")) {
        cli->json = true;
    } else {
        cli->help = true;
    }
    return true;
}

bool cli_read(struct cli *cli, const struct cli_command *command, int argc, char **argv)
{
    *cli = (struct cli){.command = command};
    int count = 0, wanted = 0;
    while (command->arguments && command->arguments[wanted].name)
        wanted++;
    bool options_end = false; /* by "--" */
    for (int at = 0; at < argc;) {
        if (!options_end && !strcmp(argv[at], "--")) {
            options_end = true;
            at++;
        } else if (!options_end && !strncmp(argv[at], "--", 2)) {
            if (!read_option(cli, argc, argv, &at))
                return false;
        } else if (!options_end && !strcmp(argv[at], "-h")) {
            cli->help = true;
            at++;
        } else if (count >= wanted && !(wanted > 0 && may_repeat(command->arguments[wanted - 1].name) &&
                                        count < CLI_MAX_ARGUMENTS)) {
            return cli_refuse(cli, "unexpected argument '%.60s'; `%s %s --help` shows the usage", argv[at],
                              cli_program, command->name);
        } else {
            cli->arguments[count++] = argv[at++];
        }
    }
    if (cli->help)
        return true;
    for (int i = count; i < wanted; i++)
        if (!command->arguments[i].optional)
            return cli_refuse(cli, "%s is missing: %s; `%s %s --help` shows the usage",
                              command->arguments[i].name, command->arguments[i].help, cli_program,
                              command->name);
    return true;
}

int cli_run(struct cli *cli)
{
    struct mp_error error;
    const char *moves = cli_option(cli, "moves");
    enum cli_needs needs = cli->command->needs;
    bool ok = true;
    if (needs != CLI_NEEDS_NOTHING)
        ok = (cli->game = mp_game_open(cli->arguments[0], &error)) && kept_table_take(cli->game, &error);
    if (ok && needs == CLI_NEEDS_POSITION)
        ok = (cli->position = mp_position_new(cli->game, cli_option(cli, "position"), &error)) &&
             (!moves || mp_position_play_text(cli->position, moves, &error));
    int code = ok ? cli->command->run(cli) : cli_fail(cli, "%s", error.text);
    mp_position_free(cli->position);
    kept_table_free(cli->game);
    mp_game_close(cli->game);
    return code;
}

int cli_options(const struct cli *cli, const char *name, const char *values[CLI_MAX_GIVEN])
{
    int count = 0;
    for (int i = 0; i < cli->given_count; i++)
        if (!strcmp(cli->given[i].option->name, name))
            values[count++] = cli->given[i].value;
    return count;
}

const char *cli_option(const struct cli *cli, const char *name)
{
    const char *values[CLI_MAX_GIVEN];
    return cli_options(cli, name, values) > 0 ? values[0] : NULL;
}

/* A word as a shell reads it again. */
static void append_word(char *text, size_t size, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    if (*word && !word[strspn(word, plain)]) {
        text_append(text, size, " %s", word);
        return;
    }
    text_append(text, size, " '");
    for (const char *quote; (quote = strchr(word, '\'')); word = quote + 1)
        text_append(text, size, "%.*s'\\''", (int)(quote - word), word);
    text_append(text, size, "%s'", word);
}

void cli_command_line(const struct cli *cli, char *text, size_t size)
{
    snprintf(text, size, "%s %s", cli_program, cli->command->name);
    for (int i = 0; i < CLI_MAX_ARGUMENTS && cli->arguments[i]; i++)
        append_word(text, size, cli->arguments[i]);
    for (int i = 0; i < cli->given_count; i++) {
        text_append(text, size, " --%s", cli->given[i].option->name);
        if (cli->given[i].option->value)
            append_word(text, size, cli->given[i].value);
    }
    if (cli->json)
        text_append(text, size, " --json");
}

bool cli_number(const struct cli *cli, const char *name, int64_t least, int64_t most, int64_t initial,
                int64_t *number)
{
    const char *text = cli_option(cli, name);
    *number = initial;
    if (!text || text_to_int(text, least, most, number))
        return true;
    return cli_refuse(cli, "--%s %.60s, expected a whole number from %lld to %lld", name, text,
                      (long long)least, (long long)most);
}

bool cli_int(const struct cli *cli, const char *name, int least, int most, int initial, int *number)
{
    int64_t wide;
    bool ok = cli_number(cli, name, least, most, initial, &wide);
    *number = (int)wide;
    return ok;
}

bool cli_random_plies(const struct cli *cli, int *least, int *most)
{
    const char *text = cli_option(cli, "random-plies"), *dash = text ? strchr(text, '-') : NULL;
    char first[32];
    int64_t from = 8, to = 9;
    if (text) {
        snprintf(first, sizeof first, "%.*s", dash ? (int)(dash - text) : 31, text);
        bool ok = text_to_int(first, 0, 200, &from);
        to = from + 1;
        if (!ok || (dash && !text_to_int(dash + 1, from, 200, &to)))
            return cli_refuse(cli, "--random-plies %.60s, expected a number to 200 or two such as 4-20",
                              text);
    }
    *least = (int)from;
    *most = (int)to;
    return true;
}

bool cli_network(const struct cli *cli, int *width, int *layer_count, int layers[])
{
    const char *text = cli_option(cli, "layers");
    if (!cli_int(cli, "width", 1, NETWORK_MOST_WIDTH, 32, width))
        return false;
    *layer_count = 0;
    for (const char *at = text; at && *at;) {
        char *end;
        long number = strtol(at, &end, 10);
        if (*layer_count == NETWORK_MOST_DENSE || number < 1 || number > NETWORK_MOST_WIDTH ||
            (*end && *end != ',') || (*end == ',' && !end[1]))
            return cli_refuse(cli, "--layers %.60s, expected up to %d widths such as 32,16", text,
                              NETWORK_MOST_DENSE);
        layers[(*layer_count)++] = (int)number;
        at = end + (*end == ',');
    }
    return true;
}

bool cli_seed(const struct cli *cli, uint64_t initial, uint64_t *seed)
{
    int64_t number;
    bool ok = cli_number(cli, "seed", 0, INT64_MAX, (int64_t)initial, &number);
    *seed = (uint64_t)number;
    return ok;
}

bool cli_duration(const struct cli *cli, const char *name, double initial, double *seconds)
{
    const char *text = cli_option(cli, name);
    *seconds = initial;
    return !text || text_to_seconds(text, seconds) ||
           cli_refuse(cli, "--%s %.60s, expected a length of time such as 500ms or 2s", name, text);
}

static void print_options(const struct cli_option *options)
{
    for (int i = 0; options && options[i].name; i++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", options[i].name, options[i].value ? " " : "",
                 options[i].value ? options[i].value : "");
        printf("  %-22s  %s\n", left, options[i].help);
    }
}

void cli_print_help(const struct cli_command *command)
{
    printf("%s %s - %s\n\nUsage: %s %s", cli_program, command->name, command->summary, cli_program,
           command->name);
    const struct cli_argument *arguments = command->arguments;
    for (int i = 0; arguments && arguments[i].name; i++)
        printf(arguments[i].optional ? " [%s]" : " %s", arguments[i].name);
    printf(" [options]\n\n");
    for (int i = 0; arguments && arguments[i].name; i++)
        printf("  %-22s  %s\n", arguments[i].name, arguments[i].help);
    print_options(command->options);
    print_options(cli_common_options(command));
    if (command->details)
        printf("\n%s", command->details);
}

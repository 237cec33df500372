/* cmd_harvest.c - positions of the program's own games, for tune to learn from. */
#include "cli/commands.h"

#include "lab/harvest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show_progress(const struct harvest_report *so_far, void *context)
{
    const struct harvest *harvest = context;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%d of %d games, %zu positions ", so_far->games, harvest->games, so_far->positions);
}

static int report_harvest(const struct cli *cli, const struct harvest_report *r, const char *path)
{
    if (cli->json)
        return print_json(json_pack("{s:s, s:i, s:i, s:i, s:i, s:I}", "file", path, "games", r->games, "wins",
                                    r->wins, "draws", r->draws, "losses", r->losses, "positions",
                                    (json_int_t)r->positions));
    printf("%zu position%s of %d game%s (+%d =%d -%d for the first player) in %s\n", r->positions,
           r->positions == 1 ? "" : "s", r->games, r->games == 1 ? "" : "s", r->wins, r->draws, r->losses,
           path);
    return 0;
}

static int harvest(const struct cli *cli, struct harvest *h, const char *path)
{
    struct mp_error error = {0};
    struct harvest_report report;
    FILE *file = fopen(path, "w");
    if (!file)
        return cli_fail(cli, "%.200s cannot be written: %s", path, strerror(errno));
    bool ok = harvest_run(h, file, show_progress, h, &report, &error);
    if (fclose(file) != 0)
        ok = mp_fail(&error, "%.200s could not be written", path);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%60s\r", "");
    return ok ? report_harvest(cli, &report, path) : cli_fail(cli, "%s", error.text);
}

static int run(const struct cli *cli)
{
    struct mp_error error;
    struct harvest h = {.game = cli->game};
    if (!cli_int(cli, "games", 1, 100000000, 100, &h.games) ||
        !cli_int(cli, "threads", 1, MP_MAX_THREADS, mp_cpu_count(), &h.threads) ||
        !cli_seed(cli, 1, &h.seed) || !cli_int(cli, "random-plies", 0, 100, 8, &h.random_plies) ||
        !cli_int(cli, "unequal", 0, MP_EVAL_MAX, 0, &h.unequal) ||
        !cli_int(cli, "decided", 0, MP_EVAL_MAX, 0, &h.decided) ||
        !cli_int(cli, "plies", 1, 100000, 400, &h.most_plies))
        return EXIT_USAGE;
    if (cli->game->chances)
        return cli_fail(cli, "%s has dice, expected a game without dice", cli->game->name);
    struct mp_strategy *strategy = mp_strategy_new(cli->game, cli_option(cli, "strategy"), &error);
    if (!strategy)
        return cli_fail(cli, "%s", error.text);
    int code = EXIT_USAGE;
    if (cli_limit(cli, strategy, "nodes", "1000")) {
        h.strategy = mp_strategy_text(strategy);
        code = harvest(cli, &h, cli->arguments[1]);
    }
    mp_strategy_free(strategy);
    return code;
}

static const struct cli_argument arguments[] = {
    {"GAME", "a game without dice, or a plug-in such as ./connect4.so", false},
    {"FILE", "where the positions go", false},
    {0}};
static const struct cli_option options[] = {
    {"games", "N", "how many games; the default is 100"},
    {"strategy", "S", "how both players search; default: the game's; nodes=1000 unless it says when to stop"},
    {"random-plies", "N", "random moves at the beginning, one more in every other game; the default is 8"},
    {"unequal", "V", "leave out games that begin with a greater lead; by default none"},
    {"decided", "V", "end a game after four plies with a greater lead; by default never"},
    {"plies", "N", "a longer game is a draw; the default is 400"},
    {"threads", "N", "games played at once; the default is all CPUs"},
    {"seed", "N", "which games; the default is 1"},
    {0}};

const struct cli_command command_harvest = {
    .name = "harvest",
    .summary = "play many fast games and keep their quiet positions, for tune",
    .details =
        "  manyply harvest chess positions.txt --games 20000 --unequal 200 --decided 1000\n"
        "  manyply tune chess positions.txt\n\n"
        "A line of FILE is a position, a tab, the result for the first player (1, 0.5 or 0), a tab, and\n"
        "the value that the search found, for the first player.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_GAME,
    .run = run};

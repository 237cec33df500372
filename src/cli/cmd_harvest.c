/* cmd_harvest.c - the program's own games, for train and tune to learn from. */
#include "cli/commands.h"

#include "base/clock.h"
#include "lab/harvest.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_bool interrupted;

static void interrupt(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
}

struct harvest_line {
    const struct harvest *harvest;
    int64_t start_ns, shown_ns;
};

static void show_progress(const struct harvest_report *so_far, void *context)
{
    struct harvest_line *line = context;
    int64_t now = clock_ns();
    if (!isatty(STDERR_FILENO) || now - line->shown_ns < 200000000)
        return;
    line->shown_ns = now;
    double seconds = clock_seconds_since(line->start_ns);
    double rate = (double)(so_far->games - so_far->found) / seconds;
    fprintf(stderr, "\r%lld of %lld games, %lld positions, %.1f games/s, about %.0f s left\033[K",
            (long long)so_far->games, (long long)line->harvest->games, (long long)so_far->positions, rate,
            (double)(line->harvest->games - so_far->games) / rate);
}

static int report_harvest(const struct cli *cli, const struct harvest *h, const struct harvest_report *r,
                          const char *path)
{
    if (cli->json)
        return print_json(json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "file", path, "games",
                                    (json_int_t)r->games, "wins", (json_int_t)r->wins, "draws",
                                    (json_int_t)r->draws, "losses", (json_int_t)r->losses, "positions",
                                    (json_int_t)r->positions, "found", (json_int_t)r->found));
    printf("%lld position%s of %lld game%s (+%lld =%lld -%lld for the first player) in %s\n",
           (long long)r->positions, r->positions == 1 ? "" : "s", (long long)r->games,
           r->games == 1 ? "" : "s", (long long)r->wins, (long long)r->draws, (long long)r->losses, path);
    if (r->games < h->games)
        printf("stopped; the same command goes on\n");
    return 0;
}

static int harvest(const struct cli *cli, struct harvest *h, const char *path)
{
    struct mp_error error = {0};
    struct harvest_report report;
    struct harvest_line line = {.harvest = h, .start_ns = clock_ns()};
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND}, before[2];
    sigaction(SIGINT, &action, &before[0]);
    sigaction(SIGTERM, &action, &before[1]);
    bool ok = harvest_run(h, path, show_progress, &line, &report, &error);
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGTERM, &before[1], NULL);
    if (line.shown_ns)
        fprintf(stderr, "\r\033[K");
    return ok ? report_harvest(cli, h, &report, path) : cli_fail(cli, "%s", error.text);
}

static int run(const struct cli *cli)
{
    struct mp_error error;
    struct harvest h = {.game = cli->game, .stop = &interrupted};
    if (!cli_number(cli, "games", 1, INT64_C(4000000000), 100, &h.games) ||
        !cli_int(cli, "threads", 1, MP_MAX_THREADS, mp_cpu_count(), &h.threads) ||
        !cli_seed(cli, 1, &h.seed) || !cli_random_plies(cli, &h.least_random, &h.most_random) ||
        !cli_int(cli, "unequal", 0, MP_EVAL_MAX, 0, &h.unequal) ||
        !cli_int(cli, "decided", 0, MP_EVAL_MAX, 0, &h.decided) ||
        !cli_int(cli, "plies", 1, 100000, 400, &h.most_plies))
        return EXIT_USAGE;
    struct mp_strategy *strategy = mp_strategy_new(cli->game, cli_option(cli, "strategy"), &error);
    if (!strategy)
        return cli_fail(cli, "%s", error.text);
    int code = EXIT_USAGE;
    if (cli_limit(cli, strategy, cli->game->chances ? "depth" : "nodes", cli->game->chances ? "1" : "1000")) {
        /* A table is cleared before each game: a small one, if none was asked for. */
        if (mp_strategy_has(strategy, "hash") && !mp_strategy_given(strategy, "hash"))
            mp_strategy_set(strategy, "hash", "1", NULL);
        h.strategy = mp_strategy_text(strategy);
        code = harvest(cli, &h, cli->arguments[1]);
    }
    mp_strategy_free(strategy);
    return code;
}

static const struct cli_argument arguments[] = {
    CLI_GAME, {"FILE", "where the games go; .txt: the quiet positions of them, as text", false}, {0}};
static const struct cli_option options[] = {
    {"games", "N", "how many games the file is to have; the default is 100"},
    {"strategy", "S",
     "how both players search; default: the game's; hash=1 and nodes=1000 (depth=1 with dice) unless it says "
     "so"},
    {"random-plies", "N", "random moves at the beginning: 8 is 8 or 9, the default; 4-20 is any of these"},
    {"unequal", "V", "replace openings with a greater lead; by default none"},
    {"decided", "V", "end a game after four plies with a greater lead; by default never"},
    {"plies", "N", "a longer game is a draw; the default is 400"},
    {"threads", "N", "games played at once; the default is all CPUs"},
    {"seed", "N", "which games; the default is 1"},
    {0}};

const struct cli_command command_harvest = {
    .name = "harvest",
    .summary = "play many fast games, for train and tune to learn from",
    .details =
        "  manyply harvest ./connect4.so c4.games --games 20000 --random-plies 4-20\n"
        "  manyply train ./connect4.so c4.games --output c4.net\n"
        "  manyply harvest chess chess.games --games 20000 --unequal 200 --decided 1000\n"
        "  manyply tune chess chess.games\n\n"
        "FILE has each game with its moves, values and result, in a few bytes a position. Ctrl-C stops, and\n"
        "the same command goes on; a larger --games adds to the file. Killed, it loses at most 64 games and\n"
        "those under way. The same seed makes the same file, whatever the number of threads.\n"
        "A line of a FILE.txt is a position, a tab, the result for the first player (1, 0.5 or 0), a tab, "
        "and\n"
        "the value that the search found, for the first player.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_GAME,
    .run = run};

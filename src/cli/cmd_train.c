/* cmd_train.c - trains a network for a game from positions that were harvested. */
#include "cli/commands.h"

#include "games/games.h"
#include "lab/train.h"

#include <signal.h>
#include <stdlib.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool show_pass(const struct train_report *r, void *context)
{
    const struct cli *cli = context;
    if (!cli->json && r->pass == 1)
        printf(" pass      error  held back\n");
    if (!cli->json) {
        printf("%5d  %9.5f  %9.5f  %8.2f M/s\n", r->pass, r->learned, r->held_back,
               r->positions_per_second / 1e6);
        fflush(stdout);
    }
    return !interrupted;
}

static int report(const struct cli *cli, const struct train *train, const struct train_report *r,
                  const char *path)
{
    if (cli->json) {
        json_t *object = json_pack("{s:s, s:s, s:I, s:i, s:i}", "game", train->game->name, "network", path,
                                   "positions", (json_int_t)(r->positions + r->judged), "width", train->width,
                                   "passes", r->pass);
        json_object_set_new(object, "error", json_real(r->learned));
        json_object_set_new(object, "held_back_error", json_real(r->held_back));
        json_object_set_new(object, "rounding", json_real(r->rounding));
        json_object_set_new(object, "positions_per_second", json_real(r->positions_per_second));
        return print_json(object);
    }
    printf(
        "\n%zu positions and %zu held back; whole numbers differ from the floats by %.5f of a win; written "
        "to %s\n  manyply search %s --strategy pvs,eval=network:%s\n",
        r->positions, r->judged, r->rounding, path, cli->arguments[0], path);
    return 0;
}

static int train(const struct cli *cli, struct train *train, const char *path)
{
    struct mp_error error = {0};
    struct train_report last = {0};
    char made[NETWORK_MADE], game[NETWORK_NAME];
    games_describe(train->game, game, sizeof game);
    cli_command_line(cli, made, sizeof made);
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND}, before;
    sigaction(SIGINT, &action, &before);
    struct network *network = train_run(train, &last, &error);
    sigaction(SIGINT, &before, NULL);
    bool ok = network && network_write(network, game, made, path, &error);
    network_free(network);
    return ok ? report(cli, train, &last, path) : cli_fail(cli, "%s", error.text);
}

static int run(const struct cli *cli)
{
    int result, lambda, rate;
    struct train plan = {
        .game = cli->game, .paths = cli->arguments + 1, .progress = show_pass, .context = (void *)cli};
    const char *path = cli_option(cli, "output");
    while (plan.paths[plan.path_count])
        plan.path_count++;
    if (!cli_network(cli, &plan.width, &plan.dense_count, plan.dense) ||
        !cli_int(cli, "passes", 1, 10000, 20, &plan.passes) || !cli_duration(cli, "time", 0, &plan.seconds) ||
        !cli_int(cli, "batch", 1, 1 << 20, 4096, &plan.batch) ||
        !cli_int(cli, "threads", 1, MP_MAX_THREADS, mp_cpu_count(), &plan.threads) ||
        !cli_int(cli, "result", 0, 100, 50, &result) || !cli_int(cli, "lambda", 0, 100, 0, &lambda) ||
        !cli_int(cli, "results-only", 0, plan.path_count, 0, &plan.results_only) ||
        !cli_int(cli, "scale", 1, MP_EVAL_MAX, 200, &plan.scale) ||
        !cli_int(cli, "rate", 1, 100000, 200, &rate) ||
        !cli_number(cli, "buffer", 1, INT64_C(1000000000), 4000000, &plan.buffer) ||
        !cli_seed(cli, 1, &plan.seed))
        return EXIT_USAGE;
    if (!path)
        return cli_fail(cli, "--output is missing, expected the file for the network");
    plan.rate = rate / 1e5;
    plan.result_share = result / 100.0;
    plan.lambda = lambda / 100.0;
    plan.noisy = cli_option(cli, "noisy");
    plan.plain = cli_option(cli, "plain");
    return train(cli, &plan, path);
}

static const struct cli_argument arguments[] = {
    CLI_GAME, {"FILE...", "games or positions, as harvest writes them", false}, {0}};
static const struct cli_option options[] = {
    {"output", "FILE", "where the network goes"},
    {"width", "N", "hidden units for each view, a multiple of 16, or 1: a table; the default is 32"},
    {"layers", "N,N", "more layers behind these, up to three; by default none"},
    {"passes", "N", "passes over all positions; the default is 20"},
    {"time", "T", "end by then, whatever the passes; by default they all are made"},
    {"batch", "N", "positions between two steps; the default is 4096"},
    {"rate", "N",
     "size of the first steps, in hundred thousandths; the default is 200, falling to a hundredth"},
    {"result", "PERCENT", "learn this share from results and the rest from values; the default is 50"},
    {"lambda", "PERCENT",
     "mix later values of the game into each value, each next one by this share; the default is 0"},
    {"results-only", "N",
     "of the first N files learn results alone: values of another scale; the default is 0"},
    {"scale", "N", "a value that stands for 73% of a win; the default is 200"},
    {"noisy", NULL, "learn from positions in check, or whose best move changes much, too"},
    {"plain", NULL, "do not learn from turned and mirrored positions where the game has them"},
    {"buffer", "N", "positions in memory at a time; the default is 4000000"},
    {"threads", "N", "threads to train with; the default is all CPUs"},
    {"seed", "N", "which weights it begins with, and the order of positions; the default is 1"},
    {0}};

const struct cli_command command_train = {
    .name = "train",
    .summary = "train a network for a game, from positions of games",
    .details =
        "  manyply harvest ./connect4.so c4.games --games 20000\n"
        "  manyply train ./connect4.so c4.games --output connect4.net\n"
        "  manyply search ./connect4.so --strategy pvs,depth=10,eval=network:connect4.net\n\n"
        "`manyply learn` does this again and again. The error is the mean square of the difference to the "
        "share\n"
        "of a win that was to be learned; every tenth game (of text: thousand of lines) is held back to see\n"
        "whether what was learned holds elsewhere. A value that is proven is believed, whatever the result.\n"
        "If there are more positions than --buffer they are read anew in each pass, in random blocks of all\n"
        "files. The same seed and number of threads give the same network. Ctrl-C ends after this pass and\n"
        "keeps it.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_GAME,
    .run = run};

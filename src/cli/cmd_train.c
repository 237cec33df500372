/* cmd_train.c - trains a network for a game from positions that were harvested. */
#include "cli/commands.h"

#include "lab/train.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

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
                  size_t positions, double rounding, const char *path)
{
    if (cli->json) {
        json_t *object = json_pack("{s:s, s:s, s:I, s:i, s:i}", "game", train->game->name, "network", path,
                                   "positions", (json_int_t)positions, "width", train->width, "passes",
                                   r->pass);
        json_object_set_new(object, "error", json_real(r->learned));
        json_object_set_new(object, "held_back_error", json_real(r->held_back));
        json_object_set_new(object, "rounding", json_real(rounding));
        return print_json(object);
    }
    printf("\n%zu positions; whole numbers differ from the floats by %.5f of a win; written to %s\n"
           "  manyply search %s --strategy pvs,eval=network:%s\n",
           positions, rounding, path, cli->arguments[0], path);
    return 0;
}

static int train(const struct cli *cli, struct train *train, const char *path)
{
    struct mp_error error = {0};
    struct train_report last = {0};
    char made[NETWORK_MADE];
    double rounding = 0;
    size_t positions = 0;
    FILE *file = fopen(cli->arguments[1], "r");
    if (!file)
        return cli_fail(cli, "%.200s cannot be read: %s", cli->arguments[1], strerror(errno));
    cli_command_line(cli, made, sizeof made);
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND}, before;
    sigaction(SIGINT, &action, &before);
    struct network *network = train_run(train, file, &last, &rounding, &positions, &error);
    sigaction(SIGINT, &before, NULL);
    fclose(file);
    bool ok = network && network_write(network, train->game->name, made, path, &error);
    network_free(network);
    return ok ? report(cli, train, &last, positions, rounding, path)
              : cli_fail(cli, "%.200s: %s", cli->arguments[1], error.text);
}

static int run(const struct cli *cli)
{
    int width, passes, batch, threads, result, scale, rate;
    uint64_t seed;
    const char *path = cli_option(cli, "output");
    if (!cli_int(cli, "width", 16, NETWORK_MOST_WIDTH, 32, &width) ||
        !cli_int(cli, "passes", 1, 10000, 20, &passes) || !cli_int(cli, "batch", 1, 1 << 20, 4096, &batch) ||
        !cli_int(cli, "threads", 1, MP_MAX_THREADS, mp_cpu_count(), &threads) ||
        !cli_int(cli, "result", 0, 100, 50, &result) || !cli_int(cli, "scale", 1, MP_EVAL_MAX, 200, &scale) ||
        !cli_int(cli, "rate", 1, 100000, 200, &rate) || !cli_seed(cli, 1, &seed))
        return EXIT_USAGE;
    if (!path)
        return cli_fail(cli, "--output is missing, expected the file for the network");
    if (width % NETWORK_STEP)
        return cli_fail(cli, "--width %d, expected a multiple of %d", width, NETWORK_STEP);
    struct train plan = {.game = cli->game,
                         .width = width,
                         .passes = passes,
                         .batch = batch,
                         .threads = threads,
                         .rate = rate / 1e5,
                         .result_share = result / 100.0,
                         .scale = scale,
                         .seed = seed,
                         .progress = show_pass,
                         .context = (void *)cli};
    return train(cli, &plan, path);
}

static const struct cli_argument arguments[] = {
    CLI_GAME, {"FILE", "positions, as harvest writes them", false}, {0}};
static const struct cli_option options[] = {
    {"output", "FILE", "where the network goes"},
    {"width", "N", "hidden units for each view, a multiple of 16; the default is 32"},
    {"passes", "N", "passes over all positions; the default is 20"},
    {"batch", "N", "positions between two steps; the default is 4096"},
    {"rate", "N",
     "size of the first steps, in hundred thousandths; the default is 200, falling to a hundredth"},
    {"result", "PERCENT", "learn this share from results and the rest from values; the default is 50"},
    {"scale", "N", "a value that stands for 73% of a win; the default is 200"},
    {"threads", "N", "threads to train with; the default is all CPUs"},
    {"seed", "N", "which weights it begins with, and the order of positions; the default is 1"},
    {0}};

const struct cli_command command_train = {
    .name = "train",
    .summary = "train a network for a game, from positions of games",
    .details =
        "  manyply harvest ./connect4.so games.txt --games 20000\n"
        "  manyply train ./connect4.so games.txt --output connect4.net\n"
        "  manyply search ./connect4.so --strategy pvs,depth=10,eval=network:connect4.net\n\n"
        "The error is the mean square of the difference to the share of a win that was to be learned; every\n"
        "tenth thousand of positions is held back to see whether what was learned holds elsewhere. The same\n"
        "seed and number of threads give the same network. Ctrl-C ends after this pass and keeps it.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_GAME,
    .run = run};

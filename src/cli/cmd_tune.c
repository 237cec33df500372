/* cmd_tune.c - better weights for an evaluation, from positions of games. */
#include "cli/commands.h"

#include "lab/json_parts.h"
#include "lab/tune.h"

#include <stdlib.h>
#include <unistd.h>

static void show_progress(int round, double error, void *context)
{
    const struct tune_settings *settings = context;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rround %d of %d, error %.6f ", round, settings->rounds, error);
}

static int report_tuning(const struct cli *cli, const struct mp_game *game, const struct tune_report *r)
{
    if (cli->json)
        return print_json(json_pack("{s:s, s:s, s:I, s:I, s:f, s:[f, f], s:[f, f], s:o}", "game", game->name,
                                    "evaluation", game->tuning->evaluation, "positions",
                                    (json_int_t)r->positions, "held_back", (json_int_t)r->held_back, "scale",
                                    r->scale, "error", r->before, r->after, "held_back_error", r->held_before,
                                    r->held_after, "weights", json_reals(r->weights, r->weight_count)));
    printf(
        "/* %s of %s, tuned on %zu positions: error %.5f, was %.5f;\n * on %zu others: %.5f, was %.5f. */\n",
        game->tuning->evaluation, game->name, r->positions, r->after, r->before, r->held_back, r->held_after,
        r->held_before);
    tune_print(game, r->weights, stdout);
    return 0;
}

static int tune(const struct cli *cli, const struct mp_game *game, const struct tune_settings *settings)
{
    struct mp_error error = {0};
    struct tune_report report;
    int count = 0;
    if (!game->tuning)
        return cli_fail(cli, "%s has no evaluation that can be tuned, expected chess or halma", game->name);
    while (cli->arguments[1 + count])
        count++;
    bool ok = tune_run(game, cli->arguments + 1, count, settings, show_progress, (void *)settings, &report,
                       &error);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%60s\r", "");
    if (!ok)
        return cli_fail(cli, "%s", error.text);
    int code = report_tuning(cli, game, &report);
    free(report.weights);
    return code;
}

static int run(const struct cli *cli)
{
    int rounds, threads, prior, blend;
    if (!cli_int(cli, "rounds", 1, 1000000, 400, &rounds) ||
        !cli_int(cli, "threads", 1, MP_MAX_THREADS, mp_cpu_count(), &threads) ||
        !cli_int(cli, "blend", 0, 100, 0, &blend) || !cli_int(cli, "prior", 0, 1000000000, 100, &prior))
        return EXIT_USAGE;
    struct tune_settings settings = {
        .rounds = rounds, .threads = threads, .blend = blend / 100.0, .prior = prior};
    return tune(cli, cli->game, &settings);
}

static const struct cli_argument arguments[] = {
    CLI_GAME, {"FILE...", "games or positions, as harvest writes them", false}, {0}};
static const struct cli_option options[] = {
    {"rounds", "N", "passes over all positions; the default is 400"},
    {"blend", "PERCENT", "learn this share from values of searches instead of results; the default is 0"},
    {"prior", "N", "hold each weight at its start as if by this many positions; the default is 100"},
    {"threads", "N", "threads to tune with; the default is all CPUs"},
    {0}};

const struct cli_command command_tune = {
    .name = "tune",
    .summary = "find better weights for an evaluation, from positions of games",
    .details =
        "  manyply harvest chess chess.games --games 20000 --unequal 200 --decided 1000\n"
        "  manyply tune chess chess.games\n\n"
        "Prints the weights as the C table that the game is compiled with (docs/tuning.md). The error is\n"
        "the mean cross-entropy, in bits; every tenth game (of text: thousand of lines) is held back\n"
        "to see whether what was learned holds elsewhere.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_GAME,
    .run = run};

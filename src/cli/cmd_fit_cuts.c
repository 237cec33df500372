/* cmd_fit_cuts.c - what shallow searches say of deep ones, for the technique probcut of the selective search. */
#include "cli/commands.h"

#include "lab/fit_cuts.h"
#include "lab/text_table.h"

#include <string.h>
#include <unistd.h>

static void show_progress(int positions, void *context)
{
    const struct fit_cuts *fit = context;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%d of %d positions\033[K", positions, fit->positions);
}

/* The plies to the end of the game that a stage stands for; games that do not know have one stage. */
static void stage_text(const struct fit_cuts *fit, int stage, char *text, size_t size)
{
    int from = stage * fit->stage_plies;
    if (!fit->game->endgame)
        snprintf(text, size, "all");
    else if (stage == CUTS_STAGES - 1)
        snprintf(text, size, "%d or more", from);
    else
        snprintf(text, size, "%d to %d", from, from + fit->stage_plies - 1);
}

static int report_fit(const struct cli *cli, const struct fit_cuts *fit, const struct fit_report *report)
{
    struct text_table table;
    text_table_begin(&table, "plies left|deep|shallow|positions|slope|offset|sigma|mean error|r2");
    for (int i = 0; i < report->row_count; i++) {
        const struct fit_row *row = &report->rows[i];
        char stage[32];
        stage_text(fit, row->stage, stage, sizeof stage);
        text_table_add(&table, "%s|%d|%d|%d|%.3f|%.1f|%.1f|%.1f|%.3f", stage, row->deep, row->cut.shallow,
                       row->positions, row->cut.slope, row->cut.offset, row->cut.sigma, row->mean_error,
                       row->r2);
    }
    int code = EXIT_SUCCESS;
    if (cli->json)
        code = print_json(json_pack("{s:s, s:s, s:f, s:i, s:o}", "game", report->cuts.game, "eval",
                                    report->cuts.evaluation, "confidence", report->cuts.confidence,
                                    "stage_plies", fit->stage_plies, "cuts", text_table_json(&table)));
    else if (!text_table_print(&table, stdout))
        code = cli_fail(cli, "out of memory for the table");
    text_table_end(&table);
    return code;
}

static int fit_and_write(const struct cli *cli, const struct fit_cuts *fit)
{
    struct mp_error error = {0};
    const char *path = cli_option(cli, "output");
    char made[256];
    struct fit_report *report = malloc(sizeof *report);
    bool ok = report || mp_fail(&error, "out of memory");
    ok = ok && fit_cuts_run(fit, show_progress, (void *)fit, report, &error);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    cli_command_line(cli, made, sizeof made);
    ok = ok && (!path || fit_cuts_write(report, made, path, &error));
    int code = ok ? report_fit(cli, fit, report) : cli_fail(cli, "%s", error.text);
    if (code == EXIT_SUCCESS && path && !cli->json)
        printf("\n%s: use it with the key cuts= of a selective search with eval=%s\n", path,
               report->cuts.evaluation);
    free(report);
    return code;
}

/* The confidence in hundredths is a whole number, as options are. */
static int run(const struct cli *cli)
{
    struct mp_error error = {0};
    int confidence;
    struct fit_cuts fit = {.game = cli->game};
    if (!cli_int(cli, "positions", 1, 10000000, 1000, &fit.positions) ||
        !cli_int(cli, "depth", 3, CUTS_DEEPEST, 8, &fit.depth) ||
        !cli_int(cli, "plies", 0, 1000, 60, &fit.most_plies) ||
        !cli_int(cli, "stage", 1, MP_MAX_PLY, 12, &fit.stage_plies) ||
        !cli_int(cli, "confidence", 0, 1000, 70, &confidence) ||
        !cli_int(cli, "threads", 1, MP_MAX_THREADS, mp_cpu_count(), &fit.threads) ||
        !cli_seed(cli, 1, &fit.seed) || !cli_random_plies(cli, &fit.least_random, &fit.most_random))
        return EXIT_USAGE;
    if (cli->game->chances)
        return cli_fail(cli, "%s has dice, expected a game without", cli->game->name);
    fit.confidence = confidence / 100.0;
    struct mp_strategy *strategy = mp_strategy_new(cli->game, cli_option(cli, "strategy"), &error);
    bool ok = strategy && (mp_strategy_has(strategy, "probcut") ||
                           mp_fail(&error, "strategy: it has no probcut=, expected pvs,selective=on"));
    ok = ok && mp_strategy_set(strategy, "selective", "on", &error) &&
         mp_strategy_set(strategy, "probcut", "off", &error);
    if (ok && !mp_strategy_given(strategy, "hash"))
        ok = mp_strategy_set(strategy, "hash", "16", &error);
    fit.strategy = ok ? mp_strategy_text(strategy) : NULL;
    int code = ok ? fit_and_write(cli, &fit) : cli_fail(cli, "%s", error.text);
    mp_strategy_free(strategy);
    return code;
}

static const struct cli_argument arguments[] = {CLI_GAME, {0}};
static const struct cli_option options[] = {
    {"strategy", "S", "the selective search that is to be cut; default: the game's"},
    {"positions", "N", "how many positions are searched; the default is 1000"},
    {"depth", "N", "how deep each is searched; the default is 8"},
    {"output", "FILE", "where the cuts go, for the key cuts= of a strategy"},
    {"confidence", "N",
     "cut where the value would be wrong by this many hundredths of sigma; the default is 70"},
    {"stage", "N", "plies of the game to a stage, where a game knows how far its end is; the default is 12"},
    {"random-plies", "N", "random moves at the beginning: 8 is 8 or 9, the default; 4-20 is any of these"},
    {"plies", "N", "moves of a short search after them, at most; the default is 60"},
    {"threads", "N", "positions searched at once; the default is all CPUs"},
    {"seed", "N", "which positions; the default is 1"},
    {0}};

const struct cli_command command_fit_cuts = {
    .name = "fit-cuts",
    .summary = "find out what shallow searches say of deep ones, for Multi-ProbCut",
    .details =
        "  manyply fit-cuts othello --depth 12 --output othello.cuts\n"
        "  manyply search othello --strategy pvs,selective=on,cuts=othello.cuts,time=1s\n\n"
        "Positions of games against itself are searched to each depth up to --depth. A line is fitted for "
        "each\n"
        "depth and stage of the game: deep = slope * shallow + offset, with errors of sigma. The technique\n"
        "probcut of the selective search then asks the shallow search, and skips the deep one if its value "
        "would\n"
        "have to be --confidence away from the line to matter. Values are in the units of the evaluation.\n"
        "The same seed finds the same, whatever the number of threads. The library has cuts for Othello "
        "with\n"
        "eval=positional, made by this command.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_GAME,
    .run = run};

/* cmd_study.c - questions about Monte-Carlo search, answered by this machine. */
#include "cli/commands.h"
#include "cli/terminal.h"

#include "lab/machine.h"
#include "lab/plot.h"
#include "lab/study.h"
#include "lab/text_table.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const struct study *find_study(const char *name)
{
    for (const struct study *study = studies; study->name; study++)
        if (!strcmp(study->name, name))
            return study;
    return NULL;
}

/* ---- The answer ------------------------------------------------------------------------------------ */

/* False: out of memory. */
static bool print_table(const struct study_plan *plan, const struct study_result *r)
{
    char heads[512] = "playouts|one thread, ms";
    for (int line = 1; line < r->line_count; line++)
        snprintf(heads + strlen(heads), sizeof heads - strlen(heads), "|%s|95%%",
                 plan->study->lines[line].name);
    struct text_table table;
    text_table_begin(&table, heads);
    for (int size = 0; size < r->size_count; size++) {
        char row[512];
        snprintf(row, sizeof row, "%.0f|%.3f", r->sizes[size], 1e3 * r->seconds[0][size]);
        for (int line = 1; line < r->line_count; line++) {
            const struct interval *i = &r->speed_up[line][size];
            snprintf(row + strlen(row), sizeof row - strlen(row), "|%.2f|%.2f-%.2f", i->middle, i->low,
                     i->high);
        }
        text_table_add(&table, "%s", row);
    }
    bool ok = text_table_print(&table, stdout);
    text_table_end(&table);
    return ok;
}

/* No more is meant by "about". */
static double two_digits(double number)
{
    double unit = pow(10, floor(log10(number)) - 1);
    return round(number / unit) * unit;
}

static void describe_crossing(const struct study_plan *plan, const struct study_result *r, const int pair[2],
                              char *text, size_t size)
{
    const char *below = plan->study->lines[pair[0]].name, *above = plan->study->lines[pair[1]].name;
    double at = study_crossing(r, pair[0], pair[1]);
    if (at == 0)
        snprintf(text, size, "%s: faster than %s at every size measured", above, below);
    else if (isinf(at))
        snprintf(text, size, "%s: not faster than %s with %.0f playouts", above, below,
                 r->sizes[r->size_count - 1]);
    else
        snprintf(text, size, "%s: faster than %s from about %.0f playouts on", above, below, two_digits(at));
}

static bool is_pair(const int pair[2])
{
    return pair[0] || pair[1];
}

static struct plot make_plot(const struct study_plan *plan, const struct study_result *r,
                             double values[STUDY_MOST_LINES][3][STUDY_MOST_SIZES])
{
    struct plot plot = {.title = plan->study->summary,
                        .x_label = "playouts of a search",
                        .y_label = "speed-up over one thread",
                        .log_x = true,
                        .series_count = r->line_count};
    for (int line = 0; line < r->line_count; line++) {
        for (int size = 0; size < r->size_count; size++) {
            values[line][0][size] = r->speed_up[line][size].middle;
            values[line][1][size] = r->speed_up[line][size].low;
            values[line][2][size] = r->speed_up[line][size].high;
        }
        plot.series[line] = (struct plot_series){.name = plan->study->lines[line].name,
                                                 .count = r->size_count,
                                                 .x = r->sizes,
                                                 .y = values[line][0],
                                                 .low = line ? values[line][1] : NULL,
                                                 .high = line ? values[line][2] : NULL,
                                                 .dashed = line == 0};
    }
    return plot;
}

static int print_json_result(const struct study_plan *plan, const struct study_result *r, const char *command)
{
    json_t *lines = json_array(), *crossings = json_array();
    for (int line = 0; line < r->line_count; line++) {
        json_t *points = json_array();
        for (int size = 0; size < r->size_count; size++) {
            const struct interval *i = &r->speed_up[line][size];
            json_array_append_new(points, json_pack("{s:f, s:f, s:f, s:f, s:f}", "playouts", r->sizes[size],
                                                    "seconds", r->seconds[line][size], "speed_up", i->middle,
                                                    "low", i->low, "high", i->high));
        }
        json_array_append_new(lines, json_pack("{s:s, s:s, s:o}", "name", plan->study->lines[line].name,
                                               "strategy", r->strategies[line], "points", points));
    }
    for (const int(*pair)[2] = plan->study->pairs; is_pair(*pair); pair++) {
        double at = study_crossing(r, (*pair)[0], (*pair)[1]);
        json_array_append_new(crossings,
                              json_pack("{s:s, s:s, s:o}", "line", plan->study->lines[(*pair)[1]].name,
                                        "over", plan->study->lines[(*pair)[0]].name, "playouts",
                                        isinf(at) ? json_null() : json_real(at)));
    }
    return print_json(json_pack("{s:o, s:s, s:s, s:i, s:i, s:i, s:o, s:o}", "machine", machine_json(command),
                                "study", plan->study->name, "game", plan->game->name, "threads",
                                plan->threads, "positions", plan->positions, "rounds", plan->rounds, "lines",
                                lines, "crossings", crossings));
}

static int print_result(const struct cli *cli, const struct study_plan *plan, const struct study_result *r)
{
    enum { MOST_COLUMNS = 100 };
    char command[1024], name[256], text[256];
    double values[STUDY_MOST_LINES][3][STUDY_MOST_SIZES];
    struct plot plot = make_plot(plan, r, values);
    const char *svg = cli_option(cli, "svg");
    FILE *file = svg ? fopen(svg, "w") : NULL;
    if (svg && !file)
        return cli_fail(cli, "--svg %.200s cannot be written: %s", svg, strerror(errno));
    if (file) {
        plot_svg(&plot, file);
        fclose(file);
    }
    cli_command_line(cli, command, sizeof command);
    if (cli->json)
        return print_json_result(plan, r, command);
    machine_name(name, sizeof name);
    printf(
        "%s on %s, %d threads: %s\n\nSpeed-up over one thread, medians of %d round%s over %d position%s\n\n",
        plan->game->name, name, plan->threads, plan->study->summary, plan->rounds,
        plan->rounds == 1 ? "" : "s", plan->positions, plan->positions == 1 ? "" : "s");
    if (!print_table(plan, r))
        return cli_fail(cli, "out of memory for the table");
    printf("\n");
    struct terminal terminal = terminal_look();
    plot_print(&plot, stdout, terminal.columns < MOST_COLUMNS ? terminal.columns : MOST_COLUMNS,
               terminal.unicode);
    printf("\n");
    for (const int(*pair)[2] = plan->study->pairs; is_pair(*pair); pair++) {
        describe_crossing(plan, r, *pair, text, sizeof text);
        printf("%s\n", text);
    }
    return 0;
}

static int run(const struct cli *cli)
{
    struct mp_error error;
    struct progress progress = {.out = stderr};
    struct study_plan plan = {.study = find_study(cli->arguments[0]), .least = 100, .progress = &progress};
    if (!plan.study)
        return cli_fail(cli, "unknown study '%.60s', expected mcts-merge or mcts-split", cli->arguments[0]);
    if (!cli_int(cli, "threads", 2, MP_MAX_THREADS, mp_cpu_count() > 1 ? mp_cpu_count() : 2, &plan.threads) ||
        !cli_int(cli, "chunk", 1, 1000000, 10, &plan.chunk) ||
        !cli_number(cli, "most", 100, 1000000000, 100000, &plan.most) ||
        !cli_int(cli, "positions", 1, 1000, 6, &plan.positions) ||
        !cli_int(cli, "rounds", 1, 1000, 11, &plan.rounds) || !cli_seed(cli, 1, &plan.seed))
        return EXIT_USAGE;
    struct mp_game *game = mp_game_open(cli->arguments[1] ? cli->arguments[1] : "othello", &error);
    if (!game)
        return cli_fail(cli, "%s", error.text);
    plan.game = game;
    struct study_result result;
    bool ok = study_run(&plan, &result, &error);
    progress_end(&progress);
    int code = ok ? print_result(cli, &plan, &result) : cli_fail(cli, "%s", error.text);
    mp_game_close(game);
    return code;
}

static const struct cli_argument arguments[] = {
    {"STUDY", "mcts-merge or mcts-split", false},
    {"GAME", "a game, or a plug-in such as ./connect4.so; the default is othello", true},
    {0}};
static const struct cli_option options[] = {
    {"threads", "N", "threads that share a search; the default is all CPUs, at least 2"},
    {"most", "N", "playouts of the largest search, from 100; the default is 100000"},
    {"chunk", "N", "mcts-merge: iterations of a chunk; the default is 10, as in the report"},
    {"rounds", "N", "how often everything is measured; the default is 11"},
    {"positions", "N", "random positions that are searched; the default is 6"},
    {"seed", "N", "which positions; the default is 1"},
    {"svg", "FILE", "also draw the plot into a file"},
    {0}};

const struct cli_command command_study = {
    .name = "study",
    .summary = "where the ways to share a Monte-Carlo search overtake each other",
    .details = "  manyply study mcts-merge        do chunks, and merging them in parallel, pay?\n"
               "  manyply study mcts-split --most 1000000 --svg split.svg\n\n"
               "Speed only: what it does for strength is in docs/strategies/mcts.md.\n",
    .arguments = arguments,
    .options = options,
    .run = run};

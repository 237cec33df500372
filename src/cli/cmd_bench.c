/* cmd_bench.c - measures strategies against each other, and compares two such measurements. */
#include "cli/commands.h"
#include "cli/terminal.h"

#include "base/text.h"
#include "lab/bench.h"
#include "lab/bench_print.h"
#include "lab/calibrate.h"
#include "lab/compare.h"
#include "lab/machine.h"
#include "lab/positions.h"
#include "lab/progress.h"

#include <stdlib.h>
#include <string.h>

/* ---- What to measure ------------------------------------------------------------------------------- */

/* "1,2,4": all different, ascending. */
static bool read_numbers(const struct cli *cli, const char *option, int numbers[BENCH_MOST_THREADS],
                         int *count)
{
    const char *given = cli_option(cli, option);
    char *copy = strdup(given), *rest = copy;
    bool ok = copy;
    while (ok && rest) {
        int64_t number;
        ok = text_to_int(strsep(&rest, ","), (*count ? numbers[*count - 1] : 0) + 1, MP_MAX_THREADS,
                         &number) &&
             *count < BENCH_MOST_THREADS;
        if (ok)
            numbers[(*count)++] = (int)number;
    }
    free(copy);
    return ok ||
           cli_refuse(cli, "--%s %.60s, expected at most %d ascending numbers from 1 to %d, such as 1,2,4",
                      option, given, BENCH_MOST_THREADS, MP_MAX_THREADS);
}

/* Real threads as many as there are CPUs, unless something else is asked for. */
static bool read_threads(const struct cli *cli, struct bench_plan *plan)
{
    struct mp_error error;
    bool simulates = cli_option(cli, "simulate");
    if (cli_option(cli, "costs") && !simulates)
        return cli_refuse(cli, "--costs without --simulate, expected the threads of a virtual machine");
    if (simulates && (!read_numbers(cli, "simulate", plan->simulated, &plan->simulated_count) ||
                      !(calibrate_read(cli_option(cli, "costs"), &plan->costs, &error) ||
                        cli_refuse(cli, "--costs %s", error.text))))
        return false;
    if (cli_option(cli, "threads"))
        return read_numbers(cli, "threads", plan->threads, &plan->thread_count);
    int cpus = mp_cpu_count();
    for (int threads = 2; !simulates && threads < cpus && plan->thread_count < BENCH_MOST_THREADS - 1;
         threads *= 2)
        plan->threads[plan->thread_count++] = threads;
    if (!simulates)
        plan->threads[plan->thread_count++] = cpus;
    return true;
}

/* Depths are chosen for all strategies or for none. */
static bool read_strategies(const struct cli *cli, struct bench_plan *plan)
{
    struct mp_error error;
    const char *given[CLI_MAX_GIVEN];
    int count = cli_options(cli, "strategy", given), open_count = 0;
    if (count < 1 || count > BENCH_MOST_STRATEGIES)
        return cli_refuse(cli, "%d strategies, expected 1 to %d, such as --strategy pvs,split=ybwc", count,
                          BENCH_MOST_STRATEGIES);
    for (int i = 0; i < count; i++) {
        bool is_open;
        plan->strategies[plan->strategy_count++] = given[i];
        if (!bench_is_open(plan->game, given[i], &is_open, &error))
            return cli_refuse(cli, "%s", error.text);
        open_count += is_open;
    }
    if (open_count == 0 && !cli_option(cli, "at-least"))
        plan->at_least = 0;
    else if (open_count < count)
        return cli_refuse(cli, "some strategies have limits and for others a depth is chosen (--at-least), "
                               "expected one or the other");
    return true;
}

static bool read_plan(const struct cli *cli, struct bench_plan *plan)
{
    return cli_duration(cli, "at-least", 0.2, &plan->at_least) &&
           cli_duration(cli, "time", 60, &plan->seconds) &&
           cli_int(cli, "repeats", 1, 1000, 0, &plan->rounds) && cli_seed(cli, 1, &plan->seed) &&
           read_threads(cli, plan);
}

/* A number of random positions, or a file of them. */
static bool read_positions(const struct cli *cli, struct bench_plan *plan)
{
    struct mp_error error;
    const char *given = cli_option(cli, "positions");
    int64_t number = 12;
    if (!given || text_to_int(given, 1, 10000, &number)) {
        plan->position_count = (int)number;
        return true;
    }
    plan->positions = positions_read(plan->game, given, &plan->position_count, &error);
    return plan->positions || cli_refuse(cli, "--positions %s", error.text);
}

/* ---- Output ---------------------------------------------------------------------------------------- */

static bool show_progress(const char *doing, double share, void *context)
{
    progress_show(context, doing, share);
    return true;
}

/* What was simulated is not measured, and says so. */
static void print_costs(const struct bench *bench)
{
    char costs[256];
    bool any = false;
    for (int i = 0; i < bench->row_count; i++)
        any = any || bench->rows[i].kind == BENCH_SIMULATED;
    if (!any)
        return;
    calibrate_print(&bench->costs, costs, sizeof costs);
    printf("simulated: virtual threads with costs in ns of %s%s\n\n", costs,
           bench->costs.node > 0 ? "" : ", and a node as it was measured");
}

enum { MOST_COLUMNS = 100 };

static int print_bench(const struct cli *cli, const struct bench *bench)
{
    struct mp_error error;
    const char *csv = cli_option(cli, "csv"), *svg = cli_option(cli, "svg");
    char command[1024], name[256];
    cli_command_line(cli, command, sizeof command);
    json_t *machine = machine_json(command);
    int code = 0;
    if ((csv && !bench_write_csv(bench, machine, csv, &error)) ||
        (svg && !bench_write_svg(bench, svg, &error)))
        code = cli_fail(cli, "%s", error.text);
    if (code == 0 && cli->json)
        return print_json(bench_json(bench, machine));
    json_decref(machine);
    if (code != 0)
        return code;
    machine_name(name, sizeof name);
    printf("%s on %s\n%d position%s, %d round%s in %.0f s%s\n\n", bench->game->name, name,
           bench->position_count, bench->position_count == 1 ? "" : "s", bench->rounds,
           bench->rounds == 1 ? "" : "s", bench->elapsed,
           bench->rounds < 6 && !bench->only_simulated ? "; fewer than 6 rounds: intervals span all of them"
                                                       : "");
    print_costs(bench);
    bench_print_table(bench, stdout);
    bench_print_comparisons(bench, stdout);
    struct terminal terminal = terminal_look();
    int columns = terminal.columns < MOST_COLUMNS ? terminal.columns : MOST_COLUMNS;
    bench_print_plots(bench, stdout, columns, terminal.unicode);
    return 0;
}

static int measure(const struct cli *cli)
{
    struct mp_error error;
    struct progress progress = {.out = stderr};
    struct bench_plan plan = {.progress = show_progress, .context = &progress};
    if (!read_plan(cli, &plan))
        return EXIT_USAGE;
    struct mp_game *game = mp_game_open(cli->arguments[0], &error);
    if (!game)
        return cli_fail(cli, "%s", error.text);
    plan.game = game;
    int code = EXIT_USAGE;
    if (read_strategies(cli, &plan) && read_positions(cli, &plan)) {
        struct bench *bench = bench_run(&plan, &error);
        progress_end(&progress);
        code = bench ? print_bench(cli, bench) : cli_fail(cli, "%s", error.text);
        bench_free(bench);
        if (plan.positions)
            positions_free(plan.positions, plan.position_count);
    }
    mp_game_close(game);
    return code;
}

/* ---- Comparing ------------------------------------------------------------------------------------- */

static void print_comparison(const json_t *row)
{
    const char *asked = json_string_value(json_object_get(row, "asked"));
    char label[BENCH_TEXT];
    bench_label(json_string_value(json_object_get(row, "strategy")), asked ? asked : "", label);
    printf("%-52s %-10s %3d  %6.3f  %.4f  %s\n", label, json_string_value(json_object_get(row, "kind")),
           (int)json_integer_value(json_object_get(row, "threads")),
           json_real_value(json_object_get(row, "ratio")), json_real_value(json_object_get(row, "p")),
           json_string_value(json_object_get(row, "verdict")));
}

static int compare(const struct cli *cli)
{
    struct mp_error error;
    if (!cli->arguments[2])
        return cli_fail(cli, "compare needs two files that `manyply bench --json` wrote");
    if (cli->given_count > 0)
        return cli_fail(cli, "compare does not take --%s, expected two files", cli->given[0].option->name);
    json_t *list = json_array();
    if (!compare_files(cli->arguments[1], cli->arguments[2], list, &error)) {
        json_decref(list);
        return cli_fail(cli, "%s", error.text);
    }
    if (cli->json)
        return print_json(json_pack("{s:s, s:f, s:f, s:o}", "test", "sign test of the rounds", "level",
                                    COMPARE_LEVEL, "least_difference", COMPARE_LEAST, "rows", list));
    printf("%-52s %-10s %3s  %6s  %6s  %s\n", "strategy", "", "thr", "time", "p", "the second is");
    for (size_t i = 0; i < json_array_size(list); i++)
        print_comparison(json_array_get(list, i));
    printf(
        "\nTime of the second over that of the first, on one thread CPU time. Faster or slower: p below %g "
        "(sign\ntest of the rounds, which are pairs) and a difference of %g%% or more.\n",
        COMPARE_LEVEL, 100 * COMPARE_LEAST);
    json_decref(list);
    return 0;
}

static int run(const struct cli *cli)
{
    if (!strcmp(cli->arguments[0], "compare"))
        return compare(cli);
    if (cli->arguments[1])
        return cli_fail(cli, "unexpected argument '%.60s'; `manyply bench --help` shows the usage",
                        cli->arguments[1]);
    return measure(cli);
}

static const struct cli_argument arguments[] = {
    {"GAME", "a game, or a plug-in such as ./connect4.so; or the word compare", false},
    {"A.json", "compare: a file that `manyply bench --json` wrote", true},
    {"B.json", "compare: another one, from the same command", true},
    {0}};
static const struct cli_option options[] = {
    {"strategy", "S...", "a contestant, see `manyply strategies`"},
    {"threads", "N,N", "threads for strategies with split=; the default is 2,4,8... up to all CPUs"},
    {"simulate", "N,N",
     "the same on virtual machines with so many cores, 1 to 256; then no real threads by default"},
    {"costs", "C", "of these machines in ns, such as steal=500,wake=20000; what is not given is measured"},
    {"positions", "N|FILE", "how many random positions, or a file of them, one per line; the default is 12"},
    {"seed", "N", "which random positions; the default is 1"},
    {"at-least", "T",
     "choose each depth so that the sequential search takes this long; the default is 200ms, "
     "unless the strategies give depth="},
    {"repeats", "N", "rounds; the default is to go on until the intervals are within 1%"},
    {"time", "T", "without --repeats, stop after this long; the default is 1m"},
    {"svg", "DIR", "write the plots as SVG files there"},
    {"csv", "FILE", "write every sample there"},
    {0}};

const struct cli_command command_bench = {
    .name = "bench",
    .summary = "measure strategies against each other",
    .details =
        "  manyply bench othello --strategy pvs,split=ybwc --strategy pvs,split=abdada\n"
        "  manyply bench halma --strategy minimax,depth=4,split=levels --threads 1,2 --repeats 10\n"
        "  manyply bench othello --strategy pvs,depth=10 --json >before.json\n"
        "  manyply bench compare before.json after.json\n"
        "  manyply bench chess --strategy pvs,split=ybwc --simulate 1,2,4,8,16,32,64,128,256\n\n"
        "Every round runs everything once, in turn. `seconds` is the geometric mean over the "
        "positions, `+-` half\n"
        "its interval; `speed-up` is against the same algorithm on one thread; `copies at once` is "
        "the machine's\n"
        "own ceiling: that many sequential searches at once; `/ceiling` the speed-up as a share of "
        "it; `eff.` the\n"
        "speed-up over the threads; `nodes` how many times larger the tree is. Below, each search stands "
        "against\n"
        "the first on as many threads: its time as a multiple, p, and whether that is more than "
        "chance.\n"
        "docs/measuring.md says more.\n\n"
        "--simulate runs the same code on virtual threads, one at a time in the order of their clocks, and "
        "tells "
        "what\n"
        "it would take on a machine with that many cores; `busy` is the share of their time spent on nodes. "
        "Costs:\n"
        "node, steal, wake, spin (before a thread sleeps), lock, line (of the table, written by another "
        "core).\n"
        "With all of them given the result is always the same. docs/scale.md says more.\n",
    .arguments = arguments,
    .options = options,
    .run = run};

/* cmd_search.c - the best move in a position. */
#include "cli/commands.h"

#include "analysis/analysis.h"
#include "lab/calibrate.h"
#include "lab/chances.h"
#include "lab/json_parts.h"
#include "protocols/backgammon_cube.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What was found of each move, at the last depth that was finished for all of them. */
struct findings {
    const struct cli *cli;
    int most, count;         /* moves; most is 0 where only the best one is asked for */
    struct mp_result *moves; /* the best first */
    struct mp_result *next;  /* of a depth that is not finished */
};

/* Lines are told one by one, the best first. */
static void note_line(struct findings *f, const struct mp_result *so_far)
{
    if (so_far->bound != 0 || so_far->line < 1 || so_far->line > f->most)
        return;
    f->next[so_far->line - 1] = *so_far;
    if (so_far->line < f->most)
        return;
    memcpy(f->moves, f->next, (size_t)f->most * sizeof *f->moves);
    f->count = f->most;
}

/* One line for each finished iteration. */
static void print_iteration(const struct mp_result *so_far, void *context)
{
    const struct findings *f = context;
    const struct cli *cli = f->cli;
    if (f->most > 0)
        note_line(context, so_far);
    if (cli->json || so_far->line > 1)
        return;
    char value[64], nodes[32], line[CLI_TEXT];
    json_t *moves = json_line(cli->game, cli->position, so_far->pv, so_far->pv_length);
    print_moves_text(moves, line, sizeof line);
    json_decref(moves);
    mp_value_text(cli->game, so_far->value, value, sizeof value);
    print_large((double)so_far->counters.nodes, nodes, sizeof nodes);
    printf("%5d  %14s  %9s  %8.3f s  %s\n", so_far->depth, value, nodes, so_far->seconds, line);
    fflush(stdout);
}

static void print_result(const struct cli *cli, const struct mp_search *search, const struct mp_result *r)
{
    struct mp_times times = {MP_SIZE(struct mp_times)};
    bool simulated = mp_search_times(search, 0, &times);
    char move[CLI_TEXT], value[64], nodes[32], rate[32];
    print_move_text(cli->game, mp_position_state(cli->position), r->move, move);
    mp_value_text(cli->game, r->value, value, sizeof value);
    print_large((double)r->counters.nodes, nodes, sizeof nodes);
    print_large(r->seconds > 0 ? (double)r->counters.nodes / r->seconds : 0, rate, sizeof rate);
    if (r->standard_error > 0)
        printf("\nmove %s, value %s, standard error %.4f\n", move, value,
               r->standard_error / cli->game->units_per_point);
    else
        printf("\nmove %s, value %s at depth %d (%s)\n", move, value, r->depth,
               !r->exact     ? "not exact"
               : r->complete ? "exact, to the end of the game"
                             : "exact: what plain minimax says");
    printf("%s nodes in %.3f s, %s nodes/s on %d %sthread%s\n", nodes, r->seconds, rate, r->threads,
           simulated ? "virtual " : "", r->threads == 1 ? "" : "s");
}

/* As players of backgammon read a position. */
static void print_chances(const double s[OUTLOOK])
{
    printf(
        "won %.1f%% (gammons %.1f%%, backgammons %.1f%%), lost %.1f%% (gammons %.1f%%, backgammons %.1f%%), "
        "cubeless equity %+.3f\n",
        100 * s[0], 100 * s[1], 100 * s[2], 100 * (1 - s[0]), 100 * s[3], 100 * s[4], chances_equity(s));
}

/* Where the time of all virtual threads went. False: they are real ones. */
static bool add_times(const struct mp_search *search, struct mp_times *sum)
{
    struct mp_times times = {MP_SIZE(struct mp_times)};
    *sum = (struct mp_times){0};
    int thread = 0;
    for (; mp_search_times(search, thread, &times); thread++) {
        sum->nodes += times.nodes;
        sum->steals += times.steals;
        sum->wakes += times.wakes;
        sum->locks += times.locks;
        sum->lines += times.lines;
        sum->waiting += times.waiting;
    }
    return thread > 0;
}

static void print_times(const struct mp_search *search)
{
    struct mp_times t;
    if (!add_times(search, &t))
        return;
    double percent = (t.nodes + t.steals + t.wakes + t.locks + t.lines + t.waiting) / 100;
    printf(
        "simulated: %.1f%% nodes, %.1f%% steals, %.1f%% wake-ups, %.1f%% locks, %.1f%% table lines, %.1f%% "
        "waiting\n",
        t.nodes / percent, t.steals / percent, t.wakes / percent, t.locks / percent, t.lines / percent,
        t.waiting / percent);
}

static json_t *result_json(const struct cli *cli, const struct mp_search *search, const struct mp_result *r,
                           const double *shares, json_t *cube)
{
    char move[CLI_TEXT];
    json_t *json = json_object();
    print_move_text(cli->game, mp_position_state(cli->position), r->move, move);
    json_put_text(json, "game", cli->game->name);
    json_put_text(json, "strategy", mp_search_strategy(search));
    json_put(json, "position", json_position(cli->game, cli->position));
    json_put_text(json, "move", move);
    json_put_number(json, "value", r->value);
    json_put(json, "outcome", json_outcome(cli->game, r->value));
    json_put_flag(json, "exact", r->exact);
    json_put_flag(json, "stopped", r->stopped);
    json_put_flag(json, "complete", r->complete);
    json_put_number(json, "depth", r->depth);
    json_put_number(json, "nodes", (int64_t)r->counters.nodes);
    json_put_real(json, "seconds", r->seconds);
    json_put_number(json, "threads", r->threads);
    json_put(json, "pv", json_line(cli->game, cli->position, r->pv, r->pv_length));
    json_put(json, "counters", json_counters(&r->counters));
    json_put(json, "busy_seconds", json_reals(r->busy_seconds, r->threads));
    if (r->standard_error > 0)
        json_put_real(json, "standard_error", r->standard_error);
    if (shares) {
        json_put(json, "shares", json_shares(shares));
        json_put_real(json, "cubeless_equity", chances_equity(shares));
    }
    if (cube)
        json_put(json, "cube", cube);
    struct mp_times t;
    if (add_times(search, &t))
        json_put(json, "simulated",
                 json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "nodes", t.nodes, "steals", t.steals, "wakes",
                           t.wakes, "locks", t.locks, "lines", t.lines, "waiting", t.waiting));
    return json;
}

/* ---- All moves ----------------------------------------------------------------------------------------- */

/* What a move loses, in what players of the game count. */
static double loss(const struct findings *f, int i)
{
    struct analysis analysis = {.game = f->cli->game, .scale = analysis_scale_of(f->cli->game)};
    struct analysed_ply ply = {.stake = analysis.scale.per_unit};
    return analysis_worth(&analysis, &ply, f->moves[0].value) -
           analysis_worth(&analysis, &ply, f->moves[i].value);
}

static void print_moves(const struct findings *f, bool complete)
{
    const struct cli *cli = f->cli;
    struct analysis_scale scale = analysis_scale_of(cli->game);
    if (f->count == 0)
        return;
    printf("\n%-8s %14s  %s\n", "move", complete ? "exact value" : "value", "loses");
    for (int i = 0; i < f->count; i++) {
        char move[CLI_TEXT], value[64];
        print_move_text(cli->game, mp_position_state(cli->position), f->moves[i].move, move);
        mp_value_text(cli->game, f->moves[i].value, value, sizeof value);
        printf("%-8s %14s  %.*f %s\n", move, value,
               complete && cli->game->scoring == MP_SCORE_MARGIN ? 0 : scale.decimals, loss(f, i),
               scale.unit);
    }
}

static json_t *moves_json(const struct findings *f, const struct mp_result *r)
{
    const struct cli *cli = f->cli;
    json_t *list = json_array();
    for (int i = 0; i < f->count; i++) {
        const struct mp_result *found = &f->moves[i];
        char move[CLI_TEXT];
        json_t *json = json_object();
        print_move_text(cli->game, mp_position_state(cli->position), found->move, move);
        json_put_text(json, "move", move);
        json_put_number(json, "value", found->value);
        json_put(json, "outcome", json_outcome(cli->game, found->value));
        json_put_real(json, "loss", loss(f, i));
        json_put_flag(json, "exact", found->exact);
        json_put_flag(json, "complete", r->complete);
        json_put_number(json, "depth", found->depth);
        json_put(json, "pv", json_line(cli->game, cli->position, found->pv, found->pv_length));
        json_array_append_new(list, json);
    }
    return list;
}

static bool begin_findings(struct findings *f)
{
    if (!cli_option(f->cli, "all"))
        return true;
    int count = mp_position_moves(f->cli->position, NULL, NULL, 0);
    f->most = count < MP_MAX_LINES ? count : MP_MAX_LINES;
    f->moves = calloc((size_t)f->most + 1, sizeof *f->moves);
    f->next = calloc((size_t)f->most + 1, sizeof *f->next);
    return f->moves && f->next;
}

static bool run_search(struct findings *f, struct mp_search *search, const struct mp_strategy *strategy,
                       struct mp_result *result, struct mp_error *error)
{
    struct mp_limits limits = {MP_SIZE(struct mp_limits)};
    if (!f->most)
        return mp_search_run(search, f->cli->position, print_iteration, f, result, error);
    mp_strategy_limits(strategy, &limits);
    limits.lines = f->most;
    return mp_search_run_within(search, f->cli->position, &limits, print_iteration, f, result, error);
}

/* ---- The doubling cube of backgammon ---------------------------------------------------------------------- */

/* Fills in what a search of the position would have said. */
static void fill_result(const struct cli *cli, const struct cube_judgement *j, int depth,
                        struct mp_result *result)
{
    const struct backgammon *s = mp_position_state(cli->position);
    bool answers = s->phase == BACKGAMMON_ANSWERING;
    mp_value doubled = j->takes ? j->taken : j->dropped;
    *result = j->result;
    result->value = answers ? -doubled : j->doubles ? doubled : j->rolled;
    result->move = backgammon_action(answers      ? j->takes ? BACKGAMMON_SAY_TAKE : BACKGAMMON_SAY_DROP
                                     : j->doubles ? BACKGAMMON_SAY_DOUBLE
                                                  : BACKGAMMON_SAY_ROLL);
    result->pv[0] = result->move;
    result->pv_length = 1;
    result->depth = depth;
}

static void print_judgement(const struct cli *cli, const struct cube_judgement *j)
{
    char rolled[64], taken[64], dropped[64];
    mp_value_text(cli->game, j->rolled, rolled, sizeof rolled);
    mp_value_text(cli->game, j->taken, taken, sizeof taken);
    mp_value_text(cli->game, j->dropped, dropped, sizeof dropped);
    printf("no double     %8s\ndouble, take  %8s\ndouble, drop  %8s\n%s\n", rolled, taken, dropped,
           j->verdict);
}

static json_t *judgement_json(const struct cube_judgement *j)
{
    json_t *json = json_object();
    json_put_number(json, "no_double", j->rolled);
    json_put_number(json, "double_take", j->taken);
    json_put_number(json, "double_drop", j->dropped);
    json_put_flag(json, "double", j->doubles);
    json_put_text(json, "answer", j->beavers ? "beaver" : j->takes ? "take" : "drop");
    json_put_flag(json, "too_good", j->too_good);
    json_put_text(json, "verdict", j->verdict);
    return json;
}

/* A timeline of a few megabytes. */
enum { TRACE_SLICES = 1 << 15 };

/* Sees to it that a trace can be written, before the search rather than after it. */
static bool prepare_trace(const struct cli *cli, struct mp_search *search, const char *path)
{
    struct mp_error error = {.text = "it could not be closed"};
    FILE *file = fopen(path, "w");
    if (!file)
        return cli_refuse(cli, "--trace %.200s cannot be written: %s", path, strerror(errno));
    return (fclose(file) == 0 && mp_search_follow(search, TRACE_SLICES, &error)) ||
           cli_refuse(cli, "--trace %.200s: %s", path, error.text);
}

/* Where the dice are to be thrown, somebody has to say what they show. */
static bool refuse_chance(const struct cli *cli)
{
    mp_move outcomes[MP_MAX_MOVES];
    char text[CLI_TEXT];
    const char *moves = cli_option(cli, "moves");
    int count = mp_position_moves(cli->position, outcomes, NULL, MP_MAX_MOVES);
    print_move_text(cli->game, mp_position_state(cli->position), outcomes[count / 2], text);
    return cli_refuse(
        cli, "the dice are to be thrown, expected a throw as the last move, such as --moves \"%s%s%s\"",
        moves ? moves : "", moves ? " " : "", text);
}

static int search(const struct cli *cli, const struct mp_strategy *strategy)
{
    struct mp_error error;
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = cli_search(cli, strategy);
    struct cube_judgement cube;
    char depth[16];
    if (!search)
        return EXIT_USAGE;
    bool judges = cube_is_asked(cli->position) && mp_strategy_get(strategy, "depth", depth, sizeof depth);
    bool searchable = mp_position_moves(cli->position, NULL, NULL, 0) > 0;
    const char *trace = cli_option(cli, "trace");
    if (trace && !prepare_trace(cli, search, trace)) {
        mp_search_free(search);
        return EXIT_USAGE;
    }
    if (!cli->json && searchable) {
        print_board(cli->game, cli->position);
        printf(judges ? "%s\n\n" : "%s\n\ndepth           value      nodes        time  expected line\n",
               mp_search_strategy(search));
        fflush(stdout);
    }
    struct findings found = {.cli = cli};
    bool ok = begin_findings(&found) || mp_fail(&error, "out of memory");
    cli_stop_on_interrupt(search);
    ok = ok &&
         (judges ? cube_judge(search, cli->game, mp_position_state(cli->position), atoi(depth), &cube, &error)
                 : run_search(&found, search, strategy, &result, &error));
    if (ok && judges)
        fill_result(cli, &cube, atoi(depth), &result);
    cli_stop_on_interrupt(NULL);
    ok = ok && (!trace || mp_search_write_trace(search, trace, &error));
    double shares[OUTLOOK];
    bool told = ok && !judges && result.pv_length > 0 && chances_are_told(strategy);
    ok = ok && (!told || chances_after(strategy, cli->position, result.move, result.depth, shares, &error));
    int code = 0;
    if (!ok)
        code = cli_fail(cli, "%s", error.text);
    else if (cli->json) {
        json_t *json = result_json(cli, search, &result, told ? shares : NULL,
                                   judges ? judgement_json(&cube) : NULL);
        if (found.most)
            json_put(json, "moves", moves_json(&found, &result));
        code = print_json(json);
    } else {
        if (judges)
            print_judgement(cli, &cube);
        print_result(cli, search, &result);
        if (told)
            print_chances(shares);
        print_times(search);
        print_moves(&found, result.complete);
    }
    free(found.moves);
    free(found.next);
    mp_search_free(search);
    return code;
}

/* Puts the strategy on a virtual machine, if that is asked for. */
static bool simulate(const struct cli *cli, struct mp_strategy *strategy)
{
    struct mp_error error;
    struct costs costs;
    int threads;
    char text[128];
    if (!cli_option(cli, "simulate"))
        return !cli_option(cli, "costs") ||
               cli_refuse(cli, "--costs without --simulate, expected the threads of a virtual machine");
    if (cli_option(cli, "threads"))
        return cli_refuse(cli, "--threads and --simulate, expected one of them");
    if (!cli_int(cli, "simulate", 1, MP_MAX_THREADS, 1, &threads))
        return false;
    if (!calibrate_read(cli_option(cli, "costs"), &costs, &error))
        return cli_refuse(cli, "--costs %s", error.text);
    if (costs.node == 0 && !calibrate_node(strategy, cli->position, &costs.node, &error))
        return cli_refuse(cli, "%s", error.text);
    costs_print(&costs, text, sizeof text);
    return (mp_strategy_set_number(strategy, "threads", threads, &error) &&
            mp_strategy_set(strategy, "simulate", text, &error)) ||
           cli_refuse(cli, "--simulate %d: %s", threads, error.text);
}

static int run(const struct cli *cli)
{
    if (mp_position_is_chance(cli->position) && !refuse_chance(cli))
        return EXIT_USAGE;
    struct mp_strategy *strategy = cli_strategy(cli, cli->game, "strategy", "auto");
    int code = strategy && simulate(cli, strategy) ? search(cli, strategy) : EXIT_USAGE;
    mp_strategy_free(strategy);
    return code;
}

static const struct cli_argument arguments[] = {CLI_GAME, {0}};
static const struct cli_option options[] = {
    {"position", "P", "a position in the notation of the game; the default is its beginning"},
    {"moves", "M", "moves played from there, such as \"f5 d6 c3\" or f5d6c3"},
    {"strategy", "S", "how to search, see `manyply strategies`; default: the game's, on all CPUs"},
    {"depth", "N", "plies to search; default: as the strategy says"},
    {"time", "T", "stop after so long, such as 500ms or 2s"},
    {"threads", "N", "threads for a strategy with split=; default: all CPUs"},
    {"all", NULL, "value every move, and say what each loses against the best; takes longer"},
    {"simulate", "N", "on a virtual machine with N cores: the time is what it would take there"},
    {"costs", "C", "of that machine in ns, such as node=100,steal=500; what is not given is measured"},
    {"trace", "FILE", "write what each thread did, for Perfetto and `manyply trace`"},
    {0}};

const struct cli_command command_search = {
    .name = "search",
    .summary = "find the best move in a position",
    .details =
        "  manyply search chess --time 2s\n"
        "  manyply search othello --moves f5d6c3 --strategy pvs,time=2s\n"
        "  manyply search othello --moves f5d6c3 --all    every move with the discs that it loses\n"
        "  manyply search othello --strategy minimax,depth=7,split=top --threads 2\n"
        "  manyply search backgammon --moves 31           with the throw, where there are dice\n"
        "  manyply search backgammon:cube=on --moves \"31 8/5 6/5\" --strategy star2,depth=2,eval=network\n"
        "                                                 to double or not, to take or drop\n"
        "  manyply search ./connect4.so --strategy pvs,depth=14\n"
        "  manyply search chess --strategy pvs,depth=9,split=ybwc --simulate 64 --trace run.json\n\n"
        "Ctrl-C ends the search; the best move so far is printed.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_POSITION,
    .run = run};

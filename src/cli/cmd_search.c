/* cmd_search.c - the best move in a position. */
#include "cli/commands.h"

#include "lab/json_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One line for each finished iteration. */
static void print_iteration(const struct mp_result *so_far, void *context)
{
    const struct cli *cli = context;
    char value[64], nodes[32], line[CLI_TEXT];
    json_t *moves = json_line(cli->game, cli->position, so_far->pv, so_far->pv_length);
    print_moves_text(moves, line, sizeof line);
    json_decref(moves);
    mp_value_text(cli->game, so_far->value, value, sizeof value);
    print_large((double)so_far->counters.nodes, nodes, sizeof nodes);
    printf("%5d  %14s  %9s  %8.3f s  %s\n", so_far->depth, value, nodes, so_far->seconds, line);
    fflush(stdout);
}

static void print_result(const struct cli *cli, const struct mp_result *r)
{
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
    printf("%s nodes in %.3f s, %s nodes/s on %d thread%s\n", nodes, r->seconds, rate, r->threads,
           r->threads == 1 ? "" : "s");
}

static json_t *result_json(const struct cli *cli, const struct mp_search *search, const struct mp_result *r)
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

static int search(const struct cli *cli, const struct mp_strategy *strategy)
{
    struct mp_error error;
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = cli_search(cli, strategy);
    if (!search)
        return EXIT_USAGE;
    bool searchable = mp_position_moves(cli->position, NULL, NULL, 0) > 0 &&
                      !mp_position_is_chance(cli->position);
    const char *trace = cli_option(cli, "trace");
    if (trace && !prepare_trace(cli, search, trace)) {
        mp_search_free(search);
        return EXIT_USAGE;
    }
    if (!cli->json && searchable) {
        print_board(cli->game, cli->position);
        printf("%s\n\ndepth           value      nodes        time  expected line\n",
               mp_search_strategy(search));
        fflush(stdout);
    }
    cli_stop_on_interrupt(search);
    bool ok = mp_search_run(search, cli->position, cli->json ? NULL : print_iteration, (void *)cli, &result,
                            &error);
    cli_stop_on_interrupt(NULL);
    ok = ok && (!trace || mp_search_write_trace(search, trace, &error));
    int code = 0;
    if (!ok)
        code = cli_fail(cli, "%s", error.text);
    else if (cli->json)
        code = print_json(result_json(cli, search, &result));
    else
        print_result(cli, &result);
    mp_search_free(search);
    return code;
}

static int run(const struct cli *cli)
{
    struct mp_strategy *strategy = cli_strategy(cli, cli->game, "strategy", "auto");
    int code = strategy ? search(cli, strategy) : EXIT_USAGE;
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
    {"trace", "FILE", "write what each thread did, for Perfetto and `manyply trace`"},
    {0}};

const struct cli_command command_search = {
    .name = "search",
    .summary = "find the best move in a position",
    .details = "  manyply search chess --time 2s\n"
               "  manyply search othello --moves f5d6c3 --strategy pvs,time=2s\n"
               "  manyply search othello --strategy minimax,depth=7,split=top --threads 2\n"
               "  manyply search ./connect4.so --strategy pvs,depth=14\n\n"
               "Ctrl-C ends the search; the best move so far is printed.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_POSITION,
    .run = run};

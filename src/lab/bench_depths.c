/* bench_depths.c - chooses positions, and the depth at which the sequential search takes long enough on each. */
#include "lab/bench_inner.h"

#include "base/text.h"
#include "lab/positions.h"

#include <stdlib.h>
#include <string.h>

bool bench_goes_on(const struct bench_plan *plan, const char *doing, double share, struct mp_error *error)
{
    return !plan->progress || plan->progress(doing, share, plan->context) ||
           mp_fail(error, "the measurement was given up");
}

/* Looks for the first iteration that takes long enough. */
struct probe {
    struct mp_search *search;
    double at_least, last_seconds;
    double node_ns; /* what a node costs; 0: look at the clock */
    int depth;      /* 0: not found */
};

static void watch_iteration(const struct mp_result *so_far, void *context)
{
    struct probe *probe = context;
    double seconds = probe->node_ns > 0 ? (double)so_far->counters.nodes * probe->node_ns * 1e-9
                                        : so_far->seconds;
    if (seconds - probe->last_seconds >= probe->at_least) {
        probe->depth = so_far->depth;
        mp_search_stop(probe->search);
    }
    probe->last_seconds = seconds;
}

/* The depth at which a sequential search takes at_least seconds and not longer than `longest`; 0: none. */
static bool find_depth(const struct bench *bench, struct bench_stop *stop, const struct bench_row *row,
                       const struct mp_position *position, double at_least, double longest, int *depth,
                       struct mp_error *error)
{
    char strategy[BENCH_TEXT], limit[32];
    memcpy(strategy, row->strategy, BENCH_TEXT);
    struct probe probe = {.at_least = at_least, .node_ns = bench->only_simulated ? bench->costs.node : 0};
    if (probe.node_ns > 0)
        snprintf(limit, sizeof limit, "%.0f", longest / probe.node_ns * 1e9);
    else
        text_from_seconds(longest, limit, sizeof limit);
    if (bench_change_key(bench->game, strategy, "depth", NULL, error) &&
        bench_change_key(bench->game, strategy, probe.node_ns > 0 ? "nodes" : "time", limit, error))
        probe.search = mp_search_new(bench->game, strategy, error);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    bool ok = probe.search &&
              bench_search(stop, probe.search, position, watch_iteration, &probe, &result, error);
    mp_search_free(probe.search);
    *depth = probe.depth;
    return ok;
}

/* The depths of a position for all sequential rows; *found is false when one of them has none. */
static bool find_depths(struct bench *bench, struct bench_stop *stop, int at, double at_least, double longest,
                        bool *found, struct mp_error *error)
{
    *found = true;
    for (int i = 0; i < bench->row_count && *found; i++) {
        struct bench_row *row = &bench->rows[i];
        if (row->kind != BENCH_SEQUENTIAL)
            continue;
        if (!find_depth(bench, stop, row, bench->positions[at], at_least, longest, &row->depths[at], error))
            return false;
        *found = row->depths[at] > 0;
    }
    return true;
}

enum { LONGEST = 5, TRIES_EACH = 20 };

/* Random positions differ in how their times grow with the depth; those that jump from too little to too much
 * are left out. */
static bool choose_positions(struct bench *bench, const struct bench_plan *plan, struct mp_error *error)
{
    int wanted = plan->position_count, number = 0;
    bench->positions = calloc((size_t)wanted, sizeof *bench->positions);
    bench->owns_positions = true;
    if (!bench->positions)
        return mp_fail(error, "out of memory for positions");
    while (bench->position_count < wanted) {
        int at = bench->position_count;
        bool found = true;
        if (!bench_goes_on(plan, "choosing positions", (double)at / wanted, error))
            return false;
        if (number == wanted * TRIES_EACH)
            return mp_fail(error,
                           "only %d of %d random positions take %g s at some depth, expected another "
                           "--at-least",
                           at, number, plan->at_least);
        bench->positions[at] = positions_random(plan->game, plan->seed, number++);
        if (!bench->positions[at])
            return mp_fail(error, "out of memory for positions");
        bool ok = plan->at_least <= 0 ||
                  find_depths(bench, plan->stop, at, plan->at_least, LONGEST * plan->at_least, &found, error);
        if (ok && found)
            bench->position_count++;
        else
            mp_position_free(bench->positions[at]);
        if (!ok)
            return false;
    }
    return true;
}

static bool borrow_positions(struct bench *bench, const struct bench_plan *plan, struct mp_error *error)
{
    enum { PATIENCE = 1000 };
    bench->positions = plan->positions;
    bench->position_count = plan->position_count;
    for (int i = 0; plan->at_least > 0 && i < plan->position_count; i++) {
        bool found;
        if (!bench_goes_on(plan, "choosing depths", (double)i / plan->position_count, error) ||
            !find_depths(bench, plan->stop, i, plan->at_least, PATIENCE * plan->at_least, &found, error))
            return false;
        if (!found)
            return mp_fail(error, "position %d is searched to its end in less than %g s", i + 1,
                           plan->at_least);
    }
    return true;
}

bool bench_choose(struct bench *bench, const struct bench_plan *plan, struct mp_error *error)
{
    return plan->positions ? borrow_positions(bench, plan, error) : choose_positions(bench, plan, error);
}

/* study.c - times every line of a study at every size, round by round, and finds where they cross. */
#include "lab/study.h"

#include "lab/positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct study studies[] = {
    {.name = "mcts-merge",
     .summary = "from how many playouts on do chunks, and merging them in parallel, pay?",
     .lines = {{"one thread", {{0}}, false, false},
               {"a tree for each thread", {{"split", "root"}}, false, false},
               {"chunks", {{"split", "root"}}, true, false},
               {"chunks, merged in parallel", {{"split", "root"}, {"merge", "parallel"}}, true, false}},
     .pairs = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}}},
    {.name = "mcts-split",
     .summary = "trees of their own, one tree, or shared playouts: which is faster from where on?",
     .lines = {{"one thread", {{0}}, false, false},
               {"root", {{"split", "root"}}, false, false},
               {"leaf", {{"split", "leaf"}}, false, true},
               {"tree", {{"split", "tree"}}, false, false},
               {"tree, unobserved", {{"split", "tree"}, {"unobserved", "on"}}, false, false}},
     .pairs = {{0, 1}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}},
    {0},
};

/* The same share of positions and sizes for all lines, in a rotating order. */
struct bout {
    const struct study_plan *plan;
    struct mp_position **positions;
    struct mp_search *searches[STUDY_MOST_LINES]; /* of the present size */
    double *samples[STUDY_MOST_LINES];            /* seconds of each round */
};

static bool write_strategy(const struct study_plan *plan, const struct study_line *line, double size,
                           char *text, struct mp_error *error)
{
    int64_t iterations = (int64_t)size / (line->divided ? plan->threads : 1);
    struct mp_strategy *s = mp_strategy_new(plan->game, "mcts", error);
    bool ok = s && mp_strategy_set_number(s, "iterations", iterations ? iterations : 1, error) &&
              mp_strategy_set(s, "reuse", "off", error);
    bool splits = line->keys[0][0];
    ok = ok && (!splits || mp_strategy_set(s, line->keys[0][0], line->keys[0][1], error)) &&
         (!line->chunks || mp_strategy_set_number(s, "chunk", plan->chunk, error));
    for (int i = 1; ok && i < STUDY_MOST_KEYS && line->keys[i][0]; i++)
        ok = mp_strategy_set(s, line->keys[i][0], line->keys[i][1], error);
    ok = ok && (!splits || mp_strategy_set_number(s, "threads", plan->threads, error));
    if (ok)
        mp_strategy_asked(s, text, STUDY_TEXT);
    mp_strategy_free(s);
    return ok;
}

/* One search of each position; the seconds of all. */
static bool time_line(struct bout *bout, int line, double *seconds, struct mp_error *error)
{
    *seconds = 0;
    for (int i = 0; i < bout->plan->positions; i++) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        if (!mp_search_run(bout->searches[line], bout->positions[i], NULL, NULL, &result, error))
            return false;
        *seconds += result.seconds;
    }
    return true;
}

static void summarise(const struct bout *bout, struct study_result *result, int size)
{
    int rounds = bout->plan->rounds;
    double ratios[rounds];
    for (int line = result->line_count - 1; line >= 0; line--) {
        for (int round = 0; round < rounds; round++)
            ratios[round] = bout->samples[0][round] / bout->samples[line][round];
        result->speed_up[line][size] = statistics_median_interval(ratios, rounds);
        memcpy(ratios, bout->samples[line], (size_t)rounds * sizeof *ratios);
        result->seconds[line][size] = statistics_median(ratios, rounds) / bout->plan->positions;
    }
}

static bool measure_size(struct bout *bout, struct study_result *result, int size, struct mp_error *error)
{
    const struct study_plan *plan = bout->plan;
    bool ok = true;
    for (int line = 0; ok && line < result->line_count; line++) {
        char *text = result->strategies[line];
        ok = write_strategy(plan, &plan->study->lines[line], result->sizes[size], text, error);
        bout->searches[line] = ok ? mp_search_new(plan->game, text, error) : NULL;
        double warm_up;
        ok = bout->searches[line] && time_line(bout, line, &warm_up, error);
    }
    for (int round = 0; ok && round < plan->rounds; round++) {
        for (int i = 0; ok && i < result->line_count; i++) {
            int line = (i + round) % result->line_count;
            ok = time_line(bout, line, &bout->samples[line][round], error);
        }
        double share = (round + 1.0) / plan->rounds;
        progress_show(plan->progress, plan->study->name, (size + share) / result->size_count);
    }
    for (int line = 0; line < result->line_count; line++) {
        mp_search_free(bout->searches[line]);
        bout->searches[line] = NULL;
    }
    if (ok)
        summarise(bout, result, size);
    return ok;
}

/* Three sizes for each power of ten. */
static void choose_sizes(const struct study_plan *plan, struct study_result *result)
{
    for (double size = (double)plan->least;
         size <= (double)plan->most * 1.001 && result->size_count < STUDY_MOST_SIZES;
         size *= pow(10, 1.0 / 3))
        result->sizes[result->size_count++] = round(size);
}

bool study_run(const struct study_plan *plan, struct study_result *result, struct mp_error *error)
{
    *result = (struct study_result){0};
    struct bout bout = {.plan = plan};
    bool ok = (bout.positions = calloc((size_t)plan->positions, sizeof *bout.positions)) != NULL;
    for (int i = 0; ok && i < plan->positions; i++)
        ok = (bout.positions[i] = positions_random(plan->game, plan->seed, i)) != NULL;
    while (ok && plan->study->lines[result->line_count].name) {
        bout.samples[result->line_count] = calloc((size_t)plan->rounds, sizeof **bout.samples);
        ok = bout.samples[result->line_count++];
    }
    if (!ok)
        mp_fail(error, "out of memory for a study of %d positions", plan->positions);
    choose_sizes(plan, result);
    for (int size = 0; ok && size < result->size_count; size++)
        ok = measure_size(&bout, result, size, error);
    for (int i = 0; i < STUDY_MOST_LINES; i++)
        free(bout.samples[i]);
    if (bout.positions)
        positions_free(bout.positions, plan->positions);
    return ok;
}

double study_crossing(const struct study_result *r, int below, int above)
{
    int first = r->size_count;
    while (first > 0 && r->speed_up[above][first - 1].middle > r->speed_up[below][first - 1].middle)
        first--;
    if (first == 0 || first == r->size_count)
        return first == 0 ? 0 : INFINITY;
    /* Between two sizes the logarithm of the ratio is taken to be a straight line. */
    double before = log(r->speed_up[above][first - 1].middle / r->speed_up[below][first - 1].middle);
    double after = log(r->speed_up[above][first].middle / r->speed_up[below][first].middle);
    double x = log(r->sizes[first - 1]), y = log(r->sizes[first]);
    return exp(x + (y - x) * before / (before - after));
}

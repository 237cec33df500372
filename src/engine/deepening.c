/* deepening.c - the driver of searches with a depth: one iteration after the other, each a ply deeper, until the last
 * depth, the end of the tree or a limit. */
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

static void take(struct mp_result *result, const struct iteration *found, int depth, int line)
{
    result->move = found->pv[0];
    result->value = found->value;
    result->standard_error = found->standard_error;
    result->effort = found->effort;
    result->depth = depth;
    result->line = line + 1;
    result->bound = 0;
    result->pv_length = found->pv_length;
    memcpy(result->pv, found->pv, (size_t)found->pv_length * sizeof *found->pv);
}

/* A selective search may find more in a later line than in an earlier one. Of equals the first stays. */
static void sort_lines(struct iteration **lines, int count)
{
    for (int i = 1; i < count; i++) {
        struct iteration *line = lines[i];
        int j = i;
        for (; j > 0 && lines[j - 1]->value < line->value; j--)
            lines[j] = lines[j - 1];
        lines[j] = line;
    }
}

/* Of a line at the last depth and at the one before. */
struct values {
    mp_value last, before;
};

/* All lines of one depth, each without the first moves of those before it. Returns how many were finished;
 * the next one then has what the selective search has found to be better, if its pv_length is not 0. */
static int search_lines(struct mp_search *s, const struct request *request, int depth,
                        const struct values values[])
{
    struct iteration previous;
    int line = 0;
    s->root.excluded_count = 0;
    for (; line < request->lines; line++) {
        /* Without quiescence the side that moves last has the better of it: the value two plies before is
         * nearer. */
        bool two_back = s->strategy->plan.settings.exact && depth > request->first_depth + 1;
        previous.value = two_back ? values[line].before : values[line].last;
        struct iteration *found = s->found[line];
        found->pv_length = 0;
        found->standard_error = found->effort = 0; /* most schemes have none to tell */
        if (!crew_iterate(&s->crew, depth, depth > request->first_depth ? &previous : NULL, found))
            break;
        s->root.excluded[s->root.excluded_count++] = found->pv[0];
    }
    s->root.excluded_count = 0;
    return line;
}

/* Searches one depth and reports its lines, the best first; the result is the best. False: stopped before all
 * were done; the result is as far as the first line has come, and that has been reported too. */
static bool run_depth(struct mp_search *s, const struct request *request, int depth, struct values values[],
                      struct mp_result *result)
{
    const bool exact = s->strategy->plan.settings.exact;
    int done = search_lines(s, request, depth, values);
    if (done == 0) {
        if (s->found[0]->pv_length > 0 && !exact) {
            take(result, s->found[0], result->depth, 0);
            request->report(request->context);
        }
        return false;
    }
    sort_lines(s->found, done);
    for (int line = 0; line < done && !s->root.outcome; line++)
        end_line(&s->crew.workers[0], depth, s->found[line]);
    for (int line = 0; line < done; line++)
        values[line] = (struct values){s->found[line]->value, values[line].last};
    result->exact = exact && !s->root.outcome && !s->root.has_window;
    for (int line = 0; line < done; line++) {
        take(result, s->found[line], depth, line);
        request->report(request->context);
    }
    take(result, s->found[0], depth, 0);
    return done == request->lines;
}

/* Has the depth that was just searched, with its lines, left nothing to be found by a deeper one? */
static bool is_complete(const struct mp_search *s, const struct request *request, uint64_t open_ends_before)
{
    if (s->strategy->algorithm->iterations) /* they are no matter of plies */
        return false;
    if (crew_open_ends(&s->crew) == open_ends_before)
        return true;
    for (int line = 0; line < request->lines; line++)
        if (!worker_counts_to_end(&s->crew.workers[0], s->found[line]->value))
            return false;
    return true;
}

/* The depth after this one. Where a game knows how far its end is and most lines reach it soon, a search that may go
 * there does so at once: the iterations between cost more than they teach. */
static int next_depth(const struct mp_search *s, const struct request *request, int depth)
{
    enum { END_IS_NEAR = 12 };
    const struct mp_game *game = engine_game(s);
    if (!game->endgame || !s->strategy->algorithm->deepens)
        return depth + 1;
    int most, plies = game->endgame->plies(game, s->crew.root, &most);
    return plies - depth <= END_IS_NEAR && depth <= most && most < request->last_depth ? most + 1 : depth + 1;
}

/* Room for what an iteration finds in each line. */
static bool reserve_lines(struct mp_search *s, int lines, struct mp_error *error)
{
    while (s->line_count < lines) {
        s->found[s->line_count] = malloc(sizeof **s->found);
        if (!s->found[s->line_count])
            return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for %d lines", lines);
        s->line_count++;
    }
    return true;
}

static bool run(struct mp_search *s, const struct request *request, struct mp_result *result,
                struct mp_error *error)
{
    struct values values[MP_MAX_LINES];
    if (!reserve_lines(s, request->lines, error))
        return false;
    for (int depth = request->first_depth; depth <= request->last_depth;
         depth = next_depth(s, request, depth)) {
        uint64_t open_ends = crew_open_ends(&s->crew);
        if (!run_depth(s, request, depth, values, result)) {
            result->stopped = true;
            break;
        }
        result->complete = is_complete(s, request, open_ends);
        if (result->complete)
            break;
        if (control_stopped(&s->control)) {
            result->stopped = depth < request->last_depth;
            break;
        }
    }
    if (result->pv_length == 0)
        iteration_guess(&s->crew.workers[0], result);
    return true;
}

static void close(struct mp_search *s)
{
    while (s->line_count > 0)
        free(s->found[--s->line_count]);
}

const struct driver deepening = {.close = close, .run = run};

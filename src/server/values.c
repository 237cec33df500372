/* values.c - values all moves of a position at growing depth, and publishes them after each depth. */
#include "server/values.h"

#include "base/clock.h"

#include <stdlib.h>

enum { DEEPEST = 40, LONGEST_SECONDS = 10 };

struct move_values {
    bool (*begin)(void *context, struct mp_search *search);
    void *context;
    const struct mp_position *position;
    struct mp_search *search;
    int64_t start_ns;
    int count;
    mp_move *moves;
    mp_value *values;
};

/* All moves at one depth; values of different depths cannot be compared, so they are found together. False:
 * stopped, or time is up. A stop that comes as a run returns is taken back by it, so begin is asked each time. */
static bool value_moves(struct move_values *v, int depth)
{
    for (int i = 0; i < v->count; i++) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = depth, .moves = &v->moves[i],
                                   .move_count = 1};
        if (clock_seconds_since(v->start_ns) > LONGEST_SECONDS || !v->begin(v->context, v->search) ||
            !mp_search_run_within(v->search, v->position, &limits, NULL, NULL, &result, NULL) ||
            result.stopped)
            return false;
        v->values[i] = result.value;
    }
    return true;
}

static json_t *values_json(const struct move_values *v, int depth)
{
    json_t *values = json_array();
    for (int i = 0; i < v->count; i++)
        json_array_append_new(values, json_integer(v->values[i]));
    return json_pack("{s:i, s:o}", "depth", depth, "values", values);
}

/* Is there nothing left to find out? */
static bool all_proven(const struct move_values *v)
{
    for (int i = 0; i < v->count; i++)
        if (v->values[i] < MP_PROVEN && v->values[i] > -MP_PROVEN)
            return false;
    return true;
}

void values_find(const struct mp_game *game, const char *strategy, const struct mp_position *position,
                 bool (*begin)(void *context, struct mp_search *search),
                 void (*show)(void *context, json_t *values), void *context)
{
    int count = mp_position_moves(position, NULL, NULL, 0);
    struct move_values v = {
        .begin = begin,
        .context = context,
        .position = position,
        .search = mp_search_new(game, strategy, NULL),
        .start_ns = clock_ns(),
        .moves = calloc((size_t)count + 1, sizeof *v.moves),
        .values = calloc((size_t)count + 1, sizeof *v.values),
    };
    if (v.search && v.moves && v.values) {
        v.count = mp_position_moves(position, v.moves, NULL, count);
        for (int depth = 1; depth <= DEEPEST && value_moves(&v, depth); depth++) {
            show(context, values_json(&v, depth));
            if (all_proven(&v))
                break;
        }
    }
    begin(context, NULL);
    mp_search_free(v.search);
    free(v.moves);
    free(v.values);
}

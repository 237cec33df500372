/* values.c - values all moves of a position at growing depth, and publishes them after each depth. */
#include "server/values.h"

#include "base/clock.h"

#include <stdlib.h>

enum { DEEPEST = 64, LONGEST_SECONDS = 10 };

struct move_values {
    bool (*begin)(void *context, struct mp_search *search);
    void *context;
    const struct mp_position *position;
    struct mp_search *search;
    int64_t start_ns;
    int count;
    mp_move *moves;
    mp_value *values;
    bool *complete; /* the value is final: a deeper search would find the same */
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
        v->complete[i] = result.complete;
    }
    return true;
}

static json_t *values_json(const struct move_values *v, int depth)
{
    json_t *values = json_array(), *complete = json_array();
    for (int i = 0; i < v->count; i++) {
        json_array_append_new(values, json_integer(v->values[i]));
        json_array_append_new(complete, json_boolean(v->complete[i]));
    }
    return json_pack("{s:i, s:o, s:o}", "depth", depth, "values", values, "complete", complete);
}

/* Is there nothing left to find out? A win with a margin may still become a greater one. */
static bool all_known(const struct mp_game *game, const struct move_values *v)
{
    for (int i = 0; i < v->count; i++) {
        bool proven = v->values[i] > MP_PROVEN || v->values[i] < -MP_PROVEN;
        if (!v->complete[i] && !(proven && game->scoring != MP_SCORE_MARGIN))
            return false;
    }
    return true;
}

/* Where the end of the game is near, a search goes there at once. */
static int next_depth(const struct mp_game *game, const struct mp_position *position, int depth)
{
    enum { END_IS_NEAR = 8 };
    int most = 0, plies = game->endgame ? game->endgame->plies(game, mp_position_state(position), &most) : 0;
    return plies > 0 && plies - depth <= END_IS_NEAR && depth <= most ? most + 1 : depth + 1;
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
        .complete = calloc((size_t)count + 1, sizeof *v.complete),
    };
    if (v.search && v.moves && v.values && v.complete) {
        v.count = mp_position_moves(position, v.moves, NULL, count);
        for (int depth = 1; depth <= DEEPEST && value_moves(&v, depth);
             depth = next_depth(game, position, depth)) {
            show(context, values_json(&v, depth));
            if (all_known(game, &v))
                break;
        }
    }
    begin(context, NULL);
    mp_search_free(v.search);
    free(v.moves);
    free(v.values);
    free(v.complete);
}

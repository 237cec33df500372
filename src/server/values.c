#include "server/values.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 40, LONGEST_SECONDS = 10 };

struct valuing {
    const struct mp_game *game;
    const struct mp_position *root;
    bool (*begin)(void *context, struct mp_search *search);
    void (*show)(void *context, json_t *values);
    void *context;
    struct mp_search *search; /* of the depth below a move; null: the evaluation alone */
    int64_t start_ns;
    int count, depth;
    mp_move *moves;
    mp_value *values;
};

/* The value of a position for its side to move, searched to the depth of the moment. False: stopped. */
static bool value_position(const struct valuing *v, const struct mp_position *position, mp_value *value);

/* Where chance decides: the mean of the outcomes. */
static bool value_chance(const struct valuing *v, const struct mp_position *position, mp_value *value)
{
    enum { MOST = 256 };
    mp_move outcomes[MOST];
    uint32_t weights[MOST];
    int64_t sum = 0, total = 0;
    int count = mp_position_moves(position, outcomes, weights, MOST);
    for (int i = 0; i < count && i < MOST; i++) {
        mp_value part;
        struct mp_position *next = mp_position_copy(position, NULL);
        bool ok = next && mp_position_play(next, outcomes[i], NULL) && value_position(v, next, &part);
        mp_position_free(next);
        if (!ok)
            return false;
        sum += (int64_t)weights[i] * part;
        total += weights[i];
    }
    *value = (mp_value)(sum / total);
    return true;
}

static bool value_position(const struct valuing *v, const struct mp_position *position, mp_value *value)
{
    const struct mp_game *game = v->game;
    const void *state = mp_position_state(position);
    if (mp_position_moves(position, NULL, NULL, 0) == 0) {
        int margin = mp_position_margin(position);
        *value = mp_final_value(game, game->side(game, state) ? -margin : margin, 0);
        return true;
    }
    if (!v->search) {
        *value = game->evaluations[0].evaluate(game, &game->evaluations[0], state);
        return true;
    }
    if (mp_position_is_chance(position))
        return value_chance(v, position, value);
    struct mp_result result;
    if (!mp_search_run(v->search, position, NULL, NULL, &result, NULL) || result.stopped)
        return false;
    *value = result.value;
    return true;
}

/* The value of what a move leads to, for the one who makes it; an end is one ply further away from here. */
static bool value_move(const struct valuing *v, mp_move move, mp_value *value)
{
    struct mp_position *child = mp_position_copy(v->root, NULL);
    bool ok = child && mp_position_play(child, move, NULL) && value_position(v, child, value);
    mp_position_free(child);
    if (!ok)
        return false;
    *value = -*value;
    if (v->game->scoring == MP_SCORE_WIN && (*value > MP_PROVEN || *value < -MP_PROVEN))
        *value += *value > 0 ? -1 : 1;
    return true;
}

/* All moves at one depth; values of different depths cannot be compared, so they are shown together. False:
 * stopped, or time is up. */
static bool value_moves(struct valuing *v)
{
    for (int i = 0; i < v->count; i++)
        if (clock_seconds_since(v->start_ns) > LONGEST_SECONDS || !value_move(v, v->moves[i], &v->values[i]))
            return false;
    json_t *values = json_array();
    for (int i = 0; i < v->count; i++)
        json_array_append_new(values, json_integer(v->values[i]));
    v->show(v->context, json_pack("{s:i, s:o}", "depth", v->depth, "values", values));
    return true;
}

/* Is there anything left to find out? */
static bool all_proven(const struct valuing *v)
{
    for (int i = 0; i < v->count; i++)
        if (v->values[i] < MP_PROVEN && v->values[i] > -MP_PROVEN)
            return false;
    return true;
}

static void deepen(struct valuing *v)
{
    char strategy[64];
    bool goes_on = v->begin(v->context, NULL) && value_moves(v);
    while (goes_on && !all_proven(v) && v->depth < DEEPEST) {
        snprintf(strategy, sizeof strategy, "%s,depth=%d", v->game->chances ? "star2" : "pvs,hash=4",
                 v->depth++);
        v->search = mp_search_new(v->game, strategy, NULL);
        goes_on = v->search && v->begin(v->context, v->search) && value_moves(v);
        v->begin(v->context, NULL);
        mp_search_free(v->search);
    }
}

void values_find(const struct mp_game *game, const struct mp_position *position,
                 bool (*begin)(void *context, struct mp_search *search),
                 void (*show)(void *context, json_t *values), void *context)
{
    struct valuing v = {
        .game = game, .root = position, .begin = begin, .show = show, .context = context, .depth = 1};
    int count = mp_position_moves(position, NULL, NULL, 0);
    v.moves = calloc((size_t)count + 1, sizeof *v.moves);
    v.values = calloc((size_t)count + 1, sizeof *v.values);
    v.start_ns = clock_ns();
    if (v.moves && v.values) {
        v.count = mp_position_moves(position, v.moves, NULL, count);
        deepen(&v);
    }
    free(v.moves);
    free(v.values);
}

/* reference.c - plain minimax, with the mean where chance decides. */
#include "kit/reference.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Of a line: plies and throws of dice. */
enum { MOST_CHANCES = 64 };

struct reference {
    const struct mp_game *game;
    const struct mp_evaluation *evaluation;
    uint64_t *keys;
    size_t key_count;
    char *states; /* one for each ply of the line */
    size_t stride;
    int most_plies;
    uint64_t leaves;
};

static mp_value negamax(struct reference *r, int ply, int depth);

/* The mean, to the nearest, halves away from zero. */
static mp_value mean_of(struct reference *r, const mp_move *outcomes, const uint32_t *weights, int count,
                        int ply, int depth)
{
    const struct mp_game *game = r->game;
    const char *state = r->states + (size_t)ply * r->stride;
    int64_t sum = 0, total = 0;
    for (int i = 0; i < count; i++) {
        game->play(game, state, outcomes[i], r->states + (size_t)(ply + 1) * r->stride);
        sum += weights[i] * (int64_t)negamax(r, ply + 1, depth);
        total += weights[i];
    }
    int64_t size = (2 * llabs(sum) + total) / (2 * total);
    return (mp_value)(sum < 0 ? -size : size);
}

static mp_value negamax(struct reference *r, int ply, int depth)
{
    const struct mp_game *game = r->game;
    const char *state = r->states + (size_t)ply * r->stride;
    struct mp_history history = {r->keys, r->key_count};
    if (ply > 0 && game->drawn && game->drawn(game, state, &history))
        return 0;
    if (depth == 0 || ply + 1 >= r->most_plies) {
        r->leaves++;
        mp_value value = r->evaluation->evaluate(game, r->evaluation, state);
        if (game->scoring == MP_SCORE_WIN && abs(value) > MP_PROVEN)
            value += value > 0 ? -ply : ply;
        return value;
    }
    mp_move moves[MP_MAX_MOVES];
    uint32_t weights[MP_MAX_MOVES];
    int count = game->chances ? game->chances(game, state, moves, weights, MP_MAX_MOVES) : 0;
    if (count > 0)
        return mean_of(r, moves, weights, count, ply, depth);
    count = game->list(game, state, moves, MP_MAX_MOVES);
    if (count == 0)
        return mp_state_final_value(game, state, ply);
    mp_value best = -MP_INFINITE;
    r->keys[r->key_count++] = game->key(game, state);
    for (int i = 0; i < count; i++) {
        game->play(game, state, moves[i], r->states + (size_t)(ply + 1) * r->stride);
        mp_value value = -negamax(r, ply + 1, depth - 1);
        best = value > best ? value : best;
    }
    r->key_count--;
    return best;
}

bool kit_reference_values(const struct mp_game *game, const struct mp_evaluation *evaluation,
                          const struct mp_position *position, int depth, const mp_move *moves, int count,
                          mp_value *values, uint64_t *horizon)
{
    const void *state = mp_position_state(position);
    struct mp_history history = mp_position_history(position);
    struct reference r = {.game = game, .evaluation = evaluation, .most_plies = 2 * depth + MOST_CHANCES};
    r.stride = memory_lines(game->state_size);
    r.states = aligned_alloc(64, (size_t)r.most_plies * r.stride);
    r.keys = malloc((history.count + (size_t)depth + 1) * sizeof *r.keys);
    bool ok = r.states && r.keys;
    if (ok) {
        memset(r.states, 0, (size_t)r.most_plies * r.stride);
        if (game->drawn && history.count) {
            memcpy(r.keys, history.keys, history.count * sizeof *r.keys);
            r.key_count = history.count;
        }
        r.keys[r.key_count++] = game->key(game, state);
    }
    for (int i = 0; ok && i < count; i++) {
        game->play(game, state, moves[i], r.states + r.stride);
        values[i] = -negamax(&r, 1, depth - 1);
    }
    free(r.states);
    free(r.keys);
    *horizon = r.leaves;
    return ok;
}

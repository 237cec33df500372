/* reference.c - plain negamax to a depth, with the value of every root move. */
#include "tests/support/reference.h"

#include "tests/support/test.h"

enum { MOST_KEYS = 4096, MOST_STATE = 1024 };

struct reference {
    const struct mp_game *game;
    const struct mp_evaluation *evaluation;
    uint64_t keys[MOST_KEYS];
    size_t key_count;
    uint64_t leaves;
};

static mp_value negamax(struct reference *r, const void *state, int ply, int depth)
{
    const struct mp_game *game = r->game;
    struct mp_history history = {r->keys, r->key_count};
    if (ply > 0 && game->drawn && game->drawn(game, state, &history))
        return 0;
    if (depth == 0) {
        r->leaves++;
        mp_value value = r->evaluation->evaluate(game, r->evaluation, state);
        if (game->scoring == MP_SCORE_WIN && abs(value) > MP_PROVEN)
            value += value > 0 ? -ply : ply;
        return value;
    }
    _Alignas(64) char child[MOST_STATE];
    mp_move moves[REFERENCE_MOST_MOVES];
    uint32_t weights[REFERENCE_MOST_MOVES];
    int count = game->chances ? game->chances(game, state, moves, weights, REFERENCE_MOST_MOVES) : 0;
    if (count > 0) {
        int64_t sum = 0, total = 0;
        for (int i = 0; i < count; i++) {
            game->play(game, state, moves[i], child);
            sum += weights[i] * (int64_t)negamax(r, child, ply + 1, depth);
            total += weights[i];
        }
        /* To the nearest, halves away from zero. */
        int64_t size = (2 * llabs(sum) + total) / (2 * total);
        return (mp_value)(sum < 0 ? -size : size);
    }
    count = game->list(game, state, moves, REFERENCE_MOST_MOVES);
    if (count == 0)
        return mp_state_final_value(game, state, ply);
    mp_value best = -MP_INFINITE;
    r->keys[r->key_count++] = game->key(game, state);
    for (int i = 0; i < count; i++) {
        game->play(game, state, moves[i], child);
        mp_value value = -negamax(r, child, ply + 1, depth - 1);
        best = value > best ? value : best;
    }
    r->key_count--;
    return best;
}

uint64_t reference_values(const struct mp_game *game, const struct mp_evaluation *evaluation,
                          const struct mp_position *position, int depth, const mp_move *moves, int count,
                          mp_value *values)
{
    const void *state = mp_position_state(position);
    struct mp_history history = mp_position_history(position);
    struct reference r = {.game = game, .evaluation = evaluation};
    _Alignas(64) char child[MOST_STATE];
    assert_true(game->state_size <= sizeof child);
    assert_true(history.count + (size_t)depth + 1 < MOST_KEYS);
    if (game->drawn && history.count) {
        memcpy(r.keys, history.keys, history.count * sizeof *r.keys);
        r.key_count = history.count;
    }
    r.keys[r.key_count++] = game->key(game, state);
    for (int i = 0; i < count; i++) {
        game->play(game, state, moves[i], child);
        values[i] = -negamax(&r, child, 1, depth - 1);
    }
    return r.leaves;
}

struct truth *truth_new(const struct mp_game *game, const struct mp_evaluation *evaluation,
                        struct mp_position *position, uint64_t most_leaves, int most_depth)
{
    struct truth *truth = calloc(1, sizeof *truth);
    assert_non_null(truth);
    assert_true(most_depth <= REFERENCE_MOST_DEPTH);
    truth->position = position;
    truth->count = mp_position_moves(position, NULL, NULL, 0);
    truth->moves = malloc((size_t)truth->count * sizeof *truth->moves);
    mp_position_moves(position, truth->moves, NULL, truth->count);
    for (int depth = 1; depth <= most_depth; depth++) {
        uint64_t leaves;
        assert_true(mp_perft(position, depth, 1, false, NULL, NULL, &leaves, NULL));
        if (depth > 1 && leaves > most_leaves)
            break;
        mp_value *values = malloc((size_t)truth->count * sizeof *values);
        truth->horizon[depth] = reference_values(game, evaluation, position, depth, truth->moves,
                                                 truth->count, values);
        truth->values[depth] = values;
        truth->depth = depth;
    }
    return truth;
}

void truth_free(struct truth *truth)
{
    if (!truth)
        return;
    for (int depth = 1; depth <= truth->depth; depth++)
        free(truth->values[depth]);
    free(truth->moves);
    mp_position_free(truth->position);
    free(truth);
}

bool truth_is_whole(const struct truth *truth)
{
    return truth->horizon[truth->depth] == 0;
}

mp_value truth_of(const struct truth *truth, int depth, mp_move move)
{
    for (int i = 0; i < truth->count; i++)
        if (truth->moves[i] == move)
            return truth->values[depth][i];
    return -MP_INFINITE;
}

static bool is_among(struct some_moves only, mp_move move)
{
    bool found = only.count == 0;
    for (int i = 0; i < only.count && !found; i++)
        found = only.moves[i] == move;
    return found;
}

int truth_count(const struct truth *truth, struct some_moves only)
{
    int count = 0;
    for (int i = 0; i < truth->count; i++)
        count += is_among(only, truth->moves[i]);
    return count;
}

mp_value truth_line(const struct truth *truth, int depth, struct some_moves only, int line)
{
    const mp_value *values = truth->values[depth];
    for (int i = 0; i < truth->count; i++) {
        int better = 0, equal = 0;
        if (!is_among(only, truth->moves[i]))
            continue;
        for (int j = 0; j < truth->count; j++) {
            better += values[j] > values[i] && is_among(only, truth->moves[j]);
            equal += values[j] == values[i] && is_among(only, truth->moves[j]);
        }
        if (better < line && line <= better + equal)
            return values[i];
    }
    return -MP_INFINITE;
}

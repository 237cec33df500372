/* reference.c - plain negamax to a depth, with the value of every root move. */
#include "tests/support/reference.h"

#include "tests/support/test.h"

#include "kit/reference.h"

uint64_t reference_values(const struct mp_game *game, const struct mp_evaluation *evaluation,
                          const struct mp_position *position, int depth, const mp_move *moves, int count,
                          mp_value *values)
{
    uint64_t horizon;
    assert_true(kit_reference_values(game, evaluation, position, depth, moves, count, values, &horizon));
    return horizon;
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

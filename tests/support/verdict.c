/* verdict.c - checks a result: its move, its line and its value. */
#include "tests/support/verdict.h"

#include "tests/support/test.h"

bool verdict_allows(const struct mp_limits *limits, mp_move move)
{
    if (!limits || limits->move_count <= 0)
        return true;
    for (int i = 0; i < limits->move_count; i++)
        if (limits->moves[i] == move)
            return true;
    return false;
}

static bool line_is_playable(const struct truth *truth, const struct mp_result *result,
                             struct mp_error *error)
{
    struct mp_position *end = mp_position_copy(truth->position, NULL);
    bool ok = true;
    for (int ply = 0; ok && ply < result->pv_length && !mp_position_is_chance(end); ply++)
        if (!mp_position_play(end, result->pv[ply], NULL))
            ok = mp_fail(error, "move %d of the expected line, of %d, is not legal", ply + 1,
                         result->pv_length);
    mp_position_free(end);
    return ok;
}

bool verdict_sound(const struct truth *truth, const struct mp_limits *limits, const struct mp_result *result,
                   struct mp_error *error)
{
    if (truth_of(truth, 1, result->move) == -MP_INFINITE)
        return mp_fail(error, "the move is not legal: %llx", (unsigned long long)result->move);
    if (!verdict_allows(limits, result->move))
        return mp_fail(error, "the move is not one of the %d that were to be searched: %llx",
                       limits->move_count, (unsigned long long)result->move);
    if (result->pv_length < 1 || result->pv_length > MP_MAX_PV)
        return mp_fail(error, "the expected line has %d moves", result->pv_length);
    if (result->pv[0] != result->move)
        return mp_fail(error, "the expected line begins with %llx, and the move is %llx",
                       (unsigned long long)result->pv[0], (unsigned long long)result->move);
    if (abs(result->value) >= MP_INFINITE)
        return mp_fail(error, "the value is %d", result->value);
    if (result->line != 1 || result->bound != 0)
        return mp_fail(error, "the result has line %d and bound %d, expected 1 and 0", result->line,
                       result->bound);
    return line_is_playable(truth, result, error);
}

bool verdict_exact(const struct truth *truth, const struct mp_limits *limits, const struct mp_result *result,
                   struct mp_error *error)
{
    struct some_moves only = {limits->moves, limits->move_count};
    int depth = result->depth;
    if (depth == 0)
        return result->stopped || mp_fail(error, "depth 0 without a stop");
    if (!result->exact)
        return mp_fail(error, "depth %d is not called exact", depth);
    if (limits->depth && depth > limits->depth)
        return mp_fail(error, "depth %d, asked for %d", depth, limits->depth);
    /* A search that has seen all there is need not look deeper. */
    if (!result->stopped && limits->depth > depth) {
        depth = limits->depth;
        if (depth > truth->depth && truth_is_whole(truth))
            depth = truth->depth;
    }
    if (depth > truth->depth)
        return true;
    mp_value best = truth_best(truth, depth, only), of_move = truth_of(truth, depth, result->move);
    if (result->value != best || of_move != best)
        return mp_fail(error, "depth %d of %d: value %d, a move worth %d, expected %d%s", result->depth,
                       limits->depth, result->value, of_move, best, result->stopped ? " (stopped)" : "");
    return true;
}

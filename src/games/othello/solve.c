/* solve.c - the last squares, played out exactly. Compiled once for each CPU level.
 *
 * Plain fail-soft alpha-beta on the final margin. Squares in quadrants with an odd number of empties are
 * tried first: whoever plays there first tends to play there last (parity). */
#include "games/othello/board.h"
#include "games/othello/othello.h"

enum { SOLVE_EMPTIES = 7 };

static const uint64_t quadrants[4] = {UINT64_C(0x000000000f0f0f0f), UINT64_C(0x00000000f0f0f0f0),
                                      UINT64_C(0x0f0f0f0f00000000), UINT64_C(0xf0f0f0f000000000)};

static uint64_t odd_quadrants(uint64_t empty)
{
    uint64_t odd = 0;
    for (int i = 0; i < 4; i++)
        if (bits_count(empty & quadrants[i]) & 1)
            odd |= quadrants[i];
    return odd;
}

static int solve_margin(uint64_t own, uint64_t opp, int alpha, int beta, uint64_t *nodes)
{
    ++*nodes;
    uint64_t empty = ~(own | opp);
    if (!empty)
        return othello_margin(own, opp);
    uint64_t squares = othello_mobility(own, opp);
    if (!squares) {
        if (!othello_mobility(opp, own))
            return othello_margin(own, opp);
        return -solve_margin(opp, own, -beta, -alpha, nodes);
    }
    int best = -65;
    uint64_t odd = odd_quadrants(empty);
    for (int even = 0; even < 2; even++)
        for (uint64_t s = squares & (even ? ~odd : odd); s; s = bits_rest(s)) {
            uint64_t turned = othello_flips(own, opp, bits_first(s));
            int value = -solve_margin(opp ^ turned, own ^ turned ^ (s & -s), -beta,
                                      best > alpha ? -best : -alpha, nodes);
            if (value > best)
                best = value;
            if (best >= beta)
                return best;
        }
    return best;
}

/* The largest margin whose value is at most v. */
static int margin_below(mp_value v)
{
    if (v > MP_PROVEN)
        return v - MP_PROVEN > 64 ? 64 : v - MP_PROVEN;
    if (v < -MP_PROVEN - 1)
        return v + MP_PROVEN < -65 ? -65 : v + MP_PROVEN;
    return v >= 0 ? 0 : -1;
}

bool LEVELED(othello_solve)(const struct mp_game *game, const void *state, int depth, mp_value alpha,
                            mp_value beta, mp_value *value, uint64_t *nodes)
{
    const struct othello *s = state;
    int empties = 64 - bits_count(s->own | s->opp);
    /* Between two moves there is at most one pass, so no line is longer than twice the empties. */
    if (empties > SOLVE_EMPTIES || depth <= 2 * empties)
        return false;
    int margin = solve_margin(s->own, s->opp, margin_below(alpha), -margin_below(-beta), nodes);
    *value = mp_final_value(game, margin, 0);
    return true;
}

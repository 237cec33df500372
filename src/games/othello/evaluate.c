/* evaluate.c - what an Othello position is worth. Compiled once for each CPU level. */
#include "games/othello/board.h"
#include "games/othello/othello.h"

#define CORNERS UINT64_C(0x8100000000000081)

typedef mp_value evaluator(const struct mp_game *game, uint64_t own, uint64_t opp);

/* Both forms of an evaluation from one formula; always inlined, so that the formula is known. */
__attribute__((always_inline)) static inline mp_value one(evaluator *formula, const struct mp_game *game,
                                                          const void *state)
{
    const struct othello *s = state;
    return formula(game, s->own, s->opp);
}

__attribute__((always_inline)) static inline int all(evaluator *formula, const struct mp_game *game,
                                                     const void *state, const mp_move *moves, int count,
                                                     mp_value enough, mp_value *values)
{
    const struct othello *s = state;
    for (int i = 0; i < count; i++) {
        uint64_t turned = 0, placed = 0;
        if (moves[i] != OTHELLO_PASS) {
            turned = othello_flips(s->own, s->opp, (int)moves[i]);
            placed = UINT64_C(1) << moves[i];
        }
        values[i] = formula(game, s->opp ^ turned, s->own ^ turned ^ placed);
        if (values[i] <= enough)
            return i + 1;
    }
    return count;
}

#define EVALUATION(formula)                                                                                  \
    static mp_value formula##_one(const struct mp_game *game, const struct mp_evaluation *self,              \
                                  const void *state)                                                         \
    {                                                                                                        \
        (void)self;                                                                                          \
        return one(formula, game, state);                                                                    \
    }                                                                                                        \
    static int formula##_all(const struct mp_game *game, const struct mp_evaluation *self,                   \
                             const void *state, const mp_move *moves, int count, mp_value enough,            \
                             mp_value *values)                                                               \
    {                                                                                                        \
        (void)self;                                                                                          \
        return all(formula, game, state, moves, count, enough, values);                                      \
    }

static inline mp_value discs(const struct mp_game *game, uint64_t own, uint64_t opp)
{
    (void)game;
    return bits_count(own) - bits_count(opp);
}
EVALUATION(discs)

/* The report's formula: 2 * corners (2 each) + own moves + disc difference div 3, rounded down. */
static inline mp_value report(const struct mp_game *game, uint64_t own, uint64_t opp)
{
    (void)game;
    int lead = bits_count(own) - bits_count(opp);
    int third = lead >= 0 ? lead / 3 : -((2 - lead) / 3);
    return 2 * 2 * bits_count(own & CORNERS) + bits_count(othello_mobility(own, opp)) + third;
}
EVALUATION(report)

/* All neighbours of a set. */
static inline uint64_t neighbours(uint64_t set)
{
    const uint64_t not_a = UINT64_C(0xfefefefefefefefe), not_h = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t row = set | ((set << 1) & not_a) | ((set >> 1) & not_h);
    return (row | row << 8 | row >> 8) & ~set;
}

/* Discs on the rim that can never be turned: they reach back to a corner without a gap. */
static inline uint64_t anchored(uint64_t own)
{
    uint64_t stable = own & CORNERS;
    const uint64_t row = UINT64_C(0xff000000000000ff), file = UINT64_C(0x8181818181818181);
    for (int step = 0; step < 6; step++)
        stable |= own & ((((stable << 1) | (stable >> 1)) & row) | (((stable << 8) | (stable >> 8)) & file));
    return stable;
}

/* Squares beside an empty corner: diagonal ones and those along the rim. */
static inline int danger(uint64_t own, uint64_t empty)
{
    static const struct {
        uint64_t corner, diagonal, rim;
    } regions[4] = {
        {UINT64_C(1) << 0, UINT64_C(1) << 9, UINT64_C(1) << 1 | UINT64_C(1) << 8},
        {UINT64_C(1) << 7, UINT64_C(1) << 14, UINT64_C(1) << 6 | UINT64_C(1) << 15},
        {UINT64_C(1) << 56, UINT64_C(1) << 49, UINT64_C(1) << 48 | UINT64_C(1) << 57},
        {UINT64_C(1) << 63, UINT64_C(1) << 54, UINT64_C(1) << 55 | UINT64_C(1) << 62},
    };
    int sum = 0;
    for (int i = 0; i < 4; i++)
        if (empty & regions[i].corner)
            sum += ((own & regions[i].diagonal) ? 30 : 0) + 10 * bits_count(own & regions[i].rim);
    return sum;
}

/* Mobility now and to come, the corners and what hangs on them, and discs only when few squares are left:
 * the classical terms (Rosenbloom 1982), in hundredths of a disc or so, weighted by hand. */
static inline mp_value positional(const struct mp_game *game, uint64_t own, uint64_t opp)
{
    int own_moves = bits_count(othello_mobility(own, opp));
    int opp_moves = bits_count(othello_mobility(opp, own));
    if (own_moves + opp_moves == 0)
        return mp_final_value(game, othello_margin(own, opp), 0);
    uint64_t empty = ~(own | opp);
    int empties = bits_count(empty);
    int own_frontier = bits_count(neighbours(opp) & empty);
    int opp_frontier = bits_count(neighbours(own) & empty);
    int value = 400 * (own_moves - opp_moves) / (own_moves + opp_moves + 2);
    value += 200 * (own_frontier - opp_frontier) / (own_frontier + opp_frontier + 2);
    value += 90 * (bits_count(own & CORNERS) - bits_count(opp & CORNERS));
    value += 30 * (bits_count(anchored(own)) - bits_count(anchored(opp)));
    value -= danger(own, empty) - danger(opp, empty);
    if (empties < 16)
        value += (16 - empties) * (bits_count(own) - bits_count(opp));
    return value;
}
EVALUATION(positional)

const struct mp_evaluation LEVELED(othello_evaluations)[] = {
    {"positional", "mobility, frontier, corners and stable rims, discs near the end", positional_one,
     positional_all},
    {"report", "2*corners(2 each) + own moves + disc difference div 3", report_one, report_all},
    {"discs", "own discs minus the opponent's", discs_one, discs_all},
    {0},
};

/* evaluate.c - what a Halma position is worth. Compiled for each board and CPU level. */
#include "games/halma/moves.h"

#include "base/level.h"

/* The report's formula: the opponent's distances to the far corner minus one's own; 10000 for a game that is
 * won with all pieces in the goal. */
static mp_value report(const struct mp_game *game, const struct mp_evaluation *self, const void *state)
{
    (void)game;
    (void)self;
    enum { WON = 10000 };
    const struct halma *s = state;
    int side = halma_side(s);
    if (!halma_any(s->pieces[!side] & ~halma_goal(!side)))
        return -WON;
    if (!halma_any(s->pieces[side] & ~halma_goal(side)))
        return WON;
    return s->distance[!side] - s->distance[side];
}

/* How far the pieces outside the goal are from its nearest free square, in steps; far is far enough. Near the
 * end the distance to the corner no longer tells where the last pieces are wanted. */
HALMA_INLINE int detour(halma_set own, halma_set opp, int side)
{
    enum { FAR = 4 };
    halma_set outside = own & ~halma_goal(side), near = halma_goal(side) & ~own & ~opp;
    int steps = 0;
    for (int step = 0; step < FAR && halma_any(outside); step++) {
        steps += halma_count(outside);
        near = halma_spread(near);
        outside &= ~near;
    }
    return steps;
}

/* Jumps towards the goal that pieces could make at once. */
HALMA_INLINE int forward_jumps(const struct halma_jumps *jumps, halma_set own, int side)
{
    return side ? halma_count(own & (jumps->from[0] | jumps->from[1] | jumps->from[3]))
                : halma_count(own & (jumps->from[7] | jumps->from[6] | jumps->from[4]));
}

static mp_value progress(const struct mp_game *game, const struct mp_evaluation *self, const void *state)
{
    (void)self;
    const struct halma *s = state;
    int side = halma_side(s);
    halma_set own = s->pieces[side], opp = s->pieces[!side];
    int winner = halma_winner(halma_rules_of(game), s);
    if (winner >= 0)
        return mp_final_value(game, winner == side ? 1 : -1, 0);
    struct halma_jumps jumps = halma_jumps_of(own | opp);
    int value = s->worth[side] - s->worth[!side] + HALMA_TEMPO;
    value += HALMA_JUMP * (forward_jumps(&jumps, own, side) - forward_jumps(&jumps, opp, !side));
    value -= HALMA_DETOUR * (detour(own, opp, side) - detour(opp, own, !side));
    return value;
}

const struct mp_evaluation LEVELED(HALMA_NAMED(evaluations))[] = {
    {.name = "progress",
     .summary = "way to go, stragglers most, jumps at hand, and the way to the last free squares",
     .evaluate = progress},
    {.name = "report",
     .summary = "the opponent's row and column steps to the far corner minus one's own",
     .evaluate = report},
    {0},
};

/* ---- For a tuner --------------------------------------------------------------------------------------- */

enum { TERM_WAY, TERM_ASIDE, TERM_BEHIND, TERM_ARRIVED, TERM_TEMPO, TERM_JUMP, TERM_DETOUR, TERM_COUNT };

static double weight(const struct mp_game *game, int term)
{
    (void)game;
    static const double weights[TERM_COUNT] = {HALMA_WAY,   HALMA_ASIDE, HALMA_BEHIND, HALMA_ARRIVED,
                                               HALMA_TEMPO, HALMA_JUMP,  HALMA_DETOUR};
    return weights[term];
}

/* What the pieces of a side have of each term. */
static void count_terms(const struct halma *s, int side, float sign, float *counts)
{
    int square;
    HALMA_EACH(square, s->pieces[side])
    {
        struct halma_place place = halma_place(side, square);
        counts[TERM_WAY] -= sign * (float)place.left;
        counts[TERM_ASIDE] -= sign * (float)place.aside;
        counts[TERM_BEHIND] -= sign * (float)(place.left * place.left) / HALMA_SIZE;
        counts[TERM_ARRIVED] += sign * (float)place.arrived;
    }
    struct halma_jumps jumps = halma_jumps_of(s->pieces[0] | s->pieces[1]);
    counts[TERM_JUMP] += sign * (float)forward_jumps(&jumps, s->pieces[side], side);
    counts[TERM_DETOUR] -= sign * (float)detour(s->pieces[side], s->pieces[!side], side);
}

static int shares(const struct mp_game *game, const void *state, struct mp_share *out, int capacity)
{
    (void)game;
    const struct halma *s = state;
    float counts[TERM_COUNT] = {0};
    int total = 0;
    count_terms(s, 0, 1, counts);
    count_terms(s, 1, -1, counts);
    counts[TERM_TEMPO] = halma_side(s) == 0 ? 1 : -1;
    for (uint32_t i = 0; i < TERM_COUNT; i++)
        if (counts[i] != 0 && total++ < capacity)
            out[total - 1] = (struct mp_share){i, counts[i]};
    return total;
}

static const struct mp_terms terms[] = {
    {"HALMA_WAY", 1, 1},   {"HALMA_ASIDE", 1, 1}, {"HALMA_BEHIND", 1, 1}, {"HALMA_ARRIVED", 1, 1},
    {"HALMA_TEMPO", 1, 1}, {"HALMA_JUMP", 1, 1},  {"HALMA_DETOUR", 1, 1}, {0}};

const struct mp_tuning LEVELED(HALMA_NAMED(tuning)) = {
    MP_SIZE(struct mp_tuning), .evaluation = "progress", .terms = terms, .parts = 1,
    .weight = weight,          .shares = shares};

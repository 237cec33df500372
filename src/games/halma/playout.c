/* playout.c - a quick game for Monte-Carlo search. Random moves never end a game of Halma, so the players
 * take the move that brings them forward most, with some noise, and after a while the one who is ahead has
 * won. Compiled for each board and CPU level. */
#include "games/halma/moves.h"

#include "base/level.h"

/* How long, and how much a random number counts beside progress (a step forward counts 15 to 60). */
enum { PLIES = 4 * HALMA_SIZE, NOISE = 64 };

/* The move with the greatest sum of progress and noise, or a pass. */
HALMA_INLINE mp_move choose(enum halma_rules rules, const struct halma *s, uint64_t *stream)
{
    int side = halma_side(s), from, to, best = INT32_MIN;
    mp_move chosen = HALMA_PASS;
    struct halma_turn turn = halma_turn_of(rules, s->pieces, side);
    HALMA_EACH(from, turn.movers)
    {
        int before = halma_worth(side, from);
        HALMA_EACH(to, halma_targets(&turn, from))
        {
            int score = halma_worth(side, to) - before + (int)random_below(random_next(stream), NOISE);
            if (score > best) {
                best = score;
                chosen = halma_move(from, to);
            }
        }
    }
    return chosen;
}

int LEVELED(HALMA_NAMED(playout))(const struct mp_game *game, const void *state, uint64_t seed)
{
    enum halma_rules rules = halma_rules_of(game);
    struct halma s = *(const struct halma *)state;
    int side = halma_side(&s);
    for (int ply = 0; ply < PLIES; ply++) {
        int winner = halma_winner(rules, &s);
        if (winner >= 0)
            return winner == side ? 1 : -1;
        struct halma next;
        halma_play(&s, choose(rules, &s, &seed), &next);
        s = next;
    }
    int lead = s.worth[side] - s.worth[!side];
    return (lead > 0) - (lead < 0);
}

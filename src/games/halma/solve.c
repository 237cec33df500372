/* solve.c - who wins the race, once the armies have passed each other. Compiled for each board and CPU level.
 *
 * Both armies lie within their last seven diagonals (of 8 x 8: from row + column = 8 on for one side and up to 6 for the
 * other, so that a diagonal is empty between them; of 10 x 10 five are), and no piece is in the other's goal. Still they
 * may meet again: pieces outside their goal may go back, to stand in the way or to be jumped over. So the distances of
 * the table (race.h) say who is ahead, and the rest of this file proves that nothing else counts. An answer is given only
 * where all of this holds, under rules by which nobody comes back home or leaves the goal:
 *
 * 1. The winner needs `most` moves of the plan that the table holds. It is played through, and with each move of the
 *    loser the squares grow to which any of the loser's pieces outside their goal could have got by then, over whatever
 *    might stand anywhere but where the winner's pieces stand by the plan. No move of the plan comes down on one of
 *    those, not even between two jumps; and it jumps over own pieces only, so nothing that the loser does matters.
 * 2. The loser needs more moves than that: the bound in the table allows for all jumps over the winner's pieces, which
 *    stay within their last seven diagonals (or six, where the bound `far` is taken).
 * 3. The winner cannot be faster: the bound is equal to `most`. It holds if the loser's pieces stay within their last
 *    seven (six) diagonals, and they can: as long as a piece of theirs is in their goal and the goal is not full, some
 *    piece in it is next to an empty square of it.
 * 4. No rule ends the game before: the plies are below the cap; and for the third occurrence of a position at least six
 *    quiet plies must have been played, because the winner's army does not come back to where it has been. */
#include "games/halma/moves.h"
#include "games/halma/race.h"

#include "base/level.h"

#if HALMA_SIZE != 16

HALMA_INLINE halma_set last_diagonals(int side, int diagonals)
{
    halma_set set = 0;
    for (int row = 0; row < diagonals; row++) {
        halma_set squares = ((halma_set)1 << (diagonals - row)) - 1;
        set |= side ? squares << (row * HALMA_SIZE)
                    : squares << ((HALMA_SIZE - row) * HALMA_SIZE - diagonals + row);
    }
    return set;
}

/* The bit of a square within the last seven diagonals, as the table counts them. */
HALMA_INLINE uint32_t bit_of(int side, int square)
{
    int seen = halma_seen(!side, square), row = seen / HALMA_SIZE, column = seen % HALMA_SIZE;
    return 1u << (RACE_DIAGONALS * row - row * (row - 1) / 2 + column);
}

/* One army in the race. */
struct army {
    int side;
    halma_set pieces, room;
    uint32_t bits;
    bool within_six; /* diagonals */
    struct race_distance distance;
};

HALMA_INLINE bool enlist(const struct race_table *table, const struct halma *s, int side, struct army *army)
{
    *army = (struct army){.side = side, .pieces = s->pieces[side]};
    army->room = last_diagonals(side, RACE_DIAGONALS);
    if (halma_any(army->pieces & ~army->room) || halma_count(army->pieces) != (int)table->pieces ||
        !halma_any(army->pieces & halma_goal(side)))
        return false;
    army->within_six = !halma_any(army->pieces & ~last_diagonals(side, RACE_DIAGONALS - 1));
    if (army->within_six)
        army->room = last_diagonals(side, RACE_DIAGONALS - 1);
    int square;
    HALMA_EACH(square, army->pieces)
    army->bits |= bit_of(side, square);
    army->distance = race_distance(table, army->bits);
    return true;
}

/* The least number of moves that an army needs against another. */
HALMA_INLINE int least_moves(const struct army *army, const struct army *other)
{
    return other->within_six ? army->distance.far : army->distance.near;
}

/* Where the loser's pieces outside their goal could be after one more move. */
HALMA_INLINE halma_set grow(halma_set free_pieces, const struct army *loser, halma_set winner)
{
    halma_set over = free_pieces | halma_goal(loser->side) | winner;
    struct halma_jumps jumps = halma_jumps_over(over, HALMA_BOARD & ~winner);
    halma_set reached = halma_flood(&jumps, free_pieces) | (halma_spread(free_pieces) & ~winner);
    return free_pieces | (reached & ~halma_home(loser->side));
}

/* One move of the plan: any that brings the army nearer and keeps off the squares that are not safe. */
HALMA_INLINE bool advance(const struct race_table *table, struct army *army, halma_set unsafe)
{
    struct halma_jumps jumps = halma_jumps_over(army->pieces, army->room & ~army->pieces & ~unsafe);
    int from, to;
    HALMA_EACH(from, army->pieces)
    {
        HALMA_EACH(to, halma_reach(&jumps, from) & halma_allowed(HALMA_STANDARD, army->side, from))
        {
            uint32_t bits = army->bits ^ bit_of(army->side, from) ^ bit_of(army->side, to);
            struct race_distance distance = race_distance(table, bits);
            if (distance.most >= army->distance.most)
                continue;
            army->pieces ^= halma_at(from) | halma_at(to);
            army->bits = bits;
            army->distance = distance;
            return true;
        }
    }
    return false;
}

/* Can nobody keep the winner from carrying the plan through? */
static bool is_safe(const struct race_table *table, struct army winner, const struct army *loser,
                    bool loser_moves)
{
    halma_set free_pieces = loser->pieces & ~halma_goal(loser->side);
    while (winner.distance.most > 0) {
        if (loser_moves)
            free_pieces = grow(free_pieces, loser, winner.pieces);
        if (!advance(table, &winner, free_pieces))
            return false;
        loser_moves = true;
    }
    return true;
}

/* Is it certain that this army wins the race, and that in as many moves as the table says? */
static bool wins(const struct race_table *table, const struct army *army, const struct army *other,
                 bool moves_first)
{
    int moves = army->distance.most;
    return moves == least_moves(army, other) && moves < least_moves(other, army) + moves_first &&
           is_safe(table, *army, other, !moves_first);
}

bool LEVELED(HALMA_NAMED(solve))(const struct mp_game *game, const void *state, int depth, mp_value alpha,
                                 mp_value beta, mp_value *value, uint64_t *nodes)
{
    (void)alpha;
    (void)beta;
    (void)nodes;
    enum { FAR = (RACE_DIAGONALS - 1) * HALMA_PIECES, QUIET = 6 };
    const struct halma *s = state;
    const struct race_table *table = game->table;
    enum halma_rules rules = halma_rules_of(game);
    if (!table || s->distance[0] > FAR || s->distance[1] > FAR ||
        (rules != HALMA_STANDARD && rules != HALMA_USC) || (rules == HALMA_STANDARD && s->quiet >= QUIET))
        return false;
    int side = halma_side(s);
    struct army own, other;
    if (!enlist(table, s, side, &own) || !enlist(table, s, !side, &other) || own.distance.most == 0 ||
        other.distance.most == 0)
        return false;
    bool ahead = own.distance.most <= other.distance.most;
    int plies = ahead ? 2 * own.distance.most - 1 : 2 * other.distance.most;
    if (plies >= depth || (rules == HALMA_STANDARD && s->ply + plies > HALMA_PLY_CAP) ||
        !(ahead ? wins(table, &own, &other, true) : wins(table, &other, &own, false)))
        return false;
    *value = mp_final_value(game, ahead ? 1 : -1, plies);
    return true;
}

/* ---- The table --------------------------------------------------------------------------------------------- */

static size_t table_size(const struct mp_game *game)
{
    return game->option[HALMA_OPTION_RACE] ? race_size(HALMA_PIECES) : 0;
}

static bool make_table(const struct mp_game *game, void *table, int threads, struct mp_error *error)
{
    (void)game;
    return LEVELED(race_make)(table, HALMA_PIECES, HALMA_CAMP_SUM + 1, threads, error);
}

const struct mp_tables LEVELED(HALMA_NAMED(tables)) = {MP_SIZE(struct mp_tables), .size = table_size,
                                                       .make = make_table};

#endif

/* moves.h - where the pieces can go. A jump needs a piece on the next square and nothing on the one behind
 * it, so the squares from which a jump in each direction is possible are found for all pieces at once, and
 * the end squares of a piece's chains by flooding from it: every destination once, however many paths lead to
 * it.
 *
 * Two facts keep this simple. A jump leaves the parities of row and column alone, so a piece never jumps over
 * the square it came from, and no jump ends where a step does. */
#ifndef GAMES_HALMA_MOVES_H
#define GAMES_HALMA_MOVES_H

#include "games/halma/position.h"

/* X(number, rows, columns), in the order in which the report's program tries them. */
#define HALMA_DIRECTIONS(X)                                                                                  \
    X(0, -1, -1) X(1, -1, 0) X(2, -1, 1) X(3, 0, -1) X(4, 0, 1) X(5, 1, -1) X(6, 1, 0) X(7, 1, 1)

struct halma_jumps {
    halma_set empty;
    halma_set from[8]; /* the squares from which one can jump in a direction */
    halma_set any;
};

/* Jumps over these pieces to these squares. */
HALMA_INLINE struct halma_jumps halma_jumps_over(halma_set pieces, halma_set empty)
{
    struct halma_jumps jumps;
    jumps.empty = empty;
    jumps.any = empty & ~empty;
#define X(number, rows, columns)                                                                             \
    jumps.from[number] = halma_step(pieces & halma_step(empty, -(rows), -(columns)), -(rows), -(columns));   \
    jumps.any |= jumps.from[number];
    HALMA_DIRECTIONS(X)
#undef X
    return jumps;
}

HALMA_INLINE struct halma_jumps halma_jumps_of(halma_set occupied)
{
    return halma_jumps_over(occupied, HALMA_BOARD & ~occupied);
}

/* Where one jump leads from a set of squares. */
HALMA_INLINE halma_set halma_hop(const struct halma_jumps *jumps, halma_set set)
{
    halma_set landings = set & ~set;
#define X(number, rows, columns)                                                                             \
    landings |= halma_shift(set & jumps->from[number], 2 * ((rows)*HALMA_SIZE + (columns)));
    HALMA_DIRECTIONS(X)
#undef X
    return landings;
}

/* Where chains of jumps lead from a square. */
HALMA_INLINE halma_set halma_flood(const struct halma_jumps *jumps, halma_set origin)
{
    halma_set found = origin & ~origin;
    for (halma_set fresh = origin & jumps->any; halma_any(fresh);) {
        fresh = halma_hop(jumps, fresh) & ~found;
        found |= fresh;
    }
    return found;
}

/* Where a piece can go by one step or by a chain of jumps. */
HALMA_INLINE halma_set halma_reach(const struct halma_jumps *jumps, int square)
{
    halma_set origin = halma_at(square);
    return halma_flood(jumps, origin) | (halma_spread(origin) & jumps->empty);
}

/* The squares on which a piece may end by rules that look at the piece alone: it does not leave its goal, and
 * does not come back home. */
HALMA_INLINE halma_set halma_allowed(enum halma_rules rules, int side, int square)
{
    if (rules != HALMA_FREE && halma_is_goal(side, square))
        return halma_goal(side);
    if (rules == HALMA_FREE || rules == HALMA_LOCK || halma_is_home(side, square))
        return HALMA_BOARD;
    return ~halma_home(side) & HALMA_BOARD;
}

/* One player's turn: which pieces may move, and what binds them all. The course rules oblige a player with
 * pieces at home to move one out; if none can, to move one of them away from the corner; only if that is
 * impossible too may another piece move. */
enum halma_duty { HALMA_NO_DUTY, HALMA_MOVE_OUT, HALMA_MOVE_AWAY };

struct halma_turn {
    struct halma_jumps jumps;
    halma_set movers;
    enum halma_rules rules;
    enum halma_duty duty;
    int side;
};

/* The squares that are on neither axis closer to the home corner than this one. */
HALMA_INLINE halma_set halma_away(int side, int square)
{
    halma_set away = halma_at(square);
    for (int i = 0; i < 2 * HALMA_CAMP_SIDE; i++)
        away |= side ? halma_step(away, 0, -1) | halma_step(away, -1, 0)
                     : halma_step(away, 0, 1) | halma_step(away, 1, 0);
    return away;
}

HALMA_INLINE halma_set halma_targets(const struct halma_turn *turn, int square)
{
    halma_set targets = halma_reach(&turn->jumps, square) & halma_allowed(turn->rules, turn->side, square);
    if (turn->duty == HALMA_MOVE_OUT)
        targets &= ~halma_home(turn->side);
    else if (turn->duty == HALMA_MOVE_AWAY)
        targets &= halma_away(turn->side, square);
    return targets;
}

HALMA_INLINE bool halma_can_move(const struct halma_turn *turn)
{
    int square;
    HALMA_EACH(square, turn->movers)
    if (halma_any(halma_targets(turn, square)))
        return true;
    return false;
}

HALMA_INLINE struct halma_turn halma_turn_of(enum halma_rules rules, const halma_set pieces[2], int side)
{
    struct halma_turn turn = {.rules = rules, .duty = HALMA_NO_DUTY, .side = side};
    turn.jumps = halma_jumps_of(pieces[0] | pieces[1]);
    turn.movers = pieces[side];
    halma_set at_home = pieces[side] & halma_home(side);
    if (rules != HALMA_USC || !halma_any(at_home))
        return turn;
    turn.movers = at_home;
    turn.duty = HALMA_MOVE_OUT;
    if (halma_can_move(&turn))
        return turn;
    turn.duty = HALMA_MOVE_AWAY;
    if (halma_can_move(&turn))
        return turn;
    turn.movers = pieces[side] & ~at_home;
    turn.duty = HALMA_NO_DUTY;
    return turn;
}

/* A player who cannot move skips the turn, unless the other cannot move either: then the game is over. */
HALMA_INLINE bool halma_must_pass(enum halma_rules rules, const halma_set pieces[2], int side)
{
    struct halma_turn other = halma_turn_of(rules, pieces, !side);
    return halma_can_move(&other);
}

#endif

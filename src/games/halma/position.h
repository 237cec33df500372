/* position.h - a position of Halma: where the pieces stand, and the little that the rules and the evaluations
 * want to know without counting it anew at every node. */
#ifndef GAMES_HALMA_POSITION_H
#define GAMES_HALMA_POSITION_H

#include "base/random.h"
#include "games/halma/board.h"
#include "games/halma/halma.h"

struct halma {
    halma_set pieces[2];
    uint64_t key;   /* of the pieces; who is to move is added by halma_key */
    uint16_t ply;   /* moves played by both; Black moves at even ones */
    uint16_t quiet; /* plies since a piece left its home or reached its goal: no older position returns */
    int16_t distance[2]; /* sum of row and column steps to the far corner, as the report counts them */
    int16_t worth[2];    /* sum of halma_worth */
};

/* When a game of the standard rules is drawn, and from how many own moves on a full camp wins. */
enum {
    HALMA_PLY_CAP = HALMA_SIZE == 8    ? 200
                    : HALMA_SIZE == 10 ? 300
                                       : 400,
    HALMA_PATIENCE = HALMA_SIZE == 8 ? 30 : 50,
    HALMA_MOST_PLY = 9999, /* that is counted and written; beyond it only whose turn it is changes */
};

HALMA_INLINE int halma_side(const struct halma *s)
{
    return s->ply & 1;
}

/* How many moves a side has made after this many plies. */
HALMA_INLINE int halma_own_moves(int side, int ply)
{
    return (ply + !side) / 2;
}

HALMA_INLINE uint64_t halma_square_key(int side, int square)
{
    return random_mix(UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(1 + side * HALMA_MOST_SQUARES + square));
}

HALMA_INLINE uint64_t halma_key(const struct halma *s)
{
    return s->key ^ (halma_side(s) ? UINT64_C(0xd1b54a32d192ed03) : 0);
}

HALMA_INLINE int halma_distance(int side, int square)
{
    int seen = halma_seen(side, square);
    return 2 * (HALMA_SIZE - 1) - seen / HALMA_SIZE - seen % HALMA_SIZE;
}

/* Where a piece stands: how far from the far corner, in row and column steps; how far from the long diagonal,
 * where the way is longer than these tell; whether it has arrived. */
struct halma_place {
    int left, aside, arrived;
};

HALMA_INLINE struct halma_place halma_place(int side, int square)
{
    int seen = halma_seen(side, square), row = seen / HALMA_SIZE, column = seen % HALMA_SIZE;
    return (struct halma_place){2 * (HALMA_SIZE - 1) - row - column,
                                row > column ? row - column : column - row, halma_is_goal(side, square)};
}

/* The weights of the evaluation `progress`: the way to go; the square of it, because the last piece decides
 * when the game is won; and what evaluate.c adds. They were found by matches at depth 3 (docs/halma.md). */
enum {
    HALMA_WAY = 12,
    HALMA_ASIDE = 3,
    HALMA_BEHIND = 16,
    HALMA_ARRIVED = 12,
    HALMA_TEMPO = 16,
    HALMA_JUMP = 8,
    HALMA_DETOUR = 12,
};

/* What a piece is worth on a square, for the evaluation `progress` and the order of moves. */
HALMA_INLINE int halma_worth(int side, int square)
{
    struct halma_place place = halma_place(side, square);
    return HALMA_ARRIVED * place.arrived - HALMA_WAY * place.left - HALMA_ASIDE * place.aside -
           place.left * place.left * HALMA_BEHIND / HALMA_SIZE;
}

/* Works out what follows from the pieces. */
HALMA_INLINE void halma_refresh(struct halma *s)
{
    s->key = 0;
    for (int side = 0; side < 2; side++) {
        int square, distance = 0, worth = 0;
        HALMA_EACH(square, s->pieces[side])
        {
            s->key ^= halma_square_key(side, square);
            distance += halma_distance(side, square);
            worth += halma_worth(side, square);
        }
        s->distance[side] = (int16_t)distance;
        s->worth[side] = (int16_t)worth;
    }
}

/* Has this side won after this many plies? */
HALMA_INLINE bool halma_has_won(enum halma_rules rules, const halma_set pieces[2], int side, int ply)
{
    halma_set goal = halma_goal(side), own = pieces[side];
    if (!halma_any(own & ~goal))
        return true;
    if (rules != HALMA_USC && (rules != HALMA_STANDARD || halma_own_moves(side, ply) < HALMA_PATIENCE))
        return false;
    return !halma_any(goal & ~(pieces[0] | pieces[1])) && halma_any(goal & own);
}

/* By whom the game has been won, or -1. Who moved last is asked first. */
HALMA_INLINE int halma_winner(enum halma_rules rules, const struct halma *s)
{
    int side = halma_side(s);
    if (halma_has_won(rules, s->pieces, !side, s->ply))
        return !side;
    return halma_has_won(rules, s->pieces, side, s->ply) ? side : -1;
}

HALMA_INLINE void halma_play(const struct halma *from, mp_move move, struct halma *to)
{
    int side = halma_side(from), start = halma_from(move), end = halma_to(move);
    *to = *from;
    to->ply = (uint16_t)(from->ply + (from->ply < HALMA_MOST_PLY ? 1 : -1));
    to->quiet = (uint16_t)(from->quiet + (from->quiet < UINT16_MAX));
    if (move == HALMA_PASS)
        return;
    to->pieces[side] ^= halma_at(start) | halma_at(end);
    to->key ^= halma_square_key(side, start) ^ halma_square_key(side, end);
    to->distance[side] = (int16_t)(from->distance[side] + halma_distance(side, end) -
                                   halma_distance(side, start));
    to->worth[side] = (int16_t)(from->worth[side] + halma_worth(side, end) - halma_worth(side, start));
    if (halma_is_home(side, start) > halma_is_home(side, end) ||
        halma_is_goal(side, start) < halma_is_goal(side, end))
        to->quiet = 0;
}

#endif

/* last.h - the last four empty squares, one function for each number. Most positions of an endgame are here, so
 * nothing is listed: squares are tried by name, and the last disc is not placed, only counted.
 *
 * Values are final margins for the side to move, which are even. Windows are even too. */
#ifndef GAMES_OTHELLO_LAST_H
#define GAMES_OTHELLO_LAST_H

#include "games/othello/board.h"
#include "games/othello/othello.h"

/* Less than any margin: no move has been tried. */
enum { LAST_NONE = -66 };

/* How many discs a disc put on place x of a line of eight turns, if the set bits are own discs and all other
 * places the opponent's: those up to the next own disc on either side. Worked out by the compiler. */
#define LAST_ABOVE(x, own) ((own) >> ((x) + 1) ? __builtin_ctz((unsigned)((own) >> ((x) + 1)) | 256u) : 0)
#define LAST_BELOW(x, own)                                                                                   \
    (((own) & ((1 << (x)) - 1)) ? (x)-1 - (31 - __builtin_clz(((unsigned)(own) & ((1u << (x)) - 1)) | 1u))   \
                                : 0)
#define LAST_1(x, own) LAST_ABOVE(x, own) + LAST_BELOW(x, own)
#define LAST_4(x, own) LAST_1(x, own), LAST_1(x, (own) + 1), LAST_1(x, (own) + 2), LAST_1(x, (own) + 3)
#define LAST_16(x, own) LAST_4(x, own), LAST_4(x, (own) + 4), LAST_4(x, (own) + 8), LAST_4(x, (own) + 12)
#define LAST_64(x, own)                                                                                      \
    LAST_16(x, own), LAST_16(x, (own) + 16), LAST_16(x, (own) + 32), LAST_16(x, (own) + 48)
#define LAST_256(x)                                                                                          \
    {                                                                                                        \
        LAST_64(x, 0), LAST_64(x, 64), LAST_64(x, 128), LAST_64(x, 192)                                      \
    }
static const uint8_t last_turned[8][256] = {LAST_256(0), LAST_256(1), LAST_256(2), LAST_256(3),
                                            LAST_256(4), LAST_256(5), LAST_256(6), LAST_256(7)};

/* How many discs turn when own plays the only empty square. A line is gathered into eight bits by a multiplication. */
static inline int last_count(uint64_t own, int square)
{
    const struct othello_ray *ray = &othello_rays[square];
    const uint64_t files = UINT64_C(0x0101010101010101);
    int x = square & 7, y = square >> 3;
    int turned = last_turned[x][own >> (8 * y) & 0xff];
    turned += last_turned[y][((own >> x & files) * UINT64_C(0x0102040810204080)) >> 56];
    turned += last_turned[x][((own & (ray->up[2] | ray->down[2])) * files) >> 56];
    return turned + last_turned[x][((own & (ray->up[3] | ray->down[3])) * files) >> 56];
}

static inline int last_1(uint64_t own, int square)
{
    int discs = bits_count(own), turned = last_count(own, square);
    if (turned)
        return 2 * (discs + turned) - 62;
    turned = last_count(~own ^ UINT64_C(1) << square, square);
    /* Nobody can play there: the square is the winner's. */
    return 2 * (discs - turned) - (turned == 0 && discs >= 32 ? 62 : 64);
}

/* All neighbours of a square: where none is the opponent's, nothing can be turned. */
static inline uint64_t last_neighbours(int square)
{
    const uint64_t not_h = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t at = UINT64_C(1) << square;
    uint64_t row = at | (at & not_h) << 1 | (at >> 1 & not_h);
    return row | row << 8 | row >> 8;
}

static inline uint64_t last_flips(uint64_t own, uint64_t opp, int square)
{
    return last_neighbours(square) & opp ? othello_flips(own, opp, square) : 0;
}

static inline int last_2_moves(uint64_t own, uint64_t opp, int beta, int a, int b, uint64_t *nodes)
{
    int best = LAST_NONE;
    uint64_t turned = last_flips(own, opp, a);
    if (turned) {
        ++*nodes;
        best = -last_1(opp ^ turned, b);
        if (best >= beta)
            return best;
    }
    turned = last_flips(own, opp, b);
    if (turned) {
        ++*nodes;
        int value = -last_1(opp ^ turned, a);
        best = value > best ? value : best;
    }
    return best;
}

static inline int last_2(uint64_t own, uint64_t opp, int alpha, int beta, int a, int b, uint64_t *nodes)
{
    ++*nodes;
    int best = last_2_moves(own, opp, beta, a, b, nodes);
    if (best != LAST_NONE)
        return best;
    best = last_2_moves(opp, own, -alpha, a, b, nodes);
    return best != LAST_NONE ? -best : othello_margin(own, opp);
}

static inline int last_quadrant(int square)
{
    return (square >> 2 & 1) | (square >> 4 & 2);
}

/* Whoever plays first where one square is left also plays last there: squares alone in their quadrant come first. */
static inline int last_3_moves(uint64_t own, uint64_t opp, int alpha, int beta, int a, int b, int c,
                               uint64_t *nodes)
{
    const int squares[3][3] = {{a, b, c}, {b, a, c}, {c, a, b}};
    int best = LAST_NONE;
    for (int i = 0; i < 3; i++) {
        uint64_t turned = last_flips(own, opp, squares[i][0]);
        if (!turned)
            continue;
        int value = -last_2(opp ^ turned, own ^ turned ^ UINT64_C(1) << squares[i][0], -beta,
                            best > alpha ? -best : -alpha, squares[i][1], squares[i][2], nodes);
        if (value > best) {
            best = value;
            if (best >= beta)
                return best;
        }
    }
    return best;
}

static inline int last_3(uint64_t own, uint64_t opp, int alpha, int beta, int a, int b, int c,
                         uint64_t *nodes)
{
    ++*nodes;
    int qa = last_quadrant(a), qb = last_quadrant(b), qc = last_quadrant(c), alone = a;
    if (qa == qb && qa != qc) {
        a = c;
        c = alone;
    } else if (qa == qc && qa != qb) {
        a = b;
        b = alone;
    }
    int best = last_3_moves(own, opp, alpha, beta, a, b, c, nodes);
    if (best != LAST_NONE)
        return best;
    best = last_3_moves(opp, own, -beta, -alpha, a, b, c, nodes);
    return best != LAST_NONE ? -best : othello_margin(own, opp);
}

static inline int last_4_moves(uint64_t own, uint64_t opp, int alpha, int beta, const int square[4],
                               uint64_t *nodes)
{
    static const int8_t rest[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    int best = LAST_NONE;
    for (int i = 0; i < 4; i++) {
        uint64_t turned = last_flips(own, opp, square[i]);
        if (!turned)
            continue;
        int value = -last_3(opp ^ turned, own ^ turned ^ UINT64_C(1) << square[i], -beta,
                            best > alpha ? -best : -alpha, square[rest[i][0]], square[rest[i][1]],
                            square[rest[i][2]], nodes);
        if (value > best) {
            best = value;
            if (best >= beta)
                return best;
        }
    }
    return best;
}

/* odd: the squares of quadrants with an odd number of empty ones. */
static inline int last_4(uint64_t own, uint64_t opp, int alpha, int beta, uint64_t odd, uint64_t *nodes)
{
    ++*nodes;
    int square[4], count = 0;
    uint64_t empty = ~(own | opp);
    for (uint64_t s = empty & odd; s; s = bits_rest(s))
        square[count++] = bits_first(s);
    for (uint64_t s = empty & ~odd; s; s = bits_rest(s))
        square[count++] = bits_first(s);
    int best = last_4_moves(own, opp, alpha, beta, square, nodes);
    if (best != LAST_NONE)
        return best;
    best = last_4_moves(opp, own, -beta, -alpha, square, nodes);
    return best != LAST_NONE ? -best : othello_margin(own, opp);
}

#endif

/* kernels.cl - Othello for a device (struct mp_kernels): the playout of rules.c, and perft. Without tables: threads that read
 * different places of one wait for each other. */
typedef struct {
    ulong own, opp;
} mp_state;

/* The discs of one line that a run of own discs reaches from set, up and down. */
#define FILL_UP(set, discs, s)                                                                               \
    up = (discs) & ((set) << (s));                                                                           \
    up |= (discs) & (up << (s));                                                                             \
    pairs = (discs) & ((discs) << (s));                                                                      \
    up |= pairs & (up << 2 * (s));                                                                           \
    up |= pairs & (up << 2 * (s));
#define FILL_DOWN(set, discs, s)                                                                             \
    down = (discs) & ((set) >> (s));                                                                         \
    down |= (discs) & (down >> (s));                                                                         \
    pairs >>= (s);                                                                                           \
    down |= pairs & (down >> 2 * (s));                                                                       \
    down |= pairs & (down >> 2 * (s));

#define MOVES(inner, s)                                                                                      \
    discs = opp & (inner);                                                                                   \
    FILL_UP(own, discs, s)                                                                                   \
    FILL_DOWN(own, discs, s)                                                                                 \
    moves |= (up << (s)) | (down >> (s));

ulong mobility(ulong own, ulong opp)
{
    ulong discs, up, down, pairs, moves = 0;
    MOVES(0x7e7e7e7e7e7e7e7eUL, 1)
    MOVES(0x00ffffffffffff00UL, 8)
    MOVES(0x007e7e7e7e7e7e00UL, 7)
    MOVES(0x007e7e7e7e7e7e00UL, 9)
    return moves & ~(own | opp);
}

/* A run that ends at a disc of one's own is turned. */
#define FLIPS(inner, s)                                                                                      \
    discs = opp & (inner);                                                                                   \
    FILL_UP(square, discs, s)                                                                                \
    FILL_DOWN(square, discs, s)                                                                              \
    flips |= ((up << (s)) & own ? up : 0) | ((down >> (s)) & own ? down : 0);

ulong turned(ulong own, ulong opp, ulong square)
{
    ulong discs, up, down, pairs, flips = 0;
    FLIPS(0x7e7e7e7e7e7e7e7eUL, 1)
    FLIPS(0x00ffffffffffff00UL, 8)
    FLIPS(0x007e7e7e7e7e7e00UL, 7)
    FLIPS(0x007e7e7e7e7e7e00UL, 9)
    return flips;
}

/* The n-th square of a set, by halves: a loop would be as long as that of the slowest thread. */
ulong nth_square(ulong set, uint n)
{
    uint at = 0, low = popcount((uint)set), part;
    bool above = n >= low;
    n -= above ? low : 0;
    at = above ? 32 : 0;
    part = (uint)(set >> at);
#define HALVE(bits)                                                                                          \
    low = popcount(part & ((1u << (bits)) - 1));                                                            \
    above = n >= low;                                                                                       \
    n -= above ? low : 0;                                                                                   \
    at += above ? (bits) : 0;                                                                                \
    part = above ? part >> (bits) : part;
    HALVE(16)
    HALVE(8)
    HALVE(4)
    HALVE(2)
    HALVE(1)
    return 1UL << at;
}

bool mp_step(mp_state *state, mp_random *random)
{
    ulong own = state->own, opp = state->opp;
    ulong squares = mobility(own, opp);
    if (squares) {
        ulong square = nth_square(squares, mp_below(random, popcount(squares)));
        ulong flips = turned(own, opp, square);
        opp ^= flips;
        own ^= flips | square;
    } else if (!mobility(opp, own)) {
        return true;
    }
    state->own = opp;
    state->opp = own;
    return false;
}

/* Empty squares go to the winner. */
int mp_margin(const mp_state *state)
{
    int own = popcount(state->own), opp = popcount(state->opp), empty = 64 - own - opp;
    return own > opp ? own - opp + empty : own < opp ? own - opp - empty : 0;
}

/* A level of the tree is a state and the squares that have not been played there. */
enum { LEVELS = 8 };

ulong mp_perft(mp_state state, int depth, bool drop_finished)
{
    const ulong finished = drop_finished ? 0 : 1;
    ulong owns[LEVELS], opps[LEVELS], left[LEVELS], leaves = 0;
    ulong own = state.own, opp = state.opp;
    int level = 0;
    for (;;) {
        /* Arrives at a state with depth - level plies to go. */
        ulong squares = mobility(own, opp);
        bool ends = false;
        if (!squares) {
            bool passes = mobility(opp, own) != 0;
            ends = !passes || depth - level == 1;
            leaves += ends ? (passes ? 1 : finished) : 0;
        } else if (depth - level == 1) {
            leaves += popcount(squares);
            ends = true;
        }
        if (!ends) {
            owns[level] = own;
            opps[level] = opp;
            left[level] = squares;
            level++;
            if (!squares) { /* the only move is to pass */
                own = opps[level - 1];
                opp = owns[level - 1];
                continue;
            }
        }
        /* Goes on with the next square of the lowest level that has one. */
        while (level > 0 && !left[level - 1])
            level--;
        if (level == 0)
            return leaves;
        ulong rest = left[level - 1], square = rest & -rest;
        left[level - 1] = rest ^ square;
        ulong flips = turned(owns[level - 1], opps[level - 1], square);
        own = opps[level - 1] ^ flips;
        opp = owns[level - 1] ^ flips ^ square;
    }
}

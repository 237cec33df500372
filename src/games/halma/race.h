/* race.h - how many moves an army alone still needs, once all of it stands within the last seven diagonals: a table with
 * a byte for each way to put its pieces on the 28 squares there. The same for both sides: squares are counted from the
 * corner that the army wants to reach. */
#ifndef GAMES_HALMA_RACE_H
#define GAMES_HALMA_RACE_H

#include "base/bits.h"
#include "manyply/game.h"

enum {
    RACE_DIAGONALS = 7,
    RACE_SQUARES = 28,
    RACE_HALF = RACE_SQUARES / 2,
    RACE_HALVES = 1 << RACE_HALF, /* ways to put pieces on half of the squares */
    RACE_UNKNOWN = 15,            /* a distance that does not fit; there is none on these squares */
};

/* How many moves an army needs: `most` if it stays within the seven diagonals and jumps over own pieces alone; and at
 * least `far`, whatever it does, in and out of there, and whatever stands on the board, as long as no opponent comes
 * within two diagonals of the seven; `near` if none comes within one. On 10 x 10 both are for opponents that stay within
 * their own last seven, which leaves five empty diagonals. */
struct race_distance {
    int most, far, near;
};

/* The table in one piece, so that a program can keep it as it is: the number of each half among those with as many
 * pieces, where the ways with so many pieces in the high half begin, and the bytes. */
struct race_table {
    uint16_t number[RACE_HALVES];
    uint32_t ways[RACE_HALF + 2]; /* to put so many pieces on a half; 0 from RACE_HALF + 1 on */
    uint32_t first[RACE_HALF + 2];
    uint32_t count, pieces;
    uint8_t bytes[];
};

/* The place of a set of squares, square by square from the corner, row by row: rows of 7, 6, ... 1. */
static inline size_t race_place(const struct race_table *table, uint32_t set)
{
    uint32_t high = set >> RACE_HALF, low = set & (RACE_HALVES - 1);
    uint32_t above = (uint32_t)bits_count(high);
    return table->first[above] + (size_t)table->number[high] * table->ways[table->pieces - above] +
           table->number[low];
}

static inline struct race_distance race_distance(const struct race_table *table, uint32_t set)
{
    int byte = table->bytes[race_place(table, set)], most = byte & RACE_UNKNOWN;
    int far = byte >> 4 & 3, near = byte >> 6; /* less than `most`; 3: nothing is known */
    return (struct race_distance){most, far < 3 ? most - far : 0, near < 3 ? most - near : 0};
}

/* How many bytes a table for so many pieces has. */
static inline size_t race_size(int pieces)
{
    size_t ways = 1;
    for (int i = 1; i <= pieces; i++)
        ways = ways * (size_t)(RACE_SQUARES - pieces + i) / (size_t)i;
    return sizeof(struct race_table) + ways;
}

/* Makes one, for a goal of so many diagonals (4: the 10 squares of 8 x 8; 5: the 15 of 10 x 10), on so many threads; a
 * copy for each level of the CPU. False: no memory. */
#define RACE_MAKE(suffix)                                                                                    \
    bool race_make##suffix(struct race_table *table, int pieces, int goal, int threads,                      \
                           struct mp_error *error);
RACE_MAKE(_base)
RACE_MAKE(_v3)
RACE_MAKE(_v4)
#undef RACE_MAKE

#endif

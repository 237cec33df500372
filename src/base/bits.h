/* bits.h - words of 64 bits as sets of squares. Knows nothing of games. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

static inline int bits_count(uint64_t set)
{
    return __builtin_popcountll(set);
}

/* The lowest member of a set that is not empty. */
static inline int bits_first(uint64_t set)
{
    return __builtin_ctzll(set);
}

/* Walks a set: for (uint64_t s = set; s; s = bits_rest(s)) use(bits_first(s)); */
static inline uint64_t bits_rest(uint64_t set)
{
    return set & (set - 1);
}

#endif

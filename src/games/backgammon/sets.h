/* sets.h - a side's places as a set, bit p for place p. */
#ifndef GAMES_BACKGAMMON_SETS_H
#define GAMES_BACKGAMMON_SETS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { BACKGAMMON_POINTS = 0x1fffffe, BACKGAMMON_BAR_BIT = 1 << 25 };

/* The places with more than `least` chequers. */
static inline uint32_t backgammon_places_above(const uint8_t men[32], int least)
{
#if defined(__SSE2__)
    const __m128i limit = _mm_set1_epi8((char)least);
    __m128i low = _mm_loadu_si128((const __m128i *)men), high = _mm_loadu_si128((const __m128i *)(men + 16));
    return (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(low, limit)) |
           (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(high, limit)) << 16;
#else
    uint32_t set = 0;
    for (int p = 0; p < 32; p++)
        set |= (uint32_t)(men[p] > least) << p;
    return set;
#endif
}

/* The same points as the other side counts them: p becomes 25 - p. */
static inline uint32_t backgammon_other_view(uint32_t set)
{
    set = (set >> 1 & 0x55555555) | (set & 0x55555555) << 1;
    set = (set >> 2 & 0x33333333) | (set & 0x33333333) << 2;
    set = (set >> 4 & 0x0f0f0f0f) | (set & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(set) >> 6;
}

/* Can the sides still meet? Each has a chequer on the board. */
static inline bool backgammon_has_contact(const uint8_t own[32], const uint8_t opp[32])
{
    const uint32_t board = BACKGAMMON_POINTS | BACKGAMMON_BAR_BIT;
    uint32_t ours = backgammon_places_above(own, 0) & board;
    uint32_t theirs = backgammon_places_above(opp, 0) & board;
    return ours && theirs && (31 - __builtin_clz(ours)) + (31 - __builtin_clz(theirs)) > 25;
}

#endif

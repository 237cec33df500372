/* board.h - sets of squares on a board of HALMA_SIZE x HALMA_SIZE, in 64, 128 or 256 bits.
 *
 * Square (row, column), counted from Black's corner at the top left, is bit row * size + column. The three
 * types obey the same operators (&, |, ^, ~), so that everything above this file is written once; only
 * shifting, counting and walking differ. Files that include this are compiled once for each board. */
#ifndef GAMES_HALMA_BOARD_H
#define GAMES_HALMA_BOARD_H

#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__AVX__)
#include <immintrin.h>
#endif

/* Every function with a set among its parameters is inlined, so no binary interface is concerned. */
#if HALMA_SIZE == 16
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#define HALMA_INLINE __attribute__((always_inline)) static inline

#if HALMA_SIZE == 8

typedef uint64_t halma_set;
enum { HALMA_WORDS = 1, HALMA_PIECES = 10, HALMA_CAMP_SUM = 3, HALMA_CAMP_SIDE = 3 };
#define HALMA_BOARD UINT64_MAX
#define HALMA_FIRST_COLUMN UINT64_C(0x0101010101010101)
#define HALMA_LAST_COLUMN UINT64_C(0x8080808080808080)
#define HALMA_CAMP_BLACK UINT64_C(0x000000000103070f)
#define HALMA_CAMP_WHITE UINT64_C(0xf0e0c08000000000)

#elif HALMA_SIZE == 10

__extension__ typedef unsigned __int128 halma_set;
enum { HALMA_WORDS = 2, HALMA_PIECES = 15, HALMA_CAMP_SUM = 4, HALMA_CAMP_SIDE = 4 };
#define HALMA_WIDE(high, low) ((halma_set)UINT64_C(high) << 64 | UINT64_C(low))
#define HALMA_BOARD HALMA_WIDE(0xfffffffff, 0xffffffffffffffff)
#define HALMA_FIRST_COLUMN HALMA_WIDE(0x4010040, 0x1004010040100401)
#define HALMA_LAST_COLUMN (HALMA_FIRST_COLUMN << 9)
/* Rows of 5, 4, 3, 2 and 1 squares, and the same from the other corner. */
#define HALMA_CAMP_BLACK HALMA_WIDE(0, 0x1f | 0xf << 10 | 0x7 << 20 | 0x3ull << 30 | 0x1ull << 40)
#define HALMA_CAMP_WHITE                                                                                     \
    ((halma_set)0x3e0 << 90 | (halma_set)0x3c0 << 80 | (halma_set)0x380 << 70 | (halma_set)0x300 << 60 |     \
     (halma_set)0x200 << 50)

#elif HALMA_SIZE == 16

typedef uint64_t halma_set __attribute__((vector_size(32)));
enum { HALMA_WORDS = 4, HALMA_PIECES = 19, HALMA_CAMP_SUM = 5, HALMA_CAMP_SIDE = 4 };
#define HALMA_ALL(word) ((halma_set){UINT64_C(word), UINT64_C(word), UINT64_C(word), UINT64_C(word)})
#define HALMA_BOARD HALMA_ALL(0xffffffffffffffff)
#define HALMA_FIRST_COLUMN HALMA_ALL(0x0001000100010001)
#define HALMA_LAST_COLUMN HALMA_ALL(0x8000800080008000)
#define HALMA_CAMP_BLACK ((halma_set){UINT64_C(0x0007000f001f001f), 0x3, 0, 0})
#define HALMA_CAMP_WHITE ((halma_set){0, 0, UINT64_C(0xc000) << 48, UINT64_C(0xf800f800f000e000)})

#else
#error "HALMA_SIZE is 8, 10 or 16"
#endif

enum { HALMA_SQUARES = HALMA_SIZE * HALMA_SIZE };

HALMA_INLINE uint64_t halma_word(halma_set set, int word)
{
#if HALMA_SIZE == 16
    return set[word];
#else
    return (uint64_t)(set >> 32 * word >> 32 * word);
#endif
}

HALMA_INLINE bool halma_any(halma_set set)
{
#if HALMA_SIZE == 16 && defined(__AVX__)
    return !_mm256_testz_si256((__m256i)set, (__m256i)set);
#elif HALMA_SIZE == 16
    return (set[0] | set[1] | set[2] | set[3]) != 0;
#else
    return set != 0;
#endif
}

HALMA_INLINE int halma_count(halma_set set)
{
    int count = 0;
    for (int word = 0; word < HALMA_WORDS; word++)
        count += bits_count(halma_word(set, word));
    return count;
}

/* The set of one square. */
HALMA_INLINE halma_set halma_at(int square)
{
#if HALMA_SIZE == 16
    const halma_set words = {0, 1, 2, 3};
    uint64_t word = (uint64_t)square >> 6, bit = UINT64_C(1) << (square & 63);
    return (halma_set)(words == (halma_set){word, word, word, word}) & (halma_set){bit, bit, bit, bit};
#else
    return (halma_set)1 << square;
#endif
}

HALMA_INLINE bool halma_has(halma_set set, int square)
{
    return halma_any(set & halma_at(square));
}

/* Moves every square by a number of bits below 64; what leaves the board's end is lost, what leaves a row is
 * not. The number must be known to the compiler. */
HALMA_INLINE halma_set halma_shift(halma_set set, int bits)
{
#if HALMA_SIZE == 16
    const halma_set none = {0, 0, 0, 0};
    if (bits > 0)
        return set << bits | __builtin_shufflevector(none, set, 0, 4, 5, 6) >> (64 - bits);
    return set >> -bits | __builtin_shufflevector(set, none, 1, 2, 3, 4) << (64 + bits);
#else
    return bits > 0 ? set << bits : set >> -bits;
#endif
}

/* Moves every square by one; what leaves the board is lost (below the last row of 10 x 10 there are bits
 * that are not squares: they never survive the sets this is combined with). */
HALMA_INLINE halma_set halma_step(halma_set set, int rows, int columns)
{
    if (columns > 0)
        set &= ~HALMA_LAST_COLUMN;
    if (columns < 0)
        set &= ~HALMA_FIRST_COLUMN;
    return halma_shift(set, rows * HALMA_SIZE + columns);
}

/* A set and all its neighbours. */
HALMA_INLINE halma_set halma_spread(halma_set set)
{
    halma_set row = set | halma_step(set, 0, 1) | halma_step(set, 0, -1);
    return (row | halma_shift(row, HALMA_SIZE) | halma_shift(row, -HALMA_SIZE)) & HALMA_BOARD;
}

/* Where a side begins, and where it wants to go. */
HALMA_INLINE halma_set halma_home(int side)
{
    return side ? HALMA_CAMP_WHITE : HALMA_CAMP_BLACK;
}

HALMA_INLINE halma_set halma_goal(int side)
{
    return side ? HALMA_CAMP_BLACK : HALMA_CAMP_WHITE;
}

/* A square as that side sees it: its own corner first. */
HALMA_INLINE int halma_seen(int side, int square)
{
    return side ? HALMA_SQUARES - 1 - square : square;
}

HALMA_INLINE bool halma_is_home(int side, int square)
{
    int seen = halma_seen(side, square), row = seen / HALMA_SIZE, column = seen % HALMA_SIZE;
    return row + column <= HALMA_CAMP_SUM && row <= HALMA_CAMP_SIDE && column <= HALMA_CAMP_SIDE;
}

HALMA_INLINE bool halma_is_goal(int side, int square)
{
    return halma_is_home(!side, square);
}

/* Walks a set in the order of its squares: for (struct halma_walk w = halma_walk(set); halma_next(&w, &s);)
 * use(s); */
struct halma_walk {
    uint64_t words[HALMA_WORDS];
    int word;
};

HALMA_INLINE struct halma_walk halma_walk(halma_set set)
{
    struct halma_walk walk = {.word = 0};
    for (int word = 0; word < HALMA_WORDS; word++)
        walk.words[word] = halma_word(set, word);
    return walk;
}

HALMA_INLINE bool halma_next(struct halma_walk *walk, int *square)
{
    while (!walk->words[walk->word])
        if (++walk->word == HALMA_WORDS)
            return false;
    *square = 64 * walk->word + bits_first(walk->words[walk->word]);
    walk->words[walk->word] = bits_rest(walk->words[walk->word]);
    return true;
}

#define HALMA_EACH(square, set)                                                                              \
    for (struct halma_walk walk_##square = halma_walk(set); halma_next(&walk_##square, &square);)

#endif

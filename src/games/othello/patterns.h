/* patterns.h - parts of the board whose contents a network knows by heart: edges, corners, lines, diagonals.
 *
 * A pattern is a row of squares; what stands on them (0 nothing, 1 a disc of the side to move, 2 one of the other side)
 * are the digits of its number, of base 3. The board is looked at from all eight sides, so most patterns lie on it four
 * or eight times, and all of these share their inputs. Where a pattern is its own mirror image, so are its numbers. */
#ifndef GAMES_OTHELLO_PATTERNS_H
#define GAMES_OTHELLO_PATTERNS_H

#include "manyply/game.h"

enum {
    PATTERN_CLASSES = 11,
    PATTERN_COUNT = 46, /* on the board */
    PATTERN_STEP = 16,
    PATTERN_LANES = 48,       /* a multiple of the step */
    PATTERN_NUMBERS = 114777, /* of all classes */
    PATTERN_INPUTS = 61389,   /* the same, but mirror images are one */
};

/* Sixteen numbers of patterns at a time. */
typedef uint16_t pattern_lanes __attribute__((vector_size(2 * PATTERN_STEP)));

struct patterns {
    /* What a disc of the side to move on a square adds to the number of each pattern. */
    pattern_lanes squares[64][PATTERN_LANES / PATTERN_STEP];
    uint32_t offsets[PATTERN_COUNT]; /* where the numbers of each pattern's class begin */
    uint16_t inputs[PATTERN_NUMBERS];
};

/* The same each time. Null: no memory; to be freed. */
struct patterns *patterns_new(void);

#endif

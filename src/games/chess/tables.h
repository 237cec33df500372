/* tables.h - what a piece attacks from a square. The tables are worked out once, before the first game of
 * chess is opened, and never change again.
 *
 * A slider's attacks are looked up by the occupied squares on its lines, gathered into an index: with the
 * instruction PEXT where the CPU level has it, else by multiplying with a magic number. The two orders of
 * the same table are kept apart, so that every level can be tested on one machine. */
#ifndef GAMES_CHESS_TABLES_H
#define GAMES_CHESS_TABLES_H

#include "base/bits.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

struct chess_slider {
    uint64_t mask; /* the squares whose occupation matters */
    uint64_t magic;
    const uint64_t *attacks;
    int shift;
};

struct chess_tables {
    uint64_t knight[64], king[64];
    uint64_t pawn[2][64];     /* by the colour of the pawn */
    uint64_t between[64][64]; /* the squares between two on one line, both ends excluded */
    uint64_t aligned[64];     /* the squares on one line with another */
    uint64_t piece_keys[2][6][64], castler_keys[64], en_passant_keys[64], side_key;
    struct chess_slider rook[2][64], bishop[2][64]; /* by magic, by PEXT */
};
extern struct chess_tables chess_tables;

/* Fills the tables, the sliders in one order or the other. Any thread, any number of times. */
void chess_prepare_tables(bool pext);

static inline uint64_t chess_slider_attacks(const struct chess_slider *slider, uint64_t occupied)
{
#if defined(__BMI2__)
    return slider->attacks[_pext_u64(occupied, slider->mask)];
#else
    return slider->attacks[((occupied & slider->mask) * slider->magic) >> slider->shift];
#endif
}

#if defined(__BMI2__)
enum { CHESS_USES_PEXT = 1 };
#else
enum { CHESS_USES_PEXT = 0 };
#endif

static inline uint64_t chess_rook_attacks(int square, uint64_t occupied)
{
    return chess_slider_attacks(&chess_tables.rook[CHESS_USES_PEXT][square], occupied);
}

static inline uint64_t chess_bishop_attacks(int square, uint64_t occupied)
{
    return chess_slider_attacks(&chess_tables.bishop[CHESS_USES_PEXT][square], occupied);
}

#endif

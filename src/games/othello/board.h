/* board.h - the two questions Othello asks millions of times a second: which squares may be played, and
 * which discs turn over. Square a1 is bit 0, b1 bit 1, h8 bit 63.
 *
 * Each question is answered three ways, chosen by what the compiler may use; rules.c and its neighbours
 * are compiled once for each level (CMakeLists.txt) and othello.c picks the level at run time.
 * Perft 11 on one Zen 4 core: plain 325, AVX2 810, AVX-512 915 million leaves a second. */
#ifndef GAMES_OTHELLO_BOARD_H
#define GAMES_OTHELLO_BOARD_H

#include "base/bits.h"
#include "games/othello/rays.h"

#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* The shift of each of the four lines through a square: along a row, up a file, along both diagonals; and
 * the squares on which a disc can be turned along that line, which excludes the rims where a shift would
 * wrap around. */
#define LINE_SHIFTS 1, 8, 7, 9
#define LINE_INNER 0x7e7e7e7e7e7e7e7e, 0x00ffffffffffff00, 0x007e7e7e7e7e7e00, 0x007e7e7e7e7e7e00

#if defined(__AVX512VL__) && defined(__AVX512CD__)

/* All eight directions at once. Rotations serve as shifts in both directions: nothing wraps, because the
 * masked discs never stand on the rim that a shift crosses. */
static inline uint64_t othello_mobility(uint64_t own, uint64_t opp)
{
    static const _Alignas(64) uint64_t shifts[8] = {LINE_SHIFTS, 63, 56, 57, 55};
    static const _Alignas(64) uint64_t inners[8] = {LINE_INNER, LINE_INNER};
    const __m512i shift = _mm512_load_si512(shifts);
    const __m512i shift2 = _mm512_add_epi64(shift, shift);
    const __m512i inner = _mm512_load_si512(inners);
    enum { AND_OR = 0xf8 }; /* a | (b & c) */
    __m512i discs = _mm512_and_si512(_mm512_set1_epi64((long long)opp), inner);
    __m512i run = _mm512_and_si512(discs, _mm512_rolv_epi64(_mm512_set1_epi64((long long)own), shift));
    __m512i pairs = _mm512_and_si512(discs, _mm512_rolv_epi64(discs, shift));
    run = _mm512_ternarylogic_epi64(run, discs, _mm512_rolv_epi64(run, shift), AND_OR);
    run = _mm512_ternarylogic_epi64(run, pairs, _mm512_rolv_epi64(run, shift2), AND_OR);
    run = _mm512_ternarylogic_epi64(run, pairs, _mm512_rolv_epi64(run, shift2), AND_OR);
    run = _mm512_rolv_epi64(run, shift);
    __m256i half = _mm256_or_si256(_mm512_castsi512_si256(run), _mm512_extracti64x4_epi64(run, 1));
    __m128i quarter = _mm_or_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    quarter = _mm_or_si128(quarter, _mm_unpackhi_epi64(quarter, quarter));
    return (uint64_t)_mm_cvtsi128_si64(quarter) & ~(own | opp);
}

static inline uint64_t othello_flips(uint64_t own, uint64_t opp, int square)
{
    const __m256i owns = _mm256_set1_epi64x((long long)own);
    const __m256i opps = _mm256_set1_epi64x((long long)opp);
    const __m256i up = _mm256_load_si256((const __m256i *)othello_rays[square].up);
    const __m256i down = _mm256_load_si256((const __m256i *)othello_rays[square].down);
    const __m256i zero = _mm256_setzero_si256();
    const __m256i top = _mm256_set1_epi64x((long long)(UINT64_C(1) << 63));

    /* Upwards: the first square on the ray that is not the opponent's, if it is ours ... */
    __m256i stop = _mm256_andnot_si256(opps, up);
    stop = _mm256_ternarylogic_epi64(stop, _mm256_sub_epi64(zero, stop), owns, 0x80);
    /* ... and all of the ray before it. */
    __mmask8 flanked = _mm256_test_epi64_mask(stop, stop);
    __m256i turned = _mm256_maskz_and_epi64(flanked, up, _mm256_sub_epi64(stop, _mm256_set1_epi64x(1)));

    /* Downwards: the same with the highest bit. */
    __m256i last = _mm256_and_si256(
        _mm256_srlv_epi64(top, _mm256_lzcnt_epi64(_mm256_andnot_si256(opps, down))), owns);
    __m256i above = _mm256_sub_epi64(zero, _mm256_add_epi64(last, last));
    turned = _mm256_ternarylogic_epi64(turned, down, above, 0xf8);

    __m128i half = _mm_or_si128(_mm256_castsi256_si128(turned), _mm256_extracti128_si256(turned, 1));
    half = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
    return (uint64_t)_mm_cvtsi128_si64(half);
}

#elif defined(__AVX2__)

static inline uint64_t othello_mobility(uint64_t own, uint64_t opp)
{
    const __m256i shift = _mm256_setr_epi64x(LINE_SHIFTS);
    const __m256i shift2 = _mm256_add_epi64(shift, shift);
    const __m256i inner = _mm256_setr_epi64x(LINE_INNER);
    __m256i owns = _mm256_set1_epi64x((long long)own);
    __m256i discs = _mm256_and_si256(_mm256_set1_epi64x((long long)opp), inner);
    __m256i up = _mm256_and_si256(discs, _mm256_sllv_epi64(owns, shift));
    __m256i down = _mm256_and_si256(discs, _mm256_srlv_epi64(owns, shift));
    up = _mm256_or_si256(up, _mm256_and_si256(discs, _mm256_sllv_epi64(up, shift)));
    down = _mm256_or_si256(down, _mm256_and_si256(discs, _mm256_srlv_epi64(down, shift)));
    __m256i pairs_up = _mm256_and_si256(discs, _mm256_sllv_epi64(discs, shift));
    __m256i pairs_down = _mm256_srlv_epi64(pairs_up, shift);
    for (int step = 0; step < 2; step++) {
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, shift2)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, shift2)));
    }
    __m256i all = _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
    __m128i half = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    half = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
    return (uint64_t)_mm_cvtsi128_si64(half) & ~(own | opp);
}

static inline uint64_t othello_flips(uint64_t own, uint64_t opp, int square)
{
    const __m256i owns = _mm256_set1_epi64x((long long)own);
    const __m256i opps = _mm256_set1_epi64x((long long)opp);
    const __m256i up = _mm256_load_si256((const __m256i *)othello_rays[square].up);
    const __m256i down = _mm256_load_si256((const __m256i *)othello_rays[square].down);
    const __m256i shift = _mm256_setr_epi64x(LINE_SHIFTS);
    const __m256i shift2 = _mm256_add_epi64(shift, shift);
    const __m256i shift4 = _mm256_add_epi64(shift2, shift2);
    const __m256i zero = _mm256_setzero_si256();

    /* Upwards: the lowest square on the ray that is not the opponent's, if it is ours, and the ray
     * before it. */
    __m256i stop = _mm256_andnot_si256(opps, up);
    stop = _mm256_and_si256(_mm256_and_si256(stop, _mm256_sub_epi64(zero, stop)), owns);
    __m256i open = _mm256_cmpeq_epi64(stop, zero);
    __m256i turned = _mm256_andnot_si256(open,
                                         _mm256_and_si256(up, _mm256_sub_epi64(stop, _mm256_set1_epi64x(1))));

    /* Downwards: smear along the ray, so that only the highest square has nothing above it. */
    __m256i rest = _mm256_andnot_si256(opps, down);
    rest = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, shift));
    rest = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, shift2));
    rest = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, shift4));
    __m256i last = _mm256_and_si256(_mm256_andnot_si256(_mm256_srlv_epi64(rest, shift), rest), owns);
    __m256i above = _mm256_sub_epi64(zero, _mm256_add_epi64(last, last));
    turned = _mm256_or_si256(turned, _mm256_and_si256(down, above));

    __m128i half = _mm_or_si128(_mm256_castsi256_si128(turned), _mm256_extracti128_si256(turned, 1));
    half = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
    return (uint64_t)_mm_cvtsi128_si64(half);
}

#else

static inline uint64_t othello_mobility(uint64_t own, uint64_t opp)
{
    static const int shifts[4] = {LINE_SHIFTS};
    static const uint64_t inner[4] = {LINE_INNER};
    uint64_t moves = 0;
    for (int line = 0; line < 4; line++) {
        int s = shifts[line];
        uint64_t discs = opp & inner[line];
        uint64_t up = discs & (own << s), down = discs & (own >> s);
        up |= discs & (up << s), down |= discs & (down >> s);
        uint64_t pairs_up = discs & (discs << s), pairs_down = pairs_up >> s;
        up |= pairs_up & (up << 2 * s), down |= pairs_down & (down >> 2 * s);
        up |= pairs_up & (up << 2 * s), down |= pairs_down & (down >> 2 * s);
        moves |= (up << s) | (down >> s);
    }
    return moves & ~(own | opp);
}

static inline uint64_t othello_flips(uint64_t own, uint64_t opp, int square)
{
    uint64_t turned = 0;
    for (int line = 0; line < 4; line++) {
        uint64_t up = othello_rays[square].up[line], down = othello_rays[square].down[line];
        uint64_t stop = up & ~opp;
        stop &= -stop & own;
        turned |= up & (stop - (stop != 0));
        uint64_t rest = down & ~opp;
        uint64_t last = rest ? (UINT64_C(1) << 63 >> __builtin_clzll(rest)) & own : 0;
        turned |= down & -(last << 1);
    }
    return turned;
}

#endif
#endif

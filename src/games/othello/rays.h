/* rays.h - the squares seen from a square in each of the eight directions, worked out by the compiler. */
#ifndef GAMES_OTHELLO_RAYS_H
#define GAMES_OTHELLO_RAYS_H

#include <stdint.h>

/* Directions in the order row, file, two diagonals; up goes to higher bits, down to lower ones. */
struct othello_ray {
    _Alignas(64) uint64_t up[4];
    uint64_t down[4];
};

#define RAY_RIGHT(x) (((UINT64_C(0xfe) << (x)) & 0xff) * UINT64_C(0x0101010101010101))
#define RAY_LEFT(x) (((UINT64_C(1) << (x)) - 1) * UINT64_C(0x0101010101010101))
#define RAY_ROW(s) (UINT64_C(0xff) << ((s) / 8 * 8))
#define RAY(s)                                                                                               \
    {                                                                                                        \
        {RAY_RIGHT((s) % 8) & RAY_ROW(s), UINT64_C(0x0101010101010100) << (s),                               \
         UINT64_C(0x0002040810204080) << (s)&RAY_LEFT((s) % 8),                                              \
         UINT64_C(0x8040201008040200) << (s)&RAY_RIGHT((s) % 8)},                                            \
            {RAY_LEFT((s) % 8) & RAY_ROW(s), UINT64_C(0x0080808080808080) >> (63 - (s)),                     \
             UINT64_C(0x0102040810204000) >> (63 - (s)) & RAY_RIGHT((s) % 8),                                \
             UINT64_C(0x0040201008040201) >> (63 - (s)) & RAY_LEFT((s) % 8)},                                \
    }
#define RAY_LINE(s)                                                                                          \
    RAY(s), RAY((s) + 1), RAY((s) + 2), RAY((s) + 3), RAY((s) + 4), RAY((s) + 5), RAY((s) + 6), RAY((s) + 7)

static const struct othello_ray othello_rays[64] = {
    RAY_LINE(0),  RAY_LINE(8),  RAY_LINE(16), RAY_LINE(24),
    RAY_LINE(32), RAY_LINE(40), RAY_LINE(48), RAY_LINE(56),
};

#endif

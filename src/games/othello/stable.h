/* stable.h - discs that can never be turned again. */
#ifndef GAMES_OTHELLO_STABLE_H
#define GAMES_OTHELLO_STABLE_H

#include <stdint.h>

/* The squares all of whose line in one direction is taken. */
static inline uint64_t stable_rows(uint64_t taken)
{
    uint64_t full = taken & taken >> 1;
    full &= full >> 2;
    full &= full >> 4;
    return (full & UINT64_C(0x0101010101010101)) * 0xff;
}

static inline uint64_t stable_files(uint64_t taken)
{
    taken &= taken >> 8 | taken << 56;
    taken &= taken >> 16 | taken << 48;
    return taken & (taken >> 32 | taken << 32);
}

/* Steps 1, 2 and 4 squares along both ways; beyond the rim all counts as taken. */
static inline uint64_t stable_rising(uint64_t taken) /* a1 to h8 */
{
    uint64_t up = taken, down = taken;
    up &= (up >> 9) | UINT64_C(0xff80808080808080);
    down &= (down << 9) | UINT64_C(0x01010101010101ff);
    up &= (up >> 18) | UINT64_C(0xffffc0c0c0c0c0c0);
    down &= (down << 18) | UINT64_C(0x030303030303ffff);
    up &= (up >> 36) | UINT64_C(0xfffffffff0f0f0f0);
    down &= (down << 36) | UINT64_C(0x0f0f0f0fffffffff);
    return up & down;
}

static inline uint64_t stable_falling(uint64_t taken) /* h1 to a8 */
{
    uint64_t up = taken, down = taken;
    up &= (up >> 7) | UINT64_C(0xff01010101010101);
    down &= (down << 7) | UINT64_C(0x80808080808080ff);
    up &= (up >> 14) | UINT64_C(0xffff030303030303);
    down &= (down << 14) | UINT64_C(0xc0c0c0c0c0c0ffff);
    up &= (up >> 28) | UINT64_C(0xffffffff0f0f0f0f);
    down &= (down << 28) | UINT64_C(0xf0f0f0f0ffffffff);
    return up & down;
}

/* Discs of one side that are surely stable: in each of the four directions the line is full, or it ends beside the
 * disc, or a stable disc of the same side is beside it. */
static inline uint64_t stable_discs(uint64_t own, uint64_t opp)
{
    const uint64_t left = UINT64_C(0x0101010101010101), right = left << 7, bottom = 0xff, top = bottom << 56,
                   rim = left | right | bottom | top;
    uint64_t taken = own | opp;
    const uint64_t row = stable_rows(taken) | left | right, file = stable_files(taken) | bottom | top;
    const uint64_t rising = stable_rising(taken) | rim, falling = stable_falling(taken) | rim;
    uint64_t stable = own & row & file & rising & falling;
    for (uint64_t before = 0; stable != before;) {
        before = stable;
        uint64_t l = stable & ~left, r = stable & ~right;
        stable |= own & (row | l >> 1 | r << 1) & (file | stable >> 8 | stable << 8) &
                  (rising | l >> 9 | r << 9) & (falling | r >> 7 | l << 7);
    }
    return stable;
}

#endif

/* dice.h - throws as a pure function of a seed, a game and the number of the throw. */
#ifndef SEARCH_DICE_H
#define SEARCH_DICE_H

#include "base/random.h"
#include "manyply/game.h"

/* Which of the outcomes with these weights comes at a place of a stream of random numbers. */
static inline int dice_outcome(const uint32_t *weights, int count, uint64_t seed, uint64_t stream,
                               uint64_t place)
{
    uint32_t block[4];
    random_block(seed, stream, place, block);
    return random_weighted((uint64_t)block[0] << 32 | block[1], weights, count);
}

#endif

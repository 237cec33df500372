/* random.h - random numbers as pure functions: the same seed and counter give the same number on every
 * machine and for any number of threads. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <Random123/philox.h>

#include <stdint.h>

/* A bijection that scatters (the finaliser of splitmix64, Steele, Lea and Flood 2014). */
static inline uint64_t random_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The number at a place of the stream that a seed names. */
static inline uint64_t random_at(uint64_t seed, uint64_t counter)
{
    return random_mix(random_mix(seed + UINT64_C(0x9e3779b97f4a7c15)) +
                      counter * UINT64_C(0x9e3779b97f4a7c15));
}

/* The next number of a stream (splitmix64). */
static inline uint64_t random_next(uint64_t *stream)
{
    return random_mix(*stream += UINT64_C(0x9e3779b97f4a7c15));
}

/* A number below bound (> 0) from 64 random bits, by the high half of a product. */
static inline uint32_t random_below(uint64_t random, uint32_t bound)
{
    return (uint32_t)(((random >> 32) * bound) >> 32);
}

/* One of several places, each as likely as its weight says, from 64 random bits. */
static inline int random_weighted(uint64_t random, const uint32_t *weights, int count)
{
    uint32_t total = 0;
    for (int i = 0; i < count; i++)
        total += weights[i];
    uint32_t drawn = random_below(random, total);
    int i = 0;
    while (drawn >= weights[i])
        drawn -= weights[i++];
    return i;
}

/* Four numbers as a pure function of a seed, a stream (which game, which playout) and a place in the stream:
 * Philox 4x32-10 (Salmon, Moraes, Dror and Shaw 2011, from Random123). For dice and playouts, where thousands
 * of streams must be independent of each other. */
static inline void random_block(uint64_t seed, uint64_t stream, uint64_t place, uint32_t block[4])
{
    philox4x32_ctr_t counter = {
        {(uint32_t)place, (uint32_t)(place >> 32), (uint32_t)stream, (uint32_t)(stream >> 32)}};
    philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    philox4x32_ctr_t numbers = philox4x32(counter, key);
    for (int i = 0; i < 4; i++)
        block[i] = numbers.v[i];
}

#endif

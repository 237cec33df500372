/* network_sum.c - the hot part of a network: accumulates the active rows and sums up a head. Compiled once for each CPU
 * level; plain loops that the compiler turns into vectors. */
#include "network/network_inner.h"

#include <string.h>

int64_t LEVELED(network_sum)(const struct network *network, const uint16_t *active, int count,
                             const int16_t *output)
{
    enum { BLOCK = 64 }; /* 64 * 255 * 255 * 128 fits 32 bits with room */
    const uint32_t width = network->shape.width;
    int16_t accumulator[NETWORK_MOST_WIDTH] __attribute__((aligned(64)));
    memcpy(accumulator, network->bias, width * sizeof *accumulator);
    for (int k = 0; k < count; k++) {
        const int16_t *row = network->input + (size_t)active[k] * width;
        for (uint32_t i = 0; i < width; i++)
            accumulator[i] = (int16_t)(accumulator[i] + row[i]);
    }
    int64_t sum = 0;
    for (uint32_t first = 0; first < width; first += BLOCK) {
        uint32_t last = first + BLOCK < width ? first + BLOCK : width;
        int32_t part = 0;
        for (uint32_t i = first; i < last; i++) {
            int32_t a = accumulator[i] < 0 ? 0 : accumulator[i] > NETWORK_ONE ? NETWORK_ONE : accumulator[i];
            part += a * a * output[i];
        }
        sum += part;
    }
    return sum;
}

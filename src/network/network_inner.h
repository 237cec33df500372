/* network_inner.h - the weights of a network, for the files that use them. */
#ifndef NETWORK_NETWORK_INNER_H
#define NETWORK_NETWORK_INNER_H

#include "network/network.h"

#include "base/level.h"

#include <stdatomic.h>

enum { NETWORK_MOST_OUTPUT = 127 }; /* a weight of a head */

struct network {
    struct network_shape shape;
    atomic_int owners; /* the last one frees; acquire and release, so that it sees all reads done */
    int16_t *input;    /* a row of width for each input */
    int16_t *bias;     /* width */
    int16_t *output;   /* views x width for each head */
    int32_t *output_bias;
};

/* Room for a network of that shape, all zero. */
struct network *network_blank(const struct network_shape *shape);

/* The sum of a view and head: squared activations times weights, NETWORK_ONE^2 * NETWORK_OUTPUT_ONE for 1. */
typedef int64_t network_sum_function(const struct network *network, const uint16_t *active, int count,
                                     const int16_t *output);

#define NETWORK_SUMS(suffix) network_sum_function network_sum##suffix;
NETWORK_SUMS(_base)
#if defined(__x86_64__)
NETWORK_SUMS(_v3)
NETWORK_SUMS(_v4)
#endif
#undef NETWORK_SUMS

#endif

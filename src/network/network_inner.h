/* network_inner.h - the weights of a network, for the files that use them. */
#ifndef NETWORK_NETWORK_INNER_H
#define NETWORK_NETWORK_INNER_H

#include "network/network.h"

#include "base/level.h"

#include <stdatomic.h>

/* Numbers that go from layer to layer have 13 bits behind the point, accumulators and weights as many as their range
 * leaves them: they are multiples of 1/2^shift. */
enum {
    NETWORK_UNIT_SHIFT = 13,
    NETWORK_UNIT = 1 << NETWORK_UNIT_SHIFT,
    NETWORK_LEAST_SHIFT = 6,
    NETWORK_MOST_SHIFT = 12, /* so that an accumulator that is cut off at 1 can be squared in 16 bits */
    NETWORK_MOST_LAYER_SHIFT = 15,
    /* The logistic function: from -16 to 16, in steps of 1/64 between which lines are drawn. */
    NETWORK_LOGISTIC_RANGE = 16,
    NETWORK_LOGISTIC_SHIFT = 6,
    NETWORK_LOGISTIC_STEPS = 2 * NETWORK_LOGISTIC_RANGE << NETWORK_LOGISTIC_SHIFT,
};

struct network_layer {
    struct network_layer_shape shape;
    uint32_t shift;
    int16_t *rows; /* heads x out x in */
    int32_t *bias; /* heads x out; 1 is 2^(13 + shift) */
    /* The same weights by pairs of neighbours that go in, heads x in/2 x columns x 2, so that a pair of zeros is
     * passed over; null: too few come out for that. The columns are those of what comes out, and zeros to fill a
     * vector. */
    int16_t *pairs;
    uint32_t columns;
};

struct network {
    struct network_shape shape;
    const struct network_rows *level; /* the loops for this CPU */
    atomic_int owners; /* the last one frees; acquire and release, so that it sees all reads done */
    uint32_t most_active;
    uint32_t shift;
    int16_t *input; /* a row of width for each input; a table: a row of inputs for each head */
    int16_t *bias;  /* width */
    int layer_count;
    struct network_layer layers[NETWORK_MOST_LAYERS];
    int32_t logistic[NETWORK_LOGISTIC_STEPS + 2]; /* of NETWORK_WHOLE */
};

/* Room for a network of that shape, all zero. */
struct network *network_blank(const struct network_shape *shape);

/* All weights are there: what else is made of them. */
void network_finish(struct network *network);

/* Can no sum of this network overflow? */
bool network_is_safe(const struct network *network);

/* The loops over weights, one table for each CPU level. */
struct network_rows {
    void (*accumulate)(const struct network *network, const int16_t *from,
                       const struct network_change *change, int16_t *to);
    /* The sums of the last layer; 1 is 2^(13 + its shift). */
    void (*forward)(const struct network *network, const int16_t *const accumulators[2], int head,
                    int32_t *outputs);
};
extern const struct network_rows network_rows_base;
#ifdef LEVEL_X86
extern const struct network_rows network_rows_v3, network_rows_v4;
#endif

#endif

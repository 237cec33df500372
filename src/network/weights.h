/* weights.h - the shape of a network, and its weights as floats, as a trainer has them. */
#ifndef NETWORK_WEIGHTS_H
#define NETWORK_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NETWORK_TABLE = 1, /* the width of a table, which has one view and no layers */
    NETWORK_STEP = 16, /* all other widths are multiples of this */
    NETWORK_MOST_WIDTH = 1024,
    NETWORK_MOST_INPUTS = 1 << 16,
    NETWORK_MOST_HEADS = 64,
    NETWORK_MOST_DENSE = 3, /* layers between the accumulators and the outputs */
    NETWORK_MOST_LAYERS = NETWORK_MOST_DENSE + 1,
    NETWORK_MOST_OUTPUTS = 5,
};

struct network_shape {
    uint32_t inputs, width;
    uint32_t views, heads;
    uint32_t dense_count, dense[NETWORK_MOST_DENSE]; /* widths of the layers behind the accumulators */
    uint32_t
        outputs; /* 1: the value. 5: the shares of won games, of those won double and triple, lost double and triple */
    int32_t scale; /* the value of an output of 1; with five outputs, of a game */
};

/* What is wrong with a shape; null: nothing. */
const char *network_shape_fault(const struct network_shape *shape);

/* The layers behind the accumulators, the last of which gives the outputs: numbers in, numbers out. */
struct network_layer_shape {
    uint32_t in, out;
};
int network_layer_shapes(const struct network_shape *shape,
                         struct network_layer_shape layers[NETWORK_MOST_LAYERS]);

/* How many weights the inputs have, and how many biases the accumulator. */
size_t network_input_weights(const struct network_shape *shape);
size_t network_biases(const struct network_shape *shape);

/* All weights of a network, or their gradients, in one array. */
struct weights {
    struct network_shape shape;
    float *all;
    size_t count;
    float *input; /* a row of width for each input; a table: a row of inputs for each head */
    float *bias;  /* width; a table has none */
    int layer_count;
    struct weights_layer {
        struct network_layer_shape shape;
        float *rows; /* heads x out x in */
        float *bias; /* heads x out */
    } layers[NETWORK_MOST_LAYERS];
};

/* False: no memory. All zero. */
bool weights_init(struct weights *weights, const struct network_shape *shape);
void weights_free(struct weights *weights);

/* Small numbers of both signs, so that the hidden units begin different from each other. */
void weights_begin(struct weights *weights, uint32_t most_active, uint64_t seed);

#endif

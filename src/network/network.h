/* network.h - a learned evaluation: sparse inputs, one hidden layer for each view, one output for each head.
 *
 * Of the inputs of a view (what one side sees) only some are active. Each adds its row of weights to the view's
 * accumulator; the accumulators, cut off at 0 and ONE and squared, are summed up with the weights of a head. All
 * of it in whole numbers: the same on every machine, in any order of additions. Knows nothing of games. */
#ifndef NETWORK_NETWORK_H
#define NETWORK_NETWORK_H

#include "manyply/game.h"

enum {
    NETWORK_ONE = 255,       /* an accumulator that is fully active */
    NETWORK_OUTPUT_ONE = 64, /* a weight of 1 of a head */
    NETWORK_MOST_WIDTH = 1024,
    NETWORK_MOST_INPUTS = 1 << 16,
    NETWORK_MOST_HEADS = 64,
    NETWORK_STEP = 16, /* widths are multiples of this */
};

struct network_shape {
    uint32_t inputs, width;
    uint32_t views, heads;
    int32_t scale; /* the value of an output of 1 */
};

struct network; /* does not change once it is made, so any thread may read it */

/* From weights as a trainer has them: inputs x width, width, heads x views x width, heads. Rounded, and cut off where
 * so many active inputs could overflow. Null: no memory. */
struct network *network_new(const struct network_shape *shape, const float *input, const float *bias,
                            const float *output, const float *output_bias, uint32_t most_active);

/* One more owner, and one less. */
struct network *network_share(struct network *network);
void network_free(struct network *network);

const struct network_shape *network_shape(const struct network *network);

/* A file says for which game it was made (with options, as the program opens it), and how. */
bool network_write(const struct network *network, const char *game, const char *made, const char *path,
                   struct mp_error *error);

/* Null: the sentence says what is wrong with the file. game, of at least NETWORK_NAME bytes, receives its game. */
enum { NETWORK_NAME = 128, NETWORK_MADE = 1024 };
struct network *network_read(const char *path, char game[NETWORK_NAME], char made[NETWORK_MADE],
                             struct mp_error *error);

/* The value of a state whose views have these active inputs. */
mp_value network_value(const struct network *network, const uint16_t *const active[2], const int counts[2],
                       int head);

#endif

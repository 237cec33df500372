/* gradient.h - how a network learns: what each weight should have been, for one state at a time. Weights are floats
 * here; network_new rounds them. */
#ifndef NETWORK_GRADIENT_H
#define NETWORK_GRADIENT_H

#include "network/weights.h"

struct example {
    const uint16_t *active[2];
    int counts[2];
    int head;
    float targets
        [NETWORK_MOST_OUTPUTS]; /* the first: the share of a win that the side to move should get, 0 to 1 */
};

/* Adds the gradient of the squared error of an example (null: only the error is wanted); the error, summed up over the
 * outputs. */
double gradient_add(const struct weights *weights, const struct example *example, struct weights *gradient);

/* What the network says of it. */
void gradient_outputs(const struct weights *weights, const struct example *example,
                      double shares[NETWORK_MOST_OUTPUTS]);

/* Adam (Kingma and Ba 2015) on a part of the weights: step counts from 1, gradients are those of all threads, which
 * are summed up and cleared. */
struct adam {
    float *mean, *square; /* one for each weight */
    double rate;
    int step;
};
void gradient_step(struct weights *weights, struct weights gradients[], int threads, double examples,
                   struct adam *adam, size_t first, size_t last);

#endif

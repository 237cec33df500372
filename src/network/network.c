/* network.c - makes a network from a trainer's weights, owns it, and values a state with it. */
#include "network/network_inner.h"

#include <math.h>
#include <stdlib.h>

/* ---- Making ------------------------------------------------------------------------------------------- */

struct network *network_blank(const struct network_shape *shape)
{
    struct network *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->shape = *shape;
    atomic_init(&n->owners, 1);
    n->input = calloc((size_t)shape->inputs * shape->width, sizeof *n->input);
    n->bias = calloc(shape->width, sizeof *n->bias);
    n->output = calloc((size_t)shape->heads * shape->views * shape->width, sizeof *n->output);
    n->output_bias = calloc(shape->heads, sizeof *n->output_bias);
    if (n->input && n->bias && n->output && n->output_bias)
        return n;
    network_free(n);
    return NULL;
}

static int16_t rounded(double weight, double most)
{
    double limited = weight > most ? most : weight < -most ? -most : weight;
    return (int16_t)lrint(limited);
}

struct network *network_new(const struct network_shape *shape, const float *input, const float *bias,
                            const float *output, const float *output_bias, uint32_t most_active)
{
    struct network *n = network_blank(shape);
    if (!n)
        return NULL;
    /* All active at once, and the bias, stay within 16 bits. */
    const double most = (double)INT16_MAX / (most_active + 1);
    const double output_one = (double)NETWORK_ONE * NETWORK_ONE * NETWORK_OUTPUT_ONE;
    for (size_t i = 0; i < (size_t)shape->inputs * shape->width; i++)
        n->input[i] = rounded((double)input[i] * NETWORK_ONE, most);
    for (size_t i = 0; i < shape->width; i++)
        n->bias[i] = rounded((double)bias[i] * NETWORK_ONE, most);
    for (size_t i = 0; i < (size_t)shape->heads * shape->views * shape->width; i++)
        n->output[i] = rounded((double)output[i] * NETWORK_OUTPUT_ONE, NETWORK_MOST_OUTPUT);
    for (size_t i = 0; i < shape->heads; i++)
        n->output_bias[i] = (int32_t)lrint(fmax(-100, fmin(100, (double)output_bias[i])) * output_one);
    return n;
}

struct network *network_share(struct network *n)
{
    if (n)
        atomic_fetch_add_explicit(&n->owners, 1, memory_order_relaxed);
    return n;
}

void network_free(struct network *n)
{
    if (!n || atomic_fetch_sub_explicit(&n->owners, 1, memory_order_acq_rel) > 1)
        return;
    free(n->input);
    free(n->bias);
    free(n->output);
    free(n->output_bias);
    free(n);
}

const struct network_shape *network_shape(const struct network *n)
{
    return &n->shape;
}

/* ---- Valuing ------------------------------------------------------------------------------------------ */

#if defined(__x86_64__)
static network_sum_function *const sums[LEVEL_COUNT] = {network_sum_base, network_sum_v3, network_sum_v4};
#else
static network_sum_function *const sums[LEVEL_COUNT] = {network_sum_base};
#endif

mp_value network_value(const struct network *n, const uint16_t *const active[2], const int counts[2],
                       int head)
{
    const size_t per_head = (size_t)n->shape.views * n->shape.width;
    network_sum_function *sum = sums[level_best()];
    int64_t total = n->output_bias[head];
    for (uint32_t view = 0; view < n->shape.views; view++)
        total += sum(n, active[view], counts[view],
                     n->output + (size_t)head * per_head + (size_t)view * n->shape.width);
    int64_t one = (int64_t)NETWORK_ONE * NETWORK_ONE * NETWORK_OUTPUT_ONE;
    int64_t value = total * n->shape.scale / one;
    return value > MP_EVAL_MAX ? MP_EVAL_MAX : value < -MP_EVAL_MAX ? -MP_EVAL_MAX : (mp_value)value;
}

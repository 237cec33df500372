/* network.c - makes a network from a trainer's weights, owns it, and values a state with it. */
#include "network/network_inner.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Making ------------------------------------------------------------------------------------------- */

/* A layer of fewer sums is faster row by row. */
enum { FEWEST_COLUMNS = 5 };

static void *room(size_t count, size_t size)
{
    size_t bytes = memory_lines(count * size);
    void *memory = aligned_alloc(MEMORY_LINE, bytes ? bytes : MEMORY_LINE);
    return memory ? memset(memory, 0, bytes) : NULL;
}

static void make_logistic(struct network *n)
{
    for (int i = 0; i <= NETWORK_LOGISTIC_STEPS + 1; i++) {
        double x = (double)i / (1 << NETWORK_LOGISTIC_SHIFT) - NETWORK_LOGISTIC_RANGE;
        n->logistic[i] = (int32_t)lrint(NETWORK_WHOLE / (1 + exp(-x)));
    }
}

struct network *network_blank(const struct network_shape *shape)
{
    static const struct network_rows *const levels[LEVEL_COUNT] = LEVEL_TABLES(network_rows);
    struct network_layer_shape layers[NETWORK_MOST_LAYERS];
    struct network *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->shape = *shape;
    n->level = levels[level_best()];
    n->layer_count = network_layer_shapes(shape, layers);
    atomic_init(&n->owners, 1);
    make_logistic(n);
    n->input = room(network_input_weights(shape), sizeof *n->input);
    n->bias = room(network_biases(shape), sizeof *n->bias);
    bool ok = n->input && n->bias;
    for (int i = 0; i < n->layer_count; i++) {
        size_t sums = (size_t)shape->heads * layers[i].out;
        struct network_layer *layer = &n->layers[i];
        *layer = (struct network_layer){.shape = layers[i],
                                        .rows = room(sums * layers[i].in, sizeof(int16_t)),
                                        .bias = room(sums, sizeof(int32_t))};
        ok = ok && layer->rows && layer->bias;
        if (layers[i].out < FEWEST_COLUMNS)
            continue;
        layer->columns = (layers[i].out + NETWORK_STEP / 2 - 1) & ~(NETWORK_STEP / 2 - 1u);
        layer->pairs = room((size_t)shape->heads * layers[i].in * layer->columns, sizeof(int16_t));
        ok = ok && layer->pairs;
    }
    if (ok)
        return n;
    network_free(n);
    return NULL;
}

void network_finish(struct network *n)
{
    for (int k = 0; k < n->layer_count; k++) {
        const struct network_layer *layer = &n->layers[k];
        const size_t in = layer->shape.in, out = layer->shape.out;
        for (size_t sum = 0; layer->pairs && sum < n->shape.heads * out; sum++)
            for (size_t i = 0; i < in; i++)
                layer->pairs[((sum / out * in / 2 + i / 2) * layer->columns + sum % out) * 2 + i % 2] =
                    layer->rows[sum * in + i];
    }
}

/* How large the sum of an accumulator can get, in any column. */
static double largest_sum(const struct weights *w, uint32_t most_active)
{
    const uint32_t width = w->shape.width;
    double largest = 0;
    for (uint32_t column = 0; column < width; column++) {
        double most = 0;
        for (size_t i = column; i < (size_t)w->shape.inputs * width; i += width)
            most = fmax(most, fabs((double)w->input[i]));
        largest = fmax(largest, most * most_active + fabs((double)w->bias[column]));
    }
    return largest;
}

static double largest_of(const float *first, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs((double)first[i]));
    return largest;
}

/* The sum of a layer is largest if every number that goes in is 1. */
static double largest_row(const struct weights_layer *layer, uint32_t heads)
{
    double largest = 0;
    for (size_t j = 0; j < (size_t)heads * layer->shape.out; j++) {
        double sum = fabs((double)layer->bias[j]);
        for (size_t i = 0; i < layer->shape.in; i++)
            sum += fabs((double)layer->rows[j * layer->shape.in + i]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* The largest shift up to most with which a number stays below a limit; rounding may add a half to each part. */
static uint32_t shift_for(double number, double limit, uint32_t least, uint32_t most)
{
    while (most > least && ldexp(number, (int)most) > limit)
        most--;
    return most;
}

static int16_t rounded(float weight, uint32_t shift, double most)
{
    double scaled = ldexp((double)weight, (int)shift);
    return (int16_t)lrint(fmax(-most, fmin(most, scaled)));
}

static void round_input(struct network *n, const struct weights *w)
{
    const bool table = w->shape.width == NETWORK_TABLE;
    const double each = table ? INT16_MAX : (INT16_MAX - 1.0) / (n->most_active + 1);
    double largest = table
                         ? largest_of(w->input, network_input_weights(&w->shape))
                         : largest_sum(w, n->most_active) + 0.5 * n->most_active / (1 << NETWORK_MOST_SHIFT);
    n->shift = shift_for(largest, INT16_MAX - 1 - (table ? 0 : n->most_active), NETWORK_LEAST_SHIFT,
                         NETWORK_MOST_SHIFT);
    /* Where even the least shift is too much, all active at once, and the bias, still stay within 16 bits. */
    bool fits = ldexp(largest, (int)n->shift) <= INT16_MAX - 1 - (table ? 0 : n->most_active);
    for (size_t i = 0; i < network_input_weights(&w->shape); i++)
        n->input[i] = rounded(w->input[i], n->shift, fits ? INT16_MAX : each);
    for (size_t i = 0; i < network_biases(&w->shape); i++)
        n->bias[i] = rounded(w->bias[i], n->shift, fits ? INT16_MAX : each);
}

static void round_layer(struct network_layer *to, const struct weights_layer *from, uint32_t heads)
{
    const size_t sums = (size_t)heads * to->shape.out;
    /* No sum reaches 2^30, and so none overflows when rounding has added its halves. */
    uint32_t shift = shift_for(largest_row(from, heads), 1 << (30 - NETWORK_UNIT_SHIFT), 0,
                               NETWORK_MOST_LAYER_SHIFT);
    to->shift = shift_for(largest_of(from->rows, sums * to->shape.in), INT16_MAX, 0, shift);
    for (size_t i = 0; i < sums * to->shape.in; i++)
        to->rows[i] = rounded(from->rows[i], to->shift, INT16_MAX);
    for (size_t i = 0; i < sums; i++)
        to->bias[i] = (int32_t)lrint(
            fmax(-1e9, fmin(1e9, ldexp((double)from->bias[i], (int)to->shift + NETWORK_UNIT_SHIFT))));
}

struct network *network_new(const struct weights *w, uint32_t most_active)
{
    struct network *n = network_blank(&w->shape);
    if (!n)
        return NULL;
    n->most_active = most_active;
    round_input(n, w);
    for (int i = 0; i < n->layer_count; i++)
        round_layer(&n->layers[i], &w->layers[i], w->shape.heads);
    network_finish(n);
    return n;
}

static void to_floats(const int16_t *from, size_t count, uint32_t shift, float *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = ldexpf(from[i], -(int)shift);
}

void network_to_weights(const struct network *n, struct weights *w)
{
    to_floats(n->input, network_input_weights(&n->shape), n->shift, w->input);
    to_floats(n->bias, network_biases(&n->shape), n->shift, w->bias);
    for (int k = 0; k < n->layer_count; k++) {
        const struct network_layer *layer = &n->layers[k];
        const size_t sums = (size_t)n->shape.heads * layer->shape.out;
        to_floats(layer->rows, sums * layer->shape.in, layer->shift, w->layers[k].rows);
        for (size_t i = 0; i < sums; i++)
            w->layers[k].bias[i] = (float)ldexp(layer->bias[i], -(int)(layer->shift + NETWORK_UNIT_SHIFT));
    }
}

bool network_is_safe(const struct network *n)
{
    const uint32_t width = n->shape.width;
    for (uint32_t column = 0; width != NETWORK_TABLE && column < width; column++) {
        int64_t most = 0;
        for (size_t i = column; i < (size_t)n->shape.inputs * width; i += width)
            most = abs(n->input[i]) > most ? abs(n->input[i]) : most;
        if (most * n->most_active + abs(n->bias[column]) > INT16_MAX)
            return false;
    }
    for (int k = 0; k < n->layer_count; k++) {
        const struct network_layer *layer = &n->layers[k];
        for (size_t j = 0; j < (size_t)n->shape.heads * layer->shape.out; j++) {
            int64_t sum = llabs((long long)layer->bias[j]);
            for (size_t i = 0; i < layer->shape.in; i++)
                sum += (int64_t)NETWORK_UNIT * abs(layer->rows[j * layer->shape.in + i]);
            if (sum > INT32_MAX)
                return false;
        }
    }
    return true;
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
    for (int i = 0; i < n->layer_count; i++) {
        free(n->layers[i].rows);
        free(n->layers[i].pairs);
        free(n->layers[i].bias);
    }
    free(n);
}

const struct network_shape *network_shape(const struct network *n)
{
    return &n->shape;
}

uint32_t network_most_active(const struct network *n)
{
    return n->most_active;
}

/* ---- Valuing ------------------------------------------------------------------------------------------ */

void network_accumulate(const struct network *n, const int16_t *from, const struct network_change *change,
                        int16_t *to)
{
    n->level->accumulate(n, from ? from : n->bias, change, to);
}

static mp_value limited(int64_t value)
{
    return value > MP_EVAL_MAX ? MP_EVAL_MAX : value < -MP_EVAL_MAX ? -MP_EVAL_MAX : (mp_value)value;
}

/* NETWORK_WHOLE times the logistic function of a number whose 1 is 2^shift. */
static int64_t share_of(const struct network *n, int64_t x, uint32_t shift)
{
    const int64_t range = (int64_t)NETWORK_LOGISTIC_RANGE << shift;
    const uint32_t fine = shift - NETWORK_LOGISTIC_SHIFT;
    x = x < -range ? -range : x > range ? range : x;
    int64_t at = (x + range) >> fine, rest = (x + range) & (((int64_t)1 << fine) - 1);
    return n->logistic[at] + (((n->logistic[at + 1] - n->logistic[at]) * rest) >> fine);
}

void network_shares(const struct network *n, const int16_t *const accumulators[2], int head,
                    int32_t shares[NETWORK_MOST_OUTPUTS])
{
    int32_t outputs[NETWORK_MOST_OUTPUTS];
    n->level->forward(n, accumulators, head, outputs);
    for (uint32_t i = 0; i < n->shape.outputs; i++)
        shares[i] = (int32_t)share_of(n, outputs[i],
                                      NETWORK_UNIT_SHIFT + n->layers[n->layer_count - 1].shift);
}

mp_value network_value(const struct network *n, const int16_t *const accumulators[2], int head)
{
    if (n->shape.outputs == 1) {
        int32_t output;
        const uint32_t shift = NETWORK_UNIT_SHIFT + n->layers[n->layer_count - 1].shift;
        n->level->forward(n, accumulators, head, &output);
        return limited((int64_t)output * n->shape.scale / ((int64_t)1 << shift));
    }
    int32_t shares[NETWORK_MOST_OUTPUTS];
    network_shares(n, accumulators, head, shares);
    int64_t points = 2 * shares[0] - NETWORK_WHOLE + shares[1] + shares[2] - shares[3] - shares[4];
    return limited(points * n->shape.scale / NETWORK_WHOLE);
}

mp_value network_table_value(const struct network *n, const uint16_t *active, int count, int head)
{
    const int16_t *table = n->input + (size_t)head * n->shape.inputs;
    int32_t sums[2] = {0, 0}; /* which do not wait for each other */
    int i = 0;
    for (; i + 2 <= count; i += 2) {
        sums[0] += table[active[i]];
        sums[1] += table[active[i + 1]];
    }
    int64_t sum = (int64_t)sums[0] + sums[1] + (i < count ? table[active[i]] : 0);
    /* 13 bits behind the point, as those of the sum are made */
    int64_t bias = n->layers[0].bias[head] >> n->layers[0].shift;
    return limited(((sum * NETWORK_UNIT >> n->shift) + bias) * n->shape.scale / NETWORK_UNIT);
}

mp_value network_fresh_value(const struct network *n, const uint16_t *const active[2], const int counts[2],
                             int head)
{
    int16_t sums[2][NETWORK_MOST_WIDTH] __attribute__((aligned(MEMORY_LINE)));
    if (n->shape.width == NETWORK_TABLE)
        return network_table_value(n, active[0], counts[0], head);
    for (uint32_t view = 0; view < n->shape.views; view++) {
        struct network_change all = {.come = active[view], .come_count = counts[view]};
        network_accumulate(n, NULL, &all, sums[view]);
    }
    return network_value(n, (const int16_t *[]){sums[0], sums[1]}, head);
}

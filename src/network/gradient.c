/* gradient.c - forward and back through a network for one example, and Adam's step. */
#include "network/gradient.h"

#include "base/level.h"
#include "network/gradient_rows.h"

#include <math.h>

static const struct gradient_rows *rows(void)
{
    static const struct gradient_rows *const levels[LEVEL_COUNT] = LEVEL_TABLES(gradient_rows);
    return levels[level_best()];
}

/* What a network computes for an example, layer by layer. */
struct forward_pass {
    float accumulators[2 * NETWORK_MOST_WIDTH] __attribute__((aligned(64)));
    float numbers[NETWORK_MOST_LAYERS][2 * NETWORK_MOST_WIDTH]
        __attribute__((aligned(64)));                                                 /* into each layer */
    float sums[NETWORK_MOST_LAYERS][NETWORK_MOST_WIDTH] __attribute__((aligned(64))); /* out of it */
    double shares[NETWORK_MOST_OUTPUTS];
};

static void forward_table(const struct weights *w, const struct example *e, struct forward_pass *p)
{
    const float *table = w->input + (size_t)e->head * w->shape.inputs;
    float sum = w->layers[0].bias[e->head];
    for (int i = 0; i < e->counts[0]; i++)
        sum += table[e->active[0][i]];
    p->shares[0] = 1 / (1 + exp(-(double)sum));
}

static void forward(const struct weights *w, const struct example *e, struct forward_pass *p)
{
    const struct gradient_rows *kernel = rows();
    const uint32_t width = w->shape.width, views = w->shape.views;
    if (width == NETWORK_TABLE) {
        forward_table(w, e, p);
        return;
    }
    for (uint32_t view = 0; view < views; view++)
        kernel->gather(w->input, w->bias, e->active[view], e->counts[view], width,
                       p->accumulators + (size_t)view * width);
    kernel->square(p->accumulators, views * width, p->numbers[0]);
    for (int k = 0; k < w->layer_count; k++) {
        const struct weights_layer *layer = &w->layers[k];
        const uint32_t in = layer->shape.in, out = layer->shape.out;
        kernel->layer(layer->rows + (size_t)e->head * out * in, layer->bias + (size_t)e->head * out, in, out,
                      p->numbers[k], p->sums[k]);
        for (uint32_t j = 0; k + 1 < w->layer_count && j < out; j++)
            p->numbers[k + 1][j] = p->sums[k][j] < 0 ? 0 : p->sums[k][j] > 1 ? 1 : p->sums[k][j];
    }
    for (uint32_t j = 0; j < w->shape.outputs; j++)
        p->shares[j] = 1 / (1 + exp(-(double)p->sums[w->layer_count - 1][j]));
}

/* slopes: of the error by each output; becomes that of the first layer's numbers on the way. */
static void back(const struct weights *w, const struct example *e, struct forward_pass *p,
                 const float *slopes, struct weights *g)
{
    const struct gradient_rows *kernel = rows();
    const uint32_t width = w->shape.width;
    float gradients[2][2 * NETWORK_MOST_WIDTH] __attribute__((aligned(64)));
    const float *behind = slopes;
    for (int k = w->layer_count - 1; k >= 0; k--) {
        const struct weights_layer *layer = &w->layers[k];
        const uint32_t in = layer->shape.in, out = layer->shape.out;
        const size_t head = (size_t)e->head * out;
        float *before = gradients[k % 2];
        kernel->layer_back(layer->rows + head * in, behind, in, out, p->numbers[k],
                           g->layers[k].rows + head * in, g->layers[k].bias + head, before);
        for (uint32_t i = 0; k > 0 && i < in; i++)
            before[i] = p->sums[k - 1][i] > 0 && p->sums[k - 1][i] < 1 ? before[i] : 0;
        behind = before;
    }
    kernel->square_back(p->accumulators, w->shape.views * width, gradients[0]);
    for (uint32_t view = 0; view < w->shape.views; view++)
        kernel->scatter(g->input, g->bias, e->active[view], e->counts[view], width,
                        gradients[0] + (size_t)view * width);
}

static void back_table(const struct weights *w, const struct example *e, float slope, struct weights *g)
{
    float *table = g->input + (size_t)e->head * w->shape.inputs;
    g->layers[0].bias[e->head] += slope;
    for (int i = 0; i < e->counts[0]; i++)
        table[e->active[0][i]] += slope;
}

double gradient_add(const struct weights *w, const struct example *e, struct weights *g)
{
    struct forward_pass p;
    float slopes[NETWORK_MOST_OUTPUTS];
    double sum = 0;
    forward(w, e, &p);
    for (uint32_t j = 0; j < w->shape.outputs; j++) {
        double error = p.shares[j] - (double)e->targets[j];
        slopes[j] = (float)(2 * error * p.shares[j] * (1 - p.shares[j]));
        sum += error * error;
    }
    if (g && w->shape.width == NETWORK_TABLE)
        back_table(w, e, slopes[0], g);
    else if (g)
        back(w, e, &p, slopes, g);
    return sum;
}

void gradient_outputs(const struct weights *w, const struct example *e, double shares[NETWORK_MOST_OUTPUTS])
{
    struct forward_pass p;
    forward(w, e, &p);
    for (uint32_t j = 0; j < w->shape.outputs; j++)
        shares[j] = p.shares[j];
}

void gradient_step(struct weights *w, struct weights gradients[], int threads, double examples,
                   struct adam *adam, size_t first, size_t last)
{
    float rate = (float)(adam->rate * sqrt(1 - pow(0.999, adam->step)) / (1 - pow(0.9, adam->step)));
    rows()->step(w->all, adam->mean, adam->square, gradients, threads, (float)(1 / examples), rate, first,
                 last);
}

/* gradient.c - forward and back through a network for one example, and Adam's step. */
#include "network/gradient.h"

#include "base/level.h"
#include "base/memory.h"
#include "network/gradient_rows.h"

#include <math.h>
#include <stdlib.h>

/* Beyond this a weight could not be kept in 16 bits with its neighbours. */
static const float most_weight = 1.98f;

bool weights_init(struct weights *w, const struct network_shape *shape)
{
    size_t input = (size_t)shape->inputs * shape->width,
           output = (size_t)shape->heads * shape->views * shape->width;
    *w = (struct weights){.shape = *shape, .count = input + shape->width + output + shape->heads};
    w->input = aligned_alloc(MEMORY_LINE, memory_lines(w->count * sizeof *w->input));
    if (!w->input)
        return false;
    for (size_t i = 0; i < w->count; i++)
        w->input[i] = 0;
    w->bias = w->input + input;
    w->output = w->bias + shape->width;
    w->output_bias = w->output + output;
    return true;
}

void weights_free(struct weights *w)
{
    free(w->input);
}

static const struct gradient_rows *rows(void)
{
    static const struct gradient_rows *const levels[LEVEL_COUNT] = LEVEL_TABLES(gradient_rows);
    return levels[level_best()];
}

double gradient_add(const struct weights *w, const struct example *e, struct weights *g)
{
    const struct gradient_rows *kernel = rows();
    const uint32_t width = w->shape.width, views = w->shape.views;
    float accumulator[2][NETWORK_MOST_WIDTH] __attribute__((aligned(64)));
    const float *output = w->output + (size_t)e->head * views * width;
    float sum = w->output_bias[e->head];
    for (uint32_t view = 0; view < views; view++) {
        kernel->gather(w->input, w->bias, e->active[view], e->counts[view], width, accumulator[view]);
        sum += kernel->sum(accumulator[view], output + (size_t)view * width, width);
    }
    double share = 1 / (1 + exp(-(double)sum)), error = share - (double)e->target;
    if (!g)
        return error * error;
    float slope = (float)(2 * error * share * (1 - share));
    float *output_gradient = g->output + (size_t)e->head * views * width;
    g->output_bias[e->head] += slope;
    for (uint32_t view = 0; view < views; view++) {
        kernel->back(accumulator[view], output + (size_t)view * width, slope, width,
                     output_gradient + (size_t)view * width);
        kernel->scatter(g->input, g->bias, e->active[view], e->counts[view], width, accumulator[view]);
    }
    return error * error;
}

void gradient_step(struct weights *w, struct weights gradients[], int threads, double examples,
                   struct adam *adam, size_t first, size_t last)
{
    const float keep_mean = 0.9f, keep_square = 0.999f, least = 1e-8f;
    float rate = (float)(adam->rate * sqrt(1 - pow((double)keep_square, adam->step)) /
                         (1 - pow((double)keep_mean, adam->step)));
    float share = (float)(1 / examples);
    for (size_t i = first; i < last; i++) {
        float gradient = 0;
        for (int t = 0; t < threads; t++) {
            gradient += gradients[t].input[i];
            gradients[t].input[i] = 0;
        }
        gradient *= share;
        adam->mean[i] = keep_mean * adam->mean[i] + (1 - keep_mean) * gradient;
        adam->square[i] = keep_square * adam->square[i] + (1 - keep_square) * gradient * gradient;
        float weight = w->input[i] - rate * adam->mean[i] / (sqrtf(adam->square[i]) + least);
        w->input[i] = weight > most_weight ? most_weight : weight < -most_weight ? -most_weight : weight;
    }
}

/* weights.c - lays out the weights of a network, and gives them values to begin with. */
#include "network/weights.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_width(uint32_t width)
{
    return width >= NETWORK_STEP && width <= NETWORK_MOST_WIDTH && width % NETWORK_STEP == 0;
}

const char *network_shape_fault(const struct network_shape *s)
{
    if (s->inputs < 1 || s->inputs > NETWORK_MOST_INPUTS)
        return "inputs, expected 1 to 65536";
    if (s->views < 1 || s->views > 2)
        return "views, expected 1 or 2";
    if (s->heads < 1 || s->heads > NETWORK_MOST_HEADS)
        return "heads, expected 1 to 64";
    if (s->outputs != 1 && s->outputs != NETWORK_MOST_OUTPUTS)
        return "outputs, expected 1 or 5";
    if (s->width == NETWORK_TABLE)
        return s->views == 1 && s->dense_count == 0 && s->outputs == 1
                   ? NULL
                   : "width 1, expected one view, no layers and one output with it";
    if (!is_width(s->width))
        return "width, expected 1 or a multiple of 16 up to 1024";
    if (s->dense_count > NETWORK_MOST_DENSE)
        return "layers, expected at most 3";
    for (uint32_t i = 0; i < s->dense_count; i++)
        if (!is_width(s->dense[i]))
            return "the width of a layer, expected a multiple of 16 up to 1024";
    return NULL;
}

int network_layer_shapes(const struct network_shape *s,
                         struct network_layer_shape layers[NETWORK_MOST_LAYERS])
{
    uint32_t in = s->width == NETWORK_TABLE ? 0 : s->views * s->width;
    for (uint32_t i = 0; i < s->dense_count; i++) {
        layers[i] = (struct network_layer_shape){in, s->dense[i]};
        in = s->dense[i];
    }
    layers[s->dense_count] = (struct network_layer_shape){in, s->outputs};
    return (int)s->dense_count + 1;
}

size_t network_input_weights(const struct network_shape *s)
{
    return (size_t)s->inputs * (s->width == NETWORK_TABLE ? s->heads : s->width);
}

size_t network_biases(const struct network_shape *s)
{
    return s->width == NETWORK_TABLE ? 0 : s->width;
}

bool weights_init(struct weights *w, const struct network_shape *shape)
{
    struct network_layer_shape layers[NETWORK_MOST_LAYERS];
    *w = (struct weights){.shape = *shape, .layer_count = network_layer_shapes(shape, layers)};
    w->count = network_input_weights(shape) + network_biases(shape);
    for (int i = 0; i < w->layer_count; i++)
        w->count += (size_t)shape->heads * layers[i].out * (layers[i].in + 1);
    size_t size = memory_lines(w->count * sizeof *w->all);
    w->all = aligned_alloc(MEMORY_LINE, size);
    if (!w->all)
        return false;
    memset(w->all, 0, size);
    w->input = w->all;
    w->bias = w->input + network_input_weights(shape);
    float *next = w->bias + network_biases(shape);
    for (int i = 0; i < w->layer_count; i++) {
        size_t sums = (size_t)shape->heads * layers[i].out;
        w->layers[i] = (struct weights_layer){layers[i], next, next + sums * layers[i].in};
        next = w->layers[i].bias + sums;
    }
    return true;
}

void weights_free(struct weights *w)
{
    free(w->all);
}

static void spread(float *first, size_t count, double most, uint64_t *stream)
{
    for (size_t i = 0; i < count; i++) {
        double one = (double)random_below(random_next(stream), 1 << 24) / (1 << 23) - 1;
        first[i] = (float)(one * most);
    }
}

void weights_begin(struct weights *w, uint32_t most_active, uint64_t seed)
{
    uint64_t stream = random_at(seed, 0);
    if (w->shape.width == NETWORK_TABLE)
        return; /* all zero: its weights differ by what they are added for */
    spread(w->input, network_input_weights(&w->shape), 1 / sqrt(most_active), &stream);
    spread(w->bias, network_biases(&w->shape), 0.5, &stream);
    for (int i = 0; i < w->layer_count; i++) {
        const struct weights_layer *layer = &w->layers[i];
        size_t sums = (size_t)w->shape.heads * layer->shape.out;
        bool last = i == w->layer_count - 1;
        spread(layer->rows, sums * layer->shape.in, (last ? 1 : 2) / sqrt(layer->shape.in), &stream);
        for (size_t j = 0; j < sums && !last; j++)
            layer->bias[j] = 0.25f; /* inside of the range in which a unit learns */
    }
}

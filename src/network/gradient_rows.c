/* gradient_rows.c - plain loops over rows of weights. Compiled once for each CPU level; sums are made in sixteen lanes,
 * so that the order of additions does not depend on the level. */
#include "network/gradient_rows.h"

#include "base/level.h"

#include <math.h>
#include <stddef.h>

enum { LANES = 16 };
typedef float lanes __attribute__((vector_size(sizeof(float) * LANES), aligned(4), may_alias));

/* Beyond this a weight could not be kept in 16 bits with its neighbours. */
static const float most_weight = 1.98f;

static void gather(const float *input, const float *bias, const uint16_t *active, int count, uint32_t width,
                   float *restrict sum)
{
    for (uint32_t i = 0; i < width; i += LANES) {
        lanes part = *(const lanes *)(bias + i);
        for (int k = 0; k < count; k++)
            part += *(const lanes *)(input + (size_t)active[k] * width + i);
        *(lanes *)(sum + i) = part;
    }
}

static void scatter(float *input, float *bias, const uint16_t *active, int count, uint32_t width,
                    const float *restrict gradient)
{
    for (uint32_t i = 0; i < width; i++)
        bias[i] += gradient[i];
    for (int k = 0; k < count; k++) {
        float *row = input + (size_t)active[k] * width;
        for (uint32_t i = 0; i < width; i++)
            row[i] += gradient[i];
    }
}

static float cut(float x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static void square(const float *restrict sums, uint32_t width, float *restrict numbers)
{
    for (uint32_t i = 0; i < width; i++)
        numbers[i] = cut(sums[i]) * cut(sums[i]);
}

static void square_back(const float *restrict sums, uint32_t width, float *restrict gradient)
{
    for (uint32_t i = 0; i < width; i++)
        gradient[i] *= sums[i] > 0 && sums[i] < 1 ? 2 * sums[i] : 0;
}

static void layer(const float *rows, const float *bias, uint32_t in, uint32_t out,
                  const float *restrict numbers, float *restrict sums)
{
    for (uint32_t j = 0; j < out; j++) {
        lanes part = {0};
        float sum = bias[j];
        for (uint32_t i = 0; i < in; i += LANES)
            part += *(const lanes *)(rows + (size_t)j * in + i) * *(const lanes *)(numbers + i);
        for (int lane = 0; lane < LANES; lane++)
            sum += part[lane];
        sums[j] = sum;
    }
}

static void layer_back(const float *restrict rows, const float *restrict sums_gradient, uint32_t in,
                       uint32_t out, const float *restrict numbers, float *restrict rows_gradient,
                       float *restrict bias_gradient, float *restrict numbers_gradient)
{
    for (uint32_t i = 0; i < in; i++)
        numbers_gradient[i] = 0;
    for (uint32_t j = 0; j < out; j++) {
        const float slope = sums_gradient[j];
        if (slope == 0)
            continue; /* of a unit that is cut off */
        bias_gradient[j] += slope;
        for (uint32_t i = 0; i < in; i++) {
            rows_gradient[(size_t)j * in + i] += slope * numbers[i];
            numbers_gradient[i] += slope * rows[(size_t)j * in + i];
        }
    }
}

/* Means that nothing adds to any more fade away; numbers below this are no normal floats soon, which some CPUs are very
 * slow with. */
static float faded(float mean)
{
    return fabsf(mean) < 1e-30f ? 0 : mean;
}

static void step(float *restrict weights, float *restrict mean, float *restrict square_mean,
                 const struct weights gradients[], int threads, float share, float rate, size_t first,
                 size_t last)
{
    const float keep_mean = 0.9f, keep_square = 0.999f, least = 1e-8f;
    float *restrict sum = gradients[0].all;
    for (int t = 1; t < threads; t++) {
        float *restrict other = gradients[t].all;
        for (size_t i = first; i < last; i++) {
            sum[i] += other[i];
            other[i] = 0;
        }
    }
    for (size_t i = first; i < last; i++) {
        float gradient = sum[i] * share;
        sum[i] = 0;
        mean[i] = faded(keep_mean * mean[i] + (1 - keep_mean) * gradient);
        square_mean[i] = faded(keep_square * square_mean[i] + (1 - keep_square) * gradient * gradient);
        float weight = weights[i] - rate * mean[i] / (sqrtf(square_mean[i]) + least);
        weights[i] = weight > most_weight ? most_weight : weight < -most_weight ? -most_weight : weight;
    }
}

const struct gradient_rows LEVELED(gradient_rows) = {gather, scatter,    square, square_back,
                                                     layer,  layer_back, step};

/* gradient_rows.c - plain loops over rows of weights. Compiled once for each CPU level. */
#include "network/gradient_rows.h"

#include "base/level.h"

#include <stddef.h>

static void gather(const float *input, const float *bias, const uint16_t *active, int count, uint32_t width,
                   float *restrict sum)
{
    for (uint32_t i = 0; i < width; i++)
        sum[i] = bias[i];
    for (int k = 0; k < count; k++) {
        const float *row = input + (size_t)active[k] * width;
        for (uint32_t i = 0; i < width; i++)
            sum[i] += row[i];
    }
}

/* Sixteen sums side by side, so that the order of additions does not depend on the level. */
static float sum_up(const float *accumulator, const float *output, uint32_t width)
{
    enum { LANES = 16 };
    float lanes[LANES] = {0}, sum = 0;
    for (uint32_t i = 0; i < width; i += LANES)
        for (uint32_t j = 0; j < LANES; j++) {
            float a = accumulator[i + j] < 0 ? 0 : accumulator[i + j] > 1 ? 1 : accumulator[i + j];
            lanes[j] += a * a * output[i + j];
        }
    for (int j = 0; j < LANES; j++)
        sum += lanes[j];
    return sum;
}

static void back(float *restrict accumulator, const float *restrict output, float slope, uint32_t width,
                 float *restrict output_gradient)
{
    for (uint32_t i = 0; i < width; i++) {
        float a = accumulator[i] < 0 ? 0 : accumulator[i] > 1 ? 1 : accumulator[i];
        output_gradient[i] += slope * a * a;
        float inside = accumulator[i] > 0 && accumulator[i] < 1 ? 2 * a : 0;
        accumulator[i] = slope * output[i] * inside;
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

const struct gradient_rows LEVELED(gradient_rows) = {gather, sum_up, back, scatter};

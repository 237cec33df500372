/* gradient_rows.h - the loops over rows of weights that training spends its time in, one table for each CPU level. */
#ifndef NETWORK_GRADIENT_ROWS_H
#define NETWORK_GRADIENT_ROWS_H

#include <stdint.h>

struct gradient_rows {
    /* sum = bias + the active rows */
    void (*gather)(const float *input, const float *bias, const uint16_t *active, int count, uint32_t width,
                   float *sum);
    /* The squared, cut off activations times a head's weights. */
    float (*sum)(const float *accumulator, const float *output, uint32_t width);
    /* Adds to the gradient of the head's weights; the accumulator becomes its own gradient. */
    void (*back)(float *accumulator, const float *output, float slope, uint32_t width,
                 float *output_gradient);
    /* Adds the accumulator's gradient to the bias and to the active rows. */
    void (*scatter)(float *input, float *bias, const uint16_t *active, int count, uint32_t width,
                    const float *gradient);
};

extern const struct gradient_rows gradient_rows_base;
#if defined(__x86_64__)
extern const struct gradient_rows gradient_rows_v3, gradient_rows_v4;
#endif

#endif

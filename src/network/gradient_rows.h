/* gradient_rows.h - the loops over rows of weights that training spends its time in, one table for each CPU level. */
#ifndef NETWORK_GRADIENT_ROWS_H
#define NETWORK_GRADIENT_ROWS_H

#include "base/level.h"
#include "network/weights.h"

struct gradient_rows {
    /* sum = bias + the active rows */
    void (*gather)(const float *input, const float *bias, const uint16_t *active, int count, uint32_t width,
                   float *sum);
    /* Adds a gradient to the bias and to the active rows. */
    void (*scatter)(float *input, float *bias, const uint16_t *active, int count, uint32_t width,
                    const float *gradient);
    /* Cut off at 0 and 1, and squared; and the gradient before that from the one behind it. */
    void (*square)(const float *sums, uint32_t width, float *numbers);
    void (*square_back)(const float *sums, uint32_t width, float *gradient);
    /* sums = bias + each row times the numbers; widths of numbers are multiples of 16 */
    void (*layer)(const float *rows, const float *bias, uint32_t in, uint32_t out, const float *numbers,
                  float *sums);
    /* From the gradient of the sums: adds to that of the rows and biases, and writes that of the numbers. */
    void (*layer_back)(const float *rows, const float *sums_gradient, uint32_t in, uint32_t out,
                       const float *numbers, float *rows_gradient, float *bias_gradient,
                       float *numbers_gradient);
    /* Adam's step on weights i with first <= i < last; gradient is the sum over the threads, which is
     * cleared. */
    void (*step)(float *weights, float *mean, float *square, const struct weights gradients[], int threads,
                 float share, float rate, size_t first, size_t last);
};

extern const struct gradient_rows gradient_rows_base;
#ifdef LEVEL_X86
extern const struct gradient_rows gradient_rows_v3, gradient_rows_v4;
#endif

#endif

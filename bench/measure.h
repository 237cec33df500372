/* measure.h - medians with their intervals, for benchmarks that interleave their contestants. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <math.h>
#include <stdlib.h>

static inline int measure_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct measure {
    double median, low, high; /* the interval holds the true median with 95% confidence or more */
};

/* Sorts the samples. The interval is made of order statistics: no assumption on their distribution. */
static inline struct measure measure_median(double *samples, int count)
{
    qsort(samples, (size_t)count, sizeof *samples, measure_compare);
    double reach = 0.98 * sqrt(count) + 0.5;
    int low = (int)floor(count / 2.0 - reach), high = (int)ceil(count / 2.0 - 1 + reach);
    low = low < 0 ? 0 : low;
    high = high > count - 1 ? count - 1 : high;
    double median = count % 2 ? samples[count / 2] : (samples[count / 2 - 1] + samples[count / 2]) / 2;
    return (struct measure){median, samples[low], samples[high]};
}

#endif

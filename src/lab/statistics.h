/* statistics.h - medians, intervals and tests for measured times. No assumption on how times are distributed,
 * because times have no nice distribution. */
#ifndef LAB_STATISTICS_H
#define LAB_STATISTICS_H

struct interval {
    double middle, low, high;
};

/* Half the width of the interval as a share of its middle. */
double interval_reach(struct interval interval);

/* The median of count >= 1 samples, which are sorted by this. */
double statistics_median(double *samples, int count);

/* The median, and order statistics between which the true median lies with 95% confidence or more (from the
 * binomial distribution). Fewer than six samples cannot give so much: then all of them lie in the interval.
 * The samples are sorted by this. */
struct interval statistics_median_interval(double *samples, int count);

/* The mean for ratios; samples > 0. */
double statistics_geometric_mean(const double *samples, int count);

/* How probable a difference as large as this one, or larger, is where there is none (two-sided p). NaN
 * without memory or without samples.
 *
 * Mann and Whitney's rank sum, for samples of two separate runs: exact for up to 50 samples without ties,
 * else the normal approximation with corrections for ties and continuity. */
double statistics_rank_sum(const double *first, int first_count, const double *second, int second_count);

/* Wilcoxon's signed ranks, for differences of pairs that were measured together: exact for up to 50
 * differences without ties, else the normal approximation. Zeros are left out. */
double statistics_signed_rank(const double *differences, int count);

#endif

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
 * binomial distribution). Fewer than six samples cannot give that much: then all of them lie in the interval.
 * The samples are sorted by this. */
struct interval statistics_median_interval(double *samples, int count);

/* The mean for ratios; samples > 0. */
double statistics_geometric_mean(const double *samples, int count);

/* A sum from which mean and deviation follow: 0 where there are too few values. */
struct spread {
    double count, sum, squares;
};
void spread_add(struct spread *spread, double value);
double spread_mean(const struct spread *spread);
double spread_deviation(const struct spread *spread);

/* Are pairs of measurements different? differences[round * columns + column] are those of pairs that were
 * measured together; a column is what makes them alike (a position), a round what disturbs them alike.
 *
 * `middle` is the mean over the columns of the median of each: a pair that was disturbed counts for no more
 * than another. A round's score is how many more columns are positive than negative. If there were no
 * difference, either sign of each score would be as probable as the other: p is the chance, over all choices
 * of signs, of a sum as far from zero as the real one. With one column this is the classical sign test. No
 * assumption is needed on how differences are distributed, and n rounds give no p below 2 / 2^n. NaN without
 * memory or without rounds. */
struct sign_test {
    double middle, p;
};
struct sign_test statistics_sign_test(const double *differences, int rounds, int columns);

#endif

#include "lab/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double interval_reach(struct interval i)
{
    return (i.high - i.low) / 2 / i.middle;
}

double statistics_median(double *samples, int count)
{
    qsort(samples, (size_t)count, sizeof *samples, compare_doubles);
    return count % 2 ? samples[count / 2] : (samples[count / 2 - 1] + samples[count / 2]) / 2;
}

/* How many of the smallest samples, and of the largest, may lie outside the interval of the median: the
 * chance that the true median is among them is at most 2.5% on each side. */
static int outside(int count)
{
    double chance = pow(0.5, count), sum = chance; /* of exactly k heads in count throws, and of at most k */
    int k = 0;
    while (sum <= 0.025) {
        chance *= (double)(count - k) / (k + 1);
        k++;
        sum += chance;
    }
    return k > 0 ? k - 1 : 0;
}

struct interval statistics_median_interval(double *samples, int count)
{
    double median = statistics_median(samples, count);
    int out = outside(count);
    return (struct interval){median, samples[out], samples[count - 1 - out]};
}

double statistics_geometric_mean(const double *samples, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += log(samples[i]);
    return exp(sum / count);
}

/* ---- Ranks ----------------------------------------------------------------------------------------------
 */

struct ranked {
    double value, rank;
    bool mark; /* belongs to the first sample, or was positive */
};

static int compare_ranked(const void *a, const void *b)
{
    return compare_doubles(&((const struct ranked *)a)->value, &((const struct ranked *)b)->value);
}

/* Sorts and ranks from 1, equal values with their mean rank; returns the sum of t^3 - t over the ties. */
static double give_ranks(struct ranked *list, int count)
{
    double ties = 0;
    qsort(list, (size_t)count, sizeof *list, compare_ranked);
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && list[end].value == list[i].value;)
            end++;
        double tied = end - i;
        for (int j = i; j < end; j++)
            list[j].rank = (i + 1 + end) / 2.0;
        ties += tied * tied * tied - tied;
    }
    return ties;
}

static double marked_sum(const struct ranked *list, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += list[i].mark ? list[i].rank : 0;
    return sum;
}

static double normal_p(double distance, double variance)
{
    if (variance <= 0)
        return 1;
    distance = fmax(fabs(distance) - 0.5, 0);
    return erfc(distance / sqrt(2 * variance));
}

/* The exact tests count, for each sum, the sets of ranks 1..count that have it: sets of `size` members, or of
 * any size (size < 0). Then p is twice the share of the sets whose sum is at most `sum`, or at least. */
static double exact_p(int count, int size, double sum)
{
    int sizes = size < 0 ? 1 : size + 1, most = count * (count + 1) / 2 + 1;
    double *ways = calloc((size_t)(sizes * most), sizeof *ways);
    if (!ways)
        return NAN;
    ways[0] = 1;
    for (int rank = 1; rank <= count; rank++)
        for (int members = sizes - 1; members >= 0; members--)
            for (int s = most - 1; s >= rank; s--) {
                /* A set with this rank is a set without it, one member smaller where the size counts. */
                if (size < 0)
                    ways[s] += ways[s - rank];
                else if (members > 0)
                    ways[members * most + s] += ways[(members - 1) * most + s - rank];
            }
    const double *row = ways + (sizes - 1) * most;
    double all = 0, below = 0, above = 0;
    for (int s = 0; s < most; s++) {
        all += row[s];
        below += s <= sum ? row[s] : 0;
        above += s >= sum ? row[s] : 0;
    }
    free(ways);
    return fmin(1, 2 * fmin(below, above) / all);
}

enum { EXACT_MOST = 50 };

double statistics_rank_sum(const double *first, int n, const double *second, int m)
{
    int count = n + m;
    struct ranked *list = n > 0 && m > 0 ? malloc((size_t)count * sizeof *list) : NULL;
    if (!list)
        return NAN;
    for (int i = 0; i < count; i++)
        list[i] = (struct ranked){.value = i < n ? first[i] : second[i - n], .mark = i < n};
    double ties = give_ranks(list, count), sum = marked_sum(list, count);
    free(list);
    if (ties == 0 && count <= EXACT_MOST)
        return exact_p(count, n, sum);
    double all = count;
    return normal_p(sum - n * (all + 1) / 2, n * (double)m / 12 * (all + 1 - ties / (all * (all - 1))));
}

double statistics_signed_rank(const double *differences, int count)
{
    struct ranked *list = count > 0 ? malloc((size_t)count * sizeof *list) : NULL;
    if (!list)
        return NAN;
    int n = 0;
    for (int i = 0; i < count; i++)
        if (differences[i] != 0)
            list[n++] = (struct ranked){.value = fabs(differences[i]), .mark = differences[i] > 0};
    double ties = give_ranks(list, n), sum = marked_sum(list, n);
    free(list);
    if (n == 0)
        return 1;
    if (ties == 0 && n <= EXACT_MOST)
        return exact_p(n, -1, sum);
    double all = n;
    return normal_p(sum - all * (all + 1) / 4, all * (all + 1) * (2 * all + 1) / 24 - ties / 48);
}

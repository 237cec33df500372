/* statistics.c - the median with its interval, the geometric mean, and an exact test of signs. */
#include "lab/statistics.h"

#include <math.h>
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

/* ---- Signs ----------------------------------------------------------------------------------------- */

static double mean_of_medians(const double *differences, int rounds, int columns, double *column)
{
    double sum = 0;
    for (int c = 0; c < columns; c++) {
        for (int r = 0; r < rounds; r++)
            column[r] = differences[r * columns + c];
        sum += statistics_median(column, rounds);
    }
    return sum / columns;
}

/* How many more columns of a round are positive than negative. */
static int score_of(const double *differences, int columns)
{
    int score = 0;
    for (int c = 0; c < columns; c++)
        score += (differences[c] > 0) - (differences[c] < 0);
    return score;
}

struct sign_test statistics_sign_test(const double *differences, int rounds, int columns)
{
    struct sign_test result = {NAN, NAN};
    int most = rounds * columns, total = 0;
    /* chances[most + sum]: of this sum of the scores so far, each with either sign. */
    size_t size = 2 * (size_t)most + 1;
    double *chances = most > 0 ? calloc(2 * size, sizeof *chances) : NULL;
    if (!chances)
        return result;
    double *next = chances + size;
    result.middle = mean_of_medians(differences, rounds, columns, chances);
    memset(chances, 0, size * sizeof *chances);
    chances[most] = 1;
    for (int r = 0; r < rounds; r++) {
        int score = score_of(differences + r * columns, columns), step = abs(score);
        total += score;
        memset(next, 0, size * sizeof *next);
        for (int sum = -r * columns; sum <= r * columns; sum++) {
            next[most + sum + step] += chances[most + sum] / 2;
            next[most + sum - step] += chances[most + sum] / 2;
        }
        memcpy(chances, next, size * sizeof *chances);
    }
    result.p = 0;
    for (int sum = -most; sum <= most; sum++)
        result.p += abs(sum) >= abs(total) ? chances[most + sum] : 0;
    free(chances);
    return result;
}

void spread_add(struct spread *spread, double value)
{
    spread->count++;
    spread->sum += value;
    spread->squares += value * value;
}

double spread_mean(const struct spread *spread)
{
    return spread->count > 0 ? spread->sum / spread->count : 0;
}

double spread_deviation(const struct spread *spread)
{
    double mean = spread_mean(spread), squares = spread->squares - spread->count * mean * mean;
    return spread->count > 1 ? sqrt(fmax(0, squares / (spread->count - 1))) : 0;
}

/* elo.c - Elo with its interval from counts of results, and the likelihood ratio of a sequential test. */
#include "lab/elo.h"

#include <math.h>

static const double z95 = 1.959963984540054; /* 95% of a normal distribution lie within +- this */

/* Normalised Elo per deviation of a game's result: so that it equals logistic Elo near 0 with no draws. */
static const double normal_scale = 347.43558552260146; /* 800 / ln 10 */

double elo_of_score(double score)
{
    return 400 * log10(score / (1 - score));
}

double elo_expected_score(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

/* The games that one result stands for. */
static int games_each(int kinds)
{
    return kinds == ELO_PAIRS ? 2 : 1;
}

struct distribution {
    int kinds;
    double share[ELO_PAIRS];
};

static double value_of(const struct distribution *d, int kind)
{
    return (double)kind / (d->kinds - 1);
}

static void moments(const struct distribution *d, double *mean, double *variance)
{
    *mean = *variance = 0;
    for (int i = 0; i < d->kinds; i++)
        *mean += d->share[i] * value_of(d, i);
    for (int i = 0; i < d->kinds; i++)
        *variance += d->share[i] * (value_of(d, i) - *mean) * (value_of(d, i) - *mean);
}

/* The shares of the counts, none less than least results, and how many results that makes. */
static double observe(const uint64_t *counts, int kinds, double least, struct distribution *d)
{
    double total = 0;
    d->kinds = kinds;
    for (int i = 0; i < kinds; i++)
        total += d->share[i] = counts[i] > 0 ? (double)counts[i] : least;
    for (int i = 0; i < kinds; i++)
        d->share[i] /= total;
    return total;
}

bool elo_estimate(const uint64_t *counts, int kinds, struct elo *elo)
{
    *elo = (struct elo){0};
    for (int i = 0; i < kinds; i++)
        elo->count += counts[i];
    if (elo->count == 0)
        return false;
    struct distribution seen;
    double variance, count = (double)elo->count;
    observe(counts, kinds, 0, &seen);
    moments(&seen, &elo->score, &variance);
    elo->score_error = sqrt(variance / count);
    double low = elo->score - z95 * elo->score_error, high = elo->score + z95 * elo->score_error;
    elo->elo = elo_of_score(elo->score);
    elo->low = low > 0 ? elo_of_score(low) : -INFINITY;
    elo->high = high < 1 ? elo_of_score(high) : INFINITY;
    elo->normal = variance > 0 ? normal_scale * (elo->score - 0.5) / sqrt(variance * games_each(kinds)) : NAN;
    elo->normal_half_width = variance > 0 ? normal_scale * z95 / sqrt(count * games_each(kinds)) : NAN;
    elo->superiority = variance > 0       ? 0.5 * erfc((0.5 - elo->score) / elo->score_error / M_SQRT2)
                       : elo->score > 0.5 ? 1
                       : elo->score < 0.5 ? 0
                                          : 0.5;
    return true;
}

/* ---- The generalised likelihood ratio --------------------------------------------------------------- */

/* The root x of sum share * slope / (1 + x slope) = 0, which falls from +inf to -inf between its poles.
 * Newton's step where it stays inside the bracket, else the middle. */
static double solve_secular(const struct distribution *seen, const double *slope)
{
    double least = 0, most = 0;
    for (int i = 0; i < seen->kinds; i++) {
        least = fmin(least, slope[i]);
        most = fmax(most, slope[i]);
    }
    double low = -1 / most, high = -1 / least, x = 0;
    for (int step = 0; step < 100; step++) {
        double f = 0, derivative = 0;
        for (int i = 0; i < seen->kinds; i++) {
            double part = slope[i] / (1 + x * slope[i]);
            f += seen->share[i] * part;
            derivative -= seen->share[i] * part * part;
        }
        if (f > 0)
            low = x;
        else
            high = x;
        double next = x - f / derivative;
        if (!(next > low && next < high))
            next = (low + high) / 2;
        if (fabs(next - x) < 1e-12)
            return next;
        x = next;
    }
    return x;
}

/* The most likely distribution whose mean is this (Van den Bergh, proposition 1.1: Lagrange's condition makes
 * the shares share / (1 + x (value - mean))). */
static void likeliest_with_mean(const struct distribution *seen, double mean, struct distribution *best)
{
    double slope[ELO_PAIRS];
    for (int i = 0; i < seen->kinds; i++)
        slope[i] = value_of(seen, i) - mean;
    double x = solve_secular(seen, slope);
    best->kinds = seen->kinds;
    for (int i = 0; i < seen->kinds; i++)
        best->share[i] = seen->share[i] / (1 + x * slope[i]);
}

/* The most likely distribution with (mean - 1/2) / deviation = t. The condition is not linear in the shares;
 * it is replaced by its tangent at the last answer until that stands still. */
static void likeliest_with_ratio(const struct distribution *seen, double t, struct distribution *best)
{
    best->kinds = seen->kinds;
    for (int i = 0; i < seen->kinds; i++)
        best->share[i] = 1.0 / seen->kinds;
    for (int step = 0; step < 30; step++) {
        double mean, variance, slope[ELO_PAIRS], change = 0;
        moments(best, &mean, &variance);
        double deviation = sqrt(variance);
        for (int i = 0; i < seen->kinds; i++) {
            double distance = (value_of(seen, i) - mean) / deviation;
            slope[i] = value_of(seen, i) - 0.5 - t * deviation * (1 + distance * distance) / 2;
        }
        double x = solve_secular(seen, slope);
        for (int i = 0; i < seen->kinds; i++) {
            double share = seen->share[i] / (1 + x * slope[i]);
            change = fmax(change, fabs(share - best->share[i]));
            best->share[i] = share;
        }
        if (change < 1e-9)
            return;
    }
}

static void likeliest(const struct sprt *sprt, double elo, const struct distribution *seen,
                      struct distribution *best)
{
    if (sprt->normalised)
        likeliest_with_ratio(seen, elo / normal_scale * sqrt(games_each(seen->kinds)), best);
    else
        likeliest_with_mean(seen, elo_expected_score(elo), best);
}

double sprt_ratio(const struct sprt *sprt, const uint64_t *counts, int kinds)
{
    uint64_t results = 0;
    for (int i = 0; i < kinds; i++)
        results += counts[i];
    if (results == 0)
        return 0;
    /* A kind that was never seen may still happen: a thousandth of a result keeps every share above zero. */
    struct distribution seen, with0, with1;
    double count = observe(counts, kinds, 1e-3, &seen), ratio = 0;
    likeliest(sprt, sprt->elo0, &seen, &with0);
    likeliest(sprt, sprt->elo1, &seen, &with1);
    for (int i = 0; i < kinds; i++)
        ratio += count * seen.share[i] * log(with1.share[i] / with0.share[i]);
    return ratio;
}

double sprt_lower(const struct sprt *sprt)
{
    return log(sprt->beta / (1 - sprt->alpha));
}

double sprt_upper(const struct sprt *sprt)
{
    return log((1 - sprt->beta) / sprt->alpha);
}

enum sprt_verdict sprt_verdict(const struct sprt *sprt, double ratio)
{
    return ratio <= sprt_lower(sprt)   ? SPRT_ACCEPT_ELO0
           : ratio >= sprt_upper(sprt) ? SPRT_ACCEPT_ELO1
                                       : SPRT_GO_ON;
}

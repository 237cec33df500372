/* statistics.c - against values that were computed in other ways: by counting every case, by other programs,
 * or in published tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/statistics.h"

/* cmocka's own check has the precision of a float. */
static void check_near(double actual, double expected, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance))
        fail_msg("%.15g, expected %.15g", actual, expected);
}

static void medians_and_means(void **state)
{
    (void)state;
    double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, one[] = {7};
    check_near(statistics_median(odd, 3), 3, 0);
    check_near(statistics_median(even, 4), 2.5, 0);
    check_near(statistics_median(one, 1), 7, 0);
    static const double ratios[] = {0.5, 2, 4, 4};
    check_near(statistics_geometric_mean(ratios, 4), 2, 1e-12);
    check_near(interval_reach((struct interval){2, 1.9, 2.3}), 0.1, 1e-12);
}

/* Which order statistics bound the median with 95% confidence: the usual table (Conover 1999, among others).
 */
static void intervals_of_the_median(void **state)
{
    (void)state;
    static const struct {
        int count, low, high;
    } table[] = {{1, 1, 1},  {2, 1, 2},   {5, 1, 5},   {6, 1, 6},   {8, 1, 8},   {9, 2, 8},
                 {10, 2, 9}, {12, 3, 10}, {15, 4, 12}, {20, 6, 15}, {25, 8, 18}, {30, 10, 21}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double samples[30];
        for (int j = 0; j < table[i].count; j++)
            samples[j] = table[i].count - j;
        struct interval found = statistics_median_interval(samples, table[i].count);
        check_near(found.middle, (table[i].count + 1) / 2.0, 0);
        check_near(found.low, table[i].low, 0);
        check_near(found.high, table[i].high, 0);
    }
}

static void rank_sums(void **state)
{
    (void)state;
    /* By counting all arrangements. */
    static const double a[] = {1.1, 2.2, 3.3, 4.4, 5.5}, b[] = {2.5, 6.6, 7.7, 8.8, 9.9, 10.1};
    check_near(statistics_rank_sum(a, 5, b, 6), 0.030303030303, 1e-11);
    check_near(statistics_rank_sum(b, 6, a, 5), 0.030303030303, 1e-11);
    static const double few[] = {1, 2, 3, 4}, more[] = {5, 6, 7, 8};
    check_near(statistics_rank_sum(few, 4, more, 4), 2.0 / 70, 1e-12);
    static const double evens[] = {2, 4, 6, 8, 10, 12}, odds[] = {1, 3, 5, 7, 9, 11};
    check_near(statistics_rank_sum(evens, 6, odds, 6), 0.699134199134, 1e-11);
    /* The example of SciPy's mannwhitneyu. */
    static const double males[] = {19, 22, 16, 29, 24}, females[] = {20, 11, 17, 12};
    check_near(statistics_rank_sum(males, 5, females, 4), 1.0 / 9, 1e-12);
    /* Ties: the normal tail by numerical integration. */
    static const double tied[] = {1, 2, 2, 3, 5, 5}, others[] = {2, 4, 5, 6, 6, 7, 8};
    check_near(statistics_rank_sum(tied, 6, others, 7), 0.050835581932, 1e-9);
    static const double same[] = {3, 3, 3};
    check_near(statistics_rank_sum(same, 3, same, 3), 1, 0);
    assert_true(isnan(statistics_rank_sum(a, 0, b, 6)));
}

static void signed_ranks(void **state)
{
    (void)state;
    /* By counting all signs. */
    static const double a[] = {1, -2, 3, 4, 5, 6}, b[] = {1.5, -0.5, 2.5, -3.5, 4.5, 5.5, 6.5, -0.25};
    check_near(statistics_signed_rank(a, 6), 0.09375, 1e-12);
    check_near(statistics_signed_rank(b, 8), 0.1953125, 1e-12);
    /* The example of SciPy's wilcoxon. */
    static const double plants[] = {6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75};
    check_near(statistics_signed_rank(plants, 15), 0.041259765625, 1e-12);
    /* Ties and a zero: the normal tail by numerical integration. */
    static const double tied[] = {1, 1, 2, -2, 3, 3, 0, 4, -1, 5, 6, 6};
    check_near(statistics_signed_rank(tied, 12), 0.020356103110, 1e-9);
    static const double none[] = {0, 0};
    check_near(statistics_signed_rank(none, 2), 1, 0);
}

/* Where there is no difference, p is below 5% in 5% of the cases: for the exact and the approximate tests. */
static void tests_keep_their_level(void **state)
{
    (void)state;
    enum { TRIALS = 1000 };
    static const int sizes[] = {8, 20, 60};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int n = sizes[i], alarms[2] = {0, 0};
        uint64_t stream = (uint64_t)n;
        for (int trial = 0; trial < TRIALS; trial++) {
            double a[60], b[60], differences[60];
            for (int j = 0; j < n; j++) {
                /* Skewed, as times are. */
                a[j] = exp((double)random_next(&stream) * 0x1p-64);
                b[j] = exp((double)random_next(&stream) * 0x1p-64);
                differences[j] = a[j] - b[j];
            }
            alarms[0] += statistics_rank_sum(a, n, b, n) < 0.05;
            alarms[1] += statistics_signed_rank(differences, n) < 0.05;
        }
        /* 5%, less what a discrete distribution gives away, plus four standard deviations. */
        for (int test = 0; test < 2; test++)
            assert_in_range(alarms[test], TRIALS * 2 / 100, TRIALS * 78 / 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_and_means),
        cmocka_unit_test(intervals_of_the_median),
        cmocka_unit_test(rank_sums),
        cmocka_unit_test(signed_ranks),
        cmocka_unit_test(tests_keep_their_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

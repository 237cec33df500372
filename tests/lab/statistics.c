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

/* Which order statistics bound the median with 95% confidence: the usual table (Conover 1999, among
 * others). */
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

/* By counting all signs. */
static void sign_tests(void **state)
{
    (void)state;
    static const double up[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct sign_test test = statistics_sign_test(up, 8, 1);
    check_near(test.middle, 4.5, 0);
    check_near(test.p, 2.0 / 256, 1e-15);
    /* One of seven is negative: 2 * (1 + 7) / 2^7. */
    static const double one_down[] = {-1, 2, 3, 4, 5, 6, 7};
    test = statistics_sign_test(one_down, 7, 1);
    check_near(test.middle, 4, 0);
    check_near(test.p, 16.0 / 128, 1e-15);
    /* Scores 2, 0, 1, 2: sums of +-2 +-1 +-2 that are as far as 5 are two of eight. */
    static const double two[] = {1, 10, 20, -2, 0, 3, 4, 4};
    test = statistics_sign_test(two, 4, 2);
    check_near(test.middle, (2.5 + 3.5) / 2, 0);
    check_near(test.p, 2.0 / 8, 1e-15);
    static const double none[] = {0, 0, 0};
    check_near(statistics_sign_test(none, 3, 1).p, 1, 0);
    assert_true(isnan(statistics_sign_test(up, 0, 1).p));
}

/* Where there is no difference, p is below 5% in 5% of the cases. */
static void the_test_keeps_its_level(void **state)
{
    (void)state;
    enum { TRIALS = 2000, MOST = 24, COLUMNS = 3 };
    static const int sizes[] = {8, 12, 24};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int n = sizes[i], alarms = 0;
        uint64_t stream = (uint64_t)n;
        for (int trial = 0; trial < TRIALS; trial++) {
            double differences[MOST * COLUMNS];
            for (int j = 0; j < n * COLUMNS; j++) /* of times, which are skewed */
                differences[j] = exp((double)random_next(&stream) * 0x1p-64) -
                                 exp((double)random_next(&stream) * 0x1p-64);
            alarms += statistics_sign_test(differences, n, COLUMNS).p < 0.05;
        }
        /* 5%, less what a discrete distribution gives away, plus six standard deviations. */
        assert_in_range(alarms, TRIALS * 1 / 100, TRIALS * 79 / 1000);
    }
}

/* 2, 4, 4, 4, 5, 5, 7, 9: the mean is 5, and the squares of the differences add up to 32. */
static void means_and_deviations(void **state)
{
    (void)state;
    static const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct spread spread = {0};
    check_near(spread_mean(&spread), 0, 0);
    check_near(spread_deviation(&spread), 0, 0);
    for (int i = 0; i < 8; i++)
        spread_add(&spread, values[i]);
    check_near(spread_mean(&spread), 5, 1e-12);
    check_near(spread_deviation(&spread), sqrt(32 / 7.0), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_and_means),    cmocka_unit_test(intervals_of_the_median),
        cmocka_unit_test(sign_tests),           cmocka_unit_test(the_test_keeps_its_level),
        cmocka_unit_test(means_and_deviations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* compare.c - simulated benchmarks: a slowdown of 5% is found, and what is equal is called equal. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/compare.h"

/* A time as a busy machine gives it: a base, some noise, and now and then something that takes much
 * longer. */
static double noisy(uint64_t *stream, double base, double noise)
{
    double u = ((double)random_next(stream) + 1) * 0x1p-64;
    double slow = random_below(random_next(stream), 20) == 0 ? 1.5 : 1;
    return base * slow * exp(noise * -log(u)); /* skewed: rarely faster, often slower */
}

enum { POSITIONS = 3 };

/* How many of 100 comparisons of `rounds` rounds say so. */
static int verdicts(enum comparison verdict, double slowdown, int rounds, double noise, uint64_t seed)
{
    int count = 0;
    for (int trial = 0; trial < 100; trial++) {
        double a[20 * POSITIONS], b[20 * POSITIONS];
        for (int i = 0; i < rounds * POSITIONS; i++) {
            double base = 1 + i % POSITIONS;
            a[i] = noisy(&seed, base, noise);
            b[i] = noisy(&seed, base * slowdown, noise);
        }
        count += compare_times(a, b, rounds, POSITIONS).verdict == verdict;
    }
    return count;
}

static void equal_programs_are_equal(void **state)
{
    (void)state;
    for (int rounds = 6; rounds <= 20; rounds += 7) {
        assert_in_range(verdicts(SAME, 1, rounds, 0.02, 1), 95, 100);
        assert_in_range(verdicts(SAME, 1, rounds, 0.2, 2), 95, 100);
    }
}

static void a_slowdown_of_5_percent_is_found(void **state)
{
    (void)state;
    assert_in_range(verdicts(SLOWER, 1.05, 12, 0.01, 3), 95, 100);
    assert_in_range(verdicts(SLOWER, 1.05, 20, 0.02, 4), 95, 100);
    assert_in_range(verdicts(FASTER, 1 / 1.05, 12, 0.01, 5), 95, 100);
}

/* However certain, a difference of 1% is too small to act upon. */
static void small_differences_do_not_count(void **state)
{
    (void)state;
    double a[10], b[10];
    for (int i = 0; i < 10; i++) {
        a[i] = 1 + i * 1e-5;
        b[i] = 1.01 + i * 1e-5;
    }
    struct comparison_result r = compare_times(a, b, 10, 1);
    assert_int_equal(r.verdict, SAME);
    assert_true(r.p < 0.006 && r.ratio > 1.009 && r.ratio < 1.011);
    assert_int_equal(compare_times(a, b, 5, 1).verdict, TOO_FEW);
    assert_int_equal(compare_times(a, b, 0, 1).verdict, TOO_FEW);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_programs_are_equal),
        cmocka_unit_test(a_slowdown_of_5_percent_is_found),
        cmocka_unit_test(small_differences_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

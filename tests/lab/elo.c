/* elo.c - statistics of matches against values from elsewhere: published results of engine tests, numbers
 * computed by other methods, and simulated matches with a known edge. */
#include "tests/support/test.h"

#include "base/random.h"
#include "lab/elo.h"

#include <math.h>

static void assert_near(double actual, double expected, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance))
        fail_msg("%.9g, expected %.9g +- %g", actual, expected, tolerance);
}

static void known_scores(void **state)
{
    (void)state;
    assert_near(elo_of_score(0.75), 190.848501888, 1e-8);
    assert_near(elo_of_score(10.0 / 11), 400, 1e-9);
    assert_near(elo_expected_score(0), 0.5, 1e-15);
    assert_near(elo_expected_score(-200), 0.240253073, 1e-9);
    assert_near(elo_expected_score(elo_of_score(0.123)), 0.123, 1e-12);
}

/* What fastchess printed for these counts: Elo and half of its interval, normalised Elo and half of that, and
 * the likelihood of superiority. */
static void published_estimates(void **state)
{
    (void)state;
    static const struct {
        uint64_t pairs[ELO_PAIRS];
        double elo, half, normal, normal_half, superiority;
    } published[] = {
        {{1, 10, 78, 48, 13}, 72.85, 22.33, 132.30, 39.32, 1},
        {{352, 579, 1264, 743, 464}, 19.83, 6.77, 24.25, 8.26, 1},
        {{0, 0, 1, 8, 1}, 190.85, 65.54, 549.34, 152.27, 1},
        {{126, 3369, 7449, 3572, 147}, 2.90, 2.08, 5.55, 3.98, 0.9969},
        {{0, 1, 0, 1, 0}, 0, 296.58, 0, 340.48, 0.5},
    };
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        struct elo elo;
        assert_true(elo_estimate(published[i].pairs, ELO_PAIRS, &elo));
        assert_near(elo.elo, published[i].elo, 0.006);
        assert_near((elo.high - elo.low) / 2, published[i].half, 0.006);
        assert_near(elo.normal, published[i].normal, 0.006);
        assert_near(elo.normal_half_width, published[i].normal_half, 0.006);
        assert_near(elo.superiority, published[i].superiority, 0.00006);
    }
}

/* Computed by hand: 30 losses, 40 draws, 50 wins. */
static void single_games(void **state)
{
    (void)state;
    struct elo elo;
    assert_true(elo_estimate((uint64_t[]){30, 40, 50}, ELO_GAMES, &elo));
    assert_int_equal(elo.count, 120);
    assert_near(elo.score, 70.0 / 120, 1e-15);
    assert_near(elo.score_error, 0.0364831264905, 1e-12);
    assert_near(elo.elo, 58.4512142713, 1e-9);
    assert_near(elo.low, 8.2202747372, 1e-9);
    assert_near(elo.high, 111.2450867212, 1e-9);
    assert_near(elo.normal, 72.4453275378, 1e-9);
    assert_near(elo.superiority, 0.9888189636, 1e-9);
}

static void extreme_results(void **state)
{
    (void)state;
    struct elo elo;
    assert_false(elo_estimate((uint64_t[]){0, 0, 0, 0, 0}, ELO_PAIRS, &elo));
    assert_true(elo_estimate((uint64_t[]){0, 0, 0, 0, 5}, ELO_PAIRS, &elo));
    assert_true(isinf(elo.elo) && elo.elo > 0 && isnan(elo.normal));
    assert_near(elo.superiority, 1, 0);
    assert_true(elo_estimate((uint64_t[]){7, 0, 0}, ELO_GAMES, &elo));
    assert_true(isinf(elo.elo) && elo.elo < 0);
    assert_near(elo.superiority, 0, 0);
    assert_true(elo_estimate((uint64_t[]){0, 9, 0}, ELO_GAMES, &elo));
    assert_near(elo.elo, 0, 0);
    assert_near(elo.superiority, 0.5, 0);
}

/* The two games of a pair cancel the opening: the same games have a smaller variance as pairs than singly. */
static void pairs_have_their_own_variance(void **state)
{
    (void)state;
    struct elo pairs, games;
    elo_estimate((uint64_t[]){0, 0, 100, 0, 0}, ELO_PAIRS, &pairs); /* each pair one win and one loss */
    elo_estimate((uint64_t[]){100, 0, 100}, ELO_GAMES, &games);
    assert_near(pairs.score, games.score, 0);
    assert_near(pairs.score_error, 0, 0);
    assert_near(games.score_error, sqrt(0.25 / 200), 1e-15);
}

static void bounds(void **state)
{
    (void)state;
    struct sprt sprt = {0, 5, 0.05, 0.05, false};
    assert_near(sprt_upper(&sprt), 2.944438979, 1e-9);
    assert_near(sprt_lower(&sprt), -2.944438979, 1e-9);
    sprt.alpha = sprt.beta = 0.01;
    assert_near(sprt_upper(&sprt), 4.595119850, 1e-9);
    sprt.alpha = 0.05, sprt.beta = 0.1;
    assert_near(sprt_upper(&sprt), 2.890371758, 1e-9);
    assert_near(sprt_lower(&sprt), -2.251291799, 1e-9);
    assert_int_equal(sprt_verdict(&sprt, -2.26), SPRT_ACCEPT_ELO0);
    assert_int_equal(sprt_verdict(&sprt, 2.8), SPRT_GO_ON);
    assert_int_equal(sprt_verdict(&sprt, 2.9), SPRT_ACCEPT_ELO1);
}

/* Ratios that the testing frameworks printed with these counts (two decimals). */
static void published_ratios(void **state)
{
    (void)state;
    static const struct {
        double elo0, elo1;
        bool normalised;
        uint64_t pairs[ELO_PAIRS];
        double ratio;
    } published[] = {
        /* Stockfish pull requests 4493 (normalised), 3331 and 3098 (logistic) */
        {0, 2, true, {2002, 72968, 180891, 74129, 2034}, 3.22},
        {0.5, 2.5, true, {24, 7350, 23669, 7717, 28}, 2.94},
        {-0.25, 1.25, false, {115, 2196, 11328, 2317, 136}, 2.94},
        {0.25, 1.25, false, {14, 1030, 14318, 1163, 19}, 2.93},
        {-0.25, 1.25, false, {491, 7345, 29693, 7670, 465}, 2.96},
        {0.25, 1.25, false, {53, 2220, 21459, 2445, 47}, 2.97},
        /* Lizard 68 and Integral 144 on OpenBench, Zeno with fastchess */
        {0, 3, true, {126, 3369, 7449, 3572, 147}, 2.95},
        {0, 3, true, {28, 890, 1998, 1061, 40}, 2.90},
        {0, 3, true, {16, 2519, 5868, 2729, 17}, 2.90},
        {9, 16, true, {352, 579, 1264, 743, 464}, 4.60},
        {0, 50, true, {0, 0, 1, 8, 1}, 1.24},
    };
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        struct sprt sprt = {published[i].elo0, published[i].elo1, 0.05, 0.05, published[i].normalised};
        assert_near(sprt_ratio(&sprt, published[i].pairs, ELO_PAIRS), published[i].ratio, 0.0051);
    }
}

/* Computed by another method: Newton's on the dual problem, and for normalised Elo over all pairs of mean and
 * variance that the hypothesis allows. */
static void ratios_by_another_method(void **state)
{
    (void)state;
    struct sprt sprt = {0, 5, 0.05, 0.05, false};
    assert_near(sprt_ratio(&sprt, (uint64_t[]){10, 20, 40, 25, 15}, ELO_PAIRS), 0.293286, 1e-6);
    sprt = (struct sprt){-3, 1, 0.05, 0.05, false};
    assert_near(sprt_ratio(&sprt, (uint64_t[]){126, 3369, 7449, 3572, 147}, ELO_PAIRS), 13.840069, 1e-6);
    sprt = (struct sprt){0, 10, 0.05, 0.05, false};
    assert_near(sprt_ratio(&sprt, (uint64_t[]){55, 30, 70}, ELO_GAMES), 0.455922, 1e-6);
    sprt = (struct sprt){-5, 5, 0.05, 0.05, true};
    assert_near(sprt_ratio(&sprt, (uint64_t[]){40, 90, 60}, ELO_GAMES), 0.793459, 1e-6);
    sprt = (struct sprt){9, 16, 0.05, 0.05, true};
    assert_near(sprt_ratio(&sprt, (uint64_t[]){352, 579, 1264, 743, 464}, ELO_PAIRS), 4.595981, 1e-6);
    assert_near(sprt_ratio(&sprt, (uint64_t[]){0, 0, 0, 0, 0}, ELO_PAIRS), 0, 0);
}

/* ---- Simulated tests -------------------------------------------------------------------------------- */

enum { SIMULATIONS = 2000 };

/* Pairs of games between players whose true shares of results are these. */
static enum sprt_verdict simulate(const struct sprt *sprt, const double *shares, uint64_t seed)
{
    uint64_t counts[ELO_PAIRS] = {0};
    for (uint64_t pair = 0;; pair++) {
        double drawn = (double)(random_at(seed, pair) >> 11) * 0x1p-53;
        int kind = 0;
        while (kind < ELO_PAIRS - 1 && drawn >= shares[kind])
            drawn -= shares[kind++];
        counts[kind]++;
        enum sprt_verdict verdict = sprt_verdict(sprt, sprt_ratio(sprt, counts, ELO_PAIRS));
        if (verdict != SPRT_GO_ON)
            return verdict;
    }
}

/* Shares of pairs with the mean score and the variance of a match at this Elo (or normalised Elo): some usual
 * distribution, tilted. */
static void shares_at(double elo, bool normalised, double *shares)
{
    static const double usual[ELO_PAIRS] = {0.06, 0.22, 0.44, 0.22, 0.06};
    double low = -5, high = 5;
    for (int step = 0; step < 100; step++) {
        double tilt = (low + high) / 2, total = 0, mean = 0, variance = 0;
        for (int i = 0; i < ELO_PAIRS; i++)
            total += shares[i] = usual[i] * exp(tilt * i / 4);
        for (int i = 0; i < ELO_PAIRS; i++)
            mean += (shares[i] /= total) * i / 4;
        for (int i = 0; i < ELO_PAIRS; i++)
            variance += shares[i] * (i / 4.0 - mean) * (i / 4.0 - mean);
        double is = normalised ? 800 / log(10) * (mean - 0.5) / sqrt(2 * variance)
                               : 400 * log10(mean / (1 - mean));
        if (is < elo)
            low = tilt;
        else
            high = tilt;
    }
}

/* The promised rate, and not more than chance leaves of it in that many trials (three deviations); a test
 * that never errs would waste games, so the rate is not far below either. */
static void error_rates_are_kept(const struct sprt *sprt, uint64_t seed)
{
    for (int truth = 0; truth < 2; truth++) {
        double shares[ELO_PAIRS], promised = truth ? sprt->beta : sprt->alpha;
        shares_at(truth ? sprt->elo1 : sprt->elo0, sprt->normalised, shares);
        int wrong = 0;
        for (uint64_t i = 0; i < SIMULATIONS; i++)
            wrong += (simulate(sprt, shares, random_at(seed + (uint64_t)truth, i)) == SPRT_ACCEPT_ELO1) !=
                     truth;
        double rate = (double)wrong / SIMULATIONS;
        printf("%s Elo %g against %g, truth %g: %d of %d wrong (%.1f%%, promised %.1f%%)\n",
               sprt->normalised ? "normalised" : "logistic", sprt->elo0, sprt->elo1,
               truth ? sprt->elo1 : sprt->elo0, wrong, SIMULATIONS, 100 * rate, 100 * promised);
        assert_true(rate <= promised + 3 * sqrt(promised * (1 - promised) / SIMULATIONS));
        assert_true(rate >= promised / 4);
    }
}

static void simulated_logistic_tests(void **state)
{
    (void)state;
    error_rates_are_kept(&(struct sprt){0, 30, 0.05, 0.05, false}, 100);
}

static void simulated_normalised_tests(void **state)
{
    (void)state;
    error_rates_are_kept(&(struct sprt){0, 50, 0.05, 0.1, true}, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_scores),
        cmocka_unit_test(published_estimates),
        cmocka_unit_test(single_games),
        cmocka_unit_test(extreme_results),
        cmocka_unit_test(pairs_have_their_own_variance),
        cmocka_unit_test(bounds),
        cmocka_unit_test(published_ratios),
        cmocka_unit_test(ratios_by_another_method),
        cmocka_unit_test(simulated_logistic_tests),
        cmocka_unit_test(simulated_normalised_tests),
    };
    return cmocka_run_group_tests_name("elo", tests, NULL, NULL);
}

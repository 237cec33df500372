/* pace.c - how long a move may take: never more than there is, and sensible shares of it. */
#include "tests/support/test.h"

#include "base/pace.h"

#include <math.h>

static struct pace_budget budget(double left, double increment, int moves_to_go, double delay)
{
    struct pace_clock clock = {left, increment, -1, moves_to_go, 0.015, delay, delay / 2};
    return pace_budget(&clock);
}

static void never_takes_what_is_not_there(void **state)
{
    (void)state;
    for (double left = 0; left < 1000; left = left * 5 / 4 + 0.001)
        for (double increment = 0; increment < 20; increment = increment * 3 + 0.007)
            for (int moves = 0; moves < 100; moves = moves * 2 + 1)
                for (double delay = 0; delay < 0.2; delay = delay * 2 + 0.01) {
                    struct pace_budget b = budget(left, increment, moves, delay);
                    assert_true(b.soft > 0 && b.soft <= b.hard);
                    double there = fmax(left - fmax(0.015, fmin(delay, left / 2)), 0.001);
                    assert_true(b.hard <= there);
                    /* With more than one move to come, a good part is left for them. */
                    if (moves != 1)
                        assert_true(b.hard <= 0.5 * there);
                }
}

/* A game of this many moves, each of which takes all it may. */
static void a_clock_lasts(void **state)
{
    (void)state;
    for (int with_increment = 0; with_increment < 2; with_increment++) {
        double increment = with_increment ? 0.02 : 0, left = 2;
        for (int move = 0; move < 300; move++) {
            left += increment - budget(left, increment, 0, 0).hard;
            assert_true(left > 0);
        }
        if (with_increment)
            assert_true(left > 0.025);
    }
}

/* Moves that take what moves usually take use up the clock in 40 moves, but for a reserve. */
static void a_clock_is_used(void **state)
{
    (void)state;
    double left = 1.01;
    for (int move = 0; move < 40; move++)
        left += 0.01 - 1.5 * budget(left, 0.01, 0, 0.001).soft;
    assert_true(left > 0.05 && left < 0.15);
}

static void takes_a_fixed_time_or_none(void **state)
{
    (void)state;
    struct pace_clock fixed = {-1, 0, 1, 0, 0.015, 0, 0}, none = {-1, 0, -1, 0, 0.015, 0, 0};
    /* What it takes to send the move is not there to think. */
    assert_true(fabs(pace_budget(&fixed).hard - 0.985) < 1e-9);
    assert_true(pace_budget(&fixed).soft == 0);
    assert_true(pace_budget(&none).hard == 0 && pace_budget(&none).soft == 0);
    fixed.delay = 0.1;
    assert_true(fabs(pace_budget(&fixed).hard - 0.9) < 1e-9);
}

static void thinks_longer_in_trouble(void **state)
{
    (void)state;
    struct pace_course course = {0};
    struct pace_iteration r = {.move = 1, .value = 50, .depth = 1};
    double first = pace_stretch(&course, &r), steady = first;
    for (r.depth = 2; r.depth < 8; r.depth++) {
        double next = pace_stretch(&course, &r);
        assert_true(next < steady);
        steady = next;
    }
    r.value = -100;
    assert_true(pace_stretch(&course, &r) > steady);
    r.move = 2;
    assert_true(pace_stretch(&course, &r) >= first);
}

/* The less of the work went to the best move, the longer. */
static void thinks_longer_where_rivals_are(void **state)
{
    (void)state;
    double before = INFINITY;
    for (double effort = 0.1; effort < 1.05; effort += 0.1) {
        struct pace_course course = {0};
        double stretch = pace_stretch(&course, &(struct pace_iteration){1, 0, 9, effort});
        assert_true(stretch < before);
        before = stretch;
    }
    struct pace_course course = {0};
    double unknown = pace_stretch(&course, &(struct pace_iteration){1, 0, 9, 0});
    assert_true(unknown > before && unknown < 2 * before);
}

static void delays_are_seen(void **state)
{
    (void)state;
    struct pace_clock clock = {.left = 1, .increment = 0.01, .move = -1, .overhead = 0.015};
    struct pace_delay delay = {0};
    pace_begins(&delay, 1);
    assert_true(delay.longest == 0);
    /* A move of 0.1 s: the clock should say 0.91, and says less. */
    pace_moved(&delay, &clock, 0.2, 0.1);
    pace_begins(&delay, 0.87);
    assert_true(fabs(delay.longest - 0.04) < 1e-9);
    /* 0.05 s later than it should have been. */
    clock.left = 0.87;
    pace_moved(&delay, &clock, 0.1, 0.15);
    assert_true(fabs(delay.longest - 0.05) < 1e-9);
    /* Nothing is lost any more: it is forgotten, in the end. */
    for (int move = 0; move < 40; move++) {
        pace_moved(&delay, &clock, 0.2, 0.1);
        pace_begins(&delay, 0.78);
    }
    assert_true(delay.longest > 0 && delay.longest < 0.01);
    /* The clock of another game, or after a time control, says nothing of this. */
    struct pace_delay again = {0};
    pace_moved(&again, &clock, 0.2, 0.1);
    pace_new_game(&again);
    pace_begins(&again, 0.5);
    assert_true(again.longest == 0);
    clock.moves_to_go = 1;
    pace_moved(&again, &clock, 0.2, 0.1);
    pace_begins(&again, 0.5);
    assert_true(again.longest == 0);
}

/* Where the machine is slow, less is risked near the end of the clock. */
static void delays_shorten_moves(void **state)
{
    (void)state;
    struct pace_budget quiet = budget(0.2, 0.01, 0, 0), busy = budget(0.2, 0.01, 0, 0.02);
    assert_true(busy.soft < 0.8 * quiet.soft && busy.hard < 0.8 * quiet.hard);
    quiet = budget(60, 0.6, 0, 0);
    busy = budget(60, 0.6, 0, 0.02);
    assert_true(busy.soft > 0.99 * quiet.soft);
}

/* Each move loses more than the increment, now and then twice as much, and still there is a move after 70 of them. */
static void a_clock_lasts_where_moves_lose_time(void **state)
{
    (void)state;
    struct pace_delay delay = {0};
    double left = 1;
    for (int move = 0; move < 70; move++) {
        pace_begins(&delay, left);
        struct pace_clock clock = {left, 0.01, -1, 0, 0.015, delay.longest, delay.mean};
        struct pace_budget b = pace_budget(&clock);
        double seconds = 1.5 * b.soft < b.hard ? 1.5 * b.soft : b.hard;
        pace_moved(&delay, &clock, b.hard, seconds);
        left += 0.01 - seconds - (move % 10 == 9 ? 0.02 : 0.014);
        assert_true(left > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_takes_what_is_not_there),
        cmocka_unit_test(a_clock_lasts),
        cmocka_unit_test(a_clock_is_used),
        cmocka_unit_test(takes_a_fixed_time_or_none),
        cmocka_unit_test(thinks_longer_in_trouble),
        cmocka_unit_test(thinks_longer_where_rivals_are),
        cmocka_unit_test(delays_are_seen),
        cmocka_unit_test(delays_shorten_moves),
        cmocka_unit_test(a_clock_lasts_where_moves_lose_time),
    };
    return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}

/* uci_time.c - how long a move may take: never more than there is, and sensible shares of it. */
#include "tests/support/test.h"

#include "protocols/uci_time.h"

static struct uci_budget budget(int64_t left, int64_t increment, int moves_to_go)
{
    struct uci_clock clock = {left, increment, -1, moves_to_go, 15};
    return uci_budget(&clock);
}

static void never_takes_what_is_not_there(void **state)
{
    (void)state;
    for (int64_t left = 0; left < 1000000; left = left * 5 / 4 + 1)
        for (int64_t increment = 0; increment < 20000; increment = increment * 3 + 7)
            for (int moves = 0; moves < 100; moves = moves * 2 + 1) {
                struct uci_budget b = budget(left, increment, moves);
                assert_true(b.soft > 0 && b.soft <= b.hard);
                double there = left > 16 ? (double)(left - 15) * 1e-3 : 1e-3;
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
    for (int64_t increment = 0; increment <= 20; increment += 20) {
        double left = 2000;
        for (int move = 0; move < 300; move++) {
            struct uci_budget b = budget((int64_t)left, increment, 0);
            left += (double)increment - 1000 * b.hard;
            assert_true(left > 0);
        }
        if (increment)
            assert_true(left > 100);
    }
}

static void takes_a_fixed_time_or_none(void **state)
{
    (void)state;
    struct uci_clock fixed = {-1, 0, 1000, 0, 15}, none = {-1, 0, -1, 0, 15};
    /* What it takes to send the move is not there to think. */
    assert_true(uci_budget(&fixed).hard > 0.9849 && uci_budget(&fixed).hard < 0.9851);
    assert_true(uci_budget(&fixed).soft == 0);
    assert_true(uci_budget(&none).hard == 0 && uci_budget(&none).soft == 0);
}

static void thinks_longer_in_trouble(void **state)
{
    (void)state;
    struct uci_course course = {0};
    struct mp_result r = {MP_SIZE(struct mp_result), .move = 1, .value = 50, .depth = 1};
    double first = uci_stretch(&course, &r), steady = first;
    for (r.depth = 2; r.depth < 8; r.depth++) {
        double next = uci_stretch(&course, &r);
        assert_true(next < steady);
        steady = next;
    }
    r.value = -100;
    assert_true(uci_stretch(&course, &r) > steady);
    r.move = 2;
    assert_true(uci_stretch(&course, &r) >= first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_takes_what_is_not_there),
        cmocka_unit_test(a_clock_lasts),
        cmocka_unit_test(takes_a_fixed_time_or_none),
        cmocka_unit_test(thinks_longer_in_trouble),
    };
    return cmocka_run_group_tests_name("uci_time", tests, NULL, NULL);
}

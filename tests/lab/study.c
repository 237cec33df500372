/* study.c - where lines cross, and that a study measures what it says. */
#include "tests/support/test.h"

#include "lab/study.h"

#include <math.h>

static struct study_result lines(const double *one, const double *other, int count)
{
    struct study_result result = {.line_count = 2, .size_count = count};
    double size = 100;
    for (int i = 0; i < count; i++, size *= 10) {
        result.sizes[i] = size;
        result.speed_up[0][i].middle = one[i];
        result.speed_up[1][i].middle = other[i];
    }
    return result;
}

static void finds_crossings(void **state)
{
    (void)state;
    const double flat[] = {1, 1, 1, 1}, late[] = {0.5, 0.5, 2, 2}, never[] = {0.5, 2, 2, 0.9},
                 always[] = {1.1, 2, 2, 2}, twice[] = {2, 0.5, 0.5, 2};
    struct study_result r = lines(flat, late, 4);
    /* Half at 1,000 and double at 10,000: even in the middle of the logarithms. */
    assert_true(fabs(study_crossing(&r, 0, 1) - 3162.28) < 0.01);
    assert_true(isinf(study_crossing(&r, 1, 0)));
    r = lines(flat, never, 4);
    assert_true(isinf(study_crossing(&r, 0, 1)));
    r = lines(flat, always, 4);
    assert_true(study_crossing(&r, 0, 1) == 0);
    r = lines(flat, twice, 4);
    assert_true(fabs(study_crossing(&r, 0, 1) - 31622.8) < 0.1);
}

static void measures_every_line(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    for (const struct study *study = studies; study->name; study++) {
        struct progress progress = {0};
        struct study_plan plan = {.study = study,
                                  .game = game,
                                  .threads = 2,
                                  .chunk = 10,
                                  .positions = 2,
                                  .rounds = 2,
                                  .least = 100,
                                  .most = 300,
                                  .progress = &progress};
        struct study_result result;
        struct mp_error error = {0};
        if (!study_run(&plan, &result, &error))
            fail_msg("%s", error.text);
        assert_int_equal(result.size_count, 2);
        for (int line = 0; line < result.line_count; line++)
            for (int size = 0; size < result.size_count; size++) {
                assert_true(result.seconds[line][size] > 0);
                assert_true(result.speed_up[line][size].low <= result.speed_up[line][size].high);
            }
        assert_string_equal(result.strategies[0], "mcts,iterations=215,reuse=off");
        assert_contains(result.strategies[2], study == studies ? "split=root,chunk=10,threads=2"
                                                               : "iterations=107,reuse=off,split=leaf");
    }
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_crossings),
                                       cmocka_unit_test(measures_every_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

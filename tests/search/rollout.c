/* rollout.c - rollouts: the same answer on any number of threads, dice that are dealt out evenly, means that
 * are right and errors that say how right. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

static struct mp_game *game;

static int open_game(void **state)
{
    (void)state;
    game = mp_game_open("backgammon", NULL);
    return game == NULL;
}

static int close_game(void **state)
{
    (void)state;
    mp_game_close(game);
    return 0;
}

static struct mp_result run(const struct mp_game *g, const struct mp_position *position, const char *strategy)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(g, strategy, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", strategy, error.text);
    mp_search_free(search);
    return result;
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    const char *const names[] = {"backgammon", "backgammon:cube=on", DICE_PLUGIN};
    for (int i = 0; i < 3; i++) {
        struct mp_game *g = mp_game_open(names[i], NULL);
        struct mp_position *position = subjects_position(g, 5, 40);
        struct mp_result one = run(g, position, "rollout,games=50,truncate=8,keep=3,seed=4");
        for (int threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
            char text[128];
            snprintf(text, sizeof text,
                     "rollout,games=50,truncate=8,keep=3,seed=4,split=games,eager=on,threads=%d", threads);
            struct mp_result many = run(g, position, text);
            assert_int_equal(many.move, one.move);
            assert_int_equal(many.value, one.value);
            assert_true(many.standard_error == one.standard_error);
            assert_false(many.exact);
        }
        mp_position_free(position);
        mp_game_close(g);
    }
}

/* 36 games cut after the reply: every throw as often as it should come, so the mean is that of a search. */
static void deals_dice_evenly(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct mp_position *position = subjects_position(game, seed, 60);
        struct mp_result searched = run(game, position, "expectiminimax,depth=2,keep=60");
        struct mp_result played = run(game, position,
                                      "rollout,games=36,truncate=2,keep=60,variance-reduction=off");
        assert_int_equal(played.value, searched.value);
        mp_position_free(position);
    }
}

/* With the bear-off table as evaluation the value before the games is right to a hundredth (its plays take
 * the fewest throws, which is not quite the best): they must come to it, and without luck hardly anything is
 * left to chance. */
static void agrees_with_the_bearoff_table(void **state)
{
    (void)state;
    const char *const ids[] = {"XGID=-BBB----------------bbb---:0:0:1:31:0:0:0:0:10",
                               "XGID=-C-CCC-------------ccdb---:0:0:1:62:0:0:0:0:10",
                               "XGID=-A--AA-------------aa-----:0:0:1:21:0:0:0:0:10"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct mp_position *position = mp_position_new(game, ids[i], NULL);
        assert_non_null(position);
        mp_value expected = run(game, position, "expectiminimax,depth=1").value;
        struct mp_result plain = run(game, position, "rollout,games=1296,keep=1,variance-reduction=off");
        struct mp_result reduced = run(game, position, "rollout,games=1296,keep=1");
        assert_true(plain.standard_error > 0);
        assert_true(reduced.standard_error < plain.standard_error / 5);
        assert_true(abs(plain.value - reduced.value) <= 4 * plain.standard_error + 1);
        assert_true(abs(reduced.value - expected) <= 100);
        mp_position_free(position);
    }
}

/* The luck that is taken off is 0 on average, whatever the evaluation: the means agree within their
 * errors. */
static void luck_is_fair(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct mp_position *position = subjects_position(game, seed, 60);
        struct mp_result plain = run(game, position,
                                     "rollout,games=360,keep=1,eval=pips,variance-reduction=off");
        struct mp_result reduced = run(game, position, "rollout,games=360,keep=1,eval=pips");
        double error = plain.standard_error + reduced.standard_error;
        assert_true(abs(plain.value - reduced.value) < 4 * error + 1);
        mp_position_free(position);
    }
}

static void stops_with_an_answer(void **state)
{
    (void)state;
    struct mp_position *position = subjects_position(game, 3, 20);
    struct mp_result result = run(game, position, "rollout,games=1000000,nodes=20000");
    assert_true(result.stopped && result.depth >= 1);
    struct mp_result looked = run(game, position, "rollout,games=1000000,nodes=1");
    assert_int_equal(looked.move, run(game, position, "expectiminimax,depth=1").move);
    mp_position_free(position);
}

static void refuses_what_does_not_fit(void **state)
{
    (void)state;
    struct mp_game *othello = mp_game_open("othello", NULL);
    const struct {
        struct mp_game *game;
        const char *strategy, *part;
    } cases[] = {{othello, "rollout", "throws dice, but othello does not have any"},
                 {game, "rollout,split=top", "split=top is not for rollout, expected none or games"},
                 {game, "star2,split=games", "split=games is not for star2, expected none, top"},
                 {game, "rollout,depth=2", "no key 'depth'"},
                 {game, "rollout,games=0", "expected 1 to 1000000"},
                 {game, "star2,games=2", "no key 'games'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_error error = {0};
        assert_null(mp_search_new(cases[i].game, cases[i].strategy, &error));
        assert_contains(error.text, cases[i].part);
    }
    mp_game_close(othello);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),         cmocka_unit_test(deals_dice_evenly),
        cmocka_unit_test(agrees_with_the_bearoff_table), cmocka_unit_test(luck_is_fair),
        cmocka_unit_test(stops_with_an_answer),          cmocka_unit_test(refuses_what_does_not_fit),
    };
    return cmocka_run_group_tests_name("rollout", tests, open_game, close_game);
}

/* rollout.c - rollouts: the same answer on any number of threads, dice that are dealt out evenly, means that
 * are right and errors that say how right. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "lab/chances.h"
#include "lab/rollouts.h"

#include <math.h>

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

/* ---- In rounds, as a table ----------------------------------------------------------------------------- */

static struct rollouts_table table_of(const struct mp_position *position, const char *strategy, double clear,
                                      bool stopped)
{
    struct mp_error error = {0};
    struct rollouts_table table;
    struct mp_strategy *s = mp_strategy_new(game, strategy, &error);
    if (!s)
        fail_msg("%s: %s", strategy, error.text);
    struct rollouts r = {.strategy = s, .position = position, .clear = clear};
    if (stopped)
        rollouts_stop(&r);
    assert_true(rollouts_run(&r, &table, &error));
    assert_int_equal(table.stopped, stopped);
    mp_strategy_free(s);
    return table;
}

/* The table is the same on any number of threads, and its first row is what the search by games says. */
static void tables_repeat(void **state)
{
    (void)state;
    struct mp_position *position = subjects_position(game, 5, 40);
    struct mp_result searched = run(game, position,
                                    "rollout,games=180,truncate=5,keep=4,seed=4,eval=network");
    const char *const strategy = "rollout,games=180,truncate=5,keep=4,seed=4,eval=network";
    struct rollouts_table all = table_of(position, strategy, 0, false),
                          one = table_of(position, strategy, 1, false);
    assert_int_equal(all.rows[0].move, searched.move);
    assert_true(fabs(all.rows[0].equity - searched.value / 10000.0) < 0.0001);
    assert_true(fabs(all.rows[0].error - searched.standard_error / 10000) < 1e-9);
    for (int threads = 2; threads <= 8; threads *= 2) {
        char text[128];
        snprintf(text, sizeof text,
                 "rollout,games=180,truncate=5,keep=4,seed=4,eval=network,split=games,threads=%d", threads);
        struct rollouts_table many = table_of(position, text, 1, false);
        assert_int_equal(many.count, one.count);
        assert_int_equal(many.evaluations, one.evaluations);
        for (int i = 0; i < one.count; i++)
            assert_memory_equal(&many.rows[i], &one.rows[i], sizeof one.rows[i]);
    }
    mp_position_free(position);
}

/* Wins, gammons and backgammons come to the equity, whether the luck is taken off or not, and whoever wins games they are
 * shares of them. */
static void shares_come_to_the_equity(void **state)
{
    (void)state;
    const char *const strategies[] = {
        "rollout,games=36,truncate=3,keep=2,eval=network",
        "rollout,games=72,truncate=4,keep=2,eval=network,variance-reduction=off",
        "rollout,games=36,keep=1,eval=network"};
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct mp_position *position = subjects_position(game, seed, 30);
        struct rollouts_table table = table_of(position, strategies[seed % 3], 0, false);
        for (int i = 0; i < table.count; i++) {
            const struct rollouts_row *row = &table.rows[i];
            assert_true(row->has_shares);
            /* At the end of a race a table says what a position is worth, and the network of how many wins that is made. */
            assert_true(fabs(chances_equity(row->shares) - row->equity) < (seed % 3 == 2 ? 0.03 : 0.0005));
            assert_true(row->shares[0] > -0.1 && row->shares[0] < 1.1 &&
                        row->shares[1] >= row->shares[2] - 0.05);
        }
        mp_position_free(position);
    }
}

/* After each of 21 throws the side that throws moves: 36 games cut there have the mean that is looked at without games. */
static void shares_are_those_of_all_throws(void **state)
{
    (void)state;
    struct mp_strategy *s = mp_strategy_new(game, "star1,depth=2,eval=network", NULL);
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct mp_position *position = subjects_position(game, seed, 30);
        struct rollouts_table table = table_of(
            position, "rollout,games=36,truncate=2,keep=3,eval=network,variance-reduction=off", 0, false);
        for (int i = 0; i < table.count; i++) {
            double shares[OUTLOOK];
            assert_true(chances_after(s, position, table.rows[i].move, 2, shares, NULL));
            for (int k = 0; k < OUTLOOK; k++)
                assert_true(fabs(shares[k] - table.rows[i].shares[k]) < 1e-4);
        }
        mp_position_free(position);
    }
    mp_strategy_free(s);
}

static void who_is_clearly_worse_is_left_out(void **state)
{
    (void)state;
    struct mp_position *position = mp_position_new(game, "4HPwATDgc/ABMA 31", NULL);
    struct rollouts_table table = table_of(position, "rollout,games=1296,truncate=3,keep=4,eval=network", 4,
                                           false);
    char text[64];
    game->print_move(game, mp_position_state(position), table.rows[0].move, text, sizeof text);
    assert_string_equal(text, "8/5 6/5");
    assert_true(table.rows[0].games < 1296 && !table.rows[0].is_out);
    for (int i = 1; i < table.count; i++)
        assert_true(table.rows[i].is_out && table.rows[i].equity < table.rows[0].equity);
    struct rollouts_table all = table_of(position, "rollout,games=300,truncate=2,keep=4,eval=network", 0,
                                         false);
    for (int i = 0; i < all.count; i++)
        assert_true(all.rows[i].games == 300 && !all.rows[i].is_out);
    mp_position_free(position);
}

/* Where dice are to be thrown, the position itself is rolled out: it is worth the mean over its throws. */
static void a_position_before_its_throw(void **state)
{
    (void)state;
    struct mp_position *position = mp_position_new(game, "4HPwATDgc/ABMA", NULL);
    struct rollouts_table table = table_of(
        position, "rollout,games=36,truncate=1,eval=network,variance-reduction=off", 4, false);
    assert_int_equal(table.count, 1);
    assert_true(table.rows[0].move == MP_NO_MOVE && table.rows[0].games == 36);
    mp_move throws[MP_MAX_MOVES];
    uint32_t weights[MP_MAX_MOVES];
    int count = mp_position_moves(position, throws, weights, MP_MAX_MOVES);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        struct mp_position *after = mp_position_copy(position, NULL);
        assert_true(mp_position_play(after, throws[i], NULL));
        sum += weights[i] * (double)run(game, after, "expectiminimax,depth=1,eval=network").value;
        mp_position_free(after);
    }
    assert_true(fabs(table.rows[0].equity - sum / 36 / 10000) < 1e-4);
    assert_true(fabs(chances_equity(table.rows[0].shares) - table.rows[0].equity) < 0.001);
    mp_position_free(position);
}

static void a_stopped_table_is_that_of_the_last_round(void **state)
{
    (void)state;
    struct mp_position *position = subjects_position(game, 3, 20);
    struct rollouts_table table = table_of(position, "rollout,games=100000,eval=network", 0, true);
    assert_true(table.count > 0 && table.rows[0].games == 0 && !table.rows[0].has_shares);
    assert_int_equal(table.rows[0].move, run(game, position, "expectiminimax,depth=1,eval=network").move);
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
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(deals_dice_evenly),
        cmocka_unit_test(agrees_with_the_bearoff_table),
        cmocka_unit_test(luck_is_fair),
        cmocka_unit_test(stops_with_an_answer),
        cmocka_unit_test(refuses_what_does_not_fit),
        cmocka_unit_test(tables_repeat),
        cmocka_unit_test(shares_come_to_the_equity),
        cmocka_unit_test(shares_are_those_of_all_throws),
        cmocka_unit_test(who_is_clearly_worse_is_left_out),
        cmocka_unit_test(a_position_before_its_throw),
        cmocka_unit_test(a_stopped_table_is_that_of_the_last_round),
    };
    return cmocka_run_group_tests_name("rollout", tests, open_game, close_game);
}

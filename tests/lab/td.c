/* td.c - temporal differences: what is learned from a few games tells good positions from bad ones, repeats itself, goes on
 * from what was there, and is refused where a game has no dice. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "lab/td.h"
#include "search/network_evaluation.h"

#include <stdlib.h>

static struct network *learn(const struct mp_game *game, uint64_t games, int threads, bool ahead,
                             const struct network *begin, struct mp_error *error)
{
    struct td td = {.game = game,
                    .shape = {.width = 16, .dense_count = 1, .dense = {16}},
                    .begin = begin,
                    .threads = threads,
                    .batch = 64,
                    .games = games,
                    .round = games / 4,
                    .rate = 1e-3,
                    .last_rate = 3e-4,
                    .lambda = 0.95,
                    .ahead = ahead,
                    .seed = 5};
    return td_run(&td, error);
}

/* How often a network and the hand-made evaluation agree on who is better, where that is clear; per cent. */
static int agreement(const struct mp_game *game, struct network *network)
{
    struct features features;
    assert_true(features_of(game, &features, NULL));
    struct network_evaluation e = network_evaluation(&features, network);
    int asked = 0, right = 0;
    for (uint64_t seed = 0; seed < 600; seed++) {
        struct mp_position *p = subjects_position(game, seed, 60);
        mp_value lead;
        assert_true(mp_position_evaluate(p, "balanced", &lead, NULL));
        mp_value value = e.evaluation.evaluate(game, &e.evaluation, mp_position_state(p));
        asked += abs(lead) > 3000;
        right += abs(lead) > 3000 && (lead > 0) == (value > 0);
        mp_position_free(p);
    }
    network_free(e.network);
    assert_true(asked > 100);
    return 100 * right / asked;
}

static bool same(const struct network *a, const struct network *b, const struct mp_game *game)
{
    struct features features;
    assert_true(features_of(game, &features, NULL));
    bool alike = true;
    for (uint16_t i = 0; i < features.count; i++)
        for (int head = 0; head < (int)features.heads; head++)
            alike = alike &&
                    network_fresh_value(a, (const uint16_t *[]){&i, NULL}, (const int[]){1, 0}, head) ==
                        network_fresh_value(b, (const uint16_t *[]){&i, NULL}, (const int[]){1, 0}, head);
    return alike;
}

static void some_games_teach_who_is_ahead(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("backgammon", NULL);
    struct network *few = learn(game, 4, 1, false, NULL, NULL),
                   *many = learn(game, 2400, 2, false, NULL, NULL);
    assert_in_range(agreement(game, many), 85, 100);
    assert_true(agreement(game, many) > agreement(game, few));
    /* All throws that could come teach the same, and what was learned is not forgotten. */
    struct network *further = learn(game, 16, 2, true, many, NULL);
    assert_in_range(agreement(game, further), 80, 100);
    network_free(few);
    network_free(many);
    network_free(further);
    mp_game_close(game);
}

static void the_same_seed_and_threads_give_the_same(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("backgammon", NULL);
    struct network *first = learn(game, 40, 2, false, NULL, NULL),
                   *again = learn(game, 40, 2, false, NULL, NULL),
                   *longer = learn(game, 44, 2, false, NULL, NULL);
    assert_true(same(first, again, game));
    assert_false(same(first, longer, game));
    network_free(first);
    network_free(again);
    network_free(longer);
    mp_game_close(game);
}

static void what_cannot_be_learned_is_refused(void **state)
{
    (void)state;
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open("backgammon", NULL), *chess = mp_game_open("chess", NULL);
    assert_null(learn(chess, 4, 1, false, NULL, &error));
    assert_contains(error.text, "chess cannot learn by temporal differences");
    struct td td = {.game = game, .shape = {.width = 17}, .threads = 1, .batch = 1, .games = 1, .round = 1};
    assert_null(td_run(&td, &error));
    assert_contains(error.text, "multiple of 16");
    struct network *n = learn(game, 4, 1, false, NULL, NULL);
    td.shape.width = 32;
    td.begin = n;
    assert_null(td_run(&td, &error));
    assert_contains(error.text, "another shape");
    network_free(n);
    mp_game_close(game);
    mp_game_close(chess);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(some_games_teach_who_is_ahead),
        cmocka_unit_test(the_same_seed_and_threads_give_the_same),
        cmocka_unit_test(what_cannot_be_learned_is_refused),
    };
    return cmocka_run_group_tests_name("td", tests, NULL, NULL);
}

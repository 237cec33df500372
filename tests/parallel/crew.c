/* crew.c - what a worker brings along from the task before must not reach into the next. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "parallel/crew.h"
#include "parallel/strategy.h"

/* The value of a search whose helpers come from jobs that were cancelled around them. */
static mp_value value_with_stopped_helpers(const struct mp_game *game, const struct mp_position *position,
                                           const char *text)
{
    struct strategy strategy;
    struct control control = {0};
    struct root_moves root = {0};
    struct iteration found;
    struct mp_history history = mp_position_history(position);
    assert_true(strategy_parse(game, text, &strategy, NULL));
    struct crew crew = {
        .scheme = strategy.scheme, .options = strategy.scheme_options, .threads = strategy.threads};
    assert_true(crew_init(&crew, game, &strategy.settings, &control, NULL, NULL));
    assert_true(crew_begin(&crew, mp_position_state(position), &history, NULL));
    for (int i = 0; i < crew.threads; i++)
        crew.workers[i].root_moves = &root;
    for (int i = 1; i < crew.threads; i++) {
        crew.workers[i].stopped = true;
        crew.workers[i].check_at = WORKER_CHECK_NODES; /* not looked at again for a while */
    }
    assert_true(crew_iterate(&crew, strategy.depth, NULL, &found));
    crew_free(&crew);
    return found.value;
}

/* A helper that stays stopped gives up its first task, and nobody takes it again: an outcome of a throw would
 * be missing in the mean, or the best move among the others. */
static void helpers_begin_each_task_afresh(void **state)
{
    (void)state;
    static const struct {
        const char *game, *alone, *together;
    } cases[] = {
        {DICE_PLUGIN, "star2,depth=6", "star2,split=rolls,deterministic=on,threads=3,depth=6"},
        {DICE_PLUGIN, "star1,depth=6", "star1,split=rolls,deterministic=on,threads=8,depth=6"},
        {"othello", "alphabeta,depth=7", "alphabeta,split=ybwc,deterministic=on,threads=3,depth=7"},
        {"othello", "alphabeta,depth=7", "alphabeta,split=shared,deterministic=on,threads=8,depth=7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_game *game = mp_game_open(cases[i].game, NULL);
        struct mp_search *alone = mp_search_new(game, cases[i].alone, NULL);
        assert_non_null(alone);
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct mp_position *position = subjects_position(game, seed, 6);
            struct mp_result result;
            assert_true(mp_search_run(alone, position, NULL, NULL, &result, NULL));
            assert_int_equal(value_with_stopped_helpers(game, position, cases[i].together), result.value);
            mp_position_free(position);
        }
        mp_search_free(alone);
        mp_game_close(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(helpers_begin_each_task_afresh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* plugins.c - how names become games: options, plug-ins, older plug-ins, and what is wrong with bad ones. */
#include "tests/support/test.h"

#include "manyply/manyply.h"

static void expect_error(const char *name, const char *part)
{
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open(name, &error);
    assert_null(game);
    assert_contains(error.text, part);
}

static void names_are_checked(void **state)
{
    (void)state;
    expect_error("", "unknown game ''");
    expect_error("checkers", "unknown game 'checkers', expected backgammon");
    expect_error("othello:size=10", "othello has no option 'size', expected none");
    expect_error("othello:", "expected option=value");
    expect_error("./does-not-exist.so", "cannot be loaded");
    expect_error("does-not-exist.so", "cannot be loaded");
    expect_error("/", "cannot be loaded");
}

static void options_are_read(void **state)
{
    (void)state;
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open(CIRCLE_PLUGIN, &error);
    assert_non_null(game);
    assert_int_equal(game->option[0], 8);
    mp_game_close(game);
    game = mp_game_open(CIRCLE_PLUGIN ":size=12,shape=flat", &error);
    assert_non_null(game);
    assert_int_equal(game->option[0], 12);
    assert_int_equal(game->option[1], 1);
    mp_game_close(game);
    expect_error(CIRCLE_PLUGIN ":size=3", "size=3, expected a whole number from 4 to 100");
    expect_error(CIRCLE_PLUGIN ":size=x", "size=x, expected a whole number");
    expect_error(CIRCLE_PLUGIN ":shape=square", "shape=square, expected one of round, flat");
    expect_error(CIRCLE_PLUGIN ":colour=red", "has no option 'colour', expected size, shape");
    expect_error(CIRCLE_PLUGIN ":size", "option 'size', expected option=value");
}

/* Two instances of a game with different options do not disturb each other. */
static void instances_are_independent(void **state)
{
    (void)state;
    struct mp_game *small = mp_game_open(CIRCLE_PLUGIN ":size=6", NULL);
    struct mp_game *large = mp_game_open(CIRCLE_PLUGIN ":size=60", NULL);
    char text[64];
    struct mp_position *a = mp_position_new(small, NULL, NULL), *b = mp_position_new(large, NULL, NULL);
    small->print_position(small, mp_position_state(a), text, sizeof text);
    assert_string_equal(text, "0 3 0");
    large->print_position(large, mp_position_state(b), text, sizeof text);
    assert_string_equal(text, "0 30 0");
    mp_position_free(a);
    mp_position_free(b);
    mp_game_close(small);
    mp_game_close(large);
}

/* Tables that were compiled with shorter structs are read as far as they go. */
static void older_plugins_are_read(void **state)
{
    (void)state;
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open(PLUGINS "/older.so", &error);
    if (!game)
        fail_msg("%s", error.text);
    assert_string_equal(game->evaluations[1].name, "again");
    assert_null(game->evaluations[1].children);
    assert_null(game->evaluations[2].name);
    assert_int_equal(game->ordering->index_count, 7);
    assert_null(game->ordering->list_scored);
    assert_null(game->selective->list_noisy);
    assert_null(game->board->describe);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_search *search = mp_search_new(game, "pvs,depth=9,eval=again", &error);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    assert_true(mp_search_run(search, position, NULL, NULL, &result, &error));
    mp_value value = result.value;
    mp_search_free(search);
    search = mp_search_new(game, "minimax,depth=9", &error);
    assert_true(mp_search_run(search, position, NULL, NULL, &result, &error));
    assert_int_equal(result.value, value);
    mp_search_free(search);
    mp_position_free(position);
    mp_game_close(game);
    expect_error(PLUGINS "/wrong_group.so", "the struct_size of its ordering, expected sizeof");
    expect_error(PLUGINS "/wrong_list.so", "evaluation_size 0, expected sizeof(struct mp_evaluation)");
}

/* Published counts of Connect Four from the empty board; finished games are dropped, but for the last. */
static void connect4_counts_as_published(void **state)
{
    (void)state;
    static const uint64_t published[] = {7, 49, 343, 2401, 16807, 117649, 823536, 5673234};
    struct mp_game *game = mp_game_open(CONNECT4_PLUGIN, NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    uint64_t leaves;
    for (int depth = 1; depth <= 8; depth++) {
        assert_true(mp_perft(position, depth, 1, true, NULL, NULL, &leaves, NULL));
        assert_int_equal(leaves, published[depth - 1]);
    }
    assert_true(mp_perft(position, 8, 1, false, NULL, NULL, &leaves, NULL));
    assert_int_equal(leaves, 5686266);
    mp_position_free(position);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(options_are_read),
        cmocka_unit_test(instances_are_independent),
        cmocka_unit_test(older_plugins_are_read),
        cmocka_unit_test(connect4_counts_as_published),
    };
    return cmocka_run_group_tests_name("plugins", tests, NULL, NULL);
}

/* additions.c - what it takes to add a scheme, an algorithm and a key: a file and a row each, and a row. The three lists
 * of the library are replaced by short ones with such a row, and everything else works with them. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "engine/engine.h"
#include "search/algorithms.h"

search_function fixture_search;
extern const struct scheme scheme_none, scheme_ybwc, scheme_fixture;

const struct scheme *const schemes[] = {&scheme_none, &scheme_ybwc, &scheme_fixture, NULL};

const struct algorithm algorithms[] = {
    {.name = "minimax",
     .summary = "every move",
     .driver = &deepening,
     .keys = KEYS_DEPTH | KEYS_TREE,
     .work = WORK_PLAIN,
     .exact = true,
     .default_depth = 3,
     .search = minimax},
    {.name = "fixture",
     .summary = "most moves",
     .driver = &deepening,
     .keys = KEYS_DEPTH | KEYS_TREE | KEYS_KEEP,
     .work = WORK_PLAIN,
     .default_depth = 3,
     .search = fixture_search},
    {0},
};

static bool read_split(const struct mp_game *game, struct plan *plan, const char *value,
                       struct mp_error *error)
{
    (void)game;
    plan->scheme = scheme_find(value);
    return plan->scheme || mp_fail(error, "no scheme %s", value);
}

static void print_split(const struct mp_strategy *s, char *text, size_t size)
{
    snprintf(text, size, "%s", s->plan.scheme->name);
}

const struct key strategy_keys[] = {
    {.name = "depth",
     .summary = "plies",
     .group = KEYS_DEPTH,
     .kind = KEY_NUMBER,
     .place = offsetof(struct plan, depth),
     .least = 1,
     .most = 9,
     .limits = true},
    {.name = "split",
     .summary = "by what scheme",
     .group = KEYS_SPLIT,
     .initial = "none",
     .kind = KEY_OTHER,
     .read = read_split,
     .print = print_split,
     .values = "a scheme"},
    {.name = "threads",
     .summary = "threads",
     .group = KEYS_LIMITS,
     .kind = KEY_NUMBER,
     .place = offsetof(struct plan, threads),
     .least = 1,
     .most = 64,
     .shares = true,
     .always = true},
    {.name = "lazy", /* the new one */
     .summary = "moves that are not looked at",
     .group = KEYS_KEEP,
     .initial = "0",
     .kind = KEY_NUMBER,
     .place = offsetof(struct plan, settings.keep),
     .least = 0,
     .most = 100},
    {0},
};

static struct mp_result run(const struct mp_game *game, const struct mp_position *position, const char *text)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(game, text, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", text, error.text);
    mp_search_free(search);
    return result;
}

static void a_scheme_is_a_file_and_a_row(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_info info = {MP_SIZE(struct mp_info)};
    assert_true(mp_scheme_at(2, &info));
    assert_string_equal(info.name, "fixture");
    assert_true(mp_scheme_fits(game, "minimax", "fixture"));
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct mp_position *position = subjects_position(game, seed, 30);
        struct mp_result truth = run(game, position, "minimax,depth=4");
        struct mp_result shared = run(game, position, "minimax,depth=4,split=fixture,threads=3");
        assert_int_equal(shared.value, truth.value);
        assert_int_equal(shared.move, truth.move);
        assert_int_equal(shared.threads, 3);
        mp_position_free(position);
    }
    mp_game_close(game);
}

static void an_algorithm_is_a_file_and_a_row(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_result truth = run(game, position, "minimax,depth=4");
    struct mp_result same = run(game, position, "fixture,depth=4");
    assert_int_equal(same.value, truth.value);
    assert_int_equal(same.depth, 4);
    assert_false(same.exact);
    assert_int_equal(run(game, position, "fixture,depth=4,split=fixture,threads=2").value, truth.value);
    mp_position_free(position);
    mp_game_close(game);
}

static void a_key_is_a_row(void **state)
{
    (void)state;
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_strategy *strategy = mp_strategy_new(game, "fixture,lazy=2,depth=4", &error);
    assert_non_null(strategy);
    assert_string_equal(mp_strategy_text(strategy), "fixture,depth=4,lazy=2");
    assert_true(mp_strategy_set_number(strategy, "lazy", 0, &error));
    assert_string_equal(mp_strategy_text(strategy), "fixture,depth=4");
    assert_false(mp_strategy_set(strategy, "lazy", "101", &error));
    assert_string_equal(error.text, "strategy: lazy=101, expected 0 to 100");
    mp_strategy_free(strategy);
    assert_null(mp_strategy_new(game, "minimax,lazy=2", &error));
    assert_contains(error.text, "minimax has no key 'lazy', expected one of depth, split, threads");
    struct mp_key_info info = {MP_SIZE(struct mp_key_info)};
    assert_true(mp_key_at(3, &info));
    assert_string_equal(info.values, "0 to 100");
    assert_string_equal(info.algorithms, "fixture");
    assert_true(run(game, position, "fixture,depth=5,lazy=3").counters.nodes <
                run(game, position, "fixture,depth=5").counters.nodes);
    mp_position_free(position);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scheme_is_a_file_and_a_row),
        cmocka_unit_test(an_algorithm_is_a_file_and_a_row),
        cmocka_unit_test(a_key_is_a_row),
    };
    return cmocka_run_group_tests_name("additions", tests, NULL, NULL);
}

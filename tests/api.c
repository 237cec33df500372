/* api.c - the public interface as a program would use it. */
#include "tests/support/test.h"

#include "manyply/manyply.h"

static void print(const struct mp_game *game, const struct mp_position *position, char *text)
{
    game->print_position(game, mp_position_state(position), text, 128);
}

static void plays_records_in_any_form(void **state)
{
    const struct mp_game *game = *state;
    const char *const forms[] = {"f5d6c3", "f5 d6 c3", "f5,d6,c3", " f5\td6, c3\n", "F5 d6c3"};
    char first[128], text[128];
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct mp_error error = {""};
        struct mp_position *position = mp_position_new(game, NULL, NULL);
        if (!mp_position_play_text(position, forms[i], &error))
            fail_msg("'%s': %s", forms[i], error.text);
        print(game, position, text);
        if (i == 0)
            strcpy(first, text);
        assert_string_equal(text, first);
        assert_int_equal(mp_position_history(position).count, 3);
        mp_position_free(position);
    }
}

static void a_bad_record_changes_nothing(void **state)
{
    const struct mp_game *game = *state;
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_error error = {""};
    char before[128], text[128];
    assert_true(mp_position_play_text(position, "f5", &error));
    print(game, position, before);
    assert_false(mp_position_play_text(position, "d6c3a1", &error));
    assert_contains(error.text, "after 2 moves");
    assert_contains(error.text, "'a1'");
    print(game, position, text);
    assert_string_equal(text, before);
    assert_int_equal(mp_position_history(position).count, 1);
    assert_false(mp_position_play(position, 0, &error));
    assert_contains(error.text, "not legal");
    mp_position_free(position);
}

/* A game in which White must pass: the record may say so or leave it out. */
static void passes_may_be_left_out(void **state)
{
    const struct mp_game *game = *state;
    char with[128], without[128];
    struct mp_error error = {""};
    /* White to move has nothing but a pass; Black's c1 follows. */
    struct mp_position *d = mp_position_new(
        game, "XO-------------------------------------------------------------- O", &error);
    struct mp_position *e = mp_position_new(
        game, "XO-------------------------------------------------------------- O", &error);
    assert_true(mp_position_play_text(d, "pass c1", &error));
    assert_true(mp_position_play_text(e, "c1", &error));
    print(game, d, with);
    print(game, e, without);
    assert_string_equal(with, without);
    mp_position_free(d);
    mp_position_free(e);
}

struct seen {
    int calls, depth;
};

static void note_progress(const struct mp_result *so_far, void *context)
{
    struct seen *seen = context;
    assert_int_equal(so_far->depth, ++seen->depth);
    assert_true(so_far->counters.nodes > 0);
    assert_true(so_far->pv_length >= 1);
    seen->calls++;
}

static void reports_every_iteration(void **state)
{
    const struct mp_game *game = *state;
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_search *search = mp_search_new(game, "pvs,depth=6", NULL);
    struct seen seen = {0, 0};
    struct mp_result result;
    assert_true(mp_search_run(search, position, note_progress, &seen, &result, NULL));
    assert_int_equal(seen.calls, 6);
    assert_int_equal(result.depth, 6);
    assert_int_equal(result.pv_length, 6);
    assert_string_equal(mp_search_strategy(search), "pvs,depth=6,eval=positional,hash=auto");
    mp_search_free(search);
    mp_position_free(position);
}

/* Counters of a full minimax tree are known: its leaves are perft's, and every node above is a perft too. */
static void counters_add_up(void **state)
{
    const struct mp_game *game = *state;
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_result one, two;
    struct mp_search *search = mp_search_new(game, "minimax,depth=5,eval=discs", NULL);
    assert_true(mp_search_run(search, position, NULL, NULL, &one, NULL));
    mp_search_free(search);
    uint64_t sum = 0, leaves = 0;
    for (int depth = 0; depth <= 5; depth++) {
        assert_true(mp_perft(position, depth, 1, true, NULL, NULL, &leaves, NULL));
        sum += leaves;
    }
    assert_int_equal(one.counters.leaves, leaves);
    assert_int_equal(one.counters.nodes, sum);
    assert_int_equal(one.counters.leaf_plies, 5 * leaves);
    assert_int_equal(one.counters.max_ply, 5);
    assert_int_equal(one.counters.alpha_cuts + one.counters.beta_cuts, 0);
    /* Shared by two threads it is the same tree. */
    search = mp_search_new(game, "minimax,depth=5,eval=discs,split=top,eager=on,threads=2", NULL);
    assert_true(mp_search_run(search, position, NULL, NULL, &two, NULL));
    mp_search_free(search);
    assert_int_equal(two.threads, 2);
    assert_int_equal(two.counters.nodes, sum);
    assert_int_equal(two.counters.leaves, leaves);
    assert_int_equal(two.counters.tasks_created, 4);
    assert_int_equal(two.counters.tasks_local + two.counters.tasks_stolen, 4);
    assert_int_equal(one.value, two.value);
    mp_position_free(position);
}

static void refuses_positions_without_a_choice(void **state)
{
    (void)state;
    struct mp_error error = {""};
    struct mp_result result;
    struct mp_game *game = mp_game_open(DICE_PLUGIN, NULL);
    struct mp_search *search = mp_search_new(game, "minimax,depth=2", NULL);
    struct mp_position *thrown = mp_position_new(game, "3 3 0 0", NULL);
    assert_true(mp_position_is_chance(thrown));
    assert_false(mp_search_run(search, thrown, NULL, NULL, &result, &error));
    assert_contains(error.text, "dice");
    struct mp_position *over = mp_position_new(game, "12 3 5 0", NULL);
    assert_false(mp_search_run(search, over, NULL, NULL, &result, &error));
    assert_contains(error.text, "over");
    assert_int_equal(mp_position_margin(over), 2);
    mp_position_free(thrown);
    mp_position_free(over);
    mp_search_free(search);
    mp_game_close(game);
}

static void note_share(double share, void *context)
{
    double *last = context;
    assert_true(share >= *last && share <= 1);
    *last = share;
}

static void perft_checks_its_arguments(void **state)
{
    const struct mp_game *game = *state;
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_error error = {""};
    uint64_t leaves;
    double share = 0;
    assert_false(mp_perft(position, -1, 1, false, NULL, NULL, &leaves, &error));
    assert_contains(error.text, "depth -1");
    assert_false(mp_perft(position, 256, 1, false, NULL, NULL, &leaves, &error));
    assert_false(mp_perft(position, 1, 0, false, NULL, NULL, &leaves, &error));
    assert_contains(error.text, "0 threads");
    assert_true(mp_perft(position, 6, 1, false, note_share, &share, &leaves, &error));
    assert_int_equal(leaves, 8200);
    assert_true(share == 1);
    mp_position_free(position);
}

static void describes_itself(void **state)
{
    (void)state;
    struct mp_info info;
    assert_true(mp_algorithm_at(0, &info));
    assert_string_equal(info.name, "minimax");
    assert_true(info.exact);
    assert_false(mp_algorithm_at(99, &info));
    assert_false(mp_algorithm_at(-1, &info));
    assert_true(mp_scheme_at(1, &info));
    assert_string_equal(info.name, "top");
    assert_false(mp_scheme_at(99, &info));
    struct mp_key_info key;
    assert_true(mp_key_at(0, &key));
    assert_string_equal(key.name, "depth");
    assert_false(mp_key_at(99, &key));
    assert_false(mp_key_at(-1, &key));
    assert_true(mp_cpu_count() >= 1);
    assert_true(strlen(mp_version()) > 0);
    mp_search_free(NULL);
    mp_position_free(NULL);
    mp_game_close(NULL);
}

static int open_game(void **state)
{
    *state = mp_game_open("othello", NULL);
    return *state ? 0 : -1;
}

static int close_game(void **state)
{
    mp_game_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_records_in_any_form),
        cmocka_unit_test(a_bad_record_changes_nothing),
        cmocka_unit_test(passes_may_be_left_out),
        cmocka_unit_test(reports_every_iteration),
        cmocka_unit_test(counters_add_up),
        cmocka_unit_test(refuses_positions_without_a_choice),
        cmocka_unit_test(perft_checks_its_arguments),
        cmocka_unit_test(describes_itself),
    };
    return cmocka_run_group_tests_name("api", tests, open_game, close_game);
}

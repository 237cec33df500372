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
        struct mp_error error = {0};
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
    struct mp_error error = {0};
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
    struct mp_error error = {0};
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
    struct mp_result result = {MP_SIZE(struct mp_result)};
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
    struct mp_result one = {MP_SIZE(struct mp_result)}, two = {MP_SIZE(struct mp_result)};
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

/* Of the nodes of an iteration some go to the best move; where it is the only one, all but the root itself. */
static void effort_is_a_share(void **state)
{
    (void)state;
    static const struct {
        const char *position, *strategy;
        double least, most;
    } cases[] = {
        {NULL, "pvs,selective=on,depth=9", 0.1, 0.99},
        {NULL, "pvs,depth=5", 0.1, 0.99},
        {"6k1/5ppp/8/8/8/8/PP4q1/7K w - - 0 1", "pvs,selective=on,depth=6", 0.9, 1},
        {NULL, "alphabeta,depth=4", 0, 0},
        {NULL, "pvs,selective=on,depth=9,split=ybwc,threads=2", 0, 0},
    };
    struct mp_game *game = mp_game_open("chess", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_error error;
        struct mp_position *position = mp_position_new(game, cases[i].position, &error);
        struct mp_search *search = mp_search_new(game, cases[i].strategy, &error);
        struct mp_result result = {MP_SIZE(struct mp_result)};
        if (!position || !search || !mp_search_run(search, position, NULL, NULL, &result, &error))
            fail_msg("%s", error.text);
        if (result.effort < cases[i].least || result.effort > cases[i].most)
            fail_msg("%s: effort %f", cases[i].strategy, result.effort);
        mp_search_free(search);
        mp_position_free(position);
    }
    mp_game_close(game);
}

static void refuses_positions_without_a_choice(void **state)
{
    (void)state;
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
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

/* Positions that are drawn by a rule that looks back, by a counter, and because nobody can win. */
static const struct {
    const char *game, *position, *record;
} drawn_positions[] = {
    {"chess", NULL, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"},
    {"chess", NULL, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3"},
    {"chess", "4k3/p7/8/8/8/8/4P3/R3K3 w - - 99 80", "a1b1"},
    {"chess", "8/P6k/8/8/8/8/8/K7 w - - 120 99", ""},
    {"chess", "8/8/8/3k4/8/8/8/KB6 w - - 0 1", ""},
    {"halma", "8/8/2B5/8/8/5W2/8/8 b", "c3-c4 f6-f5 c4-c3 f5-f6 c3-c4 f6-f5 c4-c3 f5-f6"},
    {"halma", "8/8/2B5/8/8/5W2/8/8 w 199", "f6-f5"},
    {CIRCLE_PLUGIN, NULL, "forward back back forward forward back back forward"},
};
enum { DRAWN_POSITIONS = sizeof drawn_positions / sizeof *drawn_positions };

static struct mp_position *drawn_position(int number, struct mp_game **game)
{
    struct mp_error error = {0};
    *game = mp_game_open(drawn_positions[number].game, &error);
    struct mp_position *p = *game ? mp_position_new(*game, drawn_positions[number].position, &error) : NULL;
    if (!p || !mp_position_play_text(p, drawn_positions[number].record, &error))
        fail_msg("%s", error.text);
    return p;
}

/* Such a game is over for those who play it to its end, and goes on for all others. */
static void drawn_games_can_go_on(void **state)
{
    (void)state;
    for (int i = 0; i < DRAWN_POSITIONS; i++) {
        struct mp_game *game;
        struct mp_position *p = drawn_position(i, &game);
        assert_true(mp_position_drawn(p));
        assert_true(mp_position_is_over(p));
        assert_int_equal(mp_position_margin(p), 0);
        mp_move moves[256];
        int count = mp_position_moves(p, moves, NULL, 256);
        assert_true(count > 0);
        assert_int_equal(count, game->list(game, mp_position_state(p), NULL, 0));
        for (int m = 0; m < count; m++) {
            struct mp_position *next = mp_position_copy(p, NULL);
            char text[64];
            mp_move read;
            game->print_move(game, mp_position_state(p), moves[m], text, sizeof text);
            assert_true(mp_position_parse_move(p, text, &read, NULL));
            assert_int_equal(read, moves[m]);
            assert_true(mp_position_play(next, read, NULL));
            assert_true(mp_position_play_text(p, text, NULL));
            assert_int_equal(mp_position_history(p).count, mp_position_history(next).count);
            mp_position_free(p);
            mp_position_free(next);
            mp_game_close(game);
            p = drawn_position(i, &game);
        }
        mp_position_free(p);
        mp_game_close(game);
    }
    /* A game that has ended on the board is over and not drawn; the others go on. */
    struct mp_game *game = mp_game_open("chess", NULL);
    const struct {
        const char *position;
        bool over;
    } others[] = {{"R5k1/5ppp/8/8/8/8/8/K7 b - - 100 90", true},
                  {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", true},
                  {"4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80", false}};
    for (int i = 0; i < 3; i++) {
        struct mp_position *p = mp_position_new(game, others[i].position, NULL);
        assert_false(mp_position_drawn(p));
        assert_int_equal(mp_position_is_over(p), others[i].over);
        assert_int_equal(mp_position_moves(p, NULL, NULL, 0) == 0, others[i].over);
        mp_position_free(p);
    }
    mp_game_close(game);
}

/* The best value of the children, where a draw is one and the rest are evaluated: what depth 1 must say. */
static mp_value best_child(const struct mp_game *game, const struct mp_position *p)
{
    mp_move moves[256];
    mp_value best = -MP_INFINITE;
    int count = mp_position_moves(p, moves, NULL, 256);
    for (int i = 0; i < count; i++) {
        struct mp_position *next = mp_position_copy(p, NULL);
        assert_true(mp_position_play(next, moves[i], NULL));
        mp_value value = mp_position_drawn(next)
                             ? 0
                             : -game->evaluations->evaluate(game, game->evaluations, mp_position_state(next));
        best = value > best ? value : best;
        mp_position_free(next);
    }
    return best;
}

static struct mp_result search_drawn(const struct mp_game *game, const struct mp_position *p,
                                     const char *strategy)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(game, strategy, &error);
    if (!search || !mp_search_run(search, p, NULL, NULL, &result, &error))
        fail_msg("%s: %s", strategy, error.text);
    mp_search_free(search);
    struct mp_position *line = mp_position_copy(p, NULL);
    assert_true(result.pv_length > 0 && result.pv[0] == result.move);
    for (int ply = 0; ply < result.pv_length; ply++) {
        assert_false(ply > 0 && mp_position_drawn(line)); /* a draw ends a line */
        assert_true(mp_position_play(line, result.pv[ply], &error));
    }
    mp_position_free(line);
    return result;
}

static void drawn_positions_are_searched(void **state)
{
    (void)state;
    static const char *const exact[] = {"alphabeta,depth=3",
                                        "pvs,depth=3",
                                        "pvs,depth=3,split=ybwc,threads=2,eager=on",
                                        "pvs,depth=3,split=lazy,threads=2,eager=on",
                                        "pvs,depth=3,split=abdada,threads=2,eager=on",
                                        "alphabeta,depth=3,split=top,threads=2,eager=on"};
    static const char *const others[] = {"pvs,selective=on,depth=6", "mcts,iterations=500", "random,seed=1",
                                         "mcts,iterations=500,split=tree,threads=2",
                                         "horizon,hmin=2,hmax=off,width=off"};
    for (int i = 0; i < DRAWN_POSITIONS; i++) {
        struct mp_game *game;
        struct mp_position *p = drawn_position(i, &game);
        assert_int_equal(search_drawn(game, p, "minimax,depth=1").value, best_child(game, p));
        struct mp_result truth = search_drawn(game, p, "minimax,depth=3");
        assert_true(truth.exact);
        for (size_t s = 0; s < sizeof exact / sizeof *exact; s++)
            assert_int_equal(search_drawn(game, p, exact[s]).value, truth.value);
        for (size_t s = 0; s < sizeof others / sizeof *others; s++)
            assert_true(search_drawn(game, p, others[s]).depth > 0);
        mp_position_free(p);
        mp_game_close(game);
    }
}

/* A tree that is kept from the move before has this position as an end, with nothing below it. */
static void a_kept_tree_goes_on_past_a_draw(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open(CIRCLE_PLUGIN, NULL);
    struct mp_search *search = mp_search_new(game, "mcts,iterations=3000", NULL);
    struct mp_position *p = mp_position_new(game, NULL, NULL);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    assert_true(mp_position_play_text(p, "forward back back forward forward back back", NULL));
    assert_true(mp_search_run(search, p, NULL, NULL, &result, NULL));
    assert_true(mp_position_play_text(p, "forward", NULL));
    assert_true(mp_position_drawn(p));
    for (int i = 0; i < 2; i++) {
        assert_true(mp_search_run(search, p, NULL, NULL, &result, NULL));
        assert_true(result.counters.iterations > 0 && result.depth > 0);
        struct mp_search *fresh = mp_search_new(game, "mcts,iterations=3000", NULL);
        struct mp_result anew = {MP_SIZE(struct mp_result)};
        assert_true(mp_search_run(fresh, p, NULL, NULL, &anew, NULL));
        assert_int_equal(result.move, anew.move);
        assert_int_equal(result.value, anew.value);
        mp_search_free(fresh);
    }
    mp_position_free(p);
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
    struct mp_error error = {0};
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
    struct mp_info info = {MP_SIZE(struct mp_info)};
    assert_true(mp_algorithm_at(0, &info));
    assert_string_equal(info.name, "minimax");
    assert_true(info.exact);
    assert_false(mp_algorithm_at(99, &info));
    assert_false(mp_algorithm_at(-1, &info));
    assert_true(mp_scheme_at(1, &info));
    assert_string_equal(info.name, "top");
    assert_false(mp_scheme_at(99, &info));
    struct mp_key_info key = {MP_SIZE(struct mp_key_info)};
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
        cmocka_unit_test(effort_is_a_share),
        cmocka_unit_test(refuses_positions_without_a_choice),
        cmocka_unit_test(drawn_games_can_go_on),
        cmocka_unit_test(drawn_positions_are_searched),
        cmocka_unit_test(a_kept_tree_goes_on_past_a_draw),
        cmocka_unit_test(perft_checks_its_arguments),
        cmocka_unit_test(describes_itself),
    };
    return cmocka_run_group_tests_name("api", tests, open_game, close_game);
}

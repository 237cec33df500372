/* runs.c - what a single run promises beside its value: what was asked for is what was done, whatever the
 * algorithm, and nothing of a run that was refused or stopped is left for the next. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/clock.h"
#include "engine/engine.h"
#include "search/mcts.h"

#include <math.h>

static struct mp_game *open_game(const char *name)
{
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open(name, &error);
    if (!game)
        fail_msg("%s", error.text);
    return game;
}

static struct mp_search *open_search(const struct mp_game *game, const char *strategy)
{
    struct mp_error error = {0};
    struct mp_search *search = mp_search_new(game, strategy, &error);
    if (!search)
        fail_msg("%s: %s", strategy, error.text);
    return search;
}

static struct mp_position *open_position(const struct mp_game *game, const char *text)
{
    struct mp_error error = {0};
    struct mp_position *position = mp_position_new(game, text, &error);
    if (!position)
        fail_msg("'%s': %s", text ? text : "initial", error.text);
    return position;
}

/* All lines that a run has reported last, by their numbers. */
struct lines {
    int most, calls, depth[MP_MAX_LINES];
    mp_value value[MP_MAX_LINES];
    mp_move move[MP_MAX_LINES];
    uint64_t nodes, nodes_before; /* at the last report and the one before */
};

static void note_line(const struct mp_result *so_far, void *context)
{
    struct lines *lines = context;
    assert_in_range(so_far->line, 1, MP_MAX_LINES);
    int i = so_far->line - 1;
    lines->calls++;
    lines->most = so_far->line > lines->most ? so_far->line : lines->most;
    lines->depth[i] = so_far->depth;
    lines->value[i] = so_far->value;
    lines->move[i] = so_far->move;
    lines->nodes_before = lines->nodes;
    lines->nodes = so_far->counters.nodes;
    assert_int_equal(so_far->move, so_far->pv[0]);
}

static struct mp_result run_within(struct mp_search *search, const struct mp_position *position,
                                   struct mp_limits limits, struct lines *lines)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_error error = {0};
    *lines = (struct lines){0};
    if (!mp_search_run_within(search, position, &limits, note_line, lines, &result, &error))
        fail_msg("%s", error.text);
    return result;
}

/* ---- The whole tree ------------------------------------------------------------------------------------ */

static const char *const endgame =
    "XX-OOOO--XOOXX-XXXOXOOOXXXXXOOXXOXXXXOXXOXXOOOX-OOOXX---OO-X-X-- X"; /* 14 squares are empty */

/* A search that has seen every line to its end does not begin again a ply deeper. */
static void ends_with_the_tree(void **state)
{
    (void)state;
    static const char *const strategies[] = {
        "alphabeta,nodes=1000000000",
        "pvs,depth=255",
        "pvs,depth=255,selective=on",
        "pvs,time=100s",
        "pvs,depth=255,split=ybwc,threads=3,eager=on",
        "pvs,depth=255,split=abdada,threads=3,eager=on",
        "pvs,depth=255,split=lazy,threads=3,eager=on",
        "pvs,depth=255,split=top,threads=3,eager=on",
        "pvs,depth=255,split=chunked,threads=3,eager=on",
        "pvs,depth=255,split=bfs,threads=3,eager=on",
    };
    struct mp_game *game = open_game("othello");
    struct mp_position *position = open_position(game, endgame);
    struct mp_search *plain = open_search(game, "alphabeta,depth=29");
    struct mp_result truth = {MP_SIZE(struct mp_result)}, result = {MP_SIZE(struct mp_result)};
    assert_true(mp_search_run(plain, position, NULL, NULL, &truth, NULL));
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        struct mp_search *search = open_search(game, strategies[i]);
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
        if (!result.complete || result.stopped || result.depth > 32 || result.value != truth.value)
            fail_msg("%s: value %d (expected %d) at depth %d, %s", strategies[i], result.value, truth.value,
                     result.depth, result.complete ? "complete" : "not complete");
        mp_search_free(search);
    }
    mp_search_free(plain);
    mp_position_free(position);
    mp_game_close(game);
}

/* What was found out to the end answers a deeper question at once, and never a shallower one. */
static void proofs_answer_deeper_questions(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    struct mp_position *position = open_position(game, endgame);
    struct mp_search *search = open_search(game, "pvs"), *fresh = open_search(game, "pvs");
    struct lines lines;
    struct mp_result whole = run_within(search, position,
                                        (struct mp_limits){MP_SIZE(struct mp_limits), .depth = 255}, &lines);
    struct mp_result again = run_within(search, position,
                                        (struct mp_limits){MP_SIZE(struct mp_limits), .depth = 255}, &lines);
    assert_true(whole.complete && again.complete);
    assert_int_equal(whole.value, again.value);
    print_message("the whole tree %llu nodes, its last depth again %llu\n",
                  (unsigned long long)whole.counters.nodes,
                  (unsigned long long)(lines.nodes - lines.nodes_before));
    /* What is left are the moves of the line that the game ended by itself. */
    assert_true(lines.nodes - lines.nodes_before < whole.counters.nodes / 25);
    for (int depth = 1; depth < 12; depth++) {
        struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = depth};
        mp_search_forget(fresh);
        struct mp_result after = run_within(search, position, limits, &lines);
        struct mp_result alone = run_within(fresh, position, limits, &lines);
        assert_int_equal(after.value, alone.value);
        assert_int_equal(after.depth, alone.depth);
    }
    mp_search_free(search);
    mp_search_free(fresh);
    mp_position_free(position);
    mp_game_close(game);
}

/* A forced win that counts its plies is the last word of an exact search, one line or several. */
static void ends_with_a_forced_win(void **state)
{
    (void)state;
    struct mp_game *game = open_game("chess");
    struct mp_position *mate = open_position(game, "7k/8/5K2/8/8/8/8/6R1 w - - 0 1");
    struct mp_search *search = open_search(game, "pvs");
    struct lines lines;
    struct mp_result result = run_within(search, mate,
                                         (struct mp_limits){MP_SIZE(struct mp_limits), .depth = 40}, &lines);
    assert_true(result.complete && result.depth < 12);
    assert_int_equal(result.value, MP_PROVEN + MP_MAX_PLY - 3);
    /* Not all lines win by force that soon: deeper means better for them. */
    result = run_within(search, mate, (struct mp_limits){MP_SIZE(struct mp_limits), .depth = 6, .lines = 3},
                        &lines);
    assert_int_equal(result.value, MP_PROVEN + MP_MAX_PLY - 3);
    assert_int_equal(result.depth, 6);
    mp_search_free(search);
    mp_position_free(mate);
    mp_game_close(game);
}

/* Stopped before anything was found, a search still says what a look at each move says. */
static void a_stopped_search_has_a_value(void **state)
{
    (void)state;
    static const char *const strategies[] = {"minimax,depth=255",   "alphabeta,depth=255",
                                             "pvs,depth=255",       "alphabeta,depth=255,split=levels",
                                             "mcts,iterations=100", "star2,depth=255"};
    for (const char *const *name = subjects_names(); *name; name++) {
        struct mp_game *game = open_game(*name);
        struct mp_position *position = subjects_position(game, 3, 10);
        struct mp_search *plain = open_search(game, "minimax,depth=1");
        struct mp_result truth = {MP_SIZE(struct mp_result)}, result = {MP_SIZE(struct mp_result)};
        assert_true(mp_search_run(plain, position, NULL, NULL, &truth, NULL));
        for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
            struct mp_search *search = open_search(game, strategies[i]);
            mp_search_stop(search);
            assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
            bool samples = strstr(strategies[i], "mcts");
            assert_true(result.stopped && result.depth >= 1 && result.pv_length >= 1);
            assert_true(samples || result.value == truth.value);
            mp_search_free(search);
        }
        mp_search_free(plain);
        mp_position_free(position);
        mp_game_close(game);
    }
}

/* ---- Refusals ------------------------------------------------------------------------------------------ */

static void refuses_what_it_cannot_search(void **state)
{
    (void)state;
    struct mp_game *othello = open_game("othello"), *chess = open_game("chess"),
                   *again = open_game("othello");
    struct mp_game *free_halma = open_game("halma:rules=free"), *halma = open_game("halma");
    struct mp_position *start = open_position(othello, NULL), *other = open_position(chess, NULL);
    struct mp_position *same = open_position(again, NULL), *variant = open_position(free_halma, NULL);
    struct mp_search *search = open_search(othello, "pvs,depth=4");
    struct mp_search *standard = open_search(halma, "pvs,depth=2");
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_error error = {0};
    assert_false(mp_search_run(search, other, NULL, NULL, &result, &error));
    assert_contains(error.text, "a position of chess, expected one of othello");
    assert_false(mp_search_run(standard, variant, NULL, NULL, &result, &error));
    assert_contains(error.text, "options");
    assert_true(mp_search_run(search, same, NULL, NULL, &result, &error)); /* opened in the same way */

    mp_move first = 0, wrong = 63;
    mp_position_moves(start, &first, NULL, 1);
    const mp_move moves[] = {first, wrong};
    const struct {
        struct mp_limits limits;
        const char *sentence;
    } refused[] = {
        {{MP_SIZE(struct mp_limits), .depth = -1}, "depth -1"},
        {{MP_SIZE(struct mp_limits), .lines = -3}, "lines -3"},
        {{MP_SIZE(struct mp_limits), .moves = moves, .move_count = -1}, "move_count -1"},
        {{MP_SIZE(struct mp_limits), .move_count = 1}, "without moves"},
        {{MP_SIZE(struct mp_limits), .seconds = -0.5}, "seconds -0.5"},
        {{MP_SIZE(struct mp_limits), .seconds = (double)NAN}, "seconds"},
        {{MP_SIZE(struct mp_limits), .moves = moves, .move_count = 2}, "not legal"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        /* A stop that is pending ends with the run that is refused. */
        mp_search_stop(search);
        assert_false(mp_search_run_within(search, start, &refused[i].limits, NULL, NULL, &result, &error));
        assert_contains(error.text, refused[i].sentence);
        assert_true(mp_search_run(search, start, NULL, NULL, &result, &error));
        assert_false(result.stopped);
        assert_int_equal(result.depth, 4);
    }
    /* A program that does not say how large its structs are is told so. */
    struct mp_limits unsized;
    memset(&unsized, 0, sizeof unsized);
    assert_false(mp_search_run_within(search, start, &unsized, NULL, NULL, &result, &error));
    assert_contains(error.text, "struct_size 0 of a struct mp_limits");
    assert_int_equal(error.code, MP_ERROR_MISUSE);
    struct mp_result unsized_result;
    memset(&unsized_result, 0, sizeof unsized_result);
    unsized_result.depth = 77;
    assert_false(mp_search_run(search, start, NULL, NULL, &unsized_result, &error));
    assert_contains(error.text, "struct_size 0 of a struct mp_result");
    assert_int_equal(unsized_result.depth, 77);
    assert_false(mp_search_follow(search, -1, &error));
    assert_contains(error.text, "-1 pieces of work");
    mp_search_free(search);
    mp_search_free(standard);
    mp_position_free(start);
    mp_position_free(other);
    mp_position_free(same);
    mp_position_free(variant);
    mp_game_close(othello);
    mp_game_close(chess);
    mp_game_close(again);
    mp_game_close(free_halma);
    mp_game_close(halma);
}

/* ---- Monte-Carlo search -------------------------------------------------------------------------------- */

/* A run within limits has no others: not the iterations of the strategy. */
static void samples_as_long_as_asked(void **state)
{
    (void)state;
    struct mp_game *game = open_game("chess");
    struct mp_position *position = open_position(game, NULL);
    struct mp_search *search = open_search(game, "mcts,iterations=50,memory=16");
    struct lines lines;
    struct mp_result result = run_within(
        search, position, (struct mp_limits){MP_SIZE(struct mp_limits), .seconds = 0.05}, &lines);
    assert_true(result.stopped && result.seconds >= 0.05 && result.counters.iterations > 50);
    result = run_within(search, position, (struct mp_limits){MP_SIZE(struct mp_limits), .nodes = 20000},
                        &lines);
    assert_true(result.stopped && result.counters.nodes >= 20000 && result.counters.iterations > 50);
    /* It has no depth, so a depth alone leaves it the limit of its strategy. */
    result = run_within(search, position, (struct mp_limits){MP_SIZE(struct mp_limits), .depth = 3}, &lines);
    assert_false(result.stopped);
    assert_int_equal(result.counters.iterations, 50);
    mp_search_free(search);
    mp_position_free(position);
    mp_game_close(game);
}

/* Only the moves that were asked for, in a fresh tree and in one that is kept; and all of them again. */
static void samples_the_moves_asked_for(void **state)
{
    (void)state;
    static const char *const strategies[] = {"mcts,memory=16",
                                             "mcts,final=uct,memory=16",
                                             "mcts,final=value,memory=16",
                                             "mcts,split=tree,threads=2,memory=16",
                                             "mcts,split=root,threads=3,memory=16",
                                             "mcts,split=root,chunk=100,threads=2,memory=16",
                                             "mcts,split=leaf,threads=2,memory=16"};
    struct mp_game *game = open_game("chess");
    struct mp_position *position = open_position(game, NULL);
    mp_move moves[64], chosen[2];
    int count = mp_position_moves(position, moves, NULL, 64);
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        struct mp_search *search = open_search(game, strategies[i]);
        struct mp_limits limits = {MP_SIZE(struct mp_limits), .nodes = 9000, .moves = chosen, .lines = 64};
        struct lines lines;
        for (int j = 0; j < count; j += 3) {
            limits.move_count = 1 + (j / 3) % 2;
            chosen[0] = moves[j];
            chosen[1] = moves[(j + 7) % count];
            struct mp_result result = run_within(search, position, limits, &lines);
            assert_int_equal(lines.most, limits.move_count);
            for (int line = 0; line < lines.most; line++)
                assert_true(lines.move[line] == chosen[0] ||
                            (lines.move[line] == chosen[1] && limits.move_count == 2));
            assert_int_equal(result.move, lines.move[0]);
            /* A game goes on from there, and back. */
            limits.move_count = 0;
            run_within(search, position, limits, &lines);
            assert_int_equal(lines.most, count);
        }
        mp_search_free(search);
    }
    mp_position_free(position);
    mp_game_close(game);
}

/* What is forgotten is not there: the next run is as the first. */
static void forgets_its_trees(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    struct mp_position *position = open_position(game, NULL);
    struct mp_search *search = open_search(game, "mcts,iterations=3000,memory=16");
    struct mp_result first = {MP_SIZE(struct mp_result)}, again = {MP_SIZE(struct mp_result)},
                     after = {MP_SIZE(struct mp_result)};
    assert_true(mp_search_run(search, position, NULL, NULL, &first, NULL));
    assert_true(mp_search_run(search, position, NULL, NULL, &again, NULL));
    mp_search_forget(search);
    assert_true(mp_search_run(search, position, NULL, NULL, &after, NULL));
    assert_int_equal(after.counters.nodes, first.counters.nodes);
    assert_int_equal(after.value, first.value);
    assert_int_not_equal(again.counters.nodes, first.counters.nodes);
    mp_search_free(search);
    mp_position_free(position);
    mp_game_close(game);
}

static void samples_several_lines(void **state)
{
    (void)state;
    for (const char *const *name = subjects_names(); *name; name++) {
        struct mp_game *game = open_game(*name);
        struct mp_position *position = subjects_position(game, 1, 4);
        struct mp_search *search = open_search(game, "mcts,solver=off,memory=16");
        int count = mp_position_moves(position, NULL, NULL, 0);
        struct lines lines;
        struct mp_result result = run_within(
            search, position, (struct mp_limits){MP_SIZE(struct mp_limits), .nodes = 20000, .lines = 4},
            &lines);
        assert_int_equal(lines.most, count < 4 ? count : 4);
        assert_int_equal(result.line, 1);
        assert_int_equal(result.move, lines.move[0]);
        for (int i = 0; i < lines.most; i++)
            for (int j = 0; j < i; j++)
                assert_true(lines.move[i] != lines.move[j]);
        mp_search_free(search);
        mp_position_free(position);
        mp_game_close(game);
    }
}

/* The end of a game of a match is worth what it does to the match, whoever counts. */
static void values_a_match_as_a_match(void **state)
{
    (void)state;
    static const char *const strategies[] = {"expectiminimax,depth=3", "star2,depth=3",
                                             "mcts,iterations=100000,playout=eval,memory=16",
                                             "mcts,iterations=100000,playout=random,memory=16"};
    struct mp_game *game = open_game("backgammon:match=7,ids=xg");
    struct mp_position *position = open_position(game, "XGID=-A----A-----------------a-:0:0:1:21:0:0:0:7:10");
    struct mp_result first = {MP_SIZE(struct mp_result)}, result = {MP_SIZE(struct mp_result)};
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        struct mp_search *search = open_search(game, strategies[i]);
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
        if (i == 0)
            first = result;
        assert_true(result.exact);
        if (result.value != first.value)
            fail_msg("%s: %d, expected %d", strategies[i], result.value, first.value);
        mp_search_free(search);
    }
    assert_true(first.value > -game->units_per_point / 2);
    mp_position_free(position);
    mp_game_close(game);
}

/* Visits are counted beyond 32 bits. */
static void counts_many_visits(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    struct mp_position *position = open_position(game, NULL);
    struct mp_search *search = mp_search_new(game, "mcts,iterations=2000,memory=16,solver=off", NULL);
    struct mcts_tree *trees = ((struct mcts *)search->data)->trees;
    for (int part = 0; part < 2; part++) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
        if (part == 0) { /* as if four thousand million had been made */
            struct mcts_block *children = mcts_children(trees, mcts_root(trees));
            for (uint32_t i = 0; i < children->count; i++)
                atomic_fetch_add(&mcts_nodes(children)[i].visits, UINT32_MAX - 500);
            atomic_fetch_add(&mcts_node(mcts_root(trees))->visits, 4 * (uint64_t)UINT32_MAX);
        }
    }
    uint64_t visits = 0;
    struct mcts_block *children = mcts_children(trees, mcts_root(trees));
    for (uint32_t i = 0; i < children->count; i++) {
        assert_true(mcts_visits(mcts_nodes(children) + i) > UINT32_MAX - 500);
        visits += mcts_visits(mcts_nodes(children) + i);
    }
    assert_true(visits > 4 * (uint64_t)UINT32_MAX);
    mp_search_free(search);
    mp_position_free(position);
    mp_game_close(game);
}

/* ---- Several lines ------------------------------------------------------------------------------------- */

struct line_order {
    mp_value last;
    int line, depth, wrong;
    mp_move best; /* of the newest line 1 */
};

static void note_order(const struct mp_result *so_far, void *context)
{
    struct line_order *order = context;
    if (so_far->line == 1)
        order->best = so_far->move;
    else
        order->wrong += so_far->value > order->last || so_far->depth != order->depth ||
                        so_far->line != order->line + 1;
    order->line = so_far->line;
    order->depth = so_far->depth;
    order->last = so_far->value;
}

/* The lines of a depth come sorted, whatever the search thinks of them one by one. */
static void lines_come_in_order(void **state)
{
    (void)state;
    struct mp_game *game = open_game("chess");
    struct mp_search *search = open_search(game, "pvs,selective=on");
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct mp_position *position = subjects_position(game, seed, 60);
        struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = 5, .lines = 4};
        struct mp_result result = {MP_SIZE(struct mp_result)};
        struct line_order order = {0};
        assert_true(mp_search_run_within(search, position, &limits, note_order, &order, &result, NULL));
        assert_int_equal(order.wrong, 0);
        assert_int_equal(result.move, order.best);
        assert_int_equal(result.line, 1);
        mp_position_free(position);
    }
    mp_search_free(search);
    mp_game_close(game);
}

/* The move that a run ends with is the first of a line that was reported, wherever it was stopped. */
static void the_last_word_was_reported(void **state)
{
    (void)state;
    struct mp_game *game = open_game("chess");
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct mp_search *search = open_search(game, "pvs,selective=on,hash=1");
        struct mp_position *position = subjects_position(game, seed, 40);
        struct mp_limits limits = {MP_SIZE(struct mp_limits), .nodes = 3000 + seed * 97,
                                   .lines = 1 + (int)(seed % 3)};
        struct mp_result result = {MP_SIZE(struct mp_result)};
        struct line_order order = {.best = MP_NO_MOVE};
        assert_true(mp_search_run_within(search, position, &limits, note_order, &order, &result, NULL));
        assert_int_equal(order.wrong, 0);
        assert_int_equal(result.move, order.best);
        mp_position_free(position);
        mp_search_free(search);
    }
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_with_the_tree),
        cmocka_unit_test(proofs_answer_deeper_questions),
        cmocka_unit_test(ends_with_a_forced_win),
        cmocka_unit_test(a_stopped_search_has_a_value),
        cmocka_unit_test(refuses_what_it_cannot_search),
        cmocka_unit_test(samples_as_long_as_asked),
        cmocka_unit_test(samples_the_moves_asked_for),
        cmocka_unit_test(forgets_its_trees),
        cmocka_unit_test(samples_several_lines),
        cmocka_unit_test(values_a_match_as_a_match),
        cmocka_unit_test(counts_many_visits),
        cmocka_unit_test(lines_come_in_order),
        cmocka_unit_test(the_last_word_was_reported),
    };
    return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}

/* chess_pm.c - the report's chess: its exact counts, its rules, its boards in text. */
#include "tests/support/test.h"

#include "reports/chess-pm/chess_pm.h"
#include "manyply/manyply.h"

static struct mp_game *open_game(const char *name)
{
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open(name, &error);
    if (!game)
        fail_msg("%s", error.text);
    return game;
}

static struct mp_position *position_of(const struct mp_game *game, const char *text)
{
    struct mp_error error = {0};
    struct mp_position *position = mp_position_new(game, text, &error);
    if (!position)
        fail_msg("%s", error.text);
    return position;
}

static struct mp_result search(const struct mp_game *game, const struct mp_position *position,
                               const char *strategy)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(game, strategy, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s", error.text);
    mp_search_free(search);
    return result;
}

/* Leaves that the report's program evaluates in a search of depth 4, by strategy, and the move it plays on
 * B1. Its strategies go on after a king is taken, whatever the option of the game says. */
static const char *const boards[] = {"B1", "B2", "B3", "B4"};
static const struct {
    const char *strategy;
    uint64_t leaves[4];
} counts[] = {
    {"MinimaxSeq,4", {197742, 498615, 2796676, 903457}},
    {"MinimaxSeqAB,4", {24155, 60574, 437970, 215250}},
    {"MinimaxPar,1,4,threads=2", {197742, 498615, 2796676, 903457}},
    {"MinimaxPar,2,4,threads=2", {197742, 498615, 2796676, 903457}},
    {"MinimaxParAB,1,4,threads=2", {24155, 60574, 437970, 215250}},
    {"MinimaxParAB,2,4,threads=2", {47804, 124817, 705088, 324401}},
};

static void counts_leaves_as_the_report(void **test_state)
{
    (void)test_state;
    struct mp_game *game = open_game("chess-pm");
    for (int b = 0; b < 4; b++) {
        struct mp_position *position = position_of(game, boards[b]);
        mp_move move = search(game, position, counts[0].strategy).move;
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            struct mp_result result = search(game, position, counts[i].strategy);
            assert_int_equal(result.counters.leaves, counts[i].leaves[b]);
            assert_int_equal(result.move, move);
        }
        char text[16];
        game->print_move(game, mp_position_state(position), move, text, sizeof text);
        if (b == 0)
            assert_string_equal(text, "b8c6");
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* The tasks that the report counts when one and when two levels are parallel. */
static void lists_as_many_moves(void **test_state)
{
    (void)test_state;
    struct mp_game *game = open_game("chess-pm:continue=on");
    struct mp_position *position = position_of(game, "B3");
    uint64_t one, two;
    assert_true(mp_perft(position, 1, 1, true, NULL, NULL, &one, NULL));
    assert_true(mp_perft(position, 2, 1, true, NULL, NULL, &two, NULL));
    assert_int_equal(one, 39);
    assert_int_equal(one + two, 1740);
    mp_position_free(position);
    mp_game_close(game);
}

static void assert_list(const char *position_text, const char *expected)
{
    struct mp_game *game = open_game("chess-pm");
    struct mp_position *position = position_of(game, position_text);
    mp_move moves[CHESS_PM_MOST_MOVES];
    char all[1024] = "", text[16];
    int count = mp_position_moves(position, moves, NULL, CHESS_PM_MOST_MOVES);
    for (int i = 0; i < count; i++) {
        game->print_move(game, mp_position_state(position), moves[i], text, sizeof text);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " " : "", text);
    }
    assert_string_equal(all, expected);
    mp_position_free(position);
    mp_game_close(game);
}

static void lists_in_the_order_of_the_report(void **test_state)
{
    (void)test_state;
    assert_list("k7/8/8/8/8/8/8/4K3 b", "a8b8 a8a7 a8b7");
    assert_list("k7/2P5/8/8/8/8/8/6K1 w", "c7c8p c7c8n c7c8b c7c8r c7c8q g1f2 g1g2 g1h2 g1f1 g1h1");
    assert_list("8/8/8/8/8/2k5/p1N5/1R5K b",
                "c3b4 c3c4 c3d4 c3b3 c3d3 c3b2 c3c2 c3d2 a2a1p a2a1n a2a1b a2a1r "
                "a2a1q a2b1p a2b1n a2b1b a2b1r a2b1q");
    assert_list("K6k/8/8/2Q1p3/8/2p5/4N3/8 w",
                "a8b8 a8a7 a8b7 c5c4 c5c3 c5c6 c5c7 c5c8 c5d5 c5e5 c5b5 c5a5 c5d4 c5e3 c5f2 c5g1 c5b4 c5a3 "
                "c5d6 c5e7 c5f8 c5b6 c5a7 e2g1 e2c1 e2g3 e2c3 e2f4 e2d4");
}

static void ends_with_a_taken_king(void **test_state)
{
    (void)test_state;
    for (int on = 0; on < 2; on++) {
        struct mp_game *game = open_game(on ? "chess-pm:continue=on" : "chess-pm");
        struct mp_position *position = position_of(game, "k7/8/8/8/8/8/8/R3K3 w");
        assert_true(mp_position_play_text(position, "a1a8", NULL));
        assert_int_equal(mp_position_moves(position, NULL, NULL, 0), 0);
        assert_int_equal(mp_position_margin(position), -1); /* player 0 is Black */
        mp_position_free(position);
        position = position_of(game, "k7/p7/8/8/8/8/8/1R2K3 w");
        assert_true(mp_position_play_text(position, "b1b8 a7a6 b8a8", NULL));
        assert_int_equal(mp_position_moves(position, NULL, NULL, 0), on ? 1 : 0);
        mp_position_free(position);
        mp_game_close(game);
    }
}

static void assert_reads(const char *text, const char *expected)
{
    struct mp_game *game = open_game("chess-pm");
    struct mp_position *position = position_of(game, text);
    char printed[128];
    game->print_position(game, mp_position_state(position), printed, sizeof printed);
    assert_string_equal(printed, expected);
    mp_position_free(position);
    mp_game_close(game);
}

#define EMPTY_LINE "  ,  ,  ,  ,  ,  ,  ,  \n"
#define SOME_LINES EMPTY_LINE ",,,bp,,,,\n" EMPTY_LINE EMPTY_LINE EMPTY_LINE

static void reads_boards(void **test_state)
{
    (void)test_state;
    assert_reads("br,bk,bb,bq,bx,  ,  ,br\n" SOME_LINES "wp,wp,wp,wp,wp,wp,wp,wp\n  ,wk,  ,wq,wx,wb,wk,wr\n",
                 "rnbqk2r/8/3p4/8/8/8/PPPPPPPP/1N1QKBNR b");
    assert_reads("bx,,,,,,,\n" SOME_LINES EMPTY_LINE "wx,,,,,,,\nw\n", "k7/8/3p4/8/8/8/8/K7 w");
    assert_reads("bx,,,,,,,\r\n" SOME_LINES EMPTY_LINE "wx,,,,,,,", "k7/8/3p4/8/8/8/8/K7 b");
    assert_reads("B2", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR b");
    assert_reads("8/8/8/8/8/8/8/K6k w - - 0 1", "8/8/8/8/8/8/8/K6k w");
}

static void names_errors(void **test_state)
{
    (void)test_state;
    static const struct {
        const char *text, *part;
    } wrong[] = {
        {"B5", "6 squares, expected B1 to B4"},
        {"", "0 squares, expected B1 to B4"},
        {"8/8/8/8/8/8/8/K6k", "expected b or w"},
        {"8/8/8/8/8/8/8/K6k x", "expected b or w"},
        {"8/8/8/8/8/8/8/K6kk w", "'k' after 64 squares"},
        {"8/8/8/8/8/8/K6k w", "56 squares"},
        {"44/7/8/8/8/8/8/K6k w", "'/' after 15 squares"},
        {"zz,,,,,,,\n" SOME_LINES EMPTY_LINE "wx,,,,,,,", "line 1, cell 1 is 'zz'"},
        {"bx,,,,,,,,\n" SOME_LINES EMPTY_LINE "wx,,,,,,,", "line 1 has more than 8 cells"},
        {"bx,,,,,,\n" SOME_LINES EMPTY_LINE "wx,,,,,,,", "line 1 ends too soon"},
        {"bx,,,,,,,\n", "line 2 ends too soon"},
        {"bx,,,,,,,\n" SOME_LINES EMPTY_LINE "wx,,,,,,,\nno", "'no' after the board"},
    };
    struct mp_game *game = open_game("chess-pm");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct mp_error error = {0};
        struct mp_position *position = mp_position_new(game, wrong[i].text, &error);
        if (position)
            fail_msg("'%s' is read", wrong[i].text);
        assert_contains(error.text, wrong[i].part);
    }
    mp_game_close(game);
}

/* Scores worked out by hand from the report's tables, times ten. */
static void scores_as_the_report(void **test_state)
{
    (void)test_state;
    static const struct {
        const char *position;
        int value;
    } known[] = {
        {"B1", 0},
        {"B2", -50}, /* White's pawn gained 2.0 + 2.0 going to e4, Black's lost 1.0 going to c5 */
        {"8/8/8/8/8/8/8/Q7 w", 900 - 20},
        {"8/8/8/1q6/8/8/8/8 b", 900 + 0},
        {"8/8/8/8/8/k7/8/8 w", -(9000 - 30)},
    };
    struct mp_game *game = open_game("chess-pm");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct mp_position *position = position_of(game, known[i].position);
        assert_int_equal(game->evaluations->evaluate(game, game->evaluations, mp_position_state(position)),
                         known[i].value);
        mp_position_free(position);
    }
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_leaves_as_the_report),

        cmocka_unit_test(lists_as_many_moves),
        cmocka_unit_test(lists_in_the_order_of_the_report),
        cmocka_unit_test(ends_with_a_taken_king),
        cmocka_unit_test(reads_boards),
        cmocka_unit_test(names_errors),
        cmocka_unit_test(scores_as_the_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

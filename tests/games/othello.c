/* othello.c - the rules against published counts, the three CPU levels against each other, the evaluations
 * against their formulas, the endgame against known scores. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "games/othello/othello.h"

static const char *const start = "---------------------------OX------XO--------------------------- X";

static struct mp_position *position_of(const struct mp_game *game, const char *text)
{
    struct mp_error error = {0};
    struct mp_position *position = mp_position_new(game, text, &error);
    if (!position)
        fail_msg("%s", error.text);
    return position;
}

/* The tables for every level of the CPU, up to the best that this one can run. */
static const struct mp_game *const tables[] = LEVEL_TABLES(othello_table);

/* Published counts: a pass is a ply, a game that ends earlier is one leaf. */
static void counts_as_published(void **state)
{
    (void)state;
    static const uint64_t published[] = {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288};
    int levels = level_best() + 1;
    for (int level = 0; level < levels; level++) {
        struct mp_position *position = position_of(tables[level], NULL);
        for (int depth = 0; depth <= 9; depth++) {
            uint64_t leaves;
            assert_true(mp_perft(position, depth, 1, false, NULL, NULL, &leaves, NULL));
            assert_int_equal(leaves, published[depth]);
        }
        mp_position_free(position);
    }
}

/* All levels give the same moves, keys, scores, values, playouts and solutions on random positions. */
static void levels_agree(void **state)
{
    (void)state;
    int levels = level_best() + 1;
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct mp_position *position = subjects_position(tables[0], seed, 60);
        const void *board = mp_position_state(position);
        mp_move moves[2][64];
        int32_t scores[2][64];
        int count = tables[0]->ordering->list_scored(tables[0], board, 5, moves[0], scores[0], 64);
        mp_value value = 0, solved = 0, other = 0;
        uint64_t nodes = 0, other_nodes;
        bool solvable = tables[0]->solve(tables[0], board, 60, -MP_INFINITE, MP_INFINITE, &solved, &nodes);
        for (int level = 1; level < levels; level++) {
            const struct mp_game *game = tables[level];
            assert_int_equal(game->ordering->list_scored(game, board, 5, moves[1], scores[1], 64), count);
            assert_memory_equal(moves[0], moves[1], (size_t)count * sizeof(mp_move));
            assert_memory_equal(scores[0], scores[1], (size_t)count * sizeof(int32_t));
            assert_int_equal(game->playout(game, board, seed), tables[0]->playout(tables[0], board, seed));
            for (int e = 0; tables[0]->evaluations[e].name; e++) {
                const struct mp_evaluation *a = &tables[0]->evaluations[e], *b = &game->evaluations[e];
                value = a->evaluate(tables[0], a, board);
                assert_int_equal(value, b->evaluate(game, b, board));
            }
            other_nodes = 0;
            assert_int_equal(game->solve(game, board, 60, -MP_INFINITE, MP_INFINITE, &other, &other_nodes),
                             solvable);
            assert_int_equal(other, solved);
            assert_int_equal(other_nodes, nodes);
        }
        mp_position_free(position);
    }
}

static mp_value value_of(const struct mp_game *game, const char *name, const char *text)
{
    struct mp_position *position = position_of(game, text);
    mp_value value = MP_INFINITE;
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++)
        if (!strcmp(e->name, name))
            value = e->evaluate(game, e, mp_position_state(position));
    mp_position_free(position);
    return value;
}

/* Worked out by hand from the report's formula: 2 * (2 for each own corner) + own moves + lead div 3, where
 * div rounds down. */
static void report_follows_its_formula(void **state)
{
    struct mp_game *game = *state;
    assert_int_equal(value_of(game, "report", start), 4);
    /* One disc against five: the lead is -4, div 3 is -2; X at a1 is a corner (4); X can play a3 (over
     * a2). */
    assert_int_equal(
        value_of(game, "report", "XO------O-------------------------------------OO------O--------- X"),
        4 + 2 - 2);
    assert_int_equal(
        value_of(game, "discs", "XO------O-------------------------------------OO------O--------- X"), -4);
    /* The same board for O: the lead is 4, div 3 is 1; no corner, no move. */
    assert_int_equal(
        value_of(game, "report", "XO------O-------------------------------------OO------O--------- O"),
        0 + 0 + 1);
}

/* Positional sees the end of a game and agrees with the rules about it. */
static void positional_sees_the_end(void **state)
{
    struct mp_game *game = *state;
    char board[67];
    memset(board, 'X', 64);
    memcpy(board + 60, "---- O", 7);
    assert_int_equal(value_of(game, "positional", board), -MP_PROVEN - 64);
    assert_true(value_of(game, "positional", start) == 0);
}

/* Who cannot move passes, and that is the only move; where nobody can, the game is over, and the empty
 * squares go to the winner. */
static void games_end_when_nobody_can_move(void **state)
{
    struct mp_game *game = *state;
    static const struct {
        const char *discs; /* from a1 on; the rest of the board is empty */
        int moves, margin; /* for X */
    } known[] = {
        {"XO", 1, 0},  {"OX", 1, 0},       {"XXO", 1, 0},       {"X", 0, 64},
        {"O", 0, -64}, {"X------O", 0, 0}, {"XX-----O", 0, 62}, {"X-----OO", 0, -62},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int side = 0; side < 2; side++) {
            char board[67];
            memset(board, '-', 64);
            memcpy(board, known[i].discs, strlen(known[i].discs));
            snprintf(board + 64, 3, " %c", "XO"[side]);
            struct mp_position *position = position_of(game, board);
            mp_move moves[2];
            assert_int_equal(mp_position_moves(position, moves, NULL, 2), known[i].moves);
            assert_int_equal(game->count(game, mp_position_state(position)), known[i].moves);
            if (known[i].moves == 0)
                assert_int_equal(mp_position_margin(position), known[i].margin);
            else /* X takes, O has nothing to take with */
                assert_int_equal(game->is_pass(game, moves[0]), (known[i].discs[0] == 'X') == (side == 1));
            mp_position_free(position);
        }
}

/* Known results of endgame positions (the FForum suite, numbers 20, 21, 22 and 29), with every algorithm that
 * gets that far. */
static void solves_known_endgames(void **state)
{
    struct mp_game *game = *state;
    static const struct {
        const char *position, *best;
        int score;
    } known[] = {
        {"XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X", "h5", 6},
        {"OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O", "g5", 0},
        {"--OOOO--X-OOOOO-XXOOXOXXXOXOXXXXXXXOXXXX-XXOXOXX--OXXX-X----X--- O", "g8", 2},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct mp_position *position = position_of(game, known[i].position);
        struct mp_search *search = mp_search_new(game, "pvs,depth=60", NULL);
        struct mp_result result = {MP_SIZE(struct mp_result)};
        char move[8];
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
        game->print_move(game, mp_position_state(position), result.move, move, sizeof move);
        assert_string_equal(move, known[i].best);
        assert_int_equal(result.value, mp_final_value(game, known[i].score, 0));
        mp_search_free(search);
        mp_position_free(position);
    }
}

/* The solver against plain minimax, for windows everywhere around the value. */
static void solver_respects_windows(void **state)
{
    struct mp_game *game = *state;
    int solved = 0;
    for (uint64_t seed = 0; seed < 3000 && solved < 60; seed++) {
        struct mp_position *position = subjects_position(game, seed, 60);
        const void *board = mp_position_state(position);
        mp_value value, exact;
        uint64_t nodes = 0;
        if (game->solve(game, board, 60, -MP_INFINITE, MP_INFINITE, &exact, &nodes)) {
            struct mp_search *search = mp_search_new(game, "minimax,depth=20", NULL);
            struct mp_result result = {MP_SIZE(struct mp_result)};
            assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
            assert_int_equal(exact, result.value);
            mp_search_free(search);
            static const mp_value edges[] = {
                -MP_INFINITE, -MP_PROVEN - 64, -MP_PROVEN - 20, -MP_PROVEN - 1, -50,        -1, 0, 1,
                50,           MP_PROVEN + 1,   MP_PROVEN + 20,  MP_PROVEN + 64, MP_INFINITE};
            for (size_t a = 0; a < sizeof edges / sizeof *edges; a++)
                for (size_t b = a + 1; b < sizeof edges / sizeof *edges; b++) {
                    mp_value alpha = edges[a], beta = edges[b];
                    assert_true(game->solve(game, board, 60, alpha, beta, &value, &nodes));
                    if (exact <= alpha)
                        assert_true(value >= exact && value <= alpha);
                    else if (exact >= beta)
                        assert_true(value <= exact && value >= beta);
                    else
                        assert_int_equal(value, exact);
                }
            solved++;
            /* It says no when a line with passes could be longer than the depth. */
            assert_false(game->solve(game, board, 1, -MP_INFINITE, MP_INFINITE, &value, &nodes) &&
                         game->count(game, board) > 1);
        }
        mp_position_free(position);
    }
    assert_int_equal(solved, 60);
}

static void explains_bad_positions(void **state)
{
    struct mp_game *game = *state;
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"", "0 squares, expected 64"},
        {"---------------------------OX------XO-------------------------- X", "63 squares, expected 64"},
        {"---------------------------OX------XO---------------------------- X", "65 squares, expected 64"},
        {"---------------------------OX------XO---------------------------", "the side to move is missing"},
        {"---------------------------OX------XO--------------------------- -", "the side to move is missing"},
        {"---------------------------OX------XO--------------------------- X O",
         "'O' after the side to move"},
        {"---------------------------OZ------XO--------------------------- X", "square e4 holds 'Z'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct mp_error error = {0};
        assert_null(mp_position_new(game, bad[i].text, &error));
        assert_contains(error.text, bad[i].part);
    }
    struct mp_position *lenient = position_of(
        game, "...........................ox......xo...........................\tx;");
    char text[128];
    game->print_position(game, mp_position_state(lenient), text, sizeof text);
    assert_string_equal(text, start);
    mp_position_free(lenient);
}

static void explains_bad_moves(void **state)
{
    struct mp_game *game = *state;
    struct mp_position *position = position_of(game, NULL);
    static const struct {
        const char *text, *part;
    } bad[] = {{"e5", "taken"},
               {"a1", "no disc would be turned"},
               {"pass", "may not pass"},
               {"i9", "expected a square"},
               {"", "expected a square"},
               {"f55", "expected a square"},
               {"\xff\xff", "expected a square"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct mp_error error = {0};
        mp_move move;
        assert_false(mp_position_parse_move(position, bad[i].text, &move, &error));
        assert_contains(error.text, bad[i].part);
    }
    mp_position_free(position);
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
        cmocka_unit_test(counts_as_published),
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(report_follows_its_formula),
        cmocka_unit_test(positional_sees_the_end),
        cmocka_unit_test(games_end_when_nobody_can_move),
        cmocka_unit_test(solves_known_endgames),
        cmocka_unit_test(solver_respects_windows),
        cmocka_unit_test(explains_bad_positions),
        cmocka_unit_test(explains_bad_moves),
    };
    return cmocka_run_group_tests_name("othello", tests, open_game, close_game);
}

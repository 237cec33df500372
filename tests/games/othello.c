/* othello.c - the rules against published counts, the three CPU levels against each other, the evaluations
 * against their formulas, the endgame against known scores. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "games/othello/othello.h"
#include "games/othello/patterns.h"
#include "search/network_evaluation.h"

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

static bool never(struct mp_ending *ending)
{
    (void)ending;
    return false;
}

static bool knows_nothing(struct mp_ending *ending, uint64_t key, struct mp_known *known)
{
    (void)ending, (void)key, (void)known;
    return false;
}

static void forgets(struct mp_ending *ending, uint64_t key, int plies, const struct mp_known *known)
{
    (void)ending, (void)key, (void)plies, (void)known;
}

static void ignores(struct mp_ending *ending, uint64_t key)
{
    (void)ending, (void)key;
}

/* The answer of the game to a search that looks so far ahead, without a table. */
static bool solves_within(const struct mp_game *game, const void *board, int depth, mp_value alpha,
                          mp_value beta, struct mp_ending *ending)
{
    *ending = (struct mp_ending){MP_SIZE(struct mp_ending),
                                 .depth = depth,
                                 .alpha = alpha,
                                 .beta = beta,
                                 .poll_at = UINT64_MAX,
                                 .poll = never,
                                 .probe = knows_nothing,
                                 .store = forgets,
                                 .prefetch = ignores,
                                 .evaluation = game->evaluations};
    return game->endgame->solve(game, board, ending);
}

static bool solves(const struct mp_game *game, const void *board, struct mp_ending *ending)
{
    return solves_within(game, board, 60, -MP_INFINITE, MP_INFINITE, ending);
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
        mp_value value = 0;
        struct mp_ending solved, other;
        bool solvable = solves(tables[0], board, &solved);
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
            assert_int_equal(solves(game, board, &other), solvable);
            assert_int_equal(other.value, solved.value);
            assert_int_equal(other.nodes, solved.nodes);
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
        const struct othello *discs = board;
        struct mp_ending ending;
        if (__builtin_popcountll(discs->own | discs->opp) >= 57 && solves(game, board, &ending)) {
            mp_value exact = ending.value;
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
                    assert_true(solves_within(game, board, 60, alpha, beta, &ending));
                    mp_value value = ending.value;
                    if (exact <= alpha)
                        assert_true(value >= exact && value <= alpha);
                    else if (exact >= beta)
                        assert_true(value <= exact && value >= beta);
                    else
                        assert_int_equal(value, exact);
                }
            solved++;
            /* It says no when a line with passes could be longer than the depth. */
            assert_false(solves_within(game, board, 1, -MP_INFINITE, MP_INFINITE, &ending) &&
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

/* ---- What a network sees -------------------------------------------------------------------------------- */

/* Each number of each pattern is an input, its mirror image the same one, and no other. */
static void patterns_have_inputs_of_their_own(void **state)
{
    (void)state;
    struct patterns *p = patterns_new();
    static int users[PATTERN_INPUTS];
    memset(users, 0, sizeof users);
    for (int i = 0; i < PATTERN_NUMBERS; i++) {
        assert_in_range(p->inputs[i], 0, PATTERN_INPUTS - 1);
        users[p->inputs[i]]++;
    }
    for (int i = 0; i < PATTERN_INPUTS; i++)
        assert_in_range(users[i], 1, 2);
    /* Every square is in a pattern, and no two discs count alike in one. */
    for (int lane = 0; lane < PATTERN_COUNT; lane++) {
        uint32_t sum = 0, size = 0;
        for (int square = 0; square < 64; square++) {
            uint16_t worth = p->squares[square][lane / PATTERN_STEP][lane % PATTERN_STEP];
            sum += worth;
            size += worth > 0;
        }
        uint32_t all = 1;
        for (uint32_t i = 0; i < size; i++)
            all *= 3;
        assert_true(size >= 4 && 2 * sum == all - 1); /* 1 + 3 + 9 + ... */
    }
    free(p);
}

static int by_number(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* What is listed, in order. */
static int sorted(const struct mp_game *game, const void *board, uint16_t inputs[64])
{
    int count = game->features->list(game, board, game->side(game, board), inputs);
    qsort(inputs, (size_t)count, sizeof *inputs, by_number);
    return count;
}

/* On every level: a board is seen alike from all sides, and a child as if it had been listed by itself. */
static void check_inputs(const struct mp_game *game, const struct mp_game *best,
                         const struct mp_position *position)
{
    const void *board = mp_position_state(position);
    uint16_t here[64], other[64];
    struct othello turned __attribute__((aligned(64)));
    char scratch[MP_FEATURES_SCRATCH] __attribute__((aligned(64)));
    mp_move moves[64];
    int count = sorted(game, board, here), head;
    mp_value known, expected;
    assert_int_equal(count, game->features->most);
    assert_int_equal(sorted(best, board, other), count);
    assert_memory_equal(here, other, sizeof *here * (size_t)count);
    for (int way = 0; way < game->symmetry_count; way++) {
        game->transform(game, board, way, &turned);
        assert_int_equal(sorted(game, &turned, other), count);
        assert_memory_equal(here, other, sizeof *here * (size_t)count);
    }
    game->features->prepare(game, board, scratch);
    int children = game->list(game, board, moves, 64);
    for (int i = 0; i < children; i++) {
        game->play(game, board, moves[i], &turned);
        count = game->features->list_child(game, board, scratch, moves[i], other, &head, &known);
        assert_int_equal(count < 0, game->features->known(game, &turned, &expected));
        if (count < 0) {
            assert_int_equal(known, expected);
            continue;
        }
        qsort(other, (size_t)count, sizeof *other, by_number);
        assert_int_equal(sorted(game, &turned, here), count);
        assert_memory_equal(here, other, sizeof *here * (size_t)count);
        assert_int_equal(head, game->features->head(game, &turned));
    }
}

static void patterns_are_seen_alike(void **state)
{
    struct mp_game *best = *state;
    int levels = level_best() + 1;
    for (int level = 0; level < levels; level++) {
        struct mp_game game = *tables[level];
        assert_true(game.open(&game, NULL));
        for (uint64_t seed = 0; seed < 200; seed++) {
            struct mp_position *position = subjects_position(&game, seed, 60);
            check_inputs(&game, best, position);
            mp_position_free(position);
        }
        game.close(&game);
    }
}

/* A table of random weights values the children of a state as it values each by itself, and stops in time. */
static void tables_value_children(void **state)
{
    struct mp_game *game = *state;
    struct features f;
    struct weights weights;
    uint64_t stream = 3;
    assert_true(features_of(game, &f, NULL));
    struct network_shape shape = {.inputs = f.count,
                                  .width = NETWORK_TABLE,
                                  .views = f.views,
                                  .heads = f.heads,
                                  .outputs = f.outputs,
                                  .scale = 3200};
    assert_true(weights_init(&weights, &shape));
    for (size_t i = 0; i < weights.count; i++)
        weights.all[i] = (float)random_below(random_next(&stream), 2001) / 20000 - 0.05f;
    struct network *network = network_new(&weights, f.most);
    weights_free(&weights);
    struct network_evaluation e = network_evaluation(&f, network);
    network_free(network);
    assert_non_null(e.evaluation.children);
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct mp_position *position = subjects_position(game, seed, 60);
        const void *board = mp_position_state(position);
        struct othello child __attribute__((aligned(64)));
        mp_move moves[64];
        mp_value values[64], least = MP_INFINITE;
        int count = game->list(game, board, moves, 64);
        assert_int_equal(
            e.evaluation.children(game, &e.evaluation, board, moves, count, -MP_INFINITE, values), count);
        for (int i = 0; i < count; i++) {
            game->play(game, board, moves[i], &child);
            assert_int_equal(values[i], e.evaluation.evaluate(game, &e.evaluation, &child));
            least = values[i] < least ? values[i] : least;
        }
        int valued = e.evaluation.children(game, &e.evaluation, board, moves, count, least, values);
        assert_int_equal(values[valued - 1], least);
        for (int i = 0; i + 1 < valued; i++)
            assert_true(values[i] > least);
        mp_position_free(position);
    }
    network_free(e.network);
}

/* The network of the library tells who is far ahead: positions with 20 empty squares, and their exact scores. */
static void the_library_has_a_network(void **state)
{
    struct mp_game *game = *state;
    struct mp_error error = {0};
    struct network_evaluation e;
    static const struct {
        const char *position;
        int score;
    } solved[] = {
        {"-------O---X---O-OXX-OOOXXOXXXOO-XXXXOOO-XXXOXXOXXXOOXXO---OOOXO X", -30},
        {"O-XXXX-OOOXXXXO-OOXXXOX-OXOOXOO-OXXOOO---XXXOOX-----XOO----X---O X", -30},
        {"--OOOO--XOOOOXXOXOOOOXXOXOXOXXXOXOOOXXOOXXXXX-X---X----X-------- X", -26},
        {"X-OOX---X-OXXO--XOXOXOO-XOOOXOOOXOOOOOOO-OXXXXX---XXXX-----XX--- X", 26},
        {"---OO-----OO----XXOX-XXXXOXXXXX-XXOOOXXXXXXXOXXX--OXOO---OOOOOO- X", -28},
        {"XXXXXXX-XOOOXX--XOOXXXO-OOOXXOOOXXXXOO--XOXOO---X--OO---X--O---- X", 26},
        {"------X-----XX---O-XXOOO-XXXOOOOO-XOOXXO-XOXXOXOXOOOOOOO--OOOOOO X", -42},
        {"XXXXXX--XOOXXXO-XOOOXOO-XOXOOOO-XXXOOO--XXOO-O----OO------OOOO-- X", 42},
        {"--OOOO-OX-OXOXOXXXOOXOX-XOXOOXO-XXXXXOO-XXXXXXOOX--X-X---------- X", -32},
        {"-OOOOO---XOOOO--OXXOOXXXOXOXXXXXOXOOXXXXOXOO-X---OOO----O-O----- X", -32},
        {"-----X-X----X--XXO-XXX-X-XOXXXXXOOOOOXOXOOOXXOOXO-OOOO---OOOOOO- X", 32},
        {"---XX-----XXXO---XXXOOXO-XXOXOX-XOOOOOX---XOOOXX--XOOXXO--OOOOOO X", -42},
    };
    const int count = (int)(sizeof solved / sizeof *solved);
    int right = 0;
    if (!network_evaluation_read(game, NULL, &e, &error))
        fail_msg("%s", error.text);
    for (int i = 0; i < count; i++) {
        struct mp_position *position = position_of(game, solved[i].position);
        mp_value value = e.evaluation.evaluate(game, &e.evaluation, mp_position_state(position));
        right += (value > 0) == (solved[i].score > 0);
        mp_position_free(position);
    }
    assert_in_range(right, count - 1, count);
    network_free(e.network);
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
        cmocka_unit_test(patterns_have_inputs_of_their_own),
        cmocka_unit_test(patterns_are_seen_alike),
        cmocka_unit_test(tables_value_children),
        cmocka_unit_test(the_library_has_a_network),
        cmocka_unit_test(explains_bad_positions),
        cmocka_unit_test(explains_bad_moves),
    };
    return cmocka_run_group_tests_name("othello", tests, open_game, close_game);
}

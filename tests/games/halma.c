/* halma.c - the rules of Halma: counted lines of play under all rules, how games end, what is read and what
 * is refused, and searches where the rules that look back matter. */
#include "tests/support/test.h"

#include "base/level.h"
#include "games/halma/halma.h"
#include "manyply/manyply.h"

static struct mp_game *open_game(const char *name)
{
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open(name, &error);
    if (!game)
        fail_msg("%s", error.text);
    return game;
}

static struct mp_position *set_up(const struct mp_game *game, const char *text, const char *moves)
{
    struct mp_error error = {0};
    struct mp_position *position = mp_position_new(game, text, &error);
    if (!position || (moves && !mp_position_play_text(position, moves, &error)))
        fail_msg("%s", error.text);
    return position;
}

/* ---- Lines of play ------------------------------------------------------------------------------------ */

/* Counted by two independent programs when the project began; no published counts were found. */
#define MIDDLE "8/2B5/1B1B1W2/2BWB3/3BWW2/2B1WB2/1W3W1W/B2W1W1B b"
#define REPORT "3B1B2/1B1B1B2/WB4W1/3B1W2/3B1B2/4WWBW/4W3/3WWW2 w"

static const struct {
    const char *game, *position;
    uint64_t leaves[6]; /* at depth 1, 2, ...; 0: no more */
} counts[] = {
    {"halma:rules=free", NULL, {24, 576, 20050, 700034, 28626541}},
    {"halma:rules=lock", NULL, {24, 576, 20050, 700034, 28624777}},
    {"halma", NULL, {24, 576, 19474, 660530, 26142362}},
    {"halma:rules=usc", NULL, {24, 576, 12850, 287963, 5944108}},
    {"halma:rules=free,moves=paths", NULL, {24, 576, 21538, 807766, 37575333}},
    {"halma:rules=lock,moves=paths", NULL, {24, 576, 21538, 807766, 37573569}},
    {"halma:moves=paths", NULL, {24, 576, 20962, 765286, 34408486}},
    {"halma:rules=usc,moves=paths", NULL, {24, 576, 13954}},
    {"halma10:rules=free", NULL, {32, 1024, 46016, 2067884}},
    {"halma10:rules=free,moves=paths", NULL, {32, 1024, 49728, 2414956}},
    {"halma16:rules=free", NULL, {40, 1600, 85440, 4562496}},
    {"halma16:rules=free,moves=paths", NULL, {40, 1600, 92560, 5354596}},
    {"halma16", NULL, {40, 1600, 83840, 4393216}},
    {"halma16:moves=paths", NULL, {40, 1600, 90960, 5171076}},
    {"halma16:rules=usc", NULL, {40, 1600, 62240, 2421136}},
    {"halma:rules=free", MIDDLE, {58, 4260, 292222}},
    {"halma:rules=lock", MIDDLE, {58, 4260, 287978}},
    {"halma", MIDDLE, {56, 3783, 241065}},
    {"halma:rules=usc", MIDDLE, {4, 8, 12}},
    {"halma:rules=free,moves=paths", MIDDLE, {63, 8075, 700896}},
    {"halma:rules=lock,moves=paths", MIDDLE, {63, 8075, 681903}},
    {"halma:moves=paths", MIDDLE, {61, 7181, 569540}},
    {"halma:rules=free", REPORT, {82}},
    {"halma:rules=free,moves=paths", REPORT, {496}},
};

static void counts_lines_of_play(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct mp_game *game = open_game(counts[i].game);
        struct mp_position *position = set_up(game, counts[i].position, NULL);
        for (int depth = 1; depth <= 6 && counts[i].leaves[depth - 1]; depth++) {
            uint64_t leaves;
            assert_true(mp_perft(position, depth, 1, true, NULL, NULL, &leaves, NULL));
            if (leaves != counts[i].leaves[depth - 1])
                fail_msg("%s depth %d: %llu leaves, expected %llu", counts[i].game, depth,
                         (unsigned long long)leaves, (unsigned long long)counts[i].leaves[depth - 1]);
        }
        mp_position_free(position);
        mp_game_close(game);
    }
}

/* Every level of the CPU that can run here counts alike; the tables are the same but for speed. */
static void levels_agree(void **state)
{
    (void)state;
    const struct mp_game *const tables[] = {
        &halma8_table_base, &halma10_table_base, &halma16_table_base,
#ifdef LEVEL_X86
        &halma8_table_v3,   &halma10_table_v3,   &halma16_table_v3,
        &halma8_table_v4,   &halma10_table_v4,   &halma16_table_v4,
#endif
    };
#ifdef LEVEL_X86
    int levels = __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") ? 3
                 : __builtin_cpu_supports("avx2")                                         ? 2
                                                                                          : 1;
#else
    int levels = 1;
#endif
    const uint64_t leaves[] = {660530, 0, 4393216};
    for (int i = 0; i < 3 * levels; i++) {
        _Alignas(64) char board[1024];
        tables[i]->initial(tables[i], board);
        if (leaves[i % 3])
            assert_int_equal(tables[i]->perft(tables[i], board, 4, true), leaves[i % 3]);
        assert_int_equal(tables[i]->perft(tables[i], board, 3, true),
                         tables[i % 3]->perft(tables[i % 3], board, 3, true));
    }
}

/* ---- Ends --------------------------------------------------------------------------------------------- */

static void check_over(const char *name, const char *position, const char *moves, bool over, int margin)
{
    struct mp_game *game = open_game(name);
    struct mp_position *p = set_up(game, position, moves);
    if (mp_position_is_over(p) != over)
        fail_msg("%s '%s' %s: expected the game %s", name, position ? position : "", moves ? moves : "",
                 over ? "to be over" : "to go on");
    if (over)
        assert_int_equal(mp_position_margin(p), margin);
    mp_position_free(p);
    mp_game_close(game);
}

static void all_pieces_in_the_goal_win(void **state)
{
    (void)state;
    const char *const names[] = {"halma", "halma:rules=free", "halma:rules=lock", "halma:rules=usc"};
    const char *one_to_go = "8/8/WWW5/8/7B/6BB/4B1BB/4BBB1 b";
    for (int i = 0; i < 4; i++) {
        check_over(names[i], one_to_go, NULL, false, 0);
        check_over(names[i], one_to_go, "e7-f7", true, 1);
    }
    check_over("halma", "WWW5/WWW5/WW6/2W5/W7/8/BBB5/8 w", "c4-b4", false, 0);
    check_over("halma", "WWWW4/WWW5/WW6/1W6/8/8/BBB5/8 w", "b4-a4", true, -1);
}

/* One piece in a camp that its owner has not left wins at once only under the course rules; else from the
 * 30th own move on. */
static void a_full_camp_wins_late(void **state)
{
    (void)state;
    const char *trap = "b1-d3 g6-f5 c2-g6";
    check_over("halma", NULL, trap, false, 0);
    check_over("halma:rules=free", NULL, trap, false, 0);
    check_over("halma:rules=lock", NULL, trap, false, 0);
    check_over("halma:rules=usc", NULL, trap, true, 1);
    check_over("halma", "W7/8/8/8/5B1W/5B1W/5WWW/4WWWW b 56", "f5-g6", false, 0);
    check_over("halma", "W7/8/8/8/5B1W/5B1W/5WWW/4WWWW b 58", "f5-g6", true, 1);
    check_over("halma:rules=free", "W7/8/8/8/5B1W/5B1W/5WWW/4WWWW b 58", "f5-g6", false, 0);
}

#define THERE_AND_BACK "c3-c4 f6-f5 c4-c3 f5-f6 "

static void repetition_and_the_ply_cap_draw(void **state)
{
    (void)state;
    const char *two = "8/8/2B5/8/8/5W2/8/8 b";
    check_over("halma", two, THERE_AND_BACK "c3-c4 f6-f5 c4-c3", false, 0);
    check_over("halma", two, THERE_AND_BACK THERE_AND_BACK, true, 0);
    /* Twice is not three times, however long the game has been quiet. */
    check_over("halma", two,
               "c3-d3 f6-e6 d3-d4 e6-e5 "
               "d4-d3 e5-e6 d3-d4 e6-e5",
               false, 0);
    check_over("halma:rules=free", two, THERE_AND_BACK THERE_AND_BACK, false, 0);
    check_over("halma", "8/8/2B5/8/8/5W2/8/8 w 197", "f6-f5", false, 0);
    check_over("halma", "8/8/2B5/8/8/5W2/8/8 w 199", "f6-f5", true, 0);
    /* Who wins with the last ply has won. */
    check_over("halma", "8/2W5/8/8/8/5W2/BBB5/8 w 199", "f6-f5", true, 0);
    check_over("halma", "8/3W4/8/8/8/8/BBB5/8 w 199", "d2-c2", true, -1);
}

static void who_cannot_move_passes(void **state)
{
    (void)state;
    struct mp_game *game = open_game("halma");
    struct mp_position *p = set_up(game, "8/8/8/8/8/W1W5/WW6/BWW5 b", NULL);
    mp_move move;
    char text[16];
    assert_int_equal(mp_position_moves(p, &move, NULL, 1), 1);
    game->print_move(game, mp_position_state(p), move, text, sizeof text);
    assert_string_equal(text, "pass");
    assert_int_equal(game->count(game, mp_position_state(p)), 1);
    /* A pass may be left out of a record. */
    assert_true(mp_position_play_text(p, "c8-d8", NULL));
    assert_int_equal(game->side(game, mp_position_state(p)), 0);
    mp_position_free(p);
    mp_game_close(game);
}

/* ---- Text --------------------------------------------------------------------------------------------- */

static void refuses(const char *name, const char *position, const char *reason)
{
    struct mp_game *game = open_game(name);
    struct mp_error error = {0};
    if (mp_position_new(game, position, &error))
        fail_msg("'%s' was read as a position", position);
    assert_contains(error.text, reason);
    mp_game_close(game);
}

static void bad_positions_are_refused(void **state)
{
    (void)state;
    refuses("halma", "", "row 1 has only 0 squares, expected 8");
    refuses("halma", "BBBB4/BBB5 b", "2 rows, expected 8");
    refuses("halma", "BBBB4/BBB6/8/8/8/8/8/4WWWW b", "row 2 has more than 8 squares");
    refuses("halma", "BBBB4/BBBBBBBBB/8/8/8/8/8/4WWWW b", "row 2 has more than 8 squares");
    refuses("halma", "BBBB3/BBB5/8/8/8/8/8/4WWWW b", "row 1 has only 7 squares");
    refuses("halma", "BBBB0/BBB5/8/8/8/8/8/4WWWW b", "row 1 has a 0");
    refuses("halma", "BBBB4/xBB5/8/8/8/8/8/4WWWW b", "row 2 holds 'x'");
    refuses("halma", "BBBB4/8/8/8/8/8/8/4WWWW/8 b", "more than 8 rows");
    refuses("halma", "BBBB4/8/8/8/8/8/8/4WWWW", "side to move is missing");
    refuses("halma", "BBBB4/8/8/8/8/8/8/4WWWW x", "side to move is missing");
    refuses("halma", "BBBB4/8/8/8/8/8/8/4WWWW b 7", "7 plies played and Black to move");
    refuses("halma", "BBBB4/8/8/8/8/8/8/4WWWW b 99999999999", "plies played");
    refuses("halma", "BBBB4/8/8/8/8/8/8/4WWWW b12", "after the side to move");
    refuses("halma", "8/8/8/8/8/8/8/4WWWW b", "0 black pieces, expected 1 to 10");
    refuses("halma", "BBBBBBBB/BBB5/8/8/8/8/8/4WWWW b", "11 black pieces, expected 1 to 10");
    refuses("halma16", "BBBB4/8/8/8/8/8/8/4WWWW b", "row 1 has only 8 squares, expected 16");
}

static void positions_are_printed(void **state)
{
    (void)state;
    struct mp_game *game = open_game("halma");
    struct mp_position *p = set_up(game, NULL, NULL);
    char text[512];
    game->print_position(game, mp_position_state(p), text, sizeof text);
    assert_string_equal(text, "BBBB4/BBB5/BB6/B7/7W/6WW/5WWW/4WWWW b");
    assert_true(mp_position_play_text(p, "b1-d3 g6-f5", NULL));
    game->print_position(game, mp_position_state(p), text, sizeof text);
    assert_string_equal(text, "B1BB4/BBB5/BB1B4/B7/5W1W/7W/5WWW/4WWWW b 2");
    mp_position_free(p);
    /* A game that goes on past its draw can be written down at any ply; whose turn it is stays right. */
    p = set_up(game, "8/8/2B5/8/8/5W2/8/8 b 9998", "c3-c4 f6-f5 c4-c3");
    game->print_position(game, mp_position_state(p), text, sizeof text);
    assert_string_equal(text, "8/8/2B5/8/5W2/8/8/8 w 9999");
    mp_position_free(p);
    p = set_up(game, text, "f5-f6");
    game->print_position(game, mp_position_state(p), text, sizeof text);
    assert_string_equal(text, "8/8/2B5/8/8/5W2/8/8 b 9998");
    mp_position_free(p);
    mp_game_close(game);
}

/* A move in a position, by its text; null: refused, and the error says why. */
static void reads(const char *name, const char *position, const char *text, const char *printed)
{
    struct mp_game *game = open_game(name);
    struct mp_position *p = set_up(game, position, NULL);
    struct mp_error error = {0};
    mp_move move;
    char again[256];
    if (!mp_position_parse_move(p, text, &move, &error))
        fail_msg("%s", error.text);
    game->print_move(game, mp_position_state(p), move, again, sizeof again);
    assert_string_equal(again, printed);
    assert_true(mp_position_play(p, move, NULL));
    mp_position_free(p);
    mp_game_close(game);
}

static void moves_are_read(void **state)
{
    (void)state;
    reads("halma", NULL, "b1-d3", "b1-d3");
    reads("halma", NULL, "B1-D3", "b1-d3");
    reads("halma", NULL, "0 1 2 3", "b1-d3");
    reads("halma", NULL, " 3 0  4 0 ", "a4-a5");
    reads("halma16", NULL, "d2-f2", "d2-f2");
    reads("halma10", "10/10/10/10/B9/10/10/10/10/9W w", "9 9 8 9", "j10-j9");
}

static void refuses_move(const char *name, const char *position, const char *text, const char *reason)
{
    struct mp_game *game = open_game(name);
    struct mp_position *p = set_up(game, position, NULL);
    struct mp_error error = {0};
    mp_move move;
    if (mp_position_parse_move(p, text, &move, &error))
        fail_msg("%s reads the move '%s'", name, text);
    assert_contains(error.text, reason);
    mp_position_free(p);
    mp_game_close(game);
}

static void bad_moves_are_refused_with_the_reason(void **state)
{
    (void)state;
    refuses_move("halma", NULL, "e4-e5", "there is no piece on e4");
    refuses_move("halma", NULL, "h8-g7", "the piece on h8 is not yours (Black is to move)");
    refuses_move("halma", NULL, "a1-a2", "a2 is occupied");
    refuses_move("halma", NULL, "b1-e4", "e4 cannot be reached from b1");
    refuses_move("halma", NULL, "0 1 3 4", "e4 cannot be reached from b1");
    refuses_move("halma", NULL, "a4-a5-a6", "a6 cannot be reached from a4");
    refuses_move("halma", NULL, "pass", "a player who can move may not pass");
    for (int i = 0; i < 9; i++) {
        const char *const texts[] = {"",      "b1",    "b1-",   "b1-d3x", "i1-a1",
                                     "b9-a1", "b0-a1", "0 1 2", "0 1 2 8"};
        refuses_move("halma", NULL, texts[i], "expected squares from a1 to h8");
    }
    refuses_move("halma", "8/8/2B5/8/8/8/6B1/W7 b", "g7-f6", "may not leave it");
    refuses_move("halma", "8/8/2B5/8/8/8/6B1/W7 b", "c3-b3", "may not return there");
    reads("halma:rules=lock", "8/8/2B5/8/8/8/6B1/W7 b", "c3-b3", "c3-b3");
    reads("halma:rules=free", "8/8/2B5/8/8/8/6B1/W7 b", "g7-f6", "g7-f6");
    refuses_move("halma:rules=usc", "B7/8/4B3/8/8/8/8/W7 b", "e3-e4", "away from the corner");
    refuses_move("halma:rules=usc", "3B4/8/4B3/8/8/8/8/W7 b", "e3-e4", "must leave home first");
}

/* ---- Chains ------------------------------------------------------------------------------------------- */

static void chains_witness_moves(void **state)
{
    (void)state;
    const char *position = "3B1B2/1B1B1B2/WB4W1/3B1W2/3B1B2/4WWBW/4W3/3WWW2 w";
    struct mp_game *game = open_game("halma:rules=free"), *paths = open_game("halma:rules=free,moves=paths");
    struct mp_position *p = set_up(game, position, NULL), *q = set_up(paths, position, NULL);
    mp_move moves[512], move;
    int count = mp_position_moves(p, moves, NULL, 512);
    for (int i = 0; i < count; i++) {
        uint8_t squares[HALMA_MOST_SQUARES];
        char text[256] = "", shown[256];
        int length = halma8_chain(game, mp_position_state(p), moves[i], squares), n = 0;
        for (int j = 0; j < length; j++)
            n += snprintf(text + n, sizeof text - (size_t)n, "%s%c%d", j ? "-" : "", 'a' + squares[j] % 8,
                          squares[j] / 8 + 1);
        /* The chain is read as the move, and is one of the paths. */
        assert_true(mp_position_parse_move(p, text, &move, NULL));
        assert_int_equal(move, moves[i]);
        assert_true(mp_position_parse_move(q, text, &move, NULL));
        paths->print_move(paths, mp_position_state(q), move, shown, sizeof shown);
        assert_string_equal(text, shown);
    }
    /* Every path has a text of its own, which is read. */
    count = mp_position_moves(q, moves, NULL, 512);
    assert_int_equal(count, 496);
    for (int i = 0; i < count; i++) {
        char text[256];
        paths->print_move(paths, mp_position_state(q), moves[i], text, sizeof text);
        assert_true(mp_position_parse_move(q, text, &move, NULL));
        assert_int_equal(move, moves[i]);
    }
    mp_position_free(p), mp_position_free(q);
    mp_game_close(game), mp_game_close(paths);
}

/* ---- Values ------------------------------------------------------------------------------------------- */

static mp_value report_value(const char *position)
{
    struct mp_game *game = open_game("halma:rules=free");
    struct mp_position *p = set_up(game, position, NULL);
    const struct mp_evaluation *e = game->evaluations;
    while (strcmp(e->name, "report") != 0)
        e++;
    mp_value value = e->evaluate(game, e, mp_position_state(p));
    mp_position_free(p);
    mp_game_close(game);
    return value;
}

/* Black's row and column steps to h8 minus White's to a1 is White's view. */
static void the_report_evaluates(void **state)
{
    (void)state;
    assert_int_equal(report_value(NULL), 0);
    assert_int_equal(report_value("B7/8/8/8/8/8/8/W7 w"), 14 - 7);
    assert_int_equal(report_value("B7/8/8/8/8/8/8/W7 b"), 7 - 14);
    assert_int_equal(report_value("W7/8/8/8/8/8/8/B7 w"), 10000);
    assert_int_equal(report_value("W7/8/8/8/8/8/8/B7 b"), -10000);
    /* The board that the report measures (its figure 5). */
    assert_int_equal(report_value(REPORT), 84 - 92);
}

/* Where repetitions, the ply cap and the full camp are near, the table must not mix up lines. */
static void looking_back_stays_exact(void **state)
{
    (void)state;
    const struct {
        const char *position, *moves;
    } places[] = {
        {"8/8/2B5/8/8/5W2/8/8 b", THERE_AND_BACK},
        {"8/8/2B5/8/8/5W2/8/8 b", THERE_AND_BACK "c3-c4 f6-f5"},
        {"8/1W6/8/2W5/8/5B2/6B1/8 b 100", "f6-e6 c4-c5 e6-f6 c5-c4 f6-e6"},
        {"8/8/3W4/8/8/4B3/8/8 b 196", NULL},
        {"W7/8/8/8/5B1W/5B1W/5WWW/4WWWW b 56", NULL},
        {"W7/8/8/8/4B2W/5B1W/5WWW/4WWWW b 54", NULL},
    };
    struct mp_game *game = open_game("halma");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (int depth = 1; depth <= 5; depth++) {
            struct mp_position *p = set_up(game, places[i].position, places[i].moves);
            const char *const algorithms[] = {"minimax", "alphabeta", "pvs,hash=1"};
            mp_value values[3];
            for (int a = 0; a < 3; a++) {
                char strategy[64];
                struct mp_result result = {MP_SIZE(struct mp_result)};
                snprintf(strategy, sizeof strategy, "%s,depth=%d", algorithms[a], depth);
                struct mp_search *search = mp_search_new(game, strategy, NULL);
                assert_true(mp_search_run(search, p, NULL, NULL, &result, NULL));
                values[a] = result.value;
                mp_search_free(search);
            }
            assert_int_equal(values[0], values[1]);
            assert_int_equal(values[0], values[2]);
            mp_position_free(p);
        }
    mp_game_close(game);
}

static uint64_t history_key(const struct mp_game *game, const char *position, const char *moves)
{
    struct mp_position *p = set_up(game, position, moves);
    struct mp_history history = mp_position_history(p);
    uint64_t key = game->history_key(game, mp_position_state(p), &history);
    mp_position_free(p);
    return key;
}

/* The same pieces are another position for the table where the ply cap or a full camp is nearer, and where
 * other positions may come back; not by the order in which these occurred, nor where no rule looks back. */
static void what_the_rules_look_back_at_is_hashed(void **state)
{
    (void)state;
    struct mp_game *game = open_game("halma"), *free_game = open_game("halma:rules=free");
    const char *board = "8/8/2B5/8/8/5W2/8/8 b", *late = "8/8/2B5/8/8/5W2/8/8 b 196";
    assert_true(history_key(game, board, NULL) != history_key(game, late, NULL));
    assert_true(history_key(game, board, THERE_AND_BACK) != history_key(game, board, NULL));
    assert_true(history_key(game, board, "c3-c4 f6-f5 c4-c3 f5-f6") !=
                history_key(game, board, "c3-d3 f6-f5 d3-c3 f5-f6"));
    const char *around = "c3-c4 f6-f5 c4-c3 f5-f6 c3-d3 f6-e6 d3-c3 e6-f6";
    const char *other_way = "c3-d3 f6-e6 d3-c3 e6-f6 c3-c4 f6-f5 c4-c3 f5-f6";
    assert_true(history_key(game, board, around) == history_key(game, board, other_way));
    assert_true(history_key(free_game, board, NULL) == history_key(free_game, late, NULL));
    mp_game_close(game), mp_game_close(free_game);
}

static int by_number(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* The inputs of a network in a view, in order. */
static int inputs_of(const struct mp_game *game, const char *text, int view, uint16_t inputs[64], int *head)
{
    struct mp_position *p = set_up(game, text, NULL);
    int count = game->features->list(game, mp_position_state(p), mp_position_side(p) ^ view, inputs);
    *head = game->features->head(game, mp_position_state(p));
    mp_position_free(p);
    assert_in_range(count, 1, 64);
    qsort(inputs, (size_t)count, sizeof *inputs, by_number);
    return count;
}

/* Turned round, with the colours exchanged, a position looks the same; so it does to the other side if that is to move.
 * The piece on c3 can jump forward along the diagonal, the one on b3 along its row. */
static void both_sides_look_from_their_own_corner(void **state)
{
    (void)state;
    static const char *const texts[] = {"8/8/1BB5/3W4/8/5W2/8/7B b", "W7/8/2B5/8/4B3/5WW1/8/8 w",
                                        "8/8/1BB5/3W4/8/5W2/8/7B w"};
    struct mp_game *game = open_game("halma");
    uint16_t a[64], b[64];
    int heads[2];
    for (int view = 0; view < 2; view++)
        for (int twin = 1; twin <= 2; twin++) {
            int count = inputs_of(game, texts[0], view, a, &heads[0]);
            assert_int_equal(count, inputs_of(game, texts[twin], twin == 2 ? !view : view, b, &heads[1]));
            assert_memory_equal(a, b, (size_t)count * sizeof *a);
            assert_int_equal(heads[0], heads[1]);
        }
    /* 64 inputs for own pieces, 64 for others, then own jumps: along the diagonal, down a column, along a row; then those of
     * the others, of which White's d4 has one, over c3. */
    static const uint16_t black[] = {17, 18, 63, 64 + 27, 64 + 45, 128 + 18, 256 + 17, 320 + 27};
    assert_int_equal(inputs_of(game, texts[0], 0, a, &heads[0]), 8);
    assert_memory_equal(a, black, sizeof black);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_lines_of_play),
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(all_pieces_in_the_goal_win),
        cmocka_unit_test(a_full_camp_wins_late),
        cmocka_unit_test(repetition_and_the_ply_cap_draw),
        cmocka_unit_test(who_cannot_move_passes),
        cmocka_unit_test(bad_positions_are_refused),
        cmocka_unit_test(positions_are_printed),
        cmocka_unit_test(moves_are_read),
        cmocka_unit_test(bad_moves_are_refused_with_the_reason),
        cmocka_unit_test(chains_witness_moves),
        cmocka_unit_test(the_report_evaluates),
        cmocka_unit_test(looking_back_stays_exact),
        cmocka_unit_test(what_the_rules_look_back_at_is_hashed),
        cmocka_unit_test(both_sides_look_from_their_own_corner),
    };
    return cmocka_run_group_tests_name("halma", tests, NULL, NULL);
}

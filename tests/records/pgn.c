/* pgn.c - records as PGN: what survives reading and writing, what is written, what is refused and why. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "records/pgn.h"

static struct record *read_text(const struct mp_game *game, const char *text, struct mp_error *error)
{
    FILE *file = fmemopen((void *)text, strlen(text), "r");
    struct record_reader reader = record_reader(game, file);
    struct record *record = pgn_read(&reader, error);
    fclose(file);
    return record;
}

static char *write_text(const struct record *record)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_true(pgn_write(record, file));
    fclose(file);
    return text;
}

static void assert_round_trip(const struct mp_game *game, const char *text)
{
    struct mp_error error = {0};
    struct record *record = read_text(game, text, &error);
    if (!record)
        fail_msg("%s", error.text);
    char *written = write_text(record);
    assert_string_equal(written, text);
    free(written);
    record_free(record);
}

static void everything_survives(void **state)
{
    assert_round_trip(
        *state, "[Event \"A \\\"quoted\\\" \\\\ name\"]\n[Site \"?\"]\n[Date \"2026.11.15\"]\n[Round \"1\"]\n"
                "[White \"Anna\"]\n[Black \"Bert\"]\n[Result \"1-0\"]\n[Annotator \"C\"]\n\n"
                "{before the game} 1. e4 $1 {best by  test} 1... e5 2. Nf3 (2. f4 exf4 (2... d5\n"
                "$5 3. exd5) 3. Nf3 {a gambit}) (2. Nc3) 2... Nc6 3. Bb5 {here a comment that is\n"
                "so long that it has to be broken into two lines, because nobody wants to read\n"
                "lines without end} 3... a6 ;a closing } brace\n4. Bxc6 1-0\n\n");
}

static void positions_and_numbers(void **state)
{
    assert_round_trip(*state,
                      "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
                      "[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n"
                      "[FEN \"4k3/P7/8/8/8/8/8/4K2R b K - 3 40\"]\n\n"
                      "40... Kf7 41. O-O+ Kg7 42. a8=Q *\n\n");
}

#define TAGS(result)                                                                                         \
    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"                     \
    "[Black \"?\"]\n[Result \"" result "\"]\n"

/* Nobody claimed the draw, or a server did not know the rule: the record goes on, and its result stands. */
static void games_go_on_past_draws(void **state)
{
    static const char *const texts[] = {
        TAGS("1-0") "\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. e4 (7. d4\n"
                    "d5) 7... e5 1-0\n\n",
        TAGS("0-1") "[SetUp \"1\"]\n[FEN \"4k3/p7/8/8/8/8/4P3/R3K3 w - - 99 80\"]\n\n"
                    "80. Rb1 Kd8 81. Ra1 0-1\n\n",
        TAGS("*") "[SetUp \"1\"]\n[FEN \"8/8/8/3k4/8/8/8/KB6 w - - 0 1\"]\n\n1. Ba2+ Ke5 2. Bg8 *\n\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_round_trip(*state, texts[i]);
    struct mp_error error = {0};
    struct record *record = read_text(*state, texts[0], &error);
    assert_string_equal(record_result_by_rules(record), "*");
    record_free(record);
    record = read_text(*state, texts[2], &error);
    assert_string_equal(record_result_by_rules(record), "1/2-1/2");
    record_free(record);
    record = read_text(*state, "1. f3 e5 2. g4 Qh4# 3. e4 *", &error);
    assert_null(record);
    assert_contains(error.text, "line 1: chess move 'e4': the game is over");
}

static void reads_what_others_write(void **state)
{
    static const char text[] =
        "\xef\xbb\xbf% a line for other programs\r\n[Event \"x\"]\r\n[Result \"1/2-1/2\"]\r\n\r\n"
        "1.e2e4! e5?! 2 0-0-0?";
    struct mp_error error;
    assert_null(read_text(*state, text, &error));
    assert_contains(error.text, "PGN line 5: chess move '0-0-0': not legal here");
    static const char good[] =
        "1.e4! e5?!\n2.Nf3;a remark\nNc6 $14 3.Bc4 Bc5 4.0-0 Nge7 1/2-1/2\n[Event \"y\"]\n*";
    FILE *file = fmemopen((void *)good, strlen(good), "r");
    struct record_reader reader = record_reader(*state, file);
    struct record *first = pgn_read(&reader, &error), *second = pgn_read(&reader, &error);
    assert_non_null(first);
    assert_non_null(second);
    char *written = write_text(first);
    assert_contains(written, "1. e4 $1 e5 $6 2. Nf3 {a remark} 2... Nc6 $14 3. Bc4 Bc5 4. O-O Nge7 1/2-1/2");
    mp_move moves[16];
    assert_int_equal(record_main_line(first, moves, 16), 8);
    assert_string_equal(record_tag(second, "Event"), "y");
    assert_null(pgn_read(&reader, &error));
    assert_string_equal(error.text, "");
    free(written);
    record_free(first);
    record_free(second);
    fclose(file);
}

static void refuses_and_explains(void **state)
{
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"[Event]\n*", "line 1: a tag was expected, such as [White \"Name\"]"},
        {"[\"x\"]\n*", "line 1: a tag was expected"},
        {"\n[Event \"x\n\"]\n*", "the value of a tag is not closed"},
        {"[Event \"x\" y]", "a tag is not closed, expected ]"},
        {"[FEN \"8/8 w\"] *", "line 1: FEN"},
        {"e4\ne5\nKe3 *", "line 3: chess move 'Ke3': not legal here"},
        {"e4 banana *", "line 1: chess move 'banana': expected a form such as"},
        {"e4!!! *", "ends in a mark that is none of"},
        {"e4 e5", "the game has no result, expected 1-0"},
        {"e4\n\n[Event \"x\"]\n*", "line 3: the game has no result"},
        {"e4 {never\nclosed", "the file ends inside a comment, expected }"},
        {"(e4) *", "a variation without a move before it"},
        {"e4 ((d4)) *", "a variation without a move before it"},
        {"e4 () *", "a variation without a move, expected one"},
        {"e4 ) *", "the end of a variation that did not begin"},
        {"e4 (d4 *", "a result inside a variation, expected )"},
        {"e4 $ *", "a mark was expected"},
        {"e4 $99999 *", "a mark was expected"},
        {"e4 <x> *", "'<', expected a move or a result"},
        {"[Result \"1-0\"] e4 0-1", "the game ends with 0-1, but its tag Result says 1-0"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct mp_error error = {0};
        struct record *record = read_text(*state, bad[i].text, &error);
        if (record)
            fail_msg("'%s' was read", bad[i].text);
        assert_contains(error.text, bad[i].part);
    }
}

static void deep_variations_end(void **state)
{
    struct mp_error error = {0};
    struct record *record = record_new(*state, NULL, &error);
    mp_move move;
    int depth = 0;
    do {
        assert_true(mp_position_parse_move(record->position, "e4", &move, NULL));
        assert_true(record_add_move(record, move, NULL));
    } while (record_begin_variation(record, &error) && ++depth);
    assert_int_equal(depth, RECORD_MOST_DEPTH);
    assert_contains(error.text, "variations inside variations");
    record_free(record);
}

/* White is the first player of some games and the second of others. */
static void results_follow_from_the_rules(void **state)
{
    (void)state;
    static const struct {
        const char *game, *start, *moves[4], *result;
    } cases[] = {
        {"chess", NULL, {"f3", "e5", "g4", "Qh4"}, "0-1"},
        {"chess", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", {"Re8"}, "1-0"},
        {"chess", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", {"Qf7"}, "1/2-1/2"},
        {"chess", NULL, {"e4"}, "*"},
        {"halma", "8/8/WWW5/8/7B/6BB/4B1BB/4BBB1 b", {"e7-f7"}, "0-1"},
        {"halma", "WWWW4/WWW5/WW6/1W6/8/8/BBB5/8 w", {"b4-a4"}, "1-0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_game *game = mp_game_open(cases[i].game, NULL);
        struct record *record = record_new(game, cases[i].start, NULL);
        for (int m = 0; m < 4 && cases[i].moves[m]; m++) {
            mp_move move;
            assert_true(mp_position_parse_move(record->position, cases[i].moves[m], &move, NULL));
            assert_true(record_add_move(record, move, NULL));
        }
        assert_string_equal(record_result_by_rules(record), cases[i].result);
        record_free(record);
        mp_game_close(game);
    }
}

static void the_main_line_leaves_variations_out(void **state)
{
    struct mp_error error = {0};
    struct record *record = read_text(*state, "1. e4 e5 (1... c5 2. Nf3 (2. c3)) 2. f4 (2. d4) *", &error);
    if (!record)
        fail_msg("%s", error.text);
    mp_move moves[8];
    assert_int_equal(record_main_line(record, NULL, 0), 3);
    assert_int_equal(record_main_line(record, moves, 8), 3);
    struct mp_position *position = mp_position_new(*state, NULL, NULL);
    static const char *const expected[] = {"e2e4", "e7e5", "f2f4"};
    for (int i = 0; i < 3; i++) {
        mp_move move;
        assert_true(mp_position_parse_move(position, expected[i], &move, NULL));
        assert_int_equal(moves[i], move);
        assert_true(mp_position_play(position, move, NULL));
    }
    mp_position_free(position);
    record_free(record);
}

/* Random games of every game without dice come back move by move. */
static void any_game(void **state)
{
    (void)state;
    for (const char *const *name = subjects_names(); *name; name++) {
        struct mp_game *game = mp_game_open(*name, NULL);
        for (uint64_t seed = 1; seed < 20 && !game->chances; seed++) {
            struct mp_error error = {0};
            struct record *record = record_new(game, NULL, &error);
            struct mp_search *search = NULL;
            struct mp_result result = {MP_SIZE(struct mp_result)};
            char strategy[32];
            snprintf(strategy, sizeof strategy, "random,seed=%d", (int)seed);
            search = mp_search_new(game, strategy, &error);
            for (int ply = 0; ply < 150 && !mp_position_is_over(record->position); ply++) {
                assert_true(mp_search_run(search, record->position, NULL, NULL, &result, &error));
                assert_true(record_add_move(record, result.move, &error));
            }
            assert_true(record_set_result(record, record_result_by_rules(record)));
            char *text = write_text(record);
            assert_round_trip(game, text);
            free(text);
            mp_search_free(search);
            record_free(record);
        }
        mp_game_close(game);
    }
}

static int open_chess(void **state)
{
    *state = mp_game_open("chess", NULL);
    return *state ? 0 : -1;
}

static int close_chess(void **state)
{
    mp_game_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_survives),
        cmocka_unit_test(positions_and_numbers),
        cmocka_unit_test(reads_what_others_write),
        cmocka_unit_test(refuses_and_explains),
        cmocka_unit_test(deep_variations_end),
        cmocka_unit_test(games_go_on_past_draws),
        cmocka_unit_test(any_game),
        cmocka_unit_test(results_follow_from_the_rules),
        cmocka_unit_test(the_main_line_leaves_variations_out),
    };
    return cmocka_run_group_tests_name("pgn", tests, open_chess, close_chess);
}

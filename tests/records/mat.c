/* mat.c - .mat files: a match as GNU Backgammon writes it, random games there and back, files cut
 * anywhere. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/random.h"
#include "games/backgammon/backgammon.h"
#include "records/mat.h"

static struct mp_game *game;

static int open_game(void **state)
{
    (void)state;
    game = mp_game_open("backgammon:cube=on", NULL);
    return game == NULL;
}

static int close_game(void **state)
{
    (void)state;
    mp_game_close(game);
    return 0;
}

/* The layout of GNU Backgammon 1.07. The second game is the Crawford game, the third is resigned with dice on
 * the board. */
static const char sample[] = "; [EventDate \"2026.11.15\"]\n"
                             "\n"
                             " 3 point match\n"
                             "\n"
                             " Game 1\n"
                             " gnubg : 0                      root : 0\n"
                             "  1) 21: 13/11 24/23             65: 24/18 18/13 \n"
                             "  2)  Doubles => 2                Drops\n"
                             "      Wins 1 point\n"
                             "\n"
                             " Game 2\n"
                             " gnubg : 1                      root : 0\n"
                             "  1)                             31: 8/5 6/5 \n"
                             "  2)  Doubles => 2                Takes\n"
                             "  3) 66: 24/18 24/18 13/7 13/7   42: 8/4 6/4 \n"
                             "  4) 61:\n"
                             "                                  Wins 2 points\n"
                             "\n"
                             " Game 3\n"
                             " gnubg : 1                      root : 2\n"
                             "  1) 52: 13/8 24/22 \n"
                             "      Wins 2 points\n";

static FILE *file_of(const char *text, size_t length)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    rewind(file);
    return file;
}

static struct record *read_next(struct record_reader *reader)
{
    struct mp_error error;
    struct record *record = mat_read(reader, &error);
    if (!record)
        fail_msg("%s", error.text);
    return record;
}

static void reads_a_match(void **state)
{
    (void)state;
    FILE *file = file_of(sample, strlen(sample));
    struct record_reader reader = record_reader(game, file);
    struct mp_error error;
    struct record *first = read_next(&reader), *second = read_next(&reader), *third = read_next(&reader);
    assert_null(mat_read(&reader, &error));
    assert_string_equal(error.text, "");
    fclose(file);
    assert_string_equal(record_tag(first, "White"), "gnubg");
    assert_string_equal(record_tag(first, "EventDate"), "2026.11.15");
    assert_string_equal(first->result, "1-0");
    assert_int_equal(mp_position_margin(first->position), 1);
    assert_string_equal(second->result, "0-1");
    assert_string_equal(record_tag(second, "Points"), "2");
    const struct backgammon *s = mp_position_state(second->position);
    assert_int_equal(s->cube_log, 1);
    assert_int_equal(s->score[0], 1);
    assert_int_equal(s->die[0], 6);
    s = mp_position_state(third->position);
    assert_int_equal(s->crawford, 1);
    assert_int_equal(s->match_length, 3);
    record_free(first);
    record_free(second);
    record_free(third);
}

/* The Crawford game is the first in which a player is one away, and no other. */
static void there_is_one_crawford_game(void **state)
{
    (void)state;
    static const char match[] = " 3 point match\n"
                                " Game 1\n a : 0   b : 0\n  1)                             31: 8/5 6/5\n"
                                "                                  Wins 2 points\n"
                                " Game 2\n a : 0   b : 2\n  1) 31: 8/5 6/5\n      Wins 1 point\n"
                                " Game 3\n a : 1   b : 2\n  1) 31: 8/5 6/5\n      Wins 1 point\n"
                                " Game 4\n a : 2   b : 2\n  1) 31: 8/5 6/5\n      Wins 1 point\n";
    FILE *file = file_of(match, strlen(match));
    struct record_reader reader = record_reader(game, file);
    for (int i = 0; i < 4; i++) {
        struct record *record = read_next(&reader);
        assert_int_equal(((const struct backgammon *)mp_position_state(record->position))->crawford, i == 1);
        record_free(record);
    }
    fclose(file);
}

/* A random game at a score, with doubles. */
static struct record *random_game(uint64_t seed)
{
    struct mp_error error;
    struct record *record = record_new(game, seed % 2 ? "4HPwATDgc/ABMA:cAkAAAAAAAAE rolling" : NULL, &error);
    assert_non_null(record);
    for (uint64_t ply = 0;; ply++) {
        mp_move moves[4096];
        int count = mp_position_moves(record->position, moves, NULL, 4096);
        if (count == 0)
            return record;
        uint32_t pick = random_below(random_at(seed, ply), (uint32_t)count);
        if (moves[0] & BACKGAMMON_ACTION && random_at(seed, ply) % 8)
            pick = 0; /* most of the time nobody doubles, and doubles are taken */
        assert_true(record_add_move(record, moves[pick], &error));
    }
}

static char *text_of(const struct record *record, size_t *length)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, length);
    assert_true(mat_write(record, file));
    fclose(file);
    return text;
}

static void games_come_back(void **state)
{
    (void)state;
    int doubled = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct record *record = random_game(seed);
        size_t length, again_length;
        char *text = text_of(record, &length);
        doubled += strstr(text, "Doubles") != NULL;
        FILE *file = file_of(text, length);
        struct record_reader reader = record_reader(game, file);
        struct record *again = read_next(&reader);
        fclose(file);
        assert_int_equal(again->item_count, record->item_count);
        for (int i = 0; i < record->item_count; i++)
            assert_int_equal(again->items[i].move, record->items[i].move);
        char *again_text = text_of(again, &again_length);
        assert_string_equal(again_text, text);
        free(again_text);
        free(text);
        record_free(again);
        record_free(record);
    }
    assert_in_range(doubled, 20, 200);
}

/* Wherever a file ends, what is missing is said, or only whole games come back. */
static void cut_files_are_refused(void **state)
{
    (void)state;
    int refused = 0;
    for (size_t length = 0; length < strlen(sample); length++) {
        FILE *file = file_of(sample, length);
        struct record_reader reader = record_reader(game, file);
        struct mp_error error;
        struct record *record;
        while ((record = mat_read(&reader, &error))) {
            assert_non_null(record_tag(record, "Points"));
            record_free(record);
        }
        fclose(file);
        refused += error.text[0] != 0;
        if (length == 300)
            assert_contains(error.text, "line");
    }
    assert_in_range(refused, strlen(sample) / 2, strlen(sample));
}

static void refuses_what_is_wrong(void **state)
{
    (void)state;
    const char *const start = " 3 point match\n Game 1\n a : 0   b : 0\n";
    const char *const cases[][2] = {
        {"hello\n", "line 1: expected a match length"},
        {" 65 point match\n", "expected 0 to 64"},
        {" 3 point match\n Game 1\n", "the file ends inside game 1"},
        {" 3 point match\n Game 1\n a\n", "expected the players"},
        {" 3 point match\n Game 1\n a : 3   b : 0\n", "a score of 3"},
        {"", "the file ends inside game 1, expected a line with Wins"},
        {"  1) 21: 13/11 24/22\n", "does not use the roll 21"},
        {"  1) 21: 13/11 24/23   65: 12/6 13/8\n", "no chequer of yours"},
        {"  1) 21: 13/11 24/23   65: 24/1\n", "line 4"},
        {"  1) 71: 13/11\n", "expected a roll"},
        {"  1)  Takes\n", "line 4"},
        {"  1) 21: 13/11 24/23\n  2) 21: 13/11 24/23\n", "the turn of the other player"},
        {"  1) 21:\n  2)                             21: 13/11 24/23\n", "has not been played"},
        {"  1) 21: 13/11 24/23   Doubles => 2\n  2)  Drops\n      Wins 1 point\n", "by the moves b wins 1"},
        {"  1) 21: 13/11 24/23   Doubles => 2\n  2)  Drops\n                             Wins 9\n",
         "Wins 2 points"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", i < 5 ? "" : start, cases[i][0]);
        FILE *file = file_of(text, strlen(text));
        struct record_reader reader = record_reader(game, file);
        struct mp_error error;
        assert_null(mat_read(&reader, &error));
        assert_contains(error.text, cases[i][1]);
        fclose(file);
    }
    /* Doubles need the cube. */
    struct mp_game *plain = mp_game_open("backgammon", NULL);
    FILE *file = file_of(sample, strlen(sample));
    struct record_reader reader = record_reader(plain, file);
    struct mp_error error;
    assert_null(mat_read(&reader, &error));
    assert_contains(error.text, "line 8");
    fclose(file);
    mp_game_close(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_match),         cmocka_unit_test(there_is_one_crawford_game),
        cmocka_unit_test(games_come_back),       cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(refuses_what_is_wrong),
    };
    return cmocka_run_group_tests_name("mat", tests, open_game, close_game);
}

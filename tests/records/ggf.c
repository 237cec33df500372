/* ggf.c - records of Othello as GGF: what survives reading and writing, what others write, what is refused and why. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/random.h"
#include "records/ggf.h"

#define START "BO[8 ---------------------------O*------*O--------------------------- *]"

static struct record *read_text(const struct mp_game *game, const char *text, struct mp_error *error)
{
    FILE *file = fmemopen((void *)text, strlen(text), "r");
    struct record_reader reader = record_reader(game, file);
    struct record *record = ggf_read(&reader, error);
    fclose(file);
    return record;
}

static char *write_text(const struct record *record)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_true(ggf_write(record, file));
    fclose(file);
    return text;
}

/* What is written after a text has been read. */
static void assert_written(const struct mp_game *game, const char *text, const char *expected)
{
    struct mp_error error = {0};
    struct record *record = read_text(game, text, &error);
    if (!record)
        fail_msg("%s", error.text);
    char *written = write_text(record);
    assert_string_equal(written, expected);
    free(written);
    record_free(record);
}

static void everything_survives(void **state)
{
    static const char *const texts[] = {
        "(;GM[Othello]PC[GGS/os]DT[2004.09.18_05:54:38.MDT]PB[Anna]PW[Bert]RB[1837.5]RW[2203.5]TI[05:00//"
        "02:00]"
        "KM[0.5]TY[8r]RE[+64.00:r]" START "B[F5/1.50/12.30]W[D6//0.80]B[C3/-0.25]W[D3];)\n",
        /* White begins, and passes in the end. */
        "(;GM[Othello]PB[?]PW[?]TY[8]RE[?]"
        "BO[8 OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO*O- O]W[PA];)\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_written(*state, texts[i], texts[i]);
}

/* A value is kept for Black, whoever moved, as in PGN. */
static void thoughts_are_comments(void **state)
{
    struct mp_error error = {0};
    struct record *record = read_text(*state, "(;" START "B[F5/1.5/3661.25]W[D6/2/x]B[C3/50%/1];)", &error);
    assert_non_null(record);
    static const char *const comments[] = {"[%eval 1.50] [%emt 1:01:01.25]", "[%eval -2.00]",
                                           "[%emt 0:00:01.00]"};
    int count = 0;
    for (int i = 0; i < record->item_count; i++)
        if (record->items[i].kind == RECORD_COMMENT)
            assert_string_equal(record->items[i].text, comments[count++]);
    assert_int_equal(count, 3);
    record_free(record);
}

static void reads_what_others_write(void **state)
{
    /* A count before the game, a board in rows, small letters, blanks, a pass that nobody wrote down. */
    assert_written(*state,
                   "1 \n (;GM[othello]\nPB[a [b]TY[8]BO[8\n-------- -------- -------- ---O*--- ---*O--- "
                   "-------- --------\n"
                   " -------- *]\r\n B[c4] W[c3/]B[f5//]W[b4]B[a4]W[a5]B[b2]W[a3]W[c1] ;)",
                   "(;GM[Othello]PB[a (b]PW[?]TY[8]RE[?]" START
                   "B[C4]W[C3]B[F5]W[B4]B[A4]W[A5]B[B2]W[A3]B[PA]W[C1];)\n");
    /* The result of who resigned, and of one that was not played to its end. */
    struct mp_error error = {0};
    struct record *record = read_text(*state, "(;RE[-64.00:r]" START "B[F5];)", &error);
    assert_non_null(record);
    assert_string_equal(record->result, "1-0");
    record_free(record);
    record = read_text(*state, "(;RE[?]" START ";)", &error);
    assert_non_null(record);
    assert_string_equal(record->result, "*");
    assert_null(record->start);
    record_free(record);
}

static void several_games(void **state)
{
    const char text[] = "2(;" START "B[F5];)(;" START "B[C4];)\n(;" START "B[D3];)";
    FILE *file = fmemopen((void *)text, strlen(text), "r");
    struct record_reader reader = record_reader(*state, file);
    struct mp_error error = {0};
    struct record *record;
    int count = 0;
    while ((record = ggf_read(&reader, &error))) {
        count += record->item_count;
        record_free(record);
    }
    fclose(file);
    assert_string_equal(error.text, "");
    assert_int_equal(count, 3);
}

static void refuses_and_explains(void **state)
{
    static const struct {
        const char *text, *error;
    } bad[] = {
        {"f5d6", "GGF line 1: expected a game that begins with (;: 'f'"},
        {"(;GM[Amazons];)", "GGF line 1: expected a game of Othello: 'Amazons'"},
        {"(;\nPB[x", "GGF line 2: expected ] at the end of a property: 'PB'"},
        {"(;PB;)", "GGF line 1: expected a property such as PB[name], or ;): 'PB'"},
        {"(;\n\n", "GGF line 3: expected a property such as PB[name], or ;): '?'"},
        {"(;;;)", "GGF line 1: expected ;) at the end of a game: ';'"},
        {"(;BO[10 *];)", "GGF line 1: expected a board of 8 rows, such as BO[8 --- ...]: '10 *'"},
        {"(;BO[8 --- *];)", "GGF line 1: expected 64 squares and who is to move: '8 --- *'"},
        {"(;BO[8 ---------------------------Q*------*O--------------------------- *];)",
         "GGF line 1: Othello position: square d4 holds 'Q', expected X, O or -"},
        {"(;BO[8 ---------------------------O*------*O--------------------------- -];)",
         "GGF line 1: Othello position: the side to move is missing, expected X or O after the 64 squares"},
        {"(;" START "\nB[F5]\nB[D6];)", "GGF line 3: Black is not to move: 'D6'"},
        {"(;" START "B[F5]W[A1];)", "GGF line 1: Othello move 'A1': no disc would be turned"},
        {"(;" START "B[F5]W[PA];)", "GGF line 1: Othello move 'pass': a player who can move may not pass"},
        {"(;" START "B[F5]" START ";)", "GGF line 1: a board after a move, expected it before: '8 "
                                        "---------------------------O*------*O---------------------'"},
        {"(;" START "KB[F5/2];)", "GGF line 1: a move that decides the komi, expected a game without: 'KB'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct mp_error error = {0};
        assert_null(read_text(*state, bad[i].text, &error));
        assert_string_equal(error.text, bad[i].error);
    }
    char longer[2000] = "(;PB[";
    struct mp_error error = {0};
    memset(longer + strlen(longer), 'x', 1500);
    assert_null(read_text(*state, longer, &error));
    assert_string_equal(error.text, "GGF line 1: a property is too long: 'PB'");
}

/* Whole games, some of them with passes: the same moves and the same result after reading them again. */
static void games_survive(void **state)
{
    const struct mp_game *game = *state;
    mp_move moves[64], first[128], second[128];
    int passes = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct mp_error error = {0};
        uint64_t stream = seed;
        struct record *record = record_new(game, NULL, NULL);
        for (int count; (count = mp_position_moves(record->position, moves, NULL, 64)) > 0;) {
            mp_move move = moves[random_below(random_next(&stream), (uint32_t)count)];
            passes += game->is_pass(game, move);
            assert_true(record_add_move(record, move, NULL));
        }
        char *text = write_text(record);
        struct record *again = read_text(game, text, &error);
        if (!again)
            fail_msg("%s: %s", error.text, text);
        int count = record_main_line(record, first, 128);
        assert_int_equal(record_main_line(again, second, 128), count);
        assert_memory_equal(first, second, (size_t)count * sizeof *first);
        assert_string_equal(again->result, record_result_by_rules(record));
        free(text);
        record_free(record);
        record_free(again);
    }
    assert_true(passes > 0);
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
        cmocka_unit_test(everything_survives),     cmocka_unit_test(thoughts_are_comments),
        cmocka_unit_test(reads_what_others_write), cmocka_unit_test(several_games),
        cmocka_unit_test(refuses_and_explains),    cmocka_unit_test(games_survive),
    };
    return cmocka_run_group_tests_name("ggf", tests, open_game, close_game);
}

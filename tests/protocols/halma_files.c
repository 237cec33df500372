/* halma_files.c - hand-made input files are answered with legal moves, garbage with an error and no file. */
#include "tests/support/test.h"

#include "protocols/halma_files.h"

#include <unistd.h>

static char directory[] = "/tmp/halma-files-XXXXXX";
static char input[64], output[64];

static int make_directory(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(input, sizeof input, "%s/input.txt", directory);
    snprintf(output, sizeof output, "%s/output.txt", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    remove(input);
    return rmdir(directory);
}

static void write_input(const char *text)
{
    FILE *file = fopen(input, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* The answer as a chain of squares, which the game reads: e1-e3-g3. */
static void read_answer(char *chain, size_t size)
{
    FILE *file = fopen(output, "r");
    assert_non_null(file);
    char kind, line[64];
    int from[2], to[2], last[2] = {-1, -1}, lines = 0, n = 0;
    while (fgets(line, sizeof line, file)) {
        assert_int_equal(sscanf(line, "%c %d,%d %d,%d", &kind, &from[0], &from[1], &to[0], &to[1]), 5);
        int reach = abs(from[0] - to[0]) > abs(from[1] - to[1]) ? abs(from[0] - to[0]) : abs(from[1] - to[1]);
        assert_int_equal(kind, reach == 1 ? 'E' : 'J');
        if (lines++ == 0)
            n += snprintf(chain, size, "%c%d", 'a' + from[0], from[1] + 1);
        else
            assert_true(kind == 'J' && from[0] == last[0] && from[1] == last[1]);
        n += snprintf(chain + n, size - (size_t)n, "-%c%d", 'a' + to[0], to[1] + 1);
        memcpy(last, to, sizeof last);
    }
    fclose(file);
    remove(output);
    assert_true(lines > 0);
}

/* Answers a position with a move that is legal under the course rules; the position after it is returned. */
static struct mp_position *answer(struct mp_game *game, const char *kind, int side, const char *seconds,
                                  const char *board, char *chain, size_t size)
{
    char text[512], position[512];
    snprintf(text, sizeof text, "%s\n%s\n%s\n%s\n", kind, side ? "WHITE" : "BLACK", seconds, board);
    write_input(text);
    struct mp_error error = {0};
    struct halma_files files = {input, output, 0.05};
    if (!halma_files_answer(&files, &error))
        fail_msg("%s", error.text);
    read_answer(chain, size);
    snprintf(position, sizeof position, "%s %c", board, side ? 'w' : 'b');
    for (char *at = position; *at; at++)
        *at = *at == '\n' ? '/' : *at;
    struct mp_position *p = mp_position_new(game, position, &error);
    if (!p || !mp_position_play_text(p, chain, &error))
        fail_msg("%s", error.text);
    return p;
}

#define EMPTY "................\n"
#define START_BLACK                                                                                          \
    "BBBBB...........\nBBBBB...........\nBBBB............\nBBB.............\nBB..............\n"
#define START_WHITE "..............WW\n.............WWW\n............WWWW\n...........WWWWW\n...........WWWWW"

static void answers_hand_made_files(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("halma16:rules=usc", NULL);
    char chain[256];
    const char *start = START_BLACK EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY START_WHITE;
    /* The first move; with the time nearly out, and out. */
    const char *const clocks[] = {"300.0", "0.01", "0.0", "2"};
    for (int i = 0; i < 8; i++)
        mp_position_free(answer(game, i < 4 ? "GAME" : "SINGLE", i % 2, clocks[i % 4], start, chain, 256));

    /* A piece at home and others on the way: one must leave home, and can. */
    const char *leave = "B...............\n.B..............\n" EMPTY EMPTY EMPTY "......B.........\n"
                        ".......B........\n" EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY
                        "............W...\n..............W.";
    mp_position_free(answer(game, "GAME", 1, "10", leave, chain, 256));
    assert_true(chain[0] == 'm' || chain[0] == 'o');
    const char *out = "....B...........\n" EMPTY EMPTY EMPTY EMPTY "......B.........\n"
                      ".......B........\n" EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY
                      "............W...\n..............W.";
    mp_position_free(answer(game, "GAME", 0, "10", out, chain, 256));
    assert_memory_equal(chain, "e1", 2);

    /* None can leave home at once, so one moves away from the corner. */
    mp_position_free(answer(game, "GAME", 0, "10", leave, chain, 256));
    assert_true(!strncmp(chain, "a1", 2) || !strncmp(chain, "b2", 2));

    /* The piece at home is boxed in, so another moves. */
    const char *boxed = "BWW.............\nWWW.............\nWWW.............\n" EMPTY EMPTY
                        "......B.........\n.......B........\n" EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY
                        "............W...\n..............W.";
    mp_position_free(answer(game, "GAME", 0, "10", boxed, chain, 256));
    assert_true(!strncmp(chain, "g6", 2) || !strncmp(chain, "h7", 2));

    /* The last move wins the game. */
    const char *last = EMPTY EMPTY EMPTY EMPTY EMPTY "WWWW............\n" EMPTY EMPTY EMPTY EMPTY EMPTY
                                                     ".............BBB\n.............B.B\n............BBBB\n"
                                                     "...........BBBBB\n...........BBBBB";
    struct mp_position *won = answer(game, "GAME", 0, "10", last, chain, 256);
    assert_int_equal(mp_position_moves(won, NULL, NULL, 0), 0);
    assert_int_equal(mp_position_margin(won), 1);
    mp_position_free(won);

    /* The same by a jump straight down. */
    const char *jump = EMPTY EMPTY EMPTY EMPTY EMPTY "WWWW............\n" EMPTY EMPTY EMPTY
                                                     "..............B.\n..............W.\n...............B\n"
                                                     ".............BBB\n............BBBB\n"
                                                     "...........BBBBB\n...........BBBBB";
    won = answer(game, "GAME", 0, "10", jump, chain, 256);
    assert_string_equal(chain, "o10-o12");
    assert_int_equal(mp_position_margin(won), 1);
    mp_position_free(won);
    mp_game_close(game);
}

static void refuses(const char *text, const char *reason)
{
    write_input(text);
    struct mp_error error = {0};
    struct halma_files files = {input, output, 0.05};
    if (halma_files_answer(&files, &error))
        fail_msg("'%s' was answered", text);
    assert_contains(error.text, reason);
    assert_int_not_equal(access(output, F_OK), 0);
}

static void refuses_garbage(void **state)
{
    (void)state;
    refuses("", "line 1: '', expected SINGLE or GAME");
    refuses("BOTH\n", "line 1: 'BOTH'");
    refuses("GAME\nRED\n", "line 2: 'RED', expected BLACK or WHITE");
    refuses("GAME\nBLACK\nsoon\n", "line 3: 'soon', expected the seconds left");
    refuses("GAME\nBLACK\n-1\n", "line 3");
    refuses("GAME\nBLACK\nnan\n", "line 3");
    refuses("GAME\nBLACK\n10\nBBB\n", "line 4: 'BBB', expected 16 squares");
    refuses("GAME\nBLACK\n10\n" START_BLACK, "line 9");
    refuses("GAME\nBLACK\n10\n" START_BLACK EMPTY EMPTY EMPTY EMPTY EMPTY "...............X\n" START_WHITE,
            "line 14");
    refuses("GAME\nBLACK\n10\n" START_BLACK EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY START_WHITE "\nmore\n",
            "'more' after the board");
    refuses("GAME\nBLACK\n10\n" START_BLACK EMPTY EMPTY EMPTY EMPTY EMPTY "...............B\n" START_WHITE,
            "20 black pieces, expected 1 to 19");
    refuses("GAME\nBLACK\n10\n" EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY
                EMPTY EMPTY "W..............B",
            "the game is over");
    char long_line[400];
    memset(long_line, 'G', sizeof long_line - 1);
    long_line[sizeof long_line - 1] = 0;
    refuses(long_line, "line 1");
    struct mp_error error = {0};
    assert_false(halma_files_answer(&(struct halma_files){"/nonexistent/input", output, 0}, &error));
    assert_contains(error.text, "/nonexistent/input cannot be read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_hand_made_files),
        cmocka_unit_test(refuses_garbage),
    };
    return cmocka_run_group_tests_name("halma_files", tests, make_directory, remove_directory);
}

/* reproduce.c - what the reproductions share: games, wrapped text, and tables that are Markdown, aligned by
 * characters and not by bytes. */
#include "tests/lab/golden.h"

#include "reports/reproduce.h"
#include "lab/text_table.h"

#include <string.h>

static void is_printed_as_markdown(void **state)
{
    (void)state;
    struct text_table table;
    text_table_begin(&table, "name<|value|remark<");
    text_table_add(&table, "%s|%d|%s", "first", 1, "9±3");
    text_table_add(&table, "the second|%.2f", 1234.5);
    char text[1024] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    text_table_print(&table, out);
    fclose(out);
    assert_string_equal(text, "| name       |   value | remark |\n"
                              "|------------|--------:|--------|\n"
                              "| first      |       1 | 9±3    |\n"
                              "| the second | 1234.50 |        |\n");
    json_t *rows = text_table_json(&table),
           *expected = json_loads("[{\"name\": \"first\", \"value\": \"1\", \"remark\": \"9±3\"},"
                                  " {\"name\": \"the second\", \"value\": \"1234.50\", \"remark\": \"\"}]",
                                  0, NULL);
    assert_true(json_equal(rows, expected));
    json_decref(rows);
    json_decref(expected);
    assert_false(table.failed);
    text_table_end(&table);
}

static void many_rows_fit(void **state)
{
    (void)state;
    struct text_table table;
    text_table_begin(&table, "n");
    for (int i = 0; i < 1000; i++)
        text_table_add(&table, "%d", i);
    assert_int_equal(table.rows, 1000);
    assert_string_equal(table.cells[999], "999");
    text_table_end(&table);
}

/* Lines are broken between words; a line that was ended stays ended. */
static void text_is_wrapped(void **state)
{
    (void)state;
    char text[2048] = "", words[600] = "";
    for (int i = 0; i < 100; i++)
        strcat(words, "word ");
    struct reproduction r = {.out = fmemopen(text, sizeof text, "w")};
    reproduction_text(&r, "\n%s\nlast\n", words);
    fclose(r.out);
    assert_string_equal(text + strlen(text) - 6, "\nlast\n");
    int lines = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) && rest; lines++) {
        assert_true(strlen(line) <= 98);
        assert_true(lines == 0 ? !*line : *line != ' ');
    }
    assert_int_equal(lines, 1 + 6 + 1); /* 19 words of 5 characters and a blank fit a line */
}

/* A strategy against itself from the same random plies, with both colours: the wins balance. */
static void games_are_counted(void **state)
{
    (void)state;
    struct mp_error error;
    struct mp_game *game = mp_game_open("othello", &error);
    struct reproduction r = {.error = &error};
    struct series s = {.game = game,
                       .strategy = "alphabeta,depth=1",
                       .opponent = "alphabeta,depth=1",
                       .side = 2,
                       .random_plies = 4,
                       .games = 6};
    assert_true(reproduction_play(&r, &s));
    assert_int_equal(2 * s.won + s.drawn, 6);
    assert_true(s.seconds > 0);
    s = (struct series){.game = game, .strategy = "alphabeta,depth=2", .side = 1, .games = 20};
    assert_true(reproduction_play(&r, &s));
    assert_in_range(s.won, 12, 20);
    s.strategy = "nonsense";
    assert_false(reproduction_play(&r, &s));
    assert_non_null(strstr(error.text, "nonsense"));
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_printed_as_markdown),
        cmocka_unit_test(many_rows_fit),
        cmocka_unit_test(text_is_wrapped),
        cmocka_unit_test(games_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

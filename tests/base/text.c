/* text.c - numbers and times are read strictly, and appending never writes past the buffer. */
#include "tests/support/test.h"

#include "base/text.h"

static void reads_whole_numbers_strictly(void **state)
{
    (void)state;
    int64_t n = 7;
    assert_true(text_to_int("0", 0, 9, &n));
    assert_int_equal(n, 0);
    assert_true(text_to_int("-12", -20, 9, &n));
    assert_int_equal(n, -12);
    assert_true(text_to_int("9223372036854775807", 0, INT64_MAX, &n));
    const char *const bad[] = {"",
                               "-",
                               "+1",
                               " 1",
                               "1 ",
                               "1x",
                               "0x1",
                               "1.0",
                               "banana",
                               "10",
                               "-1",
                               "9223372036854775808",
                               "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (text_to_int(bad[i], 0, 9, &n))
            fail_msg("'%s' was read as %lld", bad[i], (long long)n);
}

static void reads_times_with_units(void **state)
{
    (void)state;
    double s;
    assert_true(text_to_seconds("2s", &s));
    assert_true(s == 2);
    assert_true(text_to_seconds("250ms", &s));
    assert_true(s == 0.25);
    assert_true(text_to_seconds("1.5m", &s));
    assert_true(s == 90);
    assert_true(text_to_seconds("1h", &s));
    assert_true(s == 3600);
    char text[32];
    text_from_seconds(0.25, text, sizeof text);
    assert_string_equal(text, "0.25s");
    text_from_seconds(7200000, text, sizeof text);
    assert_string_equal(text, "7200000s");
    text_from_seconds(1e-6, text, sizeof text);
    assert_string_equal(text, "0.000001s");
    const char *const bad[] = {"0.0000001s",
                               "",
                               "s",
                               "2",
                               "-2s",
                               "0s",
                               "2 s",
                               "2sec",
                               "1.2.3s",
                               ".s",
                               "nan",
                               "1e3s",
                               "9999999999999999999s",
                               "99999999999h"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (text_to_seconds(bad[i], &s))
            fail_msg("'%s' was read as %g s", bad[i], s);
}

static void appends_and_cuts(void **state)
{
    (void)state;
    char text[8] = "ab";
    text_append(text, sizeof text, "%s", "cd");
    assert_string_equal(text, "abcd");
    text_append(text, sizeof text, "%s", "efghij");
    assert_string_equal(text, "abcdefg");
    text_append(text, sizeof text, "%s", "k");
    assert_string_equal(text, "abcdefg");
}

/* Nothing that a terminal could obey is left, and what people can read stays as it is. */
static void escapes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *escaped;
    } cases[] = {
        {"", ""},
        {"pvs,depth=2 ~", "pvs,depth=2 ~"},
        {"\x1b[31mred\x1b]0;title\a", "\\x1b[31mred\\x1b]0;title\\x07"},
        {"two\nlines\r\tand\x7f", "two\\x0alines\\x0d\\x09and\\x7f"},
        {"\xc2\x9b"
         "31m",
         "\\xc2\\x9b31m"},
        {"\x9b"
         "31m",
         "\\x9b31m"},
        {"M\xc3\xbchle \xe2\x99\x9e \xf0\x9f\x8e\xb2", "M\xc3\xbchle \xe2\x99\x9e \xf0\x9f\x8e\xb2"},
        {"\xc0\x9b \xe0\x80\x9b \xed\xa0\x80 \xc3", "\\xc0\\x9b \\xe0\\x80\\x9b \\xed\\xa0\\x80 \\xc3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char escaped[100];
        text_escape(cases[i].text, escaped, sizeof escaped);
        assert_string_equal(escaped, cases[i].escaped);
        assert_int_equal(text_is_plain(cases[i].text), !strcmp(cases[i].text, cases[i].escaped));
    }
    /* What does not fit is left out whole. */
    char small[6];
    text_escape("abc\x1b", small, sizeof small);
    assert_string_equal(small, "abc");
    text_escape("abc\xe2\x99\x9e", small, sizeof small);
    assert_string_equal(small, "abc");
}

/* The word that was meant, or null. */
static const char *meant(const char *typed)
{
    static const char *const words[] = {"search", "serve", "perft", "play", "depth", "split", "of", "x"};
    struct text_guess guess = {.typed = typed};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        text_guess_try(&guess, words[i]);
    return guess.best;
}

static void guesses_what_was_meant(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *word;
    } cases[] = {{"serch", "search"}, {"saerch", "search"}, {"searchh", "search"}, {"sreach", "search"},
                 {"serv", "serve"},   {"pertf", "perft"},   {"dept", "depth"},     {"deptj", "depth"},
                 {"split", "split"},  {"plya", "play"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_non_null(meant(cases[i].typed));
        assert_string_equal(meant(cases[i].typed), cases[i].word);
    }
    /* Nothing is like these; a word of one letter is like any other. */
    static const char *const others[] = {
        "", "banana", "a", "q", "hctraes", "a-word-of-more-than-forty-letters-is-like-no-other"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_null(meant(others[i]));
    char text[TEXT_GUESS];
    assert_string_equal(text_guess_said(&(struct text_guess){.typed = "x"}, text), "");
    assert_string_equal(text_guess_said(&(struct text_guess){.best = "depth", .lead = "--"}, text),
                        " (did you mean --depth?)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_whole_numbers_strictly),
        cmocka_unit_test(reads_times_with_units),
        cmocka_unit_test(escapes),
        cmocka_unit_test(guesses_what_was_meant),
        cmocka_unit_test(appends_and_cuts),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}

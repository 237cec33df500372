/* pgn_read.c - reads a game in PGN: tags, moves, comments, marks and variations. */
#include "records/pgn.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORD = 256 };

/* ---- Characters ---------------------------------------------------------------------------------------- */

/* Carriage returns are left out; EOF at the end. A line that begins with % is not part of the text. */
static int next_char(struct record_reader *in, bool at_line_start)
{
    int c = in->put_back ? in->put_back : getc(in->file);
    in->put_back = 0;
    while (c == '\r' || (c == '%' && at_line_start)) {
        while (c == '%' && (c = getc(in->file)) != '\n' && c != EOF)
            c = '%';
        if (c == '\n')
            in->line++;
        c = getc(in->file);
    }
    if (c == '\n')
        in->line++;
    return c;
}

static void put_back(struct record_reader *in, int c)
{
    if (c == '\n')
        in->line--;
    if (c != EOF)
        in->put_back = c;
}

/* The next character that is not blank, nor of a byte order mark. */
static int next_visible(struct record_reader *in)
{
    int c = ' ';
    while (c != EOF && (isspace(c) || c == 0xef || c == 0xbb || c == 0xbf))
        c = next_char(in, c == '\n' || c == 0xbf);
    return c;
}

/* A text that grows. */
struct text {
    char *data;
    size_t length, capacity;
};

static bool grow(struct text *text, int c)
{
    if (text->length + 1 >= text->capacity) {
        size_t capacity = text->capacity ? 2 * text->capacity : 128;
        char *data = realloc(text->data, capacity);
        if (!data)
            return false;
        text->data = data;
        text->capacity = capacity;
    }
    text->data[text->length++] = (char)c;
    text->data[text->length] = 0;
    return true;
}

static bool fail_at(const struct record_reader *in, struct mp_error *error, const char *what)
{
    return mp_fail(error, "PGN line %d: %s", in->line, what);
}

/* ---- Tags ---------------------------------------------------------------------------------------------- */

static bool is_name(int c)
{
    return isalnum(c) || c == '_' || c == '+' || c == '#' || c == '=' || c == ':' || c == '-';
}

/* The quoted value after its opening quote. */
static bool read_value(struct record_reader *in, struct text *value, struct mp_error *error)
{
    bool ok = grow(value, 0);
    value->length = 0;
    for (int c; ok && (c = next_char(in, false)) != '"';) {
        if (c == '\\')
            c = next_char(in, false);
        if (c == EOF || c == '\n' || c == 0)
            return fail_at(in, error, "the value of a tag is not closed, expected \" at its end");
        ok = grow(value, c);
    }
    return ok || mp_fail(error, "out of memory");
}

/* A tag after its bracket. FEN comes back in start, all others go into tags. */
static bool read_tag(struct record_reader *in, struct record *tags, char **start, struct mp_error *error)
{
    char name[MOST_WORD];
    size_t length = 0;
    int c = next_visible(in);
    for (; c != EOF && is_name(c); c = next_char(in, false)) {
        if (length + 1 == sizeof name)
            return fail_at(in, error, "the name of a tag is longer than 255 characters");
        name[length++] = (char)c;
    }
    name[length] = 0;
    put_back(in, c);
    if (length == 0 || (c = next_visible(in)) != '"')
        return fail_at(in, error, "a tag was expected, such as [White \"Name\"]");
    struct text value = {0};
    bool ok = read_value(in, &value, error);
    if (ok && next_visible(in) != ']')
        ok = fail_at(in, error, "a tag is not closed, expected ]");
    if (ok && !strcmp(name, "FEN")) {
        free(*start);
        *start = value.data;
        return true;
    }
    ok = ok && (record_set_tag(tags, name, value.data) || mp_fail(error, "out of memory"));
    free(value.data);
    return ok;
}

/* ---- Moves --------------------------------------------------------------------------------------------- */

static bool read_comment(struct record_reader *in, struct record *r, int end, struct mp_error *error)
{
    struct text text = {0};
    bool ok = grow(&text, 0) || mp_fail(error, "out of memory");
    text.length = 0;
    for (int c; ok && (c = next_char(in, false)) != end && c != EOF;) {
        if (c == 0)
            ok = fail_at(in, error, "a zero byte in a comment");
        else
            ok = grow(&text, c) || mp_fail(error, "out of memory");
    }
    if (ok && end == '}' && feof(in->file))
        ok = fail_at(in, error, "the file ends inside a comment, expected }");
    ok = ok && (record_add_comment(r, text.data) || mp_fail(error, "out of memory"));
    free(text.data);
    return ok;
}

static bool ends_word(int c)
{
    return c == EOF || isspace(c) || strchr("()[]{};$\"<>", c);
}

/* The rest of a word that begins with c. */
static bool read_word(struct record_reader *in, int c, char word[MOST_WORD], struct mp_error *error)
{
    size_t length = 0;
    while (!ends_word(c) && c != 0) {
        if (length + 1 == MOST_WORD)
            return fail_at(in, error, "a word is longer than 255 characters, expected a move");
        word[length++] = (char)c;
        c = next_char(in, false);
    }
    word[length] = 0;
    put_back(in, c);
    if (length == 0 || c == 0)
        return mp_fail(error, "PGN line %d: '%c', expected a move or a result", in->line,
                       isprint(c) ? c : '?');
    return true;
}

static bool read_mark(struct record_reader *in, struct record *r, struct mp_error *error)
{
    int number = 0, digits = 0, c;
    while (isdigit(c = next_char(in, false)) && digits++ < 4)
        number = 10 * number + c - '0';
    put_back(in, c);
    if (digits == 0 || digits > 4)
        return fail_at(in, error, "a mark was expected, $ and a number such as $1");
    return record_add_mark(r, number) || mp_fail(error, "out of memory");
}

/* The mark that a move ends with, such as !?, as a number; cuts it off. -1: there is no such mark. */
static int cut_mark(char *word)
{
    static const char *const marks[] = {"", "!", "?", "!!", "??", "!?", "?!"};
    size_t length = strlen(word);
    while (length > 0 && (word[length - 1] == '!' || word[length - 1] == '?'))
        length--;
    for (int i = 0; i < 7; i++)
        if (!strcmp(word + length, marks[i])) {
            word[length] = 0;
            return i;
        }
    return -1;
}

static bool add_move(struct record_reader *in, struct record *r, char *word, struct mp_error *error)
{
    struct mp_error reason = {0};
    mp_move move;
    int mark = cut_mark(word);
    if (mark < 0)
        return mp_fail(error, "PGN line %d: '%.60s' ends in a mark that is none of ! ? !! ?? !? ?!", in->line,
                       word);
    if (!mp_position_parse_move(r->position, word, &move, &reason) || !record_add_move(r, move, &reason))
        return mp_fail(error, "PGN line %d: %.400s", in->line, reason.text);
    return mark == 0 || record_add_mark(r, mark) || mp_fail(error, "out of memory");
}

/* Where a move begins after its number, 12. or 12... or 12 alone, if that is not a move itself. */
static char *after_number(const struct record *r, char *word)
{
    mp_move move;
    size_t digits = strspn(word, "0123456789"), dots = strspn(word + digits, ".");
    bool alone = !word[digits] && !mp_position_parse_move(r->position, word, &move, NULL);
    return dots > 0 || alone ? word + digits + dots : word;
}

/* One item; *done when it was the result. */
static bool read_item(struct record_reader *in, struct record *r, bool *done, struct mp_error *error)
{
    struct mp_error reason = {0};
    char word[MOST_WORD], *move;
    int c = next_visible(in);
    switch (c) {
    case EOF:
    case '[':
        return fail_at(in, error, "the game has no result, expected 1-0, 0-1, 1/2-1/2 or *");
    case '{':
        return read_comment(in, r, '}', error);
    case ';':
        return read_comment(in, r, '\n', error);
    case '$':
        return read_mark(in, r, error);
    case '(':
        return record_begin_variation(r, &reason) || fail_at(in, error, reason.text);
    case ')':
        return record_end_variation(r, &reason) || fail_at(in, error, reason.text);
    default:
        if (!read_word(in, c, word, error))
            return false;
    }
    *done = record_set_result(r, word);
    if (*done)
        return !record_in_variation(r) || fail_at(in, error, "a result inside a variation, expected )");
    move = after_number(r, word);
    return !*move || add_move(in, r, move, error);
}

/* A result that is known twice must be the same. */
static bool check_result(struct record_reader *in, const struct record *r, struct mp_error *error)
{
    const char *tag = record_tag(r, "Result");
    if (!tag || !strcmp(tag, r->result) || !strcmp(tag, "*") || !strcmp(r->result, "*"))
        return true;
    return mp_fail(error, "PGN line %d: the game ends with %s, but its tag Result says %.20s", in->line,
                   r->result, tag);
}

/* The record of a game whose tags have been read. */
static struct record *start_game(struct record_reader *in, struct record *tags, const char *start,
                                 struct mp_error *error)
{
    struct mp_error reason = {0};
    if (!start)
        return tags;
    struct record *r = record_new(in->game, start, &reason);
    if (!r)
        mp_fail(error, "PGN line %d: %.400s", in->line, reason.text);
    for (int i = 0; r && i < tags->tag_count; i++)
        if (!record_set_tag(r, tags->tags[i].name, tags->tags[i].value))
            mp_fail(error, "out of memory");
    record_free(tags);
    return r;
}

struct record *pgn_read(struct record_reader *in, struct mp_error *error)
{
    char *start = NULL;
    bool done = false;
    error->text[0] = 0;
    if (in->line == 0)
        in->put_back = '\n'; /* so that the first line begins like any other */
    int c = next_visible(in);
    if (c == EOF)
        return NULL;
    struct record *r = record_new(in->game, NULL, error);
    bool ok = r != NULL;
    for (; ok && c == '['; c = next_visible(in))
        ok = read_tag(in, r, &start, error);
    put_back(in, c);
    r = ok ? start_game(in, r, start, error) : r;
    ok = ok && r;
    while (ok && !done)
        ok = read_item(in, r, &done, error);
    ok = ok && check_result(in, r, error);
    free(start);
    if (ok)
        return r;
    record_free(r);
    return NULL;
}

/* ggf.c - Othello games as GGF text. */
#include "records/ggf.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME = 9, VALUE = 1024, MOVE = 8, SQUARES = 64 };

/* What PGN calls the properties of a game; the others keep their names. */
static const struct {
    const char *property, *tag;
} names[] = {{"EV", "Event"}, {"PC", "Site"},     {"DT", "Date"},     {"PB", "Black"},
             {"PW", "White"}, {"RB", "BlackElo"}, {"RW", "WhiteElo"}, {"TI", "TimeControl"}};
enum { NAMES = sizeof names / sizeof *names };

/* ---- Reading: characters ------------------------------------------------------------------------------- */

static bool fail_at(const struct record_reader *in, struct mp_error *error, const char *what,
                    const char *text)
{
    return mp_fail(error, "GGF line %d: %s: '%.60s'", in->line + 1, what, text);
}

static int next_char(struct record_reader *in)
{
    int c = getc(in->file);
    in->line += c == '\n';
    return c;
}

static int next_visible(struct record_reader *in)
{
    int c = ' ';
    while (c != EOF && isspace(c))
        c = next_char(in);
    return c;
}

/* Goes to what follows the next `(;`. Between games there may be the number of games that a line has. False: at the end of
 * the file, or an error. */
static bool find_game(struct record_reader *in, struct mp_error *error)
{
    int c = next_visible(in);
    while (c != EOF && isdigit(c))
        c = next_visible(in);
    if (c == EOF)
        return false;
    if (c != '(' || next_visible(in) != ';')
        return fail_at(in, error, "expected a game that begins with (;",
                       (char[]){(char)(isprint(c) ? c : '?'), 0});
    return true;
}

/* The text in brackets; blanks stand for what cannot be printed. */
static bool read_value(struct record_reader *in, const char *name, char value[VALUE], struct mp_error *error)
{
    int length = 0, c;
    while ((c = next_char(in)) != ']') {
        if (c == EOF || length == VALUE - 1)
            return fail_at(in, error,
                           c == EOF ? "expected ] at the end of a property" : "a property is too long", name);
        value[length++] = (char)(c < ' ' || c == 127 ? ' ' : c);
    }
    while (length > 0 && value[length - 1] == ' ')
        length--;
    value[length] = 0;
    memmove(value, value + strspn(value, " "), strlen(value + strspn(value, " ")) + 1);
    return true;
}

/* The next `NAME[VALUE]`. An empty name: the game has ended. */
static bool read_property(struct record_reader *in, char name[NAME], char value[VALUE],
                          struct mp_error *error)
{
    int length = 0, c = next_visible(in);
    name[0] = 0;
    if (c == ';')
        return next_visible(in) == ')' || fail_at(in, error, "expected ;) at the end of a game", ";");
    for (; c >= 'A' && c <= 'Z' && length < NAME - 1; c = next_char(in))
        name[length++] = (char)c;
    name[length] = 0;
    if (length == 0 || c != '[')
        return fail_at(in, error, "expected a property such as PB[name], or ;)",
                       length ? name : (char[]){(char)(c != EOF && isprint(c) ? c : '?'), 0});
    return read_value(in, name, value, error);
}

/* ---- Reading: properties ------------------------------------------------------------------------------- */

struct ggf_reading {
    struct record_reader *in;
    struct record *record;
    bool has_moves;
};

/* `8 ---...--- *`: the size, 64 squares, and who is to move. */
static bool read_board(struct ggf_reading *r, const char *value, struct mp_error *error)
{
    const struct mp_game *game = r->in->game;
    char text[SQUARES + 3] = "";
    int count = 0;
    if (r->has_moves)
        return fail_at(r->in, error, "a board after a move, expected it before", value);
    if (strncmp(value, "8 ", 2) != 0)
        return fail_at(r->in, error, "expected a board of 8 rows, such as BO[8 --- ...]", value);
    for (const char *c = value + 2; *c; c++) {
        if (*c == ' ')
            continue;
        if (count > SQUARES)
            return fail_at(r->in, error, "expected 64 squares and who is to move", value);
        text[count < SQUARES ? count : SQUARES + 1] = *c;
        count++;
    }
    if (count != SQUARES + 1)
        return fail_at(r->in, error, "expected 64 squares and who is to move", value);
    text[SQUARES] = ' ';
    struct mp_error reason = {0};
    struct mp_position *position = mp_position_new(game, text, &reason),
                       *initial = mp_position_new(game, NULL, NULL);
    char start[128] = "", usual[128] = "";
    if (position && initial) {
        mp_position_text(position, start, sizeof start);
        mp_position_text(initial, usual, sizeof usual);
    }
    mp_position_free(position);
    mp_position_free(initial);
    struct record *with_board = !*start ? NULL
                                        : record_new(game, strcmp(start, usual) ? start : NULL, &reason);
    if (!with_board)
        return mp_fail(error, "GGF line %d: %.400s", r->in->line + 1,
                       *reason.text ? reason.text : "out of memory");
    bool ok = record_set_result(with_board, r->record->result);
    for (int i = 0; ok && i < r->record->tag_count; i++)
        ok = record_set_tag(with_board, r->record->tags[i].name, r->record->tags[i].value);
    record_free(r->record);
    r->record = with_board;
    return ok || mp_fail(error, "out of memory");
}

/* `+4.00`, `-64.00:r` (resigned), `?`: what Black, who begins, has won. */
static bool read_result(struct ggf_reading *r, const char *value, struct mp_error *error)
{
    char *end;
    double won = strtod(value, &end);
    if (end != value && (!*end || *end == ':') && isfinite(won))
        record_set_result(r->record, won > 0 ? "0-1" : won < 0 ? "1-0" : "1/2-1/2");
    return record_set_tag(r->record, "RE", value) || mp_fail(error, "out of memory");
}

/* A number that can be written down again. What is none is left out: some programs write pairs or percentages. */
static bool is_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end && fabs(*number) < 1e6;
}

/* What was thought of a move, and how long: `1.50/12.3`, each may be empty. */
static bool add_thought(struct ggf_reading *r, char *text, int side, struct mp_error *error)
{
    char comment[96] = "", *rest = text;
    const char *value = strsep(&rest, "/"), *seconds = strsep(&rest, "/");
    double number;
    if (value && is_number(value, &number)) {
        number = round((side ? -number : number) * 100) / 100;
        snprintf(comment, sizeof comment, "[%%eval %.2f]", number == 0 ? 0 : number);
    }
    if (seconds && is_number(seconds, &number) && number >= 0) {
        long hundredths = lround(number * 100);
        size_t length = strlen(comment);
        snprintf(comment + length, sizeof comment - length, "%s[%%emt %ld:%02ld:%02ld.%02ld]",
                 length ? " " : "", hundredths / 360000, hundredths / 6000 % 60, hundredths / 100 % 60,
                 hundredths % 100);
    }
    return !*comment || record_add_comment(r->record, comment) || mp_fail(error, "out of memory");
}

static bool is_pass(const char *text)
{
    return !strcasecmp(text, "pa") || !strcasecmp(text, "pass") || !strcasecmp(text, "ps") ||
           !strcmp(text, "--");
}

/* The other side may have had to pass, and nobody wrote it down. */
static bool take_turn(struct ggf_reading *r, int side)
{
    const struct mp_game *game = r->in->game;
    mp_move only;
    return mp_position_side(r->record->position) == side ||
           (mp_position_moves(r->record->position, &only, NULL, 1) == 1 && game->is_pass(game, only) &&
            record_add_move(r->record, only, NULL));
}

static bool read_move(struct ggf_reading *r, int side, char *value, struct mp_error *error)
{
    struct mp_position *position = r->record->position;
    struct mp_error reason = {0};
    mp_move move;
    char *thought = value, *text = strsep(&thought, "/");
    r->has_moves = true;
    if (is_pass(text) && mp_position_moves(position, NULL, NULL, 0) == 0)
        return true;
    if (!take_turn(r, side))
        return fail_at(r->in, error, side ? "White is not to move" : "Black is not to move", text);
    position = r->record->position;
    if (!mp_position_parse_move(position, is_pass(text) ? "pass" : text, &move, &reason) ||
        !record_add_move(r->record, move, &reason))
        return mp_fail(error, "GGF line %d: %.400s", r->in->line + 1, reason.text);
    return !thought || add_thought(r, thought, side, error);
}

static bool take_property(struct ggf_reading *r, const char *name, char *value, struct mp_error *error)
{
    if (!strcmp(name, "B") || !strcmp(name, "W"))
        return read_move(r, *name == 'W', value, error);
    if (!strcmp(name, "BO"))
        return read_board(r, value, error);
    if (!strcmp(name, "RE"))
        return read_result(r, value, error);
    if (!strcmp(name, "GM"))
        return !strcasecmp(value, "othello") || fail_at(r->in, error, "expected a game of Othello", value);
    if (!strcmp(name, "KB") || !strcmp(name, "KW"))
        return fail_at(r->in, error, "a move that decides the komi, expected a game without", name);
    int i = 0;
    while (i < NAMES && strcmp(names[i].property, name) != 0)
        i++;
    return record_set_tag(r->record, i < NAMES ? names[i].tag : name, value) ||
           mp_fail(error, "out of memory");
}

struct record *ggf_read(struct record_reader *in, struct mp_error *error)
{
    struct ggf_reading r = {.in = in};
    char name[NAME], value[VALUE];
    error->text[0] = 0;
    if (strcmp(in->game->name, "othello") != 0) {
        mp_fail(error, "GGF is for othello, not for %s", in->game->name);
        return NULL;
    }
    if (!find_game(in, error) || !(r.record = record_new(in->game, NULL, error)))
        return NULL;
    bool ok;
    while ((ok = read_property(in, name, value, error)) && *name &&
           (ok = take_property(&r, name, value, error)))
        ;
    if (ok)
        return r.record;
    record_free(r.record);
    return NULL;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

/* Brackets would end the property. */
static void write_property(const char *name, const char *value, FILE *file)
{
    fprintf(file, "%s[", name);
    for (; *value; value++)
        fputc(*value == '[' ? '(' : *value == ']' ? ')' : *value, file);
    fputc(']', file);
}

/* Properties that PGN does not know have two capital letters. */
static bool is_property(const char *tag)
{
    static const char *const written[] = {"GM", "BO", "RE", "TY", "KB", "KW"};
    bool found = strlen(tag) == 2 && isupper((unsigned char)tag[0]) && isupper((unsigned char)tag[1]);
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        found = found && strcmp(tag, written[i]) != 0;
    return found;
}

static void write_tags(const struct record *r, FILE *file)
{
    const char *type = record_tag(r, "TY");
    for (int i = 0; i < NAMES; i++) {
        const char *value = record_tag(r, names[i].tag);
        bool is_known = value && strspn(value, "?.") !=
                                     strlen(value); /* PGN has question marks where nothing is known */
        bool is_player = !strcmp(names[i].property, "PB") || !strcmp(names[i].property, "PW");
        if (is_known || is_player)
            write_property(names[i].property, is_known ? value : "?", file);
    }
    for (int i = 0; i < r->tag_count; i++)
        if (is_property(r->tags[i].name))
            write_property(r->tags[i].name, r->tags[i].value, file);
    write_property("TY", type ? type : "8", file);
}

/* What the file said; else by the rules; else all discs, as for who resigns. */
static void write_result(const struct record *r, FILE *file)
{
    const char *said = record_tag(r, "RE");
    char text[16] = "?";
    if (mp_position_is_over(r->position))
        snprintf(text, sizeof text, "%+d.00", mp_position_margin(r->position));
    else if (strcmp(r->result, "*") != 0)
        snprintf(text, sizeof text, "%s",
                 !strcmp(r->result, "0-1")   ? "+64.00:r"
                 : !strcmp(r->result, "1-0") ? "-64.00:r"
                                             : "0.00:s");
    write_property("RE", said ? said : text, file);
}

static bool write_board(const struct record *r, FILE *file)
{
    char text[128];
    struct mp_position *start = mp_position_new(r->game, r->start, NULL);
    if (!start)
        return false;
    mp_position_text(start, text, sizeof text);
    mp_position_free(start);
    for (char *c = text; *c; c++)
        *c = *c == 'X' ? '*' : *c;
    return fprintf(file, "BO[8 %s]", text) > 0;
}

/* The thought in the comments of a move, up to the next one: `/1.50/12.30`, or nothing. */
static void write_thought(const struct record *r, int item, int side, FILE *file)
{
    bool has_value = false, has_time = false;
    double value = 0, seconds = 0;
    for (int i = item + 1; i < r->item_count && r->items[i].kind != RECORD_MOVE; i++) {
        const char *text = r->items[i].kind == RECORD_COMMENT ? r->items[i].text : "";
        const char *eval = strstr(text, "[%eval "), *emt = strstr(text, "[%emt ");
        int hours, minutes;
        double rest;
        if (eval && sscanf(eval, "[%%eval %lf", &value) == 1 && fabs(value) < 1e6)
            has_value = true;
        if (emt && sscanf(emt, "[%%emt %4d:%2d:%lf", &hours, &minutes, &rest) == 3) {
            seconds = hours * 3600.0 + minutes * 60 + rest;
            has_time = seconds >= 0 && seconds < 1e6;
        }
    }
    value = round((side ? -value : value) * 100) / 100;
    if (has_value || has_time)
        fputc('/', file);
    if (has_value)
        fprintf(file, "%.2f", value == 0 ? 0 : value);
    if (has_time)
        fprintf(file, "/%.2f", seconds);
}

bool ggf_write(const struct record *r, FILE *file)
{
    if (strcmp(r->game->name, "othello") != 0)
        return false;
    fprintf(file, "(;GM[Othello]");
    write_tags(r, file);
    write_result(r, file);
    struct mp_position *position = write_board(r, file) ? mp_position_new(r->game, r->start, NULL) : NULL;
    bool ok = position;
    for (int i = 0, depth = 0; ok && i < r->item_count; i++) {
        const struct record_item *item = &r->items[i];
        depth += (item->kind == RECORD_OPEN) - (item->kind == RECORD_CLOSE);
        if (item->kind != RECORD_MOVE || depth > 0)
            continue;
        int side = mp_position_side(position);
        char text[MOVE];
        mp_position_move_text(position, item->move, text, sizeof text);
        for (char *c = text; *c; c++)
            *c = (char)toupper((unsigned char)*c);
        fprintf(file, "%c[%.2s", side ? 'W' : 'B', text); /* F5, or PA for a pass */
        write_thought(r, i, side, file);
        fputc(']', file);
        ok = mp_position_play(position, item->move, NULL);
    }
    mp_position_free(position);
    return ok && fprintf(file, ";)\n") > 0;
}

/* formats.c - the list of formats, and those that have one line for each record. */
#include "records/formats.h"

#include "records/ggf.h"
#include "records/mat.h"
#include "records/pgn.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1024 };

/* ---- Lines --------------------------------------------------------------------------------------------- */

/* The next line that is not blank and no remark (#), without its end, on the heap; null: there is none. */
static char *next_line(struct record_reader *in)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, in->file) > 0) {
        in->line++;
        size_t length = strlen(line);
        while (length > 0 && isspace((unsigned char)line[length - 1]))
            line[--length] = 0;
        if (*line && *line != '#')
            return line;
    }
    free(line);
    return NULL;
}

/* Reads lines by a function that fills in the reason where one is wrong. */
static struct record *read_line(struct record_reader *in, struct mp_error *error,
                                struct record *(*parse)(const struct mp_game *game, char *line,
                                                        struct mp_error *reason))
{
    struct mp_error reason = {0};
    error->text[0] = 0;
    char *line = next_line(in);
    if (!line)
        return NULL;
    struct record *r = parse(in->game, line, &reason);
    if (!r)
        mp_fail(error, "line %d: %.400s", in->line, reason.text);
    free(line);
    return r;
}

static void print_position(const struct record *r, char text[MOST_TEXT])
{
    r->game->print_position(r->game, mp_position_state(r->position), text, MOST_TEXT);
}

/* ---- Positions ----------------------------------------------------------------------------------------- */

static struct record *parse_fen(const struct mp_game *game, char *line, struct mp_error *reason)
{
    return record_new(game, line, reason);
}

static struct record *fen_read(struct record_reader *in, struct mp_error *error)
{
    return read_line(in, error, parse_fen);
}

static bool fen_write(const struct record *r, FILE *file)
{
    char text[MOST_TEXT];
    print_position(r, text);
    return fprintf(file, "%s\n", text) > 0;
}

/* ---- EPD: a position without counters, and operations such as `bm Nf3;` ---------------------------- */

/* Cuts the next operation off a text: its name, and its operand without quotes. False: there is none. */
static bool next_operation(char **text, const char **name, const char **operand)
{
    *text += strspn(*text, " \t;");
    if (!**text)
        return false;
    *name = *text;
    *text += strcspn(*text, " \t;");
    bool bare = **text == ';' || !**text;
    if (**text)
        *(*text)++ = 0;
    *operand = "";
    if (bare)
        return true;
    *text += strspn(*text, " \t");
    char *first = *text;
    bool quoted = false;
    for (; **text && (quoted || **text != ';'); ++*text)
        quoted ^= **text == '"';
    if (**text)
        *(*text)++ = 0;
    size_t length = strlen(first);
    while (length > 0 && isspace((unsigned char)first[length - 1]))
        first[--length] = 0;
    bool whole = length >= 2 && *first == '"' && strchr(first + 1, '"') == first + length - 1;
    if (whole)
        first[length - 1] = 0;
    *operand = first + whole;
    return true;
}

/* The end of the position that a line begins with: the fewest words that are one. Null: none are. */
static char *position_end(const struct mp_game *game, char *line)
{
    struct mp_position *position = NULL;
    char *end = line;
    while (!position && *end) {
        end += strspn(end, " \t");
        end += strcspn(end, " \t;");
        char kept = *end;
        *end = 0;
        position = mp_position_new(game, line, NULL);
        *end = kept;
        if (kept == ';')
            break;
    }
    mp_position_free(position);
    return position ? end : NULL;
}

static bool is_operation(const char *name, const char *operand)
{
    if (!islower((unsigned char)*name) || strchr(operand, '"'))
        return false;
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return !*name;
}

static struct record *with_operations(struct record *r, char *operations, struct mp_error *reason)
{
    const char *name, *operand;
    while (r && next_operation(&operations, &name, &operand)) {
        if (is_operation(name, operand) && record_set_tag(r, name, operand))
            continue;
        mp_fail(reason, "EPD operation '%.20s', expected a form such as bm Nf3; or id \"name\";", name);
        record_free(r);
        return NULL;
    }
    return r;
}

static struct record *parse_epd(const struct mp_game *game, char *line, struct mp_error *reason)
{
    char *end = position_end(game, line);
    if (end) {
        char kept = *end, *operations = strdup(end);
        *end = 0;
        struct record *r = record_new(game, line, reason);
        r = operations ? with_operations(r, operations, reason) : r;
        free(operations);
        *end = kept;
        if (r)
            return r;
    }
    /* A FEN whose counters are not operations. */
    struct mp_position *whole = mp_position_new(game, line, NULL);
    mp_position_free(whole);
    if (!whole && end)
        return NULL;
    if (!whole)
        line[strcspn(line, ";")] = 0;
    return record_new(game, line, reason);
}

static struct record *epd_read(struct record_reader *in, struct mp_error *error)
{
    return read_line(in, error, parse_epd);
}

/* Cuts the two counters off a position of six words that ends in them, as FEN does. */
static void cut_counters(char *text, int *clock, int *number)
{
    int words = 1, end = 0;
    char *cut = NULL;
    for (char *c = text; *c; c++)
        if (*c == ' ' && ++words == 5)
            cut = c;
    if (words == 6 && sscanf(cut, "%d %d%n", clock, number, &end) == 2 && !cut[end])
        *cut = 0;
}

/* Moves and numbers stand as they are, all else in quotes. */
static bool needs_quotes(const char *name, const char *operand)
{
    static const char *const plain[] = {"bm", "am",  "pm",  "sm",  "pv",   "dm",
                                        "ce", "acd", "acn", "acs", "hmvc", "fmvn"};
    size_t length = strlen(operand);
    if (strchr(operand, ';') || *operand == ' ' || (length && operand[length - 1] == ' '))
        return true;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (!strcmp(plain[i], name))
            return false;
    return true;
}

static bool epd_write(const struct record *r, FILE *file)
{
    char text[MOST_TEXT];
    int clock = 0, number = 1;
    print_position(r, text);
    cut_counters(text, &clock, &number);
    fprintf(file, "%s", text);
    if ((clock > 0 || number > 1) && !record_tag(r, "fmvn"))
        fprintf(file, " hmvc %d; fmvn %d;", clock, number);
    for (int i = 0; i < r->tag_count; i++)
        if (islower((unsigned char)*r->tags[i].name))
            fprintf(file, needs_quotes(r->tags[i].name, r->tags[i].value) ? " %s \"%s\";" : " %s %s;",
                    r->tags[i].name, r->tags[i].value);
    return fprintf(file, "\n") > 0;
}

/* ---- Moves: one game per line ------------------------------------------------------------------------- */

/* `e2e4 e7e5`, `startpos moves e2e4` or `fen POSITION moves e2e4`, as in UCI. */
static struct record *parse_moves(const struct mp_game *game, char *line, struct mp_error *reason)
{
    char *start = NULL, *moves = line, *keyword = strstr(line, "moves");
    if (!strncmp(line, "position ", 9))
        line += 9;
    if (!strncmp(line, "startpos", 8))
        moves = keyword ? keyword + 5 : line + 8;
    if (!strncmp(line, "fen ", 4)) {
        start = line + 4;
        moves = keyword ? keyword + 5 : start + strlen(start);
        if (keyword)
            keyword[-1] = 0;
    }
    struct record *r = record_new(game, start, reason);
    struct mp_position *position = r ? mp_position_new(game, start, reason) : NULL;
    bool ok = position && mp_position_play_text(position, moves, reason);
    if (position && !ok && !game->print_record_move) { /* F5D6C3; in SAN capitals have a meaning */
        for (char *c = moves; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        ok = mp_position_play_text(position, moves, NULL);
    }
    size_t count = 0;
    const mp_move *played = ok ? mp_position_played(position, &count) : NULL;
    for (size_t i = 0; ok && i < count; i++)
        ok = record_add_move(r, played[i], reason);
    mp_position_free(position);
    if (ok)
        return r;
    record_free(r);
    return NULL;
}

static struct record *moves_read(struct record_reader *in, struct mp_error *error)
{
    return read_line(in, error, parse_moves);
}

/* A transcript has no blanks between its moves, and no passes. It is for games whose moves need no blanks. */
static bool write_moves(const struct record *r, bool as_transcript, FILE *file)
{
    const struct mp_game *game = r->game;
    struct mp_position *position = mp_position_new(game, r->start, NULL);
    size_t count;
    const mp_move *moves = mp_position_played(r->position, &count);
    if (r->start)
        fprintf(file, "fen %s moves%s", r->start, count ? " " : "");
    for (size_t i = 0; position && i < count; i++) {
        char text[MOST_TEXT];
        game->print_move(game, mp_position_state(position), moves[i], text, sizeof text);
        bool is_silent = as_transcript && game->is_pass && game->is_pass(game, moves[i]);
        if (!is_silent)
            fprintf(file, "%s%s", i && !as_transcript ? " " : "", text);
        mp_position_play(position, moves[i], NULL);
    }
    mp_position_free(position);
    return position && fprintf(file, "\n") > 0;
}

static bool moves_write(const struct record *r, FILE *file)
{
    return write_moves(r, false, file);
}

static bool transcript_write(const struct record *r, FILE *file)
{
    return write_moves(r, true, file);
}

/* ---- The list ------------------------------------------------------------------------------------------ */

const struct record_format record_formats[] = {
    {"pgn", "pgn", NULL, false, pgn_read, pgn_write}, /* games with tags, comments, marks and variations */
    {"moves", "txt", NULL, false, moves_read, moves_write},
    {"fen", "fen", NULL, true, fen_read, fen_write},
    {"epd", "epd", NULL, true, epd_read, epd_write},
    {"transcript", NULL, "othello", false, moves_read, transcript_write}, /* f5d6c3, as players write games */
    {"ggf", "ggf", "othello", false, ggf_read, ggf_write},    /* games with names, times and values */
    {"mat", "mat", "backgammon", false, mat_read, mat_write}, /* the games of a match */
    {0},
};

const struct record_format *record_format(const char *name)
{
    for (const struct record_format *format = record_formats; format->name; format++)
        if (!strcmp(format->name, name))
            return format;
    return NULL;
}

const struct record_format *record_format_of_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (const struct record_format *format = record_formats; dot && format->name; format++)
        if (format->ending && !strcmp(format->ending, dot + 1))
            return format;
    return NULL;
}

struct record *record_read(const struct record_format *format, struct record_reader *reader,
                           struct mp_error *error)
{
    errno = 0;
    struct record *r = format->read(reader, error);
    bool at_end = feof(reader->file) && !ferror(reader->file);
    if (ferror(reader->file) || (!r && !*error->text && !at_end)) {
        record_free(r);
        mp_fail(error, "the file cannot be read beyond line %d: %s", reader->line,
                strerror(errno ? errno : EIO));
        return NULL;
    }
    return r;
}

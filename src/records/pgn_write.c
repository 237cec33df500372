/* pgn_write.c - writes a record as PGN, in lines of limited length. */
#include "records/pgn.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 79 };

/* ---- Tags ---------------------------------------------------------------------------------------------- */

static void write_tag(FILE *file, const char *name, const char *value)
{
    fprintf(file, "[%s \"", name);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            fputc('\\', file);
        fputc(*value, file);
    }
    fprintf(file, "\"]\n");
}

/* What the record itself says, not its tags. */
static bool is_derived(const char *name)
{
    return !strcmp(name, "Result") || !strcmp(name, "SetUp") || !strcmp(name, "FEN");
}

static void write_tags(const struct record *r, FILE *file)
{
    static const char *const roster[] = {"Event", "Site", "Date", "Round", "White", "Black"};
    enum { ROSTER = sizeof roster / sizeof *roster };
    for (int i = 0; i < ROSTER; i++) {
        const char *value = record_tag(r, roster[i]);
        write_tag(file, roster[i], value ? value : !strcmp(roster[i], "Date") ? "????.??.??" : "?");
    }
    write_tag(file, "Result", r->result);
    if (strcmp(r->game->name, "chess") != 0 && !record_tag(r, "Variant"))
        write_tag(file, "Variant", r->game->name);
    if (r->start) {
        write_tag(file, "SetUp", "1");
        write_tag(file, "FEN", r->start);
    }
    for (int i = 0; i < r->tag_count; i++) {
        bool written = is_derived(r->tags[i].name);
        for (int j = 0; j < ROSTER; j++)
            written |= !strcmp(r->tags[i].name, roster[j]);
        if (!written)
            write_tag(file, r->tags[i].name, r->tags[i].value);
    }
}

/* ---- Moves --------------------------------------------------------------------------------------------- */

/* Text in lines of no more than COLUMNS, broken at blanks. */
struct lines {
    FILE *file;
    int column;
    bool glued; /* the next word follows without a blank */
};

static void put_word(struct lines *out, const char *word, int length)
{
    if (out->column > 0 && !out->glued) {
        bool fits = out->column + 1 + length <= COLUMNS;
        fputc(fits ? ' ' : '\n', out->file);
        out->column = fits ? out->column + 1 : 0;
    }
    fwrite(word, 1, (size_t)length, out->file);
    out->column += length;
    out->glued = false;
}

static void put_text(struct lines *out, const char *text)
{
    put_word(out, text, (int)strlen(text));
}

/* In braces, broken only at single blanks, so that it reads as it was; a text with a closing brace needs the
 * other form, up to the end of the line. */
static void put_comment(struct lines *out, const char *text)
{
    if (strchr(text, '}')) {
        fprintf(out->file, "%s;%s\n", out->column ? " " : "", text);
        out->column = 0;
        out->glued = false;
        return;
    }
    put_text(out, "{");
    out->glued = true;
    while (*text) {
        const char *end = text;
        while (*end && !(end > text && *end == ' ' && end[1] != ' ' && end[-1] != ' ' && end[1]))
            end++;
        put_word(out, text, (int)(end - text));
        text = *end ? end + 1 : end;
    }
    out->glued = true;
    put_text(out, "}");
}

/* The number of a move, before moves of the first player and wherever the count was interrupted. */
static void put_number(struct lines *out, int ply, bool interrupted)
{
    char number[16];
    snprintf(number, sizeof number, ply % 2 ? "%d..." : "%d.", ply / 2 + 1);
    if (ply % 2 == 0 || interrupted)
        put_text(out, number);
}

/* The plies before the record's start: a position that ends in the number of its move, as FEN does, says. */
static int first_ply(const struct record *r)
{
    struct mp_position *start = mp_position_new(r->game, r->start, NULL);
    int second = start && r->game->side(r->game, mp_position_state(start)) == 1;
    mp_position_free(start);
    const char *last = r->start ? strrchr(r->start, ' ') : NULL;
    int number = last ? atoi(last) : 0;
    return 2 * (number > 0 ? number - 1 : 0) + second;
}

static void write_items(const struct record *r, struct lines *out)
{
    int ply[RECORD_MOST_DEPTH + 1] = {first_ply(r)}, depth = 0;
    bool interrupted = true;
    for (int i = 0; i < r->item_count; i++) {
        const struct record_item *item = &r->items[i];
        char mark[16];
        switch (item->kind) {
        case RECORD_MOVE:
            put_number(out, ply[depth]++, interrupted);
            put_text(out, item->text);
            break;
        case RECORD_COMMENT:
            put_comment(out, item->text);
            break;
        case RECORD_MARK:
            snprintf(mark, sizeof mark, "$%d", item->mark);
            put_text(out, mark);
            continue;
        case RECORD_OPEN:
            put_text(out, "(");
            out->glued = true;
            depth++;
            ply[depth] = ply[depth - 1] - 1;
            break;
        case RECORD_CLOSE:
            out->glued = true;
            put_text(out, ")");
            depth--;
            break;
        }
        interrupted = item->kind != RECORD_MOVE;
    }
}

bool pgn_write(const struct record *r, FILE *file)
{
    struct lines out = {file, 0, false};
    write_tags(r, file);
    fputc('\n', file);
    write_items(r, &out);
    put_text(&out, r->result);
    fprintf(file, "\n\n");
    return !ferror(file);
}

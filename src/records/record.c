/* record.c - builds a record item by item, and checks each move by the rules. */
#include "records/record.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MOVE_TEXT = 128 };

/* The moves from the start to the end of the line being written, and the line that this one varies. */
struct record_line {
    struct record_line *outer;
    mp_move *moves;
    int count;
    int depth; /* 0: the main line */
};

/* How many bytes of a text are a control character, in ASCII or as U+0080 to U+009F in UTF-8. */
static int control_bytes(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x20 || c[0] == 0x7f)
        return 1;
    return c[0] == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f ? 2 : 0;
}

/* A copy for a record. Tags and comments have no control characters, and a terminal would obey them: each becomes a
 * blank. */
static char *copy_text(const char *text)
{
    char *copy = strdup(text), *to = copy;
    for (const char *from = text; copy && *from;) {
        int control = control_bytes(from);
        *to++ = control ? ' ' : *from;
        from += control ? control : 1;
    }
    if (copy)
        *to = 0;
    return copy;
}

struct record *record_new(const struct mp_game *game, const char *start, struct mp_error *error)
{
    struct mp_position *position = mp_position_new(game, start, error);
    struct record *r = position ? calloc(1, sizeof *r) : NULL;
    if (!r) {
        if (position)
            mp_fail(error, "out of memory");
        mp_position_free(position);
        return NULL;
    }
    *r = (struct record){.game = game, .result = "*", .position = position};
    r->line = calloc(1, sizeof *r->line);
    r->start = start ? strdup(start) : NULL;
    if (r->line && (r->start || !start))
        return r;
    mp_fail(error, "out of memory");
    record_free(r);
    return NULL;
}

static void free_line(struct record_line *line)
{
    free(line->moves);
    free(line);
}

void record_free(struct record *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->tag_count; i++) {
        free(r->tags[i].name);
        free(r->tags[i].value);
    }
    for (int i = 0; i < r->item_count; i++)
        free(r->items[i].text);
    while (r->line) {
        struct record_line *outer = r->line->outer;
        free_line(r->line);
        r->line = outer;
    }
    free(r->tags);
    free(r->items);
    free(r->start);
    mp_position_free(r->position);
    free(r);
}

/* ---- Tags ---------------------------------------------------------------------------------------------- */

static struct record_tag *find_tag(const struct record *r, const char *name)
{
    for (int i = 0; i < r->tag_count; i++)
        if (!strcmp(r->tags[i].name, name))
            return &r->tags[i];
    return NULL;
}

bool record_set_tag(struct record *r, const char *name, const char *value)
{
    struct record_tag *tag = find_tag(r, name);
    char *copy = copy_text(value);
    if (copy && tag) {
        free(tag->value);
        tag->value = copy;
        return true;
    }
    struct record_tag *tags = memory_grow(r->tags, r->tag_count, sizeof *tags);
    char *name_copy = strdup(name);
    if (tags)
        r->tags = tags;
    if (!tags || !copy || !name_copy) {
        free(copy);
        free(name_copy);
        return false;
    }
    tags[r->tag_count++] = (struct record_tag){name_copy, copy};
    return true;
}

const char *record_tag(const struct record *r, const char *name)
{
    const struct record_tag *tag = find_tag(r, name);
    return tag ? tag->value : NULL;
}

/* ---- Items --------------------------------------------------------------------------------------------- */

/* Takes over the text of the item, also when it fails. */
static bool add_item(struct record *r, struct record_item item)
{
    struct record_item *items = memory_grow(r->items, r->item_count, sizeof *items);
    if (!items) {
        free(item.text);
        return false;
    }
    r->items = items;
    items[r->item_count++] = item;
    return true;
}

static bool add_to_line(struct record_line *line, mp_move move)
{
    mp_move *moves = memory_grow(line->moves, line->count, sizeof *moves);
    if (!moves)
        return false;
    line->moves = moves;
    moves[line->count++] = move;
    return true;
}

bool record_add_move(struct record *r, mp_move move, struct mp_error *error)
{
    char text[MOST_MOVE_TEXT];
    const struct mp_game *game = r->game;
    const void *state = mp_position_state(r->position);
    int (*print)(const struct mp_game *, const void *, mp_move, char *,
                 size_t) = game->print_record_move ? game->print_record_move : game->print_move;
    print(game, state, move, text, sizeof text);
    if (!mp_position_play(r->position, move, error))
        return false;
    char *copy = strdup(text);
    return (copy && add_to_line(r->line, move) &&
            add_item(r, (struct record_item){.kind = RECORD_MOVE, .move = move, .text = copy})) ||
           mp_fail(error, "out of memory");
}

bool record_add_comment(struct record *r, const char *text)
{
    char *copy = copy_text(text);
    return copy && add_item(r, (struct record_item){.kind = RECORD_COMMENT, .text = copy});
}

bool record_add_mark(struct record *r, int mark)
{
    return add_item(r, (struct record_item){.kind = RECORD_MARK, .mark = mark});
}

/* ---- Variations ---------------------------------------------------------------------------------------- */

/* Puts the record's position at the end of its line. */
static bool replay(struct record *r, struct mp_error *error)
{
    struct mp_position *position = mp_position_new(r->game, r->start, error);
    if (!position)
        return false;
    mp_position_free(r->position);
    r->position = position;
    for (int i = 0; i < r->line->count; i++)
        if (!mp_position_play(position, r->line->moves[i], error))
            return false;
    return true;
}

bool record_begin_variation(struct record *r, struct mp_error *error)
{
    const struct record_line *outer = r->line;
    if (outer->count == 0 || (outer->outer && outer->count < outer->outer->count))
        return mp_fail(error, "a variation without a move before it, expected a move first");
    if (outer->depth == RECORD_MOST_DEPTH)
        return mp_fail(error, "variations inside variations, %d deep, expected fewer", RECORD_MOST_DEPTH);
    struct record_line *line = calloc(1, sizeof *line);
    if (!line)
        return mp_fail(error, "out of memory");
    line->outer = r->line;
    line->depth = outer->depth + 1;
    r->line = line;
    for (int i = 0; i + 1 < outer->count; i++)
        if (!add_to_line(line, outer->moves[i]))
            return mp_fail(error, "out of memory");
    return replay(r, error) &&
           (add_item(r, (struct record_item){.kind = RECORD_OPEN}) || mp_fail(error, "out of memory"));
}

bool record_end_variation(struct record *r, struct mp_error *error)
{
    struct record_line *line = r->line;
    if (!line->outer)
        return mp_fail(error, "the end of a variation that did not begin");
    if (line->count < line->outer->count)
        return mp_fail(error, "a variation without a move, expected one");
    r->line = line->outer;
    free_line(line);
    return replay(r, error) &&
           (add_item(r, (struct record_item){.kind = RECORD_CLOSE}) || mp_fail(error, "out of memory"));
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

bool record_set_result(struct record *r, const char *result)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (!strcmp(result, results[i])) {
            strcpy(r->result, result);
            return true;
        }
    return false;
}

bool record_in_variation(const struct record *r)
{
    return r->line->outer != NULL;
}

bool record_white_is_first(const struct mp_game *game)
{
    return strcmp(game->players[1], "White") != 0;
}

const char *record_result_by_rules(const struct record *r)
{
    if (!mp_position_is_over(r->position))
        return "*";
    int margin = mp_position_margin(r->position);
    if (margin == 0)
        return "1/2-1/2";
    return (margin > 0) == record_white_is_first(r->game) ? "1-0" : "0-1";
}

int record_main_line(const struct record *r, mp_move *moves, int capacity)
{
    int count = 0, depth = 0;
    for (int i = 0; i < r->item_count; i++) {
        depth += (r->items[i].kind == RECORD_OPEN) - (r->items[i].kind == RECORD_CLOSE);
        if (r->items[i].kind != RECORD_MOVE || depth > 0)
            continue;
        if (count < capacity)
            moves[count] = r->items[i].move;
        count++;
    }
    return count;
}

struct record_reader record_reader(const struct mp_game *game, FILE *file)
{
    return (struct record_reader){.game = game, .file = file};
}

/* book.c - a book in memory is a list of states and a hash table of their keys; in a file it is text, a line for each position,
 * with a checksum at its end. */
#include "search/book.h"

#include "base/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "Manyply book 1\n";
enum { MOST_LINE = 4096, MOST_MOVES = 4096, STATE_ALIGNMENT = 64 };

struct book {
    const struct mp_game *game;
    char made[BOOK_MADE];
    int count;
    struct book_entry *entries;
    uint64_t *keys;
    unsigned char *states; /* room for capacity of them */
    int capacity;
    size_t state_size; /* rounded up, so that each is aligned */
    int *slots;        /* place + 1; 0: free. A power of two, at least twice the capacity */
    size_t slot_count;
    _Atomic int owners;
};

/* ---- Positions that are symmetric are one ------------------------------------------------------------------ */

uint64_t book_key(const struct mp_game *game, const void *state)
{
    uint64_t least = game->key(game, state);
    struct book_room turned; /* of the stack, so that no answer depends on what memory there is */
    for (int way = 0; game->transform && way < game->symmetry_count; way++) {
        game->transform(game, state, way, turned.state);
        uint64_t key = game->key(game, turned.state);
        least = key < least ? key : least;
    }
    return least;
}

/* ---- In memory --------------------------------------------------------------------------------------------- */

struct book *book_new(const struct mp_game *game, struct mp_error *error)
{
    struct book *book = calloc(1, sizeof *book);
    if (!book) {
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a book");
        return NULL;
    }
    book->game = game;
    book->state_size = memory_lines(game->state_size);
    atomic_init(&book->owners, 1);
    return book;
}

struct book *book_share(struct book *book)
{
    if (book)
        atomic_fetch_add(&book->owners, 1);
    return book;
}

void book_free(struct book *book)
{
    if (!book || atomic_fetch_sub(&book->owners, 1) > 1)
        return;
    free(book->entries);
    free(book->keys);
    free(book->states);
    free(book->slots);
    free(book);
}

const char *book_made(const struct book *book)
{
    return book->made;
}

int book_count(const struct book *book)
{
    return book->count;
}

const void *book_state(const struct book *book, int place)
{
    return book->states + (size_t)place * book->state_size;
}

struct book_entry *book_entry(struct book *book, int place)
{
    return &book->entries[place];
}

/* The slot of a key, or the one where it would be. */
static size_t slot_of(const struct book *book, uint64_t key)
{
    size_t slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (book->slot_count - 1);
    while (book->slots[slot] && book->keys[book->slots[slot] - 1] != key)
        slot = (slot + 1) & (book->slot_count - 1);
    return slot;
}

static int find_key(const struct book *book, uint64_t key)
{
    return book->slot_count ? book->slots[slot_of(book, key)] - 1 : -1;
}

int book_find(const struct book *book, const void *state)
{
    return book->count ? find_key(book, book_key(book->game, state)) : -1;
}

/* States must stay aligned, which realloc does not promise. */
static bool grow(struct book *book)
{
    int capacity = book->capacity ? 2 * book->capacity : 64;
    size_t slot_count = 2 * (size_t)capacity;
    struct book_entry *entries = realloc(book->entries, (size_t)capacity * sizeof *entries);
    book->entries = entries ? entries : book->entries;
    uint64_t *keys = realloc(book->keys, (size_t)capacity * sizeof *keys);
    book->keys = keys ? keys : book->keys;
    unsigned char *states = aligned_alloc(STATE_ALIGNMENT, (size_t)capacity * book->state_size);
    int *slots = calloc(slot_count, sizeof *slots);
    if (!entries || !keys || !states || !slots) {
        free(states);
        free(slots);
        return false;
    }
    if (book->count)
        memcpy(states, book->states, (size_t)book->count * book->state_size);
    free(book->states);
    free(book->slots);
    book->states = states;
    book->slots = slots;
    book->slot_count = slot_count;
    book->capacity = capacity;
    for (int place = 0; place < book->count; place++)
        slots[slot_of(book, keys[place])] = place + 1;
    return true;
}

int book_add(struct book *book, const void *state, const struct book_entry *entry, struct mp_error *error)
{
    uint64_t key = book_key(book->game, state);
    if (book->count >= BOOK_MOST_POSITIONS || (book->count == book->capacity && !grow(book))) {
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a book of %d positions", book->count + 1);
        return -1;
    }
    size_t slot = slot_of(book, key);
    if (book->slots[slot]) {
        mp_fail(error, "a position that the book has already, expected each once");
        return -1;
    }
    int place = book->count++;
    memcpy(book->states + (size_t)place * book->state_size, state, book->game->state_size);
    book->entries[place] = *entry;
    book->keys[place] = key;
    book->slots[slot] = place + 1;
    return place;
}

/* ---- Answers ----------------------------------------------------------------------------------------------- */

/* For the other side, and a ply further from an end of the game that counts plies. */
static mp_value before_move(const struct mp_game *game, mp_value value)
{
    int distance = game->scoring == MP_SCORE_WIN;
    if (value > MP_PROVEN)
        return -value + distance;
    return value < -MP_PROVEN ? -value - distance : -value;
}

bool book_move_value(const struct book *book, const void *state, mp_move move, mp_value *value, int *depth)
{
    const struct mp_game *game = book->game;
    struct book_room after;
    game->play(game, state, move, after.state);
    int place = book_find(book, after.state);
    if (place < 0 && game->list(game, after.state, NULL, 0) > 0)
        return false;
    *value = before_move(game,
                         place < 0 ? mp_state_final_value(game, after.state, 0) : book->entries[place].value);
    *depth = place < 0 ? 1 : book->entries[place].depth + 1;
    return true;
}

bool book_answer(const struct book *book, const void *state, mp_move *move, mp_value *value, int *depth)
{
    mp_move moves[MOST_MOVES];
    int place = book_find(book, state);
    if (place < 0 || !book->entries[place].is_open)
        return false;
    int count = book->game->list(book->game, state, moves, MOST_MOVES);
    bool found = count > 0 && count <= MOST_MOVES;
    for (int i = 0; found && i < count; i++) {
        mp_value worth;
        int deep;
        /* A file can say that all are there when they are not. */
        found = book_move_value(book, state, moves[i], &worth, &deep);
        if (found && (i == 0 || worth > *value)) {
            *move = moves[i];
            *value = worth;
            *depth = deep;
        }
    }
    return found;
}

/* ---- Files ------------------------------------------------------------------------------------------------- */

/* 64 bits of FNV-1a: finds damage, and is not meant against an attacker. */
#define SUM_BEGIN UINT64_C(0xcbf29ce484222325)

static uint64_t add_to_sum(uint64_t sum, const char *text)
{
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return sum;
}

static bool write_line(FILE *file, uint64_t *sum, const char *line)
{
    *sum = add_to_sum(*sum, line);
    return fputs(line, file) >= 0;
}

static bool write_all(const struct book *book, const char *made, FILE *file)
{
    uint64_t sum = SUM_BEGIN;
    char line[MOST_LINE];
    snprintf(line, sizeof line, "%sgame %s\nmade %.*s\npositions %d\n", magic, book->game->name,
             (int)strcspn(made, "\r\n"), made, book->count);
    bool ok = write_line(file, &sum, line);
    for (int place = 0; ok && place < book->count; place++) {
        const struct book_entry *entry = &book->entries[place];
        int length = snprintf(line, sizeof line, "%d %d %d %d ", entry->value, entry->searched, entry->depth,
                              entry->is_open);
        size_t room = sizeof line - (size_t)length - 1;
        int text = book->game->print_position(book->game, book_state(book, place), line + length, room);
        ok = text >= 0 && (size_t)text < room;
        if (ok) {
            memcpy(line + length + text, "\n", 2);
            ok = write_line(file, &sum, line);
        }
    }
    return ok && fprintf(file, "sum %016llx\n", (unsigned long long)sum) > 0;
}

bool book_write(const struct book *book, const char *made, const char *path, struct mp_error *error)
{
    char fresh[MOST_LINE];
    if ((size_t)snprintf(fresh, sizeof fresh, "%s.new", path) >= sizeof fresh || strlen(made) >= BOOK_MADE)
        return mp_fail(error, "the path of a book, or how it was made, is too long");
    FILE *file = fopen(fresh, "w");
    if (!file)
        return mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s cannot be written: %s", path, strerror(errno));
    bool ok = write_all(book, made, file);
    ok = fclose(file) == 0 && ok && rename(fresh, path) == 0;
    if (!ok)
        remove(fresh);
    return ok || mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s could not be written", path);
}

/* A file that is being read. */
struct book_source {
    FILE *file;
    int number; /* of the line */
    uint64_t sum;
    char line[MOST_LINE];
};

/* The next line, with its end taken off; false: there is none, it is too long, or it has a zero in it. */
static bool next_line(struct book_source *s, bool is_summed)
{
    s->number++;
    if (!fgets(s->line, sizeof s->line, s->file))
        return false;
    size_t length = strcspn(s->line, "\n");
    if (s->line[length] != '\n' || s->line[length + 1])
        return false;
    if (is_summed)
        s->sum = add_to_sum(s->sum, s->line);
    s->line[length] = 0;
    return true;
}

static bool is_value(mp_value value)
{
    return value >= -MP_PROVEN - MP_MAX_PLY && value <= MP_PROVEN + MP_MAX_PLY;
}

static bool read_position(struct book *book, const char *line, void *state, struct mp_error *error)
{
    struct book_entry entry;
    int used = 0, is_open = 0;
    if (sscanf(line, "%d %d %d %d %n", &entry.value, &entry.searched, &entry.depth, &is_open, &used) != 4 ||
        !used || !is_value(entry.value) || !is_value(entry.searched) || entry.depth < 0 ||
        entry.depth > MP_MAX_DEPTH || is_open < 0 || is_open > 1)
        return mp_fail(error, "\"%.60s\", expected two values, a depth, 0 or 1, and a position", line);
    entry.is_open = is_open;
    memset(state, 0, book->state_size);
    return book->game->parse_position(book->game, line + used, state, error) &&
           book_add(book, state, &entry, error) >= 0;
}

static bool read_head(struct book *book, struct book_source *s, int *count, struct mp_error *error)
{
    const struct mp_game *game = book->game;
    int used = 0;
    if (!fgets(s->line, sizeof s->line, s->file) || strcmp(s->line, magic) != 0)
        return mp_fail(error, "it does not begin with \"%.14s\", expected a book", magic);
    s->number = 1;
    s->sum = add_to_sum(s->sum, s->line);
    if (!next_line(s, true) || strncmp(s->line, "game ", 5) != 0)
        return mp_fail(error, "line 2: no game, expected \"game NAME\"");
    if (strcmp(s->line + 5, game->name) != 0)
        return mp_fail(error, "it is a book of %.60s, expected one of %s", s->line + 5, game->name);
    if (!next_line(s, true) || strncmp(s->line, "made ", 5) != 0 || strlen(s->line + 5) >= sizeof book->made)
        return mp_fail(error, "line 3: not how the book was made, expected \"made STRATEGY\"");
    memcpy(book->made, s->line + 5, strlen(s->line + 5) + 1);
    return (next_line(s, true) && sscanf(s->line, "positions %d%n", count, &used) == 1 && !s->line[used] &&
            *count >= 0 && *count <= BOOK_MOST_POSITIONS) ||
           mp_fail(error, "line 4: no number of positions, expected 0 to %d", BOOK_MOST_POSITIONS);
}

static bool read_all(struct book *book, struct book_source *s, struct mp_error *error)
{
    int count;
    unsigned long long sum;
    struct mp_error reason = {0};
    if (!read_head(book, s, &count, error))
        return false;
    struct book_room room;
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        ok = next_line(s, true) ? read_position(book, s->line, room.state, &reason)
                                : mp_fail(&reason, "no whole line, expected %d positions", count);
        if (!ok)
            mp_fail_with(error, reason.code, "line %d: %.300s", s->number, reason.text);
    }
    if (!ok)
        return false;
    if (!next_line(s, false) || sscanf(s->line, "sum %16llx", &sum) != 1 || fgetc(s->file) != EOF)
        return mp_fail(error, "line %d: no checksum at the end, expected \"sum\" and 16 digits", s->number);
    return sum == s->sum || mp_fail(error, "its checksum is wrong, expected a file that was not changed");
}

struct book *book_read(const struct mp_game *game, const char *path, struct mp_error *error)
{
    struct mp_error reason = {0};
    if (game->chances) {
        mp_fail(error, "a book for %s, which has dice; expected a game without", game->name);
        return NULL;
    }
    struct book_source *source = calloc(1, sizeof *source);
    struct book *book = source ? book_new(game, &reason) : NULL;
    bool ok = book || mp_fail_with(&reason, MP_ERROR_MEMORY, "out of memory for a book");
    if (ok) {
        source->sum = SUM_BEGIN;
        source->file = fopen(path, "r");
        ok = source->file ? read_all(book, source, &reason)
                          : mp_fail_with(&reason, MP_ERROR_SYSTEM, "%s, expected a book", strerror(errno));
    }
    if (source && source->file)
        fclose(source->file);
    free(source);
    if (ok)
        return book;
    book_free(book);
    mp_fail_with(error, reason.code, "%.200s: %.300s", path, reason.text);
    return NULL;
}

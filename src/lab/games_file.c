/* games_file.c - packs games into blocks, and finds them again. Every number that comes from a file is checked before it
 * is believed. */
#include "lab/games_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <zstd.h>

static const char magic[] = "Manyply games 1\n";
static const uint32_t block_magic = 0x4b4c424d; /* "MBLK" */
enum {
    BLOCK_HEAD = 36,
    LEVEL = 9, /* of zstd: a block takes 2 ms, its games take seconds */
    MOST_UNPACKED = 1 << 26,
    MOST_START = 1 << 16,
    MOST_COUNT = 1 << 20, /* moves of a game */
};

/* ---- One game ------------------------------------------------------------------------------------------ */

static bool make_room(struct games_bytes *b, size_t more)
{
    if (b->size + more <= b->capacity)
        return true;
    size_t capacity = 2 * (b->size + more);
    unsigned char *data = realloc(b->data, capacity);
    if (!data)
        return false;
    b->data = data;
    b->capacity = capacity;
    return true;
}

static bool put_bytes(struct games_bytes *b, const void *data, size_t size)
{
    if (!make_room(b, size))
        return false;
    if (size)
        memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

/* Seven bits a byte, the low ones first. */
static bool put_number(struct games_bytes *b, uint64_t number)
{
    unsigned char bytes[10];
    size_t size = 0;
    for (; number >= 128; number >>= 7)
        bytes[size++] = (unsigned char)(number | 128);
    bytes[size++] = (unsigned char)number;
    return put_bytes(b, bytes, size);
}

/* Small numbers of both signs become small numbers. */
static uint64_t folded(int64_t number)
{
    return number < 0 ? 2 * (uint64_t) - (number + 1) + 1 : 2 * (uint64_t)number;
}

static int64_t unfolded(uint64_t number)
{
    return number & 1 ? -(int64_t)(number >> 1) - 1 : (int64_t)(number >> 1);
}

bool games_put(struct games_bytes *b, const struct games_game *g)
{
    size_t length = g->start ? strlen(g->start) : 0;
    bool ok = put_number(b, length) && put_bytes(b, g->start, length) && put_number(b, folded(g->margin)) &&
              put_number(b, (uint64_t)g->count);
    for (int i = 0; ok && i < g->count; i++)
        ok = put_number(b, g->places[i]);
    int64_t before = 0;
    for (int i = 0; ok && i < g->count; i++) {
        bool has_value = g->values[i] != GAMES_NO_VALUE;
        ok = put_number(b, has_value ? 2 * folded(g->values[i] - before) + 1 : 0);
        before = has_value ? g->values[i] : before;
    }
    return ok;
}

static bool get_number(struct games_reader *r, uint64_t most, uint64_t *number)
{
    *number = 0;
    for (int shift = 0; r->at < r->end && shift < 63; shift += 7) {
        unsigned char byte = *r->at++;
        *number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return *number <= most;
    }
    return false;
}

static bool reserve_moves(struct games_reader *r, int count)
{
    if (count <= r->capacity)
        return true;
    uint32_t *places = realloc(r->game.places, (size_t)count * sizeof *places);
    if (places)
        r->game.places = places;
    mp_value *values = realloc(r->game.values, (size_t)count * sizeof *values);
    if (values)
        r->game.values = values;
    if (places && values)
        r->capacity = count;
    return places && values;
}

static bool get_start(struct games_reader *r)
{
    uint64_t length;
    if (!get_number(r, MOST_START, &length) || length > (uint64_t)(r->end - r->at))
        return false;
    free(r->start);
    r->game.start = r->start = length ? strndup((const char *)r->at, length) : NULL;
    r->at += length;
    return !length || r->start;
}

bool games_get(struct games_reader *r)
{
    uint64_t number;
    if (!get_start(r) || !get_number(r, 1 << 20, &number))
        return false;
    r->game.margin = (int)unfolded(number);
    if (!get_number(r, MOST_COUNT, &number) || number > (uint64_t)(r->end - r->at) ||
        !reserve_moves(r, (int)number))
        return false;
    r->game.count = (int)number;
    for (int i = 0; i < r->game.count; i++) {
        if (!get_number(r, UINT32_MAX, &number))
            return false;
        r->game.places[i] = (uint32_t)number;
    }
    int64_t before = 0;
    for (int i = 0; i < r->game.count; i++) {
        if (!get_number(r, UINT64_C(1) << 40, &number))
            return false;
        r->game.values[i] = GAMES_NO_VALUE;
        if (number & 1) {
            before += unfolded(number >> 1);
            if (before < -2 * MP_PROVEN || before > 2 * MP_PROVEN)
                return false;
            r->game.values[i] = (mp_value)before;
        }
    }
    return true;
}

void games_reader_free(struct games_reader *r)
{
    free(r->game.places);
    free(r->game.values);
    free(r->start);
}

/* ---- Reading a file ------------------------------------------------------------------------------------ */

static void put_word(unsigned char *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
}

static uint32_t get_word(const unsigned char *bytes)
{
    uint32_t word = 0;
    for (int i = 0; i < 4; i++)
        word |= (uint32_t)bytes[i] << 8 * i;
    return word;
}

/* 32 bits of FNV-1a. */
static uint32_t sum_of(const unsigned char *bytes, size_t size)
{
    uint32_t sum = 0x811c9dc5;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 0x01000193;
    return sum;
}

static bool read_at(int fd, void *bytes, size_t size, int64_t offset)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(fd, (char *)bytes + done, size - done, offset + (int64_t)done);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static bool read_head(const struct games_file *f, int64_t size, struct games_block *block)
{
    unsigned char head[BLOCK_HEAD];
    if (size - f->end < BLOCK_HEAD || !read_at(f->fd, head, sizeof head, f->end) ||
        get_word(head) != block_magic || get_word(head + 32) != sum_of(head, 32))
        return false;
    *block = (struct games_block){.offset = f->end + BLOCK_HEAD,
                                  .packed = get_word(head + 4),
                                  .unpacked = get_word(head + 8),
                                  .games = get_word(head + 12),
                                  .wins = get_word(head + 16),
                                  .draws = get_word(head + 20),
                                  .positions = get_word(head + 24),
                                  .sum = get_word(head + 28)};
    return block->unpacked <= MOST_UNPACKED && block->games >= 1 && block->games <= GAMES_PER_BLOCK &&
           block->positions <= block->unpacked && size - block->offset >= block->packed;
}

/* All blocks up to the end, or to what is not one. False: no memory. */
static bool find_blocks(struct games_file *f)
{
    int64_t size = lseek(f->fd, 0, SEEK_END);
    uint64_t number = 0;
    size_t capacity = 0;
    struct games_block block;
    while (read_head(f, size, &block)) {
        if (f->count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            struct games_block *blocks = realloc(f->blocks, capacity * sizeof *blocks);
            if (!blocks)
                return false;
            f->blocks = blocks;
        }
        block.first = number;
        number += block.games;
        f->blocks[f->count++] = block;
        f->end = block.offset + block.packed;
    }
    f->is_cut = f->end != size;
    return true;
}

/* The lines up to the empty one, which ends them. */
static bool read_header(struct games_file *f, struct mp_error *error)
{
    ssize_t got = pread(f->fd, f->header, sizeof f->header - 1, 0);
    f->header[got > 0 ? got : 0] = 0;
    if (strncmp(f->header, magic, strlen(magic)) != 0) {
        bool newer = !strncmp(f->header, magic, strlen("Manyply games "));
        return mp_fail(error, "it %s, expected a file that begins with 'Manyply games 1'",
                       newer ? "holds games of another version" : "does not hold games");
    }
    char *end = strstr(f->header, "\n\n");
    if (!end)
        return mp_fail(error, "its header is damaged, expected game, options and made, and an empty line");
    end[2] = 0;
    f->end = end + 2 - f->header;
    return true;
}

bool games_file_is(const char *path)
{
    char start[16] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is = fd >= 0 && read(fd, start, 14) == 14 && !strcmp(start, "Manyply games ");
    if (fd >= 0)
        close(fd);
    return is;
}

bool games_file_open(const char *path, struct games_file *f, struct mp_error *error)
{
    *f = (struct games_file){.fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (f->fd < 0)
        return mp_fail(error, "it cannot be read: %s", strerror(errno));
    bool ok = read_header(f, error) &&
              (find_blocks(f) || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory")) &&
              (!f->is_cut || mp_fail(error,
                                     "it is damaged or cut off after block %zu; the command that made it "
                                     "drops that part and goes on",
                                     f->count));
    if (!ok)
        games_file_close(f);
    return ok;
}

void games_file_close(struct games_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    free(f->blocks);
    *f = (struct games_file){.fd = -1};
}

/* The line of a header that begins with this key, up to its end. */
static const char *find_line(const char *header, const char *key, size_t *length)
{
    size_t size = strlen(key);
    const char *line = header;
    while (line && *line && (strncmp(line, key, size) != 0 || line[size] != ' '))
        line = (line = strchr(line, '\n')) ? line + 1 : NULL;
    if (!line || !*line)
        return NULL;
    *length = strcspn(line + size + 1, "\n");
    return line + size + 1;
}

static bool has_line(const char *header, const char *key, const char *value)
{
    size_t length;
    const char *found = find_line(header, key, &length);
    return found && length == strlen(value) && !memcmp(found, value, length);
}

/* The options of an instance: "board=8 rules=1", or "none". */
static void describe_options(const struct mp_game *game, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; game->options && game->options[i].name && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s=%d", i ? " " : "", game->options[i].name,
                                 game->option[i]);
    if (!used)
        snprintf(text, size, "none");
}

bool games_file_is_of(const struct games_file *f, const struct mp_game *game, struct mp_error *error)
{
    char options[512];
    size_t length = 0;
    describe_options(game, options, sizeof options);
    const char *name = find_line(f->header, "game", &length);
    if (!has_line(f->header, "game", game->name))
        return mp_fail(error, "it holds games of %.*s, expected %s", name ? (int)length : 7,
                       name ? name : "nothing", game->name);
    name = find_line(f->header, "options", &length);
    return has_line(f->header, "options", options) ||
           mp_fail(error, "its games have the options %.*s, expected %s", name ? (int)length : 4,
                   name ? name : "none", options);
}

unsigned char *games_file_block(const struct games_file *f, size_t number, struct mp_error *error)
{
    const struct games_block *block = &f->blocks[number];
    unsigned char *packed = malloc(block->packed + 1), *data = malloc(block->unpacked + 1);
    bool ok = false;
    if (!packed || !data)
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    else if (!read_at(f->fd, packed, block->packed, block->offset) ||
             sum_of(packed, block->packed) != block->sum ||
             ZSTD_decompress(data, block->unpacked, packed, block->packed) != block->unpacked)
        mp_fail(error, "block %zu is damaged: its games do not have the checksum of the file", number + 1);
    else
        ok = true;
    free(packed);
    if (ok)
        return data;
    free(data);
    return NULL;
}

/* ---- Writing a file ------------------------------------------------------------------------------------ */

static bool write_all(int fd, const void *bytes, size_t size, struct mp_error *error)
{
    for (size_t done = 0; done < size;) {
        ssize_t wrote = write(fd, (const char *)bytes + done, size - done);
        if (wrote < 0 && errno != EINTR)
            return mp_fail_with(error, MP_ERROR_SYSTEM, "games could not be written: %s", strerror(errno));
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

/* One call of write for a block, counts and games, so that a kill leaves all of it or nothing. */
static bool write_block(struct games_writer *w, struct mp_error *error)
{
    const struct games_block *c = &w->counts;
    size_t bound = ZSTD_compressBound(w->bytes.size);
    unsigned char *block = malloc(BLOCK_HEAD + bound);
    if (!block)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    size_t packed = ZSTD_compress2(w->packer, block + BLOCK_HEAD, bound, w->bytes.data, w->bytes.size);
    bool ok = !ZSTD_isError(packed) ||
              mp_fail(error, "games could not be packed: %s", ZSTD_getErrorName(packed));
    if (ok) {
        const uint32_t words[] = {block_magic, (uint32_t)packed, (uint32_t)w->bytes.size, c->games, c->wins,
                                  c->draws,    c->positions};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            put_word(block + 4 * i, words[i]);
        put_word(block + 28, sum_of(block + BLOCK_HEAD, packed));
        put_word(block + 32, sum_of(block, 32));
        ok = write_all(w->file.fd, block, BLOCK_HEAD + packed, error);
    }
    free(block);
    w->bytes.size = 0;
    w->counts = (struct games_block){0};
    return ok;
}

static void count(struct games_block *counts, const struct games_block *more)
{
    counts->games += more->games;
    counts->wins += more->wins;
    counts->draws += more->draws;
    counts->positions += more->positions;
}

bool games_writer_add(struct games_writer *w, const struct games_bytes *game, int margin, int positions,
                      struct mp_error *error)
{
    const struct games_block one = {
        .games = 1, .wins = margin > 0, .draws = margin == 0, .positions = (uint32_t)positions};
    if (!put_bytes(&w->bytes, game->data, game->size))
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    count(&w->counts, &one);
    count(&w->total, &one);
    return w->counts.games < GAMES_PER_BLOCK || write_block(w, error);
}

/* The games of a last block that is not full are taken out of the file and are the first of the next block, so that a
 * file has the same bytes whether or not it was made in one go. */
static bool take_up(struct games_writer *w, struct mp_error *error)
{
    struct games_file *f = &w->file;
    for (size_t i = 0; i < f->count; i++)
        count(&w->total, &f->blocks[i]);
    if (f->count && f->blocks[f->count - 1].games < GAMES_PER_BLOCK) {
        const struct games_block *last = &f->blocks[--f->count];
        unsigned char *data = games_file_block(f, f->count, error);
        bool ok = data && (put_bytes(&w->bytes, data, last->unpacked) || mp_fail(error, "out of memory"));
        free(data);
        if (!ok)
            return false;
        count(&w->counts, last);
        f->end = last->offset - BLOCK_HEAD;
    }
    return (ftruncate(f->fd, f->end) == 0 && lseek(f->fd, f->end, SEEK_SET) == f->end) ||
           mp_fail_with(error, MP_ERROR_SYSTEM, "it cannot be written: %s", strerror(errno));
}

static bool go_on(struct games_writer *w, const struct mp_game *game, const char *made,
                  struct mp_error *error)
{
    char options[512], header[GAMES_HEADER];
    size_t length = 0;
    describe_options(game, options, sizeof options);
    int size = snprintf(header, sizeof header, "%sgame %s\noptions %s\nmade %s\n\n", magic, game->name,
                        options, made);
    if (size >= (int)sizeof header)
        return mp_fail(error, "its header would have %d bytes, expected at most %d", size, GAMES_HEADER - 1);
    if (lseek(w->file.fd, 0, SEEK_END) == 0)
        return write_all(w->file.fd, header, (size_t)size, error);
    if (!read_header(&w->file, error) || !games_file_is_of(&w->file, game, error))
        return false;
    const char *other = find_line(w->file.header, "made", &length);
    if (!has_line(w->file.header, "made", made))
        return mp_fail(error, "its games were made by %.*s, expected %.400s to go on",
                       other ? (int)length : 7, other ? other : "nobody", made);
    return (find_blocks(&w->file) || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory")) &&
           take_up(w, error);
}

bool games_writer_open(const char *path, const struct mp_game *game, const char *made, struct games_writer *w,
                       struct mp_error *error)
{
    *w = (struct games_writer){.file = {.fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)}};
    if (w->file.fd < 0)
        return mp_fail_with(error, MP_ERROR_SYSTEM, "it cannot be written: %s", strerror(errno));
    w->packer = ZSTD_createCCtx();
    bool ok = w->packer || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    if (ok) {
        ZSTD_CCtx_setParameter(w->packer, ZSTD_c_compressionLevel, LEVEL);
        ok = flock(w->file.fd, LOCK_EX | LOCK_NB) == 0 ||
             mp_fail(error, "another program is writing it, expected nobody else to");
    }
    ok = ok && go_on(w, game, made, error);
    if (!ok) {
        ZSTD_freeCCtx(w->packer);
        games_file_close(&w->file);
        free(w->bytes.data);
    }
    return ok;
}

bool games_writer_close(struct games_writer *w, struct mp_error *error)
{
    bool ok = w->counts.games == 0 || write_block(w, error);
    ok = (fsync(w->file.fd) == 0 || errno == EINVAL || mp_fail(error, "games could not be written")) && ok;
    ZSTD_freeCCtx(w->packer);
    games_file_close(&w->file);
    free(w->bytes.data);
    return ok;
}

/* network_file.c - the file of a network: a header in lines of text, the weights as whole numbers of two bytes, the low
 * byte first, and a checksum of all that. docs/learning.md describes it. */
#include "network/network_inner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "Manyply network 1\n";
enum { MOST_HEADER = 4096, MOST_ACTIVE = 1024 };

/* ---- Bytes and their checksum -------------------------------------------------------------------------- */

/* 64 bits of FNV-1a: finds damage, and is not meant against an attacker. */
struct summed_file {
    FILE *file;
    uint64_t sum;
};

static void add(struct summed_file *s, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        s->sum = (s->sum ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static void put(struct summed_file *s, const void *bytes, size_t count)
{
    add(s, bytes, count);
    fwrite(bytes, 1, count, s->file);
}

static bool get(struct summed_file *s, void *bytes, size_t count)
{
    bool ok = fread(bytes, 1, count, s->file) == count;
    if (ok)
        add(s, bytes, count);
    return ok;
}

static void put_numbers(struct summed_file *s, const int16_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[2] = {(unsigned char)(numbers[i] & 0xff),
                                  (unsigned char)((uint16_t)numbers[i] >> 8)};
        put(s, bytes, sizeof bytes);
    }
}

static bool get_numbers(struct summed_file *s, int16_t *numbers, size_t count)
{
    if (!get(s, numbers, count * sizeof *numbers))
        return false;
    const unsigned char *bytes = (const unsigned char *)numbers; /* each becomes the number that it is */
    for (size_t i = 0; i < count; i++)
        numbers[i] = (int16_t)(uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8);
    return true;
}

static void put_word(struct summed_file *s, uint64_t word, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        unsigned char byte = (unsigned char)(word >> 8 * i);
        put(s, &byte, 1);
    }
}

static bool get_word(struct summed_file *s, uint64_t *word, int bytes)
{
    *word = 0;
    for (int i = 0; i < bytes; i++) {
        unsigned char byte;
        if (!get(s, &byte, 1))
            return false;
        *word |= (uint64_t)byte << 8 * i;
    }
    return true;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

static int put_header(const struct network *n, const char *game, const char *made, char header[MOST_HEADER])
{
    const struct network_shape *shape = &n->shape;
    int length = snprintf(header, MOST_HEADER,
                          "%sgame %s\ninputs %u\nactive %u\nwidth %u\nviews %u\nheads %u\nlayers %u\n", magic,
                          game, shape->inputs, n->most_active, shape->width, shape->views, shape->heads,
                          shape->dense_count);
    for (uint32_t i = 0; i < shape->dense_count; i++)
        length += snprintf(header + length, MOST_HEADER - (size_t)length, "dense %u\n", shape->dense[i]);
    length += snprintf(header + length, MOST_HEADER - (size_t)length, "outputs %u\nscale %d\nshift %u\n",
                       shape->outputs, shape->scale, n->shift);
    for (int i = 0; i < n->layer_count; i++)
        length += snprintf(header + length, MOST_HEADER - (size_t)length, "shift %u\n", n->layers[i].shift);
    return length + snprintf(header + length, MOST_HEADER - (size_t)length, "made %s\n\n", made);
}

static void put_weights(struct summed_file *s, const struct network *n)
{
    put_numbers(s, n->input, network_input_weights(&n->shape));
    put_numbers(s, n->bias, network_biases(&n->shape));
    for (int k = 0; k < n->layer_count; k++) {
        size_t sums = (size_t)n->shape.heads * n->layers[k].shape.out;
        put_numbers(s, n->layers[k].rows, sums * n->layers[k].shape.in);
        for (size_t i = 0; i < sums; i++)
            put_word(s, (uint32_t)n->layers[k].bias[i], 4);
    }
    put_word(s, s->sum, 8);
}

bool network_write(const struct network *n, const char *game, const char *made, const char *path,
                   struct mp_error *error)
{
    char header[MOST_HEADER];
    if (strchr(game, '\n') || strchr(made, '\n') || strlen(game) >= NETWORK_NAME ||
        strlen(made) >= NETWORK_MADE)
        return mp_fail_with(error, MP_ERROR_MISUSE,
                            "the name of a game or how a network was made, expected one short line");
    int length = put_header(n, game, made, header);
    char fresh[4096]; /* put in its place when it is whole */
    if ((size_t)snprintf(fresh, sizeof fresh, "%s.new", path) >= sizeof fresh)
        return mp_fail(error, "the path of a network is too long");
    struct summed_file s = {.file = fopen(fresh, "wb"), .sum = UINT64_C(0xcbf29ce484222325)};
    if (!s.file)
        return mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s cannot be written: %s", path, strerror(errno));
    put(&s, header, (size_t)length);
    put_weights(&s, n);
    bool ok = !ferror(s.file);
    ok = fclose(s.file) == 0 && ok && rename(fresh, path) == 0;
    if (!ok)
        remove(fresh);
    return ok || mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s could not be written", path);
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

/* A line of the header without its key; null: there is another line. */
static char *get_line(struct summed_file *s, const char *key, char line[MOST_HEADER])
{
    size_t length = strlen(key);
    if (!fgets(line, MOST_HEADER, s->file) || strncmp(line, key, length) != 0 || line[length] != ' ' ||
        !strchr(line, '\n'))
        return NULL;
    add(s, (const unsigned char *)line, strlen(line));
    line[strcspn(line, "\n")] = 0;
    return line + length + 1;
}

static bool get_number(struct summed_file *s, const char *key, uint32_t least, uint32_t most,
                       uint32_t *number)
{
    char line[MOST_HEADER], *end;
    const char *text = get_line(s, key, line);
    if (!text || strspn(text, "0123456789") != strlen(text) || !*text || strlen(text) > 9 ||
        (*text == '0' && text[1]))
        return false;
    *number = (uint32_t)strtoul(text, &end, 10);
    return *number >= least && *number <= most;
}

/* What comes before the weights: a shape and shifts, of which the first is that of the accumulators. */
struct header {
    struct network_shape shape;
    uint32_t active, shifts[NETWORK_MOST_LAYERS + 1];
    char *game, *made; /* of NETWORK_NAME and NETWORK_MADE bytes */
};

static bool get_text(struct summed_file *s, const char *key, char *to, size_t size)
{
    char line[MOST_HEADER];
    const char *text = get_line(s, key, line);
    return text && strlen(text) < size && snprintf(to, size, "%s", text) >= 0;
}

static bool get_shape(struct summed_file *s, struct header *h)
{
    struct network_shape *shape = &h->shape;
    uint32_t scale;
    bool ok = get_number(s, "inputs", 1, NETWORK_MOST_INPUTS, &shape->inputs) &&
              get_number(s, "active", 1, MOST_ACTIVE, &h->active) &&
              get_number(s, "width", 1, NETWORK_MOST_WIDTH, &shape->width) &&
              get_number(s, "views", 1, 2, &shape->views) &&
              get_number(s, "heads", 1, NETWORK_MOST_HEADS, &shape->heads) &&
              get_number(s, "layers", 0, NETWORK_MOST_DENSE, &shape->dense_count);
    for (uint32_t i = 0; ok && i < shape->dense_count; i++)
        ok = get_number(s, "dense", NETWORK_STEP, NETWORK_MOST_WIDTH, &shape->dense[i]);
    ok = ok && get_number(s, "outputs", 1, NETWORK_MOST_OUTPUTS, &shape->outputs) &&
         get_number(s, "scale", 1, MP_EVAL_MAX, &scale) && !network_shape_fault(shape);
    shape->scale = ok ? (int32_t)scale : 0;
    return ok;
}

static bool get_header(struct summed_file *s, struct header *h)
{
    h->shape = (struct network_shape){0};
    bool ok = get_text(s, "game", h->game, NETWORK_NAME) && get_shape(s, h) &&
              get_number(s, "shift", NETWORK_LEAST_SHIFT, NETWORK_MOST_SHIFT, &h->shifts[0]);
    for (uint32_t i = 0; ok && i <= h->shape.dense_count; i++)
        ok = get_number(s, "shift", 0, NETWORK_MOST_LAYER_SHIFT, &h->shifts[i + 1]);
    char empty;
    return ok && get_text(s, "made", h->made, NETWORK_MADE) && get(s, &empty, 1) && empty == '\n';
}

static bool get_weights(struct summed_file *s, struct network *n)
{
    uint64_t word, sum, expected;
    bool ok = get_numbers(s, n->input, network_input_weights(&n->shape)) &&
              get_numbers(s, n->bias, network_biases(&n->shape));
    for (int k = 0; ok && k < n->layer_count; k++) {
        size_t sums = (size_t)n->shape.heads * n->layers[k].shape.out;
        ok = get_numbers(s, n->layers[k].rows, sums * n->layers[k].shape.in);
        for (size_t i = 0; ok && i < sums; i++) {
            ok = get_word(s, &word, 4);
            n->layers[k].bias[i] = (int32_t)(uint32_t)word;
        }
    }
    expected = s->sum;
    return ok && get_word(s, &sum, 8) && sum == expected && fgetc(s->file) == EOF;
}

static struct network *read_stream(struct summed_file *s, const char *path, char game[NETWORK_NAME],
                                   char made[NETWORK_MADE], struct mp_error *error)
{
    char first[sizeof magic] = "";
    struct header header = {.game = game, .made = made};
    if (!fgets(first, sizeof first, s->file) || strcmp(first, magic) != 0) {
        bool newer = !strncmp(first, magic, strlen("Manyply network "));
        mp_fail(error, "%.200s %s, expected a file that begins with 'Manyply network 1'", path,
                newer ? "is a network of another version" : "is not a network");
        return NULL;
    }
    add(s, (const unsigned char *)first, strlen(first));
    if (!get_header(s, &header)) {
        mp_fail(error, "%.200s has a header that is damaged, expected one as docs/learning.md describes it",
                path);
        return NULL;
    }
    struct network *n = network_blank(&header.shape);
    if (!n) {
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for the network %.200s", path);
        return NULL;
    }
    n->most_active = header.active;
    n->shift = header.shifts[0];
    for (int i = 0; i < n->layer_count; i++)
        n->layers[i].shift = header.shifts[i + 1];
    bool whole = get_weights(s, n);
    if (whole && network_is_safe(n)) {
        network_finish(n);
        return n;
    }
    network_free(n);
    mp_fail(error,
            whole ? "%.200s has weights that are too large, expected that no sum of them can overflow"
                  : "%.200s is damaged or cut off: its weights do not have the checksum of the file",
            path);
    return NULL;
}

static struct network *read_file(FILE *file, const char *path, char game[NETWORK_NAME],
                                 char made[NETWORK_MADE], struct mp_error *error)
{
    struct summed_file s = {.file = file, .sum = UINT64_C(0xcbf29ce484222325)};
    if (!file) {
        mp_fail_with(error, MP_ERROR_SYSTEM, "network %.200s cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    struct network *n = read_stream(&s, path, game, made, error);
    fclose(file);
    return n;
}

struct network *network_read(const char *path, char game[NETWORK_NAME], char made[NETWORK_MADE],
                             struct mp_error *error)
{
    return read_file(fopen(path, "rb"), path, game, made, error);
}

struct network *network_read_memory(const char *bytes, size_t size, char game[NETWORK_NAME],
                                    char made[NETWORK_MADE], struct mp_error *error)
{
    return read_file(fmemopen((void *)(uintptr_t)bytes, size, "rb"), "in memory", game, made, error);
}

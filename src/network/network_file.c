/* network_file.c - the file of a network: a header in lines of text, the weights as whole numbers of two bytes, the low
 * byte first, and a checksum of all that. docs/learning.md describes it. */
#include "network/network_inner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "Manyply network 1\n";
enum { MOST_HEADER = 4096 };

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
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[2];
        if (!get(s, bytes, sizeof bytes))
            return false;
        numbers[i] = (int16_t)(uint16_t)(bytes[0] | bytes[1] << 8);
    }
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

static size_t outputs_of(const struct network_shape *shape)
{
    return (size_t)shape->heads * shape->views * shape->width;
}

bool network_write(const struct network *n, const char *game, const char *made, const char *path,
                   struct mp_error *error)
{
    char header[MOST_HEADER];
    const struct network_shape *shape = &n->shape;
    int length = snprintf(header, sizeof header,
                          "%sgame %s\ninputs %u\nwidth %u\nviews %u\nheads %u\nscale %d\nmade %s\n\n", magic,
                          game, shape->inputs, shape->width, shape->views, shape->heads, shape->scale, made);
    if (strchr(game, '\n') || strchr(made, '\n') || strlen(game) >= NETWORK_NAME ||
        strlen(made) >= NETWORK_MADE)
        return mp_fail_with(error, MP_ERROR_MISUSE,
                            "the name of a game or how a network was made, expected one short line");
    char fresh[4096]; /* put in its place when it is whole */
    if ((size_t)snprintf(fresh, sizeof fresh, "%s.new", path) >= sizeof fresh)
        return mp_fail(error, "the path of a network is too long");
    struct summed_file s = {.file = fopen(fresh, "wb"), .sum = UINT64_C(0xcbf29ce484222325)};
    if (!s.file)
        return mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s cannot be written: %s", path, strerror(errno));
    put(&s, header, (size_t)length);
    put_numbers(&s, n->input, (size_t)shape->inputs * shape->width);
    put_numbers(&s, n->bias, shape->width);
    put_numbers(&s, n->output, outputs_of(shape));
    for (uint32_t i = 0; i < shape->heads; i++)
        put_word(&s, (uint32_t)n->output_bias[i], 4);
    put_word(&s, s.sum, 8);
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
    if (!text || strspn(text, "0123456789") != strlen(text) || !*text || strlen(text) > 9)
        return false;
    *number = (uint32_t)strtoul(text, &end, 10);
    return *number >= least && *number <= most;
}

static bool get_header(struct summed_file *s, struct network_shape *shape, char game[NETWORK_NAME],
                       char made[NETWORK_MADE])
{
    char line[MOST_HEADER];
    uint32_t scale;
    const char *text = get_line(s, "game", line);
    if (!text || strlen(text) >= NETWORK_NAME)
        return false;
    snprintf(game, NETWORK_NAME, "%s", text);
    if (!get_number(s, "inputs", 1, NETWORK_MOST_INPUTS, &shape->inputs) ||
        !get_number(s, "width", NETWORK_STEP, NETWORK_MOST_WIDTH, &shape->width) ||
        shape->width % NETWORK_STEP || !get_number(s, "views", 1, 2, &shape->views) ||
        !get_number(s, "heads", 1, NETWORK_MOST_HEADS, &shape->heads) ||
        !get_number(s, "scale", 1, MP_EVAL_MAX, &scale) || !(text = get_line(s, "made", line)) ||
        strlen(text) >= NETWORK_MADE)
        return false;
    shape->scale = (int32_t)scale;
    snprintf(made, NETWORK_MADE, "%s", text);
    char empty;
    return get(s, &empty, 1) && empty == '\n';
}

static bool get_weights(struct summed_file *s, struct network *n)
{
    const struct network_shape *shape = &n->shape;
    uint64_t word, sum, expected;
    bool ok = get_numbers(s, n->input, (size_t)shape->inputs * shape->width) &&
              get_numbers(s, n->bias, shape->width) && get_numbers(s, n->output, outputs_of(shape));
    for (uint32_t i = 0; ok && i < shape->heads; i++) {
        ok = get_word(s, &word, 4);
        n->output_bias[i] = (int32_t)(uint32_t)word;
    }
    for (size_t i = 0; ok && i < outputs_of(shape); i++)
        ok = abs(n->output[i]) <= NETWORK_MOST_OUTPUT; /* else a sum could overflow */
    expected = s->sum;
    return ok && get_word(s, &sum, 8) && sum == expected && fgetc(s->file) == EOF;
}

static struct network *read_stream(struct summed_file *s, const char *path, char game[NETWORK_NAME],
                                   char made[NETWORK_MADE], struct mp_error *error)
{
    char first[sizeof magic];
    struct network_shape shape;
    if (!fgets(first, sizeof first, s->file) || strcmp(first, magic) != 0) {
        bool newer = !strncmp(first, magic, strlen("Manyply network "));
        mp_fail(error, "%.200s %s, expected a file that begins with 'Manyply network 1'", path,
                newer ? "is a network of another version" : "is not a network");
        return NULL;
    }
    add(s, (const unsigned char *)first, strlen(first));
    if (!get_header(s, &shape, game, made)) {
        mp_fail(
            error,
            "%.200s has a header that is damaged, expected game, inputs, width, views, heads, scale, made",
            path);
        return NULL;
    }
    struct network *n = network_blank(&shape);
    if (!n) {
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for the network %.200s", path);
        return NULL;
    }
    if (get_weights(s, n))
        return n;
    network_free(n);
    mp_fail(error, "%.200s is damaged or cut off: its weights do not have the checksum of the file", path);
    return NULL;
}

struct network *network_read(const char *path, char game[NETWORK_NAME], char made[NETWORK_MADE],
                             struct mp_error *error)
{
    struct summed_file s = {.file = fopen(path, "rb"), .sum = UINT64_C(0xcbf29ce484222325)};
    if (!s.file) {
        mp_fail_with(error, MP_ERROR_SYSTEM, "network %.200s cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    struct network *n = read_stream(&s, path, game, made, error);
    fclose(s.file);
    return n;
}

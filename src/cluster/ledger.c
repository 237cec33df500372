/* ledger.c - reads the file into a table of keys when it is opened, and appends to both. */
#include "cluster/ledger.h"

#include "base/clock.h"
#include "base/random.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUM_DIGITS = 16, LOCK_SECONDS = 10, SYNC_NS = 200000000 };
static const char opening[] = "manyply ledger 1: ";

struct ledger_record {
    char *key, *value; /* one piece of memory */
};

struct ledger {
    const char *path; /* null: in memory only */
    int fd;
    struct ledger_record *records; /* a hash table with open addressing; free places have no key */
    size_t capacity, count;        /* capacity is a power of two */
    int found;
    int64_t synced_ns; /* when the disk last had all of it */
};

/* ---- Records in memory --------------------------------------------------------------------------------- */

/* FNV-1a, scattered. */
static uint64_t sum_of(const char *text, size_t length)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        sum = (sum ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return random_mix(sum);
}

static struct ledger_record *place_of(const struct ledger *l, const char *key)
{
    size_t at = (size_t)sum_of(key, strlen(key)) & (l->capacity - 1);
    while (l->records[at].key && strcmp(l->records[at].key, key) != 0)
        at = (at + 1) & (l->capacity - 1);
    return &l->records[at];
}

static bool make_room(struct ledger *l)
{
    if (2 * (l->count + 1) <= l->capacity)
        return true;
    struct ledger larger = {.capacity = l->capacity ? 2 * l->capacity : 64};
    larger.records = calloc(larger.capacity, sizeof *larger.records);
    if (!larger.records)
        return false;
    for (size_t i = 0; i < l->capacity; i++)
        if (l->records[i].key)
            *place_of(&larger, l->records[i].key) = l->records[i];
    free(l->records);
    l->records = larger.records;
    l->capacity = larger.capacity;
    return true;
}

static bool remember(struct ledger *l, const char *key, size_t key_length, const char *value,
                     size_t value_length, struct mp_error *error)
{
    char *text = malloc(key_length + value_length + 2);
    if (!text || !make_room(l)) {
        free(text);
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a ledger of %zu records", l->count);
    }
    memcpy(text, key, key_length);
    memcpy(text + key_length + 1, value, value_length);
    text[key_length] = text[key_length + 1 + value_length] = 0;
    struct ledger_record *record = place_of(l, text);
    if (record->key)
        free(record->key);
    else
        l->count++;
    *record = (struct ledger_record){text, text + key_length + 1};
    return true;
}

const char *ledger_find(const struct ledger *l, const char *key)
{
    return l->count ? place_of(l, key)->value : NULL;
}

int ledger_found(const struct ledger *l)
{
    return l->found;
}

/* ---- The file ------------------------------------------------------------------------------------------ */

static bool write_line(struct ledger *l, const char *record, struct mp_error *error)
{
    char line[LEDGER_TEXT + SUM_DIGITS + 3];
    if (!l->path)
        return true;
    size_t length = strlen(record);
    if (length > LEDGER_TEXT)
        return mp_fail(error, "%.200s: a record of %zu bytes, expected at most %d", l->path, length,
                       LEDGER_TEXT);
    int size = snprintf(line, sizeof line, "%0*llx %s\n", SUM_DIGITS,
                        (unsigned long long)sum_of(record, length), record);
    ssize_t written = write(l->fd, line, (size_t)size);
    bool ok = written == size;
    if (ok && clock_ns() - l->synced_ns > SYNC_NS) {
        ok = fdatasync(l->fd) == 0;
        l->synced_ns = clock_ns();
    }
    return ok || mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s could not be written: %s", l->path,
                              written >= 0 && written < size ? "the disk is full" : strerror(errno));
}

bool ledger_add(struct ledger *l, const char *key, const char *value, struct mp_error *error)
{
    char record[LEDGER_TEXT + 2];
    snprintf(record, sizeof record, "%s\t%s", key, value);
    return write_line(l, record, error) && remember(l, key, strlen(key), value, strlen(value), error);
}

/* The record of a line that is whole, or null. */
static const char *record_of(const char *line, size_t length, size_t *record_length)
{
    char sum[SUM_DIGITS + 1];
    if (length <= SUM_DIGITS || line[SUM_DIGITS] != ' ')
        return NULL;
    *record_length = length - SUM_DIGITS - 1;
    snprintf(sum, sizeof sum, "%0*llx", SUM_DIGITS,
             (unsigned long long)sum_of(line + SUM_DIGITS + 1, *record_length));
    return memcmp(sum, line, SUM_DIGITS) ? NULL : line + SUM_DIGITS + 1;
}

static bool is_job(const char *record, size_t length, const char *job)
{
    size_t opening_length = sizeof opening - 1;
    return length == opening_length + strlen(job) && !memcmp(record, opening, opening_length) &&
           !memcmp(record + opening_length, job, strlen(job));
}

static bool take_line(struct ledger *l, int number, const char *record, size_t length, const char *job,
                      struct mp_error *error)
{
    size_t opening_length = sizeof opening - 1;
    if (number == 1) {
        if (length < opening_length || memcmp(record, opening, opening_length) != 0)
            return mp_fail(error, "%.200s is of another version, expected a ledger that begins with '%s'",
                           l->path, opening);
        return is_job(record, length, job) ||
               mp_fail(error, "%.200s is the ledger of another job: %.*s; expected %s", l->path,
                       (int)(length - opening_length < 300 ? length - opening_length : 300),
                       record + opening_length, job);
    }
    const char *tab = memchr(record, '\t', length);
    if (!tab)
        return mp_fail(error, "%.200s: line %d has no tab, expected a key, a tab and a value", l->path,
                       number);
    return remember(l, record, (size_t)(tab - record), tab + 1, length - (size_t)(tab + 1 - record), error);
}

/* Is there anything after a line that is not whole? */
static bool has_whole_line(const char *at, const char *end)
{
    size_t length;
    for (const char *stop; (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1)
        if (record_of(at, (size_t)(stop - at), &length))
            return true;
    return false;
}

/* Takes all lines that are whole. *good is where the last of them ends. */
static bool take_lines(struct ledger *l, const char *text, size_t size, const char *job, size_t *good,
                       struct mp_error *error)
{
    *good = 0;
    for (int number = 1; *good < size; number++) {
        const char *line = text + *good, *end = memchr(line, '\n', size - *good), *record = NULL;
        size_t length = 0;
        if (end)
            record = record_of(line, (size_t)(end - line), &length);
        if (!record && (number > 1 ? !has_whole_line(line, text + size) : !end))
            return true; /* the end is cut off; or the very beginning, if it is ours */
        if (!record)
            return mp_fail(error, "%.200s: line %d is damaged or not of a ledger: its checksum is wrong",
                           l->path, number);
        if (!take_line(l, number, record, length, job, error))
            return false;
        *good = (size_t)(end + 1 - text);
    }
    return true;
}

/* A file whose first line is cut off is begun again, but only if that line would have been ours. */
static bool is_cut_opening(const char *text, size_t size, const char *job)
{
    char record[LEDGER_TEXT], line[LEDGER_TEXT + SUM_DIGITS + 3];
    snprintf(record, sizeof record, "%s%s", opening, job);
    int length = snprintf(line, sizeof line, "%0*llx %s\n", SUM_DIGITS,
                          (unsigned long long)sum_of(record, strlen(record)), record);
    return size < (size_t)length && !memcmp(text, line, size);
}

static bool read_file(struct ledger *l, const char *job, struct mp_error *error)
{
    char record[LEDGER_TEXT];
    struct stat about;
    size_t good = 0;
    if (fstat(l->fd, &about) != 0 || !S_ISREG(about.st_mode))
        return mp_fail(error, "%.200s is no plain file, expected a ledger", l->path);
    size_t size = (size_t)about.st_size;
    char *text = malloc(size + 1);
    bool ok = text && pread(l->fd, text, size, 0) == (ssize_t)size;
    if (!ok)
        mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s could not be read", l->path);
    ok = ok && take_lines(l, text, size, job, &good, error);
    if (ok && good == 0 && size > 0 && !is_cut_opening(text, size, job))
        ok = mp_fail(error, "%.200s is no ledger: expected it to begin with a checksum and '%s'", l->path,
                     opening);
    free(text);
    if (ok && good < size)
        ok = ftruncate(l->fd, (off_t)good) == 0 ||
             mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s could not be written: %s", l->path,
                          strerror(errno));
    if (!ok || good > 0)
        return ok;
    snprintf(record, sizeof record, "%s%s", opening, job);
    return write_line(l, record, error);
}

static bool lock_file(const struct ledger *l, struct mp_error *error)
{
    int64_t start = clock_ns();
    while (flock(l->fd, LOCK_EX | LOCK_NB) != 0) {
        if (clock_seconds_since(start) > LOCK_SECONDS)
            return mp_fail(error, "another program is writing %.200s, expected nobody else to", l->path);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    return true;
}

struct ledger *ledger_open(const char *path, const char *job, struct mp_error *error)
{
    struct ledger *l = calloc(1, sizeof *l);
    if (!l) {
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    l->path = path;
    l->fd = path ? open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    bool ok = !path || l->fd >= 0 ||
              mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s cannot be opened: %s", path, strerror(errno));
    if (ok && path)
        ok = lock_file(l, error) && read_file(l, job, error);
    l->found = (int)l->count;
    if (ok)
        return l;
    ledger_close(l);
    return NULL;
}

void ledger_close(struct ledger *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->capacity; i++)
        free(l->records[i].key);
    free(l->records);
    if (l->fd >= 0) {
        fdatasync(l->fd);
        close(l->fd);
    }
    free(l);
}

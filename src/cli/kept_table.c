/* kept_table.c - see kept_table.h.
 *
 * A file is a line of text in 64 bytes, the table as the game made it on this machine, and a checksum. One that is not
 * just so is made again. It is written under another name first, so that nobody reads half of it. */
#include "cli/kept_table.h"

#include "manyply/manyply.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER = 64, MOST_PATH = 4096 };

/* 64 bits of FNV-1a: finds damage, and is not meant against an attacker. */
static uint64_t checksum(const unsigned char *bytes, size_t count)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* $XDG_CACHE_HOME/manyply or ~/.cache/manyply, which is made if need be. False: there is no such place. */
static bool find_folder(char path[MOST_PATH])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = cache && *cache == '/' ? snprintf(path, MOST_PATH, "%s", cache)
                 : home && *home == '/' ? snprintf(path, MOST_PATH, "%s/.cache", home)
                                        : -1;
    if (length < 0 || length > MOST_PATH / 2)
        return false;
    mkdir(path, 0700);
    strcat(path, "/manyply");
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static void write_header(const struct mp_game *game, unsigned char header[HEADER])
{
    memset(header, 0, HEADER);
    snprintf((char *)header, HEADER, "Manyply table 1, %.40s\n", game->name);
}

/* True: the file holds this table, header and checksum included, in so many bytes. */
static bool read_file(const char *path, const struct mp_game *game, unsigned char *bytes, size_t size)
{
    unsigned char header[HEADER], more;
    uint64_t sum;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    bool ok = fread(bytes, 1, size, file) == size && fread(&more, 1, 1, file) == 0;
    fclose(file);
    write_header(game, header);
    memcpy(&sum, bytes + size - sizeof sum, sizeof sum);
    return ok && !memcmp(bytes, header, HEADER) && checksum(bytes, size - sizeof sum) == sum;
}

/* What cannot be kept is made again next time. */
static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
    char fresh[MOST_PATH + 128];
    snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(fresh, "wb");
    if (!file)
        return;
    bool ok = fwrite(bytes, 1, size, file) == size;
    ok = fclose(file) == 0 && ok;
    if (!ok || rename(fresh, path) != 0)
        unlink(fresh);
}

static bool make(const struct mp_game *game, unsigned char *bytes, size_t size, struct mp_error *error)
{
    bool tell = isatty(STDERR_FILENO);
    if (tell)
        fprintf(stderr, "making a table of %zu MB for %s, which takes a minute or less ...", size >> 20,
                game->name);
    write_header(game, bytes);
    bool ok = game->tables->make(game, bytes + HEADER, mp_cpu_count(), error);
    uint64_t sum = checksum(bytes, size - sizeof sum);
    memcpy(bytes + size - sizeof sum, &sum, sizeof sum);
    if (tell)
        fprintf(stderr, "\r\033[K");
    return ok;
}

bool kept_table_take(struct mp_game *game, struct mp_error *error)
{
    char path[MOST_PATH + 64];
    size_t table = game->tables ? game->tables->size(game) : 0, size = HEADER + table + sizeof(uint64_t);
    if (!table)
        return true;
    unsigned char *bytes = malloc(size);
    if (!bytes)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a table of %zu MB", size >> 20);
    bool keeps = find_folder(path);
    if (keeps)
        snprintf(path + strlen(path), sizeof path - strlen(path), "/%.40s-%zu.table", game->name, table);
    if (!keeps || !read_file(path, game, bytes, size)) {
        if (!make(game, bytes, size, error)) {
            free(bytes);
            return false;
        }
        if (keeps)
            write_file(path, bytes, size);
    }
    game->table = bytes + HEADER;
    return true;
}

void kept_table_free(struct mp_game *game)
{
    if (!game || !game->table)
        return;
    free((unsigned char *)game->table - HEADER);
    game->table = NULL;
}

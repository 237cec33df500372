#include "lab/openings.h"

#include "base/random.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !strcmp(text + length - tail, end);
}

static bool add(struct openings *openings, char *text, bool is_position)
{
    if (openings->count == openings->capacity) {
        int capacity = openings->capacity ? 2 * openings->capacity : 256;
        struct opening *list = realloc(openings->list, (size_t)capacity * sizeof *list);
        if (!list)
            return false;
        openings->list = list;
        openings->capacity = capacity;
    }
    char *copy = strdup(text);
    if (!copy)
        return false;
    openings->list[openings->count++] = (struct opening){copy, is_position};
    return true;
}

static bool is_position_text(const struct mp_game *game, const char *text, struct mp_error *error)
{
    struct mp_position *position = mp_position_new(game, text, error);
    bool ok = position && (mp_position_moves(position, NULL, NULL, 0) > 0 ||
                           mp_fail(error, "the game is over in '%.100s'", text));
    mp_position_free(position);
    return ok;
}

/* Cuts a line to the position that it begins with: all of it, what stands before a semicolon, or the four
 * fields of an EPD record, which other things follow. */
static bool cut_to_position(const struct mp_game *game, char *line, struct mp_error *error)
{
    if (is_position_text(game, line, error))
        return true;
    char *semicolon = strchr(line, ';');
    if (semicolon)
        *semicolon = 0;
    if (is_position_text(game, line, NULL))
        return true;
    char *at = line;
    for (int field = 0; field < 4; field++) {
        at += strspn(at, " ");
        at += strcspn(at, " ");
    }
    *at = 0;
    return is_position_text(game, line, NULL);
}

static bool is_record(const struct mp_game *game, const char *line, struct mp_error *error)
{
    struct mp_position *position = mp_position_new(game, NULL, error);
    bool ok = position && mp_position_play_text(position, line, error) &&
              (mp_position_moves(position, NULL, NULL, 0) > 0 || mp_fail(error, "the game is over after it"));
    mp_position_free(position);
    return ok;
}

bool openings_read(const struct mp_game *game, const char *file, struct openings *openings,
                   struct mp_error *error)
{
    *openings = (struct openings){0};
    bool positions = ends_with(file, ".epd") || ends_with(file, ".fen") || ends_with(file, ".obf");
    FILE *input = fopen(file, "r");
    if (!input)
        return mp_fail(error, "openings: cannot read %.200s: %s", file, strerror(errno));
    char *line = NULL;
    size_t size = 0;
    bool ok = true;
    for (int number = 1; ok && getline(&line, &size, input) >= 0; number++) {
        struct mp_error reason;
        line[strcspn(line, "\r\n")] = 0;
        if (!line[strspn(line, " \t")] || *line == '#')
            continue;
        if (!(positions ? cut_to_position(game, line, &reason) : is_record(game, line, &reason)))
            ok = mp_fail(error, "openings: %.100s, line %d: %.300s", file, number, reason.text);
        else if (!add(openings, line, positions))
            ok = mp_fail(error, "openings: out of memory");
    }
    if (ok && openings->count == 0)
        ok = mp_fail(error, "openings: %.200s has none, expected one in each line", file);
    free(line);
    fclose(input);
    if (!ok)
        openings_free(openings);
    return ok;
}

void openings_free(struct openings *openings)
{
    for (int i = 0; i < openings->count; i++)
        free(openings->list[i].text);
    free(openings->list);
    *openings = (struct openings){0};
}

void openings_shuffle(struct openings *openings, uint64_t seed)
{
    for (int i = openings->count - 1; i > 0; i--) {
        uint32_t other = random_below(random_at(seed, (uint64_t)i), (uint32_t)i + 1);
        struct opening swap = openings->list[i];
        openings->list[i] = openings->list[other];
        openings->list[other] = swap;
    }
}

uint64_t openings_sum(const struct openings *openings)
{
    uint64_t sum = 0;
    for (int i = 0; i < openings->count; i++)
        for (const char *c = openings->list[i].text; *c; c++)
            sum = random_mix(sum * 31 + (unsigned char)*c + 1);
    return sum;
}

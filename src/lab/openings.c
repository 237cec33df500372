/* openings.c - reads, checks and shuffles the openings of an arena. */
#include "lab/openings.h"

#include "base/memory.h"
#include "base/random.h"
#include "records/formats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Does the game go on after the opening? */
static bool check(const struct mp_game *game, const struct opening *opening, struct mp_error *error)
{
    struct mp_position *position = mp_position_new(game, opening->start, error);
    bool ok = position;
    for (int i = 0; ok && i < opening->count; i++)
        ok = mp_position_play(position, opening->moves[i], error);
    ok = ok && (!mp_position_is_over(position) ||
                mp_fail(error, "the game is over after the opening, expected fewer plies of it"));
    mp_position_free(position);
    return ok;
}

static bool add(struct openings *openings, const struct record *record, int most_plies,
                struct mp_error *error)
{
    int count = record_main_line(record, NULL, 0);
    struct opening opening = {.start = record->start ? strdup(record->start) : NULL,
                              .moves = malloc(((size_t)count + 1) * sizeof *opening.moves),
                              .count = count < most_plies ? count : most_plies};
    struct opening *list = memory_grow(openings->list, openings->count, sizeof *list);
    openings->list = list ? list : openings->list;
    bool ok = (list && opening.moves && (opening.start || !record->start)) || mp_fail(error, "out of memory");
    if (ok) {
        record_main_line(record, opening.moves, count);
        ok = check(record->game, &opening, error);
    }
    if (ok) {
        list[openings->count++] = opening;
        return true;
    }
    free(opening.start);
    free(opening.moves);
    return false;
}

static bool read_all(struct record_reader *reader, const struct record_format *format, int most_plies,
                     struct openings *openings, struct mp_error *error)
{
    struct record *record;
    bool ok = true;
    error->text[0] = 0;
    while (ok && (record = record_read(format, reader, error))) {
        struct mp_error reason;
        if (!add(openings, record, most_plies, &reason))
            ok = mp_fail(error, "line %d: %.300s", reader->line, reason.text);
        record_free(record);
    }
    return !error->text[0] && (openings->count > 0 || mp_fail(error, "no openings, expected some"));
}

bool openings_read(const struct mp_game *game, const char *file, int most_plies, struct openings *openings,
                   struct mp_error *error)
{
    *openings = (struct openings){0};
    const struct record_format *format = record_format_of_file(file);
    FILE *input = fopen(file, "r");
    if (!input)
        return mp_fail(error, "openings: cannot read %.200s: %s", file, strerror(errno));
    struct record_reader reader = record_reader(game, input);
    struct mp_error reason;
    bool ok = read_all(&reader, format ? format : record_format("moves"), most_plies, openings, &reason) ||
              mp_fail(error, "openings: %.100s: %.300s", file, reason.text);
    fclose(input);
    if (!ok)
        openings_free(openings);
    return ok;
}

void openings_free(struct openings *openings)
{
    for (int i = 0; i < openings->count; i++) {
        free(openings->list[i].start);
        free(openings->list[i].moves);
    }
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
    for (int i = 0; i < openings->count; i++) {
        const struct opening *opening = &openings->list[i];
        for (const char *c = opening->start ? opening->start : ""; *c; c++)
            sum = random_mix(sum + (unsigned char)*c);
        for (int move = 0; move < opening->count; move++)
            sum = random_mix(sum + opening->moves[move]);
        sum = random_mix(sum + 256);
    }
    return sum;
}

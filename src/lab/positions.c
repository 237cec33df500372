/* positions.c - makes random positions and reads positions from files. */
#include "lab/positions.h"

#include "base/memory.h"
#include "base/random.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Plays a random move or throw; false when the game is over. */
static bool play_random(struct mp_position *position, uint64_t *stream)
{
    int count = mp_position_is_over(position) ? 0 : mp_position_moves(position, NULL, NULL, 0);
    mp_move *moves = malloc(((size_t)count + 1) * sizeof *moves);
    uint32_t *weights = malloc(((size_t)count + 1) * sizeof *weights);
    bool ok = moves && weights && count > 0;
    if (ok) {
        mp_position_moves(position, moves, weights, count);
        ok = mp_position_play(position, moves[random_weighted(random_next(stream), weights, count)], NULL);
    }
    free(moves);
    free(weights);
    return ok;
}

struct mp_position *positions_random(const struct mp_game *game, uint64_t seed, int number)
{
    enum { LEAST = 4, MOST = 23, TRIES = 100 };
    for (int attempt = 0; attempt < TRIES; attempt++) {
        uint64_t stream = random_at(seed, (uint64_t)number * TRIES + (uint64_t)attempt);
        struct mp_position *position = mp_position_new(game, NULL, NULL);
        if (!position)
            return NULL;
        int plies = LEAST + (int)random_below(random_next(&stream), MOST - LEAST + 1);
        bool ok = true;
        while (ok && (plies > 0 || mp_position_is_chance(position))) {
            plies -= !mp_position_is_chance(position);
            ok = play_random(position, &stream);
        }
        if (ok && !mp_position_is_over(position))
            return position;
        mp_position_free(position);
    }
    return mp_position_new(game, NULL, NULL);
}

static bool add(struct mp_position ***list, int *count, struct mp_position *position, struct mp_error *error)
{
    struct mp_position **longer = memory_grow(*list, *count, sizeof *longer);
    if (!longer) {
        mp_position_free(position);
        return mp_fail(error, "out of memory for positions");
    }
    *list = longer;
    longer[(*count)++] = position;
    return true;
}

static bool read_line(const struct mp_game *game, const char *path, int number, const char *line,
                      struct mp_position ***list, int *count, struct mp_error *error)
{
    struct mp_error reason;
    struct mp_position *position = mp_position_new(game, line, &reason);
    if (!position)
        return mp_fail(error, "%.200s, line %d: %.250s", path, number, reason.text);
    if (mp_position_is_chance(position) || mp_position_moves(position, NULL, NULL, 0) == 0) {
        mp_position_free(position);
        return mp_fail(error, "%.200s, line %d: nobody is to move, expected a position to search", path,
                       number);
    }
    return add(list, count, position, error);
}

struct mp_position **positions_read(const struct mp_game *game, const char *path, int *count,
                                    struct mp_error *error)
{
    FILE *file = fopen(path, "r");
    struct mp_position **list = NULL;
    char *line = NULL;
    size_t size = 0;
    bool ok = file ||
              mp_fail(error, "%.200s: %s, expected a number or a file of positions", path, strerror(errno));
    *count = 0;
    for (int number = 1; ok && getline(&line, &size, file) >= 0; number++) {
        line[strcspn(line, "\r\n")] = 0;
        if (line[strspn(line, " \t")] && *line != '#')
            ok = read_line(game, path, number, line, &list, count, error);
    }
    if (ok && !feof(file))
        ok = mp_fail(error, "%.200s cannot be read to its end: %s", path, strerror(errno));
    if (ok && *count == 0)
        ok = mp_fail(error, "%.200s has no positions, expected one per line", path);
    free(line);
    if (file)
        fclose(file);
    if (!ok) {
        positions_free(list, *count);
        list = NULL;
    }
    return list;
}

void positions_free(struct mp_position **positions, int count)
{
    for (int i = 0; positions && i < count; i++)
        mp_position_free(positions[i]);
    free(positions);
}

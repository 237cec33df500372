/* learn_journal.c - writes the journal to another name and renames it. */
#include "lab/learn_journal.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const states[] = {"harvest", "train", "arena", "kept", "dropped"};
enum { VERSION = 1 };

const char *learn_state_name(enum learn_state state)
{
    return states[state];
}

void learn_path(const char *directory, int generation, const char *suffix, char path[LEARN_PATH])
{
    snprintf(path, LEARN_PATH, "%s/generation-%03d.%s", directory, generation, suffix);
}

struct learn_generation *learn_journal_add(struct learn_journal *j)
{
    struct learn_generation *generations = memory_grow(j->generations, j->count, sizeof *generations);
    if (!generations)
        return NULL;
    j->generations = generations;
    generations[j->count] = (struct learn_generation){.parent = j->best};
    return &generations[j->count++];
}

void learn_journal_free(struct learn_journal *j)
{
    free(j->game);
    free(j->from);
    free(j->generations);
    *j = (struct learn_journal){0};
}

double learn_journal_seconds(const struct learn_journal *j)
{
    double seconds = 0;
    for (int i = 0; i < j->count; i++)
        for (int step = 0; step < 3; step++)
            seconds += j->generations[i].seconds[step];
    return seconds;
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

static bool read_generation(struct learn_journal *j, json_t *object)
{
    struct learn_generation *g = learn_journal_add(j);
    const char *state;
    json_int_t games, positions, lost, drawn, won;
    if (!g || json_unpack(object, "{s:s, s:i, s:I, s:I, s:F, s:I, s:I, s:I, s:F, s:F, s:F, s:F, s:[F, F, F]}",
                          "state", &state, "parent", &g->parent, "games", &games, "positions", &positions,
                          "held_back_error", &g->error, "lost", &lost, "drawn", &drawn, "won", &won, "elo",
                          &g->elo, "low", &g->low, "high", &g->high, "rating", &g->rating, "seconds",
                          &g->seconds[0], &g->seconds[1], &g->seconds[2]) != 0)
        return false;
    int number = 0;
    while (number <= LEARN_DROPPED && strcmp(states[number], state) != 0)
        number++;
    g->state = (enum learn_state)(number <= LEARN_DROPPED ? number : 0);
    g->games = games;
    g->positions = positions;
    g->lost = (uint64_t)lost;
    g->drawn = (uint64_t)drawn;
    g->won = (uint64_t)won;
    return number <= LEARN_DROPPED && g->parent >= 0 && g->parent < j->count && games >= 0 &&
           positions >= 0 && lost >= 0 && drawn >= 0 && won >= 0;
}

static bool read_journal(struct learn_journal *j, json_t *object)
{
    const char *game, *from;
    json_int_t seed;
    json_t *generations, *generation;
    int version;
    size_t i;
    if (json_unpack(object, "{s:i, s:s, s:s, s:I, s:i, s:o}", "version", &version, "game", &game, "from",
                    &from, "seed", &seed, "best", &j->best, "generations", &generations) != 0 ||
        version != VERSION || !json_is_array(generations))
        return false;
    j->game = strdup(game);
    j->from = strdup(from);
    j->seed = (uint64_t)seed;
    json_array_foreach(generations, i, generation) if (!read_generation(j, generation)) return false;
    return j->game && j->from && j->best >= 0 && j->best <= j->count;
}

bool learn_journal_read(const char *directory, struct learn_journal *j, bool *is_new, struct mp_error *error)
{
    char path[LEARN_PATH];
    json_error_t reason;
    *j = (struct learn_journal){0};
    snprintf(path, sizeof path, "%s/journal.json", directory);
    *is_new = access(path, F_OK) != 0 && errno == ENOENT;
    if (*is_new)
        return true;
    json_t *object = json_load_file(path, 0, &reason);
    bool ok = object && read_journal(j, object);
    json_decref(object);
    if (ok)
        return true;
    learn_journal_free(j);
    return mp_fail(error, "%.200s %s, expected a journal as `manyply learn` writes it", path,
                   object ? "is of another version or damaged" : "cannot be read");
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

static json_t *generation_json(const struct learn_generation *g, int number)
{
    return json_pack("{s:i, s:s, s:i, s:I, s:I, s:f, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:[f, f, f]}",
                     "number", number, "state", states[g->state], "parent", g->parent, "games",
                     (json_int_t)g->games, "positions", (json_int_t)g->positions, "held_back_error", g->error,
                     "lost", (json_int_t)g->lost, "drawn", (json_int_t)g->drawn, "won", (json_int_t)g->won,
                     "elo", g->elo, "low", g->low, "high", g->high, "rating", g->rating, "seconds",
                     g->seconds[0], g->seconds[1], g->seconds[2]);
}

static json_t *journal_json(const struct learn_journal *j)
{
    json_t *generations = json_array();
    for (int i = 0; i < j->count; i++)
        json_array_append_new(generations, generation_json(&j->generations[i], i + 1));
    return json_pack("{s:i, s:s, s:s, s:I, s:i, s:o}", "version", VERSION, "game", j->game, "from", j->from,
                     "seed", (json_int_t)j->seed, "best", j->best, "generations", generations);
}

/* The new file is on the disk before it takes the place of the old one. */
static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    size_t length = strlen(text);
    if (fd < 0)
        return false;
    bool ok = write(fd, text, length) == (ssize_t)length && fsync(fd) == 0;
    return close(fd) == 0 && ok;
}

bool learn_journal_write(const char *directory, const struct learn_journal *j, struct mp_error *error)
{
    char path[LEARN_PATH], fresh[LEARN_PATH];
    snprintf(path, sizeof path, "%s/journal.json", directory);
    snprintf(fresh, sizeof fresh, "%s/journal.json.new", directory);
    json_t *object = journal_json(j);
    char *text = object ? json_dumps(object, JSON_INDENT(1)) : NULL;
    json_decref(object);
    if (!text)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    bool ok = (write_text(fresh, text) && rename(fresh, path) == 0) ||
              mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s could not be written: %s", path, strerror(errno));
    free(text);
    return ok;
}

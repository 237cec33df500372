/* games.c - the list of games, and how a name becomes a game: `othello`, `halma:rules=free`,
 * `./connect4.so`. */
#include "games/games.h"

#include "base/level.h"
#include "base/text.h"
#include "games/backgammon/backgammon.h"
#include "games/chess-pm/chess_pm.h"
#include "games/chess/chess.h"
#include "games/halma/halma.h"
#include "games/othello/othello.h"
#include "games/vet.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The built-in games, each with its table for every level of the CPU. To add one, add a line. */
static const struct {
    const char *name;
    const struct mp_game *levels[LEVEL_COUNT];
} builtins[] = {
    {"backgammon", LEVEL_TABLES(backgammon_table)}, {"chess", LEVEL_TABLES(chess_table)},
    {"chess-pm", LEVEL_TABLES(chess_pm_table)},     {"halma", LEVEL_TABLES(halma8_table)},
    {"halma10", LEVEL_TABLES(halma10_table)},       {"halma16", LEVEL_TABLES(halma16_table)},
    {"othello", LEVEL_TABLES(othello_table)},
};
enum { BUILTINS = sizeof builtins / sizeof *builtins };

const char *games_name(int index)
{
    return index >= 0 && index < BUILTINS ? builtins[index].name : NULL;
}

static const struct mp_game *builtin(const char *name)
{
    for (int i = 0; i < BUILTINS; i++)
        if (!strcmp(builtins[i].name, name))
            return builtins[i].levels[level_best()];
    return NULL;
}

/* What the library hands out is this, seen through its first member. */
struct instance {
    struct mp_game game;
    void *library; /* dlopen's handle of a plug-in, else null */
    bool opened;   /* the game's own open has been called and close is due */
};

static bool load_plugin(struct instance *instance, const char *path, struct mp_error *error)
{
    char local[4096];
    snprintf(local, sizeof local, "%s%s", strchr(path, '/') ? "" : "./", path);
    instance->library = dlopen(local, RTLD_NOW | RTLD_LOCAL);
    if (!instance->library)
        return mp_fail(error, "plug-in %s cannot be loaded: %s", path, dlerror());
    const struct mp_game *table = dlsym(instance->library, "mp_plugin");
    if (!table)
        return mp_fail(error, "plug-in %s exports no 'mp_plugin', expected a struct mp_game of that name",
                       path);
    if (table->abi_version != MP_GAME_ABI)
        return mp_fail(error, "plug-in %s was written for version %u of the game interface, expected %u",
                       path, table->abi_version, MP_GAME_ABI);
    if (table->struct_size < offsetof(struct mp_game, count) ||
        table->struct_size > 16 * sizeof(struct mp_game))
        return mp_fail(error, "plug-in %s has struct_size %u, expected sizeof(struct mp_game)", path,
                       table->struct_size);
    size_t size = table->struct_size < sizeof instance->game ? table->struct_size : sizeof instance->game;
    memcpy(&instance->game, table, size);
    struct vet_fault fault;
    return vet_table(&instance->game, &fault) || mp_fail(error, "plug-in %s: %s", path, fault.text);
}

bool games_set_option(struct mp_game *game, const char *name, const char *value, struct mp_error *error)
{
    for (int i = 0; game->options && i < MP_MAX_OPTIONS && game->options[i].name; i++) {
        const struct mp_option *option = &game->options[i];
        if (strcmp(option->name, name) != 0)
            continue;
        if (!option->words) {
            int64_t number;
            if (!text_to_int(value, option->minimum, option->maximum, &number))
                return mp_fail(error, "game %s: %s=%s, expected a whole number from %d to %d", game->name,
                               name, value, option->minimum, option->maximum);
            game->option[i] = (int32_t)number;
            return true;
        }
        char allowed[256] = "";
        for (int w = 0; option->words[w]; w++) {
            if (!strcmp(option->words[w], value)) {
                game->option[i] = w;
                return true;
            }
            text_append(allowed, sizeof allowed, "%s%s", w ? ", " : "", option->words[w]);
        }
        return mp_fail(error, "game %s: %s=%s, expected one of %s", game->name, name, value, allowed);
    }
    char allowed[256] = "";
    for (int i = 0; game->options && i < MP_MAX_OPTIONS && game->options[i].name; i++)
        text_append(allowed, sizeof allowed, "%s%s", i ? ", " : "", game->options[i].name);
    return mp_fail(error, "game %s has no option '%s', expected %s", game->name, name,
                   *allowed ? allowed : "none");
}

/* Reads `key=value,key=value`; text is cut up on the way. */
static bool set_options(struct mp_game *game, char *text, struct mp_error *error)
{
    for (char *item = text; item;) {
        char *next = strchr(item, ',');
        if (next)
            *next++ = 0;
        char *equals = strchr(item, '=');
        if (!equals)
            return mp_fail(error, "game %s: option '%s', expected option=value", game->name, item);
        *equals = 0;
        if (!games_set_option(game, item, equals + 1, error))
            return false;
        item = next;
    }
    return true;
}

static bool set_up(struct instance *instance, char *name, struct mp_error *error)
{
    char *file_part = strrchr(name, '/');
    char *options = strchr(file_part ? file_part : name, ':');
    if (options)
        *options++ = 0;
    size_t length = strlen(name);
    if (file_part || (length > 3 && !strcmp(name + length - 3, ".so"))) {
        if (!load_plugin(instance, name, error))
            return false;
    } else {
        const struct mp_game *table = builtin(name);
        if (!table) {
            char known[256] = "";
            for (int i = 0; i < BUILTINS; i++)
                text_append(known, sizeof known, "%s, ", builtins[i].name);
            return mp_fail(error, "unknown game '%.60s', expected %sor a plug-in such as ./connect4.so", name,
                           known);
        }
        instance->game = *table;
    }
    struct mp_game *game = &instance->game;
    for (int i = 0; game->options && i < MP_MAX_OPTIONS && game->options[i].name; i++)
        game->option[i] = game->options[i].standard;
    if (options && !set_options(game, options, error))
        return false;
    instance->opened = !game->open || game->open(game, error);
    struct mp_error fault;
    if (!instance->opened || !instance->library || vet_game(game, &fault))
        return instance->opened;
    return mp_fail(error, "plug-in %.100s: %.380s", name, fault.text);
}

struct mp_game *games_open(const char *text, struct mp_error *error)
{
    struct instance *instance = calloc(1, sizeof *instance);
    char *name = strdup(text);
    bool ok = instance && name;
    if (!ok)
        mp_fail(error, "out of memory");
    ok = ok && set_up(instance, name, error);
    free(name);
    if (ok)
        return &instance->game;
    games_close(instance ? &instance->game : NULL);
    return NULL;
}

void games_close(struct mp_game *game)
{
    if (!game)
        return;
    struct instance *instance = (struct instance *)game;
    if (instance->opened && game->close)
        game->close(game);
    if (instance->library)
        dlclose(instance->library);
    free(instance);
}

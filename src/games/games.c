/* games.c - the list of games, and how a name becomes a game: `othello`, `halma:rules=free`,
 * `./connect4.so`. */
#include "games/games.h"

#include "base/level.h"
#include "base/text.h"
#include "games/backgammon/backgammon.h"
#include "games/chess/chess.h"
#include "games/halma/halma.h"
#include "games/othello/othello.h"
#include "games/vet.h"
#include "reports/chess-pm/chess_pm.h"

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
    /* What an older plug-in has in a shorter form, with all that it does not know null. */
    struct mp_ordering ordering;
    struct mp_selective selective;
    struct mp_board_hooks board;
    struct mp_tuning tuning;
    struct mp_features features;
    struct mp_tables tables;
    struct mp_endgame endgame;
    struct mp_kernels kernels;
    struct mp_evaluation *evaluations;
    struct mp_option *options;
};

/* No table or list can be larger than this, whatever a later version adds. */
enum { MOST_BYTES = 1 << 14, MOST_EVALUATIONS = 256 };

static const struct mp_ordering no_ordering = {.struct_size = sizeof no_ordering};
static const struct mp_selective no_selective = {.struct_size = sizeof no_selective};
static const struct mp_board_hooks no_board = {.struct_size = sizeof no_board};

/* A group of so many bytes as it is, or, where the game knows less of it, a copy of that in *room. Null where
 * its size cannot be right. */
static const void *whole_group(const void *group, void *room, size_t size)
{
    uint32_t known = *(const uint32_t *)group; /* every group begins with it */
    if (known < sizeof known || known > MOST_BYTES)
        return NULL;
    return known >= size ? group : memcpy(room, group, known);
}

static bool take_groups(struct instance *i, const char *name, struct mp_error *error)
{
    struct mp_game *game = &i->game;
    const char *wrong = NULL;
#define TAKE(group, empty)                                                                                   \
    do {                                                                                                     \
        if (!game->group)                                                                                    \
            game->group = empty;                                                                             \
        else if (!(game->group = whole_group(game->group, &i->group, sizeof i->group)))                      \
            wrong = #group;                                                                                  \
    } while (0)
    TAKE(ordering, &no_ordering);
    TAKE(selective, &no_selective);
    TAKE(board, &no_board);
    TAKE(tuning, NULL);
    TAKE(features, NULL);
    TAKE(tables, NULL);
    TAKE(endgame, NULL);
    TAKE(kernels, NULL);
#undef TAKE
    return !wrong ||
           mp_fail(error, "game %s: the struct_size of its %s, expected sizeof of that struct", name, wrong);
}

/* A list whose members are so many bytes long in the game, the last of them null in its first member, as one
 * of longer members. Null: no memory, or it does not end. */
static void *longer_list(const void *list, size_t known, size_t size)
{
    size_t count = 0;
    const char *from = list;
    while (count < MOST_EVALUATIONS && *(const char *const *)(from + count * known))
        count++;
    char *copy = count < MOST_EVALUATIONS ? calloc(count + 1, size) : NULL;
    for (size_t i = 0; copy && i < count; i++)
        memcpy(copy + i * size, from + i * known, known);
    return copy;
}

/* The lists of evaluations and options, where the game knows shorter members of them. */
static bool take_lists(struct instance *i, struct mp_error *error)
{
    struct mp_game *game = &i->game;
    const size_t evaluation = sizeof *game->evaluations, option = sizeof *game->options;
    const size_t least = sizeof(const char *);
    if (game->evaluation_size < least || game->evaluation_size > evaluation)
        return mp_fail(error, "game %s: evaluation_size %u, expected sizeof(struct mp_evaluation)",
                       game->name, game->evaluation_size);
    if (game->option_size < least || game->option_size > option)
        return mp_fail(error, "game %s: option_size %u, expected sizeof(struct mp_option)", game->name,
                       game->option_size);
    if (game->evaluation_size < evaluation) {
        game->evaluations = i->evaluations = longer_list(game->evaluations, game->evaluation_size,
                                                         evaluation);
        if (!game->evaluations)
            return mp_fail(error, "game %s: its evaluations, expected a list with a null name at the end",
                           game->name);
    }
    if (game->options && game->option_size < option) {
        game->options = i->options = longer_list(game->options, game->option_size, option);
        if (!game->options)
            return mp_fail(error, "game %s: its options, expected a list with a null name at the end",
                           game->name);
    }
    return true;
}

static bool load_plugin(struct instance *instance, const char *path, struct mp_error *error)
{
    char local[4096];
    snprintf(local, sizeof local, "%s%s", strchr(path, '/') ? "" : "./", path);
    instance->library = dlopen(local, RTLD_NOW | RTLD_LOCAL);
    if (!instance->library)
        return mp_fail_with(error, MP_ERROR_SYSTEM, "plug-in %s cannot be loaded: %s", path, dlerror());
    const struct mp_game *table = dlsym(instance->library, "mp_plugin");
    if (!table)
        return mp_fail(error, "plug-in %s exports no 'mp_plugin', expected a struct mp_game of that name",
                       path);
    if (table->abi_version != MP_GAME_ABI)
        return mp_fail(error, "plug-in %s was written for version %u of the game interface, expected %u",
                       path, table->abi_version, MP_GAME_ABI);
    if (table->struct_size < offsetof(struct mp_game, count) || table->struct_size > MOST_BYTES)
        return mp_fail(error, "plug-in %s has struct_size %u, expected sizeof(struct mp_game)", path,
                       table->struct_size);
    size_t size = table->struct_size < sizeof instance->game ? table->struct_size : sizeof instance->game;
    memcpy(&instance->game, table, size);
    struct vet_fault fault;
    if (!take_groups(instance, path, error))
        return false;
    if (!vet_members(&instance->game, &fault))
        return mp_fail(error, "plug-in %s %s", path, fault.text);
    if (!take_lists(instance, error))
        return false;
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

void games_describe(const struct mp_game *game, char *text, size_t size)
{
    snprintf(text, size, "%s", game->name);
    char separator = ':';
    for (int i = 0; game->options && i < MP_MAX_OPTIONS && game->options[i].name; i++) {
        const struct mp_option *option = &game->options[i];
        int32_t value = game->option[i];
        if (value == option->initial)
            continue;
        text_append(text, size, "%c%s=", separator, option->name);
        if (option->words)
            text_append(text, size, "%s", option->words[value]);
        else
            text_append(text, size, "%d", value);
        separator = ',';
    }
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
            char known[256] = "", meant[TEXT_GUESS];
            struct text_guess guess = {.typed = name};
            for (int i = 0; i < BUILTINS; i++) {
                text_append(known, sizeof known, "%s, ", builtins[i].name);
                text_guess_try(&guess, builtins[i].name);
            }
            return mp_fail(error, "unknown game '%.60s'%s, expected %sor a plug-in such as ./connect4.so",
                           name, text_guess_said(&guess, meant), known);
        }
        instance->game = *table;
        take_groups(instance, name, NULL);
    }
    struct mp_game *game = &instance->game;
    game->table = NULL; /* the program's to hand over */
    for (int i = 0; game->options && i < MP_MAX_OPTIONS && game->options[i].name; i++)
        game->option[i] = game->options[i].initial;
    if (options && !set_options(game, options, error))
        return false;
    struct mp_error reason = {.text = "open returns false without a sentence, expected one from mp_fail"};
    instance->opened = !game->open || game->open(game, &reason);
    if (!instance->opened)
        return mp_fail(error, "game %.60s: %.400s", game->name, reason.text);
    if (!instance->library || vet_game(game, &reason))
        return true;
    return mp_fail(error, "plug-in %.100s: %.380s", name, reason.text);
}

struct mp_game *games_open(const char *text, struct mp_error *error)
{
    struct instance *instance = calloc(1, sizeof *instance);
    char *name = strdup(text);
    bool ok = instance && name;
    if (!ok)
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
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
    free(instance->evaluations);
    free(instance->options);
    if (instance->library)
        dlclose(instance->library);
    free(instance);
}

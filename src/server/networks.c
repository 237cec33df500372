/* networks.c - which networks a page may ask for. */
#include "server/networks.h"

#include "network/network.h"

#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 1024 };
static const char prefix[] = "network:";

static bool add(json_t *list, const char *game, const char *name, const char *summary, struct mp_error *error)
{
    json_t *network = json_pack("{s:s, s:s, s:s}", "game", game, "name", name, "summary", summary);
    return json_array_append_new(list, network) == 0 || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
}

/* Does a game take a file? False with MP_ERROR_MEMORY: that could not be found out. */
static bool is_for(const struct mp_game *game, const char *name, struct mp_error *error)
{
    struct mp_strategy *strategy = mp_strategy_new(game, NULL, error);
    bool fits = strategy && mp_strategy_set(strategy, "eval", name, error);
    mp_strategy_free(strategy);
    return fits;
}

/* Adds a file if the game takes it; *reason says why it does not. False: there is no memory. */
static bool add_for(json_t *list, const char *game_name, const char *name, const char *file, bool *fits,
                    struct mp_error *reason)
{
    struct mp_game *game = mp_game_open(game_name, reason);
    bool takes = game && is_for(game, name, reason);
    bool ok = takes ? add(list, game->name, name, file, reason) : reason->code != MP_ERROR_MEMORY;
    *fits = *fits || takes;
    mp_game_close(game);
    return ok;
}

static bool add_file(json_t *list, const char *plugin, const char *file, struct mp_error *error)
{
    char name[NAME_ROOM];
    struct mp_error reason = {0};
    bool fits = false, ok = true;
    if (strchr(file, ',') || snprintf(name, sizeof name, "%s%s", prefix, file) >= NAME_ROOM)
        return mp_fail(error, "network '%.60s' has a name that is too long or has a comma, expected neither",
                       file);
    for (int i = 0; ok && mp_game_name(i); i++)
        ok = add_for(list, mp_game_name(i), name, file, &fits, &reason);
    ok = ok && (!plugin || add_for(list, plugin, name, file, &fits, &reason));
    if (!ok)
        return mp_fail_with(error, MP_ERROR_MEMORY, "%s", reason.text);
    return fits || mp_fail(error, "network '%.60s' fits no game that is offered: %.300s", file, reason.text);
}

json_t *networks_offer(const char *plugin, const char *const *files, int count, struct mp_error *error)
{
    json_t *list = json_array();
    bool ok = list || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    for (int i = 0; ok && mp_game_name(i); i++)
        ok = !network_is_shipped(mp_game_name(i)) ||
             add(list, mp_game_name(i), "network", "learned, part of the program", error);
    for (int i = 0; ok && i < count; i++)
        ok = add_file(list, plugin, files[i], error);
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

static bool is_offered(const json_t *offered, const char *name, size_t length)
{
    size_t i;
    json_t *network;
    json_array_foreach(offered, i, network)
    {
        const char *known = json_string_value(json_object_get(network, "name"));
        if (known && strlen(known) == length && !strncmp(known, name, length))
            return true;
    }
    return false;
}

static bool allow_text(const json_t *offered, const char *text, struct mp_error *error)
{
    while ((text = strstr(text, prefix))) {
        size_t length = strcspn(text, ",");
        if (!is_offered(offered, text, length))
            return mp_fail(
                error,
                "'%.*s' was not given to the server, expected a file of `manyply serve --network FILE`",
                length < 60 ? (int)length : 60, text);
        text += length;
    }
    return true;
}

bool networks_allow(const json_t *offered, const json_t *request, struct mp_error *error)
{
    size_t i;
    const char *key;
    json_t *part;
    if (json_is_string(request))
        return allow_text(offered, json_string_value(request), error);
    json_array_foreach(request, i, part)
    {
        if (!networks_allow(offered, part, error))
            return false;
    }
    json_object_foreach((json_t *)request, key, part)
    {
        if (!networks_allow(offered, part, error))
            return false;
    }
    return true;
}

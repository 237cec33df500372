/* session_strategy.c - the strategy of a player as a page sees and changes it: key by key, or as a text. */
#include "server/session_inner.h"

#include "lab/json_parts.h"

#include <stdlib.h>
#include <string.h>

/* What an algorithm takes over from the one before it. */
static const char *const limits[] = {"depth", "nodes", "time", NULL};

json_t *session_strategy_json(const struct session *s, const char *text)
{
    struct mp_strategy *strategy = mp_strategy_new(s->game, text, NULL);
    json_t *keys = json_object();
    if (!strategy)
        json_lose();
    struct mp_key_info key = {MP_SIZE(struct mp_key_info)};
    for (int i = 0; strategy && mp_key_at(i, &key); i++)
        if (mp_strategy_given(strategy, key.name))
            json_object_set_new(keys, key.name, json_string(mp_strategy_given(strategy, key.name)));
    mp_strategy_free(strategy);
    return json_pack("{s:s%, s:o}", "algorithm", text, strcspn(text, ","), "keys", keys);
}

/* Another algorithm keeps only the limits, and of those what it has. */
static struct mp_strategy *change_algorithm(const struct session *s, const struct mp_strategy *before,
                                            const char *algorithm, struct mp_error *error)
{
    struct mp_strategy *strategy = mp_strategy_new(s->game, algorithm, error);
    for (int i = 0; strategy && limits[i]; i++)
        if (mp_strategy_has(strategy, limits[i]) && mp_strategy_given(before, limits[i]))
            mp_strategy_set(strategy, limits[i], mp_strategy_given(before, limits[i]), NULL);
    return strategy;
}

/* Those that are dropped first, then split, which others need. */
static bool change_keys(struct mp_strategy *strategy, json_t *keys, struct mp_error *error)
{
    const char *key;
    json_t *value;
    bool ok = true;
    json_object_foreach(keys, key, value)
    {
        if (ok && json_is_null(value))
            ok = mp_strategy_set(strategy, key, NULL, error);
    }
    const char *split = json_string_value(json_object_get(keys, "split"));
    ok = ok && (!split || mp_strategy_set(strategy, "split", split, error));
    json_object_foreach(keys, key, value)
    {
        if (ok && !json_is_null(value))
            ok = json_is_string(value)
                     ? mp_strategy_set(strategy, key, json_string_value(value), error)
                     : mp_fail(error, "players: \"%.40s\" in \"keys\", expected a text or null", key);
    }
    return ok;
}

bool session_change_strategy(const struct session *s, const json_t *change, char text[STRATEGY_ROOM],
                             struct mp_error *error)
{
    const char *whole = json_string_value(json_object_get(change, "strategy"));
    const char *algorithm = json_string_value(json_object_get(change, "algorithm"));
    if (whole && strlen(whole) >= STRATEGY_ROOM)
        return mp_fail(error, "strategy '%.40s...' is too long, expected at most %d characters", whole,
                       STRATEGY_ROOM - 1);
    struct mp_strategy *strategy = mp_strategy_new(s->game, whole ? whole : text, error);
    if (strategy && algorithm) {
        struct mp_strategy *other = change_algorithm(s, strategy, algorithm, error);
        mp_strategy_free(strategy);
        strategy = other;
    }
    bool ok = strategy && change_keys(strategy, json_object_get(change, "keys"), error);
    if (ok && whole && !algorithm && !json_object_get(change, "keys"))
        snprintf(text, STRATEGY_ROOM, "%s", whole); /* as it was written */
    else if (ok)
        mp_strategy_asked(strategy, text, STRATEGY_ROOM);
    mp_strategy_free(strategy);
    return ok;
}

int session_fit_strategy(const struct mp_game *game, char *text, size_t size, int share,
                         struct mp_error *error)
{
    static const char *const keys[] = {"hash", "memory", NULL};
    enum { AUTO_MEGABYTES = 256 }; /* what hash=auto grows to at most */
    struct mp_strategy *strategy = mp_strategy_new(game, text, error);
    int megabytes = 0;
    bool is_changed = false;
    for (int i = 0; strategy && keys[i]; i++) {
        char value[32], number[16];
        if (!mp_strategy_has(strategy, keys[i]) || !mp_strategy_get(strategy, keys[i], value, sizeof value))
            continue;
        bool grows = !strcmp(value, "auto"), is_open = grows || !mp_strategy_given(strategy, keys[i]);
        int wanted = grows ? AUTO_MEGABYTES : atoi(value);
        snprintf(number, sizeof number, "%d", share);
        if (is_open && wanted > share && mp_strategy_set(strategy, keys[i], number, NULL)) {
            wanted = share;
            is_changed = true;
        }
        megabytes += wanted;
    }
    if (is_changed)
        mp_strategy_asked(strategy, text, size);
    mp_strategy_free(strategy);
    return strategy ? megabytes : -1;
}

bool session_check_memory(const struct session *s, char strategies[2][STRATEGY_ROOM], struct mp_error *error)
{
    int megabytes = SESSION_MEGABYTES, most = search_limit_megabytes(s->limit);
    for (int i = 0; i < 2; i++) {
        char text[FITTED_ROOM];
        snprintf(text, sizeof text, "%s", strategies[i]);
        int wanted = session_fit_strategy(s->game, text, sizeof text, search_limit_share(s->limit), error);
        if (wanted < 0)
            return false;
        megabytes += wanted;
    }
    return megabytes <= most || mp_fail(error,
                                        "players: these strategies may use %d MB of memory, expected at most "
                                        "%d for all pages: ask for "
                                        "less (hash=, memory=) or start the server with more (--memory)",
                                        megabytes, most);
}

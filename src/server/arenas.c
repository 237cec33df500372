/* arenas.c - lists the arena files of a folder, and reads one as a crosstable. */
#include "server/arenas.h"

#include "lab/json_parts.h"
#include "lab/results.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_arena(const char *name)
{
    size_t length = strlen(name);
    return length > 3 && !strcmp(name + length - 3, ".db") && *name != '.' && !strchr(name, '/');
}

json_t *arenas_list(const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    json_t *names = json_array();
    if (count < 0 && errno == ENOMEM)
        json_lose();
    for (int i = 0; i < count; i++) {
        if (is_arena(entries[i]->d_name))
            json_array_append_new(names, json_string(entries[i]->d_name));
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return json_pack("{s:o}", "arenas", names);
}

/* Lost, drawn, won. */
static json_t *tally_json(const struct pairing_tally *tally)
{
    return json_pack("[I, I, I]", (json_int_t)tally->games[0], (json_int_t)tally->games[1],
                     (json_int_t)tally->games[2]);
}

static json_t *player_json(const struct results_player *player, const struct tallies *tallies, int number,
                           int count)
{
    struct pairing_tally all = tallies_of(tallies, number, -1);
    struct elo elo;
    json_t *against = json_array();
    for (int other = 0; other < count; other++) {
        struct pairing_tally tally = other == number ? (struct pairing_tally){0}
                                                     : tallies_of(tallies, number, other);
        json_array_append_new(against, tally_json(&tally));
    }
    json_t *json = json_pack("{s:s, s:s, s:o, s:o}", "name", player->name, "player", player->text, "games",
                             tally_json(&all), "against", against);
    if (tally_elo(&all, &elo) && isfinite(elo.low) && isfinite(elo.high))
        json_object_set_new(json, "elo", json_pack("[f, f, f]", elo.low, elo.elo, elo.high));
    return json;
}

static json_t *crosstable(struct results *results, struct mp_error *error)
{
    struct tallies tallies;
    int count;
    struct results_player *players = results_players(results, &count, error);
    if (!players)
        return NULL;
    json_t *table = NULL;
    if (results_tally(results, count, &tallies, error)) {
        char *game = results_get(results, "game");
        json_t *list = json_array();
        for (int i = 0; i < count; i++)
            json_array_append_new(list, player_json(&players[i], &tallies, i, count));
        table = json_pack("{s:s, s:o}", "game", game ? game : "", "players", list);
        free(game);
        tallies_free(&tallies);
    }
    results_free_players(players, count);
    return table;
}

json_t *arenas_open(const char *folder, const char *name, struct mp_error *error)
{
    char path[4096];
    if (!name || !is_arena(name)) {
        mp_fail(error, "arena '%.60s', expected one of those that /api/arenas lists", name ? name : "");
        return NULL;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    struct results *results = results_open(path, RESULTS_READ, error);
    json_t *table = results ? crosstable(results, error) : NULL;
    results_close(results);
    return table;
}

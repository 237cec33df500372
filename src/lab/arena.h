/* arena.h - many games between two or more players: matches, gauntlets and round robins.
 *
 * The schedule is a pure function of the settings. Games come in pairs with the same opening and dice and the
 * players exchanged; a round has one pair for each pairing, and all pairings of a round share their opening.
 * So a game can be played at any time, in any order, on any machine, and its number says all about it. */
#ifndef LAB_ARENA_H
#define LAB_ARENA_H

#include "lab/openings.h"
#include "lab/results.h"

enum { ARENA_MOST_PLAYERS = RESULTS_MOST_PLAYERS };

struct arena {
    const struct mp_game *game;
    const char *game_text; /* with its options, as it was opened */
    struct player_setup players[ARENA_MOST_PLAYERS];
    int player_count;
    bool gauntlet; /* the first player against each other, instead of all against all */
    int64_t games; /* for each pairing, even */
    uint64_t seed; /* of the order of openings, random openings and dice */
    struct openings openings;
    const char *openings_file;
    int random_plies;
    struct match_rules rules;
    struct sprt sprt;  /* of two players; elo0 == elo1: none */
    int concurrency;   /* games at a time */
    int shard, shards; /* plays the pairs whose number is shard modulo shards */

    /* Called after each game, one call at a time. May set *stop. */
    void (*on_game)(const struct arena *arena, const struct tallies *tallies, int64_t number,
                    const struct match_game *match, void *context);
    void *context;
    atomic_bool stop; /* any thread or signal handler may set it: games under way are given up */
};

/* How many pairings, and games in all, of this shard. */
int64_t arena_pairings(const struct arena *arena);
int64_t arena_total(const struct arena *arena);

/* Which two players a pairing is. */
void arena_pairing(const struct arena *arena, int64_t pairing, int players[2]);

/* Writes the settings into new results, or compares them with those of an arena that is to go on. */
bool arena_prepare(const struct arena *arena, struct results *results, struct mp_error *error);

/* Plays what has not been played yet. *tallies has been made from results, and is kept up to date; *played is
 * how many games were added. */
bool arena_run(struct arena *arena, struct results *results, struct tallies *tallies, int64_t *played,
               struct mp_error *error);

/* What the sequential test says so far; the ratio if it is not null. */
enum sprt_verdict arena_verdict(const struct arena *arena, const struct tallies *tallies, double *ratio);

#endif

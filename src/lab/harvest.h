/* harvest.h - plays many fast games of a strategy against itself: what networks (train.h) and weights (tune.h) learn from.
 *
 * A game is a pure function of the seed and its number, and games are written in the order of their numbers: the file is
 * the same whatever the number of threads, unless the strategy looks at the clock. */
#ifndef LAB_HARVEST_H
#define LAB_HARVEST_H

#include "manyply/manyply.h"

#include <stdatomic.h>

struct harvest {
    const struct mp_game *game;
    const char *strategy;
    int64_t games;
    int threads;
    uint64_t seed;
    int least_random, most_random; /* moves at the beginning of each game */
    mp_value unequal;              /* an opening with a greater lead is replaced; 0: none is */
    mp_value decided;              /* a game is given up after four plies with a greater lead; 0: never */
    int most_plies;                /* a longer game is a draw */
    const atomic_bool *stop; /* any thread or signal handler: games under way are given up; may be null */
};

struct harvest_report {
    int64_t games, wins, draws, losses; /* of player 0 */
    int64_t positions;                  /* with a value; in text, those that were kept */
    int64_t found;                      /* games that were in the file before */
};

/* Called by one thread at a time after each game. */
typedef void harvest_progress(const struct harvest_report *so_far, void *context);

/* Writes to a file of games (games_file.h), or goes on with it: it then has all games up to this number. A file whose
 * name ends with .txt is written anew as text, the quiet positions of all games: a line is a position, a tab, the
 * result for player 0 (1, 0.5 or 0), a tab, and the value that the search found, for player 0. */
bool harvest_run(const struct harvest *harvest, const char *path, harvest_progress *progress, void *context,
                 struct harvest_report *report, struct mp_error *error);

#endif

/* harvest.h - plays many fast games of a strategy against itself and keeps their quiet positions with the
 * result: what tune.h learns from.
 *
 * A line of the file is a position, a tab, the result for player 0 (1, 0.5 or 0), a tab, and the value that
 * the search found, for player 0. */
#ifndef LAB_HARVEST_H
#define LAB_HARVEST_H

#include "manyply/manyply.h"

struct harvest {
    const struct mp_game *game; /* without dice */
    const char *strategy;
    int games, threads;
    uint64_t seed;
    int random_plies; /* at the beginning of each game, and one more for every other game */
    mp_value unequal; /* a game that begins with a greater lead is not played; 0: every game is */
    mp_value decided; /* a game is given up after four plies with a greater lead; 0: never */
    int most_plies;   /* a longer game is a draw */
};

struct harvest_report {
    int games, wins, draws, losses; /* of player 0 */
    size_t positions;
};

/* Called by one thread at a time after each game. */
typedef void harvest_progress(const struct harvest_report *so_far, void *context);

/* Lines of one game stand together; with one thread the file is the same every time. */
bool harvest_run(const struct harvest *harvest, FILE *file, harvest_progress *progress, void *context,
                 struct harvest_report *report, struct mp_error *error);

#endif

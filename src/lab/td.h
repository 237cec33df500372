/* td.h - a network for a game with dice learns from its own games by temporal differences: what it says of a position
 * should be what it says after the next throw and move, and in the end the result. */
#ifndef LAB_TD_H
#define LAB_TD_H

#include "manyply/manyply.h"
#include "network/network.h"

struct td_report {
    uint64_t games;     /* so far */
    uint64_t positions; /* of this round */
    double error;       /* mean squared error of the first output against its target, in this round */
    double games_per_second, positions_per_second;
};

struct td {
    const struct mp_game *game;
    struct network_shape shape;  /* width and layers; the rest is the game's */
    const struct network *begin; /* null: from nothing */
    int threads, batch;
    uint64_t games; /* in all */
    uint64_t round; /* games between two trainings */
    double rate, last_rate;
    double lambda; /* 0: only the next position counts, 1: only the result */
    bool ahead;    /* targets are means over all throws instead of the one that was made */
    uint64_t seed;
    /* After each round; false: stop here. May be null. */
    bool (*progress)(const struct td_report *report, void *context);
    void *context;
};

/* Does a game have what this needs: dice, and features of one view with five outputs? */
bool td_fits(const struct mp_game *game);

/* Plays and trains. The same seed and number of threads give the same network. Null: the sentence says why. */
struct network *td_run(const struct td *td, struct mp_error *error);

#endif

/* rollouts.h - a rollout that can be watched: the candidates play their games in rounds, and who is clearly worse than
 * the best plays no more of them. */
#ifndef LAB_ROLLOUTS_H
#define LAB_ROLLOUTS_H

#include "search/control.h"
#include "search/rollout.h"

/* One candidate, as the side to move sees it. */
struct rollouts_row {
    mp_move move; /* MP_NO_MOVE: the position itself, where dice are to be thrown */
    int64_t games;
    double equity,
        error; /* points a game, and the standard error; before any game what the evaluation says */
    bool has_shares;
    double shares[OUTLOOK]; /* of won games, won double, won triple, lost double, lost triple */
    bool is_out;            /* clearly worse than the best */
};

struct rollouts_table {
    struct rollouts_row rows[ROLLOUT_MOST_MOVES]; /* the best first */
    int count;
    int64_t evaluations;
    double seconds;
    bool stopped; /* before all games, by a limit or by who watches */
};

struct rollouts {
    const struct mp_strategy
        *strategy; /* a rollout; its games, dice, threads and limits are those that are played */
    const struct mp_position *position;
    double clear; /* so many joint standard errors behind the best is clearly worse; 0: nothing is */
    void (*progress)(const struct rollouts_table *table, void *context); /* after each round; may be null */
    void *context;
    struct control control; /* zeros */
};

/* The same table for the same seed, whatever the number of threads, unless it is stopped. */
bool rollouts_run(struct rollouts *rollouts, struct rollouts_table *table, struct mp_error *error);

/* Ends it as soon as may be; the table is that of the last whole round. From any thread, or a signal. */
void rollouts_stop(struct rollouts *rollouts);

#endif

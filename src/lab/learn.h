/* learn.h - a game learns from itself: it plays games with the best network so far, trains another one with them, and
 * keeps that if it wins a match. Again and again, in a directory that tells how it went (learn_journal.h).
 *
 * It can be stopped or killed at any moment and goes on where it was: games and matches are kept as they are played, a
 * network that was being trained is trained anew. */
#ifndef LAB_LEARN_H
#define LAB_LEARN_H

#include "lab/elo.h"
#include "lab/learn_journal.h"
#include "network/weights.h"

#include <stdatomic.h>

struct learn {
    const struct mp_game *game;
    const char *game_text; /* with its options, as it was opened */
    const char *directory;
    const char *from;     /* "random", "eval" (the default evaluation of the game) or the file of a network */
    const char *strategy; /* how games are played, without eval= and limits */
    int generations;      /* end after so many; 0: whenever */
    double seconds;       /* end after so much time of all runs together; 0: whenever */
    uint64_t seed;
    int threads;
    /* The games of a generation. */
    int64_t games, nodes, first_nodes; /* first: as long as there is no network, whose evaluation is slower */
    int least_random, most_random, most_plies;
    mp_value decided;
    /* Its network. */
    int window; /* learns from the games of so many generations */
    int width, passes, scale;
    int dense_count, dense[NETWORK_MOST_DENSE]; /* layers behind the accumulators */
    double rate, result_share, lambda;
    bool ahead; /* with dice: learn from all throws that could come next (td.h) */
    /* Its test. */
    int64_t arena_games; /* at most, even */
    int arena_random;    /* random plies */
    struct sprt sprt;

    atomic_bool *stop; /* set by any thread or signal handler, and when the time is over */
    /* Called when something has been done, one call at a time: a text for people, or null when a generation ended. */
    void (*tell)(const struct learn_journal *journal, const char *doing, double share, void *context);
    void *context;
};

/* Goes on until all is done, the time is over or it is stopped. *journal is how far it is, also if it failed; to be freed
 * by the caller. */
bool learn_run(const struct learn *learn, struct learn_journal *journal, struct mp_error *error);

/* The evaluation of a generation as a strategy has it: "network:DIRECTORY/generation-007.net"; 0: of the beginning. */
void learn_evaluation(const char *directory, const char *from, int generation, char text[LEARN_PATH]);

#endif

/* train.h - trains a network for a game from positions with results and values. */
#ifndef LAB_TRAIN_H
#define LAB_TRAIN_H

#include "network/network.h"

#include "manyply/manyply.h"

#include <stdatomic.h>

/* In games whose margin counts, that is what is learned: a point is worth so much. */
enum { TRAIN_POINT = 100 };

struct train_report {
    int pass;                  /* that has ended, from 1 */
    double learned, held_back; /* mean squared errors of the share of a win, 0 to 1 */
    double positions_per_second;
    size_t positions, judged; /* learned from in this pass (mirrored ones too), and held back to judge by */
    double rounding;          /* in the end: how far whole numbers are from the floats, as a share of a win */
};

struct train {
    const struct mp_game *game;
    const char *const *paths; /* of files of either kind (examples_file.h) */
    int path_count;
    int results_only; /* of so many of the first files the values are worth nothing, and results are learned */
    int width, passes, batch, threads;
    double seconds;                             /* the passes end by then; 0: whenever they end */
    int dense_count, dense[NETWORK_MOST_DENSE]; /* layers behind the accumulators */
    double rate;                                /* at first; it falls to a hundredth of that */
    double result_share; /* of the result in what is learned; the rest is the search's value ... */
    double lambda;       /* ... mixed with later ones, see examples_file.h */
    int scale;           /* a value of this much is a share of 0.73 of a win */
    bool noisy;          /* learn from positions that are not quiet, too */
    bool plain;          /* do not learn from turned and mirrored positions */
    int64_t buffer;      /* positions in memory at a time: if all fit they are read once */
    uint64_t seed;
    const atomic_bool
        *stop; /* any thread or signal handler: ends at once, with what was learned; may be null */
    /* After each pass; false: stop here. May be null. */
    bool (*progress)(const struct train_report *report, void *context);
    void *context;
};

/* Reads the files and trains. The same seed and number of threads give the same network (without a limit of seconds).
 * Null: the sentence says why. *report is that of the last pass. */
struct network *train_run(const struct train *train, struct train_report *report, struct mp_error *error);

#endif

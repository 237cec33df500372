/* train.h - trains a network for a game from positions with results and values. */
#ifndef LAB_TRAIN_H
#define LAB_TRAIN_H

#include "network/network.h"

#include "manyply/manyply.h"

struct train_report {
    int pass;                  /* that has ended, from 1 */
    double learned, held_back; /* mean squared errors of the share of a win, 0 to 1 */
    double positions_per_second;
};

struct train {
    const struct mp_game *game;
    int width, passes, batch, threads;
    double rate;         /* at first; it falls to a hundredth of that */
    double result_share; /* of the result in what is learned; the rest is the search's value */
    int scale;           /* a value of this much is a share of 0.73 of a win */
    uint64_t seed;
    /* After each pass; false: stop here. May be null. */
    bool (*progress)(const struct train_report *report, void *context);
    void *context;
};

/* Reads the file and trains. The same seed and number of threads give the same network. Null: the sentence says why.
 * *report is that of the last pass, *rounding the mean difference between the whole numbers and the floats on what was
 * held back, as a value. */
struct network *train_run(const struct train *train, FILE *file, struct train_report *report,
                          double *rounding, size_t *positions, struct mp_error *error);

#endif

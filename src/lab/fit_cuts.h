/* fit_cuts.h - finds what a shallow search says of a deep one (search/cuts.h), by searching positions of games that a strategy
 * plays against itself. A position is a pure function of the seed and its number, so what is found does not depend on the
 * number of threads. */
#ifndef LAB_FIT_CUTS_H
#define LAB_FIT_CUTS_H

#include "search/cuts.h"

struct fit_cuts {
    const struct mp_game *game;
    const char *strategy; /* selective */
    int positions;
    int depth; /* of the deepest search */
    int threads;
    uint64_t seed;
    int least_random, most_random; /* moves at the beginning of each game */
    int most_plies;                /* played after them, at most */
    int stage_plies;
    double confidence;
};

/* One pair of depths in one stage. */
struct fit_row {
    int stage, deep, positions;
    struct cut cut;
    double mean_error; /* the mean distance from the line */
    double r2;         /* the share of the variance that the shallow search explains */
};

struct fit_report {
    struct cuts cuts;
    int row_count;
    struct fit_row rows[CUTS_STAGES * CUTS_DEEPEST];
};

/* Called by one thread at a time after each position. */
typedef void fit_progress(int positions, void *context);

bool fit_cuts_run(const struct fit_cuts *fit, fit_progress *progress, void *context,
                  struct fit_report *report, struct mp_error *error);

/* Fits a line to pairs of values and says how good it is. False: there are too few, or they do not go together. */
bool fit_line(const double *shallow, const double *deep, int count, struct fit_row *row);

/* The search that is asked about one of this depth: half as deep or less. Both go to the same side's last move, because the
 * side that moves last has the better of it. */
int fit_shallow(int deep);

/* Writes a file for cuts_read, with a line that says how it was made, to another name and renames it. */
bool fit_cuts_write(const struct fit_report *report, const char *made, const char *path,
                    struct mp_error *error);

#endif

/* crew.h - the workers of one search, and the schemes by which they share it. */
#ifndef PARALLEL_CREW_H
#define PARALLEL_CREW_H

#include "search/driver.h"

struct crew {
    const struct mp_game *game;
    struct worker *workers;
    int threads;
    double busy_seconds[MP_MAX_THREADS];
};

/* A parallel scheme is one file and one row in schemes.c. */
struct scheme {
    const char *name; /* the value of split=; the list ends with a null name */
    const char *summary;
    bool sequential;
    iteration_function *iterate; /* context is a struct crew with all roots set */
};
extern const struct scheme schemes[];

iteration_function scheme_none, scheme_top;

#endif

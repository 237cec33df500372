/* timeline.h - what each thread did in a search, as `search --trace` has written it, and a drawing of it. */
#ifndef LAB_TIMELINE_H
#define LAB_TIMELINE_H

#include "manyply/manyply.h"

#include <jansson.h>

struct timeline_slice {
    int thread, kind;
    double start, end; /* in microseconds */
    size_t order;      /* in the file: of equal slices the outer one comes last */
};

struct timeline_mark {
    int thread;
    bool abort; /* else a steal */
    double at;
};

struct timeline {
    const char *game, *strategy;
    double length; /* in microseconds */
    int threads;
    struct timeline_slice *slices;
    struct timeline_mark *marks;
    size_t slice_count, mark_count, steals, aborts;
    double busy[MP_MAX_THREADS]; /* share of the time */
};

/* Reads what a file holds, which must outlive the timeline. False: it holds none. */
bool timeline_read(struct timeline *timeline, const json_t *file);
void timeline_free(struct timeline *timeline);

/* One lane for each thread, what it does inside what, as SVG. */
void timeline_draw(const struct timeline *timeline, FILE *out);

#endif

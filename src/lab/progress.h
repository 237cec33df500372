/* progress.h - a bar with the time left. */
#ifndef LAB_PROGRESS_H
#define LAB_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Shown on a terminal only, and from the second second on. A thread draws it, so that it appears and moves
 * however long its owner is busy. Begin with zeros but for `out`; one thread shows and ends. */
struct progress {
    FILE *out;         /* null, or no terminal: nothing is shown */
    const char *doing; /* null: has not begun */
    double share;
    int64_t begin_ns, start_ns; /* of all, and of what is done now */
    bool is_shown, ends;
    bool draws; /* there is a thread, and the rest is its */
    pthread_t thread;
    pthread_mutex_t lock; /* of everything above */
    pthread_cond_t wake;  /* it ends */
};

/* share: how much of this is done, 0 to 1. Another `doing` begins anew; the text must last until the end. */
void progress_show(struct progress *progress, const char *doing, double share);
/* Takes the bar away. To be called in any case. */
void progress_end(struct progress *progress);

#endif

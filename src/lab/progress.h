/* progress.h - a bar with the time left, on standard error. */
#ifndef LAB_PROGRESS_H
#define LAB_PROGRESS_H

#include <stdint.h>

/* Shown on a terminal only, and from the second second on. Begin with zeros. */
struct progress {
    const char *doing;
    int64_t start_ns, shown_ns;
};

/* share: how much of this is done, 0 to 1. Another `doing` begins anew. */
void progress_show(struct progress *progress, const char *doing, double share);
void progress_end(struct progress *progress);

#endif

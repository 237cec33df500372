/* terminal.h - what the terminal can show, and a progress bar on standard error. */
#ifndef LAB_TERMINAL_H
#define LAB_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* Columns for tables and plots on standard output: those of the terminal, at most 100; 80 elsewhere. */
int terminal_columns(void);

/* Does the locale use UTF-8? */
bool terminal_has_unicode(void);

/* A bar with the time left, on a terminal only and from the second second on. Begin with zeros. */
struct progress {
    const char *doing;
    int64_t start_ns, shown_ns;
};

/* share: how much of this is done, 0 to 1. Another `doing` begins anew. */
void progress_show(struct progress *progress, const char *doing, double share);
void progress_end(struct progress *progress);

#endif

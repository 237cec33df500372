/* book_make.h - makes a book (search/book.h): the positions that are most worth knowing are searched first.
 *
 * Drop-out expansion (Lincke 2000): a position costs so much for each ply on the way to it, and what both players lose by the
 * moves that lead there. The cheapest position whose successors are not in the book is opened next: all of them are searched.
 * So good lines become long, and bad ones are answered. */
#ifndef LAB_BOOK_MAKE_H
#define LAB_BOOK_MAKE_H

#include "search/book.h"

#include <stdatomic.h>

struct book_make {
    const struct mp_position *root;
    const char *strategy;    /* by which each position is searched */
    int positions;           /* the book is to have at least so many */
    mp_value ply_cost;       /* a ply costs as much as this loss of value */
    double save_seconds;     /* the file is written so often, and at the end */
    const atomic_bool *stop; /* any thread or signal handler: ends after the search under way; may be null */
};

struct book_report {
    int positions, opened;
    int found;      /* that the file had before */
    bool is_whole;  /* there is no position left to open */
    mp_value value; /* of the root */
};

/* Called after each search. */
typedef void book_progress(const struct book_report *so_far, void *context);

/* Makes a file, or goes on with it. */
bool book_make(const struct book_make *make, const char *path, book_progress *progress, void *context,
               struct book_report *report, struct mp_error *error);

#endif

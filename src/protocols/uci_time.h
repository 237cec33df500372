/* uci_time.h - how long to think about a move. */
#ifndef PROTOCOLS_UCI_TIME_H
#define PROTOCOLS_UCI_TIME_H

#include "manyply/manyply.h"

/* What `go` says of the clock, in milliseconds; -1: nothing. */
struct uci_clock {
    int64_t left, increment, movetime;
    int moves_to_go; /* 0: not said */
    int64_t overhead;
};

/* For one move: hard ends a search; soft is when no new iteration is begun, if all goes well. In seconds; 0:
 * no limit. */
struct uci_budget {
    double soft, hard;
};
struct uci_budget uci_budget(const struct uci_clock *clock);

/* How the search goes, for stretching the soft limit. */
struct uci_course {
    mp_move move;
    mp_value value;
    int steady; /* iterations in a row with the same best move */
    int depth;
};

/* Takes in a finished iteration; returns by how much the soft limit is stretched now. */
double uci_stretch(struct uci_course *course, const struct mp_result *so_far);

#endif

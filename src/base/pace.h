/* pace.h - how long to think about a move: a share of the clock, stretched or cut as the search goes, and what is lost
 * between the clock and the search. All times are in seconds. */
#ifndef BASE_PACE_H
#define BASE_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* What is known of the clock; -1: nothing. */
struct pace_clock {
    double left, increment, move; /* move: this long, whatever the clock says */
    int moves_to_go;              /* 0: not said */
    double overhead;              /* of each move, that the clock counts and the search does not have */
    double delay, mean_delay;     /* of struct pace_delay */
};

/* For one move: hard ends a search; soft is when no new iteration is begun, if all goes as usual. 0: no limit. */
struct pace_budget {
    double soft, hard;
};
struct pace_budget pace_budget(const struct pace_clock *clock);

/* How the search goes, for stretching the soft limit. Begins with zeros. */
struct pace_course {
    uint64_t move;
    int value;
    int steady; /* iterations in a row with the same best move */
    int depth;
};

/* A finished iteration. */
struct pace_iteration {
    uint64_t move;
    int value;
    int depth;
    double effort; /* the share of the nodes that went to the best move; 0: not known */
};

/* Takes in a finished iteration; returns by how much the soft limit is stretched now. */
double pace_stretch(struct pace_course *course, const struct pace_iteration *done);

/* What the machine and whoever keeps the clock have taken from moves before. Begins with zeros. */
struct pace_delay {
    double longest;  /* of one move; forgotten slowly */
    double mean;     /* that moves of late have lost */
    double expected; /* what the clock should say before the next move */
    bool is_expected;
};

/* A move is about to be thought about, and the clock says this. */
void pace_begins(struct pace_delay *delay, double left);

/* It has been: on this clock, within this limit (0: none), in this time. */
void pace_moved(struct pace_delay *delay, const struct pace_clock *clock, double hard, double seconds);

/* The next clock has nothing to do with the last. */
void pace_new_game(struct pace_delay *delay);

#endif

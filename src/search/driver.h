/* driver.h - one search from the first iteration to the last. */
#ifndef SEARCH_DRIVER_H
#define SEARCH_DRIVER_H

#include "search/worker.h"

/* What one iteration found. */
struct iteration {
    mp_value value;
    double standard_error; /* of the value, where games were sampled; else 0 */
    int pv_length;
    mp_move pv[MP_MAX_PV];
};

/* Searches the root to a depth, alone or with others. False: stopped before it was done; *found then has what
 * the selective search has found to be better, if its pv_length is not 0. previous is the iteration before,
 * or null. */
typedef bool iteration_function(void *context, int depth, const struct iteration *previous,
                                struct iteration *found);

/* Runs iterations from first to last depth, or until one has searched the whole tree, and keeps the last
 * finished one in *result (move, value, depth, pv, exact, complete, stopped). When not even the first
 * finishes, the result is what a look at each move says. After each iteration report(report_context) may look
 * at the result, once for each of its lines, the best first. Whatever the result is in the end has been
 * reported, unless it is that look. */
struct driver {
    const struct settings *settings;
    struct control *control;
    int first_depth, last_depth;
    int lines;                /* best moves to find, at least 1 and at most as many as there are */
    struct iteration **found; /* room for this many, and in any order */
    struct root_moves *root;  /* what the workers look at; excluded is for the driver */
    struct worker *first;     /* has the root */
    iteration_function *iterate;
    /* worker_open_ends of all that take part; null: depth is not a number of plies. */
    uint64_t (*open_ends)(void *context);
    void *context;
    void (*report)(void *report_context);
    void *report_context;
};
void driver_run(const struct driver *driver, struct mp_result *result);

/* What a look at each move of the worker's root says, which takes no time to speak of: the value at depth 1,
 * for a search that was stopped before it had found anything. */
void driver_guess(struct worker *worker, struct mp_result *result);

/* Copies the expected line of a worker, and the error of its value, to what an iteration found. */
void driver_take_line(const struct worker *worker, struct iteration *found);

/* The sequential iteration; context is a worker with its root set. */
bool driver_iterate(void *context, int depth, const struct iteration *previous, struct iteration *found);

#endif

/* iteration.h - one iteration of a search: the root, searched to one depth. */
#ifndef SEARCH_ITERATION_H
#define SEARCH_ITERATION_H

#include "search/worker.h"

/* What one iteration found. */
struct iteration {
    mp_value value;
    double standard_error; /* of the value, where games were sampled; else 0 */
    double effort;         /* as in struct mp_result */
    int pv_length;
    mp_move pv[MP_MAX_PV];
};

/* Searches the root to a depth, alone or with others. False: stopped before it was done; *found then has what
 * the selective search has found to be better, if its pv_length is not 0. previous is the iteration before,
 * or null. */
typedef bool iteration_function(void *context, int depth, const struct iteration *previous,
                                struct iteration *found);

/* The sequential iteration, by a worker with its root set. */
bool iteration_run(struct worker *worker, int depth, const struct iteration *previous,
                   struct iteration *found);

/* What a look at each move of the worker's root says, which takes no time to speak of: the value at depth 1,
 * for a search that was stopped before it had found anything. */
void iteration_guess(struct worker *worker, struct mp_result *result);

/* Copies the expected line of a worker, and the error of its value, to what an iteration found. */
void iteration_take_line(const struct worker *worker, struct iteration *found);

#endif

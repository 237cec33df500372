/* perft_plan.h - counts lines of play: the top of the tree is played out, and each different position at its edge is a job.
 * Lines that lead to the same position are counted once and weighed: perft knows no draws, so how a position came about does
 * not matter. The key of a job in the ledger is the job itself, "DEPTH POSITION". */
#ifndef CLUSTER_PERFT_PLAN_H
#define CLUSTER_PERFT_PLAN_H

#include "cluster/farm.h"
#include "cluster/ledger.h"

struct perft_plan;

/* split: so many plies are played out; -1: until there are some thousand jobs. */
struct perft_plan *perft_plan_new(const struct mp_position *position, int depth, int split,
                                  bool drop_finished, struct ledger *ledger, struct mp_error *error);
void perft_plan_free(struct perft_plan *plan);
extern const struct farm_plan perft_farm; /* with the plan as the master */

uint64_t perft_plan_leaves(const struct perft_plan *plan);
void perft_plan_jobs(const struct perft_plan *plan, int *jobs, int *from_ledger);

/* Each rank: does such jobs. */
struct perft_counter {
    const struct mp_game *game;
    int threads;
    bool drop_finished;
};
extern const struct hand_skill perft_skill; /* with that as self */

#endif

/* sample_plan.h - Monte-Carlo search on many machines: a tree, or as many as its scheme grows, on each rank, with random
 * numbers of its own; at intervals each rank tells how often it has visited the moves of the root and with what sum of
 * rewards, and the master adds up what the ranks last told. Rewards are whole numbers, so the order does not matter.
 *
 * A job is "SEED", for all ranks the same: a rank adds its number to it. Its result is "RANK PLACE:VISITS:SUM:LOW:HIGH ...", all
 * that its trees have seen so far. In the ledger it has the key "run N rank R": what a killed run has seen stays, and the
 * next run adds trees with other random numbers to it. */
#ifndef CLUSTER_SAMPLE_PLAN_H
#define CLUSTER_SAMPLE_PLAN_H

#include "cluster/farm.h"
#include "cluster/ledger.h"

struct sample_plan;

/* seconds 0: until there are so many iterations, of which a job makes `slice`. */
struct sample_plan *sample_plan_new(const struct mp_position *position, const struct mp_strategy *strategy,
                                    int ranks, uint64_t iterations, uint64_t slice, double seconds,
                                    struct ledger *ledger, struct mp_error *error);
void sample_plan_free(struct sample_plan *plan);
extern const struct farm_plan sample_farm; /* with the plan as the master */

/* What all trees together say; how many iterations they made, and how many of them are in the ledger from before. False: nothing
 * was seen. */
bool sample_plan_result(struct sample_plan *plan, struct mp_result *result, uint64_t *iterations,
                        uint64_t *from_ledger);

/* Each rank: one interval after the other on the same trees. strategy has the length of an interval as its limit. */
struct sample_hand {
    const struct mp_position *position;
    const struct mp_strategy *strategy;
    int rank;
    _Atomic(struct mp_search *) search; /* null until the first job; the caller frees it */
};
extern const struct hand_skill sample_skill; /* with that as self */

#endif

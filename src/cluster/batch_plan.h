/* batch_plan.h - lines of a file, each the arguments of a `manyply`, run on whichever rank is free: test suites, analyses,
 * harvests, matches and rollouts split this way, and need nothing from each other. A job is the line, and so is its key in
 * the ledger; its result is what was printed, with line ends and tabs written as \n and \t. */
#ifndef CLUSTER_BATCH_PLAN_H
#define CLUSTER_BATCH_PLAN_H

#include "cluster/farm.h"
#include "cluster/ledger.h"

struct batch_plan;

/* What has been printed is written to `out` in the order of the lines. */
struct batch_plan *batch_plan_new(const char *path, struct ledger *ledger, FILE *out, struct mp_error *error);
void batch_plan_free(struct batch_plan *plan);
extern const struct farm_plan batch_farm; /* with the plan as the master */

/* How many lines there were, were done before, and have failed. */
void batch_plan_counts(const struct batch_plan *plan, int *lines, int *from_ledger, int *failed);

extern const struct hand_skill batch_skill; /* each rank, with the path of manyply as self */

#endif

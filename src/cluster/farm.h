/* farm.h - jobs for all ranks: the first rank is the master, which knows what is to be done, and every rank, the first too,
 * has a hand that does it.
 *
 * The master alone decides and alone writes the ledger; ranks know nothing but the command line and the job they have. So a
 * job that is lost with its rank is simply not in the ledger, and is done again by the next run of the same command. A
 * job is on its way (sent and not answered) until its DONE has arrived, whatever was sent to cancel it meanwhile, and
 * each is answered exactly once; a CANCEL or TELL that crosses the answer finds no such job and is dropped. */
#ifndef CLUSTER_FARM_H
#define CLUSTER_FARM_H

#include "cluster/hand.h"
#include "cluster/post.h"

struct farm;

/* What the master does. Null on the other ranks. */
struct farm_plan {
    int jobs_per_rank; /* on their way at once: 2 hide the latency, 1 leaves the choice open for longer */
    /* The next job, with a number of the caller's that no other job on its way has. False: there is none now. */
    bool (*next)(void *master, struct farm *farm, uint64_t *id, char job[CLUSTER_TEXT]);
    /* A job is done, or given up (empty result). False: the sentence says why all must end. */
    bool (*take)(void *master, struct farm *farm, uint64_t id, const char *result, uint64_t nodes,
                 struct mp_error *error);
    bool (*is_done)(void *master);
};

/* What each rank did, for the master. */
struct farm_share {
    int64_t jobs, given_up;
    uint64_t nodes, given_up_nodes;
    double busy_seconds;
};

struct farm_report {
    int ranks;
    double seconds;
    struct farm_share *shares; /* of each rank, on the heap */
};

/* Does all there is to do. False: the sentence says what went wrong on any rank, which ends it on all; only the master gets
 * it. The report may be null on the other ranks. */
bool farm_run(struct post *post, const struct farm_plan *plan, void *master, const struct hand_skill *skill,
              void *self, struct farm_report *report, struct mp_error *error);

/* In next and take: a job on its way is not wanted any more, or its terms have changed. */
void farm_cancel(struct farm *farm, uint64_t id);
void farm_tell(struct farm *farm, uint64_t id, const char *news);

#endif

/* hand.h - the thread of a rank that does its jobs, one after the other, while the main thread talks to the others.
 *
 * MPI is called by the main thread alone (MPI_THREAD_FUNNELED); the two meet here, under one lock. `jobs` are those that were
 * handed over and are not done, the first being the one at work; `done` are results that nobody has fetched.
 *
 * To end or change the job at work, the main thread leaves news and calls `stop` (mp_search_stop of the search that runs)
 * with the lock held, and only while that job is at work. The hand looks at the news with the lock held, too, when a
 * search has ended early; and before it takes the next job it clears, with the lock held, a stop that came too late
 * (`unstop`). So a stop reaches the job that it was meant for or none: it is neither lost nor left for another job. */
#ifndef CLUSTER_HAND_H
#define CLUSTER_HAND_H

#include "manyply/manyply.h"

enum { CLUSTER_TEXT = 32768, HAND_JOBS = 4 };

struct hand;

/* What a rank can do. All but `run` may be called by the main thread while run is under way, and must not wait. */
struct hand_skill {
    /* Does a job; *nodes is what it took. False: it cannot be done, and the sentence says why. An empty result: it was
     * given up. */
    bool (*run)(void *self, struct hand *hand, const char *job, char result[CLUSTER_TEXT], uint64_t *nodes,
                struct mp_error *error);
    void (*stop)(void *self);
    void (*unstop)(void *self);
};

/* A job that is done. */
struct hand_result {
    uint64_t id, nodes;
    double seconds;
    bool is_failed; /* text is the sentence */
    char text[CLUSTER_TEXT];
};

struct hand *hand_new(const struct hand_skill *skill, void *self, struct mp_error *error);
void hand_free(struct hand *hand); /* ends the job at work */

/* The main thread: hands over a job, of which there are never more than HAND_JOBS; says that one is not wanted any more, or
 * that its terms have changed (a job that is done already does not mind); fetches a result, if there is one; waits until
 * there is one, or for so long. */
void hand_give(struct hand *hand, uint64_t id, const char *job);
void hand_cancel(struct hand *hand, uint64_t id);
void hand_tell(struct hand *hand, uint64_t id, const char *news);
bool hand_fetch(struct hand *hand, struct hand_result *result);
void hand_wait(struct hand *hand, int64_t ns);

/* In run: is the job still wanted? *told: there are news, which are moved to `news`. */
bool hand_is_wanted(struct hand *hand, bool *told, char news[CLUSTER_TEXT]);

#endif

/* crew.h - the workers of one search, who share it by a scheme.
 *
 * A search begins alone, on worker 0: for its first 1.5 ms nobody else is woken, and schemes that
 * isolate windows are not begun, so that no scheme loses where it cannot win (eager=on leaves that out).
 * `alone` and what goes with it belong to worker 0; the others are prepared by it before the pool lets them
 * in, and that is when they may read it (pool.h, awake). */
#ifndef PARALLEL_CREW_H
#define PARALLEL_CREW_H

#include "parallel/pool.h"
#include "parallel/scheme.h"

struct crew {
    struct worker *workers; /* worker i runs on thread i of the pool */
    struct pool *pool;
    int threads;
    const struct scheme *scheme;
    struct scheme_options options;
    struct trace *trace; /* null: nobody follows */
    void *scheme_data;   /* data_size bytes of the scheme's own, zero at first */

    const void *root; /* of this run */
    const struct mp_history *history;
    int depth;  /* of this iteration */
    bool alone; /* the others have not been let in yet */
    int64_t alone_until_ns;
};

/* Workers and pool for a crew whose scheme, options and (wanted) threads are set and all else is zero. On an
 * error crew_free takes back what there is. */
bool crew_init(struct crew *crew, const struct mp_game *game, const struct settings *settings,
               struct control *control, struct table *table, struct mp_error *error);
void crew_free(struct crew *crew);

/* Empties a table, on all threads at once. */
void crew_clear_table(struct crew *crew, struct table *table);

/* Empties the scheme's own data. */
void crew_clear_notes(struct crew *crew);

/* Before each run. root and history stay where they are until it is over. */
bool crew_begin(struct crew *crew, const void *root, const struct mp_history *history,
                struct mp_error *error);

/* The time for a thread of the crew: virtual where it is simulated. */
int64_t crew_ns(const struct crew *crew, int thread);

/* An iteration_function: alone, or by the scheme. */
iteration_function crew_iterate;

/* What all workers together have left open (worker_open_ends). */
uint64_t crew_open_ends(const struct crew *crew);

/* Prepares the other workers and lets them in, if there are any. */
void crew_wake(struct crew *crew);

/* Runs a job at the top of a search, on all threads or on the only one. */
void crew_run(struct crew *crew, struct job *job);

/* For hooks, whose worker->scheme is the crew: the worker's thread, and whether its work still matters. */
int crew_thread(const struct worker *worker);
bool crew_cancelled(struct worker *worker);

/* Runs a job whose helpers join the worker at a ply. Meanwhile the worker leaves its line up to there
 * alone. */
void crew_split(struct worker *worker, int ply, struct job *job);

/* The task that this worker is running has been given up. */
void crew_discard(const struct worker *worker);

/* Its window, and what it found; for those who follow the search. */
void crew_tell(const struct worker *worker, mp_value alpha, mp_value beta, mp_value value);

/* Who follows from now on, or null. Between runs. */
void crew_follow(struct crew *crew, struct trace *trace);

/* The worker begins a task of a job, or goes on with it after a job inside (null: at the top). What stopped
 * it elsewhere stops it no longer: a helper that left a cancelled job would else give up the next task, which
 * nobody takes again. */
void crew_resume(struct worker *worker, const struct job *job);

#endif

/* pool.h - threads that steal work from each other, and sleep when there is none.
 *
 * Work is a job: a number of tasks, taken one by one from a shared counter. Whoever opens a job works on it
 * and returns when it is done; meanwhile idle threads join in. A task may open jobs of its own (nested
 * splits). Jobs live on the stack of their owner, so nothing is allocated for them.
 *
 * Each thread has a stack of the jobs it has opened. It works on the newest; thieves take from the oldest,
 * which is the largest. A thread that has run out of tasks of its own job, but whose helpers are still busy,
 * helps too, but only with jobs that were opened inside its own (below it in the tree), never with one above.
 *
 * No deadlock. A thread waits in one place only: for the helpers inside a job it owns. Each of them is
 * running a task of that job, and if it waits in turn, it waits inside a job that was opened by that task. So
 * a waits-for chain goes down the tree of jobs and cannot come back; the thread at its end is not waiting but
 * working. Helping does not change that: what a waiting thread helps with is itself below the job it waits
 * for.
 *
 * No lost wake-up. `epoch` changes whenever there may be something to do: a job is opened, the last helper
 * leaves a job, the pool ends. A thread reads epoch, finds nothing to do, announces itself in `sleepers`,
 * takes the lock, and waits only if epoch is still what it read. Whoever changes epoch does so before reading
 * sleepers; both are sequentially consistent, so one of the two sees the other: either the sleeper sees the
 * new epoch and does not wait, or the other sees the sleeper and signals under the lock, when it either waits
 * already or has yet to look at epoch.
 *
 * Memory order. A stack of jobs is guarded by a lock, which a thief holds while it enters a job (helpers + 1)
 * and the owner while it takes the job off: after that nobody can enter, and what the owner wrote before
 * opening the job is seen by the thief. Leaving (helpers - 1) releases, and the owner's wait acquires, so
 * that the owner sees all that helpers did. `next` needs no order: it hands out numbers. `cancelled` needs
 * none: it carries no data, and who sees it late only stops late. */
#ifndef PARALLEL_POOL_H
#define PARALLEL_POOL_H

#include <stdatomic.h>
#include <stdbool.h>

struct job {
    /* Runs task 0 .. count-1 on a thread, 0 .. threads-1 of the pool. */
    void (*run)(struct job *job, int thread, int task);
    int count;

    struct job *parent; /* the job whose task opened this one; null at the top */
    atomic_int next;    /* the first task that nobody has taken */
    atomic_int helpers; /* threads inside, the owner not counted */
    atomic_bool cancelled;
};

struct pool;

/* What each thread did since the last reset, for counters. Read and reset it when no job is open. */
struct pool_stats {
    unsigned long long tasks_local, tasks_stolen, tasks_cancelled;
    double helping_seconds; /* inside jobs of others, when it had none of its own */
    double waiting_seconds; /* of that, or of its own time, waiting for helpers */
};

/* A pool of so many threads: the caller's, which is thread 0, and others that sleep until there is work. Null
 * when there is no memory; with fewer threads than asked for when the system has no more. */
struct pool *pool_new(int threads);
void pool_free(struct pool *pool);
int pool_threads(const struct pool *pool);

/* Runs a job whose run and count are set, on the thread that calls. Returns when every task has been run, or
 * the job was cancelled and nobody is inside any more. */
void pool_run(struct pool *pool, int thread, struct job *job);

/* The job whose task a thread is running; null if none. For that thread only. */
const struct job *pool_current(const struct pool *pool, int thread);

/* Nobody takes tasks of the job any more, and whoever runs one should return soon. */
void job_cancel(struct job *job);

/* Is this job cancelled, or one that it is part of? job may be null. */
bool job_is_cancelled(const struct job *job);

void pool_reset_stats(struct pool *pool);
struct pool_stats pool_stats(const struct pool *pool, int thread);

#endif

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
 * At rest (pool_rest) jobs can be opened, but nobody is woken and nobody helps: a search too short to share
 * pays for no other thread. pool_wake lets the others in, also into jobs that are open already.
 *
 * On a virtual machine (pool_options, virtual_machine.h) the threads are virtual: one at a time runs, in the order of their
 * clocks. What happens is then the same every time, as long as no clock of the wall takes part.
 *
 * No deadlock. A thread waits in one place only: for the helpers inside a job it owns. Each of them is
 * running a task of that job, and if it waits in turn, it waits inside a job that was opened by that task. So
 * a waits-for chain goes down the tree of jobs and cannot come back; the thread at its end is not waiting but
 * working. Helping does not change that: what a waiting thread helps with is itself below the job it waits
 * for.
 *
 * No lost wake-up. `epoch` changes whenever there may be something to do: a job is opened in a pool that is
 * awake, the pool is woken, the last helper leaves a job, the pool ends. A thread reads epoch, finds nothing
 * to do, announces itself in `sleepers`, takes the lock, and waits only if epoch is still what it read.
 * Whoever changes epoch does so before reading sleepers; both are sequentially consistent, so one of the two
 * sees the other: either the sleeper sees the new epoch and does not wait, or the other sees the sleeper and
 * signals under the lock, when it either waits already or has yet to look at epoch.
 *
 * Memory order. A stack of jobs is guarded by a lock, which a thief holds while it enters a job (helpers + 1)
 * and the owner while it takes the job off: after that nobody can enter, and what the owner wrote before
 * opening the job is seen by the thief. Waking releases and helping acquires `awake`, so that helpers see
 * what was prepared for them before; it is read under the lock of the stack, so who finds a job opened at
 * rest also sees that the pool rests. Leaving (helpers - 1) releases, and the owner's wait acquires, so that
 * the owner sees all that helpers did. `next` needs no order: it hands out numbers. `cancelled` needs none:
 * it carries no data, and who sees it late only stops late. */
#ifndef PARALLEL_POOL_H
#define PARALLEL_POOL_H

#include "parallel/trace.h"
#include "parallel/virtual_machine.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct job {
    /* Runs task 0 .. count-1 on a thread, 0 .. threads-1 of the pool. */
    void (*run)(struct job *job, int thread, int task);
    int count;
    struct place place;   /* for the trace */
    struct bounds bounds; /* the same: the window when the job is opened, the value when it is done */
    uint64_t piece;       /* the number of the job there, set by pool_run */

    struct job *parent; /* the job whose task opened this one; null at the top */
    atomic_int next;    /* the first task that nobody has taken */
    atomic_int helpers; /* threads inside, the owner not counted */
    atomic_bool cancelled;
};

struct pool;

/* What each thread did since the last reset, for counters. Read and reset it when no job is open. Every task
 * that was created has been run by its owner or by a thief, or was given up before or while it was run. */
struct pool_stats {
    uint64_t tasks_created, tasks_local, tasks_stolen, tasks_cancelled;
    uint64_t wasted_nodes;  /* visited by tasks that were given up */
    double helping_seconds; /* inside jobs of others, when it had none of its own */
    double waiting_seconds; /* of that, or of its own time, waiting for helpers */
};

struct pool_options {
    int threads;
    const struct costs *costs; /* not null: on a virtual machine */
    bool simulated; /* all times are those of its clocks; else, as without, those of the clock on the wall */
    bool pin; /* every thread but the caller's stays on a CPU of its own, another core for each if possible */
};

/* A pool of this many threads: the caller's, which is thread 0, and others that sleep until there is work.
 * Null when there is no memory; with fewer threads than asked for when the system has no more. */
struct pool *pool_new(int threads);
struct pool *pool_new_with(struct pool_options options);
void pool_free(struct pool *pool);
int pool_threads(const struct pool *pool);

/* Runs a job whose run and count are set, on the thread that calls. Returns when every task has been run, or
 * the job was cancelled and nobody is inside any more. */
void pool_run(struct pool *pool, int thread, struct job *job);

void pool_rest(struct pool *pool); /* when no job is open */
void pool_wake(struct pool *pool); /* on any thread that runs a task */

/* On a virtual machine those behind catch up before this thread touches what they see, or now and then while it
 * works; elsewhere, and without a pool, nothing. */
void pool_sync(struct pool *pool, int thread);
void pool_poll(struct pool *pool, int thread);

/* The time for this thread: of its virtual clock where that counts, else of the clock on the wall. */
int64_t pool_ns(const struct pool *pool, int thread);

/* Null: the threads are real ones. */
struct machine *pool_machine(const struct pool *pool);

/* A lock between threads of a pool, which must not be held while anything else is asked of the pool. */
struct pool_lock {
    pthread_mutex_t mutex;
    struct machine_lock seen;
};
void pool_lock_init(struct pool_lock *lock);
void pool_lock_free(struct pool_lock *lock);
void pool_lock(struct pool *pool, int thread, struct pool_lock *lock);
void pool_unlock(struct pool_lock *lock);

/* For threads that wait for each other inside a job, and are to be quick about it: who has found nothing since it read
 * the epoch pauses, and who has done something that another may wait for gives notice. Real threads look again
 * at once and need no notice; polls counts how often, from 0 on. One thread alone, which never has to pause, may do without
 * a pool. */
uint64_t pool_epoch(const struct pool *pool);
void pool_pause(struct pool *pool, int thread, uint64_t epoch, int *polls);
void pool_notify(struct pool *pool, int thread);

/* The task that this thread is running has been given up, its nodes were visited in vain. */
void pool_discard(struct pool *pool, int thread);

/* The task that this thread is running had this window and found this; for the trace. At the end of the task. */
void pool_tell(struct pool *pool, int thread, struct bounds bounds);

/* Where a thread counts its nodes, and who wants to know what threads do (null: nobody). When no job is
 * open. */
void pool_set_gauge(struct pool *pool, int thread, const uint64_t *nodes);
void pool_set_trace(struct pool *pool, struct trace *trace);

/* The job whose task a thread is running; null if none. For that thread only. */
const struct job *pool_current(const struct pool *pool, int thread);

/* Nobody takes tasks of the job any more, and whoever runs one should return soon. */
void job_cancel(struct job *job);

/* Is this job cancelled, or one that it is part of? job may be null. */
bool job_is_cancelled(const struct job *job);

void pool_reset_stats(struct pool *pool);
struct pool_stats pool_stats(const struct pool *pool, int thread);

#endif

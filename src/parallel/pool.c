/* pool.c - the threads of the pool: opening jobs, stealing tasks, and sleeping. */
#define _GNU_SOURCE
#include "parallel/pool.h"

#include "base/clock.h"
#include "base/cpus.h"
#include "base/thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

/* Deeper nesting than this is run by its owner alone. */
enum { MOST_OPEN = 64 };

/* How often a thread polls for work before it sleeps. */
enum { POLLS = 200 };

struct member {
    _Alignas(64) struct pool_lock lock; /* guards open, and who changes open_count */
    struct job *open[MOST_OPEN];        /* oldest first */
    atomic_int open_count; /* who sees 0 without the lock need not take it: pool.h, no lost wake-up */
    struct job *current;   /* this thread only */
    bool discarded;        /* this thread only: the task that it is running */
    struct bounds told;    /* the same */
    const uint64_t *nodes;
    struct pool *pool;
    pthread_t thread;
    struct pool_stats stats; /* this thread only, until the pool is quiet */
};

struct pool {
    int threads;             /* members that can have jobs */
    int started;             /* of which this many have a thread, the caller's included */
    bool ending;             /* guarded by sleep */
    struct machine *machine; /* null: the threads are real ones */
    bool simulated;          /* and its clocks count, not that of the wall */
    atomic_bool awake;
    struct trace *trace;
    pthread_mutex_t sleep;
    pthread_cond_t wake;
    _Atomic uint64_t epoch;
    atomic_int sleepers;
    struct member *members;
};

bool job_is_cancelled(const struct job *job)
{
    for (; job; job = job->parent)
        if (atomic_load_explicit(&job->cancelled, memory_order_relaxed))
            return true;
    return false;
}

void job_cancel(struct job *job)
{
    atomic_store_explicit(&job->cancelled, true, memory_order_relaxed);
}

static bool has_tasks(const struct job *job)
{
    return atomic_load_explicit(&job->next, memory_order_relaxed) < job->count && !job_is_cancelled(job);
}

static bool is_below(const struct job *job, const struct job *above)
{
    while (job && job != above)
        job = job->parent;
    return job == above;
}

int64_t pool_ns(const struct pool *pool, int thread)
{
    return pool->simulated ? machine_ns(pool->machine, thread) : clock_ns();
}

void pool_sync(struct pool *pool, int thread)
{
    if (pool && pool->machine)
        machine_sync(pool->machine, thread);
}

void pool_poll(struct pool *pool, int thread)
{
    if (pool->machine)
        machine_poll(pool->machine, thread);
}

/* ---- Locks ----------------------------------------------------------------------------------------- */

void pool_lock_init(struct pool_lock *lock)
{
    *lock = (struct pool_lock){0};
    pthread_mutex_init(&lock->mutex, NULL);
}

void pool_lock_free(struct pool_lock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}

void pool_lock(struct pool *pool, int thread, struct pool_lock *lock)
{
    if (pool->machine)
        machine_lock(pool->machine, thread, &lock->seen);
    pthread_mutex_lock(&lock->mutex);
}

void pool_unlock(struct pool_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

/* ---- Sleeping -------------------------------------------------------------------------------------- */

/* Something has changed that a sleeper may wait for. */
static void announce(struct pool *pool)
{
    atomic_fetch_add(&pool->epoch, 1);
    if (pool->machine)
        machine_wake(pool->machine);
    if (atomic_load(&pool->sleepers) == 0)
        return;
    pthread_mutex_lock(&pool->sleep);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->sleep);
}

static void sleep_unless_changed(struct pool *pool, uint64_t epoch)
{
    atomic_fetch_add(&pool->sleepers, 1);
    pthread_mutex_lock(&pool->sleep);
    if (atomic_load(&pool->epoch) == epoch && !pool->ending)
        pthread_cond_wait(&pool->wake, &pool->sleep);
    pthread_mutex_unlock(&pool->sleep);
    atomic_fetch_sub(&pool->sleepers, 1);
}

/* Nothing has been found to do since epoch was read, polls times in a row. */
static void idle(struct pool *pool, int thread, uint64_t epoch, int *polls)
{
    if (pool->machine) {
        if (atomic_load(&pool->epoch) == epoch)
            machine_wait(pool->machine, thread);
    } else if (++*polls < POLLS) {
        sched_yield();
    } else {
        sleep_unless_changed(pool, epoch);
    }
}

uint64_t pool_epoch(const struct pool *pool)
{
    return pool ? atomic_load(&pool->epoch) : 0;
}

void pool_pause(struct pool *pool, int thread, uint64_t epoch, int *polls)
{
    enum { BETWEEN_YIELDS = 256 };
    if (pool->machine)
        idle(pool, thread, epoch, polls);
    else if (++*polls % BETWEEN_YIELDS == 0)
        sched_yield();
}

void pool_notify(struct pool *pool, int thread)
{
    if (!pool || !pool->machine)
        return;
    machine_sync(pool->machine, thread);
    announce(pool);
}

void pool_rest(struct pool *pool)
{
    atomic_store_explicit(&pool->awake, false, memory_order_relaxed);
}

void pool_wake(struct pool *pool)
{
    atomic_store_explicit(&pool->awake, true, memory_order_release);
    announce(pool);
}

void pool_discard(struct pool *pool, int thread)
{
    pool->members[thread].discarded = true;
}

void pool_tell(struct pool *pool, int thread, struct bounds bounds)
{
    pool->members[thread].told = bounds;
}

static uint64_t nodes_of(const struct member *member)
{
    return member->nodes ? *member->nodes : 0;
}

static void run_task(struct pool *pool, int thread, struct job *job, int task, bool own)
{
    struct member *member = &pool->members[thread];
    struct pool_stats *stats = &member->stats;
    struct trace *trace = trace_wants(pool->trace, thread, &job->place) ? pool->trace : NULL;
    uint64_t nodes = nodes_of(member), wasted = stats->wasted_nodes;
    int64_t start = trace ? pool_ns(pool, thread) : 0;
    uint64_t id = 0, outer = 0;
    if (trace) {
        id = trace_enter(trace, thread, &outer);
        trace_begin(trace, thread, own ? MP_SEARCHING : MP_HELPING, start, &job->place, task);
    }
    member->told = (struct bounds){0};
    member->discarded = false;
    job->run(job, thread, task);
    bool discarded = member->discarded;
    const struct bounds told = member->told;
    member->discarded = false;
    member->told = (struct bounds){0};
    uint64_t visited = nodes_of(member) - nodes;
    if (discarded) {
        stats->tasks_cancelled++;
        stats->wasted_nodes = wasted + visited; /* tasks inside this one are part of it */
    } else if (own) {
        stats->tasks_local++;
    } else {
        stats->tasks_stolen++;
    }
    if (!trace)
        return;
    trace_leave(trace, thread, outer);
    trace_end(trace, thread,
              (struct slice){.start_ns = start,
                             .end_ns = pool_ns(pool, thread),
                             .id = id,
                             .parent = job->piece,
                             .nodes = visited,
                             .bounds = told,
                             .kind = own ? SLICE_TASK : SLICE_STOLEN,
                             .aborted = discarded},
              &job->place, task);
}

/* Takes tasks of a job until there are none. */
static void take_tasks(struct pool *pool, int thread, struct job *job, bool own)
{
    struct member *member = &pool->members[thread];
    struct job *outer = member->current;
    member->current = job;
    for (;;) {
        pool_sync(pool, thread);
        if (job_is_cancelled(job))
            break;
        int task = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (task >= job->count)
            break;
        run_task(pool, thread, job, task, own);
    }
    member->current = outer;
}

/* Enters the oldest job of a victim that has tasks left, below a given one if that is not null. That the pool
 * is awake is asked under the lock: a thief that was held up since it asked before may find a job that was
 * opened after the pool had gone to rest. */
static struct job *enter_job(struct pool *pool, int thread, struct member *victim, const struct job *above)
{
    struct job *found = NULL;
    if (atomic_load_explicit(&victim->open_count, memory_order_relaxed) == 0)
        return NULL;
    pool_lock(pool, thread, &victim->lock);
    bool awake = atomic_load_explicit(&pool->awake, memory_order_acquire);
    int count = atomic_load_explicit(&victim->open_count, memory_order_relaxed);
    for (int i = 0; awake && i < count && !found; i++)
        if (has_tasks(victim->open[i]) && (!above || is_below(victim->open[i], above)))
            found = victim->open[i];
    if (found)
        atomic_fetch_add_explicit(&found->helpers, 1, memory_order_relaxed);
    pool_unlock(&victim->lock);
    return found;
}

/* Helps with a job that has been entered, and leaves it. */
static void help_with(struct pool *pool, int thread, struct job *job)
{
    struct member *member = &pool->members[thread];
    uint64_t nodes = nodes_of(member);
    int64_t start = pool_ns(pool, thread);
    uint64_t id = 0, outer = 0;
    if (pool->trace)
        id = trace_enter(pool->trace, thread, &outer);
    take_tasks(pool, thread, job, false);
    int64_t end = pool_ns(pool, thread);
    /* Inside another job the time is counted there. All counting ends before the owner may read it. */
    if (!member->current)
        member->stats.helping_seconds += (double)(end - start) * 1e-9;
    if (pool->trace) {
        trace_leave(pool->trace, thread, outer);
        trace_end(pool->trace, thread,
                  (struct slice){.start_ns = start,
                                 .end_ns = end,
                                 .id = id,
                                 .parent = job->piece,
                                 .nodes = nodes_of(member) - nodes,
                                 .kind = SLICE_HELP,
                                 .outermost = !member->current},
                  &job->place, -1);
        trace_begin(pool->trace, thread, member->current ? MP_WAITING : MP_RESTING, end, NULL, 0);
    }
    pool_sync(pool, thread);
    if (atomic_fetch_sub_explicit(&job->helpers, 1, memory_order_release) == 1)
        announce(pool);
}

/* Helps somebody. False: there is nothing to help with. */
static bool help(struct pool *pool, int thread, const struct job *above)
{
    if (!atomic_load_explicit(&pool->awake, memory_order_acquire))
        return false;
    for (int i = 1; i < pool->threads; i++) {
        struct job *job = enter_job(pool, thread, &pool->members[(thread + i) % pool->threads], above);
        if (job) {
            if (pool->machine)
                machine_spend(pool->machine, thread, TIME_STEAL);
            help_with(pool, thread, job);
            return true;
        }
    }
    return false;
}

/* Helps below a job until its helpers have left. */
static void wait_for_helpers(struct pool *pool, int thread, struct job *job)
{
    struct member *member = &pool->members[thread];
    if (atomic_load_explicit(&job->helpers, memory_order_acquire) == 0)
        return;
    int64_t start = pool_ns(pool, thread), helped_ns = 0;
    uint64_t id = 0, outer = 0;
    if (pool->trace) {
        id = trace_enter(pool->trace, thread, &outer);
        trace_begin(pool->trace, thread, MP_WAITING, start, &job->place, job->count - 1);
    }
    for (int polls = 0;;) {
        uint64_t epoch = atomic_load(&pool->epoch);
        int64_t began = pool_ns(pool, thread);
        pool_sync(pool, thread);
        if (atomic_load_explicit(&job->helpers, memory_order_acquire) == 0)
            break;
        if (help(pool, thread, job)) {
            helped_ns += pool_ns(pool, thread) - began;
            polls = 0;
        } else if (atomic_load_explicit(&job->helpers, memory_order_acquire) > 0) {
            idle(pool, thread, epoch, &polls);
        }
    }
    int64_t end = pool_ns(pool, thread);
    member->stats.waiting_seconds += (double)(end - start - helped_ns) * 1e-9;
    if (!pool->trace)
        return;
    trace_leave(pool->trace, thread, outer);
    trace_end(
        pool->trace, thread,
        (struct slice){.start_ns = start, .end_ns = end, .id = id, .parent = job->piece, .kind = SLICE_WAIT},
        &job->place, -1);
}

static bool open_job(struct pool *pool, int thread, struct job *job)
{
    struct member *member = &pool->members[thread];
    pool_lock(pool, thread, &member->lock);
    int count = atomic_load_explicit(&member->open_count, memory_order_relaxed);
    if (count < MOST_OPEN) {
        member->open[count] = job;
        atomic_store_explicit(&member->open_count, count + 1, memory_order_relaxed);
    }
    pool_unlock(&member->lock);
    if (count < MOST_OPEN && atomic_load_explicit(&pool->awake, memory_order_relaxed))
        announce(pool);
    return count < MOST_OPEN;
}

static void close_job(struct pool *pool, int thread)
{
    struct member *member = &pool->members[thread];
    pool_lock(pool, thread, &member->lock);
    atomic_fetch_sub_explicit(&member->open_count, 1, memory_order_relaxed);
    pool_unlock(&member->lock);
}

void pool_run(struct pool *pool, int thread, struct job *job)
{
    struct member *member = &pool->members[thread];
    job->parent = member->current;
    atomic_init(&job->next, 0);
    atomic_init(&job->helpers, 0);
    atomic_init(&job->cancelled, false);
    uint64_t nodes = nodes_of(member);
    struct trace *trace = trace_wants(pool->trace, thread, &job->place) ? pool->trace : NULL;
    int64_t start = trace ? pool_ns(pool, thread) : 0;
    uint64_t outer = trace_piece(pool->trace, thread);
    job->piece = trace ? trace_enter(trace, thread, &outer) : outer;
    bool shared = pool->threads > 1 && job->count > 1 && open_job(pool, thread, job);
    take_tasks(pool, thread, job, true);
    if (shared) {
        close_job(pool, thread);
        wait_for_helpers(pool, thread, job);
    }
    int begun = atomic_load_explicit(&job->next, memory_order_relaxed);
    member->stats.tasks_created += (uint64_t)job->count;
    member->stats.tasks_cancelled += begun < job->count ? (uint64_t)(job->count - begun) : 0;
    if (!trace)
        return;
    trace_leave(trace, thread, outer);
    trace_end(trace, thread,
              (struct slice){.start_ns = start,
                             .end_ns = pool_ns(pool, thread),
                             .id = job->piece,
                             .parent = outer,
                             .nodes = nodes_of(member) - nodes,
                             .bounds = job->bounds,
                             .kind = SLICE_SPLIT,
                             .aborted = job_is_cancelled(job->parent)},
              &job->place, -1);
}

const struct job *pool_current(const struct pool *pool, int thread)
{
    return pool->members[thread].current;
}

static bool is_ending(struct pool *pool)
{
    pthread_mutex_lock(&pool->sleep);
    bool ending = pool->ending;
    pthread_mutex_unlock(&pool->sleep);
    return ending;
}

static void live(struct pool *pool, int thread)
{
    for (int polls = 0;;) {
        uint64_t epoch = atomic_load(&pool->epoch);
        pool_sync(pool, thread);
        if (help(pool, thread, NULL))
            polls = 0;
        else if (is_ending(pool))
            return;
        else
            idle(pool, thread, epoch, &polls);
    }
}

static void *live_really(void *argument)
{
    struct member *member = argument;
    live(member->pool, (int)(member - member->pool->members));
    return NULL;
}

/* Ends with its machine. */
static void live_virtually(void *pool, int thread)
{
    live(pool, thread);
}

/* A CPU for each thread that is not the caller's. Where that fails the system decides, as without. */
static void pin_threads(const struct pool *pool)
{
    int cpus[CPU_SETSIZE];
    int count = cpus_by_core(cpus, CPU_SETSIZE);
    for (int i = 1; i < pool->started && count > 0; i++) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET((size_t)cpus[i % count], &set);
        pthread_setaffinity_np(pool->members[i].thread, sizeof set, &set);
    }
}

struct pool *pool_new(int threads)
{
    return pool_new_with((struct pool_options){.threads = threads});
}

struct pool *pool_new_with(struct pool_options options)
{
    int threads = options.threads;
    struct pool *pool = calloc(1, sizeof *pool);
    struct member *members = aligned_alloc(64, (size_t)threads * sizeof *members);
    if (!pool || !members) {
        free(pool);
        free(members);
        return NULL;
    }
    pthread_mutex_init(&pool->sleep, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pool->members = members;
    atomic_init(&pool->awake, true);
    for (int i = 0; i < threads; i++) {
        members[i] = (struct member){.pool = pool};
        pool_lock_init(&members[i].lock);
    }
    /* Thieves look at all members up to threads, so it is set before the first of them lives. */
    pool->threads = threads;
    if (options.costs && !(pool->machine = machine_new(threads, options.costs, live_virtually, pool))) {
        pool_free(pool);
        return NULL;
    }
    pool->simulated = options.simulated;
    int started = pool->machine ? machine_threads(pool->machine) : 1;
    while (!pool->machine && started < threads &&
           thread_start(&members[started].thread, live_really, &members[started]))
        started++;
    pthread_mutex_lock(&pool->sleep);
    pool->started = started;
    pthread_mutex_unlock(&pool->sleep);
    if (options.pin && !pool->machine)
        pin_threads(pool);
    return pool;
}

void pool_free(struct pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->sleep);
    pool->ending = true;
    atomic_fetch_add(&pool->epoch, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->sleep);
    for (int i = 1; !pool->machine && i < pool->started; i++)
        pthread_join(pool->members[i].thread, NULL);
    machine_free(pool->machine);
    for (int i = 0; i < pool->threads; i++)
        pool_lock_free(&pool->members[i].lock);
    pthread_mutex_destroy(&pool->sleep);
    pthread_cond_destroy(&pool->wake);
    free(pool->members);
    free(pool);
}

int pool_threads(const struct pool *pool)
{
    return pool->started;
}

void pool_reset_stats(struct pool *pool)
{
    for (int i = 0; i < pool->threads; i++)
        pool->members[i].stats = (struct pool_stats){0};
    if (pool->machine)
        machine_reset(pool->machine);
}

void pool_set_gauge(struct pool *pool, int thread, const uint64_t *nodes)
{
    pool->members[thread].nodes = nodes;
    if (pool->machine)
        machine_set_gauge(pool->machine, thread, nodes);
}

struct machine *pool_machine(const struct pool *pool)
{
    return pool->machine;
}

void pool_set_trace(struct pool *pool, struct trace *trace)
{
    pool->trace = trace;
}

struct pool_stats pool_stats(const struct pool *pool, int thread)
{
    return pool->members[thread].stats;
}

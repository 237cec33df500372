/* pool.c - the threads of the pool: opening jobs, stealing tasks, sleeping, and taking turns. */
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
    _Alignas(64) pthread_mutex_t lock; /* guards open and open_count */
    struct job *open[MOST_OPEN];       /* oldest first */
    int open_count;
    struct job *current; /* this thread only */
    bool discarded;      /* this thread only: the task that it is running */
    const uint64_t *nodes;
    struct pool *pool;
    pthread_t thread;
    struct pool_stats stats; /* this thread only, until the pool is quiet */
};

struct pool {
    int threads; /* members that can have jobs */
    int started; /* of which this many have a thread, the caller's included */
    bool turns;
    int turn;    /* whose, guarded by sleep */
    bool ending; /* guarded by sleep */
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

/* Something has changed that a sleeper may wait for. */
static void announce(struct pool *pool)
{
    atomic_fetch_add(&pool->epoch, 1);
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

/* Returns when it is this thread's turn, or the pool ends. */
static void await_turn(struct pool *pool, int thread)
{
    pthread_mutex_lock(&pool->sleep);
    while (pool->turn != thread && !pool->ending)
        pthread_cond_wait(&pool->wake, &pool->sleep);
    pthread_mutex_unlock(&pool->sleep);
}

static void pass_turn(struct pool *pool, int thread)
{
    pthread_mutex_lock(&pool->sleep);
    pool->turn = (thread + 1) % pool->started;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->sleep);
    await_turn(pool, thread);
}

void pool_turn(struct pool *pool, int thread)
{
    if (pool->turns && pool->started > 1 && atomic_load_explicit(&pool->awake, memory_order_relaxed))
        pass_turn(pool, thread);
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
    int64_t start = trace ? clock_ns() : 0;
    if (trace)
        trace_begin(trace, thread, own ? MP_SEARCHING : MP_HELPING, &job->place, task);
    member->discarded = false;
    job->run(job, thread, task);
    bool discarded = member->discarded;
    member->discarded = false;
    uint64_t visited = nodes_of(member) - nodes;
    if (discarded) {
        stats->tasks_cancelled++;
        stats->wasted_nodes = wasted + visited; /* tasks inside this one are part of it */
    } else if (own) {
        stats->tasks_local++;
    } else {
        stats->tasks_stolen++;
    }
    if (trace)
        trace_end(trace, thread,
                  (struct slice){.start_ns = start,
                                 .end_ns = clock_ns(),
                                 .nodes = visited,
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
    while (!job_is_cancelled(job)) {
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
static struct job *enter_job(struct member *victim, const struct job *above)
{
    struct job *found = NULL;
    pthread_mutex_lock(&victim->lock);
    bool awake = atomic_load_explicit(&victim->pool->awake, memory_order_acquire);
    for (int i = 0; awake && i < victim->open_count && !found; i++)
        if (has_tasks(victim->open[i]) && (!above || is_below(victim->open[i], above)))
            found = victim->open[i];
    if (found)
        atomic_fetch_add_explicit(&found->helpers, 1, memory_order_relaxed);
    pthread_mutex_unlock(&victim->lock);
    return found;
}

/* Helps with a job that has been entered, and leaves it. */
static void help_with(struct pool *pool, int thread, struct job *job)
{
    struct member *member = &pool->members[thread];
    uint64_t nodes = nodes_of(member);
    int64_t start = clock_ns();
    take_tasks(pool, thread, job, false);
    int64_t end = clock_ns();
    /* Inside another job the time is counted there. All counting ends before the owner may read it. */
    if (!member->current)
        member->stats.helping_seconds += (double)(end - start) * 1e-9;
    if (pool->trace) {
        trace_end(pool->trace, thread,
                  (struct slice){.start_ns = start,
                                 .end_ns = end,
                                 .nodes = nodes_of(member) - nodes,
                                 .kind = SLICE_HELP,
                                 .outermost = !member->current},
                  &job->place, -1);
        trace_begin(pool->trace, thread, member->current ? MP_WAITING : MP_RESTING, NULL, 0);
    }
    if (atomic_fetch_sub_explicit(&job->helpers, 1, memory_order_release) == 1)
        announce(pool);
}

/* Helps somebody. False: there is nothing to help with. */
static bool help(struct pool *pool, int thread, const struct job *above)
{
    if (!atomic_load_explicit(&pool->awake, memory_order_acquire))
        return false;
    for (int i = 1; i < pool->threads; i++) {
        struct job *job = enter_job(&pool->members[(thread + i) % pool->threads], above);
        if (job) {
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
    int64_t start = clock_ns();
    double helped = 0;
    if (pool->trace)
        trace_begin(pool->trace, thread, MP_WAITING, &job->place, job->count - 1);
    for (int polls = 0; atomic_load_explicit(&job->helpers, memory_order_acquire) > 0;) {
        uint64_t epoch = atomic_load(&pool->epoch);
        int64_t began = clock_ns();
        if (help(pool, thread, job)) {
            helped += clock_seconds_since(began);
            polls = 0;
        } else if (pool->turns) {
            pass_turn(pool, thread);
        } else if (++polls < POLLS) {
            sched_yield();
        } else if (atomic_load_explicit(&job->helpers, memory_order_acquire) > 0) {
            sleep_unless_changed(pool, epoch);
        }
    }
    int64_t end = clock_ns();
    member->stats.waiting_seconds += (double)(end - start) * 1e-9 - helped;
    if (pool->trace)
        trace_end(pool->trace, thread, (struct slice){.start_ns = start, .end_ns = end, .kind = SLICE_WAIT},
                  &job->place, -1);
}

static bool open_job(struct pool *pool, int thread, struct job *job)
{
    struct member *member = &pool->members[thread];
    pthread_mutex_lock(&member->lock);
    bool opened = member->open_count < MOST_OPEN;
    if (opened)
        member->open[member->open_count++] = job;
    pthread_mutex_unlock(&member->lock);
    if (opened && atomic_load_explicit(&pool->awake, memory_order_relaxed))
        announce(pool);
    return opened;
}

static void close_job(struct pool *pool, int thread)
{
    struct member *member = &pool->members[thread];
    pthread_mutex_lock(&member->lock);
    member->open_count--;
    pthread_mutex_unlock(&member->lock);
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
    int64_t start = trace ? clock_ns() : 0;
    bool shared = pool->threads > 1 && job->count > 1 && open_job(pool, thread, job);
    take_tasks(pool, thread, job, true);
    if (shared) {
        close_job(pool, thread);
        wait_for_helpers(pool, thread, job);
    }
    int begun = atomic_load_explicit(&job->next, memory_order_relaxed);
    member->stats.tasks_created += (uint64_t)job->count;
    member->stats.tasks_cancelled += begun < job->count ? (uint64_t)(job->count - begun) : 0;
    if (trace)
        trace_end(trace, thread,
                  (struct slice){.start_ns = start,
                                 .end_ns = clock_ns(),
                                 .nodes = nodes_of(member) - nodes,
                                 .kind = SLICE_SPLIT},
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

static void *live(void *argument)
{
    struct member *member = argument;
    struct pool *pool = member->pool;
    int thread = (int)(member - pool->members);
    if (pool->turns)
        await_turn(pool, thread);
    while (pool->turns && !is_ending(pool))
        if (!help(pool, thread, NULL))
            pass_turn(pool, thread);
    for (int polls = 0;;) {
        uint64_t epoch = atomic_load(&pool->epoch);
        if (help(pool, thread, NULL)) {
            polls = 0;
        } else if (is_ending(pool)) {
            return NULL;
        } else if (++polls < POLLS) {
            sched_yield();
        } else {
            sleep_unless_changed(pool, epoch);
        }
    }
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
    pool->turns = options.turns;
    atomic_init(&pool->awake, true);
    for (int i = 0; i < threads; i++) {
        members[i] = (struct member){.pool = pool};
        pthread_mutex_init(&members[i].lock, NULL);
    }
    /* Thieves look at all members up to threads, so it is set before the first of them lives. */
    pool->threads = threads;
    int started = 1;
    while (started < threads && thread_start(&members[started].thread, live, &members[started]))
        started++;
    pthread_mutex_lock(&pool->sleep);
    pool->started = started;
    pthread_mutex_unlock(&pool->sleep);
    if (options.pin)
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
    for (int i = 1; i < pool->started; i++)
        pthread_join(pool->members[i].thread, NULL);
    for (int i = 0; i < pool->threads; i++)
        pthread_mutex_destroy(&pool->members[i].lock);
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
}

void pool_set_gauge(struct pool *pool, int thread, const uint64_t *nodes)
{
    pool->members[thread].nodes = nodes;
}

void pool_set_trace(struct pool *pool, struct trace *trace)
{
    pool->trace = trace;
}

struct pool_stats pool_stats(const struct pool *pool, int thread)
{
    return pool->members[thread].stats;
}

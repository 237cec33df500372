#include "parallel/pool.h"

#include "base/clock.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

/* Deeper nesting than this is run by its owner alone. */
enum { MOST_OPEN = 64 };

/* How often a thread looks for work before it sleeps. */
enum { LOOKS = 200 };

struct member {
    _Alignas(64) pthread_mutex_t lock; /* guards open and open_count */
    struct job *open[MOST_OPEN];       /* oldest first */
    int open_count;
    struct job *current; /* this thread only */
    struct pool *pool;
    pthread_t thread;
    struct pool_stats stats; /* this thread only, until the pool is quiet */
};

struct pool {
    int threads; /* members that can have jobs */
    int started; /* of which so many have a thread, the caller's included */
    bool ending; /* guarded by sleep */
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
        job->run(job, thread, task);
        if (job_is_cancelled(job))
            member->stats.tasks_cancelled++;
        else if (own)
            member->stats.tasks_local++;
        else
            member->stats.tasks_stolen++;
    }
    member->current = outer;
}

/* Enters the oldest job of a victim that has tasks left, below a given one if that is not null. */
static struct job *enter_job(struct member *victim, const struct job *above)
{
    struct job *found = NULL;
    pthread_mutex_lock(&victim->lock);
    for (int i = 0; i < victim->open_count && !found; i++)
        if (has_tasks(victim->open[i]) && (!above || is_below(victim->open[i], above)))
            found = victim->open[i];
    if (found)
        atomic_fetch_add_explicit(&found->helpers, 1, memory_order_relaxed);
    pthread_mutex_unlock(&victim->lock);
    return found;
}

/* Helps somebody. False: there is nothing to help with. */
static bool help(struct pool *pool, int thread, const struct job *above)
{
    for (int i = 1; i < pool->threads; i++) {
        struct job *job = enter_job(&pool->members[(thread + i) % pool->threads], above);
        if (!job)
            continue;
        struct member *member = &pool->members[thread];
        int64_t start = clock_ns();
        take_tasks(pool, thread, job, false);
        /* Inside another job the time is counted there. All counting ends before the owner may read it. */
        if (!member->current)
            member->stats.helping_seconds += clock_seconds_since(start);
        if (atomic_fetch_sub_explicit(&job->helpers, 1, memory_order_release) == 1)
            announce(pool);
        return true;
    }
    return false;
}

/* Helps below a job until its helpers have left. */
static void wait_for_helpers(struct pool *pool, int thread, struct job *job)
{
    struct member *member = &pool->members[thread];
    int64_t start = clock_ns();
    double helped = 0;
    for (int looks = 0; atomic_load_explicit(&job->helpers, memory_order_acquire) > 0;) {
        uint64_t epoch = atomic_load(&pool->epoch);
        int64_t began = clock_ns();
        if (help(pool, thread, job)) {
            helped += clock_seconds_since(began);
            looks = 0;
        } else if (++looks < LOOKS) {
            sched_yield();
        } else if (atomic_load_explicit(&job->helpers, memory_order_acquire) > 0) {
            sleep_unless_changed(pool, epoch);
        }
    }
    member->stats.waiting_seconds += clock_seconds_since(start) - helped;
}

static bool open_job(struct pool *pool, int thread, struct job *job)
{
    struct member *member = &pool->members[thread];
    pthread_mutex_lock(&member->lock);
    bool opened = member->open_count < MOST_OPEN;
    if (opened)
        member->open[member->open_count++] = job;
    pthread_mutex_unlock(&member->lock);
    if (opened)
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
    job->parent = pool->members[thread].current;
    atomic_init(&job->next, 0);
    atomic_init(&job->helpers, 0);
    atomic_init(&job->cancelled, false);
    bool shared = pool->threads > 1 && job->count > 1 && open_job(pool, thread, job);
    take_tasks(pool, thread, job, true);
    if (shared) {
        close_job(pool, thread);
        wait_for_helpers(pool, thread, job);
    }
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
    for (int looks = 0;;) {
        uint64_t epoch = atomic_load(&pool->epoch);
        if (help(pool, thread, NULL)) {
            looks = 0;
        } else if (++looks < LOOKS) {
            sched_yield();
        } else if (is_ending(pool)) {
            return NULL;
        } else {
            sleep_unless_changed(pool, epoch);
        }
    }
}

struct pool *pool_new(int threads)
{
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
    for (int i = 0; i < threads; i++) {
        members[i] = (struct member){.pool = pool};
        pthread_mutex_init(&members[i].lock, NULL);
    }
    /* Thieves look at all members up to threads, so it is set before the first of them lives. */
    pool->threads = threads;
    for (pool->started = 1; pool->started < threads; pool->started++)
        if (pthread_create(&members[pool->started].thread, NULL, live, &members[pool->started]) != 0)
            break;
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

struct pool_stats pool_stats(const struct pool *pool, int thread)
{
    return pool->members[thread].stats;
}

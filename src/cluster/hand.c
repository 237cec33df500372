/* hand.c - a queue of jobs, a thread that does them, and a queue of what came of them. */
#include "cluster/hand.h"

#include "base/clock.h"
#include "base/thread.h"

#include <stdlib.h>
#include <string.h>

struct assignment {
    uint64_t id;
    bool is_cancelled, is_told;
    char job[CLUSTER_TEXT], news[CLUSTER_TEXT];
};

struct hand {
    const struct hand_skill *skill;
    void *self;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work, finished; /* there is a job, or the end has come; there is a result */

    /* All below is guarded by the lock. */
    bool ends;
    bool is_at_work; /* jobs[0] is being done */
    int job_count, done_count;
    struct assignment jobs[HAND_JOBS];
    struct hand_result done[HAND_JOBS];
};

/* ---- The hand itself ----------------------------------------------------------------------------------- */

bool hand_is_wanted(struct hand *h, bool *told, char news[CLUSTER_TEXT])
{
    pthread_mutex_lock(&h->lock);
    struct assignment *job = &h->jobs[0];
    bool wanted = !job->is_cancelled && !h->ends;
    *told = job->is_told;
    if (job->is_told)
        strcpy(news, job->news);
    job->is_told = false;
    h->skill->unstop(h->self); /* what it was for has been seen */
    pthread_mutex_unlock(&h->lock);
    return wanted;
}

/* With the lock held, which is released while the job is done. */
static void do_first(struct hand *h)
{
    struct assignment *job = &h->jobs[0];
    struct hand_result result = {.id = job->id};
    struct mp_error error = {0};
    int64_t start = clock_ns();
    if (!job->is_cancelled) {
        h->is_at_work = true;
        pthread_mutex_unlock(&h->lock);
        /* The place of the first job and its text do not change while it is at work. */
        result.is_failed = !h->skill->run(h->self, h, job->job, result.text, &result.nodes, &error);
        pthread_mutex_lock(&h->lock);
        h->is_at_work = false;
        h->skill->unstop(h->self);
    }
    if (result.is_failed)
        snprintf(result.text, sizeof result.text, "%s", error.text);
    result.seconds = clock_seconds_since(start);
    memmove(h->jobs, h->jobs + 1, (size_t)--h->job_count * sizeof *h->jobs);
    h->done[h->done_count++] = result;
    pthread_cond_signal(&h->finished);
}

static void *live(void *context)
{
    struct hand *h = context;
    pthread_mutex_lock(&h->lock);
    while (!h->ends)
        if (h->job_count > 0 && h->done_count < HAND_JOBS)
            do_first(h);
        else
            pthread_cond_wait(&h->work, &h->lock);
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

/* ---- The main thread ----------------------------------------------------------------------------------- */

struct hand *hand_new(const struct hand_skill *skill, void *self, struct mp_error *error)
{
    struct hand *h = calloc(1, sizeof *h);
    pthread_condattr_t attributes;
    if (!h) {
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    h->skill = skill;
    h->self = self;
    pthread_mutex_init(&h->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&h->work, NULL);
    pthread_cond_init(&h->finished, &attributes);
    pthread_condattr_destroy(&attributes);
    if (thread_start(&h->thread, live, h))
        return h;
    free(h);
    mp_fail_with(error, MP_ERROR_SYSTEM, "no thread can be started");
    return NULL;
}

void hand_free(struct hand *h)
{
    if (!h)
        return;
    pthread_mutex_lock(&h->lock);
    h->ends = true;
    if (h->is_at_work)
        h->skill->stop(h->self);
    pthread_cond_signal(&h->work);
    pthread_mutex_unlock(&h->lock);
    pthread_join(h->thread, NULL);
    pthread_mutex_destroy(&h->lock);
    pthread_cond_destroy(&h->work);
    pthread_cond_destroy(&h->finished);
    free(h);
}

void hand_give(struct hand *h, uint64_t id, const char *text)
{
    pthread_mutex_lock(&h->lock);
    struct assignment *job = &h->jobs[h->job_count++];
    job->id = id;
    job->is_cancelled = job->is_told = false;
    snprintf(job->job, sizeof job->job, "%s", text);
    pthread_cond_signal(&h->work);
    pthread_mutex_unlock(&h->lock);
}

/* Null: it is done, and its result is on the way. */
static struct assignment *find_job(struct hand *h, uint64_t id)
{
    for (int i = 0; i < h->job_count; i++)
        if (h->jobs[i].id == id)
            return &h->jobs[i];
    return NULL;
}

static void interrupt(struct hand *h, const struct assignment *job)
{
    if (job == &h->jobs[0] && h->is_at_work)
        h->skill->stop(h->self);
}

void hand_cancel(struct hand *h, uint64_t id)
{
    pthread_mutex_lock(&h->lock);
    struct assignment *job = find_job(h, id);
    if (job) {
        job->is_cancelled = true;
        interrupt(h, job);
    }
    pthread_mutex_unlock(&h->lock);
}

void hand_tell(struct hand *h, uint64_t id, const char *news)
{
    pthread_mutex_lock(&h->lock);
    struct assignment *job = find_job(h, id);
    if (job) {
        job->is_told = true;
        snprintf(job->news, sizeof job->news, "%s", news);
        interrupt(h, job);
    }
    pthread_mutex_unlock(&h->lock);
}

bool hand_fetch(struct hand *h, struct hand_result *result)
{
    pthread_mutex_lock(&h->lock);
    bool found = h->done_count > 0;
    if (found) {
        *result = h->done[0];
        memmove(h->done, h->done + 1, (size_t)--h->done_count * sizeof *h->done);
        pthread_cond_signal(&h->work);
    }
    pthread_mutex_unlock(&h->lock);
    return found;
}

void hand_wait(struct hand *h, int64_t ns)
{
    int64_t until = clock_ns() + ns;
    struct timespec limit = {.tv_sec = until / 1000000000, .tv_nsec = until % 1000000000};
    pthread_mutex_lock(&h->lock);
    if (h->done_count == 0)
        pthread_cond_timedwait(&h->finished, &h->lock, &limit);
    pthread_mutex_unlock(&h->lock);
}

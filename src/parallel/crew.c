/* crew.c - makes the workers of a search, wakes them, and runs iterations by the scheme. */
#include "parallel/crew.h"

#include "base/clock.h"
#include "search/node.h"

#include <stdlib.h>
#include <string.h>

/* A search that is over sooner than this is not shared: to wake a thread takes up to 50 us, and a scheme that
 * searches each move with the full window visits more nodes than it can make up for. Where a tree takes less
 * than a millisecond no scheme may lose; the other half is room for the noise of a machine. */
enum { ALONE_NS = 1500000 };

/* In turns: this many polls of the clock (256 nodes each) before the next thread has its turn. */
enum { POLLS_PER_TURN = 8 };

static const struct node_hooks no_hooks = {.cancelled = crew_cancelled};

static bool alone_for_too_long(struct worker *worker);
static const struct node_hooks alone_hooks = {.cancelled = alone_for_too_long};

bool crew_init(struct crew *crew, const struct mp_game *game, const struct settings *settings,
               struct control *control, struct table *table, struct mp_error *error)
{
    const struct scheme *scheme = crew->scheme;
    int threads = crew->threads;
    bool shared = !scheme->sequential && (threads > 1 || crew->options.eager);
    crew->threads = 0;
    if (shared) {
        crew->pool = pool_new_with((struct pool_options){
            .threads = threads, .turns = crew->options.deterministic, .pin = crew->options.pin});
        crew->scheme_data = calloc(1, scheme->data_size + 1);
        if (!crew->pool || !crew->scheme_data)
            return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for %d threads", threads);
        threads = pool_threads(crew->pool);
    }
    crew->workers = calloc((size_t)threads, sizeof *crew->workers);
    if (!crew->workers)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for %d threads", threads);
    while (crew->threads < threads) {
        struct worker *worker = &crew->workers[crew->threads];
        if (!worker_init(worker, game, settings, control, table, error))
            return false;
        worker->scheme = crew;
        if (shared) {
            worker->hooks = scheme->hooks ? scheme->hooks : &no_hooks;
            pool_set_gauge(crew->pool, crew->threads, &worker->counters.nodes);
        }
        crew->threads++;
    }
    return true;
}

struct clearing {
    struct job job; /* first: the one is found from the other */
    struct table *table;
};

static void clear_part(struct job *job, int thread, int part)
{
    (void)thread;
    table_clear(((struct clearing *)job)->table, part, job->count);
}

void crew_clear_table(struct crew *crew, struct table *table)
{
    struct clearing clearing = {.table = table};
    clearing.job.run = clear_part;
    clearing.job.count = crew->threads;
    if (crew->pool && !crew->options.deterministic)
        pool_run(crew->pool, 0, &clearing.job);
    else
        table_clear(table, 0, 1);
}

void crew_clear_notes(struct crew *crew)
{
    if (crew->scheme_data)
        memset(crew->scheme_data, 0, crew->scheme->data_size);
}

void crew_free(struct crew *crew)
{
    pool_free(crew->pool);
    for (int i = 0; i < crew->threads; i++)
        worker_free(&crew->workers[i]);
    free(crew->workers);
    free(crew->scheme_data);
}

/* Without memory for the others the search goes on alone. */
void crew_wake(struct crew *crew)
{
    crew->alone = false;
    for (int i = 1; i < crew->threads; i++)
        if (!worker_set_root(&crew->workers[i], crew->root, crew->history, NULL))
            return;
    if (crew->pool)
        pool_wake(crew->pool);
}

void crew_run(struct crew *crew, struct job *job)
{
    if (crew->pool)
        pool_run(crew->pool, 0, job);
    for (int i = 0; !crew->pool && i < job->count; i++)
        job->run(job, 0, i);
}

bool crew_begin(struct crew *crew, const void *root, const struct mp_history *history, struct mp_error *error)
{
    crew->root = root;
    crew->history = history;
    crew->alone = crew->pool != NULL;
    crew->alone_until_ns = clock_ns() + ALONE_NS;
    for (int i = 1; i < crew->threads; i++)
        worker_clear_counters(&crew->workers[i]);
    if (!worker_set_root(&crew->workers[0], root, history, error))
        return false;
    if (crew->pool) {
        pool_reset_stats(crew->pool);
        pool_rest(crew->pool);
        if (crew->options.eager)
            crew_wake(crew);
    }
    return true;
}

static bool alone_for_too_long(struct worker *worker)
{
    const struct crew *crew = worker->scheme;
    return clock_ns() >= crew->alone_until_ns;
}

bool crew_iterate(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    struct crew *crew = context;
    struct worker *w = &crew->workers[0];
    crew->depth = depth; /* seen by all: jobs are opened later */
    if (w->table)
        table_grow(w->table, &w->control->stop);
    if (!crew->pool)
        return iteration_run(w, depth, previous, found);
    if (crew->alone && crew->scheme->isolates) {
        const struct node_hooks *hooks = w->hooks;
        w->hooks = &alone_hooks;
        bool done = iteration_run(w, depth, previous, found);
        w->hooks = hooks;
        if (done || control_stopped(w->control))
            return done;
        w->stopped = false;
        crew_wake(crew);
    }
    return crew->scheme->iterate ? crew->scheme->iterate(crew, depth, previous, found)
                                 : iteration_run(w, depth, previous, found);
}

uint64_t crew_open_ends(const struct crew *crew)
{
    uint64_t sum = 0;
    for (int i = 0; i < crew->threads; i++)
        sum += worker_open_ends(&crew->workers[i]);
    return sum;
}

int crew_thread(const struct worker *worker)
{
    const struct crew *crew = worker->scheme;
    return (int)(worker - crew->workers);
}

bool crew_cancelled(struct worker *worker)
{
    struct crew *crew = worker->scheme;
    int thread = crew_thread(worker);
    if (thread == 0 && crew->alone && clock_ns() >= crew->alone_until_ns)
        crew_wake(crew);
    if (crew->options.deterministic && worker->counters.nodes / WORKER_CHECK_NODES % POLLS_PER_TURN == 0)
        pool_turn(crew->pool, thread);
    return job_is_cancelled(pool_current(crew->pool, thread));
}

void crew_split(struct worker *worker, int ply, struct job *job)
{
    const struct crew *crew = worker->scheme;
    int outer = worker->shared_ply;
    worker->shared_ply = ply;
    pool_run(crew->pool, crew_thread(worker), job);
    worker->shared_ply = outer;
}

void crew_discard(const struct worker *worker)
{
    const struct crew *crew = worker->scheme;
    pool_discard(crew->pool, crew_thread(worker));
}

void crew_resume(struct worker *worker, const struct job *job)
{
    worker->stopped = control_stopped(worker->control) || job_is_cancelled(job);
}

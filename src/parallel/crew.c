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

static const struct node_hooks no_hooks = {.cancelled = crew_cancelled};

static bool alone_for_too_long(struct worker *worker);
static const struct node_hooks alone_hooks = {.cancelled = alone_for_too_long};

static int64_t virtual_ns(void *context);

/* Real threads, or virtual ones. */
static struct pool *make_pool(const struct crew *crew, int threads, struct table *table)
{
    const struct scheme_options *options = &crew->options;
    bool is_virtual = options->simulated || options->deterministic;
    struct pool *pool = pool_new_with((struct pool_options){.threads = threads,
                                                            .costs = options->simulated ? &options->costs
                                                                     : is_virtual       ? &costs_typical
                                                                                        : NULL,
                                                            .simulated = options->simulated,
                                                            .pin = options->pin});
    if (pool && options->simulated && table)
        machine_set_lines(pool_machine(pool), table_watch(table));
    return pool;
}

bool crew_init(struct crew *crew, const struct mp_game *game, const struct settings *settings,
               struct control *control, struct table *table, struct mp_error *error)
{
    const struct scheme *scheme = crew->scheme;
    int threads = crew->threads;
    bool shared = !scheme->sequential && (threads > 1 || crew->options.eager);
    crew->threads = 0;
    control->virtual_ns = crew->options.simulated ? virtual_ns : NULL;
    control->virtual_context = crew;
    if (shared) {
        crew->pool = make_pool(crew, threads, table);
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

static bool has_real_threads(const struct crew *crew)
{
    return crew->pool && !pool_machine(crew->pool);
}

void crew_clear_table(struct crew *crew, struct table *table)
{
    struct clearing clearing = {.table = table};
    clearing.job.run = clear_part;
    clearing.job.count = crew->threads;
    if (has_real_threads(crew))
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
    for (int i = 1; i < crew->threads; i++)
        worker_clear_counters(&crew->workers[i]);
    if (!worker_set_root(&crew->workers[0], root, history, error))
        return false;
    if (crew->pool) {
        pool_reset_stats(crew->pool);
        pool_rest(crew->pool);
        crew->alone_until_ns = crew_ns(crew, 0) + ALONE_NS;
        if (crew->options.eager)
            crew_wake(crew);
    }
    return true;
}

/* A single thread, even where it is simulated, has no pool: its clock is its nodes. */
int64_t crew_ns(const struct crew *crew, int thread)
{
    if (crew->pool)
        return pool_ns(crew->pool, thread);
    if (!crew->options.simulated)
        return clock_ns();
    return (int64_t)((double)crew->workers[0].counters.nodes * crew->options.costs.node + 0.5);
}

/* Whichever thread asks, it is the one that runs. */
static int64_t virtual_ns(void *context)
{
    const struct crew *crew = context;
    return crew_ns(crew, crew->pool ? machine_current(pool_machine(crew->pool)) : 0);
}

static bool alone_for_too_long(struct worker *worker)
{
    const struct crew *crew = worker->scheme;
    return crew_ns(crew, 0) >= crew->alone_until_ns;
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
    if (thread == 0 && crew->alone && crew_ns(crew, 0) >= crew->alone_until_ns)
        crew_wake(crew);
    pool_poll(crew->pool, thread);
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

void crew_tell(const struct worker *worker, mp_value alpha, mp_value beta, mp_value value)
{
    const struct crew *crew = worker->scheme;
    pool_tell(crew->pool, crew_thread(worker), (struct bounds){alpha, beta, value, true, !worker->stopped});
}

/* A watch_function: a piece of work, unless such pieces are too short to be seen. */
static mp_value watch_move(struct worker *w, const struct node *node, int i,
                           mp_value (*search_move)(struct worker *, const struct node *, int))
{
    const struct crew *crew = w->scheme;
    struct trace *trace = crew->trace;
    int thread = crew_thread(w);
    mp_move move = node->list.moves[i];
    struct place place = {worker_state(w, node->ply), &move, node->ply, node->depth};
    if (!trace_wants(trace, thread, &place))
        return search_move(w, node, i);
    uint64_t outer, id = trace_enter(trace, thread, &outer), nodes = w->counters.nodes;
    int64_t start = crew_ns(crew, thread);
    mp_value value = search_move(w, node, i);
    trace_leave(trace, thread, outer);
    trace_end(trace, thread,
              (struct slice){.start_ns = start,
                             .end_ns = crew_ns(crew, thread),
                             .id = id,
                             .parent = outer,
                             .nodes = w->counters.nodes - nodes,
                             .bounds = {node->alpha, node->beta, value, true, !w->stopped},
                             .kind = SLICE_MOVE,
                             .aborted = w->stopped},
              &place, 0);
    return value;
}

void crew_follow(struct crew *crew, struct trace *trace)
{
    crew->trace = trace;
    for (int i = 0; i < crew->threads; i++)
        crew->workers[i].watch = trace ? watch_move : NULL;
    if (crew->pool)
        pool_set_trace(crew->pool, trace);
}

void crew_resume(struct worker *worker, const struct job *job)
{
    worker->stopped = control_stopped(worker->control) || job_is_cancelled(job);
}

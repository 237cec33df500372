/* bench_search.c - runs one row of a benchmark on one position: a search, or copies of it at once. */
#include "lab/bench_inner.h"

#include "base/clock.h"
#include "base/thread.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- Stopping -------------------------------------------------------------------------------------- */

void bench_stop_init(struct bench_stop *stop)
{
    *stop = (struct bench_stop){0};
    pthread_mutex_init(&stop->lock, NULL);
}

void bench_stop_free(struct bench_stop *stop)
{
    pthread_mutex_destroy(&stop->lock);
}

void bench_stop(struct bench_stop *stop)
{
    pthread_mutex_lock(&stop->lock);
    stop->asked = true;
    for (int i = 0; i < stop->count; i++)
        mp_search_stop(stop->running[i]);
    pthread_mutex_unlock(&stop->lock);
}

bool bench_is_wanted(struct bench_stop *stop, struct mp_error *error)
{
    bool asked = false;
    if (stop) {
        pthread_mutex_lock(&stop->lock);
        asked = stop->asked;
        pthread_mutex_unlock(&stop->lock);
    }
    return !asked || mp_fail(error, "the measurement was given up");
}

/* From here on the search is stopped with the benchmark; if that is over already, it ends at once. */
static void enter(struct bench_stop *stop, struct mp_search *search)
{
    pthread_mutex_lock(&stop->lock);
    stop->running[stop->count++] = search;
    if (stop->asked)
        mp_search_stop(search);
    pthread_mutex_unlock(&stop->lock);
}

static void leave(struct bench_stop *stop, const struct mp_search *search)
{
    pthread_mutex_lock(&stop->lock);
    for (int i = 0; i < stop->count; i++)
        if (stop->running[i] == search)
            stop->running[i--] = stop->running[--stop->count];
    pthread_mutex_unlock(&stop->lock);
}

/* A stop that comes as a run returns is taken back by it, so the run does not tell whether there was one. */
bool bench_search(struct bench_stop *stop, struct mp_search *search, const struct mp_position *position,
                  mp_progress progress, void *context, struct mp_result *result, struct mp_error *error)
{
    if (stop)
        enter(stop, search);
    bool ok = mp_search_run(search, position, progress, context, result, error);
    if (stop)
        leave(stop, search);
    return ok && bench_is_wanted(stop, error);
}

/* ---- One row --------------------------------------------------------------------------------------- */

/* What a row runs on a position. */
static void row_strategy(const struct bench *bench, const struct bench_row *row, int position,
                         char strategy[BENCH_TEXT])
{
    const int *depths = bench->rows[row->base].depths;
    memcpy(strategy, row->strategy, BENCH_TEXT);
    if (depths)
        bench_set_number(bench->game, strategy, "depth", depths[position], NULL);
}

/* A new search each time: it must not find what the last one left in its table. */
static bool search_once(const struct bench *bench, struct bench_stop *stop, const char *strategy,
                        int position, struct mp_result *result, double *cpu_seconds, struct mp_error *error)
{
    struct mp_search *search = mp_search_new(bench->game, strategy, error);
    double before = clock_cpu_seconds();
    bool ok = search && bench_search(stop, search, bench->positions[position], NULL, NULL, result, error);
    *cpu_seconds = fmax(clock_cpu_seconds() - before, 1e-9);
    mp_search_free(search);
    return ok;
}

/* Copies begin together: they wait at a gate (a lock that is held for writing) until all threads are
 * there. */
struct gate {
    pthread_rwlock_t lock;
    bool give_up; /* written before the gate opens */
};

struct copy {
    struct gate *gate;
    struct bench_stop *stop;
    const struct mp_position *position;
    struct mp_search *search;
    struct mp_result result;
    bool ok;
    pthread_t thread;
};

static void *run_copy(void *argument)
{
    struct copy *copy = argument;
    pthread_rwlock_rdlock(&copy->gate->lock);
    bool go = !copy->gate->give_up;
    pthread_rwlock_unlock(&copy->gate->lock);
    copy->result = (struct mp_result){MP_SIZE(struct mp_result)};
    copy->ok = go && bench_search(copy->stop, copy->search, copy->position, NULL, NULL, &copy->result, NULL);
    return NULL;
}

/* Runs all at once, or none. */
static bool release_copies(struct copy *copies, int count, struct mp_error *error)
{
    struct gate gate = {.lock = PTHREAD_RWLOCK_INITIALIZER};
    int started = 0;
    pthread_rwlock_wrlock(&gate.lock);
    for (; started < count; started++) {
        copies[started].gate = &gate;
        if (!thread_start(&copies[started].thread, run_copy, &copies[started]))
            break;
    }
    gate.give_up = started < count;
    pthread_rwlock_unlock(&gate.lock);
    bool ok = !gate.give_up;
    for (int i = 0; i < started; i++) {
        pthread_join(copies[i].thread, NULL);
        ok = ok && copies[i].ok;
    }
    pthread_rwlock_destroy(&gate.lock);
    return ok || mp_fail(error, "%d searches could not run at once", count);
}

/* The time of a copy is the harmonic mean of all: n copies at these rates do n / time searches a second. */
static bool run_copies(const struct bench *bench, struct bench_stop *stop, int count, const char *strategy,
                       int position, struct bench_sample *sample, struct mp_error *error)
{
    struct copy *copies = calloc((size_t)count, sizeof *copies);
    bool ok = copies || mp_fail(error, "out of memory for %d searches at once", count);
    for (int i = 0; ok && i < count; i++) {
        copies[i].stop = stop;
        copies[i].position = bench->positions[position];
        copies[i].search = bench_is_wanted(stop, error) ? mp_search_new(bench->game, strategy, error) : NULL;
        ok = copies[i].search != NULL;
    }
    ok = ok && release_copies(copies, count, error) && bench_is_wanted(stop, error);
    double rate = 0, nodes = 0;
    for (int i = 0; ok && i < count; i++) {
        rate += 1 / copies[i].result.seconds;
        nodes += (double)copies[i].result.counters.nodes;
    }
    *sample = (struct bench_sample){.seconds = count / rate, .nodes = nodes};
    for (int i = 0; copies && i < count; i++)
        mp_search_free(copies[i].search);
    free(copies);
    return ok;
}

bool bench_run_row(struct bench *bench, struct bench_stop *stop, int index, int position,
                   struct bench_sample *sample, struct mp_error *error)
{
    struct bench_row *row = &bench->rows[index], *base = &bench->rows[row->base];
    char strategy[BENCH_TEXT];
    row_strategy(bench, row, position, strategy);
    if (row->kind == BENCH_COPIES)
        return run_copies(bench, stop, row->threads, strategy, position, sample, error);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    bool alone = row->kind == BENCH_SEQUENTIAL;
    double cpu_seconds;
    if (!search_once(bench, stop, strategy, position, &result, &cpu_seconds, error))
        return false;
    const struct mp_counters *c = &result.counters;
    *sample = (struct bench_sample){fmax(result.seconds, 1e-9), (double)c->nodes, (double)c->tasks_created,
                                    alone ? cpu_seconds : 0};
    if (!result.exact || result.stopped)
        return true;
    if (base->values[position] == MP_INFINITE)
        base->values[position] = result.value;
    return base->values[position] == result.value ||
           mp_fail(error, "%.120s gave %d on position %d, but %.120s gave %d: please report this", strategy,
                   result.value, position + 1, base->strategy, base->values[position]);
}

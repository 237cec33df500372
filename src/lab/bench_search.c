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
static bool row_strategy(const struct bench *bench, const struct bench_row *row, int position,
                         char strategy[BENCH_TEXT], struct mp_error *error)
{
    const int *depths = bench->rows[row->base].depths;
    memcpy(strategy, row->strategy, BENCH_TEXT);
    return (row->kind != BENCH_SIMULATED ||
            bench_set_costs(bench, strategy, bench->rows[row->base].node_ns[position], error)) &&
           (!depths || bench_set_number(bench->game, strategy, "depth", depths[position], error));
}

/* A new search each time: it must not find what the last one left in its table. */
static bool search_once(const struct bench *bench, struct bench_stop *stop, const char *strategy,
                        int position, struct mp_result *result, struct bench_sample *sample,
                        struct mp_error *error)
{
    *sample = (struct bench_sample){0};
    struct mp_search *search = mp_search_new(bench->game, strategy, error);
    double before = clock_cpu_seconds();
    bool ok = search && bench_search(stop, search, bench->positions[position], NULL, NULL, result, error);
    sample->cpu_seconds = fmax(clock_cpu_seconds() - before, 1e-9);
    sample->seconds = fmax(result->seconds, 1e-9);
    sample->nodes = (double)result->counters.nodes;
    sample->tasks = (double)result->counters.tasks_created;
    struct mp_times times = {MP_SIZE(struct mp_times)};
    for (int i = 0; ok && mp_search_times(search, i, &times); i++) {
        sample->times.nodes += times.nodes;
        sample->times.steals += times.steals;
        sample->times.wakes += times.wakes;
        sample->times.locks += times.locks;
        sample->times.lines += times.lines;
        sample->times.waiting += times.waiting;
    }
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

/* What a virtual machine needs to know of a position: what a node costs there, which the first sequential search tells
 * unless it was given, and how many it visits. */
static void note_node(const struct bench *bench, struct bench_row *base, int position,
                      struct bench_sample *sample)
{
    if (base->node_ns[position] == 0)
        base->node_ns[position] = round(sample->cpu_seconds / fmax(sample->nodes, 1) * 1e12) / 1e3;
    base->node_counts[position] = sample->nodes;
    if (bench->only_simulated)
        sample->seconds = base->node_ns[position] * sample->nodes * 1e-9;
}

static bool learn_node(const struct bench *bench, struct bench_stop *stop, struct bench_row *base,
                       int position, struct mp_error *error)
{
    char strategy[BENCH_TEXT];
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct bench_sample sample;
    if (base->node_counts[position] > 0)
        return true;
    bool ok = row_strategy(bench, base, position, strategy, error) &&
              search_once(bench, stop, strategy, position, &result, &sample, error);
    if (ok)
        note_node(bench, base, position, &sample);
    return ok;
}

bool bench_run_row(struct bench *bench, struct bench_stop *stop, int index, int position,
                   struct bench_sample *sample, struct mp_error *error)
{
    struct bench_row *row = &bench->rows[index], *base = &bench->rows[row->base];
    char strategy[BENCH_TEXT];
    if (row->kind == BENCH_SIMULATED && !learn_node(bench, stop, base, position, error))
        return false;
    if (!row_strategy(bench, row, position, strategy, error))
        return false;
    if (row->kind == BENCH_COPIES)
        return run_copies(bench, stop, row->threads, strategy, position, sample, error);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    if (!search_once(bench, stop, strategy, position, &result, sample, error))
        return false;
    if (row->kind == BENCH_SEQUENTIAL)
        note_node(bench, row, position, sample);
    else
        sample->cpu_seconds = 0;
    if (row->kind == BENCH_SIMULATED)
        sample->base_seconds = base->node_ns[position] * base->node_counts[position] * 1e-9;
    if (!result.exact || result.stopped)
        return true;
    if (base->values[position] == MP_INFINITE)
        base->values[position] = result.value;
    return base->values[position] == result.value ||
           mp_fail(error, "%.120s gave %d on position %d, but %.120s gave %d: please report this", strategy,
                   result.value, position + 1, base->strategy, base->values[position]);
}

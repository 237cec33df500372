/* calibrate.c - two threads that hand things to each other, and how long that takes. */
#include "lab/calibrate.h"

#include "base/clock.h"
#include "base/cpus.h"
#include "base/thread.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- Two threads ----------------------------------------------------------------------------------- */

/* Each measurement is short and repeated, and one near the least counts: other programs can only make it longer. */
enum { REPEATS = 40, FROM_LEAST = 2, HANDS = 20, LOCKS = 500, LINES = 2048, POLLS = 200, POLLS_EACH = 10 };
static const double most_seconds = 0.05; /* for each */

struct far_line {
    _Alignas(64) _Atomic uint64_t word;
};

struct bench_of_two {
    _Alignas(64) atomic_int turn; /* handed over by polling; -1: go home */
    _Alignas(64) pthread_mutex_t lock;
    pthread_cond_t wake;
    bool asleep; /* guarded by lock, as the next */
    int64_t woken_ns;
    uint64_t shared;
    struct far_line lines[LINES];
};

/* What the other does at each turn. */
enum errand { ANSWER, WRITE_LINES, SLEEP, FIGHT, GO_HOME };

struct errands {
    struct bench_of_two *two;
    _Atomic int errand;
};

static void await_turn(struct bench_of_two *two, int turn)
{
    enum { PATIENCE = 1000 }; /* then the other may need this CPU */
    for (int i = 1; atomic_load_explicit(&two->turn, memory_order_acquire) != turn; i++)
        if (i % PATIENCE == 0)
            sched_yield();
}

static void write_lines(struct bench_of_two *two)
{
    for (int i = 0; i < LINES; i++)
        atomic_store_explicit(&two->lines[i].word, (uint64_t)i, memory_order_relaxed);
}

static void fight(struct bench_of_two *two)
{
    for (int i = 0; i < LOCKS; i++) {
        pthread_mutex_lock(&two->lock);
        two->shared++;
        pthread_mutex_unlock(&two->lock);
    }
}

static void sleep_once(struct bench_of_two *two)
{
    pthread_mutex_lock(&two->lock);
    two->asleep = true;
    while (two->asleep)
        pthread_cond_wait(&two->wake, &two->lock);
    two->woken_ns = clock_ns();
    pthread_mutex_unlock(&two->lock);
}

static void *run_errands(void *argument)
{
    struct errands *errands = argument;
    struct bench_of_two *two = errands->two;
    for (;;) {
        await_turn(two, 1);
        int errand = atomic_load_explicit(&errands->errand, memory_order_relaxed);
        if (errand == GO_HOME)
            return NULL;
        if (errand == WRITE_LINES)
            write_lines(two);
        else if (errand == SLEEP)
            sleep_once(two);
        else if (errand == FIGHT)
            fight(two);
        atomic_store_explicit(&two->turn, 0, memory_order_release);
    }
}

static void send(struct errands *errands, enum errand errand)
{
    atomic_store_explicit(&errands->errand, errand, memory_order_relaxed);
    atomic_store_explicit(&errands->two->turn, 1, memory_order_release);
}

/* ---- The costs ------------------------------------------------------------------------------------- */

/* A thief that polls sees work, goes for it and is seen: half of there and back. */
static double steal_once(struct errands *errands)
{
    int64_t start = clock_ns();
    for (int i = 0; i < HANDS; i++) {
        send(errands, ANSWER);
        await_turn(errands->two, 0);
    }
    return (double)(clock_ns() - start) / (2 * HANDS);
}

/* As a thread does without work. */
static double spin_once(struct errands *errands)
{
    (void)errands;
    int64_t start = clock_ns();
    for (int i = 0; i < POLLS_EACH; i++)
        sched_yield();
    return (double)(clock_ns() - start) * POLLS / POLLS_EACH;
}

static double wake_once(struct errands *errands)
{
    struct bench_of_two *two = errands->two;
    send(errands, SLEEP);
    for (bool asleep = false; !asleep; sched_yield()) {
        pthread_mutex_lock(&two->lock);
        asleep = two->asleep;
        pthread_mutex_unlock(&two->lock);
    }
    for (int64_t start = clock_ns(); clock_ns() - start < 200000;)
        continue; /* so that it sleeps well */
    pthread_mutex_lock(&two->lock);
    int64_t start = clock_ns();
    two->asleep = false;
    pthread_cond_signal(&two->wake);
    pthread_mutex_unlock(&two->lock);
    await_turn(two, 0);
    return (double)(two->woken_ns - start);
}

/* Both want the same lock all the time. */
static double lock_once(struct errands *errands)
{
    int64_t start = clock_ns();
    send(errands, FIGHT);
    fight(errands->two);
    await_turn(errands->two, 0);
    return (double)(clock_ns() - start) / (2 * LOCKS);
}

/* In no order, and without one waiting for the other, as the table is read. */
static double read_lines(const struct bench_of_two *two)
{
    uint64_t sum = 0;
    int64_t start = clock_ns();
    for (unsigned i = 0; i < LINES; i++)
        sum += atomic_load_explicit(&two->lines[i * 1237 % LINES].word, memory_order_relaxed);
    return (double)(clock_ns() - start + (sum == 1)) / LINES;
}

static double line_once(struct errands *errands)
{
    send(errands, WRITE_LINES);
    await_turn(errands->two, 0);
    double theirs = read_lines(errands->two);
    write_lines(errands->two);
    double ours = read_lines(errands->two);
    return theirs > ours ? theirs - ours : 0;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A machine that is busy with other things cannot tell: what is far beyond the typical stays typical. To a tenth of a
 * nanosecond, because more would be only noise. */
static void measure(double (*once)(struct errands *errands), struct errands *errands, double *cost)
{
    const double most_times = 10;
    double samples[REPEATS];
    int count = 0;
    int64_t start = clock_ns();
    while (count < REPEATS && (count <= FROM_LEAST || clock_seconds_since(start) < most_seconds))
        samples[count++] = once(errands);
    qsort(samples, (size_t)count, sizeof *samples, compare_numbers);
    if (samples[FROM_LEAST] < most_times * *cost)
        *cost = (double)(int64_t)(samples[FROM_LEAST] * 10) / 10;
}

void calibrate_machine(struct costs *costs)
{
    *costs = costs_typical;
    struct bench_of_two *two = cpus_allowed() > 1 ? aligned_alloc(64, sizeof *two) : NULL;
    if (!two)
        return;
    memset(two, 0, sizeof *two);
    pthread_mutex_init(&two->lock, NULL);
    pthread_cond_init(&two->wake, NULL);
    struct errands errands = {.two = two};
    pthread_t other;
    if (thread_start(&other, run_errands, &errands)) {
        measure(steal_once, &errands, &costs->steal);
        measure(spin_once, &errands, &costs->spin);
        measure(wake_once, &errands, &costs->wake);
        measure(lock_once, &errands, &costs->lock);
        measure(line_once, &errands, &costs->line);
        send(&errands, GO_HOME);
        pthread_join(other, NULL);
    }
    pthread_cond_destroy(&two->wake);
    pthread_mutex_destroy(&two->lock);
    free(two);
}

bool calibrate_node(const struct mp_strategy *strategy, const struct mp_position *position, double *node,
                    struct mp_error *error)
{
    const double least = 0.1;
    struct mp_strategy *alone = mp_strategy_copy(strategy, error);
    struct mp_search *search = alone && mp_strategy_set(alone, "split", NULL, error)
                                   ? mp_search_with(alone, error)
                                   : NULL;
    struct mp_result result = {MP_SIZE(struct mp_result)};
    double nodes = 0, start = clock_cpu_seconds(), seconds = 0;
    bool ok = search;
    while (ok && seconds < least && (nodes == 0 || seconds > 0)) {
        struct mp_limits limits = {MP_SIZE(struct mp_limits), .seconds = least};
        mp_search_forget(search);
        ok = mp_search_run_within(search, position, &limits, NULL, NULL, &result, error);
        nodes += (double)result.counters.nodes;
        seconds = clock_cpu_seconds() - start;
    }
    mp_search_free(search);
    mp_strategy_free(alone);
    *node = ok && nodes > 0 ? round(seconds / nodes * 1e12) / 1e3 : 0;
    return ok;
}

void calibrate_print(const struct costs *costs, char *text, size_t size)
{
    costs_print(costs, text, size);
    for (char *c = text; *c; c++)
        *c = (char)(*c == '+' ? ',' : *c == ':' ? '=' : *c);
    const char *first = costs->node > 0 ? text : text + strcspn(text, ",") + 1;
    memmove(text, first, strlen(first) + 1);
}

static bool all_are_given(const struct costs *costs)
{
    bool all = true;
#define COST_GIVEN(name, typical, what) all = all && costs->name >= 0;
    COSTS(COST_GIVEN)
#undef COST_GIVEN
    return all;
}

bool calibrate_read(const char *given, struct costs *costs, struct mp_error *error)
{
#define COST_OPEN(name, typical, what) .name = -1,
    struct costs wanted = {COSTS(COST_OPEN)};
#undef COST_OPEN
    if (given && !costs_read(given, ',', '=', &wanted)) {
        char typical[256];
        calibrate_print(&costs_typical, typical, sizeof typical);
        return mp_fail(error, "%.100s, expected costs in ns such as %s", given, typical);
    }
    if (!all_are_given(&wanted))
        calibrate_machine(costs);
    costs->node = 0;
    if (given)
        costs_read(given, ',', '=', costs);
    return true;
}

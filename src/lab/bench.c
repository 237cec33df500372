/* bench.c - chooses positions and depths, runs the rounds of a benchmark and sums them up. */
#include "lab/bench.h"

#include "base/clock.h"
#include "base/text.h"
#include "lab/positions.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- Strategies as text ---------------------------------------------------------------------------- */

/* The strategy with a key changed (null: not given any more), as text. */
static bool change_key(const struct mp_game *game, char strategy[BENCH_TEXT], const char *key,
                       const char *value, struct mp_error *error)
{
    struct mp_strategy *s = mp_strategy_new(game, strategy, error);
    bool ok = s && mp_strategy_set(s, key, value, error);
    if (ok)
        snprintf(strategy, BENCH_TEXT, "%s", mp_strategy_text(s));
    mp_strategy_free(s);
    return ok;
}

static bool set_number(const struct mp_game *game, char strategy[BENCH_TEXT], const char *key, int number,
                       struct mp_error *error)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    return change_key(game, strategy, key, text, error);
}

bool bench_is_open(const struct mp_game *game, const char *strategy, bool *is_open, struct mp_error *error)
{
    struct mp_strategy *s = mp_strategy_new(game, strategy, error);
    *is_open = s && mp_strategy_has(s, "depth") && !mp_strategy_is_limited(s);
    mp_strategy_free(s);
    return s;
}

/* Where ",key=" begins in a text, or null. */
static char *find_key(const char *strategy, const char *key)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, ",%s=", key);
    return strstr(strategy, wanted);
}

/* Cuts a key out of a text, to show what is left. */
static void drop_key(char *strategy, const char *key)
{
    char *at = find_key(strategy, key);
    if (at) {
        size_t length = 1 + strcspn(at + 1, ",");
        memmove(at, at + length, strlen(at + length) + 1);
    }
}

/* Where the value of a key begins, or null. */
static char *find_value(const char *strategy, const char *key)
{
    char *at = find_key(strategy, key);
    return at ? at + strlen(",=") + strlen(key) : NULL;
}

void bench_label(const char *strategy, const char *asked, char label[BENCH_TEXT])
{
    static const char automatic[] = "auto";
    const char *wish = find_value(asked, "split"), *scheme = find_value(strategy, "split");
    size_t length = wish ? strcspn(wish, ",") : 0;
    if (!scheme || length != strlen(automatic) || strncmp(wish, automatic, length) != 0) {
        snprintf(label, BENCH_TEXT, "%s", strategy);
        return;
    }
    int before = (int)(scheme - strategy), name = (int)strcspn(scheme, ",");
    snprintf(label, BENCH_TEXT, "%.*s%s (%.*s)%s", before, strategy, automatic, name, scheme, scheme + name);
}

void bench_row_name(const struct bench_row *row, char name[BENCH_TEXT])
{
    char label[BENCH_TEXT];
    bench_label(row->strategy, row->asked, label);
    const char *split = find_key(label, "split");
    snprintf(name, BENCH_TEXT, "%s",
             row->kind == BENCH_COPIES ? "copies at once"
             : split                   ? split + 1
                                       : "sequential");
    drop_key(name, "threads");
}

/* ---- Rows ------------------------------------------------------------------------------------------ */

/* A strategy with all its keys, and how many threads it asks for itself (0: it does not say). */
struct contestant {
    char strategy[BENCH_TEXT], sequential[BENCH_TEXT];
    const char *given;
    bool splits;
    int threads;
};

static bool read_contestant(const struct mp_game *game, const char *given, struct contestant *contestant,
                            struct mp_error *error)
{
    struct mp_strategy *s = mp_strategy_new(game, given, error);
    if (!s)
        return false;
    char scheme[32];
    const char *threads = mp_strategy_given(s, "threads");
    contestant->given = given;
    contestant->threads = threads ? atoi(threads) : 0;
    snprintf(contestant->strategy, BENCH_TEXT, "%s", mp_strategy_text(s));
    contestant->splits = mp_strategy_get(s, "split", scheme, sizeof scheme) && strcmp(scheme, "none") != 0;
    bool ok = !contestant->splits || mp_strategy_set(s, "split", NULL, NULL) ||
              mp_fail(
                  error,
                  "%.100s is the name of a report's strategy, expected its keys with split=, which tell the "
                  "search without split",
                  given);
    snprintf(contestant->sequential, BENCH_TEXT, "%s", mp_strategy_text(s));
    mp_strategy_free(s);
    return ok;
}

static int add_row(struct bench *bench, enum bench_kind kind, int threads, int base, int ceiling,
                   const char strategy[BENCH_TEXT])
{
    struct bench_row *row = &bench->rows[bench->row_count];
    *row = (struct bench_row){.kind = kind, .threads = threads, .base = base, .ceiling = ceiling};
    memcpy(row->strategy, strategy, BENCH_TEXT);
    if (kind == BENCH_PARALLEL)
        set_number(bench->game, row->strategy, "threads", threads, NULL);
    return bench->row_count++;
}

/* The row of the copies on this many threads, or -1. */
static int ceiling_of(const struct bench *bench, int base, int threads)
{
    for (int i = base; i < bench->row_count; i++)
        if (bench->rows[i].kind == BENCH_COPIES && bench->rows[i].threads == threads)
            return i;
    return -1;
}

static void add_parallel(struct bench *bench, const struct contestant *contestant, int threads, int base)
{
    int ceiling = ceiling_of(bench, base, threads);
    int row = add_row(bench, BENCH_PARALLEL, threads, base, ceiling, contestant->strategy);
    snprintf(bench->rows[row].asked, BENCH_TEXT, "%s", contestant->given);
}

/* The threads of a contestant, the j-th number of them; 0: there are no more. */
static int threads_of(const struct contestant *contestant, const struct bench_plan *plan, int j)
{
    if (!contestant->splits || j >= (contestant->threads ? 1 : plan->thread_count))
        return 0;
    return contestant->threads ? contestant->threads : plan->threads[j];
}

/* The sequential search of contestant `first`, its copies, and all contestants that share it. */
static void add_group(struct bench *bench, const struct bench_plan *plan, const struct contestant *list,
                      int first)
{
    const char *sequential = list[first].sequential;
    int base = add_row(bench, BENCH_SEQUENTIAL, 1, bench->row_count, -1, sequential), threads;
    for (int i = first; i < plan->strategy_count; i++)
        for (int j = 0; !strcmp(list[i].sequential, sequential) && (threads = threads_of(&list[i], plan, j));
             j++)
            if (threads > 1 && ceiling_of(bench, base, threads) < 0)
                add_row(bench, BENCH_COPIES, threads, base, -1, sequential);
    for (int i = first; i < plan->strategy_count; i++)
        for (int j = 0; !strcmp(list[i].sequential, sequential) && (threads = threads_of(&list[i], plan, j));
             j++)
            add_parallel(bench, &list[i], threads, base);
}

/* Has an earlier contestant the same sequential search, and (alone) nothing else? */
static bool is_said_before(const struct contestant *list, int index, bool alone)
{
    for (int i = 0; i < index; i++)
        if (!strcmp(list[i].sequential, list[index].sequential) && !(alone && list[i].splits))
            return true;
    return false;
}

static bool make_rows(struct bench *bench, const struct bench_plan *plan, struct mp_error *error)
{
    struct contestant list[BENCH_MOST_STRATEGIES];
    int most = plan->strategy_count * (2 * plan->thread_count + 3);
    bench->rows = calloc((size_t)most, sizeof *bench->rows);
    if (!bench->rows)
        return mp_fail(error, "out of memory for a benchmark");
    for (int i = 0; i < plan->strategy_count; i++)
        if (!read_contestant(plan->game, plan->strategies[i], &list[i], error))
            return false;
    for (int i = 0; i < plan->strategy_count; i++) {
        if (!is_said_before(list, i, false))
            add_group(bench, plan, list, i);
        else if (!list[i].splits && is_said_before(list, i, true)) /* to be compared with itself */
            add_row(bench, BENCH_SEQUENTIAL, 1, bench->row_count, -1, list[i].sequential);
    }
    return true;
}

/* ---- One search ------------------------------------------------------------------------------------ */

/* What a row runs on a position. */
static void row_strategy(const struct bench *bench, const struct bench_row *row, int position,
                         char strategy[BENCH_TEXT])
{
    const int *depths = bench->rows[row->base].depths;
    memcpy(strategy, row->strategy, BENCH_TEXT);
    if (depths)
        set_number(bench->game, strategy, "depth", depths[position], NULL);
}

/* A new search each time: it must not find what the last one left in its table. */
static bool search_once(const struct bench *bench, const char *strategy, int position,
                        struct mp_result *result, double *cpu_seconds, struct mp_error *error)
{
    struct mp_search *search = mp_search_new(bench->game, strategy, error);
    double before = clock_cpu_seconds();
    bool ok = search && mp_search_run(search, bench->positions[position], NULL, NULL, result, error);
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
    copy->ok = go && mp_search_run(copy->search, copy->position, NULL, NULL, &copy->result, NULL);
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
        if (pthread_create(&copies[started].thread, NULL, run_copy, &copies[started]) != 0)
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
static bool run_copies(const struct bench *bench, int count, const char *strategy, int position,
                       struct bench_sample *sample, struct mp_error *error)
{
    struct copy *copies = calloc((size_t)count, sizeof *copies);
    bool ok = copies || mp_fail(error, "out of memory for %d searches at once", count);
    for (int i = 0; ok && i < count; i++) {
        copies[i].position = bench->positions[position];
        copies[i].search = mp_search_new(bench->game, strategy, error);
        ok = copies[i].search != NULL;
    }
    ok = ok && release_copies(copies, count, error);
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

/* Runs a row on a position. An exact search must find the value that the sequential one found. */
static bool run_row(struct bench *bench, int index, int position, struct bench_sample *sample,
                    struct mp_error *error)
{
    struct bench_row *row = &bench->rows[index], *base = &bench->rows[row->base];
    char strategy[BENCH_TEXT];
    row_strategy(bench, row, position, strategy);
    if (row->kind == BENCH_COPIES)
        return run_copies(bench, row->threads, strategy, position, sample, error);
    struct mp_result result;
    bool alone = row->kind == BENCH_SEQUENTIAL;
    double cpu_seconds;
    if (!search_once(bench, strategy, position, &result, &cpu_seconds, error))
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

/* ---- Positions and depths -------------------------------------------------------------------------- */

/* Looks for the first iteration that takes long enough. */
struct probe {
    struct mp_search *search;
    double at_least, last_seconds;
    int depth; /* 0: not found */
};

static void watch_iteration(const struct mp_result *so_far, void *context)
{
    struct probe *probe = context;
    if (so_far->seconds - probe->last_seconds >= probe->at_least) {
        probe->depth = so_far->depth;
        mp_search_stop(probe->search);
    }
    probe->last_seconds = so_far->seconds;
}

/* The depth at which a sequential search takes at_least seconds and not longer than `longest`; 0: none. */
static bool find_depth(const struct bench *bench, const struct bench_row *row,
                       const struct mp_position *position, double at_least, double longest, int *depth,
                       struct mp_error *error)
{
    char strategy[BENCH_TEXT], time[32];
    memcpy(strategy, row->strategy, BENCH_TEXT);
    text_from_seconds(longest, time, sizeof time);
    struct probe probe = {.at_least = at_least};
    if (change_key(bench->game, strategy, "depth", NULL, error) &&
        change_key(bench->game, strategy, "time", time, error))
        probe.search = mp_search_new(bench->game, strategy, error);
    struct mp_result result;
    bool ok = probe.search && mp_search_run(probe.search, position, watch_iteration, &probe, &result, error);
    mp_search_free(probe.search);
    *depth = probe.depth;
    return ok;
}

/* The depths of a position for all sequential rows; *found is false when one of them has none. */
static bool find_depths(struct bench *bench, int at, double at_least, double longest, bool *found,
                        struct mp_error *error)
{
    *found = true;
    for (int i = 0; i < bench->row_count && *found; i++) {
        struct bench_row *row = &bench->rows[i];
        if (row->kind != BENCH_SEQUENTIAL)
            continue;
        if (!find_depth(bench, row, bench->positions[at], at_least, longest, &row->depths[at], error))
            return false;
        *found = row->depths[at] > 0;
    }
    return true;
}

/* Random positions differ in how their times grow with the depth; those that jump from too little to too much
 * are left out. */
static bool goes_on(const struct bench_plan *plan, const char *doing, double share, struct mp_error *error)
{
    return !plan->progress || plan->progress(doing, share, plan->context) ||
           mp_fail(error, "the measurement was given up");
}

enum { LONGEST = 5, TRIES_EACH = 20 };

static bool choose_positions(struct bench *bench, const struct bench_plan *plan, struct mp_error *error)
{
    int wanted = plan->position_count, number = 0;
    bench->positions = calloc((size_t)wanted, sizeof *bench->positions);
    bench->owns_positions = true;
    if (!bench->positions)
        return mp_fail(error, "out of memory for positions");
    while (bench->position_count < wanted) {
        int at = bench->position_count;
        bool found = true;
        if (!goes_on(plan, "choosing positions", (double)at / wanted, error))
            return false;
        if (number == wanted * TRIES_EACH)
            return mp_fail(error,
                           "only %d of %d random positions take %g s at some depth, expected another "
                           "--at-least",
                           at, number, plan->at_least);
        bench->positions[at] = positions_random(plan->game, plan->seed, number++);
        if (!bench->positions[at])
            return mp_fail(error, "out of memory for positions");
        bool ok = plan->at_least <= 0 ||
                  find_depths(bench, at, plan->at_least, LONGEST * plan->at_least, &found, error);
        if (ok && found)
            bench->position_count++;
        else
            mp_position_free(bench->positions[at]);
        if (!ok)
            return false;
    }
    return true;
}

static bool borrow_positions(struct bench *bench, const struct bench_plan *plan, struct mp_error *error)
{
    enum { PATIENCE = 1000 };
    bench->positions = plan->positions;
    bench->position_count = plan->position_count;
    for (int i = 0; plan->at_least > 0 && i < plan->position_count; i++) {
        bool found;
        if (!goes_on(plan, "choosing depths", (double)i / plan->position_count, error) ||
            !find_depths(bench, i, plan->at_least, PATIENCE * plan->at_least, &found, error))
            return false;
        if (!found)
            return mp_fail(error, "position %d is searched to its end in less than %g s", i + 1,
                           plan->at_least);
    }
    return true;
}

static bool prepare(struct bench *bench, const struct bench_plan *plan, struct mp_error *error)
{
    size_t count = (size_t)plan->position_count;
    if (!make_rows(bench, plan, error))
        return false;
    for (int i = 0; i < bench->row_count; i++) {
        struct bench_row *row = &bench->rows[i];
        if (plan->at_least > 0)
            drop_key(row->strategy, "depth");
        if (row->kind != BENCH_SEQUENTIAL)
            continue;
        row->depths = plan->at_least > 0 ? calloc(count, sizeof *row->depths) : NULL;
        row->values = malloc(count * sizeof *row->values);
        if (!row->values || (plan->at_least > 0 && !row->depths))
            return mp_fail(error, "out of memory for a benchmark");
        for (size_t j = 0; j < count; j++)
            row->values[j] = MP_INFINITE;
    }
    return plan->positions ? borrow_positions(bench, plan, error) : choose_positions(bench, plan, error);
}

/* ---- Rounds ---------------------------------------------------------------------------------------- */

struct clockwork {
    int64_t start_ns;
    double longest_round;
};

/* How far a measurement is after this many rounds and parts of one. Without a number of rounds the time
 * decides, but the first round is run to its end. */
static double share_done(const struct bench_plan *plan, double rounds, double elapsed)
{
    return plan->rounds ? rounds / plan->rounds : fmin(fmin(elapsed / plan->seconds, rounds), 1);
}

static bool run_round(struct bench *bench, const struct bench_plan *plan, const struct clockwork *clockwork,
                      struct mp_error *error)
{
    int rows = bench->row_count, positions = bench->position_count, round = bench->rounds;
    for (int p = 0; p < positions; p++)
        for (int k = 0; k < rows; k++) {
            int index = (k + p + round) % rows;
            double done = round + (double)(p * rows + k) / (rows * positions);
            double share = share_done(plan, done, clock_seconds_since(clockwork->start_ns));
            if (!goes_on(plan, "measuring", share, error) ||
                !run_row(bench, index, p, &bench->rows[index].samples[round * positions + p], error))
                return false;
        }
    bench->rounds++;
    return true;
}

static bool make_room(struct bench *bench, struct mp_error *error)
{
    size_t count = (size_t)(bench->rounds + 1) * (size_t)bench->position_count;
    for (int i = 0; i < bench->row_count; i++) {
        struct bench_sample *samples = realloc(bench->rows[i].samples, count * sizeof *samples);
        if (!samples)
            return mp_fail(error, "out of memory for samples");
        bench->rows[i].samples = samples;
    }
    return true;
}

/* From six rounds on there are intervals of 95%; a few more, and differences can be told from chance. */
enum { LEAST_ROUNDS = 8 };
static const double narrow = 0.01;

static bool is_narrow(const struct bench *bench)
{
    if (bench->rounds < LEAST_ROUNDS)
        return false;
    bool compares_splits = false;
    for (int i = 0; i < bench->row_count; i++)
        compares_splits = compares_splits || bench->rows[i].kind == BENCH_PARALLEL;
    for (int i = 0; i < bench->row_count; i++) {
        const struct bench_row *row = &bench->rows[i];
        bool alone = row->kind == BENCH_SEQUENTIAL;
        if (!(alone && compares_splits) && interval_reach(alone ? row->seconds : row->speed_up) > narrow)
            return false;
    }
    return true;
}

static bool is_done(const struct bench *bench, const struct bench_plan *plan,
                    const struct clockwork *clockwork)
{
    if (plan->rounds)
        return bench->rounds == plan->rounds;
    if (bench->rounds == 0)
        return false;
    return clock_seconds_since(clockwork->start_ns) + clockwork->longest_round > plan->seconds ||
           is_narrow(bench);
}

static bool measure(struct bench *bench, const struct bench_plan *plan, struct mp_error *error)
{
    struct clockwork clockwork = {.start_ns = clock_ns()};
    struct bench_sample warm_up;
    for (int i = 0; i < bench->row_count; i++)
        if (!goes_on(plan, "warming up", 0, error) || !run_row(bench, i, 0, &warm_up, error))
            return false;
    while (!is_done(bench, plan, &clockwork)) {
        int64_t start = clock_ns();
        if (!make_room(bench, error) || !run_round(bench, plan, &clockwork, error) ||
            !bench_summarise(bench, error))
            return false;
        if (plan->round)
            plan->round(bench, plan->context);
        clockwork.longest_round = fmax(clockwork.longest_round, clock_seconds_since(start));
    }
    bench->elapsed = clock_seconds_since(clockwork.start_ns);
    return true;
}

/* ---- The result ------------------------------------------------------------------------------------ */

/* The figures of one row in one round. */
struct figures {
    double seconds, speed_up, nodes;
};

static struct figures figures_of(const struct bench *bench, const struct bench_row *row, int round)
{
    int positions = bench->position_count;
    const struct bench_sample *own = row->samples + round * positions;
    const struct bench_sample *base = bench->rows[row->base].samples + round * positions;
    /* Copies do the work several times. */
    double work = row->kind == BENCH_COPIES ? row->threads : 1, seconds = 0, speed_up = 0, nodes = 0;
    for (int i = 0; i < positions; i++) {
        seconds += log(own[i].seconds);
        speed_up += log(work * base[i].seconds / own[i].seconds);
        nodes += log(fmax(own[i].nodes, 1) / fmax(base[i].nodes, 1) / work);
    }
    return (struct figures){exp(seconds / positions), exp(speed_up / positions), exp(nodes / positions)};
}

static void total(struct bench *bench, struct bench_row *row)
{
    double seconds = 0, nodes = 0, tasks = 0;
    int count = bench->rounds * bench->position_count;
    for (int i = 0; i < count; i++) {
        seconds += row->samples[i].seconds;
        nodes += row->samples[i].nodes;
        tasks += row->samples[i].tasks;
    }
    row->nodes_per_second = nodes / seconds;
    row->tasks = tasks / count;
}

bool bench_summarise(struct bench *bench, struct mp_error *error)
{
    enum { SECONDS, SPEED_UP, SHARE, NODES, RATE, RATE_SHARE, KINDS };
    int rounds = bench->rounds;
    double *lists = malloc((size_t)(rounds * KINDS) * sizeof *lists);
    if (!lists)
        return mp_fail(error, "out of memory for figures");
    for (int i = 0; i < bench->row_count; i++) {
        struct bench_row *row = &bench->rows[i];
        for (int round = 0; round < rounds; round++) {
            struct figures own = figures_of(bench, row, round);
            double ceiling = row->ceiling < 0 ? 1
                                              : figures_of(bench, &bench->rows[row->ceiling], round).speed_up;
            double list[KINDS] = {
                [SECONDS] = own.seconds,           [SPEED_UP] = own.speed_up,
                [SHARE] = own.speed_up / ceiling,  [NODES] = own.nodes,
                [RATE] = own.speed_up * own.nodes, [RATE_SHARE] = own.speed_up * own.nodes / ceiling};
            for (int k = 0; k < KINDS; k++)
                lists[k * rounds + round] = list[k];
        }
        struct interval *const results[KINDS] = {&row->seconds, &row->speed_up, &row->share,
                                                 &row->nodes,   &row->rate,     &row->rate_share};
        for (int k = 0; k < KINDS; k++)
            *results[k] = statistics_median_interval(lists + k * rounds, rounds);
        total(bench, row);
    }
    free(lists);
    return true;
}

struct bench *bench_run(const struct bench_plan *plan, struct mp_error *error)
{
    struct bench *bench = calloc(1, sizeof *bench);
    if (!bench) {
        mp_fail(error, "out of memory for a benchmark");
        return NULL;
    }
    bench->game = plan->game;
    if (prepare(bench, plan, error) && measure(bench, plan, error))
        return bench;
    bench_free(bench);
    return NULL;
}

void bench_free(struct bench *bench)
{
    if (!bench)
        return;
    for (int i = 0; bench->rows && i < bench->row_count; i++) {
        free(bench->rows[i].depths);
        free(bench->rows[i].values);
        free(bench->rows[i].samples);
    }
    free(bench->rows);
    if (bench->owns_positions)
        positions_free(bench->positions, bench->position_count);
    free(bench);
}

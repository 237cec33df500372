/* bench.c - runs the rounds of a benchmark and sums them up. */
#include "lab/bench_inner.h"

#include "base/clock.h"
#include "lab/positions.h"

#include <math.h>
#include <stdlib.h>

/* ---- Rounds ---------------------------------------------------------------------------------------- */

static bool prepare(struct bench *bench, const struct bench_plan *plan, struct mp_error *error)
{
    size_t count = (size_t)plan->position_count;
    if (!bench_make_rows(bench, plan, error))
        return false;
    for (int i = 0; i < bench->row_count; i++) {
        struct bench_row *row = &bench->rows[i];
        if (plan->at_least > 0)
            bench_drop_key(row->strategy, "depth");
        if (row->kind != BENCH_SEQUENTIAL)
            continue;
        row->depths = plan->at_least > 0 ? calloc(count, sizeof *row->depths) : NULL;
        row->values = malloc(count * sizeof *row->values);
        row->node_ns = calloc(count, sizeof *row->node_ns);
        row->node_counts = calloc(count, sizeof *row->node_counts);
        if (!row->values || !row->node_ns || !row->node_counts || (plan->at_least > 0 && !row->depths))
            return mp_fail(error, "out of memory for a benchmark");
        for (size_t j = 0; j < count; j++)
            row->values[j] = MP_INFINITE;
        for (size_t j = 0; j < count; j++)
            row->node_ns[j] = plan->costs.node;
    }
    return bench_choose(bench, plan, error);
}

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
            struct bench_sample *samples = bench->rows[index].samples + p;
            if (bench->rows[index].kind == BENCH_SIMULATED && round > 0) {
                samples[round * positions] = samples[0];
                continue;
            }
            double share = share_done(plan, done, clock_seconds_since(clockwork->start_ns));
            if (!bench_goes_on(plan, "measuring", share, error) || !bench_is_wanted(plan->stop, error) ||
                !bench_run_row(bench, plan->stop, index, p, &samples[round * positions], error))
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
    if (bench->rounds > 0 && bench->only_simulated)
        return true;
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
    for (int i = 0; i < bench->row_count && !bench->only_simulated; i++)
        if (bench->rows[i].kind != BENCH_SIMULATED &&
            (!bench_goes_on(plan, "warming up", 0, error) || !bench_is_wanted(plan->stop, error) ||
             !bench_run_row(bench, plan->stop, i, 0, &warm_up, error)))
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
        double alone = row->kind == BENCH_SIMULATED ? own[i].base_seconds : base[i].seconds;
        speed_up += log(work * alone / own[i].seconds);
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
    bench->costs = plan->costs;
    bench->only_simulated = plan->simulated_count > 0 && plan->thread_count == 0;
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
        free(bench->rows[i].node_ns);
        free(bench->rows[i].node_counts);
        free(bench->rows[i].samples);
    }
    free(bench->rows);
    if (bench->owns_positions)
        positions_free(bench->positions, bench->position_count);
    free(bench);
}

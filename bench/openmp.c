/* openmp.c - the pool against OpenMP tasks: the same tree of nested splits, whose leaves are a little
 * arithmetic, on one thread and on all.
 *
 *     openmp [ROUNDS]       21 by default */
#include "bench/count.h"
#include "lab/statistics.h"

#include "base/clock.h"
#include "base/random.h"
#include "manyply/manyply.h"
#include "parallel/pool.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 8, DEPTH = 4 };

static int leaf_steps;

static uint64_t leaf(uint64_t seed)
{
    for (int i = 0; i < leaf_steps; i++)
        seed = random_mix(seed);
    return seed;
}

static uint64_t sequential(uint64_t seed, int depth)
{
    uint64_t sum = 0;
    for (int i = 0; i < WIDTH; i++)
        sum += depth ? sequential(random_at(seed, (uint64_t)i), depth - 1)
                     : leaf(random_at(seed, (uint64_t)i));
    return sum;
}

/* ---- The pool ------------------------------------------------------------------------------------------ */

struct node {
    struct job job;
    struct pool *pool;
    uint64_t seed;
    int depth;
    _Atomic uint64_t sum;
};

static uint64_t run_pool(struct pool *pool, int thread, uint64_t seed, int depth);

static void run_child(struct job *job, int thread, int i)
{
    struct node *node = (struct node *)job;
    uint64_t seed = random_at(node->seed, (uint64_t)i);
    uint64_t sum = node->depth ? run_pool(node->pool, thread, seed, node->depth - 1) : leaf(seed);
    atomic_fetch_add_explicit(&node->sum, sum, memory_order_relaxed);
}

static uint64_t run_pool(struct pool *pool, int thread, uint64_t seed, int depth)
{
    struct node node = {.pool = pool, .seed = seed, .depth = depth};
    node.job.run = run_child;
    node.job.count = WIDTH;
    pool_run(pool, thread, &node.job);
    return node.sum;
}

/* ---- OpenMP -------------------------------------------------------------------------------------------- */

static uint64_t run_openmp(uint64_t seed, int depth)
{
    uint64_t sums[WIDTH], sum = 0;
    for (int i = 0; i < WIDTH; i++) {
#pragma omp task shared(sums) firstprivate(i)
        sums[i] = depth ? run_openmp(random_at(seed, (uint64_t)i), depth - 1)
                        : leaf(random_at(seed, (uint64_t)i));
    }
#pragma omp taskwait
    for (int i = 0; i < WIDTH; i++)
        sum += sums[i];
    return sum;
}

static uint64_t start_openmp(int threads)
{
    uint64_t sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    sum = run_openmp(1, DEPTH);
    return sum;
}

/* ---- The comparison ------------------------------------------------------------------------------------ */

static void compare(int threads, int rounds)
{
    enum { SEQUENTIAL, POOL, OPENMP, CONTESTANTS };
    double *samples[CONTESTANTS], median[CONTESTANTS];
    uint64_t sums[CONTESTANTS] = {0};
    struct pool *pool = pool_new(threads);
    for (int c = 0; c < CONTESTANTS; c++)
        samples[c] = calloc((size_t)rounds, sizeof **samples);
    for (int round = 0; round < rounds; round++)
        for (int c = 0; c < CONTESTANTS; c++) {
            int64_t start = clock_ns();
            sums[c] = c == SEQUENTIAL ? sequential(1, DEPTH)
                      : c == POOL     ? run_pool(pool, 0, 1, DEPTH)
                                      : start_openmp(threads);
            samples[c][round] = clock_seconds_since(start);
        }
    for (int c = 0; c < CONTESTANTS; c++) {
        median[c] = statistics_median(samples[c], rounds);
        free(samples[c]);
    }
    pool_free(pool);
    printf("leaves of %7.2f us, %2d threads: speed-up of the pool %5.2f, of OpenMP %5.2f%s\n",
           median[SEQUENTIAL] * 1e6 / (WIDTH * WIDTH * WIDTH * WIDTH * WIDTH), threads,
           median[SEQUENTIAL] / median[POOL], median[SEQUENTIAL] / median[OPENMP],
           sums[POOL] == sums[SEQUENTIAL] && sums[OPENMP] == sums[SEQUENTIAL] ? "" : "  (SUMS DIFFER)");
}

int main(int argc, char **argv)
{
    int rounds = count_argument(argc, argv, 1, 21);
    for (leaf_steps = 100; leaf_steps <= 10000; leaf_steps *= 10) {
        compare(1, rounds);
        if (mp_cpu_count() > 1)
            compare(mp_cpu_count(), rounds);
    }
    return 0;
}

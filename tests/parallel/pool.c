/* pool.c - the pool under stress: every task is run once and only once, however deeply jobs are nested, and a
 * cancelled job leaves nobody behind. */
#include "tests/support/test.h"

#include "base/random.h"
#include "parallel/pool.h"

#include <time.h>

enum { THREADS = 4, WIDTH = 5, DEPTH = 5 };

struct tree {
    struct job job;
    struct pool *pool;
    int depth;
    uint64_t seed;
    _Atomic uint64_t *sum;
};

/* Adds up a hash for each leaf of a tree whose nodes are jobs, some of them with a single task. */
static void visit(struct job *job, int thread, int task)
{
    struct tree *node = (struct tree *)job;
    uint64_t seed = random_at(node->seed, (uint64_t)task);
    assert_ptr_equal(pool_current(node->pool, thread), job);
    if (node->depth == 0) {
        atomic_fetch_add(node->sum, seed);
        return;
    }
    struct tree child = {.pool = node->pool, .depth = node->depth - 1, .seed = seed, .sum = node->sum};
    child.job.run = visit;
    child.job.count = 1 + (int)(seed % WIDTH);
    pool_run(node->pool, thread, &child.job);
    assert_ptr_equal(pool_current(node->pool, thread), job);
}

static uint64_t sum_of_tree(struct pool *pool, uint64_t seed)
{
    _Atomic uint64_t sum = 0;
    struct tree root = {.pool = pool, .depth = DEPTH, .seed = seed, .sum = &sum};
    root.job.run = visit;
    root.job.count = WIDTH;
    pool_run(pool, 0, &root.job);
    return sum;
}

static void runs_every_task_once(void **state)
{
    (void)state;
    struct pool *alone = pool_new(1), *pool = pool_new(THREADS);
    assert_int_equal(pool_threads(pool), THREADS);
    for (uint64_t seed = 0; seed < 200; seed++)
        assert_int_equal(sum_of_tree(pool, seed), sum_of_tree(alone, seed));
    unsigned long long stolen = 0;
    for (int i = 0; i < THREADS; i++)
        stolen += pool_stats(pool, i).tasks_stolen;
    assert_true(stolen > 0);
    pool_reset_stats(pool);
    assert_int_equal(pool_stats(pool, 0).tasks_local, 0);
    pool_free(alone);
    pool_free(pool);
}

struct race {
    struct job job;
    struct pool *pool;
    atomic_int entered, left;
    int winner; /* the task that cancels */
};

static void spin_until_cancelled(struct job *job, int thread, int task)
{
    (void)thread, (void)task;
    struct race *outer = (struct race *)job->parent;
    atomic_fetch_add(&outer->entered, 1);
    while (!job_is_cancelled(job))
        ;
    atomic_fetch_add(&outer->left, 1);
}

/* One task cancels the job while the others are in jobs of their own below it. */
static void run_race(struct job *job, int thread, int task)
{
    struct race *race = (struct race *)job;
    if (task == race->winner) {
        /* Task 0 may be run before anybody else has come; then there is nobody to wait for. */
        for (int i = 0; i < 1000 && atomic_load(&race->entered) == 0; i++)
            ;
        job_cancel(job);
        return;
    }
    struct job inner = {.run = spin_until_cancelled, .count = 3};
    pool_run(race->pool, thread, &inner);
}

static void cancels_whole_subtrees(void **state)
{
    (void)state;
    struct pool *pool = pool_new(THREADS);
    for (int i = 0; i < 300; i++) {
        struct race race = {.pool = pool, .winner = 0};
        race.job.run = run_race;
        race.job.count = THREADS;
        pool_run(pool, 0, &race.job);
        assert_int_equal(race.entered, race.left);
        assert_true(job_is_cancelled(&race.job));
    }
    pool_free(pool);
}

/* Threads that have gone to sleep wake up for work. */
static void wakes_up(void **state)
{
    (void)state;
    struct pool *pool = pool_new(THREADS);
    uint64_t expected = 0;
    for (int i = 0; i < 50; i++) {
        struct timespec pause = {0, 2000000};
        nanosleep(&pause, NULL);
        uint64_t sum = sum_of_tree(pool, 7);
        if (i == 0)
            expected = sum;
        assert_int_equal(sum, expected);
    }
    pool_free(pool);
    pool_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_every_task_once),
        cmocka_unit_test(cancels_whole_subtrees),
        cmocka_unit_test(wakes_up),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}

/* machine.c - virtual threads: their order, their clocks, and what things cost them. */
#include "parallel/virtual_machine.h"

#include "base/random.h"
#include "parallel/pool.h"
#include "tests/support/test.h"

/* In nanoseconds; powers of ten tell which was paid. */
static const struct costs costs = {
    .node = 1, .steal = 100, .wake = 10000, .spin = 100000, .lock = 10, .line = 5};

/* A pool on a virtual machine whose threads count nodes. */
enum { MOST = 256 };
struct desk {
    struct pool *pool;
    uint64_t nodes[MOST];
};

static struct desk *set_up(int threads)
{
    struct desk *desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    desk->pool = pool_new_with((struct pool_options){.threads = threads, .costs = &costs, .simulated = true});
    assert_non_null(desk->pool);
    assert_int_equal(pool_threads(desk->pool), threads);
    for (int i = 0; i < threads; i++)
        pool_set_gauge(desk->pool, i, &desk->nodes[i]);
    return desk;
}

static void tear_down(struct desk *desk)
{
    pool_free(desk->pool);
    free(desk);
}

static int64_t sum(struct machine_times times)
{
    int64_t ps = 0;
    for (int i = 0; i < MACHINE_TIMES; i++) {
        assert_true(times.ps[i] >= 0);
        ps += times.ps[i];
    }
    return ps;
}

static void assert_times_add_up(const struct desk *desk)
{
    int64_t all = sum(machine_times(pool_machine(desk->pool), 0));
    for (int i = 1; i < pool_threads(desk->pool); i++)
        assert_int_equal(sum(machine_times(pool_machine(desk->pool), i)), all);
}

/* ---- Order ----------------------------------------------------------------------------------------- */

struct work {
    struct job job; /* first: the one is found from the other */
    struct desk *desk;
    int each; /* nodes of a task */
    int64_t last_ns;
    int done[MOST]; /* by thread */
};

/* What is done at a sync happens in the order of the clocks. */
static void work_a_little(struct job *job, int thread, int task)
{
    struct work *work = (struct work *)job;
    struct pool *pool = work->desk->pool;
    work->desk->nodes[thread] += (uint64_t)(work->each * (1 + task % 3));
    pool_sync(pool, thread);
    int64_t now = pool_ns(pool, thread);
    assert_true(now >= work->last_ns);
    work->last_ns = now;
    work->done[thread]++;
}

static void clocks_go_forward_together(void **state)
{
    (void)state;
    enum { THREADS = 8, TASKS = 400, EACH = 5000 };
    struct desk *desk = set_up(THREADS);
    struct work work = {.job = {.run = work_a_little, .count = TASKS}, .desk = desk, .each = EACH};
    pool_run(desk->pool, 0, &work.job);
    uint64_t nodes = 0;
    for (int i = 0; i < THREADS; i++) {
        assert_in_range(work.done[i], TASKS / THREADS / 2, TASKS / THREADS * 2);
        nodes += desk->nodes[i];
        assert_int_equal(machine_times(pool_machine(desk->pool), i).ps[TIME_NODES], 1000 * desk->nodes[i]);
    }
    /* All share the work, but for the time to get up and to steal, and the last task. */
    int64_t shared = (int64_t)(nodes / THREADS), took = pool_ns(desk->pool, 0);
    assert_in_range(took, shared, shared + 3 * EACH + 20000);
    assert_times_add_up(desk);
    tear_down(desk);
}

/* ---- Costs ----------------------------------------------------------------------------------------- */

struct meeting {
    struct job job;
    struct desk *desk;
    struct pool_lock lock;
    int64_t at_ns[2];
};

static void take_the_lock(struct job *job, int thread, int task)
{
    struct meeting *meeting = (struct meeting *)job;
    meeting->desk->nodes[thread] += 50000;
    /* The first, then the other; both at the same time. */
    while (pool_ns(meeting->desk->pool, thread) < 100000)
        meeting->desk->nodes[thread]++;
    pool_lock(meeting->desk->pool, thread, &meeting->lock);
    meeting->at_ns[task] = pool_ns(meeting->desk->pool, thread);
    pool_unlock(&meeting->lock);
}

static void a_lock_goes_from_core_to_core(void **state)
{
    (void)state;
    struct desk *desk = set_up(2);
    struct meeting meeting = {.job = {.run = take_the_lock, .count = 2}, .desk = desk};
    pool_lock_init(&meeting.lock);
    pool_run(desk->pool, 0, &meeting.job);
    assert_int_equal(meeting.at_ns[0], 100000); /* nobody had it before */
    assert_int_equal(meeting.at_ns[1], 100010);
    struct machine_times helper = machine_times(pool_machine(desk->pool), 1);
    assert_int_equal(helper.ps[TIME_STEAL], 100000);
    assert_int_equal(helper.ps[TIME_WAKE], 0); /* it had not gone to sleep yet */
    assert_int_equal(helper.ps[TIME_NODES], 1000 * desk->nodes[1]);
    assert_times_add_up(desk);
    pool_lock_free(&meeting.lock);
    tear_down(desk);
}

struct nap {
    struct job job;
    struct desk *desk;
    int64_t began_ns[2];
};

static void note_the_time(struct job *job, int thread, int task)
{
    struct nap *nap = (struct nap *)job;
    nap->began_ns[task] = pool_ns(nap->desk->pool, thread);
    nap->desk->nodes[thread] += 30000;
    pool_sync(nap->desk->pool, thread);
}

static void who_has_waited_long_sleeps(void **state)
{
    (void)state;
    for (int naps = 0; naps < 2; naps++) {
        struct desk *desk = set_up(2);
        struct nap nap = {.job = {.run = note_the_time, .count = 2}, .desk = desk};
        desk->nodes[0] += naps ? 200000 : 50000;
        int64_t begin = pool_ns(desk->pool, 0);
        pool_run(desk->pool, 0, &nap.job);
        assert_int_equal(nap.began_ns[0], begin);
        /* A steal; and, after a wait longer than 100 us, a wake-up. The lock of the job comes from the owner. */
        assert_int_equal(nap.began_ns[1] - begin, 100 + 10 + (naps ? 10000 : 0));
        assert_times_add_up(desk);
        tear_down(desk);
    }
}

/* ---- Anything -------------------------------------------------------------------------------------- */

struct tree {
    struct job job;
    struct desk *desk;
    struct pool_lock *lock;
    int depth;
    uint64_t seed;
    uint64_t *visited;
};

static void grow(struct job *job, int thread, int task)
{
    struct tree *tree = (struct tree *)job;
    uint64_t seed = random_at(tree->seed, (uint64_t)task);
    for (uint64_t i = 0; i < seed % 5; i++) {
        tree->desk->nodes[thread] += 100 + seed % 1000;
        *tree->visited += 100 + seed % 1000;
        pool_poll(tree->desk->pool, thread);
    }
    if (tree->depth > 0) {
        struct tree below = {.job = {.run = grow, .count = (int)(seed / 8 % 6)},
                             .desk = tree->desk,
                             .lock = tree->lock,
                             .depth = tree->depth - 1,
                             .seed = seed,
                             .visited = tree->visited};
        pool_run(tree->desk->pool, thread, &below.job);
    }
    if (seed % 3 == 0) {
        pool_lock(tree->desk->pool, thread, tree->lock);
        pool_unlock(tree->lock);
    }
    if (seed % 31 == 0)
        job_cancel(job);
}

/* Nested jobs, some cancelled: every thread's time adds up, all nodes are in it, and it is the same again. */
static void times_add_up_whatever_is_done(void **state)
{
    (void)state;
    enum { TREES = 12, TREES_OF_MANY = 2 };
    static const int threads[] = {1, 2, 5, 64, 256};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
        for (uint64_t seed = 0; seed < (threads[t] > 8 ? TREES_OF_MANY : TREES); seed++) {
            int64_t took[2];
            for (int again = 0; again < 2; again++) {
                struct desk *desk = set_up(threads[t]);
                struct pool_lock lock;
                uint64_t visited = 0;
                pool_lock_init(&lock);
                struct tree tree = {.job = {.run = grow, .count = 6},
                                    .desk = desk,
                                    .lock = &lock,
                                    .depth = 4,
                                    .seed = seed,
                                    .visited = &visited};
                pool_run(desk->pool, 0, &tree.job);
                assert_times_add_up(desk);
                int64_t nodes = 0;
                for (int i = 0; i < threads[t]; i++)
                    nodes += machine_times(pool_machine(desk->pool), i).ps[TIME_NODES];
                assert_int_equal(nodes, 1000 * visited);
                took[again] = sum(machine_times(pool_machine(desk->pool), 0));
                pool_lock_free(&lock);
                tear_down(desk);
            }
            assert_int_equal(took[0], took[1]);
        }
}

/* ---- Costs as text --------------------------------------------------------------------------------- */

static void costs_are_read_and_printed(void **state)
{
    (void)state;
    char text[256];
    struct costs found = costs_typical;
    assert_true(costs_read("steal:7+node:0.5", '+', ':', &found));
    assert_true(found.steal == 7 && found.node == 0.5 && found.wake == costs_typical.wake);
    costs_print(&(struct costs){1, 2.5, 3000000, 1e9, 0, 6}, text, sizeof text);
    assert_string_equal(text, "node:1+steal:2.5+wake:3000000+spin:1000000000+lock:0+line:6");
    assert_true(costs_read(text, '+', ':', &found));
    assert_true(found.spin == 1e9 && found.lock == 0);
    static const char *const wrong[] = {
        "",        "node",    "node:",   "node:0",         "node:-1",  "node:1e3",   "nod:1",
        "nodes:1", "node:1+", "+node:1", "node:1,steal:2", "node:nan", "node:1.2.3", "wake:1000000001",
        "node:1 "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        found = costs_typical;
        if (costs_read(wrong[i], '+', ':', &found))
            fail_msg("'%s' was read", wrong[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_go_forward_together), cmocka_unit_test(a_lock_goes_from_core_to_core),
        cmocka_unit_test(who_has_waited_long_sleeps), cmocka_unit_test(times_add_up_whatever_is_done),
        cmocka_unit_test(costs_are_read_and_printed),
    };
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}

/* pool.c - the pool under stress: every task is run once and only once, however deeply jobs are nested, a
 * cancelled job leaves nobody behind, and whoever sleeps is woken.
 *
 * A thread that waits for what a broken pool never does would wait for ever: tasks wait for a while only and
 * then say so, and where the pool itself may hang, an alarm ends the test. */
#define _GNU_SOURCE
#include "tests/support/test.h"

#include "base/clock.h"
#include "base/random.h"
#include "parallel/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, WIDTH = 5, DEPTH = 5 };

/* ---- Waiting --------------------------------------------------------------------------------------- */

/* Seconds: far more than any thread needs to come, also on a machine that is busy with something else. */
enum { PATIENCE = 20, ALARM = 240 };

static void pause_for_us(long us)
{
    nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

/* Waits until a counter is large enough. False: it has taken too long. */
static bool comes_to(atomic_int *counter, int least)
{
    enum { LOOKS = 1000 }; /* before the CPU is left to others */
    int64_t start = clock_ns();
    for (int looks = 0; atomic_load(counter) < least; looks++) {
        if (clock_seconds_since(start) > PATIENCE)
            return false;
        if (looks > LOOKS)
            pause_for_us(50);
    }
    return true;
}

static void give_alarm(int number)
{
    (void)number;
    static const char text[] = "pool: a thread waits that nobody wakes\n";
    _exit(write(STDERR_FILENO, text, sizeof text - 1) > 0 ? 1 : 2);
}

static int set_alarm(void **state)
{
    (void)state;
    signal(SIGALRM, give_alarm);
    alarm(ALARM);
    return 0;
}

/* How often a thread has been off its CPU. False: at this moment it does not sleep. */
static bool is_sleeping(int id, unsigned long *switches)
{
    char path[64], line[256], state = '?';
    unsigned long count;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", id);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    *switches = 0;
    while (fgets(line, sizeof line, file)) {
        sscanf(line, "State: %c", &state);
        if (sscanf(line, "voluntary_ctxt_switches: %lu", &count) == 1 ||
            sscanf(line, "nonvoluntary_ctxt_switches: %lu", &count) == 1)
            *switches += count;
    }
    fclose(file);
    return state == 'S';
}

/* Do all of these threads sleep at once? Each is found asleep twice, and has not been awake in between. None
 * of them can then be waiting for a lock that another one has. */
static bool are_asleep(const int *ids, int count)
{
    unsigned long before[THREADS], after;
    for (int i = 0; i < count; i++)
        if (!is_sleeping(ids[i], &before[i]))
            return false;
    pause_for_us(2000);
    for (int i = 0; i < count; i++)
        if (!is_sleeping(ids[i], &after) || after != before[i])
            return false;
    return true;
}

/* Waits for that. False: it has taken too long. */
static bool fall_asleep(const int *ids, int count)
{
    for (int64_t start = clock_ns(); !are_asleep(ids, count); pause_for_us(200))
        if (clock_seconds_since(start) > PATIENCE)
            return false;
    return true;
}

static int own_id(void)
{
    return (int)syscall(SYS_gettid);
}

/* ---- Trees of jobs --------------------------------------------------------------------------------- */

struct tree {
    struct job job;
    struct pool *pool;
    int depth;
    uint64_t seed;
    _Atomic uint64_t *sum;
};

/* The innermost job that this thread is in, as owner or as helper; and how often a thread was found with a
 * task that is not below it. */
static _Thread_local const struct job *inside;
static atomic_int strays;

static bool is_part_of(const struct job *job, const struct job *above)
{
    while (job && job != above)
        job = job->parent;
    return job == above;
}

/* Adds up a hash for each leaf of a tree whose nodes are jobs, some of them with a single task. */
static void visit(struct job *job, int thread, int task)
{
    struct tree *node = (struct tree *)job;
    const struct job *outer = inside;
    uint64_t seed = random_at(node->seed, (uint64_t)task);
    strays += pool_current(node->pool, thread) != job || !is_part_of(job, outer);
    if (node->depth == 0) {
        atomic_fetch_add(node->sum, seed);
        if (seed % 8 == 0)
            sched_yield(); /* to the others, who may have to wait for a CPU */
        return;
    }
    struct tree child = {.pool = node->pool, .depth = node->depth - 1, .seed = seed, .sum = node->sum};
    child.job.run = visit;
    child.job.count = 1 + (int)(seed % WIDTH);
    inside = &child.job;
    pool_run(node->pool, thread, &child.job);
    inside = outer;
    strays += pool_current(node->pool, thread) != job;
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

/* And a thread that waits helps only below the job that it waits for: its line up to there is in use. */
static void runs_every_task_once(void **state)
{
    (void)state;
    struct pool *alone = pool_new(1), *pool = pool_new(THREADS);
    assert_int_equal(pool_threads(pool), THREADS);
    /* On a busy machine it takes a while until somebody comes to help. */
    int64_t start = clock_ns();
    unsigned long long stolen = 0;
    for (uint64_t seed = 0; seed < 200 || (stolen == 0 && clock_seconds_since(start) < PATIENCE); seed++) {
        assert_int_equal(sum_of_tree(pool, seed), sum_of_tree(alone, seed));
        for (int i = 0; i < THREADS; i++)
            stolen += pool_stats(pool, i).tasks_stolen;
    }
    assert_int_equal(strays, 0);
    assert_true(stolen > 0);
    pool_reset_stats(pool);
    assert_int_equal(pool_stats(pool, 0).tasks_local, 0);
    pool_free(alone);
    pool_free(pool);
}

struct ladder {
    struct job job;
    struct pool *pool;
    int height;
    atomic_int *rungs;
};

static void climb(struct job *job, int thread, int task)
{
    struct ladder *ladder = (struct ladder *)job;
    struct ladder next = {.pool = ladder->pool, .height = ladder->height - 1, .rungs = ladder->rungs};
    next.job.run = climb;
    next.job.count = 2;
    atomic_fetch_add(ladder->rungs, 1);
    if (task == 0 && next.height > 0)
        pool_run(ladder->pool, thread, &next.job);
}

/* Beyond what a thread can have open at once, jobs are its own. */
static void nests_deeper_than_it_shares(void **state)
{
    (void)state;
    enum { HEIGHT = 200 };
    struct pool *pool = pool_new(THREADS);
    for (int i = 0; i < 100; i++) {
        atomic_int rungs = 0;
        struct ladder ladder = {.pool = pool, .height = HEIGHT, .rungs = &rungs};
        ladder.job.run = climb;
        ladder.job.count = 2;
        pool_run(pool, 0, &ladder.job);
        assert_int_equal(rungs, 2 * HEIGHT);
    }
    pool_free(pool);
}

/* ---- Waking ---------------------------------------------------------------------------------------- */

/* Tasks that end when all have begun: each needs a thread of its own. */
struct meeting {
    struct job job;
    atomic_int here, absent;
    int ids[THREADS];
};

static void meet(struct job *job, int thread, int task)
{
    (void)task;
    struct meeting *meeting = (struct meeting *)job;
    meeting->ids[thread] = own_id();
    atomic_fetch_add(&meeting->here, 1);
    if (atomic_load(&meeting->absent) == 0 && !comes_to(&meeting->here, job->count))
        atomic_fetch_add(&meeting->absent, 1);
}

static struct meeting meet_all(struct pool *pool)
{
    struct meeting meeting = {.absent = 0};
    meeting.job.run = meet;
    meeting.job.count = pool_threads(pool);
    pool_run(pool, 0, &meeting.job);
    if (meeting.absent)
        fail_msg("of %d threads not all have come", pool_threads(pool));
    return meeting;
}

/* A job is announced to all that sleep, and the last that leaves it tells its owner. */
static void a_job_wakes_all(void **state)
{
    (void)state;
    struct pool *pool = pool_new(THREADS);
    struct meeting meeting = meet_all(pool);
    for (int i = 0; i < 20; i++) {
        assert_true(fall_asleep(meeting.ids + 1, THREADS - 1));
        pool_reset_stats(pool);
        meet_all(pool);
        for (int thread = 0; thread < THREADS; thread++) {
            struct pool_stats stats = pool_stats(pool, thread);
            assert_int_equal(stats.tasks_created, thread ? 0 : THREADS);
            assert_int_equal(stats.tasks_local, thread ? 0 : 1);
            assert_int_equal(stats.tasks_stolen, thread ? 1 : 0);
        }
    }
    /* Also to end. */
    assert_true(fall_asleep(meeting.ids + 1, THREADS - 1));
    pool_free(pool);
    pool_free(NULL);
}

/* ---- Between two steps ----------------------------------------------------------------------------- */

/* A thread that finds nothing to do yields a number of times and then sleeps. One that is watched can be held
 * up on its way: after n yields, before it takes a lock for the m-th time since. (The linker
 * leads both calls here.) */
static _Thread_local bool watched;
static _Thread_local int locks; /* since the last yield */
static atomic_int yields;       /* since it was last in a task */
static struct {
    atomic_int yields, next_lock;
    atomic_int lock; /* 0: it is not held up */
    atomic_int arrived, open, impatient;
} gate;

int __wrap_sched_yield(void);
int __real_sched_yield(void);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);

int __wrap_sched_yield(void)
{
    if (watched) {
        locks = 0;
        atomic_fetch_add(&yields, 1);
    }
    return __real_sched_yield();
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    if (watched && ++locks == atomic_load(&gate.lock) && atomic_load(&yields) >= gate.yields) {
        atomic_store(&gate.lock, 0);
        atomic_store(&gate.arrived, 1);
        if (!comes_to(&gate.open, 1))
            atomic_store(&gate.impatient, 1);
    }
    return __real_pthread_mutex_lock(mutex);
}

/* Waits until the watched thread is held up. False: it is asleep, because it takes no such lock. */
static bool is_held_up(int id)
{
    for (int64_t start = clock_ns(); !atomic_load(&gate.arrived); pause_for_us(50))
        if (are_asleep(&id, 1) || clock_seconds_since(start) > PATIENCE)
            return atomic_load(&gate.arrived);
    return true;
}

/* Two threads meet. The one that is not the owner is watched from now on, and is to be held up. */
static void meet_before(struct job *job, int thread, int task)
{
    watched = thread != 0;
    if (watched) {
        atomic_store(&yields, 0);
        atomic_store(&gate.arrived, 0);
        atomic_store(&gate.open, 0);
        atomic_store(&gate.lock, gate.next_lock);
    }
    meet(job, thread, task);
}

/* They meet again. */
static void meet_after(struct job *job, int thread, int task)
{
    if (thread == 0)
        atomic_store(&gate.open, 1);
    meet(job, thread, task);
}

/* The id of the watched thread. */
static int hold_up(struct pool *pool, int after_yields, int before_lock)
{
    struct meeting meeting = {.job = {.run = meet_before, .count = 2}};
    gate.yields = after_yields;
    gate.next_lock = before_lock;
    pool_run(pool, 0, &meeting.job);
    assert_int_equal(meeting.absent, 0);
    return meeting.ids[1];
}

/* The other thread has looked for the last time, or is on its way to sleep, when a job is opened. */
static void no_wake_up_is_lost(void **state)
{
    (void)state;
    enum { LOCKS = 6 };
    struct pool *pool = pool_new(2);
    int id = hold_up(pool, 0, 0), held_up = 0;
    assert_true(fall_asleep(&id, 1));
    int last = yields;
    for (int lock = 1; lock <= LOCKS; lock++) {
        hold_up(pool, last, lock);
        held_up += is_held_up(id);
        struct meeting meeting = {.job = {.run = meet_after, .count = 2}};
        pool_run(pool, 0, &meeting.job);
        if (meeting.absent)
            fail_msg("held up before lock %d, the other thread has not come", lock);
    }
    assert_true(held_up >= 2);
    assert_int_equal(gate.impatient, 0);
    pool_free(pool);
}

struct solo {
    struct job job;
    atomic_int run, strangers, impatient;
};

static void open_gate(struct job *job, int thread, int task)
{
    struct solo *solo = (struct solo *)job;
    atomic_fetch_add(&solo->run, 1);
    if (thread != 0)
        atomic_fetch_add(&solo->strangers, 1);
    if (task != 0)
        return;
    /* It goes on looking, finds nothing, and yields. */
    int before = yields;
    atomic_store(&gate.open, 1);
    for (int64_t start = clock_ns(); yields == before && !solo->strangers; pause_for_us(50))
        if (clock_seconds_since(start) > PATIENCE) {
            atomic_store(&solo->impatient, 1);
            return;
        }
}

/* The other thread has asked whether the pool is awake, and then is held up until it rests. */
static void at_rest_nobody_helps(void **state)
{
    (void)state;
    struct pool *pool = pool_new(2);
    for (int i = 0; i < 20; i++) {
        struct solo solo = {.job = {.run = open_gate, .count = 2}};
        assert_true(is_held_up(hold_up(pool, 1, 1)));
        pool_rest(pool);
        pool_run(pool, 0, &solo.job);
        assert_int_equal(solo.run, 2);
        assert_int_equal(solo.strangers, 0);
        assert_int_equal(solo.impatient, 0);
        pool_wake(pool);
    }
    pool_free(pool);
}

/* Jobs that are opened at rest do not disturb those who sleep. */
static void at_rest_nobody_is_woken(void **state)
{
    (void)state;
    struct pool *pool = pool_new(THREADS);
    struct meeting meeting = meet_all(pool);
    pool_rest(pool);
    assert_true(fall_asleep(meeting.ids + 1, THREADS - 1));
    unsigned long before[THREADS], after;
    for (int i = 1; i < THREADS; i++)
        assert_true(is_sleeping(meeting.ids[i], &before[i]));
    sum_of_tree(pool, 1);
    for (int i = 1; i < THREADS; i++) {
        assert_true(is_sleeping(meeting.ids[i], &after));
        assert_int_equal(after, before[i]);
    }
    pool_free(pool);
}

struct rest {
    struct job job; /* the outer, or the one inside */
    struct rest *inner;
    struct pool *pool;
    atomic_int steals, alone;
    int from[2]; /* the first two: 1 of the outer job, 2 of the inner one */
};

static void note_steal(struct rest *outer, int from)
{
    int number = atomic_fetch_add(&outer->steals, 1);
    if (number < 2)
        outer->from[number] = from;
    if (!comes_to(&outer->steals, 2))
        atomic_fetch_add(&outer->alone, 1);
}

static void wake_inside(struct job *job, int thread, int task)
{
    struct rest *outer = (struct rest *)job->parent;
    if (thread != 0) {
        note_steal(outer, 2);
    } else if (task == 0) {
        pool_wake(outer->pool);
        if (!comes_to(&outer->steals, 2))
            atomic_fetch_add(&outer->alone, 1);
    }
}

static void rest_then_wake(struct job *job, int thread, int task)
{
    struct rest *outer = (struct rest *)job;
    if (thread != 0)
        note_steal(outer, 1);
    if (task == 0)
        pool_run(outer->pool, thread, &outer->inner->job);
}

/* Two jobs are open when the pool is woken, each with a task left. The first thief takes that of the older
 * one, the second finds nothing left there and takes the other. */
static void waking_lets_others_into_open_jobs(void **state)
{
    (void)state;
    struct pool *pool = pool_new(3);
    struct meeting meeting = meet_all(pool);
    for (int i = 0; i < 20; i++) {
        struct rest inner = {.job = {.run = wake_inside, .count = 2}};
        struct rest outer = {.job = {.run = rest_then_wake, .count = 2}, .inner = &inner, .pool = pool};
        pool_rest(pool);
        assert_true(fall_asleep(meeting.ids + 1, 2));
        pool_run(pool, 0, &outer.job);
        assert_int_equal(outer.alone, 0);
        assert_int_equal(outer.steals, 2);
        assert_int_equal(outer.from[0], 1);
        assert_int_equal(outer.from[1], 2);
    }
    pool_free(pool);
}

struct farewell {
    struct job job;
    atomic_int here, left, impatient;
    int owner;
};

static void leave_last(struct job *job, int thread, int task)
{
    (void)task;
    struct farewell *farewell = (struct farewell *)job;
    atomic_fetch_add(&farewell->here, 1);
    bool met = comes_to(&farewell->here, 2);
    if (!met || (thread != 0 && !fall_asleep(&farewell->owner, 1)))
        atomic_fetch_add(&farewell->impatient, 1);
    atomic_fetch_add(&farewell->left, 1);
}

/* The owner has nothing left to do and goes to sleep; only then does its helper leave. */
static void the_last_helper_wakes_the_owner(void **state)
{
    (void)state;
    struct pool *pool = pool_new(2);
    for (int i = 0; i < 20; i++) {
        struct farewell farewell = {.job = {.run = leave_last, .count = 2}, .owner = own_id()};
        pool_run(pool, 0, &farewell.job);
        assert_int_equal(farewell.left, 2);
        assert_int_equal(farewell.impatient, 0);
    }
    pool_free(pool);
}

/* A job inside a task of another thread, one job further down. */
struct family {
    struct job job;
    struct pool *pool;
    atomic_int helped, opened, released, strangers, impatient;
    int owner;
};

static void wait_to_be_joined(struct job *job, int thread, int task)
{
    (void)thread, (void)task;
    struct family *family = (struct family *)job->parent->parent;
    atomic_fetch_add(&family->helped, 1);
    if (!comes_to(&family->helped, 2))
        atomic_fetch_add(&family->impatient, 1);
}

static void open_grandchild(struct job *job, int thread, int task)
{
    (void)task;
    struct family *family = (struct family *)job->parent;
    struct job grandchild = {.run = wait_to_be_joined, .count = 2};
    pool_run(family->pool, thread, &grandchild);
}

static void help_below(struct job *job, int thread, int task)
{
    (void)task;
    struct family *family = (struct family *)job;
    atomic_fetch_add(&family->opened, 1);
    if (!comes_to(&family->opened, 2))
        atomic_fetch_add(&family->impatient, 1);
    if (thread == 0)
        return;
    struct job child = {.run = open_grandchild, .count = 1};
    pool_run(family->pool, thread, &child);
}

/* The owner has done its own task, and its helper needs somebody in a job below. */
static void who_waits_helps_below(void **state)
{
    (void)state;
    struct pool *pool = pool_new(2);
    for (int i = 0; i < 100; i++) {
        struct family family = {.job = {.run = help_below, .count = 2}, .pool = pool};
        pool_run(pool, 0, &family.job);
        assert_int_equal(family.impatient, 0);
        assert_int_equal(family.helped, 2);
    }
    pool_free(pool);
}

static void hold_helper(struct job *job, int thread, int task)
{
    (void)task;
    struct family *family = (struct family *)job->parent;
    atomic_fetch_add(&family->helped, 1);
    if (!comes_to(&family->helped, 2) || (thread != 0 && !comes_to(&family->released, 1)))
        atomic_fetch_add(&family->impatient, 1);
}

/* Its first task, on its owner, waits until the thread that must not come has gone to sleep. */
static void look_out_for_strangers(struct job *job, int thread, int task)
{
    (void)task;
    struct family *family = (struct family *)job->parent;
    if (thread == 0)
        atomic_fetch_add(&family->strangers, 1);
    else if (!atomic_load(&family->released) && !fall_asleep(&family->owner, 1))
        atomic_fetch_add(&family->impatient, 1);
    atomic_store(&family->released, 1);
}

static void part_ways(struct job *job, int thread, int task)
{
    (void)task;
    struct family *family = (struct family *)job;
    atomic_fetch_add(&family->opened, 1);
    if (!comes_to(&family->opened, 3))
        atomic_fetch_add(&family->impatient, 1);
    struct job helped = {.run = hold_helper, .count = 2};
    struct job apart = {.run = look_out_for_strangers, .count = 2};
    if (thread == 0) {
        pool_run(family->pool, thread, &helped);
    } else if (thread == 1) {
        if (!comes_to(&family->helped, 2))
            atomic_fetch_add(&family->impatient, 1);
        pool_run(family->pool, thread, &apart);
    }
}

/* Three threads are in a job; two open another one inside. The third helps the first of them, which waits for
 * it, and may not help the second meanwhile. */
static void who_waits_does_not_help_elsewhere(void **state)
{
    (void)state;
    struct pool *pool = pool_new(3);
    for (int i = 0; i < 20; i++) {
        struct family family = {.job = {.run = part_ways, .count = 3}, .pool = pool, .owner = own_id()};
        pool_run(pool, 0, &family.job);
        assert_int_equal(family.impatient, 0);
        assert_int_equal(family.strangers, 0);
    }
    pool_free(pool);
}

/* ---- Cancelling ------------------------------------------------------------------------------------ */

struct race {
    struct job job;
    struct pool *pool;
    atomic_int entered, left, given_up;
};

/* Two jobs below the one that is cancelled. */
static void spin_until_cancelled(struct job *job, int thread, int task)
{
    (void)thread, (void)task;
    struct race *race = (struct race *)job->parent->parent;
    atomic_fetch_add(&race->entered, 1);
    for (int64_t start = clock_ns(); !job_is_cancelled(job) && !atomic_load(&race->given_up); sched_yield())
        if (clock_seconds_since(start) > PATIENCE)
            atomic_store(&race->given_up, 1);
    atomic_fetch_add(&race->left, 1);
}

static void open_another(struct job *job, int thread, int task)
{
    (void)task;
    struct race *race = (struct race *)job->parent;
    struct job inner = {.run = spin_until_cancelled, .count = 3};
    pool_run(race->pool, thread, &inner);
}

/* One task cancels the job when all other threads are in jobs below it. */
static void run_race(struct job *job, int thread, int task)
{
    struct race *race = (struct race *)job;
    if (task == 0) {
        if (!comes_to(&race->entered, THREADS - 1))
            atomic_store(&race->given_up, 1);
        job_cancel(job);
        return;
    }
    struct job middle = {.run = open_another, .count = 1};
    pool_run(race->pool, thread, &middle);
}

static void cancels_whole_subtrees(void **state)
{
    (void)state;
    struct pool *pool = pool_new(THREADS);
    for (int i = 0; i < 200; i++) {
        struct race race = {.pool = pool};
        race.job.run = run_race;
        race.job.count = THREADS;
        pool_run(pool, 0, &race.job);
        assert_int_equal(race.given_up, 0);
        assert_int_equal(race.entered, race.left);
        assert_true(race.entered >= THREADS - 1);
        assert_true(job_is_cancelled(&race.job));
    }
    assert_false(job_is_cancelled(NULL));
    pool_free(pool);
}

struct series {
    struct job job;
    struct pool *pool;
    int run, run_inside, cancelling; /* the task that cancels, of the outer or of the inner job */
    bool from_inside;
};

static void cancel_outer(struct job *job, int thread, int task)
{
    (void)thread;
    struct series *outer = (struct series *)job->parent;
    outer->run_inside++;
    if (task == outer->cancelling)
        job_cancel(&outer->job);
}

static void cancel_some(struct job *job, int thread, int task)
{
    struct series *outer = (struct series *)job;
    outer->run++;
    if (outer->from_inside) {
        struct job inner = {.run = cancel_outer, .count = 10};
        pool_run(outer->pool, thread, &inner);
    } else if (task == outer->cancelling) {
        job_cancel(job);
    }
}

/* Tasks that nobody has taken are not run any more, nor those of jobs inside. */
static void a_cancelled_job_has_no_more_tasks(void **state)
{
    (void)state;
    struct pool *pool = pool_new(1);
    struct series series = {.job = {.run = cancel_some, .count = 10}, .pool = pool, .cancelling = 3};
    pool_run(pool, 0, &series.job);
    assert_int_equal(series.run, 4);
    assert_int_equal(pool_stats(pool, 0).tasks_created, 10);
    assert_int_equal(pool_stats(pool, 0).tasks_local, 4);
    assert_int_equal(pool_stats(pool, 0).tasks_cancelled, 6);
    series.run = 0;
    series.from_inside = true;
    pool_run(pool, 0, &series.job);
    assert_int_equal(series.run, 1);
    assert_int_equal(series.run_inside, 4);
    pool_free(pool);
}

/* ---- Counting -------------------------------------------------------------------------------------- */

struct labour {
    struct job job;
    struct pool *pool;
    uint64_t *nodes;
};

static void work_inside(struct job *job, int thread, int task)
{
    struct labour *outer = (struct labour *)job->parent;
    *outer->nodes += task == 0 ? 3 : 4;
    if (task == 1)
        pool_discard(outer->pool, thread);
}

static void work(struct job *job, int thread, int task)
{
    struct labour *outer = (struct labour *)job;
    struct job inner = {.run = work_inside, .count = 2};
    *outer->nodes += task == 0 ? 10 : 100;
    pool_run(outer->pool, thread, &inner);
    if (task == 1)
        pool_discard(outer->pool, thread);
}

/* In the first task one of the tasks inside is in vain; the second is itself, and all that is in it. */
static void counts_what_was_in_vain_once(void **state)
{
    (void)state;
    uint64_t nodes = 1000;
    struct pool *pool = pool_new(1);
    struct labour labour = {.job = {.run = work, .count = 2}, .pool = pool, .nodes = &nodes};
    pool_set_gauge(pool, 0, &nodes);
    pool_run(pool, 0, &labour.job);
    struct pool_stats stats = pool_stats(pool, 0);
    assert_int_equal(stats.wasted_nodes, 4 + 107);
    assert_int_equal(stats.tasks_created, 6);
    assert_int_equal(stats.tasks_cancelled, 3);
    assert_int_equal(stats.tasks_local, 3);
    assert_int_equal(stats.tasks_stolen, 0);
    pool_free(pool);
}

/* ---- Places ---------------------------------------------------------------------------------------- */

/* Each thread but the caller's has one CPU of those that the process may use. */
static void pins_each_thread_to_a_cpu(void **state)
{
    (void)state;
    cpu_set_t all, mine, before, used;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    for (int pin = 0; pin < 2; pin++) {
        struct pool *pool = pool_new_with((struct pool_options){.threads = THREADS, .pin = pin});
        struct meeting meeting = meet_all(pool);
        assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
        assert_true(CPU_EQUAL(&all, &before));
        CPU_ZERO(&used);
        for (int i = 1; i < THREADS; i++) {
            assert_int_equal(sched_getaffinity(meeting.ids[i], sizeof mine, &mine), 0);
            assert_int_equal(CPU_COUNT(&mine), pin ? 1 : CPU_COUNT(&all));
            CPU_OR(&used, &used, &mine);
            CPU_OR(&mine, &mine, &all);
            assert_true(CPU_EQUAL(&mine, &all));
        }
        /* Not two on one as long as there is another. */
        if (pin)
            assert_int_equal(CPU_COUNT(&used), CPU_COUNT(&all) < THREADS - 1 ? CPU_COUNT(&all) : THREADS - 1);
        pool_free(pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(runs_every_task_once, set_alarm),
        cmocka_unit_test_setup(nests_deeper_than_it_shares, set_alarm),
        cmocka_unit_test_setup(a_job_wakes_all, set_alarm),
        cmocka_unit_test_setup(no_wake_up_is_lost, set_alarm),
        cmocka_unit_test_setup(waking_lets_others_into_open_jobs, set_alarm),
        cmocka_unit_test_setup(at_rest_nobody_helps, set_alarm),
        cmocka_unit_test_setup(at_rest_nobody_is_woken, set_alarm),
        cmocka_unit_test_setup(the_last_helper_wakes_the_owner, set_alarm),
        cmocka_unit_test_setup(who_waits_helps_below, set_alarm),
        cmocka_unit_test_setup(who_waits_does_not_help_elsewhere, set_alarm),
        cmocka_unit_test_setup(cancels_whole_subtrees, set_alarm),
        cmocka_unit_test_setup(a_cancelled_job_has_no_more_tasks, set_alarm),
        cmocka_unit_test_setup(counts_what_was_in_vain_once, set_alarm),
        cmocka_unit_test_setup(pins_each_thread_to_a_cpu, set_alarm),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}

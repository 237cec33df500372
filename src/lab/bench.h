/* bench.h - measures strategies against each other: contestants x threads x positions.
 *
 * Every round runs everything once, in a rotating order, so that whatever disturbs the machine disturbs all
 * alike. A round gives one figure of each kind (a geometric mean over the positions); the figures of all
 * rounds give the median and its interval. A speed-up is measured against the same algorithm without split,
 * and stands beside the machine's own ceiling: what n independent copies of the sequential search get done at
 * once, compared with one. On a virtual machine (simulated rows) the speed-up is against the same search on one of its
 * threads. */
#ifndef LAB_BENCH_H
#define LAB_BENCH_H

#include "lab/statistics.h"
#include "manyply/manyply.h"
#include "parallel/costs.h"

#include <pthread.h>

enum { BENCH_MOST_STRATEGIES = 24, BENCH_MOST_THREADS = 16, BENCH_TEXT = 512 };

/* Called before each search; share is 0 to 1. False: give up. */
typedef bool (*bench_progress)(const char *doing, double share, void *context);

struct bench;

/* Ends a benchmark from another thread: the searches that run now are stopped, and no more are begun. Whoever asks for
 * the benchmark owns it. */
struct bench_stop {
    pthread_mutex_t lock; /* of what follows */
    bool asked;
    int count;
    struct mp_search *running[MP_MAX_THREADS];
};
void bench_stop_init(struct bench_stop *stop);
void bench_stop_free(struct bench_stop *stop);

/* Any thread, at any time between the two above. */
void bench_stop(struct bench_stop *stop);

struct bench_plan {
    const struct mp_game *game;
    int strategy_count;
    const char *strategies[BENCH_MOST_STRATEGIES];
    int thread_count; /* for strategies with split= that do not say threads= themselves */
    int threads[BENCH_MOST_THREADS];
    int simulated_count; /* the same on virtual machines with so many cores, which have these costs */
    int simulated[BENCH_MOST_THREADS];
    struct costs costs; /* node 0: what it takes here, on each position */
    /* Either these positions (which are only borrowed), or random ones. */
    struct mp_position **positions;
    int position_count;
    uint64_t seed;
    double
        at_least; /* seconds of the sequential search: depths are chosen so; 0: strategies say their limits */
    int rounds;   /* 0: until all intervals are narrow, or the time is up */
    double seconds;                                           /* the time for all rounds, if rounds is 0 */
    bench_progress progress;                                  /* may be null */
    void (*round)(const struct bench *so_far, void *context); /* called after each round; may be null */
    void *context;
    struct bench_stop *stop; /* may be null: it runs to its end */
};

/* One search. */
struct bench_sample {
    double seconds, nodes, tasks;
    double cpu_seconds; /* of a sequential search: other programs disturb it less */
    /* On a virtual machine: what the sequential search takes there, and where the time of all threads went. */
    double base_seconds;
    struct mp_times times;
};

enum bench_kind {
    BENCH_SEQUENTIAL, /* what the others are measured against */
    BENCH_COPIES,     /* that search `threads` times at once: the ceiling */
    BENCH_PARALLEL,
    BENCH_SIMULATED, /* the same on a virtual machine: always the same, so one round is enough */
};

struct bench_row {
    enum bench_kind kind;
    int threads;
    int base;                     /* the row of its sequential search */
    int ceiling;                  /* the row of the copies, or -1 with one thread */
    char strategy[BENCH_TEXT];    /* as it runs, but for the depth where that is chosen */
    int *depths;                  /* sequential: chosen depth of each position, or null */
    mp_value *values;             /* sequential: what exact searches found on each position */
    struct bench_sample *samples; /* [round * positions + position] */
    char asked
        [BENCH_TEXT]; /* parallel, simulated: as the contestant was given, with split=auto if it said so */
    /* Sequential: what a node costs on each position, and how many there are; 0 where it is not known yet. */
    double *node_ns, *node_counts;
    /* The result. Ratios are against the sequential search: nodes > 1 means a larger tree. */
    struct interval seconds, speed_up, share, nodes, rate, rate_share;
    double nodes_per_second, tasks;
};

struct bench {
    const struct mp_game *game;
    int position_count, row_count, rounds;
    double elapsed;
    struct mp_position **positions;
    bool owns_positions;
    struct bench_row *rows; /* each sequential row is followed by what belongs to it */
    struct costs costs;     /* of virtual machines */
    bool only_simulated; /* no real threads: then the sequential search is timed by the virtual clock too */
};

/* Null: see error. */
struct bench *bench_run(const struct bench_plan *plan, struct mp_error *error);
void bench_free(struct bench *bench);

/* Fills in the results of all rows from their samples. */
bool bench_summarise(struct bench *bench, struct mp_error *error);

/* A strategy for people who asked for it: "pvs,split=auto (ybwc)" where they left the scheme open. */
void bench_label(const char *strategy, const char *asked, char label[BENCH_TEXT]);

/* What a row is called beside its sequential search: "split=ybwc", without the threads. */
void bench_row_name(const struct bench_row *row, char name[BENCH_TEXT]);

/* Can a depth be chosen for this strategy? Not if it says when it ends, or knows no depth. False: an error.
 */
bool bench_is_open(const struct mp_game *game, const char *strategy, bool *is_open, struct mp_error *error);

#endif

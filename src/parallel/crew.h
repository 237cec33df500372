/* crew.h - the workers of one search, and the schemes by which they share it.
 *
 * A search begins alone, on worker 0: for its first 1.5 ms nobody else is woken, and schemes that
 * isolate windows are not begun, so that no scheme loses where it cannot win (eager=on leaves that out).
 * `alone` and what goes with it belong to worker 0; the others are prepared by it before the pool lets them
 * in, and that is when they may read it (pool.h, awake). */
#ifndef PARALLEL_CREW_H
#define PARALLEL_CREW_H

#include "parallel/pool.h"
#include "search/driver.h"

/* What the keys of a scheme say; 0 where they are not given. */
struct scheme_options {
    int levels;         /* levels, shared: how many levels from the root are split */
    int chunk;          /* chunked: moves searched between two updates of the bounds */
    int cap;            /* bfs: pieces of work */
    int least;          /* shared: split a node with this many moves or more */
    bool eager;         /* split from the first node on */
    bool deterministic; /* threads take turns; eager too, because a clock decides otherwise */
    bool pin;
    bool merge_parallel; /* root: the chunks' results are merged by all threads */
};

struct crew {
    struct worker *workers; /* worker i runs on thread i of the pool */
    struct pool *pool;
    int threads;
    const struct scheme *scheme;
    struct scheme_options options;
    void *scheme_data; /* data_size bytes of the scheme's own, zero at first */

    const void *root; /* of this run */
    const struct mp_history *history;
    int depth;  /* of this iteration */
    bool alone; /* the others have not been let in yet */
    int64_t alone_until_ns;

    struct mcts *mcts; /* the trees of a Monte-Carlo search, else null */
};

/* Monte-Carlo search: makes this many iterations more, or fewer if a limit is reached, and leaves in
 * crew->mcts->choices what the trees say. */
typedef void sample_function(struct crew *crew, uint64_t count);

/* The keys that a scheme has. */
enum { SCHEME_LEVELS = 1, SCHEME_CHUNK = 2, SCHEME_MIN = 4, SCHEME_CAP = 8, SCHEME_MERGE = 16 };

/* A parallel scheme is one file and one row in schemes.c. */
struct scheme {
    const char *name; /* the value of split=; the list ends with a null name */
    const char *summary;
    bool sequential;
    bool automatic; /* stands for another one (auto.h) */
    int options;
    bool prunes;      /* only for algorithms that have bounds to share */
    bool needs_table; /* only with a transposition table */
    bool rolls;       /* only for games with dice */
    bool deals_games; /* for rollouts, and for nothing else */
    bool isolates;    /* tasks do not share bounds, so there is more to search than in the sequential tree */
    size_t data_size;
    const struct node_hooks *hooks; /* what the workers' nodes call, or null */
    iteration_function *iterate;    /* context is a struct crew with all roots set; null: only for mcts */
    sample_function *sample;        /* null: not for mcts */
    bool tree_each;                 /* mcts: every thread has a tree of its own */
    bool tree_shared;               /* mcts: all threads grow one tree */
};
extern const struct scheme schemes[];

/* Workers and pool for a crew whose scheme, options and (wanted) threads are set and all else is zero. On an
 * error crew_free takes back what there is. */
bool crew_init(struct crew *crew, const struct mp_game *game, const struct settings *settings,
               struct control *control, struct table *table, struct mp_error *error);
void crew_free(struct crew *crew);

/* Empties a table, on all threads at once. */
void crew_clear_table(struct crew *crew, struct table *table);

/* Empties the scheme's own data. */
void crew_clear_notes(struct crew *crew);

/* Before each run. root and history stay where they are until it is over. */
bool crew_begin(struct crew *crew, const void *root, const struct mp_history *history,
                struct mp_error *error);

/* An iteration_function: alone, or by the scheme. */
iteration_function crew_iterate;

/* What all workers together have left open (worker_open_ends); context is a struct crew. */
uint64_t crew_open_ends(void *context);

/* Prepares the other workers and lets them in, if there are any. */
void crew_wake(struct crew *crew);

/* Runs a job at the top of a search, on all threads or on the only one. */
void crew_run(struct crew *crew, struct job *job);

/* For hooks, whose worker->scheme is the crew: the worker's thread, and whether its work still matters. */
int crew_thread(const struct worker *worker);
bool crew_cancelled(struct worker *worker);

/* Runs a job whose helpers join the worker at a ply. Meanwhile the worker leaves its line up to there
 * alone. */
void crew_split(struct worker *worker, int ply, struct job *job);

/* The task that this worker is running has been given up. */
void crew_discard(const struct worker *worker);

/* The worker begins a task of a job, or goes on with it after a job inside (null: at the top). What stopped
 * it elsewhere stops it no longer: a helper that left a cancelled job would else give up the next task, which
 * nobody takes again. */
void crew_resume(struct worker *worker, const struct job *job);

sample_function sample_none, sample_root, sample_leaf, sample_tree;
iteration_function scheme_none, scheme_levels, scheme_chunked, scheme_bfs, scheme_abdada, scheme_lazy,
    scheme_games;
extern const struct node_hooks ybwc_hooks, pvsplit_hooks, shared_hooks, abdada_hooks, lazy_hooks, rolls_hooks;
enum { ABDADA_DATA_SIZE = ((1 << 10) * 4 + (1 << 16)) * 8 };

#endif

/* scheme.h - a parallel scheme: how the threads of a crew share one search. One file and one row in schemes.c each. */
#ifndef PARALLEL_SCHEME_H
#define PARALLEL_SCHEME_H

#include "parallel/costs.h"
#include "search/iteration.h"

struct crew;
struct mcts;

/* What the keys of a scheme say; 0 where they are not given. */
struct scheme_options {
    int levels;         /* how many levels from the root are split */
    int chunk;          /* moves, or iterations, between two looks at what the others found */
    int cap;            /* pieces of work */
    int least;          /* split a node with so many moves or more */
    bool eager;         /* split from the first node on */
    bool deterministic; /* on a virtual machine; eager too, because a clock decides otherwise */
    bool simulated;     /* on a virtual machine, whose time is that of the run */
    struct costs costs; /* of it */
    bool pin;
    bool merge_parallel; /* the chunks' results are merged by all threads */
};

/* Monte-Carlo search: makes so many iterations more, or fewer if a limit is reached, and leaves in
 * mcts->choices what the trees say. */
typedef void sample_function(struct crew *crew, struct mcts *mcts, uint64_t count);

/* The keys that a scheme has, besides those of all schemes. */
enum {
    SCHEME_LEVELS = 1,
    SCHEME_CHUNK = 2,
    SCHEME_MIN = 4,
    SCHEME_CAP = 8,
    SCHEME_MERGE = 16,
    SCHEME_TREE = 32, /* vloss and unobserved */
};

struct scheme {
    const char *name; /* the value of split= */
    const char *summary;
    int keys;         /* that it has */
    unsigned shares;  /* the kinds of work (enum work) that it can share */
    unsigned best_at; /* those for which split=auto chooses it */
    bool sequential;
    bool needs_table; /* only with a transposition table */
    bool needs_dice;  /* only for games with dice; where they are thrown, each outcome is a task */
    bool isolates;    /* tasks do not share bounds, so there is more to search than in the sequential tree */
    bool in_report;   /* the report whose search compat=report is has it */
    int default_levels;             /* 0: 1 */
    size_t data_size;               /* of what the scheme keeps for a crew */
    const struct node_hooks *hooks; /* what the workers' nodes call, or null */
    /* Searches the root to a depth; context is a struct crew with all roots set. Null: worker 0 does, and the
     * hooks let others in. */
    iteration_function *iterate;
    sample_function *sample; /* for WORK_SAMPLES */
    /* mcts: what a scheme keeps from run to run (mcts->scheme), made with the trees and freed before them; may be null. */
    bool (*open)(struct crew *crew, struct mcts *mcts, struct mp_error *error);
    void (*close)(struct mcts *mcts);
    bool needs_device;       /* mcts: only for games with kernels, and where there is a device */
    bool tree_each;          /* mcts: every thread has a tree of its own */
    bool tree_shared;        /* mcts: all threads grow one tree */
    bool playouts_shared;    /* mcts: threads share the playouts at a leaf */
};

/* Ends with null; the first is the sequential one. */
extern const struct scheme *const schemes[];

/* Null: there is none of that name. */
const struct scheme *scheme_find(const char *name);

/* What split=auto stands for. */
const struct scheme *scheme_best_at(enum work work);

#endif

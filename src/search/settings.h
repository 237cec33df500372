/* settings.h - what one thread is told about its search; strategy/ fills it from text. */
#ifndef SEARCH_SETTINGS_H
#define SEARCH_SETTINGS_H

#include "manyply/game.h"

struct worker;

/* The value of the state at ply of the worker's line, searched depth >= 1 plies deep, for its side to move:
 * exact inside (alpha, beta), outside a bound on the right side. Meaningless once worker->stopped. */
typedef mp_value search_function(struct worker *worker, int ply, int depth, mp_value alpha, mp_value beta);

/* What the threads of a search can share: each a bit. An algorithm is one kind of work. */
enum work {
    WORK_PLAIN = 1,    /* a tree without bounds */
    WORK_BOUNDS = 2,   /* a tree whose bounds cut it down */
    WORK_THROWS = 4,   /* a tree in which throws of dice are searched with full windows */
    WORK_SAMPLES = 8,  /* a tree that grows by sampling */
    WORK_GAMES = 16,   /* games that are played out */
    WORK_NOTHING = 32, /* too little to share */
    WORK_ANY = 63,
};

/* The keys of a strategy that belong together, for an algorithm to say which it has. */
enum {
    KEYS_DEPTH = 1 << 0,
    KEYS_LIMITS = 1 << 1, /* and the evaluation */
    KEYS_SPLIT = 1 << 2,
    KEYS_TASKS = 1 << 3, /* of schemes that split a tree of iterations */
    KEYS_HASH = 1 << 4,
    KEYS_TABLE = 1 << 5, /* of a search that learns from its table */
    KEYS_KEEP = 1 << 6,
    KEYS_ORDER = 1 << 7,
    KEYS_HORIZON = 1 << 8,
    KEYS_SAMPLES = 1 << 9,
    KEYS_GAMES = 1 << 10,
    KEYS_SEED = 1 << 11,
    KEYS_REPORT = 1 << 12,
    KEYS_TREE = KEYS_LIMITS | KEYS_SPLIT | KEYS_TASKS,
};

struct settings;
struct driver;

struct algorithm {
    const char *name;
    const char *summary;
    const struct driver *driver; /* engine/engine.h: how a run goes from its request to its result */
    unsigned keys;               /* the groups of keys that it has */
    enum work work;
    bool exact;            /* gives what plain minimax gives */
    bool deepens;          /* always searches depth 1, 2, 3, ... */
    bool opens_throws;     /* searches throws of dice with full windows */
    bool for_dice;         /* makes no sense without */
    bool needs_noise;      /* with hmax=, needs noisy moves */
    bool report_is_shared; /* compat=report may be split */
    int default_depth;     /* when no limit is given */
    search_function *search;
    search_function *report; /* the same as a report's program has it (compat=report), or null */
    /* How many iterations there are at most, where they are not a matter of plies; null: where they are. */
    int (*iterations)(const struct settings *settings);
};

/* Ends with a null name. One file per algorithm, one row here (engine/algorithms.c). */
extern const struct algorithm algorithms[];

/* What the selective search adds to pvs: each a bit, and a key of the strategy by which it can be left
 * out. */
enum {
    TECHNIQUE_QUIESCENCE = 1 << 0,
    TECHNIQUE_EXCHANGE = 1 << 1,
    TECHNIQUE_NULL_MOVE = 1 << 2,
    TECHNIQUE_REDUCTIONS = 1 << 3,
    TECHNIQUE_REVERSE_FUTILITY = 1 << 4,
    TECHNIQUE_FUTILITY = 1 << 5,
    TECHNIQUE_LATE_MOVES = 1 << 6,
    TECHNIQUE_CHECKS = 1 << 7,
    TECHNIQUE_CONTINUATION = 1 << 8,
    TECHNIQUE_COUNTER = 1 << 9,
    TECHNIQUE_INTERNAL = 1 << 10,
    TECHNIQUE_DEEPER = 1 << 11,
    TECHNIQUE_REPETITION = 1 << 12,
    TECHNIQUE_CORRECTION = 1 << 13,
    TECHNIQUE_PROBCUT = 1 << 14,
    TECHNIQUES_ALL = (1 << 15) - 1,
    /* All that can change a value; the others only order moves. */
    TECHNIQUES_JUDGING = TECHNIQUES_ALL & ~(TECHNIQUE_CONTINUATION | TECHNIQUE_COUNTER),
};

/* ---- Monte-Carlo search -------------------------------------------------------------------------------- */

enum mcts_playout {
    MCTS_PLAYOUT_GAME,    /* the game's own hook */
    MCTS_PLAYOUT_RANDOM,  /* any move, to the end */
    MCTS_PLAYOUT_EVAL,    /* any move, for so many plies, then the evaluation */
    MCTS_PLAYOUT_GREEDY,  /* mostly the best move by evaluation, for so many plies, then the evaluation */
    MCTS_PLAYOUT_DEFAULT, /* not said: strategy/plan.c decides by the game */
};
enum mcts_final { MCTS_FINAL_VISITS, MCTS_FINAL_VALUE, MCTS_FINAL_UCT };

struct mcts_settings {
    uint64_t iterations; /* 0: no limit */
    double c;            /* the weight of what is not known yet, for rewards from 0 to 1 */
    int expand;          /* a leaf gets children at this visit */
    enum mcts_final final;
    enum mcts_playout playout;
    int plies;        /* of a playout that ends with the evaluation */
    int playouts;     /* at a leaf */
    int megabytes;    /* all trees together */
    bool solver;      /* back up what is proven */
    bool reuse;       /* keep the part of the tree that the moves played have led to */
    int virtual_loss; /* losses that a thread on its way down pretends to have found */
    bool unobserved;  /* count threads on their way as visits without a result (WU-UCT) instead */
};
enum { SETTINGS_KEEP_LEVELS = 8 };

struct network_evaluation;
struct cuts;

struct settings {
    const struct algorithm *algorithm;
    search_function *search;
    const struct mp_evaluation *evaluation;
    const struct network_evaluation *network; /* the same, if it is a network; else null */
    bool as_report;  /* compat=report: as the program of a report has it, faults and all */
    bool exact;      /* the table is used only where the answer stays that of minimax */
    bool aspiration; /* start each iteration with a narrow window around an earlier value */
    bool killers;
    bool history;
    bool selective;
    unsigned techniques;     /* of the selective search */
    const struct cuts *cuts; /* for Multi-ProbCut; null: none fit the evaluation */
    bool listed_order;       /* alphabeta: moves as the game lists them */
    int keep;                /* moves searched at a node, the best by static value; 0: all */
    int keep_levels; /* this many levels of the tree have a number of their own; 0 and 1: all the same */
    int keep_below[SETTINGS_KEEP_LEVELS]; /* of the levels after the root, the last for all that follow */
    int keep_depth;                       /* the depth at the root, from which levels are counted */
    int within;    /* only moves whose static value is at most this far below the best; 0: all */
    int hmax;      /* horizon: plies after the root move at most; 0: as many as at least */
    int width;     /* horizon: as keep */
    int threshold; /* horizon: beyond this static value, go on for `reduced` plies only; 0: never */
    int reduced;
    int games;    /* rollout: games for each move */
    int truncate; /* rollout: plies after which a game is cut and valued; 0: never */
    bool variance_reduction;
    uint64_t seed;
    struct mcts_settings mcts;
};

/* Are moves left out by their static values? */
static inline bool settings_select(const struct settings *settings)
{
    return settings->keep || settings->within;
}

/* How many moves are searched at a node with this many plies to go; 0: all. A function of the depth alone, so
 * that the value of a position at a depth stays one. */
static inline int settings_keep(const struct settings *settings, int depth)
{
    int level = settings->keep_depth - depth, last = settings->keep_levels - 1;
    if (last < 1 || level < 1)
        return settings->keep;
    return settings->keep_below[(level < last ? level : last) - 1];
}

#endif

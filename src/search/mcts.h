/* mcts.h - Monte-Carlo tree search: iterations that grow a tree, and what the tree says in the end.
 *
 * UCT (Kocsis and Szepesvari 2006) with bounds on what is proven (Cazenave and Saffidine, "Score Bounded
 * Monte-Carlo Tree Search", 2010). Rewards are whole numbers, so sums do not depend on their order; the one
 * logarithm is made of additions, products and divisions only, so that a search with one seed is the same on
 * every machine. */
#ifndef SEARCH_MCTS_H
#define SEARCH_MCTS_H

#include "search/mcts_tree.h"
#include "search/worker.h"

enum {
    MCTS_ONE = 1 << 20,       /* the reward of a win; -MCTS_ONE is a loss */
    MCTS_VALUE_OF_WIN = 1000, /* what a mean reward of a win is as a value, where nothing is proven */
    MCTS_DEFAULT_SCALE = 200, /* for games that have no playout_scale */
    MCTS_ROOTS = 59 << 6
};

/* A root move as all trees see it. */
struct mcts_choice {
    mp_move move;
    uint64_t visits;
    int64_t sum;
    mp_value low, high; /* what is proven of its value, for the side to move at the root */
    bool told;          /* it is one of the lines that have been concluded already */
};

struct mcts;

/* One iteration on a worker whose root is set; number says which random numbers it uses. False: it was not
 * made, because there is nothing left to find out. */
typedef bool mcts_iterate_function(struct mcts *mcts, struct mcts_tree *tree, struct mcts_arena *arena,
                                   struct worker *worker, uint64_t number);

/* The sum of the rewards of settings->mcts.playouts playouts from the state at ply, for its side to move. */
typedef int64_t mcts_value_function(struct mcts *mcts, struct worker *worker, int ply, uint64_t seed);

struct mcts {
    const struct mp_game *game;
    const struct settings *settings;
    mcts_iterate_function *iterate;
    mcts_value_function *value_leaf; /* mcts_value_leaf, unless a scheme has a way of its own */
    void *value_context;
    void *scheme;            /* what the scheme keeps between runs, if it opens something (scheme.h) */
    struct mp_error failure; /* the run cannot go on; code MP_ERROR_NONE: it can */
    int distance;            /* 1 if proven values count plies, else 0 */
    uint64_t unknown;        /* the bounds of a node of which nothing is known */
    mp_value scale;          /* MP_SCORE_POINTS: the value of a reward of MCTS_ONE */
    float explore;
    float roots[MCTS_ROOTS]; /* explore * sqrt(log n), by mcts_root_index(n) */

    struct mcts_tree *trees;
    int tree_count;
    void *root_state; /* of the trees, from the run before */
    uint64_t root_key;
    uint64_t past;               /* a hash of the history before the root */
    uint64_t filter;             /* of the moves that the run may begin with; 0: all */
    uint64_t chunks_begun;       /* split=root,chunk=n: in this run */
    struct mcts_choice *choices; /* the root's moves, merged over all trees */
    int choice_count;
};

/* A number of trees, each for a number of threads. */
bool mcts_init(struct mcts *mcts, const struct mp_game *game, const struct settings *settings, int trees,
               int threads, bool keeps, struct mp_error *error);
void mcts_free(struct mcts *mcts);

/* Begins at the worker's root: keeps the part of the trees that leads on from it, and forgets the rest. */
bool mcts_begin(struct mcts *mcts, struct worker *worker, const struct mp_history *history,
                struct mp_error *error);

/* Makes a tree new, at the root of this run. */
void mcts_restart(struct mcts *mcts, struct mcts_tree *tree, struct worker *worker);

mcts_iterate_function mcts_iterate, mcts_report_iterate;
mcts_value_function mcts_value_leaf;

/* Iterations number, number + step, ... as long as none of the limits is reached; how many were made. */
uint64_t mcts_iterate_many(struct mcts *mcts, struct mcts_tree *tree, struct mcts_arena *arena,
                           struct worker *worker, uint64_t first, uint64_t count);

/* An iteration whose playouts are made elsewhere, and come back later. Until then its way down is marked as pending, by
 * as many marks as it has playouts, so that others, and the same thread, go elsewhere: the tree has to be shared, even
 * if one thread grows it. A flight belongs to the thread that began it. */
struct mcts_flight {
    struct mcts_place *places; /* the way down; the caller's, with room for LINE_PLIES */
    int last, learned_at;
    uint64_t seed; /* playout i has random_at(seed, i) */
};
enum mcts_departure {
    MCTS_NOWHERE, /* there is nothing left to find out */
    MCTS_BACK,    /* what was reached is known: the iteration is over */
    MCTS_AWAY,    /* the state to be played out is at ply flight->last of the worker's line */
};
enum mcts_departure mcts_depart(struct mcts *mcts, struct mcts_tree *tree, struct mcts_arena *arena,
                                struct worker *worker, uint64_t number, struct mcts_flight *flight);

/* With the sum of the rewards of its playouts, for the side to move where they began. */
void mcts_land(const struct mcts *mcts, struct mcts_tree *tree, struct worker *worker,
               const struct mcts_flight *flight, int64_t reward);

/* One playout from the state at ply, for its side to move. */
int64_t mcts_play_out(struct mcts *mcts, struct worker *worker, int ply, uint64_t seed);

/* The reward of a value, both for the same side. */
int64_t mcts_reward(const struct mcts *mcts, mp_value value);
int64_t mcts_margin_reward(const struct mcts *mcts, int margin);

/* Gives the node at ply children, if it may have some. Null: it has none; learned says whether it was found
 * to be the end of a game. */
struct mcts_block *mcts_expand(struct mcts *mcts, struct mcts_tree *tree, struct mcts_arena *arena,
                               struct worker *worker, int ply, struct mcts_place place, bool *learned);

/* What is proven of a node by its children, for its side to move. */
uint64_t mcts_proven_by(struct mcts_block *children);

/* A node that is visited often: a move at a state, what it is below (by its number, from 1 on; 0: the root), and its value
 * for the side to move there. */
struct mcts_shown {
    int id, parent, ply;
    mp_move move;
    uint64_t visits;
    mp_value value;
};
typedef void mcts_show_function(void *context, const struct mcts_shown *node, const void *state);

/* mcts_show.c. The upper part of the first tree, parents before their children, at most so many nodes; returns how many.
 * When nobody grows it. The worker is at the root. */
int mcts_show(const struct mcts *mcts, struct worker *worker, int most, mcts_show_function *see,
              void *context);

/* mcts_choice.c. Adds a tree's root to choices, which begin with all moves and no visits. */
void mcts_clear_choices(const struct mcts *mcts, struct mcts_choice *choices);
void mcts_add_choices(const struct mcts_tree *tree, struct mcts_choice *choices);
void mcts_merge_choices(struct mcts_choice *into, const struct mcts_choice *from, int count);

/* What the merged choices say of the best line that has not been told yet: move, value, exact, line. False:
 * there is none, or nothing has been visited. */
bool mcts_conclude(struct mcts *mcts, struct mp_result *result);

/* ---- Shared by the ways to iterate ----------------------------------------------------------------- */

/* A value as the other side sees it from the node above, or, as it is its own inverse but for the distance,
 * the other way round. */
static inline mp_value mcts_turn(mp_value value, int plies)
{
    return value > MP_PROVEN ? -value + plies : value < -MP_PROVEN ? -value - plies : -value;
}

/* Bounds for the side to move at a node, from those for the side that chose it, and back. */
static inline uint64_t mcts_own_bounds(const struct mcts *m, const struct mcts_block *block, uint64_t bounds)
{
    if (block->chooser != MCTS_PLAYER)
        return bounds;
    return mcts_bounds(mcts_turn(mcts_high(bounds), -m->distance), mcts_turn(mcts_low(bounds), -m->distance));
}

static inline uint64_t mcts_chooser_bounds(const struct mcts *m, const struct mcts_block *block,
                                           uint64_t bounds)
{
    if (block->chooser != MCTS_PLAYER)
        return bounds;
    return mcts_bounds(mcts_turn(mcts_high(bounds), m->distance), mcts_turn(mcts_low(bounds), m->distance));
}

/* The natural logarithm of a whole number from 1, within 2e-5. */
static inline float mcts_log(uint64_t n)
{
    int power = 63 - __builtin_clzll(n);
    float rest = (float)n / (float)(UINT64_C(1) << power) - 1.0f;
    float s = rest / (2.0f + rest), square = s * s;
    float series = 2.0f * s * (1.0f + square * (1.0f / 3 + square * (1.0f / 5 + square * (1.0f / 7))));
    return (float)power * 0.693147180559945f + series;
}

/* Numbers below 128 have a place of their own, greater ones share it with others that differ by less than a
 * 64th: the root of their logarithms then differs by less than a 600th. */
static inline uint32_t mcts_root_index(uint64_t n)
{
    int power = 63 - __builtin_clzll(n | 64);
    return (uint32_t)(power - 6) * 64 + (uint32_t)(n >> (power - 6));
}

/* Adds to a counter that other threads may add to as well. Alone, a plain addition is faster. */
#define MCTS_ADD(tree, counter, amount)                                                                      \
    do {                                                                                                     \
        if ((tree)->shared)                                                                                  \
            atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);                                \
        else                                                                                                 \
            atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + (amount),   \
                                  memory_order_relaxed);                                                     \
    } while (0)

#endif

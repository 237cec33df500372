/* mcts_tree.h - the tree that Monte-Carlo search grows, in memory of a fixed size.
 *
 * The children of a node are one block: first the edges to them, which is all that selection has to read
 * before it can go on to the next block, then the nodes. Memory is slow beside the rest of an iteration, and
 * so no more than one read has to wait for another at each step. Blocks are whole cache lines in one stretch
 * of memory, and an edge names the block below by number, so a tree can be moved. A block is made complete by
 * one thread and never changes its shape.
 *
 * Who may touch what, where several threads grow one tree:
 *   - A thread takes lines of memory from the tree (`used`, an atomic counter) a slab at a time, into an
 *     arena of its own, and makes blocks there that nobody else can see yet.
 *   - children is the publication. A thread that wants to expand a node swaps LEAF for BUSY; the one that
 *     succeeds writes the block with plain stores and then stores its number with release order. Whoever
 *     reads a number does so with acquire order and so sees the whole block. BUSY reads as a leaf: no one
 *     waits.
 *   - visits, sum and pending are counters: relaxed additions, none is lost. Near the root a thread adds for
 *     several iterations at once (a lease, mcts.c): until then they are pending there. A reader may see the
 *     visits of one moment and the sum of another; the difference is one playout.
 *   - score is made from these three and stored whole (relaxed). Two threads may store in the wrong order:
 *     the score is then that of a moment ago, until the next visit.
 *   - bounds only ever tighten (compare and swap). They are sequentially consistent: two threads that each
 *     prove one of two children and then look at both cannot both miss the other's proof, so what is proven
 *     below always arrives above. */
#ifndef SEARCH_MCTS_TREE_H
#define SEARCH_MCTS_TREE_H

#include "manyply/game.h"

#include <stdatomic.h>
#include <string.h>

enum { MCTS_LINE = 64, MCTS_LEAF = 0, MCTS_BUSY = 1 }; /* lines 0 and 1 hold no block */

/* A node's numbers are from the view of the side that chose it: the side to move at its parent, or, for
 * the root and the outcomes of chance, the side to move at the node itself. */
struct mcts_edge {
    _Atomic uint64_t score;    /* a struct mcts_score; of an outcome of chance, which has none, its weight */
    _Atomic uint32_t children; /* the number of a block, MCTS_LEAF or MCTS_BUSY */
    _Atomic uint32_t pending;  /* iterations below that are not back yet */
};
struct mcts_node {
    _Atomic int64_t sum;     /* of rewards, MCTS_ONE for a win */
    _Atomic uint64_t bounds; /* what is proven of the value: see mcts_bounds */
    mp_move move;            /* that leads to it */
    _Atomic uint64_t visits; /* finished; in an hour many threads make more than 32 bits can count */
};
_Static_assert(sizeof(struct mcts_edge) == 16 && sizeof(struct mcts_node) == 32, "few in a cache line");

/* What selection adds up: mean + c * sqrt(log(parent's visits)) * spread. */
struct mcts_score {
    float mean, spread;
};
_Static_assert(sizeof(struct mcts_score) == sizeof(uint64_t), "a score is stored whole");

enum mcts_chooser { MCTS_ROOT, MCTS_PLAYER, MCTS_CHANCE };

struct mcts_block {
    uint32_t count;
    uint32_t chooser;
    struct mcts_edge edges[]; /* then, from the next multiple of 32 bytes on, the nodes */
};

/* A node, by its place. */
struct mcts_place {
    struct mcts_block *block;
    uint32_t index;
};

static inline size_t mcts_nodes_offset(uint32_t count)
{
    return (sizeof(struct mcts_block) + count * sizeof(struct mcts_edge) + 31) / 32 * 32;
}

static inline struct mcts_node *mcts_nodes(struct mcts_block *block)
{
    return (struct mcts_node *)((char *)block + mcts_nodes_offset(block->count));
}

static inline uint32_t mcts_block_lines(uint32_t count)
{
    size_t bytes = mcts_nodes_offset(count) + count * sizeof(struct mcts_node);
    return (uint32_t)((bytes + MCTS_LINE - 1) / MCTS_LINE);
}

/* Memory that one thread fills. */
struct mcts_arena {
    _Alignas(64) uint32_t next, end;
};

struct mcts_tree {
    char *memory,
        *spare; /* lines: the tree, and where the kept part of it is moved to (null: nothing is kept) */
    uint32_t capacity; /* lines in each */
    uint32_t slab;     /* lines that an arena takes at a time */
    _Atomic uint32_t used;
    atomic_bool full; /* no block could be had: from now on the tree stays as it is (relaxed; seen late, asked
                         again) */
    struct mcts_arena *arenas;
    int arena_count;
    bool shared; /* several threads grow it */

    uint32_t root;       /* its block, of one node; 0: none */
    uint64_t stream;     /* the random numbers of its iterations */
    uint64_t root_key;   /* of its state */
    size_t root_before;  /* how long the history before it is */
    uint64_t iterations; /* begun since the tree was made: which random numbers come next */
};

bool mcts_tree_init(struct mcts_tree *tree, size_t bytes, int arenas, bool keeps, bool shared);
void mcts_tree_free(struct mcts_tree *tree);

/* Forgets all, and makes a root. */
void mcts_tree_reset(struct mcts_tree *tree, uint64_t bounds);

/* Makes a node the root and moves what hangs on it to the spare memory, the top first. more() is asked now
 * and then; where it says no, the rest is left behind. */
void mcts_tree_keep(struct mcts_tree *tree, struct mcts_place place, bool (*more)(void *context),
                    void *context);

/* Room for a block; 0: the memory is full. For the arena's thread. */
uint32_t mcts_tree_allocate(struct mcts_tree *tree, struct mcts_arena *arena, uint32_t count);

static inline struct mcts_block *mcts_block(const struct mcts_tree *tree, uint32_t number)
{
    return (struct mcts_block *)(tree->memory + (size_t)number * MCTS_LINE);
}

static inline struct mcts_place mcts_root(const struct mcts_tree *tree)
{
    return (struct mcts_place){mcts_block(tree, tree->root), 0};
}

static inline struct mcts_node *mcts_node(struct mcts_place place)
{
    return mcts_nodes(place.block) + place.index;
}

/* The block of a node's children; null: it has none (yet). */
static inline struct mcts_block *mcts_children(const struct mcts_tree *tree, struct mcts_place place)
{
    uint32_t number = atomic_load_explicit(&place.block->edges[place.index].children, memory_order_acquire);
    return number > MCTS_BUSY ? mcts_block(tree, number) : NULL;
}

static inline uint64_t mcts_visits(const struct mcts_node *node)
{
    return atomic_load_explicit(&node->visits, memory_order_relaxed);
}

static inline int64_t mcts_sum(const struct mcts_node *node)
{
    return atomic_load_explicit(&node->sum, memory_order_relaxed);
}

/* ---- Bounds: two values in one word, so that both are read and written at once ------------------------- */

static inline uint64_t mcts_bounds(mp_value low, mp_value high)
{
    return (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
}
static inline mp_value mcts_low(uint64_t bounds)
{
    return (mp_value)(uint32_t)bounds;
}
static inline mp_value mcts_high(uint64_t bounds)
{
    return (mp_value)(uint32_t)(bounds >> 32);
}
static inline bool mcts_solved(uint64_t bounds)
{
    return (uint32_t)bounds == (uint32_t)(bounds >> 32);
}
static inline uint64_t mcts_load_bounds(const struct mcts_node *node)
{
    return atomic_load(&node->bounds);
}

/* True: something new was learned. */
static inline bool mcts_tighten(struct mcts_node *node, mp_value low, mp_value high)
{
    uint64_t old = mcts_load_bounds(node), tight;
    do {
        mp_value least = low > mcts_low(old) ? low : mcts_low(old);
        mp_value most = high < mcts_high(old) ? high : mcts_high(old);
        tight = mcts_bounds(least, most);
        if (tight == old)
            return false;
    } while (!atomic_compare_exchange_weak(&node->bounds, &old, tight));
    return true;
}

/* ---- Scores ---------------------------------------------------------------------------------------- */

/* Before anything that has been visited, and after everything. */
#define MCTS_FIRST 1e30f
#define MCTS_NEVER -1e30f

static inline struct mcts_score mcts_load_score(const struct mcts_block *block, uint32_t i)
{
    uint64_t word = atomic_load_explicit(&block->edges[i].score, memory_order_relaxed);
    struct mcts_score score;
    memcpy(&score, &word, sizeof score);
    return score;
}

static inline void mcts_store_score(struct mcts_block *block, uint32_t i, struct mcts_score score)
{
    uint64_t word;
    memcpy(&word, &score, sizeof word);
    atomic_store_explicit(&block->edges[i].score, word, memory_order_relaxed);
}

/* The weight of an outcome of chance, in the place of the score that it does not have. Never changes. */
static inline uint32_t mcts_weight(const struct mcts_block *block, uint32_t i)
{
    return (uint32_t)atomic_load_explicit(&block->edges[i].score, memory_order_relaxed);
}

static inline void mcts_set_weight(struct mcts_block *block, uint32_t i, uint32_t weight)
{
    atomic_store_explicit(&block->edges[i].score, weight, memory_order_relaxed);
}

#endif

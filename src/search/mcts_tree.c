/* mcts_tree.c - takes blocks from the memory of a tree, resets it, and moves a subtree that is reused. */
#include "search/mcts_tree.h"

#include "base/memory.h"

#include <stdlib.h>

/* An arena takes this much at a time: seldom enough, and little is lost when the memory is full. */
enum { SLAB_BYTES = 1 << 16, FIRST_LINE = 2 };

bool mcts_tree_init(struct mcts_tree *tree, size_t bytes, int arenas, bool keeps, bool shared)
{
    *tree = (struct mcts_tree){.arena_count = arenas, .shared = shared};
    size_t lines = bytes / (keeps ? 2 : 1) / MCTS_LINE;
    tree->capacity = lines < UINT32_MAX / 2 ? (uint32_t)lines : UINT32_MAX / 2;
    uint32_t share = tree->capacity / (8 * (uint32_t)arenas);
    tree->slab = share < SLAB_BYTES / MCTS_LINE ? share : SLAB_BYTES / MCTS_LINE;
    size_t size = (size_t)tree->capacity * MCTS_LINE;
    tree->memory = memory_reserve(size);
    tree->spare = keeps ? memory_reserve(size) : NULL;
    tree->arenas = aligned_alloc(64, (size_t)arenas * sizeof *tree->arenas);
    return tree->memory && tree->arenas && (tree->spare || !keeps);
}

void mcts_tree_free(struct mcts_tree *tree)
{
    memory_release(tree->memory, (size_t)tree->capacity * MCTS_LINE);
    memory_release(tree->spare, (size_t)tree->capacity * MCTS_LINE);
    free(tree->arenas);
}

uint32_t mcts_tree_allocate(struct mcts_tree *tree, struct mcts_arena *arena, uint32_t count)
{
    uint32_t lines = mcts_block_lines(count);
    if (arena->end - arena->next < lines) {
        uint32_t wanted = lines > tree->slab ? lines : tree->slab;
        uint32_t first = atomic_load_explicit(&tree->used, memory_order_relaxed);
        do {
            if (wanted > tree->capacity - first)
                return 0;
        } while (!atomic_compare_exchange_weak_explicit(&tree->used, &first, first + wanted,
                                                        memory_order_relaxed, memory_order_relaxed));
        /* Slabs that follow one another are one. */
        if (first != arena->end)
            arena->next = first;
        arena->end = first + wanted;
        if (arena->end - arena->next < lines)
            return 0;
    }
    uint32_t number = arena->next;
    arena->next += lines;
    return number;
}

static void empty_arenas(struct mcts_tree *tree, uint32_t used)
{
    atomic_store_explicit(&tree->used, used, memory_order_relaxed);
    atomic_store_explicit(&tree->full, false, memory_order_relaxed);
    for (int i = 0; i < tree->arena_count; i++)
        tree->arenas[i] = (struct mcts_arena){0};
}

void mcts_tree_reset(struct mcts_tree *tree, uint64_t bounds)
{
    empty_arenas(tree, FIRST_LINE);
    tree->root = mcts_tree_allocate(tree, &tree->arenas[0], 1);
    struct mcts_block *block = mcts_block(tree, tree->root);
    memset(block, 0, (size_t)mcts_block_lines(1) * MCTS_LINE);
    block->count = 1;
    block->chooser = MCTS_ROOT;
    atomic_store(&mcts_nodes(block)->bounds, bounds);
}

/* Copies a block behind the last one in the spare memory; 0: it is full. */
static uint32_t copy_block(struct mcts_tree *tree, uint32_t number, uint32_t *used)
{
    struct mcts_block *block = mcts_block(tree, number);
    uint32_t lines = mcts_block_lines(block->count);
    if (lines > tree->capacity - *used)
        return MCTS_LEAF;
    uint32_t copy = *used;
    memcpy(tree->spare + (size_t)copy * MCTS_LINE, block, (size_t)lines * MCTS_LINE);
    *used += lines;
    return copy;
}

/* Breadth first, in the order in which the copies lie in memory (Cheney 1970). A node whose block is left
 * behind is a leaf that keeps its numbers. */
void mcts_tree_keep(struct mcts_tree *tree, struct mcts_place place, bool (*more)(void *context),
                    void *context)
{
    enum { BLOCKS_BETWEEN_QUESTIONS = 64 };
    uint32_t used = FIRST_LINE;
    uint32_t root = copy_block(tree, tree->root, &used);
    struct mcts_block *block = (struct mcts_block *)(tree->spare + (size_t)root * MCTS_LINE);
    memcpy(mcts_nodes(block), mcts_node(place), sizeof(struct mcts_node));
    memcpy(block->edges, &place.block->edges[place.index], sizeof(struct mcts_edge));
    bool going = true;
    for (uint32_t at = root, blocks = 0; at < used; blocks++) {
        block = (struct mcts_block *)(tree->spare + (size_t)at * MCTS_LINE);
        if (blocks % BLOCKS_BETWEEN_QUESTIONS == 0)
            going = going && more(context);
        for (uint32_t i = 0; i < block->count; i++) {
            _Atomic uint32_t *edge = &block->edges[i].children;
            uint32_t children = atomic_load_explicit(edge, memory_order_relaxed);
            if (children != MCTS_LEAF)
                atomic_store_explicit(edge, going ? copy_block(tree, children, &used) : MCTS_LEAF,
                                      memory_order_relaxed);
        }
        at += mcts_block_lines(block->count);
    }
    char *memory = tree->memory;
    tree->memory = tree->spare;
    tree->spare = memory;
    tree->root = root;
    empty_arenas(tree, used);
}

/* sample_tree.c - split=tree: all threads grow one tree, without locks (after Enzenberger and Mueller 2009).
 * What makes that safe is said in search/mcts_tree.h. A thread on its way down marks its path with a virtual
 * loss, or as not yet observed (WU-UCT, Liu et al. 2020), so that the others go elsewhere. */
#include "parallel/crew.h"
#include "search/mcts.h"

struct growth {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    struct mcts *mcts;
    uint64_t first, count;
    _Atomic uint64_t taken; /* hands out numbers, so it needs no order */
};

/* Threads take a few iterations at a time: seldom enough, and never so many that one of them ends late. */
static uint64_t take(struct growth *growth, uint64_t *batch)
{
    enum { MOST = 256 };
    uint64_t taken = atomic_load_explicit(&growth->taken, memory_order_relaxed);
    do {
        uint64_t left = growth->count - taken;
        *batch = left / (4 * (uint64_t)growth->crew->threads);
        *batch = *batch < 1 ? left > 0 : *batch > MOST ? MOST : *batch;
    } while (!atomic_compare_exchange_weak_explicit(&growth->taken, &taken, taken + *batch,
                                                    memory_order_relaxed, memory_order_relaxed));
    return taken;
}

static void grow(struct job *job, int thread, int task)
{
    struct growth *growth = (struct growth *)job;
    struct mcts *mcts = growth->mcts;
    struct mcts_tree *tree = &mcts->trees[0];
    struct worker *w = &growth->crew->workers[thread];
    (void)task;
    for (;;) {
        uint64_t batch, first = take(growth, &batch);
        if (batch == 0 ||
            mcts_iterate_many(mcts, tree, &tree->arenas[thread], w, growth->first + first, batch) < batch)
            return;
    }
}

static void sample(struct crew *crew, struct mcts *mcts, uint64_t count)
{
    struct mcts_tree *tree = &mcts->trees[0];
    struct growth growth = {.crew = crew, .mcts = mcts, .first = tree->iterations, .count = count};
    growth.job.run = grow;
    growth.job.count = crew->threads;
    crew_run(crew, &growth.job);
    tree->iterations += atomic_load_explicit(&growth.taken, memory_order_relaxed);
    mcts_clear_choices(mcts, mcts->choices);
    mcts_add_choices(tree, mcts->choices);
}

const struct scheme scheme_tree = {
    .name = "tree",
    .summary = "mcts: all threads grow one tree, without locks",
    .keys = SCHEME_TREE,
    .shares = WORK_SAMPLES,
    .best_at = WORK_SAMPLES,
    .sample = sample,
    .tree_shared = true,
};

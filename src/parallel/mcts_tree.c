/* mcts_tree.c - split=tree: all threads grow one tree, without locks (after Enzenberger and Mueller 2009).
 * What makes that safe is said in search/mcts_tree.h. A thread on its way down marks its path with a virtual
 * loss, or as not yet observed (WU-UCT, Liu et al. 2020), so that the others go elsewhere. */
#include "parallel/crew.h"
#include "search/mcts.h"

struct together {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    uint64_t first, count;
    _Atomic uint64_t taken; /* hands out numbers, so it needs no order */
};

/* Threads take a few iterations at a time: seldom enough, and never so many that one of them ends late. */
static uint64_t take(struct together *together, uint64_t *batch)
{
    enum { MOST = 256 };
    uint64_t taken = atomic_load_explicit(&together->taken, memory_order_relaxed);
    do {
        uint64_t left = together->count - taken;
        *batch = left / (4 * (uint64_t)together->crew->threads);
        *batch = *batch < 1 ? left > 0 : *batch > MOST ? MOST : *batch;
    } while (!atomic_compare_exchange_weak_explicit(&together->taken, &taken, taken + *batch,
                                                    memory_order_relaxed, memory_order_relaxed));
    return taken;
}

static void grow(struct job *job, int thread, int task)
{
    struct together *together = (struct together *)job;
    struct mcts *mcts = together->crew->mcts;
    struct mcts_tree *tree = &mcts->trees[0];
    struct worker *w = &together->crew->workers[thread];
    (void)task;
    for (;;) {
        uint64_t batch, first = take(together, &batch);
        if (batch == 0 ||
            mcts_iterate_many(mcts, tree, &tree->arenas[thread], w, together->first + first, batch) < batch)
            return;
    }
}

void sample_tree(struct crew *crew, uint64_t count)
{
    struct mcts *mcts = crew->mcts;
    struct mcts_tree *tree = &mcts->trees[0];
    struct together together = {.crew = crew, .first = tree->iterations, .count = count};
    together.job.run = grow;
    together.job.count = crew->threads;
    crew_run(crew, &together.job);
    tree->iterations += atomic_load_explicit(&together.taken, memory_order_relaxed);
    mcts_clear_choices(mcts, mcts->choices);
    mcts_add_choices(tree, mcts->choices);
}

/* none.c - split=none: one thread, which is worker 0. */
#include "parallel/crew.h"

#include "search/mcts.h"

/* One thread, one tree. */
static void sample(struct crew *crew, struct mcts *mcts, uint64_t count)
{
    struct mcts_tree *tree = &mcts->trees[0];
    tree->iterations += mcts_iterate_many(mcts, tree, &tree->arenas[0], &crew->workers[0], tree->iterations,
                                          count);
    mcts_clear_choices(mcts, mcts->choices);
    mcts_add_choices(tree, mcts->choices);
}

const struct scheme scheme_none = {
    .name = "none", .summary = "one thread", .shares = WORK_ANY, .sequential = true, .sample = sample};

/* schemes.c - the list of parallel schemes. */
#include "parallel/crew.h"

#include "search/mcts.h"

#include <string.h>

/* One thread, one tree. */
static void sample(struct crew *crew, struct mcts *mcts, uint64_t count)
{
    struct mcts_tree *tree = &mcts->trees[0];
    tree->iterations += mcts_iterate_many(mcts, tree, &tree->arenas[0], &crew->workers[0], tree->iterations,
                                          count);
    mcts_clear_choices(mcts, mcts->choices);
    mcts_add_choices(tree, mcts->choices);
}

static const struct scheme scheme_none = {
    .name = "none", .summary = "one thread", .shares = WORK_ANY, .sequential = true, .sample = sample};

extern const struct scheme scheme_top, scheme_levels, scheme_chunked, scheme_bfs, scheme_shared,
    scheme_pvsplit, scheme_ybwc, scheme_abdada, scheme_lazy, scheme_games, scheme_root, scheme_leaf,
    scheme_tree, scheme_rolls, scheme_rolls_moves;

const struct scheme *const schemes[] = {
    &scheme_none,    &scheme_top,  &scheme_levels, &scheme_chunked,     &scheme_bfs,   &scheme_shared,
    &scheme_pvsplit, &scheme_ybwc, &scheme_abdada, &scheme_lazy,        &scheme_games, &scheme_root,
    &scheme_leaf,    &scheme_tree, &scheme_rolls,  &scheme_rolls_moves, NULL,
};

const struct scheme *scheme_find(const char *name)
{
    for (int i = 0; schemes[i]; i++)
        if (!strcmp(schemes[i]->name, name))
            return schemes[i];
    return NULL;
}

/* Each scheme says itself what it is best at. `bench/auto` measures the candidates on all games (with `manyply
 * bench`, as shares of the machine's ceiling) and prints the winners, so that it can be checked. */
const struct scheme *scheme_best_at(enum work work)
{
    for (int i = 0; schemes[i]; i++)
        if (schemes[i]->best_at & work)
            return schemes[i];
    return schemes[0];
}

/* mcts_show.c - the part of a tree of Monte-Carlo search that is worth a look: the nodes that are visited often. */
#include "search/mcts.h"

/* What is visited less often than this part of the root would be too narrow to be seen. */
enum { NARROWEST = 400, DEEPEST = 40 };

struct tree_show {
    const struct mcts *mcts;
    const struct mcts_tree *tree;
    struct worker *worker; /* its line is used on the way down */
    int count, most;
    uint64_t least; /* visits */
    mcts_show_function *see;
    void *context;
};

static mp_value value_of(const struct mcts *m, const struct mcts_node *node, uint64_t visits)
{
    double unit = m->game->scoring == MP_SCORE_POINTS ? (double)m->scale : MCTS_VALUE_OF_WIN;
    return (mp_value)((double)mcts_sum(node) / (double)visits / MCTS_ONE * unit);
}

static void show_children(struct tree_show *s, struct mcts_place place, int ply, int parent)
{
    struct mcts_block *block = mcts_children(s->tree, place);
    for (uint32_t i = 0; block && i < block->count && ply < DEEPEST && s->count < s->most; i++) {
        const struct mcts_node *node = mcts_nodes(block) + i;
        uint64_t visits = mcts_visits(node);
        if (visits < s->least)
            continue;
        struct mcts_shown shown = {++s->count, parent, ply,
                                   node->move, visits, value_of(s->mcts, node, visits)};
        s->see(s->context, &shown, worker_state(s->worker, ply));
        worker_play(s->worker, ply, node->move);
        show_children(s, (struct mcts_place){block, i}, ply + 1, shown.id);
    }
}

int mcts_show(const struct mcts *m, struct worker *worker, int most, mcts_show_function *see, void *context)
{
    const struct mcts_tree *tree = &m->trees[0];
    if (!tree->root)
        return 0;
    struct mcts_place root = mcts_root(tree);
    uint64_t visits = mcts_visits(mcts_node(root));
    struct tree_show show = {m, tree, worker, 0, most, visits / NARROWEST + 1, see, context};
    show_children(&show, root, 0, 0);
    return show.count;
}

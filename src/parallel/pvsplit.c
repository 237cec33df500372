/* pvsplit.c - split=pvsplit: only nodes of the principal variation are split, each once its first move, the
 * rest of the variation, has been searched. (Marsland and Campbell, "Parallel Search of Strongly Ordered Game
 * Trees", 1982.) */
#include "parallel/crew.h"
#include "parallel/split.h"

enum { SPLIT_DEPTH = 2 };

static bool offer(struct worker *w, struct node *node, int next, search_move_function *search_move)
{
    if (next != 1 || !node->on_pv)
        return false;
    node_complete(w, node);
    if (node->list.count < 2)
        return false;
    split_node(w, node, next, search_move);
    return true;
}

static const struct node_hooks hooks = {
    .least_depth = SPLIT_DEPTH, .offer = offer, .cancelled = crew_cancelled};

const struct scheme scheme_pvsplit = {
    .name = "pvsplit",
    .summary = "nodes of the principal variation, once their first move is done",
    .shares = WORK_BOUNDS,
    .hooks = &hooks,
};

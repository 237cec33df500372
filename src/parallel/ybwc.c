/* ybwc.c - split=ybwc: young brothers wait. A node is split once its eldest move has been searched: if that
 * move does not cut off, most likely none will, and all have to be searched anyway. (Feldmann, Monien,
 * Mysliwietz and Vornberger, "Distributed Game-Tree Search", 1989.)
 *
 * Every such node deep enough is opened, whether or not a thread is idle: opening costs less than a
 * microsecond, and thieves find the largest piece of work at once. */
#include "parallel/crew.h"
#include "parallel/split.h"

/* Subtrees below are too small to be worth the steal. With dice a ply has 21 times the nodes. In a deep
 * search there is enough to steal in the upper half of the tree, and a split costs the order of all its
 * moves. */
enum { SPLIT_DEPTH = 4, SPLIT_DEPTH_WITH_DICE = 2 };

static int least_depth(const struct worker *w)
{
    const struct crew *crew = w->scheme;
    if (w->game->chances)
        return SPLIT_DEPTH_WITH_DICE;
    return crew->depth / 2 > SPLIT_DEPTH ? crew->depth / 2 : SPLIT_DEPTH;
}

static bool offer(struct worker *w, struct node *node, int next, search_move_function *search_move)
{
    if (next != (node->expects_cut ? 3 : 1) || node->depth < least_depth(w))
        return false;
    node_complete(w, node);
    if (node->list.count < 3)
        return false;
    split_node(w, node, next, search_move);
    return true;
}

static const struct node_hooks hooks = {
    .least_depth = SPLIT_DEPTH_WITH_DICE, .offer = offer, .cancelled = crew_cancelled};

const struct scheme scheme_ybwc = {
    .name = "ybwc",
    .summary = "young brothers wait: any node, once its first move is done",
    .shares = WORK_BOUNDS,
    .best_at = WORK_BOUNDS, /* star1 and star2 live on their bounds too */
    .hooks = &hooks,
};

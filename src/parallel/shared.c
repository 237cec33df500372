/* shared.c - split=shared: all moves of a node of the first levels are searched at once, the running bound is
 * shared. The scheme of the report on chess with a moving horizon (OpenMP on the loops over children, dynamic
 * schedule). */
#include "parallel/crew.h"
#include "parallel/split.h"

static bool offer(struct worker *w, struct node *node, int next, search_move_function *search_move)
{
    const struct crew *crew = w->scheme;
    if (next != 0 || node->ply >= crew->options.levels)
        return false;
    node_complete(w, node);
    if (node->list.count < crew->options.least)
        return false;
    split_node(w, node, next, search_move);
    return true;
}

static const struct node_hooks hooks = {.least_depth = 2, .offer = offer, .cancelled = crew_cancelled};

const struct scheme scheme_shared = {
    .name = "shared",
    .summary = "nodes of the first levels=n levels with min=n moves or more, the running bound shared",
    .keys = SCHEME_LEVELS | SCHEME_MIN,
    .shares = WORK_BOUNDS,
    .default_levels = 2,
    .hooks = &hooks,
};

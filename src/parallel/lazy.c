/* lazy.c - split=lazy: every thread searches the root for itself, every other one a ply deeper, and what one
 * has learned the others find in the transposition table (Lazy SMP, as most chess engines have it). Simple,
 * and nobody ever waits; but it widens the tree rather than dividing it. */
#include "parallel/together.h"
#include "search/node.h"

static int every_other_deeper(int task)
{
    return task % 2;
}

static bool iterate(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    return together_iterate(context, depth, every_other_deeper, previous, found);
}

static const struct node_hooks hooks = {.cancelled = crew_cancelled};

const struct scheme scheme_lazy = {
    .name = "lazy",
    .summary = "every thread searches the root; they meet in the transposition table",
    .shares = WORK_BOUNDS,
    .needs_table = true,
    .hooks = &hooks,
    .iterate = iterate,
};

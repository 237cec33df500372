/* search_plan.h - one big exact search: the master grows the top of the tree (tree.h), the ranks search its leaves, each
 * with its own threads and transposition table, and the ledger keeps what is known of each leaf.
 *
 * A job is "DEPTH ALPHA BETA NODES MOVE...": the leaf at the end of these moves, which every rank can play from the position
 * of the command line, its window, and how many nodes it may take (0: any). Its result is "VALUE ALPHA BETA", the window
 * being the last that it was told; "large", if it took more nodes; or nothing, if it was given up. */
#ifndef CLUSTER_SEARCH_PLAN_H
#define CLUSTER_SEARCH_PLAN_H

#include "cluster/farm.h"
#include "cluster/ledger.h"
#include "cluster/tree.h"

struct search_plan;

/* strategy is what the ranks search with; depth the plies of the whole. */
struct search_plan *search_plan_new(const struct mp_position *position, const struct mp_strategy *strategy,
                                    int depth, uint64_t job_nodes, struct ledger *ledger,
                                    struct mp_error *error);
void search_plan_free(struct search_plan *plan);
extern const struct farm_plan search_farm; /* with the plan as the master */

/* True: solved. */
bool search_plan_value(const struct search_plan *plan, mp_value *value, mp_move *move);

/* What the master itself searched, to order moves and to choose the size of jobs. */
uint64_t search_plan_nodes(const struct search_plan *plan);
int search_plan_leaf_depth(const struct search_plan *plan);

/* Each rank: does such jobs. */
struct leaf_search {
    const struct mp_position *position;
    struct mp_search *search;
};
extern const struct hand_skill leaf_skill; /* with that as self */

#endif

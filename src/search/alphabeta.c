/* alphabeta.c - a reply that refutes a move is enough; the others need not be looked at.
 *
 * Fail-soft (Fishburn 1983): a value outside the window is still the best bound known. Moves are tried in
 * the order the game suggests, because a cut-off comes sooner after a good move (Knuth and Moore 1975). */
#include "search/algorithms.h"
#include "search/node.h"

static mp_value search_move(struct worker *w, const struct node *node, int i)
{
    worker_play(w, node->ply, node->list.moves[i]);
    if (node->depth == 1)
        return -worker_leaf(w, node->ply + 1);
    return -alphabeta(w, node->ply + 1, node->depth - 1, -node->beta, -node->alpha);
}

mp_value alphabeta(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    mp_value value;
    if (worker_settled(w, ply, &value))
        return value;
    if (worker_is_chance(w, ply))
        return worker_chance_value(w, ply, depth);
    if (depth == 1 && worker_has_frontier(w)) /* most nodes: there is nothing to prepare */
        return worker_last_ply(w, ply, alpha, beta);
    struct node node = {.ply = ply, .depth = depth, .alpha = alpha, .beta = beta};
    node.best = -MP_INFINITE;
    node.on_pv = alpha == -MP_INFINITE && beta == MP_INFINITE;
    node.scored = depth > 1 && w->game->ordering->list_scored && !w->settings->listed_order;
    node.list = node.scored ? worker_list_scored(w, ply, depth) : worker_list(w, ply);
    if (node.list.count == 0)
        return worker_final(w, ply);
    node_search(w, &node, search_move);
    worker_drop(w, node.list);
    return node.best;
}

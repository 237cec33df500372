/* split.h - the rest of a node's moves, searched by whoever has time. */
#ifndef PARALLEL_SPLIT_H
#define PARALLEL_SPLIT_H

#include "search/node.h"

/* Searches the moves of a node from next on together with idle threads. The running bound is shared: a move
 * that is begun sees the best value so far, and a cut-off ends the others. */
void split_node(struct worker *worker, struct node *node, int next, search_move_function *search_move);

#endif

/* tree.h - the top of a game tree, whose leaves are searched elsewhere, at any time and in any order.
 *
 * A node has bounds: its value at its depth is at least `low` and at most `high`. What comes back from a search with a window
 * (alpha, beta) is a fact about its leaf, whatever has happened meanwhile: a value up to alpha is an upper bound, one
 * from beta on a lower bound, one between them the value. Facts only ever tighten bounds, and the bounds of an inner node
 * follow from those of its children (the best of them; the rounded mean where chance decides, which is monotone). So
 * when the bounds of the root meet, they are the value of plain minimax: windows, guesses, the order of moves, ranks
 * that come, go or are slow decide how soon that is and nothing else.
 *
 * It gets there: a leaf is given out only with a window that lies between its bounds, so each answer tightens them by at
 * least one, and as long as the bounds of the root differ there is such a leaf below it (the child that keeps `high` up). */
#ifndef CLUSTER_TREE_H
#define CLUSTER_TREE_H

#include "manyply/manyply.h"

enum {
    TREE_PLIES = 16,
    TREE_PATH = 2 * TREE_PLIES + 1
}; /* it is never higher; with throws between the moves */

struct tree_node {
    mp_move move;     /* that leads to it */
    uint32_t weight;  /* of an outcome of chance */
    int parent;       /* -1: the root */
    int first, count; /* its children; count 0: a leaf */
    int ply, depth;   /* moves from the root, and still to search */
    bool is_chance;
    bool is_large;        /* a leaf that is to be grown instead of searched */
    mp_value low, high;   /* for the side to move */
    mp_value guess;       /* what a shallow search said */
    uint64_t job;         /* that searches it; 0: none */
    mp_value alpha, beta; /* of that job */
    uint64_t seen;        /* the round in which it was last wanted, and with which window */
    mp_value wanted_alpha, wanted_beta;
};

struct tree;

/* What a leaf is known to be from before: the owner is asked once for each leaf that is made, with the moves from the root to
 * it, and may tighten its bounds and call it large. */
typedef void tree_recall(void *context, const mp_move *path, int length, struct tree_node *leaf);

/* position must stay where it is; it has a player to move and a legal move. Nodes of more than leaf_depth plies are grown, all
 * others are leaves. order may be null; it
 * is a search for one thread that looks at the moves of a node to order_depth plies. */
struct tree *tree_new(const struct mp_position *position, int depth, int leaf_depth, struct mp_search *order,
                      int order_depth, tree_recall *recall, void *context, struct mp_error *error);
void tree_free(struct tree *tree);

/* Where the value of the root is looked for while nothing is known of it. */
void tree_guess(struct tree *tree, mp_value value);

struct tree_node *tree_at(struct tree *tree, int node);
int tree_path(const struct tree *tree, int node, mp_move path[TREE_PATH]);

/* The next leaf to search, with its window; speculative: also where it may turn out not to matter. -1: none is left that has
 * no job. -2: out of memory or out of range, and the sentence says which. Grows the tree on the way. */
int tree_next(struct tree *tree, bool speculative, mp_value *alpha, mp_value *beta, struct mp_error *error);

/* A leaf has been searched with a window. */
void tree_take(struct tree *tree, int node, mp_value alpha, mp_value beta, mp_value value);

/* Calls `see` for each leaf with a job: it is not wanted any more (alpha >= beta), or wanted with this window. */
void tree_review(struct tree *tree, void (*see)(void *context, int node, mp_value alpha, mp_value beta),
                 void *context);

/* True: the value of the root, and a move that has it. */
bool tree_is_solved(const struct tree *tree, mp_value *value, mp_move *move);

/* Could the leaf be grown, if it is too large for a search? */
bool tree_may_grow(const struct tree *tree, int node);

int tree_size(const struct tree *tree);
uint64_t tree_nodes(const struct tree *tree); /* that were searched to order moves */

#endif

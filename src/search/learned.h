/* learned.h - what a selective search has learned about moves: how often each refuted something, by itself, and if quiet
 * after the opponent's last move and after the own move before that; and which move answered which. And about
 * the evaluation: how far off it was with each part of a position. Each worker has its own; it outlives a
 * run, because the next position of a game has much in common. */
#ifndef SEARCH_LEARNED_H
#define SEARCH_LEARNED_H

#include "search/node.h"

struct learned;

/* Null when there is no memory. */
struct learned *learned_new(uint32_t index_count);
void learned_free(struct learned *learned);
void learned_clear(struct learned *learned, uint32_t index_count);

/* The order of moves: hash move, noisy moves that lose nothing, killers and the counter move, quiet moves by
 * what was learned, noisy moves that lose something. The class of a move can be told from its score. */
enum {
    ORDER_HASH = 1 << 30, /* + 1 if it is noisy */
    ORDER_GOOD = 1 << 29,
    ORDER_KILLER = 1 << 28,
    ORDER_BAD = -(1 << 29),
};

static inline bool order_is_quiet(int32_t score)
{
    return score == ORDER_HASH || (score < ORDER_GOOD - (1 << 28) / 2 && score > ORDER_BAD / 2);
}
static inline bool order_is_bad(int32_t score)
{
    return score <= ORDER_BAD / 2;
}
static inline bool order_is_special(int32_t score)
{
    return score >= ORDER_KILLER - 1;
}

/* The number of a move, for the tables and for the frame of the ply it leads to. */
uint16_t learned_index(const struct worker *worker, int ply, mp_move move);

/* Scores the quiet moves of a node from place first on; what stands in their scores is the game's guess. */
void learned_score_quiet(const struct worker *worker, const struct node *node, int first);

/* Adds what was learned to the scores of the noisy moves of a node from place first on: what they gain. */
void learned_score_noisy(const struct worker *worker, const struct node *node, int first);

/* What was learned of a quiet move with this score, about -3 * LEARNED_MOST to 3 * LEARNED_MOST; 0 for moves
 * that are ordered for another reason. */
enum { LEARNED_MOST = 1 << 14 };
static inline int32_t learned_worth(int32_t score)
{
    return order_is_quiet(score) && !order_is_special(score) ? score : 0;
}

/* The best move has cut off; those of its kind, and the noisy ones, before it have not. */
void learned_cut(struct worker *worker, const struct node *node);

/* What a static value becomes by what was learned about its errors. */
mp_value learned_correct(const struct worker *worker, int ply, mp_value eval);

/* A search of this many plies has found a value that differs from the static one by this much. */
void learned_error(const struct worker *worker, int ply, int depth, mp_value error);

#endif

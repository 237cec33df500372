/* order.h - what a worker has learned of the order in which to try moves: killers and history.
 *
 * A helper that joins a worker copies its killers and its history, while it may be changing them: each number
 * is read and written by itself, in any order (relaxed), because a wrong one only makes an order worse. */
#ifndef SEARCH_ORDER_H
#define SEARCH_ORDER_H

#include "manyply/game.h"

#include <stdatomic.h>

/* What the moves of one ply are remembered by: they cut off siblings of this node. */
struct killers {
    _Atomic mp_move moves[2];
};
#define ORDER_LOAD(place) atomic_load_explicit(place, memory_order_relaxed)
#define ORDER_STORE(place, value) atomic_store_explicit(place, value, memory_order_relaxed)

struct order {
    struct killers *killers;  /* by ply */
    _Atomic int32_t *history; /* by side and index: how often a move cut off, weighted by depth */
    uint32_t index_count;     /* of a side */
};

bool order_init(struct order *order, const struct mp_game *game);
void order_free(struct order *order);
void order_clear(struct order *order);

/* A dense number for each of these moves, below index_count. */
void order_index(const struct order *order, const struct mp_game *game, const void *state,
                 const mp_move *moves, int count, uint16_t *indices);

/* Takes over what another has learned from a ply on. */
void order_learn_from(struct order *order, const struct order *other, int ply);

/* Meets another halfway in what moves have refuted so far. */
void order_agree_with(struct order *order, const struct order *other);

/* A move that cut off at ply is a killer there. */
static inline void order_kill(struct order *order, int ply, mp_move move)
{
    struct killers *killers = &order->killers[ply];
    mp_move last = ORDER_LOAD(&killers->moves[0]);
    if (last != move) {
        ORDER_STORE(&killers->moves[1], last);
        ORDER_STORE(&killers->moves[0], move);
    }
}

#endif

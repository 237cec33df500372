/* order.c - killers and history: made, cleared, and taken over from another worker. */
#include "search/order.h"

#include "search/line.h"

#include <stdlib.h>
#include <string.h>

bool order_init(struct order *order, const struct mp_game *game)
{
    enum { INDICES_BY_HASH = 4096 };
    order->index_count = game->ordering->index_moves ? game->ordering->index_count : INDICES_BY_HASH;
    order->killers = malloc(LINE_PLIES * sizeof *order->killers);
    order->history = calloc(2 * (size_t)order->index_count, sizeof *order->history);
    return order->killers && order->history;
}

void order_free(struct order *order)
{
    free(order->killers);
    free((void *)order->history);
}

void order_clear(struct order *order)
{
    memset((void *)order->killers, 0xff, LINE_PLIES * sizeof *order->killers);
    memset((void *)order->history, 0, 2 * (size_t)order->index_count * sizeof *order->history);
}

void order_index(const struct order *order, const struct mp_game *game, const void *state,
                 const mp_move *moves, int count, uint16_t *indices)
{
    if (game->ordering->index_moves) {
        game->ordering->index_moves(game, state, moves, count, indices);
        return;
    }
    for (int i = 0; i < count; i++)
        indices[i] = (uint16_t)((moves[i] ^ moves[i] >> 12) % order->index_count);
}

void order_learn_from(struct order *order, const struct order *other, int ply)
{
    enum { PLIES = 24 }; /* further down there is nothing that lasts */
    int last = ply + PLIES < LINE_PLIES ? ply + PLIES : LINE_PLIES;
    for (int p = ply; p < last; p++)
        for (int i = 0; i < 2; i++)
            ORDER_STORE(&order->killers[p].moves[i], ORDER_LOAD(&other->killers[p].moves[i]));
    for (size_t i = 0; i < 2 * (size_t)order->index_count; i++)
        ORDER_STORE(&order->history[i], ORDER_LOAD(&other->history[i]));
}

void order_agree_with(struct order *order, const struct order *other)
{
    for (size_t i = 0; i < 2 * (size_t)order->index_count; i++) {
        int32_t own = ORDER_LOAD(&order->history[i]), others = ORDER_LOAD(&other->history[i]);
        if (own != others)
            ORDER_STORE(&order->history[i], (own + others) / 2);
    }
}

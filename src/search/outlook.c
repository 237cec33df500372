/* outlook.c - the shares of won and lost games that a network expects, at once or after some throws. */
#include "search/outlook.h"

#include <string.h>

void outlook_turn(const float from[OUTLOOK], float to[OUTLOOK])
{
    float copy[OUTLOOK] = {1 - from[0], from[3], from[4], from[1], from[2]};
    memcpy(to, copy, sizeof copy);
}

void outlook_of_end(const struct mp_game *game, const void *state, float shares[OUTLOOK])
{
    int margin = game->margin(game, state);
    const float copy[OUTLOOK] = {margin > 0, margin > 1, margin > 2, margin < -1, margin < -2};
    memcpy(shares, copy, sizeof copy);
}

bool outlook_is_over(const struct mp_game *game, const void *state)
{
    return game->chances(game, state, NULL, NULL, 0) == 0 && game->list(game, state, NULL, 0) == 0;
}

void outlook_at(struct accumulators *a, const struct line *line, int ply, float shares[OUTLOOK])
{
    int32_t whole[OUTLOOK];
    if (outlook_is_over(line->game, line_state(line, ply))) {
        outlook_of_end(line->game, line_state(line, ply), shares);
        return;
    }
    accumulators_shares(a, line, ply, whole);
    for (int i = 0; i < OUTLOOK; i++)
        shares[i] = (float)whole[i] / NETWORK_WHOLE;
}

bool outlook_play_best(struct accumulators *a, struct line *line, int ply)
{
    const struct mp_game *game = line->game;
    mp_move moves[MP_MAX_MOVES];
    mp_value values[MP_MAX_MOVES];
    int count = game->list(game, line_state(line, ply), moves, MP_MAX_MOVES), best = 0;
    if (count > 1)
        accumulators_children(a, line, ply, moves, count, -MP_INFINITE, values);
    for (int i = 1; i < count; i++)
        best = values[i] < values[best] ? i : best;
    if (count > 0)
        line_play(line, ply, moves[best]);
    return count > 0;
}

void outlook_ahead(struct accumulators *a, struct line *line, int ply, int throws, float shares[OUTLOOK])
{
    const struct mp_game *game = line->game;
    mp_move outcomes[MP_MAX_MOVES];
    uint32_t weights[MP_MAX_MOVES], total = 0;
    int count = throws ? game->chances(game, line_state(line, ply), outcomes, weights, MP_MAX_MOVES) : 0;
    float sums[OUTLOOK] = {0};
    if (count == 0)
        outlook_at(a, line, ply, shares);
    for (int i = 0; i < count; i++) {
        line_play(line, ply, outcomes[i]);
        if (!outlook_play_best(a, line, ply + 1))
            continue;
        float after[OUTLOOK];
        outlook_ahead(a, line, ply + 2, throws - 1, after);
        outlook_turn(after, after);
        for (int k = 0; k < OUTLOOK; k++)
            sums[k] += (float)weights[i] * after[k];
        total += weights[i];
    }
    for (int k = 0; count > 0 && k < OUTLOOK; k++)
        shares[k] = sums[k] / (float)total;
}

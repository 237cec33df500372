/* chances.c - what a network expects after a move, over the throws that a search has looked at. */
#include "lab/chances.h"

#include "strategy/strategy.h"

#include <string.h>

/* A third throw would be ten million states. */
enum { MOST_THROWS = 2 };

bool chances_are_told(const struct mp_strategy *strategy)
{
    const struct mp_game *game = strategy->game;
    const struct network_evaluation *network = strategy->plan.settings.network;
    bool cube = false;
    for (int i = 0; game->options && game->options[i].name; i++)
        cube = cube || (!strcmp(game->options[i].name, "cube") && game->option[i]);
    return network && network->features.outputs == OUTLOOK && !cube;
}

bool chances_have_network(const struct mp_game *game)
{
    return network_is_shipped(game->name);
}

bool chances_after(const struct mp_strategy *strategy, const struct mp_position *position, mp_move move,
                   int depth, double shares[OUTLOOK], struct mp_error *error)
{
    const struct mp_game *game = strategy->game;
    struct line line = {0};
    struct accumulators *a = accumulators_new(strategy->plan.settings.network);
    struct mp_history history = mp_position_history(position);
    int throws = depth - 1 < 0             ? 0
                 : depth - 1 < MOST_THROWS ? depth - 1
                                           : MOST_THROWS; /* 0: stopped at once */
    float after[OUTLOOK];
    bool ok = a && line_init(&line, game) &&
              line_set_root(&line, mp_position_state(position), &history, NULL);
    if (ok) {
        line_play(&line, 0, move);
        outlook_ahead(a, &line, 1, throws, after);
        outlook_turn(after, after);
        for (int k = 0; k < OUTLOOK; k++)
            shares[k] = (double)after[k];
    }
    line_free(&line);
    accumulators_free(a);
    return ok || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for the chances after a move");
}

double chances_equity(const double s[OUTLOOK])
{
    return 2 * s[0] - 1 + s[1] + s[2] - s[3] - s[4];
}

/* features.h - the inputs of a network for any game: the game's own, or which piece stands on which cell of its board. */
#ifndef SEARCH_FEATURES_H
#define SEARCH_FEATURES_H

#include "manyply/game.h"

enum { FEATURES_MOST_ACTIVE = 1024 };

struct features {
    const struct mp_game *game;
    uint32_t count, most, views, heads, outputs;
    uint32_t cells; /* of the board, where the game does not list its inputs itself; else 0 */
};

/* False: the game has neither features nor a board, or too many. */
bool features_of(const struct mp_game *game, struct features *features, struct mp_error *error);

/* The inputs that are active in the views of a state, that of the side to move first, or by player. */
struct feature_lists {
    uint16_t inputs[2][FEATURES_MOST_ACTIVE];
    int counts[2];
};
void features_views(const struct features *features, const void *state, struct feature_lists *views);
void features_players(const struct features *features, const void *state, struct feature_lists *players);

/* The game's own hook that tells what changes between two states, or null. */
typedef void feature_change(const struct mp_game *game, const void *from, const void *to, int player,
                            uint16_t *gone, int *gone_count, uint16_t *come, int *come_count);
static inline feature_change *features_change(const struct features *features)
{
    return features->cells ? NULL : features->game->features->change;
}

/* The stage of a state. */
int features_head(const struct features *features, const void *state);

#endif

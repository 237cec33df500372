/* features.h - the inputs of a network for any game: the game's own, or which piece stands on which cell of its board. */
#ifndef SEARCH_FEATURES_H
#define SEARCH_FEATURES_H

#include "manyply/game.h"

enum { FEATURES_MOST_ACTIVE = 1024 };

struct features {
    const struct mp_game *game;
    uint32_t count, most, views, heads;
    uint32_t cells; /* of the board, where the game does not list its inputs itself; else 0 */
};

/* False: the game has neither features nor a board, or too many. */
bool features_of(const struct mp_game *game, struct features *features, struct mp_error *error);

/* The active inputs of a view, and how many. */
int features_list(const struct features *features, const void *state, int view,
                  uint16_t inputs[FEATURES_MOST_ACTIVE]);

/* The stage of a state. */
int features_head(const struct features *features, const void *state);

#endif

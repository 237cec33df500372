/* describe.h - games, positions and results as JSON, for the page. What each object holds is written down in
 * docs/http-api.md. */
#ifndef SERVER_DESCRIBE_H
#define SERVER_DESCRIBE_H

#include "manyply/manyply.h"

#include <jansson.h>

/* All there is to choose from. extra is one more game (a plug-in), or null. */
json_t *describe_catalogue(const char *extra);

/* A game; name is what it was opened by. */
json_t *describe_game(const struct mp_game *game, const char *name);

/* The strategy that plays a game unless another is asked for: the default, on all CPUs, for a second. */
void describe_strategy(const struct mp_game *game, char *text, size_t size);

/* The board, or null where the game describes none. */
json_t *describe_board(const struct mp_position *position);

/* A move in a position: its text, who makes it, its cells. */
json_t *describe_move(const struct mp_game *game, const struct mp_position *position, mp_move move);

/* What can be played in a position. */
json_t *describe_moves(const struct mp_game *game, const struct mp_position *position);

/* What a search has found so far. */
json_t *describe_result(const struct mp_game *game, const struct mp_position *position,
                        const struct mp_result *result);

#endif

/* describe.h - games, positions and results as JSON, for the page. What each object holds is written down in
 * docs/http-api.md. */
#ifndef SERVER_DESCRIBE_H
#define SERVER_DESCRIBE_H

#include "manyply/manyply.h"

#include <jansson.h>

/* All there is to choose from. extra is one more game (a plug-in), or null; networks are those that are offered. */
json_t *describe_catalogue(const char *extra, json_t *networks);

/* A game; name is what it was opened by. */
json_t *describe_game(const struct mp_game *game, const char *name);

/* The strategy that plays a game unless another is asked for: the default, on all CPUs, for a second. False: there
 * is no memory for it. */
bool describe_strategy(const struct mp_game *game, char *text, size_t size);

/* The board of a state, or null where the game describes none; then a picture in letters, if it draws one. */
json_t *describe_board(const struct mp_game *game, const void *state);
json_t *describe_picture(const struct mp_game *game, const void *state);

/* The cells of a move, or of none where chance decides. */
json_t *describe_cells(const struct mp_game *game, const void *state, mp_move move);

/* A move in a position: its text, who makes it, its cells. */
json_t *describe_move(const struct mp_game *game, const struct mp_position *position, mp_move move);

/* What can be played in a position. */
json_t *describe_moves(const struct mp_game *game, const struct mp_position *position);

/* What a search has found so far. */
json_t *describe_result(const struct mp_game *game, const struct mp_position *position,
                        const struct mp_result *result);

#endif

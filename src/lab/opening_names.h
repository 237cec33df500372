/* opening_names.h - what players call openings. */
#ifndef LAB_OPENING_NAMES_H
#define LAB_OPENING_NAMES_H

#include "manyply/manyply.h"

/* The name that players have for a position, however it is turned; null: none. */
const char *opening_name(const struct mp_game *game, const void *state);

/* The names of a game and the moves to each, from number 0 on; false: there are no more. */
bool opening_at(const struct mp_game *game, int number, const char **name, const char **moves);

#endif

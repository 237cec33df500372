/* games.h - the list of games, built in and plugged in. */
#ifndef GAMES_GAMES_H
#define GAMES_GAMES_H

#include "manyply/game.h"

/* The built-in games by number, from 0; null: there is no such number. */
const char *games_name(int index);

/* An instance of a game with its options set, on the heap; games_close frees it. */
struct mp_game *games_open(const char *text, struct mp_error *error);
void games_close(struct mp_game *game);

/* Sets an option of a copy of a game; false: it has none of that name, or no such value. */
bool games_set_option(struct mp_game *game, const char *name, const char *value, struct mp_error *error);

/* The name of a game with those of its options that are not as usual, as in "halma:rules=free". */
void games_describe(const struct mp_game *game, char *text, size_t size);

#endif

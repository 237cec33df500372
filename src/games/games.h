/* games.h - the list of games, built in and plugged in. */
#ifndef GAMES_GAMES_H
#define GAMES_GAMES_H

#include "manyply/game.h"

/* The built-in games by number, from 0; null: there is no such number. */
const char *games_name(int index);

/* An instance of a game with its options set, on the heap; games_close frees it. */
struct mp_game *games_open(const char *text, struct mp_error *error);
void games_close(struct mp_game *game);

#endif

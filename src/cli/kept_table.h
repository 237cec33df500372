/* kept_table.h - the table of a game that takes long to make (struct mp_tables): made when it is first needed, and kept
 * in the user's cache. */
#ifndef CLI_KEPT_TABLE_H
#define CLI_KEPT_TABLE_H

#include "manyply/game.h"

/* Gives a game its table, if it has one: the one that was kept, or a new one. False: it could not be made. */
bool kept_table_take(struct mp_game *game, struct mp_error *error);

/* Before the game is closed; null is fine. */
void kept_table_free(struct mp_game *game);

#endif

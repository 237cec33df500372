/* values.h - what every move of a position is worth, deeper and deeper, for the list beside the board. */
#ifndef SERVER_VALUES_H
#define SERVER_VALUES_H

#include "manyply/manyply.h"

#include <jansson.h>

/* Values all moves at depth 1, then 2 and so on, until all is known, a few seconds have passed, or the search
 * is stopped. begin is told before each run which search is used and may refuse (the search is null when it is over);
 * show is given the values of all moves, in the order in which they are listed, after each depth, and owns them. */
void values_find(const struct mp_game *game, const char *strategy, const struct mp_position *position,
                 bool (*begin)(void *context, struct mp_search *search),
                 void (*show)(void *context, json_t *values), void *context);

#endif

/* catalogue.h - what strategies there are, as JSON: for people's programs, and for the page's editor. */
#ifndef LAB_CATALOGUE_H
#define LAB_CATALOGUE_H

#include "manyply/manyply.h"

#include <jansson.h>

/* Algorithms (each with the schemes and keys that it has), schemes, keys and the names of reports. With a game: only
 * what makes sense for it. */
json_t *catalogue_strategies(const struct mp_game *game);

/* The names of the schemes that an algorithm can have in a game. */
json_t *catalogue_schemes(const struct mp_game *game, const char *algorithm);

#endif

/* arenas.h - the arenas that `manyply arena` has kept in a folder, for the lab of the page. */
#ifndef SERVER_ARENAS_H
#define SERVER_ARENAS_H

#include "manyply/manyply.h"

#include <jansson.h>

/* The names of the files that can be opened. */
json_t *arenas_list(const char *folder);

/* Players, their standing and the crosstable of one of them; null: see error. */
json_t *arenas_open(const char *folder, const char *name, struct mp_error *error);

#endif

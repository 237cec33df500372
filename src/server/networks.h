/* networks.h - the learned evaluations that pages may ask for: those of the library, and the files that the server was
 * given. A page names no other file, because a name must not open any file of this machine. */
#ifndef SERVER_NETWORKS_H
#define SERVER_NETWORKS_H

#include "manyply/manyply.h"

#include <jansson.h>

/* A list of {"game", "name", "summary"}: for the games of the library, and for a plug-in unless it is null. A file that
 * fits none of them is an error: null. */
json_t *networks_offer(const char *plugin, const char *const *files, int count, struct mp_error *error);

/* Does a request name only files that are offered, wherever in it? */
bool networks_allow(const json_t *offered, const json_t *request, struct mp_error *error);

#endif

/* server.h - the page in the browser: an HTTP server on this machine, and the games that are played on it.
 *
 * Pages get one stream of server-sent events each and send what they want by POST (docs/http-api.md). Any web
 * page that the user visits could send requests to a local server, so each must name the right host, come
 * from this page and know a secret token that is printed with the address. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "manyply/manyply.h"

struct server;

struct server_plan {
    const char *address;         /* where to listen, such as "127.0.0.1" */
    int port;                    /* 0: any that is free */
    const char *game;            /* a plug-in to offer besides the built-in games, or null */
    const char *arenas;          /* the folder with the arenas that can be looked at */
    const char *const *networks; /* files that pages may ask for */
    int network_count;
    int megabytes; /* memory for all sessions together; 0: a quarter of what the process may use */
};
struct server *server_start(const struct server_plan *plan, struct mp_error *error);

/* What to type into a browser. Belongs to the server. */
const char *server_url(const struct server *server);

/* Stops all searches, closes all connections. */
void server_stop(struct server *server);

#endif

/* access.h - who may ask: a request must name this server, come from its page and know its token. */
#ifndef SERVER_ACCESS_H
#define SERVER_ACCESS_H

#include <microhttpd.h>
#include <stdbool.h>

struct access {
    char address[64]; /* as numbers: "127.0.0.1", "::1" */
    char name[67];    /* the same as it stands in a URL: "127.0.0.1", "[::1]" */
    char token[33];
    int port;
};

/* A text of 2 * bytes digits that cannot be guessed; bytes <= 16. */
void access_make_secret(char *text, size_t bytes);

/* An argument of the address, such as ?token=; null: it has none of this name. */
const char *access_argument(struct MHD_Connection *connection, const char *name);

/* Why a request is not answered; null: it is. */
const char *access_forbidden(const struct access *access, struct MHD_Connection *connection,
                             bool needs_token);

#endif

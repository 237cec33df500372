/* access.c - checks the host, the origin and the token of a request, and makes secrets. */
#include "server/access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

void access_make_secret(char *text, size_t bytes)
{
    unsigned char random[16];
    if (getrandom(random, bytes, 0) != (ssize_t)bytes)
        abort();
    for (size_t i = 0; i < bytes; i++)
        sprintf(text + 2 * i, "%02x", random[i]);
}

static bool is_dotted_number(const char *text, size_t length)
{
    return length > 0 && strspn(text, "0123456789.") >= length;
}

static bool is_bracketed_number(const char *text, size_t length)
{
    return length > 2 && text[0] == '[' && strspn(text + 1, "0123456789abcdefABCDEF:.") == length - 2 &&
           text[length - 1] == ']';
}

/* A port as browsers write it, and nothing behind it. */
static bool is_port(const char *text)
{
    size_t length = strlen(text);
    return length >= 1 && length <= 5 && *text != '0' && strspn(text, "0123456789") == length;
}

/* The Host must be this server under one of its names: a page of a stranger whose name is made to point here
 * (DNS rebinding) sends its own. Where the server listens on all addresses, any number will do. */
static bool host_is_right(const struct access *access, const char *host)
{
    const char *colon = host ? strrchr(host, ':') : NULL;
    size_t length = colon ? (size_t)(colon - host) : 0;
    const char *const names[] = {"127.0.0.1", "localhost", "[::1]", access->name};
    if (colon && !is_port(colon + 1))
        return false;
    if (!colon || atoi(colon + 1) != access->port)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !strncmp(host, names[i], length))
            return true;
    if (!strcmp(access->address, "::") && is_bracketed_number(host, length))
        return true;
    return !strcmp(access->address, "0.0.0.0") && is_dotted_number(host, length);
}

static bool origin_is_right(const char *origin, const char *host)
{
    return !origin || (!strncmp(origin, "http://", 7) && !strcmp(origin + 7, host));
}

/* Compares without telling by its time how much is right. */
static bool token_is_right(const struct access *access, const char *token)
{
    size_t length = strlen(access->token);
    unsigned difference = 0;
    if (!token || strlen(token) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned char)token[i] ^ (unsigned char)access->token[i];
    return difference == 0;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

const char *access_argument(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

const char *access_forbidden(const struct access *access, struct MHD_Connection *connection, bool needs_token)
{
    const char *host = header(connection, "Host"), *token = header(connection, "X-Manyply-Token");
    const char *site = header(connection, "Sec-Fetch-Site");
    bool from_elsewhere = site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0;
    if (!host_is_right(access, host))
        return "the Host of the request is not this server";
    if (!origin_is_right(header(connection, "Origin"), host) || (needs_token && from_elsewhere))
        return "the request comes from another page";
    if (needs_token && !token_is_right(access, token ? token : access_argument(connection, "token")))
        return "the token is missing or wrong: open the address that `manyply serve` has printed";
    return NULL;
}

/* server.c - listens, and answers each request by its address. */
#include "server/server.h"

#include "server/access.h"
#include "server/answer.h"
#include "server/arenas.h"
#include "server/connections.h"
#include "server/describe.h"
#include "server/limit.h"
#include "server/networks.h"
#include "server/page.h"
#include "server/sessions.h"
#include "server/stream.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Bodies that are too long are read to their end, so that the answer is not lost, but not without end. */
enum {
    MOST_BODY = 64 * 1024,
    MOST_DISCARDED = 32 * 1024 * 1024,
    MOST_CONNECTIONS = 400,
    MOST_STREAMS = 360,
    SPARE_CONNECTIONS = 100, /* so that there is room until those that are cut off have gone */
    REQUEST_SECONDS = 10,    /* for a request to come and be answered */
    MOST_SEARCHES = 8,
    SILENCE_SECONDS =
        60, /* a reader that takes nothing for this long is dropped, and one that asks nothing */
    STACK_BYTES = 1 << 20,
};

struct server {
    struct MHD_Daemon *daemon;
    struct access access;
    struct sessions sessions;
    char url[160];
    char *game;       /* the plug-in, or null */
    char *arenas;     /* the folder that they are in */
    json_t *networks; /* that pages may ask for */
    struct search_limit *limit;
    struct connection_limit *connections;
};

/* ---- Requests ----------------------------------------------------------------------------------------- */

/* Only games that are offered: a name must not load any file of this machine. */
static bool is_offered(const struct server *server, const char *name)
{
    size_t length = server->game ? strlen(server->game) : 0;
    if (length && !strncmp(name, server->game, length) && (!name[length] || name[length] == ':'))
        return true;
    for (int i = 0; mp_game_name(i); i++) {
        length = strlen(mp_game_name(i));
        if (!strncmp(name, mp_game_name(i), length) && (!name[length] || name[length] == ':'))
            return true;
    }
    return false;
}

static enum MHD_Result create_session(struct server *server, struct MHD_Connection *connection,
                                      const json_t *request)
{
    const char *game = json_string_value(json_object_get(request, "game"));
    struct mp_error error;
    char id[17], sentence[256];
    if (!game || !is_offered(server, game)) {
        snprintf(sentence, sizeof sentence,
                 "\"game\" is '%.60s', expected one of those that /api/catalogue lists", game ? game : "");
        return answer_refuse(connection, MHD_HTTP_BAD_REQUEST, sentence);
    }
    access_make_secret(id, 8);
    const char *position = json_string_value(json_object_get(request, "position"));
    struct session *session;
    bool is_full;
    do {
        session = session_new(id, game, position, json_object_get(request, "moves"), server->limit, &error);
        is_full = !session && error.code == MP_ERROR_MEMORY;
    } while (is_full && sessions_drop(&server->sessions));
    if (!session)
        return answer_refuse(connection, is_full ? MHD_HTTP_SERVICE_UNAVAILABLE : MHD_HTTP_BAD_REQUEST,
                             error.text);
    char *state = session_state(session);
    if (sessions_add(&server->sessions, session))
        return answer_text(connection, MHD_HTTP_OK, state);
    session_free(session);
    free(state);
    return answer_refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                         "too many games are open: close some pages");
}

/* The body of a request, as it comes in. */
struct body {
    size_t length; /* of all that came; only the beginning is kept */
    char text[];   /* MOST_BODY bytes of room; none where no body is expected */
};

static enum MHD_Result send_file(struct MHD_Connection *connection, const struct page_file *file)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        (size_t)(file->end - file->start), (void *)file->start, MHD_RESPMEM_PERSISTENT);
    if (response && MHD_add_response_header(response, "Content-Encoding", "gzip") != MHD_YES) {
        MHD_destroy_response(response);
        return MHD_NO;
    }
    return answer_send(connection, MHD_HTTP_OK, response, file->type);
}

static enum MHD_Result send_status(struct server *server, struct MHD_Connection *connection)
{
    int watchers, sessions = sessions_count(&server->sessions, &watchers);
    return answer_json(connection, MHD_HTTP_OK,
                       json_pack("{s:i, s:i, s:i, s:{s:i, s:i}}", "sessions", sessions, "watchers", watchers,
                                 "searches", search_limit_running(server->limit), "memory", "used",
                                 search_limit_used(server->limit), "most",
                                 search_limit_megabytes(server->limit)));
}

/* Which arenas there are, or one of them. */
static enum MHD_Result send_arenas(const struct server *server, struct MHD_Connection *connection)
{
    struct mp_error error = {0};
    const char *name = access_argument(connection, "name");
    json_t *json = name ? arenas_open(server->arenas, name, &error) : arenas_list(server->arenas);
    return json || !error.text[0] ? answer_json(connection, MHD_HTTP_OK, json)
                                  : answer_refuse(connection, MHD_HTTP_BAD_REQUEST, error.text);
}

/* 0: it is not there, or no number. */
static uint64_t number_argument(struct MHD_Connection *connection, const char *name)
{
    const char *text = access_argument(connection, name);
    return text && *text >= '0' && *text <= '9' ? strtoull(text, NULL, 10) : 0;
}

static const char session_path[] = "/api/sessions/";

/* The state of a session (ID), its last search (ID/search), or a piece of work of that (ID/piece). */
static enum MHD_Result send_session(struct server *server, struct MHD_Connection *connection,
                                    const char *path)
{
    char id[40];
    size_t length = strcspn(path, "/");
    const char *part = path + length;
    snprintf(id, sizeof id, "%.*s", length < sizeof id ? (int)length : 0, path);
    struct session *session = sessions_take(&server->sessions, id);
    if (!session)
        return answer_refuse(connection, MHD_HTTP_NOT_FOUND, "there is nothing at this address");
    char *text = NULL;
    const char *absent = "there is nothing at this address";
    if (!*part) {
        text = session_state(session);
    } else if (!strcmp(part, "/search")) {
        text = session_recording(session, access_argument(connection, "positions"));
        absent = "nothing has been searched here yet";
    } else if (!strcmp(part, "/piece")) {
        text = session_look(session, number_argument(connection, "search"), number_argument(connection, "id"),
                            access_argument(connection, "tree"));
        absent = "this piece of work is not kept: it was too short, or another search has been made since";
    }
    sessions_give_back(&server->sessions, session);
    return text ? answer_text(connection, MHD_HTTP_OK, text)
                : answer_refuse(connection, MHD_HTTP_NOT_FOUND, absent);
}

/* With head the answer is the same but for its body, which the library leaves out. */
static enum MHD_Result get(struct server *server, struct MHD_Connection *connection, const char *path,
                           bool head)
{
    for (const struct page_file *file = page_files; file->path; file++)
        if (!strcmp(path, file->path))
            return send_file(connection, file);
    if (!strcmp(path, "/api/catalogue"))
        return answer_json(connection, MHD_HTTP_OK, describe_catalogue(server->game, server->networks));
    if (!strcmp(path, "/api/status"))
        return send_status(server, connection);
    if (!strcmp(path, "/api/events") && !head && !connection_limit_stream(server->connections, connection))
        return answer_refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                             "too many pages are open: close some of them");
    if (!strcmp(path, "/api/events"))
        return stream_open(&server->sessions, connection, head);
    if (!strcmp(path, "/api/arenas"))
        return send_arenas(server, connection);
    if (!strncmp(path, session_path, strlen(session_path)))
        return send_session(server, connection, path + strlen(session_path));
    return answer_refuse(connection, MHD_HTTP_NOT_FOUND, "there is nothing at this address");
}

static enum MHD_Result act(struct server *server, struct MHD_Connection *connection, const char *id,
                           const json_t *request)
{
    struct mp_error error = {0};
    struct session *session = sessions_take(&server->sessions, id);
    if (!session)
        return answer_refuse(connection, MHD_HTTP_NOT_FOUND, "there is no such session");
    char *state = session_act(session, request, &error);
    sessions_give_back(&server->sessions, session);
    return state || !error.text[0] ? answer_text(connection, MHD_HTTP_OK, state)
                                   : answer_refuse(connection, MHD_HTTP_BAD_REQUEST, error.text);
}

static enum MHD_Result post(struct server *server, struct MHD_Connection *connection, const char *path,
                            const struct body *body)
{
    json_error_t where;
    char sentence[512];
    if (body->length > MOST_BODY) {
        snprintf(sentence, sizeof sentence, "the request has %zu bytes, expected at most %d", body->length,
                 MOST_BODY);
        return answer_refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, sentence);
    }
    bool creates = !strcmp(path, "/api/sessions");
    if (!creates && strncmp(path, session_path, strlen(session_path)) != 0)
        return answer_refuse(connection, MHD_HTTP_NOT_FOUND, "there is nothing at this address");
    json_t *request = json_loadb(body->text, body->length, JSON_REJECT_DUPLICATES, &where);
    if (!json_is_object(request)) {
        if (request)
            snprintf(sentence, sizeof sentence, "the request is not a JSON object");
        else
            snprintf(sentence, sizeof sentence, "line %d, column %d: %.200s, expected a JSON object",
                     where.line, where.column, where.text);
        json_decref(request);
        return answer_refuse(connection, MHD_HTTP_BAD_REQUEST, sentence);
    }
    struct mp_error error;
    enum MHD_Result result = !networks_allow(server->networks, request, &error)
                                 ? answer_refuse(connection, MHD_HTTP_BAD_REQUEST, error.text)
                             : creates ? create_session(server, connection, request)
                                       : act(server, connection, path + strlen(session_path), request);
    json_decref(request);
    return result;
}

/* Keeps what came of the body. False: enough is enough. */
static bool receive(struct body *body, const char *data, size_t length)
{
    if (body->length < MOST_BODY) {
        size_t room = MOST_BODY - body->length;
        memcpy(body->text + body->length, data, length < room ? length : room);
    }
    body->length += length;
    return body->length <= MOST_DISCARDED;
}

/* The page holds no secret. It needs no token: it takes it out of its address, and may be loaded again. */
static bool is_page(const char *path)
{
    for (const struct page_file *file = page_files; file->path; file++)
        if (!strcmp(path, file->path))
            return true;
    return false;
}

/* Called for the headers of a request, then for each part of its body, then once more at the end. Nothing is
 * answered before the end, so that the answer is not lost by a client that is still sending. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data, size_t *length,
                              void **request)
{
    (void)version;
    struct server *server = context;
    bool posts = !strcmp(method, "POST");
    struct body *body = *request;
    if (!body) {
        connection_limit_begin(server->connections, connection);
        *request = body = malloc(sizeof *body + (posts ? MOST_BODY : 0));
        if (body)
            body->length = 0;
        return body ? MHD_YES : MHD_NO;
    }
    if (*length) {
        bool ok = posts && receive(body, data, *length);
        *length = 0;
        return ok ? MHD_YES : MHD_NO;
    }
    const char *reason = access_forbidden(&server->access, connection, !is_page(path));
    if (reason)
        return answer_refuse(connection, MHD_HTTP_FORBIDDEN, reason);
    if (posts)
        return post(server, connection, path, body);
    bool head = !strcmp(method, "HEAD");
    if (head || !strcmp(method, "GET"))
        return get(server, connection, path, head);
    return answer_refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "expected GET, HEAD or POST");
}

static void forget_request(void *context, struct MHD_Connection *connection, void **request,
                           enum MHD_RequestTerminationCode code)
{
    const struct server *server = context;
    (void)code;
    free(*request);
    connection_limit_wait(server->connections, connection, SILENCE_SECONDS);
}

/* ---- Beginning and end -------------------------------------------------------------------------------- */

/* Where to listen. */
union place {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

/* An address as numbers, with or without the brackets that a URL has around those with colons. */
static bool read_address(const char *text, struct access *access, union place *place, struct mp_error *error)
{
    size_t length = strlen(text);
    bool bracketed = length > 2 && text[0] == '[' && text[length - 1] == ']';
    *place = (union place){.four.sin_family = AF_INET, .four.sin_port = htons((uint16_t)access->port)};
    snprintf(access->address, sizeof access->address, "%.*s", (int)(bracketed ? length - 2 : length),
             text + bracketed);
    if (!bracketed && inet_pton(AF_INET, access->address, &place->four.sin_addr) == 1) {
        snprintf(access->name, sizeof access->name, "%s", access->address);
        return true;
    }
    *place = (union place){.six.sin6_family = AF_INET6, .six.sin6_port = htons((uint16_t)access->port)};
    if (inet_pton(AF_INET6, access->address, &place->six.sin6_addr) == 1) {
        /* As browsers write it. */
        inet_ntop(AF_INET6, &place->six.sin6_addr, access->address, sizeof access->address);
        snprintf(access->name, sizeof access->name, "[%s]", access->address);
        return true;
    }
    return strchr(text, ':')
               ? mp_fail(error, "address '%.60s', expected an IPv6 address such as ::1", text)
               : mp_fail(error, "address '%.60s', expected four numbers such as 127.0.0.1", text);
}

/* A socket that listens where the server shall, and the port that it got; -1: see error. The port is known
 * before the first thread starts. */
static int open_socket(const char *address, struct access *access, struct mp_error *error)
{
    union place place;
    if (!read_address(address, access, &place, error))
        return -1;
    bool six = place.any.sa_family == AF_INET6;
    socklen_t size = six ? sizeof place.six : sizeof place.four;
    int on = 1, listener = socket(place.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener >= 0 && setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        (!six || setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) &&
        bind(listener, &place.any, size) == 0 && listen(listener, SOMAXCONN) == 0 &&
        getsockname(listener, &place.any, &size) == 0) {
        access->port = ntohs(six ? place.six.sin6_port : place.four.sin_port);
        return listener;
    }
    mp_fail(error, "cannot listen on port %d of %s (%s), expected a free port (0: any)", access->port,
            access->address, strerror(errno));
    if (listener >= 0)
        close(listener);
    return -1;
}

static bool start_listening(struct server *server, const char *address, struct mp_error *error)
{
    int listener = open_socket(address, &server->access, error);
    if (listener < 0)
        return false;
    server->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL, NULL, handle,
        server, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_NOTIFY_COMPLETED, forget_request, server,
        MHD_OPTION_NOTIFY_CONNECTION, connection_limit_notify, server->connections,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)(MOST_CONNECTIONS + SPARE_CONNECTIONS),
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE_SECONDS, MHD_OPTION_THREAD_STACK_SIZE,
        (size_t)STACK_BYTES, MHD_OPTION_END);
    if (server->daemon)
        return true;
    close(listener);
    return mp_fail(error, "the HTTP server cannot be started");
}

struct server *server_start(const struct server_plan *plan, struct mp_error *error)
{
    const char *game = plan->game;
    struct server *server = calloc(1, sizeof *server);
    if (!server) {
        mp_fail(error, "out of memory");
        return NULL;
    }
    sessions_init(&server->sessions);
    server->access.port = plan->port;
    server->game = game ? strdup(game) : NULL;
    server->arenas = strdup(plan->arenas);
    server->limit = search_limit_new(MOST_SEARCHES, plan->megabytes);
    server->connections = connection_limit_new(MOST_CONNECTIONS, MOST_STREAMS, REQUEST_SECONDS);
    access_make_secret(server->access.token, 16);
    bool ok = ((server->game || !game) && server->arenas && server->limit && server->connections) ||
              mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    struct mp_game *plugin = ok && game ? mp_game_open(game, error) : NULL;
    ok = ok && (plugin || !game) &&
         (server->networks = networks_offer(game, plan->networks, plan->network_count, error)) &&
         start_listening(server, plan->address, error);
    mp_game_close(plugin);
    if (!ok) {
        server_stop(server);
        return NULL;
    }
    const char *name = !strcmp(server->access.address, "0.0.0.0") ? "127.0.0.1"
                       : !strcmp(server->access.address, "::")    ? "[::1]"
                                                                  : server->access.name;
    snprintf(server->url, sizeof server->url, "http://%s:%d/?token=%s", name, server->access.port,
             server->access.token);
    return server;
}

const char *server_url(const struct server *server)
{
    return server->url;
}

void server_stop(struct server *server)
{
    sessions_dismiss(&server->sessions);
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    sessions_free(&server->sessions);
    connection_limit_free(server->connections);
    search_limit_free(server->limit);
    json_decref(server->networks);
    free(server->game);
    free(server->arenas);
    free(server);
}

/* server.c - sockets, requests and who may send them, sessions by name, and streams of events. */
#include "server/server.h"

#include "base/clock.h"
#include "base/text.h"
#include "server/arenas.h"
#include "server/describe.h"
#include "server/limit.h"
#include "server/page.h"
#include "server/session.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

/* Bodies that are too long are read to their end, so that the answer is not lost, but not without end. */
enum {
    MOST_BODY = 64 * 1024,
    MOST_DISCARDED = 32 * 1024 * 1024,
    MOST_CONNECTIONS = 400,
    MOST_SESSIONS = 64,
    MOST_SEARCHES = 8,
    SILENCE_SECONDS = 60, /* a reader that takes nothing for this long is dropped */
    STACK_BYTES = 1 << 20,
};

struct entry {
    struct session *session;
    int users;         /* requests and streams that hold it */
    uint64_t last_use; /* on the server's own count of uses */
};

struct server {
    struct MHD_Daemon *daemon;
    char address[64], token[33], url[160];
    int port;
    char *game;   /* the plug-in, or null */
    char *arenas; /* the folder that they are in */
    struct search_limit *limit;

    pthread_mutex_t lock; /* of what follows */
    struct entry entries[MOST_SESSIONS];
    uint64_t uses;
};

/* ---- Answers ------------------------------------------------------------------------------------------ */

static enum MHD_Result send_response(struct MHD_Connection *connection, unsigned status,
                                     struct MHD_Response *response, const char *type)
{
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
    };
    if (!response)
        return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    MHD_add_response_header(response, "Content-Type", type);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

/* Sends a text on the heap and frees it. */
static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status, char *text)
{
    if (!text)
        return MHD_NO;
    struct MHD_Response *response = MHD_create_response_from_buffer(strlen(text), text,
                                                                    MHD_RESPMEM_MUST_FREE);
    return send_response(connection, status, response, "application/json");
}

static enum MHD_Result send_json(struct MHD_Connection *connection, unsigned status, json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    return send_text(connection, status, text);
}

/* One clear sentence. */
static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *sentence)
{
    return send_json(connection, status, json_pack("{s:s}", "error", sentence));
}

/* ---- Who may ask -------------------------------------------------------------------------------------- */

static bool is_dotted_number(const char *text, size_t length)
{
    return length > 0 && strspn(text, "0123456789.") >= length;
}

/* The Host must be this server under one of its names: a page of a stranger whose name is made to point here
 * (DNS rebinding) sends its own. Where the server listens on all addresses, any number will do. */
static bool host_is_right(const struct server *server, const char *host)
{
    const char *colon = host ? strrchr(host, ':') : NULL;
    size_t length = colon ? (size_t)(colon - host) : 0;
    const char *const names[] = {"127.0.0.1", "localhost", server->address};
    if (!colon || atoi(colon + 1) != server->port)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !strncmp(host, names[i], length))
            return true;
    return !strcmp(server->address, "0.0.0.0") && is_dotted_number(host, length);
}

static bool origin_is_right(const char *origin, const char *host)
{
    return !origin || (!strncmp(origin, "http://", 7) && !strcmp(origin + 7, host));
}

/* Compares without telling by its time how much is right. */
static bool token_is_right(const struct server *server, const char *token)
{
    size_t length = strlen(server->token);
    unsigned difference = 0;
    if (!token || strlen(token) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned char)token[i] ^ (unsigned char)server->token[i];
    return difference == 0;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static const char *argument(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

/* Why a request is not answered; null: it is. */
static const char *forbidden(const struct server *server, struct MHD_Connection *connection, bool needs_token)
{
    const char *host = header(connection, "Host"), *token = header(connection, "X-Manyply-Token");
    const char *site = header(connection, "Sec-Fetch-Site");
    bool from_elsewhere = site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0;
    if (!host_is_right(server, host))
        return "the Host of the request is not this server";
    if (!origin_is_right(header(connection, "Origin"), host) || (needs_token && from_elsewhere))
        return "the request comes from another page";
    if (needs_token && !token_is_right(server, token ? token : argument(connection, "token")))
        return "the token is missing or wrong: open the address that `manyply serve` has printed";
    return NULL;
}

/* ---- Sessions ----------------------------------------------------------------------------------------- */

static struct session *session_take(struct server *server, const char *id)
{
    struct session *found = NULL;
    pthread_mutex_lock(&server->lock);
    for (int i = 0; i < MOST_SESSIONS && id; i++) {
        struct entry *entry = &server->entries[i];
        if (entry->session && !strcmp(session_id(entry->session), id)) {
            found = entry->session;
            entry->users++;
            entry->last_use = ++server->uses;
        }
    }
    pthread_mutex_unlock(&server->lock);
    return found;
}

static void session_give_back(struct server *server, struct session *session)
{
    pthread_mutex_lock(&server->lock);
    for (int i = 0; i < MOST_SESSIONS; i++)
        if (server->entries[i].session == session)
            server->entries[i].users--;
    pthread_mutex_unlock(&server->lock);
}

/* Where a new session goes: a free place, or that of the one that was not used for the longest time. Null:
 * all are being watched. *old is to be freed by the caller. */
static struct entry *make_room(struct server *server, struct session **old)
{
    struct entry *best = NULL;
    *old = NULL;
    for (int i = 0; i < MOST_SESSIONS; i++) {
        struct entry *entry = &server->entries[i];
        if (!entry->session)
            return entry;
        if (entry->users == 0 && (!best || entry->last_use < best->last_use))
            best = entry;
    }
    if (best)
        *old = best->session;
    return best;
}

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

static void make_secret(char *text, size_t bytes)
{
    unsigned char random[16];
    if (getrandom(random, bytes, 0) != (ssize_t)bytes)
        abort();
    for (size_t i = 0; i < bytes; i++)
        sprintf(text + 2 * i, "%02x", random[i]);
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
        return refuse(connection, MHD_HTTP_BAD_REQUEST, sentence);
    }
    make_secret(id, 8);
    struct session *old,
        *session = session_new(id, game, json_string_value(json_object_get(request, "position")),
                               json_object_get(request, "moves"), server->limit, &error);
    if (!session)
        return refuse(connection, MHD_HTTP_BAD_REQUEST, error.text);
    char *state = session_state(session);
    pthread_mutex_lock(&server->lock);
    struct entry *entry = make_room(server, &old);
    if (entry)
        *entry = (struct entry){.session = session, .last_use = ++server->uses};
    pthread_mutex_unlock(&server->lock);
    if (old)
        session_free(old);
    if (entry)
        return send_text(connection, MHD_HTTP_OK, state);
    session_free(session);
    free(state);
    return refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "too many games are open: close some pages");
}

/* ---- Streams ------------------------------------------------------------------------------------------ */

struct stream {
    struct server *server;
    struct watch watch;
    char *text; /* what is being sent */
    size_t length, sent;
    bool greeted;
};

/* Called on the connection's own thread whenever there is room to send; it may wait. */
static ssize_t stream_read(void *context, uint64_t position, char *buffer, size_t size)
{
    (void)position;
    struct stream *stream = context;
    if (stream->sent == stream->length) {
        free(stream->text);
        stream->text = stream->greeted ? watch_wait(&stream->watch) : strdup("retry: 1000\n\n");
        stream->greeted = true;
        stream->sent = stream->length = 0;
        if (!stream->text)
            return MHD_CONTENT_READER_END_OF_STREAM;
        stream->length = strlen(stream->text);
    }
    size_t rest = stream->length - stream->sent, part = rest < size ? rest : size;
    if (part)
        memcpy(buffer, stream->text + stream->sent, part);
    stream->sent += part;
    return (ssize_t)part;
}

static void stream_close(void *context)
{
    struct stream *stream = context;
    watch_end(&stream->watch);
    session_give_back(stream->server, stream->watch.session);
    free(stream->text);
    free(stream);
}

static enum MHD_Result open_stream(struct server *server, struct MHD_Connection *connection)
{
    struct session *session = session_take(server, argument(connection, "session"));
    if (!session)
        return refuse(connection, MHD_HTTP_NOT_FOUND, "there is no such session");
    struct stream *stream = calloc(1, sizeof *stream);
    if (!stream) {
        session_give_back(server, session);
        return MHD_NO;
    }
    stream->server = server;
    watch_begin(&stream->watch, session);
    struct MHD_Response *response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16 * 1024,
                                                                      stream_read, stream, stream_close);
    if (!response)
        stream_close(stream);
    return send_response(connection, MHD_HTTP_OK, response, "text/event-stream");
}

/* ---- Requests ----------------------------------------------------------------------------------------- */

/* The body of a request, as it comes in. */
struct body {
    size_t length; /* of all that came; only the beginning is kept */
    char text[MOST_BODY + 1];
};

static enum MHD_Result send_file(struct MHD_Connection *connection, const struct page_file *file)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        (size_t)(file->end - file->start), (void *)file->start, MHD_RESPMEM_PERSISTENT);
    if (response)
        MHD_add_response_header(response, "Content-Encoding", "gzip");
    return send_response(connection, MHD_HTTP_OK, response, file->type);
}

static enum MHD_Result send_status(struct server *server, struct MHD_Connection *connection)
{
    int sessions = 0, watchers = 0;
    pthread_mutex_lock(&server->lock);
    for (int i = 0; i < MOST_SESSIONS; i++)
        if (server->entries[i].session) {
            sessions++;
            watchers += session_watchers(server->entries[i].session);
        }
    pthread_mutex_unlock(&server->lock);
    return send_json(connection, MHD_HTTP_OK,
                     json_pack("{s:i, s:i, s:i}", "sessions", sessions, "watchers", watchers, "searches",
                               search_limit_running(server->limit)));
}

/* Which arenas there are, or one of them. */
static enum MHD_Result send_arenas(const struct server *server, struct MHD_Connection *connection)
{
    struct mp_error error;
    const char *name = argument(connection, "name");
    json_t *json = name ? arenas_open(server->arenas, name, &error) : arenas_list(server->arenas);
    return json ? send_json(connection, MHD_HTTP_OK, json)
                : refuse(connection, MHD_HTTP_BAD_REQUEST, error.text);
}

static const char session_path[] = "/api/sessions/";

static enum MHD_Result get(struct server *server, struct MHD_Connection *connection, const char *path)
{
    for (const struct page_file *file = page_files; file->path; file++)
        if (!strcmp(path, file->path))
            return send_file(connection, file);
    if (!strcmp(path, "/api/catalogue"))
        return send_json(connection, MHD_HTTP_OK, describe_catalogue(server->game));
    if (!strcmp(path, "/api/status"))
        return send_status(server, connection);
    if (!strcmp(path, "/api/events"))
        return open_stream(server, connection);
    if (!strcmp(path, "/api/arenas"))
        return send_arenas(server, connection);
    if (!strncmp(path, session_path, strlen(session_path))) {
        struct session *session = session_take(server, path + strlen(session_path));
        if (session) {
            char *state = session_state(session);
            session_give_back(server, session);
            return send_text(connection, MHD_HTTP_OK, state);
        }
    }
    return refuse(connection, MHD_HTTP_NOT_FOUND, "there is nothing at this address");
}

static enum MHD_Result act(struct server *server, struct MHD_Connection *connection, const char *id,
                           const json_t *request)
{
    struct mp_error error;
    struct session *session = session_take(server, id);
    if (!session)
        return refuse(connection, MHD_HTTP_NOT_FOUND, "there is no such session");
    char *state = session_act(session, request, &error);
    session_give_back(server, session);
    return state ? send_text(connection, MHD_HTTP_OK, state)
                 : refuse(connection, MHD_HTTP_BAD_REQUEST, error.text);
}

static enum MHD_Result post(struct server *server, struct MHD_Connection *connection, const char *path,
                            const struct body *body)
{
    json_error_t where;
    char sentence[512];
    if (body->length > MOST_BODY) {
        snprintf(sentence, sizeof sentence, "the request has %zu bytes, expected at most %d", body->length,
                 MOST_BODY);
        return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, sentence);
    }
    bool creates = !strcmp(path, "/api/sessions");
    if (!creates && strncmp(path, session_path, strlen(session_path)) != 0)
        return refuse(connection, MHD_HTTP_NOT_FOUND, "there is nothing at this address");
    json_t *request = json_loadb(body->text, body->length, JSON_REJECT_DUPLICATES, &where);
    if (!json_is_object(request)) {
        if (request)
            snprintf(sentence, sizeof sentence, "the request is not a JSON object");
        else
            snprintf(sentence, sizeof sentence, "line %d, column %d: %.200s, expected a JSON object",
                     where.line, where.column, where.text);
        json_decref(request);
        return refuse(connection, MHD_HTTP_BAD_REQUEST, sentence);
    }
    enum MHD_Result result = creates ? create_session(server, connection, request)
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

static bool is_page(const char *path)
{
    return !strcmp(path, "/app.js") || !strcmp(path, "/app.css");
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
        *request = body = malloc(posts ? sizeof *body : sizeof body->length);
        if (body)
            body->length = 0;
        return body ? MHD_YES : MHD_NO;
    }
    if (*length) {
        bool ok = posts && receive(body, data, *length);
        *length = 0;
        return ok ? MHD_YES : MHD_NO;
    }
    const char *reason = forbidden(server, connection, !is_page(path));
    if (reason)
        return refuse(connection, MHD_HTTP_FORBIDDEN, reason);
    if (posts)
        return post(server, connection, path, body);
    if (!strcmp(method, "GET"))
        return get(server, connection, path);
    return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "expected GET or POST");
}

static void forget_request(void *context, struct MHD_Connection *connection, void **request,
                           enum MHD_RequestTerminationCode code)
{
    (void)context, (void)connection, (void)code;
    free(*request);
}

/* ---- Beginning and end -------------------------------------------------------------------------------- */

/* A socket that listens where the server shall, and the port that it got; -1: see error. The port is known
 * before the first thread starts. */
static int open_socket(struct server *server, struct mp_error *error)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)server->port)};
    socklen_t size = sizeof place;
    int on = 1, listener = -1;
    if (inet_pton(AF_INET, server->address, &place.sin_addr) != 1) {
        mp_fail(error, "address '%.60s', expected four numbers such as 127.0.0.1", server->address);
        return -1;
    }
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener >= 0 && setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(listener, (struct sockaddr *)&place, size) == 0 && listen(listener, SOMAXCONN) == 0 &&
        getsockname(listener, (struct sockaddr *)&place, &size) == 0) {
        server->port = ntohs(place.sin_port);
        return listener;
    }
    mp_fail(error, "cannot listen on port %d of %s (%s), expected a free port (0: any)", server->port,
            server->address, strerror(errno));
    if (listener >= 0)
        close(listener);
    return -1;
}

static bool start_listening(struct server *server, struct mp_error *error)
{
    int listener = open_socket(server, error);
    if (listener < 0)
        return false;
    server->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL, NULL, handle,
        server, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_NOTIFY_COMPLETED, forget_request, server,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)SILENCE_SECONDS, MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK_BYTES, MHD_OPTION_END);
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
    pthread_mutex_init(&server->lock, NULL);
    snprintf(server->address, sizeof server->address, "%s", plan->address);
    server->port = plan->port;
    server->game = game ? strdup(game) : NULL;
    server->arenas = strdup(plan->arenas);
    server->limit = search_limit_new(MOST_SEARCHES);
    make_secret(server->token, 16);
    struct mp_game *plugin = game ? mp_game_open(game, error) : NULL;
    bool ok = (!game || plugin) && server->limit && start_listening(server, error);
    mp_game_close(plugin);
    if (!ok) {
        server_stop(server);
        return NULL;
    }
    bool everywhere = !strcmp(server->address, "0.0.0.0");
    snprintf(server->url, sizeof server->url, "http://%s:%d/?token=%s",
             everywhere ? "127.0.0.1" : server->address, server->port, server->token);
    return server;
}

const char *server_url(const struct server *server)
{
    return server->url;
}

void server_stop(struct server *server)
{
    pthread_mutex_lock(&server->lock);
    for (int i = 0; i < MOST_SESSIONS; i++)
        if (server->entries[i].session)
            session_dismiss(server->entries[i].session);
    pthread_mutex_unlock(&server->lock);
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    for (int i = 0; i < MOST_SESSIONS; i++)
        if (server->entries[i].session)
            session_free(server->entries[i].session);
    search_limit_free(server->limit);
    pthread_mutex_destroy(&server->lock);
    free(server->game);
    free(server->arenas);
    free(server);
}

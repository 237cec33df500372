/* connections.c - connections and their deadlines: the late are cut off, and of too many the one that waits longest. */
#include "server/connections.h"

#include "base/clock.h"
#include "base/thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct connection {
    struct connection *before, *after;
    int socket;
    int64_t since_ns, until_ns; /* it got on; it must get on */
    bool streams, is_cut;
};

struct connection_limit {
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    struct connection ends; /* of a ring with all connections */
    int most, most_streams, count, streams;
    int64_t request_ns;
    bool quits;
    pthread_t thread;
};

static const int64_t second_ns = 1000000000;

static struct connection *find(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection,
                                                                   MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* The library finds the socket at its end and closes it, after it has told us so: until then it is this one. */
static void cut(struct connection *c)
{
    c->is_cut = true;
    shutdown(c->socket, SHUT_RDWR);
}

static void get_on(struct connection *c, int64_t patience_ns)
{
    c->since_ns = clock_ns();
    c->until_ns = c->since_ns + patience_ns;
}

/* Cuts those off whose time is up; returns whether any can be late. */
static bool cut_late(struct connection_limit *limit)
{
    int64_t now = clock_ns();
    bool waits = false;
    for (struct connection *c = limit->ends.after; c != &limit->ends; c = c->after) {
        if (!c->streams && !c->is_cut && c->until_ns <= now)
            cut(c);
        waits = waits || (!c->streams && !c->is_cut);
    }
    return waits;
}

static void *watch_deadlines(void *context)
{
    struct connection_limit *limit = context;
    pthread_mutex_lock(&limit->lock);
    while (!limit->quits) {
        if (cut_late(limit)) {
            struct timespec soon;
            clock_gettime(CLOCK_MONOTONIC, &soon);
            soon.tv_sec++;
            pthread_cond_timedwait(&limit->changed, &limit->lock, &soon);
        } else {
            pthread_cond_wait(&limit->changed, &limit->lock);
        }
    }
    pthread_mutex_unlock(&limit->lock);
    return NULL;
}

struct connection_limit *connection_limit_new(int most, int most_streams, int seconds)
{
    struct connection_limit *limit = calloc(1, sizeof *limit);
    if (!limit)
        return NULL;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&limit->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&limit->lock, NULL);
    limit->ends.before = limit->ends.after = &limit->ends;
    limit->most = most;
    limit->most_streams = most_streams;
    limit->request_ns = seconds * second_ns;
    if (thread_start(&limit->thread, watch_deadlines, limit))
        return limit;
    pthread_mutex_destroy(&limit->lock);
    pthread_cond_destroy(&limit->changed);
    free(limit);
    return NULL;
}

void connection_limit_free(struct connection_limit *limit)
{
    if (!limit)
        return;
    pthread_mutex_lock(&limit->lock);
    limit->quits = true;
    pthread_cond_broadcast(&limit->changed);
    pthread_mutex_unlock(&limit->lock);
    pthread_join(limit->thread, NULL);
    pthread_mutex_destroy(&limit->lock);
    pthread_cond_destroy(&limit->changed);
    free(limit);
}

/* Makes room for others: whoever finishes requests gets on, and is not the oldest for long. */
static void cut_oldest(struct connection_limit *limit)
{
    struct connection *oldest = NULL;
    for (struct connection *c = limit->ends.after; c != &limit->ends; c = c->after)
        if (!c->streams && !c->is_cut && (!oldest || c->since_ns < oldest->since_ns))
            oldest = c;
    if (oldest)
        cut(oldest);
}

static struct connection *enter(struct connection_limit *limit, int socket)
{
    struct connection *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->socket = socket;
    get_on(c, limit->request_ns);
    pthread_mutex_lock(&limit->lock);
    if (limit->count >= limit->most)
        cut_oldest(limit);
    c->before = limit->ends.before;
    c->after = &limit->ends;
    c->before->after = c->after->before = c;
    limit->count++;
    pthread_cond_broadcast(&limit->changed);
    pthread_mutex_unlock(&limit->lock);
    return c;
}

static void leave(struct connection_limit *limit, struct connection *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&limit->lock);
    c->before->after = c->after;
    c->after->before = c->before;
    limit->count--;
    limit->streams -= c->streams;
    pthread_mutex_unlock(&limit->lock);
    free(c);
}

void connection_limit_notify(void *context, struct MHD_Connection *connection, void **socket_context,
                             enum MHD_ConnectionNotificationCode code)
{
    struct connection_limit *limit = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection,
                                                                       MHD_CONNECTION_INFO_CONNECTION_FD);
        *socket_context = info ? enter(limit, info->connect_fd) : NULL;
    } else {
        leave(limit, *socket_context);
        *socket_context = NULL;
    }
}

static void restart(struct connection_limit *limit, struct MHD_Connection *connection, int64_t patience_ns)
{
    struct connection *c = find(connection);
    if (!c)
        return;
    pthread_mutex_lock(&limit->lock);
    get_on(c, patience_ns);
    limit->streams -= c->streams;
    c->streams = false;
    pthread_cond_broadcast(&limit->changed);
    pthread_mutex_unlock(&limit->lock);
}

void connection_limit_wait(struct connection_limit *limit, struct MHD_Connection *connection, int seconds)
{
    restart(limit, connection, seconds * second_ns);
}

void connection_limit_begin(struct connection_limit *limit, struct MHD_Connection *connection)
{
    restart(limit, connection, limit->request_ns);
}

bool connection_limit_stream(struct connection_limit *limit, struct MHD_Connection *connection)
{
    struct connection *c = find(connection);
    pthread_mutex_lock(&limit->lock);
    bool ok = c && limit->streams < limit->most_streams;
    if (ok) {
        c->streams = true;
        limit->streams++;
    }
    pthread_mutex_unlock(&limit->lock);
    return ok;
}

/* limit.c - counts searches, their memory, and connections with their deadlines. */
#include "server/limit.h"

#include "base/clock.h"
#include "base/thread.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* ---- Searches ----------------------------------------------------------------------------------------- */

struct search_limit {
    pthread_mutex_t lock;
    int most, running;
    int megabytes, used;
};

/* ---- Memory: what the process may use ---- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The number in a file; without one, as in a file that says "max", there is no limit. */
static uint64_t read_limit(const char *path)
{
    uint64_t bytes = UINT64_MAX;
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%" SCNu64, &bytes) != 1)
        bytes = UINT64_MAX;
    if (file)
        fclose(file);
    return bytes;
}

/* The limit of a control group and of those above it. In a container the name of the group may be that of the host,
 * but the group above all others is the container's. */
static uint64_t group_limit(const char *root, char *group, const char *name)
{
    char path[8192];
    uint64_t bytes = UINT64_MAX;
    for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
        *end = 0;
        snprintf(path, sizeof path, "%s%s/%s", root, group, name);
        bytes = least(bytes, read_limit(path));
    }
    return bytes;
}

/* A line is "4:memory:/group" with the first version of control groups and "0::/group" with the second. */
static uint64_t groups_limit(void)
{
    char line[4096];
    uint64_t bytes = UINT64_MAX;
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = 0;
        group[strcspn(group, "\n")] = 0;
        if (!controllers[1])
            bytes = least(bytes, group_limit("/sys/fs/cgroup", group, "memory.max"));
        else if (strstr(controllers, "memory"))
            bytes = least(bytes, group_limit("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
    if (file)
        fclose(file);
    return bytes;
}

static uint64_t resource_limits(void)
{
    struct rlimit space = {RLIM_INFINITY, RLIM_INFINITY}, data = space;
    getrlimit(RLIMIT_AS, &space);
    getrlimit(RLIMIT_DATA, &data);
    return least(space.rlim_cur, data.rlim_cur); /* RLIM_INFINITY is the largest number */
}

static int default_megabytes(void)
{
    uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    bytes = least(bytes, least(groups_limit(), resource_limits()));
    return (int)least(bytes / 4 >> 20, 1 << 30);
}

/* ---- Counting ---- */

struct search_limit *search_limit_new(int most, int megabytes)
{
    struct search_limit *limit = calloc(1, sizeof *limit);
    if (limit) {
        pthread_mutex_init(&limit->lock, NULL);
        limit->most = most;
        limit->megabytes = megabytes ? megabytes : default_megabytes();
    }
    return limit;
}

void search_limit_free(struct search_limit *limit)
{
    if (limit)
        pthread_mutex_destroy(&limit->lock);
    free(limit);
}

bool search_limit_add(struct search_limit *limit, int change)
{
    pthread_mutex_lock(&limit->lock);
    bool ok = limit->running + change <= limit->most;
    limit->running += ok ? change : 0;
    pthread_mutex_unlock(&limit->lock);
    return ok;
}

int search_limit_running(struct search_limit *limit)
{
    pthread_mutex_lock(&limit->lock);
    int running = limit->running;
    pthread_mutex_unlock(&limit->lock);
    return running;
}

bool search_limit_take(struct search_limit *limit, int megabytes, const char *what, struct mp_error *error)
{
    pthread_mutex_lock(&limit->lock);
    int used = limit->used;
    bool ok = megabytes <= limit->megabytes - used;
    limit->used += ok ? megabytes : 0;
    pthread_mutex_unlock(&limit->lock);
    return ok ||
           mp_fail_with(
               error, MP_ERROR_MEMORY,
               "%.100s may use %d MB of memory, but %d of the %d MB for all pages are taken: close some "
               "pages, ask for less (hash=, memory=) or start the server with more (--memory)",
               what, megabytes, used, limit->megabytes);
}

void search_limit_give(struct search_limit *limit, int megabytes)
{
    pthread_mutex_lock(&limit->lock);
    limit->used -= megabytes;
    pthread_mutex_unlock(&limit->lock);
}

int search_limit_used(struct search_limit *limit)
{
    pthread_mutex_lock(&limit->lock);
    int used = limit->used;
    pthread_mutex_unlock(&limit->lock);
    return used;
}

int search_limit_megabytes(const struct search_limit *limit)
{
    return limit->megabytes;
}

int search_limit_share(const struct search_limit *limit)
{
    enum { SHARES = 16 };
    return limit->megabytes < SHARES ? 1 : limit->megabytes / SHARES;
}

/* ---- Connections -------------------------------------------------------------------------------------- */

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

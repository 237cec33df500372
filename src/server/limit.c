/* limit.c - counts the searches of all pages, and the memory that they may come to use. */
#include "server/limit.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct search_limit {
    pthread_mutex_t lock;
    int most, running;
    int megabytes, used;
};

/* ---- What the process may use --------------------------------------------------------------------------- */

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

/* ---- Counting ------------------------------------------------------------------------------------------- */

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

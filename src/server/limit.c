/* limit.c - a counter behind a lock: may one more search start? */
#include "server/limit.h"

#include <pthread.h>
#include <stdlib.h>

struct search_limit {
    pthread_mutex_t lock;
    int most, running;
};

struct search_limit *search_limit_new(int most)
{
    struct search_limit *limit = calloc(1, sizeof *limit);
    if (limit) {
        pthread_mutex_init(&limit->lock, NULL);
        limit->most = most;
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

#include "parallel/team.h"

#include "manyply/manyply.h"

#include <pthread.h>

struct member {
    pthread_t thread;
    bool started;
    void (*job)(void *context, int index);
    void *context;
    int index;
};

static void *run_member(void *argument)
{
    struct member *member = argument;
    member->job(member->context, member->index);
    return NULL;
}

void team_run(int threads, void (*job)(void *context, int index), void *context)
{
    struct member members[MP_MAX_THREADS];
    for (int i = 1; i < threads; i++) {
        members[i] = (struct member){.job = job, .context = context, .index = i};
        members[i].started = pthread_create(&members[i].thread, NULL, run_member, &members[i]) == 0;
    }
    job(context, 0);
    for (int i = 1; i < threads; i++) {
        if (members[i].started)
            pthread_join(members[i].thread, NULL);
        else
            job(context, i);
    }
}

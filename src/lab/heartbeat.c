/* heartbeat.c - a thread that looks at the clock again and again. */
#include "lab/heartbeat.h"

#include "base/clock.h"
#include "base/thread.h"
#include "lab/waits.h"

enum { BEAT_NS = 20000000, STOP_NS = 100000000 };

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = BEAT_NS}, NULL);
}

static void *beat(void *argument)
{
    struct heartbeat *heart = argument;
    int64_t seen = clock_ns(), waited = waits_of_this_thread();
    while (!atomic_load(&heart->end)) {
        rest();
        int64_t now = clock_ns(), waited_now = waits_of_this_thread();
        /* To wait for a CPU is to run slowly, not to be stopped. */
        if (now - seen - (waited_now - waited) > BEAT_NS + STOP_NS)
            atomic_fetch_add(&heart->stops, 1);
        atomic_fetch_add(&heart->beats, 1);
        seen = now;
        waited = waited_now;
    }
    return NULL;
}

void heartbeat_start(struct heartbeat *heart)
{
    atomic_init(&heart->end, false);
    atomic_init(&heart->beats, 0);
    atomic_init(&heart->stops, 0);
    heart->is_beating = thread_start(&heart->thread, beat, heart);
}

void heartbeat_end(struct heartbeat *heart)
{
    atomic_store(&heart->end, true);
    if (heart->is_beating)
        pthread_join(heart->thread, NULL);
    heart->is_beating = false;
}

int heartbeat_stops(struct heartbeat *heart)
{
    return atomic_load(&heart->stops);
}

int heartbeat_stops_now(struct heartbeat *heart)
{
    /* The beat under way may have looked at the clock before. */
    int beats = atomic_load(&heart->beats);
    while (heart->is_beating && atomic_load(&heart->beats) < beats + 2)
        rest();
    return heartbeat_stops(heart);
}

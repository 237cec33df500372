/* heartbeat.h - notices that this process did not run for a while although it could have: it was stopped (SIGSTOP, a
 * frozen container, a machine put to sleep). A thread wakes up again and again and looks at the clock. */
#ifndef LAB_HEARTBEAT_H
#define LAB_HEARTBEAT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct heartbeat {
    pthread_t thread;
    bool is_beating;
    atomic_bool end;
    atomic_int beats, stops;
};

/* Without a thread to be had no stop is ever seen. */
void heartbeat_start(struct heartbeat *heart);
void heartbeat_end(struct heartbeat *heart);

/* How often the process has been stopped so far. Any thread. */
int heartbeat_stops(struct heartbeat *heart);

/* The same, with a stop that has just ended: waits until the thread has looked at the clock. */
int heartbeat_stops_now(struct heartbeat *heart);

#endif

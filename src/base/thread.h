/* thread.h - starts threads whose stack does not depend on the limits of whoever started the program. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

enum { THREAD_STACK = 8 << 20 }; /* bytes; a search has the states and moves of a whole line there */

/* False: there is none to be had. */
static inline bool thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    bool ok = pthread_attr_setstacksize(&attributes, THREAD_STACK) == 0 &&
              pthread_create(thread, &attributes, run, argument) == 0;
    pthread_attr_destroy(&attributes);
    return ok;
}

#endif

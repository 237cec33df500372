/* watcher.h - a game that tells which of its functions is being called: when one of them crashes or does not
 * return, it has a name. */
#ifndef KIT_WATCHER_H
#define KIT_WATCHER_H

#include "manyply/game.h"

#include <stdatomic.h>

enum { WATCH_THREADS = 64 };

/* Shared between processes. A thread writes its own entry only; anybody may read. The texts are constants,
 * which have the same address in both processes. */
struct watch_calls {
    atomic_uint threads;
    struct {
        _Alignas(64) const char *volatile calling; /* null: none */
        volatile uint64_t count;
    } thread[WATCH_THREADS];
    const char *volatile fatal; /* what was called where the process was ended by a signal */
};

struct watcher;

/* A copy of an opened game that watches itself. The game must outlive it. Null: no memory. */
struct watcher *watch_new(const struct mp_game *game, struct watch_calls *calls);
const struct mp_game *watch_game(const struct watcher *watch);
void watch_free(struct watcher *watch);

/* For code that calls the game otherwise than through the copy: what is called from now on; null: nothing. */
void watch_call(struct watch_calls *calls, const char *name);

/* All calls so far: does anything move on? */
uint64_t watch_count(const struct watch_calls *calls);

/* What is being called, or was when a signal came; null: nothing. */
const char *watch_calling(const struct watch_calls *calls);

/* In a signal handler: remembers what this thread is calling. */
void watch_note_fatal(struct watch_calls *calls);

#endif

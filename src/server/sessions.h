/* sessions.h - the open sessions by name, who holds them, and which one makes room for another. Any thread may
 * call these functions, but for beginning and end. */
#ifndef SERVER_SESSIONS_H
#define SERVER_SESSIONS_H

#include "server/session.h"

#include <pthread.h>

enum { MOST_SESSIONS = 64 };

struct session_entry {
    struct session *session;
    int users;         /* requests and streams that hold it */
    uint64_t last_use; /* on the sessions' own count of uses */
};

struct sessions {
    pthread_mutex_t lock; /* of what follows */
    struct session_entry entries[MOST_SESSIONS];
    uint64_t uses;
};

void sessions_init(struct sessions *sessions);
void sessions_free(struct sessions *sessions);

/* Takes a new session over. False: there are too many, and all are being watched. */
bool sessions_add(struct sessions *sessions, struct session *session);

/* Frees the session that was left alone for the longest time. False: somebody uses each of them. */
bool sessions_drop(struct sessions *sessions);

/* The session of this name, which is not freed until it is given back; null: there is none. id may be null. */
struct session *sessions_take(struct sessions *sessions, const char *id);
void sessions_give_back(struct sessions *sessions, struct session *session);

/* Stops all thinking, and wakes all watchers up; from now on they do not wait. */
void sessions_dismiss(struct sessions *sessions);

/* How many there are; *watchers is how many watch them. */
int sessions_count(struct sessions *sessions, int *watchers);

#endif

/* sessions.c - finds sessions by their names, and lets the one that was not used for the longest time go. */
#include "server/sessions.h"

#include <string.h>

void sessions_init(struct sessions *sessions)
{
    pthread_mutex_init(&sessions->lock, NULL);
}

void sessions_free(struct sessions *sessions)
{
    for (int i = 0; i < MOST_SESSIONS; i++)
        if (sessions->entries[i].session)
            session_free(sessions->entries[i].session);
    pthread_mutex_destroy(&sessions->lock);
}

struct session *sessions_take(struct sessions *sessions, const char *id)
{
    struct session *found = NULL;
    pthread_mutex_lock(&sessions->lock);
    for (int i = 0; i < MOST_SESSIONS && id; i++) {
        struct session_entry *entry = &sessions->entries[i];
        if (entry->session && !strcmp(session_id(entry->session), id)) {
            found = entry->session;
            entry->users++;
            entry->last_use = ++sessions->uses;
        }
    }
    pthread_mutex_unlock(&sessions->lock);
    return found;
}

void sessions_give_back(struct sessions *sessions, struct session *session)
{
    pthread_mutex_lock(&sessions->lock);
    for (int i = 0; i < MOST_SESSIONS; i++)
        if (sessions->entries[i].session == session)
            sessions->entries[i].users--;
    pthread_mutex_unlock(&sessions->lock);
}

/* Where the session is that was not used for the longest time; null: all are being watched. */
static struct session_entry *find_oldest(struct sessions *sessions)
{
    struct session_entry *best = NULL;
    for (int i = 0; i < MOST_SESSIONS; i++) {
        struct session_entry *entry = &sessions->entries[i];
        if (!entry->session)
            continue;
        if (entry->users == 0 && (!best || entry->last_use < best->last_use))
            best = entry;
    }
    return best;
}

/* Where a new session goes: a free place, or that of the oldest, which is to be freed by the caller. */
static struct session_entry *make_room(struct sessions *sessions, struct session **old)
{
    *old = NULL;
    for (int i = 0; i < MOST_SESSIONS; i++)
        if (!sessions->entries[i].session)
            return &sessions->entries[i];
    struct session_entry *oldest = find_oldest(sessions);
    if (oldest)
        *old = oldest->session;
    return oldest;
}

bool sessions_drop(struct sessions *sessions)
{
    struct session *old = NULL;
    pthread_mutex_lock(&sessions->lock);
    struct session_entry *oldest = find_oldest(sessions);
    if (oldest) {
        old = oldest->session;
        *oldest = (struct session_entry){0};
    }
    pthread_mutex_unlock(&sessions->lock);
    if (old)
        session_free(old);
    return old;
}

bool sessions_add(struct sessions *sessions, struct session *session)
{
    struct session *old;
    pthread_mutex_lock(&sessions->lock);
    struct session_entry *entry = make_room(sessions, &old);
    if (entry)
        *entry = (struct session_entry){.session = session, .last_use = ++sessions->uses};
    pthread_mutex_unlock(&sessions->lock);
    if (old)
        session_free(old);
    return entry;
}

void sessions_dismiss(struct sessions *sessions)
{
    pthread_mutex_lock(&sessions->lock);
    for (int i = 0; i < MOST_SESSIONS; i++)
        if (sessions->entries[i].session)
            session_dismiss(sessions->entries[i].session);
    pthread_mutex_unlock(&sessions->lock);
}

int sessions_count(struct sessions *sessions, int *watchers)
{
    int count = *watchers = 0;
    pthread_mutex_lock(&sessions->lock);
    for (int i = 0; i < MOST_SESSIONS; i++)
        if (sessions->entries[i].session) {
            count++;
            *watchers += session_watchers(sessions->entries[i].session);
        }
    pthread_mutex_unlock(&sessions->lock);
    return count;
}

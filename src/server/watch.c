/* watch.c - the news of a session, as server-sent events. */
#include "server/session_inner.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

void watch_begin(struct watch *watch, struct session *session)
{
    *watch = (struct watch){.session = session};
    pthread_mutex_lock(&session->lock);
    session->watchers++;
    pthread_cond_broadcast(&session->changed);
    pthread_mutex_unlock(&session->lock);
}

void watch_end(struct watch *watch)
{
    struct session *s = watch->session;
    pthread_mutex_lock(&s->lock);
    if (--s->watchers == 0)
        session_revise(s);
    pthread_mutex_unlock(&s->lock);
}

static json_t *threads_json(const struct mp_search *search)
{
    static const char *const names[] = {
        [MP_RESTING] = "rests", [MP_SEARCHING] = "searches", [MP_HELPING] = "helps", [MP_WAITING] = "waits"};
    json_t *list = json_array();
    struct mp_activity activity = {MP_SIZE(struct mp_activity)};
    for (int i = 0; mp_search_activity(search, i, &activity, NULL); i++)
        json_array_append_new(list, json_pack("{s:s, s:I, s:i}", "doing", names[activity.doing], "nodes",
                                              (json_int_t)activity.nodes, "ply",
                                              activity.has_state ? activity.ply : 0));
    return list;
}

/* How far the search is, for those who watch it between two iterations. Without one the pulse is empty: it
 * shows whether the reader is still there. */
static char *pulse_event(const struct session *s)
{
    if (!s->searching)
        return strdup(":\n\n");
    json_t *threads = threads_json(s->searching);
    json_int_t nodes = 0;
    size_t i;
    json_t *thread;
    json_array_foreach(threads, i, thread) nodes += json_integer_value(json_object_get(thread, "nodes"));
    char *data = session_json_text(json_pack("{s:I, s:I, s:f, s:o}", "number", (json_int_t)s->search_number,
                                             "nodes", nodes, "seconds",
                                             clock_seconds_since(s->search_start_ns), "threads", threads));
    char *event = NULL;
    size_t size = data ? strlen(data) + 32 : 0;
    if (data && (event = malloc(size)))
        snprintf(event, size, "event: pulse\ndata: %s\n\n", data);
    free(data);
    return event;
}

static char *news(struct watch *watch)
{
    static const char *const names[SLOTS] = {"state", "search", "values", "lab", "tree", "recorded"};
    struct session *s = watch->session;
    size_t size = 1;
    if (!s->slots[SLOT_STATE].text) /* there was no memory for it */
        s->slots[SLOT_STATE].text = session_state_text(s);
    for (int i = 0; i < SLOTS; i++)
        if (s->slots[i].text && s->slots[i].version != watch->seen[i])
            size += strlen(s->slots[i].text) + 32;
    char *text = size > 1 ? calloc(1, size) : NULL, *at = text;
    for (int i = 0; text && i < SLOTS; i++)
        if (s->slots[i].text && s->slots[i].version != watch->seen[i]) {
            at += sprintf(at, "event: %s\ndata: %s\n\n", names[i], s->slots[i].text);
            watch->seen[i] = s->slots[i].version;
        }
    return text;
}

/* What the threads have done since they were last asked. */
static struct recording *read_pieces(struct watch *watch)
{
    struct session *s = watch->session;
    if (!s->searching)
        return NULL;
    if (watch->number != s->search_number) {
        watch->number = s->search_number;
        memset(watch->after, 0, sizeof watch->after);
    }
    return recording_read(s->searching, s->game, watch->after, RECORDING_BATCH);
}

/* One text after the other; gives both up. Either may be null. */
static char *join(char *first, char *second)
{
    if (!first || !second)
        return first ? first : second;
    size_t length = strlen(first), more = strlen(second) + 1;
    char *both = realloc(first, length + more);
    if (both)
        memcpy(both + length, second, more);
    free(second);
    return both ? both : first;
}

/* Needs no lock: to write a batch takes milliseconds. */
static char *pieces_event(struct recording *batch, uint64_t number)
{
    char *text = NULL, *event = NULL;
    if (batch && recording_count(batch) > 0)
        text = session_json_text(
            json_pack("{s:I, s:o}", "number", (json_int_t)number, "pieces", recording_rows(batch, false)));
    recording_free(batch);
    size_t size = text ? strlen(text) + 32 : 0;
    if (text && (event = malloc(size)))
        snprintf(event, size, "event: pieces\ndata: %s\n\n", text);
    free(text);
    return event;
}

char *watch_wait(struct watch *watch)
{
    enum { PULSE_MS = 90, QUIET_MS = 15000 };
    struct session *s = watch->session;
    struct recording *batch = NULL;
    pthread_mutex_lock(&s->lock);
    int64_t start = clock_ns();
    char *text = s->dismissed ? NULL : news(watch);
    while (!s->dismissed) {
        bool busy = s->searching || s->is_valuing || s->lab;
        double waited = 1e3 * clock_seconds_since(busy ? watch->pulsed_ns : start);
        int left = (busy ? PULSE_MS : QUIET_MS) - (int)waited;
        if (left <= 0) {
            watch->pulsed_ns = clock_ns();
            text = join(text, pulse_event(s));
            batch = read_pieces(watch);
            break;
        }
        if (text)
            break;
        session_wait(s, left);
        text = news(watch);
    }
    uint64_t number = watch->number;
    pthread_mutex_unlock(&s->lock);
    return join(text, pieces_event(batch, number));
}

void session_dismiss(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    s->dismissed = s->quits = true;
    session_revise(s);
    pthread_mutex_unlock(&s->lock);
}

int session_watchers(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    int watchers = s->watchers;
    pthread_mutex_unlock(&s->lock);
    return watchers;
}

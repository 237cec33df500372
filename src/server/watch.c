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
    char *data = session_json_text(json_pack("{s:I, s:f, s:o}", "nodes", nodes, "seconds",
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
    static const char *const names[SLOTS] = {"state", "search", "values", "lab"};
    struct session *s = watch->session;
    size_t size = 1;
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

char *watch_wait(struct watch *watch)
{
    enum { PULSE_MS = 100, QUIET_MS = 15000 };
    struct session *s = watch->session;
    pthread_mutex_lock(&s->lock);
    int64_t start = clock_ns();
    char *text = s->dismissed ? NULL : news(watch);
    while (!text && !s->dismissed) {
        double waited = 1e3 * clock_seconds_since(start);
        bool busy = s->searching || s->is_valuing || s->lab;
        int left = (busy ? PULSE_MS : QUIET_MS) - (int)waited;
        if (left <= 0) {
            text = pulse_event(s);
            break;
        }
        session_wait(s, left);
        text = news(watch);
    }
    pthread_mutex_unlock(&s->lock);
    return text;
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

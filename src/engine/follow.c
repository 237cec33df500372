/* follow.c - what the threads of a search do: the present for those who look on, the past as a timeline. */
#include "engine/engine.h"

#include "base/clock.h"

/* Finished or not, it is a slice of thread 0. */
void follow_iteration(struct mp_search *s, int depth)
{
    if (!s->trace)
        return;
    const struct worker *w = &s->crew.workers[0];
    struct place root = {.state = w->line.states, .depth = depth};
    int64_t now = clock_ns();
    trace_end(s->trace, 0,
              (struct slice){.start_ns = s->iteration_ns,
                             .end_ns = now,
                             .nodes = w->counters.nodes - s->iteration_nodes,
                             .kind = SLICE_ITERATION},
              &root, -1);
    s->iteration_ns = now;
    s->iteration_nodes = w->counters.nodes;
    root.depth++;
    trace_begin(s->trace, 0, MP_SEARCHING, &root, 0);
}

void follow_begin(struct mp_search *s, int depth)
{
    if (!s->trace)
        return;
    struct place root = {.state = s->crew.workers[0].line.states, .depth = depth};
    trace_clear(s->trace);
    s->iteration_nodes = 0;
    s->iteration_ns = clock_ns();
    trace_begin(s->trace, 0, MP_SEARCHING, &root, 0);
}

void follow_end(struct mp_search *s)
{
    s->end_ns = clock_ns();
    if (s->trace)
        trace_begin(s->trace, 0, MP_RESTING, NULL, 0);
}

bool mp_search_follow(struct mp_search *s, int slices, struct mp_error *error)
{
    if (slices < 0)
        return mp_fail_with(error, MP_ERROR_MISUSE,
                            "%d pieces of work a thread to remember, expected 0 or more", slices);
    trace_free(s->trace);
    s->trace = trace_new(engine_game(s), s->crew.threads, slices);
    if (s->crew.pool)
        pool_set_trace(s->crew.pool, s->trace);
    return s->trace ||
           mp_fail_with(error, MP_ERROR_MEMORY, "no memory to remember %d pieces of work a thread", slices);
}

bool mp_search_activity(const struct mp_search *s, int thread, struct mp_activity *activity, void *state)
{
    if (!s->trace || thread < 0 || thread >= s->crew.threads)
        return false;
    uint32_t size = activity->struct_size;
    trace_look(s->trace, thread, activity, state);
    activity->struct_size = size;
    activity->nodes = atomic_load_explicit(&s->crew.workers[thread].shown, memory_order_relaxed);
    return true;
}

bool mp_search_write_trace(const struct mp_search *s, const char *path, struct mp_error *error)
{
    if (!s->trace)
        return mp_fail_with(error, MP_ERROR_MISUSE,
                            "nobody followed the search, expected mp_search_follow before it");
    return trace_write(s->trace, path, s->strategy->text, s->start_ns, s->end_ns, error);
}

/* follow.c - what the threads of a search do: the present for those who look on, the past as a timeline. */
#include "engine/engine.h"

#include <string.h>

/* Finished or not, it is a slice of thread 0. */
void follow_iteration(struct mp_search *s, int depth)
{
    if (!s->trace)
        return;
    const struct worker *w = &s->crew.workers[0];
    struct place root = {.state = w->line.states, .depth = depth};
    int64_t now = crew_ns(&s->crew, 0);
    uint64_t outer;
    trace_end(s->trace, 0,
              (struct slice){.start_ns = s->iteration_ns,
                             .end_ns = now,
                             .id = trace_piece(s->trace, 0),
                             .nodes = w->counters.nodes - s->iteration_nodes,
                             .kind = SLICE_ITERATION},
              &root, -1);
    s->iteration_ns = now;
    s->iteration_nodes = w->counters.nodes;
    root.depth++;
    trace_enter(s->trace, 0, &outer);
    trace_begin(s->trace, 0, MP_SEARCHING, now, &root, 0);
}

void follow_begin(struct mp_search *s, int depth)
{
    if (!s->trace)
        return;
    struct place root = {.state = s->crew.workers[0].line.states, .depth = depth};
    trace_clear(s->trace, s->start_ns);
    s->iteration_nodes = 0;
    s->iteration_ns = crew_ns(&s->crew, 0);
    uint64_t outer;
    trace_enter(s->trace, 0, &outer);
    trace_begin(s->trace, 0, MP_SEARCHING, s->iteration_ns, &root, 0);
}

void follow_end(struct mp_search *s)
{
    s->end_ns = crew_ns(&s->crew, 0);
    if (s->trace)
        trace_begin(s->trace, 0, MP_RESTING, s->end_ns, NULL, 0);
}

bool mp_search_follow(struct mp_search *s, int slices, struct mp_error *error)
{
    if (slices < 0)
        return mp_fail_with(error, MP_ERROR_MISUSE,
                            "%d pieces of work a thread to remember, expected 0 or more", slices);
    trace_free(s->trace);
    s->trace = trace_new(engine_game(s), s->crew.threads, slices);
    crew_follow(&s->crew, s->trace);
    return s->trace ||
           mp_fail_with(error, MP_ERROR_MEMORY, "no memory to remember %d pieces of work a thread", slices);
}

bool mp_search_activity(const struct mp_search *s, int thread, struct mp_activity *activity, void *state)
{
    if (!s->trace || thread < 0 || thread >= s->crew.threads)
        return false;
    uint32_t size = activity->struct_size;
    trace_look(s->trace, thread, activity, state);
    if (s->crew.options.simulated)
        activity->seconds = 0; /* its clocks are not ours */
    activity->struct_size = size;
    activity->nodes = atomic_load_explicit(&s->crew.workers[thread].shown, memory_order_relaxed);
    return true;
}

bool mp_search_times(const struct mp_search *s, int thread, struct mp_times *times)
{
    const struct crew *crew = &s->crew;
    if (!crew->options.simulated || thread < 0 || thread >= crew->threads)
        return false;
    struct machine_times spent = {{0}};
    if (crew->pool)
        spent = machine_times(pool_machine(crew->pool), thread);
    else
        spent.ps[TIME_NODES] = 1000 * crew_ns(crew, 0);
    const double second = 1e12;
    struct mp_times found = {.struct_size = times->struct_size,
                             .nodes = (double)spent.ps[TIME_NODES] / second,
                             .steals = (double)spent.ps[TIME_STEAL] / second,
                             .wakes = (double)spent.ps[TIME_WAKE] / second,
                             .locks = (double)spent.ps[TIME_LOCK] / second,
                             .lines = (double)spent.ps[TIME_LINE] / second,
                             .waiting = (double)spent.ps[TIME_WAITING] / second};
    memcpy(times, &found, times->struct_size < sizeof found ? times->struct_size : sizeof found);
    return true;
}

struct piece_reader {
    void (*see)(void *context, const struct mp_piece *piece, const void *state);
    void *context;
    int thread;
    int64_t start_ns;
};

static void see_slice(void *context, const struct slice *slice, const void *state)
{
    const struct piece_reader *r = context;
    const struct bounds *bounds = &slice->bounds;
    const struct mp_piece piece = {.struct_size = sizeof piece,
                                   .kind = (enum mp_piece_kind)slice->kind,
                                   .thread = r->thread,
                                   .id = slice->id,
                                   .parent = slice->parent,
                                   .start = (double)(slice->start_ns - r->start_ns) * 1e-9,
                                   .end = (double)(slice->end_ns - r->start_ns) * 1e-9,
                                   .nodes = slice->nodes,
                                   .ply = slice->ply,
                                   .depth = slice->depth,
                                   .has_move = slice->has_move,
                                   .move = slice->move,
                                   .is_given_up = slice->aborted,
                                   .has_window = bounds->has_window,
                                   .has_value = bounds->has_value,
                                   .alpha = bounds->alpha,
                                   .beta = bounds->beta,
                                   .value = bounds->value};
    r->see(r->context, &piece, state);
}

bool mp_search_pieces(const struct mp_search *s, int thread, double after,
                      void (*see)(void *context, const struct mp_piece *piece, const void *state),
                      void *context)
{
    if (!s->trace || thread < 0 || thread >= s->crew.threads)
        return false;
    struct piece_reader reader = {see, context, thread, trace_start(s->trace)};
    trace_read(s->trace, thread, reader.start_ns + (int64_t)(after * 1e9), see_slice, &reader);
    return true;
}

int mp_search_tree(const struct mp_search *s, int most,
                   void (*see)(void *context, const struct mp_piece *piece, const void *state), void *context)
{
    const struct driver *driver = s->strategy->algorithm->driver;
    return driver->show ? driver->show(s, most, see, context) : 0;
}

bool mp_search_write_trace(const struct mp_search *s, const char *path, struct mp_error *error)
{
    if (!s->trace)
        return mp_fail_with(error, MP_ERROR_MISUSE,
                            "nobody followed the search, expected mp_search_follow before it");
    return trace_write(s->trace, path, s->strategy->text, s->start_ns, s->end_ns, error);
}

/* control.h - the one way a search is told to end.
 *
 * Shared by all workers of a run. `stop` is set by whoever wants the end (a limit, the user, a signal
 * handler) and only ever read by workers; it carries no data, so relaxed order is enough: a worker that
 * sees it a little late only stops a little late. `nodes` is a sum that is compared with a limit; relaxed
 * additions lose nothing. The other members are written before the workers start. */
#ifndef SEARCH_CONTROL_H
#define SEARCH_CONTROL_H

#include "base/clock.h"

#include <stdatomic.h>
#include <stdbool.h>

struct control {
    atomic_bool stop;
    _Atomic uint64_t nodes;
    int64_t deadline_ns; /* on the clock of the run; 0: none */
    uint64_t node_limit; /* 0: none */
    /* The clock of a run that is simulated, on the thread that asks; null: the monotonic clock. */
    int64_t (*virtual_ns)(void *context);
    void *virtual_context;
};

static inline int64_t control_ns(const struct control *control)
{
    return control->virtual_ns ? control->virtual_ns(control->virtual_context) : clock_ns();
}

static inline void control_stop(struct control *control)
{
    atomic_store_explicit(&control->stop, true, memory_order_relaxed);
}

static inline bool control_stopped(struct control *control)
{
    return atomic_load_explicit(&control->stop, memory_order_relaxed);
}

#endif

/* top.c - split=top: every root move is a task. The scheme of the reports, and the simplest: no bound is
 * shared, so the tree is the one that a search of each root move alone would visit.
 *
 * Shared: `next`, a counter from which threads take the next move (relaxed: a thread needs a number that no
 * other got, nothing else). `found[i]` is written by the thread that took i and read after all joined. */
#include "parallel/crew.h"
#include "parallel/team.h"

#include "base/clock.h"

#include <stdlib.h>

struct top {
    struct crew *crew;
    int depth;
    struct move_list list;
    struct iteration *found;
    atomic_int next;
};

static void take_moves(void *context, int index)
{
    struct top *top = context;
    struct worker *w = &top->crew->workers[index];
    int64_t start = clock_ns();
    while (!w->stopped) {
        int i = atomic_fetch_add_explicit(&top->next, 1, memory_order_relaxed);
        if (i >= top->list.count)
            break;
        struct iteration *found = &top->found[i];
        worker_play(w, 0, top->list.moves[i]);
        found->value = -(top->depth > 1 ? w->settings->search(w, 1, top->depth - 1, -MP_INFINITE, MP_INFINITE)
                                        : worker_leaf(w, 1));
        worker_set_pv(w, 0, top->list.moves[i]);
        found->pv_length = w->pv_length[0];
        for (int j = 0; j < found->pv_length; j++)
            found->pv[j] = w->pv[0][j];
        if (index == 0)
            w->counters.tasks_local++;
        else
            w->counters.tasks_stolen++;
    }
    top->crew->busy_seconds[index] += clock_seconds_since(start);
}

bool scheme_top(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    (void)previous;
    struct crew *crew = context;
    struct worker *owner = &crew->workers[0];
    struct top top = {.crew = crew, .depth = depth};
    worker_count_node(owner, 0);
    top.list = worker_list(owner, 0);
    owner->counters.tasks_created += (uint64_t)top.list.count;
    top.found = calloc((size_t)top.list.count, sizeof *top.found);
    bool done = top.found != NULL;
    if (done) {
        team_run(crew->threads, take_moves, &top);
        done = !control_stopped(owner->control);
    }
    if (done) {
        int best = 0;
        for (int i = 1; i < top.list.count; i++)
            if (top.found[i].value > top.found[best].value)
                best = i;
        *found = top.found[best];
    }
    free(top.found);
    worker_drop(owner, top.list);
    return done;
}

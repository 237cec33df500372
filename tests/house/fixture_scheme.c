/* fixture_scheme.c - a parallel scheme as somebody adds one: this file, and a row in the list. Every root move is a task
 * with the full window, which any thread may take. */
#include "parallel/crew.h"

#include <pthread.h>

struct fixture {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    struct move_list list;
    int depth;
    pthread_mutex_t lock;
    mp_value best;
    int best_index;
};

static void run_move(struct job *job, int thread, int i)
{
    struct fixture *f = (struct fixture *)job;
    struct worker *w = &f->crew->workers[thread], *owner = &f->crew->workers[0];
    worker_join(w, owner, 0);
    worker_play(w, 0, f->list.moves[i]);
    mp_value value = -w->settings->search(w, 1, f->depth - 1, -MP_INFINITE, MP_INFINITE);
    pthread_mutex_lock(&f->lock);
    if (!w->stopped && (value > f->best || (value == f->best && i < f->best_index))) {
        f->best = value;
        f->best_index = i;
        worker_take_pv(owner, w, 0, f->list.moves[i]);
    }
    pthread_mutex_unlock(&f->lock);
}

static bool iterate(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    (void)previous;
    struct crew *crew = context;
    struct worker *w = &crew->workers[0];
    struct fixture f = {.crew = crew, .depth = depth, .best = -MP_INFINITE};
    if (depth < 2)
        return iteration_run(w, depth, NULL, found);
    worker_count_node(w, 0);
    f.list = worker_list(w, 0);
    f.job.run = run_move;
    f.job.count = f.list.count;
    pthread_mutex_init(&f.lock, NULL);
    crew_split(w, 0, &f.job);
    pthread_mutex_destroy(&f.lock);
    worker_drop(w, f.list);
    if (control_stopped(w->control))
        return false;
    found->value = f.best;
    iteration_take_line(w, found);
    return true;
}

const struct scheme scheme_fixture = {
    .name = "fixture",
    .summary = "each root move is a task, as a test has it",
    .shares = WORK_PLAIN | WORK_BOUNDS,
    .isolates = true,
    .iterate = iterate,
};

/* together.c - lazy and abdada: all threads search the same root, and the first to finish wins. */
/* Shared: `found` and `done`, guarded by a lock: the first to finish writes, the others find it done. */
#include "parallel/together.h"

struct together {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    int depth;
    int (*extra)(int task);
    const struct iteration *previous;
    struct pool_lock lock;
    bool done;
    struct iteration *found;
};

/* Where another thread has found the best move of a node, the rest of the line is in the table. */
static void complete_line(struct worker *w, int depth, struct iteration *found)
{
    bool exact = w->settings->exact, with_history = exact || !(w->settings->techniques & TECHNIQUE_DEEPER);
    for (int ply = 0; ply < depth && !worker_is_chance(w, ply) && !(ply > 0 && line_drawn(&w->line, ply));
         ply++) {
        struct table_entry entry;
        if (ply == found->pv_length) {
            if (!table_probe(w->table, line_table_key(&w->line, ply, with_history), &entry) ||
                entry.bound != BOUND_EXACT || (exact && entry.depth != depth - ply))
                return;
            struct move_list list = worker_list(w, ply);
            for (int i = 0; i < list.count && ply == found->pv_length; i++)
                if ((uint16_t)list.moves[i] == entry.move)
                    found->pv[found->pv_length++] = list.moves[i];
            worker_drop(w, list);
            if (ply == found->pv_length)
                return;
        }
        worker_play(w, ply, found->pv[ply]);
    }
}

static void search_root(struct job *job, int thread, int task)
{
    struct together *together = (struct together *)job;
    struct worker *w = &together->crew->workers[thread];
    struct iteration found;
    int extra = together->depth < MP_MAX_DEPTH ? together->extra(task) : 0;
    if (iteration_run(w, together->depth + extra, together->previous, &found) && extra == 0) {
        if (w->table)
            complete_line(w, together->depth, &found);
        pool_lock(together->crew->pool, thread, &together->lock);
        if (!together->done)
            *together->found = found;
        together->done = true;
        pool_unlock(&together->lock);
        job_cancel(job);
    }
    crew_resume(w, job->parent);
}

bool together_iterate(struct crew *crew, int depth, int (*extra)(int task), const struct iteration *previous,
                      struct iteration *found)
{
    struct together together = {
        .crew = crew, .depth = depth, .extra = extra, .previous = previous, .found = found};
    together.job.run = search_root;
    together.job.count = crew->threads;
    together.job.place = (struct place){.state = crew->workers[0].line.states, .depth = depth};
    pool_lock_init(&together.lock);
    pool_run(crew->pool, 0, &together.job);
    pool_lock_free(&together.lock);
    return together.done;
}

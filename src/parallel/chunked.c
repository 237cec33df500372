/* chunked.c - split=chunked: some root moves at a time. Within a chunk nothing is shared; between two chunks
 * the best value becomes the bound of the next. The scheme of the report on Halma.
 *
 * Shared: a chunk's best value, move and the owner's line at the root are guarded by its lock; all else is
 * written before the job is opened. Of equal moves the first wins. */
#include "parallel/crew.h"

struct chunk {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    int depth, first;
    struct move_list list;
    mp_value alpha; /* what earlier chunks have reached */
    struct pool_lock lock;
    mp_value best;
    int best_index;
};

static void run_move(struct job *job, int thread, int task)
{
    struct chunk *chunk = (struct chunk *)job;
    struct worker *owner = &chunk->crew->workers[0], *w = &chunk->crew->workers[thread];
    int i = chunk->first + task;
    worker_play(w, 0, chunk->list.moves[i]);
    w->pv_length[1] = 0;
    mp_value value = -(chunk->depth > 1
                           ? w->settings->search(w, 1, chunk->depth - 1, -MP_INFINITE, -chunk->alpha)
                           : worker_leaf(w, 1));
    crew_tell(w, chunk->alpha, MP_INFINITE, value);
    if (w->stopped) {
        crew_discard(w);
        return;
    }
    pool_lock(chunk->crew->pool, thread, &chunk->lock);
    if (value > chunk->alpha && (value > chunk->best || (value == chunk->best && i < chunk->best_index))) {
        chunk->best = value;
        chunk->best_index = i;
        worker_take_pv(owner, w, 0, chunk->list.moves[i]);
    }
    pool_unlock(&chunk->lock);
}

static bool iterate(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    (void)previous;
    struct crew *crew = context;
    struct worker *w = &crew->workers[0];
    struct chunk chunk = {.crew = crew, .depth = depth, .best = -MP_INFINITE};
    worker_count_node(w, 0);
    chunk.list = worker_list(w, 0);
    chunk.job.run = run_move;
    pool_lock_init(&chunk.lock);
    int count = chunk.list.count;
    int size = crew->options.chunk ? crew->options.chunk : (count + crew->threads - 1) / crew->threads;
    for (; chunk.first < count && !control_stopped(w->control); chunk.first += size) {
        chunk.job.count = count - chunk.first < size ? count - chunk.first : size;
        chunk.job.place = (struct place){w->line.states, chunk.list.moves + chunk.first, 0, depth};
        chunk.alpha = chunk.best;
        pool_run(crew->pool, 0, &chunk.job);
    }
    pool_lock_free(&chunk.lock);
    worker_drop(w, chunk.list);
    found->value = chunk.best;
    iteration_take_line(w, found);
    return !control_stopped(w->control);
}

const struct scheme scheme_chunked = {
    .name = "chunked",
    .summary = "chunk=n root moves at a time, each chunk with the bounds that the last one left",
    .keys = SCHEME_CHUNK,
    .shares = WORK_PLAIN | WORK_BOUNDS,
    .isolates = true,
    .iterate = iterate,
};

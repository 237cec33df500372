/* split.c - one node, several threads: what ybwc, pvsplit and shared have in common.
 *
 * Shared: a split, on the stack of the node's owner. The node's bounds and best move, the owner's line at its
 * ply and what helpers have left open are guarded by the split's lock, which is held only to copy the node
 * before a move and to take in its value after. The state at the node's ply and the list of moves are not
 * written while the split is open: the owner works at deeper plies, and the moves have been put in order
 * before. */
#include "parallel/split.h"

#include "parallel/crew.h"

struct split {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    struct worker *owner;
    struct node *node;
    int first;
    search_move_function *search_move;
    struct pool_lock lock;
    uint64_t open_ends; /* of the helpers, for the owner */
};

static void run_move(struct job *job, int thread, int task)
{
    struct split *split = (struct split *)job;
    struct worker *w = &split->crew->workers[thread];
    int i = split->first + task;
    crew_resume(w, job);
    worker_join(w, split->owner, split->node->ply);
    pool_lock(split->crew->pool, thread, &split->lock);
    struct node node = *split->node;
    pool_unlock(&split->lock);
    const uint64_t open_ends = worker_open_ends(w);
    mp_value value = split->search_move(w, &node, i);
    bool counts = !w->stopped;
    crew_tell(w, node.alpha, node.beta, value);
    if (counts) {
        pool_lock(split->crew->pool, thread, &split->lock);
        if (w != split->owner)
            split->open_ends += worker_open_ends(w) - open_ends;
        /* What comes after a cut-off may no longer count: the best move is the one that cut off. */
        counts = !job_is_cancelled(job);
        if (counts && node_update(split->owner, w, split->node, node.list.moves[i], value))
            job_cancel(job);
        job->bounds.value = split->node->best;
        pool_unlock(&split->lock);
    }
    if (!counts)
        crew_discard(w);
}

/* The rest of the moves in the order in which they would be picked. */
static void sort_moves(struct node *node, int first)
{
    if (!node->scored)
        return;
    for (int i = first; i < node->list.count; i++)
        node_pick(node, i);
    node->scored = false;
}

void split_node(struct worker *w, struct node *node, int next, search_move_function *search_move)
{
    struct crew *crew = w->scheme;
    struct split split = {.crew = crew, .owner = w, .node = node, .first = next, .search_move = search_move};
    sort_moves(node, next);
    split.job.run = run_move;
    split.job.count = node->list.count - next;
    split.job.place = (struct place){worker_state(w, node->ply), node->list.moves + next, node->ply,
                                     node->depth};
    split.job.bounds = (struct bounds){node->alpha, node->beta, node->best, true, true};
    pool_lock_init(&split.lock);
    crew_split(w, node->ply, &split.job);
    pool_lock_free(&split.lock);
    w->borrowed += split.open_ends;
    crew_resume(w, split.job.parent);
}

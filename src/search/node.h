/* node.h - a node whose moves are being searched, and the loop that does it.
 *
 * The owner of a node and any helper call the same search_move(worker, node, i). A parallel scheme takes
 * part through optional hooks; without them the loop is the sequential algorithm. A helper works on
 * its own copy of the node, with the state at node->ply of its own line, so a node needs no atomics. */
#ifndef SEARCH_NODE_H
#define SEARCH_NODE_H

#include "search/worker.h"

struct node {
    int ply, depth;
    int stored_depth; /* under which the table has the node; selective: without what extends it */
    uint64_t key;     /* of the position, where there is a table; else 0 */
    mp_value alpha, beta;
    mp_value best; /* -MP_INFINITE until the first move has been searched */
    mp_move best_move;
    struct move_list list; /* from the move being searched on, in no order but for the scores */
    bool scored;           /* pick the best score next; else keep the order of the list */
    bool on_pv;            /* on the principal variation, as far as can be told before it is searched */
    bool has_deferred;     /* not all moves before the best one have been searched here */
    bool is_answered;      /* its value was found elsewhere: there is nothing to learn from it */
    struct node *outer;    /* the next open node above that takes part in the scheme (worker->open) */

    /* Not null: there may be more moves than the list has; this adds some, at the latest when those left have
     * a score below 0, and sets itself to null when there are no more. */
    void (*more)(struct worker *worker, struct node *node);

    bool expects_cut; /* one of the first moves is expected to cut off */

    /* What the algorithm keeps beside the node, if anything. Helpers read it too, so it is not written while
     * others search the node's moves. */
    void *own;
};

/* The value of move i for the side to move at the node, searched from the node's window. */
typedef mp_value search_move_function(struct worker *worker, const struct node *node, int i);

struct chance;

struct node_hooks {
    /* Nodes of this depth or more take part; 0: none does. The others, which are nearly all, are searched as
     * if the scheme were not there. */
    int least_depth;
    /* The moves from next on (0: none has been searched yet) may be searched by others. True: they have been,
     * and the node's best is final. */
    bool (*offer)(struct worker *worker, struct node *node, int next, search_move_function *search);
    /* May this worker search move i now? False: it comes back to it after the others. */
    bool (*claim)(struct worker *worker, const struct node *node, int i);
    /* The worker is done with a move it claimed, whose value is this unless it was stopped; complete: at
     * every greater depth, too. */
    void (*release)(struct worker *worker, const struct node *node, int i, mp_value value, bool complete);
    /* Is move i known not to raise the node's lower bound, because another worker has searched it? */
    bool (*refuted)(struct worker *worker, const struct node *node, int i);
    /* The worker has found a better move and so raised the node's lower bound. */
    void (*raised)(struct worker *worker, const struct node *node);
    /* Takes in what other threads have found about the node meanwhile. True: its best is final. */
    bool (*answered)(struct worker *worker, struct node *node);
    /* The outcomes of a throw may be searched by others (chance.h). True: they have been. */
    bool (*rolls)(struct worker *worker, struct chance *chance);
    /* Does what the worker is doing no longer matter? It then unwinds as if stopped. */
    bool (*cancelled)(struct worker *worker);
    /* The worker has unwound to a node that was answered while it was open, and may go on. */
    void (*resume)(struct worker *worker);
};

/* Brings the most promising move among i and later to place i; of equals the first. */
static inline void node_pick(struct node *node, int i)
{
    mp_move *moves = node->list.moves;
    int32_t *scores = node->list.scores;
    int best = i;
    for (int j = i + 1; j < node->list.count; j++)
        if (scores[j] > scores[best])
            best = j;
    mp_move move = moves[best];
    int32_t score = scores[best];
    for (int j = best; j > i; j--) {
        moves[j] = moves[j - 1];
        scores[j] = scores[j - 1];
    }
    moves[i] = move;
    scores[i] = score;
}

/* Leaves out the moves whose scores are more than this below the best. */
static inline void node_keep_within(struct node *node, int within)
{
    struct move_list *list = &node->list;
    int32_t best = INT32_MIN;
    int left = 0;
    for (int i = 0; i < list->count; i++)
        best = list->scores[i] > best ? list->scores[i] : best;
    for (int i = 0; i < list->count; i++)
        if (list->scores[i] >= best - within) {
            list->moves[left] = list->moves[i];
            list->scores[left++] = list->scores[i];
        }
    list->count = left;
}

/* Leaves out all but so many of the best moves by their scores, which come to stand in order. */
static inline void node_keep_best(struct node *node, int keep)
{
    if (node->list.count <= keep)
        return;
    for (int i = 0; i < keep; i++)
        node_pick(node, i);
    node->list.count = keep;
    node->scored = false;
}

/* Orders the moves by their static values; with keep=k only the k best stay, with within=n those near the best. */
static inline void node_value_moves(struct worker *worker, struct node *node)
{
    int keep = settings_keep(worker->settings, node->depth);
    worker_value_moves(worker, node->ply, node->list);
    node->scored = true;
    if (worker->settings->within)
        node_keep_within(node, worker->settings->within);
    if (keep)
        node_keep_best(node, keep);
}

/* Takes in the value of a move that a worker has found, on behalf of the node's owner (mostly itself). True:
 * a cut-off, the rest need not be searched. */
static inline bool node_update(struct worker *owner, struct worker *finder, struct node *node, mp_move move,
                               mp_value value)
{
    if (value <= node->best)
        return false;
    node->best = value;
    node->best_move = move;
    if (node->ply == 0)
        owner->best_nodes = finder->counters.nodes - finder->move_since;
    if (value <= node->alpha)
        return false;
    node->alpha = value;
    worker_take_pv(owner, finder, node->ply, move);
    if (value < node->beta)
        return false;
    worker_count_cut(finder, node->ply);
    return true;
}

/* Lists the rest of the moves of a node. */
static inline void node_complete(struct worker *worker, struct node *node)
{
    while (node->more)
        node->more(worker, node);
}

/* Brings the next move to place i. False: there is none. */
static inline bool node_next(struct worker *worker, struct node *node, int i)
{
    for (;;) {
        if (i < node->list.count) {
            if (node->scored)
                node_pick(node, i);
            if (!node->more || node->list.scores[i] >= 0)
                return true;
        } else if (!node->more) {
            return false;
        }
        node->more(worker, node);
    }
}

/* Moves that can be put off; one further back is searched at once. */
enum { NODE_DEFERRABLE = 256 };

/* Takes in what came of searching a move. True: the node is done. */
static inline bool node_take(struct worker *worker, struct node *node, mp_move move, mp_value value)
{
    const struct node_hooks *hooks = worker->hooks;
    if (worker->stopped) {
        if (node->is_answered)
            hooks->resume(worker);
        return true;
    }
    mp_value before = node->alpha;
    bool done = node_update(worker, worker, node, move, value);
    if (node->alpha > before && hooks->raised)
        hooks->raised(worker, node);
    return done;
}

/* Moves at nodes of this depth or more can be followed; those below are too many, and too short. */
enum { NODE_WATCH_DEPTH = 4 };

static inline mp_value node_search_move(struct worker *worker, const struct node *node, int i,
                                        search_move_function *search_move)
{
    return worker->watch && node->depth >= NODE_WATCH_DEPTH ? worker->watch(worker, node, i, search_move)
                                                            : search_move(worker, node, i);
}

static inline void node_search_shared(struct worker *worker, struct node *node,
                                      search_move_function *search_move)
{
    const struct node_hooks *hooks = worker->hooks;
    uint64_t deferred[NODE_DEFERRABLE / 64] = {0};
    for (int i = 0;; i++) {
        if (hooks->offer && (i < node->list.count || node->more) &&
            hooks->offer(worker, node, i, search_move))
            return;
        if (!node_next(worker, node, i))
            break;
        mp_move move = node->list.moves[i];
        if (hooks->answered && hooks->answered(worker, node))
            return;
        if (hooks->refuted && i > 0 && hooks->refuted(worker, node, i)) {
            node->best = node->best > node->alpha ? node->best : node->alpha;
            node->has_deferred = true;
            continue;
        }
        if (hooks->claim && i > 0 && i < NODE_DEFERRABLE && !hooks->claim(worker, node, i)) {
            deferred[i / 64] |= UINT64_C(1) << i % 64;
            node->has_deferred = true;
            continue;
        }
        const uint64_t open_ends = worker_open_ends(worker);
        mp_value value = node_search_move(worker, node, i, search_move);
        if (hooks->release && i > 0 && i < NODE_DEFERRABLE)
            hooks->release(worker, node, i, value, worker_is_complete(worker, open_ends, value));
        if (node_take(worker, node, move, value))
            return;
    }
    for (int i = 1; node->has_deferred && i < NODE_DEFERRABLE; i++) {
        if (!(deferred[i / 64] >> i % 64 & 1))
            continue;
        if (hooks->answered && hooks->answered(worker, node))
            return;
        mp_value value = node_search_move(worker, node, i, search_move);
        if (node_take(worker, node, node->list.moves[i], value))
            return;
    }
}

static inline void node_search_watched(struct worker *worker, struct node *node,
                                       search_move_function *search_move)
{
    for (int i = 0; node_next(worker, node, i); i++) {
        mp_move move = node->list.moves[i];
        mp_value value = worker->watch(worker, node, i, search_move);
        if (worker->stopped || node_update(worker, worker, node, move, value))
            return;
    }
}

/* Searches the moves of a node until there are none left, a cut-off, or the search is stopped. */
__attribute__((always_inline)) static inline void node_search(struct worker *worker, struct node *node,
                                                              search_move_function *search_move)
{
    const struct node_hooks *hooks = worker->hooks;
    if (hooks && hooks->least_depth && node->depth >= hooks->least_depth) {
        node->outer = worker->open;
        worker->open = node;
        node_search_shared(worker, node, search_move);
        worker->open = node->outer;
        return;
    }
    if (worker->watch && node->depth >= NODE_WATCH_DEPTH) {
        node_search_watched(worker, node, search_move);
        return;
    }
    for (int i = 0; node_next(worker, node, i); i++) {
        mp_move move = node->list.moves[i];
        mp_value value = search_move(worker, node, i);
        if (worker->stopped || node_update(worker, worker, node, move, value))
            return;
    }
}

#endif

/* abdada.c - split=abdada: every thread searches the root for itself, but puts off a move that another thread
 * is searching at that moment; when it comes back to it, the answer is in the transposition table. (Weill,
 * "The ABDADA Distributed Minimax Search Algorithm", 1996; in the simplified form of Kerrigan, with a small
 * table of moves under way.)
 *
 * Shared: the table of moves under way. Each slot is one word, a hash of position and move, or 0. Threads
 * write and read them with relaxed order and without a lock. A lost or overwritten slot has one effect only:
 * a move may be searched twice, or put off for nothing. No answer depends on it. Each worker's history is
 * read by its neighbour, also relaxed; only the order of moves depends on that. */
#include "parallel/together.h"
#include "search/node.h"

#include "base/random.h"

/* A few for each thread and ply are in use at once; 32 kB stay in the cache of a core. */
enum { BUCKETS = 1 << 10, WAYS = 4 };

/* Shallower moves are done before anybody could profit. */
enum { DEFER_DEPTH = 4 };

struct under_way {
    _Atomic uint64_t slots[BUCKETS][WAYS];
};

static uint64_t move_hash(const struct node *node, int i)
{
    return random_mix(node->key ^ random_mix(node->list.moves[i] + 1)) | 1;
}

static _Atomic uint64_t *bucket_of(const struct worker *w, uint64_t hash)
{
    const struct crew *crew = w->scheme;
    struct under_way *table = crew->scheme_data;
    return table->slots[hash >> 54];
}

static bool claim(struct worker *w, const struct node *node, int i)
{
    if (node->depth < DEFER_DEPTH)
        return true;
    uint64_t hash = move_hash(node, i);
    _Atomic uint64_t *bucket = bucket_of(w, hash);
    int free_way = 0;
    for (int way = 0; way < WAYS; way++) {
        uint64_t slot = atomic_load_explicit(&bucket[way], memory_order_relaxed);
        if (slot == hash)
            return false;
        if (slot == 0)
            free_way = way;
    }
    atomic_store_explicit(&bucket[free_way], hash, memory_order_relaxed);
    return true;
}

static bool has_window(const struct node *node)
{
    return node->beta > node->alpha + 1;
}

/* The selective search stores less than what it has searched (extensions), and a root without some of its
 * moves has no value of its own. */
static bool tells_bounds(const struct worker *w, const struct node *node)
{
    return w->settings->exact && !worker_is_filtered(w, node->ply);
}

/* What raises the lower bound of a window raises it for all threads. */
static void raised(struct worker *w, const struct node *node)
{
    if (node->depth < DEFER_DEPTH || !has_window(node) || !tells_bounds(w, node))
        return;
    table_store(w->table, node->key,
                (struct table_entry){.value = worker_from_root(w, node->best, -node->ply),
                                     .move = (uint16_t)node->best_move,
                                     .depth = (uint8_t)node->depth,
                                     .bound = BOUND_LOWER});
}

static void release(struct worker *w, const struct node *node, int i)
{
    if (node->depth < DEFER_DEPTH)
        return;
    uint64_t hash = move_hash(node, i);
    _Atomic uint64_t *bucket = bucket_of(w, hash);
    for (int way = 0; way < WAYS; way++)
        if (atomic_load_explicit(&bucket[way], memory_order_relaxed) == hash)
            atomic_store_explicit(&bucket[way], 0, memory_order_relaxed);
}

/* What another thread has found about this node is in the transposition table. A cut-off: without looking
 * there a thread would go on with the other moves and come to the one that cuts off, which it has put off, at
 * last. A better bound of a window: the other moves have more to beat. */
static bool answered(struct worker *w, struct node *node)
{
    struct table_entry entry;
    if (node->depth < DEFER_DEPTH || (has_window(node) && !tells_bounds(w, node)) ||
        !table_probe(w->table, node->key, &entry) || entry.bound == BOUND_UPPER)
        return false;
    mp_value value = worker_from_root(w, entry.value, node->ply);
    bool deep = w->settings->exact ? entry.depth == node->depth : entry.depth >= node->depth;
    if (!deep || value <= node->alpha)
        return false;
    int at = 0;
    while (at < node->list.count && (uint16_t)node->list.moves[at] != entry.move)
        at++;
    if (at == node->list.count && value < node->beta)
        return false; /* it is not listed yet */
    if (at < node->list.count)
        node->best_move = node->list.moves[at];
    node->best = value;
    node->is_answered = value >= node->beta || entry.bound == BOUND_EXACT;
    if (value < node->beta) {
        node->alpha = value;
        w->pv[node->ply][0] = node->best_move;
        w->pv_length[node->ply] = 1;
    }
    return node->is_answered;
}

/* Threads tell each other what they have learned about the order of moves, or each would try for itself what
 * another has tried already. */
static bool cancelled(const struct worker *w)
{
    enum { LOOKS = 128 }; /* at the clock, of WORKER_CHECK_NODES nodes each */
    struct crew *crew = w->scheme;
    if (!crew->alone && w->counters.nodes / WORKER_CHECK_NODES % LOOKS == 0) {
        int thread = crew_thread(w);
        worker_agree_with(&crew->workers[thread], &crew->workers[(thread + 1) % crew->threads]);
    }
    return crew_cancelled(w);
}

static int all_alike(int task)
{
    (void)task;
    return 0;
}

bool scheme_abdada(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    return together_iterate(context, depth, all_alike, previous, found);
}

_Static_assert(sizeof(struct under_way) == ABDADA_DATA_SIZE, "the crew gives the table its memory");

const struct node_hooks abdada_hooks = {
    .claim = claim, .release = release, .raised = raised, .answered = answered, .cancelled = cancelled};

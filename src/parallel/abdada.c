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

/* A cut-off that another thread has found at this node is in the transposition table; without looking there a
 * thread would go on with the other moves and come to the one that cuts off, which it has put off, at last.
 */
static bool answered(struct worker *w, struct node *node)
{
    struct table_entry entry;
    if (node->depth < DEFER_DEPTH || node->beta != node->alpha + 1 ||
        !table_probe(w->table, node->key, &entry) || entry.bound != BOUND_LOWER)
        return false;
    mp_value value = worker_from_root(w, entry.value, node->ply);
    bool deep = w->settings->exact ? entry.depth == node->depth : entry.depth >= node->depth;
    if (!deep || value < node->beta)
        return false;
    node->best = value;
    node->is_answered = true;
    for (int i = 0; i < node->list.count; i++)
        if ((uint16_t)node->list.moves[i] == entry.move)
            node->best_move = node->list.moves[i];
    return true;
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
    .claim = claim, .release = release, .answered = answered, .cancelled = cancelled};

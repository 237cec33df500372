/* abdada.c - split=abdada: every thread searches the root for itself, but puts off a move that another thread
 * is searching at that moment; when it comes back to it, the answer is in the transposition table. (Weill,
 * "The ABDADA Distributed Minimax Search Algorithm", 1996; in the simplified form of Kerrigan, with a small
 * table of moves under way.)
 *
 * Added to that: what one thread finds about a node counts for all that are in it. A better bound of a window
 * is told through the table at once; a thread inside a node that another has finished leaves it; a move that
 * another has refuted there is not searched again. Otherwise threads whose judgements differ a little, as
 * those of the selective search do, would go on with different bounds and share nothing any more.
 *
 * Shared: the table of moves under way and that of refuted moves. Each slot is one word, a hash, or 0.
 * Threads write and read them with relaxed order and without a lock. A lost or overwritten slot has one
 * effect only: a move may be searched twice, or put off for nothing. No answer depends on the moves under
 * way. A refutation is a whole fact in one word, a hash of position, move, depth and bound, its last bit set
 * if it holds at every greater depth too, and true whoever wrote it and when. Each worker's history is read
 * by its neighbour, also relaxed; only the order of moves depends on that. */
#include "parallel/together.h"
#include "search/node.h"

#include "base/random.h"

/* A few for each thread and ply are in use at once; 32 kB stay in the cache of a core. */
enum { BUCKETS = 1 << 10, WAYS = 4 };

/* Newer ones take the place of older ones; nodes are seldom open for longer than that many refutations
 * take. */
enum { REFUTATIONS = 1 << 16 };

/* Shallower moves are done before anybody could profit. */
enum { DEFER_DEPTH = 4 };

struct notes {
    _Atomic uint64_t under_way[BUCKETS][WAYS];
    _Atomic uint64_t refutations[REFUTATIONS];
};

static uint64_t move_hash(const struct node *node, int i)
{
    return random_mix(node->key ^ random_mix(node->list.moves[i] + 1)) | 1;
}

static _Atomic uint64_t *bucket_of(const struct worker *w, uint64_t hash)
{
    const struct crew *crew = w->scheme;
    struct notes *notes = crew->scheme_data;
    return notes->under_way[hash >> 54];
}

static bool claim(struct worker *w, const struct node *node, int i)
{
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

/* The bit of a refutation that holds at every greater depth. */
#define COMPLETE UINT64_C(1)

/* Of a move that does not raise the lower bound of a node. */
static uint64_t refutation_of(const struct worker *w, const struct node *node, int i)
{
    uint32_t bound = (uint32_t)worker_from_root(w, node->alpha, -node->ply);
    return random_mix(move_hash(node, i) ^ random_mix((uint64_t)node->stored_depth << 32 | bound)) &
           ~COMPLETE;
}

static _Atomic uint64_t *refutation_slot(const struct worker *w, uint64_t hash)
{
    const struct crew *crew = w->scheme;
    struct notes *notes = crew->scheme_data;
    return &notes->refutations[hash / 2 % REFUTATIONS];
}

static bool refuted(struct worker *w, const struct node *node, int i)
{
    uint64_t hash = refutation_of(w, node, i);
    uint64_t slot = atomic_load_explicit(refutation_slot(w, hash), memory_order_relaxed);
    if ((slot & ~COMPLETE) != hash)
        return false;
    w->borrowed += !(slot & COMPLETE);
    return true;
}

static void release(struct worker *w, const struct node *node, int i, mp_value value, bool complete)
{
    uint64_t hash = move_hash(node, i);
    _Atomic uint64_t *bucket = bucket_of(w, hash);
    for (int way = 0; way < WAYS; way++)
        if (atomic_load_explicit(&bucket[way], memory_order_relaxed) == hash)
            atomic_store_explicit(&bucket[way], 0, memory_order_relaxed);
    if (w->stopped || value > node->alpha)
        return;
    hash = refutation_of(w, node, i);
    atomic_store_explicit(refutation_slot(w, hash), complete ? hash | COMPLETE : hash, memory_order_relaxed);
}

static bool has_window(const struct node *node)
{
    return node->beta > node->alpha + 1;
}

/* May other threads learn about a node from the table? A root without some of its moves has no value of its
 * own. */
static bool is_shared(const struct worker *w, const struct node *node)
{
    return !worker_is_filtered(w, node->ply);
}

/* What raises the lower bound of a window raises it for all threads. */
static void raised(struct worker *w, const struct node *node)
{
    if (has_window(node) && is_shared(w, node))
        table_store(w->table, node->key,
                    (struct table_entry){.value = worker_from_root(w, node->best, -node->ply),
                                         .move = (uint16_t)node->best_move,
                                         .depth = (uint8_t)node->stored_depth,
                                         .bound = BOUND_LOWER});
}

/* What the table knows of a node, the value counted from the root. The root is searched anew in every
 * iteration, whatever an earlier search knows of it. */
static bool look_up(const struct worker *w, const struct node *node, struct table_entry *entry)
{
    if (!is_shared(w, node) || !table_probe(w->table, node->key, entry))
        return false;
    entry->value = worker_from_root(w, entry->value, node->ply);
    if (node->ply == 0)
        return entry->depth == node->stored_depth;
    return table_entry_holds(entry, node->stored_depth) ||
           (!w->settings->exact && entry->depth >= node->stored_depth);
}

static bool is_final(const struct node *node, const struct table_entry *entry)
{
    return table_entry_settles(entry, entry->value, node->alpha, node->beta);
}

/* Takes in what another thread has found. True: the node is done. */
static bool take(struct worker *w, struct node *node, const struct table_entry *entry)
{
    bool final = is_final(node, entry);
    if (entry->value > node->alpha) {
        if (!final && entry->bound == BOUND_UPPER)
            return false;
        int at = 0;
        while (at < node->list.count && (uint16_t)node->list.moves[at] != entry->move)
            at++;
        if (at < node->list.count) {
            node->best_move = w->pv[node->ply][0] = node->list.moves[at];
            w->pv_length[node->ply] = 1;
        } else if (entry->value < node->beta || node->ply == 0) {
            return false; /* the move is not listed yet */
        }
        node->alpha = entry->value < node->beta ? entry->value : node->alpha;
        node->best = entry->value;
    } else if (final) {
        node->best = entry->value > node->best ? entry->value : node->best;
    } else {
        return false;
    }
    worker_borrow(w, entry);
    node->is_answered = final;
    return final;
}

/* What another thread has found about this node is in the transposition table. A cut-off: without looking
 * there a thread would go on with the other moves and come to the one that cuts off, which it has put off, at
 * last. A better bound of a window: the other moves have more to beat. */
static bool answered(struct worker *w, struct node *node)
{
    struct table_entry entry;
    return look_up(w, node, &entry) && take(w, node, &entry);
}

/* Has another thread finished a node that this one is in? The outermost such node is answered. */
static bool is_overtaken(struct worker *w)
{
    struct node *finished = NULL;
    struct table_entry entry, found = {0};
    for (struct node *node = w->open; node; node = node->outer)
        if (look_up(w, node, &entry) && is_final(node, &entry)) {
            finished = node;
            found = entry;
        }
    return finished && take(w, finished, &found);
}

static void resume(struct worker *w)
{
    const struct crew *crew = w->scheme;
    crew_resume(w, pool_current(crew->pool, crew_thread(w)));
}

/* Threads tell each other what they have learned about the order of moves, or each would try for itself what
 * another has tried already. */
static bool cancelled(struct worker *w)
{
    enum { LOOKS = 128 }; /* at the clock, of WORKER_CHECK_NODES nodes each */
    struct crew *crew = w->scheme;
    if (!crew->alone && w->counters.nodes / WORKER_CHECK_NODES % LOOKS == 0) {
        int thread = crew_thread(w);
        order_agree_with(&w->order, &crew->workers[(thread + 1) % crew->threads].order);
    }
    return crew_cancelled(w) || (!crew->alone && is_overtaken(w));
}

static int all_alike(int task)
{
    (void)task;
    return 0;
}

static bool iterate(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    return together_iterate(context, depth, all_alike, previous, found);
}

static const struct node_hooks hooks = {.least_depth = DEFER_DEPTH,
                                        .claim = claim,
                                        .release = release,
                                        .refuted = refuted,
                                        .raised = raised,
                                        .answered = answered,
                                        .cancelled = cancelled,
                                        .resume = resume};

const struct scheme scheme_abdada = {
    .name = "abdada",
    .summary = "every thread searches the root, and puts off moves that another is searching",
    .shares = WORK_BOUNDS,
    .needs_table = true,
    .data_size = sizeof(struct notes),
    .hooks = &hooks,
    .iterate = iterate,
};

/* sample_leaf.c - split=leaf: one thread walks the tree, and all share the playouts at each leaf (leaf
 * parallelisation, Cazenave and Jouandeau 2007). Playouts are cheap, so the helpers do not sleep in between.
 *
 * One task, the first to be taken, is the leader; the others help. `ticket` holds the number of the leaf
 * (from 1) and below it how many of its playouts have been taken; whoever raises it may run that playout. The
 * leader publishes a leaf by storing a new ticket with release order, after its worker's line is in place;
 * who takes a ticket acquires it. The leader leaves a leaf only when all its playouts are done (`done`,
 * released by helpers and acquired by the leader), so nobody reads a line that is being changed. The leader
 * takes tickets too, so it waits only for playouts that are running. */
#include "parallel/crew.h"
#include "search/mcts.h"

#include "base/random.h"

enum { TAKEN_BITS = 20 };

struct leaf {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    struct mcts *mcts;
    uint64_t count;
    /* the leaf, written by the leader before the ticket */
    struct worker *leader;
    int ply;
    uint64_t seed;
    _Alignas(64) _Atomic uint64_t ticket;
    _Atomic int64_t sum;
    _Atomic int done;
    atomic_bool over; /* carries no data */
};

/* Takes a playout of the leaf that ticket belongs to; -1: there is none left. */
static int take(struct leaf *leaf, int playouts)
{
    uint64_t ticket = atomic_load_explicit(&leaf->ticket, memory_order_relaxed);
    for (;;) {
        int taken = (int)(ticket & ((1 << TAKEN_BITS) - 1));
        if (taken >= playouts)
            return -1;
        if (atomic_compare_exchange_weak_explicit(&leaf->ticket, &ticket, ticket + 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return taken;
    }
}

static bool play_one(struct leaf *leaf, struct mcts *mcts, struct worker *w)
{
    struct pool *pool = leaf->crew->pool;
    pool_sync(pool, crew_thread(w));
    int playout = take(leaf, mcts->settings->mcts.playouts);
    if (playout < 0)
        return false;
    worker_join(w, leaf->leader, leaf->ply);
    int64_t reward = mcts_play_out(mcts, w, leaf->ply, random_at(leaf->seed, (uint64_t)playout));
    atomic_fetch_add_explicit(&leaf->sum, reward, memory_order_relaxed);
    pool_sync(pool, crew_thread(w));
    int done = 1 + atomic_fetch_add_explicit(&leaf->done, 1, memory_order_release);
    if (done == mcts->settings->mcts.playouts)
        pool_notify(pool, crew_thread(w));
    return true;
}

/* Called by the leader's iteration in place of mcts_value_leaf, with the same result. */
static int64_t value_leaf(struct mcts *mcts, struct worker *w, int ply, uint64_t seed)
{
    struct leaf *leaf = mcts->value_context;
    leaf->leader = w;
    leaf->ply = ply;
    leaf->seed = seed;
    atomic_store_explicit(&leaf->sum, 0, memory_order_relaxed);
    atomic_store_explicit(&leaf->done, 0, memory_order_relaxed);
    uint64_t number = (atomic_load_explicit(&leaf->ticket, memory_order_relaxed) >> TAKEN_BITS) + 1;
    struct pool *pool = leaf->crew->pool;
    pool_sync(pool, crew_thread(w));
    atomic_store_explicit(&leaf->ticket, number << TAKEN_BITS, memory_order_release);
    pool_notify(pool, crew_thread(w));
    while (play_one(leaf, mcts, w))
        continue;
    for (int polls = 0;;) {
        uint64_t epoch = pool_epoch(pool);
        if (atomic_load_explicit(&leaf->done, memory_order_acquire) == mcts->settings->mcts.playouts)
            break;
        pool_pause(pool, crew_thread(w), epoch, &polls);
    }
    return atomic_load_explicit(&leaf->sum, memory_order_relaxed);
}

static void lead_or_help(struct job *job, int thread, int task)
{
    struct leaf *leaf = (struct leaf *)job;
    struct mcts *mcts = leaf->mcts;
    struct worker *w = &leaf->crew->workers[thread];
    if (task == 0) {
        struct mcts_tree *tree = &mcts->trees[0];
        tree->iterations += mcts_iterate_many(mcts, tree, &tree->arenas[0], w, tree->iterations, leaf->count);
        atomic_store_explicit(&leaf->over, true, memory_order_relaxed);
        pool_notify(leaf->crew->pool, thread);
        return;
    }
    for (int polls = 0;;) {
        uint64_t epoch = pool_epoch(leaf->crew->pool);
        if (atomic_load_explicit(&leaf->over, memory_order_relaxed))
            return;
        if (play_one(leaf, mcts, w))
            polls = 0;
        else
            pool_pause(leaf->crew->pool, thread, epoch, &polls);
    }
}

static void sample(struct crew *crew, struct mcts *mcts, uint64_t count)
{
    struct leaf leaf = {.crew = crew, .mcts = mcts, .count = count};
    /* Before the first leaf there is nothing to take. */
    atomic_init(&leaf.ticket, (1 << TAKEN_BITS) - 1);
    leaf.job.run = lead_or_help;
    leaf.job.count = crew->threads;
    mcts->value_leaf = value_leaf;
    mcts->value_context = &leaf;
    crew_run(crew, &leaf.job);
    mcts_clear_choices(mcts, mcts->choices);
    mcts_add_choices(&mcts->trees[0], mcts->choices);
}

const struct scheme scheme_leaf = {
    .name = "leaf",
    .summary = "mcts: one tree; the threads share the playouts at a leaf",
    .shares = WORK_SAMPLES,
    .sample = sample,
    .playouts_shared = true,
};

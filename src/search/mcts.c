/* mcts.c - an iteration of Monte-Carlo search: select, expand, play out, back up; and leases of many. */
#include "search/mcts.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>

/* ---- Selection ------------------------------------------------------------------------------------- */

static inline uint32_t pending_at(struct mcts_place place)
{
    return atomic_load_explicit(&place.block->edges[place.index].pending, memory_order_relaxed);
}

static inline void rescore(const struct mcts *m, struct mcts_place place, bool shared)
{
    const struct mcts_settings *settings = &m->settings->mcts;
    const struct mcts_node *node = mcts_node(place);
    int64_t visits = (int64_t)mcts_visits(node), seen = visits;
    int64_t pending = shared ? pending_at(place) : 0;
    int64_t sum = mcts_sum(node);
    if (settings->unobserved) {
        visits += pending;
        seen = seen ? seen : 1;
    } else if (pending) {
        seen = visits += pending * settings->virtual_loss;
        sum -= pending * settings->virtual_loss * MCTS_ONE;
    }
    struct mcts_score score = {MCTS_FIRST, 0};
    if (visits) {
        float spread = 1.0f / __builtin_sqrtf((float)visits);
        /* Where both are the same, the square of the spread is a quotient that need not be divided again. */
        float share = seen == visits ? spread * spread : 1.0f / (float)seen;
        score = (struct mcts_score){(float)sum * share * (1.0f / MCTS_ONE), spread};
    }
    mcts_store_score(place.block, place.index, score);
}

enum { NONE = -1 };

/* The child that promises most and can still matter; NONE: all is known. */
static inline int select_child(const struct mcts *m, struct mcts_place place, struct mcts_block *block)
{
    const struct mcts_node *parent = mcts_node(place);
    uint64_t visits = mcts_visits(parent);
    if (m->settings->mcts.unobserved)
        visits += pending_at(place);
    float weight = m->roots[mcts_root_index(visits)];
    for (;;) {
        int best = 0;
        float most = 2 * MCTS_NEVER;
        for (uint32_t i = 0; i < block->count; i++) {
            struct mcts_score score = mcts_load_score(block, i);
            float promise = score.mean + weight * score.spread;
            best = promise > most ? (int)i : best;
            most = promise > most ? promise : most;
        }
        if (most <= MCTS_NEVER)
            return NONE;
        uint64_t bounds = mcts_load_bounds(mcts_nodes(block) + best);
        if (bounds == m->unknown || !m->settings->mcts.solver)
            return best;
        uint64_t own = mcts_own_bounds(m, place.block, mcts_load_bounds(parent));
        if (!mcts_solved(bounds) && mcts_high(bounds) > mcts_low(own))
            return best;
        mcts_store_score(block, (uint32_t)best, (struct mcts_score){MCTS_NEVER, 0});
    }
}

static int draw_outcome(struct mcts_block *block, uint64_t *luck)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < block->count; i++)
        total += mcts_weight(block, i);
    uint32_t drawn = random_below(random_next(luck), total), i = 0;
    while (drawn >= mcts_weight(block, i))
        drawn -= mcts_weight(block, i++);
    return (int)i;
}

/* ---- Expansion ------------------------------------------------------------------------------------- */

static struct mcts_block *fill_block(const struct mcts *m, struct mcts_tree *tree, uint32_t number,
                                     struct move_list list, bool chance)
{
    struct mcts_block *block = mcts_block(tree, number);
    block->count = (uint32_t)list.count;
    block->chooser = chance ? MCTS_CHANCE : MCTS_PLAYER;
    struct mcts_node *nodes = mcts_nodes(block);
    for (uint32_t i = 0; i < block->count; i++) {
        if (chance)
            mcts_set_weight(block, i, (uint32_t)list.scores[i]);
        else
            mcts_store_score(block, i, (struct mcts_score){MCTS_FIRST, 0});
        atomic_init(&block->edges[i].children, MCTS_LEAF);
        atomic_init(&block->edges[i].pending, 0);
        atomic_init(&nodes[i].sum, 0);
        atomic_init(&nodes[i].bounds, m->unknown);
        atomic_init(&nodes[i].visits, 0);
        nodes[i].move = list.moves[i];
    }
    return block;
}

/* The end of a game at ply? */
static bool is_over(struct worker *w, int ply, bool chance, int moves, mp_value *value)
{
    *value = 0;
    if (ply > 0 && !chance && line_drawn(&w->line, ply))
        return true;
    if (moves > 0)
        return false;
    *value = mp_state_final_value(w->game, worker_state(w, ply), 0);
    return true;
}

struct mcts_block *mcts_expand(struct mcts *m, struct mcts_tree *tree, struct mcts_arena *arena,
                               struct worker *w, int ply, struct mcts_place place, bool *learned)
{
    struct mcts_block *siblings = place.block;
    struct mcts_node *node = mcts_node(place);
    _Atomic uint32_t *children = &siblings->edges[place.index].children;
    uint32_t leaf = MCTS_LEAF;
    if (atomic_load_explicit(&tree->full, memory_order_relaxed) ||
        !atomic_compare_exchange_strong_explicit(children, &leaf, MCTS_BUSY, memory_order_relaxed,
                                                 memory_order_relaxed))
        return mcts_children(tree, place);
    bool chance = worker_is_chance(w, ply);
    struct move_list list = chance ? worker_chances(w, ply) : worker_list(w, ply);
    mp_value value;
    uint32_t number = MCTS_LEAF;
    if (is_over(w, ply, chance, list.count, &value)) {
        uint64_t bounds = mcts_chooser_bounds(m, siblings, mcts_bounds(value, value));
        *learned = mcts_tighten(node, mcts_low(bounds), mcts_high(bounds));
    } else {
        number = mcts_tree_allocate(tree, arena, (uint32_t)list.count);
        if (number)
            fill_block(m, tree, number, list, chance);
        else
            atomic_store_explicit(&tree->full, true, memory_order_relaxed);
        /* The game goes on, so a win takes a move and a loss two. */
        uint64_t bounds = mcts_chooser_bounds(m, siblings, m->unknown);
        if (m->distance && siblings->chooser == MCTS_PLAYER)
            *learned = mcts_tighten(node, mcts_low(bounds), mcts_high(bounds));
    }
    worker_drop(w, list);
    atomic_store_explicit(children, number, memory_order_release);
    return number ? mcts_block(tree, number) : NULL;
}

/* ---- Backing up ------------------------------------------------------------------------------------ */

uint64_t mcts_proven_by(struct mcts_block *children)
{
    struct mcts_node *nodes = mcts_nodes(children);
    int64_t low = INT32_MIN, high = INT32_MIN, weights = 0;
    if (children->chooser == MCTS_CHANCE)
        low = high = 0;
    for (uint32_t i = 0; i < children->count; i++) {
        uint64_t bounds = mcts_load_bounds(&nodes[i]);
        if (children->chooser == MCTS_CHANCE) {
            int64_t weight = mcts_weight(children, i);
            low += weight * mcts_low(bounds);
            high += weight * mcts_high(bounds);
            weights += weight;
        } else {
            low = mcts_low(bounds) > low ? mcts_low(bounds) : low;
            high = mcts_high(bounds) > high ? mcts_high(bounds) : high;
        }
    }
    if (children->chooser == MCTS_CHANCE)
        return mcts_bounds(mean_value(low, weights), mean_value(high, weights));
    return mcts_bounds((mp_value)low, (mp_value)high);
}

static inline int64_t clamp(const struct mcts *m, int64_t reward, uint64_t bounds, int64_t playouts)
{
    int64_t least = playouts * mcts_reward(m, mcts_low(bounds));
    int64_t most = playouts * mcts_reward(m, mcts_high(bounds));
    return reward < least ? least : reward > most ? most : reward;
}

/* The way down from the root. */
struct descent {
    struct mcts_place places[LINE_PLIES];
    int last;
};

/* What comes back up: the sum of the rewards of this many iterations, for the side to move where it is, and
 * whether something was learned there for certain. */
struct news {
    int64_t reward;
    uint32_t iterations;
    bool learned;
};

/* Says that iterations have come back. */
static inline void unmark(const struct mcts *m, struct mcts_place place, uint32_t marks)
{
    atomic_fetch_sub_explicit(&place.block->edges[place.index].pending, marks, memory_order_relaxed);
    if (place.block->chooser == MCTS_PLAYER)
        rescore(m, place, true);
}

/* Carries news from one step of a path up to another. The steps after that are marked with this many pending
 * iterations; at one something may have been learned. */
static inline struct news back_up(const struct mcts *m, struct mcts_tree *tree,
                                  const struct mcts_place *places, int from, int to, uint32_t marks,
                                  int learned_at, struct news news)
{
    const struct mcts_settings *settings = &m->settings->mcts;
    const int64_t playouts = (int64_t)news.iterations * settings->playouts;
    for (int i = from; i >= to; i--) {
        struct mcts_place place = places[i];
        struct mcts_block *block = place.block;
        struct mcts_node *node = mcts_node(place);
        if (news.learned) {
            uint64_t bounds = mcts_chooser_bounds(m, block, mcts_proven_by(places[i + 1].block));
            news.learned = mcts_tighten(node, mcts_low(bounds), mcts_high(bounds));
        }
        news.learned = (news.learned || i == learned_at) && settings->solver;
        if (block->chooser == MCTS_PLAYER)
            news.reward = -news.reward;
        /* Better than proven, or worse, it cannot be. */
        uint64_t bounds = mcts_load_bounds(node);
        if (bounds != m->unknown)
            news.reward = clamp(m, news.reward, bounds, playouts);
        MCTS_ADD(tree, &node->sum, news.reward);
        MCTS_ADD(tree, &node->visits, (uint64_t)playouts);
        if (tree->shared && i > to)
            unmark(m, place, marks);
        else if (block->chooser == MCTS_PLAYER)
            rescore(m, place, tree->shared);
    }
    return news;
}

/* ---- An iteration ---------------------------------------------------------------------------------- */

/* Goes a step down. */
static inline void step(struct mcts_tree *tree, struct worker *w, struct descent *path,
                        struct mcts_place next)
{
    /* The next block is on its way while the move is played. Numbers: there may be no block, and no place behind it. */
    uintptr_t below = (uintptr_t)mcts_children(tree, next);
    __builtin_prefetch((const void *)below);
    __builtin_prefetch((const void *)(below + MCTS_LINE));
    worker_play(w, path->last, mcts_node(next)->move);
    path->places[++path->last] = next;
}

/* Tells the others how many iterations are on their way below a node. */
static inline void mark(const struct mcts *m, struct mcts_place place, uint32_t marks)
{
    atomic_fetch_add_explicit(&place.block->edges[place.index].pending, marks, memory_order_relaxed);
    if (place.block->chooser == MCTS_PLAYER)
        rescore(m, place, true);
}

/* Where an iteration has come to. */
struct reached {
    int64_t reward; /* if it is known */
    bool known;
    int learned_at;
    uint64_t seed; /* of its playouts, if it is not */
};

/* The way down from the end of a path. Where a tree is shared, the steps are marked. False: there all is known. */
static inline bool go_down(struct mcts *m, struct mcts_tree *tree, struct mcts_arena *arena, struct worker *w,
                           uint64_t number, struct descent *path, uint32_t marks, struct reached *reached)
{
    const struct mcts_settings *settings = &m->settings->mcts;
    const uint64_t visits_to_expand = (uint64_t)(settings->expand - 1) * (uint64_t)settings->playouts;
    if (mcts_solved(mcts_load_bounds(mcts_node(path->places[path->last]))))
        return false;
    uint32_t random[4];
    random_block(m->settings->seed, tree->stream, number, random);
    uint64_t luck = (uint64_t)random[0] << 32 | random[1];
    *reached = (struct reached){.learned_at = NONE, .seed = (uint64_t)random[2] << 32 | random[3]};

    bool expanded = false;
    for (;;) {
        struct mcts_place place = path->places[path->last];
        struct mcts_node *node = mcts_node(place);
        struct mcts_block *children = mcts_children(tree, place);
        if (!children && !expanded && mcts_visits(node) >= visits_to_expand && path->last < LINE_PLIES - 2) {
            bool learned = false;
            children = mcts_expand(m, tree, arena, w, path->last, place, &learned);
            reached->learned_at = learned ? path->last : NONE;
            expanded = true;
        }
        uint64_t bounds = mcts_load_bounds(node);
        int chosen = NONE;
        if (children && !mcts_solved(bounds))
            chosen = children->chooser == MCTS_CHANCE ? draw_outcome(children, &luck)
                                                      : select_child(m, place, children);
        if (chosen == NONE) {
            /* Known is better than sampled. (Another thread may have proven all children just now.) */
            uint64_t known = children ? mcts_proven_by(children) : mcts_own_bounds(m, place.block, bounds);
            reached->known = children || mcts_solved(bounds);
            if (reached->known)
                reached->reward = settings->playouts * mcts_reward(m, mcts_low(known));
            break;
        }
        step(tree, w, path, (struct mcts_place){children, (uint32_t)chosen});
        if (tree->shared)
            mark(m, path->places[path->last], marks);
    }
    return true;
}

static inline void count_iteration(struct worker *w, int last)
{
    w->counters.iterations++;
    w->counters.nodes += (uint64_t)last + 1;
    w->counters.leaves++;
    w->counters.leaf_plies += (uint64_t)last;
    if (last > w->counters.max_ply)
        w->counters.max_ply = last;
}

/* An iteration from the end of a path, and back to there. False: there all is known. */
static inline bool iterate_below(struct mcts *m, struct mcts_tree *tree, struct mcts_arena *arena,
                                 struct worker *w, uint64_t number, struct descent *path, struct news *news)
{
    const int top = path->last;
    struct reached reached;
    if (!go_down(m, tree, arena, w, number, path, 1, &reached))
        return false;
    if (!reached.known)
        reached.reward = m->value_leaf(m, w, path->last, reached.seed);
    count_iteration(w, path->last);
    *news = back_up(m, tree, path->places, path->last, top, 1, reached.learned_at,
                    (struct news){reached.reward, 1, false});
    path->last = top;
    return true;
}

bool mcts_iterate(struct mcts *m, struct mcts_tree *tree, struct mcts_arena *arena, struct worker *w,
                  uint64_t number)
{
    struct descent path; /* most of it is never used */
    struct news news;
    path.places[path.last = 0] = mcts_root(tree);
    return iterate_below(m, tree, arena, w, number, &path, &news);
}

int64_t mcts_value_leaf(struct mcts *m, struct worker *w, int ply, uint64_t seed)
{
    int64_t sum = 0;
    for (int i = 0; i < m->settings->mcts.playouts; i++)
        sum += mcts_play_out(m, w, ply, random_at(seed, (uint64_t)i));
    return sum;
}

/* ---- An iteration in two halves -------------------------------------------------------------------- */

enum mcts_departure mcts_depart(struct mcts *m, struct mcts_tree *tree, struct mcts_arena *arena,
                                struct worker *w, uint64_t number, struct mcts_flight *flight)
{
    struct descent path; /* most of it is never used */
    struct reached reached;
    const uint32_t marks = (uint32_t)m->settings->mcts.playouts;
    path.places[path.last = 0] = mcts_root(tree);
    if (!go_down(m, tree, arena, w, number, &path, marks, &reached))
        return MCTS_NOWHERE;
    count_iteration(w, path.last);
    if (reached.known) {
        back_up(m, tree, path.places, path.last, 0, marks, reached.learned_at,
                (struct news){reached.reward, 1, false});
        return MCTS_BACK;
    }
    memcpy(flight->places, path.places, ((size_t)path.last + 1) * sizeof *flight->places);
    flight->last = path.last;
    flight->learned_at = reached.learned_at;
    flight->seed = reached.seed;
    return MCTS_AWAY;
}

void mcts_land(const struct mcts *m, struct mcts_tree *tree, struct worker *w,
               const struct mcts_flight *flight, int64_t reward)
{
    const uint32_t playouts = (uint32_t)m->settings->mcts.playouts;
    w->counters.playouts += playouts;
    back_up(m, tree, flight->places, flight->last, 0, playouts, flight->learned_at,
            (struct news){reward, 1, false});
}

/* ---- Many iterations ------------------------------------------------------------------------------- */

/* Where threads share a tree, each leases a part of it: it goes down as far as the nodes have been visited
 * often, makes a few iterations from there, and only then carries their sum to the root. The nodes near the
 * root are on everyone's way, and a cache line that two CPUs write in turn costs as much as half a playout.
 * The others see the lease as that many iterations on their way. A node is leased for one in so many of its
 * visits, so that the top of the tree is never far behind. */
enum { LEASE_FROM = 512, LEASE_SHARE = 64, LEASE_MOST = 64 };

struct lease {
    struct descent path;
    struct news news; /* of the iterations so far */
    uint32_t left, marks;
};

static void begin_lease(const struct mcts *m, struct mcts_tree *tree, struct worker *w, struct lease *lease)
{
    struct descent *path = &lease->path;
    path->places[path->last = 0] = mcts_root(tree);
    lease->news = (struct news){0};
    for (;;) {
        struct mcts_place place = path->places[path->last];
        struct mcts_block *children = mcts_children(tree, place);
        if (!children || children->chooser != MCTS_PLAYER || path->last >= LINE_PLIES / 2)
            break;
        int chosen = select_child(m, place, children);
        if (chosen == NONE || mcts_visits(mcts_nodes(children) + chosen) < LEASE_FROM)
            break;
        step(tree, w, path, (struct mcts_place){children, (uint32_t)chosen});
    }
    uint64_t share = mcts_visits(mcts_node(path->places[path->last])) / LEASE_SHARE;
    lease->left = path->last == 0 || share < 1 ? 1 : share < LEASE_MOST ? (uint32_t)share : LEASE_MOST;
    lease->marks = lease->left;
    for (int i = 1; i <= path->last; i++)
        mark(m, path->places[i], lease->marks);
}

static void end_lease(const struct mcts *m, struct mcts_tree *tree, struct lease *lease)
{
    int last = lease->path.last;
    lease->left = 0;
    if (last == 0)
        return;
    back_up(m, tree, lease->path.places, last - 1, 0, lease->marks, NONE, lease->news);
    unmark(m, lease->path.places[last], lease->marks);
}

/* An iteration of a lease; a new one begins where the last is used up, or where all has become known. False:
 * that is so at the root. */
static bool iterate_leased(struct mcts *m, struct mcts_tree *tree, struct mcts_arena *arena, struct worker *w,
                           uint64_t number, struct lease *lease)
{
    struct news news;
    for (;;) {
        if (lease->left == 0)
            begin_lease(m, tree, w, lease);
        if (iterate_below(m, tree, arena, w, number, &lease->path, &news))
            break;
        end_lease(m, tree, lease);
        if (lease->path.last == 0)
            return false;
    }
    lease->news.reward += news.reward;
    lease->news.iterations++;
    lease->news.learned |= news.learned;
    if (--lease->left == 0)
        end_lease(m, tree, lease);
    return true;
}

/* The clock is polled about this often, however long a playout takes. */
enum { LOOK_NS = 200000 };

uint64_t mcts_iterate_many(struct mcts *m, struct mcts_tree *tree, struct mcts_arena *arena, struct worker *w,
                           uint64_t first, uint64_t count)
{
    uint64_t done = 0, between = 1, look_at = 1;
    int64_t looked_ns = control_ns(w->control);
    struct lease lease; /* most of it is never used */
    lease.left = 0;
    while (done < count && !w->stopped) {
        if (tree->shared ? !iterate_leased(m, tree, arena, w, first + done, &lease)
                         : !m->iterate(m, tree, arena, w, first + done))
            break;
        done++;
        if (control_stopped(w->control))
            w->stopped = true;
        if (done < look_at && w->counters.nodes < w->check_at)
            continue;
        bool by_count = done >= look_at;
        worker_poll(w);
        int64_t now = control_ns(w->control);
        if (by_count && !w->control->virtual_ns) /* there the threads go on in turns, in small steps */
            between = now - looked_ns < LOOK_NS ? 2 * between : (between + 1) / 2;
        if (!w->control->node_limit)
            w->check_at = UINT64_MAX;
        looked_ns = now;
        look_at = done + between;
    }
    if (lease.left)
        end_lease(m, tree, &lease);
    return done;
}

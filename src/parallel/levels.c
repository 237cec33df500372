/* levels.c - split=levels: every move of the first levels is a task of its own, without shared bounds: plain
 * minimax above, the sequential search with the full window below. split=top is the same with one level. The
 * scheme of the reports (sparks for the first parDepth levels), and the one whose tree does not depend on
 * luck. split=rolls+moves: each root move, and each roll after it (`ParNP` of the report on backgammon).
 *
 * Shared: a fork. Its best value and move, and the owner's line at that ply, are guarded by its lock; all
 * else is written before the job is opened (pool.h says why that is seen). Of equal moves the first in the
 * list wins, so the answer does not depend on who was faster. */
#include "parallel/crew.h"
#include "search/node.h"

struct fork {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    struct worker *owner;
    int ply, depth, levels;
    struct move_list list;
    struct pool_lock lock;
    mp_value best;
    int best_index;
    int64_t sum; /* rolls: of the values with their weights */
};

static mp_value search_level(struct crew *crew, struct worker *w, int ply, int depth, int levels);

static void run_move(struct job *job, int thread, int i)
{
    struct fork *fork = (struct fork *)job;
    struct worker *w = &fork->crew->workers[thread];
    int ply = fork->ply;
    worker_join(w, fork->owner, ply);
    worker_play(w, ply, fork->list.moves[i]);
    mp_value value = -search_level(fork->crew, w, ply + 1, fork->depth - 1, fork->levels - 1);
    crew_tell(w, -MP_INFINITE, MP_INFINITE, value);
    if (w->stopped) {
        crew_discard(w);
        return;
    }
    pool_lock(fork->crew->pool, thread, &fork->lock);
    if (value > fork->best || (value == fork->best && i < fork->best_index)) {
        fork->best = value;
        fork->best_index = i;
        worker_take_pv(fork->owner, w, ply, fork->list.moves[i]);
    }
    pool_unlock(&fork->lock);
}

static void run_roll(struct job *job, int thread, int i)
{
    struct fork *fork = (struct fork *)job;
    struct worker *w = &fork->crew->workers[thread];
    worker_join(w, fork->owner, fork->ply);
    worker_play(w, fork->ply, fork->list.moves[i]);
    mp_value value = search_level(fork->crew, w, fork->ply + 1, fork->depth, fork->levels);
    crew_tell(w, -MP_INFINITE, MP_INFINITE, value);
    if (w->stopped) {
        crew_discard(w);
        return;
    }
    pool_lock(fork->crew->pool, thread, &fork->lock);
    fork->sum += (int64_t)(uint32_t)fork->list.scores[i] * value;
    pool_unlock(&fork->lock);
}

static void run_fork(struct fork *fork, void (*run)(struct job *job, int thread, int i))
{
    struct worker *w = fork->owner;
    fork->job.run = run;
    fork->job.count = fork->list.count;
    fork->job.place = (struct place){worker_state(w, fork->ply), fork->list.moves, fork->ply, fork->depth};
    pool_lock_init(&fork->lock);
    crew_split(w, fork->ply, &fork->job);
    pool_lock_free(&fork->lock);
    worker_drop(w, fork->list);
}

static mp_value search_rolls(struct fork *fork)
{
    int64_t weights = 0;
    fork->list = worker_chances(fork->owner, fork->ply);
    for (int i = 0; i < fork->list.count; i++)
        weights += (uint32_t)fork->list.scores[i];
    run_fork(fork, run_roll);
    return mean_value(fork->sum, weights);
}

static mp_value search_level(struct crew *crew, struct worker *w, int ply, int depth, int levels)
{
    if (depth == 0) {
        w->pv_length[ply] = 0;
        return worker_leaf(w, ply);
    }
    bool chance = worker_is_chance(w, ply);
    if (chance ? !crew->scheme->needs_dice : levels == 0)
        return w->settings->search(w, ply, depth, -MP_INFINITE, MP_INFINITE);
    mp_value value;
    if (worker_settled(w, ply, &value))
        return value;
    struct fork fork = {.crew = crew, .owner = w, .ply = ply, .depth = depth, .levels = levels};
    if (chance)
        return search_rolls(&fork);
    fork.list = worker_list(w, ply);
    if (fork.list.count == 0)
        return worker_final(w, ply);
    if (settings_select(w->settings)) {
        struct node node = {.ply = ply, .depth = depth, .list = fork.list};
        node_value_moves(w, &node);
        fork.list = node.list;
    }
    fork.best = -MP_INFINITE;
    run_fork(&fork, run_move);
    return fork.best;
}

static bool iterate(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    (void)previous;
    struct crew *crew = context;
    struct worker *w = &crew->workers[0];
    found->value = search_level(crew, w, 0, depth, crew->options.levels);
    if (control_stopped(w->control))
        return false;
    iteration_take_line(w, found);
    return true;
}

const struct scheme scheme_top = {
    .name = "top",
    .summary = "each root move is a task with the full window",
    .shares = WORK_PLAIN | WORK_BOUNDS,
    .isolates = true,
    .iterate = iterate,
};

const struct scheme scheme_levels = {
    .name = "levels",
    .summary = "each move of the first levels=n levels is a task with the full window",
    .keys = SCHEME_LEVELS,
    .shares = WORK_PLAIN | WORK_BOUNDS,
    .best_at = WORK_PLAIN, /* nothing to share, so tasks without bounds lose nothing */
    .isolates = true,
    .default_levels = 2,
    .iterate = iterate,
};

const struct scheme scheme_rolls_moves = {
    .name = "rolls+moves",
    .summary = "dice: each root move, and each outcome of the throw after it, with the full window",
    .shares = WORK_PLAIN | WORK_BOUNDS,
    .best_at = WORK_THROWS, /* which have full windows anyway */
    .needs_dice = true,
    .isolates = true,
    .iterate = iterate,
};

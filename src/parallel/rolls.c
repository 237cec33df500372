/* rolls.c - split=rolls: where chance decides, every outcome is a task. The scheme `Par` of the report on
 * backgammon. In star1 and star2 an outcome that is begun gets the window that the finished ones leave it,
 * and one that settles the node ends the others.
 *
 * Shared: a roll, on the stack of the node's owner. What the outcomes add up to is guarded by its lock, which
 * is held only to copy it before an outcome and to take in the value after. */
#include "parallel/crew.h"
#include "search/chance.h"

struct roll {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    struct worker *owner;
    struct chance *chance;
    struct pool_lock lock;
    uint64_t open_ends; /* of the helpers, for the owner */
};

static void run_outcome(struct job *job, int thread, int i)
{
    struct roll *roll = (struct roll *)job;
    struct worker *w = &roll->crew->workers[thread];
    crew_resume(w, job);
    worker_join(w, roll->owner, roll->chance->ply);
    pool_lock(roll->crew->pool, thread, &roll->lock);
    struct chance chance = *roll->chance;
    pool_unlock(&roll->lock);
    const uint64_t open_ends = worker_open_ends(w);
    mp_value value = chance_outcome(w, &chance, i);
    bool counts = !w->stopped;
    crew_tell(w, -MP_INFINITE, MP_INFINITE, value);
    if (counts) {
        pool_lock(roll->crew->pool, thread, &roll->lock);
        if (w != roll->owner)
            roll->open_ends += worker_open_ends(w) - open_ends;
        counts = !job_is_cancelled(job);
        if (counts && chance_update(w, roll->chance, i, value))
            job_cancel(job);
        pool_unlock(&roll->lock);
    }
    if (!counts)
        crew_discard(w);
}

/* A throw just above the horizon is done in a few microseconds: it is split only below the root, where there
 * may be nothing else. */
static bool offer(struct worker *w, struct chance *chance)
{
    if (chance->outcomes.count < 2 || (chance->depth < 2 && chance->ply > 1))
        return false;
    struct crew *crew = w->scheme;
    struct roll roll = {.crew = crew, .owner = w, .chance = chance};
    roll.job.run = run_outcome;
    roll.job.count = chance->outcomes.count;
    roll.job.place = (struct place){worker_state(w, chance->ply), chance->outcomes.moves, chance->ply,
                                    chance->depth};
    pool_lock_init(&roll.lock);
    crew_split(w, chance->ply, &roll.job);
    pool_lock_free(&roll.lock);
    w->borrowed += roll.open_ends;
    crew_resume(w, roll.job.parent);
    return true;
}

static const struct node_hooks hooks = {.rolls = offer, .cancelled = crew_cancelled};

const struct scheme scheme_rolls = {
    .name = "rolls",
    .summary = "dice: each outcome of a throw is a task",
    .shares = WORK_PLAIN | WORK_BOUNDS,
    .needs_dice = true,
    .hooks = &hooks,
};

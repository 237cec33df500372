/* deal_games.c - split=games: the games of a rollout are dealt out in small batches. Each game is a pure function
 * of its number, and tallies are sums of whole numbers, so the answer is that of one thread.
 *
 * Shared: the tallies, guarded by a lock that is taken once for each batch. The root and the list of moves
 * are not written while the job is open. */
#include "parallel/crew.h"
#include "search/rollout.h"

enum { BATCH = 12 };

struct dealing {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    struct worker *owner;
    struct move_list list;
    int games, batches; /* of each move */
    struct pool_lock lock;
    struct rollout_tally tallies[ROLLOUT_MOST_MOVES];
};

static void run_batch(struct job *job, int thread, int task)
{
    struct dealing *d = (struct dealing *)job;
    struct worker *w = &d->crew->workers[thread];
    int move = task / d->batches, first = task % d->batches * BATCH;
    int count = d->games - first < BATCH ? d->games - first : BATCH;
    struct rollout_tally tally;
    worker_join(w, d->owner, 0);
    rollout_play(w, d->list.moves[move], first, count, &tally);
    if (w->stopped) {
        crew_discard(w);
        return;
    }
    pool_lock(d->crew->pool, thread, &d->lock);
    rollout_add(&d->tallies[move], &tally);
    pool_unlock(&d->lock);
}

static bool iterate(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    (void)previous;
    struct crew *crew = context;
    struct worker *w = &crew->workers[0];
    struct dealing d = {.crew = crew, .owner = w, .games = rollout_games(w->settings, depth)};
    worker_count_node(w, 0);
    d.list = rollout_candidates(w);
    d.batches = (d.games + BATCH - 1) / BATCH;
    d.job.run = run_batch;
    d.job.count = d.list.count * d.batches;
    pool_lock_init(&d.lock);
    pool_run(crew->pool, 0, &d.job);
    pool_lock_free(&d.lock);
    if (control_stopped(w->control))
        return false;
    found->value = rollout_choose(w, d.list, d.tallies);
    worker_drop(w, d.list);
    iteration_take_line(w, found);
    return true;
}

const struct scheme scheme_games = {
    .name = "games",
    .summary = "rollout: the games of all moves are dealt out in batches",
    .shares = WORK_GAMES,
    .best_at = WORK_GAMES,
    .isolates = true,
    .iterate = iterate,
};

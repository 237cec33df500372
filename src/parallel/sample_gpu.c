/* sample_gpu.c - split=gpu: all threads grow one tree, and a device makes the playouts (leaf parallelisation in batches).
 *
 * A thread goes down the tree again and again and notes where it came out, until it has a batch of leaves; the batch goes to
 * the device, which plays each leaf out many times, and while it is away the thread fills the next. When both are away it
 * waits for the older one and carries its results up. So the device has work as long as threads find leaves faster than it plays
 * them out, and threads find leaves as long as it does not fall behind by two batches: neither waits for the other unless it is
 * the slower one.
 *
 * An iteration that is away is marked on its way down with as many pending visits as it has playouts (mcts.h, mcts_flight), so
 * that the next one, of this thread or of another, goes elsewhere. By default these count as visits without a result: with
 * thousands away at once, virtual losses would say more than the results do.
 *
 * Who may touch what: the tree is shared as in split=tree (mcts_tree.h), and nothing else is: a thread has two batches of its own
 * with their flights (struct side), and a batch is on its way or in the thread's hands. `taken` hands out numbers and needs no
 * order. A thread whose device fails writes the sentence into its own side, and sets `failed`, which carries no data; the sides are
 * read when the job is over, and the end of a job publishes them (pool.h). All batches are back when a job ends, even after a
 * stop, so the tree is never moved or forgotten while a flight has its places. */
#include "parallel/crew.h"
#include "search/mcts.h"

#include "base/clock.h"
#include "gpu/gpu.h"

#include <stdlib.h>

/* The fewer leaves a batch has, the more of what was learned the next one knows: so they are as many as take a device
 * some tenths of a millisecond. A slow device gets small batches, or a search would end late; but not the smallest, because on
 * a machine that is busy with other things every trip takes long. chunk=n fixes their number. */
enum { SIDES = 2, LEAST_LEAVES = 32, MOST_LEAVES = 512, LONG_NS = 4000000, SHORT_NS = 2000000 };
enum { POLL_LEAVES = 16 };

struct side {
    struct gpu_batch *batch;
    struct mcts_flight *flights;
    struct mcts_place *places; /* of all flights, one after the other */
    size_t place_capacity;
    int away; /* flights on their way; 0: the batch is here */
    int64_t sent_ns;
};

struct flight_lane { /* of a thread */
    struct side sides[SIDES];
    int leaves;            /* in its next batch */
    uint64_t number, left; /* of its next iteration, and how many more have been handed out to it */
    struct mp_error error;
};

struct device_sampler {
    struct gpu *gpu;
    struct flight_lane *lanes;
    int lane_count, most;
};

struct batch_growth {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    struct mcts *mcts;
    uint64_t first, count;
    _Atomic uint64_t taken;
    atomic_bool failed;
};

/* ---- Opening --------------------------------------------------------------------------------------------- */

static void free_sampler(struct device_sampler *s)
{
    for (int i = 0; s && s->lanes && i < s->lane_count; i++)
        for (int j = 0; j < SIDES; j++) {
            struct side *side = &s->lanes[i].sides[j];
            gpu_batch_free(side->batch);
            free(side->flights);
            free(side->places);
        }
    if (s) {
        gpu_close(s->gpu);
        free(s->lanes);
    }
    free(s);
}

/* Few lines are longer than this; a batch with many that are is sent early. */
enum { PLACES_PER_LEAF = 24 };

static bool make_side(struct device_sampler *s, struct side *side, struct mp_error *error)
{
    side->place_capacity = (size_t)s->most * PLACES_PER_LEAF + LINE_PLIES;
    side->flights = malloc((size_t)s->most * sizeof *side->flights);
    side->places = malloc(side->place_capacity * sizeof *side->places);
    if (!side->flights || !side->places)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a batch");
    side->batch = gpu_batch_new(s->gpu, s->most, error);
    return side->batch;
}

/* What each margin is worth, so that the device can add up. */
static int32_t *list_rewards(const struct mcts *mcts)
{
    int most = mcts->game->margin_max;
    int32_t *rewards = malloc((2 * (size_t)most + 1) * sizeof *rewards);
    for (int margin = -most; rewards && margin <= most; margin++)
        rewards[margin + most] = (int32_t)mcts_margin_reward(mcts, margin);
    return rewards;
}

static bool open(struct crew *crew, struct mcts *mcts, struct mp_error *error)
{
    struct device_sampler *s = mcts->scheme = calloc(1, sizeof *s);
    int32_t *rewards = list_rewards(mcts);
    if (s)
        s->lanes = calloc((size_t)crew->threads, sizeof *s->lanes);
    if (!s || !s->lanes || !rewards) {
        free(rewards);
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    }
    s->lane_count = crew->threads;
    s->most = crew->options.chunk ? crew->options.chunk : MOST_LEAVES;
    s->gpu = gpu_open(mcts->game, 1, rewards, error);
    free(rewards);
    bool ok = s->gpu;
    for (int i = 0; ok && i < s->lane_count; i++) {
        s->lanes[i].leaves = crew->options.chunk ? crew->options.chunk : LEAST_LEAVES;
        for (int j = 0; ok && j < SIDES; j++)
            ok = make_side(s, &s->lanes[i].sides[j], error);
    }
    mcts->trees[0].shared =
        true; /* a thread meets its own iterations that are away, even where it is alone */
    return ok;
}

static void close(struct mcts *mcts)
{
    free_sampler(mcts->scheme);
    mcts->scheme = NULL;
}

/* ---- A batch --------------------------------------------------------------------------------------------- */

/* Numbers for at most so many iterations; near the end fewer, so that all threads end together. */
static uint64_t take(struct batch_growth *growth, int most, uint64_t *first)
{
    uint64_t taken = atomic_load_explicit(&growth->taken, memory_order_relaxed), batch;
    do {
        uint64_t left = growth->count - taken;
        batch = left / (2 * (uint64_t)growth->crew->threads);
        batch = batch < 1 ? left > 0 : batch > (uint64_t)most ? (uint64_t)most : batch;
    } while (!atomic_compare_exchange_weak_explicit(&growth->taken, &taken, taken + batch,
                                                    memory_order_relaxed, memory_order_relaxed));
    *first = growth->first + taken;
    return batch;
}

/* Goes down until the batch is full. False: there will be no more, because of a limit or because all is known. */
static bool fill(struct batch_growth *growth, struct worker *w, int thread, struct flight_lane *lane,
                 struct side *side)
{
    struct mcts *mcts = growth->mcts;
    struct mcts_tree *tree = &mcts->trees[0];
    size_t used = 0;
    if (lane->left == 0)
        lane->left = take(growth, lane->leaves, &lane->number);
    bool more = lane->left > 0;
    for (; more && lane->left > 0 && used + LINE_PLIES <= side->place_capacity; lane->left--) {
        struct mcts_flight *flight = &side->flights[side->away];
        flight->places = side->places + used;
        enum mcts_departure went = mcts_depart(mcts, tree, &tree->arenas[thread], w, lane->number++, flight);
        if (went == MCTS_AWAY) {
            gpu_batch_add(side->batch, worker_state(w, flight->last), flight->seed);
            used += (size_t)flight->last + 1;
            side->away++;
        }
        if (lane->left % POLL_LEAVES == 0 || w->counters.nodes >= w->check_at)
            worker_poll(w);
        if (control_stopped(w->control))
            w->stopped = true;
        more = went != MCTS_NOWHERE && !w->stopped;
    }
    return more;
}

static bool send(const struct mcts *mcts, struct flight_lane *lane, struct side *side)
{
    side->sent_ns = clock_ns();
    if (side->away == 0 || gpu_play(side->batch, mcts->settings->mcts.playouts, &lane->error))
        return true;
    side->away = 0;
    return false;
}

static bool land(const struct batch_growth *growth, struct worker *w, struct flight_lane *lane,
                 struct side *side)
{
    const struct mcts *mcts = growth->mcts;
    int away = side->away;
    side->away = 0;
    if (away == 0)
        return true;
    if (!gpu_return(side->batch, &lane->error))
        return false;
    int64_t took_ns = clock_ns() - side->sent_ns;
    for (int i = 0; i < away; i++)
        mcts_land(mcts, &mcts->trees[0], w, &side->flights[i], gpu_sum(side->batch, i));
    if (growth->crew->options.chunk)
        return true;
    if (took_ns > LONG_NS && lane->leaves > LEAST_LEAVES)
        lane->leaves /= 2;
    else if (took_ns < SHORT_NS && away >= lane->leaves && lane->leaves < MOST_LEAVES)
        lane->leaves *= 2;
    return true;
}

static void grow(struct job *job, int thread, int task)
{
    struct batch_growth *growth = (struct batch_growth *)job;
    struct mcts *mcts = growth->mcts;
    struct flight_lane *lane = &((struct device_sampler *)mcts->scheme)->lanes[thread];
    struct worker *w = &growth->crew->workers[thread];
    (void)task;
    bool ok = true, more = true;
    int next = 0;
    lane->left = 0;
    while (ok && more && !atomic_load_explicit(&growth->failed, memory_order_relaxed)) {
        struct side *side = &lane->sides[next];
        ok = land(growth, w, lane, side);
        more = ok && fill(growth, w, thread, lane, side);
        ok = ok && send(mcts, lane, side);
        next = (next + 1) % SIDES;
    }
    for (int i = 0; i < SIDES; i++)
        ok = land(growth, w, lane, &lane->sides[(next + i) % SIDES]) && ok;
    if (!ok)
        atomic_store_explicit(&growth->failed, true, memory_order_relaxed);
}

static void sample(struct crew *crew, struct mcts *mcts, uint64_t count)
{
    struct mcts_tree *tree = &mcts->trees[0];
    struct device_sampler *s = mcts->scheme;
    struct batch_growth growth = {.crew = crew, .mcts = mcts, .first = tree->iterations, .count = count};
    growth.job.run = grow;
    growth.job.count = crew->threads;
    crew_run(crew, &growth.job);
    tree->iterations += atomic_load_explicit(&growth.taken, memory_order_relaxed);
    for (int i = 0; i < s->lane_count; i++)
        if (s->lanes[i].error.code != MP_ERROR_NONE)
            mcts->failure = s->lanes[i].error;
    mcts_clear_choices(mcts, mcts->choices);
    mcts_add_choices(tree, mcts->choices);
}

const struct scheme scheme_gpu = {
    .name = "gpu",
    .summary = "mcts: all threads grow one tree, and a GPU makes the playouts in batches (OpenCL)",
    .keys = SCHEME_CHUNK | SCHEME_TREE,
    .shares = WORK_SAMPLES,
    .open = open,
    .close = close,
    .sample = sample,
    .tree_shared = true,
    .needs_device = true,
};

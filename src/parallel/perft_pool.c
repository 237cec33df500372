/* perft_pool.c - perft on several threads: the states a few plies below the root are the tasks.
 *
 * Shared: the tasks are written before the job is opened; the sums are kept per thread and read when it is
 * done. */
#include "parallel/perft_pool.h"

#include "parallel/pool.h"
#include "search/perft.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Enough tasks that the last one to end keeps nobody waiting for long. */
enum { TASKS_PER_THREAD = 64 };

struct part {
    _Alignas(64) struct perft *perft;
    uint64_t leaves;
    bool failed;
};

struct perft_run {
    struct job job; /* first: the one is found from the other */
    const struct mp_game *game;
    size_t stride;
    char *states; /* the tasks */
    int *depths;  /* what remains below each */
    size_t count, capacity;
    mp_perft_progress progress;
    void *context;
    struct part parts[MP_MAX_THREADS];
};

static bool add_task(struct perft_run *run, const void *state, int depth)
{
    if (run->count == run->capacity) {
        size_t capacity = run->capacity ? 2 * run->capacity : 256;
        char *states = aligned_alloc(64, capacity * run->stride);
        int *depths = realloc(run->depths, capacity * sizeof *depths);
        if (depths)
            run->depths = depths;
        if (!states || !depths) {
            free(states);
            return false;
        }
        if (run->count)
            memcpy(states, run->states, run->count * run->stride);
        free(run->states);
        run->states = states;
        run->capacity = capacity;
    }
    memcpy(run->states + run->count * run->stride, state, run->game->state_size);
    run->depths[run->count++] = depth;
    return true;
}

/* Replaces each task that has moves by its children. Finished games and shallow tasks stay as they are. */
static bool widen(struct perft_run *run)
{
    const struct mp_game *game = run->game;
    struct perft_run wider = {.game = game, .stride = run->stride};
    mp_move *moves = NULL;
    int capacity = 0;
    char *child = aligned_alloc(64, run->stride);
    bool ok = child != NULL;
    for (size_t t = 0; ok && t < run->count; t++) {
        const char *state = run->states + t * run->stride;
        int depth = run->depths[t], count;
        bool chance = game->chances && game->chances(game, state, NULL, NULL, 0) > 0;
        while ((count = chance ? game->chances(game, state, moves, NULL, capacity)
                               : game->list(game, state, moves, capacity)) > capacity) {
            capacity = count;
            mp_move *larger = realloc(moves, (size_t)capacity * sizeof *moves);
            if (!larger) {
                ok = false;
                break;
            }
            moves = larger;
        }
        if (count == 0 || depth < 3)
            ok = ok && add_task(&wider, state, depth);
        else
            for (int i = 0; ok && i < count; i++) {
                game->play(game, state, moves[i], child);
                ok = add_task(&wider, child, chance ? depth : depth - 1);
            }
    }
    free(child);
    free(moves);
    free(run->states);
    free(run->depths);
    run->states = wider.states;
    run->depths = wider.depths;
    run->count = wider.count;
    run->capacity = wider.capacity;
    return ok;
}

static void count_task(struct job *job, int thread, int task)
{
    struct perft_run *run = (struct perft_run *)job;
    struct part *part = &run->parts[thread];
    uint64_t leaves;
    if (!perft_count(part->perft, run->states + (size_t)task * run->stride, run->depths[task], &leaves))
        part->failed = true;
    part->leaves += leaves;
    if (thread == 0 && run->progress)
        run->progress((double)(task + 1) / (double)run->count, run->context);
}

bool parallel_perft(const struct mp_game *game, const void *state, int depth, int threads, bool drop_finished,
                    mp_perft_progress progress, void *context, uint64_t *leaves, struct mp_error *error)
{
    struct perft_run run = {.game = game, .progress = progress, .context = context};
    run.stride = memory_lines(game->state_size);
    bool ok = add_task(&run, state, depth);
    for (size_t before = 0; ok && run.count > before && run.count < (size_t)threads * TASKS_PER_THREAD;) {
        before = run.count;
        ok = widen(&run);
    }
    for (int i = 0; i < threads; i++)
        ok = (run.parts[i].perft = perft_new(game, depth, drop_finished)) && ok;
    struct pool *pool = ok ? pool_new(threads) : NULL;
    if (pool) {
        run.job.run = count_task;
        run.job.count = (int)run.count;
        pool_run(pool, 0, &run.job);
        pool_free(pool);
    }
    ok = pool != NULL;
    *leaves = 0;
    for (int i = 0; i < threads; i++) {
        *leaves += run.parts[i].leaves;
        ok = ok && !run.parts[i].failed;
        perft_free(run.parts[i].perft);
    }
    free(run.states);
    free(run.depths);
    return ok || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory while counting moves");
}

/* perft_device.c - perft on a device: the CPU walks the first plies and sends the states it comes to in batches; the device
 * counts what is below them. One thread does it, with several batches on their way, so that the device never waits for it. */
#include "parallel/perft_device.h"

#include "base/clock.h"
#include "base/memory.h"
#include "gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

/* A state that is sent is worth some ten thousand leaves: enough that its way pays, and little enough that all threads of a
 * device end at about the same time. The first plies are as many as give some hundred thousand states. */
enum { FIRST_PLIES = 8, MOST_BELOW = 5 };

/* States in a batch: as many as take a device between these times, so that a slow one is heard of now and then. */
enum { BATCHES = 4, LEAST_STATES = 256, MOST_STATES = 1 << 16 };
#define SHORT_SECONDS 0.05
#define LONG_SECONDS 0.2

struct trip {
    struct gpu_batch *batch;
    int64_t sent_ns;
    int states; /* on their way; 0: it is here */
};

struct device_counting {
    const struct mp_game *game;
    struct gpu *gpu;
    struct trip trips[BATCHES];
    int current, states; /* the batch that is filled, and when it is full */
    int below;           /* plies that the device counts */
    bool drop_finished;
    uint64_t leaves;
    size_t stride;
    char *line; /* a state for each ply */
    mp_move *moves;
    mp_perft_progress progress;
    void *context;
    struct mp_error *error;
};

static bool fetch(struct device_counting *c, struct trip *trip)
{
    if (!trip->states)
        return true;
    if (!gpu_return(trip->batch, c->error))
        return false;
    double seconds = clock_seconds_since(trip->sent_ns);
    for (int i = 0; i < trip->states; i++)
        c->leaves += gpu_leaves(trip->batch, i);
    if (seconds < SHORT_SECONDS && trip->states == c->states && c->states < MOST_STATES)
        c->states *= 2;
    else if (seconds > LONG_SECONDS && c->states > LEAST_STATES)
        c->states /= 2;
    trip->states = 0;
    return true;
}

/* Sends what there is and makes room for more. */
static bool dispatch(struct device_counting *c, double share)
{
    struct trip *trip = &c->trips[c->current];
    int states = gpu_batch_count(trip->batch);
    if (states > 0) {
        if (!gpu_count(trip->batch, c->below, c->drop_finished, c->error))
            return false;
        trip->states = states;
        trip->sent_ns = clock_ns();
    }
    if (c->progress)
        c->progress(share, c->context);
    c->current = (c->current + 1) % BATCHES;
    return fetch(c, &c->trips[c->current]);
}

/* The part of the tree below a state of the line, `above` plies of which are walked here. It is this share of all. */
static bool walk(struct device_counting *c, int ply, int above, double from, double width)
{
    const struct mp_game *game = c->game;
    const char *state = c->line + (size_t)ply * c->stride;
    if (above == 0) {
        gpu_batch_add(c->trips[c->current].batch, state, 0);
        return gpu_batch_count(c->trips[c->current].batch) < c->states || dispatch(c, from);
    }
    mp_move *moves = c->moves + (size_t)ply * MP_MAX_MOVES;
    int count = game->list(game, state, moves, MP_MAX_MOVES);
    if (count == 0)
        c->leaves += !c->drop_finished;
    for (int i = 0; i < count; i++) {
        game->play(game, state, moves[i], c->line + (size_t)(ply + 1) * c->stride);
        if (!walk(c, ply + 1, above - 1, from + width * i / count, width / count))
            return false;
    }
    return true;
}

static bool count_all(struct device_counting *c, int above)
{
    bool ok = walk(c, 0, above, 0, 1);
    for (int i = 0; ok && i < BATCHES; i++)
        ok = dispatch(c, 1);
    return ok;
}

bool device_perft(const struct mp_position *position, int depth, int device, bool drop_finished,
                  mp_perft_progress progress, void *context, uint64_t *leaves, struct mp_error *error)
{
    const struct mp_game *game = mp_position_game(position);
    *leaves = 1;
    if (!gpu_knows(game, error))
        return false;
    if (!game->kernels->counts)
        return mp_fail(error,
                       "the kernels of %s do not count, expected a game whose kernels do, such as othello",
                       game->name);
    int below = depth - FIRST_PLIES < 1            ? 1
                : depth - FIRST_PLIES > MOST_BELOW ? MOST_BELOW
                                                   : depth - FIRST_PLIES;
    struct device_counting c = {.game = game,
                                .gpu = gpu_open(game, device, NULL, error),
                                .states = LEAST_STATES,
                                .below = below,
                                .drop_finished = drop_finished,
                                .stride = memory_lines(game->state_size),
                                .progress = progress,
                                .context = context,
                                .error = error};
    if (!c.gpu || depth == 0) {
        gpu_close(c.gpu);
        return c.gpu;
    }
    int above = depth - below;
    bool ok = true;
    for (int i = 0; ok && i < BATCHES; i++)
        ok = (c.trips[i].batch = gpu_batch_new(c.gpu, MOST_STATES, error));
    c.line = aligned_alloc(64, c.stride * (size_t)(above + 1));
    c.moves = malloc((size_t)(above + 1) * MP_MAX_MOVES * sizeof *c.moves);
    if (ok && (!c.line || !c.moves))
        ok = mp_fail_with(error, MP_ERROR_MEMORY, "out of memory while counting moves");
    if (ok) {
        memcpy(c.line, mp_position_state(position), game->state_size);
        ok = count_all(&c, above);
    }
    *leaves = c.leaves;
    for (int i = 0; i < BATCHES; i++)
        gpu_batch_free(c.trips[i].batch);
    gpu_close(c.gpu);
    free(c.line);
    free(c.moves);
    return ok;
}

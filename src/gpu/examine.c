/* examine.c - is a device right, and how fast is it? */
#include "gpu/gpu.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

/* Two states that take turns. */
struct random_game {
    const struct mp_game *game;
    char *states[2];
    int at;
};

static bool board_init(struct random_game *board, const struct mp_game *game)
{
    size_t size = memory_lines(game->state_size);
    *board = (struct random_game){.game = game, .states = {aligned_alloc(64, size), aligned_alloc(64, size)}};
    return board->states[0] && board->states[1];
}

static void board_free(struct random_game *board)
{
    free(board->states[0]);
    free(board->states[1]);
}

static void *board_state(const struct random_game *board)
{
    return board->states[board->at];
}

/* Plays a random move; false: the game is over. */
static bool board_move(struct random_game *board, uint64_t *stream)
{
    const struct mp_game *game = board->game;
    mp_move moves[MP_MAX_MOVES];
    int count = game->list(game, board_state(board), moves, MP_MAX_MOVES);
    if (count == 0)
        return false;
    mp_move move = moves[random_below(random_next(stream), (uint32_t)count)];
    game->play(game, board_state(board), move, board->states[!board->at]);
    board->at = !board->at;
    return true;
}

int gpu_playout_here(const struct mp_game *game, const void *state, uint64_t seed)
{
    if (game->playout)
        return game->playout(game, state, seed);
    struct random_game board;
    int margin = 0, sign = 1;
    if (board_init(&board, game)) {
        memcpy(board_state(&board), state, game->state_size);
        while (board_move(&board, &seed))
            sign = -sign;
        margin = sign * game->margin(game, board_state(&board));
    }
    board_free(&board);
    return margin;
}

enum { PLAYOUTS = 3 }; /* of a position that is compared */

static bool compare_all(struct gpu_batch *batch, const char *states, size_t stride, int positions,
                        const struct mp_game *game, uint64_t seed, struct mp_error *error)
{
    for (int i = 0; i < positions; i++)
        gpu_batch_add(batch, states + (size_t)i * stride, random_at(seed, (uint64_t)i));
    if (!gpu_play(batch, PLAYOUTS, error) || !gpu_return(batch, error))
        return false;
    for (int i = 0; i < positions; i++) {
        int sum = 0;
        for (uint64_t p = 0; p < PLAYOUTS; p++)
            sum += gpu_playout_here(game, states + (size_t)i * stride,
                                    random_at(random_at(seed, (uint64_t)i), p));
        if (sum == gpu_sum(batch, i))
            continue;
        char text[128];
        game->print_position(game, states + (size_t)i * stride, text, sizeof text);
        return mp_fail(error, "from %.100s %d playouts come to %d on the device, expected %d as in C", text,
                       PLAYOUTS, (int)gpu_sum(batch, i), sum);
    }
    return true;
}

bool gpu_compare(struct gpu *gpu, int positions, uint64_t seed, struct mp_error *error)
{
    const struct mp_game *game = gpu_game(gpu);
    struct random_game board;
    size_t stride = memory_lines(game->state_size);
    char *states = aligned_alloc(64, (size_t)positions * stride);
    struct gpu_batch *batch = gpu_batch_new(gpu, positions, error);
    bool ok = batch != NULL;
    if (!board_init(&board, game) || !states)
        ok = mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    uint64_t stream = seed;
    bool over = true;
    for (int i = 0; ok && i < positions; i++) {
        if (over)
            game->initial(game, board_state(&board));
        memcpy(states + (size_t)i * stride, board_state(&board), game->state_size);
        over = !board_move(&board, &stream);
    }
    ok = ok && compare_all(batch, states, stride, positions, game, seed, error);
    gpu_batch_free(batch);
    board_free(&board);
    free(states);
    return ok;
}

/* ---- Speed ----------------------------------------------------------------------------------------------- */

/* Batches become larger as long as they are too short to be seen. */
enum { BATCHES = 4, FIRST_STATES = 32, MOST_STATES = 4096, EACH = 64 };
#define SHORT_SECONDS 0.002

struct race {
    struct gpu_batch *batches[BATCHES];
    int64_t sent_ns[BATCHES];
    int states; /* in the next batch */
    uint64_t sent, back, playouts;
};

static bool race_send(struct race *race, const void *state, struct mp_error *error)
{
    uint64_t at = race->sent++ % BATCHES;
    for (int i = 0; i < race->states; i++)
        gpu_batch_add(race->batches[at], state, random_at(race->sent, (uint64_t)i));
    race->playouts += (uint64_t)race->states * EACH;
    race->sent_ns[at] = clock_ns();
    return gpu_play(race->batches[at], EACH, error);
}

static bool race_fetch(struct race *race, struct mp_error *error)
{
    uint64_t at = race->back++ % BATCHES;
    if (!gpu_return(race->batches[at], error))
        return false;
    if (clock_seconds_since(race->sent_ns[at]) < SHORT_SECONDS && race->states < MOST_STATES)
        race->states *= 2;
    return true;
}

double gpu_measure(struct gpu *gpu, double seconds, struct mp_error *error)
{
    const struct mp_game *game = gpu_game(gpu);
    struct race race = {.states = FIRST_STATES};
    void *state = aligned_alloc(64, memory_lines(game->state_size));
    bool ok = state || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    for (int i = 0; ok && i < BATCHES; i++)
        ok = (race.batches[i] = gpu_batch_new(gpu, MOST_STATES, error));
    if (ok)
        game->initial(game, state);
    int64_t start = clock_ns();
    for (bool more = true; ok && (more || race.back < race.sent);) {
        more = race.sent == 0 || clock_seconds_since(start) < seconds;
        ok = more && race.sent - race.back < BATCHES ? race_send(&race, state, error)
                                                     : race_fetch(&race, error);
    }
    double rate = ok ? (double)race.playouts / clock_seconds_since(start) : 0;
    for (int i = 0; i < BATCHES; i++)
        gpu_batch_free(race.batches[i]);
    free(state);
    return rate;
}

/* perft.c - counts the lines of play to a depth, by the game's own counter where it has one. */
#include "search/perft.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Room for the moves of a line; a game that lists more than this cannot be counted. */
enum { MOVE_CAPACITY = 1 << 22 };

struct perft {
    const struct mp_game *game;
    bool drop_finished;
    bool full; /* the moves of a line did not fit */
    size_t stride;
    char *states;
    mp_move *moves;
    size_t top;
};

struct perft *perft_new(const struct mp_game *game, int depth, bool drop_finished)
{
    struct perft *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->game = game;
    p->drop_finished = drop_finished;
    p->stride = memory_lines(game->state_size);
    p->states = aligned_alloc(64, p->stride * (size_t)(2 * depth + 2));
    p->moves = memory_reserve(MOVE_CAPACITY * sizeof *p->moves);
    if (p->states && p->moves)
        return p;
    perft_free(p);
    return NULL;
}

void perft_free(struct perft *p)
{
    if (p) {
        free(p->states);
        memory_release(p->moves, MOVE_CAPACITY * sizeof *p->moves);
        free(p);
    }
}

/* Lists moves or outcomes on top of the stack. */
static int push_list(struct perft *p, const void *state, bool chance)
{
    const struct mp_game *game = p->game;
    int room = MOVE_CAPACITY - (int)p->top;
    int count = chance ? game->chances(game, state, p->moves + p->top, NULL, room)
                       : game->list(game, state, p->moves + p->top, room);
    if (count > room) {
        p->full = true;
        count = room;
    }
    p->top += (size_t)count;
    return count;
}

static uint64_t count_leaves(struct perft *p, int ply, int depth)
{
    const struct mp_game *game = p->game;
    void *state = p->states + (size_t)ply * p->stride;
    if (depth == 0)
        return 1;
    bool chance = game->chances && game->chances(game, state, NULL, NULL, 0) > 0;
    if (!chance && game->perft && !game->chances)
        return game->perft(game, state, depth, p->drop_finished);
    if (!chance && depth == 1 && game->count) {
        int count = game->count(game, state);
        return count ? (uint64_t)count : !p->drop_finished;
    }
    size_t first = p->top;
    int count = push_list(p, state, chance);
    uint64_t leaves = 0;
    if (count == 0)
        leaves = !p->drop_finished;
    else if (!chance && depth == 1)
        leaves = (uint64_t)count;
    else
        for (int i = 0; i < count; i++) {
            game->play(game, state, p->moves[first + (size_t)i], p->states + (size_t)(ply + 1) * p->stride);
            leaves += count_leaves(p, ply + 1, chance ? depth : depth - 1);
        }
    p->top = first;
    return leaves;
}

bool perft_count(struct perft *p, const void *state, int depth, uint64_t *leaves)
{
    memcpy(p->states, state, p->game->state_size);
    *leaves = count_leaves(p, 0, depth);
    return !p->full;
}

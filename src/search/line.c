/* line.c - makes a line, and puts it at the root of a search. */
#include "search/line.h"

#include "base/memory.h"

#include <stdlib.h>

bool line_init(struct line *line, const struct mp_game *game)
{
    *line = (struct line){.game = game, .stride = memory_lines(game->state_size)};
    line->states = aligned_alloc(64, line->stride * LINE_PLIES);
    return line->states;
}

void line_free(struct line *line)
{
    free(line->states);
    free(line->keys);
}

bool line_set_root(struct line *line, const void *state, const struct mp_history *history,
                   struct mp_error *error)
{
    memcpy(line->states, state, line->game->state_size);
    if (!line->game->drawn)
        return true;
    uint64_t *keys = realloc(line->keys, (history->count + LINE_PLIES) * sizeof *keys);
    if (!keys)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for the history of a game");
    line->keys = keys;
    line->keys_before = history->count;
    if (history->count)
        memcpy(keys, history->keys, history->count * sizeof *keys);
    return true;
}

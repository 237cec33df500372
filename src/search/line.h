/* line.h - the line a worker is on: the states from the root to the node being searched, and the keys of all states
 * that led there, the game's before the root included. */
#ifndef SEARCH_LINE_H
#define SEARCH_LINE_H

#include "manyply/manyply.h"

#include <string.h>

/* A line has at most one roll of the dice before each move, the horizon, and the root. */
enum { LINE_PLIES = 2 * MP_MAX_DEPTH + 2 };

struct line {
    const struct mp_game *game;
    char *states; /* the state at ply p is at p * stride */
    size_t stride;
    uint64_t *keys; /* of the game so far, then of the line; null if no rule looks back */
    size_t keys_before;
};

bool line_init(struct line *line, const struct mp_game *game);
void line_free(struct line *line);

/* Puts a position at ply 0. */
bool line_set_root(struct line *line, const void *state, const struct mp_history *history,
                   struct mp_error *error);

static inline void *line_state(const struct line *line, int ply)
{
    return line->states + (size_t)ply * line->stride;
}

/* Plays a move from ply to ply + 1. */
static inline void line_play(struct line *line, int ply, mp_move move)
{
    const struct mp_game *game = line->game;
    void *state = line_state(line, ply);
    if (line->keys)
        line->keys[line->keys_before + (size_t)ply] = game->key(game, state);
    game->play(game, state, move, line_state(line, ply + 1));
}

/* What led to ply. */
static inline struct mp_history line_history(const struct line *line, int ply)
{
    return (struct mp_history){line->keys, line->keys_before + (size_t)ply};
}

/* Is the game drawn at ply by a rule that looks back? */
static inline bool line_drawn(const struct line *line, int ply)
{
    if (!line->keys)
        return false;
    struct mp_history history = line_history(line, ply);
    return line->game->drawn(line->game, line_state(line, ply), &history);
}

/* The key of the state at ply in the table. What drawn() may look at is part of it where a search must be
 * exact. */
static inline uint64_t line_table_key(const struct line *line, int ply, bool with_history)
{
    const struct mp_game *game = line->game;
    const void *state = line_state(line, ply);
    uint64_t key = game->key(game, state);
    if (line->keys && with_history) {
        struct mp_history history = line_history(line, ply);
        key ^= game->history_key(game, state, &history);
    }
    return key;
}

/* Copies the state at ply, and the keys from ply `first` of the same line on. */
static inline void line_join(struct line *line, const struct line *other, int first, int ply)
{
    memcpy(line_state(line, ply), line_state(other, ply), line->game->state_size);
    if (line->keys) {
        size_t from = line->keys_before + (size_t)(first > 0 ? first : 0); /* all have those of the game */
        size_t to = line->keys_before + (size_t)ply;
        memcpy(line->keys + from, other->keys + from, (to - from) * sizeof *line->keys);
    }
}

#endif

/* perft.h - how many lines of play there are: the first test of every move generator. */
#ifndef SEARCH_PERFT_H
#define SEARCH_PERFT_H

#include "manyply/game.h"

/* A stack of states and moves for one thread. */
struct perft;

/* For trees of at most depth plies; null when there is no memory. */
struct perft *perft_new(const struct mp_game *game, int depth, bool drop_finished);
void perft_free(struct perft *perft);

/* The leaves depth plies below a state. A throw of dice is not a ply; each outcome counts once. False: a game
 * that lists millions of moves was too much. */
bool perft_count(struct perft *perft, const void *state, int depth, uint64_t *leaves);

#endif

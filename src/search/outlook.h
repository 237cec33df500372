/* outlook.h - what a network with five outputs expects of a state: of all games, the shares that are won, won at least
 * double, won triple, lost at least double and lost triple, as the side to move sees it. Players read them as wins,
 * gammons and backgammons. */
#ifndef SEARCH_OUTLOOK_H
#define SEARCH_OUTLOOK_H

#include "search/accumulators.h"

enum { OUTLOOK = NETWORK_MOST_OUTPUTS };

/* The same as the other player sees it; from and to may be one. */
void outlook_turn(const float from[OUTLOOK], float to[OUTLOOK]);

/* How a game has ended. */
void outlook_of_end(const struct mp_game *game, const void *state, float shares[OUTLOOK]);

/* Is the game over, so that there is neither a throw nor a move? */
bool outlook_is_over(const struct mp_game *game, const void *state);

/* Of the state at ply: what the network says, or how its game has ended. */
void outlook_at(struct accumulators *accumulators, const struct line *line, int ply, float shares[OUTLOOK]);

/* Plays the move at ply that looks best into the next ply; false: there is none. */
bool outlook_play_best(struct accumulators *accumulators, struct line *line, int ply);

/* The mean over so many throws from the state at ply on, after each of which the move that looks best is played. */
void outlook_ahead(struct accumulators *accumulators, struct line *line, int ply, int throws,
                   float shares[OUTLOOK]);

#endif

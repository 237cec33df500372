/* chances.h - wins, gammons and backgammons after a move, as players read them. */
#ifndef LAB_CHANCES_H
#define LAB_CHANCES_H

#include "search/outlook.h"

/* Can they be told: is the evaluation a network with five outputs, and is no cube in use, which makes two points of a plain
 * game? */
bool chances_are_told(const struct mp_strategy *strategy);

/* Is there a network of the game in the library? */
bool chances_have_network(const struct mp_game *game);

/* The shares of games, for the side to move, after a move that a search of so many plies has found, both sides then playing
 * what looks best; at most two throws are looked at. For strategies by which they are told. */
bool chances_after(const struct mp_strategy *strategy, const struct mp_position *position, mp_move move,
                   int depth, double shares[OUTLOOK], struct mp_error *error);

/* What they come to in points. */
double chances_equity(const double shares[OUTLOOK]);

#endif

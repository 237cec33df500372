/* horizon.h - the six heuristics of a report on alpha-beta with a moving horizon (Brouthen and Akeb,
 * "MinMax (Alpha/Beta) for Chess"). */
#ifndef GAMES_CHESS_HORIZON_H
#define GAMES_CHESS_HORIZON_H

#include "games/chess/chess.h"

/* The value of heuristic 0 to 5, White minus Black, on the report's scale of -100 to 100. */
int chess_horizon_base(const struct chess *s, int number);
int chess_horizon_v3(const struct chess *s, int number);
int chess_horizon_v4(const struct chess *s, int number);

#endif

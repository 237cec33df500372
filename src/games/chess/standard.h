/* standard.h - the evaluation `standard`, and a look inside it. */
#ifndef GAMES_CHESS_STANDARD_H
#define GAMES_CHESS_STANDARD_H

#include "games/chess/chess.h"

/* chess_standard: the value for the side to move. chess_trace: how often each term of terms.h occurs, White
 * minus Black, added to counts; returns the sum of weight times count. */
#define CHESS_LEVEL(suffix)                                                                                  \
    mp_value chess_standard##suffix(const struct chess *s);                                                  \
    int32_t chess_trace##suffix(const struct chess *s, int16_t *counts);                                     \
    extern const struct mp_tuning chess_tuning##suffix;
CHESS_LEVEL(_base)
CHESS_LEVEL(_v3)
CHESS_LEVEL(_v4)
#undef CHESS_LEVEL

#endif

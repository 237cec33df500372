/* strategies.h - the strategies that promise what plain minimax says, for the tests that hold them to it. */
#ifndef TESTS_STRATEGIES_H
#define TESTS_STRATEGIES_H

#include "manyply/manyply.h"

#define NOTHING_SELECTIVE                                                                                    \
    "selective=on,quiescence=off,exchange=off,nullmove=off,lmr=off,rfp=off,futility=off,lmp=off,checks=off," \
    "iir=off,deeper=off,repetition=off,correction=off,probcut=off"

/* Null-terminated; %d is the number of threads. */
extern const char *const exact_strategies[];

/* Is the strategy for such a game? Some are for dice only. */
bool strategy_suits(const char *strategy, const struct mp_game *game);

/* Writes a strategy with its number of threads filled in. */
void strategy_fill_in(const char *strategy, int threads, char *text, size_t size);

#endif

/* thinking.h - what the players thought in a game: the columns of the report on moving horizons. */
#ifndef LAB_THINKING_H
#define LAB_THINKING_H

#include "lab/results.h"
#include "lab/statistics.h"

/* What one side thought in one game. */
struct thinking {
    struct spread alternatives, mean_depth, max_depth, score;
    uint64_t alpha_cuts, beta_cuts;
};

/* Of both sides of a stored game. */
bool thinking_of(struct results *results, int64_t game, struct thinking sides[2], struct mp_error *error);

#endif

/* algorithms.h - the algorithms, one file each. */
#ifndef SEARCH_ALGORITHMS_H
#define SEARCH_ALGORITHMS_H

#include "search/settings.h"

search_function random_move, minimax, alphabeta, pvs, selective, horizon;
search_function expectiminimax, star1, star2, rollout;
search_function report_minimax, report_alphabeta, report_horizon;

static inline bool is_random(const struct algorithm *a)
{
    return a->search == random_move;
}
static inline bool is_horizon(const struct algorithm *a)
{
    return a->search == horizon;
}
static inline bool is_rollout(const struct algorithm *a)
{
    return a->search == rollout;
}

#endif

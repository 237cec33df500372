/* algorithms.h - the search functions of the algorithms, one file each. */
#ifndef SEARCH_ALGORITHMS_H
#define SEARCH_ALGORITHMS_H

#include "search/settings.h"

search_function random_move, minimax, alphabeta, pvs, selective, horizon;
search_function expectiminimax, star1, star2, rollout;
search_function report_minimax, report_alphabeta;

#endif

/* yardstick.h - see yardstick.c. */
#ifndef BENCH_YARDSTICK_H
#define BENCH_YARDSTICK_H

#include "games/othello/othello.h"
#include "manyply/manyply.h"

typedef mp_value yardstick_function(const struct othello *state, int depth, struct mp_counters *counters);
yardstick_function search_positional_base, search_positional_v3, search_positional_v4;
yardstick_function search_discs_base, search_discs_v3, search_discs_v4;

#endif

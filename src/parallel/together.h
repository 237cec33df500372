/* together.h - all workers search the root at once, each for itself, and meet in the transposition table. */
#ifndef PARALLEL_TOGETHER_H
#define PARALLEL_TOGETHER_H

#include "parallel/crew.h"

/* Worker i searches depth + extra(i) plies; the first that finishes the depth asked for (extra 0) ends the
 * others. */
bool together_iterate(struct crew *crew, int depth, int (*extra)(int task), const struct iteration *previous,
                      struct iteration *found);

#endif

/* perft_pool.h - perft on several threads. */
#ifndef PARALLEL_PERFT_POOL_H
#define PARALLEL_PERFT_POOL_H

#include "manyply/manyply.h"

bool parallel_perft(const struct mp_game *game, const void *state, int depth, int threads, bool drop_finished,
                    mp_perft_progress progress, void *context, uint64_t *leaves, struct mp_error *error);

#endif

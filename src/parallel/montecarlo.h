/* montecarlo.h - a Monte-Carlo search from the first iteration to the last, on one thread or many. */
#ifndef PARALLEL_MONTECARLO_H
#define PARALLEL_MONTECARLO_H

#include "parallel/strategy.h"

/* Makes the trees of a crew whose workers and scheme are known. */
bool montecarlo_init(struct crew *crew, const struct mp_game *game, const struct strategy *strategy,
                     struct mp_error *error);
void montecarlo_free(struct crew *crew);

/* The next run begins with new trees; nothing where there are none. */
void montecarlo_forget(struct crew *crew);

/* Searches the root that the workers have until this many iterations have been made or a limit is reached,
 * and fills move, value, depth, line, exact and stopped. After the first iterations, and whenever their
 * number has doubled, report(report_context) may look at the result, once for each of this many best
 * lines. */
bool montecarlo_run(struct crew *crew, uint64_t iterations, int lines, void (*report)(void *report_context),
                    void *report_context, struct mp_result *result, struct mp_error *error);

#endif

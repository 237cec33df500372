/* measure.h - the speed-up table of the position on the board: strategies on threads, round by round. */
#ifndef SERVER_MEASURE_H
#define SERVER_MEASURE_H

#include "manyply/manyply.h"

#include <jansson.h>

struct bench_stop;
struct search_limit;

/* Checks what a page asks for (strategies, threads, seconds); null: refused. */
json_t *measure_plan(const json_t *request, struct mp_error *error);

/* Measures, within the memory that there is, until it is done or stopped; show is given the news, which it owns, and says whether to go on. The last news
 * have running = false. */
void measure_run(const struct mp_game *game, struct mp_position *position, const json_t *plan,
                 struct search_limit *limit, struct bench_stop *stop,
                 bool (*show)(void *context, json_t *news), void *context);

#endif

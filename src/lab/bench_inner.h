/* bench_inner.h - what the files of a benchmark share: bench_rows.c says what is run, bench_search.c runs it once,
 * bench_depths.c chooses positions and depths, bench.c runs the rounds and sums them up. */
#ifndef LAB_BENCH_INNER_H
#define LAB_BENCH_INNER_H

#include "lab/bench.h"

/* ---- bench_rows.c ---------------------------------------------------------------------------------- */

/* The strategy with a key changed (null: not given any more), as text. */
bool bench_change_key(const struct mp_game *game, char strategy[BENCH_TEXT], const char *key,
                      const char *value, struct mp_error *error);
bool bench_set_number(const struct mp_game *game, char strategy[BENCH_TEXT], const char *key, int number,
                      struct mp_error *error);

/* Puts a strategy on the virtual machine of the benchmark, where a node costs this much (0: the usual). */
bool bench_set_costs(const struct bench *bench, char strategy[BENCH_TEXT], double node_ns,
                     struct mp_error *error);

/* Cuts a key out of a text, to show what is left. */
void bench_drop_key(char *strategy, const char *key);

/* The rows of a plan, each sequential one followed by what belongs to it. */
bool bench_make_rows(struct bench *bench, const struct bench_plan *plan, struct mp_error *error);

/* ---- bench_search.c -------------------------------------------------------------------------------- */

/* Runs a search that can be stopped by the plan's stop, if it has one. False, with an error: it was stopped, or could not run. */
bool bench_search(struct bench_stop *stop, struct mp_search *search, const struct mp_position *position,
                  mp_progress progress, void *context, struct mp_result *result, struct mp_error *error);

/* False, with an error: the benchmark is to end. */
bool bench_is_wanted(struct bench_stop *stop, struct mp_error *error);

/* Runs a row on a position. An exact search must find the value that the sequential one found. */
bool bench_run_row(struct bench *bench, struct bench_stop *stop, int row, int position,
                   struct bench_sample *sample, struct mp_error *error);

/* ---- bench_depths.c -------------------------------------------------------------------------------- */

/* Says how far it is; false, with an error: nobody wants to know any more. */
bool bench_goes_on(const struct bench_plan *plan, const char *doing, double share, struct mp_error *error);

/* Takes the positions of the plan, or random ones, and chooses depths for them if the plan wants that. */
bool bench_choose(struct bench *bench, const struct bench_plan *plan, struct mp_error *error);

#endif

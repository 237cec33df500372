/* bench_print.h - a benchmark for people (table, plots) and for programs (JSON, CSV). */
#ifndef LAB_BENCH_PRINT_H
#define LAB_BENCH_PRINT_H

#include "lab/bench.h"

#include <jansson.h>

/* At most 100 columns wide. */
void bench_print_table(const struct bench *bench, FILE *out);

/* Each search against the first one on as many threads; nothing if there is none. */
void bench_print_comparisons(const struct bench *bench, FILE *out);

/* Speed-up by threads for each algorithm that has parallel rows. */
void bench_print_plots(const struct bench *bench, FILE *out, int columns, bool unicode);

/* The same as files DIRECTORY/GAME-ALGORITHM.svg; the directory is made if it is missing. */
bool bench_write_svg(const struct bench *bench, const char *directory, struct mp_error *error);

/* All results and all samples; machine is what machine_json said, and is taken over. */
json_t *bench_json(const struct bench *bench, json_t *machine);

/* One line for each sample, after comments that say what it was measured with. */
bool bench_write_csv(const struct bench *bench, const json_t *machine, const char *path,
                     struct mp_error *error);

#endif

/* compare.h - did a program become faster or slower? Or is a strategy, beside another? Two sets of
 * times, one verdict. */
#ifndef LAB_COMPARE_H
#define LAB_COMPARE_H

#include "lab/bench.h"

#include <jansson.h>

enum comparison { SAME, FASTER, SLOWER, TOO_FEW };

/* A difference counts when the sign test (statistics.h) finds it less probable than this by chance, and when
 * it is large enough not to come from where the memory of a process happened to lie. */
#define COMPARE_LEVEL 0.05
#define COMPARE_LEAST 0.02
enum { COMPARE_LEAST_ROUNDS = 6 }; /* fewer cannot reach the level */

struct comparison_result {
    enum comparison verdict; /* of the second */
    double ratio;            /* time of the second / time of the first */
    double p;
};

/* What times[round * positions + position] say, the same number of rounds and positions of both, each round
 * of the second measured just after or before that of the first. All are positive. */
struct comparison_result compare_times(const double *first, const double *second, int rounds, int positions);

/* What two rows of a benchmark say: CPU time if both are sequential, because then other programs count
 * less. */
struct comparison_result compare_rows(const struct bench *bench, int first, int second);

/* One line for each row that two benchmarks (files of `bench --json`) have in common. The verdicts are added
 * to list, a JSON array. False: they cannot be compared. */
bool compare_files(const char *first, const char *second, json_t *list, struct mp_error *error);

const char *comparison_name(enum comparison verdict);

#endif

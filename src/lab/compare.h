/* compare.h - did a program become faster or slower? Two sets of times, one verdict. */
#ifndef LAB_COMPARE_H
#define LAB_COMPARE_H

#include "manyply/game.h"

#include <jansson.h>

enum comparison { SAME, FASTER, SLOWER, TOO_FEW };

/* A difference counts when Mann and Whitney's rank-sum test finds it less probable than this by chance, and
 * when it is large enough not to come from where the memory of a process happened to lie. */
#define COMPARE_LEVEL 0.02
#define COMPARE_LEAST 0.02
enum { COMPARE_LEAST_ROUNDS = 5 };

struct comparison_result {
    enum comparison verdict; /* of the second */
    double ratio;            /* time of the second / time of the first, of the medians */
    double p;
};

/* One time for each round. */
struct comparison_result compare_times(const double *first, int first_count, const double *second,
                                       int second_count);

/* One line for each row that two benchmarks (files of `bench --json`) have in common. The verdicts are added
 * to list, a JSON array. False: they cannot be compared. */
bool compare_files(const char *first, const char *second, json_t *list, struct mp_error *error);

const char *comparison_name(enum comparison verdict);

#endif

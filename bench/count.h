/* count.h - the one kind of argument that benchmarks take. */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

/* Argument i as a count, or the usual one where it is missing. What is no count ends the program. */
static inline int count_argument(int argc, char **argv, int i, int usual)
{
    int64_t count = usual;
    if (argc > i && !text_to_int(argv[i], 1, 1000000, &count)) {
        fprintf(stderr, "%s: \"%s\" is not a count from 1 to 1000000\n", argv[0], argv[i]);
        exit(2);
    }
    return (int)count;
}

#endif

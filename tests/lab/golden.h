/* golden.h - compares what was printed with a file of tests/lab/golden. With MANYPLY_REWRITE in the
 * environment the file is written instead. */
#ifndef TESTS_LAB_GOLDEN_H
#define TESTS_LAB_GOLDEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static inline void check_golden(const char *name, const char *printed)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", GOLDEN, name);
    if (getenv("MANYPLY_REWRITE")) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(printed, file);
        fclose(file);
        return;
    }
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("there is no %s", path);
    static char expected[1 << 16];
    expected[fread(expected, 1, sizeof expected - 1, file)] = 0;
    fclose(file);
    assert_string_equal(printed, expected);
}

#endif

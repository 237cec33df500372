/* test.h - what all unit tests include: cmocka, and a check for pieces of text. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define assert_contains(text, part)                                                                          \
    do {                                                                                                     \
        if (!strstr(text, part))                                                                             \
            fail_msg("'%s' does not contain '%s'", text, part);                                              \
    } while (0)

#endif

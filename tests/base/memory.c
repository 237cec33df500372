/* memory.c - sizes in cache lines, and lists that grow one by one. */
#include "base/memory.h"

#include "tests/support/test.h"

static void sizes_are_whole_lines(void **state)
{
    (void)state;
    assert_int_equal(memory_lines(0), 0);
    assert_int_equal(memory_lines(1), 64);
    assert_int_equal(memory_lines(64), 64);
    assert_int_equal(memory_lines(65), 128);
}

/* Under AddressSanitizer a list that is too short is seen; the values show that it moves as a whole. */
static void lists_keep_what_they_have(void **state)
{
    (void)state;
    enum { MOST = 1000 };
    int *list = NULL;
    for (int round = 0; round < 2; round++) /* once more from nothing, with the old list */
        for (int count = 0; count < MOST; count++) {
            int *grown = memory_grow(list, count, sizeof *grown);
            assert_non_null(grown);
            list = grown;
            list[count] = count + round;
            assert_int_equal(list[0], round);
            assert_int_equal(list[count / 2], count / 2 + round);
        }
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_whole_lines),
        cmocka_unit_test(lists_keep_what_they_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

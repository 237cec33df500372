/* random.c - the random numbers are those of Philox, and so the same on every machine. */
#include "tests/support/test.h"

#include "base/random.h"

/* Known answers that are published with Random123 for Philox 4x32-10. */
static void blocks_are_philox(void **state)
{
    (void)state;
    uint32_t block[4];
    random_block(0, 0, 0, block);
    const uint32_t zeros[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    assert_memory_equal(block, zeros, sizeof block);
    random_block(UINT64_MAX, UINT64_MAX, UINT64_MAX, block);
    const uint32_t ones[4] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    assert_memory_equal(block, ones, sizeof block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_philox),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}

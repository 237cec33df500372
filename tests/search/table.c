/* table.c - the transposition table: what is stored is found, what is torn is not. */
#include "tests/support/test.h"

#include "base/random.h"
#include "search/table.h"

#include <pthread.h>

static void finds_what_was_stored(void **state)
{
    (void)state;
    struct table *table = table_new(1, 1);
    assert_non_null(table);
    struct table_entry found;
    assert_false(table_probe(table, 12345, &found));
    const mp_value values[] = {0, 1, -1, 100, -MP_PROVEN - 64, MP_PROVEN + MP_MAX_PLY, MP_INFINITE - 1};
    for (uint64_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct table_entry entry = {values[i], (uint16_t)(i * 9999), (uint8_t)(255 - i), BOUND_EXACT, i % 2};
        table_store(table, random_mix(i), entry);
        assert_true(table_probe(table, random_mix(i), &found));
        assert_int_equal(found.value, entry.value);
        assert_int_equal(found.move, entry.move);
        assert_int_equal(found.depth, entry.depth);
        assert_int_equal(found.bound, entry.bound);
        assert_int_equal(found.complete, entry.complete);
    }
    /* The same position again replaces its own entry. */
    table_store(table, 7, (struct table_entry){1, 1, 20, BOUND_LOWER, false});
    table_store(table, 7, (struct table_entry){2, 2, 3, BOUND_UPPER, false});
    assert_true(table_probe(table, 7, &found));
    assert_int_equal(found.value, 2);
    assert_int_equal(found.depth, 3);
    table_free(table);
}

/* Every bit of a key counts, be it for the bucket or for the entry. */
static void other_keys_are_not_found(void **state)
{
    (void)state;
    struct table *table = table_new(1, 1);
    struct table_entry found;
    const uint64_t key = UINT64_C(0x123456789abcdef0);
    table_store(table, key, (struct table_entry){-7, 3, 5, BOUND_EXACT, false});
    assert_true(table_probe(table, key, &found));
    for (int bit = 0; bit < 64; bit++)
        if (table_probe(table, key ^ UINT64_C(1) << bit, &found))
            fail_msg("found with bit %d changed", bit);
    table_free(table);
}

/* Keys that share a bucket: the shallow ones of earlier runs go first. */
static void keeps_the_deep_and_the_new(void **state)
{
    (void)state;
    struct table *table = table_new(1, 1);
    struct table_entry found;
    for (uint64_t key = 1; key <= 4; key++)
        table_store(table, key, (struct table_entry){0, 0, (uint8_t)(10 * key), BOUND_EXACT, false});
    table_store(table, 5, (struct table_entry){0, 0, 15, BOUND_EXACT, false});
    assert_false(table_probe(table, 1, &found));
    for (uint64_t key = 2; key <= 5; key++)
        assert_true(table_probe(table, key, &found));
    for (int run = 0; run < 4; run++)
        table_new_run(table);
    table_store(table, 2, (struct table_entry){0, 0, 20, BOUND_EXACT, false}); /* seen again in this run */
    table_store(table, 6, (struct table_entry){0, 0, 1, BOUND_EXACT, false});
    assert_true(table_probe(table, 2, &found));
    assert_true(table_probe(table, 6, &found));
    assert_false(table_probe(table, 5, &found));
    table_free(table);
}

/* A table that is full enough grows, up to what it may, and knows what it knew. */
static void grows_and_keeps(void **state)
{
    (void)state;
    enum { ENTRIES = 30000 };
    atomic_bool stop = false;
    struct table *table = table_new(1, 6), *fixed = table_new(1, 1);
    struct table_entry found;
    table_grow(table, &stop); /* empty: nothing happens */
    for (uint64_t i = 0; i < ENTRIES; i++) {
        struct table_entry entry = {(mp_value)i, (uint16_t)i, (uint8_t)(i % 200), BOUND_EXACT, i % 2};
        table_store(table, random_mix(i), entry);
        table_store(fixed, random_mix(i), entry);
    }
    int fill = table_fill(table);
    assert_in_range(fill, 350, 600);
    table_grow(table, &stop);
    table_grow(fixed, &stop);
    assert_in_range(table_fill(table), fill / 8, fill / 2);
    assert_int_equal(table_fill(fixed), fill);
    for (uint64_t i = 0; i < ENTRIES; i++) {
        bool kept = table_probe(fixed, random_mix(i), &found); /* some had to give way before */
        assert_int_equal(table_probe(table, random_mix(i), &found), kept);
        assert_true(!kept || (found.value == (mp_value)i && found.complete == i % 2));
    }
    /* Told to stop it may lose entries, but never mix them up. */
    for (uint64_t i = 0; i < 8 * ENTRIES; i++)
        table_store(table, random_mix(i), (struct table_entry){(mp_value)i, 0, 1, BOUND_EXACT, false});
    stop = true;
    table_grow(table, &stop);
    for (uint64_t i = 0; i < 8 * ENTRIES; i++)
        assert_true(!table_probe(table, random_mix(i), &found) || found.value == (mp_value)i);
    table_free(table);
    table_free(fixed);
}

static void refuses_what_memory_cannot_hold(void **state)
{
    (void)state;
    assert_null(table_new((size_t)1 << 40, 0));
}

enum { WRITERS = 4, ROUNDS = 200000, KEYS = 8 };

/* All writers hammer one bucket; whatever a probe returns must be an entry that was stored for that key. */
static void *hammer(void *argument)
{
    struct table *table = argument;
    static _Atomic uint64_t seeds;
    uint64_t stream = random_mix(++seeds);
    intptr_t wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t key = random_next(&stream) % KEYS + 1;
        struct table_entry found,
            entry = {(mp_value)(key * 1000), (uint16_t)key, (uint8_t)(key * 3), BOUND_LOWER, false};
        if (random_next(&stream) & 1)
            table_store(table, key, entry);
        else if (table_probe(table, key, &found))
            wrong += found.value != entry.value || found.move != entry.move || found.depth != entry.depth;
    }
    return (void *)wrong;
}

static void rejects_torn_entries(void **state)
{
    (void)state;
    struct table *table = table_new(1, 1);
    pthread_t threads[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, table), 0);
    for (int i = 0; i < WRITERS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_int_equal((intptr_t)wrong, 0);
    }
    table_free(table);
}

/* A line comes from another core once after it was written there; what the own core wrote, or all have seen, is here. */
static void lines_move_from_core_to_core(void **state)
{
    (void)state;
    struct table *table = table_new(1, 1);
    struct table_lines *lines = table_watch(table);
    struct table_entry entry = {1, 2, 3, BOUND_EXACT, false};
    assert_non_null(lines);
    static const struct {
        int thread;
        bool stores;
        uint64_t moved; /* so far */
    } steps[] = {{0, false, 0},  {0, true, 0}, {0, false, 0},   {1, false, 1}, {1, false, 1}, {2, false, 1},
                 {255, true, 1}, {0, true, 2}, {255, false, 3}, {0, false, 3}, {0, true, 3},  {0, true, 3}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        lines->thread = steps[i].thread;
        if (steps[i].stores)
            table_store(table, 7, entry);
        else
            table_probe(table, 7, &entry);
        if (lines->moved != steps[i].moved)
            fail_msg("step %zu: %llu lines have moved, expected %llu", i, (unsigned long long)lines->moved,
                     (unsigned long long)steps[i].moved);
    }
    table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_stored),           cmocka_unit_test(other_keys_are_not_found),
        cmocka_unit_test(keeps_the_deep_and_the_new),      cmocka_unit_test(grows_and_keeps),
        cmocka_unit_test(refuses_what_memory_cannot_hold), cmocka_unit_test(rejects_torn_entries),
        cmocka_unit_test(lines_move_from_core_to_core),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}

/* table.c - the buckets of the transposition table: probe, replace, clear and grow. */
#include "search/table.h"

#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAYS = 4, AGES = 32 };

struct slot {
    _Atomic uint64_t check; /* key ^ data */
    _Atomic uint64_t data;  /* value 32, move 16, depth 8, age 5, complete 1, bound 2 bits, from the top */
};

struct bucket {
    _Alignas(64) struct slot slots[WAYS];
};
_Static_assert(sizeof(struct bucket) == 64, "a bucket is one cache line");

struct table {
    struct bucket *buckets;
    size_t count;              /* of those that are in use */
    size_t most;               /* that can be */
    _Atomic uint64_t age;      /* of this run; written between runs, and a number by itself: relaxed */
    struct table_lines *lines; /* null: nobody asks where they are */
};

static inline uint64_t load(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

static uint64_t pack(struct table_entry e, uint64_t age)
{
    return (uint64_t)(uint32_t)e.value << 32 | (uint64_t)e.move << 16 | (uint64_t)e.depth << 8 | age << 3 |
           (uint64_t)e.complete << 2 | e.bound;
}

static struct table_entry unpack(uint64_t data)
{
    return (struct table_entry){
        .value = (mp_value)(uint32_t)(data >> 32),
        .move = (uint16_t)(data >> 16),
        .depth = (uint8_t)(data >> 8),
        .bound = data & 3,
        .complete = data >> 2 & 1,
    };
}

static size_t machine_megabytes(void)
{
    return ((size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE)) >> 20;
}

size_t table_most_megabytes(void)
{
    const size_t share = machine_megabytes() / 8, most = 256;
    return share < most ? share : most;
}

struct table *table_new(size_t megabytes, size_t most_megabytes)
{
    struct table *table = megabytes < machine_megabytes() ? calloc(1, sizeof *table) : NULL;
    if (!table)
        return NULL;
    const size_t per_megabyte = ((size_t)1 << 20) / sizeof(struct bucket);
    table->count = megabytes * per_megabyte;
    table->most = most_megabytes > megabytes ? most_megabytes * per_megabyte : table->count;
    table->buckets = memory_reserve(table->most * sizeof *table->buckets);
    if (!table->buckets) {
        free(table);
        return NULL;
    }
    madvise(table->buckets, table->most * sizeof *table->buckets, MADV_HUGEPAGE);
    return table;
}

/* An entry of zeros has no bound. A table that has grown stays as it is. */
void table_clear(struct table *table, int part, int parts)
{
    size_t first = table->count * (size_t)part / (size_t)parts;
    size_t end = table->count * (size_t)(part + 1) / (size_t)parts;
    memset(table->buckets + first, 0, (end - first) * sizeof *table->buckets);
    if (part == 0)
        atomic_store_explicit(&table->age, 0, memory_order_relaxed);
}

struct table_lines *table_watch(struct table *table)
{
    struct table_lines *lines = calloc(1, sizeof *lines);
    if (lines)
        lines->writers = memory_reserve(table->most * sizeof *lines->writers);
    if (lines && !lines->writers) {
        free(lines);
        lines = NULL;
    }
    return table->lines = lines;
}

/* A line that another core wrote comes from there; it is this core's when it writes, and everybody's when it reads. */
static void touch(const struct table *table, const struct bucket *bucket, bool writes)
{
    struct table_lines *lines = table->lines;
    uint16_t *writer = &lines->writers[bucket - table->buckets], own = (uint16_t)(lines->thread + 1);
    if (*writer && *writer != own) {
        lines->moved++;
        *writer = 0;
    }
    if (writes)
        *writer = own;
}

void table_free(struct table *table)
{
    if (table) {
        if (table->lines)
            memory_release(table->lines->writers, table->most * sizeof *table->lines->writers);
        free(table->lines);
        memory_release(table->buckets, table->most * sizeof *table->buckets);
        free(table);
    }
}

void table_new_run(struct table *table)
{
    atomic_store_explicit(&table->age, (load(&table->age) + 1) % AGES, memory_order_relaxed);
}

/* The key's high bits, scaled to the number of buckets: any size will do. */
static struct bucket *bucket_of(const struct table *table, uint64_t key)
{
    __extension__ typedef unsigned __int128 wide;
    return &table->buckets[(size_t)(((wide)key * table->count) >> 64)];
}

void table_prefetch(const struct table *table, uint64_t key)
{
    __builtin_prefetch(bucket_of(table, key));
}

int table_fill(const struct table *table)
{
    enum { SAMPLE = 250 };
    int used = 0;
    for (size_t b = 0; b < SAMPLE && b < table->count; b++)
        for (int i = 0; i < WAYS; i++) {
            uint64_t data = load(&table->buckets[b].slots[i].data);
            used += (data & 3) != BOUND_NONE && (data >> 3) % AGES == load(&table->age);
        }
    return used;
}

bool table_probe(const struct table *table, uint64_t key, struct table_entry *entry)
{
    const struct bucket *bucket = bucket_of(table, key);
    if (table->lines)
        touch(table, bucket, false);
    for (int i = 0; i < WAYS; i++) {
        uint64_t data = load(&bucket->slots[i].data);
        if ((load(&bucket->slots[i].check) ^ data) == key && (data & 3) != BOUND_NONE) {
            *entry = unpack(data);
            return true;
        }
    }
    return false;
}

/* Puts a slot into the first that is free of a bucket where it belongs now. */
static void move_slot(const struct table *table, uint64_t check, uint64_t data)
{
    struct bucket *bucket = bucket_of(table, check ^ data);
    for (int i = 0; i < WAYS; i++)
        if (load(&bucket->slots[i].data) == 0) {
            atomic_store_explicit(&bucket->slots[i].data, data, memory_order_relaxed);
            atomic_store_explicit(&bucket->slots[i].check, check, memory_order_relaxed);
            return;
        }
}

/* Where the number of buckets is n times what it was, what was in bucket b belongs to one of n * b to n * b +
 * n - 1; so from the last to the first nothing is written over that has not been moved. */
void table_grow(struct table *table, const atomic_bool *stop)
{
    enum { FULL_ENOUGH = 250, TIMES = 4, BETWEEN_LOOKS = 1 << 12 };
    if (table->count == table->most || table_fill(table) < FULL_ENOUGH)
        return;
    size_t before = table->count;
    table->count = before * TIMES < table->most ? before * TIMES : table->most;
    table->count -= table->count % before; /* a whole number of times */
    if (table->lines)
        memset(table->lines->writers, 0, before * sizeof *table->lines->writers);
    for (size_t b = before; b-- > 0;) {
        struct bucket *bucket = &table->buckets[b];
        uint64_t words[2 * WAYS];
        for (int i = 0; i < WAYS; i++) {
            words[2 * i] = load(&bucket->slots[i].check);
            words[2 * i + 1] = load(&bucket->slots[i].data);
        }
        memset((void *)bucket, 0, sizeof *bucket);
        for (int i = 0; i < WAYS; i++)
            if (words[2 * i + 1])
                move_slot(table, words[2 * i], words[2 * i + 1]);
        if (b % BETWEEN_LOOKS == 0 && atomic_load_explicit(stop, memory_order_relaxed))
            return;
    }
}

void table_store(struct table *table, uint64_t key, struct table_entry entry)
{
    struct bucket *bucket = bucket_of(table, key);
    struct slot *victim = NULL;
    const uint64_t now = load(&table->age);
    int least = 0;
    if (table->lines)
        touch(table, bucket, true);
    for (int i = 0; i < WAYS; i++) {
        struct slot *slot = &bucket->slots[i];
        uint64_t data = load(&slot->data);
        if ((load(&slot->check) ^ data) == key) {
            /* What is known to the end of the game outlives a look that was shorter. */
            struct table_entry old = unpack(data);
            if (old.complete && !entry.complete && old.depth > entry.depth)
                return;
            victim = slot;
            break;
        }
        /* Worth keeping: deep entries of this run. */
        int age = (int)((now - (data >> 3)) % AGES);
        int worth = (data & 3) == BOUND_NONE ? -1024 : (int)(data >> 8 & 0xff) - 8 * age;
        if (!victim || worth < least) {
            victim = slot;
            least = worth;
        }
    }
    uint64_t data = pack(entry, now);
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
    atomic_store_explicit(&victim->check, key ^ data, memory_order_relaxed);
}

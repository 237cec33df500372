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
    size_t count, bytes;
    _Atomic uint64_t age; /* of this run; written between runs, and a number by itself: relaxed */
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

struct table *table_new(size_t megabytes)
{
    size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    struct table *table = megabytes < memory >> 20 ? calloc(1, sizeof *table) : NULL;
    if (!table)
        return NULL;
    table->bytes = megabytes << 20;
    table->count = table->bytes / sizeof(struct bucket);
    table->buckets = memory_reserve(table->bytes);
    if (!table->buckets) {
        free(table);
        return NULL;
    }
    madvise(table->buckets, table->bytes, MADV_HUGEPAGE);
    return table;
}

/* An entry of zeros has no bound. */
void table_clear(struct table *table, int part, int parts)
{
    size_t first = table->count * (size_t)part / (size_t)parts;
    size_t end = table->count * (size_t)(part + 1) / (size_t)parts;
    memset(table->buckets + first, 0, (end - first) * sizeof *table->buckets);
    if (part == 0)
        atomic_store_explicit(&table->age, 0, memory_order_relaxed);
}

void table_free(struct table *table)
{
    if (table) {
        memory_release(table->buckets, table->bytes);
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
    for (int i = 0; i < WAYS; i++) {
        uint64_t data = load(&bucket->slots[i].data);
        if ((load(&bucket->slots[i].check) ^ data) == key && (data & 3) != BOUND_NONE) {
            *entry = unpack(data);
            return true;
        }
    }
    return false;
}

void table_store(struct table *table, uint64_t key, struct table_entry entry)
{
    struct bucket *bucket = bucket_of(table, key);
    struct slot *victim = NULL;
    const uint64_t now = load(&table->age);
    int least = 0;
    for (int i = 0; i < WAYS; i++) {
        struct slot *slot = &bucket->slots[i];
        uint64_t data = load(&slot->data);
        if ((load(&slot->check) ^ data) == key) {
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

/* table.h - the transposition table: what is already known of a position.
 *
 * Shared by all workers of a run, without locks. An entry is two words, data and key ^ data, each read and
 * written with relaxed order. Two threads may write the same entry at once, and a reader may see the words
 * of different writes; then the XOR does not give back the key, and the entry is not used (Hyatt and Mann
 * 2002). No entry points to anything, so nothing has to be published before it: relaxed order suffices.
 * A probe returns a copy. */
#ifndef SEARCH_TABLE_H
#define SEARCH_TABLE_H

#include "manyply/game.h"

struct table;

enum bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT };

struct table_entry {
    mp_value value; /* distances counted from this position */
    uint16_t move;  /* the low bits of the best move; meaningful unless bound is BOUND_UPPER */
    uint8_t depth;
    uint8_t bound;
};

/* Null when there is no memory. The table is empty, but its memory has not been touched yet: table_clear does
 * that too, and should, because to find a fresh huge page takes the system up to 20 ms (measured), which a
 * search that has been told to stop does not have. */
struct table *table_new(size_t megabytes);

/* Empties one of so many parts of the table. Different threads may clear different parts at once,
 * between runs. */
void table_clear(struct table *table, int part, int parts);

void table_free(struct table *table);

/* Entries of earlier runs become the first to be replaced. Between runs only. */
void table_new_run(struct table *table);

bool table_probe(const struct table *table, uint64_t key, struct table_entry *entry);
/* Asks for the memory of an entry that will be probed soon. */
void table_prefetch(const struct table *table, uint64_t key);

/* How full the table is with entries of this run, in thousandths. */
int table_fill(const struct table *table);

void table_store(struct table *table, uint64_t key, struct table_entry entry);

#endif

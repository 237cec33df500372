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

#include <stdatomic.h>

struct table;

enum bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT };

struct table_entry {
    mp_value value; /* distances counted from this position */
    uint16_t move;  /* the low bits of the best move; meaningful unless bound is BOUND_UPPER */
    uint8_t depth;
    uint8_t bound;
    /* Every line that the value rests on was searched to the end of the game, or to a proof that no deeper
     * search can change: it holds at every depth from this one on. */
    bool complete;
};

/* Does what is known of a position hold at this depth, for a search that wants just what it would find there
 * itself? */
static inline bool table_entry_holds(const struct table_entry *entry, int depth)
{
    return entry->depth == depth || (entry->complete && entry->depth < depth);
}

/* Does it settle a window? value is the entry's, counted from the root. */
static inline bool table_entry_settles(const struct table_entry *entry, mp_value value, mp_value alpha,
                                       mp_value beta)
{
    return entry->bound == BOUND_EXACT || (entry->bound == BOUND_LOWER && value >= beta) ||
           (entry->bound == BOUND_UPPER && value <= alpha);
}

/* On a virtual machine (parallel/virtual_machine.h): which thread runs, who wrote each line of the table, and how many lines
 * had to come from another core. */
struct table_lines {
    int thread;
    uint64_t moved;
    uint16_t *writers; /* thread + 1 by line; 0: every core may have it */
};

/* Has the table keep account of its lines; null: there is no memory. Belongs to the table. Before the first run. */
struct table_lines *table_watch(struct table *table);

/* A table that can grow from one number of megabytes to another (table_grow). Null when there is no memory.
 * It is empty, but its memory has not been touched yet: table_clear does that too, and should, because to
 * find a fresh huge page takes the system up to 20 ms (measured), which a search that has been told to stop
 * does not have. What it may grow to costs nothing until it does. */
struct table *table_new(size_t megabytes, size_t most_megabytes);

/* What a table may grow to where nobody has said how large it is to be: an eighth of the machine's memory,
 * but not more than 256 MB. */
size_t table_most_megabytes(void);

/* Makes a table that has filled up larger, if it may be, and keeps what is in it. Between iterations, when
 * nobody else looks at it. Ends early where *stop is set; entries may be lost then, which only costs time. */
void table_grow(struct table *table, const atomic_bool *stop);

/* Empties one of this many parts of the table. Different threads may clear different parts at once,
 * between runs. */
void table_clear(struct table *table, int part, int parts);

void table_free(struct table *table);

/* Entries of earlier runs become the first to be replaced. Between runs only. */
void table_new_run(struct table *table);

bool table_probe(const struct table *table, uint64_t key, struct table_entry *entry);
/* Asks for the memory of an entry that will be probed soon. */
void table_prefetch(const struct table *table, uint64_t key);

/* How full the table is with entries of this run, in thousandths. Any thread, at any time: what it reads is
 * atomic, and a number a moment old will do. */
int table_fill(const struct table *table);

void table_store(struct table *table, uint64_t key, struct table_entry entry);

#endif

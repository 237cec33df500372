/* ledger.h - what is finished, on disk: a file of lines that only grows, so that a job that is killed goes on where it
 * was.
 *
 * A line is a checksum (16 hexadecimal digits) of what follows it, a blank, and a record; the first record names the job,
 * the others are a key, a tab and a value. Each is written by one call, so a kill loses none; the disk is made to have them
 * five times a second, so a power cut loses those of a moment. Lines at the end that are not whole, which is all that
 * either can leave, are dropped; damage before a line that is whole, and a ledger of another job, is refused. One process writes; who comes while another does waits ten seconds, for what is left of a run that was
 * killed may need a moment to end. */
#ifndef CLUSTER_LEDGER_H
#define CLUSTER_LEDGER_H

#include "manyply/manyply.h"

enum { LEDGER_TEXT = 65536 }; /* the most bytes of a record */

struct ledger;

/* Goes on with a file, or begins it; path null: nothing is kept but in memory. job says what is done, in one line. */
struct ledger *ledger_open(const char *path, const char *job, struct mp_error *error);
void ledger_close(struct ledger *ledger);

/* The last value of a key, or null. Belongs to the ledger until the next ledger_add. */
const char *ledger_find(const struct ledger *ledger, const char *key);

/* Neither text may have a tab or a line end. False: it is not written, and nothing should be built on it. */
bool ledger_add(struct ledger *ledger, const char *key, const char *value, struct mp_error *error);

/* How many keys there were when it was opened. */
int ledger_found(const struct ledger *ledger);

#endif

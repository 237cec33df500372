/* facts.h - the files of tests/data: known counts, values and mates that the tests compare with. Lines that
 * begin with # are comments, each other line is one entry. A file that cannot be opened, an entry that
 * cannot be read and a file with too few entries fail the test. */
#ifndef TESTS_FACTS_H
#define TESTS_FACTS_H

#include <stdio.h>

struct facts {
    FILE *file;
    const char *name; /* without its folder */
    char line[1024];  /* the entry, without the end of its line */
    int number;       /* of the line, from 1 */
    int entries;      /* read so far */
};

void facts_open(struct facts *facts, const char *name);

/* The next entry; null at the end. */
const char *facts_next(struct facts *facts);

/* The next entry of chess_mates.txt: in how many moves, 2 to 4, and the FEN; null at the end. */
const char *facts_next_mate(struct facts *facts, int *moves);

/* Fails the test: the entry is not what was expected. */
_Noreturn void facts_malformed(const struct facts *facts, const char *expected);

/* Fails the test if fewer entries than expected were read. */
void facts_close(struct facts *facts, int expected);

#endif

/* faults.h - for tests that go through thousands of cases: counts all that is wrong, and tells what reads
 * alike, but for its numbers, once. */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include "manyply/manyply.h"

enum { FAULTS_MOST_KINDS = 16, FAULTS_KIND = 24 };

struct faults {
    int count, kinds;
    struct fault_kind {
        char begins[FAULTS_KIND]; /* without digits */
        int count;
    } kind[FAULTS_MOST_KINDS];
};

/* Notes a fault: what was tried, in which position, and what is wrong with it. */
void faults_add(struct faults *faults, const struct mp_game *game, const struct mp_position *position,
                const char *tried, const char *sentence);

/* Tells how many there are of each kind. */
void faults_tell(const struct faults *faults);

#endif

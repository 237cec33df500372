/* learn_journal.h - what has been learned so far: a file of JSON in the directory of `learn`, replaced as a whole after
 * each step, so that whoever reads it, or goes on after a kill, finds all of it as it was before or after the step. */
#ifndef LAB_LEARN_JOURNAL_H
#define LAB_LEARN_JOURNAL_H

#include "manyply/manyply.h"

#include <stdio.h>

/* How far a generation is; each has been through all those before. */
enum learn_state {
    LEARN_HARVEST, /* its games are being played */
    LEARN_TRAIN,   /* its network is being trained */
    LEARN_ARENA,   /* it is being tested against the best before it */
    LEARN_KEPT,    /* and is now the best */
    LEARN_DROPPED,
};

struct learn_generation {
    enum learn_state state;
    int parent; /* the number of the best before it, which played its games; 0: what it all began with */
    int64_t games, positions;  /* of its own games */
    double error;              /* of its network on what was held back */
    uint64_t lost, drawn, won; /* against its parent */
    double elo, low, high;     /* of these games, with the 95% interval */
    double rating;             /* that of its parent and elo: the beginning has 0 */
    double seconds[3];         /* that playing, training and testing took */
};

struct learn_journal {
    char *game, *from; /* its name, and what it began with: random, eval or a file */
    uint64_t seed;
    int best;                             /* the number of a generation, from 1; 0: the beginning */
    struct learn_generation *generations; /* number 1 first */
    int count;
};

/* DIRECTORY/generation-007.SUFFIX, and any other name there. */
enum { LEARN_PATH = 1024 };
void learn_path(const char *directory, int generation, const char *suffix, char path[LEARN_PATH]);

/* *is_new: there is no journal yet. False: it cannot be read. */
bool learn_journal_read(const char *directory, struct learn_journal *journal, bool *is_new,
                        struct mp_error *error);
bool learn_journal_write(const char *directory, const struct learn_journal *journal, struct mp_error *error);

/* The next generation, which begins; null: no memory. */
struct learn_generation *learn_journal_add(struct learn_journal *journal);
void learn_journal_free(struct learn_journal *journal);

/* The time that all steps took. */
double learn_journal_seconds(const struct learn_journal *journal);

/* "harvest", "train", "arena", "kept", "dropped" */
const char *learn_state_name(enum learn_state state);

#endif

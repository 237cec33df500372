/* vet.h - the promises of game.h that cost next to nothing to check: members, ranges, capacities, texts.
 * Every plug-in is vetted when it is opened; whoever looks closer (src/kit) vets every position it comes to
 * with the same functions, so that a fault has one sentence wherever it is found. */
#ifndef GAMES_VET_H
#define GAMES_VET_H

#include "manyply/game.h"

/* What is wrong: which promise (a short name, "list.capacity"), and a sentence without the place. */
struct vet_fault {
    char promise[32];
    char text[400];
};

/* Memory to vet states of one game with; used by one thread. */
struct vet;
struct vet *vet_new(const struct mp_game *game);
void vet_free(struct vet *vet);

/* What a table says of itself, before any of its functions is called: are the required members there, and are
 * all within their ranges? */
bool vet_members(const struct mp_game *table, struct vet_fault *fault);
bool vet_table(const struct mp_game *table, struct vet_fault *fault);

/* One state; false: *fault says what is wrong with it. Afterwards the moves (or outcomes of chance) are there
 * to be had, and so is the text of the position. */
bool vet_state(struct vet *vet, const void *state, struct vet_fault *fault);
const mp_move *vet_moves(const struct vet *vet, int *count, bool *is_chance);
const char *vet_text(const struct vet *vet);

/* The initial state of an opened game and a few random lines from it, in a process of its own: functions that
 * crash or do not return are a sentence too. Takes about a millisecond. */
bool vet_game(const struct mp_game *game, struct mp_error *error);

/* From now on this process has no more memory than so much above what it has now. */
void vet_limit_memory(size_t megabytes);

/* The name of a signal that ended a process, for people: "SIGSEGV". */
const char *vet_signal_name(int signal);

#endif

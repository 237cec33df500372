/* accumulators.h - what a network has summed up for the states of a worker's line.
 *
 * Each ply has a slot with the accumulators of a state and a copy of that state. A state is valued by what has changed
 * since its parent, or since the last state that was valued at its ply. As a slot knows which state it belongs to,
 * nobody has to tell it of moves that are played and taken back, of null moves, or of helpers that join a
 * line: a slot that is not of the state at hand is merely farther away. Sums of whole numbers do not depend on the
 * way they were reached. */
#ifndef SEARCH_ACCUMULATORS_H
#define SEARCH_ACCUMULATORS_H

#include "search/line.h"
#include "search/network_evaluation.h"

struct accumulators;

/* Null: no memory. The evaluation is not copied. */
struct accumulators *accumulators_new(const struct network_evaluation *evaluation);
void accumulators_free(struct accumulators *accumulators);

/* The value of the state at ply. */
mp_value accumulators_value(struct accumulators *accumulators, const struct line *line, int ply);

/* The values of the states that moves at ply lead to, for who is to move there, up to the first that is `enough` or
 * less; how many there are. Uses the place after ply. */
int accumulators_children(struct accumulators *accumulators, struct line *line, int ply, const mp_move *moves,
                          int count, mp_value enough, mp_value *values);

/* With five outputs: what the network says of it, of NETWORK_WHOLE. */
void accumulators_shares(struct accumulators *accumulators, const struct line *line, int ply,
                         int32_t shares[NETWORK_MOST_OUTPUTS]);

/* The network has changed. */
void accumulators_forget(struct accumulators *accumulators);

#endif

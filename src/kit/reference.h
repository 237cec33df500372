/* reference.h - what plain minimax says of a position: a negamax that shares no code with the library's
 * searches. */
#ifndef KIT_REFERENCE_H
#define KIT_REFERENCE_H

#include "manyply/manyply.h"

/* The values of moves of a position at a depth from 1, each for the side to move in the position; *horizon is
 * how many lines reach the horizon: if none does, a deeper search says the same. False: no memory. */
bool kit_reference_values(const struct mp_game *game, const struct mp_evaluation *evaluation,
                          const struct mp_position *position, int depth, const mp_move *moves, int count,
                          mp_value *values, uint64_t *horizon);

#endif

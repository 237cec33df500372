/* nboard.h - the protocol of NBoard (Welty), versions 1 and 2, which boards and programs for Othello speak: a board says
 * which game it shows, in GGF, and asks for a move, for hints, or for an analysis of the game. */
#ifndef PROTOCOLS_NBOARD_H
#define PROTOCOLS_NBOARD_H

#include "manyply/manyply.h"

#include <stdio.h>

/* Answers the lines of `in` on `out` until `quit` or the end, with moves by this strategy of Othello. A strategy without a
 * limit thinks for a second until `set depth` gives it one. Nothing that is sent ends it otherwise. False: it could not
 * begin. */
bool nboard_run(const struct mp_game *game, const struct mp_strategy *strategy, FILE *in, FILE *out,
                struct mp_error *error);

#endif

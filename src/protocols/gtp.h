/* gtp.h - the Go Text Protocol, version 2 (Farnebäck 2002), which programs for Othello speak too: a program sends one
 * command on a line and gets one answer, which ends with an empty line. For any game without dice. */
#ifndef PROTOCOLS_GTP_H
#define PROTOCOLS_GTP_H

#include "manyply/manyply.h"

#include <stdio.h>

/* Answers the lines of `in` on `out` until `quit` or the end, with moves by this strategy. Nothing that is sent ends it
 * otherwise. False: it could not begin. */
bool gtp_run(const struct mp_game *game, const struct mp_strategy *strategy, FILE *in, FILE *out,
             struct mp_error *error);

#endif

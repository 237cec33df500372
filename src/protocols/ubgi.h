/* ubgi.h - the Universal Backgammon Interface, a protocol like UCI (draft 0.2 of bgci, with `setoption` and
 * `go role` of draft 0.1): a program sends a position and dice, and asks for a play or a cube action. */
#ifndef PROTOCOLS_UBGI_H
#define PROTOCOLS_UBGI_H

#include "protocols/backgammon_engine.h"

#include <stdio.h>

/* Answers the lines of `in` on `out` until `quit` or the end. Nothing that is sent ends it otherwise. Returns
 * the exit code. keeper may be null. */
int ubgi_run(FILE *in, FILE *out, const struct backgammon_table_keeper *keeper);

#endif

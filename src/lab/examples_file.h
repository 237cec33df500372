/* examples_file.h - positions with the result of their game, as `harvest` writes them: one per line. */
#ifndef LAB_EXAMPLES_FILE_H
#define LAB_EXAMPLES_FILE_H

#include "manyply/manyply.h"

/* A state, the result for player 0 (0 to 1), the value of the search for player 0, and the number of the line from 1.
 * False: stop, with a sentence. */
typedef bool examples_take(void *context, const void *state, double result, double value, size_t number,
                           struct mp_error *error);

/* Hands on each line of a file. False: a line is wrong, or nothing was read. */
bool examples_read(const struct mp_game *game, FILE *file, examples_take *take, void *context,
                   struct mp_error *error);

/* Every tenth block of a thousand lines, so of whole games, is held back to judge by. */
bool examples_held_back(size_t number);

#endif

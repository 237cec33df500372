/* positions.h - positions to measure on: reproducible random ones, or those of a file. */
#ifndef LAB_POSITIONS_H
#define LAB_POSITIONS_H

#include "manyply/manyply.h"

/* A position in which a player is to move, after 4 to 23 random plies (throws drawn by their weights) from
 * the initial one: a pure function of seed and number. Null: no memory. */
struct mp_position *positions_random(const struct mp_game *game, uint64_t seed, int number);

/* The positions of a file, one per line in the notation of the game; empty lines and lines that begin with
 * '#' are skipped. Null: see error. Freed with positions_free. */
struct mp_position **positions_read(const struct mp_game *game, const char *path, int *count,
                                    struct mp_error *error);
void positions_free(struct mp_position **positions, int count);

#endif

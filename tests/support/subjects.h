/* subjects.h - the games that every generic test is run on, and random positions in them. */
#ifndef TESTS_SUBJECTS_H
#define TESTS_SUBJECTS_H

#include "manyply/manyply.h"

/* Names for mp_game_open, null-terminated: all built-in games, the example plug-in, and small games that
 * only the tests know (dice, draws by repetition). */
const char *const *subjects_names(void);

/* A position after a random number of random moves (at most most_plies), not over and with a player to move;
 * a pure function of the seed. */
struct mp_position *subjects_position(const struct mp_game *game, uint64_t seed, int most_plies);

/* Has nobody a move any more? */
bool subjects_is_over(const struct mp_position *position);

#endif

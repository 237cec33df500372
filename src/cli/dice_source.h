/* dice_source.h - where the throws of a game come from: a seed, a file, or the keyboard. */
#ifndef CLI_DICE_SOURCE_H
#define CLI_DICE_SOURCE_H

#include "manyply/manyply.h"

struct dice {
    uint64_t seed, game, thrown;
    FILE *file;       /* null: from the seed */
    const char *name; /* of the file */
};

/* From the file of this name, `-` for standard input, or, if it is null, from the seed. */
bool dice_open(struct dice *dice, const char *name, uint64_t seed, uint64_t game, struct mp_error *error);
void dice_close(struct dice *dice);

/* The next throw. A file holds outcomes in the notation of the game with blanks between them, and comments
 * from
 * `#` to the end of a line. At a terminal a bad throw is asked for again. */
bool dice_throw(struct dice *dice, const struct mp_game *game, const struct mp_position *position,
                mp_move *outcome, struct mp_error *error);

#endif

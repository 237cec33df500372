/* examples_file.h - positions to learn from, with the values of searches and the results of games: from files of games
 * (games_file.h) and from text, a position in a line (harvest.h). Files are read block by block, by any number of
 * threads at once and in any order, so that more can be read than there is memory for. */
#ifndef LAB_EXAMPLES_FILE_H
#define LAB_EXAMPLES_FILE_H

#include "manyply/manyply.h"

struct examples_position {
    const void *state;
    double result;  /* for player 0, 0 to 1; with margins, what the last one is worth */
    double value;   /* of the search for player 0 */
    double outlook; /* for player 0, 0 to 1: the values from here on and the result, mixed by lambda */
    bool held_back; /* of a game that is kept to judge by: one of ten */
    bool is_final;  /* the game is over here, won by the rules */
};

/* False: stop, with a sentence. */
typedef bool examples_take(void *context, const struct examples_position *position, struct mp_error *error);

struct examples_rule {
    bool noisy; /* keep positions in check, or in which the best move changes much (list_noisy), too */
    double
        lambda; /* 0: the outlook is the value; 1: the result; between: each later value counts by a power of it */
    double scale; /* a value of this much is a share of 0.73 of a win */
    double
        margin; /* the value of a point, where the margin is to be learned; 0: who wins is all that counts */
};

/* The share of a win that a value promises. A proven one is a win or its margin. */
double examples_share(const struct examples_rule *rule, double value);

struct examples;

/* Opens files of one game, each of either kind. Null: the sentence says which is wrong. */
struct examples *examples_open(const struct mp_game *game, const char *const paths[], int count,
                               struct mp_error *error);
void examples_close(struct examples *examples);

bool examples_are_games(const struct examples *examples); /* no file is text */

/* Blocks, and how many positions one has at most. */
size_t examples_blocks(const struct examples *examples);
size_t examples_block_most(const struct examples *examples, size_t block);

/* Which of the files a block is in. */
int examples_file_of(const struct examples *examples, size_t block);

/* Hands on each position of a block. Any thread. */
bool examples_read(const struct examples *examples, const struct examples_rule *rule, size_t block,
                   examples_take *take, void *context, struct mp_error *error);

/* Hands on each position of so many games, whose bytes these are (games_put); first is the number of the first. */
bool examples_replay(const struct mp_game *game, const struct examples_rule *rule, const unsigned char *bytes,
                     size_t size, uint32_t games, uint64_t first, examples_take *take, void *context,
                     struct mp_error *error);

#endif

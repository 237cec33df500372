/* network.h - a learned evaluation: sparse inputs, one hidden layer for each view, up to three more behind them, outputs
 * for each head.
 *
 * Of the inputs of a view (what one side sees) only some are active. Each adds its row of weights to the view's
 * accumulator. The accumulators, cut off at 0 and 1 and squared, go through the layers of a head, of which the last
 * gives the outputs. A network of width 1 is a table: a weight for each input and head, whose sum is the output.
 * All of it in whole numbers: the same on every machine, in any order of additions. Knows nothing of games. */
#ifndef NETWORK_NETWORK_H
#define NETWORK_NETWORK_H

#include "manyply/game.h"
#include "network/weights.h"

struct network; /* does not change once it is made, so any thread may read it */

/* From weights as a trainer has them. Rounded, and cut off where so many active inputs could overflow. Null: no
 * memory. */
struct network *network_new(const struct weights *weights, uint32_t most_active);

/* The weights of a network, to go on learning; of the same shape. */
void network_to_weights(const struct network *network, struct weights *weights);

/* One more owner, and one less. */
struct network *network_share(struct network *network);
void network_free(struct network *network);

const struct network_shape *network_shape(const struct network *network);

/* How many inputs of a view may be active at once. */
uint32_t network_most_active(const struct network *network);

/* A file says for which game it was made (with options, as the program opens it), and how. */
bool network_write(const struct network *network, const char *game, const char *made, const char *path,
                   struct mp_error *error);

/* Null: the sentence says what is wrong with the file. game, of at least NETWORK_NAME bytes, receives its game. */
enum { NETWORK_NAME = 128, NETWORK_MADE = 1024 };
struct network *network_read(const char *path, char game[NETWORK_NAME], char made[NETWORK_MADE],
                             struct mp_error *error);

/* The same from memory, and the one of a game that is part of the library. */
struct network *network_read_memory(const char *bytes, size_t size, char game[NETWORK_NAME],
                                    char made[NETWORK_MADE], struct mp_error *error);
struct network *network_shipped(const char *game, char made[NETWORK_MADE], struct mp_error *error);
bool network_is_shipped(const char *game);

/* ---- Valuing: accumulators of width numbers each, aligned to cache lines ------------------------------- */

/* What changes between two states in what a view sees. */
struct network_change {
    const uint16_t *gone, *come;
    int gone_count, come_count;
};

/* to = from (null: a view in which nothing is active) without the rows that are gone, with those that have come. */
void network_accumulate(const struct network *network, const int16_t *from,
                        const struct network_change *change, int16_t *to);

/* The value of a state whose views, that of the side to move first, have these accumulators. */
mp_value network_value(const struct network *network, const int16_t *const accumulators[2], int head);

/* The same from the inputs that are active in each view; also of a table, which has no accumulators. */
mp_value network_fresh_value(const struct network *network, const uint16_t *const active[2],
                             const int counts[2], int head);

/* The value by a table, which has one view. */
mp_value network_table_value(const struct network *network, const uint16_t *active, int count, int head);

/* With five outputs: the shares themselves, of NETWORK_WHOLE. */
enum { NETWORK_WHOLE = 65536 };
void network_shares(const struct network *network, const int16_t *const accumulators[2], int head,
                    int32_t shares[NETWORK_MOST_OUTPUTS]);

#endif

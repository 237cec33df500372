/* bearoff_pairs.h - the end of a game, both sides together: what it is worth to throw when each side has at most six
 * chequers left, all of them home. Exact for money, without the cube and with it wherever it stands. Nobody can win a gammon
 * there any more.
 *
 * The table (struct mp_tables) is the program's to make and to keep. Whatever its bytes are, reading it is safe. */
#ifndef GAMES_BACKGAMMON_BEAROFF_PAIRS_H
#define GAMES_BACKGAMMON_BEAROFF_PAIRS_H

#include "games/backgammon/bearoff.h"

enum {
    BEAROFF_PAIRS_MEN = 6,
    BEAROFF_PAIRS_BOARDS = 924, /* C(12, 6): these are the first numbers of home boards */
    BEAROFF_PAIRS_ONE = 32767,  /* one point, for a cube of 1 */
};

/* What a throw is worth to who is to throw and does not double before it: without a cube; with it in the middle; when the
 * thrower owns it; when the other does. */
struct bearoff_pair {
    int16_t cubeless, centred, owned, lent;
};

static inline size_t bearoff_pairs_size(void)
{
    return sizeof(struct bearoff_pair) * BEAROFF_PAIRS_BOARDS * BEAROFF_PAIRS_BOARDS;
}

bool bearoff_pairs_make(const struct bearoff *bearoff, struct bearoff_pair *table, int threads,
                        struct mp_error *error);

/* The entry for a side to throw against another; null: it is not in the table, or there is none. */
const struct bearoff_pair *bearoff_pairs_find(const struct bearoff *bearoff, const struct bearoff_pair *table,
                                              const uint8_t own[32], const uint8_t opp[32]);

#endif

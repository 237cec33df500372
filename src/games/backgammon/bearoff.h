/* bearoff.h - how long it takes to bear off: for each of the 54,264 ways in which at most 15 chequers can
 * stand in a home board, the chances of being done after this many throws, with the play that takes the
 * fewest throws on average. When both sides are home, that is all there is to know about the rest of a
 * game. */
#ifndef GAMES_BACKGAMMON_BEAROFF_H
#define GAMES_BACKGAMMON_BEAROFF_H

#include "games/backgammon/backgammon.h"

enum {
    BEAROFF_POSITIONS = 54264, /* C(21, 6) */
    BEAROFF_FULL = 38760,      /* C(20, 6): from here on all 15 chequers are on the board */
    BEAROFF_THROWS = 32,       /* more are needed less than once in 2^30 games */
    BEAROFF_ONE = 1 << 30,     /* the probability 1 */
};

/* Belongs to one instance of the game, may be used by any number of threads; filled when first asked. */
struct bearoff;

struct bearoff *bearoff_new(void);
void bearoff_free(struct bearoff *bearoff);

/* Are all chequers of a side home or off? */
static inline bool bearoff_is_home(const uint8_t men[32])
{
    int outside = 0;
    for (int p = 7; p <= BACKGAMMON_BAR; p++)
        outside |= men[p];
    return outside == 0;
}

/* Home boards have numbers from 0 (empty) on, those with fewer chequers first; a step makes the number smaller. */
uint32_t bearoff_number(const struct bearoff *bearoff, const uint8_t men[32]);
void bearoff_men(const struct bearoff *bearoff, uint32_t number, uint8_t men[32]); /* on the points */

/* For all k below BEAROFF_THROWS: the probability, BEAROFF_ONE for 1, that chequers are left after k throws,
 * and, for a side with 15 on the board, that all of them are. */
const uint32_t *bearoff_left(struct bearoff *bearoff, const uint8_t men[32]);
const uint32_t *bearoff_none_off(struct bearoff *bearoff, const uint8_t men[32]);

/* The games that the side to throw wins, and those that are gammons for it or against it, when both sides are home;
 * BEAROFF_ONE * BEAROFF_ONE is all of them. */
struct bearoff_chances {
    uint64_t won, gammons_won, gammons_lost;
};
struct bearoff_chances bearoff_chances(struct bearoff *bearoff, const struct backgammon *s);

/* The equity, BEAROFF_ONE for one point, of the side to throw when both sides are home; gammons if wanted. */
int64_t bearoff_equity(struct bearoff *bearoff, const struct backgammon *s, bool gammons);

#endif

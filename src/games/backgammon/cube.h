/* cube.h - what the doubling cube and the score of a match do to the value of a position. */
#ifndef GAMES_BACKGAMMON_CUBE_H
#define GAMES_BACKGAMMON_CUBE_H

#include "games/backgammon/backgammon.h"
#include "games/backgammon/bearoff_pairs.h"

/* The tables of one instance of the game. */
struct backgammon_tables {
    struct bearoff *bearoff;
    /* The chance to win a match for the player who needs n points more while the other needs m;
     * where one of them needs 1, before the Crawford game. */
    double match[BACKGAMMON_LONGEST_MATCH + 1][BACKGAMMON_LONGEST_MATCH + 1];
    /* The chance of the player who needs this many points when the other needs 1, after the Crawford game. */
    double after_crawford[BACKGAMMON_LONGEST_MATCH + 1];
};

void cube_fill_match_table(struct backgammon_tables *tables);

/* What winning this many points (losing, if below 0) in this game is worth to the side to move:
 * BACKGAMMON_UNITS is the match. */
mp_value cube_match_value(const struct backgammon_tables *tables, const struct backgammon *s, int points);

/* How games end if they are played out without the cube, as shares of all games, for the side that is to throw. */
struct cube_chances {
    double win;
    double gammon, backgammon; /* won so, the former with the latter */
    double lost_gammon, lost_backgammon;
};

/* A guess from what a position is worth for money: a quarter of the wins are gammons until the value says that they are
 * more. */
struct cube_chances cube_guess(const struct backgammon *s, int64_t cubeless);

/* The value of a state for the side that is to throw (or would be, after what is said about the cube in this
 * phase). */
mp_value cube_value(const struct backgammon_tables *tables, const struct backgammon *s,
                    const struct cube_chances *chances);

/* The same where the table of bear-offs knows it for money. */
mp_value cube_pair_value(const struct backgammon *s, const struct bearoff_pair *pair);

#endif

/* tallies.h - who won how many games against whom, kept up to date game by game.
 *
 * Games 2n and 2n+1 are a pair: the same opening and dice with the players exchanged. */
#ifndef LAB_TALLIES_H
#define LAB_TALLIES_H

#include "lab/elo.h"

#include <stddef.h>

/* From the view of one of two players. */
struct pairing_tally {
    uint64_t games[ELO_GAMES]; /* lost, drawn, won */
    uint64_t pairs[ELO_PAIRS]; /* complete pairs by their points: 0, 1/2, 1, 1 1/2, 2 */
    double margin;             /* the sum of the margins of all games */
    double pair_margin;        /* sums over complete pairs of the mean margin of the two games ... */
    double pair_margin_square; /* ... and of its square */
};

struct pair_half;
struct tallies {
    int players;
    struct pairing_tally *between; /* of player a against player b at [a * players + b] */
    struct pair_half *halves;      /* the first game of each pair, found by a hash */
    size_t half_count, half_places;
};

/* False: out of memory. */
bool tallies_init(struct tallies *tallies, int players);
void tallies_free(struct tallies *tallies);

/* A finished game: its number, 0 or more, who had side 0 and who side 1, and the margin for side 0. */
bool tallies_add(struct tallies *tallies, int64_t number, int first, int second, int margin);

/* One player against one other, or against all others (-1). */
struct pairing_tally tallies_of(const struct tallies *tallies, int player, int other);

uint64_t tally_games(const struct pairing_tally *tally);

/* The mean margin of a game and its standard error, which is that of pairs if there are two or more. */
void tally_margin(const struct pairing_tally *tally, double *mean, double *error);

/* Elo from pairs, or from games where no pair is complete. */
bool tally_elo(const struct pairing_tally *tally, struct elo *elo);

#endif

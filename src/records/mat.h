/* mat.h - backgammon games as .mat text, the form of Jellyfish that every backgammon program reads:
 *
 *      3 point match                                            (0: for money)
 *      Game 1
 *      somebody : 0                   another : 0
 *       1) 41: 13/9 24/23             65: 24/18 18/13           (bar is 25, off is 0)
 *       2)  Doubles => 2               Drops
 *           Wins 1 point
 *
 * The player on the left is White, player 0. Each game is a record that begins with the score it was played
 * at; its tags Game, White, Black and Points say the rest. In a game without the cube (backgammon:cube=on)
 * doubles are refused. A file that ends inside a game is refused. */
#ifndef RECORDS_MAT_H
#define RECORDS_MAT_H

#include "records/record.h"

/* The next game; null at the end of the file (with an empty *error) or at an error, which names the line. */
struct record *mat_read(struct record_reader *reader, struct mp_error *error);

/* Writes a game, and before the first of a match (tag Game missing or 1) what is said of the match. The game
 * must have begun with the chequers set up. False: it has not, or the file could not be written. */
bool mat_write(const struct record *record, FILE *file);

/* What a plain game is worth at the cube and the score of a position of backgammon: half the way from a loss to a win, in
 * units of its evaluations. A value divided by it is a normalised equity, as programs compare errors by. */
double mat_stake(const struct mp_position *position);

#endif

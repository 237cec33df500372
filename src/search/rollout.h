/* rollout.h - games played to their end, or to where they are cut, from each of a few moves. The parts that a
 * parallel scheme needs to share them out. */
#ifndef SEARCH_ROLLOUT_H
#define SEARCH_ROLLOUT_H

#include "search/outlook.h"
#include "search/worker.h"

/* What the games of one move have come to, for the side to move at the root. Whole numbers, so that it does
 * not matter in which order games are added. */
struct rollout_tally {
    int64_t games, sum, squares;
    int64_t shares
        [OUTLOOK]; /* as a network tells them, of ROLLOUT_WHOLE for each game; 0 without one that does */
};
enum { ROLLOUT_WHOLE = 1 << 20 };

/* Iterations of a search with a limit: static values, then 36 games per move, twice as many and so on up to
 * games=. */
int rollout_iterations(const struct settings *settings);
int rollout_games(const struct settings *settings, int iteration);

/* The moves at the root that are worth it: the keep= best by static value. On the worker's stack. */
struct move_list rollout_candidates(struct worker *worker);

/* Plays games first .. first + count - 1 of a move from the worker's root (MP_NO_MOVE: of the root itself, where dice
 * are to be thrown), each a pure function of the seed and its number. Stops early when the worker is stopped; then
 * the tally is meaningless. */
void rollout_play(struct worker *worker, mp_move move, int first, int count, struct rollout_tally *tally);

/* Does the worker's network tell shares, so that tallies have them? */
bool rollout_tells_shares(const struct worker *worker);

void rollout_add(struct rollout_tally *sum, const struct rollout_tally *part);

/* Takes the best of the moves for the worker's expected line; its mean, with the standard error in
 * worker->standard_error. */
mp_value rollout_choose(struct worker *worker, struct move_list list, const struct rollout_tally *tallies);

/* The most moves that are played out. */
enum { ROLLOUT_MOST_MOVES = 64 };

#endif

/* reference.h - what plain minimax says of a position, by the negamax of src/kit, which shares no code with
 * the library's searches. */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include "manyply/manyply.h"

enum { REFERENCE_MOST_DEPTH = 10, REFERENCE_MOST_MOVES = 4096 };

/* The values of moves of a position at a depth from 1, each for the side to move in the position. Returns how
 * many lines reach the horizon; 0: all games end before it, so a deeper search says the same. */
uint64_t reference_values(const struct mp_game *game, const struct mp_evaluation *evaluation,
                          const struct mp_position *position, int depth, const mp_move *moves, int count,
                          mp_value *values);

/* The values of all moves of a position at the depths from 1 on whose minimax tree has at most this many
 * leaves; depth 1 is always there. */
struct truth {
    struct mp_position *position;
    int count;
    mp_move *moves;
    int depth;                                  /* the deepest that is known */
    mp_value *values[REFERENCE_MOST_DEPTH + 1]; /* by depth, then as the moves */
    uint64_t horizon[REFERENCE_MOST_DEPTH + 1]; /* lines that reach it, by depth */
};

/* The position belongs to the truth from then on. */
struct truth *truth_new(const struct mp_game *game, const struct mp_evaluation *evaluation,
                        struct mp_position *position, uint64_t most_leaves, int most_depth);
void truth_free(struct truth *truth);

/* Are all games over before the deepest horizon? */
bool truth_is_whole(const struct truth *truth);

/* The value of a move at a depth; -MP_INFINITE: it is not one of the position. */
mp_value truth_of(const struct truth *truth, int depth, mp_move move);

/* Some of the moves of a position; all of them where count is 0. A move may be there twice. */
struct some_moves {
    const mp_move *moves;
    int count;
};

/* How many different ones there are. */
int truth_count(const struct truth *truth, struct some_moves only);

/* The value of the line-th best of some moves at a depth, from 1 on; -MP_INFINITE: there are not that
 * many. */
mp_value truth_line(const struct truth *truth, int depth, struct some_moves only, int line);

/* The best value of some moves at a depth. */
static inline mp_value truth_best(const struct truth *truth, int depth, struct some_moves only)
{
    return truth_line(truth, depth, only, 1);
}

#endif

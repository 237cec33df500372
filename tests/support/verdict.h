/* verdict.h - is the result of a search what it has to be? False, with the reason, if not. */
#ifndef TESTS_VERDICT_H
#define TESTS_VERDICT_H

#include "tests/support/reference.h"

/* Of any search: a legal move, one of those that limits (may be null) leaves, and a line that begins with it
 * and can be played. */
bool verdict_sound(const struct truth *truth, const struct mp_limits *limits, const struct mp_result *result,
                   struct mp_error *error);

/* Of an exact search: the value that plain minimax gives at the depth of the result, and a move that has it.
 * A depth that the truth does not reach is not looked at. A search that is not stopped is as deep as it was
 * asked to be, or knows already what it would find there. */
bool verdict_exact(const struct truth *truth, const struct mp_limits *limits, const struct mp_result *result,
                   struct mp_error *error);

/* Is the move one of those that limits leave? */
bool verdict_allows(const struct mp_limits *limits, mp_move move);

#endif

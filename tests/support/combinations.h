/* combinations.h - every algorithm with every parallel scheme that a game accepts, for the tests that hold
 * all of them to the same promises. */
#ifndef TESTS_COMBINATIONS_H
#define TESTS_COMBINATIONS_H

#include "manyply/manyply.h"

struct combination {
    char text[160];        /* a strategy, where it has threads with threads=%d (strategy_fill_in) */
    const char *own_limit; /* keys that make its own limit a tight one: ",depth=1" */
    bool exact;            /* promises what plain minimax says */
    bool samples;          /* Monte-Carlo tree search: limited by nodes and time, not by depth */
    bool proves;           /* and may call a value exact, because it is proven */
    bool deepens;          /* depth counts plies */
    bool looks;            /* searches at all: random does not */
    bool splits;           /* uses all of its threads */
};

struct combinations {
    struct combination *list;
    int count;
    int refused;
};

/* All that the game accepts. Small tables and trees, and eager=on where that is known, so that trees that are
 * searched in a millisecond are shared. */
struct combinations combinations_of(const struct mp_game *game);
void combinations_free(struct combinations *combinations);

#endif

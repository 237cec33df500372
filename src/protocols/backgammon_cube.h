/* backgammon_cube.h - what to do with the doubling cube: each of its answers is searched, and the best are named as
 * players name them. */
#ifndef PROTOCOLS_BACKGAMMON_CUBE_H
#define PROTOCOLS_BACKGAMMON_CUBE_H

#include "games/backgammon/backgammon.h"
#include "manyply/manyply.h"

/* For who is on roll and may double. */
struct cube_judgement {
    mp_value rolled, taken, dropped; /* what it is worth not to double; a double that is taken, or dropped */
    bool doubles, takes;             /* the best that either player can do */
    bool beavers;                    /* for money: who is doubled would rather double again at once */
    bool too_good;                   /* to double: playing on for a gammon is worth more than a drop */
    char verdict[64];                /* "Double, take", "Too good to redouble, drop" */
    struct mp_result result;         /* of the search of the better of rolling and a double that is taken */
};

/* Is there something to be said about the cube in this position of backgammon: to double, or to take or drop? */
bool cube_is_asked(const struct mp_position *position);

/* Judges the cube in a state of the search's game in which one player chooses or the other answers. depth counts plays, as
 * in a search, the judgement itself being the first: 1 is the evaluation (which players call 0-ply), 2 and 3 look so
 * many throws less one ahead. */
bool cube_judge(struct mp_search *search, const struct mp_game *game, const struct backgammon *state,
                int depth, struct cube_judgement *judgement, struct mp_error *error);

#endif

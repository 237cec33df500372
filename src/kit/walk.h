/* walk.h - what the checks of the kit share: to note a fault, and to walk along random lines of play. */
#ifndef KIT_WALK_H
#define KIT_WALK_H

#include "kit/kit.h"

enum { KIT_TEXT = 4096 };

/* Notes that a promise is broken at the place that is being looked at, unless it is known already; returns
 * false. */
__attribute__((format(printf, 3, 4))) bool kit_fault(struct kit *kit, const char *promise, const char *format,
                                                     ...);

/* Is there time for more? If not, the report says so. */
bool kit_goes_on(struct kit *kit);

void kit_does(struct kit *kit, const char *doing, double share);

/* Begins a line of play at the initial position; kit_step goes on with a move. False: a fault was noted. */
bool kit_start(struct kit *kit);
bool kit_step(struct kit *kit, mp_move move);

/* Vets the position of the line and notes its text as the place. False: a fault was noted. */
bool kit_vet(struct kit *kit);

/* A line of random length with a player to move at its end who can move; false: none was found, which is no
 * fault of its own. A pure function of the seed. */
bool kit_walk(struct kit *kit, uint64_t seed, int most_plies);

/* Memory for one state, zeroed. */
void *kit_state(const struct mp_game *game);

#endif

/* apply.h - what a roll or a play does to a state. Inline, because generators and evaluations call it most.
 */
#ifndef GAMES_BACKGAMMON_APPLY_H
#define GAMES_BACKGAMMON_APPLY_H

#include "games/backgammon/backgammon.h"

#include <string.h>

static inline void backgammon_step(struct backgammon *t, int from, int die)
{
    /* The turn has passed on already: the mover's chequers are t->opp. */
    t->opp[from]--;
    if (from <= die) {
        t->opp[BACKGAMMON_OFF]++;
        return;
    }
    int to = from - die;
    t->opp[to]++;
    uint8_t *hit = &t->own[25 - to];
    t->own[BACKGAMMON_BAR] = (uint8_t)(t->own[BACKGAMMON_BAR] + *hit);
    *hit = 0;
}

static inline void backgammon_apply(const struct backgammon *s, mp_move move, struct backgammon *t)
{
    *t = *s;
    if (backgammon_is_roll(move)) {
        t->die[0] = move >> 3 & 7;
        t->die[1] = move & 7;
        return;
    }
    memcpy(t->own, s->opp, sizeof t->own);
    memcpy(t->opp, s->own, sizeof t->opp);
    t->side = s->side ^ 1;
    t->die[0] = t->die[1] = 0;
    for (int i = 0; i < 4; i++) {
        int place = backgammon_from(move, i);
        if (place)
            backgammon_step(t, place, backgammon_step_die(s, i));
    }
}

#endif

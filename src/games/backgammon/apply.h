/* apply.h - what a roll or a play does to a state. Inline, because generators and evaluations call it
 * most. */
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

/* What is said about the cube; the turn has passed on already. */
static inline void backgammon_act(const struct backgammon *s, int action, struct backgammon *t)
{
    switch (action) {
    case BACKGAMMON_SAY_ROLL:
        t->phase = BACKGAMMON_NODDING;
        break;
    case BACKGAMMON_SAY_DOUBLE:
        t->phase = BACKGAMMON_ANSWERING;
        break;
    case BACKGAMMON_SAY_TAKE:
        t->phase = BACKGAMMON_PLAYING;
        t->cube_log++;
        t->cube_owner = s->side;
        break;
    default:
        t->phase = BACKGAMMON_DROPPED;
    }
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
    if (move & BACKGAMMON_ACTION) {
        backgammon_act(s, (int)(move & 7), t);
        return;
    }
    for (int i = 0; i < 4; i++) {
        int place = backgammon_from(move, i);
        if (place)
            backgammon_step(t, place, backgammon_step_die(s, i));
    }
    if (s->cube_in_use)
        t->phase = s->phase != BACKGAMMON_NODDING && backgammon_may_double(t) ? BACKGAMMON_CHOOSING
                                                                              : BACKGAMMON_PLAYING;
}

#endif

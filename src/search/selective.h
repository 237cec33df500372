/* selective.h - what the two parts of the selective search, above and below the horizon, share. */
#ifndef SEARCH_SELECTIVE_H
#define SEARCH_SELECTIVE_H

#include "search/learned.h"

static inline bool technique_on(const struct worker *w, unsigned technique)
{
    return w->settings->techniques & technique;
}

/* In the table: no move is known to be good. */
enum { NO_HASH_MOVE = UINT16_MAX };

/* Is there an end of the game in a value? No margin can be added to it. */
static inline bool is_proven(mp_value value)
{
    return value > MP_PROVEN || value < -MP_PROVEN;
}

/* May what is known of a position be taken for its value at this depth in a null window? */
static inline bool entry_answers(const struct worker *w, const struct table_entry *entry, int depth,
                                 mp_value value, mp_value alpha, mp_value beta)
{
    bool deep = technique_on(w, TECHNIQUE_DEEPER) && entry->depth >= depth;
    return (deep || table_entry_holds(entry, depth)) && table_entry_settles(entry, value, alpha, beta);
}

/* Does what is known of a position tell more than its evaluation? */
static inline bool entry_improves(const struct table_entry *entry, mp_value value, mp_value eval)
{
    return entry->bound == BOUND_EXACT || (entry->bound == BOUND_LOWER ? value > eval : value < eval);
}

/* No line is longer than this, whatever extends it. */
static inline bool line_is_full(int ply)
{
    return ply >= LINE_PLIES - 2;
}

/* A static value without what was learned about the errors of the evaluation. */
static inline mp_value corrected(const struct worker *w, int ply, mp_value value)
{
    return technique_on(w, TECHNIQUE_CORRECTION) && !is_proven(value) ? learned_correct(w, ply, value)
                                                                      : value;
}

/* The evaluation of a state that is searched further, and is therefore no leaf. */
static inline mp_value static_value(struct worker *w, int ply)
{
    mp_value value = worker_static(w, ply);
    return corrected(w, ply, worker_from_root(w, value, ply));
}

/* quiescence.c: the value of the state at ply once all is quiet, at or below the horizon. */
mp_value quiescence(struct worker *worker, int ply, mp_value alpha, mp_value beta);

#endif

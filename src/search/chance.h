/* chance.h - a node where chance decides, and the one loop over its outcomes.
 *
 * Where the search is bounded, the outcomes seen so far, with the others at their best or worst, may settle
 * the node, and that gives each outcome a window of its own (star1, Ballard 1983). The window is computed
 * from whatever outcomes are known when one is begun, in any order: an outcome beyond its window settles the
 * node then, and still does when more is known. So several threads may search outcomes at once, each on its
 * own copy. */
#ifndef SEARCH_CHANCE_H
#define SEARCH_CHANCE_H

#include "search/node.h"

struct chance {
    int ply, depth;
    struct move_list outcomes; /* scores are the weights */
    int64_t weights;           /* of all outcomes */
    int64_t sum;               /* of the weighted values so far; at the end, of all */
    bool bounded;              /* else each outcome has the full window, and the rest means nothing */
    int64_t fail_low;          /* a sum up to this has a mean of at most alpha */
    int64_t fail_high;         /* a sum from this on has a mean of at least beta */
    int64_t low, high;         /* every outcome is between them */
    const mp_value *lower;     /* a better lower bound for each outcome, or null */
    int64_t least, most;       /* what the outcomes that are not in the sum add to it */
};

static inline int64_t chance_weight(const struct chance *c, int i)
{
    return (uint32_t)c->outcomes.scores[i];
}

static inline int64_t chance_low(const struct chance *c, int i)
{
    return c->lower ? c->lower[i] : c->low;
}

static inline int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Before the first outcome: the rest of a bounded node whose bounds are set. */
static inline void chance_begin(struct chance *c)
{
    c->sum = c->least = 0;
    c->most = c->high * c->weights;
    for (int i = 0; i < c->outcomes.count; i++)
        c->least += chance_weight(c, i) * chance_low(c, i);
}

/* The value of outcome i. */
static inline mp_value chance_outcome(struct worker *w, const struct chance *c, int i)
{
    int64_t alpha = -MP_INFINITE, beta = MP_INFINITE;
    if (c->bounded) {
        int64_t weight = chance_weight(c, i), low = chance_low(c, i);
        int64_t below = divide_down(c->fail_low - c->sum - (c->most - weight * c->high), weight);
        int64_t above = -divide_down(-(c->fail_high - c->sum - (c->least - weight * low)), weight);
        alpha = below > low - 1 ? below : low - 1;
        beta = above < c->high + 1 ? above : c->high + 1;
    }
    worker_play(w, c->ply, c->outcomes.moves[i]);
    return w->settings->search(w, c->ply + 1, c->depth, (mp_value)alpha, (mp_value)beta);
}

/* Takes in the value of an outcome that a worker has found. True: the node is settled, whatever the others
 * are. */
static inline bool chance_update(struct worker *finder, struct chance *c, int i, mp_value value)
{
    int64_t weight = chance_weight(c, i);
    c->sum += weight * value;
    if (!c->bounded)
        return false;
    c->least -= weight * chance_low(c, i);
    c->most -= weight * c->high;
    bool high = c->sum + c->least >= c->fail_high, low = c->sum + c->most <= c->fail_low;
    if (!high && !low)
        return false;
    worker_count_cut(finder, c->ply);
    c->sum += high ? c->least : c->most;
    return true;
}

/* Searches the outcomes until there are none left, the node is settled, or the search is stopped. */
static inline mp_value chance_search(struct worker *w, struct chance *c)
{
    if (!(w->hooks && w->hooks->rolls && w->hooks->rolls(w, c)))
        for (int i = 0; i < c->outcomes.count; i++) {
            mp_value value = chance_outcome(w, c, i);
            if (w->stopped || chance_update(w, c, i, value))
                break;
        }
    return w->stopped ? 0 : mean_value(c->sum, c->weights);
}

#endif

/* expectiminimax.c - minimax with dice: a throw is worth the mean of its outcomes (Michie 1966).
 *
 * At move nodes all three algorithms are alpha-beta, the moves ordered by their static values; keep=k
 * searches only the k best of them. They differ where chance decides:
 *   - expectiminimax: every outcome is searched with a full window.
 *   - star1: what the outcomes so far add up to, with the rest at their best or worst, may settle the node;
 *     that gives each outcome a window of its own (Ballard 1983).
 *   - star2: first, one promising move for each outcome: a lower bound, often enough to settle the node.
 *
 * The mean is rounded, so "the mean is at least beta" is asked of the sum of weighted values, in whole
 * numbers: rounding is monotone, so there is a least sum for each mean, and all three give the same value. */
#include "search/algorithms.h"
#include "search/chance.h"
#include "search/random_evaluation.h"

typedef mp_value chance_function(struct worker *worker, int ply, int depth, mp_value alpha, mp_value beta);

/* ---- Where chance decides -------------------------------------------------------------------------- */

/* The least sum whose rounded mean is at least value. */
static int64_t least_sum(mp_value value, int64_t weights)
{
    int64_t twice = (2 * (int64_t)value - 1) * weights;
    return value > 0 ? (twice + 1) >> 1 : (twice >> 1) + 1;
}

/* What can come out at all. */
static void find_bounds(const struct worker *w, int ply, struct chance *c)
{
    const struct mp_game *game = w->game;
    mp_value low = -MP_EVAL_MAX, high = MP_EVAL_MAX;
    if (game->bounds)
        game->bounds(game, worker_state(w, ply), &low, &high);
    else if (game->margin_max * game->units_per_point > MP_EVAL_MAX)
        low = -(high = game->margin_max * game->units_per_point);
    c->low = low < -RANDOM_EVALUATION_MAX ? low : -RANDOM_EVALUATION_MAX;
    c->high = high > RANDOM_EVALUATION_MAX ? high : RANDOM_EVALUATION_MAX;
}

/* Stable, and quick for the few outcomes that dice have. */
static void sort_by_weight(struct move_list outcomes)
{
    for (int i = 1; i < outcomes.count; i++) {
        mp_move move = outcomes.moves[i];
        int32_t weight = outcomes.scores[i];
        int j = i;
        for (; j > 0 && (uint32_t)outcomes.scores[j - 1] < (uint32_t)weight; j--) {
            outcomes.moves[j] = outcomes.moves[j - 1];
            outcomes.scores[j] = outcomes.scores[j - 1];
        }
        outcomes.moves[j] = move;
        outcomes.scores[j] = weight;
    }
}

static struct chance begin_throw(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    struct chance c = {.ply = ply, .depth = depth, .outcomes = worker_chances(w, ply), .bounded = true};
    sort_by_weight(c.outcomes);
    for (int i = 0; i < c.outcomes.count; i++)
        c.weights += chance_weight(&c, i);
    c.fail_low = least_sum(alpha + 1, c.weights) - 1;
    c.fail_high = least_sum(beta, c.weights);
    find_bounds(w, ply, &c);
    return c;
}

/* Do the bounds settle the node before any outcome is looked at? */
static bool bounds_settle(const struct chance *c, mp_value *value)
{
    if (c->low * c->weights >= c->fail_high)
        *value = (mp_value)c->low;
    else if (c->high * c->weights <= c->fail_low)
        *value = (mp_value)c->high;
    else
        return false;
    return true;
}

static mp_value star1_chance(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    struct chance c = begin_throw(w, ply, depth, alpha, beta);
    mp_value value;
    if (!bounds_settle(&c, &value)) {
        chance_begin(&c);
        value = chance_search(w, &c);
    }
    worker_drop(w, c.outcomes);
    return value;
}

/* ---- Star2: one move for each outcome -------------------------------------------------------------- */

enum { MOST_PROBED = 64 };

/* The value of the most promising move at ply, or low if there is none: a lower bound of the node, exact
 * between alpha and beta. */
static mp_value probe(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta, mp_value low)
{
    mp_value value;
    if (worker_settled(w, ply, &value))
        return value;
    if (worker_is_chance(w, ply))
        return low;
    struct move_list list = worker_list(w, ply);
    value = low;
    if (list.count == 0) {
        value = worker_final(w, ply);
    } else {
        worker_value_moves(w, ply, list);
        int best = 0;
        for (int i = 1; i < list.count; i++)
            if (list.scores[i] > list.scores[best])
                best = i;
        worker_play(w, ply, list.moves[best]);
        value = -w->settings->search(w, ply + 1, depth - 1, -beta, -alpha);
    }
    worker_drop(w, list);
    return value;
}

/* Fills in lower bounds until they settle the node (true, with the sum) or cannot any more. */
static bool probe_outcomes(struct worker *w, const struct chance *c, mp_value *lower, int64_t *sum)
{
    int64_t rest = c->weights;
    *sum = c->low * c->weights;
    for (int i = 0; i < c->outcomes.count; i++)
        lower[i] = (mp_value)c->low;
    for (int i = 0; i < c->outcomes.count && !w->stopped; i++) {
        int64_t weight = chance_weight(c, i);
        rest -= weight;
        *sum -= weight * c->low;
        int64_t gain = (c->high - c->low) * rest; /* if all the others were as good as can be */
        int64_t hopeless = divide_down(c->fail_high - 1 - *sum - gain, weight);
        int64_t enough = -divide_down(-(c->fail_high - *sum), weight);
        int64_t alpha = hopeless > c->low - 1 ? hopeless : c->low - 1;
        int64_t beta = enough < c->high + 1 ? enough : c->high + 1;
        if (alpha >= c->high)
            return false;
        worker_play(w, c->ply, c->outcomes.moves[i]);
        mp_value value = probe(w, c->ply + 1, c->depth, (mp_value)alpha, (mp_value)beta, (mp_value)c->low);
        if (w->stopped || value <= alpha)
            return false;
        lower[i] = value;
        *sum += weight * value;
        if (*sum >= c->fail_high)
            return true;
    }
    return false;
}

static mp_value star2_chance(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    struct chance c = begin_throw(w, ply, depth, alpha, beta);
    mp_value lower[MOST_PROBED], value;
    int64_t sum;
    /* One ply above the horizon all moves are valued in one call: a probe would save nothing. */
    bool worthwhile = depth > 1 && c.outcomes.count <= MOST_PROBED && c.high * c.weights >= c.fail_high;
    if (bounds_settle(&c, &value)) {
        worker_drop(w, c.outcomes);
        return value;
    }
    if (worthwhile && probe_outcomes(w, &c, lower, &sum)) {
        worker_count_cut(w, ply);
        value = mean_value(sum, c.weights);
    } else {
        c.lower = worthwhile ? lower : NULL;
        chance_begin(&c);
        value = w->stopped ? 0 : chance_search(w, &c);
    }
    worker_drop(w, c.outcomes);
    return value;
}

static mp_value plain_chance(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    (void)alpha, (void)beta;
    return worker_chance_value(w, ply, depth);
}

/* ---- Where a player decides ------------------------------------------------------------------------ */

static mp_value search_move(struct worker *w, const struct node *node, int i)
{
    worker_play(w, node->ply, node->list.moves[i]);
    if (node->depth == 1)
        return -worker_leaf(w, node->ply + 1);
    return -w->settings->search(w, node->ply + 1, node->depth - 1, -node->beta, -node->alpha);
}

/* A throw that may have been valued before: different rolls lead to the same position, a five as 4 and 1 or
 * as 3 and 2. An entry of the same depth, or one that no depth can change, answers if its value is exact or
 * its bound settles the window, so the value stays that of the search without a table. */
static mp_value remembered(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta,
                           chance_function *chance)
{
    uint64_t key = w->game->key(w->game, worker_state(w, ply));
    struct table_entry entry;
    w->counters.table_probes++;
    if (table_probe(w->table, key, &entry)) {
        w->counters.table_hits++;
        if (table_entry_holds(&entry, depth) && table_entry_settles(&entry, entry.value, alpha, beta)) {
            worker_borrow(w, &entry);
            return entry.value;
        }
    }
    const uint64_t open_ends = worker_open_ends(w);
    mp_value value = chance(w, ply, depth, alpha, beta);
    bool whole = chance == plain_chance; /* its outcomes were searched with full windows */
    if (!w->stopped)
        table_store(w->table, key,
                    (struct table_entry){.value = value,
                                         .depth = (uint8_t)depth,
                                         .complete = worker_is_complete(w, open_ends, value),
                                         .bound = whole || (value > alpha && value < beta) ? BOUND_EXACT
                                                  : value >= beta                          ? BOUND_LOWER
                                                                                           : BOUND_UPPER});
    return value;
}

__attribute__((always_inline)) static inline mp_value
search(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta, chance_function *chance)
{
    mp_value value;
    if (worker_settled(w, ply, &value))
        return value;
    if (worker_is_chance(w, ply))
        return w->table && !w->line.keys ? remembered(w, ply, depth, alpha, beta, chance)
                                         : chance(w, ply, depth, alpha, beta);
    struct node node = {.ply = ply, .depth = depth, .alpha = alpha, .beta = beta, .best = -MP_INFINITE};
    node.list = worker_list(w, ply);
    if (node.list.count == 0)
        return worker_final(w, ply);
    if (depth == 1 && worker_has_frontier(w)) {
        node.best = worker_frontier(w, ply, node.list, alpha, beta);
    } else {
        if (depth > 1) {
            node_value_moves(w, &node);
        }
        node_search(w, &node, search_move);
    }
    worker_drop(w, node.list);
    return node.best;
}

mp_value expectiminimax(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    return search(w, ply, depth, alpha, beta, plain_chance);
}

mp_value star1(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    return search(w, ply, depth, alpha, beta, star1_chance);
}

mp_value star2(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    return search(w, ply, depth, alpha, beta, star2_chance);
}

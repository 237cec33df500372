/* moving_horizon.c - alpha-beta with a moving horizon (Brouthen and Akeb, "MinMax (Alpha/Beta) for Chess").
 *
 * Every line is searched hmin plies past the root move. From there on a node is a leaf when the move that led
 * to it was quiet, or at hmax; else all its moves are tried, the quiet ones too. With width=n only the n best
 * moves by static value are searched at any node. Dynamic hmax, which the report proposes: as long as the
 * static value is beyond the threshold, the line goes on for `reduced` more plies at most, even before hmin;
 * once it is balanced again, hmax holds again.
 *
 * compat=report keeps a fault of the report's parallel program, because its figures come from it: the second
 * player's moves are sorted as the first player likes them, so that with a width it keeps its worst. */
#include "search/algorithms.h"
#include "search/node.h"

#include <limits.h>
#include <stdlib.h>

/* How deep the line to ply may go. depth is what is left of hmin, so ply + depth does not change on a
 * line. */
static int limit_at(const struct worker *w, int ply, int depth, int from_above)
{
    const struct settings *settings = w->settings;
    const struct mp_evaluation *evaluation = settings->evaluation;
    int least = ply + depth, most = settings->hmax + 1 > least ? settings->hmax + 1 : least;
    if (!settings->threshold || ply == 0)
        return most;
    if (abs(evaluation->evaluate(w->game, evaluation, worker_state(w, ply))) <= settings->threshold)
        return most;
    int reduced = ply + settings->reduced < from_above ? ply + settings->reduced : from_above;
    return reduced < most ? reduced : most;
}

static mp_value expand(struct worker *w, int ply, int depth, int limit, mp_value alpha, mp_value beta);

static mp_value search_below(struct worker *w, const struct node *node, int i)
{
    int ply = node->ply + 1, depth = node->depth - 1;
    worker_play(w, node->ply, node->list.moves[i]);
    int limit = limit_at(w, ply, depth, *(const int *)node->own);
    bool quiet = depth <= 0 && !node->list.scores[i];
    if (quiet || ply >= limit) {
        w->pv_length[ply] = 0;
        return -worker_leaf(w, ply);
    }
    return -expand(w, ply, depth, limit, -node->beta, -node->alpha);
}

/* For each root move, how deep its lines went. */
static mp_value search_move(struct worker *w, const struct node *node, int i)
{
    if (node->ply > 0)
        return search_below(w, node, i);
    int deepest = w->counters.max_ply;
    w->counters.max_ply = 1;
    mp_value value = search_below(w, node, i);
    w->counters.alternatives++;
    w->counters.alternative_plies += (uint64_t)w->counters.max_ply;
    if (deepest > w->counters.max_ply)
        w->counters.max_ply = deepest;
    return value;
}

/* The best moves by static value, best first. */
static void keep_widest(struct worker *w, struct node *node)
{
    const struct mp_game *game = w->game;
    int width = w->settings->width;
    worker_value_moves(w, node->ply, node->list);
    if (w->settings->as_report && game->side(game, worker_state(w, node->ply)) == 1)
        for (int i = 0; i < node->list.count; i++)
            node->list.scores[i] = -node->list.scores[i];
    for (int i = 0; i < width && i < node->list.count; i++)
        node_pick(node, i);
    if (node->list.count > width)
        node->list.count = width;
}

/* Puts the moves in order. Where children may be leaves, the scores then say which moves are noisy. */
static void prepare_moves(struct worker *w, struct node *node)
{
    if (w->settings->width)
        keep_widest(w, node);
    if (node->depth > 1)
        return;
    for (int i = 0; i < node->list.count && node->scored; i++)
        node_pick(node, i);
    node->scored = false;
    if (w->settings->hmax)
        worker_mark_noisy(w, node->ply, node->list);
    else
        memset(node->list.scores, 0, (size_t)node->list.count * sizeof *node->list.scores);
}

static mp_value expand(struct worker *w, int ply, int depth, int limit, mp_value alpha, mp_value beta)
{
    mp_value value;
    if (worker_settled(w, ply, &value))
        return value;
    if (worker_is_chance(w, ply))
        return worker_chance_value(w, ply, depth);
    /* Its own is the ply at which, and below which, no node has children. */
    struct node node = {.ply = ply, .depth = depth, .own = &limit, .alpha = alpha, .beta = beta};
    node.best = -MP_INFINITE;
    node.on_pv = alpha == -MP_INFINITE && beta == MP_INFINITE;
    node.scored = !w->settings->width && w->game->ordering->list_scored;
    node.list = node.scored ? worker_list_scored(w, ply, depth) : worker_list(w, ply);
    if (node.list.count == 0)
        return worker_final(w, ply);
    prepare_moves(w, &node);
    node_search(w, &node, search_move);
    worker_drop(w, node.list);
    return node.best;
}

mp_value horizon(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    return expand(w, ply, depth, limit_at(w, ply, depth, INT_MAX), alpha, beta);
}

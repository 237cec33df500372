/* selective.c - pvs,selective=on: the search that plays. Principal variation search that looks deeper where
 * it matters and gives up early where it most likely does not, so its values are judgements, not minimax's.
 *
 * Every technique has a switch (settings.h) and works for every game that has the hooks it needs. All
 * decisions at a node depend on the node alone and on what its worker has learned, so that every parallel
 * scheme can share the node's moves out. Constants without a remark are common practice and were not
 * tuned. */
#include "search/selective.h"

#include "search/algorithms.h"
#include "search/cuts.h"

/* ---- Constants ---------------------------------------------------------------------------------------- */

/* Depths up to which a technique prunes, and margins in hundredths of the game's unit. */
enum {
    REVERSE_DEPTH = 8,
    REVERSE_MARGIN = 75,
    REVERSE_LOST = 400,
    NULL_DEPTH = 3,
    NULL_REDUCTION = 4,
    FUTILITY_DEPTH = 6,
    FUTILITY_BASE = 90,
    FUTILITY_MARGIN = 85,
    LATE_DEPTH = 8,
    EXCHANGE_DEPTH = 8,
    EXCHANGE_NOISY = 90,
    EXCHANGE_QUIET = 55,
    FAILED_DEPTH = 4,
    FAILED_WORTH = LEARNED_MOST / 4,
    INTERNAL_DEPTH = 4,
    KEPT_DEPTH = 3,
};

/* 100 times the natural logarithm of 1 to 64, for late move reductions. */
static const int16_t log100[64] = {0,   69,  110, 139, 161, 179, 195, 208, 220, 230, 240, 248, 256,
                                   264, 271, 277, 283, 289, 294, 300, 304, 309, 314, 318, 322, 326,
                                   330, 333, 337, 340, 343, 347, 350, 353, 356, 358, 361, 364, 366,
                                   369, 371, 374, 376, 378, 381, 383, 385, 387, 389, 391, 393, 395,
                                   397, 399, 401, 403, 404, 406, 408, 409, 411, 413, 414, 416};

/* ---- The moves of a node, in stages -------------------------------------------------------------------- */

enum stage { STAGE_NOISY, STAGE_QUIET };

/* What the selective search keeps beside a node. */
struct judged {
    enum stage stage; /* which moves are still to come */
    mp_value eval;    /* static; MP_INFINITE: the side to move is in check */
    bool improving;   /* the evaluation is better than two plies ago */
};

static struct judged *judged(const struct node *node)
{
    return node->own;
}

static void set_count(struct worker *w, struct node *node, int count)
{
    node->list.count = count;
    w->moves.top = (size_t)(node->list.moves - w->moves.moves) + (size_t)count;
}

/* The hash move has been searched before the others were listed. */
static void leave_out_hash(struct worker *w, struct node *node, int first)
{
    const struct move_list *list = &node->list;
    if (first == 0 || list->scores[0] < ORDER_HASH)
        return;
    for (int i = first; i < list->count; i++)
        if (list->moves[i] == list->moves[0]) {
            list->moves[i] = list->moves[list->count - 1];
            set_count(w, node, list->count - 1);
            return;
        }
}

static void add_noisy(struct worker *w, struct node *node)
{
    const struct mp_game *game = w->game;
    const void *state = worker_state(w, node->ply);
    struct move_list *list = &node->list;
    int first = list->count;
    worker_list_more(w, node->ply, game->selective->list_noisy, list);
    leave_out_hash(w, node, first);
    game->selective->gains(game, state, list->moves + first, list->count - first, list->scores + first);
    learned_score_noisy(w, node, first);
    bool weigh = game->selective->exchange && technique_on(w, TECHNIQUE_EXCHANGE);
    for (int i = first; i < list->count; i++) {
        bool good = !weigh || game->selective->exchange(game, state, list->moves[i], 0);
        list->scores[i] += good ? ORDER_GOOD : ORDER_BAD;
    }
}

static bool gives_check(const struct worker *w, int ply, mp_move move)
{
    return w->game->selective->gives_check &&
           w->game->selective->gives_check(w->game, worker_state(w, ply), move);
}

/* Of the moves from place first on, only those that give check stay. */
static void keep_checks(struct worker *w, struct node *node, int first)
{
    const struct move_list *list = &node->list;
    int kept = first;
    for (int i = first; i < list->count; i++)
        if (gives_check(w, node->ply, list->moves[i])) {
            list->moves[kept] = list->moves[i];
            list->scores[kept++] = list->scores[i];
        }
    set_count(w, node, kept);
}

/* Brings the best of the quiet moves from place first on to the front; of the others only those that give
 * check stay. */
static void keep_best(struct worker *w, struct node *node, int first, int keep)
{
    const struct move_list *list = &node->list;
    if (list->count - first <= keep)
        return;
    struct node quiet = {.list = {list->moves + first, list->scores + first, list->count - first}};
    for (int i = 0; i < keep; i++)
        node_pick(&quiet, i);
    keep_checks(w, node, first + keep);
}

/* How many quiet moves deserve a search. Late move pruning: the deeper, the more. Futility pruning: none if
 * they would have to gain more than a quiet move does; but one, so that there is a value, if nothing has been
 * searched yet. */
static int quiet_moves_worth(const struct worker *w, const struct node *node)
{
    const mp_value unit = w->game->selective->unit;
    if (node->on_pv || judged(node)->eval == MP_INFINITE ||
        (node->best < -MP_PROVEN && node->best > -MP_INFINITE))
        return INT32_MAX;
    int least = node->best > -MP_INFINITE ? 0 : 1;
    if (technique_on(w, TECHNIQUE_FUTILITY) && unit && node->depth <= FUTILITY_DEPTH &&
        !is_proven(node->alpha) &&
        judged(node)->eval + (FUTILITY_BASE + FUTILITY_MARGIN * node->depth) * unit / 100 <= node->alpha)
        return least;
    if (technique_on(w, TECHNIQUE_LATE_MOVES) && node->depth <= LATE_DEPTH)
        return (4 + node->depth * node->depth) / (judged(node)->improving ? 1 : 2) + least;
    return INT32_MAX;
}

static void add_quiet(struct worker *w, struct node *node)
{
    int first = node->list.count, keep = quiet_moves_worth(w, node);
    if (keep == 0 && !w->game->selective->gives_check)
        return;
    worker_list_more(w, node->ply, w->game->selective->list_quiet, &node->list);
    leave_out_hash(w, node, first);
    if (keep == 0)
        keep_checks(w, node, first);
    learned_score_quiet(w, node, first);
    keep_best(w, node, first, keep);
}

static void add_stage(struct worker *w, struct node *node)
{
    if (judged(node)->stage == STAGE_NOISY) {
        judged(node)->stage = STAGE_QUIET;
        add_noisy(w, node);
    } else {
        node->more = NULL;
        add_quiet(w, node);
    }
}

/* Begins the list of moves: the hash move, if it is legal here; the rest comes when it is needed. A game that
 * cannot tell noisy from quiet moves lists them all at once. */
static void begin_moves(struct worker *w, struct node *node, const struct table_entry *hash)
{
    const struct mp_game *game = w->game;
    node->scored = true;
    if (!game->selective->list_noisy || !game->selective->list_quiet || !game->selective->gains ||
        !game->selective->recall) {
        node->list = worker_list_scored(w, node->ply, node->depth);
        learned_score_quiet(w, node, 0);
        for (int i = 0; hash && i < node->list.count; i++)
            if ((uint16_t)node->list.moves[i] == hash->move)
                node->list.scores[i] = ORDER_HASH;
        return;
    }
    node->list = (struct move_list){w->moves.moves + w->moves.top, w->moves.scores + w->moves.top, 0};
    node->more = add_stage;
    judged(node)->stage = STAGE_NOISY;
    mp_move move;
    if (hash && game->selective->recall(game, worker_state(w, node->ply), hash->move, &move) &&
        worker_may_play(w, node->ply, move)) {
        int32_t gain;
        game->selective->gains(game, worker_state(w, node->ply), &move, 1, &gain);
        node->list.moves[0] = move;
        node->list.scores[0] = ORDER_HASH + (gain != 0);
        node->list.count = 1;
        w->moves.top++;
    }
}

/* ---- One move ------------------------------------------------------------------------------------------ */

static mp_value visit(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta, bool expects_cut);

/* By how much less deep a late move is searched at first. */
static int reduction_of(const struct worker *w, const struct node *node, int i, int32_t score)
{
    if (!technique_on(w, TECHNIQUE_REDUCTIONS) || node->depth < 3 || i < 1 + node->on_pv ||
        !(order_is_quiet(score) || order_is_bad(score)))
        return 0;
    int late = log100[i < 64 ? i : 63] * log100[(node->depth < 64 ? node->depth : 64) - 1];
    int reduction = (5000 + late * 10 / 22) / 10000;
    reduction += node->expects_cut;
    reduction += !judged(node)->improving;
    reduction -= node->on_pv;
    reduction -= order_is_special(score);
    if (w->game->selective->list_quiet)
        reduction -= learned_worth(score) / (LEARNED_MOST / 2);
    reduction = reduction > 0 ? reduction : 0;
    return reduction < node->depth - 2 ? reduction : node->depth - 2;
}

/* Does the move most likely lose too much for the depth that is left? */
static bool loses_too_much(const struct worker *w, const struct node *node, mp_move move, int32_t score,
                           int reduction)
{
    const struct mp_game *game = w->game;
    if (!game->selective->exchange || !game->selective->unit || !technique_on(w, TECHNIQUE_EXCHANGE) ||
        node->ply == 0 || node->best < -MP_PROVEN || node->depth > EXCHANGE_DEPTH)
        return false;
    bool quiet = order_is_quiet(score);
    if ((!quiet && !order_is_bad(score)) || gives_check(w, node->ply, move))
        return false;
    int depth = quiet ? node->depth - reduction : node->depth;
    int margin = quiet ? EXCHANGE_QUIET * depth : EXCHANGE_NOISY * depth;
    return !game->selective->exchange(game, worker_state(w, node->ply), move,
                                      -margin * game->selective->unit / 100);
}

/* Has the quiet move failed so often in such positions that the depth left is not worth it? */
static bool failed_before(const struct worker *w, const struct node *node, int32_t score)
{
    return technique_on(w, TECHNIQUE_LATE_MOVES) && w->game->selective->list_quiet &&
           node->depth <= FAILED_DEPTH && !node->on_pv && judged(node)->eval < MP_INFINITE &&
           node->best > -MP_PROVEN && learned_worth(score) < -FAILED_WORTH * node->depth;
}

static mp_value search_move(struct worker *w, const struct node *node, int i)
{
    int ply = node->ply, depth = node->depth - 1;
    mp_move move = node->list.moves[i];
    int32_t score = node->list.scores[i];
    bool first = node->best == -MP_INFINITE;
    int reduction = first ? 0 : reduction_of(w, node, i, score);
    if (!first && (failed_before(w, node, score) || loses_too_much(w, node, move, score, reduction)))
        return node->best;

    if (ply == 0)
        w->move_since = w->counters.nodes;
    worker_play(w, ply, move);
    w->frames[ply + 1].index = learned_index(w, ply, move);
    if (w->table)
        table_prefetch(w->table, w->game->key(w->game, worker_state(w, ply + 1)));

    mp_value value = 0;
    if (first && node->on_pv)
        return -visit(w, ply + 1, depth, -node->beta, -node->alpha, false);
    if (first)
        return -visit(w, ply + 1, depth, -node->beta, -node->alpha, !node->expects_cut);
    value = -visit(w, ply + 1, depth - reduction, -node->alpha - 1, -node->alpha,
                   reduction || !node->expects_cut);
    if (reduction && value > node->alpha && !w->stopped)
        value = -visit(w, ply + 1, depth, -node->alpha - 1, -node->alpha, !node->expects_cut);
    if (value > node->alpha && value < node->beta && !w->stopped)
        value = -visit(w, ply + 1, depth, -node->beta, -node->alpha, false);
    return value;
}

/* ---- A node -------------------------------------------------------------------------------------------- */

/* Has the position at ply occurred in this line before? Then it can as well be called drawn. */
static bool repeats(const struct worker *w, int ply)
{
    if (!(w->game->flags & MP_REPETITION_DRAWS) || !w->line.keys || !technique_on(w, TECHNIQUE_REPETITION))
        return false;
    uint64_t key = w->game->key(w->game, worker_state(w, ply));
    for (int back = 4; back <= ply; back += 2)
        if (w->line.keys[w->line.keys_before + (size_t)(ply - back)] == key)
            return true;
    return false;
}

/* Hands the turn over: if the opponent cannot profit from two moves in a row, a real move is good enough
 * too. */
static bool null_move_cuts(struct worker *w, const struct node *node, mp_value *value)
{
    const struct mp_game *game = w->game;
    int ply = node->ply;
    if (!technique_on(w, TECHNIQUE_NULL_MOVE) || !game->selective->null_move || node->depth < NULL_DEPTH ||
        judged(node)->eval < node->beta || is_proven(node->beta) || w->frames[ply].index == FRAME_NO_MOVE)
        return false;
    if (!game->selective->null_move(game, worker_state(w, ply), worker_state(w, ply + 1)))
        return false;
    mp_value ahead = game->selective->unit ? (judged(node)->eval - node->beta) / (2 * game->selective->unit)
                                           : 0;
    int reduction = NULL_REDUCTION + node->depth / 4 + (ahead < 3 ? (int)ahead : 3);
    if (w->line.keys)
        w->line.keys[w->line.keys_before + (size_t)ply] = game->key(game, worker_state(w, ply));
    w->frames[ply + 1].index = FRAME_NO_MOVE;
    *value = -visit(w, ply + 1, node->depth - reduction, -node->beta, -node->beta + 1, !node->expects_cut);
    if (w->stopped || *value < node->beta)
        return false;
    *value = is_proven(*value) ? node->beta : *value;
    return true;
}

/* Multi-ProbCut: a shallow search most likely tells on which side of the window the value is. It is asked only where the
 * static value says the same: elsewhere it seldom cuts, and costs more than it saves. */
static bool shallow_search_cuts(struct worker *w, const struct node *node, mp_value *value)
{
    if (!technique_on(w, TECHNIQUE_PROBCUT) || is_proven(node->alpha) || is_proven(node->beta))
        return false;
    const struct cuts *cuts = w->settings->cuts;
    const struct cut *cut = cuts_find(cuts, w->game, worker_state(w, node->ply), node->depth);
    if (!cut)
        return false;
    const mp_value eval = judged(node)->eval;
    double above = cut_high(cut, cuts->confidence, node->beta),
           below = cut_low(cut, cuts->confidence, node->alpha);
    bool high = eval >= above;
    if ((!high && eval > below) || fabs(high ? above : below) >= MP_EVAL_MAX)
        return false;
    mp_value alpha = high ? (mp_value)above - 1 : (mp_value)below;
    mp_value found = visit(w, node->ply, cut->shallow, alpha, alpha + 1, high);
    w->pv_length[node->ply] = 0;
    *value = high ? node->beta : node->alpha;
    if (w->stopped || (high ? found <= alpha : found > alpha))
        return false;
    w->borrowed++;
    return true;
}

/* The static value and the search differ: the evaluation errs here, unless the difference is due to a capture
 * or only a bound on the wrong side. */
static void learn_error(const struct worker *w, const struct node *node, int depth, mp_value alpha,
                        mp_value static_eval)
{
    mp_value best = node->best;
    if (!technique_on(w, TECHNIQUE_CORRECTION) || is_proven(best) || node->is_answered ||
        (best >= node->beta && best <= static_eval) || (best <= alpha && best >= static_eval))
        return;
    for (int i = 0; best > alpha && i < node->list.count; i++)
        if (node->list.moves[i] == node->best_move && !order_is_quiet(node->list.scores[i]))
            return;
    learned_error(w, node->ply, depth, best - static_eval);
}

static mp_value visit(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta, bool expects_cut)
{
    const struct mp_game *game = w->game;
    mp_value value;
    if (depth <= 0 || line_is_full(ply))
        return quiescence(w, ply, alpha, beta);
    if (!w->judges && worker_plies_to_end(w, ply, depth)) /* there is nothing to judge */
        return pvs(w, ply, depth, alpha, beta);
    /* Where moves are left out by judgement nothing is ever known to the end; a draw by repetition is one on
     * this line only. */
    w->borrowed += w->judges;
    if (worker_settled(w, ply, &value) || (ply > 0 && repeats(w, ply))) {
        w->borrowed++;
        return value;
    }
    if (worker_is_chance(w, ply))
        return worker_chance_value(w, ply, depth);
    if (worker_solve(w, ply, depth, alpha, beta, &value))
        return value;

    /* No line from here can be better than an end of the game at the next ply, or worse than one here. */
    if (w->distance && ply > 0) {
        mp_value most = MP_PROVEN + MP_MAX_PLY - (ply + 1), least = -(MP_PROVEN + MP_MAX_PLY - ply);
        alpha = alpha > least ? alpha : least;
        beta = beta < most ? beta : most;
        if (alpha >= beta)
            return alpha;
    }

    const uint64_t open_ends = worker_open_ends(w);
    struct judged own = {0};
    struct node node = {.ply = ply, .depth = depth, .alpha = alpha, .beta = beta, .own = &own};
    node.best = -MP_INFINITE;
    node.on_pv = beta > alpha + 1;
    node.expects_cut = expects_cut;
    /* Worked out first, because the entry of the table is still on its way (prefetch). */
    bool in_check = game->selective->in_check && game->selective->in_check(game, worker_state(w, ply));
    bool judges = w->settings->techniques & TECHNIQUES_JUDGING;
    own.eval = judges && !in_check ? static_value(w, ply) : MP_INFINITE;
    const mp_value static_eval = own.eval;
    w->frames[ply].eval = own.eval;
    own.improving = ply < 2 || (own.eval < MP_INFINITE && own.eval > w->frames[ply - 2].eval);
    struct table_entry entry;
    bool known = false;
    mp_value known_value = 0;
    if (w->table) {
        node.key = line_table_key(&w->line, ply, !technique_on(w, TECHNIQUE_DEEPER));
        w->counters.table_probes++;
        known = table_probe(w->table, node.key, &entry);
        w->counters.table_hits += known;
        known_value = known ? worker_from_root(w, entry.value, ply) : 0;
        if (known && !node.on_pv && entry_answers(w, &entry, depth, known_value, alpha, beta)) {
            worker_borrow(w, &entry);
            return known_value;
        }
    }

    /* Check extension: an answer to a threat is no progress. */
    if (in_check && technique_on(w, TECHNIQUE_CHECKS) && depth < MP_MAX_DEPTH)
        node.depth++;

    /* The frontier of a game without noisy moves is valued in one call where the game can. */
    if (node.depth == 1 && !game->selective->list_noisy && worker_has_frontier(w)) {
        node.list = worker_list(w, ply);
        value = node.list.count ? worker_frontier(w, ply, node.list, alpha, beta) : worker_final(w, ply);
        worker_drop(w, node.list);
        return value;
    }

    /* What the table knows is a better judgement. */
    if (known && own.eval < MP_INFINITE && entry_improves(&entry, known_value, own.eval))
        own.eval = known_value;

    if (!node.on_pv && own.eval < MP_INFINITE) {
        /* Reverse futility: so far ahead that the opponent will not catch up in the depth that is left. Not
         * where the opponent is winning anyway: the question then is whether there is a mate. */
        if (technique_on(w, TECHNIQUE_REVERSE_FUTILITY) && game->selective->unit && depth <= REVERSE_DEPTH &&
            beta > -REVERSE_LOST * game->selective->unit / 100 && !is_proven(beta) && !is_proven(own.eval) &&
            own.eval - REVERSE_MARGIN * (depth - own.improving) * game->selective->unit / 100 >= beta)
            return own.eval;
        if (null_move_cuts(w, &node, &value) || w->stopped)
            return value;
        if (shallow_search_cuts(w, &node, &value) || w->stopped)
            return value;
    }

    /* Internal iterative reduction: without a hash move the order is poor; a cheaper look comes first. */
    bool has_hash = known && entry.move != NO_HASH_MOVE;
    if (!has_hash && w->table && depth >= INTERNAL_DEPTH && technique_on(w, TECHNIQUE_INTERNAL)) {
        node.depth--;
        depth--;
    }

    node.stored_depth = depth;
    begin_moves(w, &node, has_hash ? &entry : NULL);
    node_search(w, &node, search_move);
    if (!w->stopped && node.best == -MP_INFINITE) {
        worker_drop(w, node.list);
        return worker_final(w, ply);
    }
    if (!w->stopped && node.best >= beta && !node.is_answered)
        learned_cut(w, &node);
    if (!w->stopped && static_eval < MP_INFINITE)
        learn_error(w, &node, depth, alpha, static_eval);
    worker_drop(w, node.list);
    if (w->stopped)
        return node.best;
    if (w->table && !node.is_answered && !worker_is_filtered(w, ply)) {
        enum bound bound = node.best >= beta ? BOUND_LOWER : node.best > alpha ? BOUND_EXACT : BOUND_UPPER;
        /* A bound from a much deeper search is worth more. */
        if (known && bound != BOUND_EXACT && entry.depth > depth + KEPT_DEPTH)
            return node.best;
        /* Where every move failed, the one that was good before is still the best guess. */
        uint16_t move = bound != BOUND_UPPER ? (uint16_t)node.best_move
                        : has_hash           ? entry.move
                                             : NO_HASH_MOVE;
        table_store(w->table, node.key,
                    (struct table_entry){.value = worker_from_root(w, node.best, -ply),
                                         .move = move,
                                         .depth = (uint8_t)depth,
                                         .bound = (uint8_t)bound,
                                         .complete = worker_is_complete(w, open_ends, node.best)});
    }
    return node.best;
}

mp_value selective(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    return visit(w, ply, depth, alpha, beta, false);
}

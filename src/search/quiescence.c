/* quiescence.c - below the horizon: only noisy moves, until the position is quiet enough to be evaluated. The
 * side to move need not take anything: its evaluation is a lower bound ("stand pat"). In check it must
 * answer, so every move is searched. */
#include "search/selective.h"

/* A capture is not searched if even with this much more than it wins, in hundredths of a unit, alpha is out
 * of reach. */
enum { DELTA = 150 };

/* Noisy moves by what they win; in check all moves, noisy ones first. */
static struct node moves_of(struct worker *w, int ply, bool in_check)
{
    const struct mp_game *game = w->game;
    struct node node = {.ply = ply, .scored = true, .best_move = NO_HASH_MOVE};
    node.list = (struct move_list){w->moves.moves + w->moves.top, w->moves.scores + w->moves.top, 0};
    worker_list_more(w, ply, in_check ? game->list : game->selective->list_noisy, &node.list);
    if (game->selective->gains && node.list.count)
        game->selective->gains(game, worker_state(w, ply), node.list.moves, node.list.count,
                               node.list.scores);
    else
        memset(node.list.scores, 0, (size_t)node.list.count * sizeof *node.list.scores);
    return node;
}

mp_value quiescence(struct worker *w, int ply, mp_value alpha, mp_value beta)
{
    const struct mp_game *game = w->game;
    mp_value value;
    if (!game->selective->list_noisy || !technique_on(w, TECHNIQUE_QUIESCENCE)) {
        w->pv_length[ply] = 0;
        if (w->distance && game->solve && !line_drawn(&w->line, ply) &&
            worker_solve(w, ply, 0, alpha, beta, &value)) {
            w->counters.nodes++;
            return value;
        }
        return worker_leaf(w, ply);
    }
    w->borrowed += w->judges;
    if (worker_settled(w, ply, &value) || (w->distance && worker_solve(w, ply, 0, alpha, beta, &value)))
        return value;

    /* Worked out first, because the entry of the table is still on its way (prefetch). */
    bool in_check = game->selective->in_check && game->selective->in_check(game, worker_state(w, ply)) &&
                    !line_is_full(ply);
    mp_value first_alpha = alpha, eval = -MP_INFINITE;
    if (!in_check)
        eval = corrected(w, ply, worker_evaluate(w, ply));
    if (eval >= beta || line_is_full(ply))
        return eval;
    struct table_entry entry;
    uint64_t key = 0;
    bool null_window = beta == alpha + 1, known = false;
    if (w->table) {
        key = line_table_key(&w->line, ply, !technique_on(w, TECHNIQUE_DEEPER));
        w->counters.table_probes++;
        known = table_probe(w->table, key, &entry);
        w->counters.table_hits += known;
        value = known ? worker_from_root(w, entry.value, ply) : 0;
        if (known && null_window && entry_answers(w, &entry, 0, value, alpha, beta))
            return value;
        /* What the table knows is a better judgement. */
        if (known && !in_check && entry_improves(&entry, value, eval))
            eval = value;
        if (eval >= beta)
            return eval;
    }

    alpha = eval > alpha ? eval : alpha;
    struct node node = moves_of(w, ply, in_check);
    node.alpha = alpha;
    node.beta = beta;
    node.best = eval;
    mp_value margin = game->selective->unit ? DELTA * game->selective->unit / 100 : MP_INFINITE / 2;
    for (int i = 0; i < node.list.count; i++) {
        node_pick(&node, i);
        mp_move move = node.list.moves[i];
        if (!in_check && game->selective->gains && eval + node.list.scores[i] + margin <= node.alpha)
            break;
        bool may_skip = game->selective->exchange && technique_on(w, TECHNIQUE_EXCHANGE) &&
                        node.best > -MP_PROVEN;
        if (may_skip && !game->selective->exchange(game, worker_state(w, ply), move, 0))
            continue;
        worker_play(w, ply, move);
        if (w->table)
            table_prefetch(w->table, game->key(game, worker_state(w, ply + 1)));
        value = -quiescence(w, ply + 1, -node.beta, -node.alpha);
        if (w->stopped || node_update(w, w, &node, move, value))
            break;
    }
    worker_drop(w, node.list);
    if (w->stopped)
        return node.best;
    if (node.best == -MP_INFINITE)
        return worker_final(w, ply);
    /* What a deeper search has found is worth more. */
    if (w->table && !(known && entry.depth > 0)) {
        enum bound bound = node.best >= beta         ? BOUND_LOWER
                           : node.best > first_alpha ? BOUND_EXACT
                                                     : BOUND_UPPER;
        table_store(w->table, key,
                    (struct table_entry){.value = worker_from_root(w, node.best, -ply),
                                         .move = (uint16_t)node.best_move,
                                         .bound = (uint8_t)bound});
    }
    return node.best;
}

/* pvs.c - principal variation search: assume that the first move is best, and prove it.
 *
 * After the first move the others are searched with an empty window, which only asks "better or not?"; one
 * that is better is searched again (Marsland and Campbell 1982). What is learned on the way orders the
 * moves of the next visit: the best move in the transposition table, killers (moves that refuted a sibling)
 * and history (moves that refuted anything). The table is also an answer in itself when the same position
 * comes back; exact searches take that answer only from an entry of the same depth, or one that no depth can
 * change. */
#include "search/algorithms.h"
#include "search/node.h"

/* The order of moves: hash move, then the game's guess, with a bonus for killers and the history as its
 * fraction. Killers before all others cost Othello 15% and Halma 7% more nodes, because their guesses are
 * good; a smaller bonus costs chess more, where most moves are guessed alike. */
enum { ORDER_HASH = 1 << 30, ORDER_GUESS = 1 << 10, ORDER_KILLER = 30 * ORDER_GUESS, HISTORY_MAX = 1 << 10 };

/* Where so many plies are left to the end of the game, moves are ordered by a search. */
enum { ORDER_BY_SEARCH = 14 };

static mp_value search_move(struct worker *w, const struct node *node, int i)
{
    int ply = node->ply, depth = node->depth - 1;
    if (ply == 0)
        w->move_since = w->counters.nodes;
    worker_play(w, ply, node->list.moves[i]);
    if (depth == 0)
        return -worker_leaf(w, ply + 1);
    if (node->best == -MP_INFINITE)
        return -pvs(w, ply + 1, depth, -node->beta, -node->alpha);
    mp_value value = -pvs(w, ply + 1, depth, -node->alpha - 1, -node->alpha);
    if (value > node->alpha && value < node->beta && !w->stopped)
        value = -pvs(w, ply + 1, depth, -node->beta, -node->alpha);
    return value;
}

static _Atomic int32_t *history_of(const struct worker *w, int ply)
{
    int side = w->game->side(w->game, worker_state(w, ply));
    return w->order.history + (size_t)side * w->order.index_count;
}

static void order_moves(const struct worker *w, const struct node *node, const struct table_entry *entry)
{
    const struct move_list *list = &node->list;
    const struct killers *at_ply = &w->order.killers[node->ply];
    const mp_move killers[2] = {ORDER_LOAD(&at_ply->moves[0]), ORDER_LOAD(&at_ply->moves[1])};
    const _Atomic int32_t *history = w->settings->history ? history_of(w, node->ply) : NULL;
    enum { BATCH = 64 };
    uint16_t indices[BATCH];
    for (int i = 0; i < list->count; i++) {
        if (history && i % BATCH == 0) {
            int batch = list->count - i < BATCH ? list->count - i : BATCH;
            order_index(&w->order, w->game, worker_state(w, node->ply), list->moves + i, batch, indices);
        }
        mp_move move = list->moves[i];
        int32_t score = list->scores[i] * ORDER_GUESS;
        if (history)
            score += ORDER_LOAD(&history[indices[i % BATCH]]);
        if (w->settings->killers && (move == killers[0] || move == killers[1]))
            score += ORDER_KILLER + (move == killers[0]);
        list->scores[i] = entry && (uint16_t)move == entry->move ? ORDER_HASH : score;
    }
}

/* A search to the end costs so much more than one to a small depth that moves are best ordered by the latter, with the
 * evaluation of the strategy. What it leaves open is not open in the end. FFO 40 to 44: half the nodes. */
static void order_by_search(struct worker *w, const struct node *node, int depth)
{
    const struct move_list *list = &node->list;
    const uint64_t open_ends = worker_open_ends(w);
    for (int i = 0; i < list->count && !w->stopped; i++) {
        worker_play(w, node->ply, list->moves[i]);
        if (list->scores[i] != ORDER_HASH)
            list->scores[i] = -pvs(w, node->ply + 1, depth, -MP_INFINITE, MP_INFINITE);
    }
    w->borrowed += open_ends - worker_open_ends(w);
}

/* Is a move known to be good enough for a cut-off, because the position after it has been searched to the end?
 * (Enhanced transposition cut-off.) */
static bool child_cuts(struct worker *w, const struct node *node, mp_value *value)
{
    for (int i = 0; i < node->list.count; i++) {
        struct table_entry entry;
        worker_play(w, node->ply, node->list.moves[i]);
        uint64_t key = line_table_key(&w->line, node->ply + 1, w->settings->exact);
        if (!table_probe(w->table, key, &entry) || !entry.complete || entry.depth >= node->depth ||
            entry.bound == BOUND_LOWER)
            continue;
        *value = -worker_from_root(w, entry.value, node->ply + 1);
        if (*value >= node->beta)
            return true;
    }
    return false;
}

/* A move that cut off is tried earlier next time. */
static void remember_cut(struct worker *w, const struct node *node)
{
    order_kill(&w->order, node->ply, node->best_move);
    if (!w->settings->history)
        return;
    uint16_t index;
    order_index(&w->order, w->game, worker_state(w, node->ply), &node->best_move, 1, &index);
    _Atomic int32_t *history = history_of(w, node->ply);
    int32_t worth = ORDER_LOAD(&history[index]) + node->depth * node->depth;
    ORDER_STORE(&history[index], worth);
    if (worth >= HISTORY_MAX)
        for (uint32_t i = 0; i < w->order.index_count; i++)
            ORDER_STORE(&history[i], ORDER_LOAD(&history[i]) / 2);
}

mp_value pvs(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    mp_value value;
    if (worker_settled(w, ply, &value))
        return value;
    if (worker_is_chance(w, ply))
        return worker_chance_value(w, ply, depth);
    if (worker_solve(w, ply, depth, alpha, beta, &value))
        return value;

    if (depth == 1 && worker_has_frontier(w)) /* most nodes: there is nothing to prepare */
        return worker_last_ply(w, ply, alpha, beta);

    const uint64_t open_ends = worker_open_ends(w);
    bool null_window = beta == alpha + 1;
    bool use_table = w->table && depth > 1;
    uint64_t key = use_table ? line_table_key(&w->line, ply, w->settings->exact) : 0;
    struct table_entry entry;
    bool known = false;
    if (use_table) {
        w->counters.table_probes++;
        known = table_probe(w->table, key, &entry);
        w->counters.table_hits += known;
        if (known && null_window) {
            value = worker_from_root(w, entry.value, ply);
            if (table_entry_holds(&entry, depth) && table_entry_settles(&entry, value, alpha, beta)) {
                worker_borrow(w, &entry);
                return value;
            }
        }
    }

    struct node node = {.ply = ply, .depth = depth, .key = key, .alpha = alpha, .beta = beta};
    node.best = -MP_INFINITE;
    node.stored_depth = depth;
    node.on_pv = !null_window;
    node.scored = depth > 1;
    node.list = node.scored ? worker_list_scored(w, ply, depth) : worker_list(w, ply);
    if (node.list.count == 0)
        return worker_final(w, ply);
    if (node.scored)
        order_moves(w, &node, known && entry.bound != BOUND_UPPER ? &entry : NULL);
    int plies = use_table ? worker_plies_to_end(w, ply, depth) : 0;
    if (plies > 0 && null_window && child_cuts(w, &node, &value)) {
        worker_drop(w, node.list);
        return value;
    }
    if (plies > ORDER_BY_SEARCH)
        order_by_search(w, &node, 1 + (plies - ORDER_BY_SEARCH) / 2);
    node_search(w, &node, search_move);
    worker_drop(w, node.list);
    if (w->stopped)
        return node.best;

    if (node.best >= beta && depth > 1 && !node.is_answered)
        remember_cut(w, &node);
    if (use_table && !node.is_answered && !worker_is_filtered(w, ply)) {
        enum bound bound = node.best >= beta ? BOUND_LOWER : node.best > alpha ? BOUND_EXACT : BOUND_UPPER;
        table_store(w->table, key,
                    (struct table_entry){.value = worker_from_root(w, node.best, -ply),
                                         .move = (uint16_t)node.best_move,
                                         .depth = (uint8_t)depth,
                                         .bound = (uint8_t)bound,
                                         .complete = worker_is_complete(w, open_ends, node.best)});
    }
    return node.best;
}

/* worker.c - allocates a worker, lists and filters its moves, and values the frontier. */
#include "search/worker.h"

#include "search/chance.h"
#include "search/learned.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool worker_init(struct worker *w, const struct mp_game *game, const struct settings *settings,
                 struct control *control, struct table *table, struct mp_error *error)
{
    *w = (struct worker){.game = game, .settings = settings, .control = control, .table = table};
    w->distance = game->scoring == MP_SCORE_WIN;
    w->pv = memory_reserve(LINE_PLIES * sizeof *w->pv);
    w->pv_length = calloc(LINE_PLIES, sizeof *w->pv_length);
    bool ok = w->pv && w->pv_length;
    ok = line_init(&w->line, game) && ok;
    ok = moves_init(&w->moves) && ok;
    ok = order_init(&w->order, game) && ok;
    if (settings->selective) {
        w->judges = game->selective->unit || game->selective->list_noisy || game->selective->exchange ||
                    game->selective->null_move;
        struct frame *frames = calloc(LINE_PLIES + 1, sizeof *frames);
        w->frames = frames ? frames + 1 : NULL;
        w->learned = learned_new(w->order.index_count);
        ok = ok && w->frames && w->learned;
    }
    if (settings->network) {
        w->accumulators = accumulators_new(settings->network);
        ok = ok && w->accumulators;
    }
    /* A selective search comes to the same state again and again, in each iteration and by other orders of moves. Where the
     * rules look back the key of a state is at hand. */
    if (settings->selective && !settings->network && (game->flags & MP_REPETITION_DRAWS)) {
        w->valued = calloc((size_t)1 << VALUED_BITS, sizeof *w->valued);
        ok = ok && w->valued;
    }
    if (ok)
        return true;
    worker_free(w);
    return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a search thread");
}

void worker_free(struct worker *w)
{
    line_free(&w->line);
    moves_free(&w->moves);
    order_free(&w->order);
    memory_release(w->pv, LINE_PLIES * sizeof *w->pv);
    free(w->pv_length);
    free(w->frames ? w->frames - 1 : NULL);
    learned_free(w->learned);
    accumulators_free(w->accumulators);
    free(w->valued);
}

void worker_clear_counters(struct worker *w)
{
    w->check_at = w->reported = 0;
    atomic_store_explicit(&w->shown, 0, memory_order_relaxed);
    w->counters = (struct mp_counters){0};
    w->borrowed = 0;
}

bool worker_set_root(struct worker *w, const void *state, const struct mp_history *history,
                     struct mp_error *error)
{
    w->stopped = false;
    w->open = NULL;
    worker_clear_counters(w);
    w->shared_ply = WORKER_ALONE;
    w->moves.top = 0;
    w->root_side = w->game->side(w->game, state);
    order_clear(&w->order);
    if (w->frames)
        w->frames[-1] = w->frames[0] = (struct frame){MP_INFINITE, FRAME_NO_MOVE};
    return line_set_root(&w->line, state, history, error);
}

void worker_poll(struct worker *w)
{
    struct control *control = w->control;
    uint64_t fresh = w->counters.nodes - w->reported;
    uint64_t total = fresh + atomic_fetch_add_explicit(&control->nodes, fresh, memory_order_relaxed);
    w->reported = w->counters.nodes;
    atomic_store_explicit(&w->shown, w->reported, memory_order_relaxed);
    bool late = control->deadline_ns && control_ns(control) >= control->deadline_ns;
    bool full = control->node_limit && total >= control->node_limit;
    if (late || full)
        control_stop(control);
    bool cancelled = w->hooks && w->hooks->cancelled && w->hooks->cancelled(w);
    w->stopped = cancelled || control_stopped(control);
    w->check_at = w->counters.nodes + WORKER_CHECK_NODES;
    if (control->node_limit && !full && control->node_limit - total < WORKER_CHECK_NODES)
        w->check_at = w->counters.nodes + (control->node_limit - total);
}

/* ---- What a game searches to its end by itself ---------------------------------------------------------- */

struct ending {
    struct mp_ending ending; /* first: the one is found from the other */
    struct worker *worker;
    uint64_t nodes; /* of the worker before */
};

static bool ending_poll(struct mp_ending *ending)
{
    const struct ending *e = (const struct ending *)ending;
    e->worker->counters.nodes = e->nodes + ending->nodes;
    worker_poll(e->worker);
    ending->poll_at = e->worker->check_at - e->nodes;
    return e->worker->stopped;
}

static bool ending_probe(struct mp_ending *ending, uint64_t key, struct mp_known *known)
{
    struct worker *w = ((struct ending *)ending)->worker;
    struct table_entry entry;
    if (!w->table)
        return false;
    w->counters.table_probes++;
    if (!table_probe(w->table, key, &entry) || !entry.complete)
        return false;
    w->counters.table_hits++;
    known->low = entry.bound == BOUND_UPPER ? -MP_INFINITE : entry.value;
    known->high = entry.bound == BOUND_LOWER ? MP_INFINITE : entry.value;
    known->move = entry.move;
    return true;
}

static void ending_store(struct mp_ending *ending, uint64_t key, int plies, const struct mp_known *known)
{
    const struct worker *w = ((struct ending *)ending)->worker;
    if (!w->table)
        return;
    bool low = known->low > -MP_INFINITE, high = known->high < MP_INFINITE;
    table_store(w->table, key,
                (struct table_entry){.value = low ? known->low : known->high,
                                     .move = known->move,
                                     .depth = (uint8_t)(plies < MP_MAX_DEPTH ? plies : MP_MAX_DEPTH),
                                     .bound = (uint8_t)(low && high ? BOUND_EXACT
                                                        : low       ? BOUND_LOWER
                                                                    : BOUND_UPPER),
                                     .complete = true});
}

static void ending_prefetch(struct mp_ending *ending, uint64_t key)
{
    const struct worker *w = ((struct ending *)ending)->worker;
    if (w->table)
        table_prefetch(w->table, key);
}

bool worker_ends(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta, mp_value *value)
{
    struct ending e = {{MP_SIZE(struct mp_ending), .depth = depth, .alpha = alpha, .beta = beta,
                        .poll = ending_poll, .probe = ending_probe, .store = ending_store,
                        .prefetch = ending_prefetch, .evaluation = w->settings->evaluation},
                       w,
                       w->counters.nodes};
    e.ending.poll_at = w->check_at - e.nodes;
    if (!w->game->endgame->solve(w->game, worker_state(w, ply), &e.ending))
        return false;
    w->counters.nodes = e.nodes + e.ending.nodes;
    *value = e.ending.value;
    return true;
}

/* A game would have to list eight thousand moves at every ply to fill the stack; the search then ends as
 * if told to. */
static int checked(struct worker *w, int count)
{
    if (count <= moves_room(&w->moves))
        return count;
    control_stop(w->control);
    w->stopped = true;
    return moves_room(&w->moves);
}

bool worker_may_play(const struct worker *w, int ply, mp_move move)
{
    const struct root_moves *root = w->root_moves;
    if (ply > 0 || !root)
        return true;
    for (int i = 0; i < root->excluded_count; i++)
        if (root->excluded[i] == move)
            return false;
    for (int i = 0; i < root->only_count; i++)
        if (root->only[i] == move)
            return true;
    return root->only_count == 0;
}

/* Leaves out what may not be played; returns how many moves are left. */
static int allowed(struct worker *w, int ply, mp_move *moves, int32_t *scores, int count)
{
    if (ply > 0 || !w->root_moves)
        return count;
    int left = 0;
    for (int i = 0; i < count; i++) {
        if (!worker_may_play(w, ply, moves[i]))
            continue;
        moves[left] = moves[i];
        scores[left++] = scores[i];
    }
    return left;
}

struct move_list worker_list(struct worker *w, int ply)
{
    struct move_list list = moves_push(&w->moves, 0);
    worker_list_more(w, ply, w->game->list, &list);
    return list;
}

void worker_list_more(struct worker *w, int ply, list_function *list_moves, struct move_list *list)
{
    mp_move *moves = w->moves.moves + w->moves.top;
    int count = checked(w, list_moves(w->game, worker_state(w, ply), moves, moves_room(&w->moves)));
    count = allowed(w, ply, moves, w->moves.scores + w->moves.top, count);
    list->count += count;
    w->moves.top += (size_t)count;
}

struct move_list worker_list_scored(struct worker *w, int ply, int depth)
{
    if (!w->game->ordering->list_scored) {
        struct move_list list = worker_list(w, ply);
        memset(list.scores, 0, (size_t)list.count * sizeof *list.scores);
        return list;
    }
    int count = w->game->ordering->list_scored(w->game, worker_state(w, ply), depth,
                                               w->moves.moves + w->moves.top, w->moves.scores + w->moves.top,
                                               moves_room(&w->moves));
    count = checked(w, count);
    return moves_push(&w->moves,
                      allowed(w, ply, w->moves.moves + w->moves.top, w->moves.scores + w->moves.top, count));
}

struct move_list worker_chances(struct worker *w, int ply)
{
    int count = w->game->chances(w->game, worker_state(w, ply), w->moves.moves + w->moves.top,
                                 (uint32_t *)(w->moves.scores + w->moves.top), moves_room(&w->moves));
    return moves_push(&w->moves, checked(w, count));
}

mp_value worker_chance_value(struct worker *w, int ply, int depth)
{
    struct chance c = {.ply = ply, .depth = depth, .outcomes = worker_chances(w, ply)};
    for (int i = 0; i < c.outcomes.count; i++)
        c.weights += chance_weight(&c, i);
    mp_value value = chance_search(w, &c);
    worker_drop(w, c.outcomes);
    return value;
}

int worker_value_children(struct worker *w, int ply, struct move_list list, mp_value enough)
{
    const struct mp_evaluation *evaluation = w->settings->evaluation;
    if (w->accumulators)
        return accumulators_children(w->accumulators, &w->line, ply, list.moves, list.count, enough,
                                     list.scores);
    if (evaluation->children)
        return evaluation->children(w->game, evaluation, worker_state(w, ply), list.moves, list.count, enough,
                                    list.scores);
    for (int i = 0; i < list.count; i++) {
        worker_play(w, ply, list.moves[i]);
        list.scores[i] = worker_static(w, ply + 1);
        if (list.scores[i] <= enough)
            return i + 1;
    }
    return list.count;
}

mp_value worker_frontier(struct worker *w, int ply, struct move_list list, mp_value alpha, mp_value beta)
{
    mp_value *values = list.scores;
    /* A proven value counts plies from the root in the window, but from the child in the evaluation. */
    mp_value enough = worker_from_root(w, -beta, -(ply + 1));
    int valued = worker_value_children(w, ply, list, enough);
    mp_value least = values[0];
    for (int i = 1; i < valued; i++)
        least = values[i] < least ? values[i] : least;
    w->counters.nodes += (uint64_t)valued;
    w->counters.leaves += (uint64_t)valued;
    w->counters.leaf_plies += (uint64_t)valued * (uint64_t)(ply + 1);
    mp_value value = -worker_from_root(w, least, ply + 1);
    if (value > alpha) {
        int best = 0;
        while (values[best] != least)
            best++;
        worker_set_pv(w, ply, list.moves[best]);
    }
    if (value >= beta)
        worker_count_cut(w, ply);
    return value;
}

mp_value worker_last_ply(struct worker *w, int ply, mp_value alpha, mp_value beta)
{
    struct move_list list = worker_list(w, ply);
    if (list.count == 0)
        return worker_final(w, ply);
    mp_value value = worker_frontier(w, ply, list, alpha, beta);
    worker_drop(w, list);
    return value;
}

void worker_value_moves(struct worker *w, int ply, struct move_list list)
{
    worker_value_children(w, ply, list, -MP_INFINITE);
    for (int i = 0; i < list.count; i++)
        list.scores[i] = -list.scores[i];
}

void worker_mark_noisy(struct worker *w, int ply, struct move_list list)
{
    mp_move *noisy = w->moves.moves + w->moves.top;
    int count = checked(
        w, w->game->selective->list_noisy(w->game, worker_state(w, ply), noisy, moves_room(&w->moves)));
    for (int i = 0; i < list.count; i++) {
        list.scores[i] = 0;
        for (int j = 0; j < count && !list.scores[i]; j++)
            list.scores[i] = list.moves[i] == noisy[j];
    }
}

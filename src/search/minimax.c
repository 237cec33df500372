/* minimax.c - every move, every reply: the definition that all exact searches must agree with.
 * (Shannon, "Programming a Computer for Playing Chess", 1950.) */
#include "search/algorithms.h"
#include "search/worker.h"

/* The children of a node one ply above the horizon, valued in one call. Their values are stored over the
 * scores, which minimax has no other use for. */
static mp_value frontier(struct worker *w, int ply, struct move_list list)
{
    const struct mp_evaluation *evaluation = w->settings->evaluation;
    evaluation->children(w->game, evaluation, worker_state(w, ply), list.moves, list.count, list.scores);
    int best = 0;
    for (int i = 1; i < list.count; i++)
        if (list.scores[i] < list.scores[best])
            best = i;
    w->counters.nodes += (uint64_t)list.count;
    w->counters.leaves += (uint64_t)list.count;
    w->counters.leaf_plies += (uint64_t)list.count * (uint64_t)(ply + 1);
    if (ply + 1 > w->counters.max_ply)
        w->counters.max_ply = ply + 1;
    w->pv_length[ply + 1] = 0;
    worker_set_pv(w, ply, list.moves[best]);
    mp_value value = -list.scores[best];
    if (value > MP_PROVEN)
        return value - w->distance * (ply + 1);
    return value < -MP_PROVEN ? value + w->distance * (ply + 1) : value;
}

mp_value minimax(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    mp_value best;
    if (worker_settled(w, ply, depth, &best))
        return best;
    if (worker_is_chance(w, ply))
        return worker_chance_value(w, ply, depth);
    struct move_list list = worker_list(w, ply);
    if (list.count == 0)
        return worker_final(w, ply);
    if (depth == 1 && w->settings->evaluation->children && !w->keys && !w->game->chances) {
        best = frontier(w, ply, list);
    } else {
        best = -MP_INFINITE;
        for (int i = 0; i < list.count && !w->stopped; i++) {
            worker_play(w, ply, list.moves[i]);
            mp_value value = -minimax(w, ply + 1, depth - 1, alpha, beta);
            if (value > best) {
                best = value;
                worker_set_pv(w, ply, list.moves[i]);
            }
        }
    }
    worker_drop(w, list);
    return best;
}

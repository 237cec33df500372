/* minimax.c - every move, every reply: the definition that all exact searches must agree with.
 * (Shannon, "Programming a Computer for Playing Chess", 1950.) */
#include "search/algorithms.h"
#include "search/worker.h"

mp_value minimax(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    mp_value best;
    if (worker_settled(w, ply, &best))
        return best;
    if (worker_is_chance(w, ply))
        return worker_chance_value(w, ply, depth);
    if (depth == 1 && worker_has_frontier(w))
        return worker_last_ply(w, ply, -MP_INFINITE, MP_INFINITE);
    struct move_list list = worker_list(w, ply);
    if (list.count == 0)
        return worker_final(w, ply);
    best = -MP_INFINITE;
    for (int i = 0; i < list.count && !w->stopped; i++) {
        worker_play(w, ply, list.moves[i]);
        mp_value value = -(depth > 1 ? minimax(w, ply + 1, depth - 1, alpha, beta) : worker_leaf(w, ply + 1));
        if (value > best) {
            best = value;
            worker_set_pv(w, ply, list.moves[i]);
        }
    }
    worker_drop(w, list);
    return best;
}

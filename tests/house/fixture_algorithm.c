/* fixture_algorithm.c - an algorithm as somebody adds one: this file, and a row in the list. Minimax, but lazy=n moves of
 * every node but the root are not looked at, from the end of the list. */
#include "search/worker.h"

search_function fixture_search;

mp_value fixture_search(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    mp_value best;
    if (worker_settled(w, ply, &best))
        return best;
    struct move_list list = worker_list(w, ply);
    if (list.count == 0)
        return worker_final(w, ply);
    int left_out = ply > 0 ? w->settings->keep : 0;
    int count = list.count > left_out ? list.count - left_out : 1;
    best = -MP_INFINITE;
    for (int i = 0; i < count && !w->stopped; i++) {
        worker_play(w, ply, list.moves[i]);
        mp_value value = -(depth > 1 ? fixture_search(w, ply + 1, depth - 1, -beta, -alpha)
                                     : worker_leaf(w, ply + 1));
        if (value > best) {
            best = value;
            worker_set_pv(w, ply, list.moves[i]);
        }
    }
    worker_drop(w, list);
    return best;
}

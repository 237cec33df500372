/* random.c - any legal move, each as likely as the others: a pure function of the seed and the game so far.
 * The weakest opponent, and the yardstick of the reports. */
#include "search/algorithms.h"
#include "search/worker.h"

#include "base/random.h"

mp_value random_move(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    (void)depth, (void)alpha, (void)beta;
    worker_count_node(w, ply);
    struct move_list list = worker_list(w, ply);
    uint64_t key = w->game->key(w->game, worker_state(w, ply));
    if (list.count > 0) {
        uint64_t random = random_at(w->settings->seed, key);
        w->pv_length[ply + 1] = 0;
        worker_set_pv(w, ply, list.moves[random_below(random, (uint32_t)list.count)]);
    }
    worker_drop(w, list);
    return 0;
}

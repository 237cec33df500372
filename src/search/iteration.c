/* iteration.c - one iteration of a search by one worker: its window, and what it found. */
#include "search/iteration.h"

#include <string.h>

void iteration_guess(struct worker *w, struct mp_result *result)
{
    w->stopped = false;
    result->value = -MP_INFINITE;
    worker_count_node(w, 0);
    struct move_list list = worker_list(w, 0);
    for (int i = 0; i < list.count; i++) {
        worker_play(w, 0, list.moves[i]);
        mp_value value = -worker_leaf(w, 1);
        if (value > result->value) {
            result->value = value;
            result->move = list.moves[i];
        }
    }
    worker_drop(w, list);
    result->pv[0] = result->move;
    result->depth = result->line = result->pv_length = 1;
    result->exact = w->settings->exact;
}

/* How far the value of the next iteration may be from the last before it has to be searched again;
 * doubled each time. */
enum { ASPIRATION_DEPTH = 4, ASPIRATION_WINDOW = 32 };

void iteration_take_line(const struct worker *w, struct iteration *found)
{
    found->standard_error = w->standard_error;
    found->pv_length = w->pv_length[0];
    memcpy(found->pv, w->pv[0], (size_t)found->pv_length * sizeof *found->pv);
}

/* Some algorithms do not note their root moves, and what others have searched for this worker is not in its
 * counters. */
static double effort(const struct worker *w, uint64_t nodes_before)
{
    uint64_t nodes = w->counters.nodes - nodes_before;
    bool known = !w->hooks && w->move_since != UINT64_MAX && nodes > 0;
    return known ? (double)w->best_nodes / (double)nodes : 0;
}

/* One search with a window, such as that around a draw where only the winner matters. Where no move reaches it, any will
 * do. */
static bool find_in_window(struct worker *w, int depth, mp_value alpha, mp_value beta,
                           struct iteration *found)
{
    mp_value value = w->settings->search(w, 0, depth, alpha, beta);
    if (w->stopped)
        return false;
    if (w->pv_length[0] == 0) {
        struct move_list list = worker_list(w, 0);
        w->pv[0][0] = list.moves[0];
        w->pv_length[0] = 1;
        worker_drop(w, list);
    }
    found->value = value;
    iteration_take_line(w, found);
    return true;
}

bool iteration_run(struct worker *w, int depth, const struct iteration *previous, struct iteration *found)
{
    mp_value alpha = -MP_INFINITE, beta = MP_INFINITE;
    if (w->root_moves && w->root_moves->outcome && worker_plies_to_end(w, 0, depth))
        return find_in_window(w, depth, -1, 1, found);
    if (w->root_moves && w->root_moves->has_window)
        return find_in_window(w, depth, w->root_moves->alpha, w->root_moves->beta, found);
    if (w->settings->aspiration && previous && depth >= ASPIRATION_DEPTH) {
        alpha = previous->value - ASPIRATION_WINDOW;
        beta = previous->value + ASPIRATION_WINDOW;
    }
    for (mp_value width = ASPIRATION_WINDOW;;) {
        uint64_t before = w->counters.nodes;
        w->best_nodes = 0;
        w->move_since = UINT64_MAX;
        mp_value value = w->settings->search(w, 0, depth, alpha, beta);
        found->effort = effort(w, before);
        if (w->pv_length[0] > 0) {
            found->value = value;
            iteration_take_line(w, found);
        }
        if (w->stopped)
            return false;
        bool low = value <= alpha, high = value >= beta;
        if (!low && !high)
            return true;
        if (w->report_bound)
            w->report_bound(w->report_context, depth, value, low ? -1 : 1);
        width = width < MP_PROVEN ? width * 4 : MP_INFINITE;
        if (low)
            alpha = width < MP_INFINITE ? value - width : -MP_INFINITE;
        else
            beta = width < MP_INFINITE ? value + width : MP_INFINITE;
    }
}

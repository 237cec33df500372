/* othello_search.c - minimax and alpha-beta as a student report on Othello has them, faults and all, so that its
 * figures can be checked (compat=report). What it does differently:
 *   - a side that must pass ends the line;
 *   - the evaluation is for whoever is to move at the horizon, and the first level below the root
 *     maximises on the opponent's turn, so the sign depends on the depth;
 *   - in alpha-beta the running best starts at 0 and at 10000, and the root window is (0, 100000);
 *   - of equal root moves the last is played. */
#include "search/algorithms.h"
#include "search/worker.h"

enum { LEAST = 0, MOST = 10000, ROOT_BETA = 100000 };

/* The moves, or none if there is nothing but a pass. */
static struct move_list moves_but_pass(struct worker *w, int ply)
{
    struct move_list list = worker_list(w, ply);
    if (list.count == 1 && w->game->is_pass && w->game->is_pass(w->game, list.moves[0]))
        list.count = 0;
    return list;
}

static mp_value minimax_below(struct worker *w, int ply, int depth, bool maximising)
{
    mp_value best;
    if (depth == 0)
        return worker_leaf(w, ply);
    if (worker_settled(w, ply, &best))
        return best;
    struct move_list list = moves_but_pass(w, ply);
    if (list.count == 0)
        best = worker_evaluate(w, ply);
    for (int i = 0; i < list.count && !w->stopped; i++) {
        worker_play(w, ply, list.moves[i]);
        mp_value value = minimax_below(w, ply + 1, depth - 1, !maximising);
        if (i == 0 || (maximising ? value > best : value < best))
            best = value;
    }
    worker_drop(w, list);
    return best;
}

static mp_value alphabeta_below(struct worker *w, int ply, int depth, bool maximising, mp_value alpha,
                                mp_value beta)
{
    mp_value best;
    if (depth == 0)
        return worker_leaf(w, ply);
    if (worker_settled(w, ply, &best))
        return best;
    best = maximising ? LEAST : MOST;
    struct move_list list = moves_but_pass(w, ply);
    for (int i = 0; i < list.count && !w->stopped; i++) {
        worker_play(w, ply, list.moves[i]);
        mp_value value = alphabeta_below(w, ply + 1, depth - 1, !maximising, alpha, beta);
        if (maximising ? value > best : value < best)
            best = value;
        if (maximising ? best >= beta : best <= alpha) {
            worker_count_cut(w, ply);
            break;
        }
        if (maximising && best > alpha)
            alpha = best;
        else if (!maximising && best < beta)
            beta = best;
    }
    worker_drop(w, list);
    return best;
}

static mp_value root(struct worker *w, int ply, int depth, bool prune)
{
    worker_count_node(w, ply);
    struct move_list list = worker_list(w, ply);
    mp_value best = -MP_INFINITE;
    for (int i = 0; i < list.count; i++) {
        worker_play(w, ply, list.moves[i]);
        mp_value value = prune ? alphabeta_below(w, ply + 1, depth - 1, true, LEAST, ROOT_BETA)
                               : minimax_below(w, ply + 1, depth - 1, true);
        if (w->stopped)
            break;
        if (value >= best) {
            best = value;
            w->pv_length[ply + 1] = 0;
            worker_set_pv(w, ply, list.moves[i]);
        }
    }
    worker_drop(w, list);
    return best;
}

mp_value report_minimax(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    (void)alpha, (void)beta;
    return root(w, ply, depth, false);
}

mp_value report_alphabeta(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    (void)alpha, (void)beta;
    return root(w, ply, depth, true);
}

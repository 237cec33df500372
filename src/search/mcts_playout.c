/* mcts_playout.c - what a leaf of the Monte-Carlo tree is worth: a game played to its end, or for a while. */
#include "search/mcts.h"

#include "base/random.h"

/* The move after which the evaluation is worst for the other side; *value is what it says then, for the side
 * to move before it. */
static int best_by_evaluation(struct worker *w, int ply, struct move_list list, mp_value *value)
{
    worker_value_moves(w, ply, list);
    int best = 0;
    for (int i = 1; i < list.count; i++)
        if (list.scores[i] > list.scores[best])
            best = i;
    *value = list.scores[best];
    return best;
}

/* A greedy player is not always greedy, or all playouts would be one; dice are noise enough. */
enum { ONE_IN_SO_MANY_AT_RANDOM = 8 };

static mp_move choose(struct worker *w, int ply, struct move_list list, uint64_t *stream)
{
    uint64_t random = random_next(stream);
    mp_value value;
    if (w->settings->mcts.playout == MCTS_PLAYOUT_GREEDY &&
        (w->game->chances || (uint32_t)random % ONE_IN_SO_MANY_AT_RANDOM))
        return list.moves[best_by_evaluation(w, ply, list, &value)];
    return list.moves[random_below(random, (uint32_t)list.count)];
}

static mp_move throw_dice(struct move_list outcomes, uint64_t *stream)
{
    const uint32_t *weights = (const uint32_t *)outcomes.scores;
    return outcomes.moves[random_weighted(random_next(stream), weights, outcomes.count)];
}

/* Plays on the worker's line from ply on for at most this many moves, and then evaluates. Where there are
 * dice, an evaluation is of a side that is to throw: one that has thrown makes its move first. */
static int64_t play_on(struct mcts *m, struct worker *w, int ply, int plies, uint64_t stream)
{
    const struct mp_game *game = m->game;
    for (int64_t sign = 1;; ply++) {
        bool last = plies <= 0 || ply >= LINE_PLIES - 3;
        if (worker_is_chance(w, ply)) {
            if (last)
                return sign * mcts_reward(m, worker_static(w, ply));
            struct move_list outcomes = worker_chances(w, ply);
            worker_play(w, ply, throw_dice(outcomes, &stream));
            worker_drop(w, outcomes);
            continue;
        }
        if (line_drawn(&w->line, ply))
            return 0;
        struct move_list list = worker_list(w, ply);
        mp_value value;
        bool settled = list.count == 0 || last;
        if (list.count == 0)
            value = mp_state_final_value(game, worker_state(w, ply), 0);
        else if (last && game->chances)
            best_by_evaluation(w, ply, list, &value);
        else if (last)
            value = worker_static(w, ply);
        else
            worker_play(w, ply, choose(w, ply, list, &stream));
        worker_drop(w, list);
        if (settled)
            return sign * mcts_reward(m, value);
        sign = -sign;
        plies--;
    }
}

int64_t mcts_play_out(struct mcts *m, struct worker *w, int ply, uint64_t seed)
{
    const struct mcts_settings *settings = &m->settings->mcts;
    w->counters.playouts++;
    if (settings->playout == MCTS_PLAYOUT_GAME)
        return mcts_margin_reward(m, m->game->playout(m->game, worker_state(w, ply), seed));
    return play_on(m, w, ply, settings->playout == MCTS_PLAYOUT_RANDOM ? LINE_PLIES : settings->plies, seed);
}

/* othello_mcts.c - Monte-Carlo tree search as a student report on Othello has it, faults and all, so that its
 * figures can be checked (mcts,compat=report). What it does differently:
 *   - a reward is the second player's lead in discs, added at every node whoever is to move there, and not
 *     scaled against the constant of UCT;
 *   - a side that must pass ends the game, in the tree and in a playout;
 *   - the move that is played has the best UCT value, so one that was never tried wins over all others. */
#include "search/mcts.h"

#include "base/random.h"

/* The moves, or none if there is nothing but a pass. */
static struct move_list moves_but_pass(struct worker *w, int ply)
{
    struct move_list list = worker_list(w, ply);
    if (list.count == 1 && w->game->is_pass && w->game->is_pass(w->game, list.moves[0]))
        list.count = 0;
    return list;
}

/* Any move until a side has none; then the evaluation, for the second player. */
static int64_t play_out(struct worker *w, int ply, uint64_t stream)
{
    const struct mp_evaluation *evaluation = w->settings->evaluation;
    for (;; ply++) {
        struct move_list list = moves_but_pass(w, ply);
        if (list.count > 0 && ply < LINE_PLIES - 2)
            worker_play(w, ply, list.moves[random_below(random_next(&stream), (uint32_t)list.count)]);
        worker_drop(w, list);
        if (list.count == 0 || ply >= LINE_PLIES - 2)
            break;
    }
    void *state = worker_state(w, ply);
    mp_value lead = evaluation->evaluate(w->game, evaluation, state);
    return w->game->side(w->game, state) == 1 ? lead : -lead;
}

static uint32_t select_child(const struct mcts *m, const struct mcts_block *block, uint64_t visits)
{
    float weight = visits > 1 ? m->explore * __builtin_sqrtf(mcts_log(visits)) : 0, most = MCTS_NEVER;
    uint32_t best = 0;
    for (uint32_t i = 0; i < block->count; i++) {
        struct mcts_score score = mcts_load_score(block, i);
        float promise = score.mean + weight * score.spread;
        if (promise > most) {
            most = promise;
            best = i;
        }
    }
    return best;
}

bool mcts_report_iterate(struct mcts *m, struct mcts_tree *tree, struct mcts_arena *arena, struct worker *w,
                         uint64_t number)
{
    struct mcts_place path[LINE_PLIES];
    path[0] = mcts_root(tree);
    int ply = 0;
    for (;;) {
        struct mcts_node *node = mcts_node(path[ply]);
        struct mcts_block *children = mcts_children(tree, path[ply]);
        if (!children && mcts_visits(node) > 0 && ply < LINE_PLIES - 2) {
            struct move_list list = moves_but_pass(w, ply);
            worker_drop(w, list);
            bool learned;
            if (list.count > 0)
                children = mcts_expand(m, tree, arena, w, ply, path[ply], &learned);
        }
        if (!children)
            break;
        uint32_t chosen = select_child(m, children, mcts_visits(node));
        worker_play(w, ply++, mcts_nodes(children)[chosen].move);
        path[ply] = (struct mcts_place){children, chosen};
    }
    uint32_t random[4];
    random_block(m->settings->seed, tree->stream, number, random);
    int64_t reward = play_out(w, ply, (uint64_t)random[2] << 32 | random[3]);
    for (int i = 0; i <= ply; i++) {
        struct mcts_node *node = mcts_node(path[i]);
        MCTS_ADD(tree, &node->sum, reward * MCTS_ONE);
        MCTS_ADD(tree, &node->visits, 1);
        float visits = (float)mcts_visits(node);
        mcts_store_score(
            path[i].block, path[i].index,
            (struct mcts_score){(float)mcts_sum(node) / (visits * MCTS_ONE), 1.0f / __builtin_sqrtf(visits)});
    }
    w->counters.iterations++;
    w->counters.playouts++;
    w->counters.nodes += (uint64_t)ply + 1;
    w->counters.leaves++;
    w->counters.leaf_plies += (uint64_t)ply;
    if (ply > w->counters.max_ply)
        w->counters.max_ply = ply;
    return true;
}

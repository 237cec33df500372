/* mcts_reward.c - what the end of a playout, or a value, is worth to Monte-Carlo search: a reward from a loss to a win. */
#include "search/mcts.h"

/* Where the margin counts, this much of the reward is for winning at all (in eighths). */
enum { WINNING_EIGHTHS = 7 };

int64_t mcts_margin_reward(const struct mcts *m, int margin)
{
    if (m->game->scoring == MP_SCORE_POINTS)
        return mcts_reward(m, mp_final_value(m->game, margin, 0));
    int64_t sign = (margin > 0) - (margin < 0);
    if (m->game->scoring == MP_SCORE_WIN)
        return sign * MCTS_ONE;
    return sign * (MCTS_ONE / 8 * WINNING_EIGHTHS) +
           margin * (int64_t)(MCTS_ONE / 8 * (8 - WINNING_EIGHTHS)) / m->game->margin_max;
}

int64_t mcts_reward(const struct mcts *m, mp_value value)
{
    if (m->game->scoring == MP_SCORE_POINTS) {
        int64_t reward = (int64_t)value * MCTS_ONE / m->scale;
        return reward > MCTS_ONE ? MCTS_ONE : reward < -MCTS_ONE ? -MCTS_ONE : reward;
    }
    if (m->game->scoring == MP_SCORE_MARGIN && (value > MP_PROVEN || value < -MP_PROVEN))
        return mcts_margin_reward(m, value > 0 ? value - MP_PROVEN : value + MP_PROVEN);
    if (value > MP_PROVEN || value < -MP_PROVEN)
        return value > 0 ? MCTS_ONE : -MCTS_ONE;
    /* An evaluation: half a win for an advantage of playout_scale. */
    int64_t scale = m->game->playout_scale > 0 ? m->game->playout_scale : MCTS_DEFAULT_SCALE;
    return (int64_t)value * MCTS_ONE / ((value < 0 ? -value : value) + scale);
}

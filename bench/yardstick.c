/* yardstick.c - alpha-beta for Othello and nothing else, everything inlined by hand: what a program would
 * look like that knows only this game. bench/generality.c compares the library with it.
 *
 * It visits the same tree as `alphabeta` (same moves, same order, same window), and it has the same
 * features: counters, the expected line, a stop flag and a clock. Compiled once for each CPU level and each
 * FORMULA of evaluate.c that is compared. */
#include "bench/yardstick.h"

#include "games/othello/evaluate.c"
#include "games/othello/rules.c"
#include "games/othello/solve.c"

#include "base/clock.h"
#include "search/control.h"

/* The rules name what a network sees; here nobody asks for it. */
const struct mp_features LEVELED(othello_features) = {MP_SIZE(struct mp_features)};

enum { PLIES = 128, MOST_MOVES = 34, CHECK_NODES = 256 };

struct search {
    struct mp_counters counters;
    struct control control;
    uint64_t check_at;
    bool stopped;
    mp_move pv[PLIES][PLIES];
    int pv_length[PLIES];
};

static void look_up(struct search *s)
{
    s->check_at = s->counters.nodes + CHECK_NODES;
    if (s->control.deadline_ns && clock_ns() >= s->control.deadline_ns)
        control_stop(&s->control);
    s->stopped = control_stopped(&s->control);
}

static void set_pv(struct search *s, int ply, mp_move move)
{
    s->pv[ply][0] = move;
    for (int i = 0; i < s->pv_length[ply + 1]; i++)
        s->pv[ply][i + 1] = s->pv[ply + 1][i];
    s->pv_length[ply] = s->pv_length[ply + 1] + 1;
}

static inline bool count_node(struct search *s, int ply)
{
    s->counters.nodes++;
    s->pv_length[ply] = 0;
    if (ply > s->counters.max_ply)
        s->counters.max_ply = ply;
    if (s->counters.nodes >= s->check_at)
        look_up(s);
    return !s->stopped;
}

static mp_value search(struct search *s, const struct othello *state, int ply, int depth, mp_value alpha,
                       mp_value beta)
{
    if (!count_node(s, ply))
        return 0;
    mp_move moves[MOST_MOVES];
    int32_t scores[MOST_MOVES];
    int count = depth > 1 ? list_scored(NULL, state, depth, moves, scores, MOST_MOVES)
                          : list(NULL, state, moves, MOST_MOVES);
    if (count == 0)
        return mp_final_value(&LEVELED(othello_table), othello_margin(state->own, state->opp), ply);
    mp_value best = -MP_INFINITE;
    for (int i = 0; i < count; i++) {
        if (depth > 1) {
            int first = i;
            for (int j = i + 1; j < count; j++)
                if (scores[j] > scores[first])
                    first = j;
            mp_move move = moves[first];
            int32_t score = scores[first];
            for (int j = first; j > i; j--) {
                moves[j] = moves[j - 1];
                scores[j] = scores[j - 1];
            }
            moves[i] = move;
            scores[i] = score;
        }
        struct othello child;
        play(NULL, state, moves[i], &child);
        mp_value value;
        if (depth == 1) {
            if (!count_node(s, ply + 1))
                return best;
            s->counters.leaves++;
            s->counters.leaf_plies += (uint64_t)ply + 1;
            value = -FORMULA(&LEVELED(othello_table), child.own, child.opp);
        } else {
            value = -search(s, &child, ply + 1, depth - 1, -beta, -alpha);
        }
        if (s->stopped)
            return best;
        if (value <= best)
            continue;
        best = value;
        if (value <= alpha)
            continue;
        alpha = value;
        set_pv(s, ply, moves[i]);
        if (value >= beta) {
            if (ply % 2)
                s->counters.alpha_cuts++;
            else
                s->counters.beta_cuts++;
            break;
        }
    }
    return best;
}

mp_value LEVELED(search)(const struct othello *state, int depth, struct mp_counters *counters)
{
    static _Thread_local struct search s;
    s.counters = (struct mp_counters){0};
    s.check_at = 0;
    mp_value value = search(&s, state, 0, depth, -MP_INFINITE, MP_INFINITE);
    *counters = s.counters;
    return value;
}

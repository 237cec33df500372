/* mcts_choice.c - what the trees of a Monte-Carlo search say in the end: a move, a value, a line. */
#include "search/mcts.h"

#include <string.h>

enum { NONE = -1 };

void mcts_clear_choices(const struct mcts *m, struct mcts_choice *choices)
{
    struct mcts_tree *tree = &m->trees[0];
    struct mcts_block *children = mcts_children(tree, mcts_root(tree));
    for (int i = 0; i < m->choice_count; i++)
        choices[i] = (struct mcts_choice){.move = children ? mcts_nodes(children)[i].move : MP_NO_MOVE,
                                          .low = mcts_low(m->unknown),
                                          .high = mcts_high(m->unknown)};
}

void mcts_merge_choices(struct mcts_choice *into, const struct mcts_choice *from, int count)
{
    for (int i = 0; i < count; i++) {
        into[i].visits += from[i].visits;
        into[i].sum += from[i].sum;
        into[i].low = from[i].low > into[i].low ? from[i].low : into[i].low;
        into[i].high = from[i].high < into[i].high ? from[i].high : into[i].high;
    }
}

void mcts_add_choices(const struct mcts_tree *tree, struct mcts_choice *choices)
{
    struct mcts_block *children = mcts_children(tree, mcts_root(tree));
    for (uint32_t i = 0; children && i < children->count; i++) {
        const struct mcts_node *node = mcts_nodes(children) + i;
        uint64_t bounds = mcts_load_bounds(node);
        struct mcts_choice choice = {.move = node->move,
                                     .visits = mcts_visits(node),
                                     .sum = mcts_sum(node),
                                     .low = mcts_low(bounds),
                                     .high = mcts_high(bounds)};
        mcts_merge_choices(&choices[i], &choice, 1);
    }
}

static double mean_of(const struct mcts *m, const struct mcts_choice *choice)
{
    double mean = choice->visits ? (double)choice->sum / (double)choice->visits : -2.0 * MCTS_ONE;
    if (m->settings->as_report)
        return mean;
    double least = (double)mcts_reward(m, choice->low), most = (double)mcts_reward(m, choice->high);
    return choice->visits == 0 && choice->low != choice->high ? mean
           : mean < least                                     ? least
           : mean > most                                      ? most
                                                              : mean;
}

/* How much speaks for a move whose value is not proven. */
static double worth(const struct mcts *m, const struct mcts_choice *choice, uint64_t total)
{
    switch (m->settings->mcts.final) {
    case MCTS_FINAL_VISITS:
        return (double)choice->visits;
    case MCTS_FINAL_VALUE:
        return mean_of(m, choice);
    default:
        if (choice->visits == 0)
            return (double)MCTS_FIRST;
        return mean_of(m, choice) / MCTS_ONE +
               (double)(m->explore * __builtin_sqrtf(mcts_log(total ? total : 1) / (float)choice->visits));
    }
}

/* The move to play, of those that have not been told. What is proven competes with its exact worth, the
 * others among each other as `final` says: visits mean nothing for a move that is not visited any more
 * because it is known. */
static int best_choice(const struct mcts *m, mp_value *low, mp_value *high)
{
    const struct mcts_choice *choices = m->choices;
    uint64_t total = 0;
    *low = *high = -MP_INFINITE;
    for (int i = 0; i < m->choice_count; i++) {
        total += choices[i].visits;
        if (choices[i].told)
            continue;
        *low = choices[i].low > *low ? choices[i].low : *low;
        *high = choices[i].high > *high ? choices[i].high : *high;
    }
    int open = NONE, known = NONE;
    for (int i = 0; i < m->choice_count; i++) {
        const struct mcts_choice *c = &choices[i];
        if (c->told)
            continue;
        if (c->low == c->high) {
            if (known == NONE || c->low > choices[known].low)
                known = i;
        } else if (c->high > *low || c->low == *low) {
            if (open == NONE || worth(m, c, total) > worth(m, &choices[open], total) ||
                (worth(m, c, total) == worth(m, &choices[open], total) && c->sum > choices[open].sum))
                open = i;
        }
    }
    if (open == NONE || known == NONE)
        return open == NONE ? known : open;
    return mean_of(m, &choices[known]) >= mean_of(m, &choices[open]) ? known : open;
}

/* The child that is expected: one that proves the most, or else the one with the most visits; NONE: no child
 * has been seen. */
static int expected_child(struct mcts_block *block)
{
    mp_value most = mcts_high(mcts_proven_by(block));
    int chosen = NONE;
    for (uint32_t i = 0; i < block->count; i++) {
        const struct mcts_node *node = mcts_nodes(block) + i;
        uint64_t bounds = mcts_load_bounds(node);
        if (mcts_low(bounds) == most)
            return (int)i;
        if (mcts_visits(node) > (chosen == NONE ? 0 : mcts_visits(mcts_nodes(block) + chosen)))
            chosen = (int)i;
    }
    return chosen;
}

/* A move and the line that the first tree expects after it, up to the next throw. */
static int expected_line(const struct mcts *m, mp_move first, mp_move *line)
{
    struct mcts_tree *tree = &m->trees[0];
    struct mcts_block *block = mcts_children(tree, mcts_root(tree));
    int length = 0;
    line[length++] = first;
    /* A chunk's tree is gone; which one is still there would depend on the threads. */
    if (m->chunks_begun)
        return length;
    int chosen = 0;
    while (block && mcts_nodes(block)[chosen].move != first)
        chosen++;
    while (block && length < MP_MAX_PV) {
        block = mcts_children(tree, (struct mcts_place){block, (uint32_t)chosen});
        if (!block || block->chooser != MCTS_PLAYER || (chosen = expected_child(block)) == NONE)
            break;
        line[length++] = mcts_nodes(block)[chosen].move;
    }
    return length;
}

bool mcts_conclude(struct mcts *m, struct mp_result *result)
{
    uint64_t visits = 0;
    bool is_first = true;
    for (int i = 0; i < m->choice_count; i++) {
        visits += m->choices[i].visits;
        is_first = is_first && !m->choices[i].told;
    }
    mp_value low, high;
    int best = best_choice(m, &low, &high);
    if (best == NONE || (low != high && (is_first ? visits : m->choices[best].visits) == 0))
        return false;
    struct mcts_choice *choice = &m->choices[best];
    choice->told = true;
    result->move = choice->move;
    result->exact = low == high && m->settings->mcts.solver;
    double mean = mean_of(m, choice) / MCTS_ONE;
    double unit = m->game->scoring == MP_SCORE_POINTS ? (double)m->scale : MCTS_VALUE_OF_WIN;
    double value = mean * unit;
    /* A win or a loss that is proven is said so, also if a better one may be found. */
    bool decided = m->game->scoring != MP_SCORE_POINTS && (choice->low > MP_PROVEN || high < -MP_PROVEN);
    if (result->exact || decided)
        result->value = high < -MP_PROVEN ? high : choice->low;
    else
        result->value = (mp_value)(value < 0 ? value - 0.5 : value + 0.5);
    result->pv_length = expected_line(m, choice->move, result->pv);
    return true;
}

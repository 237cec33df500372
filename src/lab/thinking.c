/* thinking.c - sums up what the players of a stored game thought. */
#include "lab/thinking.h"

#include <stdlib.h>

static bool add_thought(const struct results_move *move, void *context)
{
    struct thinking *side = (struct thinking *)context + (move->side == 1);
    const struct thought *t = &move->thought;
    if (!move->chosen)
        return true;
    spread_add(&side->alternatives, move->alternatives);
    spread_add(&side->mean_depth, t->mean_depth);
    spread_add(&side->max_depth, t->max_depth);
    if (t->has_value && abs(t->value) <= MP_EVAL_MAX)
        spread_add(&side->score, t->value);
    side->alpha_cuts += t->alpha_cuts;
    side->beta_cuts += t->beta_cuts;
    return true;
}

bool thinking_of(struct results *results, int64_t game, struct thinking sides[2], struct mp_error *error)
{
    sides[0] = sides[1] = (struct thinking){0};
    return results_each_move(results, game, add_thought, sides, error);
}

#include "base/level.h"
#include "games/backgammon/backgammon.h"
static mp_value pips(const struct mp_game *game, const struct mp_evaluation *self, const void *state)
{
    (void)self;
    const struct backgammon *s = state;
    if (backgammon_is_over(s))
        return mp_final_value(game, game->margin(game, state), 0);
    int lead = 0;
    for (int p = 1; p <= 25; p++)
        lead += p * (s->opp[p] - s->own[p]);
    return lead * 20;
}
const struct mp_evaluation LEVELED(backgammon_evaluations)[] = {
    {.name = "pips", .summary = "lead in the race", .evaluate = pips}, {0}};

/* evaluate.c - the evaluations of chess by name. Compiled once for each CPU level. */
#include "games/chess/generate.h"
#include "games/chess/horizon.h"
#include "games/chess/standard.h"

#include "base/level.h"

static mp_value standard(const struct mp_game *game, const struct mp_evaluation *self, const void *state)
{
    (void)game;
    (void)self;
    return LEVELED(chess_standard)(state);
}

static mp_value material(const struct mp_game *game, const struct mp_evaluation *self, const void *state)
{
    (void)game;
    (void)self;
    static const int worth[CHESS_KING] = {100, 320, 330, 500, 950};
    const struct chess *s = state;
    uint64_t own = s->sets[CHESS_WHITE + s->side], enemy = s->sets[CHESS_WHITE + !s->side];
    mp_value value = 0;
    for (int kind = CHESS_PAWN; kind <= CHESS_QUEEN; kind++)
        value += worth[kind] * (bits_count(s->sets[kind] & own) - bits_count(s->sets[kind] & enemy));
    return value;
}

/* The report's heuristics carry their number in their name. */
static mp_value horizon(const struct mp_game *game, const struct mp_evaluation *self, const void *state)
{
    (void)game;
    const struct chess *s = state;
    int value = LEVELED(chess_horizon)(s, self->name[sizeof "horizon" - 1] - '0');
    return s->side ? -value : value;
}

const struct mp_evaluation LEVELED(chess_evaluations)[] = {
    {.name = "standard",
     .summary = "hundredths of a pawn: material, squares, mobility, pawns, kings, threats",
     .evaluate = standard},
    {.name = "material", .summary = "hundredths of a pawn: 100 320 330 500 950", .evaluate = material},
    {.name = "horizon0", .summary = "the horizon report's: material", .evaluate = horizon},
    {.name = "horizon1", .summary = "material, occupation, defence, castling", .evaluate = horizon},
    {.name = "horizon2", .summary = "material with a random tenth", .evaluate = horizon},
    {.name = "horizon3", .summary = "material and threats", .evaluate = horizon},
    {.name = "horizon4", .summary = "material and occupation", .evaluate = horizon},
    {.name = "horizon5", .summary = "1, 4 or 3, by the moves played", .evaluate = horizon},
    {0},
};

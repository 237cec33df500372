/* evaluate.c - what a chess position is worth. Compiled once for each CPU level. */
#include "games/chess/generate.h"

#include "base/level.h"

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

const struct mp_evaluation LEVELED(chess_evaluations)[] = {
    {.name = "material",
     .summary = "pieces in hundredths of a pawn: 100 320 330 500 950",
     .evaluate = material},
    {0},
};

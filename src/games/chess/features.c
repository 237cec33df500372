/* features.c - what a network sees of chess: which piece, own or not, stands on which square. Each player sees the
 * board from its own side. */
#include "games/chess/chess.h"

#include "base/level.h"

enum { INPUTS = 2 * CHESS_WHITE * 64 }; /* own or not, kind, square */

/* Adds the squares of a set. */
__attribute__((always_inline)) static inline int add(uint64_t set, int kind, int colour, int player,
                                                     uint16_t *inputs, int count)
{
    const int first = ((colour != player) * CHESS_WHITE + kind) * 64, turn = player ? 56 : 0;
    for (; set; set &= set - 1)
        inputs[count++] = (uint16_t)(first + (__builtin_ctzll(set) ^ turn));
    return count;
}

static int list(const struct mp_game *game, const void *state, int player, uint16_t *inputs)
{
    (void)game;
    const struct chess *s = state;
    int count = 0;
    for (int colour = 0; colour < 2; colour++)
        for (int kind = CHESS_PAWN; kind <= CHESS_KING; kind++)
            count = add(s->sets[kind] & s->sets[CHESS_WHITE + colour], kind, colour, player, inputs, count);
    return count;
}

static void change(const struct mp_game *game, const void *from, const void *to, int player, uint16_t *gone,
                   int *gone_count, uint16_t *come, int *come_count)
{
    (void)game;
    const struct chess *f = from, *t = to;
    *gone_count = *come_count = 0;
    for (int colour = 0; colour < 2; colour++) {
        const uint64_t before = f->sets[CHESS_WHITE + colour], after = t->sets[CHESS_WHITE + colour];
        for (int kind = CHESS_PAWN; kind <= CHESS_KING; kind++) {
            const uint64_t old = f->sets[kind] & before, new = t->sets[kind] & after;
            *gone_count = add(old & ~new, kind, colour, player, gone, *gone_count);
            *come_count = add(new & ~old, kind, colour, player, come, *come_count);
        }
    }
}

const struct mp_features LEVELED(chess_features) = {
    MP_SIZE(struct mp_features), .count = INPUTS, .most = 32, .views = 2, .list = list, .change = change,
};

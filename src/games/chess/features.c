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

static int kind_at(const struct chess *s, int square)
{
    uint64_t kind = 0;
    for (int i = CHESS_PAWN + 1; i <= CHESS_KING; i++)
        kind += (s->sets[i] >> square & 1) * (uint64_t)i;
    return (int)kind;
}

/* What stands on squares that are taken. Few squares and no guess of a branch: this is a tenth of a search. */
__attribute__((always_inline)) static inline int list_squares(const struct chess *s, uint64_t squares,
                                                              int player, uint16_t *inputs)
{
    const int turn = player ? 56 : 0;
    int count = 0;
    for (; squares; squares &= squares - 1) {
        const int square = __builtin_ctzll(squares);
        const int colour = (int)(s->sets[CHESS_WHITE + 1] >> square & 1);
        inputs[count++] = (uint16_t)(((colour != player) * CHESS_WHITE + kind_at(s, square)) * 64 +
                                     (square ^ turn));
    }
    return count;
}

static void change(const struct mp_game *game, const void *from, const void *to, int player, uint16_t *gone,
                   int *gone_count, uint16_t *come, int *come_count)
{
    (void)game;
    const struct chess *f = from, *t = to;
    uint64_t changed = 0;
    for (int set = CHESS_PAWN; set <= CHESS_WHITE + 1; set++)
        changed |= f->sets[set] ^ t->sets[set];
    *gone_count = list_squares(f, changed & (f->sets[CHESS_WHITE] | f->sets[CHESS_WHITE + 1]), player, gone);
    *come_count = list_squares(t, changed & (t->sets[CHESS_WHITE] | t->sets[CHESS_WHITE + 1]), player, come);
}

const struct mp_features LEVELED(chess_features) = {
    MP_SIZE(struct mp_features), .count = INPUTS, .most = 32, .views = 2, .list = list, .change = change,
};

/* rules.c - the rules of Othello as a table of functions. Compiled once for each CPU level. */
#include "games/othello/board.h"
#include "games/othello/othello.h"
#include "games/othello/patterns.h"

#include <stdlib.h>

static void initial(const struct mp_game *game, void *state)
{
    (void)game;
    *(struct othello *)state = (struct othello){
        .own = UINT64_C(1) << 28 | UINT64_C(1) << 35, /* e4, d5 */
        .opp = UINT64_C(1) << 27 | UINT64_C(1) << 36, /* d4, e5 */
    };
}

static inline int list_squares(uint64_t squares, mp_move *moves, int capacity)
{
    int count = bits_count(squares);
    if (count <= capacity)
        for (; squares; squares = bits_rest(squares))
            *moves++ = (mp_move)bits_first(squares);
    else
        for (int i = 0; i < capacity; i++, squares = bits_rest(squares))
            moves[i] = (mp_move)bits_first(squares);
    return count;
}

/* No square to play: a pass if the other side can move, else the end. */
static inline int list_pass(const struct othello *s, mp_move *moves, int capacity)
{
    if (!othello_mobility(s->opp, s->own))
        return 0;
    if (capacity > 0)
        moves[0] = OTHELLO_PASS;
    return 1;
}

static int list(const struct mp_game *game, const void *state, mp_move *moves, int capacity)
{
    (void)game;
    const struct othello *s = state;
    uint64_t squares = othello_mobility(s->own, s->opp);
    return squares ? list_squares(squares, moves, capacity) : list_pass(s, moves, capacity);
}

static void play(const struct mp_game *game, const void *from, mp_move move, void *to)
{
    (void)game;
    const struct othello *s = from;
    struct othello *t = to;
    uint64_t own = s->own, opp = s->opp;
    t->side = s->side ^ 1;
    if (move == OTHELLO_PASS) {
        t->own = opp;
        t->opp = own;
        return;
    }
    uint64_t turned = othello_flips(own, opp, (int)move);
    t->own = opp ^ turned;
    t->opp = own ^ turned ^ (UINT64_C(1) << move);
}

static int margin(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct othello *s = state;
    return othello_margin(s->own, s->opp);
}

static int side(const struct mp_game *game, const void *state)
{
    (void)game;
    return (int)((const struct othello *)state)->side;
}

static uint64_t key(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct othello *s = state;
    return othello_key(s->own, s->opp, s->side);
}

static bool is_pass(const struct mp_game *game, mp_move move)
{
    (void)game;
    return move == OTHELLO_PASS;
}

static uint64_t flip_ranks(uint64_t b)
{
    return __builtin_bswap64(b);
}

static uint64_t flip_files(uint64_t b)
{
    b = (b >> 1 & UINT64_C(0x5555555555555555)) | (b & UINT64_C(0x5555555555555555)) << 1;
    b = (b >> 2 & UINT64_C(0x3333333333333333)) | (b & UINT64_C(0x3333333333333333)) << 2;
    return (b >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (b & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
}

static uint64_t transpose(uint64_t b)
{
    uint64_t t = (b ^ (b >> 7)) & UINT64_C(0x00aa00aa00aa00aa);
    b ^= t ^ (t << 7);
    t = (b ^ (b >> 14)) & UINT64_C(0x0000cccc0000cccc);
    b ^= t ^ (t << 14);
    t = (b ^ (b >> 28)) & UINT64_C(0x00000000f0f0f0f0);
    return b ^ t ^ (t << 28);
}

/* The seven ways to turn or mirror the board: each bit of way + 1 stands for one reflection. */
static uint64_t reflect(uint64_t b, int ways)
{
    b = ways & 1 ? transpose(b) : b;
    b = ways & 2 ? flip_ranks(b) : b;
    return ways & 4 ? flip_files(b) : b;
}

static void transform(const struct mp_game *game, const void *state, int way, void *to)
{
    (void)game;
    const struct othello *s = state;
    *(struct othello *)to = (struct othello){reflect(s->own, way + 1), reflect(s->opp, way + 1), s->side};
}

static int count(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct othello *s = state;
    uint64_t squares = othello_mobility(s->own, s->opp);
    return squares ? bits_count(squares) : othello_mobility(s->opp, s->own) != 0;
}

/* Never lists a move: the squares of a board are walked as bits, and at the last ply only counted. */
static uint64_t perft_squares(uint64_t own, uint64_t opp, int depth, unsigned finished)
{
    uint64_t squares = othello_mobility(own, opp);
    if (!squares) {
        if (!othello_mobility(opp, own))
            return finished;
        return depth == 1 ? 1 : perft_squares(opp, own, depth - 1, finished);
    }
    if (depth == 1)
        return (uint64_t)bits_count(squares);
    uint64_t leaves = 0;
    for (; squares; squares = bits_rest(squares)) {
        uint64_t turned = othello_flips(own, opp, bits_first(squares));
        uint64_t own_after = own ^ turned ^ (squares & -squares), opp_after = opp ^ turned;
        if (depth > 2) {
            leaves += perft_squares(opp_after, own_after, depth - 1, finished);
            continue;
        }
        uint64_t replies = othello_mobility(opp_after, own_after);
        leaves += replies ? (unsigned)bits_count(replies)
                          : (othello_mobility(own_after, opp_after) ? 1u : finished);
    }
    return leaves;
}

static uint64_t perft(const struct mp_game *game, const void *state, int depth, bool drop_finished)
{
    (void)game;
    const struct othello *s = state;
    return perft_squares(s->own, s->opp, depth, !drop_finished);
}

/* Corners first, squares that give a corner away last. */
static const int8_t square_worth[64] = {
    40,  -15, 6, 4, 4, 6, -15, 40,  -15, -25, 0, 0, 0, 0, -25, -15, //
    6,   0,   3, 2, 2, 3, 0,   6,   4,   0,   2, 1, 1, 2, 0,   4,   //
    4,   0,   2, 1, 1, 2, 0,   4,   6,   0,   3, 2, 2, 3, 0,   6,   //
    -15, -25, 0, 0, 0, 0, -25, -15, 40,  -15, 6, 4, 4, 6, -15, 40,
};

/* Fastest first: the fewer replies a move leaves, the smaller its subtree and, in Othello, the better the
 * move. Two plies above the horizon the worth of the square alone is a better bargain. */
static int list_scored(const struct mp_game *game, const void *state, int depth, mp_move *moves,
                       int32_t *scores, int capacity)
{
    (void)game;
    const struct othello *s = state;
    uint64_t squares = othello_mobility(s->own, s->opp);
    if (!squares) {
        if (capacity > 0)
            scores[0] = 0;
        return list_pass(s, moves, capacity);
    }
    int count = list_squares(squares, moves, capacity);
    int written = count < capacity ? count : capacity;
    if (depth <= 2) {
        for (int i = 0; i < written; i++)
            scores[i] = square_worth[moves[i]];
        return count;
    }
    const uint64_t corners = UINT64_C(0x8100000000000081);
    for (int i = 0; i < written; i++) {
        uint64_t turned = othello_flips(s->own, s->opp, (int)moves[i]);
        uint64_t own = s->own ^ turned ^ (UINT64_C(1) << moves[i]);
        uint64_t replies = othello_mobility(s->opp ^ turned, own);
        scores[i] = square_worth[moves[i]] - 16 * (bits_count(replies) + bits_count(replies & corners));
    }
    return count;
}

static void index_moves(const struct mp_game *game, const void *state, const mp_move *moves, int count,
                        uint16_t *indices)
{
    (void)game;
    (void)state;
    for (int i = 0; i < count; i++)
        indices[i] = (uint16_t)moves[i];
}

/* The n-th square of a set. */
static inline int nth_square(uint64_t set, uint32_t n)
{
#if defined(__BMI2__)
    return bits_first(_pdep_u64(UINT64_C(1) << n, set));
#else
    while (n--)
        set = bits_rest(set);
    return bits_first(set);
#endif
}

static int playout(const struct mp_game *game, const void *state, uint64_t seed)
{
    (void)game;
    const struct othello *s = state;
    uint64_t own = s->own, opp = s->opp, stream = seed;
    int sign = 1;
    for (;;) {
        uint64_t squares = othello_mobility(own, opp), other = opp;
        if (squares) {
            uint32_t n = random_below(random_next(&stream), (uint32_t)bits_count(squares));
            int square = nth_square(squares, n);
            uint64_t turned = othello_flips(own, opp, square);
            other ^= turned;
            own ^= turned ^ (UINT64_C(1) << square);
        } else if (!othello_mobility(opp, own)) {
            return sign * othello_margin(own, opp);
        }
        opp = own;
        own = other;
        sign = -sign;
    }
}

static bool open(struct mp_game *game, struct mp_error *error)
{
    game->data = patterns_new();
    return game->data || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
}

static void close(struct mp_game *game)
{
    free(game->data);
}

static const struct mp_ordering ordering = {
    MP_SIZE(struct mp_ordering),
    .list_scored = list_scored,
    .index_moves = index_moves,
    .index_count = OTHELLO_PASS + 1,
};

static const struct mp_board_hooks board_hooks = {
    MP_SIZE(struct mp_board_hooks),
    .describe = othello_board,
    .move_cells = othello_move_cells,
};

const struct mp_game LEVELED(othello_table) = {
    MP_GAME_SIZES,
    .name = "othello",
    .summary = "Othello (Reversi) on 8x8; positions are 64 of X, O and - from a1 to h8, then X or O",
    .players = {"Black", "White"},
    .state_size = sizeof(struct othello),
    .flags = MP_PERFT_COUNTS_FINISHED,
    .scoring = MP_SCORE_MARGIN,
    .margin_max = 64,
    .symmetry_count = 7,
    .evaluations = LEVELED(othello_evaluations),
    .initial = initial,
    .list = list,
    .play = play,
    .margin = margin,
    .side = side,
    .key = key,
    .parse_position = othello_parse_position,
    .print_position = othello_print_position,
    .print_move = othello_print_move,
    .parse_move = othello_parse_move,
    .is_pass = is_pass,
    .draw = othello_draw,
    .transform = transform,
    .count = count,
    .perft = perft,
    .playout = playout,
    .ordering = &ordering,
    .board = &board_hooks,
    .open = open,
    .close = close,
    .features = &LEVELED(othello_features),
    .endgame = &LEVELED(othello_endgame),
    .kernels = &othello_kernels,
};

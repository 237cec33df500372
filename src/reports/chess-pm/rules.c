/* rules.c - the rules of chess-pm as a table of functions. Compiled once for each CPU level.
 *
 * The order of the moves is the report's, because its counts of leaves depend on it: piece by piece from a8
 * to h1, and for each piece its directions in the report's order, nearest squares first. */
#include "reports/chess-pm/chess_pm.h"

#include "base/bits.h"
#include "base/level.h"
#include "base/random.h"

#include <string.h>

static void initial(const struct mp_game *game, void *state)
{
    chess_pm_parse_position(game, "B1", state, NULL);
}

/* ---- Moves --------------------------------------------------------------------------------------------- */

/* A list that is being written; what does not fit is counted only. */
struct moves_out {
    mp_move *moves;
    int count, capacity;
};

static inline void add(struct moves_out *out, mp_move move)
{
    if (out->count < out->capacity)
        out->moves[out->count] = move;
    out->count++;
}

/* The eight directions of the queen in the report's order (the rook's, then the bishop's): rows go down the
 * board, from the eighth rank to the first. */
static const int8_t way[8] = {8, -8, 1, -1, 9, 7, -7, -9};

/* How many steps there are in each direction. */
#define LOWER(a, b) ((a) < (b) ? (a) : (b))
#define STEPS(r, c)                                                                                          \
    {                                                                                                        \
        7 - (r), (r), 7 - (c), (c), LOWER(7 - (r), 7 - (c)), LOWER(7 - (r), (c)), LOWER((r), 7 - (c)),       \
            LOWER((r), (c))                                                                                  \
    }
#define STEPS_ROW(r)                                                                                         \
    STEPS(r, 0), STEPS(r, 1), STEPS(r, 2), STEPS(r, 3), STEPS(r, 4), STEPS(r, 5), STEPS(r, 6), STEPS(r, 7)
static const int8_t steps[64][8] = {STEPS_ROW(0), STEPS_ROW(1), STEPS_ROW(2), STEPS_ROW(3),
                                    STEPS_ROW(4), STEPS_ROW(5), STEPS_ROW(6), STEPS_ROW(7)};

static inline void add_slider(const struct chess_pm *s, int from, int first, int last, struct moves_out *out)
{
    uint64_t own = s->pieces[s->side], enemy = s->pieces[!s->side];
    for (int d = first; d < last; d++) {
        int to = from;
        for (int left = steps[from][d]; left > 0; left--) {
            to += way[d];
            if (own >> to & 1)
                break;
            add(out, chess_pm_move(from, to, 0));
            if (enemy >> to & 1)
                break;
        }
    }
}

static inline void add_leaps(const struct chess_pm *s, int from, const int8_t (*leaps)[2],
                             struct moves_out *out)
{
    for (int i = 0; i < 8; i++) {
        int row = from / 8 + leaps[i][0], column = from % 8 + leaps[i][1], to = row * 8 + column;
        if ((unsigned)row < 8 && (unsigned)column < 8 && !(s->pieces[s->side] >> to & 1))
            add(out, chess_pm_move(from, to, 0));
    }
}

/* One target of a pawn: on the last rank it becomes pawn, knight, bishop, rook or queen, in this order. */
static inline void add_pawn_target(int from, int to, bool last_rank, struct moves_out *out)
{
    if (!last_rank)
        add(out, chess_pm_move(from, to, 0));
    for (int kind = CHESS_PM_PAWN; last_rank && kind <= CHESS_PM_QUEEN; kind++)
        add(out, chess_pm_move(from, to, kind + 1));
}

static inline void add_pawn(const struct chess_pm *s, int from, struct moves_out *out)
{
    bool black = s->side == CHESS_PM_BLACK;
    int forward = black ? 8 : -8, row = from / 8, column = from % 8, to = from + forward;
    uint64_t enemy = s->pieces[!s->side], occupied = enemy | s->pieces[s->side];
    if (row == (black ? 7 : 0))
        return;
    bool last_rank = row == (black ? 6 : 1);
    if (!(occupied >> to & 1)) {
        add_pawn_target(from, to, last_rank, out);
        if (row == (black ? 1 : 6) && !(occupied >> (to + forward) & 1))
            add_pawn_target(from, to + forward, false, out);
    }
    if (column > 0 && enemy >> (to - 1) & 1)
        add_pawn_target(from, to - 1, last_rank, out);
    if (column < 7 && enemy >> (to + 1) & 1)
        add_pawn_target(from, to + 1, last_rank, out);
}

static inline void add_piece(const struct chess_pm *s, int from, struct moves_out *out)
{
    static const int8_t knight[8][2] = {{1, 2},  {1, -2},  {2, 1},  {2, -1},
                                        {-1, 2}, {-1, -2}, {-2, 1}, {-2, -1}};
    static const int8_t king[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};
    switch (chess_pm_kind(s->cells[from])) {
    case CHESS_PM_PAWN:
        add_pawn(s, from, out);
        break;
    case CHESS_PM_KNIGHT:
        add_leaps(s, from, knight, out);
        break;
    case CHESS_PM_BISHOP:
        add_slider(s, from, 4, 8, out);
        break;
    case CHESS_PM_ROOK:
        add_slider(s, from, 0, 4, out);
        break;
    case CHESS_PM_QUEEN:
        add_slider(s, from, 0, 8, out);
        break;
    default:
        add_leaps(s, from, king, out);
    }
}

/* A taken king ends the game, unless it is to be played on as the report's own search does. */
static bool king_is_taken(const struct mp_game *game, const struct chess_pm *s)
{
    return !game->option[CHESS_PM_OPTION_CONTINUE] && !(s->kings[0] && s->kings[1]);
}

static int list(const struct mp_game *game, const void *state, mp_move *moves, int capacity)
{
    const struct chess_pm *s = state;
    struct moves_out out = {moves, 0, capacity};
    if (king_is_taken(game, s))
        return 0;
    for (uint64_t own = s->pieces[s->side]; own; own = bits_rest(own))
        add_piece(s, bits_first(own), &out);
    return out.count;
}

/* Captures, and pawns that become another piece. */
static int list_noisy(const struct mp_game *game, const void *state, mp_move *moves, int capacity)
{
    const struct chess_pm *s = state;
    mp_move all[CHESS_PM_MOST_MOVES];
    int total = list(game, state, all, CHESS_PM_MOST_MOVES);
    struct moves_out out = {moves, 0, capacity};
    for (int i = 0; i < total; i++)
        if (s->cells[chess_pm_to(all[i])] || chess_pm_becomes(all[i]) > CHESS_PM_PAWN)
            add(&out, all[i]);
    return out.count;
}

/* What stands on the target after a move. */
static inline uint8_t landed(const struct chess_pm *s, mp_move move)
{
    int becomes = chess_pm_becomes(move);
    return becomes < 0 ? s->cells[chess_pm_from(move)] : chess_pm_cell(becomes, s->side);
}

/* By how much a move changes the score. */
static inline int32_t gain(const struct chess_pm *s, mp_move move)
{
    int from = chess_pm_from(move), to = chess_pm_to(move);
    return chess_pm_worth[landed(s, move)][to] - chess_pm_worth[s->cells[from]][from] -
           chess_pm_worth[s->cells[to]][to];
}

static void play(const struct mp_game *game, const void *from_state, mp_move move, void *to_state)
{
    (void)game;
    const struct chess_pm *s = from_state;
    struct chess_pm *t = to_state;
    int from = chess_pm_from(move), to = chess_pm_to(move), us = s->side;
    memcpy(t, s, sizeof *t);
    t->score += gain(s, move);
    t->kings[!us] = (uint8_t)(t->kings[!us] - (s->cells[to] == chess_pm_cell(CHESS_PM_KING, !us)));
    t->cells[from] = 0;
    t->cells[to] = landed(s, move);
    t->pieces[us] ^= UINT64_C(1) << from | UINT64_C(1) << to;
    t->pieces[!us] &= ~(UINT64_C(1) << to);
    t->side = !us;
}

/* ---- The rest ------------------------------------------------------------------------------------------ */

/* Who has a king when the other has none has won; a side that cannot move has drawn. */
static int margin(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct chess_pm *s = state;
    return (s->kings[s->side] > 0) - (s->kings[!s->side] > 0);
}

static int side(const struct mp_game *game, const void *state)
{
    (void)game;
    return ((const struct chess_pm *)state)->side == CHESS_PM_WHITE;
}

static uint64_t key(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct chess_pm *s = state;
    uint64_t words[8], hash = s->side ? UINT64_C(0xd1b54a32d192ed03) : 0; /* no piece on a1 looks like it */
    memcpy(words, s->cells, sizeof words);
    for (int i = 0; i < 8; i++)
        hash = random_mix(hash + words[i] + UINT64_C(0x9e3779b97f4a7c15));
    return hash;
}

/* By the piece and where it goes. */
static void index_moves(const struct mp_game *game, const void *state, const mp_move *moves, int count,
                        uint16_t *indices)
{
    (void)game;
    const struct chess_pm *s = state;
    for (int i = 0; i < count; i++)
        indices[i] = (uint16_t)(chess_pm_kind(s->cells[chess_pm_from(moves[i])]) * 64 +
                                chess_pm_to(moves[i]));
}

static mp_value evaluate(const struct mp_game *game, const struct mp_evaluation *self, const void *state)
{
    (void)game;
    (void)self;
    const struct chess_pm *s = state;
    return s->side == CHESS_PM_WHITE ? s->score : -s->score;
}

/* The children need not be played to know their scores. */
static int evaluate_children(const struct mp_game *game, const struct mp_evaluation *self, const void *state,
                             const mp_move *moves, int count, mp_value enough, mp_value *values)
{
    (void)game;
    (void)self;
    const struct chess_pm *s = state;
    int sign = s->side == CHESS_PM_WHITE ? -1 : 1;
    for (int i = 0; i < count; i++) {
        values[i] = sign * (s->score + gain(s, moves[i]));
        if (values[i] <= enough)
            return i + 1;
    }
    return count;
}

static const struct mp_evaluation evaluations[] = {
    {.name = "pm",
     .summary = "the report's: pieces 100 300 300 500 900 9000 and a bonus for the square",
     .evaluate = evaluate,
     .children = evaluate_children},
    {0},
};

static const char *const off_on[] = {"off", "on", NULL};
static const struct mp_option options[] = {
    [CHESS_PM_OPTION_CONTINUE] = {.name = "continue",
                                  .summary = "play on after a king is taken, as the report's search does",
                                  .words = off_on},
    {0},
};

static const struct mp_ordering ordering = {
    MP_SIZE(struct mp_ordering),
    .index_moves = index_moves,
    .index_count = CHESS_PM_KINDS * 64,
};

static const struct mp_selective selective = {
    MP_SIZE(struct mp_selective),
    .list_noisy = list_noisy,
};

static const struct mp_board_hooks board_hooks = {
    MP_SIZE(struct mp_board_hooks),
    .describe = chess_pm_board,
    .move_cells = chess_pm_move_cells,
};

/* There is no list_scored: searches shall try the moves in the report's order, as its counts require. */
const struct mp_game LEVELED(chess_pm_table) = {
    MP_GAME_SIZES,
    .name = "chess-pm",
    .summary =
        "the simplified chess of a report: kings are taken, no castling; positions B1 to B4, a board, or FEN",
    .players = {"Black", "White"},
    .state_size = sizeof(struct chess_pm),
    .scoring = MP_SCORE_WIN,
    .margin_max = 1,
    .evaluations = evaluations,
    .playout_scale = 200,
    .options = options,
    .initial = initial,
    .list = list,
    .play = play,
    .margin = margin,
    .side = side,
    .key = key,
    .parse_position = chess_pm_parse_position,
    .print_position = chess_pm_print_position,
    .print_move = chess_pm_print_move,
    .draw = chess_pm_draw,
    .ordering = &ordering,
    .selective = &selective,
    .board = &board_hooks,
};

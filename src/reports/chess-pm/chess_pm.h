/* chess_pm.h - what the files of the game chess-pm share.
 *
 * The chess of a report on parallel minimax (Qiao and Wang, "Parallelized Min-Max Chess Engine", 2021): the
 * king is taken like any piece, there is no castling, no taking in passing, and a pawn on the last rank may
 * stay a pawn. Squares count as the report's lists do: a8 = 0, b8 = 1 to h1 = 63. */
#ifndef REPORTS_CHESS_PM_CHESS_PM_H
#define REPORTS_CHESS_PM_CHESS_PM_H

#include "manyply/game.h"

enum {
    CHESS_PM_PAWN,
    CHESS_PM_KNIGHT,
    CHESS_PM_BISHOP,
    CHESS_PM_ROOK,
    CHESS_PM_QUEEN,
    CHESS_PM_KING,
    CHESS_PM_KINDS
};
enum { CHESS_PM_WHITE, CHESS_PM_BLACK };

/* A cell of the board: 0 is empty, else the kind and one, plus 8 for Black. */
static inline uint8_t chess_pm_cell(int kind, int side)
{
    return (uint8_t)(kind + 1 + 8 * side);
}
static inline int chess_pm_kind(uint8_t cell)
{
    return (cell & 7) - 1;
}
static inline int chess_pm_side(uint8_t cell)
{
    return cell >> 3;
}

struct chess_pm {
    uint8_t cells[64];
    uint64_t pieces[2]; /* the squares of White, of Black */
    int32_t score;      /* of the evaluation pm, White minus Black, grown move by move */
    uint8_t kings[2];   /* how many each side has */
    uint8_t side;       /* who moves */
};

/* A move: from (6 bits), to (6), and for a move to the last rank what the pawn becomes, plus one (4). */
static inline mp_move chess_pm_move(int from, int to, int becomes)
{
    return (mp_move)(from | to << 6 | becomes << 12);
}
static inline int chess_pm_from(mp_move move)
{
    return move & 63;
}
static inline int chess_pm_to(mp_move move)
{
    return move >> 6 & 63;
}
/* The kind a pawn becomes; -1: not a promotion. */
static inline int chess_pm_becomes(mp_move move)
{
    return (int)(move >> 12 & 15) - 1;
}

/* More moves than 64 pieces of one side could have. */
enum { CHESS_PM_MOST_MOVES = 1536 };

/* The only option. */
enum { CHESS_PM_OPTION_CONTINUE };

/* What a cell adds to the score, White minus Black, with a pawn worth 100; an empty one adds nothing. */
extern const int16_t chess_pm_worth[16][64];

/* score.c */
int32_t chess_pm_score(const struct chess_pm *s);

/* notation.c */
bool chess_pm_parse_position(const struct mp_game *game, const char *text, void *state,
                             struct mp_error *error);
int chess_pm_print_position(const struct mp_game *game, const void *state, char *text, size_t size);
int chess_pm_print_move(const struct mp_game *game, const void *state, mp_move move, char *text, size_t size);
int chess_pm_draw(const struct mp_game *game, const void *state, char *text, size_t size);
void chess_pm_board(const struct mp_game *game, const void *state, struct mp_board *board);
int chess_pm_move_cells(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,
                        int capacity);

/* rules.c, one copy for each level of the CPU */
extern const struct mp_game chess_pm_table_base, chess_pm_table_v3, chess_pm_table_v4;

#endif

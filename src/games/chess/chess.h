/* chess.h - what the files of this game share: the state, the form of a move, and who offers what.
 *
 * Squares count from a1 = 0 over b1 = 1 to h8 = 63. A castling move goes from the king to the rook, which
 * serves Chess960 as well. */
#ifndef GAMES_CHESS_CHESS_H
#define GAMES_CHESS_CHESS_H

#include "manyply/game.h"

/* The sets of a state; the first six are also the kinds of pieces. */
enum {
    CHESS_PAWN,
    CHESS_KNIGHT,
    CHESS_BISHOP,
    CHESS_ROOK,
    CHESS_QUEEN,
    CHESS_KING,
    CHESS_WHITE,
    CHESS_BLACK,
    CHESS_SETS,
    CHESS_NOTHING = CHESS_WHITE, /* the kind that an empty square holds */
};

struct chess {
    uint64_t sets[CHESS_SETS]; /* the squares of each kind of piece, and of each colour */
    uint64_t castlers;         /* the rooks that may still castle */
    uint64_t key;
    uint16_t clock;     /* half-moves since the last capture or pawn move */
    uint16_t number;    /* of the move, as in FEN */
    uint8_t side;       /* 0: White to move */
    uint8_t en_passant; /* the square behind a pawn that can be taken in passing; 0: none */
};

/* A move: from (6 bits), to (6), how (4); above the low 16 bits, for convenience, the kind of piece that
 * moves (4) and the kind that is taken (4). */
enum {
    CHESS_PLAIN,
    CHESS_CASTLE,
    CHESS_EN_PASSANT,
    CHESS_DOUBLE_STEP,
    CHESS_PROMOTION, /* to a knight; to a bishop is one more, and so on */
};

static inline mp_move chess_move(int from, int to, int how, int piece, int taken)
{
    return (mp_move)(from | to << 6 | how << 12 | piece << 16 | taken << 20);
}
static inline int chess_from(mp_move move)
{
    return move & 63;
}
static inline int chess_to(mp_move move)
{
    return move >> 6 & 63;
}
static inline int chess_how(mp_move move)
{
    return move >> 12 & 15;
}
static inline int chess_piece(mp_move move)
{
    return move >> 16 & 15;
}
static inline int chess_taken(mp_move move)
{
    return move >> 20 & 15;
}
static inline bool chess_is_promotion(mp_move move)
{
    return chess_how(move) >= CHESS_PROMOTION;
}
/* The kind of piece that stands on the target after the move. */
static inline int chess_landed(mp_move move)
{
    return chess_is_promotion(move) ? chess_how(move) - CHESS_PROMOTION + CHESS_KNIGHT : chess_piece(move);
}

/* Where king and rook go when they castle: side 0 or 1, towards the h-file or not. */
static inline int chess_castled_king(int side, bool kingside)
{
    return side * 56 + (kingside ? 6 : 2);
}
static inline int chess_castled_rook(int side, bool kingside)
{
    return side * 56 + (kingside ? 5 : 3);
}

static inline uint64_t chess_bit(int square)
{
    return UINT64_C(1) << square;
}

/* What stands on a square, CHESS_NOTHING if nothing does; without a branch, because it cannot be guessed. */
static inline int chess_kind_at(const struct chess *s, int square)
{
    int kind = CHESS_NOTHING;
    for (int k = CHESS_PAWN; k <= CHESS_KING; k++)
        kind -= (int)(s->sets[k] >> square & 1) * (CHESS_NOTHING - k);
    return kind;
}

/* More moves than any position with 16 pieces a side can have. */
enum { CHESS_MOST_MOVES = 384 };

/* The first option of the game. */
enum { CHESS_OPTION_960 };

/* fen.c: the key of a position, worked out from nothing. */
uint64_t chess_key(const struct chess *s);

/* fen.c and notation.c */
bool chess_parse_position(const struct mp_game *game, const char *text, void *state, struct mp_error *error);
int chess_print_position(const struct mp_game *game, const void *state, char *text, size_t size);
int chess_print_move(const struct mp_game *game, const void *state, mp_move move, char *text, size_t size);
int chess_print_san(const struct mp_game *game, const void *state, mp_move move, char *text, size_t size);
bool chess_parse_move(const struct mp_game *game, const void *state, const char *text, mp_move *move,
                      struct mp_error *error);
int chess_draw(const struct mp_game *game, const void *state, char *text, size_t size);
void chess_board(const struct mp_game *game, const void *state, struct mp_board *board);
int chess_move_cells(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,
                     int capacity);

/* rules.c, perft.c, evaluate.c, features.c: one copy for each level of the CPU. */
#define CHESS_LEVEL(suffix)                                                                                  \
    extern const struct mp_game chess_table##suffix;                                                         \
    uint64_t chess_perft##suffix(const struct mp_game *game, const void *state, int depth,                   \
                                 bool drop_finished);                                                        \
    extern const struct mp_evaluation chess_evaluations##suffix[];                                           \
    extern const struct mp_features chess_features##suffix;
CHESS_LEVEL(_base)
CHESS_LEVEL(_v3)
CHESS_LEVEL(_v4)
#undef CHESS_LEVEL

#endif

/* halma.h - what the files of this game share, for any size of the board. */
#ifndef GAMES_HALMA_HALMA_H
#define GAMES_HALMA_HALMA_H

#include "manyply/game.h"

/* A move is the square it starts from and, eight bits up, the one it ends on. With moves=paths the bits from
 * 16 on tell the paths between two squares apart, in the order in which they are listed. */
enum { HALMA_PASS = 0, HALMA_MOST_SQUARES = 256, HALMA_MOST_PIECES = 19 };

static inline mp_move halma_move(int from, int to)
{
    return (mp_move)(from | to << 8);
}

static inline int halma_from(mp_move move)
{
    return (int)(move & 0xff);
}

static inline int halma_to(mp_move move)
{
    return (int)(move >> 8 & 0xff);
}

/* The options, in the order of the table. */
enum { HALMA_OPTION_RULES, HALMA_OPTION_MOVES, HALMA_OPTION_RACE };
enum halma_rules { HALMA_STANDARD, HALMA_FREE, HALMA_LOCK, HALMA_USC };
enum halma_listing { HALMA_DISTINCT, HALMA_PATHS };

static inline enum halma_rules halma_rules_of(const struct mp_game *game)
{
    return (enum halma_rules)game->option[HALMA_OPTION_RULES];
}

static inline bool halma_lists_paths(const struct mp_game *game)
{
    return game->option[HALMA_OPTION_MOVES] == HALMA_PATHS;
}

/* notation.c, one copy for each board. The chain of a move is every square on which the piece comes down, the
 * first and the last included: with moves=paths the path itself, else a shortest one. It has room for
 * HALMA_MOST_SQUARES; returned is how many there are. */
#define HALMA_BOARD_FUNCTIONS(board)                                                                         \
    bool board##_parse_position(const struct mp_game *game, const char *text, void *state,                   \
                                struct mp_error *error);                                                     \
    int board##_print_position(const struct mp_game *game, const void *state, char *text, size_t size);      \
    int board##_print_move(const struct mp_game *game, const void *state, mp_move move, char *text,          \
                           size_t size);                                                                     \
    bool board##_parse_move(const struct mp_game *game, const void *state, const char *text, mp_move *move,  \
                            struct mp_error *error);                                                         \
    int board##_draw(const struct mp_game *game, const void *state, char *text, size_t size);                \
    int board##_chain(const struct mp_game *game, const void *state, mp_move move, uint8_t *squares);        \
    void board##_board(const struct mp_game *game, const void *state, struct mp_board *board);               \
    int board##_move_cells(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,     \
                           int capacity);

/* rules.c, count.c, evaluate.c, features.c, playout.c and (not on 16 x 16) solve.c, one copy for each board and level
 * of the CPU */
#define HALMA_LEVEL_FUNCTIONS(board, suffix)                                                                 \
    extern const struct mp_evaluation board##_evaluations##suffix[];                                         \
    extern const struct mp_tuning board##_tuning##suffix;                                                    \
    extern const struct mp_features board##_features##suffix;                                                \
    extern const struct mp_game board##_table##suffix;                                                       \
    extern const struct mp_tables board##_tables##suffix;                                                    \
    bool board##_solve##suffix(const struct mp_game *game, const void *state, int depth, mp_value alpha,     \
                               mp_value beta, mp_value *value, uint64_t *nodes);                             \
    int board##_count##suffix(const struct mp_game *game, const void *state);                                \
    uint64_t board##_perft##suffix(const struct mp_game *game, const void *state, int depth,                 \
                                   bool drop_finished);                                                      \
    int board##_playout##suffix(const struct mp_game *game, const void *state, uint64_t seed);

#define HALMA_DECLARE(board)                                                                                 \
    HALMA_BOARD_FUNCTIONS(board)                                                                             \
    HALMA_LEVEL_FUNCTIONS(board, _base)                                                                      \
    HALMA_LEVEL_FUNCTIONS(board, _v3)                                                                        \
    HALMA_LEVEL_FUNCTIONS(board, _v4)
HALMA_DECLARE(halma8)
HALMA_DECLARE(halma10)
HALMA_DECLARE(halma16)
#undef HALMA_DECLARE
#undef HALMA_LEVEL_FUNCTIONS
#undef HALMA_BOARD_FUNCTIONS

/* In a file that is compiled for each board: HALMA_NAMED(table) is halma8_table, halma10_table or
 * halma16_table. */
#define HALMA_PASTE_(size, name) halma##size##_##name
#define HALMA_PASTE(size, name) HALMA_PASTE_(size, name)
#define HALMA_NAMED(name) HALMA_PASTE(HALMA_SIZE, name)

#endif

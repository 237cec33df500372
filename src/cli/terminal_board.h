/* terminal_board.h - a board at the terminal: figures or letters, colours, the last move marked, either way up. */
#ifndef CLI_TERMINAL_BOARD_H
#define CLI_TERMINAL_BOARD_H

#include "cli/cli.h"
#include "cli/terminal.h"

struct board_style {
    bool unicode; /* figures, else letters */
    bool colour;
    bool flipped;
};

/* Reads --pieces, and what the terminal can do. False: an error has been printed. */
bool board_choose(struct board_style *style, const struct cli *cli, const struct terminal *terminal);

/* The cells of a move that are worth a mark: where it began and where it ended. */
struct board_mark {
    int first, last; /* -1: none */
};
struct board_mark board_mark_move(const struct mp_game *game, const void *state, mp_move move);

/* Draws the position. A game that describes no board, and backgammon without figures, is drawn by itself. */
void board_print(const struct board_style *style, const struct mp_game *game,
                 const struct mp_position *position, struct board_mark mark);

#endif

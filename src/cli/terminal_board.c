/* terminal_board.c - draws the grid that a game describes (struct mp_board). With colours the cells have grounds and
 * the last move is lit; without, it is put between brackets. */
#include "cli/terminal_board.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Colours of the palette of 256. */
enum { LIGHT = 180, DARK = 137, PLAIN = 65, HOME = 66, MARKED = 221, WHITE = 231, BLACK = 16, FAINT = 242 };

bool board_choose(struct board_style *style, const struct cli *cli, const struct terminal *terminal)
{
    const char *pieces = cli_option(cli, "pieces");
    style->colour = terminal->colour;
    style->unicode = pieces ? !strcmp(pieces, "figures") : terminal->unicode;
    if (!pieces || style->unicode || !strcmp(pieces, "letters"))
        return true;
    return cli_refuse(cli, "--pieces %.60s, expected letters or figures", pieces);
}

struct board_mark board_mark_move(const struct mp_game *game, const void *state, mp_move move)
{
    uint16_t cells[64];
    int count = game->board->move_cells ? game->board->move_cells(game, state, move, cells, 64) : 0;
    if (count < 1 || count > 64)
        return (struct board_mark){-1, -1};
    return (struct board_mark){cells[0], cells[count - 1]};
}

/* The figure of a piece. With colours both sides have the solid one. */
static const char *figure(char piece, bool solid)
{
    static const char kinds[] = "KQRBNPO";
    static const char *const solids[] = {"♚", "♛", "♜", "♝", "♞", "♟", "●"};
    static const char *const outlines[] = {"♔", "♕", "♖", "♗", "♘", "♙", "○"};
    const char *kind = strchr(kinds, toupper((unsigned char)piece));
    return kind ? (solid ? solids : outlines)[kind - kinds] : NULL;
}

static bool is_dark(const struct mp_game *game, char piece)
{
    const char *name = game->players[islower((unsigned char)piece) ? 1 : 0];
    return !strcasecmp(name, "black") || (strcasecmp(name, "white") != 0 && isupper((unsigned char)piece));
}

static void print_piece(const struct board_style *style, const struct mp_game *game, char piece)
{
    bool dark = is_dark(game, piece);
    const char *shape = style->unicode ? figure(piece, style->colour || dark) : NULL;
    if (piece == '.')
        fputs(style->unicode ? "·" : ".", stdout);
    else if (shape)
        fputs(shape, stdout);
    else
        putchar(piece);
}

static int ground(const struct mp_board *board, int row, int column)
{
    if (board->chequered)
        return (row + column) % 2 ? DARK : LIGHT;
    return board->homes[row * board->columns + column] ? HOME : PLAIN;
}

/* A cell takes three columns with colours and two without, where the brackets stand between cells. */
static void print_cell(const struct board_style *style, const struct mp_game *game,
                       const struct mp_board *board, int row, int column, bool marked)
{
    char piece = board->pieces[row * board->columns + column];
    if (!style->colour) {
        print_piece(style, game, piece);
        return;
    }
    int ink = piece == '.' ? FAINT : is_dark(game, piece) ? BLACK : WHITE;
    printf("\033[48;5;%d;38;5;%dm ", marked ? MARKED : ground(board, row, column), ink);
    print_piece(style, game, piece);
    printf(" \033[0m");
}

/* The i-th of the words. */
static const char *word_at(const char *words, int i, int *length)
{
    while (i-- > 0 && *words)
        words += strcspn(words, " ") + (words[strcspn(words, " ")] ? 1 : 0);
    *length = (int)strcspn(words, " ");
    return words;
}

static void print_column_names(const struct board_style *style, const struct mp_board *board)
{
    if (!board->column_names)
        return;
    printf("  ");
    for (int i = 0; i < board->columns; i++) {
        int length;
        const char *name = word_at(board->column_names, style->flipped ? board->columns - 1 - i : i, &length);
        printf(style->colour ? " %.*s " : " %.*s", length, name);
    }
    printf("\n");
}

static void print_grid(const struct board_style *style, const struct mp_game *game,
                       const struct mp_board *board, struct board_mark mark)
{
    for (int i = 0; i < board->rows; i++) {
        int row = style->flipped ? board->rows - 1 - i : i, length = 0;
        const char *name = board->row_names ? word_at(board->row_names, row, &length) : "";
        printf("%2.*s", length, name);
        bool before = false;
        for (int j = 0; j < board->columns; j++) {
            int column = style->flipped ? board->columns - 1 - j : j;
            int cell = row * board->columns + column;
            bool marked = cell == mark.first || cell == mark.last;
            if (!style->colour)
                putchar(marked ? '[' : before ? ']' : ' ');
            print_cell(style, game, board, row, column, marked);
            before = marked;
        }
        printf("%s\n", before && !style->colour ? "]" : "");
    }
    print_column_names(style, board);
}

void board_print(const struct board_style *style, const struct mp_game *game,
                 const struct mp_position *position, struct board_mark mark)
{
    struct mp_board board = {MP_SIZE(struct mp_board)};
    if (mp_position_board(position, &board) && board.form == MP_BOARD_GRID)
        print_grid(style, game, &board, mark);
    else
        print_board(game, position);
}

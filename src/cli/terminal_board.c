/* terminal_board.c - draws the grid, or backgammon's board, that a game describes (struct mp_board). With colours the cells have grounds and
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

/* ---- Backgammon ---------------------------------------------------------------------------------------- */

enum { HALF = 5 }; /* chequers that are drawn on a point; of more, the number */

/* The place of the board that a player sees as point n, or whose bar or tray is in a half. */
static int seen_cell(const struct board_style *style, int n)
{
    return style->flipped ? 25 - n : n;
}

static void print_ground(const struct board_style *style, bool begins)
{
    if (style->colour)
        printf(begins ? "\033[48;5;%dm" : "\033[0m", PLAIN);
}

/* One of the chequers on a cell, counted from the edge; three columns. */
static void print_chequer(const struct board_style *style, const struct mp_game *game,
                          const struct mp_board *board, int cell, int place)
{
    char piece = board->pieces[cell];
    int count = piece == '.' || !piece ? 0 : board->counts[cell] ? board->counts[cell] : 1;
    if (place >= count) {
        printf("   ");
        return;
    }
    bool dark = is_dark(game, piece);
    if (style->colour)
        printf("\033[38;5;%dm", dark ? BLACK : WHITE);
    if (place == HALF - 1 && count > HALF)
        printf("%2d ", count);
    else
        printf(" %s ", figure('O', style->colour || dark));
}

static void print_point_names(bool top)
{
    printf("  ");
    for (int column = 0; column < 12; column++)
        printf("%s%2d ", column == 6 ? "      " : "", top ? 13 + column : 12 - column);
    printf("\n");
}

static void print_half(const struct board_style *style, const struct mp_game *game,
                       const struct mp_board *board, bool top)
{
    for (int row = 0; row < HALF; row++) {
        int place = top ? row : HALF - 1 - row;
        int bar = (top != style->flipped) ? 25 : 26, off = (top != style->flipped) ? 27 : 0;
        printf(" \u2502");
        print_ground(style, true);
        for (int column = 0; column < 12; column++) {
            if (column == 6) {
                print_ground(style, false);
                printf("\u2502");
                print_chequer(style, game, board, bar, HALF - 1 - place);
                print_ground(style, false);
                printf("\u2502");
                print_ground(style, true);
            }
            print_chequer(style, game, board, seen_cell(style, top ? 13 + column : 12 - column), place);
        }
        print_ground(style, false);
        printf("\u2502");
        if (place == 0 && board->counts[off] && board->pieces[off] != '.')
            printf(" %d off", board->counts[off]);
        printf("\n");
    }
}

static int pips_of(const struct mp_board *board, int player)
{
    int pips = 0;
    for (int cell = 1; cell <= 26; cell++) {
        char piece = board->pieces[cell];
        bool own = piece && piece != '.' && (islower((unsigned char)piece) != 0) == player;
        int way = cell >= 25 ? 25 : player ? 25 - cell : cell;
        pips += own ? way * (board->counts[cell] ? board->counts[cell] : 1) : 0;
    }
    return pips;
}

static void print_backgammon(const struct board_style *style, const struct mp_game *game,
                             const struct mp_board *board, int side)
{
    static const char *const dice[] = {"", "\u2680", "\u2681", "\u2682", "\u2683", "\u2684", "\u2685"};
    print_point_names(true);
    print_half(style, game, board, true);
    printf(" \u2502%18s\u2502   \u2502%18s\u2502\n", "", "");
    print_half(style, game, board, false);
    print_point_names(false);
    for (int player = 0; player < 2; player++)
        printf("%s%s %s %d pips", player ? "   " : "  ",
               is_dark(game, player ? 'o' : 'O') ? "\u25cf" : "\u25cb", game->players[player],
               pips_of(board, player));
    if (board->dice[0])
        printf("   %s has thrown %d and %d %s%s", game->players[side], board->dice[0], board->dice[1],
               dice[board->dice[0] % 7], dice[board->dice[1] % 7]);
    if (board->cube > 1 || (board->cube && board->cube_owner >= 0))
        printf("   cube %d%s%s", board->cube, board->cube_owner >= 0 ? " of " : "",
               board->cube_owner >= 0 ? game->players[board->cube_owner] : "");
    printf("\n");
}

void board_print(const struct board_style *style, const struct mp_game *game,
                 const struct mp_position *position, struct board_mark mark)
{
    struct mp_board board = {MP_SIZE(struct mp_board)};
    bool described = mp_position_board(position, &board);
    if (described && board.form == MP_BOARD_GRID)
        print_grid(style, game, &board, mark);
    else if (described && style->unicode)
        print_backgammon(style, game, &board, mp_position_side(position));
    else
        print_board(game, position);
}

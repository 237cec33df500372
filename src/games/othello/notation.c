/* notation.c - Othello in text: positions as in .obf files, moves as f5, and a picture of the board. */
#include "games/othello/othello.h"

#include <ctype.h>
#include <string.h>

static int disc_of(char c)
{
    switch (c) {
    case 'X':
    case 'x':
    case '*':
        return 0;
    case 'O':
    case 'o':
        return 1;
    case '-':
    case '.':
        return 2;
    default:
        return -1;
    }
}

bool othello_parse_position(const struct mp_game *game, const char *text, void *state, struct mp_error *error)
{
    (void)game;
    size_t squares = strcspn(text, " \t;");
    if (squares != 64)
        return mp_fail(error, "Othello position: %zu square%s, expected 64 (X, O or - from a1 to h8)",
                       squares, squares == 1 ? "" : "s");
    uint64_t discs[3] = {0};
    for (int i = 0; i < 64; i++) {
        int disc = disc_of(text[i]);
        if (disc < 0)
            return mp_fail(error, "Othello position: square %c%c holds '%c', expected X, O or -", 'a' + i % 8,
                           '1' + i / 8, isprint((unsigned char)text[i]) ? text[i] : '?');
        discs[disc] |= UINT64_C(1) << i;
    }
    const char *rest = text + squares;
    rest += strspn(rest, " \t");
    int side = *rest ? disc_of(*rest) : -1;
    if (side != 0 && side != 1)
        return mp_fail(error, "Othello position: the side to move is missing, expected X or O after "
                              "the 64 squares");
    rest++;
    rest += strspn(rest, " \t;");
    if (*rest)
        return mp_fail(error, "Othello position: '%.20s' after the side to move, expected nothing more",
                       rest);
    *(struct othello *)state = (struct othello){
        .own = discs[side], .opp = discs[!side], .side = (uint32_t)side};
    return true;
}

int othello_print_position(const struct mp_game *game, const void *state, char *text, size_t size)
{
    (void)game;
    const struct othello *s = state;
    uint64_t black = s->side ? s->opp : s->own, white = s->side ? s->own : s->opp;
    char board[65] = {0};
    for (int i = 0; i < 64; i++)
        board[i] = black >> i & 1 ? 'X' : white >> i & 1 ? 'O' : '-';
    return snprintf(text, size, "%s %c", board, s->side ? 'O' : 'X');
}

int othello_print_move(const struct mp_game *game, const void *state, mp_move move, char *text, size_t size)
{
    (void)game;
    (void)state;
    if (move >= OTHELLO_PASS)
        return snprintf(text, size, "pass");
    return snprintf(text, size, "%c%c", (char)('a' + move % 8), (char)('1' + move / 8));
}

bool othello_parse_move(const struct mp_game *game, const void *state, const char *text, mp_move *move,
                        struct mp_error *error)
{
    mp_move legal[64], wanted;
    int count = game->list(game, state, legal, 64);
    int file = tolower((unsigned char)text[0]) - 'a', rank = file < 0 ? -1 : text[1] - '1';
    if (!strcmp(text, "pass") || !strcmp(text, "PASS") || !strcmp(text, "--"))
        wanted = OTHELLO_PASS;
    else if (file >= 0 && file < 8 && rank >= 0 && rank < 8 && !text[2])
        wanted = (mp_move)(rank * 8 + file);
    else
        return mp_fail(error, "Othello move '%.20s': expected a square from a1 to h8, or pass", text);
    for (int i = 0; i < count; i++)
        if (legal[i] == wanted) {
            *move = wanted;
            return true;
        }
    const struct othello *s = state;
    if (wanted != OTHELLO_PASS && (s->own | s->opp) >> wanted & 1)
        return mp_fail(error, "Othello move '%s': the square is taken", text);
    return mp_fail(error,
                   wanted == OTHELLO_PASS ? "Othello move '%s': a player who can move may not pass"
                                          : "Othello move '%s': no disc would be turned",
                   text);
}

int othello_draw(const struct mp_game *game, const void *state, char *text, size_t size)
{
    const struct othello *s = state;
    uint64_t black = s->side ? s->opp : s->own, white = s->side ? s->own : s->opp;
    mp_move moves[64];
    int count = game->list(game, state, moves, 64);
    uint64_t legal = 0;
    for (int i = 0; i < count; i++)
        if (moves[i] != OTHELLO_PASS)
            legal |= UINT64_C(1) << moves[i];
    char board[256];
    int n = snprintf(board, sizeof board, "  a b c d e f g h\n");
    for (int i = 0; i < 64; i++) {
        if (i % 8 == 0)
            n += snprintf(board + n, sizeof board - (size_t)n, "%d", i / 8 + 1);
        char c = black >> i & 1 ? 'X' : white >> i & 1 ? 'O' : legal >> i & 1 ? '*' : '.';
        n += snprintf(board + n, sizeof board - (size_t)n, " %c%s", c, i % 8 == 7 ? "\n" : "");
    }
    return snprintf(text, size, "%sX %d, O %d, %s\n", board, __builtin_popcountll(black),
                    __builtin_popcountll(white),
                    count ? (s->side ? "White (O) to move" : "Black (X) to move") : "game over");
}

void othello_board(const struct mp_game *game, const void *state, struct mp_board *board)
{
    (void)game;
    const struct othello *s = state;
    uint64_t black = s->side ? s->opp : s->own, white = s->side ? s->own : s->opp;
    board->rows = board->columns = 8;
    board->row_names = "1 2 3 4 5 6 7 8";
    board->column_names = "a b c d e f g h";
    for (int i = 0; i < 64; i++)
        board->pieces[i] = black >> i & 1 ? 'O' : white >> i & 1 ? 'o' : '.';
}

int othello_move_cells(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,
                       int capacity)
{
    (void)game, (void)state;
    if (move >= OTHELLO_PASS)
        return 0;
    if (capacity > 0)
        cells[0] = (uint16_t)move;
    return 1;
}

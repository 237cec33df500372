/* notation.c - chess-pm in text. A position is one of
 *   - B1, B2, B3 or B4: the report's boards, Black to move;
 *   - a board as in the report's files: 8 lines of 8 cells, separated by commas; a cell is blank, or the
 *     colour b or w and then p pawn, k knight, b bishop, r rook, q queen or x king; after the board, if
 *     wanted, a line b or w for the side to move (Black by default);
 *   - the first two fields of FEN; further fields are allowed and mean nothing in this game.
 * Moves are written e7e5 and a2a1q, where p is a pawn that stays one. */
#include "reports/chess-pm/chess_pm.h"

#include <ctype.h>
#include <string.h>

static const char fen_letters[] = "PNBRQK", file_letters[] = "pkbrqx";

static const struct {
    const char *name, *fen;
} boards[] = {
    {"B1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b"},
    {"B2", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR b"},
    {"B3", "rn3r1k/6pp/1pN2p2/p3N3/1P5q/PQ2PPp1/5n2/2R3K1 b"},
    {"B4", "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b"},
};

/* ---- Reading ------------------------------------------------------------------------------------------- */

static bool read_side(const char *text, size_t length, uint8_t *side)
{
    *side = *text == 'w' ? CHESS_PM_WHITE : CHESS_PM_BLACK;
    return length == 1 && (*text == 'w' || *text == 'b');
}

static bool read_fen(struct chess_pm *s, const char *text, struct mp_error *error)
{
    int square = 0;
    size_t length = strcspn(text, " \t\r\n");
    for (const char *c = text; c < text + length; c++) {
        const char *letter = strchr(fen_letters, toupper((unsigned char)*c));
        if (letter && square < 64)
            s->cells[square++] = chess_pm_cell((int)(letter - fen_letters),
                                               islower((unsigned char)*c) ? 1 : 0);
        else if (*c >= '1' && *c <= '8' && square % 8 + *c - '0' <= 8)
            square += *c - '0';
        else if (*c != '/' || square % 8 != 0 || square == 0)
            return mp_fail(error, "chess-pm position: '%c' after %d square%s, expected 8 ranks as in FEN",
                           isprint((unsigned char)*c) ? *c : '?', square, square == 1 ? "" : "s");
    }
    if (square != 64)
        return mp_fail(error, "chess-pm position: %d square%s, expected B1 to B4, a board of 8 lines, or FEN",
                       square, square == 1 ? "" : "s");
    text += length;
    text += strspn(text, " \t\r\n");
    if (!read_side(text, strcspn(text, " \t\r\n"), &s->side))
        return mp_fail(error, "chess-pm position: expected b or w for the side to move after the board");
    return true;
}

/* A cell between commas; blanks around it do not matter. */
static bool read_cell(const char *text, size_t length, uint8_t *cell)
{
    for (; length > 0 && isblank((unsigned char)*text); length--)
        text++;
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    *cell = 0;
    if (length == 0)
        return true;
    const char *letter = length == 2 && text[1] ? strchr(file_letters, text[1]) : NULL;
    if (!letter || (*text != 'b' && *text != 'w'))
        return false;
    *cell = chess_pm_cell((int)(letter - file_letters), *text == 'b');
    return true;
}

static bool read_board(struct chess_pm *s, const char *text, struct mp_error *error)
{
    for (int square = 0; square < 64; square++) {
        bool last = square % 8 == 7;
        size_t length = strcspn(text, ",\n");
        if (!read_cell(text, length, &s->cells[square]))
            return mp_fail(
                error, "chess-pm board: line %d, cell %d is '%.*s', expected blank or two letters such as bp",
                square / 8 + 1, square % 8 + 1, (int)(length < 20 ? length : 20), text);
        text += length;
        if (square < 63 && *text != (last ? '\n' : ','))
            return mp_fail(error, "chess-pm board: line %d %s, expected 8 lines of 8 cells", square / 8 + 1,
                           last ? "has more than 8 cells" : "ends too soon");
        text += *text != 0;
    }
    text += strspn(text, " \t\r\n");
    s->side = CHESS_PM_BLACK;
    if (*text && !read_side(text, strcspn(text, " \t\r\n"), &s->side))
        return mp_fail(error, "chess-pm board: '%.20s' after the board, expected b or w or nothing", text);
    return true;
}

static void count_pieces(struct chess_pm *s)
{
    for (int square = 0; square < 64; square++)
        if (s->cells[square]) {
            int side = chess_pm_side(s->cells[square]);
            s->pieces[side] |= UINT64_C(1) << square;
            s->kings[side] = (uint8_t)(s->kings[side] + (chess_pm_kind(s->cells[square]) == CHESS_PM_KING));
        }
    s->score = chess_pm_score(s);
}

bool chess_pm_parse_position(const struct mp_game *game, const char *text, void *state,
                             struct mp_error *error)
{
    (void)game;
    struct chess_pm s = {0};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        if (!strcmp(text, boards[i].name))
            text = boards[i].fen;
    if (!(strchr(text, ',') ? read_board(&s, text, error) : read_fen(&s, text, error)))
        return false;
    count_pieces(&s);
    *(struct chess_pm *)state = s;
    return true;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

static char letter_of(uint8_t cell)
{
    char letter = fen_letters[chess_pm_kind(cell)];
    return (char)(chess_pm_side(cell) == CHESS_PM_BLACK ? tolower(letter) : letter);
}

int chess_pm_print_position(const struct mp_game *game, const void *state, char *text, size_t size)
{
    (void)game;
    const struct chess_pm *s = state;
    char board[80], *out = board;
    int empty = 0;
    for (int square = 0; square < 64; square++) {
        if (!s->cells[square])
            empty++;
        if (empty && (s->cells[square] || square % 8 == 7)) {
            *out++ = (char)('0' + empty);
            empty = 0;
        }
        if (s->cells[square])
            *out++ = letter_of(s->cells[square]);
        if (square % 8 == 7 && square < 63)
            *out++ = '/';
    }
    *out = 0;
    return snprintf(text, size, "%s %c", board, s->side == CHESS_PM_BLACK ? 'b' : 'w');
}

int chess_pm_print_move(const struct mp_game *game, const void *state, mp_move move, char *text, size_t size)
{
    (void)game;
    (void)state;
    int from = chess_pm_from(move), to = chess_pm_to(move), becomes = chess_pm_becomes(move);
    char promotion[2] = "";
    if (becomes >= 0)
        promotion[0] = (char)tolower(fen_letters[becomes]);
    return snprintf(text, size, "%c%d%c%d%s", 'a' + from % 8, 8 - from / 8, 'a' + to % 8, 8 - to / 8,
                    promotion);
}

int chess_pm_draw(const struct mp_game *game, const void *state, char *text, size_t size)
{
    const struct chess_pm *s = state;
    char board[256];
    int n = 0;
    for (int square = 0; square < 64; square++) {
        if (square % 8 == 0)
            n += snprintf(board + n, sizeof board - (size_t)n, "%d", 8 - square / 8);
        n += snprintf(board + n, sizeof board - (size_t)n, " %c%s",
                      s->cells[square] ? letter_of(s->cells[square]) : '.', square % 8 == 7 ? "\n" : "");
    }
    return snprintf(text, size, "%s  a b c d e f g h\n%s to move\n", board,
                    game->players[game->side(game, state)]);
}

/* Black moves first, so the capital letters are Black's here. */
void chess_pm_board(const struct mp_game *game, const void *state, struct mp_board *board)
{
    (void)game;
    const struct chess_pm *s = state;
    board->rows = board->columns = 8;
    board->chequered = true;
    board->bottom = 1;
    board->row_names = "8 7 6 5 4 3 2 1";
    board->column_names = "a b c d e f g h";
    for (int square = 0; square < 64; square++)
        if (s->cells[square]) {
            char letter = fen_letters[chess_pm_kind(s->cells[square])];
            bool black = chess_pm_side(s->cells[square]) == CHESS_PM_BLACK;
            board->pieces[square] = (char)(black ? letter : tolower(letter));
        }
}

int chess_pm_move_cells(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,
                        int capacity)
{
    (void)game, (void)state;
    const int squares[] = {chess_pm_from(move), chess_pm_to(move)};
    for (int i = 0; i < 2 && i < capacity; i++)
        cells[i] = (uint16_t)squares[i];
    return 2;
}

/* notation.c - moves of chess in text, and a picture of the board.
 *
 * Written as from-to squares (e2e4, e7e8q); with chess960 on, or where king or rook do not stand on their
 * usual squares, castling is written as the king taking its rook. Read in that form and as SAN. */
#include "games/chess/chess.h"
#include "games/chess/tables.h"

#include <ctype.h>
#include <string.h>

static const char letters[] = "PNBRQK";

static void name_square(int square, char name[3])
{
    name[0] = (char)('a' + square % 8);
    name[1] = (char)('1' + square / 8);
    name[2] = 0;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

/* Castling as everybody writes it: the king goes two squares from the e-file. */
static bool castles_usually(const struct mp_game *game, mp_move move)
{
    int king = chess_from(move) % 8, rook = chess_to(move) % 8;
    return !game->option[CHESS_OPTION_960] && king == 4 && (rook == 0 || rook == 7);
}

/* The square that a move is said to end on. */
static int shown_target(const struct mp_game *game, mp_move move)
{
    int from = chess_from(move), to = chess_to(move);
    bool usual = chess_how(move) == CHESS_CASTLE && castles_usually(game, move);
    return usual ? chess_castled_king(to / 56, to > from) : to;
}

int chess_print_move(const struct mp_game *game, const void *state, mp_move move, char *text, size_t size)
{
    (void)state;
    char from[3], to[3], promotion[2] = "";
    name_square(chess_from(move), from);
    name_square(shown_target(game, move), to);
    if (chess_is_promotion(move))
        promotion[0] = (char)tolower(letters[chess_landed(move)]);
    return snprintf(text, size, "%s%s%s", from, to, promotion);
}

/* What SAN needs between the letter of the piece and its target, to tell apart pieces of one kind that could
 * go there: nothing, the file, the rank, or both. */
static void tell_apart(const struct mp_game *game, const void *state, mp_move move, char text[3])
{
    mp_move moves[CHESS_MOST_MOVES];
    int count = game->list(game, state, moves, CHESS_MOST_MOVES);
    bool others = false, same_file = false, same_rank = false;
    for (int i = 0; i < count; i++)
        if (chess_to(moves[i]) == chess_to(move) && chess_piece(moves[i]) == chess_piece(move) &&
            chess_from(moves[i]) != chess_from(move)) {
            others = true;
            same_file |= chess_from(moves[i]) % 8 == chess_from(move) % 8;
            same_rank |= chess_from(moves[i]) / 8 == chess_from(move) / 8;
        }
    char from[3];
    name_square(chess_from(move), from);
    if (others && (!same_file || same_rank))
        *text++ = from[0];
    if (others && same_file)
        *text++ = from[1];
    *text = 0;
}

/* A move without the mark for check or mate. */
static void write_bare_san(const struct mp_game *game, const void *state, mp_move move, char *text,
                           size_t size)
{
    char to[3], from[3], apart[3] = "", piece[2] = "", promotion[3] = "";
    bool takes = chess_taken(move) != CHESS_NOTHING;
    name_square(chess_to(move), to);
    name_square(chess_from(move), from);
    if (chess_how(move) == CHESS_CASTLE) {
        snprintf(text, size, "%s", chess_to(move) > chess_from(move) ? "O-O" : "O-O-O");
        return;
    }
    if (chess_piece(move) != CHESS_PAWN) {
        piece[0] = letters[chess_piece(move)];
        tell_apart(game, state, move, apart);
    } else if (takes) {
        apart[0] = from[0];
        apart[1] = 0;
    }
    if (chess_is_promotion(move)) {
        promotion[0] = '=';
        promotion[1] = letters[chess_landed(move)];
    }
    snprintf(text, size, "%s%s%s%s%s", piece, apart, takes ? "x" : "", to, promotion);
}

int chess_print_san(const struct mp_game *game, const void *state, mp_move move, char *text, size_t size)
{
    char bare[16];
    struct chess child;
    write_bare_san(game, state, move, bare, sizeof bare);
    game->play(game, state, move, &child);
    bool check = game->margin(game, &child) != 0;
    return snprintf(text, size, "%s%s", bare, !check ? "" : game->count(game, &child) ? "+" : "#");
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

/* Copies a move without what adds nothing to it: capture and check marks, comments such as !?, the '=' of a
 * promotion. False: it is longer than any move. */
static bool strip(const char *text, char *bare, size_t size)
{
    size_t length = 0;
    for (; *text; text++) {
        if (strchr("x+#!?=:", *text))
            continue;
        if (length + 1 == size)
            return false;
        bare[length++] = (char)(*text == '0' ? 'O' : *text);
    }
    bare[length] = 0;
    return length > 0;
}

static int read_square(const char *text)
{
    return text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8'
               ? (text[1] - '1') * 8 + text[0] - 'a'
               : -1;
}

/* What a text says of a move; -1 where it says nothing. */
struct wanted {
    int from, from_file, from_rank, to, piece, promotion;
    int castling; /* 1: towards the h-file, 0: towards the a-file */
    bool coordinates;
};

static int kind_of_letter(char c)
{
    const char *at = c ? strchr(letters, c) : NULL;
    return at ? (int)(at - letters) : -1;
}

/* e2e4, e7e8q */
static bool read_coordinates(const char *text, struct wanted *w)
{
    size_t length = strlen(text);
    if (length < 4 || length > 5 || read_square(text) < 0 || read_square(text + 2) < 0)
        return false;
    w->from = read_square(text);
    w->to = read_square(text + 2);
    w->coordinates = true;
    if (length == 5)
        w->promotion = kind_of_letter((char)toupper((unsigned char)text[4]));
    return length == 4 || (w->promotion >= CHESS_KNIGHT && w->promotion <= CHESS_QUEEN);
}

/* e4, ed5, e8Q, Nf3, Nbd7, R1a3, Qh4e1 */
static bool read_san(const char *text, struct wanted *w)
{
    if (!strcmp(text, "O-O") || !strcmp(text, "O-O-O")) {
        w->castling = text[3] ? 0 : 1;
        return true;
    }
    w->piece = CHESS_PAWN;
    if (kind_of_letter(*text) > CHESS_PAWN)
        w->piece = kind_of_letter(*text++);
    size_t length = strlen(text);
    if (w->piece == CHESS_PAWN && length > 2 && kind_of_letter(text[length - 1]) > CHESS_PAWN)
        w->promotion = kind_of_letter(text[--length]);
    if (length < 2 || (w->to = read_square(text + length - 2)) < 0)
        return false;
    length -= 2;
    if (length > 0 && *text >= 'a' && *text <= 'h') {
        w->from_file = *text++ - 'a';
        length--;
    }
    if (length > 0 && *text >= '1' && *text <= '8') {
        w->from_rank = *text++ - '1';
        length--;
    }
    return length == 0;
}

static bool fits(const struct wanted *w, mp_move move)
{
    int from = chess_from(move), to = chess_to(move);
    int promotion = chess_is_promotion(move) ? chess_landed(move) : -1;
    if (chess_how(move) == CHESS_CASTLE) {
        if (w->castling >= 0)
            return w->castling == (to > from);
        /* The king's own square as target is not castling where it could be a step of the king. */
        int king_to = chess_castled_king(to / 56, to > from);
        bool leap = king_to - from > 1 || from - king_to > 1;
        return w->coordinates && w->from == from && (w->to == to || (leap && w->to == king_to));
    }
    return w->castling < 0 && w->to == to && (w->from < 0 || w->from == from) &&
           (w->from_file < 0 || w->from_file == from % 8) && (w->from_rank < 0 || w->from_rank == from / 8) &&
           (w->piece < 0 || w->piece == chess_piece(move)) && w->promotion == promotion;
}

bool chess_parse_move(const struct mp_game *game, const void *state, const char *text, mp_move *move,
                      struct mp_error *error)
{
    struct wanted w = {-1, -1, -1, -1, -1, -1, -1, false};
    char bare[16];
    if (!strip(text, bare, sizeof bare) || (!read_coordinates(bare, &w) && !read_san(bare, &w)))
        return mp_fail(error, "chess move '%.20s': expected a form such as e2e4, e7e8q, Nf3, exd5, O-O",
                       text);
    mp_move moves[CHESS_MOST_MOVES];
    int count = game->list(game, state, moves, CHESS_MOST_MOVES), found = 0;
    for (int i = 0; i < count; i++)
        if (fits(&w, moves[i])) {
            found++;
            *move = moves[i];
        }
    if (found > 1)
        return mp_fail(error, "chess move '%.20s': %d pieces could do that, expected the file or rank too",
                       text, found);
    return found == 1 || mp_fail(error, "chess move '%.20s': not legal here", text);
}

/* ---- Picture ------------------------------------------------------------------------------------------- */

int chess_draw(const struct mp_game *game, const void *state, char *text, size_t size)
{
    const struct chess *s = state;
    char board[512], fen[128];
    int n = 0;
    for (int rank = 7; rank >= 0; rank--) {
        n += snprintf(board + n, sizeof board - (size_t)n, "%d", rank + 1);
        for (int file = 0; file < 8; file++) {
            int square = rank * 8 + file, kind = chess_kind_at(s, square);
            bool black = s->sets[CHESS_BLACK] >> square & 1;
            char c = kind == CHESS_NOTHING ? '.' : (char)(black ? tolower(letters[kind]) : letters[kind]);
            n += snprintf(board + n, sizeof board - (size_t)n, " %c%s", c, file == 7 ? "\n" : "");
        }
    }
    chess_print_position(game, state, fen, sizeof fen);
    const char *check = game->margin(game, s) ? ", in check" : "";
    return snprintf(text, size, "%s  a b c d e f g h\n%s to move%s\n%s\n", board, game->players[s->side],
                    check, fen);
}

/* White sits at the bottom: the first cell is a8. */
static int cell_of(int square)
{
    return square ^ 56;
}

void chess_board(const struct mp_game *game, const void *state, struct mp_board *board)
{
    (void)game;
    const struct chess *s = state;
    board->rows = board->columns = 8;
    board->chequered = true;
    board->row_names = "8 7 6 5 4 3 2 1";
    board->column_names = "a b c d e f g h";
    for (int square = 0; square < 64; square++) {
        int kind = chess_kind_at(s, square);
        bool black = s->sets[CHESS_BLACK] >> square & 1;
        if (kind != CHESS_NOTHING)
            board->pieces[cell_of(square)] = (char)(black ? tolower(letters[kind]) : letters[kind]);
    }
}

int chess_move_cells(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,
                     int capacity)
{
    (void)state;
    const int squares[] = {chess_from(move), shown_target(game, move)};
    for (int i = 0; i < 2 && i < capacity; i++)
        cells[i] = (uint16_t)cell_of(squares[i]);
    return 2;
}

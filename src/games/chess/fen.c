/* fen.c - positions as FEN, read strictly and written so that they read back.
 *
 * The castling field is X-FEN: KQkq for the outermost rooks, a file letter (AHah) for any other; reading
 * takes the letters of Shredder-FEN everywhere. The two counters may be left out together, as in EPD. The
 * en passant square is written only if a pawn can legally be taken; one that is read but useless is
 * dropped. */
#include "games/chess/chess.h"
#include "games/chess/tables.h"

#include <ctype.h>
#include <string.h>

static const char letters[] = "PNBRQK";
enum { MOST_FIELD = 96, MOST_NUMBER = 9999 };

uint64_t chess_key(const struct chess *s)
{
    uint64_t key = s->side ? chess_tables.side_key : 0;
    for (int side = 0; side < 2; side++)
        for (int kind = CHESS_PAWN; kind <= CHESS_KING; kind++)
            for (uint64_t set = s->sets[kind] & s->sets[CHESS_WHITE + side]; set; set = bits_rest(set))
                key ^= chess_tables.piece_keys[side][kind][bits_first(set)];
    for (uint64_t set = s->castlers; set; set = bits_rest(set))
        key ^= chess_tables.castler_keys[bits_first(set)];
    return s->en_passant ? key ^ chess_tables.en_passant_keys[s->en_passant] : key;
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

/* The next field of a text; false: there is none, or it is longer than any field can be. */
static bool next_field(const char **text, char *field)
{
    *text += strspn(*text, " \t");
    size_t length = strcspn(*text, " \t\r\n;");
    if (length == 0 || length >= MOST_FIELD)
        return false;
    memcpy(field, *text, length);
    field[length] = 0;
    *text += length;
    return true;
}

static bool read_board(struct chess *s, const char *field, struct mp_error *error)
{
    int rank = 7, file = 0;
    for (const char *c = field; *c; c++) {
        const char *letter = strchr(letters, toupper((unsigned char)*c));
        if (*c == '/') {
            if (file != 8)
                return mp_fail(error, "FEN board: rank %d has %d square%s, expected 8", rank + 1, file,
                               file == 1 ? "" : "s");
            if (rank == 0)
                return mp_fail(error, "FEN board: more than 8 ranks");
            rank--;
            file = 0;
        } else if (*c >= '1' && *c <= '8') {
            file += *c - '0';
        } else if (letter) {
            if (file > 7)
                return mp_fail(error, "FEN board: rank %d has more than 8 squares", rank + 1);
            s->sets[letter - letters] |= chess_bit(rank * 8 + file);
            s->sets[islower((unsigned char)*c) ? CHESS_BLACK : CHESS_WHITE] |= chess_bit(rank * 8 + file);
            file++;
        } else {
            return mp_fail(error, "FEN board: '%c' on rank %d, expected one of PNBRQKpnbrqk12345678/",
                           isprint((unsigned char)*c) ? *c : '?', rank + 1);
        }
        if (file > 8)
            return mp_fail(error, "FEN board: rank %d has more than 8 squares", rank + 1);
    }
    if (rank != 0 || file != 8)
        return mp_fail(error, "FEN board: ends on rank %d after %d square%s, expected 8 ranks of 8", rank + 1,
                       file, file == 1 ? "" : "s");
    return true;
}

/* What no game can lead to, and what the generator relies on. */
static bool check_pieces(const struct chess *s, struct mp_error *error)
{
    static const char *const names[2] = {"White", "Black"};
    if (s->sets[CHESS_PAWN] & UINT64_C(0xff000000000000ff))
        return mp_fail(error, "FEN board: a pawn stands on the first or last rank");
    for (int side = 0; side < 2; side++) {
        uint64_t own = s->sets[CHESS_WHITE + side];
        int kings = bits_count(s->sets[CHESS_KING] & own), pawns = bits_count(s->sets[CHESS_PAWN] & own);
        if (kings != 1)
            return mp_fail(error, "FEN board: %s has %d kings, expected 1", names[side], kings);
        if (pawns > 8)
            return mp_fail(error, "FEN board: %s has %d pawns, expected at most 8", names[side], pawns);
        static const int initially[CHESS_KING] = {8, 2, 2, 2, 1};
        int promoted = 0;
        for (int kind = CHESS_KNIGHT; kind <= CHESS_QUEEN; kind++) {
            int more = bits_count(s->sets[kind] & own) - initially[kind];
            promoted += more > 0 ? more : 0;
        }
        if (promoted > 8 - pawns)
            return mp_fail(error, "FEN board: %s has %d pieces more than it began with and %d pawns left",
                           names[side], promoted, pawns);
    }
    return true;
}

/* The own rook that a letter of the castling field means; 0: none. */
static uint64_t castling_rook(const struct chess *s, int side, int letter)
{
    uint64_t back_rank = UINT64_C(0xff) << (56 * side), own = s->sets[CHESS_WHITE + side];
    uint64_t rooks = s->sets[CHESS_ROOK] & own & back_rank, king = s->sets[CHESS_KING] & own & back_rank;
    if (!king)
        return 0;
    uint64_t west = rooks & (king - 1), east = rooks & ~west;
    if (letter == 'Q')
        return west & -west;
    if (letter == 'K')
        return east ? chess_bit(63 - __builtin_clzll(east)) : 0;
    return rooks & (chess_bit(letter - 'A') << (56 * side));
}

static bool read_castling(struct chess *s, const char *field, struct mp_error *error)
{
    for (const char *c = field; *c && strcmp(field, "-") != 0; c++) {
        int letter = toupper((unsigned char)*c), side = islower((unsigned char)*c) ? 1 : 0;
        if (!isalpha((unsigned char)*c) || !strchr("KQABCDEFGH", letter))
            return mp_fail(error, "FEN castling '%.20s': expected - or letters of KQkq or A to H, a to h",
                           field);
        uint64_t rook = castling_rook(s, side, letter);
        if (!rook)
            return mp_fail(error, "FEN castling '%.20s': there is no king and rook on their rank for '%c'",
                           field, *c);
        if (s->castlers & rook)
            return mp_fail(error, "FEN castling '%.20s': '%c' means a rook that was named before", field, *c);
        s->castlers |= rook;
    }
    for (int side = 0; side < 2; side++) {
        uint64_t own = s->castlers & s->sets[CHESS_WHITE + side];
        uint64_t king = s->sets[CHESS_KING] & s->sets[CHESS_WHITE + side];
        if (bits_rest(own & (king - 1)) || bits_rest(own & ~(king - 1)))
            return mp_fail(error, "FEN castling '%.20s': two rooks on one side of the king", field);
    }
    return true;
}

static bool read_en_passant(struct chess *s, const char *field, struct mp_error *error)
{
    if (!strcmp(field, "-"))
        return true;
    int file = field[0] - 'a', rank = s->side ? 2 : 5, up = s->side ? 8 : -8;
    if (file < 0 || file > 7 || field[1] != '1' + rank || field[2])
        return mp_fail(error, "FEN en passant '%.20s': expected - or a square on rank %d", field, rank + 1);
    int square = rank * 8 + file;
    uint64_t all = s->sets[CHESS_WHITE] | s->sets[CHESS_BLACK];
    uint64_t pawns = s->sets[CHESS_PAWN] & s->sets[CHESS_WHITE + !s->side];
    if (!(pawns & chess_bit(square + up)) || all & (chess_bit(square) | chess_bit(square - up)))
        return mp_fail(error, "FEN en passant '%s': no pawn can just have passed over that square", field);
    s->en_passant = (uint8_t)square;
    return true;
}

static bool read_number(const char *field, const char *name, int minimum, uint16_t *number,
                        struct mp_error *error)
{
    size_t digits = strspn(field, "0123456789");
    int value = 0;
    for (size_t i = 0; i < digits && i < 5; i++)
        value = 10 * value + field[i] - '0';
    if (digits == 0 || digits > 4 || field[digits] || value < minimum)
        return mp_fail(error, "FEN %s '%.20s': expected a whole number from %d to %d", name, field, minimum,
                       MOST_NUMBER);
    *number = (uint16_t)value;
    return true;
}

static bool read_counters(struct chess *s, const char **text, struct mp_error *error)
{
    char field[MOST_FIELD];
    s->number = 1;
    if (!next_field(text, field))
        return true;
    if (!read_number(field, "half-move clock", 0, &s->clock, error))
        return false;
    if (!next_field(text, field))
        return mp_fail(error, "FEN: the move number is missing after the half-move clock");
    if (!read_number(field, "move number", 0, &s->number, error))
        return false;
    if (s->number == 0) /* files of problems often count from 0 */
        s->number = 1;
    return true;
}

/* The side that has just moved may not be in check, not even by the other king; and a pawn that cannot
 * legally be taken in passing is as if it had not made a double step. */
static bool settle(const struct mp_game *game, struct chess *s, struct mp_error *error)
{
    struct chess other = *s;
    other.side = !s->side;
    other.en_passant = 0;
    if (game->margin(game, &other) != 0)
        return mp_fail(error, "FEN: %s is in check but it is %s's turn", game->players[other.side],
                       game->players[s->side]);
    uint64_t white_king = s->sets[CHESS_KING] & s->sets[CHESS_WHITE];
    if (chess_tables.king[bits_first(white_king)] & s->sets[CHESS_KING])
        return mp_fail(error, "FEN board: the kings stand next to each other");
    bool can_take = false;
    mp_move moves[CHESS_MOST_MOVES];
    int count = s->en_passant ? game->list(game, s, moves, CHESS_MOST_MOVES) : 0;
    for (int i = 0; i < count; i++)
        can_take |= chess_how(moves[i]) == CHESS_EN_PASSANT;
    if (!can_take)
        s->en_passant = 0;
    s->key = chess_key(s);
    return true;
}

bool chess_parse_position(const struct mp_game *game, const char *text, void *state, struct mp_error *error)
{
    struct chess s = {0};
    char field[MOST_FIELD];
    if (!next_field(&text, field))
        return mp_fail(error, "FEN: the board is missing, expected 8 ranks such as rnbqkbnr/pppppppp/8/...");
    if (!read_board(&s, field, error) || !check_pieces(&s, error))
        return false;
    if (!next_field(&text, field) || (strcmp(field, "w") != 0 && strcmp(field, "b") != 0))
        return mp_fail(error, "FEN: expected w or b for the side to move after the board");
    s.side = field[0] == 'b';
    if (!next_field(&text, field))
        return mp_fail(error, "FEN: the castling field is missing, expected - or letters such as KQkq");
    if (!read_castling(&s, field, error))
        return false;
    if (!next_field(&text, field))
        return mp_fail(error, "FEN: the en passant field is missing, expected - or a square");
    if (!read_en_passant(&s, field, error) || !read_counters(&s, &text, error))
        return false;
    text += strspn(text, " \t\r\n;");
    if (*text)
        return mp_fail(error, "FEN: '%.20s' after the move number, expected nothing more", text);
    if (!settle(game, &s, error))
        return false;
    *(struct chess *)state = s;
    return true;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

static char *write_board(const struct chess *s, char *out)
{
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            int square = rank * 8 + file, kind = chess_kind_at(s, square);
            if (kind == CHESS_NOTHING) {
                empty++;
                continue;
            }
            if (empty)
                *out++ = (char)('0' + empty);
            empty = 0;
            bool black = s->sets[CHESS_BLACK] >> square & 1;
            *out++ = (char)(black ? tolower(letters[kind]) : letters[kind]);
        }
        if (empty)
            *out++ = (char)('0' + empty);
        if (rank)
            *out++ = '/';
    }
    return out;
}

static char *write_castling(const struct chess *s, char *out)
{
    if (!s->castlers)
        *out++ = '-';
    for (int side = 0; side < 2; side++) {
        uint64_t left = s->castlers & s->sets[CHESS_WHITE + side];
        for (int east = 1; east >= 0; east--) {
            uint64_t king = s->sets[CHESS_KING] & s->sets[CHESS_WHITE + side];
            uint64_t rook = left & (east ? ~(king - 1) : king - 1);
            if (!rook)
                continue;
            int letter = rook == castling_rook(s, side, east ? 'K' : 'Q') ? (east ? 'K' : 'Q')
                                                                          : 'A' + bits_first(rook) % 8;
            *out++ = (char)(side ? tolower(letter) : letter);
        }
    }
    return out;
}

int chess_print_position(const struct mp_game *game, const void *state, char *text, size_t size)
{
    (void)game;
    const struct chess *s = state;
    char board[MOST_FIELD] = "", castling[8] = "", en_passant[3] = "-";
    *write_board(s, board) = 0;
    *write_castling(s, castling) = 0;
    if (s->en_passant) {
        en_passant[0] = (char)('a' + s->en_passant % 8);
        en_passant[1] = (char)('1' + s->en_passant / 8);
    }
    /* A game that goes on past its draws may count further than can be read. */
    int clock = s->clock < MOST_NUMBER ? s->clock : MOST_NUMBER;
    int number = s->number < MOST_NUMBER ? s->number : MOST_NUMBER;
    return snprintf(text, size, "%s %c %s %s %d %d", board, s->side ? 'b' : 'w', castling, en_passant, clock,
                    number);
}

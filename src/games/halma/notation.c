/* notation.c - Halma in text: positions as rows from Black's corner down (BBBB4/BBB5/.../4WWWW b), moves as
 * b1-d3 or with every square of the chain (b1-d1-d3), and a picture of the board. Column a, row 1 is Black's
 * corner. Compiled for each board. */
#include "games/halma/moves.h"
#include "games/halma/paths.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_ROOM = 2048 };

/* ---- Positions ---------------------------------------------------------------------------------------- */

/* Reads one row and moves on to what ends it. */
static bool parse_row(const char **text, int row, struct halma *s, struct mp_error *error)
{
    int column = 0;
    const char *at = *text;
    for (; column <= HALMA_SIZE && *at && *at != '/' && *at != ' ' && *at != '\t'; column++) {
        int side = tolower((unsigned char)*at) == 'b' ? 0 : tolower((unsigned char)*at) == 'w' ? 1 : -1;
        if (isdigit((unsigned char)*at)) {
            int empty = 0;
            for (; isdigit((unsigned char)*at) && empty <= HALMA_SIZE; at++)
                empty = 10 * empty + *at - '0';
            if (empty == 0)
                return mp_fail(error, "Halma position: row %d has a 0, expected a number of empty squares",
                               row + 1);
            column += empty - 1;
            continue;
        }
        if (side < 0 && *at != '.' && *at != '-')
            return mp_fail(error,
                           "Halma position: row %d holds '%c', expected B, W or a number of empty "
                           "squares",
                           row + 1, isprint((unsigned char)*at) ? *at : '?');
        if (side >= 0 && column < HALMA_SIZE)
            s->pieces[side] |= halma_at(row * HALMA_SIZE + column);
        at++;
    }
    if (column != HALMA_SIZE)
        return mp_fail(error, "Halma position: row %d has %s %d square%s, expected %d", row + 1,
                       column > HALMA_SIZE ? "more than" : "only", column > HALMA_SIZE ? HALMA_SIZE : column,
                       column == 1 ? "" : "s", HALMA_SIZE);
    *text = at;
    return true;
}

static bool check_pieces(const struct halma *s, struct mp_error *error)
{
    for (int side = 0; side < 2; side++) {
        int count = halma_count(s->pieces[side]);
        if (count < 1 || count > HALMA_PIECES)
            return mp_fail(error, "Halma position: %d %s pieces, expected 1 to %d", count,
                           side ? "white" : "black", HALMA_PIECES);
    }
    return true;
}

/* Who is to move, then how many plies have been played if that is known. */
static bool parse_counters(const char *text, struct halma *s, struct mp_error *error)
{
    text += strspn(text, " \t");
    int side = tolower((unsigned char)*text) == 'b' ? 0 : tolower((unsigned char)*text) == 'w' ? 1 : -1;
    if (side < 0)
        return mp_fail(error, "Halma position: the side to move is missing, expected b or w after the rows");
    text++;
    size_t blanks = strspn(text, " \t");
    text += blanks;
    size_t digits = strspn(text, "0123456789");
    const char *rest = text + digits + strspn(text + digits, " \t");
    if ((digits && !blanks) || digits > 4 || *rest) /* at most HALMA_MOST_PLY */
        return mp_fail(error,
                       "Halma position: '%.20s' after the side to move, expected the plies played "
                       "(0 to %d) or nothing",
                       text, HALMA_MOST_PLY);
    int ply = digits ? atoi(text) : side;
    if (ply % 2 != side)
        return mp_fail(error, "Halma position: %d %s played and %s to move, expected an %s number", ply,
                       ply == 1 ? "ply" : "plies", side ? "White" : "Black", side ? "odd" : "even");
    s->ply = (uint16_t)ply;
    return true;
}

bool HALMA_NAMED(parse_position)(const struct mp_game *game, const char *text, void *state,
                                 struct mp_error *error)
{
    (void)game;
    struct halma s = {.ply = 0};
    text += strspn(text, " \t");
    for (int row = 0; row < HALMA_SIZE; row++) {
        if (!parse_row(&text, row, &s, error))
            return false;
        if (row + 1 < HALMA_SIZE && *text++ != '/')
            return mp_fail(error, "Halma position: %d row%s, expected %d", row + 1, row == 0 ? "" : "s",
                           HALMA_SIZE);
    }
    if (*text == '/')
        return mp_fail(error, "Halma position: more than %d rows", HALMA_SIZE);
    if (!check_pieces(&s, error) || !parse_counters(text, &s, error))
        return false;
    halma_refresh(&s);
    *(struct halma *)state = s;
    return true;
}

static char piece_at(const struct halma *s, int square)
{
    return halma_has(s->pieces[0], square) ? 'B' : halma_has(s->pieces[1], square) ? 'W' : '.';
}

/* The plies are told where the rules count them and they are not those of a beginning. */
int HALMA_NAMED(print_position)(const struct mp_game *game, const void *state, char *text, size_t size)
{
    const struct halma *s = state;
    char rows[TEXT_ROOM];
    int n = 0, empty = 0;
    for (int square = 0; square < HALMA_SQUARES; square++) {
        char piece = piece_at(s, square);
        empty += piece == '.';
        bool ends = square % HALMA_SIZE == HALMA_SIZE - 1;
        if (empty && (piece != '.' || ends)) {
            n += snprintf(rows + n, sizeof rows - (size_t)n, "%d", empty);
            empty = 0;
        }
        if (piece != '.')
            rows[n++] = piece;
        if (ends)
            rows[n++] = square + 1 < HALMA_SQUARES ? '/' : ' ';
    }
    rows[n++] = halma_side(s) ? 'w' : 'b';
    rows[n] = 0;
    if (halma_rules_of(game) == HALMA_STANDARD && s->ply > 1)
        return snprintf(text, size, "%s %d", rows, s->ply);
    return snprintf(text, size, "%s", rows);
}

int HALMA_NAMED(draw)(const struct mp_game *game, const void *state, char *text, size_t size)
{
    const struct halma *s = state;
    char board[TEXT_ROOM];
    int n = snprintf(board, sizeof board, "  ");
    for (int column = 0; column < HALMA_SIZE; column++)
        n += snprintf(board + n, sizeof board - (size_t)n, " %c", 'a' + column);
    for (int square = 0; square < HALMA_SQUARES; square++) {
        if (square % HALMA_SIZE == 0)
            n += snprintf(board + n, sizeof board - (size_t)n, "\n%2d", square / HALMA_SIZE + 1);
        n += snprintf(board + n, sizeof board - (size_t)n, " %c", piece_at(s, square));
    }
    bool over = game->list(game, state, NULL, 0) == 0;
    return snprintf(text, size, "%s\n%s\n", board,
                    over            ? "game over"
                    : halma_side(s) ? "White (W) to move"
                                    : "Black (B) to move");
}

/* ---- Chains ------------------------------------------------------------------------------------------- */

struct wanted_path {
    int to;
    uint64_t skip; /* paths to the same square that come before */
    uint8_t *squares;
    int count;
};

static bool find_path(void *context, const uint8_t *squares, int count)
{
    struct wanted_path *wanted = context;
    if (squares[count - 1] != wanted->to || wanted->skip-- > 0)
        return true;
    memcpy(wanted->squares, squares, (size_t)count);
    wanted->count = count;
    return false;
}

/* A shortest chain: flood ring by ring, then go back from ring to ring. */
static int shortest_chain(const struct halma_jumps *jumps, int from, int to, uint8_t *squares)
{
    halma_set rings[HALMA_SQUARES], found = halma_at(from);
    int ring = 0;
    rings[0] = found;
    while (!halma_has(rings[ring], to)) {
        rings[ring + 1] = halma_hop(jumps, rings[ring]) & ~found;
        found |= rings[++ring];
        if (!halma_any(rings[ring]))
            return 0;
    }
    squares[ring] = (uint8_t)to;
    for (int i = ring; i > 0; i--) {
        int square;
        HALMA_EACH(square, rings[i - 1])
        if (halma_has(halma_hop(jumps, halma_at(square)), squares[i]))
            squares[i - 1] = (uint8_t)square;
    }
    return ring + 1;
}

int HALMA_NAMED(chain)(const struct mp_game *game, const void *state, mp_move move, uint8_t *squares)
{
    const struct halma *s = state;
    int from = halma_from(move), to = halma_to(move);
    struct halma_jumps jumps = halma_jumps_of(s->pieces[0] | s->pieces[1]);
    struct wanted_path wanted = {.to = to, .skip = move >> 16, .squares = squares};
    if (halma_lists_paths(game))
        halma_visit_paths(&jumps, from, find_path, &wanted);
    else if (!halma_has(halma_spread(halma_at(from)), to))
        wanted.count = shortest_chain(&jumps, from, to, squares);
    if (wanted.count)
        return wanted.count;
    squares[0] = (uint8_t)from;
    squares[1] = (uint8_t)to;
    return 2;
}

/* ---- Moves -------------------------------------------------------------------------------------------- */

static int square_name(int square, char *text, size_t size)
{
    return snprintf(text, size, "%c%d", 'a' + square % HALMA_SIZE, square / HALMA_SIZE + 1);
}

int HALMA_NAMED(print_move)(const struct mp_game *game, const void *state, mp_move move, char *text,
                            size_t size)
{
    if (move == HALMA_PASS)
        return snprintf(text, size, "pass");
    uint8_t squares[HALMA_MOST_SQUARES] = {(uint8_t)halma_from(move), (uint8_t)halma_to(move)};
    int count = halma_lists_paths(game) ? HALMA_NAMED(chain)(game, state, move, squares) : 2;
    char chain[TEXT_ROOM];
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (i)
            chain[n++] = '-';
        n += square_name(squares[i], chain + n, sizeof chain - (size_t)n);
    }
    return snprintf(text, size, "%s", chain);
}

/* A number of at most two digits below limit + first, read from *text; -1: none. */
static int parse_number(const char **text, int first, int limit)
{
    size_t digits = strspn(*text, "0123456789");
    int number = digits == 0 || digits > 2 ? -1 : atoi(*text) - first;
    *text += digits;
    return number < limit ? number : -1;
}

/* Squares with '-' between them; 0: the text is something else. */
static int parse_squares(const char *text, uint8_t *squares)
{
    int count = 0;
    for (; count < HALMA_MOST_SQUARES; text++) {
        int column = tolower((unsigned char)*text) - 'a';
        if (column < 0 || column >= HALMA_SIZE)
            return 0;
        text++;
        int row = parse_number(&text, 1, HALMA_SIZE);
        if (row < 0)
            return 0;
        squares[count++] = (uint8_t)(row * HALMA_SIZE + column);
        if (*text != '-')
            break;
    }
    return *text ? 0 : count;
}

/* The report's `row col newRow newCol`, from 0. */
static int parse_report(const char *text, uint8_t *squares)
{
    int numbers[4];
    for (int i = 0; i < 4; i++) {
        text += strspn(text, " \t");
        numbers[i] = parse_number(&text, 0, HALMA_SIZE);
        if (numbers[i] < 0)
            return 0;
    }
    text += strspn(text, " \t");
    squares[0] = (uint8_t)(numbers[0] * HALMA_SIZE + numbers[1]);
    squares[1] = (uint8_t)(numbers[2] * HALMA_SIZE + numbers[3]);
    return *text ? 0 : 2;
}

/* Why a piece may not go where it could by steps and jumps. */
static const char *broken_rule(const struct halma_turn *turn, int from, int to)
{
    if (turn->duty == HALMA_MOVE_OUT)
        return "a piece must leave home first";
    if (turn->duty == HALMA_MOVE_AWAY)
        return "a piece at home must first move away from the corner";
    if (turn->rules != HALMA_FREE && halma_is_goal(turn->side, from) && !halma_is_goal(turn->side, to))
        return "a piece that has reached its goal may not leave it";
    return "a piece that has left home may not return there";
}

/* Is every link of a chain of three squares or more a jump? */
static bool chain_holds(const struct halma_jumps *jumps, const uint8_t *squares, int count)
{
    for (int i = 0; count > 2 && i + 1 < count; i++)
        if (!halma_has(halma_hop(jumps, halma_at(squares[i])), squares[i + 1]))
            return false;
    return true;
}

/* Is it legal to go from the first of the squares to the last? If not, why? */
static bool check_move(const struct mp_game *game, const struct halma *s, const uint8_t *squares, int count,
                       struct mp_error *error)
{
    int side = halma_side(s), from = squares[0], to = squares[count - 1];
    char start[8], end[8];
    square_name(from, start, sizeof start);
    square_name(to, end, sizeof end);
    struct halma_turn turn = halma_turn_of(halma_rules_of(game), s->pieces, side);
    if (halma_has(s->pieces[!side], from))
        return mp_fail(error, "Halma move %s-%s: the piece on %s is not yours (%s is to move)", start, end,
                       start, game->players[side]);
    if (!halma_has(s->pieces[side], from))
        return mp_fail(error, "Halma move %s-%s: there is no piece on %s", start, end, start);
    if (halma_has(s->pieces[0] | s->pieces[1], to))
        return mp_fail(error, "Halma move %s-%s: %s is occupied", start, end, end);
    if (!halma_has(halma_reach(&turn.jumps, from), to) || !chain_holds(&turn.jumps, squares, count))
        return mp_fail(error, "Halma move %s-%s: %s cannot be reached from %s%s", start, end, end, start,
                       count > 2 ? " this way" : "");
    if (!halma_has(turn.movers, from) || !halma_has(halma_targets(&turn, from), to))
        return mp_fail(error, "Halma move %s-%s: %s", start, end, broken_rule(&turn, from, to));
    return true;
}

/* With moves=paths: the number of a path among those to the same square. */
struct path_number {
    const uint8_t *squares;
    int count;
    uint64_t number;
};

static bool count_before(void *context, const uint8_t *squares, int count)
{
    struct path_number *p = context;
    if (count == p->count && !memcmp(squares, p->squares, (size_t)count))
        return false;
    p->number += squares[count - 1] == p->squares[p->count - 1];
    return true;
}

bool HALMA_NAMED(parse_move)(const struct mp_game *game, const void *state, const char *text, mp_move *move,
                             struct mp_error *error)
{
    const struct halma *s = state;
    uint8_t squares[HALMA_MOST_SQUARES + 1];
    if (!strcmp(text, "pass")) {
        mp_move only;
        *move = HALMA_PASS;
        return (game->list(game, state, &only, 1) == 1 && only == HALMA_PASS) ||
               mp_fail(error, "Halma move 'pass': a player who can move may not pass");
    }
    int count = parse_squares(text, squares);
    if (count < 2)
        count = parse_report(text, squares);
    if (count < 2)
        return mp_fail(error,
                       "Halma move '%.40s': expected squares from a1 to %c%d such as b1-d3, or row and "
                       "column twice, from 0 to %d",
                       text, 'a' + HALMA_SIZE - 1, HALMA_SIZE, HALMA_SIZE - 1);
    if (!check_move(game, s, squares, count, error))
        return false;
    *move = halma_move(squares[0], squares[count - 1]);
    if (halma_lists_paths(game)) {
        struct halma_jumps jumps = halma_jumps_of(s->pieces[0] | s->pieces[1]);
        struct path_number path = {squares, count, 0};
        if (halma_visit_paths(&jumps, squares[0], count_before, &path)) {
            /* Two squares that are not a path themselves are short for the first path between them. */
            if (count > 2)
                return mp_fail(error, "Halma move '%.40s': a path may not land on a square twice", text);
            path.number = 0;
        }
        *move |= path.number << 16;
    }
    return true;
}

/* ---- The board ---------------------------------------------------------------------------------------- */

void HALMA_NAMED(board)(const struct mp_game *game, const void *state, struct mp_board *board)
{
    (void)game;
    const struct halma *s = state;
    board->rows = board->columns = HALMA_SIZE;
    board->chequered = true;
    board->bottom = 1;
#if HALMA_SIZE == 8
    board->row_names = "1 2 3 4 5 6 7 8";
    board->column_names = "a b c d e f g h";
#elif HALMA_SIZE == 10
    board->row_names = "1 2 3 4 5 6 7 8 9 10";
    board->column_names = "a b c d e f g h i j";
#else
    board->row_names = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16";
    board->column_names = "a b c d e f g h i j k l m n o p";
#endif
    for (int square = 0; square < HALMA_SQUARES; square++) {
        for (int side = 0; side < 2; side++) {
            if (halma_has(s->pieces[side], square))
                board->pieces[square] = side ? 'o' : 'O';
            if (halma_is_home(side, square))
                board->homes[square] = (uint8_t)(side + 1);
        }
    }
}

int HALMA_NAMED(move_cells)(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,
                            int capacity)
{
    uint8_t squares[HALMA_MOST_SQUARES];
    int count = move == HALMA_PASS ? 0 : HALMA_NAMED(chain)(game, state, move, squares);
    for (int i = 0; i < count && i < capacity; i++)
        cells[i] = squares[i];
    return count;
}

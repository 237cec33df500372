/* mygame.c - a game for manyply: three in a row on a board of three by three cells.
 *
 *     make check      does it keep the promises of manyply/game.h?
 *     manyply play ./mygame.so
 *
 * It is complete and small: change one thing after the other until it is your game, and run `make check`
 * after each. The comments say what each function promises; manyply/game.h has the last word. */
#include <manyply/game.h>

#include <string.h>

enum { ROWS = 3, COLUMNS = 3, CELLS = ROWS * COLUMNS, IN_A_ROW = 3 };

/* ---- The state: plain bytes without pointers, because searches copy it with memcpy --------------------- */

struct state {
    char cells[CELLS]; /* row by row from the top left: 'X' (who moves first), 'O' or '.' */
    char mover;        /* 'X' or 'O' */
};

static char other(char player)
{
    return player == 'X' ? 'O' : 'X';
}

/* Are there IN_A_ROW cells of this player from here on in one direction? */
static bool has_line_from(const struct state *s, char player, int row, int column, int down, int right)
{
    for (int i = 0; i < IN_A_ROW; i++, row += down, column += right)
        if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS ||
            s->cells[row * COLUMNS + column] != player)
            return false;
    return true;
}

static bool has_line(const struct state *s, char player)
{
    static const int directions[][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int cell = 0; cell < CELLS; cell++)
        for (int d = 0; d < 4; d++)
            if (has_line_from(s, player, cell / COLUMNS, cell % COLUMNS, directions[d][0], directions[d][1]))
                return true;
    return false;
}

/* ---- The rules: five functions ------------------------------------------------------------------------- */

static void initial(const struct mp_game *game, void *state)
{
    (void)game;
    struct state *s = state;
    memset(s->cells, '.', CELLS);
    s->mover = 'X';
}

/* Writes the legal moves as far as they fit and returns how many there are. 0: the game is over. A move is
 * any number that tells the game what to play; here it is the cell. */
static int list(const struct mp_game *game, const void *state, mp_move *moves, int capacity)
{
    (void)game;
    const struct state *s = state;
    int count = 0;
    if (has_line(s, other(s->mover))) /* who moved last has won */
        return 0;
    for (int cell = 0; cell < CELLS; cell++)
        if (s->cells[cell] == '.') {
            if (count < capacity)
                moves[count] = (mp_move)cell;
            count++;
        }
    return count;
}

/* Plays a move on a copy and hands the turn over, in every game and with every move. */
static void play(const struct mp_game *game, const void *from, mp_move move, void *to)
{
    (void)game;
    struct state *t = to;
    memcpy(t, from, sizeof *t);
    t->cells[move] = t->mover;
    t->mover = other(t->mover);
}

/* A finished game: has the side to move won (1), lost (-1), or is it a draw (0)? */
static int margin(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct state *s = state;
    return has_line(s, other(s->mover)) ? -1 : 0;
}

/* Who is to move: 0 (who began) or 1. */
static int side(const struct mp_game *game, const void *state)
{
    (void)game;
    return ((const struct state *)state)->mover == 'O';
}

/* A hash of the position: the same for the same position, another one for another. Everything that the rest
 * of the game depends on goes into it. */
static uint64_t key(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct state *s = state;
    uint64_t x = s->mover == 'O';
    for (int cell = 0; cell < CELLS; cell++) {
        x = (x + 1 + (uint64_t)(unsigned char)s->cells[cell]) * UINT64_C(0xd6e8feb86659fd93);
        x ^= x >> 32;
    }
    return x;
}

/* ---- The notation: what is printed must be read again -------------------------------------------------- */

/* The cells row by row, and who is to move: "X...O.... X". */
static int print_position(const struct mp_game *game, const void *state, char *text, size_t size)
{
    (void)game;
    const struct state *s = state;
    return snprintf(text, size, "%.*s %c", (int)CELLS, s->cells, s->mover);
}

/* An error is one sentence: what is wrong, where, and what was expected. */
static bool parse_position(const struct mp_game *game, const char *text, void *state, struct mp_error *error)
{
    (void)game;
    struct state *s = state;
    size_t cells = strspn(text, "XO.");
    if (cells != CELLS)
        return mp_fail(error, "position: %zu cells of X, O or '.', expected %d", cells, CELLS);
    if (strcmp(text + cells, " X") != 0 && strcmp(text + cells, " O") != 0)
        return mp_fail(error, "position: '%.20s' after the cells, expected who is to move, ' X' or ' O'",
                       text + cells);
    memcpy(s->cells, text, CELLS);
    s->mover = text[cells + 1];
    return true;
}

/* Columns are letters from the left, rows numbers from the bottom: "b2". */
static int print_move(const struct mp_game *game, const void *state, mp_move move, char *text, size_t size)
{
    (void)game, (void)state;
    return snprintf(text, size, "%c%d", 'a' + (int)move % COLUMNS, ROWS - (int)move / COLUMNS);
}

/* ---- An evaluation: how good is this for the side to move, where a search goes no deeper? -------------- */

static mp_value evaluate_centre(const struct mp_game *game, const struct mp_evaluation *self,
                                const void *state)
{
    (void)self;
    const struct state *s = state;
    int value = 0;
    if (has_line(s, other(s->mover))) /* where the end is seen cheaply it is said */
        return mp_final_value(game, -1, 0);
    for (int cell = 0; cell < CELLS; cell++) {
        int row = cell / COLUMNS, column = cell % COLUMNS;
        int edges = (row == 0 || row == ROWS - 1) + (column == 0 || column == COLUMNS - 1);
        int worth = edges == 0 ? 4 : edges == 2 ? 2 : 1; /* the middle, a corner, an edge */
        value += s->cells[cell] == '.' ? 0 : s->cells[cell] == s->mover ? worth : -worth;
    }
    return value;
}

static const struct mp_evaluation evaluations[] = {
    {.name = "centre", .summary = "the middle, then corners", .evaluate = evaluate_centre}, {0}};

/* ---- Optional: a board that `manyply play` and `manyply serve` draw ------------------------------------ */

static void describe(const struct mp_game *game, const void *state, struct mp_board *board)
{
    (void)game;
    const struct state *s = state;
    board->rows = ROWS;
    board->columns = COLUMNS;
    board->row_names = "3 2 1";
    board->column_names = "a b c";
    /* Capital letters are pieces of player 0, small ones of player 1. */
    for (int cell = 0; cell < CELLS; cell++)
        board->pieces[cell] = s->cells[cell] == 'X' ? 'X' : s->cells[cell] == 'O' ? 'o' : '.';
}

/* The cells one points at to make a move. */
static int move_cells(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,
                      int capacity)
{
    (void)game, (void)state;
    if (capacity > 0)
        cells[0] = (uint16_t)move;
    return 1;
}

static const struct mp_board_hooks board_hooks = {
    .struct_size = sizeof(struct mp_board_hooks), .describe = describe, .move_cells = move_cells};

/* ---- The table: all that manyply knows of the game ----------------------------------------------------- */

MP_PLUGIN const struct mp_game mp_plugin = {
    MP_GAME_SIZES,
    .name = "mygame",
    .summary = "three in a row on nine cells",
    .players = {"X", "O"},
    .state_size = sizeof(struct state),
    .scoring = MP_SCORE_WIN, /* won, drawn or lost; the sooner a win, the better */
    .margin_max = 1,
    .evaluations = evaluations,
    .initial = initial,
    .list = list,
    .play = play,
    .margin = margin,
    .side = side,
    .key = key,
    .parse_position = parse_position,
    .print_position = print_position,
    .print_move = print_move,
    .board = &board_hooks,
};

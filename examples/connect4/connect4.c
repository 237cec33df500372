/* connect4.c - Connect Four as a plug-in: a complete game in one file.
 *
 *     make && manyply search ./connect4.so --strategy pvs,depth=14
 * docs/add-a-game.md explains it. */
#include <manyply/game.h>

#include <string.h>

enum { COLUMNS = 7, ROWS = 6, HEIGHT = ROWS + 1 };

/* A column is 7 bits: six cells from the bottom and one that stays empty, so that lines do not run from one
 * column into the next. Columns are moves 0 to 6. */
struct state {
    uint64_t own, all; /* discs of the side to move, discs of both */
};

static uint64_t bottom(int column)
{
    return UINT64_C(1) << column * HEIGHT;
}

/* Has whoever owns these discs four in a row? */
static bool has_four(uint64_t discs)
{
    static const int directions[] = {1, HEIGHT, HEIGHT - 1, HEIGHT + 1};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = discs & (discs >> directions[i]);
        if (pairs & (pairs >> 2 * directions[i]))
            return true;
    }
    return false;
}

static void initial(const struct mp_game *game, void *state)
{
    (void)game;
    *(struct state *)state = (struct state){0, 0};
}

/* The side that moved last has won, or the board is full: no moves, the game is over. */
static int list(const struct mp_game *game, const void *state, mp_move *moves, int capacity)
{
    (void)game;
    const struct state *s = state;
    if (has_four(s->own ^ s->all))
        return 0;
    int count = 0;
    for (int column = 0; column < COLUMNS; column++)
        if (!(s->all & bottom(column) << (ROWS - 1))) {
            if (count < capacity)
                moves[count] = (mp_move)column;
            count++;
        }
    return count;
}

static void play(const struct mp_game *game, const void *from, mp_move move, void *to)
{
    (void)game;
    const struct state *s = from;
    /* The turn passes: what was the other side's is now one's own. */
    *(struct state *)to = (struct state){s->own ^ s->all, s->all | (s->all + bottom((int)move))};
}

static int margin(const struct mp_game *game, const void *state)
{
    (void)game;
    return has_four(((const struct state *)state)->own ^ ((const struct state *)state)->all) ? -1 : 0;
}

static int side(const struct mp_game *game, const void *state)
{
    (void)game;
    return __builtin_popcountll(((const struct state *)state)->all) % 2;
}

static uint64_t key(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct state *s = state;
    uint64_t x = s->own * UINT64_C(0x9e3779b97f4a7c15) ^ s->all;
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ (x >> 32);
}

/* Positions are the 42 cells row by row from the top left, X (first), O or '.', and the side to move. */
static int print_position(const struct mp_game *game, const void *state, char *text, size_t size)
{
    const struct state *s = state;
    int mover = side(game, state);
    char cells[COLUMNS * ROWS + 1] = {0};
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        uint64_t cell = bottom(i % COLUMNS) << (ROWS - 1 - i / COLUMNS);
        bool is_first = ((s->own & cell) != 0) == (mover == 0);
        cells[i] = !(s->all & cell) ? '.' : is_first ? 'X' : 'O';
    }
    return snprintf(text, size, "%s %c", cells, mover ? 'O' : 'X');
}

static bool parse_position(const struct mp_game *game, const char *text, void *state, struct mp_error *error)
{
    (void)game;
    size_t cells = strcspn(text, " ");
    uint64_t discs[2] = {0};
    if (cells != COLUMNS * ROWS)
        return mp_fail(error, "position: %zu cells, expected 42 (X, O or '.')", cells);
    for (int i = COLUMNS * ROWS - 1; i >= 0; i--) {
        uint64_t cell = bottom(i % COLUMNS) << (ROWS - 1 - i / COLUMNS);
        if (!strchr("XO.", text[i]))
            return mp_fail(error, "position: cell %d is '%c', expected X, O or '.'", i + 1, text[i]);
        if (text[i] == '.')
            continue;
        discs[text[i] == 'O'] |= cell;
        if (i / COLUMNS < ROWS - 1 && !((discs[0] | discs[1]) & cell >> 1))
            return mp_fail(error, "position: the disc in cell %d hangs in the air", i + 1);
    }
    int lead = __builtin_popcountll(discs[0]) - __builtin_popcountll(discs[1]);
    if (lead != 0 && lead != 1)
        return mp_fail(error, "position: X has %d discs more than O, expected 0 or 1", lead);
    if (strcmp(text + cells, lead ? " O" : " X") != 0)
        return mp_fail(error, "position: '%.20s' after the cells, expected ' %c' to move", text + cells,
                       lead ? 'O' : 'X');
    *(struct state *)state = (struct state){discs[lead], discs[0] | discs[1]};
    return true;
}

static int print_move(const struct mp_game *game, const void *state, mp_move move, char *text, size_t size)
{
    (void)game, (void)state;
    return snprintf(text, size, "%d", (int)move + 1);
}

/* Optional from here on: a picture, a board, a mirror, and an evaluation that likes the middle. */
static int draw(const struct mp_game *game, const void *state, char *text, size_t size)
{
    char cells[64], rows[2 * COLUMNS * ROWS + 1] = {0};
    print_position(game, state, cells, sizeof cells);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        rows[2 * i] = cells[i];
        rows[2 * i + 1] = i % COLUMNS == COLUMNS - 1 ? '\n' : ' ';
    }
    return snprintf(text, size, "%s1 2 3 4 5 6 7\n%c to move\n", rows, cells[COLUMNS * ROWS + 1]);
}

/* Programs with a window draw the board from this, and find the move that belongs to a cell. */
static void describe(const struct mp_game *game, const void *state, struct mp_board *board)
{
    char cells[64];
    print_position(game, state, cells, sizeof cells);
    board->rows = ROWS;
    board->columns = COLUMNS;
    board->column_names = "1 2 3 4 5 6 7";
    for (int i = 0; i < COLUMNS * ROWS; i++)
        board->pieces[i] = cells[i] == 'X' ? 'O' : cells[i] == 'O' ? 'o' : '.';
}

static int move_cells(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,
                      int capacity)
{
    (void)game;
    int column = (int)move, height = 0;
    while (((const struct state *)state)->all & bottom(column) << height)
        height++;
    if (capacity > 0)
        cells[0] = (uint16_t)((ROWS - 1 - height) * COLUMNS + column);
    return 1;
}

static void mirror(const struct mp_game *game, const void *state, int way, void *to)
{
    (void)game, (void)way;
    const struct state *s = state;
    struct state t = {0, 0};
    for (int column = 0; column < COLUMNS; column++) {
        t.own |= (s->own >> column * HEIGHT & 0x7f) << (COLUMNS - 1 - column) * HEIGHT;
        t.all |= (s->all >> column * HEIGHT & 0x7f) << (COLUMNS - 1 - column) * HEIGHT;
    }
    *(struct state *)to = t;
}

static mp_value evaluate_centre(const struct mp_game *game, const struct mp_evaluation *self,
                                const void *state)
{
    (void)self;
    static const int worth[COLUMNS] = {0, 1, 2, 4, 2, 1, 0};
    const struct state *s = state;
    if (has_four(s->own ^ s->all))
        return mp_final_value(game, -1, 0);
    int value = 0;
    for (int column = 0; column < COLUMNS; column++) {
        uint64_t cells = bottom(column) * 0x3f, own = s->own & cells, all = s->all & cells;
        value += worth[column] * (2 * __builtin_popcountll(own) - __builtin_popcountll(all));
    }
    return value;
}

static const struct mp_evaluation evaluations[] = {
    {.name = "centre", .summary = "discs near the middle column", .evaluate = evaluate_centre}, {0}};

/* For a GPU: the game once more, in OpenCL C. Playouts of mcts,split=gpu are then made there by the thousand. Moves
 * are drawn as a random playout here draws them: one of the columns that are not full, counted from the left. */
#define TEXT(...) #__VA_ARGS__
static const char kernels_source[] = TEXT(
    typedef struct { ulong own, all; } mp_state;

    bool has_four(ulong discs) {
        ulong up = discs & (discs >> 1), right = discs & (discs >> 7);
        ulong falls = discs & (discs >> 6), rises = discs & (discs >> 8);
        return ((up & (up >> 2)) | (right & (right >> 14)) | (falls & (falls >> 12)) | (rises & (rises >> 16))) != 0;
    }

    bool mp_step(mp_state *s, mp_random *random) {
        ulong tops = ~s->all & 0x810204081020UL;
        if (has_four(s->own ^ s->all) || !tops)
            return true;
        for (uint n = mp_below(random, popcount(tops)); n > 0; n--)
            tops &= tops - 1;
        ulong column = (tops & -tops) >> 5;
        s->own ^= s->all;
        s->all |= s->all + column;
        return false;
    }

    int mp_margin(const mp_state *s) { return has_four(s->own ^ s->all) ? -1 : 0; });

static void pack(const struct mp_game *game, const void *state, uint64_t *words)
{
    (void)game;
    memcpy(words, state, sizeof(struct state));
}

static const struct mp_kernels kernels = {
    MP_SIZE(struct mp_kernels),
    .state_words = 2,
    .source = kernels_source,
    .pack = pack,
};

static const struct mp_board_hooks board_hooks = {
    MP_SIZE(struct mp_board_hooks),
    .describe = describe,
    .move_cells = move_cells,
};

MP_PLUGIN const struct mp_game mp_plugin = {
    MP_GAME_SIZES,
    .name = "connect4",
    .summary = "Connect Four; moves are columns 1 to 7",
    .players = {"X", "O"},
    .state_size = sizeof(struct state),
    .scoring = MP_SCORE_WIN,
    .margin_max = 1,
    .symmetry_count = 1,
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
    .draw = draw,
    .transform = mirror,
    .board = &board_hooks,
    .kernels = &kernels,
};

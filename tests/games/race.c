/* race.c - the distances of a race against an enumeration that shares no code with them, and every race that is called
 * decided against a search that does not know the table. With few pieces: their tables are small, and searches deep. */
#include "tests/support/test.h"

#include "base/random.h"
#include "games/halma/race.h"
#include "manyply/manyply.h"

enum { MOST_SIZE = 10, MOST_SIDE_PIECES = 5 };

static struct race_table *make_table(int pieces, int goal, int threads)
{
    struct race_table *table = malloc(race_size(pieces));
    assert_non_null(table);
    assert_true(race_make_base(table, pieces, goal, threads, NULL));
    return table;
}

/* ---- Alone on the board ---------------------------------------------------------------------------------- */

enum { ALONE = 3, SIZE = 8, CELLS = SIZE * SIZE, UNKNOWN = 99 };

static uint8_t moves_left[CELLS][CELLS][CELLS]; /* cells in any order */

static int diagonal(int cell)
{
    return cell / SIZE + cell % SIZE;
}

static bool is_taken(const int cells[ALONE], int cell)
{
    return cells[0] == cell || cells[1] == cell || cells[2] == cell;
}

/* Notes the cells on which piece i can end, the others staying; jumps go on from where they come down. */
static void reach(const int cells[ALONE], int i, int from, bool jumping, bool found[CELLS])
{
    for (int rows = -1; rows <= 1; rows++)
        for (int columns = -1; columns <= 1; columns++)
            for (int length = jumping ? 2 : 1; length <= 2; length++) {
                int row = from / SIZE + length * rows, column = from % SIZE + length * columns;
                int to = row * SIZE + column, over = (from / SIZE + rows) * SIZE + from % SIZE + columns;
                if (row < 0 || row >= SIZE || column < 0 || column >= SIZE || is_taken(cells, to) ||
                    found[to])
                    continue;
                if (length == 2 && (over == cells[i] || !is_taken(cells, over)))
                    continue;
                found[to] = true;
                if (length == 2)
                    reach(cells, i, to, true, found);
            }
}

static int best_next(const int cells[ALONE])
{
    int best = UNKNOWN;
    for (int i = 0; i < ALONE; i++) {
        bool found[CELLS] = {false};
        reach(cells, i, cells[i], false, found);
        for (int to = 0; to < CELLS; to++) {
            if (!found[to] || (diagonal(cells[i]) <= 3 && diagonal(to) > 3))
                continue;
            int a = i == 0 ? to : cells[0], b = i == 1 ? to : cells[1], c = i == 2 ? to : cells[2];
            best = moves_left[a][b][c] < best ? moves_left[a][b][c] : best;
        }
    }
    return best;
}

static void set_moves(const int cells[ALONE], int moves)
{
    static const int orders[6][ALONE] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 6; i++)
        moves_left[cells[orders[i][0]]][cells[orders[i][1]]][cells[orders[i][2]]] = (uint8_t)moves;
}

/* One round finds all armies that are this many moves away; false: there are none. */
static bool find_moves(int moves)
{
    bool any = false;
    int c[ALONE];
    for (c[0] = 0; c[0] < CELLS; c[0]++)
        for (c[1] = c[0] + 1; c[1] < CELLS; c[1]++)
            for (c[2] = c[1] + 1; c[2] < CELLS; c[2]++) {
                if (moves_left[c[0]][c[1]][c[2]] != UNKNOWN)
                    continue;
                bool home = diagonal(c[0]) <= 3 && diagonal(c[1]) <= 3 && diagonal(c[2]) <= 3;
                if (moves == 0 ? !home : best_next(c) != moves - 1)
                    continue;
                set_moves(c, moves);
                any = true;
            }
    return any;
}

static uint32_t bit_of(int cell)
{
    int row = cell / SIZE;
    return 1u << (7 * row - row * (row - 1) / 2 + cell % SIZE);
}

static void distances_are_those_of_an_army_alone(void **state)
{
    (void)state;
    memset(moves_left, UNKNOWN, sizeof moves_left);
    for (int moves = 0; find_moves(moves);)
        moves++;
    struct race_table *table = make_table(ALONE, 4, 1);
    int seen = 0, proven = 0, faster = 0, c[ALONE];
    for (c[0] = 0; c[0] < CELLS; c[0]++)
        for (c[1] = c[0] + 1; c[1] < CELLS; c[1]++)
            for (c[2] = c[1] + 1; c[2] < CELLS; c[2]++) {
                if (diagonal(c[0]) > 6 || diagonal(c[1]) > 6 || diagonal(c[2]) > 6)
                    continue;
                struct race_distance d = race_distance(table, bit_of(c[0]) | bit_of(c[1]) | bit_of(c[2]));
                int alone = moves_left[c[0]][c[1]][c[2]];
                assert_true(d.near <= d.far && d.far <= alone && alone <= d.most);
                seen++;
                proven += d.far == d.most;
                faster += alone < d.most;
            }
    assert_int_equal(seen, 3276);
    print_message("of %d distances %d are proven; %d armies are faster on the whole board\n", seen, proven,
                  faster);
    assert_true(proven > seen / 2 && faster > 0);
    free(table);
}

static void threads_make_the_same_table(void **state)
{
    (void)state;
    struct race_table *one = make_table(4, 5, 1), *three = make_table(4, 5, 3);
    assert_memory_equal(one, three, race_size(4));
    free(one);
    free(three);
}

/* ---- Against an opponent --------------------------------------------------------------------------------- */

/* Pieces of a side on random squares of its last seven diagonals, at least one of them outside its goal. */
static void put_army(char *cells, int size, char letter, int pieces, uint64_t *stream)
{
    bool outside = false;
    for (int left = pieces; left > 0;) {
        int row = (int)random_below(random_next(stream), 7),
            column = (int)random_below(random_next(stream), 7);
        int sum = row + column, cell = row * size + column;
        cell = letter == 'W' ? cell : size * size - 1 - cell;
        bool is_outside = sum > (size == 8 ? 3 : 4);
        if (sum > 6 || cells[cell] != '.' || (left == 1 && !outside && !is_outside))
            continue;
        cells[cell] = letter;
        outside = outside || is_outside;
        left--;
    }
}

static void write_position(const char *cells, int size, char side, char *text)
{
    for (int row = 0; row < size; row++) {
        memcpy(text, cells + row * size, (size_t)size);
        text += size;
        *text++ = row + 1 < size ? '/' : ' ';
    }
    *text++ = side;
    *text = 0;
}

/* The value of a search that looks just as far as the race takes, in a game without a table. */
static mp_value searched(const struct mp_game *game, const char *text, int depth)
{
    char strategy[64];
    struct mp_result result = {MP_SIZE(struct mp_result)};
    snprintf(strategy, sizeof strategy, "pvs,selective=off,hash=4,depth=%d", depth);
    struct mp_position *position = mp_position_new(game, text, NULL);
    struct mp_search *search = mp_search_new(game, strategy, NULL);
    assert_non_null(position);
    assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
    mp_search_free(search);
    mp_position_free(position);
    return result.value;
}

struct race {
    const char *game;
    int size, pieces, most_plies, count;
};

static void check_races(const struct race *race, uint64_t seed, int *answered, int *lost)
{
    struct mp_game *game = mp_game_open(race->game, NULL), *plain = mp_game_open(race->game, NULL);
    struct race_table *table = make_table(race->pieces, race->size == 8 ? 4 : 5, 1);
    game->table = table;
    for (int i = 0; i < race->count; i++) {
        char cells[MOST_SIZE * MOST_SIZE], text[MOST_SIZE * MOST_SIZE + 2 * MOST_SIZE];
        memset(cells, '.', sizeof cells);
        put_army(cells, race->size, 'B', race->pieces, &seed);
        put_army(cells, race->size, 'W', race->pieces, &seed);
        write_position(cells, race->size, random_next(&seed) & 1 ? 'b' : 'w', text);
        struct mp_position *position = mp_position_new(game, text, NULL);
        assert_non_null(position);
        mp_value value;
        uint64_t nodes = 0;
        bool known = game->solve(game, mp_position_state(position), race->most_plies + 1, -MP_INFINITE,
                                 MP_INFINITE, &value, &nodes);
        mp_position_free(position);
        if (!known)
            continue;
        int plies = MP_PROVEN + MP_MAX_PLY - abs(value);
        mp_value expected = searched(plain, text, plies);
        if (value != expected)
            fail_msg("%s: %s: %d by the table, %d by search", race->game, text, value, expected);
        ++*answered;
        *lost += value < 0;
    }
    free(table);
    mp_game_close(game);
    mp_game_close(plain);
}

static void races_end_as_a_search_finds(void **state)
{
    (void)state;
    static const struct race races[] = {
        {"halma", 8, 2, 9, 300},    {"halma", 8, 3, 8, 400},           {"halma", 8, 5, 6, 400},
        {"halma10", 10, 3, 8, 200}, {"halma:rules=usc", 8, 3, 8, 200},
    };
    for (size_t i = 0; i < sizeof races / sizeof *races; i++) {
        int answered = 0, lost = 0;
        check_races(&races[i], 7 + i, &answered, &lost);
        print_message("%s, %d pieces: %d of %d races decided, %d for the other side\n", races[i].game,
                      races[i].pieces, answered, races[i].count, lost);
        assert_true(answered > races[i].count / 20 && lost > 0);
    }
}

/* The distances of a side, as the board has its pieces; whether all are within its last six diagonals. */
static struct race_distance distances_of(const struct race_table *table, const char *cells, char letter,
                                         bool *within_six)
{
    uint32_t set = 0;
    *within_six = true;
    for (int cell = 0; cell < CELLS; cell++) {
        int seen = letter == 'W' ? cell : CELLS - 1 - cell;
        if (cells[cell] != letter)
            continue;
        set |= bit_of(seen);
        *within_six = *within_six && diagonal(seen) <= 5;
    }
    return race_distance(table, set);
}

/* Where the bounds leave it open who is faster, or whether somebody could be faster than the table says, there is no
 * answer. */
static void only_what_is_proven_is_answered(void **state)
{
    (void)state;
    enum { POSITIONS = 20000 };
    struct mp_game *game = mp_game_open("halma", NULL);
    struct race_table *table = make_table(ALONE, 4, 1);
    uint64_t seed = 5;
    int open = 0;
    game->table = table;
    for (int i = 0; i < POSITIONS; i++) {
        char cells[MOST_SIZE * MOST_SIZE], text[MOST_SIZE * MOST_SIZE + 2 * MOST_SIZE];
        memset(cells, '.', sizeof cells);
        put_army(cells, 8, 'B', ALONE, &seed);
        put_army(cells, 8, 'W', ALONE, &seed);
        write_position(cells, 8, 'w', text);
        bool six[2];
        struct race_distance white = distances_of(table, cells, 'W', &six[0]);
        struct race_distance black = distances_of(table, cells, 'B', &six[1]);
        int white_least = six[1] ? white.far : white.near, black_least = six[0] ? black.far : black.near;
        bool proven = white.most <= black.most ? white.most == white_least && white.most <= black_least
                                               : black.most == black_least && black.most < white_least;
        struct mp_position *position = mp_position_new(game, text, NULL);
        mp_value value;
        uint64_t nodes = 0;
        if (!proven) {
            open++;
            assert_false(game->solve(game, mp_position_state(position), MP_MAX_PLY, -MP_INFINITE, MP_INFINITE,
                                     &value, &nodes));
        }
        mp_position_free(position);
    }
    assert_true(open > POSITIONS / 100);
    free(table);
    mp_game_close(game);
}

/* What a strategy says of a position of a game with a table. */
static mp_value value_of(const struct mp_game *game, const struct mp_position *position, const char *strategy)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(game, strategy, NULL);
    assert_non_null(search);
    assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
    mp_search_free(search);
    return result.value;
}

/* Exact strategies take no answer that plain minimax would not find at the depth; the selective search takes any, and so
 * knows a race to its end at depth 2. */
static void searches_know_races(void **state)
{
    (void)state;
    enum { POSITIONS = 60, PIECES = 3 };
    static const char *const exact[] = {"alphabeta,depth=4", "pvs,selective=off,depth=4",
                                        "pvs,selective=off,split=ybwc,threads=2,eager=on,depth=4"};
    struct mp_game *game = mp_game_open("halma", NULL);
    struct race_table *table = make_table(PIECES, 4, 1);
    uint64_t seed = 99;
    int proven = 0;
    game->table = table;
    for (int i = 0; i < POSITIONS; i++) {
        char cells[MOST_SIZE * MOST_SIZE], text[MOST_SIZE * MOST_SIZE + 2 * MOST_SIZE];
        memset(cells, '.', sizeof cells);
        put_army(cells, 8, 'B', PIECES, &seed);
        put_army(cells, 8, 'W', PIECES, &seed);
        write_position(cells, 8, i % 2 ? 'b' : 'w', text);
        struct mp_position *position = mp_position_new(game, text, NULL);
        mp_value expected = value_of(game, position, "minimax,depth=4"), value;
        for (size_t j = 0; j < sizeof exact / sizeof *exact; j++)
            assert_int_equal(value_of(game, position, exact[j]), expected);
        uint64_t nodes = 0;
        if (game->solve(game, mp_position_state(position), MP_MAX_PLY, -MP_INFINITE, MP_INFINITE, &value,
                        &nodes) &&
            value > 0) {
            assert_int_equal(value_of(game, position, "pvs,selective=on,depth=2"), value);
            proven += MP_PROVEN + MP_MAX_PLY - value > 4;
        }
        mp_position_free(position);
    }
    assert_true(proven > 0);
    free(table);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_an_army_alone),
        cmocka_unit_test(threads_make_the_same_table),
        cmocka_unit_test(races_end_as_a_search_finds),
        cmocka_unit_test(only_what_is_proven_is_answered),
        cmocka_unit_test(searches_know_races),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* othello_endgame.c - the solver of Othello's last squares against plain alpha-beta, against published scores, against
 * itself on the turned and mirrored board, and with limits.
 *     test_othello_endgame [positions [least empties [most empties [most empties of published ends]]]] */
#include "tests/support/facts.h"
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "games/othello/othello.h"
#include "games/othello/stable.h"

static int positions = 60, least_empties = 8, most_empties = 12, most_published = 15;

static int empties_of(const struct mp_position *position)
{
    const struct othello *s = mp_position_state(position);
    return 64 - __builtin_popcountll(s->own | s->opp);
}

/* A random position with so many empty squares that is not over, or null. */
static struct mp_position *random_end(const struct mp_game *game, uint64_t seed, int empties)
{
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    assert_non_null(position);
    mp_move moves[64];
    while (empties_of(position) > empties) {
        int count = mp_position_moves(position, moves, NULL, 64);
        if (count == 0)
            break;
        assert_true(
            mp_position_play(position, moves[random_below(random_next(&seed), (uint32_t)count)], NULL));
    }
    if (empties_of(position) == empties && mp_position_moves(position, NULL, NULL, 0) > 0)
        return position;
    mp_position_free(position);
    return NULL;
}

/* The next that there is. */
static struct mp_position *next_end(const struct mp_game *game, uint64_t *seed, int empties)
{
    struct mp_position *position = NULL;
    while (!position)
        position = random_end(game, (*seed)++, empties);
    return position;
}

static struct mp_result searched(const struct mp_game *game, const char *strategy,
                                 const struct mp_position *position)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(game, strategy, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", strategy, error.text);
    mp_search_free(search);
    return result;
}

/* Plain alpha-beta on the margin, by the rules alone: no table, no order, no code of the solver. */
static int plain(const struct mp_game *game, const struct othello *s, int alpha, int beta)
{
    mp_move moves[64];
    int count = game->list(game, s, moves, 64);
    if (count == 0)
        return game->margin(game, s);
    for (int i = 0; i < count && alpha < beta; i++) {
        struct othello next;
        game->play(game, s, moves[i], &next);
        int value = -plain(game, &next, -beta, -alpha);
        alpha = value > alpha ? value : alpha;
    }
    return alpha;
}

/* Every number of empty squares has code of its own. */
static void few_squares_are_played_out(void **state)
{
    const struct mp_game *game = *state;
    uint64_t seed = 1;
    for (int i = 0; i < 500; i++) {
        struct mp_position *position = next_end(game, &seed, 1 + i % 8);
        mp_value expected = mp_final_value(game, plain(game, mp_position_state(position), -64, 64), 0);
        struct mp_result result = searched(game, "pvs,depth=255,hash=1", position);
        assert_int_equal(result.value, expected);
        assert_true(result.exact && result.complete);
        /* One ply further on the solver is asked itself, not through its moves. */
        mp_position_play(position, result.move, NULL);
        if (mp_position_moves(position, NULL, NULL, 0) > 0)
            assert_int_equal(searched(game, "pvs,depth=255,hash=1", position).value, -expected);
        mp_position_free(position);
    }
}

/* A last square that neither side can take is the winner's. */
static void last_square_of_nobody(void **state)
{
    const struct mp_game *game = *state;
    struct mp_position *position = mp_position_new(
        game, "-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOXO-OOOOOOOOOOOOOOOOOOOOOOOO X", NULL);
    assert_int_equal(searched(game, "pvs,depth=255,hash=1", position).value, mp_final_value(game, -58, 0));
    mp_position_free(position);
}

/* What is called stable is never turned. */
static void stable_discs_stay(void **state)
{
    const struct mp_game *game = *state;
    mp_move moves[64];
    int seen = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct mp_position *position = mp_position_new(game, NULL, NULL);
        uint64_t stable[2] = {0}, stream = seed;
        for (int count; (count = mp_position_moves(position, moves, NULL, 64)) > 0;) {
            mp_position_play(position, moves[random_below(random_next(&stream), (uint32_t)count)], NULL);
            const struct othello *s = mp_position_state(position);
            assert_int_equal(stable[s->side] & ~s->own, 0);
            assert_int_equal(stable[!s->side] & ~s->opp, 0);
            stable[s->side] = stable_discs(s->own, s->opp);
            stable[!s->side] = stable_discs(s->opp, s->own);
        }
        seen += __builtin_popcountll(stable[0] | stable[1]);
        mp_position_free(position);
    }
    assert_true(seen > 300 * 50); /* a full board is stable */
}

/* However many threads there are, by each way to share a tree. */
static void agrees_with_alphabeta(void **state)
{
    static const char *const strategies[] = {
        "pvs,depth=255,hash=1",
        "pvs,depth=255,hash=0",
        "pvs,depth=255,hash=1,split=ybwc,threads=2,eager=on",
        "pvs,depth=255,hash=1,split=ybwc,threads=8,eager=on",
        "pvs,depth=255,hash=1,split=abdada,threads=2,eager=on",
        "pvs,depth=255,hash=1,eval=discs,split=lazy,threads=2,eager=on",
    };
    const struct mp_game *game = *state;
    uint64_t seed = 100000;
    for (int i = 0; i < positions; i++) {
        struct mp_position *position = next_end(game, &seed,
                                                least_empties + i % (most_empties - least_empties + 1));
        mp_value expected = searched(game, "alphabeta,depth=255", position).value;
        for (size_t j = 0; j < sizeof strategies / sizeof *strategies; j++) {
            struct mp_result result = searched(game, strategies[j], position);
            if (result.value != expected || !result.exact || !result.complete) {
                char text[128];
                mp_position_text(position, text, sizeof text);
                fail_msg("%s says %d of %s, expected %d", strategies[j], result.value, text, expected);
            }
        }
        mp_position_free(position);
    }
}

/* The expected line of a search that saw the end is a whole game, and its score is the value. */
static void lines_go_to_the_end(void **state)
{
    static const char *const strategies[] = {
        "pvs,depth=255,hash=1",
        "pvs,depth=255,hash=0",
        "pvs,depth=255,hash=1,selective=on",
        "pvs,depth=255,hash=1,split=ybwc,threads=2,eager=on",
    };
    const struct mp_game *game = *state;
    uint64_t seed = 400000;
    for (int i = 0; i < 48; i++) {
        struct mp_position *position = next_end(game, &seed, 2 + i % 14);
        struct mp_result result = searched(game, strategies[i % 4], position);
        int side = mp_position_side(position);
        assert_true(result.complete && result.pv_length > 0);
        for (int ply = 0; ply < result.pv_length; ply++)
            assert_true(mp_position_play(position, result.pv[ply], NULL));
        assert_true(mp_position_is_over(position));
        int margin = side == 0 ? mp_position_margin(position) : -mp_position_margin(position);
        assert_int_equal(mp_final_value(game, margin, 0), result.value);
        mp_position_free(position);
    }
}

/* The same game on a board that was turned, mirrored, or had its colours swapped. */
static void symmetries_change_nothing(void **state)
{
    const struct mp_game *game = *state;
    assert_int_equal(game->symmetry_count, 7); /* and the board as it is */
    uint64_t seed = 200000;
    for (int i = 0; i < positions / 4; i++) {
        struct mp_position *position = next_end(game, &seed, 10 + i % 6);
        mp_value expected = searched(game, "pvs,depth=255,hash=1", position).value;
        for (int way = -1; way < game->symmetry_count; way++) {
            struct othello board = *(const struct othello *)mp_position_state(position);
            char text[128];
            if (way >= 0)
                game->transform(game, mp_position_state(position), way, &board);
            board.side ^= way % 2 != 0;
            game->print_position(game, &board, text, sizeof text);
            struct mp_position *other = mp_position_new(game, text, NULL);
            assert_int_equal(searched(game, "pvs,depth=255,hash=1", other).value, expected);
            mp_position_free(other);
        }
        mp_position_free(position);
    }
}

static void published_scores(void **state)
{
    const struct mp_game *game = *state;
    struct facts facts;
    const char *line;
    facts_open(&facts, "othello_ends.txt");
    while ((line = facts_next(&facts))) {
        int empties, margin, length = 0;
        if (sscanf(line, "%d %d %n", &empties, &margin, &length) != 2 || !length)
            facts_malformed(&facts, "empty squares, a margin and a position");
        if (empties > most_published)
            continue;
        struct mp_position *position = mp_position_new(game, line + length, NULL);
        assert_non_null(position);
        assert_int_equal(empties_of(position), empties);
        assert_int_equal(searched(game, "pvs,depth=255,hash=1", position).value,
                         mp_final_value(game, margin, 0));
        mp_position_free(position);
    }
    facts_close(&facts, 30);
}

/* A limit holds inside the solver, too, and before it ends there is a move. */
static void limits_hold(void **state)
{
    const struct mp_game *game = *state;
    uint64_t seed = 300000;
    struct mp_position *position = next_end(game, &seed, 26);
    struct mp_result result = searched(game, "pvs,nodes=3000000", position);
    assert_true(result.stopped && !result.complete);
    assert_in_range(result.counters.nodes, 2900000, 3001000);
    mp_position_free(position);
}

static int open_game(void **state)
{
    *state = mp_game_open("othello", NULL);
    return *state ? 0 : -1;
}

static int close_game(void **state)
{
    mp_game_close(*state);
    return 0;
}

int main(int argc, char **argv)
{
    int *const numbers[] = {&positions, &least_empties, &most_empties, &most_published};
    for (int i = 1; i < argc && i <= 4; i++)
        *numbers[i - 1] = atoi(argv[i]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_squares_are_played_out), cmocka_unit_test(last_square_of_nobody),
        cmocka_unit_test(stable_discs_stay),          cmocka_unit_test(agrees_with_alphabeta),
        cmocka_unit_test(lines_go_to_the_end),        cmocka_unit_test(symmetries_change_nothing),
        cmocka_unit_test(published_scores),           cmocka_unit_test(limits_hold),
    };
    return cmocka_run_group_tests_name("othello_endgame", tests, open_game, close_game);
}

/* evaluate.c - the evaluations of chess: fair to both colours, the same at every CPU level, and the report's
 * heuristics against values worked out by hand. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "games/chess/chess.h"
#include "games/chess/horizon.h"
#include "games/chess/standard.h"
#include "games/chess/terms.h"

enum { POSITIONS = 200 };

/* The position with the colours exchanged. */
static struct chess exchange(const struct chess *s)
{
    struct chess t = *s;
    for (int i = 0; i < CHESS_SETS; i++)
        t.sets[i] = __builtin_bswap64(s->sets[i]);
    t.sets[CHESS_WHITE] = __builtin_bswap64(s->sets[CHESS_BLACK]);
    t.sets[CHESS_BLACK] = __builtin_bswap64(s->sets[CHESS_WHITE]);
    t.castlers = __builtin_bswap64(s->castlers);
    t.en_passant = s->en_passant ? s->en_passant ^ 56 : 0;
    t.side = !s->side;
    t.key = chess_key(&t);
    return t;
}

static void is_fair_to_both_colours(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("chess", NULL);
    const char *const names[] = {"standard", "material", "horizon0", "horizon1", "horizon3", "horizon4"};
    for (uint64_t seed = 0; seed < POSITIONS; seed++) {
        struct mp_position *position = subjects_position(game, seed, 150);
        const struct chess *s = mp_position_state(position);
        struct chess other = exchange(s);
        int checked = 0;
        for (const struct mp_evaluation *e = game->evaluations; e->name; e++)
            for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                if (!strcmp(e->name, names[i])) {
                    assert_int_equal(e->evaluate(game, e, s), e->evaluate(game, e, &other));
                    checked++;
                }
        assert_int_equal(checked, 6);
        mp_position_free(position);
    }
    mp_game_close(game);
}

static void is_the_same_at_every_level(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("chess", NULL);
    chess_table_base.open(NULL, NULL);
    for (uint64_t seed = 0; seed < POSITIONS; seed++) {
        struct mp_position *position = subjects_position(game, seed, 150);
        const struct chess *s = mp_position_state(position);
        mp_value expected = chess_standard_base(s);
        for (const struct mp_evaluation *e = game->evaluations; e->name; e++) {
            if (!strcmp(e->name, "standard"))
                assert_int_equal(e->evaluate(game, e, s), expected);
            if (!strncmp(e->name, "horizon", 7)) {
                int value = chess_horizon_base(s, e->name[7] - '0');
                assert_int_equal(e->evaluate(game, e, s), s->side ? -value : value);
            }
        }
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* What a tuner sees is what is played: the counts times the weights are the sum. */
static void traces_all_its_terms(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("chess", NULL);
    chess_table_base.open(NULL, NULL);
    bool seen[TERM_COUNT] = {false};
    for (uint64_t seed = 0; seed < POSITIONS; seed++) {
        struct mp_position *position = subjects_position(game, seed, 200);
        int16_t counts[TERM_COUNT] = {0};
        int32_t sum = chess_trace_base(mp_position_state(position), counts), again = 0;
        for (int i = 0; i < TERM_COUNT; i++) {
            again += counts[i] * chess_weights[i];
            seen[i] |= counts[i] != 0;
        }
        assert_int_equal(sum, again);
        mp_position_free(position);
    }
    for (int i = TERM_BISHOP_PAIR; i <= TERM_TEMPO; i++)
        if (!seen[i])
            fail_msg("term %d never occurred", i);
    mp_game_close(game);
}

static mp_value value_of(const char *fen)
{
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_error error = {0};
    struct mp_position *position = mp_position_new(game, fen, &error);
    if (!position)
        fail_msg("%s", error.text);
    mp_value value = game->evaluations->evaluate(game, game->evaluations, mp_position_state(position));
    mp_position_free(position);
    mp_game_close(game);
    return value;
}

/* Pairs of positions of which the first is plainly better for White, who is to move. */
static void prefers_what_is_better(void **test_state)
{
    (void)test_state;
    static const struct {
        const char *better, *worse;
    } pairs[] = {
        {"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/N5K1 w - - 0 1"},   /* material */
        {"6k1/5ppp/3P4/8/8/8/6PP/6K1 w - - 0 1", "6k1/5ppp/8/8/3P4/8/6PP/6K1 w - - 0 1"},   /* passed pawn */
        {"6k1/5ppp/8/8/8/8/PP3PPP/6K1 w - - 0 1", "6k1/5ppp/8/8/8/P7/P4PPP/6K1 w - - 0 1"}, /* doubled */
        {"r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 1",
         "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P1PP/2NP1N2/PPP2P2/R1BQ1RK1 w - - 0 1"}, /* shelter */
        {"8/8/4k3/8/4K3/8/3P4/8 w - - 0 1", "8/8/4k3/8/8/8/3P4/K7 w - - 0 1"},      /* king to the centre */
        {"6k1/8/8/8/8/8/8/B5KR w - - 0 1",
         "6k1/8/8/8/8/8/8/B5K1 w - - 0 1"}, /* a bishop alone wins nothing */
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (value_of(pairs[i].better) <= value_of(pairs[i].worse))
            fail_msg("%s is not better than %s", pairs[i].better, pairs[i].worse);
}

static void assert_horizon(const char *fen, int number, int expected)
{
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_error error = {0};
    struct mp_position *position = mp_position_new(game, fen, &error);
    chess_table_base.open(NULL, NULL);
    if (!position)
        fail_msg("%s", error.text);
    int value = chess_horizon_base(mp_position_state(position), number);
    if (value != expected)
        fail_msg("%s, heuristic %d: %d, expected %d", fen, number, value, expected);
    mp_position_free(position);
    mp_game_close(game);
}

static void knows_the_heuristics_of_the_report(void **test_state)
{
    (void)test_state;
    const char *const initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (int number = 0; number <= 5; number++)
        if (number != 2)
            assert_horizon(initial, number, 0);
    /* A queen and a pawn more: Q = 22, 22 * 100 / 76. */
    assert_horizon("4k3/8/8/8/8/8/P7/Q3K3 w - - 0 1", 0, 28);
    assert_horizon("4k3/p7/8/8/8/8/8/q3K3 w - - 0 1", 0, -28);
    /* Cut at 95: four queens are 80 * 100 / 76 = 105. */
    assert_horizon("4k3/8/8/8/8/8/8/QQQQ2K1 b - - 0 1", 0, 95);
    /* A knight on d4: Q = 6, occupation 4 * 2; (24 + 8) * 100 / 346. */
    assert_horizon("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", 4, 9);
    /* The same with a pawn on e6 and a bishop on b3: Q = 6 - 2 - 6, occupation 8 - 1 - 4; (-8 + 3) / 346. */
    assert_horizon("4k3/8/4p3/8/3N4/1b6/8/4K3 w - - 0 1", 4, -1);
    /* There the knight attacks both, the bishop and the pawn nothing: (-8 + 2 + 1) * 100 / 335. */
    assert_horizon("4k3/8/4p3/8/3N4/1b6/8/4K3 w - - 0 1", 3, -1);
    /* A rook that gives check and attacks a queen: Q = 8 - 20, threats 6 + 3 - 3; (-48 + 6) * 100 / 335. */
    assert_horizon("4k3/8/8/q3R3/8/8/8/1K6 b - - 0 1", 3, -12);
    /* Castled with three pawns before the king, against a bare king: Q = 6 + 8; four lines from the
     * king end at an own piece; castling 24: (56 + 4 + 24) * 100 / 378. */
    assert_horizon("4k3/8/8/8/8/8/5PPP/5RK1 w - - 0 1", 1, 22);
    /* Not castled: the rook stands in the corner. (56 + 4) * 100 / 378. */
    assert_horizon("4k3/8/8/8/8/8/5PPP/6KR w - - 0 1", 1, 15);
    /* May castle one way (10), both ways (12). */
    assert_horizon("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1, (32 + 1 + 10) * 100 / 378);
    assert_horizon("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 1, (64 + 2 + 12) * 100 / 378);
    /* By the moves played: 24, 25, 34 and 35 half-moves. */
    const char *const late[] = {"4k3/8/8/8/3N4/8/8/4K3 w - - 0 13", "4k3/8/8/8/3N4/8/8/4K3 b - - 0 13",
                                "4k3/8/8/8/3N4/8/8/4K3 w - - 0 18", "4k3/8/8/8/3N4/8/8/4K3 b - - 0 18"};
    const int used[] = {1, 4, 4, 3},
              value[] = {32 * 100 / 378, 32 * 100 / 346, 32 * 100 / 346, 24 * 100 / 335};
    for (int i = 0; i < 4; i++) {
        assert_horizon(late[i], used[i], value[i]);
        assert_horizon(late[i], 5, value[i]);
    }
}

/* Within a tenth of the scale of the first one, and not always the same. */
static void has_a_random_tenth(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("chess", NULL);
    chess_table_base.open(NULL, NULL);
    bool seen[10] = {false};
    for (uint64_t seed = 0; seed < POSITIONS; seed++) {
        struct mp_position *position = subjects_position(game, seed, 30);
        const struct chess *s = mp_position_state(position);
        int difference = chess_horizon_base(s, 2) - chess_horizon_base(s, 0);
        assert_in_range(difference + 5, 0, 9);
        seen[difference + 5] = true;
        mp_position_free(position);
    }
    for (int i = 0; i < 10; i++)
        assert_true(seen[i]);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_fair_to_both_colours),
        cmocka_unit_test(is_the_same_at_every_level),
        cmocka_unit_test(traces_all_its_terms),
        cmocka_unit_test(prefers_what_is_better),
        cmocka_unit_test(knows_the_heuristics_of_the_report),
        cmocka_unit_test(has_a_random_tenth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

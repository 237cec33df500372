/* horizon.c - alpha-beta with a moving horizon: what it equals with its keys off, what each key does, and
 * mates that dynamic hmax must not lose. */
#include "tests/support/facts.h"
#include "tests/support/subjects.h"
#include "tests/support/test.h"

static struct mp_result run(const struct mp_game *game, const struct mp_position *position,
                            const char *strategy)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(game, strategy, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", strategy, error.text);
    mp_search_free(search);
    return result;
}

static void equals_alphabeta(void **state)
{
    (void)state;
    const char *const games[] = {"chess", "chess-pm", "othello", "halma"};
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        struct mp_game *game = mp_game_open(games[g], NULL);
        for (uint64_t seed = 0; seed < 40; seed++) {
            struct mp_position *position = subjects_position(game, seed, 60);
            if (position && mp_position_moves(position, NULL, NULL, 0) > 0) {
                struct mp_result plain = run(game, position, "alphabeta,depth=3");
                struct mp_result moving = run(game, position, "horizon,hmin=2,hmax=off,width=off");
                assert_int_equal(moving.value, plain.value);
                assert_true(moving.exact);
                struct mp_result shared = run(
                    game, position, "horizon,hmin=2,hmax=off,width=off,split=shared,levels=2,threads=2");
                assert_int_equal(shared.value, plain.value);
            }
            mp_position_free(position);
        }
        mp_game_close(game);
    }
}

/* A width that no position reaches, and an hmax that adds nothing, are as good as off. */
static void idle_keys_change_nothing(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("chess", NULL);
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct mp_position *position = subjects_position(game, seed, 60);
        if (position && mp_position_moves(position, NULL, NULL, 0) > 0) {
            struct mp_result plain = run(game, position, "alphabeta,depth=3");
            struct mp_result moving = run(game, position, "horizon,hmin=2,hmax=2,width=400");
            assert_int_equal(moving.value, plain.value);
            assert_false(moving.exact);
        }
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* White can take a pawn that is protected: two plies deep, with the last of them the capture, a plain search
 * counts the pawn and a moving horizon sees the recapture. */
static void goes_on_after_captures(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_position *position = mp_position_new(game, "k7/8/2p5/3p4/8/8/8/K2Q4 w - - 0 1", NULL);
    struct mp_result plain = run(game, position, "horizon,hmin=0,hmax=off,width=off,eval=material");
    struct mp_result moving = run(game, position, "horizon,hmin=0,hmax=9,width=off,eval=material");
    assert_int_equal(plain.value, 950 - 100);
    assert_int_equal(moving.value, 950 - 200);
    assert_int_equal(plain.counters.max_ply, 1);
    assert_int_equal(moving.counters.max_ply, 3);
    int moves = mp_position_moves(position, NULL, NULL, 0);
    assert_int_equal(moving.counters.alternatives, moves);
    /* Only the capture goes on: the pawn takes back, and a quiet move ends the line. */
    assert_int_equal(moving.counters.alternative_plies, moves + 2);
    mp_position_free(position);
    mp_game_close(game);
}

/* The faulty sort keeps the second player's worst moves: Black, who could take a queen, may not. */
static void report_keeps_the_worst(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_position *position = mp_position_new(game, "k7/8/8/3q4/8/8/7P/K2Q4 b - - 0 1", NULL);
    const char *right = "horizon,hmin=1,hmax=off,width=1,eval=material";
    const char *faulty = "horizon,hmin=1,hmax=off,width=1,eval=material,compat=report";
    assert_true(run(game, position, right).value > 0);
    assert_true(run(game, position, faulty).value < 0);
    mp_position_free(position);
    mp_game_close(game);
}

/* Dynamic hmax ends a line that has lost a queen; it never searches more. */
static void threshold_saves_nodes(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_position *position = mp_position_new(
        game, "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1", NULL);
    struct mp_result fixed = run(game, position, "horizon,hmin=2,hmax=12,width=8");
    struct mp_result dynamic = run(game, position, "horizon,hmin=2,hmax=12,width=8,threshold=500");
    assert_true(dynamic.counters.nodes < fixed.counters.nodes);
    mp_position_free(position);
    mp_game_close(game);
}

static void finds_mates_in_two(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("chess", NULL);
    struct facts facts;
    int tried = 0, moves;
    facts_open(&facts, "chess_mates.txt");
    for (const char *fen; (fen = facts_next_mate(&facts, &moves));) {
        if (moves != 2)
            continue;
        struct mp_error error = {0};
        struct mp_position *position = mp_position_new(game, fen, &error);
        if (!position)
            facts_malformed(&facts, error.text);
        struct mp_result result = run(game, position,
                                      "horizon,hmin=3,hmax=6,width=off,threshold=500,reduced=3");
        if (result.value < mp_final_value(game, 1, 3))
            fail_msg("no mate in two: %s, value %d", fen, result.value);
        mp_position_free(position);
        tried++;
    }
    facts_close(&facts, 120);
    assert_int_equal(tried, 40);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_alphabeta),       cmocka_unit_test(idle_keys_change_nothing),
        cmocka_unit_test(goes_on_after_captures), cmocka_unit_test(report_keeps_the_worst),
        cmocka_unit_test(threshold_saves_nodes),  cmocka_unit_test(finds_mates_in_two),
    };
    return cmocka_run_group_tests_name("horizon", tests, NULL, NULL);
}

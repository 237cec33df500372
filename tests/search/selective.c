/* selective.c - the selective search: it finds mates, every switch does something, every game can be played
 * with it, and every scheme can share its nodes out.
 *
 *     selective [MOVES]      mates of the file in at most this many moves are proven by the exact search too;
 *                            3 by default, as those in 4 are most of the work */
#include "tests/support/facts.h"
#include "tests/support/subjects.h"
#include "tests/support/test.h"

static int most_moves_proven = 3;

static struct mp_result search(const struct mp_game *game, const char *fen, const char *strategy)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_position *position = mp_position_new(game, fen, &error);
    struct mp_search *search = position ? mp_search_new(game, strategy, &error) : NULL;
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", strategy, error.text);
    mp_search_free(search);
    mp_position_free(position);
    return result;
}

/* The plies to the mate that a value means. */
static int plies_to_mate(mp_value value)
{
    return value > MP_PROVEN ? MP_PROVEN + MP_MAX_PLY - value : 0;
}

static void finds_mates(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int plies;
    } mates[] = {
        {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1},
        {"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1},
        {"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3},
        {"8/8/8/8/8/2k5/2q5/K7 b - - 0 1", 1},
    };
    struct mp_game *game = mp_game_open("chess", NULL);
    for (size_t i = 0; i < sizeof mates / sizeof *mates; i++) {
        struct mp_result result = search(game, mates[i].fen, "pvs,selective=on,nodes=200000");
        assert_int_equal(plies_to_mate(result.value), mates[i].plies);
        assert_false(result.exact);
    }
    mp_game_close(game);
}

struct hunt {
    struct mp_search *search;
    int plies;
};

/* A mate that is found need not be found again at each further depth. */
static void stop_at_mate(const struct mp_result *so_far, void *context)
{
    struct hunt *hunt = context;
    int found = plies_to_mate(so_far->value);
    if (found > 0 && found <= hunt->plies)
        mp_search_stop(hunt->search);
}

/* Fails unless the search finds a mate in just this many plies. */
static void hunt_mate(const struct mp_game *game, const char *strategy, const char *fen, int plies)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_position *position = mp_position_new(game, fen, &error);
    struct hunt hunt = {position ? mp_search_new(game, strategy, &error) : NULL, plies};
    if (!hunt.search || !mp_search_run(hunt.search, position, stop_at_mate, &hunt, &result, &error))
        fail_msg("%s, %s: %s", strategy, fen, error.text);
    if (plies_to_mate(result.value) != plies)
        fail_msg("%s: %s finds a mate in %d plies (0: none), expected %d", fen, strategy,
                 plies_to_mate(result.value), plies);
    mp_search_free(hunt.search);
    mp_position_free(position);
}

/* The file's mates in at most this many moves, by a strategy that may depend on the plies (%d). */
static void hunt_mates(int most_moves, const char *strategy)
{
    struct mp_game *game = mp_game_open("chess", NULL);
    struct facts facts;
    int tried[5] = {0}, moves;
    facts_open(&facts, "chess_mates.txt");
    for (const char *fen; (fen = facts_next_mate(&facts, &moves));) {
        char text[128];
        tried[moves]++;
        if (moves > most_moves)
            continue;
        snprintf(text, sizeof text, strategy, 2 * moves);
        hunt_mate(game, text, fen, 2 * moves - 1);
    }
    facts_close(&facts, 120);
    for (moves = 2; moves <= 4; moves++)
        assert_int_equal(tried[moves], 40);
    mp_game_close(game);
}

/* The file is right: there is the mate, and none that is shorter. */
static void exact_search_proves_the_mates(void **state)
{
    (void)state;
    hunt_mates(most_moves_proven, "pvs,depth=%d,hash=16");
}

static void finds_every_mate_of_the_file(void **state)
{
    (void)state;
    hunt_mates(4, "pvs,selective=on,nodes=3000000");
}

/* Each technique changes the tree, and the same strategy gives the same tree. */
static void every_switch_does_something(void **state)
{
    (void)state;
    static const char *const switches[] = {
        "aspiration",   "killers", "history",  "quiescence", "exchange",  "nullmove",
        "lmr",          "rfp",     "futility", "lmp",        "checks",    "iir",
        "continuation", "counter", "deeper",   "repetition", "correction"};
    static const char *const fens[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "6k1/5p1p/6p1/8/3Q4/7P/2q3P1/6K1 w - - 0 1", /* checks without end */
    };
    struct mp_game *game = mp_game_open("chess", NULL);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        bool differs = false;
        for (size_t f = 0; f < sizeof fens / sizeof *fens; f++) {
            char all[64], text[128];
            /* Without quiescence everything is a quiet leaf, and the tree is much larger. */
            snprintf(all, sizeof all, "pvs,selective=on,hash=1,depth=%d",
                     strcmp(switches[i], "quiescence") ? 9 : 6);
            snprintf(text, sizeof text, "%s,%s=off", all, switches[i]);
            uint64_t with = search(game, fens[f], all).counters.nodes;
            assert_int_equal(search(game, fens[f], all).counters.nodes, with);
            differs |= search(game, fens[f], text).counters.nodes != with;
        }
        if (!differs)
            fail_msg("%s=off searches the same tree", switches[i]);
    }
    mp_game_close(game);
}

static void assert_legal(const struct mp_position *position, const struct mp_result *result)
{
    mp_move moves[4096];
    int count = mp_position_moves(position, moves, NULL, 4096);
    for (int i = 0; i < count; i++)
        if (moves[i] == result->move)
            return;
    fail_msg("%llu is no legal move", (unsigned long long)result->move);
}

/* Every game, every scheme, several positions: a legal move and a line that can be played. */
static void every_game_and_scheme_can_use_it(void **state)
{
    (void)state;
    static const char *const schemes[] = {"none",    "top",  "chunked", "bfs", "shared",
                                          "pvsplit", "ybwc", "abdada",  "lazy"};
    for (const char *const *name = subjects_names(); *name; name++) {
        struct mp_game *game = mp_game_open(*name, NULL);
        for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
            char text[128];
            snprintf(text, sizeof text, "pvs,selective=on,hash=1,nodes=3000,split=%s,threads=%d", schemes[i],
                     i == 0 ? 1 : 3);
            for (uint64_t seed = 0; seed < 3; seed++) {
                struct mp_position *position = subjects_position(game, seed, 40);
                struct mp_search *search = mp_search_new(game, text, NULL);
                struct mp_result result = {MP_SIZE(struct mp_result)};
                assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
                assert_legal(position, &result);
                assert_false(result.exact && result.depth > 0);
                for (int ply = 0; ply < result.pv_length && !mp_position_is_chance(position); ply++)
                    if ((ply > 0 && mp_position_drawn(position)) ||
                        !mp_position_play(position, result.pv[ply], NULL))
                        fail_msg("%s, %s: move %d of the expected line is not legal", *name, schemes[i], ply);
                mp_search_free(search);
                mp_position_free(position);
            }
        }
        mp_game_close(game);
    }
}

/* A repetition within the line is a draw that a losing side runs for: perpetual check with the queen. */
static void finds_perpetual_check(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("chess", NULL);
    const char *fen = "6k1/6p1/6P1/8/8/2q5/2r5/K5Q1 w - - 0 1";
    struct mp_result result = search(game, fen, "pvs,selective=on,depth=10");
    assert_true(result.depth == 10 || plies_to_mate(-result.value));
    fen = "1r4k1/1r4pp/8/8/8/8/2Q5/K7 w - - 0 1";
    assert_true(search(game, fen, "pvs,selective=on,depth=10").value <= 0);
    fen = "6rk/4Q2p/8/8/8/8/qq6/7K w - - 0 1"; /* Qf6+ and so on for ever */
    assert_int_equal(search(game, fen, "pvs,selective=on,depth=10").value, 0);
    mp_game_close(game);
}

/* One move, and then it is stalemate: an exact search knows all of it. Where moves may be left out by
 * judgement, nothing is ever known to the end, also where none was. */
static void judgements_are_never_complete(void **state)
{
    (void)state;
    static const char fen[] = "k7/2Q5/8/8/8/8/6q1/7K w - - 0 1";
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_result exact = search(game, fen, "pvs,depth=5");
    assert_true(exact.complete && exact.depth < 5);
    struct mp_result judged = search(game, fen, "pvs,selective=on,depth=5");
    assert_false(judged.complete);
    assert_int_equal(judged.depth, 5);
    assert_int_equal(judged.value, exact.value);
    mp_game_close(game);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        most_moves_proven = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_mates),
        cmocka_unit_test(exact_search_proves_the_mates),
        cmocka_unit_test(finds_every_mate_of_the_file),
        cmocka_unit_test(every_switch_does_something),
        cmocka_unit_test(every_game_and_scheme_can_use_it),
        cmocka_unit_test(finds_perpetual_check),
        cmocka_unit_test(judgements_are_never_complete),
    };
    return cmocka_run_group_tests_name("selective", tests, NULL, NULL);
}

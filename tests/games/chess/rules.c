/* rules.c - the rules of chess that perft cannot see: ends of the game, draws, keys, and the hooks. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "games/chess/chess.h"

static struct mp_position *position_of(const struct mp_game *game, const char *fen, const char *record)
{
    struct mp_error error = {0};
    struct mp_position *position = mp_position_new(game, fen, &error);
    if (!position || (record && !mp_position_play_text(position, record, &error)))
        fail_msg("%s", error.text);
    return position;
}

static void assert_end(const char *fen, const char *record, bool over, int margin)
{
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_position *position = position_of(game, fen, record);
    if (mp_position_is_over(position) != over)
        fail_msg("'%s' %s: the game is %s", fen ? fen : "initial", record ? record : "",
                 over ? "not over" : "over");
    if (over)
        assert_int_equal(mp_position_margin(position), margin);
    mp_position_free(position);
    mp_game_close(game);
}

static void ends_games(void **test_state)
{
    (void)test_state;
    assert_end(NULL, "f2f3 e7e5 g2g4 d8h4", true, -1);
    assert_end("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", NULL, true, 1);
    assert_end("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", NULL, true, 0); /* stalemate */
    assert_end("7k/4Q3/6K1/8/8/8/8/8 b - - 0 1", NULL, false, 0);
}

static void draws_by_repetition(void **test_state)
{
    (void)test_state;
    assert_end(NULL, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", false, 0);
    assert_end(NULL, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", true, 0);
    /* The first time the right to castle was still there. */
    assert_end("4k3/p7/8/8/8/8/P7/R3K3 w Q - 0 1", "a1b1 e8d8 b1a1 d8e8 a1b1 e8d8 b1a1 d8e8", false, 0);
    assert_end("4k3/p7/8/8/8/8/P7/R3K3 w Q - 0 1", "a1b1 e8d8 b1a1 d8e8 a1b1 e8d8 b1a1 d8e8 a1b1", true, 0);
    /* After a double step that nobody can take, the position is the one that comes again. */
    assert_end("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 d1e1", true, 0);
    /* The same where a pawn stands right for it, but is pinned. */
    assert_end("3k4/8/8/8/3p4/8/4P3/3R2K1 w - - 0 1", "e2e4 d8d7 g1g2 d7d8 g2g1 d8d7 g1g2 d7d8 g2g1", true,
               0);
    /* After one that somebody can take, it is not. */
    assert_end("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 d1e1", false, 0);
}

/* A copy of a position knows the game before it. */
static void copies_remember_repetitions(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_position *position = position_of(game, NULL, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    struct mp_position *copy = mp_position_copy(position, NULL);
    assert_false(mp_position_is_over(copy));
    assert_true(mp_position_play_text(copy, "f6g8", NULL));
    assert_true(mp_position_is_over(copy));
    assert_false(mp_position_is_over(position));
    mp_position_free(copy);
    mp_position_free(position);
    mp_game_close(game);
}

/* A move says which piece goes and what it takes; with any bit wrong it is none of the legal ones. */
static void only_legal_moves_are_played(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_position *position = position_of(game, NULL, "e2e4 d7d5");
    mp_move moves[CHESS_MOST_MOVES], take;
    int count = mp_position_moves(position, moves, NULL, CHESS_MOST_MOVES);
    assert_true(mp_position_parse_move(position, "e4d5", &take, NULL));
    for (size_t bit = 0; bit < 8 * sizeof take; bit++) {
        mp_move other = take ^ (mp_move)1 << bit;
        bool legal = false;
        for (int i = 0; i < count; i++)
            legal = legal || moves[i] == other;
        if (!legal)
            assert_false(mp_position_play(position, other, NULL));
    }
    assert_true(mp_position_play(position, take, NULL));
    mp_position_free(position);
    mp_game_close(game);
}

static void draws_after_fifty_moves(void **test_state)
{
    (void)test_state;
    assert_end("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80", "a1b1", true, 0);
    assert_end("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80", "e2e3", false, 0);
    assert_end("4k3/8/8/8/8/8/4P3/R3K3 w - - 98 80", "a1b1", false, 0);
    /* Mate comes first. */
    assert_end("6k1/5ppp/8/8/8/8/8/K3R3 w - - 99 80", "e1e8", true, 1);
}

static void draws_without_mating_pieces(void **test_state)
{
    (void)test_state;
    assert_end("8/8/8/3k4/8/8/8/K7 w - - 0 1", NULL, true, 0);
    assert_end("8/8/8/3k4/8/8/8/KN6 w - - 0 1", NULL, true, 0);
    assert_end("8/8/8/3k4/8/8/8/KB6 w - - 0 1", NULL, true, 0);
    assert_end("8/8/8/3k1b2/8/8/8/KB6 w - - 0 1", NULL, true, 0); /* f5 and b1 are both light */
    assert_end("8/8/8/3kb3/8/8/8/KB6 w - - 0 1", NULL, false, 0); /* e5 is dark */
    assert_end("8/8/8/3kn3/8/8/8/KN6 w - - 0 1", NULL, false, 0);
    assert_end("8/8/8/3k4/8/8/8/KNN5 w - - 0 1", NULL, false, 0);
    assert_end("8/8/8/3k4/8/P7/8/K7 w - - 0 1", NULL, false, 0);
}

static uint64_t key_after(const char *record)
{
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_position *position = position_of(game, NULL, record);
    uint64_t key = game->key(game, mp_position_state(position));
    mp_position_free(position);
    mp_game_close(game);
    return key;
}

static void hashes_what_matters(void **test_state)
{
    (void)test_state;
    assert_true(key_after("e2e4 e7e5 g1f3") == key_after("g1f3 e7e5 e2e4"));
    assert_true(key_after("e2e3 e7e5 e3e4") != key_after("e2e4 e7e5 g1f3"));
    /* The right to take in passing counts where somebody can. */
    assert_true(key_after("e2e4 a7a6 e4e5 d7d5") != key_after("e2e4 d7d6 e4e5 d6d5"));
    assert_true(key_after("g1f3 g8f6 f3g1 f6g8") == key_after(NULL));
    assert_true(key_after("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8") != key_after("e2e4 e7e5"));
}

/* On random positions: the key grown move by move is the key worked out anew, gives_check says what in_check
 * says after the move, list_noisy is the noisy part of list, and recall accepts exactly the legal moves among
 * all numbers of 16 bits. */
static void check_hooks(const char *name, const char *start)
{
    struct mp_game *game = mp_game_open(name, NULL);
    int noisy_seen = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct mp_position *position = start ? position_of(game, start, NULL)
                                             : subjects_position(game, seed, 120);
        const struct chess *s = mp_position_state(position);
        assert_true(s->key == chess_key(s));
        mp_move moves[CHESS_MOST_MOVES], noisy[CHESS_MOST_MOVES], found;
        int count = game->list(game, s, moves, CHESS_MOST_MOVES), expected = 0;
        static bool legal[1 << 16];
        memset(legal, 0, sizeof legal);
        for (int i = 0; i < count; i++) {
            legal[(uint16_t)moves[i]] = true;
            expected += chess_taken(moves[i]) != CHESS_NOTHING || chess_is_promotion(moves[i]);
        }
        for (int i = 0; i < count; i++) {
            struct chess after;
            game->play(game, s, moves[i], &after);
            if (game->selective->gives_check(game, s, moves[i]) != game->selective->in_check(game, &after))
                fail_msg("gives_check of %x is wrong", (unsigned)moves[i]);
        }
        assert_int_equal(game->selective->list_noisy(game, s, noisy, CHESS_MOST_MOVES), expected);
        noisy_seen += expected;
        for (int low = 0; low < 1 << 16; low++)
            if (game->selective->recall(game, s, (uint16_t)low, &found) != legal[low])
                fail_msg("recall of %x is wrong", low);
        mp_position_free(position);
        if (start)
            break;
    }
    assert_true(start || noisy_seen > 100);
    mp_game_close(game);
}

static void hooks_agree_with_list(void **test_state)
{
    (void)test_state;
    check_hooks("chess", NULL);
    const char *const starts[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        "4k3/8/4r3/8/8/4b3/3PP3/4K2R w K - 0 1",
        "4k3/8/8/8/1b2r3/8/3N4/R3K2R w KQ - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 0 1",
        "4k3/8/8/8/8/8/8/r1R2K1R w C - 0 1",
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        check_hooks("chess", starts[i]);
}

/* Where draws by the clock and by repetition are within reach, a search with a table still says what plain
 * minimax says. */
static void searches_draws_exactly(void **test_state)
{
    (void)test_state;
    static const struct {
        const char *fen, *record;
        int depth;
    } near[] = {
        {"4k3/8/8/8/8/8/4P3/R3K3 w - - 96 80", NULL, 5},
        {"8/8/8/3k4/8/3K4/3Q4/8 w - - 95 80", NULL, 6},
        {"7k/8/5K2/6Q1/8/8/8/8 w - - 98 80", NULL, 4},
        {"k7/8/1K6/8/8/8/8/6R1 w - - 0 1", "g1f1 a8b8 f1g1 b8a8 g1f1 a8b8", 6},
        {"6k1/6p1/8/8/8/8/1q6/K6Q w - - 90 80", NULL, 5},
        {"8/5k2/8/8/8/2b5/8/K6Q w - - 3 80", NULL, 5},
    };
    struct mp_game *game = mp_game_open("chess", NULL);
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        struct mp_position *position = position_of(game, near[i].fen, near[i].record);
        const char *const strategies[] = {"minimax", "pvs,hash=1", "pvs,hash=1,threads=2,split=top"};
        mp_value values[3];
        for (int j = 0; j < 3; j++) {
            char text[128];
            struct mp_error error = {0};
            struct mp_result result = {MP_SIZE(struct mp_result)};
            snprintf(text, sizeof text, "%s,depth=%d", strategies[j], near[i].depth);
            struct mp_search *search = mp_search_new(game, text, &error);
            if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
                fail_msg("%s", error.text);
            values[j] = result.value;
            mp_search_free(search);
        }
        assert_int_equal(values[1], values[0]);
        assert_int_equal(values[2], values[0]);
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* Quick games are won by who is ahead, and are undecided between equals. */
static void plays_quick_games(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("chess", NULL);
    static const struct {
        const char *fen;
        int least, most;
    } known[] = {
        {"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 60, 200},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", -200, -60},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", -59, 59},
        {"k7/8/1K6/8/8/8/8/8 w - - 0 1", 0, 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct mp_position *position = position_of(game, known[i].fen, NULL);
        int sum = 0;
        for (uint64_t seed = 0; seed < 200; seed++)
            sum += game->playout(game, mp_position_state(position), seed);
        if (sum < known[i].least || sum > known[i].most)
            fail_msg("%s: %d of 200", known[i].fen, sum);
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* What a move is worth after all captures on its target. */
static void weighs_exchanges(void **test_state)
{
    (void)test_state;
    static const struct {
        const char *fen, *move;
        int value;
    } known[] = {
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100},       /* nothing takes back */
        {"4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0},       /* pawn for pawn */
        {"4k3/8/4p3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -400},    /* rook for pawn */
        {"4k3/8/4p3/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", -300},  /* the second rook gets a pawn */
        {"3rk3/3r4/8/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5", -400}, /* protected twice, through a rook */
        {"4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5", 950},
        {"4k3/8/8/8/8/3p4/8/3QK3 w - - 0 1", "d1d3", 100},
        {"4k3/3b4/8/8/8/8/8/3RK3 w - - 0 1", "d1d7", -170},  /* the king takes back */
        {"4k3/3b4/8/8/8/8/3R4/3RK3 w - - 0 1", "d2d7", 330}, /* it may not: protected */
        {"4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", 850},
        {"2r1k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", -100}, /* the queen is lost again */
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100},   /* in passing */
        {"r3k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 0},
        {"4k3/8/5p2/8/8/2N5/8/4K3 w - - 0 1", "c3e4", 0},
        {"4k3/8/5p2/8/8/2N5/8/4K3 w - - 0 1", "c3d5", 0},
        {"4k3/8/5p2/8/8/5N2/8/4K3 w - - 0 1", "f3e5", -320}, /* steps into an attack */
    };
    struct mp_game *game = mp_game_open("chess", NULL);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct mp_position *position = position_of(game, known[i].fen, NULL);
        const void *state = mp_position_state(position);
        mp_move move;
        assert_true(mp_position_parse_move(position, known[i].move, &move, NULL));
        if (!game->selective->exchange(game, state, move, known[i].value) ||
            game->selective->exchange(game, state, move, known[i].value + 1))
            fail_msg("%s %s: the exchange is not worth %d", known[i].fen, known[i].move, known[i].value);
        mp_position_free(position);
    }
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_games),
        cmocka_unit_test(draws_by_repetition),
        cmocka_unit_test(copies_remember_repetitions),
        cmocka_unit_test(only_legal_moves_are_played),
        cmocka_unit_test(draws_after_fifty_moves),
        cmocka_unit_test(draws_without_mating_pieces),
        cmocka_unit_test(hashes_what_matters),
        cmocka_unit_test(hooks_agree_with_list),
        cmocka_unit_test(searches_draws_exactly),
        cmocka_unit_test(plays_quick_games),
        cmocka_unit_test(weighs_exchanges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

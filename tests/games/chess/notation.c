/* notation.c - chess in text: FEN with every error named, moves as coordinates and SAN, both ways. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/random.h"
#include "games/chess/chess.h"

static struct mp_game *open_game(const char *name)
{
    struct mp_game *game = mp_game_open(name, NULL);
    assert_non_null(game);
    return game;
}

/* What is read and written again. */
static void reads_and_writes(const char *game_name, const char *fen, const char *expected)
{
    struct mp_game *game = open_game(game_name);
    struct mp_error error = {0};
    char text[128];
    struct mp_position *position = mp_position_new(game, fen, &error);
    if (!position)
        fail_msg("'%s' is not read: %s", fen, error.text);
    game->print_position(game, mp_position_state(position), text, sizeof text);
    assert_string_equal(text, expected);
    mp_position_free(position);
    mp_game_close(game);
}

static void writes_fen_back(void **test_state)
{
    (void)test_state;
    const char *const same[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 345",
        "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 9",
        /* Chess960: outer rooks by KQkq, an inner one by its file */
        "1r1k3r/8/8/8/8/8/8/R1R2K1R w KCk - 0 1",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        reads_and_writes("chess", same[i], same[i]);
    reads_and_writes("chess:chess960=on", "1r1k3r/8/8/8/8/8/8/2R2K1R w HChb - 0 1",
                     "1r1k3r/8/8/8/8/8/8/2R2K1R w KQkq - 0 1");
    /* EPD has no counters */
    reads_and_writes("chess", "8/8/8/3k4/8/8/8/K7 b - -", "8/8/8/3k4/8/8/8/K7 b - - 0 1");
    reads_and_writes("chess", "8/8/8/3k4/8/8/8/K7 b - - 3 0", "8/8/8/3k4/8/8/8/K7 b - - 3 1");
    /* nobody can take in passing, or only by exposing the king: along the rank, or from a pin */
    reads_and_writes("chess", "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 2",
                     "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2");
    reads_and_writes("chess", "8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1", "8/8/8/K1pP3r/8/8/8/4k3 w - - 0 1");
    reads_and_writes("chess", "3r4/8/8/2pP4/8/3K4/8/4k3 w - c6 0 1", "3r4/8/8/2pP4/8/3K4/8/4k3 w - - 0 1");
}

/* A game that goes on for ever past its draws can still be written down: the counters stay where they are. */
static void counters_stay_readable(void **test_state)
{
    (void)test_state;
    struct mp_game *game = open_game("chess");
    struct mp_position *position = mp_position_new(game, "8/8/8/3k4/8/8/8/K7 b - - 9999 9999", NULL);
    assert_true(mp_position_play_text(position, "d5d6 a1b1 d6d5", NULL));
    char text[128];
    game->print_position(game, mp_position_state(position), text, sizeof text);
    assert_string_equal(text, "8/8/8/3k4/8/8/8/1K6 w - - 9999 9999");
    reads_and_writes("chess", text, text);
    mp_position_free(position);
    mp_game_close(game);
}

static void names_errors(void **test_state)
{
    (void)test_state;
    static const struct {
        const char *fen, *part;
    } wrong[] = {
        {"", "the board is missing"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1", "ends on rank 1 after 7 squares"},
        {"rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "ends on rank 2"},
        {"rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 7 has more than 8"},
        {"rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 7 has 7 squares"},
        {"rnbqkbnr/pppppppp/44p/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 6 has more than 8"},
        {"8/8/8/8/8/8/8/8/8 w - - 0 1", "more than 8 ranks"},
        {"xnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'x' on rank 8"},
        {"8/8/8/3k4/8/8/8/8 w - - 0 1", "White has 0 kings"},
        {"8/8/8/3k4/8/3k4/8/K7 w - - 0 1", "Black has 2 kings"},
        {"P7/8/8/3k4/8/8/8/K7 w - - 0 1", "a pawn stands on the first or last rank"},
        {"4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "White has 9 pawns"},
        {"4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1", "White has 1 pieces more"},
        {"8/8/8/3k4/8/8/8/K7", "expected w or b"},
        {"8/8/8/3k4/8/8/8/K7 x - - 0 1", "expected w or b"},
        {"8/8/8/3k4/8/8/8/K7 w", "castling field is missing"},
        {"4k3/8/8/8/8/8/8/4K2R w KX - 0 1", "expected - or letters of KQkq"},
        {"4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "no king and rook on their rank for 'Q'"},
        {"4k3/8/8/8/8/8/4K3/7R w K - 0 1", "no king and rook on their rank for 'K'"},
        {"4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "named before"},
        {"4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", "two rooks on one side"},
        {"8/8/8/3k4/8/8/8/K7 w -", "en passant field is missing"},
        {"8/8/8/3k4/8/8/8/K7 w - e3 0 1", "a square on rank 6"},
        {"8/8/8/3k4/8/8/8/K7 w - e6 0 1", "no pawn can just have passed"},
        {"8/8/8/3k4/8/8/8/K7 w - - x 1", "half-move clock 'x'"},
        {"8/8/8/3k4/8/8/8/K7 w - - 0", "move number is missing"},
        {"8/8/8/3k4/8/8/8/K7 w - - 0 -1", "move number '-1'"},
        {"8/8/8/3k4/8/8/8/K7 w - - 123456 1", "half-move clock '123456'"},
        {"8/8/8/3k4/8/8/8/K7 w - - 0 1 more", "'more' after the move number"},
        {"8/8/8/3k4/8/8/3R4/K7 w - - 0 1", "Black is in check but it is White's turn"},
        {"8/8/8/3k4/4K3/8/8/8 w - - 0 1", "the kings stand next to each other"},
    };
    struct mp_game *game = open_game("chess");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct mp_error error = {0};
        struct mp_position *position = mp_position_new(game, wrong[i].fen, &error);
        if (position)
            fail_msg("'%s' is read", wrong[i].fen);
        assert_contains(error.text, wrong[i].part);
    }
    mp_game_close(game);
}

/* How a move is written, both ways, and that each form of it is read. */
static const struct {
    const char *game, *fen, *coordinates, *san, *others[3];
} moves[] = {
    {"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3", {"Ng1f3", "Ngf3"}},
    {"chess",
     "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
     "e4d5",
     "exd5",
     {"ed5", "e4xd5!"}},
    {"chess", "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 9", "d5c6", "dxc6", {"dc6"}},
    {"chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q+", {"a8Q", "a7a8Q"}},
    {"chess", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", "axb8=N", {"ab8N", "axb8=N?!"}},
    {"chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O", {"0-0", "e1h1"}},
    {"chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O", {"0-0-0", "e1a1"}},
    {"chess:chess960=on", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", "O-O", {"e1g1"}},
    {"chess", "4k3/8/8/8/8/8/8/1R2K1R1 b GB - 0 1", "e8d8", "Kd8", {0}},
    {"chess", "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "e1b1", "O-O-O", {"e1c1"}},
    {"chess", "4k3/8/8/8/8/8/8/RR3K2 w B - 0 1", "f1b1", "O-O-O", {"f1c1"}},
    {"chess", "4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1", "O-O", {0}},
    {"chess", "4k3/8/8/8/4K3/8/8/R6R w - - 0 1", "a1d1", "Rad1", {"Ra1d1"}},
    {"chess", "4k3/8/8/R7/4K3/8/8/R7 w - - 0 1", "a5a3", "R5a3", {"Ra5a3"}},
    {"chess", "8/8/k7/8/4Q2Q/8/1K6/7Q w - - 0 1", "h4e1", "Qh4e1", {0}},
    {"chess", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", "Re8#", {"Re8", "Re8+"}},
};

static void writes_moves_both_ways(void **test_state)
{
    (void)test_state;
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        struct mp_game *game = open_game(moves[i].game);
        struct mp_error error = {0};
        struct mp_position *position = mp_position_new(game, moves[i].fen, &error);
        mp_move move = MP_NO_MOVE, again;
        char text[16];
        if (!position || !mp_position_parse_move(position, moves[i].coordinates, &move, &error))
            fail_msg("%s: %s", moves[i].fen, error.text);
        const void *state = mp_position_state(position);
        game->print_move(game, state, move, text, sizeof text);
        assert_string_equal(text, moves[i].coordinates);
        assert_int_equal(chess_print_san(game, state, move, text, sizeof text), strlen(moves[i].san));
        assert_string_equal(text, moves[i].san);
        for (int j = -1; j < 3 && (j < 0 || moves[i].others[j]); j++) {
            if (!mp_position_parse_move(position, j < 0 ? moves[i].san : moves[i].others[j], &again, &error))
                fail_msg("%s: %s", moves[i].fen, error.text);
            assert_int_equal(again, move);
        }
        mp_position_free(position);
        mp_game_close(game);
    }
}

static void refuses_moves(void **test_state)
{
    (void)test_state;
    static const struct {
        const char *fen, *text, *part;
    } wrong[] = {
        {"4k3/8/8/8/4K3/8/8/R6R w - - 0 1", "Rd1", "2 pieces could do that"},
        {"4k3/8/8/8/4K3/8/8/R6R w - - 0 1", "Re1d1", "not legal"},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "not legal"},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=K", "not legal"},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", "expected a form such as"},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", "not legal"},
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1i9", "expected a form such as"},
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "hello, how are you", "expected a form such as"},
        {"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "+", "expected a form such as"},
    };
    struct mp_game *game = open_game("chess");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct mp_position *position = mp_position_new(game, wrong[i].fen, NULL);
        struct mp_error error = {0};
        mp_move move;
        assert_non_null(position);
        if (mp_position_parse_move(position, wrong[i].text, &move, &error))
            fail_msg("'%s' is read", wrong[i].text);
        assert_contains(error.text, wrong[i].part);
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* Every legal move of random positions reads back from its SAN. */
static void reads_its_own_san(void **test_state)
{
    (void)test_state;
    struct mp_game *game = open_game("chess");
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct mp_position *position = subjects_position(game, seed, 150);
        mp_move list[CHESS_MOST_MOVES], again;
        int count = mp_position_moves(position, list, NULL, CHESS_MOST_MOVES);
        for (int i = 0; i < count; i++) {
            char san[16];
            struct mp_error error = {0};
            chess_print_san(game, mp_position_state(position), list[i], san, sizeof san);
            if (!mp_position_parse_move(position, san, &again, &error))
                fail_msg("%s", error.text);
            assert_int_equal(again, list[i]);
        }
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* Random games from Chess960 beginnings: every move and position reads back, with either spelling. */
static void reads_its_own_chess960(void **test_state)
{
    (void)test_state;
    const char *const starts[] = {
        "bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1",
        "rk6/8/8/8/8/8/8/RK6 w Aa - 0 1",
        "5krr/8/8/8/8/8/8/5KRR w Gg - 0 1",
        "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w BGbg - 0 1",
    };
    int castlings = 0;
    for (uint64_t seed = 0; seed < 80; seed++) {
        struct mp_game *game = open_game(seed & 1 ? "chess:chess960=on" : "chess");
        struct mp_position *position = mp_position_new(game, starts[seed / 2 % 4], NULL);
        uint64_t stream = seed;
        mp_move list[CHESS_MOST_MOVES], again;
        for (int ply = 0, count = 1; ply < 40 && count > 0; ply++) {
            const struct chess *s = mp_position_state(position);
            char text[128];
            game->print_position(game, s, text, sizeof text);
            struct mp_position *copy = mp_position_new(game, text, NULL);
            assert_non_null(copy);
            assert_true(s->key == ((const struct chess *)mp_position_state(copy))->key &&
                        s->key == chess_key(s));
            mp_position_free(copy);
            count = mp_position_moves(position, list, NULL, CHESS_MOST_MOVES);
            for (int i = 0; i < count; i++) {
                castlings += chess_how(list[i]) == CHESS_CASTLE;
                game->print_move(game, s, list[i], text, sizeof text);
                assert_true(mp_position_parse_move(position, text, &again, NULL) && again == list[i]);
            }
            if (count > 0)
                mp_position_play(position, list[random_below(random_next(&stream), (uint32_t)count)], NULL);
        }
        mp_position_free(position);
        mp_game_close(game);
    }
    assert_true(castlings > 50);
}

/* Positions with a few characters changed are refused, or are whole: they print, list and count. */
static void survives_changed_positions(void **test_state)
{
    (void)test_state;
    const char *const starts[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
        "bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1",
    };
    const char alphabet[] = "PNBRQKpnbrqk12345678/ wb-KQkqAHahe36 0";
    struct mp_game *game = open_game("chess");
    uint64_t stream = 1;
    int read = 0;
    for (int i = 0; i < 60000; i++) {
        char text[128], again[128];
        strcpy(text, starts[i % 3]);
        for (uint32_t changes = 1 + random_below(random_next(&stream), 3); changes > 0; changes--)
            text[random_below(random_next(&stream), (uint32_t)strlen(text))] =
                alphabet[random_below(random_next(&stream), sizeof alphabet - 1)];
        struct mp_error error = {0};
        struct mp_position *position = mp_position_new(game, text, &error);
        if (!position) {
            assert_true(error.text[0] != 0);
            continue;
        }
        read++;
        mp_move list[CHESS_MOST_MOVES];
        const void *state = mp_position_state(position);
        assert_int_equal(game->list(game, state, list, CHESS_MOST_MOVES), game->count(game, state));
        game->print_position(game, state, text, sizeof text);
        struct mp_position *copy = mp_position_new(game, text, NULL);
        assert_non_null(copy);
        game->print_position(game, mp_position_state(copy), again, sizeof again);
        assert_string_equal(text, again);
        mp_position_free(copy);
        mp_position_free(position);
    }
    assert_true(read > 1000);
    mp_game_close(game);
}

static void draws_a_picture(void **test_state)
{
    (void)test_state;
    struct mp_game *game = open_game("chess");
    struct mp_position *position = mp_position_new(game, "4k3/8/8/8/8/8/4r3/4K2R w K - 3 7", NULL);
    char text[512];
    int length = game->draw(game, mp_position_state(position), text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_string_equal(text,
                        "8 . . . . k . . .\n7 . . . . . . . .\n6 . . . . . . . .\n5 . . . . . . . .\n"
                        "4 . . . . . . . .\n3 . . . . . . . .\n2 . . . . r . . .\n1 . . . . K . . R\n"
                        "  a b c d e f g h\nWhite to move, in check\n4k3/8/8/8/8/8/4r3/4K2R w K - 3 7\n");
    mp_position_free(position);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_fen_back),        cmocka_unit_test(names_errors),
        cmocka_unit_test(writes_moves_both_ways), cmocka_unit_test(refuses_moves),
        cmocka_unit_test(reads_its_own_san),      cmocka_unit_test(draws_a_picture),
        cmocka_unit_test(reads_its_own_chess960), cmocka_unit_test(survives_changed_positions),
        cmocka_unit_test(counters_stay_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

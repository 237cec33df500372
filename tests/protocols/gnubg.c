/* gnubg.c - the boards that GNU Backgammon sends; the server itself is tested by gnubg_server.py. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "protocols/gnubg.h"

/* As gnubg 1.07 sent it, and the same with what a case changes. */
#define START "board:You:Them:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:"
#define END ":1:-1:0:25:0:0:0:0:0:0:0:1"

static struct gnubg_request request_of(const char *line)
{
    struct gnubg_request request;
    struct mp_error error = {0};
    if (!gnubg_read_board(line, &request, &error))
        fail_msg("%s: %s", line, error.text);
    return request;
}

static void reads_boards(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("backgammon", NULL);
    const struct {
        const char *line, *position;
        enum gnubg_decision decision;
    } cases[] = {
        {START "1:3:1:3:1:1:1:1:0" END, "4HPwATDgc/ABMA:cIkFAAAAAAAE", GNUBG_PLAY},
        {START "-1:1:3:1:3:1:1:1:0" END, "4HPwATDgc/ABMA 31", GNUBG_PLAY},
        {START "-1:0:0:0:0:1:1:1:0" END, "4HPwATDgc/ABMA", GNUBG_ROLL},
        {START "-1:0:0:0:0:1:1:1:1" END, "4HPwATDgc/ABMA", GNUBG_ANSWER_DOUBLE},
        {START "-1:0:0:0:0:2:1:0:0" END, "4HPwATDgc/ABMA:AQEAAAAAAAAE", GNUBG_ROLL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gnubg_request request = request_of(cases[i].line);
        char text[128];
        game->print_position(game, &request.state, text, sizeof text);
        assert_string_equal(text, cases[i].position);
        assert_int_equal(request.decision, cases[i].decision);
    }
    mp_game_close(game);
}

/* After 31: 8/5 6/5 of player 1, who moves down. Whoever is to move, the chequers stay whose they are. */
static void reads_whose_chequers_are_whose(void **state)
{
    (void)state;
#define PLAYED "board:a:b:0:0:0:0:-2:0:0:0:2:4:0:2:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:"
    for (int turn = 0; turn < 2; turn++) {
        struct gnubg_request request = request_of(turn ? PLAYED "1:0:0:0:0:1:1:1:0" END
                                                       : PLAYED "-1:0:0:0:0:1:1:1:0" END);
        const uint8_t *first = turn ? request.state.own : request.state.opp;
        const uint8_t *zeroth = turn ? request.state.opp : request.state.own;
        assert_int_equal(request.state.side, turn);
        assert_int_equal(first[5], 2);
        assert_int_equal(first[6], 4);
        assert_int_equal(first[8], 2);
        assert_int_equal(zeroth[5], 0);
        assert_int_equal(zeroth[6], 5);
        assert_int_equal(zeroth[8], 3);
    }
}

static void reads_matches(void **state)
{
    (void)state;
    struct gnubg_request request = request_of("board:a:b:7:6:2:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:"
                                              "0:0:0:2:0:1:3:1:3:1:1:0:0:0:1:-1:0:25:0:"
                                              "0:0:0:0:0:0:0");
    assert_int_equal(request.state.match_length, 7);
    assert_int_equal(request.state.score[0], 6);
    assert_int_equal(request.state.score[1], 2);
    assert_int_equal(request.state.crawford, 1);
}

static void refuses_others(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        {"", "is not a request"},
        {"board:a", "inside the names"},
        {"board:a:b:", "number 1"},
        {START "1:3:1", "fewer"},
        {START "1:3:1:3:1:1:1:1:0" END ":0", "more"},
        {START "2:3:1:3:1:1:1:1:0" END, "the turn is 2"},
        {START "1:3:0:3:1:1:1:1:0" END, "the dice are 3 and 0"},
        {START "1:3:1:3:1:64:1:1:0" END, "the cube shows 2^6"},
        {"board:a:b:0:0:0:0:-2:0:0:0:0:16:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:1:1:1:0" END,
         "holds 16"},
        {"board:a:b:3:3:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:3:1:1:1:1:0" END,
         "a score of 3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gnubg_request request;
        struct mp_error error = {0};
        assert_false(gnubg_read_board(cases[i][0], &request, &error));
        assert_contains(error.text, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_boards),
        cmocka_unit_test(reads_whose_chequers_are_whose),
        cmocka_unit_test(reads_matches),
        cmocka_unit_test(refuses_others),
    };
    return cmocka_run_group_tests_name("gnubg", tests, NULL, NULL);
}

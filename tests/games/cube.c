/* cube.c - the doubling cube, matches and their table, and both kinds of IDs with them. */
#include "tests/support/facts.h"
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "games/backgammon/cube.h"

#include <math.h>
#include <stdlib.h>

enum { TEXT = 256 };

static struct mp_game *open_game(const char *name)
{
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open(name, &error);
    if (!game)
        fail_msg("%s", error.text);
    return game;
}

static struct mp_position *position_of(const struct mp_game *game, const char *text)
{
    struct mp_error error = {0};
    struct mp_position *position = mp_position_new(game, text, &error);
    if (!position)
        fail_msg("'%s': %s", text ? text : "", error.text);
    return position;
}

static void play(struct mp_position *position, const char *record)
{
    struct mp_error error = {0};
    if (!mp_position_play_text(position, record, &error))
        fail_msg("%s: %s", record, error.text);
}

static const struct backgammon *state_of(const struct mp_position *position)
{
    return mp_position_state(position);
}

/* ---- What may be said ------------------------------------------------------------------------------ */

static void plays_with_the_cube(void **unused)
{
    (void)unused;
    struct mp_game *game = open_game("backgammon:cube=on");
    struct mp_position *position = position_of(game, NULL);
    assert_true(mp_position_is_chance(position)); /* nobody doubles before the first throw */
    play(position, "31 8/5 6/5");
    assert_int_equal(state_of(position)->phase, BACKGAMMON_CHOOSING);
    assert_int_equal(mp_position_moves(position, NULL, NULL, 0), 2);
    play(position, "roll 65 24/13"); /* the pass of the other player is left out */
    assert_int_equal(state_of(position)->side, 0);
    play(position, "double");
    assert_int_equal(state_of(position)->side, 1);
    assert_int_equal(mp_position_moves(position, NULL, NULL, 0), 2);
    play(position, "take");
    assert_int_equal(state_of(position)->cube_log, 1);
    assert_int_equal(state_of(position)->cube_owner, 1);
    assert_true(mp_position_is_chance(position));
    play(position, "52 13/8 13/11");
    play(position, "redouble drop");
    assert_int_equal(mp_position_moves(position, NULL, NULL, 0), 0);
    assert_int_equal(mp_position_margin(position), -2);
    mp_position_free(position);
    /* Who does not own the cube may not turn it. */
    position = position_of(game, NULL);
    play(position, "31 8/5 6/5 double take 65 24/13");
    assert_int_equal(state_of(position)->phase, BACKGAMMON_CHOOSING);
    play(position, "roll pass 52 13/8 13/11");
    assert_true(mp_position_is_chance(position));
    mp_position_free(position);
    mp_game_close(game);
}

static void says_what_does_not_fit(void **unused)
{
    (void)unused;
    struct mp_game *game = open_game("backgammon:cube=on");
    const char *const cases[][3] = {
        {"31 8/5 6/5", "31", "expected roll or double"},
        {"31 8/5 6/5", "take", "expected roll or double"},
        {"31 8/5 6/5 double", "roll", "expected take or drop"},
        {"31 8/5 6/5 roll", "65", "expected pass"},
        {"31 8/5 6/5 roll pass", "double", "expected a roll"},
        {"31 8/5 6/5 double drop", "roll", "the game is over"},
        {"31", "double", "expected steps"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_position *position = position_of(game, NULL);
        struct mp_error error = {0};
        mp_move move;
        play(position, cases[i][0]);
        assert_false(mp_position_parse_move(position, cases[i][1], &move, &error));
        assert_contains(error.text, cases[i][2]);
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* In the Crawford game, and where the game decides the match anyway, nobody doubles. */
static void knows_when_nobody_doubles(void **unused)
{
    (void)unused;
    struct mp_game *game = open_game("backgammon:cube=on");
    const struct {
        const char *id;
        int moves; /* 21: to throw */
    } cases[] = {
        {"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", 2},
        {"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:4:1:5:10", 21}, /* Crawford */
        {"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:4:0:5:10", 2},  /* after it, who is behind */
        {"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:0:0:5:10", 21}, /* and who needs one point only */
        {"XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:5:10", 21},
        {"XGID=-b----E-C---eE---c-e----B-:2:1:1:00:1:0:0:5:10", 21}, /* the cube is enough already */
        {"XGID=-b----E-C---eE---c-e----B-:5:1:1:00:0:0:0:0:10", 21}, /* and cannot show more */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_position *position = position_of(game, cases[i].id);
        if (mp_position_moves(position, NULL, NULL, 0) != cases[i].moves)
            fail_msg("%s: %d moves, expected %d", cases[i].id, mp_position_moves(position, NULL, NULL, 0),
                     cases[i].moves);
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* ---- IDs ------------------------------------------------------------------------------------------- */

/* Every phase of a game survives being written in either way; both ways are the same position. */
static void writes_every_phase(void **unused)
{
    (void)unused;
    const char *const records[] = {"",
                                   "31",
                                   "31 8/5 6/5",
                                   "31 8/5 6/5 roll",
                                   "31 8/5 6/5 roll pass",
                                   "31 8/5 6/5 double",
                                   "31 8/5 6/5 double take",
                                   "31 8/5 6/5 double take 65",
                                   "31 8/5 6/5 double drop"};
    const char *const games[] = {"backgammon:cube=on", "backgammon:cube=on,ids=xg",
                                 "backgammon:cube=on,match=7,ids=xg", "backgammon:cube=on,jacoby=on"};
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        struct mp_game *game = open_game(games[g]);
        for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
            struct mp_position *position = position_of(game, NULL);
            char text[TEXT];
            play(position, records[i]);
            game->print_position(game, state_of(position), text, sizeof text);
            struct mp_position *again = position_of(game, text);
            assert_memory_equal(state_of(again), state_of(position), sizeof(struct backgammon));
            mp_position_free(again);
            mp_position_free(position);
        }
        mp_game_close(game);
    }
}

/* As GNU Backgammon 1.07 shows them: to answer a double, a cube that is owned, a Crawford game. */
static void agrees_with_gnubg(void **unused)
{
    (void)unused;
    struct mp_game *gnu = open_game("backgammon:cube=on"), *xg = open_game("backgammon:cube=on,ids=xg");
    const char *const pairs[][2] = {
        {"4HPwATDgc/ABMA:cIkFAAAAAAAE", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:5"},
        {"4HPwATDgc/ABMA:AQEAAAAAAAAE", "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:00:0:0:0:0:5"},
        {"4HPwATDgc/ABMA:cBEAAAAAAAAE", "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:5"},
        {"4HPwATDgc/ABMA:8AlgACAACAAE", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:1:2:1:3:5"},
    };
    char text[TEXT];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct mp_position *position = position_of(gnu, pairs[i][0]);
        xg->print_position(xg, state_of(position), text, sizeof text);
        assert_string_equal(text, pairs[i][1]);
        mp_position_free(position);
        position = position_of(gnu, pairs[i][1]);
        gnu->print_position(gnu, state_of(position), text, sizeof text);
        assert_string_equal(text, pairs[i][0]);
        mp_position_free(position);
    }
    mp_game_close(gnu);
    mp_game_close(xg);
}

/* ---- Values ---------------------------------------------------------------------------------------- */

static void fills_the_match_table(void **unused)
{
    (void)unused;
    struct mp_game *game = open_game("backgammon");
    const struct backgammon_tables *t = game->data;
    for (int a = 1; a <= BACKGAMMON_LONGEST_MATCH; a++)
        for (int b = 1; b <= BACKGAMMON_LONGEST_MATCH; b++) {
            double chance = t->match[a][b], back = t->match[b][a];
            assert_true(chance > 0 && chance < 1 && chance + back > 0.999999 && chance + back < 1.000001);
            assert_true(a == 1 || chance < t->match[a - 1][b]);
        }
    /* Against the table of Neil Kazaross. */
    const struct {
        int a, b;
        double chance;
    } known[] = {{1, 2, 0.67736}, {1, 3, 0.75076}, {1, 5, 0.84179}, {2, 3, 0.59947}, {2, 4, 0.66870},
                 {2, 6, 0.79940}, {3, 4, 0.57150}, {3, 5, 0.64795}, {5, 7, 0.62638}, {7, 11, 0.70021}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double difference = t->match[known[i].a][known[i].b] - known[i].chance;
        if (difference < -0.007 || difference > 0.007)
            fail_msg("%d-away %d-away: %.3f, expected about %.3f", known[i].a, known[i].b,
                     t->match[known[i].a][known[i].b], known[i].chance);
    }
    /* After the Crawford game, with an even number of points to go, the leader has a free drop. */
    const double after[] = {0.5, 0.48803, 0.32264, 0.31002, 0.19012, 0.18072};
    for (int away = 1; away <= 6; away++)
        assert_float_equal(t->after_crawford[away], after[away - 1], 0.004);
    mp_game_close(game);
}

/* The end of a game of a match is worth what it does to the match. */
static void values_games_of_a_match(void **unused)
{
    (void)unused;
    struct mp_game *game = open_game("backgammon:match=3,cube=on");
    const struct backgammon_tables *t = game->data;
    struct backgammon s = backgammon_blank(game);
    assert_int_equal(cube_match_value(t, &s, 3), BACKGAMMON_UNITS);
    assert_int_equal(cube_match_value(t, &s, -4), -BACKGAMMON_UNITS);
    mp_value two = cube_match_value(t, &s, 2), one = cube_match_value(t, &s, 1);
    assert_true(one > 0 && one < two && two < BACKGAMMON_UNITS);
    assert_int_equal(two, (int)((2 * t->match[1][3] - 1) * BACKGAMMON_UNITS + 0.5));
    s.score[0] = 2; /* the Crawford game or one after it: Black's win leads past it */
    assert_int_equal(cube_match_value(t, &s, -1), (int)((1 - 2 * t->after_crawford[2]) * BACKGAMMON_UNITS));
    struct mp_position *position = position_of(game, NULL);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(game, "star2,depth=2", NULL);
    play(position, "31 8/5 6/5 double");
    assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
    char name[32];
    game->print_move(game, state_of(position), result.move, name, sizeof name);
    assert_string_equal(name, "take");
    play(position, "drop");
    assert_int_equal(game->final_value(game, state_of(position)), one);
    mp_search_free(search);
    mp_position_free(position);
    mp_game_close(game);
}

/* For money and without gammons: a double is dropped below a chance of about 22%, and offered from about
 * 70%. */
static void finds_take_points(void **unused)
{
    (void)unused;
    struct mp_game *game = open_game("backgammon:cube=on");
    struct backgammon s = backgammon_blank(game);
    s.own[BACKGAMMON_OFF] = s.opp[BACKGAMMON_OFF] = 1; /* no gammons */
    int drops_from = 0, doubles_from = 0;
    for (int percent = 99; percent >= 50; percent--) {
        struct cube_chances chances = {.win = percent / 100.0};
        s.phase = BACKGAMMON_ANSWERING;
        mp_value doubled = cube_value(game->data, &s, &chances);
        s.phase = BACKGAMMON_PLAYING;
        mp_value rolled = cube_value(game->data, &s, &chances);
        drops_from = doubled == BACKGAMMON_UNITS ? percent : drops_from;
        doubles_from = doubled > rolled ? percent : doubles_from;
    }
    assert_in_range(drops_from, 76, 80);
    assert_in_range(doubles_from, 67, 73);
    mp_game_close(game);
}

/* The same chances are worth the same, with the cube in the middle, owned, and handed over. */
static void values_chances_as_gnubg_does(void **unused)
{
    (void)unused;
    struct mp_game *game = open_game("backgammon:cube=on");
    struct facts facts;
    facts_open(&facts, "backgammon_cube.txt");
    for (const char *line; (line = facts_next(&facts));) {
        struct backgammon s;
        struct cube_chances c;
        char id[16], where[8];
        double rolled, taken;
        if (sscanf(line, "%15s %7s %lf %lf %lf %lf %lf %lf %lf", id, where, &c.win, &c.gammon, &c.backgammon,
                   &c.lost_gammon, &c.lost_backgammon, &rolled, &taken) != 9 ||
            !game->parse_position(game, id, &s, NULL))
            facts_malformed(&facts, "a position ID, middle or owned, five shares and two equities");
        s.phase = BACKGAMMON_PLAYING;
        s.cube_owner = strcmp(where, "owned") ? BACKGAMMON_NO_OWNER : s.side;
        mp_value first = cube_value(game->data, &s, &c);
        s.cube_log++;
        s.cube_owner = !s.side;
        mp_value second = cube_value(game->data, &s, &c);
        if (fabs(first - rolled * BACKGAMMON_UNITS) > 2 || fabs(second - taken * BACKGAMMON_UNITS) > 2)
            fail_msg("%s: %d and %d, expected %.4f and %.4f", id, first, second, rolled, taken);
    }
    facts_close(&facts, 60);
    mp_game_close(game);
}

static void counts_gammons_as_jacoby_wants(void **unused)
{
    (void)unused;
    struct mp_game *game = open_game("backgammon:cube=on,jacoby=on");
    struct backgammon s = backgammon_blank(game);
    s.own[BACKGAMMON_OFF] = BACKGAMMON_MEN;
    s.opp[6] = BACKGAMMON_MEN;
    assert_int_equal(game->margin(game, &s), 1);
    s.cube_log = 1;
    s.cube_owner = 1;
    assert_int_equal(game->margin(game, &s), 4);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_with_the_cube),
        cmocka_unit_test(says_what_does_not_fit),
        cmocka_unit_test(knows_when_nobody_doubles),
        cmocka_unit_test(writes_every_phase),
        cmocka_unit_test(agrees_with_gnubg),
        cmocka_unit_test(fills_the_match_table),
        cmocka_unit_test(values_games_of_a_match),
        cmocka_unit_test(finds_take_points),
        cmocka_unit_test(values_chances_as_gnubg_does),
        cmocka_unit_test(counts_gammons_as_jacoby_wants),
    };
    return cmocka_run_group_tests_name("cube", tests, NULL, NULL);
}

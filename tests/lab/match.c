/* match.c - games between scripted players: clocks, forfeits, adjudication, openings and dice. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "lab/match.h"
#include "lab/waits.h"

#include <math.h>

/* A player that does what its script says at each of its moves. */
struct script {
    double seconds, waited;
    mp_value value;
    enum player_answer answer; /* at the move with this number */
    int at;
    int moves;
    double left, allowed; /* what it was told last */
};

static enum player_answer begin_script(struct player *player, struct mp_error *error)
{
    (void)player, (void)error;
    return PLAYER_MOVED;
}

static enum player_answer think_script(struct player *player, const struct turn *turn,
                                       struct thought *thought, struct mp_error *error)
{
    struct script *script = player->data;
    *thought = (struct thought){
        .seconds = script->seconds, .waited = script->waited, .has_value = true, .value = script->value};
    mp_position_moves(turn->position, &thought->move, NULL, 1);
    script->left = turn->left[turn->side];
    script->allowed = turn->allowed;
    if (script->answer != PLAYER_MOVED && script->moves == script->at) {
        mp_fail(error, "as the script says");
        return script->answer;
    }
    script->moves++;
    return PLAYER_MOVED;
}

static void end_script(struct player *player)
{
    (void)player;
}

static const struct player_kind scripted = {NULL, begin_script, think_script, end_script};

/* A game of two scripts, from the beginning. */
struct scene {
    struct script scripts[2];
    struct player_setup setups[2];
    struct player players[2];
    struct mp_game *game;
    struct match_game match;
};

static void prepare(struct scene *scene, const char *game)
{
    *scene = (struct scene){.setups = {{.name = "first"}, {.name = "second"}}};
    scene->game = mp_game_open(game, NULL);
    assert_non_null(scene->game);
    for (int side = 0; side < 2; side++)
        scene->players[side] = (struct player){.kind = &scripted,
                                               .setup = &scene->setups[side],
                                               .game = scene->game,
                                               .data = &scene->scripts[side]};
    scene->match = (struct match_game){.game = scene->game,
                                       .players = {&scene->players[0], &scene->players[1]}};
}

static void play(struct scene *scene)
{
    struct mp_error error;
    if (!match_begin(&scene->match, NULL, &error) || !match_play(&scene->match, &error))
        fail_msg("%s", error.text);
}

static void end(struct scene *scene)
{
    match_free(&scene->match);
    mp_game_close(scene->game);
}

static void a_game_ends_by_the_rules(void **state)
{
    (void)state;
    struct scene scene;
    prepare(&scene, "othello");
    play(&scene);
    assert_int_equal(scene.match.end, MATCH_RULES);
    assert_int_equal(scene.match.margin, mp_position_margin(scene.match.position));
    assert_int_equal(scene.match.plies, scene.match.count);
    assert_int_equal(scene.match.plies, scene.scripts[0].moves + scene.scripts[1].moves);
    /* The record leads from the start to the end. */
    struct mp_position *again = mp_position_new(scene.game, scene.match.start, NULL);
    for (int i = 0; i < scene.match.count; i++)
        assert_true(mp_position_play_text(again, scene.match.moves[i].text, NULL));
    assert_true(scene.game->key(scene.game, mp_position_state(again)) ==
                scene.game->key(scene.game, mp_position_state(scene.match.position)));
    mp_position_free(again);
    end(&scene);
}

/* Both go round the circle for ever; the third time they are where they began it is a draw. */
static void a_game_ends_with_a_draw(void **state)
{
    (void)state;
    struct scene scene;
    prepare(&scene, CIRCLE_PLUGIN);
    play(&scene);
    assert_int_equal(scene.match.end, MATCH_RULES);
    assert_int_equal(scene.match.margin, 0);
    assert_int_equal(scene.match.plies, 32);
    assert_true(mp_position_drawn(scene.match.position));
    end(&scene);
}

static void a_clock_runs_out(void **state)
{
    (void)state;
    struct scene scene;
    prepare(&scene, "othello");
    scene.setups[0].control.base = 1; /* 1.1 with the first increment, and 0.1 again for each move */
    scene.setups[0].control.increment = 0.1;
    scene.scripts[0].seconds = 0.4;
    play(&scene);
    assert_int_equal(scene.match.end, MATCH_TIME);
    assert_int_equal(scene.match.margin, -1);
    /* 1.1, 0.8, 0.5, 0.2: the fourth move takes too long. */
    assert_int_equal(scene.scripts[0].moves, 4);
    assert_true(fabs(scene.scripts[0].left - 0.2) < 1e-9);
    assert_int_equal(scene.match.count, 6);
    assert_contains(scene.match.reason, "first: 0.400 s for a move that had 0.200 s");
    end(&scene);
    /* Within the margin it goes on; the clock is then empty but for the increment. */
    prepare(&scene, "othello");
    scene.setups[0].control.base = 1;
    scene.scripts[0].seconds = 0.6;
    scene.match.rules.margin = 0.3;
    play(&scene);
    assert_int_equal(scene.scripts[0].moves, 3);
    assert_true(fabs(scene.scripts[0].left) < 1e-9);
    assert_true(fabs(scene.scripts[0].allowed - 0.3) < 1e-9);
    end(&scene);
}

/* A clock that has run out stands still while the machine has no time for its player. */
static void waits_are_not_charged(void **state)
{
    (void)state;
    struct scene scene;
    prepare(&scene, "othello");
    scene.setups[0].control.base = 1;
    scene.scripts[0].seconds = 0.4;
    scene.scripts[0].waited = 0.4;
    scene.match.rules.most_plies = 20;
    play(&scene);
    assert_int_equal(scene.match.end, MATCH_PLIES);
    assert_true(fabs(scene.scripts[0].left) < 1e-9);
    assert_true(fabs(scene.match.seconds[0] - 1) < 1e-9);
    assert_true(fabs(scene.match.waited[0] - 3) < 1e-9 && scene.match.waited[1] == 0);
    end(&scene);
    /* Three quarters of it were waits: 1, 0.6, 0.2, and then there is nothing left for the last. */
    prepare(&scene, "othello");
    scene.setups[0].control.base = 1;
    scene.scripts[0].seconds = 0.4;
    scene.scripts[0].waited = 0.3;
    play(&scene);
    assert_int_equal(scene.match.end, MATCH_TIME);
    assert_int_equal(scene.scripts[0].moves, 4);
    assert_contains(scene.match.reason, "first: 0.100 s for a move that had 0.000 s");
    end(&scene);
}

/* Of a move that took a second. */
static void waits_have_bounds(void **state)
{
    (void)state;
    struct waits waits = {.waited = 300000000, .count = 2};
    assert_true(fabs(waits_seconds(&waits, 1, 0) - 0.3) < 1e-9);
    assert_true(fabs(waits_seconds(&waits, 1, 200000000) - 0.5) < 1e-9);
    /* A thread that computed for nine tenths of it cannot have waited for longer than the rest. */
    waits.threads[1] = (struct waiting_thread){.ran = 1500000000, .ran_before = 600000000};
    assert_true(fabs(waits_seconds(&waits, 1, 0) - 0.1) < 1e-9);
    /* Many threads that wait for each other do not stop the clock. */
    waits.waited = INT64_C(100000000000);
    assert_true(fabs(waits_seconds(&waits, 60, 0) - WAITS_MOST_SECONDS) < 1e-9);
    /* More was computed than there was time for: there are no seconds below 0. */
    assert_true(waits_seconds(&waits, 0.5, 0) == 0);
}

static void time_for_each_move(void **state)
{
    (void)state;
    struct scene scene;
    prepare(&scene, "othello");
    scene.setups[1].control.move = 0.5;
    scene.scripts[1].seconds = 0.5;
    play(&scene);
    assert_int_equal(scene.match.end, MATCH_RULES);
    end(&scene);
    prepare(&scene, "othello");
    scene.setups[1].control.move = 0.5;
    scene.scripts[1].seconds = 0.51;
    play(&scene);
    assert_int_equal(scene.match.end, MATCH_TIME);
    assert_int_equal(scene.match.margin, 1);
    end(&scene);
}

static void faults_lose(void **state)
{
    (void)state;
    static const struct {
        enum player_answer answer;
        enum match_end end;
    } faults[] = {{PLAYER_LATE, MATCH_TIME}, {PLAYER_ILLEGAL, MATCH_ILLEGAL}, {PLAYER_GONE, MATCH_CRASH}};
    for (int i = 0; i < 6; i++) {
        struct scene scene;
        prepare(&scene, "othello");
        scene.scripts[i % 2].answer = faults[i / 2].answer;
        scene.scripts[i % 2].at = 3;
        play(&scene);
        assert_int_equal(scene.match.end, faults[i / 2].end);
        assert_int_equal(scene.match.margin, i % 2 ? 1 : -1);
        assert_int_equal(scene.match.count, 6 + i % 2);
        assert_contains(scene.match.reason,
                        i % 2 ? "second: as the script says" : "first: as the script says");
        end(&scene);
    }
    /* What is nobody's fault is an error. */
    struct scene scene;
    struct mp_error error;
    prepare(&scene, "othello");
    scene.scripts[0].answer = PLAYER_FAILED;
    assert_true(match_begin(&scene.match, NULL, &error));
    assert_false(match_play(&scene.match, &error));
    assert_string_equal(error.text, "first: as the script says");
    end(&scene);
}

static void adjudication(void **state)
{
    (void)state;
    struct scene scene;
    prepare(&scene, "othello");
    scene.match.rules.most_plies = 7;
    play(&scene);
    assert_int_equal(scene.match.end, MATCH_PLIES);
    assert_int_equal(scene.match.plies, 7);
    assert_int_equal(scene.match.margin, 0);
    end(&scene);
    /* Both say that the second player wins. */
    prepare(&scene, "othello");
    scene.match.rules.resign = 600;
    scene.match.rules.resign_moves = 3;
    scene.scripts[0].value = -600;
    scene.scripts[1].value = 700;
    play(&scene);
    assert_int_equal(scene.match.end, MATCH_RESIGNED);
    assert_int_equal(scene.match.margin, -1);
    assert_int_equal(scene.match.plies, 6);
    end(&scene);
    /* One of them does not agree. */
    prepare(&scene, "othello");
    scene.match.rules.resign = 600;
    scene.match.rules.resign_moves = 3;
    scene.scripts[0].value = -600;
    scene.scripts[1].value = 599;
    play(&scene);
    assert_int_equal(scene.match.end, MATCH_RULES);
    end(&scene);
    prepare(&scene, "othello");
    scene.match.rules.draw = 10;
    scene.match.rules.draw_moves = 2;
    scene.match.rules.draw_after = 20;
    scene.scripts[0].value = -10;
    scene.scripts[1].value = -10;
    play(&scene);
    assert_int_equal(scene.match.end, MATCH_AGREED);
    assert_int_equal(scene.match.margin, 0);
    assert_int_equal(scene.match.plies, 20);
    end(&scene);
}

static void a_stop_ends_without_a_result(void **state)
{
    (void)state;
    struct scene scene;
    atomic_bool stop = true;
    prepare(&scene, "othello");
    scene.match.rules.stop = &stop;
    play(&scene);
    assert_int_equal(scene.match.end, MATCH_INTERRUPTED);
    assert_int_equal(scene.match.count, 0);
    end(&scene);
}

static void openings(void **state)
{
    (void)state;
    struct scene scene;
    struct mp_error error;
    prepare(&scene, "othello");
    assert_true(match_begin(&scene.match, NULL, &error));
    assert_true(match_open_with_text(&scene.match, "f5d6c3", &error));
    assert_int_equal(scene.match.count, 3);
    assert_string_equal(scene.match.moves[2].text, "c3");
    assert_int_equal(scene.match.moves[1].side, 1);
    assert_true(scene.match.moves[0].by_chance);
    assert_int_equal(scene.match.moves[0].alternatives, 4);
    assert_int_equal(scene.match.plies, 0);
    assert_false(match_open_with_text(&scene.match, "f5", &error));
    assert_int_equal(scene.match.count, 3);
    match_free(&scene.match);
    /* Random moves depend on the seed and the stream only. */
    char texts[3][64];
    for (int i = 0; i < 3; i++) {
        scene.match.stream = i == 2;
        assert_true(match_begin(&scene.match, NULL, &error));
        assert_true(match_open_at_random(&scene.match, 6, 5, &error));
        assert_int_equal(scene.match.count, 6);
        texts[i][0] = 0;
        for (int move = 0; move < 6; move++)
            strcat(texts[i], scene.match.moves[move].text);
        match_free(&scene.match);
    }
    assert_string_equal(texts[0], texts[1]);
    assert_string_not_equal(texts[0], texts[2]);
    end(&scene);
}

/* The same dice for both sides: the throws of the two games of a pair are the same, one by one. */
static void dice_are_mirrored(void **state)
{
    (void)state;
    struct scene scenes[2];
    for (int i = 0; i < 2; i++) {
        prepare(&scenes[i], DICE_PLUGIN);
        scenes[i].match.seed = 9;
        scenes[i].match.stream = 4;
        play(&scenes[i]);
    }
    assert_int_equal(scenes[0].match.count, scenes[1].match.count);
    assert_true(scenes[0].match.throws > 3);
    for (int i = 0; i < scenes[0].match.count; i++)
        assert_string_equal(scenes[0].match.moves[i].text, scenes[1].match.moves[i].text);
    end(&scenes[0]);
    end(&scenes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_ends_by_the_rules),
        cmocka_unit_test(a_game_ends_with_a_draw),
        cmocka_unit_test(a_clock_runs_out),
        cmocka_unit_test(waits_are_not_charged),
        cmocka_unit_test(waits_have_bounds),
        cmocka_unit_test(time_for_each_move),
        cmocka_unit_test(faults_lose),
        cmocka_unit_test(adjudication),
        cmocka_unit_test(a_stop_ends_without_a_result),
        cmocka_unit_test(openings),
        cmocka_unit_test(dice_are_mirrored),
    };
    return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}

/* arena.c - the schedule, the tallies, and descriptions of players. */
#include "tests/support/test.h"

#include "lab/arena.h"

#include <math.h>

/* Every two players meet, each pairing has its number, shards are a partition. */
static void schedules(void **state)
{
    (void)state;
    for (int players = 2; players < 8; players++)
        for (int gauntlet = 0; gauntlet < 2; gauntlet++) {
            struct arena *arena = calloc(1, sizeof *arena);
            arena->player_count = players;
            arena->gauntlet = gauntlet;
            arena->games = 6;
            arena->shards = 1;
            bool met[8][8] = {0};
            for (int64_t pairing = 0; pairing < arena_pairings(arena); pairing++) {
                int who[2];
                arena_pairing(arena, pairing, who);
                assert_true(who[0] < who[1] && who[1] < players && !met[who[0]][who[1]]);
                assert_true(!gauntlet || who[0] == 0);
                met[who[0]][who[1]] = true;
            }
            assert_int_equal(arena_pairings(arena), gauntlet ? players - 1 : players * (players - 1) / 2);
            int64_t all = arena_total(arena), sum = 0;
            assert_int_equal(all, 6 * arena_pairings(arena));
            for (arena->shards = 4, arena->shard = 0; arena->shard < 4; arena->shard++)
                sum += arena_total(arena);
            assert_int_equal(sum, all);
            free(arena);
        }
}

static void tallies_count_pairs(void **state)
{
    (void)state;
    struct tallies tallies;
    assert_true(tallies_init(&tallies, 3));
    /* Player 0 wins both games against 1, in any order of arrival; a pair is complete with its second
     * game. */
    assert_true(tallies_add(&tallies, 1, 1, 0, -4));
    struct pairing_tally tally = tallies_of(&tallies, 0, 1);
    assert_int_equal(tally.pairs[4], 0);
    assert_true(tallies_add(&tallies, 0, 0, 1, 2));
    tally = tallies_of(&tallies, 0, 1);
    assert_int_equal(tally.pairs[4], 1);
    assert_int_equal(tally.games[2], 2);
    double mean, error;
    tally_margin(&tally, &mean, &error);
    assert_true(mean == 3 && isnan(error));
    /* A draw and a loss against 2. */
    assert_true(tallies_add(&tallies, 100, 0, 2, 0));
    assert_true(tallies_add(&tallies, 101, 2, 0, 6));
    tally = tallies_of(&tallies, 0, 2);
    assert_int_equal(tally.pairs[1], 1);
    tally = tallies_of(&tallies, 2, 0);
    assert_int_equal(tally.pairs[3], 1);
    tally = tallies_of(&tallies, 0, -1);
    assert_int_equal(tally_games(&tally), 4);
    assert_int_equal(tally.pairs[1] + tally.pairs[4], 2);
    /* Pairs with a mean margin of 3 and of -3: the mean is 0, its standard error sqrt(18 / 2) = 3. */
    tally_margin(&tally, &mean, &error);
    assert_true(mean == 0 && fabs(error - 3) < 1e-12);
    struct elo elo;
    assert_true(tally_elo(&tally, &elo));
    assert_true(fabs(elo.score - 2.5 / 4) < 1e-12);
    tally = tallies_of(&tallies, 1, 2);
    assert_false(tally_elo(&tally, &elo));
    tallies_free(&tallies);
}

static void time_controls(void **state)
{
    (void)state;
    struct time_control control;
    struct mp_error error;
    assert_true(time_control_parse("2+0.02", &control, &error));
    assert_true(control.base == 2 && control.increment == 0.02 && control.move == 0);
    assert_true(time_control_parse("1m+500ms", &control, &error));
    assert_true(control.base == 60 && control.increment == 0.5);
    assert_true(time_control_parse("5+0", &control, &error));
    assert_true(control.base == 5 && control.increment == 0);
    assert_true(time_control_parse("10ms", &control, &error));
    assert_true(control.base == 0 && control.move == 0.01);
    assert_true(time_control_parse("nodes=1000", &control, &error));
    assert_true(control.nodes == 1000);
    assert_true(time_control_parse("depth=6", &control, &error));
    assert_true(control.depth == 6);
    assert_true(time_control_parse("none", &control, &error));
    assert_true(control.depth == 0 && control.base == 0);
    static const char *const bad[] = {"",     "5",       "+",         "0+1",    "2+",      "+2",      "2+x",
                                      "-1+0", "nodes=0", "depth=999", "depth=", "2+0.02x", "nodes=1 "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (time_control_parse(bad[i], &control, &error))
            fail_msg("'%s' was taken for a time control", bad[i]);
}

static void descriptions_of_players(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("chess", NULL);
    struct player_setup setup;
    struct time_control usual = {.move = 0.25};
    struct mp_error error;
    assert_true(player_setup_read(game, "pvs,hash=1", &usual, 1, &setup, &error));
    assert_string_equal(setup.name, "pvs,hash=1");
    assert_string_equal(setup.words[0], "pvs,time=0.250000s,hash=1");
    assert_int_equal(setup.threads, 1);
    assert_null(setup.program);
    player_setup_free(&setup);
    assert_true(player_setup_read(game, " alphabeta,split=shared,threads=3  name='a b' tc=depth=2 ", &usual,
                                  1, &setup, &error));
    assert_string_equal(setup.name, "a b");
    assert_string_equal(setup.words[0], "alphabeta,depth=2,split=shared,threads=3");
    assert_int_equal(setup.threads, 3);
    player_setup_free(&setup);
    assert_true(player_setup_read(game,
                                  "uci:/bin/cat -u 'option.Skill Level=3' option.Threads=2 \"x y\" tc=3+0.1",
                                  &usual, 1, &setup, &error));
    assert_ptr_equal(setup.program, &player_uci);
    assert_string_equal(setup.name, "cat");
    assert_string_equal(setup.words[0], "/bin/cat");
    assert_string_equal(setup.words[1], "-u");
    assert_string_equal(setup.words[2], "x y");
    assert_null(setup.words[3]);
    assert_int_equal(setup.option_count, 2);
    assert_string_equal(setup.options[0], "Skill Level=3");
    assert_int_equal(setup.threads, 2);
    assert_true(setup.control.base == 3 && setup.control.move == 0);
    player_setup_free(&setup);
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "does not name a player"},
        {"name=x", "does not name a player"},
        {"uci:", "does not name a player"},
        {"uci: /bin/cat", "does not name a player"},
        {"pvs 'name=x", "is not closed"},
        {"pvs depth=3", "'depth=3' after the strategy"},
        {"pvs tc=soon", "time control 'soon'"},
        {"pvs,time=1s", "time= in the strategy and in its time control, expected one of them"},
        {"uci:/bin/cat option.Hash", "expected option.NAME=VALUE"},
        {"uci:/bin/cat tc=none", "no time control"},
        {"uci:/nowhere tc=1s", "cannot run /nowhere: No such file"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (player_setup_read(game, bad[i].text, &usual, 1, &setup, &error))
            fail_msg("'%s' was taken for a player", bad[i].text);
        assert_contains(error.text, bad[i].says);
    }
    mp_game_close(game);
}

enum { GAMES = 6, OPENING = 4 };

struct played {
    char first[GAMES][32]; /* who had side 0 */
    mp_move opening[GAMES][OPENING];
    int count;
};

static void note_game(const struct arena *arena, const struct tallies *tallies, int64_t number,
                      const struct match_game *match, void *context)
{
    (void)arena, (void)tallies;
    struct played *played = context;
    snprintf(played->first[number], sizeof *played->first, "%s", match->players[0]->setup->name);
    assert_true(match->count >= OPENING);
    for (int i = 0; i < OPENING; i++)
        played->opening[number][i] = match->moves[i].thought.move;
    played->count++;
}

/* Both games of a pair begin alike, with the players exchanged; another pair begins differently. */
static void pairs_are_fair(void **state)
{
    (void)state;
    static const char *const players[] = {"random,seed=1 name=one tc=none",
                                          "random,seed=2 name=other tc=none"};
    struct mp_error error = {0};
    struct played played = {.count = 0};
    struct arena *arena = calloc(1, sizeof *arena);
    struct time_control none = {0};
    struct tallies tallies;
    int64_t count = 0;
    arena->game = mp_game_open("othello", NULL);
    arena->game_text = "othello";
    arena->games = GAMES;
    arena->seed = 5;
    arena->random_plies = OPENING;
    arena->concurrency = arena->shards = 1;
    arena->on_game = note_game;
    arena->context = &played;
    for (; arena->player_count < 2; arena->player_count++)
        if (!player_setup_read(arena->game, players[arena->player_count], &none, 1,
                               &arena->players[arena->player_count], &error))
            fail_msg("%s", error.text);
    struct results *results = results_open(":memory:", RESULTS_WRITE, &error);
    assert_true(tallies_init(&tallies, 2));
    if (!results || !arena_prepare(arena, results, &error) ||
        !arena_run(arena, results, &tallies, &count, &error))
        fail_msg("%s", error.text);
    assert_int_equal(count, GAMES);
    assert_int_equal(played.count, GAMES);
    for (int i = 0; i < GAMES; i += 2) {
        assert_string_equal(played.first[i], "one");
        assert_string_equal(played.first[i + 1], "other");
        assert_memory_equal(played.opening[i], played.opening[i + 1], sizeof played.opening[i]);
        if (i > 0)
            assert_memory_not_equal(played.opening[i], played.opening[i - 1], sizeof played.opening[i]);
    }
    tallies_free(&tallies);
    results_close(results);
    for (int i = 0; i < 2; i++)
        player_setup_free(&arena->players[i]);
    mp_game_close((struct mp_game *)arena->game);
    free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules),      cmocka_unit_test(tallies_count_pairs),
        cmocka_unit_test(time_controls),  cmocka_unit_test(descriptions_of_players),
        cmocka_unit_test(pairs_are_fair),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}

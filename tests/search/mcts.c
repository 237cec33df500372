/* mcts.c - Monte-Carlo tree search: what it proves, what it repeats, what it keeps to. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/clock.h"
#include "search/mcts.h"

#include <pthread.h>
#include <unistd.h>

static int solver_positions = 40;

static struct mp_result run(const struct mp_game *game, const char *strategy,
                            const struct mp_position *position)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(game, strategy, &error);
    if (!search)
        fail_msg("%s: %s", strategy, error.text);
    if (!mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", strategy, error.text);
    mp_search_free(search);
    return result;
}

static struct mp_game *open_game(const char *name)
{
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open(name, &error);
    if (!game)
        fail_msg("%s", error.text);
    return game;
}

/* ---- Proofs ---------------------------------------------------------------------------------------- */

static int empty_squares(const struct mp_game *game, const struct mp_position *position)
{
    char text[256];
    int empties = 0;
    game->print_position(game, mp_position_state(position), text, sizeof text);
    for (const char *c = text; *c; c++)
        empties += *c == '-' || *c == '.';
    return empties;
}

/* Random games, stopped when few squares are left. */
static struct mp_position *endgame(const struct mp_game *game, int plies, uint64_t seed, int most_empties)
{
    for (uint64_t attempt = 0;; attempt++) {
        struct mp_position *position = subjects_position(game, seed + (attempt << 32), plies);
        if (empty_squares(game, position) <= most_empties)
            return position;
        mp_position_free(position);
    }
}

/* Both find the value of the game, distance or margin included, and the move has it. */
static void agrees_with_alphabeta(const struct mp_game *game, int plies)
{
    static const char *const strategies[] = {"mcts,iterations=300000,memory=64",
                                             "mcts,iterations=300000,split=tree,threads=2,memory=64",
                                             "mcts,iterations=300000,split=root,threads=2,memory=64",
                                             "mcts,iterations=300000,split=leaf,threads=2,memory=64"};
    for (int i = 0; i < solver_positions; i++) {
        struct mp_position *position = endgame(game, plies, (uint64_t)i, 8);
        struct mp_result truth = run(game, "alphabeta,depth=20", position);
        struct mp_result found = run(game, strategies[i % 4], position);
        char text[256];
        game->print_position(game, mp_position_state(position), text, sizeof text);
        if (!found.exact || found.value != truth.value)
            fail_msg("%s: %s says %d (%s), alpha-beta %d", text, strategies[i % 4], found.value,
                     found.exact ? "proven" : "not proven", truth.value);
        assert_true(mp_position_play(position, found.move, NULL));
        if (mp_position_moves(position, NULL, NULL, 0) > 0) {
            mp_value after = run(game, "alphabeta,depth=20", position).value;
            int ply = game->scoring == MP_SCORE_WIN && after ? (after > 0 ? 1 : -1) : 0;
            assert_int_equal(-after, truth.value - ply);
        }
        mp_position_free(position);
    }
}

static void proves_endgames_of_othello(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    agrees_with_alphabeta(game, 64);
    mp_game_close(game);
}

static void proves_endgames_of_connect_four(void **state)
{
    (void)state;
    struct mp_game *game = open_game(CONNECT4_PLUGIN);
    agrees_with_alphabeta(game, 40);
    mp_game_close(game);
}

/* With dice a proof is a mean, rounded as expectiminimax rounds it. The game ends after 40 turns of a throw
 * and a move each, and here at most four are left. */
static void proves_through_dice(void **state)
{
    (void)state;
    struct mp_game *game = open_game(DICE_PLUGIN);
    int found = 0;
    for (uint64_t seed = 0; found < 20; seed++) {
        struct mp_position *position = subjects_position(game, seed, 78);
        if (mp_position_history(position).count >= 72) {
            struct mp_result result = run(game, "mcts,iterations=1000000", position);
            assert_true(result.exact);
            assert_int_equal(result.value, run(game, "expectiminimax,depth=5", position).value);
            found++;
        }
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* ---- The same again -------------------------------------------------------------------------------- */

/* Who does what is up to the threads. */
static void forget_tasks(struct mp_counters *counters)
{
    counters->tasks_created = counters->tasks_local = counters->tasks_stolen = counters->wasted_nodes = 0;
}

static void assert_same(const struct mp_result *a, const struct mp_result *b, const char *what)
{
    bool same = a->move == b->move && a->value == b->value && a->pv_length == b->pv_length &&
                !memcmp(a->pv, b->pv, (size_t)a->pv_length * sizeof *a->pv) &&
                !memcmp(&a->counters, &b->counters, sizeof a->counters);
    if (!same)
        fail_msg("%s: values %d and %d, nodes %llu and %llu", what, a->value, b->value,
                 (unsigned long long)a->counters.nodes, (unsigned long long)b->counters.nodes);
}

static void one_seed_one_result(void **state)
{
    (void)state;
    static const char *const strategies[] = {"mcts,iterations=800,seed=5",
                                             "mcts,iterations=800,seed=5,playout=random",
                                             "mcts,iterations=300,seed=5,playout=eval,plies=3",
                                             "mcts,iterations=300,seed=5,playout=greedy,plies=4",
                                             "mcts,iterations=800,seed=5,split=leaf,threads=2,playouts=3"};
    for (const char *const *name = subjects_names(); *name; name++) {
        struct mp_game *game = open_game(*name);
        struct mp_position *position = subjects_position(game, 3, 10);
        for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
            struct mp_result first = run(game, strategies[i], position);
            struct mp_result second = run(game, strategies[i], position);
            forget_tasks(&first.counters);
            forget_tasks(&second.counters);
            assert_same(&first, &second, strategies[i]);
            assert_int_equal(first.counters.iterations > 0, 1);
        }
        mp_position_free(position);
        mp_game_close(game);
    }
}

static void chunks_do_not_depend_on_threads(void **state)
{
    (void)state;
    for (const char *const *name = subjects_names(); *name; name++) {
        struct mp_game *game = open_game(*name);
        struct mp_position *position = subjects_position(game, 4, 10);
        struct mp_result first = {MP_SIZE(struct mp_result)};
        for (int threads = 1; threads <= 4; threads++)
            for (int merge = 0; merge < 2; merge++) {
                char strategy[128];
                snprintf(strategy, sizeof strategy, "mcts,iterations=1234,split=root,chunk=50%s,threads=%d",
                         merge ? ",merge=parallel" : "", threads);
                struct mp_result result = run(game, strategy, position);
                forget_tasks(&result.counters);
                if (threads == 1 && merge == 0)
                    first = result;
                assert_same(&first, &result, strategy);
            }
        mp_position_free(position);
        mp_game_close(game);
    }
}

/* A tree that is grown by one thread is the sequential one. */
static void one_thread_of_many_is_one(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_result plain = run(game, "mcts,iterations=2000", position);
    static const char *const strategies[] = {"mcts,iterations=2000,split=tree,threads=1",
                                             "mcts,iterations=2000,split=root,threads=1",
                                             "mcts,iterations=2000,split=leaf,threads=1"};
    for (int i = 0; i < 3; i++) {
        struct mp_result result = run(game, strategies[i], position);
        forget_tasks(&result.counters);
        assert_same(&plain, &result, strategies[i]);
    }
    mp_position_free(position);
    mp_game_close(game);
}

/* ---- Limits ---------------------------------------------------------------------------------------- */

static const char *const splits[] = {"",
                                     ",split=root,threads=3",
                                     ",split=root,chunk=10,threads=3",
                                     ",split=root,chunk=10,merge=parallel,threads=3",
                                     ",split=leaf,threads=3",
                                     ",split=tree,threads=3",
                                     ",split=tree,unobserved=on,threads=3",
                                     ",split=tree,vloss=0,threads=3"};
enum { SPLITS = sizeof splits / sizeof *splits };

static void keeps_to_its_limits(void **state)
{
    (void)state;
    for (const char *const *name = subjects_names(); *name; name++) {
        struct mp_game *game = open_game(*name);
        struct mp_position *position = subjects_position(game, 6, 6);
        for (int i = 0; i < SPLITS; i++) {
            char strategy[128];
            snprintf(strategy, sizeof strategy, "mcts,iterations=257%s", splits[i]);
            struct mp_result result = run(game, strategy, position);
            assert_true(result.exact || result.counters.iterations == 257);
            assert_false(result.stopped);
            snprintf(strategy, sizeof strategy, "mcts,nodes=2000%s", splits[i]);
            result = run(game, strategy, position);
            assert_true(result.exact || (result.stopped && result.counters.nodes >= 2000));
            assert_true(result.counters.nodes < 2000 + 4 * 256 + 4 * LINE_PLIES);
            assert_true(mp_position_play(position, result.move, NULL));
            mp_position_free(position);
            position = subjects_position(game, 6, 6);
        }
        mp_position_free(position);
        mp_game_close(game);
    }
}

static void *stop_soon(void *search)
{
    usleep(3000);
    mp_search_stop(search);
    return NULL;
}

static void stops_when_told(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    for (int i = 0; i < SPLITS; i++) {
        char strategy[128];
        struct mp_result result = {MP_SIZE(struct mp_result)};
        pthread_t thread;
        snprintf(strategy, sizeof strategy, "mcts,time=1000s%s", splits[i]);
        struct mp_search *search = mp_search_new(game, strategy, NULL);
        pthread_create(&thread, NULL, stop_soon, search);
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
        pthread_join(thread, NULL);
        assert_true(result.stopped);
        assert_true(result.seconds < 100);
        mp_search_free(search);
    }
    mp_position_free(position);
    mp_game_close(game);
}

static uint64_t resident_bytes(void)
{
    unsigned long long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%llu %llu", &size, &resident) != 2)
        fail_msg("/proc/self/statm cannot be read");
    fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* A full tree is searched on, and holds what it may hold: resident memory grows by no more than the cap and a
 * twentieth, beside what the threads have without a tree. */
static void stays_within_its_memory(void **state)
{
    (void)state;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    skip(); /* what the sanitizer keeps beside the tree counts as resident too */
#endif
    enum { MEGABYTES = 16 };
    struct mp_game *game = open_game("othello");
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    for (int i = 0; i < SPLITS; i++) {
        /* Its tree is that of one thread, and where threads have to wait for a CPU it takes long. */
        if (strstr(splits[i], "leaf"))
            continue;
        uint64_t used[2];
        for (int large = 0; large < 2; large++) {
            char strategy[128];
            struct mp_result result = {MP_SIZE(struct mp_result)};
            uint64_t before = resident_bytes();
            snprintf(strategy, sizeof strategy, "mcts,iterations=60000,expand=1,memory=%d%s",
                     large ? MEGABYTES : 1, splits[i]);
            struct mp_search *search = mp_search_new(game, strategy, NULL);
            assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
            assert_true(result.counters.iterations == 60000);
            uint64_t after = resident_bytes();
            used[large] = after > before ? after - before : 0;
            mp_search_free(search);
        }
        if (used[1] > used[0] + (uint64_t)MEGABYTES * 1048576 * 105 / 100)
            fail_msg("%s: %llu bytes for %d MB", splits[i], (unsigned long long)(used[1] - used[0]),
                     MEGABYTES);
    }
    mp_position_free(position);
    mp_game_close(game);
}

/* ---- Between moves --------------------------------------------------------------------------------- */

/* Games are played on with one search each, so that trees are cut down at every turn, dice included. */
static void plays_on_with_one_tree(void **state)
{
    (void)state;
    static const char *const names[] = {"othello", "chess", "backgammon", CIRCLE_PLUGIN};
    static const char *const strategies[] = {"mcts,iterations=2000",
                                             "mcts,iterations=2000,split=tree,threads=2",
                                             "mcts,iterations=2000,split=root,threads=2,memory=1"};
    for (int n = 0; n < 4; n++)
        for (int i = 0; i < 3; i++) {
            struct mp_game *game = open_game(names[n]);
            struct mp_position *position = subjects_position(game, 8, 4);
            struct mp_search *search = mp_search_new(game, strategies[i], NULL);
            for (int turn = 0; turn < 8 && mp_position_moves(position, NULL, NULL, 0) > 0; turn++) {
                mp_move move;
                struct mp_result result = {MP_SIZE(struct mp_result)};
                mp_position_moves(position, &move, NULL, 1);
                if (!mp_position_is_chance(position)) {
                    assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
                    assert_true(result.exact || result.counters.iterations == 2000);
                    move = turn % 3 ? result.move : move;
                }
                assert_true(mp_position_play(position, move, NULL));
            }
            mp_search_free(search);
            mp_position_free(position);
            mp_game_close(game);
        }
}

/* After its own move and a reply the search has the visits of the old tree besides the new ones. */
static void visits_are_carried_over(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    for (int reuse = 0; reuse < 2; reuse++) {
        struct mp_search *search = mp_search_new(
            game, reuse ? "mcts,iterations=5000" : "mcts,iterations=5000,reuse=off", NULL);
        struct mp_position *now = mp_position_new(game, NULL, NULL);
        struct mp_result first = {MP_SIZE(struct mp_result)}, second = {MP_SIZE(struct mp_result)};
        assert_true(mp_search_run(search, now, NULL, NULL, &first, NULL));
        assert_true(first.pv_length >= 2);
        assert_true(mp_position_play(now, first.pv[0], NULL));
        assert_true(mp_position_play(now, first.pv[1], NULL));
        assert_true(mp_search_run(search, now, NULL, NULL, &second, NULL));
        /* The same position, not reached from the old root, begins anew. */
        struct mp_result fresh = run(game, "mcts,iterations=5000", now);
        if (reuse)
            assert_true(second.counters.leaf_plies > fresh.counters.leaf_plies);
        else
            assert_same(&second, &fresh, "reuse=off");
        mp_position_free(now);
        mp_search_free(search);
    }
    mp_game_close(game);
}

/* ---- Sense ----------------------------------------------------------------------------------------- */

static void takes_a_win_in_one(void **state)
{
    (void)state;
    struct mp_game *game = open_game(CONNECT4_PLUGIN);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    assert_true(mp_position_play_text(position, "1 2 1 2 1 2", NULL));
    for (int i = 0; i < SPLITS; i++) {
        char strategy[128];
        snprintf(strategy, sizeof strategy, "mcts,iterations=1000,expand=1%s", splits[i]);
        struct mp_result result = run(game, strategy, position);
        assert_true(result.exact);
        assert_int_equal(result.value, MP_PROVEN + MP_MAX_PLY - 1);
    }
    mp_position_free(position);
    mp_game_close(game);
}

/* The report's faults are kept: with chunks of ten iterations and more than ten moves, one that was never
 * tried is played, and that is the first of them. */
static void the_report_plays_what_it_has_not_tried(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    int seen = 0;
    for (uint64_t seed = 0; seen < 8; seed++) {
        struct mp_position *position = subjects_position(game, seed, 40);
        mp_move moves[64];
        if (mp_position_moves(position, moves, NULL, 64) > 10) {
            struct mp_result result = run(game, "mcts,compat=report,split=root,chunk=10,threads=2", position);
            assert_int_equal(result.move, moves[10]);
            /* Without chunks all are tried. */
            result = run(game, "mcts,compat=report", position);
            assert_int_equal(result.counters.iterations, 1000);
            seen++;
        }
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* It wants discs for the second player, whoever is to move: a position and the same with the colours
 * exchanged get opposite values. */
static void the_report_plays_for_the_second_player(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    struct mp_error error = {0};
    struct mp_position *black = mp_position_new(
        game, "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X", &error);
    struct mp_position *white = mp_position_new(
        game, "OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOX- O", &error);
    assert_non_null(black);
    assert_non_null(white);
    /* One move is left, and it makes 64 discs of one colour: the value is the lead in thousands. */
    assert_int_equal(run(game, "mcts,compat=report", black).value, -64 * MCTS_VALUE_OF_WIN);
    assert_int_equal(run(game, "mcts,compat=report", white).value, 64 * MCTS_VALUE_OF_WIN);
    mp_position_free(black);
    mp_position_free(white);
    mp_game_close(game);
}

static void the_logarithm_is_one(void **state)
{
    (void)state;
    assert_true(mcts_log(1) == 0);
    for (uint32_t n = 2; n < 4000000000u; n += n / 7 + 1) {
        /* e^x by halving: enough to check five digits. */
        double x = (double)mcts_log(n) / 1048576, power = 1 + x + x * x / 2;
        for (int i = 0; i < 20; i++)
            power *= power;
        assert_true(power > n * 0.9999 && power < n * 1.0001);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        solver_positions = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_logarithm_is_one),
        cmocka_unit_test(takes_a_win_in_one),
        cmocka_unit_test(proves_endgames_of_othello),
        cmocka_unit_test(proves_endgames_of_connect_four),
        cmocka_unit_test(proves_through_dice),
        cmocka_unit_test(one_seed_one_result),
        cmocka_unit_test(chunks_do_not_depend_on_threads),
        cmocka_unit_test(one_thread_of_many_is_one),
        cmocka_unit_test(keeps_to_its_limits),
        cmocka_unit_test(stops_when_told),
        cmocka_unit_test(stays_within_its_memory),
        cmocka_unit_test(plays_on_with_one_tree),
        cmocka_unit_test(visits_are_carried_over),
        cmocka_unit_test(the_report_plays_what_it_has_not_tried),
        cmocka_unit_test(the_report_plays_for_the_second_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

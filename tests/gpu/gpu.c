/* gpu.c - a device does what the CPU does: the same playouts, the same counts, and a search that loses none of them. On any
 * device there is, pocl's on the CPU among them; without one it is skipped, but for what a trial makes of crashes. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/random.h"
#include "engine/engine.h"
#include "gpu/gpu.h"
#include "gpu/trial.h"
#include "parallel/perft_device.h"
#include "search/mcts.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum { SKIPPED = 77 };
static int positions = 1000;

static struct mp_game *open_game(const char *name)
{
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open(name, &error);
    if (!game)
        fail_msg("%s", error.text);
    return game;
}

/* ---- Playouts -------------------------------------------------------------------------------------------- */

/* The sums of rewards that come back are those of mcts_value_leaf, to the last bit. */
static void plays_as_mcts_does(const char *name, int plies)
{
    enum { PLAYOUTS = 5 };
    struct mp_game *game = open_game(name);
    struct mp_error error = {0};
    struct mp_search *search = mp_search_new(game, "mcts,playouts=5", &error);
    struct mcts *mcts = search->data;
    int32_t rewards[2 * 64 + 1];
    assert_in_range(game->margin_max, 1, 64);
    for (int margin = -game->margin_max; margin <= game->margin_max; margin++)
        rewards[margin + game->margin_max] = (int32_t)mcts_margin_reward(mcts, margin);
    struct gpu *gpu = gpu_open(game, 1, rewards, &error);
    struct gpu_batch *batch = gpu ? gpu_batch_new(gpu, positions, &error) : NULL;
    if (!batch)
        fail_msg("%s", error.text);
    int64_t *expected = calloc((size_t)positions, sizeof *expected);
    struct worker *w = &search->crew.workers[0];
    for (int i = 0; i < positions; i++) {
        struct mp_position *position = subjects_position(game, (uint64_t)i, plies);
        struct mp_history history = mp_position_history(position);
        assert_true(worker_set_root(w, mp_position_state(position), &history, &error));
        expected[i] = mcts_value_leaf(mcts, w, 0, random_at(1, (uint64_t)i));
        gpu_batch_add(batch, mp_position_state(position), random_at(1, (uint64_t)i));
        mp_position_free(position);
    }
    assert_int_equal(gpu_batch_count(batch), positions);
    if (!gpu_play(batch, PLAYOUTS, &error) || !gpu_return(batch, &error))
        fail_msg("%s", error.text);
    assert_int_equal(gpu_batch_count(batch), 0);
    for (int i = 0; i < positions; i++)
        if (gpu_sum(batch, i) != expected[i])
            fail_msg("%s, position %d: %d on the device, %lld in C", name, i, gpu_sum(batch, i),
                     (long long)expected[i]);
    free(expected);
    gpu_batch_free(batch);
    gpu_close(gpu);
    mp_search_free(search);
    mp_game_close(game);
}

static void test_othello_playouts(void **state)
{
    (void)state;
    plays_as_mcts_does("othello", 60);
}

static void test_plugin_playouts(void **state)
{
    (void)state;
    plays_as_mcts_does(CONNECT4_PLUGIN, 40);
}

/* What `manyply devices GAME` says is found out by these. */
static void test_comparison(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    struct mp_error error = {0};
    int32_t halves[2 * 64 + 1];
    for (int margin = -64; margin <= 64; margin++)
        halves[margin + 64] = margin / 2;
    struct gpu *gpu = gpu_open(game, 1, NULL, &error), *wrong = gpu_open(game, 1, halves, &error);
    assert_non_null(gpu);
    assert_non_null(wrong);
    if (!gpu_compare(gpu, positions, 2, &error))
        fail_msg("%s", error.text);
    assert_false(gpu_compare(wrong, positions, 2, &error));
    assert_non_null(strstr(error.text, "expected"));
    assert_true(gpu_measure(gpu, 0.001, &error) > 0);
    gpu_close(gpu);
    gpu_close(wrong);
    mp_game_close(game);
}

/* ---- Counting -------------------------------------------------------------------------------------------- */

static void counts_the_same(const struct mp_position *position, int depth, bool drop)
{
    struct mp_error error = {0};
    uint64_t here, there;
    assert_true(mp_perft(position, depth, 1, drop, NULL, NULL, &here, &error));
    if (!device_perft(position, depth, 1, drop, NULL, NULL, &there, &error))
        fail_msg("%s", error.text);
    if (here != there)
        fail_msg("perft %d, %s: %llu on the device, %llu in C", depth, drop ? "drop" : "count",
                 (unsigned long long)there, (unsigned long long)here);
}

/* Where sides pass, and games end at every ply. */
static void counts_late_positions(const struct mp_game *game)
{
    enum { POSITIONS = 60, LATE = 48, DEEPEST = 7 };
    struct mp_position *late[POSITIONS];
    struct mp_error error = {0};
    for (uint64_t seed = 0, found = 0; found < POSITIONS; seed++) {
        late[found] = subjects_position(game, seed, 60);
        if (mp_position_history(late[found]).count >= LATE)
            found++;
        else
            mp_position_free(late[found]);
    }
    struct gpu *gpu = gpu_open(game, 1, NULL, &error);
    struct gpu_batch *batch = gpu ? gpu_batch_new(gpu, POSITIONS, &error) : NULL;
    if (!batch)
        fail_msg("%s", error.text);
    for (int depth = 1; depth <= DEEPEST; depth++)
        for (int drop = 0; drop < 2; drop++) {
            for (int i = 0; i < POSITIONS; i++)
                gpu_batch_add(batch, mp_position_state(late[i]), 0);
            if (!gpu_count(batch, depth, drop, &error) || !gpu_return(batch, &error))
                fail_msg("%s", error.text);
            for (int i = 0; i < POSITIONS; i++) {
                uint64_t here;
                assert_true(mp_perft(late[i], depth, 1, drop, NULL, NULL, &here, &error));
                assert_int_equal(gpu_leaves(batch, i), here);
            }
        }
    gpu_batch_free(batch);
    gpu_close(gpu);
    counts_the_same(late[0], 10, true);
    for (int i = 0; i < POSITIONS; i++)
        mp_position_free(late[i]);
}

/* The whole way: plies that are walked here, and those that the device counts. */
static void test_perft(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    struct mp_position *beginning = mp_position_new(game, NULL, NULL);
    for (int depth = 0; depth <= 10; depth += depth == 1 ? 5 : 1)
        counts_the_same(beginning, depth, false);
    mp_position_free(beginning);
    counts_late_positions(game);
    mp_game_close(game);
    game = open_game(CONNECT4_PLUGIN);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_error error = {0};
    uint64_t leaves;
    assert_false(device_perft(position, 3, 1, false, NULL, NULL, &leaves, &error));
    assert_non_null(strstr(error.text, "do not count"));
    mp_position_free(position);
    mp_game_close(game);
}

/* ---- Searches -------------------------------------------------------------------------------------------- */

/* Nothing is on its way any more, and a parent has been visited as often as its children and itself. */
static uint64_t check_block(const struct mcts_tree *tree, struct mcts_block *block)
{
    uint64_t visits = 0;
    for (uint32_t i = 0; block && i < block->count; i++) {
        struct mcts_place place = {block, i};
        uint64_t own = mcts_visits(mcts_node(place));
        assert_int_equal(atomic_load(&block->edges[i].pending), 0);
        assert_true(check_block(tree, mcts_children(tree, place)) <= own);
        visits += own;
    }
    return visits;
}

static void grows_a_tree(const struct mp_game *game, const char *strategy, uint64_t iterations)
{
    struct mp_error error = {0};
    struct mp_search *search = mp_search_new(game, strategy, &error);
    if (!search)
        fail_msg("%s: %s", strategy, error.text);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    for (int move = 0; move < 3; move++) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        if (!mp_search_run(search, position, NULL, NULL, &result, &error))
            fail_msg("%s: %s", strategy, error.text);
        assert_int_equal(result.counters.iterations, iterations);
        assert_in_range(result.counters.playouts, 1, iterations * 16);
        const struct mcts *mcts = search->data;
        struct mcts_place root = mcts_root(&mcts->trees[0]);
        uint64_t below = check_block(&mcts->trees[0], mcts_children(&mcts->trees[0], root));
        assert_true(below <= mcts_visits(mcts_node(root)));
        assert_true(mcts_visits(mcts_node(root)) >= iterations * 16);
        assert_true(mp_position_play(position, result.move, NULL)); /* the rest of the tree is kept */
    }
    mp_position_free(position);
    mp_search_free(search);
}

static void test_trees(void **state)
{
    (void)state;
    struct mp_game *othello = open_game("othello"), *connect4 = open_game(CONNECT4_PLUGIN);
    grows_a_tree(othello, "mcts,split=gpu,threads=1,iterations=1000", 1000);
    grows_a_tree(othello, "mcts,split=gpu,threads=2,iterations=1000,chunk=100", 1000);
    grows_a_tree(othello, "mcts,split=gpu,threads=3,iterations=101,vloss=1,chunk=1", 101);
    grows_a_tree(connect4, "mcts,split=gpu,threads=2,iterations=2000,memory=1", 2000);
    mp_game_close(othello);
    mp_game_close(connect4);
}

/* What is proven comes up past batches that are away. */
static void test_proofs(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    for (uint64_t seed = 0, found = 0; found < 3; seed++) {
        struct mp_position *position = subjects_position(game, seed, 60);
        if (mp_position_history(position).count >= 53) {
            struct mp_error error = {0};
            struct mp_result truth = {MP_SIZE(struct mp_result)}, result = {MP_SIZE(struct mp_result)};
            struct mp_search *exact = mp_search_new(game, "alphabeta,depth=20", &error);
            struct mp_search *search = mp_search_new(game, "mcts,split=gpu,threads=2,iterations=200000",
                                                     &error);
            assert_non_null(search);
            assert_true(mp_search_run(exact, position, NULL, NULL, &truth, &error));
            assert_true(mp_search_run(search, position, NULL, NULL, &result, &error));
            assert_true(result.exact);
            assert_int_equal(result.value, truth.value);
            mp_search_free(exact);
            mp_search_free(search);
            found++;
        }
        mp_position_free(position);
    }
    mp_game_close(game);
}

static void *stop_soon(void *search)
{
    usleep(20000);
    mp_search_stop(search);
    return NULL;
}

/* A stop ends it with a move, and the tree whole. */
static void test_stop(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    struct mp_error error = {0};
    struct mp_search *search = mp_search_new(game, "mcts,split=gpu,threads=2,time=600s", &error);
    assert_non_null(search);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        pthread_t thread;
        pthread_create(&thread, NULL, stop_soon, search);
        assert_true(mp_search_run(search, position, NULL, NULL, &result, &error));
        pthread_join(thread, NULL);
        assert_true(result.stopped);
        const struct mcts_tree *tree = &((struct mcts *)search->data)->trees[0];
        check_block(tree, mcts_children(tree, mcts_root(tree)));
    }
    mp_position_free(position);
    mp_search_free(search);
    mp_game_close(game);
}

/* ---- Sources that are wrong ------------------------------------------------------------------------------- */

static void test_wrong_source(void **state)
{
    (void)state;
    struct mp_game *game = open_game("othello");
    struct mp_kernels kernels = *game->kernels;
    struct mp_error error = {0};
    game->kernels = &kernels;
    kernels.source = "this is not OpenCL C;";
    assert_null(gpu_open(game, 1, NULL, &error));
    assert_non_null(strstr(error.text, "the kernels of othello do not compile"));
    /* A state of another size than was said, and a game that never ends. */
    kernels.source = "typedef struct { ulong own; } mp_state;"
                     "bool mp_step(mp_state *s, mp_random *r) { s->own++; return false; }"
                     "int mp_margin(const mp_state *s) { return 1; }";
    kernels.counts = false;
    assert_null(gpu_open(game, 1, NULL, &error));
    assert_non_null(strstr(error.text, "do not compile"));
    kernels.source = "typedef struct { ulong own, opp; } mp_state;"
                     "bool mp_step(mp_state *s, mp_random *r) { s->own++; return false; }"
                     "int mp_margin(const mp_state *s) { return 1; }";
    struct gpu *gpu = gpu_open(game, 1, NULL, &error);
    struct gpu_batch *batch = gpu ? gpu_batch_new(gpu, 1, &error) : NULL;
    if (!batch)
        fail_msg("%s", error.text);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    gpu_batch_add(batch, mp_position_state(position), 0);
    assert_true(gpu_play(batch, 3, &error) && gpu_return(batch, &error));
    assert_int_equal(gpu_sum(batch, 0), 0);
    mp_position_free(position);
    gpu_batch_free(batch);
    gpu_close(gpu);
    assert_null(gpu_open(game, GPU_MOST_DEVICES, NULL, &error));
    assert_non_null(strstr(error.text, "expected 1 to"));
    mp_game_close(game);
}

/* ---- Trials ---------------------------------------------------------------------------------------------- */

static bool attempt(void *shared, const void *context, struct mp_error *error)
{
    int *number = shared;
    switch (*(const char *)context) {
    case 'r':
        *number += 1;
        return true;
    case 'w':
        return mp_fail(error, "wrong");
    case 'c':
        raise(SIGSEGV);
        return true;
    case 'x':
        _exit(0);
    default:
        for (;;)
            pause();
    }
}

static void tries(char what, bool right, const char *sentence)
{
    struct mp_error error = {0};
    int number = 41;
    assert_int_equal(
        trial("the driver", what == 'h' ? 0.1 : 30, attempt, &number, sizeof number, &what, &error), right);
    assert_int_equal(number, right ? 42 : 41);
    assert_string_equal(error.text, sentence);
}

static void test_trials(void **state)
{
    (void)state;
    tries('r', true, "");
    tries('w', false, "wrong");
    tries('x', false, "the driver ended the process, expected a driver that works");
    tries('h', false, "the driver did not answer within 0.1 s, expected a driver that works");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    tries('c', false, "the driver crashed (Segmentation fault), expected a driver that works");
#endif
}

int main(int argc, char **argv)
{
    if (argc > 1)
        positions = atoi(argv[1]);
    const struct CMUnitTest always[] = {cmocka_unit_test(test_trials)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_othello_playouts),
        cmocka_unit_test(test_plugin_playouts),
        cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_proofs),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_wrong_source),
    };
    int failed = cmocka_run_group_tests_name("trials", always, NULL, NULL);
    struct mp_error error = {0};
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    mp_fail(&error, "a driver has threads and memory that are not for sanitizers to judge");
#else
    struct gpu_info infos[GPU_MOST_DEVICES];
    gpu_list(infos, &error);
#endif
    if (*error.text) {
        printf("skipped: %s\n", error.text);
        return failed ? failed : SKIPPED;
    }
    return cmocka_run_group_tests_name("gpu", tests, NULL, NULL) + failed;
}

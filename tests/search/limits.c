/* limits.c - every search ends when it is told to, and always has a legal move to give. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/random.h"

#include <pthread.h>
#include <unistd.h>

static const char *const searches[] = {"minimax",
                                       "alphabeta",
                                       "pvs,hash=1",
                                       "minimax,split=levels,threads=2",
                                       "alphabeta,split=chunked,chunk=2,threads=2",
                                       "alphabeta,split=shared,threads=2",
                                       "alphabeta,split=bfs,threads=2",
                                       "pvs,hash=1,split=pvsplit,threads=2",
                                       "pvs,hash=1,split=ybwc,threads=3",
                                       "pvs,hash=1,split=abdada,threads=2",
                                       "pvs,hash=1,split=lazy,threads=2",
                                       "pvs,hash=1,selective=on",
                                       "pvs,hash=1,selective=on,split=ybwc,threads=2",
                                       "pvs,hash=1,selective=on,split=abdada,threads=2"};
enum { SEARCHES = sizeof searches / sizeof *searches };

static void assert_legal(const struct mp_position *position, const struct mp_result *result)
{
    mp_move moves[4096];
    int count = mp_position_moves(position, moves, NULL, 4096);
    for (int i = 0; i < count; i++)
        if (moves[i] == result->move)
            return;
    fail_msg("%llu is no legal move", (unsigned long long)result->move);
}

/* For each game: from no nodes at all to some thousands, one thread exactly and more threads nearly. */
static void node_limits_are_kept(void **state)
{
    (void)state;
    for (const char *const *name = subjects_names(); *name; name++) {
        struct mp_game *game = mp_game_open(*name, NULL);
        struct mp_position *position = subjects_position(game, 1, 10);
        for (int i = 0; i < SEARCHES; i++)
            for (int nodes = 1; nodes < 5000; nodes = nodes * 3 + 1) {
                char text[128];
                struct mp_result result = {MP_SIZE(struct mp_result)};
                snprintf(text, sizeof text, "%s,nodes=%d,depth=30", searches[i], nodes);
                struct mp_search *search = mp_search_new(game, text, NULL);
                assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
                assert_legal(position, &result);
                assert_true(result.pv_length >= 1 && result.pv[0] == result.move);
                assert_true(result.stopped || result.complete || result.depth == 30);
                /* The children of the last node may be valued in one call. */
                assert_true((int)result.counters.nodes <= nodes + 300 * result.threads);
                assert_true(result.depth == 0 || result.exact == !strstr(searches[i], "selective"));
                mp_search_free(search);
            }
        mp_position_free(position);
        mp_game_close(game);
    }
}

/* The same limit gives the same answer, however often it is run. */
static void node_limits_repeat(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    uint64_t nodes[3];
    for (int i = 0; i < 3; i++) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        struct mp_search *search = mp_search_new(game, "pvs,nodes=54321,hash=1", NULL);
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
        nodes[i] = result.counters.nodes;
        mp_search_free(search);
    }
    assert_int_equal(nodes[0], nodes[1]);
    assert_int_equal(nodes[0], nodes[2]);
    mp_position_free(position);
    mp_game_close(game);
}

struct order {
    struct mp_search *search;
    useconds_t delay_us;
};

static void *stop_later(void *argument)
{
    const struct order *order = argument;
    usleep(order->delay_us);
    mp_search_stop(order->search);
    return NULL;
}

static void stops_at_any_moment(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    for (int i = 0; i < SEARCHES; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s,depth=60", searches[i]);
        struct mp_search *search = mp_search_new(game, text, NULL);
        for (uint64_t k = 0; k < 20; k++) {
            struct order order = {search, random_below(random_at(3, k), 10000)};
            struct mp_result result = {MP_SIZE(struct mp_result)};
            pthread_t thread;
            assert_int_equal(pthread_create(&thread, NULL, stop_later, &order), 0);
            assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
            pthread_join(thread, NULL);
            mp_search_clear_stop(search);
            assert_true(result.stopped);
            assert_legal(position, &result);
        }
        mp_search_free(search);
    }
    mp_position_free(position);
    mp_game_close(game);
}

/* A stop that comes first ends the next run at once; the run takes it back. */
static void an_early_stop_is_not_lost(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_search *search = mp_search_new(game, "pvs,depth=5", NULL);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    mp_search_stop(search);
    assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
    assert_true(result.stopped);
    assert_int_equal(result.depth, 1); /* a look at each move */
    assert_legal(position, &result);
    assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
    assert_false(result.stopped);
    assert_int_equal(result.depth, 5);
    mp_search_stop(search);
    mp_search_clear_stop(search);
    assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
    assert_false(result.stopped);
    mp_search_free(search);
    mp_position_free(position);
    mp_game_close(game);
}

static void time_limits_end_a_search(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    for (int i = 0; i < SEARCHES; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s,time=20ms", searches[i]);
        struct mp_search *search = mp_search_new(game, text, NULL);
        struct mp_result result = {MP_SIZE(struct mp_result)};
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
        assert_true(result.stopped);
        assert_true(result.depth >= 1);
        assert_true(result.seconds >= 0.02);
        assert_legal(position, &result);
        mp_search_free(search);
    }
    mp_position_free(position);
    mp_game_close(game);
}

struct other {
    struct mp_search *search;
    const struct mp_position *position;
    struct mp_result result;
};

static void *run_search(void *argument)
{
    struct other *other = argument;
    other->result = (struct mp_result){MP_SIZE(struct mp_result)};
    mp_search_run(other->search, other->position, NULL, NULL, &other->result, NULL);
    return NULL;
}

static void two_searches_run_at_once(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct other others[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        others[i] = (struct other){mp_search_new(game, "pvs,depth=7,hash=1", NULL), position, {0}};
        assert_int_equal(pthread_create(&threads[i], NULL, run_search, &others[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(others[i].result.value, others[0].result.value);
        assert_int_equal(others[i].result.counters.nodes, others[0].result.counters.nodes);
        mp_search_free(others[i].search);
    }
    mp_position_free(position);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(node_limits_are_kept),     cmocka_unit_test(node_limits_repeat),
        cmocka_unit_test(stops_at_any_moment),      cmocka_unit_test(an_early_stop_is_not_lost),
        cmocka_unit_test(time_limits_end_a_search), cmocka_unit_test(two_searches_run_at_once),
    };
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}

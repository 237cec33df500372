/* simulate.c - simulate=: searches on virtual machines give the same answers, always in the same time, which adds up. */
#include "tests/support/strategies.h"
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include <math.h>

static struct mp_result run(const struct mp_game *game, const char *text, struct mp_times *times)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_position *position = subjects_position(game, 1, 8);
    struct mp_search *search = mp_search_new(game, text, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", text, error.text);
    for (int i = 0; times && i < result.threads; i++) {
        times[i] = (struct mp_times){MP_SIZE(struct mp_times)};
        assert_true(mp_search_times(search, i, &times[i]));
    }
    mp_search_free(search);
    mp_position_free(position);
    return result;
}

/* One of each scheme. */
static const struct {
    const char *game, *strategy;
} searches[] = {
    {"othello", "minimax,depth=6,split=top"},
    {"othello", "pvs,depth=9,split=levels"},
    {"othello", "pvs,depth=9,split=chunked"},
    {"othello", "alphabeta,depth=7,split=bfs"},
    {"othello", "pvs,depth=9,split=shared,min=2"},
    {"othello", "pvs,depth=10,split=pvsplit"},
    {"othello", "pvs,depth=10,split=ybwc"},
    {"chess", "pvs,depth=5,split=ybwc"},
    {"othello", "pvs,depth=10,split=abdada"},
    {"halma", "pvs,depth=4,split=abdada"},
    {"othello", "pvs,depth=9,split=lazy"},
    {"othello", "mcts,iterations=2000,split=root"},
    {"othello", "mcts,iterations=2000,split=root,chunk=100,merge=parallel"},
    {"othello", "mcts,iterations=500,split=leaf,playouts=8"},
    {"othello", "mcts,iterations=3000,split=tree"},
    {DICE_PLUGIN, "star1,depth=4,split=rolls"},
    {DICE_PLUGIN, "star2,depth=4,split=ybwc"},
    {DICE_PLUGIN, "star1,depth=4,split=rolls+moves"},
    {"backgammon", "rollout,games=24,truncate=6,split=games"},
};

static void assert_times_add_up(const char *text, const struct mp_result *result,
                                const struct mp_times *times)
{
    double nodes = 0;
    for (int i = 0; i < result->threads; i++) {
        const struct mp_times *t = &times[i];
        double all = t->nodes + t->steals + t->wakes + t->locks + t->lines + t->waiting;
        if (fabs(all - result->seconds) > 2e-9)
            fail_msg("%s: thread %d has %.12f s of %.12f", text, i, all, result->seconds);
        if (fabs(result->busy_seconds[i] + t->waiting - result->seconds) > 2e-9)
            fail_msg("%s: thread %d is busy for %.12f s of %.12f", text, i, result->busy_seconds[i],
                     result->seconds);
        nodes += t->nodes;
    }
    assert_true(fabs(nodes - (double)result->counters.nodes * 200e-9) < 1e-9 * (double)result->threads);
}

static void repeats_itself_and_adds_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
        struct mp_game *game = mp_game_open(searches[i].game, NULL);
        assert_non_null(game);
        uint64_t stolen = 0;
        static const int threads[] = {2, 7, 64};
        for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
            char text[160];
            struct mp_times times[2][MP_MAX_THREADS];
            struct mp_result first, again;
            bool samples = strstr(searches[i].strategy, "mcts");
            snprintf(text, sizeof text, "%s%s,simulate=node:200,threads=%d", searches[i].strategy,
                     samples ? "" : ",eager=on", threads[k]);
            first = run(game, text, times[0]);
            again = run(game, text, times[1]);
            if (first.move != again.move || first.value != again.value || first.seconds != again.seconds ||
                memcmp(&first.counters, &again.counters, sizeof first.counters) != 0 ||
                memcmp(times[0], times[1], (size_t)first.threads * sizeof *times[0]) != 0)
                fail_msg("%s: %llu nodes in %.12f s, then %llu in %.12f", text,
                         (unsigned long long)first.counters.nodes, first.seconds,
                         (unsigned long long)again.counters.nodes, again.seconds);
            stolen += first.counters.tasks_stolen;
            assert_times_add_up(text, &first, times[0]);
        }
        if (stolen == 0)
            fail_msg("%s: nothing is shared", searches[i].strategy);
        mp_game_close(game);
    }
}

/* One virtual thread is the sequential search, and its time is that of its nodes. */
static void one_thread_is_the_sequential_search(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
        struct mp_game *game = mp_game_open(searches[i].game, NULL);
        struct mp_times times[1];
        char text[160], alone[128];
        snprintf(text, sizeof text, "%s,simulate=node:200,threads=1", searches[i].strategy);
        snprintf(alone, sizeof alone, "%.*s", (int)(strstr(text, ",split=") - text), text);
        struct mp_result one = run(game, text, times);
        assert_true(fabs(one.seconds - (double)one.counters.nodes * 200e-9) < 2e-9);
        assert_times_add_up(text, &one, times);
        /* The trees of mcts differ where playouts or chunks do. */
        if (!strstr(text, "playouts=") && !strstr(text, "chunk="))
            assert_int_equal(one.counters.nodes, run(game, alone, NULL).counters.nodes);
        mp_game_close(game);
    }
}

static void values_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        int depth;
    } cases[] = {{"othello", 5}, {"chess", 3}, {DICE_PLUGIN, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_game *game = mp_game_open(cases[i].game, NULL);
        char text[512], filled[400];
        snprintf(text, sizeof text, "%s,depth=%d", game->chances ? "expectiminimax" : "minimax",
                 cases[i].depth);
        mp_value value = run(game, text, NULL).value;
        for (int j = 0; exact_strategies[j]; j++) {
            if (!strstr(exact_strategies[j], "%d") || !strategy_suits(exact_strategies[j], game))
                continue;
            static const int threads[] = {3, 40};
            for (int k = 0; k < 2; k++) {
                strategy_fill_in(exact_strategies[j], threads[k], filled, sizeof filled);
                snprintf(text, sizeof text, "%s,depth=%d,simulate=on", filled, cases[i].depth);
                mp_value found = run(game, text, NULL).value;
                if (found != value)
                    fail_msg("%s, %s: %d, expected %d", cases[i].game, text, found, value);
            }
        }
        mp_game_close(game);
    }
}

/* More cores help; what costs more takes longer. Nothing here depends on the machine that runs the test. */
static void the_machine_matters(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_times times[8];
    double seconds[4];
    for (int i = 0; i < 4; i++) {
        char text[128];
        snprintf(text, sizeof text, "pvs,depth=11,split=ybwc,simulate=on,threads=%d", 1 << i);
        seconds[i] = run(game, text, NULL).seconds;
    }
    assert_true(seconds[0] / seconds[1] > 1.6 && seconds[0] / seconds[1] <= 2.01);
    assert_true(seconds[1] > seconds[2] && seconds[2] > seconds[3]);
    static const char *const dear[] = {"steal:100000", "wake:1000000+spin:0", "lock:10000", "line:1000"};
    for (int i = 0; i < 4; i++) {
        char text[128];
        snprintf(text, sizeof text, "pvs,depth=11,split=ybwc,simulate=%s,threads=8", dear[i]);
        struct mp_result result = run(game, text, times);
        assert_true(result.seconds > seconds[3] * 1.05);
        double paid = 0, all = 0;
        for (int t = 0; t < 8; t++) {
            const double kinds[] = {times[t].steals, times[t].wakes, times[t].locks, times[t].lines};
            paid += kinds[i];
            all += result.seconds;
        }
        assert_true(paid > 0.02 * all);
    }
    mp_game_close(game);
}

/* A limit of time is one of virtual time. */
static void time_is_virtual(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    uint64_t before = 0;
    for (int threads = 1; threads <= 16; threads *= 4) {
        char text[128];
        snprintf(text, sizeof text, "pvs,time=20ms,split=ybwc,simulate=node:1000,threads=%d", threads);
        struct mp_result first = run(game, text, NULL), again = run(game, text, NULL);
        assert_true(first.stopped);
        assert_true(first.seconds >= 0.02 && first.seconds < 0.022);
        assert_int_equal(first.counters.nodes, again.counters.nodes);
        assert_true(first.counters.nodes > 2 * before);
        before = first.counters.nodes;
    }
    mp_game_close(game);
}

static void real_threads_have_no_virtual_times(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_search *search = mp_search_new(game, "pvs,depth=3,split=ybwc,threads=2", NULL);
    struct mp_times times = {MP_SIZE(struct mp_times)};
    assert_false(mp_search_times(search, 0, &times));
    mp_search_free(search);
    search = mp_search_new(game, "pvs,depth=3,split=ybwc,threads=2,simulate=on", NULL);
    assert_false(mp_search_times(search, -1, &times));
    assert_false(mp_search_times(search, 2, &times));
    assert_true(mp_search_times(search, 1, &times));
    mp_search_free(search);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeats_itself_and_adds_up),
        cmocka_unit_test(one_thread_is_the_sequential_search),
        cmocka_unit_test(values_are_exact),
        cmocka_unit_test(the_machine_matters),
        cmocka_unit_test(time_is_virtual),
        cmocka_unit_test(real_threads_have_no_virtual_times),
    };
    return cmocka_run_group_tests_name("simulate", tests, NULL, NULL);
}

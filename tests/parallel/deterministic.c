/* deterministic.c - deterministic=on: the same move, value and number of nodes every time, at any number of
 * threads, although the threads do share the work. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

static const struct {
    const char *game, *strategy;
} searches[] = {
    {"othello", "minimax,depth=6,split=top"},      {"othello", "pvs,depth=9,split=levels"},
    {"othello", "pvs,depth=9,split=chunked"},      {"othello", "alphabeta,depth=7,split=bfs"},
    {"othello", "pvs,depth=9,split=shared,min=2"}, {"othello", "pvs,depth=10,split=pvsplit"},
    {"othello", "pvs,depth=10,split=ybwc"},        {"othello", "pvs,depth=10,split=abdada"},
    {"othello", "pvs,depth=9,split=lazy"},         {"chess", "pvs,depth=5,split=ybwc"},
    {"chess", "pvs,depth=5,split=abdada"},         {"halma", "pvs,depth=4,split=ybwc"},
    {DICE_PLUGIN, "star1,depth=4,split=rolls"},    {DICE_PLUGIN, "star2,depth=4,split=ybwc"},
};

static struct mp_result run(const struct mp_game *game, const char *strategy, int threads)
{
    char text[128];
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    snprintf(text, sizeof text, "%s,deterministic=on,threads=%d", strategy, threads);
    struct mp_position *position = subjects_position(game, 1, 8);
    struct mp_search *search = mp_search_new(game, text, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", text, error.text);
    mp_search_free(search);
    mp_position_free(position);
    return result;
}

static void repeats_itself(void **state)
{
    (void)state;
    uint64_t stolen = 0;
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
        struct mp_game *game = mp_game_open(searches[i].game, NULL);
        assert_non_null(game);
        for (int threads = 1; threads <= 4; threads++) {
            struct mp_result first = run(game, searches[i].strategy, threads);
            struct mp_result again = run(game, searches[i].strategy, threads);
            stolen += first.counters.tasks_stolen;
            if (first.move != again.move || first.value != again.value ||
                memcmp(&first.counters, &again.counters, sizeof first.counters) != 0)
                fail_msg("%s, %d threads: %llu nodes, then %llu", searches[i].strategy, threads,
                         (unsigned long long)first.counters.nodes, (unsigned long long)again.counters.nodes);
        }
        mp_game_close(game);
    }
    assert_true(stolen > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(repeats_itself)};
    return cmocka_run_group_tests_name("deterministic", tests, NULL, NULL);
}

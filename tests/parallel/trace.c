/* trace.c - following a search: what is seen of a thread while it runs is consistent, what is written is a
 * timeline whose slices are nested, and the counters of tasks add up. */
#include "tests/support/test.h"

#include "manyply/manyply.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

struct onlooker {
    struct mp_search *search;
    const struct mp_game *game;
    atomic_bool done;
    _Atomic uint64_t with_move, helping;
    uint64_t looks, nodes;
};

static bool is_legal(const struct mp_game *game, const void *state, mp_move move)
{
    mp_move moves[256];
    int count = game->list(game, state, moves, 256);
    for (int i = 0; i < count; i++)
        if (moves[i] == move)
            return true;
    return false;
}

/* A state and a move that do not belong together would be found out: the move would not be legal. */
static void *look_on(void *argument)
{
    struct onlooker *o = argument;
    _Alignas(64) char state[1024];
    while (!atomic_load(&o->done)) {
        for (int thread = 0; thread < 3; thread++) {
            struct mp_activity now;
            assert_true(mp_search_activity(o->search, thread, &now, state));
            o->looks++;
            o->nodes = now.nodes > o->nodes ? now.nodes : o->nodes;
            o->helping += now.doing == MP_HELPING;
            if (!now.has_state || !now.has_move)
                continue;
            o->with_move++;
            assert_in_range(now.ply, 0, 20);
            assert_in_range(now.depth, 1, 20);
            assert_true(is_legal(o->game, state, now.move));
        }
    }
    return NULL;
}

static void can_be_watched(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("chess", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_search *search = mp_search_new(game, "pvs,time=200ms,split=ybwc,threads=3", NULL);
    struct mp_activity now;
    assert_false(mp_search_activity(search, 0, &now, NULL));
    assert_true(mp_search_follow(search, 0, NULL));
    assert_true(mp_search_activity(search, 0, &now, NULL));
    assert_int_equal(now.doing, MP_RESTING);
    assert_false(mp_search_activity(search, 3, &now, NULL));
    assert_false(mp_search_activity(search, -1, &now, NULL));
    struct onlooker onlooker = {.search = search, .game = game};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, look_on, &onlooker), 0);
    struct mp_result result;
    /* On a busy machine the onlooker may sleep through a run. */
    for (int i = 0; i < 20 && !(atomic_load(&onlooker.with_move) && atomic_load(&onlooker.helping)); i++)
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
    atomic_store(&onlooker.done, true);
    pthread_join(thread, NULL);
    assert_true(onlooker.with_move > 0 && onlooker.helping > 0 && onlooker.nodes > 0);
    assert_true(mp_search_activity(search, 0, &now, NULL));
    assert_int_equal(now.doing, MP_RESTING);
    print_message("%llu looks, %llu at a move\n", (unsigned long long)onlooker.looks,
                  (unsigned long long)onlooker.with_move);
    mp_search_free(search);
    mp_position_free(position);
    mp_game_close(game);
}

static const char *const strategies[] = {
    "minimax,depth=5,split=levels,threads=3,eager=on",
    "alphabeta,depth=7,split=chunked,chunk=3,threads=2,eager=on",
    "alphabeta,depth=7,split=bfs,threads=2,eager=on",
    "alphabeta,depth=9,split=shared,min=2,threads=3,eager=on",
    "pvs,depth=9,split=ybwc,threads=3,eager=on",
    "pvs,depth=9,split=abdada,threads=3,eager=on",
    "pvs,time=20ms,depth=60,split=ybwc,threads=3,eager=on",
};

static void tasks_add_up(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        struct mp_search *search = mp_search_new(game, strategies[i], NULL);
        struct mp_result result;
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
        const struct mp_counters *c = &result.counters;
        if (c->tasks_created == 0 ||
            c->tasks_created != c->tasks_local + c->tasks_stolen + c->tasks_cancelled)
            fail_msg("%s: %llu tasks created, %llu local, %llu stolen, %llu cancelled", strategies[i],
                     (unsigned long long)c->tasks_created, (unsigned long long)c->tasks_local,
                     (unsigned long long)c->tasks_stolen, (unsigned long long)c->tasks_cancelled);
        assert_true(c->wasted_nodes <= c->nodes);
        mp_search_free(search);
    }
    mp_position_free(position);
    mp_game_close(game);
}

/* However little room there is, the whole run is covered: the outermost slices are the longest. */
static void forgets_short_slices_first(void **test_state)
{
    (void)test_state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_search *search = mp_search_new(game, "pvs,depth=9,split=ybwc,threads=2,eager=on", NULL);
    struct mp_error error = {""};
    assert_false(mp_search_write_trace(search, "/tmp/unused", &error));
    assert_contains(error.text, "nobody followed");
    assert_true(mp_search_follow(search, 16, NULL));
    struct mp_result result;
    assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
    char path[] = "/tmp/manyply-trace-XXXXXX", line[8192];
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_true(mp_search_write_trace(search, path, &error));
    FILE *in = fopen(path, "r");
    int slices[2] = {0}, iterations = 0;
    while (fgets(line, sizeof line, in)) {
        bool slice = strstr(line, "\"ph\":\"X\"") && !strstr(line, "\"idle\"");
        slices[0] += slice && strstr(line, "\"tid\":0");
        slices[1] += slice && strstr(line, "\"tid\":1");
        iterations += strstr(line, "\"iteration\"") != NULL;
    }
    fclose(in);
    unlink(path);
    assert_in_range(slices[0], 1, 16);
    assert_true(slices[1] <= 16);
    assert_true(iterations > 0);
    assert_false(mp_search_write_trace(search, "/nonexistent/folder/out.json", &error));
    assert_contains(error.text, "/nonexistent/folder/out.json: No such file");
    mp_search_free(search);
    mp_position_free(position);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(can_be_watched),
        cmocka_unit_test(tasks_add_up),
        cmocka_unit_test(forgets_short_slices_first),
    };
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}

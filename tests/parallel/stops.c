/* stops.c - searches stopped from another thread at random moments: each returns a legal move, and leaves no
 * thread behind.
 *
 *     stops [SEARCHES]       60 if not said; a thousand take about half a minute
 *
 * Under ThreadSanitizer and AddressSanitizer it also shows that there is no race and no leak. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/random.h"

#include <dirent.h>
#include <pthread.h>
#include <unistd.h>

static int search_count = 60;

static const char *const schemes_of_all[] = {
    "minimax,split=top",
    "minimax,split=levels",
    "alphabeta,split=chunked",
    "alphabeta,split=bfs",
    "pvs,split=shared",
    "pvs,split=pvsplit",
    "pvs,split=ybwc",
    "pvs,split=abdada",
    "pvs,split=lazy",
    "alphabeta,split=ybwc",
    "pvs",
};
static const char *const schemes_of_dice[] = {
    "expectiminimax,split=rolls", "star1,split=rolls",  "star2,split=rolls+moves",
    "star2,split=ybwc",           "star2,split=levels", "star1",
};
enum {
    ALL = sizeof schemes_of_all / sizeof *schemes_of_all,
    DICE = sizeof schemes_of_dice / sizeof *schemes_of_dice,
    LONGEST_US = 50000,
};

static int threads_of_process(void)
{
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    int count = 0;
    while (readdir(tasks))
        count++;
    closedir(tasks);
    return count;
}

struct order {
    struct mp_search *search;
    unsigned delay_us;
};

static void *give_order(void *argument)
{
    const struct order *order = argument;
    usleep(order->delay_us);
    mp_search_stop(order->search);
    return NULL;
}

static void stop_one(const struct mp_game *game, uint64_t seed)
{
    uint64_t stream = seed;
    char text[128];
    const char *scheme = game->chances ? schemes_of_dice[random_next(&stream) % DICE]
                                       : schemes_of_all[random_next(&stream) % ALL];
    /* On one thread only where nothing is split. */
    snprintf(text, sizeof text, "%s,threads=%d,depth=60%s", scheme, 2 + (int)(random_next(&stream) % 3),
             strstr(scheme, "split=") && random_next(&stream) % 2 ? ",eager=on" : "");
    struct mp_position *position = subjects_position(game, seed, 40);
    struct mp_error error = {""};
    struct mp_result result;
    struct order order = {mp_search_new(game, text, &error), random_below(random_next(&stream), LONGEST_US)};
    if (!order.search)
        fail_msg("%s: %s", text, error.text);
    if (random_next(&stream) % 4 == 0)
        assert_true(mp_search_follow(order.search, 100, NULL));
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, give_order, &order), 0);
    assert_true(mp_search_run(order.search, position, NULL, NULL, &result, &error));
    pthread_join(thread, NULL);
    mp_search_free(order.search);
    mp_move moves[4096];
    int count = mp_position_moves(position, moves, NULL, 4096), i = 0;
    while (i < count && moves[i] != result.move)
        i++;
    if (i == count)
        fail_msg("%s on %s: the move is not legal", text, game->name);
    mp_position_free(position);
}

static void obeys_at_any_moment(void **state)
{
    (void)state;
    enum { MOST = 64 };
    struct mp_game *games[MOST];
    int count = 0;
    for (const char *const *name = subjects_names(); *name && count < MOST; name++)
        games[count++] = mp_game_open(*name, NULL);
    /* A sanitizer may have a thread of its own from the first search on. */
    stop_one(games[0], 0);
    int threads = threads_of_process();
    for (int i = 1; i < search_count; i++)
        stop_one(games[i % count], (uint64_t)i);
    assert_int_equal(threads_of_process(), threads);
    for (int i = 0; i < count; i++)
        mp_game_close(games[i]);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        search_count = atoi(argv[1]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(obeys_at_any_moment)};
    return cmocka_run_group_tests_name("stops", tests, NULL, NULL);
}

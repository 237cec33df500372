/* stops.c - searches stopped from another thread at random moments: each returns a legal move, leaves no
 * thread behind, and leaves nothing that would disturb the next one on the same object.
 *
 *     stops [SEARCHES]       60 by default; a thousand take about half a minute
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

static void assert_legal(const struct mp_position *position, mp_move move, const char *text)
{
    mp_move moves[4096];
    int count = mp_position_moves(position, moves, NULL, 4096), i = 0;
    while (i < count && moves[i] != move)
        i++;
    if (i == count)
        fail_msg("%s: the move is not legal", text);
}

/* The greatest depth whose tree is small. */
static int small_depth(const struct mp_position *position)
{
    enum { MOST_LEAVES = 100000, MOST_DEPTH = 6 };
    uint64_t leaves;
    int depth = 1;
    while (depth < MOST_DEPTH && mp_perft(position, depth + 1, 1, false, NULL, NULL, &leaves, NULL) &&
           leaves <= MOST_LEAVES)
        depth++;
    return depth;
}

/* A search to a small depth is finished, and has the value that a search of its own has on one thread. */
static void run_again(const struct mp_game *game, struct mp_search *search, const char *scheme,
                      const struct mp_position *position)
{
    char text[128];
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)}, expected = {MP_SIZE(struct mp_result)};
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = small_depth(position)};
    snprintf(text, sizeof text, "%.*s", (int)strcspn(scheme, ","), scheme);
    struct mp_search *alone = mp_search_new(game, text, &error);
    if (!alone || !mp_search_run_within(alone, position, &limits, NULL, NULL, &expected, &error) ||
        !mp_search_run_within(search, position, &limits, NULL, NULL, &result, &error))
        fail_msg("%s after a stop: %s", scheme, error.text);
    bool deep_enough = result.depth == limits.depth || (result.depth < limits.depth && result.complete);
    if (result.stopped || !result.exact || !deep_enough || result.value != expected.value)
        fail_msg("%s on %s after a stop: depth %d, value %d, expected depth %d, value %d",
                 mp_search_strategy(search), game->name, result.depth, result.value, limits.depth,
                 expected.value);
    assert_legal(position, result.move, scheme);
    mp_search_free(alone);
}

static void stop_one(const struct mp_game *game, uint64_t seed)
{
    uint64_t stream = seed;
    char text[128];
    const char *scheme = game->chances ? schemes_of_dice[random_next(&stream) % DICE]
                                       : schemes_of_all[random_next(&stream) % ALL];
    /* On one thread only where nothing is split. In turns, so that all take part in what comes after, however
     * busy the machine is. */
    static const char *const starts[] = {"", ",eager=on", ",deterministic=on", ",deterministic=on"};
    snprintf(text, sizeof text, "%s,threads=%d,depth=60%s", scheme,
             strstr(scheme, "split=") ? 2 + (int)(random_next(&stream) % 3) : 1,
             strstr(scheme, "split=") ? starts[random_next(&stream) % 4] : "");
    struct mp_position *position = subjects_position(game, seed, 40);
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct order order = {mp_search_new(game, text, &error), random_below(random_next(&stream), LONGEST_US)};
    if (!order.search)
        fail_msg("%s: %s", text, error.text);
    if (random_next(&stream) % 4 == 0)
        assert_true(mp_search_follow(order.search, 100, NULL));
    pthread_t thread;
    bool before = random_next(&stream) % 3 == 0; /* the first moment, when the search is still alone */
    if (before)
        mp_search_stop(order.search);
    else
        assert_int_equal(pthread_create(&thread, NULL, give_order, &order), 0);
    assert_true(mp_search_run(order.search, position, NULL, NULL, &result, &error));
    if (!before)
        pthread_join(thread, NULL);
    assert_legal(position, result.move, text);
    /* A stop that came after the end is remembered, one that was obeyed is not. */
    if (!before && !result.stopped)
        mp_search_clear_stop(order.search);
    run_again(game, order.search, scheme, position);
    mp_position_free(position);
    position = subjects_position(game, ~seed, 40);
    run_again(game, order.search, scheme, position);
    mp_search_free(order.search);
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

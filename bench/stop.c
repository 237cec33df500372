/* stop.c - how long a search takes to obey. Searches that would run for ever are stopped from another thread
 * at a random moment in their first 50 ms; the time from the stop to the return is printed.
 *
 *     stop [STOPS]       200 for each strategy by default */
#include "bench/count.h"
#include "lab/statistics.h"

#include "base/clock.h"
#include "base/random.h"
#include "manyply/manyply.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct order {
    struct mp_search *search;
    useconds_t delay_us;
    int64_t given_ns;
};

static void *give_order(void *argument)
{
    struct order *order = argument;
    usleep(order->delay_us);
    order->given_ns = clock_ns();
    mp_search_stop(order->search);
    return NULL;
}

/* Nothing is printed for a strategy that the game or the algorithm cannot have. */
static void measure(const struct mp_game *game, const char *strategy, int stops)
{
    struct mp_search *search = mp_search_new(game, strategy, NULL);
    if (!search)
        return;
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    if (game->chances)
        mp_position_play_text(position, "31", NULL);
    double *delays = calloc((size_t)stops, sizeof *delays);
    for (int i = 0; i < stops; i++) {
        struct order order = {search, random_below(random_at(1, (uint64_t)i), 50000), 0};
        struct mp_result result = {MP_SIZE(struct mp_result)};
        pthread_t thread;
        pthread_create(&thread, NULL, give_order, &order);
        mp_search_run(search, position, NULL, NULL, &result, NULL);
        int64_t returned = clock_ns();
        pthread_join(thread, NULL);
        mp_search_clear_stop(search);
        delays[i] = (double)(returned - order.given_ns) * 1e-6;
    }
    statistics_median(delays, stops); /* sorts them */
    printf("%-10s %-48s median %.3f ms, 99th percentile %.3f ms, longest %.3f ms\n", game->name, strategy,
           delays[stops / 2], delays[stops * 99 / 100], delays[stops - 1]);
    fflush(stdout);
    mp_search_free(search);
    mp_position_free(position);
    free(delays);
}

/* On one thread, and on two by every scheme. */
static void measure_all(const struct mp_game *game, const char *strategy, int stops)
{
    measure(game, strategy, stops);
    struct mp_info scheme = {MP_SIZE(struct mp_info)};
    for (int i = 1; mp_scheme_at(i, &scheme); i++) {
        char text[128];
        snprintf(text, sizeof text, "%s,split=%s,threads=2", strategy, scheme.name);
        measure(game, text, stops);
    }
}

int main(int argc, char **argv)
{
    int stops = count_argument(argc, argv, 1, 200);
    for (int g = 0; mp_game_name(g); g++) {
        struct mp_game *game = mp_game_open(mp_game_name(g), NULL);
        measure(game, "minimax,depth=60", stops);
        measure_all(game, game->chances ? "star2,depth=60" : "pvs,depth=60,hash=64", stops);
        measure_all(game, "mcts,time=1000s", stops);
        measure(game, "mcts,time=1000s,split=root,chunk=10,threads=2", stops);
        mp_game_close(game);
    }
    return 0;
}

/* mcts.c - how fast Monte-Carlo search is on one core, and what the tree costs beside the playouts.
 *
 * Three loops take turns: playouts from the initial position of Othello and nothing else; a search with one
 * playout at each leaf; the same with two. An iteration with two playouts takes one playout longer than one
 * with one, and what is left of that one is the tree. Times are of the CPU, so that others may use the
 * machine, but they should not: caches are shared.
 *
 *     mcts [ROUNDS [ITERATIONS]]       9 rounds of 700,000 iterations by default */
#include "bench/count.h"
#include "lab/statistics.h"

#include "base/random.h"
#include "manyply/manyply.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double time_bare(const struct mp_game *game, const struct mp_position *position, int playouts)
{
    double start = cpu_seconds();
    int sum = 0;
    for (int i = 0; i < playouts; i++)
        sum += game->playout(game, mp_position_state(position), random_at(1, (uint64_t)i));
    volatile int used = sum;
    (void)used;
    return cpu_seconds() - start;
}

static double time_search(const struct mp_game *game, const struct mp_position *position, int iterations,
                          int playouts)
{
    char strategy[128];
    struct mp_result result = {MP_SIZE(struct mp_result)};
    snprintf(strategy, sizeof strategy, "mcts,iterations=%d,playouts=%d,reuse=off", iterations, playouts);
    struct mp_search *search = mp_search_new(game, strategy, NULL);
    double start = cpu_seconds();
    mp_search_run(search, position, NULL, NULL, &result, NULL);
    double seconds = cpu_seconds() - start;
    mp_search_free(search);
    return seconds;
}

int main(int argc, char **argv)
{
    int rounds = count_argument(argc, argv, 1, 9), iterations = count_argument(argc, argv, 2, 700000);
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    double *bare = calloc((size_t)rounds, sizeof *bare), *search = calloc((size_t)rounds, sizeof *search),
           *tree = calloc((size_t)rounds, sizeof *tree);
    for (int i = 0; i < rounds; i++) {
        double alone = time_bare(game, position, iterations);
        double one = time_search(game, position, iterations, 1),
               two = time_search(game, position, iterations, 2);
        bare[i] = iterations / alone;
        search[i] = iterations / one;
        tree[i] = 1 - (two - one) / one;
    }
    struct interval b = statistics_median_interval(bare, rounds),
                    s = statistics_median_interval(search, rounds),
                    t = statistics_median_interval(tree, rounds);
    printf("bare playouts from the beginning  %8.0f a second (%.0f - %.0f)\n", b.middle, b.low, b.high);
    printf("playouts inside mcts              %8.0f a second (%.0f - %.0f)\n", s.middle, s.low, s.high);
    printf("share of the time for the tree    %8.3f          (%.3f - %.3f)\n", t.middle, t.low, t.high);
    free(bare);
    free(search);
    free(tree);
    mp_position_free(position);
    mp_game_close(game);
    return 0;
}

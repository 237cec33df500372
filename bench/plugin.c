/* plugin.c - does a plug-in search as fast as the same game linked in? Connect Four both ways, the same
 * compiler flags, turn by turn in one run.
 *
 *     plugin PLUGIN.so [ROUNDS]       15 rounds by default */
#include "bench/count.h"
#include "lab/statistics.h"

#include "manyply/manyply.h"

#include <stdio.h>
#include <stdlib.h>

extern const struct mp_game mp_plugin; /* examples/connect4/connect4.c, linked in */

static double seconds_of(const struct mp_game *game, uint64_t *nodes)
{
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    struct mp_search *search = mp_search_new(game, "alphabeta,depth=11", NULL);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    mp_search_run(search, position, NULL, NULL, &result, NULL);
    mp_search_free(search);
    mp_position_free(position);
    *nodes = result.counters.nodes;
    return result.seconds;
}

int main(int argc, char **argv)
{
    struct mp_error error;
    struct mp_game *plugged = argc > 1 ? mp_game_open(argv[1], &error) : NULL;
    if (!plugged) {
        fprintf(stderr, "bench_plugin: %s\n", argc > 1 ? error.text : "expected the path of connect4.so");
        return 2;
    }
    int rounds = count_argument(argc, argv, 2, 15);
    double *ratios = calloc((size_t)rounds, sizeof *ratios);
    uint64_t nodes = 0, same = 0;
    for (int i = -1; i < rounds; i++) {
        /* Who goes first changes from round to round. */
        double inside = i % 2 ? seconds_of(&mp_plugin, &nodes) : 0;
        double outside = seconds_of(plugged, &same);
        inside = i % 2 ? inside : seconds_of(&mp_plugin, &nodes);
        if (nodes != same) {
            fprintf(stderr, "bench_plugin: different trees\n");
            return 2;
        }
        if (i >= 0)
            ratios[i] = inside / outside;
    }
    struct interval ratio = statistics_median_interval(ratios, rounds);
    printf("connect4, alphabeta,depth=11, %llu nodes: plug-in / linked in %.3f of the speed "
           "(median of %d, 95%% interval %.3f to %.3f)\n",
           (unsigned long long)nodes, ratio.middle, rounds, ratio.low, ratio.high);
    mp_game_close(plugged);
    free(ratios);
    return 0;
}

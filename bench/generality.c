/* generality.c - what it costs that one search serves all games: the library's alphabeta on Othello against
 * bench/yardstick.c, on the same trees, turn by turn in one run.
 *
 *     generality [ROUNDS]       9 by default
 *
 * Both must visit exactly the same number of nodes, or the comparison is refused. */
#include "bench/count.h"
#include "bench/yardstick.h"
#include "lab/statistics.h"

#include "base/clock.h"
#include "base/level.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const openings[] = {"f5d6c3d3c4f4f6g5e3f3", "f5f6e6f4g5d6c4d3e3f3", "f5d6c4g5f6f4f3d3c3g6",
                                       "f5d6c5f4e3c6d3f6e6d7", "f5f4e3f6d3e6f3d6c5g5", "f5d6c7"};
enum { OPENINGS = sizeof openings / sizeof *openings, DEPTH = 9 };

static bool compare(const struct mp_game *game, const char *eval, yardstick_function *yardstick, int rounds)
{
    char strategy[64];
    snprintf(strategy, sizeof strategy, "alphabeta,depth=%d,eval=%s", DEPTH, eval);
    struct mp_search *search = mp_search_new(game, strategy, NULL);
    double *ratios = calloc((size_t)rounds, sizeof *ratios);
    double library_best = 0, yardstick_best = 0;
    for (int round = -1; round < rounds; round++) {
        double seconds[2] = {0};
        uint64_t nodes = 0;
        for (int i = 0; i < OPENINGS; i++) {
            struct mp_position *position = mp_position_new(game, NULL, NULL);
            struct mp_result result = {MP_SIZE(struct mp_result)};
            struct mp_counters counters;
            mp_position_play_text(position, openings[i], NULL);
            mp_search_run(search, position, NULL, NULL, &result, NULL);
            int64_t start = clock_ns();
            mp_value value = yardstick(mp_position_state(position), DEPTH, &counters);
            seconds[1] += clock_seconds_since(start);
            seconds[0] += result.seconds;
            nodes += counters.nodes;
            if (counters.nodes != result.counters.nodes || value != result.value) {
                printf("different trees after %s: %llu and %llu nodes\n", openings[i],
                       (unsigned long long)result.counters.nodes, (unsigned long long)counters.nodes);
                return false;
            }
            mp_position_free(position);
        }
        if (round < 0)
            continue; /* warm-up */
        ratios[round] = seconds[1] / seconds[0];
        library_best = fmax(library_best, (double)nodes / seconds[0]);
        yardstick_best = fmax(yardstick_best, (double)nodes / seconds[1]);
    }
    struct interval ratio = statistics_median_interval(ratios, rounds);
    printf("%s: library %.1f, yardstick %.1f million nodes/s (best of %d rounds)\n", strategy,
           library_best / 1e6, yardstick_best / 1e6, rounds);
    printf("  library / yardstick: %.3f (median, 95%% interval %.3f to %.3f)\n", ratio.middle, ratio.low,
           ratio.high);
    mp_search_free(search);
    free(ratios);
    return true;
}

int main(int argc, char **argv)
{
    int rounds = count_argument(argc, argv, 1, 9);
    struct mp_game *game = mp_game_open("othello", NULL);
    yardstick_function *const positional[] = LEVEL_TABLES(search_positional);
    yardstick_function *const discs[] = LEVEL_TABLES(search_discs);
    bool ok = compare(game, "positional", positional[level_best()], rounds) &&
              compare(game, "discs", discs[level_best()], rounds);
    mp_game_close(game);
    return ok ? 0 : 2;
}

/* overhead.c - what a parallel scheme costs where it cannot win. Trees that one thread searches in less than
 * a millisecond, with every scheme on 2, 8 and 64 threads; and larger trees with every scheme on one thread,
 * against the sequential search; and what it costs to follow a search (--trace).
 *
 *     overhead [ROUNDS]       101 by default
 *
 * Contestants are interleaved; the medians are printed. */
#include "bench/count.h"
#include "lab/statistics.h"

#include "base/clock.h"
#include "manyply/manyply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rounds;

/* Every run begins with nothing remembered: with what an earlier one left in the table it would be another
 * tree. */
static double run_once(struct mp_search *search, const struct mp_position *position)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    mp_search_forget(search);
    int64_t start = clock_ns();
    mp_search_run(search, position, NULL, NULL, &result, NULL);
    return clock_seconds_since(start);
}

static struct mp_search *open_search(const struct mp_game *game, const char *algorithm, int depth,
                                     const char *scheme, int threads)
{
    char text[128];
    snprintf(text, sizeof text, "%s,depth=%d,split=%s,threads=%d", algorithm, depth, scheme, threads);
    return mp_search_new(game, text, NULL);
}

/* The deepest search that takes less than this. */
static int depth_below(const struct mp_game *game, const struct mp_position *position, const char *algorithm,
                       double seconds)
{
    for (int depth = 2;; depth++) {
        struct mp_search *search = open_search(game, algorithm, depth, "none", 1);
        double least = 1;
        for (int i = 0; i < 5; i++) {
            double time = run_once(search, position);
            least = time < least ? time : least;
        }
        mp_search_free(search);
        if (least >= seconds)
            return depth - 1;
    }
}

struct pair {
    double sequential, scheme; /* medians of seconds */
};

static struct pair compare(const struct mp_game *game, const struct mp_position *position,
                           const char *algorithm, int depth, const char *scheme, int threads, int count)
{
    struct mp_search *one = open_search(game, algorithm, depth, "none", 1);
    struct mp_search *many = open_search(game, algorithm, depth, scheme, threads);
    struct pair pair = {0, -1};
    double *samples = calloc(2 * (size_t)count, sizeof *samples);
    for (int i = 0; many && samples && i < count; i++) {
        samples[i] = run_once(one, position);
        samples[count + i] = run_once(many, position);
    }
    if (many && samples)
        pair = (struct pair){statistics_median(samples, count), statistics_median(samples + count, count)};
    free(samples);
    mp_search_free(one);
    mp_search_free(many);
    return pair;
}

static void small_trees(const struct mp_game *game, const struct mp_position *position, const char *algorithm)
{
    static const int counts[] = {2, 8, 64};
    int depth = depth_below(game, position, algorithm, 0.9e-3);
    struct mp_info scheme = {MP_SIZE(struct mp_info)};
    for (int s = 1; mp_scheme_at(s, &scheme); s++) {
        char line[256] = "";
        double worst = -1;
        for (int t = 0; t < 3; t++) {
            struct pair p = compare(game, position, algorithm, depth, scheme.name, counts[t], rounds);
            if (p.scheme < 0 || p.sequential >= 1e-3) /* a noisy moment can make it longer */
                continue;
            double excess = p.scheme - 1.2 * p.sequential - 100e-6;
            worst = excess > worst ? excess : worst;
            size_t length = strlen(line);
            snprintf(line + length, sizeof line - length, "  %2d: %4.0f -> %4.0f us", counts[t],
                     p.sequential * 1e6, p.scheme * 1e6);
        }
        if (*line)
            printf("%-10s %-14s depth %2d %-12s%s  %s\n", game->name, algorithm, depth, scheme.name, line,
                   worst <= 0 ? "within 1.2 x + 100 us" : "TOO SLOW");
    }
    fflush(stdout);
}

static void one_thread(const struct mp_game *game, const struct mp_position *position, const char *algorithm)
{
    int depth = depth_below(game, position, algorithm, 0.02);
    struct mp_info scheme = {MP_SIZE(struct mp_info)};
    printf("%-10s %-14s depth %2d, one thread:", game->name, algorithm, depth);
    for (int s = 1; mp_scheme_at(s, &scheme); s++) {
        struct pair p = compare(game, position, algorithm, depth, scheme.name, 1, rounds / 4 + 1);
        if (p.scheme >= 0)
            printf(" %s %.3f", scheme.name, p.scheme / p.sequential);
    }
    printf("\n");
    fflush(stdout);
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* CPU time with a trace over that without, on one thread, which creates as many tasks as several would. */
static void following(const struct mp_game *game, const struct mp_position *position, const char *strategy)
{
    struct mp_search *searches[2];
    int count = rounds / 4 + 1;
    double *samples = calloc((size_t)count, sizeof *samples);
    for (int i = 0; i < 2; i++)
        searches[i] = mp_search_new(game, strategy, NULL);
    mp_search_follow(searches[1], 1 << 15, NULL);
    uint64_t tasks = 0;
    for (int round = 0; round < count; round++) {
        double seconds[2];
        for (int i = 0; i < 2; i++) {
            struct mp_result result = {MP_SIZE(struct mp_result)};
            double start = cpu_seconds();
            mp_search_run(searches[i], position, NULL, NULL, &result, NULL);
            seconds[i] = cpu_seconds() - start;
            tasks = result.counters.tasks_created;
        }
        samples[round] = seconds[1] / seconds[0];
    }
    struct interval ratio = statistics_median_interval(samples, count);
    printf("%-10s %s: %.3f (%.3f-%.3f) x the time with a trace, %llu tasks\n", game->name, strategy,
           ratio.middle, ratio.low, ratio.high, (unsigned long long)tasks);
    fflush(stdout);
    for (int i = 0; i < 2; i++)
        mp_search_free(searches[i]);
    free(samples);
}

int main(int argc, char **argv)
{
    rounds = count_argument(argc, argv, 1, 101);
    for (int g = 0; mp_game_name(g); g++) {
        struct mp_game *game = mp_game_open(mp_game_name(g), NULL);
        struct mp_position *position = mp_position_new(game, NULL, NULL);
        if (!strcmp(game->name, "othello"))
            following(game, position, "alphabeta,depth=11,split=ybwc,eager=on,threads=1");
        if (!strcmp(game->name, "chess"))
            following(game, position, "alphabeta,depth=6,split=ybwc,eager=on,threads=1");
        if (game->chances)
            mp_position_play_text(position, "31", NULL);
        static const char *const plain[] = {"minimax", "alphabeta", "pvs"};
        static const char *const dice[] = {"expectiminimax", "star1", "star2"};
        for (int a = 0; a < 3; a++)
            small_trees(game, position, game->chances ? dice[a] : plain[a]);
        one_thread(game, position, game->chances ? "star2" : "pvs");
        mp_position_free(position);
        mp_game_close(game);
    }
    return 0;
}

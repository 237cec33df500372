/* backgammon_generate.c - how fast the plays of a roll are listed: (position, roll) pairs a second on one
 * core.
 *
 *     backgammon_generate [FILE]     FILE: a Position ID at the beginning of each line; without it, positions
 *                                    from random games
 *
 * Every pair is a full list of distinct plays. Five runs of a second; the median counts. */
#include "base/clock.h"
#include "base/level.h"
#include "base/random.h"
#include "games/backgammon/backgammon.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_POSITIONS = 4096, MOST_MOVES = 4096, RUNS = 5 };

static struct backgammon pairs[MOST_POSITIONS * 21];
static mp_move moves[MOST_MOVES];
static int pair_count;
static const struct mp_game *game;

static void add_position(const struct backgammon *s)
{
    mp_move rolls[21];
    int count = game->chances(game, s, rolls, NULL, 21);
    for (int i = 0; i < count && pair_count < MOST_POSITIONS * 21; i++)
        game->play(game, s, rolls[i], &pairs[pair_count++]);
}

static bool read_positions(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[16384], id[16];
    struct backgammon s;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%15s", id) == 1 && game->parse_position(game, id, &s, NULL))
            add_position(&s);
    if (file)
        fclose(file);
    return pair_count > 0;
}

static void play_random_games(void)
{
    uint64_t stream = 1;
    while (pair_count < 500 * 21) {
        struct backgammon s, thrown;
        mp_move rolls[21];
        game->initial(game, &s);
        while (!backgammon_is_over(&s) && pair_count < 500 * 21) {
            if (random_below(random_next(&stream), 16) == 0)
                add_position(&s);
            game->chances(game, &s, rolls, NULL, 21);
            game->play(game, &s, rolls[random_below(random_next(&stream), 21)], &thrown);
            int count = game->list(game, &thrown, moves, MOST_MOVES);
            game->play(game, &thrown, moves[random_below(random_next(&stream), (uint32_t)count)], &s);
        }
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Pairs a second, and plays a second. */
static double measure(bool list, double *plays)
{
    double rates[RUNS];
    for (int run = 0; run < RUNS; run++) {
        uint64_t done = 0, sum = 0;
        int64_t start = clock_ns();
        double seconds;
        do {
            for (int i = 0; i < pair_count; i++)
                sum += (uint64_t)(list ? game->list(game, &pairs[i], moves, MOST_MOVES)
                                       : game->count(game, &pairs[i]));
            done += (uint64_t)pair_count;
        } while ((seconds = clock_seconds_since(start)) < 1);
        rates[run] = (double)done / seconds;
        *plays = (double)sum / (double)done;
    }
    qsort(rates, RUNS, sizeof *rates, compare);
    return rates[RUNS / 2];
}

int main(int argc, char **argv)
{
    const struct mp_game *const levels[] = LEVEL_TABLES(backgammon_table);
    game = levels[level_best()];
    if (argc > 1 && !read_positions(argv[1])) {
        fprintf(stderr, "backgammon_generate: no Position IDs in %s\n", argv[1]);
        return 2;
    }
    if (argc == 1)
        play_random_games();
    double plays, listed = measure(true, &plays), counted = measure(false, &plays);
    printf("%d positions x 21 rolls, %.1f distinct plays each\n", pair_count / 21, plays);
    printf("listed:  %.2f M pairs/s, %.0f M plays/s\n", listed * 1e-6, listed * plays * 1e-6);
    printf("counted: %.2f M pairs/s\n", counted * 1e-6);
    return 0;
}

/* signs.c - how often does a shallow search know who wins?
 *
 *     bench_signs GAME PLIES POSITIONS FILE STRATEGY...
 *     bench_signs ./connect4.so 18 1000 solved.txt pvs,depth=1 pvs,depth=1,eval=network:c4.net
 *
 * Positions after so many random plies, in which nobody can win at once, are solved to the end by pvs and kept in FILE, a
 * position, a tab and its value in a line; a FILE that is there is used as it is. Then each strategy's value is compared
 * with the solved one, drawn positions left out. Prints, for each, in how many the signs agree; a value of 0 agrees with
 * nothing. Where the margin counts, how far off values are on average as well, in points of 100 each. network and
 * network:FILE, instead of a strategy, are what a network says without a search. */
#include "base/random.h"
#include "search/network_evaluation.h"

#include "manyply/manyply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MOVES = 4096, MOST_TEXT = 4096 };

static void give_up(const char *text)
{
    fprintf(stderr, "bench_signs: %s\n", text);
    exit(2);
}

static struct mp_search *open_search(const struct mp_game *game, const char *strategy)
{
    struct mp_error error = {0};
    struct mp_search *search = mp_search_new(game, strategy, &error);
    if (!search)
        give_up(error.text);
    return search;
}

static mp_value value_of(struct mp_search *search, const struct mp_position *position)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    if (!mp_search_run(search, position, NULL, NULL, &result, &error))
        give_up(error.text);
    return result.value;
}

/* What a strategy or a network says. */
struct judge {
    struct mp_search *search; /* null: the network */
    struct network_evaluation network;
};

static struct judge open_judge(const struct mp_game *game, const char *text)
{
    struct judge judge = {0};
    struct mp_error error = {0};
    if (strncmp(text, "network", 7) != 0)
        judge.search = open_search(game, text);
    else if (!network_evaluation_read(game, text[7] ? text + 8 : NULL, &judge.network, &error))
        give_up(error.text);
    return judge;
}

static mp_value judged(struct judge *judge, const struct mp_game *game, const struct mp_position *position)
{
    const struct mp_evaluation *network = &judge->network.evaluation;
    if (!judge->search)
        return network->evaluate(game, network, mp_position_state(position));
    mp_search_forget(judge->search);
    return value_of(judge->search, position);
}

static double points_of(mp_value value)
{
    return value > MP_PROVEN ? value - MP_PROVEN : value < -MP_PROVEN ? value + MP_PROVEN : value / 100.0;
}

/* Does a move end the game? */
static bool can_end(const struct mp_position *position)
{
    mp_move moves[MOST_MOVES];
    int count = mp_position_moves(position, moves, NULL, MOST_MOVES);
    bool ends = false;
    for (int i = 0; i < count && !ends; i++) {
        struct mp_position *next = mp_position_copy(position, NULL);
        if (!next || !mp_position_play(next, moves[i], NULL))
            give_up("a move cannot be played");
        ends = mp_position_is_over(next) && mp_position_margin(next) != 0;
        mp_position_free(next);
    }
    return ends;
}

/* Null: the game ended on the way, or can end at once. */
static struct mp_position *random_position(const struct mp_game *game, int plies, uint64_t seed)
{
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    uint64_t stream = seed;
    mp_move moves[MOST_MOVES];
    for (int ply = 0; ply < plies && !mp_position_is_over(position); ply++) {
        int count = mp_position_moves(position, moves, NULL, MOST_MOVES);
        mp_position_play(position, moves[random_below(random_next(&stream), (uint32_t)count)], NULL);
    }
    if (!mp_position_is_over(position) && !can_end(position))
        return position;
    mp_position_free(position);
    return NULL;
}

static void solve(const struct mp_game *game, int plies, int positions, const char *path)
{
    FILE *file = fopen(path, "w");
    struct mp_search *search = open_search(game, "pvs,depth=255,hash=256");
    if (!file)
        give_up("the file of solved positions cannot be written");
    for (uint64_t seed = 1; positions > 0; seed++) {
        char text[MOST_TEXT];
        struct mp_position *position = random_position(game, plies, seed);
        if (!position)
            continue;
        mp_position_text(position, text, sizeof text);
        fprintf(file, "%s\t%d\n", text, value_of(search, position));
        mp_position_free(position);
        positions--;
    }
    fclose(file);
    mp_search_free(search);
}

static void compare(const struct mp_game *game, const char *path, const char *strategy)
{
    struct judge judge = open_judge(game, strategy);
    FILE *file = fopen(path, "r");
    char line[MOST_TEXT];
    int agreed = 0, counted = 0, drawn = 0;
    double off = 0;
    while (file && fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t');
        struct mp_error error = {0};
        int solved = tab ? atoi(tab + 1) : 0;
        if (tab)
            *tab = 0;
        struct mp_position *position = mp_position_new(game, line, &error);
        if (!position)
            give_up(error.text);
        mp_value value = judged(&judge, game, position);
        off += fabs(points_of(value) - points_of(solved));
        drawn += solved == 0;
        counted += solved != 0;
        agreed += (solved > 0 && value > 0) || (solved < 0 && value < 0);
        mp_position_free(position);
    }
    printf("%5.1f%% of %d won or lost positions (%d are drawn)  %s\n",
           100.0 * agreed / (counted ? counted : 1), counted, drawn, strategy);
    if (game->scoring == MP_SCORE_MARGIN)
        printf("%6.2f points off on average\n", off / (counted + drawn ? counted + drawn : 1));
    if (file)
        fclose(file);
    mp_search_free(judge.search);
    network_free(judge.network.network);
}

int main(int argc, char **argv)
{
    struct mp_error error = {0};
    if (argc < 5)
        give_up("expected GAME PLIES POSITIONS FILE STRATEGY...");
    struct mp_game *game = mp_game_open(argv[1], &error);
    if (!game)
        give_up(error.text);
    FILE *solved = fopen(argv[4], "r");
    if (solved)
        fclose(solved);
    else
        solve(game, atoi(argv[2]), atoi(argv[3]), argv[4]);
    for (int i = 5; i < argc; i++)
        compare(game, argv[4], argv[i]);
    mp_game_close(game);
    return 0;
}

/* bestmove.c - the best move in a position, searched for some time on all CPUs; Ctrl-C ends the search earlier.
 *
 *     bestmove GAME SECONDS [POSITION [MOVES]]
 *     bestmove othello 2
 *     bestmove chess 5 "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
 *     bestmove backgammon 1 start "31 8/5 6/5 42" */
#include <manyply/manyply.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct mp_search *running; /* for the signal handler, which is installed after it is set */

static void stop_search(int number)
{
    (void)number;
    mp_search_stop(running);
}

static void print_line(const struct mp_result *result, void *context)
{
    const struct mp_position *position = context;
    char value[32], line[1024];
    mp_value_text(mp_position_game(position), result->value, value, sizeof value);
    mp_position_line_text(position, result->pv, result->pv_length, line, sizeof line);
    printf("%5d %16s %12llu  %s\n", result->depth, value, (unsigned long long)result->counters.nodes, line);
    if (mp_position_game(position)->scoring == MP_SCORE_WIN && result->value > MP_PROVEN)
        mp_search_stop(running); /* no other move is better than one that wins */
}

static struct mp_position *set_up(const struct mp_game *game, const char *text, const char *moves,
                                  struct mp_error *error)
{
    struct mp_position *position = mp_position_new(game, strcmp(text, "start") ? text : NULL, error);
    if (position && !mp_position_play_text(position, moves, error)) {
        mp_position_free(position);
        return NULL;
    }
    return position;
}

static struct mp_search *search_on_all_cpus(const struct mp_game *game, struct mp_error *error)
{
    struct mp_strategy *strategy = mp_strategy_new(game, NULL, error);
    bool ok = strategy && mp_strategy_set(strategy, "split", "auto", error);
    struct mp_search *search = ok ? mp_search_with(strategy, error) : NULL;
    mp_strategy_free(strategy);
    return search;
}

static bool think(struct mp_search *search, struct mp_position *position, const char *time,
                  struct mp_error *error)
{
    char *end, move[64];
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .seconds = strtod(time, &end)};
    if (*end || !(limits.seconds > 0))
        return mp_fail(error, "'%.60s' seconds, expected a number above 0", time);
    running = search;
    signal(SIGINT, stop_search);
    printf("depth            value        nodes  expected line\n");
    if (!mp_search_run_within(search, position, &limits, print_line, position, &result, error))
        return false;
    mp_position_move_text(position, result.move, move, sizeof move);
    printf("move %s at depth %d on %d threads%s\n", move, result.depth, result.threads,
           result.complete  ? ", and no depth would change it"
           : result.stopped ? ", stopped"
                            : "");
    return true;
}

int main(int argc, char **argv)
{
    struct mp_error error = {0};
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    bool ok = (argc >= 3 && argc <= 5) ||
              mp_fail(&error, "%d arguments, expected GAME SECONDS [POSITION [MOVES]]", argc - 1);
    struct mp_game *game = ok ? mp_game_open(argv[1], &error) : NULL;
    struct mp_position *position =
        game ? set_up(game, argc > 3 ? argv[3] : "start", argc > 4 ? argv[4] : "", &error) : NULL;
    struct mp_search *search = position ? search_on_all_cpus(game, &error) : NULL;
    ok = search && think(search, position, argv[2], &error);
    if (!ok)
        fprintf(stderr, "bestmove: %s\n", error.text);
    signal(SIGINT, SIG_DFL); /* what it would stop is about to be freed */
    mp_search_free(search);
    mp_position_free(position);
    mp_game_close(game);
    return ok ? 0 : error.code == MP_ERROR_INPUT ? 2 : 1;
}

/* tournament.c - two strategies play a game against each other and change sides. Each pair of games begins with
 * the same random moves and has the same dice, so that luck is shared.
 *
 *     tournament GAME PAIRS STRATEGY STRATEGY
 *     tournament othello 5 alphabeta,depth=3 mcts,iterations=300
 *     tournament backgammon 10 default random */
#include <manyply/manyply.h>

#include <stdlib.h>
#include <string.h>

enum { SEED = 1, RANDOM_PLIES = 4, MOST_PLIES = 1000 };

static mp_move random_move(const struct mp_position *position, uint64_t *luck)
{
    mp_move moves[MP_MAX_MOVES];
    int count = mp_position_moves(position, moves, NULL, MP_MAX_MOVES);
    *luck = *luck * 6364136223846793005u + 1442695040888963407u;
    return moves[(*luck >> 33) % (unsigned)count];
}

/* Plays a game to its end; what it is worth to player 0. Games that go on for too long are drawn. */
static bool play_game(const struct mp_game *game, struct mp_search *const players[2], uint64_t pair,
                      int *margin, struct mp_error *error)
{
    struct mp_position *position = mp_position_new(game, NULL, error);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    uint64_t luck = pair, throws = 0;
    int plies = 0;
    bool ok = position;
    while (ok && plies < MOST_PLIES && !mp_position_is_over(position)) {
        if (mp_position_is_chance(position))
            result.move = mp_position_throw(position, SEED, pair, throws++);
        else if (plies++ < RANDOM_PLIES)
            result.move = random_move(position, &luck);
        else
            ok = mp_search_run(players[mp_position_side(position)], position, NULL, NULL, &result, error);
        ok = ok && mp_position_play(position, result.move, error);
    }
    *margin = ok && plies < MOST_PLIES ? mp_position_margin(position) : 0;
    mp_position_free(position);
    return ok;
}

/* By the text of a strategy, with a limit that does not depend on the machine if it does not have one. */
static struct mp_search *make_player(const struct mp_game *game, const char *text, struct mp_error *error)
{
    struct mp_strategy *strategy = mp_strategy_new(game, strcmp(text, "default") ? text : NULL, error);
    bool ok = strategy &&
              (mp_strategy_is_limited(strategy) || mp_strategy_set(strategy, "nodes", "10000", error));
    struct mp_search *search = ok ? mp_search_with(strategy, error) : NULL;
    mp_strategy_free(strategy);
    return search;
}

static bool play_all(const struct mp_game *game, struct mp_search *first, struct mp_search *second,
                     const char *pairs, struct mp_error *error)
{
    int won = 0, drawn = 0, lost = 0, sum = 0; /* as the first strategy sees it */
    char *end;
    long count = strtol(pairs, &end, 10);
    if (*end || count < 1 || count > 1000000)
        return mp_fail(error, "'%.60s' pairs of games, expected 1 to 1000000", pairs);
    for (long i = 0; i < 2 * count; i++) {
        int side = (int)(i % 2), margin;
        struct mp_search *const players[2] = {side ? second : first, side ? first : second};
        mp_search_forget(first); /* so that a game does not depend on those before it */
        mp_search_forget(second);
        if (!play_game(game, players, (uint64_t)(i / 2), &margin, error))
            return false;
        margin = side ? -margin : margin;
        printf("game %ld: the first is %s, %+d\n", i + 1, game->players[side], margin);
        won += margin > 0;
        drawn += margin == 0;
        lost += margin < 0;
        sum += margin;
    }
    printf("%s: %d won, %d drawn, %d lost, %+d in all\nagainst %s\n", mp_search_strategy(first), won, drawn,
           lost, sum, mp_search_strategy(second));
    return true;
}

int main(int argc, char **argv)
{
    struct mp_error error = {0};
    bool ok = argc == 5 || mp_fail(&error, "%d arguments, expected GAME PAIRS STRATEGY STRATEGY", argc - 1);
    struct mp_game *game = ok ? mp_game_open(argv[1], &error) : NULL;
    struct mp_search *first = game ? make_player(game, argv[3], &error) : NULL;
    struct mp_search *second = first ? make_player(game, argv[4], &error) : NULL;
    ok = second && play_all(game, first, second, argv[2], &error);
    if (!ok)
        fprintf(stderr, "tournament: %s\n", error.text);
    mp_search_free(second);
    mp_search_free(first);
    mp_game_close(game);
    return ok ? 0 : error.code == MP_ERROR_INPUT ? 2 : 1;
}

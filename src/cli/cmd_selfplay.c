/* cmd_selfplay.c - a game of the program against itself. */
#include "cli/commands.h"
#include "cli/dice_source.h"

#include "lab/json_parts.h"
#include "lab/match.h"

#include <stdlib.h>

/* What the game is played for: to be shown move by move, or as JSON at its end. */
struct show {
    const struct cli *cli;
    struct dice *dice;
    uint64_t nodes[2];
    int before; /* moves that were given, not played */
};

static bool throw_dice(const struct match_game *match, mp_move *outcome, void *context,
                       struct mp_error *error)
{
    const struct show *show = context;
    return dice_throw(show->dice, match->game, match->position, outcome, error);
}

static void show_move(const struct match_game *match, const struct match_move *move, void *context)
{
    struct show *show = context;
    show->nodes[move->side] += move->thought.nodes;
    if (show->cli->json)
        return;
    char value[64] = "";
    if (!move->by_chance)
        mp_value_text(match->game, move->thought.value, value, sizeof value);
    printf("%4d  %-8s %-12s %s\n", match->count - show->before, match->game->players[move->side], move->text,
           value);
    fflush(stdout);
}

static json_t *json_moves(const struct match_game *match, int first)
{
    json_t *moves = json_array();
    for (int i = first; i < match->count; i++)
        json_array_append_new(moves, json_string(match->moves[i].text));
    return moves;
}

static int report(const struct match_game *match, const struct show *show)
{
    const struct mp_game *game = match->game;
    bool over = match->end == MATCH_RULES;
    int margin = over ? match->margin : 0;
    const char *winner = margin > 0 ? game->players[0] : game->players[1];
    const char *strategies[2];
    for (int side = 0; side < 2; side++)
        strategies[side] = player_strategy_text(match->players[side]);
    if (show->cli->json) {
        json_t *json = json_object();
        json_put_text(json, "game", game->name);
        json_put(json, "strategies", json_pack("[s, s]", strategies[0], strategies[1]));
        json_put(json, "moves", json_moves(match, show->before));
        json_put(json, "position", json_position(game, match->position));
        json_put_flag(json, "over", over);
        json_put_text(json, "winner", over && margin ? winner : NULL);
        json_put_number(json, "margin", margin);
        json_put_number(json, "plies", match->plies);
        json_put(json, "seconds", json_reals(match->seconds, 2));
        json_put(json, "nodes", json_pack("[I, I]", (json_int_t)show->nodes[0], (json_int_t)show->nodes[1]));
        return print_json(json);
    }
    printf("\n");
    print_board(game, match->position);
    const char *plies = match->plies == 1 ? "ply" : "plies";
    if (!over)
        printf("stopped after %d %s\n", match->plies, plies);
    else if (margin == 0)
        printf("a draw after %d %s\n", match->plies, plies);
    else
        printf("%s wins by %d after %d %s\n", winner, abs(margin), match->plies, plies);
    for (int side = 0; side < 2; side++)
        printf("%-8s %s: %.3f s, %llu nodes\n", game->players[side], strategies[side], match->seconds[side],
               (unsigned long long)show->nodes[side]);
    return 0;
}

/* Plays the game of these two players and shows it. */
static int play(const struct cli *cli, struct match_game *match, struct dice *dice)
{
    struct mp_error error;
    const char *moves = cli_option(cli, "moves");
    struct show show = {.cli = cli, .dice = dice};
    if (!match_begin(match, cli_option(cli, "position"), &error) ||
        (moves && !match_open_with_text(match, moves, &error)))
        return cli_fail(cli, "%s", error.text);
    show.before = match->count;
    match->on_move = show_move;
    match->throw_dice = throw_dice;
    match->context = &show;
    return match_play(match, &error) ? report(match, &show) : cli_fail(cli, "%s", error.text);
}

/* Makes the two players and plays. */
static int play_with(const struct cli *cli, const char *const texts[2], int plies, struct dice *dice)
{
    struct mp_error error;
    const struct mp_game *game = cli->game;
    struct player_setup setups[2] = {0};
    struct match_game match = {.game = game, .rules.most_plies = plies};
    bool ok = true;
    for (int side = 0; ok && side < 2; side++)
        ok = player_setup_read(game, texts[side], &(struct time_control){0}, 0, &setups[side], &error) &&
             ((match.players[side] = player_new(game, &setups[side])) || mp_fail(&error, "out of memory"));
    int code = ok ? play(cli, &match, dice) : cli_fail(cli, "%s", error.text);
    match_free(&match);
    for (int side = 0; side < 2; side++) {
        player_free(match.players[side]);
        player_setup_free(&setups[side]);
    }
    return code;
}

/* Both players' strategies: the second is as the first, unless it is given. False: error printed. */
static bool read_players(const struct cli *cli, struct mp_strategy *strategies[2], const char *texts[2])
{
    static const char *const options[] = {"strategy", "opponent"};
    int players = cli_option(cli, "opponent") ? 2 : 1;
    for (int i = 0; i < players; i++) {
        strategies[i] = cli_strategy(cli, cli->game, options[i], NULL);
        if (!strategies[i] || !(cli_option(cli, options[i]) || cli_limit(cli, strategies[i], "depth", "4")))
            return false;
    }
    for (int i = 0; i < 2; i++)
        texts[i] = mp_strategy_text(strategies[players == 2 ? i : 0]);
    return true;
}

static int run(const struct cli *cli)
{
    struct mp_error error;
    int plies;
    uint64_t seed;
    if (!cli_int(cli, "plies", 1, 1000000, 1000000, &plies) || !cli_seed(cli, 1, &seed))
        return EXIT_USAGE;
    struct mp_strategy *strategies[2] = {0};
    const char *texts[2] = {0};
    bool ok = read_players(cli, strategies, texts);
    struct dice dice = {0};
    int code = EXIT_USAGE;
    if (!dice_open(&dice, cli_option(cli, "dice"), seed, 0, &error))
        cli_fail(cli, "%s", error.text);
    else if (ok)
        code = play_with(cli, texts, plies, &dice);
    dice_close(&dice);
    mp_strategy_free(strategies[0]);
    mp_strategy_free(strategies[1]);
    return code;
}

static const struct cli_argument arguments[] = {CLI_GAME, {0}};
static const struct cli_option options[] = {
    {"strategy", "S",
     "how both players search, see `manyply strategies`; default: the game's, four plies deep (two "
     "with dice)"},
    {"opponent", "S", "how the second player searches, if not the same way"},
    {"threads", "N", "threads for a strategy with split=; the default is all CPUs"},
    {"plies", "N", "stop after this many plies; by default the game is played to its end"},
    {"seed", "N", "which dice are thrown, where there are any; the default is 1"},
    {"dice", "FILE", "throws from a file, such as 31 65 42, or with - from the keyboard, instead of a seed"},
    {"position", "P", "a position in the notation of the game; the default is its beginning"},
    {"moves", "M", "moves played from there"},
    {0}};

const struct cli_command command_selfplay = {
    .name = "selfplay",
    .summary = "play a game of one strategy against itself or another",
    .details = "  manyply selfplay othello --strategy pvs,depth=6 --opponent random,seed=7\n"
               "  manyply selfplay othello --strategy minimax,depth=4 --plies 2\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_GAME,
    .run = run};

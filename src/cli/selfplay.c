/* selfplay.c - a game of the program against itself. */
#include "cli/commands.h"
#include "cli/dice.h"

#include <stdlib.h>

struct game_played {
    json_t *moves;
    double seconds[2];
    uint64_t nodes[2];
    int plies;
};

/* Plays until the end or for so many plies, dice not counted. */
static bool play(const struct cli *cli, struct setup *setup, struct mp_search *const searches[2],
                 int64_t plies, struct dice *dice, struct game_played *played)
{
    struct mp_error error;
    char text[CLI_TEXT];
    for (int turn = 0; played->plies < plies && mp_position_moves(setup->position, NULL, NULL, 0) > 0;
         turn++) {
        const void *state = mp_position_state(setup->position);
        int side = setup->game->side(setup->game, state);
        struct mp_result result;
        mp_move move;
        bool chance = mp_position_is_chance(setup->position);
        if (chance) {
            if (!dice_throw(dice, setup->game, setup->position, &move, &error)) {
                cli_fail(cli, "%s", error.text);
                return false;
            }
        } else {
            if (!mp_search_run(searches[side], setup->position, NULL, NULL, &result, &error)) {
                cli_fail(cli, "%s", error.text);
                return false;
            }
            move = result.move;
            played->seconds[side] += result.seconds;
            played->nodes[side] += result.counters.nodes;
            played->plies++;
        }
        print_move_text(setup->game, state, move, text);
        json_array_append_new(played->moves, json_string(text));
        if (!cli->json) {
            char value[64] = "";
            if (!chance)
                print_value_text(setup->game, result.value, value, sizeof value);
            printf("%4d  %-8s %-12s %s\n", turn + 1, setup->game->players[side], text, value);
            fflush(stdout);
        }
        if (!mp_position_play(setup->position, move, &error)) {
            cli_fail(cli, "%s", error.text);
            return false;
        }
    }
    return true;
}

static int report(const struct cli *cli, const struct setup *setup, struct mp_search *const searches[2],
                  const struct game_played *played)
{
    bool over = mp_position_moves(setup->position, NULL, NULL, 0) == 0;
    int margin = over ? mp_position_margin(setup->position) : 0;
    const char *winner = margin > 0 ? setup->game->players[0] : setup->game->players[1];
    char text[CLI_TEXT];
    print_position_text(setup, text);
    if (cli->json)
        return print_json(json_pack("{s:s, s:[s, s], s:O, s:s, s:b, s:s*, s:i, s:i, s:[f, f], s:[I, I]}",
                                    "game", setup->game->name, "strategies", mp_search_strategy(searches[0]),
                                    mp_search_strategy(searches[1]), "moves", played->moves, "position", text,
                                    "over", over, "winner", over && margin ? winner : NULL, "margin", margin,
                                    "plies", played->plies, "seconds", played->seconds[0], played->seconds[1],
                                    "nodes", (json_int_t)played->nodes[0], (json_int_t)played->nodes[1]));
    printf("\n");
    print_board(setup);
    if (!over)
        printf("stopped after %d plies\n", played->plies);
    else if (margin == 0)
        printf("a draw after %d plies\n", played->plies);
    else
        printf("%s wins by %d after %d plies\n", winner, abs(margin), played->plies);
    for (int side = 0; side < 2; side++)
        printf("%-8s %s: %.3f s, %llu nodes\n", setup->game->players[side],
               mp_search_strategy(searches[side]), played->seconds[side],
               (unsigned long long)played->nodes[side]);
    return 0;
}

static int run(const struct cli *cli)
{
    int64_t plies, seed;
    if (!cli_number(cli, "plies", 1, 1000000, 1000000, &plies) ||
        !cli_number(cli, "seed", 0, INT64_MAX, 1, &seed))
        return EXIT_USAGE;
    struct setup setup;
    if (!setup_open(&setup, cli))
        return EXIT_USAGE;
    struct mp_error error;
    char *texts[2] = {cli_strategy(cli, "strategy", setup.game->chances ? "star2,depth=2" : "pvs,depth=4"),
                      NULL};
    texts[1] = texts[0] ? cli_strategy(cli, "opponent", texts[0]) : NULL;
    struct mp_search *searches[2] = {NULL, NULL};
    struct game_played played = {.moves = json_array()};
    struct dice dice = {0};
    int code = EXIT_USAGE;
    if (!dice_open(&dice, cli_option(cli, "dice"), (uint64_t)seed, 0, &error)) {
        cli_fail(cli, "%s", error.text);
    } else if (texts[1]) {
        for (int side = 0; side < 2; side++)
            searches[side] = mp_search_new(setup.game, texts[side], &error);
        if (!searches[0] || !searches[1])
            cli_fail(cli, "%s", error.text);
        else if (play(cli, &setup, searches, plies, &dice, &played))
            code = report(cli, &setup, searches, &played);
        mp_search_free(searches[0]);
        mp_search_free(searches[1]);
    }
    dice_close(&dice);
    setup_close(&setup);
    json_decref(played.moves);
    free(texts[0]);
    free(texts[1]);
    return code;
}

static const struct cli_argument arguments[] = {{"GAME", "a game, or a plug-in such as ./connect4.so", false},
                                                {0}};
static const struct cli_option options[] = {
    {"strategy", "S",
     "how both players search, see `manyply strategies`; the standard is pvs,depth=4, with dice "
     "star2,depth=2"},
    {"opponent", "S", "how the second player searches, if not the same way"},
    {"threads", "N", "threads for a strategy with split=; the standard is all CPUs"},
    {"plies", "N", "stop after so many plies; the standard is to play to the end"},
    {"seed", "N", "which dice are thrown, where there are any; the standard is 1"},
    {"dice", "FILE", "throws from a file, such as 31 65 42, or with - from the keyboard, instead of a seed"},
    {"position", "P", "a position in the notation of the game; the standard is its beginning"},
    {"moves", "M", "moves played from there"},
    {0}};

const struct cli_command command_selfplay = {
    .name = "selfplay",
    .summary = "play a game of one strategy against itself or another",
    .details = "  manyply selfplay othello --strategy pvs,depth=6 --opponent random,seed=7\n"
               "  manyply selfplay othello --strategy minimax,depth=4 --plies 2\n",
    .arguments = arguments,
    .options = options,
    .run = run};

/* cmd_moves.c - what may be played in a position. */
#include "cli/commands.h"

#include <stdlib.h>

static int run(const struct cli *cli)
{
    int count = mp_position_moves(cli->position, NULL, NULL, 0);
    mp_move *moves = malloc(((size_t)count + 1) * sizeof *moves);
    json_t *list = json_array();
    char text[CLI_TEXT];
    count = moves ? mp_position_moves(cli->position, moves, NULL, count) : 0;
    bool ok = moves && list;
    for (int i = 0; ok && i < count; i++) {
        print_move_text(cli->game, mp_position_state(cli->position), moves[i], text);
        ok = json_array_append_new(list, json_string(text)) == 0;
    }
    free(moves);
    if (!ok) {
        json_decref(list);
        return cli_fail(cli, "out of memory for the list of %d moves, or one of them is not UTF-8", count);
    }
    print_position_text(cli->game, cli->position, text);
    bool over = mp_position_is_over(cli->position);
    int code = 0;
    if (cli->json) {
        code = print_json(json_pack("{s:s, s:s, s:b, s:b, s:o}", "game", cli->game->name, "position", text,
                                    "over", over, "chance", mp_position_is_chance(cli->position), "moves",
                                    list));
    } else {
        print_board(cli->game, cli->position);
        printf("%d %s%s%s:", count, mp_position_is_chance(cli->position) ? "outcome" : "move",
               count == 1 ? "" : "s", over && count > 0 ? ", though the game is drawn" : "");
        for (size_t i = 0; i < json_array_size(list); i++)
            printf("%s%s", i ? move_separator(list) : " ", shown(json_string_value(json_array_get(list, i))));
        printf("\n");
        json_decref(list);
    }
    return code;
}

static const struct cli_argument arguments[] = {CLI_GAME, {0}};
static const struct cli_option options[] = {
    {"position", "P", "a position in the notation of the game; the default is its beginning"},
    {"moves", "M", "moves played from there, such as \"f5 d6 c3\" or f5d6c3"},
    {0}};

const struct cli_command command_moves = {.name = "moves",
                                          .summary = "draw a position and list its legal moves",
                                          .details = "  manyply moves othello --moves f5d6c3\n",
                                          .arguments = arguments,
                                          .options = options,
                                          .needs = CLI_NEEDS_POSITION,
                                          .run = run};

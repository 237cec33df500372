/* cmd_evaluations.c - what positions at the horizon can be valued with. */
#include "cli/commands.h"

static int run(const struct cli *cli)
{
    struct mp_error error;
    struct mp_game *game = mp_game_open(cli->arguments[0], &error);
    if (!game)
        return cli_fail(cli, "%s", error.text);
    json_t *list = json_array();
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++) {
        bool is_default = e == game->evaluations;
        json_array_append_new(list, json_pack("{s:s, s:s, s:b}", "name", e->name, "summary", e->summary,
                                              "default", is_default));
        if (!cli->json)
            printf("%-12s  %s%s\n", e->name, e->summary, is_default ? " (default)" : "");
    }
    const char *random = "any number: a hash of the position and SEED, for tests";
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:b}", "name", "random:SEED", "summary", random, "default", false));
    int code = 0;
    if (cli->json) {
        code = print_json(json_pack("{s:s, s:o}", "game", game->name, "evaluations", list));
    } else {
        printf("%-12s  %s\n", "random:SEED", random);
        json_decref(list);
    }
    mp_game_close(game);
    return code;
}

static const struct cli_argument arguments[] = {{"GAME", "a game, or a plug-in such as ./connect4.so", false},
                                                {0}};

const struct cli_command command_evaluations = {
    .name = "evaluations",
    .summary = "list the evaluations of a game",
    .details = "  manyply evaluations othello\n"
               "  manyply search othello --strategy alphabeta,eval=discs\n",
    .arguments = arguments,
    .run = run};

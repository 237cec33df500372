/* cmd_evaluations.c - what positions at the horizon can be valued with. */
#include "cli/commands.h"

static int run(const struct cli *cli)
{
    const struct mp_game *game = cli->game;
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
    return code;
}

static const struct cli_argument arguments[] = {CLI_GAME, {0}};

const struct cli_command command_evaluations = {
    .name = "evaluations",
    .summary = "list the evaluations of a game",
    .details = "  manyply evaluations othello\n"
               "  manyply search othello --strategy alphabeta,eval=discs\n",
    .arguments = arguments,
    .needs = CLI_NEEDS_GAME,
    .run = run};

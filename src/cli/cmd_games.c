/* cmd_games.c - which games there are, and their options. */
#include "cli/commands.h"

#include "lab/json_parts.h"

static json_t *game_json(const struct mp_game *game)
{
    return json_pack("{s:s, s:s, s:[s, s], s:b, s:o}", "name", game->name, "summary", game->summary,
                     "players", game->players[0], game->players[1], "dice", game->chances != NULL, "options",
                     json_options(game));
}

static void print_game(const struct mp_game *game)
{
    printf("%-10s  %s\n", shown(game->name), shown(game->summary));
    for (int i = 0; game->options && game->options[i].name; i++) {
        const struct mp_option *option = &game->options[i];
        printf("%12s:%s=", "", option->name);
        if (!option->words)
            printf("%d..%d", option->minimum, option->maximum);
        for (int w = 0; option->words && option->words[w]; w++)
            printf("%s%s", w ? "|" : "", option->words[w]);
        printf("  %s (default: ", option->summary);
        if (option->words)
            printf("%s)\n", option->words[option->initial]);
        else
            printf("%d)\n", option->initial);
    }
}

static int run(const struct cli *cli)
{
    json_t *list = json_array();
    struct mp_error error;
    int code = 0;
    const char *only = cli->arguments[0];
    for (int i = 0; only ? i == 0 : mp_game_name(i) != NULL; i++) {
        struct mp_game *game = mp_game_open(only ? only : mp_game_name(i), &error);
        if (!game) {
            code = cli_fail(cli, "%s", error.text);
            break;
        }
        if (cli->json)
            json_array_append_new(list, game_json(game));
        else
            print_game(game);
        mp_game_close(game);
    }
    if (cli->json && code == 0)
        return print_json(json_pack("{s:o}", "games", list));
    json_decref(list);
    return code;
}

static const struct cli_argument arguments[] = {
    {"GAME", "only this game, or a plug-in such as ./connect4.so", true}, {0}};

const struct cli_command command_games = {.name = "games",
                                          .summary = "list the games and their options",
                                          .details = "  manyply games\n"
                                                     "  manyply games ./connect4.so\n",
                                          .arguments = arguments,
                                          .run = run};

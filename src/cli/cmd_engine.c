/* cmd_engine.c - lets other programs play with this one: one protocol each, in src/protocols. */
#include "cli/commands.h"

#include "base/text.h"
#include "cli/kept_table.h"
#include "protocols/gnubg.h"
#include "protocols/gtp.h"
#include "protocols/halma_files.h"
#include "protocols/nboard.h"
#include "protocols/ubgi.h"
#include "protocols/uci.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct backgammon_table_keeper keeper = {kept_table_take, kept_table_free};

static int run_gnubg(const struct cli *cli)
{
    int port;
    if (!cli_int(cli, "port", 0, 65535, 0, &port))
        return EXIT_USAGE;
    struct mp_error error;
    struct mp_game *game = mp_game_open("backgammon", &error);
    if (!game)
        return cli_fail(cli, "%s", error.text);
    struct mp_strategy *strategy = cli_strategy(cli, game, "strategy", NULL);
    int code = EXIT_USAGE;
    if (strategy) {
        struct gnubg_server server = {port, mp_strategy_text(strategy), stdout, stderr, &keeper};
        gnubg_serve(&server, &error);
        code = cli_fail(cli, "%s", error.text);
    }
    mp_strategy_free(strategy);
    mp_game_close(game);
    return code;
}

static int run_gtp(const struct cli *cli)
{
    const char *name = cli_option(cli, "game");
    struct mp_error error;
    struct mp_game *game = mp_game_open(name ? name : "othello", &error);
    if (!game)
        return cli_fail(cli, "%s", error.text);
    struct mp_strategy *strategy = cli_strategy(cli, game, "strategy", NULL);
    int code = EXIT_USAGE;
    if (strategy && cli_limit(cli, strategy, "time", "1s") && cli_book(cli, strategy))
        code = gtp_run(game, strategy, stdin, stdout, &error) ? EXIT_SUCCESS
                                                              : cli_fail(cli, "%s", error.text);
    mp_strategy_free(strategy);
    mp_game_close(game);
    return code;
}

static int run_halma_files(const struct cli *cli)
{
    const char *input = cli_option(cli, "input"), *output = cli_option(cli, "output");
    struct halma_files files = {input ? input : "input.txt", output ? output : "output.txt", 0};
    struct mp_error error;
    if (!cli_duration(cli, "time", 0, &files.seconds))
        return EXIT_USAGE;
    if (!halma_files_answer(&files, &error))
        return cli_fail(cli, "%s", error.text);
    return 0;
}

static int run_nboard(const struct cli *cli)
{
    struct mp_error error;
    struct mp_game *game = mp_game_open("othello", &error);
    if (!game)
        return cli_fail(cli, "%s", error.text);
    struct mp_strategy *strategy = cli_strategy(cli, game, "strategy", NULL);
    int code = EXIT_USAGE;
    if (strategy)
        code = nboard_run(game, strategy, stdin, stdout, &error) ? EXIT_SUCCESS
                                                                 : cli_fail(cli, "%s", error.text);
    mp_strategy_free(strategy);
    mp_game_close(game);
    return code;
}

static int run_ubgi(const struct cli *cli)
{
    (void)cli;
    return ubgi_run(stdin, stdout, &keeper);
}

static int run_uci(const struct cli *cli)
{
    (void)cli;
    return uci_run(STDIN_FILENO, stdout);
}

static const struct protocol {
    const char *name;
    int (*run)(const struct cli *cli);
    const char *options[5]; /* those that it knows */
} protocols[] = {{"gnubg", run_gnubg, {"port", "strategy", "threads"}},
                 {"gtp", run_gtp, {"book", "game", "strategy", "threads"}},
                 {"halma-files", run_halma_files, {"input", "output", "time"}},
                 {"nboard", run_nboard, {"strategy", "threads"}},
                 {"ubgi", run_ubgi, {NULL}},
                 {"uci", run_uci, {NULL}}};

/* An option of another protocol is an error: nobody gives it for nothing. */
static int run_protocol(const struct cli *cli, const struct protocol *protocol)
{
    for (const struct cli_option *o = cli->command->options; o->name; o++) {
        char known[128] = "";
        bool knows = !cli_option(cli, o->name);
        for (int i = 0; protocol->options[i]; i++) {
            knows |= !strcmp(protocol->options[i], o->name);
            text_append(known, sizeof known, "%s--%s", i ? ", " : "", protocol->options[i]);
        }
        if (!knows)
            return cli_fail(cli, "%s does not take --%s, expected %s", protocol->name, o->name,
                            *known ? known : "no option");
    }
    return protocol->run(cli);
}

static int run(const struct cli *cli)
{
    char known[256] = "";
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
        if (!strcmp(cli->arguments[0], protocols[i].name))
            return run_protocol(cli, &protocols[i]);
        text_append(known, sizeof known, "%s%s", i ? ", " : "", protocols[i].name);
    }
    return cli_fail(cli, "PROTOCOL is '%.60s', expected %s", cli->arguments[0], known);
}

static const struct cli_argument arguments[] = {
    {"PROTOCOL", "gnubg, gtp, halma-files, nboard, ubgi or uci", false}, {0}};
static const struct cli_option options[] = {
    {"book", "FILE", "gtp: play from this book while it knows the position (`manyply book`)"},
    {"game", "GAME", "gtp: a game without dice, or a plug-in; the default is othello"},
    {"input", "FILE", "halma-files: the position to answer; the default is input.txt"},
    {"output", "FILE", "halma-files: where the move is written; the default is output.txt"},
    {"port", "N",
     "gnubg: the port to listen on at 127.0.0.1; the default is 0, any free one, which is printed"},
    {"strategy", "S",
     "gnubg, gtp, nboard: how moves are found; default: the game's, one second a move for gtp and nboard"},
    {"threads", "N", "gnubg, gtp, nboard: threads for a strategy with split="},
    {"time", "T", "halma-files: think at most this long, such as 500ms"},
    {0}};

const struct cli_command command_engine = {
    .name = "engine",
    .summary = "answer another program in a protocol that it speaks",
    .details =
        "  manyply engine gnubg --port 4569          then in gnubg: set player 0 external 127.0.0.1:4569\n"
        "  manyply engine gtp --game othello         Othello, Halma and others, for programs that speak GTP "
        "2\n"
        "  manyply engine halma-files --input input.txt --output output.txt --time 100ms\n"
        "  manyply engine nboard                     Othello, for NBoard and other boards that speak its "
        "protocol\n"
        "  manyply engine ubgi                       backgammon, for programs that speak UBGI\n"
        "  manyply engine uci                        chess, for any GUI that speaks UCI (also manyply-uci)\n",
    .arguments = arguments,
    .options = options,
    .text_only = true,
    .run = run};

/* main.c - finds the sub-command and runs it. */
#include "cli/commands.h"

#include "base/text.h"
#include "base/thread.h"
#include "lab/json_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

const char cli_program[] = "manyply", cli_purpose[] = "searches game trees on every core you have";

/* clang-format off */
const struct cli_command *const cli_commands[] = {
    &command_demo,
    &command_play,
    &command_serve,
    &command_search,
    &command_analyse,
    &command_solve,
    &command_perft,
    &command_moves,
    &command_selfplay,
    &command_arena,
    &command_results,
    &command_rollout,
    &command_bench,
    &command_reproduce,
    &command_study,
    &command_trace,
    &command_engine,
    &command_epd,
    &command_convert,
    &command_learn,
    &command_fit_cuts,
    &command_book,
    &command_harvest,
    &command_train,
    &command_tune,
    &command_new_game,
    &command_check,
    &command_games,
    &command_strategies,
    &command_evaluations,
    &command_devices,
    &command_version,
    &command_completion,
    &command_manual,
    NULL,
};
/* clang-format on */

static void print_contents(void)
{
    printf("%s %s - %s\n\n"
           "Usage: %s COMMAND [arguments] [options]\n\n",
           cli_program, mp_version(), cli_purpose, cli_program);
    for (int i = 0; cli_commands[i]; i++)
        printf("  %-12s  %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    printf("\n`manyply COMMAND --help` explains a command. Begin with:\n\n"
           "  manyply demo                              a tour in less than a minute\n"
           "  manyply play chess                        against the engine\n"
           "  manyply serve --open                      the same in a browser, and much to watch\n"
           "  manyply search othello                    the best first move\n"
           "  manyply search othello --strategy minimax,split=top,depth=7\n"
           "  manyply perft othello 10                  count the lines of play, 10 plies deep\n");
}

static const struct cli_command *find_command(const char *name)
{
    for (int i = 0; cli_commands[i]; i++)
        if (!strcmp(cli_commands[i]->name, name))
            return cli_commands[i];
    return NULL;
}

static int refuse_unknown(const char *name)
{
    char meant[TEXT_GUESS];
    struct text_guess guess = {.typed = name};
    for (int i = 0; cli_commands[i]; i++)
        text_guess_try(&guess, cli_commands[i]->name);
    return cli_fail(NULL, "unknown command '%.60s'%s; `manyply --help` lists the commands", name,
                    text_guess_said(&guess, meant));
}

/* The exit code, unless the output is lost (a full disk), or a part of it (lines of moves are made as JSON). */
static int finish(int code)
{
    if (code == 0 && json_is_lost())
        code = cli_fail(NULL, "the output is not complete: out of memory");
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_fail(NULL, "the output could not be written");
    return code;
}

/* Under this name the program is a chess engine for boards that pass no arguments. */
static bool is_called_uci(const char *path)
{
    const char *slash = strrchr(path, '/');
    return !strcmp(slash ? slash + 1 : path, "manyply-uci");
}

/* A standard file that is closed would be the next one that is opened, and what is printed would be written into it,
 * a results file for example. Standard output is opened for reading: that it is lost has to be noticed. */
static bool open_standard_files(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        bool closed = fcntl(file, F_GETFD) < 0 && errno == EBADF;
        if (closed && open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY) != file)
            return false;
    }
    return true;
}

static int run(int argc, char **argv)
{
    char *as_uci[] = {argv[0], (char *)"engine", (char *)"uci", NULL};
    if (argc == 1 && is_called_uci(argv[0])) {
        argc = 3;
        argv = as_uci;
    }
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        print_contents();
        return finish(0);
    }
    bool version = !strcmp(argv[1], "--version") || !strcmp(argv[1], "-V");
    const char *name = version ? "version" : argv[1];
    /* `manyply help perft` is `manyply perft --help`. */
    bool help = !strcmp(name, "help");
    if (help && argc == 2) {
        print_contents();
        return finish(0);
    }
    const struct cli_command *command = find_command(help ? argv[2] : name);
    if (!command)
        return refuse_unknown(help ? argv[2] : name);
    struct cli cli = {.command = command, .help = help};
    if (!help && !cli_read(&cli, command, argc - 2, argv + 2))
        return EXIT_USAGE;
    if (!cli.help)
        return finish(cli_run(&cli));
    cli_print_help(command);
    return finish(0);
}

/* ---- The stack ---------------------------------------------------------------------------------------- */

struct call {
    int argc;
    char **argv;
    sigset_t signals;
    int code;
};

static void *run_call(void *context)
{
    struct call *call = context;
    pthread_sigmask(SIG_SETMASK, &call->signals, NULL);
    call->code = run(call->argc, call->argv);
    return NULL;
}

/* Runs where there is room: whoever started the program may have given its first thread too little (`ulimit -s 128`). That
 * thread then waits, and all signals are for the other one. */
static int run_with_stack(int argc, char **argv)
{
    struct rlimit limit;
    struct call call = {argc, argv, .code = EXIT_USAGE};
    pthread_t thread;
    sigset_t all;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= THREAD_STACK)
        return run(argc, argv);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &call.signals);
    if (!thread_start(&thread, run_call, &call))
        return cli_fail(
            NULL,
            "no thread can be started, and the stack is too small without one, expected `ulimit -s` to "
            "say at least %d",
            THREAD_STACK >> 10);
    pthread_join(thread, NULL);
    return call.code;
}

int main(int argc, char **argv)
{
    if (!open_standard_files())
        return EXIT_USAGE;
    json_watch();
    return run_with_stack(argc, argv);
}

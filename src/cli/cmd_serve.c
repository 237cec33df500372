/* cmd_serve.c - the page in the browser. */
#include "cli/commands.h"

#include "server/server.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

/* Any user of the machine can read the arguments of a program, and the address holds the token. So the browser is given
 * a file that nobody else can read, and that leads to the address. */
static bool write_door(const char *url, char path[PATH_ROOM])
{
    const char *folders[] = {getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"};
    int file = -1;
    for (size_t i = 0; file < 0 && i < sizeof folders / sizeof *folders; i++)
        if (folders[i] && *folders[i] &&
            snprintf(path, PATH_ROOM, "%s/manyply-XXXXXX.html", folders[i]) < PATH_ROOM)
            file = mkstemps(path, (int)strlen(".html"));
    if (file < 0)
        return false;
    bool ok = dprintf(file,
                      "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Manyply</title>\n"
                      "<meta name=\"referrer\" content=\"no-referrer\">\n"
                      "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n<a href=\"%s\">Manyply</a>\n",
                      url, url) > 0;
    ok = close(file) == 0 && ok;
    if (!ok)
        unlink(path);
    return ok;
}

/* door is the file that leads to the page, "" if there is none. */
static void open_browser(const struct cli *cli, const char *url, char door[PATH_ROOM])
{
    extern char **environ;
    char program[] = "xdg-open";
    char *const arguments[] = {program, door, NULL};
    sigset_t none;
    posix_spawnattr_t attributes;
    pid_t child;
    if (!write_door(url, door)) {
        *door = 0;
        cli_fail(cli, "no file can be written for the browser (%s): please open the address yourself",
                 strerror(errno));
        return;
    }
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int failed = posix_spawnp(&child, program, NULL, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    if (failed)
        cli_fail(cli, "xdg-open cannot be started (%s): please open the address yourself", strerror(failed));
}

static int run(const struct cli *cli)
{
    int port, megabytes;
    const char *address = cli_option(cli, "address"), *arenas = cli_option(cli, "arenas");
    struct mp_error error;
    if (!cli_int(cli, "port", 0, 65535, 8180, &port) || !cli_int(cli, "memory", 16, 1 << 24, 0, &megabytes))
        return EXIT_USAGE;
    /* The threads of the server inherit this: only the sigwait below sees the end coming. */
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
    signal(SIGPIPE, SIG_IGN);
    const char *networks[CLI_MAX_GIVEN];
    int network_count = cli_options(cli, "network", networks);
    struct server_plan plan = {.address = address ? address : "127.0.0.1",
                               .port = port,
                               .game = cli->arguments[0],
                               .arenas = arenas ? arenas : ".",
                               .networks = networks,
                               .network_count = network_count,
                               .megabytes = megabytes};
    struct server *server = server_start(&plan, &error);
    if (!server)
        return cli_fail(cli, "%s", error.text);
    printf("%s\n", server_url(server));
    if (isatty(STDOUT_FILENO))
        printf("Open this address in a browser; Ctrl-C ends the server.\n");
    if (fflush(stdout) != 0) { /* nobody would know the address */
        server_stop(server);
        return cli_fail(cli, "the address could not be written: %s", strerror(errno));
    }
    char door[PATH_ROOM] = "";
    if (cli_option(cli, "open"))
        open_browser(cli, server_url(server), door);
    int received;
    while (sigwait(&ends, &received) == EINTR)
        ;
    if (*door)
        unlink(door);
    server_stop(server);
    return 0;
}

static const struct cli_argument arguments[] = {
    {"GAME", "a plug-in to offer besides the built-in games, such as ./connect4.so", true}, {0}};
static const struct cli_option options[] = {
    {"port", "N", "the port to listen on, 0 for any free one; the default is 8180"},
    {"memory", "MB",
     "memory for the games and searches of all pages; the default is a quarter of what there is"},
    {"open", NULL, "open the page in a browser (with xdg-open)"},
    {"arenas", "DIR", "a folder with arenas (*.db) to look at in the lab; the default is the current one"},
    {"network", "FILE...",
     "a learned evaluation that the page offers besides those of the program; may be repeated"},
    {"address", "A",
     "another address of this machine to listen on, such as ::1; the default is 127.0.0.1, this machine "
     "only"},
    {0}};

const struct cli_command command_serve = {
    .name = "serve",
    .summary = "play, watch and measure in a browser",
    .details =
        "  manyply serve --open\n"
        "  manyply serve ./connect4.so --network c4/best.net\n\n"
        "Prints the address of the page, which holds a secret token, and serves it until Ctrl-C. With\n"
        "--open the browser gets the address in a file that only you can read, so that it is in no\n"
        "list of processes. The JSON interface is described in docs/http-api.md.\n",
    .arguments = arguments,
    .options = options,
    .text_only = true,
    .run = run};

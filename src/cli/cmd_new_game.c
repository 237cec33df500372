/* cmd_new_game.c - a folder with a small game in it to begin with. */
#include "cli/commands.h"

#include "kit/kit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, MOST_NAME = 40 };

/* Letters, digits and '-', as game.h wants it. */
static bool is_name(const char *name)
{
    size_t length = strlen(name);
    return name[0] >= 'a' && name[0] <= 'z' && length <= MOST_NAME &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

static bool has_header(const char *folder)
{
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s/manyply/game.h", folder);
    return length < PATH_SIZE && access(path, R_OK) == 0;
}

/* The folder of the header: beside this program where it is installed, else that of the source it was built
 * from; "" where neither has one (pkg-config may know). INCLUDE_FROM_PROGRAM and SOURCE_INCLUDE come from the
 * build. */
static void find_include(char folder[PATH_SIZE])
{
    char program[PATH_SIZE], beside[2 * PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    char *slash = strrchr(program, '/');
    if (slash)
        *slash = 0;
    snprintf(beside, sizeof beside, "%s/%s", program, INCLUDE_FROM_PROGRAM);
    if (slash && has_header(beside) && realpath(beside, folder))
        return;
    snprintf(folder, PATH_SIZE, "%s", has_header(SOURCE_INCLUDE) ? SOURCE_INCLUDE : "");
}

/* Writes a file that is not there yet. */
static bool write_new(const char *path, const char *text, struct mp_error *error)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    size_t length = strlen(text);
    bool ok = file >= 0 && write(file, text, length) == (ssize_t)length;
    int reason = errno;
    if (file >= 0 && close(file) != 0)
        ok = false;
    return ok || mp_fail(error, "%.200s cannot be written: %s", path, strerror(reason));
}

static bool write_files(const char *folder, const char *name, struct mp_error *error)
{
    char include[PATH_SIZE];
    find_include(include);
    for (const struct kit_template *t = kit_templates; t->name; t++) {
        char path[2 * PATH_SIZE];
        char *file = kit_fill_in(t->name, strlen(t->name), name, include);
        char *text = kit_fill_in(t->begin, (size_t)(t->end - t->begin), name, include);
        bool ok = file && text;
        if (ok) {
            snprintf(path, sizeof path, "%s/%s", folder, file);
            ok = write_new(path, text, error);
        } else
            mp_fail(error, "out of memory");
        free(file);
        free(text);
        if (!ok)
            return false;
    }
    return true;
}

static int run(const struct cli *cli)
{
    const char *name = cli->arguments[0], *parent = cli_option(cli, "in");
    char folder[PATH_SIZE];
    struct mp_error error;
    if (!is_name(name))
        return cli_fail(
            cli, "NAME is '%.60s', expected a small letter, then small letters, digits and '-', at most %d",
            name, MOST_NAME);
    int length = snprintf(folder, sizeof folder, "%s%s%s", parent ? parent : "", parent ? "/" : "", name);
    if (length >= PATH_SIZE)
        return cli_fail(cli, "the name of the folder is too long");
    if (mkdir(folder, 0777) != 0 && errno == EEXIST)
        return cli_fail(cli, "%.200s is there already, expected the name of a new game", folder);
    if (access(folder, W_OK) != 0)
        return cli_fail(cli, "the folder %.200s cannot be made: %s", folder, strerror(errno));
    if (!write_files(folder, name, &error))
        return cli_fail(cli, "%s", error.text);
    if (cli->json) {
        json_t *files = json_array();
        for (const struct kit_template *t = kit_templates; t->name; t++) {
            char *file = kit_fill_in(t->name, strlen(t->name), name, "");
            json_array_append_new(files, json_string(file ? file : ""));
            free(file);
        }
        return print_json(json_pack("{s:s, s:s, s:o}", "name", name, "folder", folder, "files", files));
    }
    printf("%s/%s.c is a small game that works: three in a row. Make it yours:\n\n"
           "  cd %s\n"
           "  make && manyply check ./%s.so\n"
           "  manyply play ./%s.so\n",
           folder, name, folder, name, name);
    return 0;
}

static const struct cli_argument arguments[] = {
    {"NAME", "what the game is called: small letters, digits and '-'", false}, {0}};
static const struct cli_option options[] = {{"in", "DIR", "where the folder is made; default: here"}, {0}};

const struct cli_command command_new_game = {
    .name = "new-game",
    .summary = "write a small game to begin a plug-in with",
    .details = "  manyply new-game hex\n"
               "  cd hex && make && manyply check ./hex.so\n\n"
               "Makes the folder NAME with NAME.c, a complete game with comments, and a Makefile. Nothing is "
               "overwritten.\n",
    .arguments = arguments,
    .options = options,
    .run = run};

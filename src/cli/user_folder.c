/* user_folder.c - finds and makes the folders of the user's files. */
#include "cli/user_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Every folder on the way. */
static bool make_folders(char *path)
{
    for (char *slash = path + 1; *slash; slash++)
        if (*slash == '/') {
            *slash = 0;
            bool ok = mkdir(path, 0700) == 0 || errno == EEXIST;
            *slash = '/';
            if (!ok)
                return false;
        }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

bool user_folder(enum user_folder kind, const char *below, char *path, size_t size)
{
    const char *given = getenv(kind == USER_DATA ? "XDG_DATA_HOME" : "XDG_CACHE_HOME"),
               *home = getenv("HOME");
    const char *usual = kind == USER_DATA ? "/.local/share" : "/.cache";
    bool is_given = given && *given == '/'; /* others are to be ignored, says the specification */
    if (!is_given && (!home || *home != '/'))
        return false;
    int length = snprintf(path, size, "%s%s/manyply%s%s", is_given ? given : home, is_given ? "" : usual,
                          *below ? "/" : "", below);
    return length > 0 && (size_t)length < size && make_folders(path);
}

bool user_last_arena(char *path, size_t size)
{
    size_t length = user_folder(USER_DATA, "", path, size) ? strlen(path) : size;
    return length < size && snprintf(path + length, size - length, "/last-arena.db") < (int)(size - length);
}

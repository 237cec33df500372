/* user_folder.h - where the files of a user go, by the XDG Base Directory Specification. */
#ifndef CLI_USER_FOLDER_H
#define CLI_USER_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

enum user_folder { USER_DATA, USER_CACHE };

/* The folder of this kind with a name below manyply's ("" for itself), made if it is missing. False: there is no home, or
 * it cannot be made. */
bool user_folder(enum user_folder kind, const char *below, char *path, size_t size);

/* The file of the last arena that was told no file of its own. */
bool user_last_arena(char *path, size_t size);

#endif

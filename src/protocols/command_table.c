/* command_table.c - lines, words and rows of a table of commands. */
#include "protocols/command_table.h"

#include <stdlib.h>
#include <string.h>

char *command_word(char **rest)
{
    *rest += strspn(*rest, " ");
    char *word = *rest;
    *rest += strcspn(word, " ");
    if (**rest)
        *(*rest)++ = 0;
    return word;
}

size_t command_find(const char *name, const void *rows, size_t row_size, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(*(const char *const *)((const char *)rows + i * row_size), name) != 0)
        i++;
    return i;
}

void command_loop(FILE *in, bool (*obey)(void *engine, char *line), void *engine)
{
    char *line = NULL;
    size_t room = 0;
    bool goes_on = true;
    while (goes_on && getline(&line, &room, in) >= 0) {
        line[strcspn(line, "\r\n")] = 0;
        goes_on = obey(engine, line);
    }
    free(line);
}

/* command_table.h - what the loops of the protocols share: a line names a command and the rest is its arguments; a protocol is
 * a table with a row for each command. */
#ifndef PROTOCOLS_COMMAND_TABLE_H
#define PROTOCOLS_COMMAND_TABLE_H

#include <stdbool.h>
#include <stdio.h>

/* Cuts the next word off a text; "": there is none. */
char *command_word(char **rest);

/* The row of this name; count: there is none. A row begins with its name (const char *). */
size_t command_find(const char *name, const void *rows, size_t row_size, size_t count);

/* Hands each line, without its end, to a function until it says no or there are no more. */
void command_loop(FILE *in, bool (*obey)(void *engine, char *line), void *engine);

#endif

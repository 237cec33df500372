/* terminal.h - what the terminal can do, and lines of text from the person in front of it. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

struct terminal {
    bool output;  /* what is printed goes to a terminal: one line can be written over */
    bool colour;  /* and NO_COLOR is not set */
    bool unicode; /* the locale's characters are UTF-8 */
    int columns;
};
struct terminal terminal_look(void);

struct line_reader;

/* The words that Tab completes: the caller's list as it is now, ending with null. */
typedef const char *const *completion_words(void *context);

/* Null: out of memory. */
struct line_reader *line_reader_new(completion_words *words, void *context);
void line_reader_free(struct line_reader *reader);

/* The next line without its end, or null at the end of the input or after Ctrl-C. It belongs to the reader
 * until the next call. With a terminal in front, it can be edited and earlier lines are kept; from a pipe, it
 * is echoed behind the prompt, so that a transcript reads as a conversation. */
const char *line_reader_next(struct line_reader *reader, const char *prompt);

#endif

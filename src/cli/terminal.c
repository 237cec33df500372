/* terminal.c - line editing and completion by libedit where a person types, plain reading from a pipe. */
#include "cli/terminal.h"

#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct terminal terminal_look(void)
{
    setlocale(LC_CTYPE, "");
    struct terminal terminal = {
        .output = isatty(STDOUT_FILENO), .unicode = !strcmp(nl_langinfo(CODESET), "UTF-8"), .columns = 80};
    const char *no_colour = getenv("NO_COLOR"), *kind = getenv("TERM");
    terminal.colour = terminal.output && !(no_colour && *no_colour) && kind && strcmp(kind, "dumb") != 0;
    struct winsize size;
    if (terminal.output && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.columns = size.ws_col;
    return terminal;
}

struct line_reader {
    completion_words *words;
    void *context;
    const char *prompt;
    EditLine *editor; /* null: the input is not a terminal */
    History *history;
    char *line;
    size_t size;
};

static char *show_prompt(EditLine *editor)
{
    struct line_reader *reader;
    el_get(editor, EL_CLIENTDATA, &reader);
    return (char *)reader->prompt;
}

/* Completes the line up to the cursor as far as all words that begin with it agree; with nothing to add it
 * lists them. */
static unsigned char complete(EditLine *editor, int key)
{
    (void)key;
    struct line_reader *reader;
    el_get(editor, EL_CLIENTDATA, &reader);
    const LineInfo *line = el_line(editor);
    size_t typed = (size_t)(line->cursor - line->buffer);
    const char *const *words = reader->words(reader->context), *common = NULL;
    size_t length = 0;
    int matches = 0;
    for (int i = 0; words[i]; i++) {
        if (strncmp(words[i], line->buffer, typed) != 0)
            continue;
        if (matches++ == 0) {
            common = words[i];
            length = strlen(common);
        }
        size_t same = typed;
        while (same < length && words[i][same] == common[same])
            same++;
        length = same;
    }
    if (matches == 0)
        return CC_REFRESH_BEEP;
    if (length > typed) {
        char *addition = strndup(common + typed, length - typed);
        if (addition)
            el_insertstr(editor, addition);
        free(addition);
        return CC_REFRESH;
    }
    printf("\n");
    for (int i = 0; words[i]; i++)
        if (!strncmp(words[i], line->buffer, typed))
            printf("%s  ", words[i]);
    printf("\n");
    fflush(stdout);
    return CC_REDISPLAY;
}

static bool editor_start(struct line_reader *reader)
{
    HistEvent event;
    reader->editor = el_init("manyply", stdin, stdout, stderr);
    reader->history = history_init();
    if (!reader->editor || !reader->history)
        return false;
    history(reader->history, &event, H_SETSIZE, 1000);
    el_set(reader->editor, EL_CLIENTDATA, reader);
    el_set(reader->editor, EL_PROMPT, show_prompt);
    el_set(reader->editor, EL_EDITOR, "emacs");
    el_set(reader->editor, EL_HIST, history, reader->history);
    el_set(reader->editor, EL_ADDFN, "manyply-complete", "complete a move or a command", complete);
    el_set(reader->editor, EL_BIND, "^I", "manyply-complete", NULL);
    return true;
}

struct line_reader *line_reader_new(completion_words *words, void *context)
{
    struct line_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->words = words;
    reader->context = context;
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !editor_start(reader)) {
        line_reader_free(reader);
        return NULL;
    }
    return reader;
}

void line_reader_free(struct line_reader *reader)
{
    if (!reader)
        return;
    if (reader->history)
        history_end(reader->history);
    if (reader->editor)
        el_end(reader->editor);
    free(reader->line);
    free(reader);
}

static void interrupt_reading(int signal_number)
{
    (void)signal_number;
}

/* A line from the editor; Ctrl-C makes its read return early. */
static const char *edited_line(struct line_reader *reader, int *length)
{
    struct sigaction once = {.sa_handler = interrupt_reading}, before;
    sigaction(SIGINT, &once, &before);
    const char *line = el_gets(reader->editor, length);
    sigaction(SIGINT, &before, NULL);
    return *length > 0 ? line : NULL;
}

const char *line_reader_next(struct line_reader *reader, const char *prompt)
{
    reader->prompt = prompt;
    if (!reader->editor) {
        printf("%s", prompt);
        fflush(stdout);
        ssize_t length = getline(&reader->line, &reader->size, stdin);
        printf("%s", length < 0 ? "\n" : "");
        if (length < 0)
            return NULL;
        reader->line[strcspn(reader->line, "\r\n")] = '\0';
        printf("%s\n", reader->line);
        return reader->line;
    }
    fflush(stdout);
    int length = 0;
    const char *line = edited_line(reader, &length);
    if (!line) {
        printf("\n");
        return NULL;
    }
    free(reader->line);
    reader->line = strndup(line, strcspn(line, "\r\n"));
    HistEvent event;
    if (reader->line && *reader->line)
        history(reader->history, &event, H_ENTER, reader->line);
    return reader->line;
}

/* cli.h - what the sub-commands share: one table of options from which parsing, --help, the manual page and
 * shell completion are all made, and a few ways to read input and print results. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "manyply/manyply.h"

#include <jansson.h>
#include <stdlib.h>

enum { EXIT_USAGE = 2, CLI_MAX_GIVEN = 64, CLI_MAX_ARGUMENTS = 1024 };

struct cli_option {
    const char *name;  /* without the dashes; the list ends with a null name */
    const char *value; /* what it takes, such as "N", or "S..." if it may be repeated; null for a switch */
    const char *help;
};

struct cli_argument {
    const char
        *name; /* such as "GAME", or "FILE..." if the last may be repeated; the list ends with a null name */
    const char *help;
    bool optional;
};

struct cli;

/* The first argument of most commands. */
#define CLI_GAME                                                                                             \
    {                                                                                                        \
        "GAME", "a game, or a plug-in such as ./connect4.so", false                                          \
    }

/* What there is when a command runs: nothing but its options, the game that its first argument names, or besides a
 * position in it, from --position and --moves. */
enum cli_needs { CLI_NEEDS_NOTHING, CLI_NEEDS_GAME, CLI_NEEDS_POSITION };

struct cli_command {
    const char *name;
    const char *summary;
    const char *details; /* a paragraph or two with examples; may be null */
    const struct cli_argument *arguments;
    const struct cli_option *options;
    enum cli_needs needs;
    bool text_only; /* there is no --json: its output is a text for another program or for people */
    int (*run)(const struct cli *cli);
};

/* The program: its name, what it is for, and all its commands; ends with a null name. */
extern const char cli_program[], cli_purpose[];
extern const struct cli_command *const cli_commands[];

/* The options that every command has, or nearly every (text_only). */
const struct cli_option *cli_common_options(const struct cli_command *command);

/* A command line that has been read. */
struct cli {
    const struct cli_command *command;
    struct mp_game *game; /* as the command needs them */
    struct mp_position *position;
    const char *arguments[CLI_MAX_ARGUMENTS]; /* null where an optional one is missing */
    int given_count;
    struct {
        const struct cli_option *option;
        const char *value;  /* "" for a switch */
    } given[CLI_MAX_GIVEN]; /* in the order of the command line */
    bool json;
    bool help;
};

/* Reads argv (after the command's name). False: an error has been printed. */
bool cli_read(struct cli *cli, const struct cli_command *command, int argc, char **argv);

/* Opens what the command needs, runs it, and closes that. Returns the exit code. */
int cli_run(struct cli *cli);

/* The value of an option: null if it was not given. */
const char *cli_option(const struct cli *cli, const char *name);

/* All values of an option that repeats, in their order; returns how many. */
int cli_options(const struct cli *cli, const char *name, const char *values[CLI_MAX_GIVEN]);

/* The command line that was read, for files that say how they were made. */
void cli_command_line(const struct cli *cli, char *text, size_t size);

void cli_print_help(const struct cli_command *command);

/* Prints "PROGRAM COMMAND: sentence" on stderr, always one line, and returns EXIT_USAGE. cli may be null:
 * the command is not known yet. */
__attribute__((format(printf, 2, 3))) int cli_fail(const struct cli *cli, const char *format, ...);

/* The same for functions that say by false that they have printed an error. */
#define cli_refuse(...) (cli_fail(__VA_ARGS__) == EXIT_SUCCESS)

/* An option that must be a whole number; initial when it was not given. False: error printed. */
bool cli_number(const struct cli *cli, const char *name, int64_t least, int64_t most, int64_t initial,
                int64_t *number);
bool cli_int(const struct cli *cli, const char *name, int least, int most, int initial, int *number);

/* The option --seed; initial when it was not given. False: error printed. */
bool cli_seed(const struct cli *cli, uint64_t initial, uint64_t *seed);

/* The option --random-plies: "8" (the default) is 8 or 9, so that both sides get to move first, and "4-20" any of these.
 * False: error printed. */
bool cli_random_plies(const struct cli *cli, int *least, int *most);

/* The options --width and --layers of a network. layers has room for three widths. False: error printed. */
bool cli_network(const struct cli *cli, int *width, int *layer_count, int layers[]);

/* An option that is a length of time. False: error printed. */
bool cli_duration(const struct cli *cli, const char *name, double initial, double *seconds);

/* The strategy that an option such as --strategy names, or the default of the game with this scheme (null: none), with
 * --depth, --nodes, --time and --threads as keys of it. Null: error printed. */
struct mp_strategy *cli_strategy(const struct cli *cli, const struct mp_game *game, const char *option,
                                 const char *split);

/* Sets a key where the strategy does not say when a search ends. False: error printed. */
bool cli_limit(const struct cli *cli, struct mp_strategy *strategy, const char *key, const char *value);

/* The strategy plays from the book that --book names, if any. False: error printed. */
bool cli_book(const struct cli *cli, struct mp_strategy *strategy);

/* A search by it. Null: error printed. */
struct mp_search *cli_search(const struct cli *cli, const struct mp_strategy *strategy);

/* ---- Printing --------------------------------------------------------------------------------------- */

/* Text of the position, and of a move in it; the buffers are long enough for any game's. */
enum { CLI_TEXT = 4096 };
void print_position_text(const struct mp_game *game, const struct mp_position *position, char *text);
void print_move_text(const struct mp_game *game, const void *state, mp_move move, char *text);
void print_record_move_text(const struct mp_game *game, const void *state, mp_move move,
                            char *text); /* SAN */
void print_board(const struct mp_game *game, const struct mp_position *position);

/* What others have written - engines, plug-ins, files - as it may be printed (text_escape). The text itself or a copy, which
 * the eighth call after this one in the thread overwrites. */
const char *shown(const char *text);

/* Nodes with a unit: "12.3 M". */
void print_large(double number, char *text, size_t size);

/* What stands between the moves of a list: a comma too where moves have blanks. */
const char *move_separator(const json_t *list);

/* The moves of a list by name, such as json_line gives, as far as they fit. */
void print_moves_text(const json_t *list, char *text, size_t size);

json_t *json_outcome(const struct mp_game *game, mp_value value);
json_t *json_counters(const struct mp_counters *counters);
/* Prints and frees it, all of it or nothing; returns the exit code. Null, or that memory ran out anywhere since
 * the last time, is an error. */
int print_json(json_t *object);

/* ---- Ctrl-C ----------------------------------------------------------------------------------------- */

/* From now on the first Ctrl-C stops this search and the second ends the program. Null: as usual. */
void cli_stop_on_interrupt(struct mp_search *search);

#endif

/* play_inner.h - what the files of `manyply play` share: play_game.c keeps the game and its record, play_dialogue.c shows it
 * and asks, play_commands.c does what is typed besides moves, cmd_play.c sets up and takes turns. */
#ifndef CLI_PLAY_INNER_H
#define CLI_PLAY_INNER_H

#include "cli/cli.h"
#include "cli/terminal.h"
#include "cli/terminal_board.h"

struct play {
    const struct cli *cli;
    struct terminal terminal;
    struct board_style style;
    struct line_reader *reader;
    const struct mp_game *game;
    struct mp_position *position; /* start with the moves played on it */
    char start[CLI_TEXT];
    mp_move *moves; /* the outcomes of chance among them */
    int count;
    struct board_mark mark; /* the last move that was not the dice */
    bool human[2];
    bool typed_dice;
    struct mp_search *engine;
    double seconds[2];    /* thought so far */
    uint64_t seed, games; /* which dice, and how many games were played before */
    int resigned;         /* the player who did, or -1 */
    bool board_shown, over_said, told_help, quit;
    char news[CLI_TEXT]; /* on a terminal: what is to be said below the next board */
    char **words;        /* what Tab completes */
};

/* ---- play_game.c ------------------------------------------------------------------------------------ */

const char *play_name(const struct play *play, int side);
int play_side(const struct play *play); /* whose turn it is */
bool play_is_over(const struct play *play);

/* Does a person decide what comes next? */
bool play_asks(const struct play *play);

/* Plays a move that is legal, or that error says why not. */
bool play_move(struct play *play, mp_move move, struct mp_error *error);

/* Back to the first count moves. */
bool play_rewind(struct play *play, int count);

/* The game as a file. On an error of reading, the game is as it was. */
bool play_save(const struct play *play, const char *path);
bool play_load(struct play *play, const char *path, struct mp_error *error);

/* ---- play_dialogue.c --------------------------------------------------------------------------------- */

void play_show_board(struct play *play);

/* Depth, value, speed and the expected line, as they were after the last iteration. */
void play_describe(const struct play *play, const struct mp_result *result, char *text, size_t size);

/* Runs the engine on the position. Ctrl-C ends the search, a second one the program. */
bool play_think(struct play *play, struct mp_result *result);

/* Asks until a move (or the dice) has been played or a command has changed the game. */
void play_ask(struct play *play);

/* What Tab completes: the moves of the position and the commands. */
const char *const *play_words(void *play);
void play_free_words(struct play *play);

/* ---- play_commands.c --------------------------------------------------------------------------------- */

/* The name of a command, and null after the last. */
const char *play_command_name(int index);

/* Runs a line if it is a command. */
bool play_obey(struct play *play, const char *line);

#endif

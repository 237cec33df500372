/* play_commands.c - what can be typed at the terminal besides moves. */
#include "cli/play_inner.h"

#include <string.h>
#include <strings.h>

struct play_command {
    const char *name, *value, *help;
    void (*run)(struct play *play, const char *value);
};
static const struct play_command play_commands[];

static void command_help(struct play *play, const char *value)
{
    (void)value;
    for (int i = 0; play_commands[i].name; i++) {
        char left[32];
        snprintf(left, sizeof left, "%s%s%s", play_commands[i].name, play_commands[i].value ? " " : "",
                 play_commands[i].value ? play_commands[i].value : "");
        printf("  %-10s %s\n", left, play_commands[i].help);
    }
    printf("Anything else is a move. Tab completes moves and commands.\n");
    play->told_help = true;
}

static void command_moves_list(struct play *play, const char *value)
{
    (void)value;
    int width = 0;
    for (int i = 0; play->words[i]; i++) {
        bool is_command = false;
        for (int j = 0; play_commands[j].name; j++)
            is_command |= !strcmp(play_commands[j].name, play->words[i]);
        if (is_command)
            continue;
        int length = (int)strlen(play->words[i]) + 2;
        if (width > 0 && width + length > play->terminal.columns) {
            printf("\n");
            width = 0;
        }
        printf("%s  ", play->words[i]);
        width += length;
    }
    printf("\n");
}

static void command_hint(struct play *play, const char *value)
{
    (void)value;
    struct mp_result result = {MP_SIZE(struct mp_result)};
    if (play_is_over(play) || mp_position_is_chance(play->position)) {
        printf("There is no move to advise: %s.\n",
               play_is_over(play) ? "the game is over" : "the dice have not been thrown");
        return;
    }
    if (!play_think(play, &result))
        return;
    char move[CLI_TEXT], text[CLI_TEXT];
    print_record_move_text(play->game, mp_position_state(play->position), result.move, move);
    play_describe(play, &result, text, sizeof text);
    printf("%s   (%s)\n", move, text);
}

static void command_evaluate(struct play *play, const char *value)
{
    (void)value;
    const struct mp_game *game = play->game;
    printf("Without searching, for %s:\n", play_name(play, play_side(play)));
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++) {
        char text[64];
        mp_value_text(game, e->evaluate(game, e, mp_position_state(play->position)), text, sizeof text);
        printf("  %-12s %s\n", e->name, text);
    }
}

/* Back to the last decision of a person; a resignation is one. */
static void command_undo(struct play *play, const char *value)
{
    (void)value;
    int before = play->count;
    if (play->resigned >= 0) {
        play_rewind(play, before);
        return;
    }
    for (int count = before - 1; count >= 0; count--)
        if (play_rewind(play, count) && play_asks(play))
            return;
    if (before > 0)
        play_rewind(play, before);
    printf("There is no move of yours to take back.\n");
}

static void command_flip(struct play *play, const char *value)
{
    (void)value;
    play->style.flipped = !play->style.flipped;
    play->board_shown = false;
}

static void command_new(struct play *play, const char *value)
{
    (void)value;
    play->games++;
    play->seconds[0] = play->seconds[1] = 0;
    play_rewind(play, 0);
}

static void command_resign(struct play *play, const char *value)
{
    (void)value;
    if (play_is_over(play))
        printf("The game is over already.\n");
    else
        play->resigned = play_side(play);
}

static void command_quit(struct play *play, const char *value)
{
    (void)value;
    play->quit = true;
}

static void command_save(struct play *play, const char *path)
{
    printf(play_save(play, path) ? "saved in %s\n" : "%s cannot be written\n", path);
}

static void command_load(struct play *play, const char *path)
{
    struct mp_error error;
    if (!play_load(play, path, &error))
        printf("%s\n", shown(error.text));
}

static const struct play_command play_commands[] = {
    {"help", NULL, "this list", command_help},
    {"moves", NULL, "what may be played", command_moves_list},
    {"hint", NULL, "the move the engine would play, its value and the line it expects", command_hint},
    {"eval", NULL, "what each evaluation says about the position without searching", command_evaluate},
    {"undo", NULL, "take back your last move and the answer to it", command_undo},
    {"flip", NULL, "turn the board around", command_flip},
    {"save", "FILE", "write the game to a file: .pgn, .mat, .txt (moves), or any other name", command_save},
    {"load", "FILE", "go on with a game from a file, the first in it", command_load},
    {"resign", NULL, "give up the game", command_resign},
    {"new", NULL, "begin again", command_new},
    {"quit", NULL, "leave; so does the end of the input", command_quit},
    {0}};

const char *play_command_name(int index)
{
    return play_commands[index].name;
}

bool play_obey(struct play *play, const char *line)
{
    size_t length = strcspn(line, " \t");
    const char *value = line + length + strspn(line + length, " \t");
    for (const struct play_command *c = play_commands; c->name; c++) {
        if (strlen(c->name) != length || strncasecmp(c->name, line, length) != 0)
            continue;
        if (!c->value != !*value)
            printf(c->value ? "%s needs the name of a file\n" : "%s takes no argument\n", c->name);
        else
            c->run(play, value);
        return true;
    }
    return false;
}

/* play_dialogue.c - shows the game at the terminal, lets the engine think, and reads what is typed. */
#include "cli/play_inner.h"

#include "base/clock.h"
#include "base/text.h"
#include "lab/opening_names.h"

#include <stdlib.h>
#include <string.h>

static void show_clock(const struct play *play)
{
    for (int side = 0; side < 2; side++) {
        int seconds = (int)play->seconds[side];
        printf("%s%s %d:%02d", side ? "   " : "", play_name(play, side), seconds / 60, seconds % 60);
    }
    printf("\n");
}

/* On a terminal always at its top, with what has happened since the last time below. */
void play_show_board(struct play *play)
{
    if (play->terminal.output)
        printf("\033[H\033[J%s\n", shown(play->game->summary));
    printf("\n");
    board_print(&play->style, play->game, play->position, play->mark);
    const char *opening = opening_name(play->game, mp_position_state(play->position));
    if (opening)
        printf("Opening: %s\n", opening);
    show_clock(play);
    printf("%s", play->news);
    *play->news = 0;
    play->board_shown = true;
}

/* The expected line, as records of the game have moves. */
static void line_text(const struct play *play, const struct mp_result *result, char *text, size_t size)
{
    struct mp_position *position = mp_position_copy(play->position, NULL);
    *text = 0;
    for (int i = 0; position && i < result->pv_length; i++) {
        char move[CLI_TEXT];
        print_record_move_text(play->game, mp_position_state(position), result->pv[i], move);
        text_append(text, size, "%s%s", i == 0 ? "" : play->game->chances ? ", " : " ", move);
        if (!mp_position_play(position, result->pv[i], NULL))
            break;
    }
    mp_position_free(position);
}

void play_describe(const struct play *play, const struct mp_result *result, char *text, size_t size)
{
    char value[64], nodes[32], rate[32], line[CLI_TEXT];
    mp_value_text(play->game, result->value, value, sizeof value);
    print_large((double)result->counters.nodes, nodes, sizeof nodes);
    print_large(result->seconds > 0 ? (double)result->counters.nodes / result->seconds : 0, rate,
                sizeof rate);
    line_text(play, result, line, sizeof line);
    snprintf(text, size, "depth %d  %s  %s nodes  %s/s  %s", result->depth, value, nodes, rate, line);
}

static void show_thinking(const struct mp_result *so_far, void *context)
{
    const struct play *play = context;
    char text[CLI_TEXT];
    play_describe(play, so_far, text, sizeof text);
    printf("\r%.*s\033[K", play->terminal.columns - 1, text);
    fflush(stdout);
}

bool play_think(struct play *play, struct mp_result *result)
{
    struct mp_error error;
    cli_stop_on_interrupt(play->engine);
    bool ok = mp_search_run(play->engine, play->position, play->terminal.output ? show_thinking : NULL, play,
                            result, &error);
    cli_stop_on_interrupt(NULL);
    if (play->terminal.output)
        printf("\r\033[K");
    if (!ok)
        printf("%s\n", shown(error.text));
    return ok;
}

void play_free_words(struct play *play)
{
    for (int i = 0; play->words && play->words[i]; i++)
        free(play->words[i]);
    free(play->words);
    play->words = NULL;
}

/* The moves of the position and the commands. */
static void collect_words(struct play *play)
{
    play_free_words(play);
    int count = play_is_over(play) ? 0 : mp_position_moves(play->position, NULL, NULL, 0), at = 0;
    int commands = 0;
    while (play_command_name(commands))
        commands++;
    mp_move *moves = calloc((size_t)count + 1, sizeof *moves);
    play->words = calloc((size_t)(count + commands) + 1, sizeof *play->words);
    if (moves && play->words) {
        mp_position_moves(play->position, moves, NULL, count);
        for (int i = 0; i < count; i++) {
            char text[CLI_TEXT];
            print_record_move_text(play->game, mp_position_state(play->position), moves[i], text);
            play->words[at++] = strdup(text);
        }
        for (int i = 0; i < commands; i++)
            play->words[at++] = strdup(play_command_name(i));
    }
    free(moves);
}

const char *const *play_words(void *context)
{
    const struct play *play = context;
    return (const char *const *)play->words;
}

void play_ask(struct play *play)
{
    char prompt[64];
    bool over = play_is_over(play), chance = !over && mp_position_is_chance(play->position);
    snprintf(prompt, sizeof prompt, "%s%s> ", over ? "" : play_name(play, play_side(play)),
             chance ? " throws" : "");
    collect_words(play);
    if (!play->words) {
        play->quit = true;
        return;
    }
    int64_t start = clock_ns();
    const char *line = line_reader_next(play->reader, prompt);
    if (!over && !chance)
        play->seconds[play_side(play)] += clock_seconds_since(start);
    if (!line) {
        play->quit = true;
        return;
    }
    line += strspn(line, " \t");
    if (!*line || play_obey(play, line))
        return;
    struct mp_error error;
    mp_move move;
    if (over)
        printf("The game is over; `new` begins again, `undo` takes back, `quit` leaves.\n");
    else if (!mp_position_parse_move(play->position, line, &move, &error) || !play_move(play, move, &error))
        printf("%s%s\n", shown(error.text),
               play->told_help ? "" : " (`moves` lists what may be played, `help` the commands)");
}

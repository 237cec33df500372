/* gtp_player.c - a program that speaks GTP (version 2), as a player: Othello, Halma and other games without dice.
 *
 * GTP has no way to set up a position: games begin at the beginning, and what was played since the last time is told
 * move by move. Passes are not told, because programs for Othello disagree on them: some refuse them, all understand a
 * second move in a row. The program runs until it breaks a rule or a limit; it is then killed, and started again for the
 * next game. */
#include "base/clock.h"
#include "lab/player.h"
#include "lab/process.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct gtp_program {
    struct process *process;
    int told; /* moves of the game that the program knows */
};

static void end_gtp(struct player *player)
{
    struct gtp_program *program = player->data;
    if (program)
        process_end(program->process);
    free(program);
    player->data = NULL;
}

/* Sends a command and waits for the end of its answer, whose first line is kept: "= d6" or "? no". One at a time:
 * some programs let `quit` overtake what was sent before it. */
static enum process_answer ask(struct process *process, const char *command, int64_t deadline, char *first,
                               size_t size)
{
    char line[512];
    snprintf(line, sizeof line, "%.500s\n", command);
    enum process_answer answer = process_send(process, line, deadline);
    *first = 0;
    while (answer == PROCESS_OK) {
        answer = process_read(process, deadline, line, sizeof line);
        line[strcspn(line, "\r")] = 0;
        if (answer == PROCESS_OK && !*first && (*line == '=' || *line == '?'))
            snprintf(first, size, "%.*s", (int)size - 1, line);
        else if (answer == PROCESS_OK && *first && !*line)
            break;
    }
    return answer;
}

/* What a program may not know, or need: its answer does not matter. */
static enum process_answer introduce(const struct player *player, struct process *process)
{
    const struct time_control *control = &player->setup->control;
    struct mp_board board = {MP_SIZE(struct mp_board)};
    struct mp_position *start = mp_position_new(player->game, NULL, NULL);
    int rows = start && mp_position_board(start, &board) ? board.rows : 8;
    mp_position_free(start);
    char lines[4][128] = {"protocol_version"}, answer[64];
    int count = 1;
    snprintf(lines[count++], sizeof *lines, "set_game %c%.60s", toupper((unsigned char)player->game->name[0]),
             player->game->name + 1);
    snprintf(lines[count++], sizeof *lines, "boardsize %d", rows);
    if (control->move > 0)
        snprintf(lines[count++], sizeof *lines, "time_settings 0 %.0f 1", ceil(control->move));
    else if (control->base > 0)
        snprintf(lines[count++], sizeof *lines, "time_settings %.0f 0 0", floor(control->base));
    enum process_answer ok = PROCESS_OK;
    for (int i = 0; i < count && ok == PROCESS_OK; i++)
        ok = ask(process, lines[i], process_deadline(player->setup->patience), answer, sizeof answer);
    return ok;
}

static enum player_answer begin_gtp(struct player *player, struct mp_error *error)
{
    struct gtp_program *program = player->data;
    enum process_answer ok = PROCESS_OK;
    char answer[64];
    if (!program) {
        program = player->data = calloc(1, sizeof *program);
        program ? program->process = process_start(player->setup->words, error)
                : (void)mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
        if (!program || !program->process) {
            end_gtp(player);
            return PLAYER_FAILED;
        }
        ok = introduce(player, program->process);
        /* A program that ends at once is none for this: no way to lose a game. */
        if (ok != PROCESS_OK)
            return player_give_up(player, program->process, ok, "protocol_version", error) == PLAYER_LATE
                       ? PLAYER_LATE
                       : PLAYER_FAILED;
    }
    if (ok == PROCESS_OK)
        ok = ask(program->process, "clear_board", process_deadline(player->setup->patience), answer,
                 sizeof answer);
    program->told = 0;
    return ok == PROCESS_OK ? PLAYER_MOVED
                            : player_give_up(player, program->process, ok, "clear_board", error);
}

/* ---- A move ----------------------------------------------------------------------------------------- */

/* "b" or "w": players who are not called Black and White are, in this order. */
static const char *colour_of(const struct mp_game *game, int side)
{
    if (!strcasecmp(game->players[side], "White") || !strcasecmp(game->players[!side], "Black"))
        return "w";
    return !strcasecmp(game->players[side], "Black") || side == 0 ? "b" : "w";
}

/* Games begin where GTP can begin. */
static bool begins_at_the_beginning(const struct player *player, const struct turn *turn)
{
    char text[4096] = "";
    struct mp_position *start = mp_position_new(player->game, NULL, NULL);
    if (start)
        mp_position_text(start, text, sizeof text);
    mp_position_free(start);
    return !strcmp(text, turn->start);
}

static enum player_answer tell_moves(struct player *player, const struct turn *turn, int64_t deadline,
                                     struct mp_error *error)
{
    struct gtp_program *program = player->data;
    for (; program->told < turn->count; program->told++) {
        const char *move = turn->moves[program->told];
        int side = (turn->count - program->told) % 2 ? !turn->side : turn->side;
        char line[512], answer[256];
        if (!strcmp(move, "pass"))
            continue;
        snprintf(line, sizeof line, "play %s %.400s", colour_of(player->game, side), move);
        enum process_answer ok = ask(program->process, line, deadline, answer, sizeof answer);
        if (ok != PROCESS_OK)
            return player_give_up(player, program->process, ok, line, error);
        if (*answer != '=') {
            mp_fail(error, "answered `%.100s` to `%.60s`", answer, line);
            end_gtp(player);
            return PLAYER_GONE;
        }
    }
    return PLAYER_MOVED;
}

/* "= D6" */
static enum player_answer read_move(struct player *player, const struct turn *turn, char *answer,
                                    struct thought *thought, struct mp_error *error)
{
    char *text = answer + 1;
    text += strspn(text, "0123456789 \t");
    text[strcspn(text, "\t")] = 0;
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' ';)
        text[--length] = 0;
    if (*answer != '=')
        mp_fail(error, "answered `%.100s` to genmove", answer);
    else if (mp_position_parse_move(turn->position, text, &thought->move, error))
        return PLAYER_MOVED;
    for (char *c = text; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (*answer == '=' && mp_position_parse_move(turn->position, text, &thought->move, error))
        return PLAYER_MOVED;
    end_gtp(player);
    return PLAYER_ILLEGAL;
}

static enum player_answer think_gtp(struct player *player, const struct turn *turn, struct thought *thought,
                                    struct mp_error *error)
{
    const struct time_control *control = &player->setup->control;
    struct gtp_program *program = player->data;
    double allowed = fmin(turn->allowed,
                          control->base > 0 || control->move > 0 ? INFINITY : player->setup->patience);
    char line[128], answer[256];
    const char *colour = colour_of(player->game, turn->side);
    *thought = (struct thought){0};
    if (!begins_at_the_beginning(player, turn)) {
        mp_fail(error, "GTP cannot set up a position, expected openings that are moves");
        return PLAYER_FAILED;
    }
    if (mp_position_moves(turn->position, &thought->move, NULL, 1) == 1 && player->game->is_pass &&
        player->game->is_pass(player->game, thought->move))
        return PLAYER_MOVED;
    enum player_answer told = tell_moves(player, turn, process_deadline(player->setup->patience), error);
    if (told != PLAYER_MOVED)
        return told;
    enum process_answer ok = PROCESS_OK;
    int64_t start = clock_ns(), deadline = process_deadline(allowed);
    if (control->base > 0) {
        snprintf(line, sizeof line, "time_left %s %.0f 0", colour, floor(turn->left[turn->side]));
        ok = ask(program->process, line, deadline, answer, sizeof answer);
    }
    snprintf(line, sizeof line, "genmove %s", colour);
    if (ok == PROCESS_OK)
        ok = ask(program->process, line, deadline, answer, sizeof answer);
    thought->seconds = clock_seconds_since(start);
    if (ok != PROCESS_OK)
        return player_give_up(player, program->process, ok, line, error);
    program->told = turn->count + 1;
    return read_move(player, turn, answer, thought, error);
}

const struct player_kind player_gtp = {NULL, begin_gtp, think_gtp, end_gtp};

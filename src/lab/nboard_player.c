/* nboard_player.c - a program that speaks the protocol of NBoard (Welty), as a player of Othello.
 *
 * Before each move the program is told the whole game, in GGF, and pinged until it is ready. NBoard knows no clock: a
 * program gets a depth (tc=depth=N, else 8) and is late if it thinks longer than its time. option.NAME=VALUE is sent as
 * `set NAME VALUE`. The program runs until it breaks a rule or a limit; it is then killed, and started again for the next
 * game. */
#include "base/clock.h"
#include "lab/player.h"
#include "records/ggf.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEPTH = 8, UNITS_A_DISC = 100, DISCS = 64 };

struct nboard_program {
    struct process *process;
    int pings;
};

static void end_nboard(struct player *player)
{
    struct nboard_program *program = player->data;
    if (program)
        process_end(program->process);
    free(program);
    player->data = NULL;
}

/* Waits for a line that begins with a word, and keeps it. */
static enum process_answer await(struct process *process, const char *word, int64_t deadline, char *line,
                                 size_t size)
{
    size_t length = strlen(word);
    enum process_answer answer;
    do {
        answer = process_read(process, deadline, line, size);
        line[strcspn(line, "\r")] = 0;
        if (answer == PROCESS_OK && strncmp(line, word, length) != 0 && clock_ns() > deadline)
            answer = PROCESS_LATE;
    } while (answer == PROCESS_OK && strncmp(line, word, length) != 0);
    return answer;
}

/* Sends lines and waits until the program has read them all. */
static enum process_answer tell(struct player *player, const char *lines)
{
    struct nboard_program *program = player->data;
    int64_t deadline = process_deadline(player->setup->patience);
    char ping[32], pong[32], line[256];
    int number = ++program->pings;
    snprintf(ping, sizeof ping, "ping %d\n", number);
    snprintf(pong, sizeof pong, "pong %d", number);
    enum process_answer answer = process_send(program->process, lines, deadline);
    if (answer == PROCESS_OK)
        answer = process_send(program->process, ping, deadline);
    return answer == PROCESS_OK ? await(program->process, pong, deadline, line, sizeof line) : answer;
}

static enum process_answer introduce(struct player *player)
{
    const struct player_setup *setup = player->setup;
    char lines[2048];
    int length = snprintf(lines, sizeof lines, "nboard 2\nset depth %d\n",
                          setup->control.depth > 0 ? setup->control.depth : DEPTH);
    for (int i = 0; i < setup->option_count && length < (int)sizeof lines; i++) {
        const char *option = setup->options[i], *equals = strchr(option, '=');
        length += snprintf(lines + length, sizeof lines - (size_t)length, "set %.*s %s\n",
                           (int)(equals - option), option, equals + 1);
    }
    return tell(player, lines);
}

static enum player_answer begin_nboard(struct player *player, struct mp_error *error)
{
    struct nboard_program *program = player->data;
    if (program)
        return PLAYER_MOVED;
    program = player->data = calloc(1, sizeof *program);
    program ? program->process = process_start(player->setup->words, error)
            : (void)mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    if (!program || !program->process) {
        end_nboard(player);
        return PLAYER_FAILED;
    }
    enum process_answer answer = introduce(player);
    if (answer == PROCESS_OK)
        return PLAYER_MOVED;
    /* A program that ends at once is none for this: no way to lose a game. */
    return player_give_up(player, program->process, answer, "nboard 2", error) == PLAYER_LATE ? PLAYER_LATE
                                                                                              : PLAYER_FAILED;
}

/* ---- A move ----------------------------------------------------------------------------------------- */

/* "set game (;GM[Othello]...;)\n", on the heap; null: out of memory. */
static char *game_text(const struct player *player, const struct turn *turn, struct mp_error *error)
{
    struct record *record = record_new(player->game, turn->start, error);
    mp_move move;
    bool ok = record;
    for (int i = 0; ok && i < turn->count; i++)
        ok = mp_position_parse_move(record->position, turn->moves[i], &move, error) &&
             record_add_move(record, move, error);
    char *text = NULL;
    size_t size = 0;
    FILE *file = ok ? open_memstream(&text, &size) : NULL;
    ok = file && fputs("set game ", file) >= 0 && ggf_write(record, file);
    if (file && fclose(file) != 0)
        ok = false;
    record_free(record);
    if (ok)
        return text;
    free(text);
    return NULL;
}

/* "=== D6/1.20/0.50"; some programs put blanks between the three. */
static enum player_answer read_move(struct player *player, const struct turn *turn, char *answer,
                                    struct thought *thought, struct mp_error *error)
{
    static const char between[] = "/ \t";
    char *text = answer + strlen("===");
    text += strspn(text, " \t");
    char *value = text + strcspn(text, between), *end;
    if (*value)
        *value++ = 0;
    bool is_pass = !strcasecmp(text, "pa") || !strcasecmp(text, "pass");
    if (!mp_position_parse_move(turn->position, is_pass ? "pass" : text, &thought->move, error)) {
        end_nboard(player);
        return PLAYER_ILLEGAL;
    }
    double discs = strtod(value, &end);
    thought->has_value = end != value && fabs(discs) <= DISCS;
    if (thought->has_value)
        thought->value = (mp_value)lround(discs * UNITS_A_DISC);
    return PLAYER_MOVED;
}

static enum player_answer think_nboard(struct player *player, const struct turn *turn,
                                       struct thought *thought, struct mp_error *error)
{
    const struct time_control *control = &player->setup->control;
    struct nboard_program *program = player->data;
    bool is_timed = control->base > 0 || control->move > 0;
    double allowed = fmin(turn->allowed, is_timed ? INFINITY : player->setup->patience);
    char line[256];
    *thought = (struct thought){0};
    if (mp_position_moves(turn->position, &thought->move, NULL, 1) == 1 &&
        player->game->is_pass(player->game, thought->move))
        return PLAYER_MOVED;
    char *game = game_text(player, turn, error);
    if (!game)
        return PLAYER_FAILED;
    enum process_answer answer = tell(player, game);
    free(game);
    if (answer != PROCESS_OK)
        return player_give_up(player, program->process, answer, "set game", error);
    int64_t start = clock_ns(), deadline = process_deadline(allowed);
    answer = process_send(program->process, "go\n", deadline);
    if (answer == PROCESS_OK)
        answer = await(program->process, "===", deadline, line, sizeof line);
    thought->seconds = clock_seconds_since(start);
    if (answer != PROCESS_OK)
        return player_give_up(player, program->process, answer, "go", error);
    return read_move(player, turn, line, thought, error);
}

const struct player_kind player_nboard = {"othello", begin_nboard, think_nboard, end_nboard};

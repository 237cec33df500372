/* uci_player.c - a program that speaks UCI (Meyer-Kahlen and Huber 2000), as a player.
 *
 * The program runs until it breaks a rule or a limit; it is then killed, and started again for the next
 * game. */
#include "base/clock.h"
#include "base/text.h"
#include "lab/player.h"
#include "lab/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void end_uci(struct player *player)
{
    process_end(player->data);
    player->data = NULL;
}

static int64_t deadline_in(double seconds)
{
    /* A hundred years are enough. */
    return clock_ns() + (int64_t)(fmin(seconds, 3e9) * 1e9);
}

/* Kills a program that did not do as it should, and says how. */
static enum player_answer give_up(struct player *player, enum process_answer answer, const char *question,
                                  struct mp_error *error)
{
    mp_fail(error, answer == PROCESS_LATE ? "no answer in time to `%s`" : "ended before it answered `%s`",
            question);
    end_uci(player);
    return answer == PROCESS_LATE ? PLAYER_LATE : PLAYER_GONE;
}

/* Sends a text and waits for a line that begins with a word. */
static enum process_answer ask(struct process *process, const char *text, const char *word, double seconds)
{
    char line[256];
    int64_t deadline = deadline_in(seconds);
    enum process_answer answer = process_send(process, text, deadline);
    size_t length = strlen(word);
    while (answer == PROCESS_OK) {
        answer = process_read(process, deadline, line, sizeof line);
        if (answer == PROCESS_OK && !strncmp(line, word, length) && strchr(" \t", line[length]))
            break;
    }
    return answer;
}

static enum process_answer introduce(const struct player *player)
{
    const struct player_setup *setup = player->setup;
    enum process_answer answer = ask(player->data, "uci\n", "uciok", setup->patience);
    for (int i = 0; i < setup->option_count && answer == PROCESS_OK; i++) {
        const char *option = setup->options[i], *equals = strchr(option, '=');
        char line[1024];
        snprintf(line, sizeof line, "setoption name %.*s value %s\n", (int)(equals - option), option,
                 equals + 1);
        answer = process_send(player->data, line, deadline_in(setup->patience));
    }
    return answer;
}

static enum player_answer begin_uci(struct player *player, struct mp_error *error)
{
    enum process_answer answer = PROCESS_OK;
    if (!player->data) {
        player->data = process_start(player->setup->words, error);
        if (!player->data)
            return PLAYER_GONE;
        answer = introduce(player);
        if (answer != PROCESS_OK)
            return give_up(player, answer, "uci", error);
    }
    answer = ask(player->data, "ucinewgame\nisready\n", "readyok", player->setup->patience);
    return answer == PROCESS_OK ? PLAYER_MOVED : give_up(player, answer, "isready", error);
}

/* ---- A move ----------------------------------------------------------------------------------------- */

static long long milliseconds(double seconds)
{
    return seconds > 0.001 ? (long long)(seconds * 1000) : 1;
}

static enum process_answer send_position(struct player *player, const struct turn *turn, int64_t deadline)
{
    size_t size = strlen(turn->start) + 64;
    for (int i = 0; i < turn->count; i++)
        size += strlen(turn->moves[i]) + 1;
    char *text = malloc(size);
    if (!text)
        return PROCESS_GONE;
    int length = snprintf(text, size, "position fen %s%s", turn->start, turn->count ? " moves" : "");
    for (int i = 0; i < turn->count; i++)
        length += snprintf(text + length, size - (size_t)length, " %s", turn->moves[i]);
    snprintf(text + length, size - (size_t)length, "\n");
    enum process_answer answer = process_send(player->data, text, deadline);
    free(text);
    return answer;
}

static enum process_answer send_go(struct player *player, const struct turn *turn, int64_t deadline)
{
    const struct time_control *control = &player->setup->control;
    char line[256] = "go";
    if (control->base > 0)
        text_append(line, sizeof line, " wtime %lld btime %lld winc %lld binc %lld",
                    milliseconds(turn->left[0]), milliseconds(turn->left[1]),
                    (long long)(turn->increment[0] * 1000), (long long)(turn->increment[1] * 1000));
    if (control->move > 0)
        text_append(line, sizeof line, " movetime %lld", milliseconds(control->move));
    if (control->nodes)
        text_append(line, sizeof line, " nodes %llu", (unsigned long long)control->nodes);
    if (control->depth)
        text_append(line, sizeof line, " depth %d", control->depth);
    text_append(line, sizeof line, "\n");
    return process_send(player->data, line, deadline);
}

/* The number after a word of an info line; false: it does not have that word. */
static bool find_number(const char *line, const char *word, long long *number)
{
    size_t length = strlen(word);
    for (const char *at = line; (at = strstr(at, word)); at += length)
        if (at > line && at[-1] == ' ' && at[length] == ' ') {
            char *end;
            *number = strtoll(at + length + 1, &end, 10);
            return end != at + length + 1;
        }
    return false;
}

/* "info depth 9 seldepth 14 score cp 31 nodes 8012 ... pv e2e4 ..." */
static void read_info(const char *line, struct thought *thought)
{
    long long number;
    char head[512];
    if (strncmp(line, "info ", 5) != 0)
        return;
    snprintf(head, sizeof head, "%.500s", line);
    char *text = strstr(head, " pv "), *string = strstr(head, " string ");
    if (text)
        *text = 0;
    if (string)
        *string = 0;
    if (find_number(head, "nodes", &number) && number > 0)
        thought->nodes = (uint64_t)number;
    /* The depth of a line without a score is only begun; of several lines the first is the one that is
     * played. */
    if (!strstr(head, " score ") || (find_number(head, "multipv", &number) && number > 1))
        return;
    if (find_number(head, "depth", &number))
        thought->depth = number > 0 && number < 1000 ? (int)number : 0;
    if (find_number(head, "seldepth", &number))
        thought->max_depth = number > 0 && number < 1000 ? (int)number : 0;
    if (find_number(head, "score cp", &number)) {
        thought->has_value = true;
        thought->value = (mp_value)fmax(fmin((double)number, MP_EVAL_MAX), -MP_EVAL_MAX);
    } else if (find_number(head, "score mate", &number)) {
        /* In moves of the side that mates. */
        int moves = (int)fmax(fmin((double)number, MP_MAX_PLY / 2), -MP_MAX_PLY / 2 + 1);
        int distance = MP_MAX_PLY - (moves > 0 ? 2 * moves - 1 : -2 * moves);
        thought->has_value = true;
        thought->value = number > 0 ? MP_PROVEN + distance : -MP_PROVEN - distance;
    }
}

/* "bestmove e2e4 ponder e7e5" */
static enum player_answer read_best(struct player *player, const struct turn *turn, char *line,
                                    struct thought *thought, struct mp_error *error)
{
    char *text = line + strlen("bestmove");
    text += strspn(text, " \t");
    text[strcspn(text, " \t")] = 0;
    if (mp_position_parse_move(turn->position, text, &thought->move, error))
        return PLAYER_MOVED;
    end_uci(player);
    return PLAYER_ILLEGAL;
}

static enum player_answer think_uci(struct player *player, const struct turn *turn, struct thought *thought,
                                    struct mp_error *error)
{
    double allowed = fmin(turn->allowed, player->setup->control.base > 0 || player->setup->control.move > 0
                                             ? INFINITY
                                             : player->setup->patience);
    int64_t start = clock_ns(), deadline = deadline_in(allowed);
    *thought = (struct thought){0};
    enum process_answer answer = send_position(player, turn, deadline);
    if (answer == PROCESS_OK) {
        start = clock_ns();
        deadline = deadline_in(allowed);
        answer = send_go(player, turn, deadline);
    }
    char line[1024];
    while (answer == PROCESS_OK) {
        answer = process_read(player->data, deadline, line, sizeof line);
        thought->seconds = clock_seconds_since(start);
        if (answer == PROCESS_OK && !strncmp(line, "bestmove ", 9))
            return read_best(player, turn, line, thought, error);
        if (answer == PROCESS_OK)
            read_info(line, thought);
    }
    return give_up(player, answer, "go", error);
}

const struct player_kind player_uci = {begin_uci, think_uci, end_uci};

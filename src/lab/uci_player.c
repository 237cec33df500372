/* uci_player.c - a program that speaks UCI (Meyer-Kahlen and Huber 2000), as a player.
 *
 * The program runs until it breaks a rule or a limit; it is then killed, and started again for the next
 * game. */
#include "base/clock.h"
#include "base/text.h"
#include "lab/player.h"
#include "lab/process.h"
#include "lab/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void end_uci(struct player *player)
{
    process_end(player->data);
    player->data = NULL;
}

/* Sends a text and waits for a line that begins with a word. */
static enum process_answer ask(struct process *process, const char *text, const char *word, double seconds)
{
    char line[256];
    int64_t deadline = process_deadline(seconds);
    enum process_answer answer = process_send(process, text, deadline);
    size_t length = strlen(word);
    while (answer == PROCESS_OK) {
        answer = process_read(process, deadline, line, sizeof line);
        if (answer == PROCESS_OK && !strncmp(line, word, length) && strchr(" \t", line[length]))
            break;
        if (answer == PROCESS_OK && clock_ns() > deadline)
            answer = PROCESS_LATE;
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
        answer = process_send(player->data, line, process_deadline(setup->patience));
    }
    return answer;
}

static enum player_answer begin_uci(struct player *player, struct mp_error *error)
{
    enum process_answer answer = PROCESS_OK;
    if (!player->data) {
        player->data = process_start(player->setup->words, error);
        if (!player->data)
            return PLAYER_FAILED;
        answer = introduce(player);
        /* A program that ends at once lacks a library or memory, or is none for this: no way to lose a game. */
        if (answer != PROCESS_OK)
            return player_give_up(player, player->data, answer, "uci", error) == PLAYER_LATE ? PLAYER_LATE
                                                                                             : PLAYER_FAILED;
    }
    answer = ask(player->data, "ucinewgame\nisready\n", "readyok", player->setup->patience);
    return answer == PROCESS_OK ? PLAYER_MOVED
                                : player_give_up(player, player->data, answer, "isready", error);
}

/* ---- A move ----------------------------------------------------------------------------------------- */

static long long milliseconds(double seconds)
{
    return seconds > 0.001 ? (long long)(seconds * 1000) : 1;
}

/* "position fen ... moves ...", on the heap; null: out of memory. */
static char *position_text(const struct turn *turn)
{
    size_t size = strlen(turn->start) + 64;
    for (int i = 0; i < turn->count; i++)
        size += strlen(turn->moves[i]) + 1;
    char *text = malloc(size);
    if (!text)
        return NULL;
    int length = snprintf(text, size, "position fen %s%s", turn->start, turn->count ? " moves" : "");
    for (int i = 0; i < turn->count; i++)
        length += snprintf(text + length, size - (size_t)length, " %s", turn->moves[i]);
    snprintf(text + length, size - (size_t)length, "\n");
    return text;
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

/* The time of a move. */
struct stopwatch {
    int64_t start;
    double allowed; /* seconds; without a clock, what patience there is */
    bool is_timed;  /* on a clock: what the machine takes is not charged */
    struct waits waits;
    int64_t looked; /* at the waits */
};

static void stopwatch_start(struct stopwatch *watch, const struct player *player, const struct turn *turn)
{
    const struct time_control *control = &player->setup->control;
    watch->is_timed = isfinite(turn->allowed);
    watch->allowed = fmin(turn->allowed,
                          control->base > 0 || control->move > 0 ? INFINITY : player->setup->patience);
    if (watch->is_timed)
        waits_begin(&watch->waits, process_id(player->data));
    watch->start = watch->looked = clock_ns();
}

/* Threads that end take their waits with them, so they are looked at now and then. */
enum { LOOK_NS = 5000000 };

static void stopwatch_look(struct stopwatch *watch, bool now)
{
    if (!watch->is_timed || (!now && clock_ns() - watch->looked < LOOK_NS))
        return;
    waits_look(&watch->waits);
    watch->looked = clock_ns();
}

static void stopwatch_read(const struct stopwatch *watch, const struct player *player, double elapsed,
                           struct thought *thought)
{
    thought->waited = watch->is_timed
                          ? waits_seconds(&watch->waits, elapsed, process_read_late_ns(player->data))
                          : 0;
    thought->seconds = elapsed;
}

/* When nothing more is waited for. The wait for a CPU that is under way is counted when it has ended: so an answer is given
 * a moment more, and then judged by what it took. */
static int64_t stopwatch_end(const struct stopwatch *watch)
{
    static const double grace = 0.1, a_hundred_years = 3e9;
    double more = watch->is_timed ? grace + waits_seconds(&watch->waits, clock_seconds_since(watch->start), 0)
                                  : 0;
    return watch->start + (int64_t)(fmin(watch->allowed + more, a_hundred_years) * 1e9);
}

/* When to look again, if nothing is heard. */
static int64_t stopwatch_next(const struct stopwatch *watch)
{
    int64_t now = clock_ns(), end = stopwatch_end(watch), taken = now - watch->start;
    int64_t next = now + (taken / 16 > LOOK_NS ? taken / 16 : LOOK_NS);
    return watch->is_timed && next < end ? next : end;
}

/* Hears what the program says until it has moved. */
static enum player_answer listen(struct player *player, const struct turn *turn, struct stopwatch *watch,
                                 struct thought *thought, struct mp_error *error)
{
    char line[1024];
    for (;;) {
        enum process_answer answer = process_read(player->data, stopwatch_next(watch), line, sizeof line);
        double elapsed = clock_seconds_since(watch->start);
        bool has_moved = answer == PROCESS_OK && !strncmp(line, "bestmove ", 9);
        stopwatch_look(watch, has_moved || answer == PROCESS_LATE);
        stopwatch_read(watch, player, elapsed, thought);
        if (has_moved)
            return read_best(player, turn, line, thought, error);
        if (answer == PROCESS_OK)
            read_info(line, thought);
        if (answer != PROCESS_GONE && clock_ns() < stopwatch_end(watch))
            continue;
        return player_give_up(player, player->data, answer == PROCESS_GONE ? PROCESS_GONE : PROCESS_LATE,
                              "go", error);
    }
}

static enum player_answer think_uci(struct player *player, const struct turn *turn, struct thought *thought,
                                    struct mp_error *error)
{
    *thought = (struct thought){0};
    char *text = position_text(turn);
    if (!text) {
        mp_fail(error, "out of memory");
        return PLAYER_FAILED;
    }
    struct stopwatch watch;
    stopwatch_start(&watch, player, turn);
    enum process_answer answer = process_send(player->data, text, stopwatch_end(&watch));
    free(text);
    if (answer == PROCESS_OK) {
        stopwatch_start(&watch, player, turn);
        answer = send_go(player, turn, stopwatch_end(&watch));
    }
    if (answer != PROCESS_OK)
        return player_give_up(player, player->data, answer, "go", error);
    return listen(player, turn, &watch, thought, error);
}

const struct player_kind player_uci = {NULL, begin_uci, think_uci, end_uci};

/* nboard.c - the loop that answers the commands of NBoard. A row for each command.
 *
 * Two threads: the one that reads commands, and, while something is searched, one that does that. The reader touches what
 * they share only when there is no search: `ping` and `quit` end it, as a board expects, and any other command waits for
 * its end, so that a script that sends all its lines at once gets all its answers. */
#include "protocols/nboard.h"

#include "base/text.h"
#include "base/thread.h"
#include "protocols/command_table.h"
#include "records/ggf.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE_TEXT = 2 * MP_MAX_PV + 1, MOST_LINES = 64, MOST_DEPTH = 60, UNITS_A_DISC = 100 };

struct nboard {
    const struct mp_game *game;
    struct mp_search *search;
    struct mp_position *position;
    char initial[128], start[128]; /* of the game: where it can, and where it did begin */
    struct mp_limits limits;       /* of the strategy */
    int depth;                     /* as `set depth` gave it; 0: as the strategy says */
    FILE *out;
    bool quits;

    bool working; /* there is a thread to join */
    pthread_t thread;
    void (*work)(struct nboard *n);
    int lines; /* of a hint */
    struct {
        char text[LINE_TEXT];
        mp_value value;
    } found[MOST_LINES]; /* what was said of each line last */
    atomic_bool stop;    /* the work is to end */
};

__attribute__((format(printf, 2, 3))) static void say(struct nboard *n, const char *format, ...)
{
    char line[LINE_TEXT + 256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (char *c = line; *c; c++) /* an error quotes what came */
        if (*c < ' ' || *c > '~')
            *c = '?';
    fprintf(n->out, "%s\n", line);
    fflush(n->out);
}

/* ---- What is found ------------------------------------------------------------------------------------- */

/* A value in discs. */
static double discs(mp_value value)
{
    if (abs(value) > MP_PROVEN)
        return value > 0 ? value - MP_PROVEN : value + MP_PROVEN;
    return (double)value / UNITS_A_DISC;
}

/* F5D6C3; a pass is PA. */
static void line_text(const struct nboard *n, const mp_move *moves, int count, char *text, size_t size)
{
    text[0] = 0;
    for (int i = 0; i < count; i++) {
        char move[8];
        n->game->print_move(n->game, NULL, moves[i], move, sizeof move);
        text_append(text, size, "%c%c", toupper((unsigned char)move[0]), toupper((unsigned char)move[1]));
    }
}

static void say_found(const struct mp_result *so_far, void *context)
{
    struct nboard *n = context;
    int line = so_far->line - 1;
    if (so_far->bound != 0 || line < 0 || line >= MOST_LINES)
        return;
    line_text(n, so_far->pv, so_far->pv_length, n->found[line].text, sizeof n->found[line].text);
    n->found[line].value = so_far->value;
    say(n, "search %s %.2f 0 %d", n->found[line].text, discs(so_far->value), so_far->depth);
}

/* The nodes; and once more what was found, where that has seen the end of the game: it is certain then. */
static void say_end(struct nboard *n, const struct mp_result *result, int lines)
{
    int count = mp_position_moves(n->position, NULL, NULL, 0);
    for (int i = 0; i < lines && i < count && i < MOST_LINES && result->complete; i++)
        say(n, "search %s %.2f 0 100%%", n->found[i].text, discs(n->found[i].value));
    say(n, "nodestats %llu %.2f", (unsigned long long)result->counters.nodes, result->seconds);
}

/* The depth of the board is for the middle of the game; the end is played out from a little further away. */
static struct mp_limits limits_at(const struct nboard *n, const struct mp_position *position)
{
    enum { FURTHER = 6, MOST_PLIES = 20 };
    struct mp_limits limits = n->limits;
    int most, plies = n->game->endgame->plies(n->game, mp_position_state(position), &most);
    if (n->depth)
        limits.depth = plies <= n->depth + FURTHER && plies <= MOST_PLIES ? MP_MAX_DEPTH : n->depth;
    if (!limits.depth && !limits.nodes && limits.seconds == 0)
        limits.seconds = 1;
    return limits;
}

/* False: there is nothing to search, or it failed, which has been said. */
static bool think(struct nboard *n, const struct mp_position *position, int lines, mp_progress progress,
                  struct mp_result *result)
{
    struct mp_error error = {0};
    struct mp_limits limits = limits_at(n, position);
    limits.lines = lines;
    *result = (struct mp_result){MP_SIZE(struct mp_result)};
    if (mp_position_moves(position, NULL, NULL, 0) == 0)
        return false;
    if (mp_search_run_within(n->search, position, &limits, progress, n, result, &error))
        return true;
    say(n, "status %s", error.text);
    return false;
}

static void work_go(struct nboard *n)
{
    struct mp_result result;
    char move[8];
    if (!think(n, n->position, 1, say_found, &result)) {
        say(n, "=== PA");
        return;
    }
    line_text(n, &result.move, 1, move, sizeof move);
    say_end(n, &result, 1);
    say(n, "=== %s/%.2f/%.2f", move, discs(result.value), result.seconds);
}

static void work_hint(struct nboard *n)
{
    struct mp_result result;
    if (think(n, n->position, n->lines, say_found, &result))
        say_end(n, &result, n->lines);
}

/* The margin of a game that is over, for who would be to move. */
static double final_discs(const struct mp_position *position)
{
    int margin = mp_position_margin(position);
    return mp_position_side(position) == 0 ? margin : -margin;
}

/* The position after so many moves of the game. */
static struct mp_position *position_after(const struct nboard *n, size_t made)
{
    size_t count;
    const mp_move *played = mp_position_played(n->position, &count);
    struct mp_position *position = mp_position_new(n->game, n->start, NULL);
    bool ok = position;
    for (size_t i = 0; ok && i < made; i++)
        ok = mp_position_play(position, played[i], NULL);
    if (ok)
        return position;
    mp_position_free(position);
    return NULL;
}

/* Every position of the game, the last one first: what is known of the end helps before it. */
static void work_analysis(struct nboard *n)
{
    size_t count;
    mp_position_played(n->position, &count);
    for (size_t made = count + 1; made-- > 0 && !atomic_load(&n->stop);) {
        struct mp_position *position = position_after(n, made);
        struct mp_result result;
        if (!position) {
            say(n, "status out of memory");
            break;
        }
        bool is_over = mp_position_moves(position, NULL, NULL, 0) == 0;
        if (is_over)
            say(n, "analysis %zu %.2f", made, final_discs(position));
        else if (think(n, position, 1, NULL, &result) && !atomic_load(&n->stop))
            say(n, "analysis %zu %.2f", made, discs(result.value));
        mp_position_free(position);
    }
}

/* ---- The thread that works ----------------------------------------------------------------------------- */

static void *run_work(void *context)
{
    struct nboard *n = context;
    say(n, "status Manyply is thinking");
    n->work(n);
    say(n, "status");
    return NULL;
}

static void await_work(struct nboard *n)
{
    if (n->working)
        pthread_join(n->thread, NULL);
    n->working = false;
}

static void end_work(struct nboard *n)
{
    if (!n->working)
        return;
    atomic_store(&n->stop, true);
    mp_search_stop(n->search);
    await_work(n);
    mp_search_clear_stop(n->search); /* it may have come too late */
}

static void begin_work(struct nboard *n, void (*work)(struct nboard *))
{
    n->work = work;
    atomic_store(&n->stop, false);
    n->working = thread_start(&n->thread, run_work, n);
    if (!n->working) /* then nothing can interrupt it */
        run_work(n);
}

/* ---- Commands ------------------------------------------------------------------------------------------ */

static void do_nboard(struct nboard *n, char *rest)
{
    (void)rest;
    say(n, "set myname Manyply");
}

static void set_depth(struct nboard *n, char *rest)
{
    int64_t depth;
    if (text_to_int(command_word(&rest), 1, MOST_DEPTH, &depth))
        n->depth = (int)depth;
    else
        say(n, "status set depth: expected a whole number from 1 to %d", MOST_DEPTH);
}

/* The game that the board shows; the old one stays if the new one is bad. */
static void set_game(struct nboard *n, char *rest)
{
    struct mp_error error = {0};
    FILE *file = *rest ? fmemopen(rest, strlen(rest), "r") : NULL;
    struct record_reader reader = record_reader(n->game, file);
    struct record *record = file ? ggf_read(&reader, &error) : NULL;
    struct mp_position *position = record ? mp_position_copy(record->position, &error) : NULL;
    if (position) {
        snprintf(n->start, sizeof n->start, "%s", record->start ? record->start : n->initial);
        mp_position_free(n->position);
        n->position = position;
    } else {
        say(n, "status set game: %s", *error.text ? error.text : "expected a game in GGF");
    }
    record_free(record);
    if (file)
        fclose(file);
}

/* All others, such as contempt, are matters of taste that this program does not have. */
static void do_set(struct nboard *n, char *rest)
{
    static const struct {
        const char *name;
        void (*run)(struct nboard *n, char *rest);
    } settings[] = {{"depth", set_depth}, {"game", set_game}};
    enum { SETTINGS = sizeof settings / sizeof *settings };
    size_t i = command_find(command_word(&rest), settings, sizeof *settings, SETTINGS);
    if (i < SETTINGS)
        settings[i].run(n, rest);
}

/* `F5/1.20/0.50`, as boards and programs write a move; what it was worth is not needed here. */
static void do_move(struct nboard *n, char *rest)
{
    struct mp_error error = {0};
    mp_move move, pass;
    char *text = command_word(&rest);
    text[strcspn(text, "/")] = 0;
    bool is_pass = !strcasecmp(text, "pa") || !strcasecmp(text, "pass");
    bool ok = mp_position_parse_move(n->position, is_pass ? "pass" : text, &move, &error);
    /* Some boards leave passes out. */
    if (!ok && !is_pass && mp_position_moves(n->position, &pass, NULL, 1) == 1 &&
        n->game->is_pass(n->game, pass) && mp_position_play(n->position, pass, NULL))
        ok = mp_position_parse_move(n->position, text, &move, &error);
    if (!ok || !mp_position_play(n->position, move, &error))
        say(n, "status move: %s", error.text);
}

static void do_go(struct nboard *n, char *rest)
{
    (void)rest;
    begin_work(n, work_go);
}

static void do_hint(struct nboard *n, char *rest)
{
    int64_t lines;
    n->lines = text_to_int(command_word(&rest), 1, MOST_LINES, &lines) ? (int)lines : 1;
    begin_work(n, work_hint);
}

static void do_analyze(struct nboard *n, char *rest)
{
    (void)rest;
    begin_work(n, work_analysis);
}

static void do_ping(struct nboard *n, char *rest)
{
    say(n, "pong %s", command_word(&rest));
}

/* There is no book to learn for. */
static void do_learn(struct nboard *n, char *rest)
{
    (void)rest;
    say(n, "learned");
}

static void do_quit(struct nboard *n, char *rest)
{
    (void)rest;
    n->quits = true;
}

/* In version 1 depth and game were commands of their own. */
static const struct {
    const char *name;
    void (*run)(struct nboard *n, char *rest);
    bool interrupts; /* what is searched ends now; else it is waited for */
} commands[] = {
    {"analyze", do_analyze, false}, {"depth", set_depth, false},  {"game", set_game, false},
    {"go", do_go, false},           {"hint", do_hint, false},     {"learn", do_learn, false},
    {"move", do_move, false},       {"nboard", do_nboard, false}, {"ping", do_ping, true},
    {"quit", do_quit, true},        {"set", do_set, false},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* A board of version 1 sends a move without a word before it. */
static bool is_square(const char *text)
{
    int file = tolower((unsigned char)text[0]);
    return (file >= 'a' && file <= 'h' && text[1] >= '1' && text[1] <= '8' && (!text[2] || text[2] == '/')) ||
           !strcasecmp(text, "pa");
}

/* What is not known is left alone, as the protocol wants it. */
static bool obey(void *engine, char *line)
{
    struct nboard *n = engine;
    char word[64], *rest = line + strspn(line, " ");
    for (char *c = line; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(rest, " "), rest);
    size_t i = command_find(word, commands, sizeof *commands, COMMANDS);
    if (i == COMMANDS && !is_square(word))
        return true;
    if (i < COMMANDS && commands[i].interrupts)
        end_work(n);
    else
        await_work(n);
    if (i < COMMANDS)
        command_word(&rest);
    if (i < COMMANDS)
        commands[i].run(n, rest);
    else
        do_move(n, rest);
    return !n->quits;
}

bool nboard_run(const struct mp_game *game, const struct mp_strategy *strategy, FILE *in, FILE *out,
                struct mp_error *error)
{
    if (strcmp(game->name, "othello") != 0)
        return mp_fail(error, "NBoard is for othello, not for %s", game->name);
    struct nboard *n = calloc(1, sizeof *n);
    if (!n)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    n->game = game;
    n->out = out;
    n->limits = (struct mp_limits){MP_SIZE(struct mp_limits)};
    if (mp_strategy_is_limited(strategy))
        mp_strategy_limits(strategy, &n->limits);
    n->search = mp_search_with(strategy, error);
    n->position = n->search ? mp_position_new(game, NULL, error) : NULL;
    bool ok = n->position;
    if (ok) {
        mp_position_text(n->position, n->initial, sizeof n->initial);
        snprintf(n->start, sizeof n->start, "%s", n->initial);
        command_loop(in, obey, n);
    }
    await_work(n); /* the board is gone; what it asked for last is answered, for scripts */
    mp_position_free(n->position);
    mp_search_free(n->search);
    free(n);
    return ok;
}

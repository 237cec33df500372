/* gtp.c - the loop that answers the commands of GTP. A row for each command.
 *
 * Programs for Othello disagree on passes: some never send them. So a move of the side that is not to move is preceded
 * by the pass that it implies, where a pass is legal. */
#include "protocols/gtp.h"

#include "base/clock.h"
#include "base/text.h"
#include "protocols/command_table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ANSWER = 8192, MOVE_TEXT = 256 };

struct gtp {
    const struct mp_game *game;
    struct mp_search *search;
    struct mp_position *position;
    FILE *out;
    char answer[ANSWER];
    bool quits;
    /* As time_settings gave them: seconds for the game, then for so many moves (stones). */
    bool timed;
    double main_time, period;
    int stones;
    struct {
        double left;
        int stones; /* 0: main time */
        bool known;
    } clock[2];
};

/* A command fills in the answer; false: it is an error. */
typedef bool gtp_command(struct gtp *g, char *rest);

__attribute__((format(printf, 2, 3))) static bool refuse(struct gtp *g, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(g->answer, sizeof g->answer, format, arguments);
    va_end(arguments);
    return false;
}

__attribute__((format(printf, 2, 3))) static bool say(struct gtp *g, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(g->answer, sizeof g->answer, format, arguments);
    va_end(arguments);
    return true;
}

/* ---- Sides and moves ----------------------------------------------------------------------------------- */

/* The player of a colour; -1: it is none. Players who are not called Black and White are, in this order. */
static int player_of(const struct gtp *g, const char *word)
{
    const char *colour = !strcasecmp(word, "b") || !strcasecmp(word, "black")   ? "Black"
                         : !strcasecmp(word, "w") || !strcasecmp(word, "white") ? "White"
                                                                                : NULL;
    if (!colour)
        return -1;
    for (int i = 0; i < 2; i++)
        if (!strcasecmp(g->game->players[i], colour))
            return i;
    return *colour == 'W';
}

/* The only move, if it is a pass. */
static bool must_pass(const struct gtp *g, mp_move *pass)
{
    return g->game->is_pass && mp_position_moves(g->position, pass, NULL, 1) == 1 &&
           g->game->is_pass(g->game, *pass);
}

/* Reads the colour and sees to it that it is to move. */
static bool take_turn(struct gtp *g, char **rest, int *side)
{
    const char *word = command_word(rest);
    mp_move pass;
    *side = player_of(g, word);
    if (*side < 0)
        return refuse(g, "'%.20s' is no colour, expected b or w", word);
    if (mp_position_side(g->position) == *side || mp_position_moves(g->position, NULL, NULL, 0) == 0)
        return true;
    if (must_pass(g, &pass))
        return mp_position_play(g->position, pass, NULL) || refuse(g, "out of memory");
    return refuse(g, "%s is not to move", *side ? g->game->players[1] : g->game->players[0]);
}

static bool do_play(struct gtp *g, char *rest)
{
    int side;
    mp_move move;
    struct mp_error error = {0};
    char text[MOVE_TEXT];
    if (!take_turn(g, &rest, &side))
        return false;
    rest += strspn(rest, " ");
    snprintf(text, sizeof text, "%.200s", rest);
    bool is_pass = !strcasecmp(text, "pass");
    if (is_pass && mp_position_moves(g->position, NULL, NULL, 0) == 0)
        return true; /* the game is over, and stays so */
    bool ok = mp_position_parse_move(g->position, is_pass ? "pass" : text, &move, &error);
    for (char *c = text; *c && !ok; c++)
        *c = (char)tolower((unsigned char)*c);
    ok = ok || mp_position_parse_move(g->position, text, &move, &error);
    if (!ok || !mp_position_play(g->position, move, &error))
        return refuse(g, "illegal move: %s", error.text);
    return true;
}

/* How long to think about a move of this side; 0: as the strategy says. */
static double seconds_for(const struct gtp *g, int side)
{
    enum { MOVES_LEFT = 16 }; /* that matter: the end is quick */
    const double reserve = 0.05;
    if (!g->timed)
        return 0;
    bool in_period = g->clock[side].known ? g->clock[side].stones > 0 : g->main_time <= 0;
    double left = g->clock[side].known ? g->clock[side].left : in_period ? g->period : g->main_time;
    int moves = !in_period ? MOVES_LEFT : g->clock[side].known ? g->clock[side].stones : g->stones;
    double seconds = left / (moves > 0 ? moves : 1) - reserve;
    return seconds > 0.005 ? seconds : 0.005;
}

/* Finds a move and, unless it is only asked for, plays it. */
static bool generate(struct gtp *g, char *rest, bool plays)
{
    int side;
    mp_move move;
    char text[MOVE_TEXT];
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    if (!take_turn(g, &rest, &side))
        return false;
    if (mp_position_moves(g->position, NULL, NULL, 0) == 0)
        return say(g, "pass");
    if (must_pass(g, &move)) {
        if (plays && !mp_position_play(g->position, move, &error))
            return refuse(g, "%s", error.text);
        return say(g, "pass");
    }
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .seconds = seconds_for(g, side)};
    bool ok = limits.seconds > 0
                  ? mp_search_run_within(g->search, g->position, &limits, NULL, NULL, &result, &error)
                  : mp_search_run(g->search, g->position, NULL, NULL, &result, &error);
    if (!ok)
        return refuse(g, "%s", error.text);
    mp_position_move_text(g->position, result.move, text, sizeof text);
    if (plays && g->clock[side].known && g->clock[side].stones == 0)
        g->clock[side].left -= result.seconds;
    else if (plays && g->timed && !g->clock[side].known && g->main_time > 0) {
        g->clock[side].known = true;
        g->clock[side].left = g->main_time - result.seconds;
    }
    if (plays && !mp_position_play(g->position, result.move, &error))
        return refuse(g, "%s", error.text);
    return say(g, "%s", text);
}

static bool do_genmove(struct gtp *g, char *rest)
{
    return generate(g, rest, true);
}

static bool do_reg_genmove(struct gtp *g, char *rest)
{
    return generate(g, rest, false);
}

/* Plays all moves but the last again. */
static bool do_undo(struct gtp *g, char *rest)
{
    (void)rest;
    size_t count;
    const mp_move *played = mp_position_played(g->position, &count);
    if (count == 0)
        return refuse(g, "cannot undo");
    struct mp_position *before = mp_position_new(g->game, NULL, NULL);
    bool ok = before;
    for (size_t i = 0; ok && i + 1 < count; i++)
        ok = mp_position_play(before, played[i], NULL);
    if (!ok) {
        mp_position_free(before);
        return refuse(g, "out of memory");
    }
    mp_position_free(g->position);
    g->position = before;
    return true;
}

/* ---- The board ----------------------------------------------------------------------------------------- */

static bool do_clear_board(struct gtp *g, char *rest)
{
    (void)rest;
    struct mp_position *start = mp_position_new(g->game, NULL, NULL);
    if (!start)
        return refuse(g, "out of memory");
    mp_position_free(g->position);
    g->position = start;
    mp_search_forget(g->search);
    for (int i = 0; i < 2; i++)
        g->clock[i].known = false;
    return true;
}

static bool do_boardsize(struct gtp *g, char *rest)
{
    int64_t size;
    struct mp_board board = {MP_SIZE(struct mp_board)};
    if (!text_to_int(command_word(&rest), 1, 1000, &size))
        return refuse(g, "boardsize not an integer");
    if (!mp_position_board(g->position, &board) || board.rows != size)
        return refuse(g, "unacceptable size");
    return do_clear_board(g, rest);
}

static bool do_komi(struct gtp *g, char *rest)
{
    double komi;
    const char *word = command_word(&rest);
    char *end;
    komi = strtod(word, &end);
    if (!*word || *end)
        return refuse(g, "komi not a float");
    return komi == 0 || refuse(g, "komi %.20s, expected 0: this game has none", word);
}

static bool do_showboard(struct gtp *g, char *rest)
{
    (void)rest;
    if (g->game->draw) {
        g->answer[0] = '\n';
        g->game->draw(g->game, mp_position_state(g->position), g->answer + 1, sizeof g->answer - 1);
    } else {
        mp_position_text(g->position, g->answer, sizeof g->answer);
    }
    for (char *c; (c = strstr(g->answer, "\n\n"));) /* an empty line would end the answer */
        memmove(c, c + 1, strlen(c));
    size_t length = strlen(g->answer);
    if (length > 0 && g->answer[length - 1] == '\n')
        g->answer[length - 1] = 0;
    return true;
}

static bool do_final_score(struct gtp *g, char *rest)
{
    (void)rest;
    if (!mp_position_is_over(g->position))
        return refuse(g, "cannot score: the game is not over");
    int margin = mp_position_margin(g->position), winner = margin > 0 ? 0 : 1;
    if (margin == 0)
        return say(g, "0");
    return say(g, "%c+%d", winner == player_of(g, "b") ? 'B' : 'W', abs(margin));
}

/* ---- Time ---------------------------------------------------------------------------------------------- */

static bool do_time_settings(struct gtp *g, char *rest)
{
    int64_t main_time, period, stones;
    if (!text_to_int(command_word(&rest), 0, INT32_MAX, &main_time) ||
        !text_to_int(command_word(&rest), 0, INT32_MAX, &period) ||
        !text_to_int(command_word(&rest), 0, INT32_MAX, &stones))
        return refuse(g, "expected three whole numbers: main time, byo-yomi time, byo-yomi stones");
    g->main_time = (double)main_time;
    g->period = (double)period;
    g->stones = (int)stones;
    /* A period without stones means no limit at all. */
    g->timed = !(period > 0 && stones == 0) && (main_time > 0 || period > 0);
    for (int i = 0; i < 2; i++)
        g->clock[i].known = false;
    return true;
}

static bool do_time_left(struct gtp *g, char *rest)
{
    int64_t left, stones;
    int side = player_of(g, command_word(&rest));
    if (side < 0 || !text_to_int(command_word(&rest), 0, INT32_MAX, &left) ||
        !text_to_int(command_word(&rest), 0, INT32_MAX, &stones))
        return refuse(g, "expected a colour, seconds and stones");
    g->timed = true;
    g->clock[side].known = true;
    g->clock[side].left = (double)left;
    g->clock[side].stones = (int)stones;
    return true;
}

/* ---- About the program --------------------------------------------------------------------------------- */

static bool do_protocol_version(struct gtp *g, char *rest)
{
    (void)rest;
    return say(g, "2");
}

static bool do_name(struct gtp *g, char *rest)
{
    (void)rest;
    return say(g, "Manyply");
}

static bool do_version(struct gtp *g, char *rest)
{
    (void)rest;
    return say(g, "%s", mp_version());
}

static bool do_quit(struct gtp *g, char *rest)
{
    (void)rest;
    g->quits = true;
    return true;
}

static bool do_list_games(struct gtp *g, char *rest)
{
    (void)rest;
    return say(g, "%c%s", toupper((unsigned char)g->game->name[0]), g->game->name + 1);
}

static bool do_set_game(struct gtp *g, char *rest)
{
    const char *word = command_word(&rest);
    if (strcasecmp(word, g->game->name) != 0)
        return refuse(g, "game '%.20s', expected %s", word, g->game->name);
    return true;
}

static gtp_command do_known_command, do_list_commands;

static const struct {
    const char *name;
    gtp_command *run;
} commands[] = {
    {"boardsize", do_boardsize},
    {"clear_board", do_clear_board},
    {"final_score", do_final_score},
    {"genmove", do_genmove},
    {"known_command", do_known_command},
    {"komi", do_komi},
    {"list_commands", do_list_commands},
    {"list_games", do_list_games},
    {"name", do_name},
    {"play", do_play},
    {"protocol_version", do_protocol_version},
    {"quit", do_quit},
    {"reg_genmove", do_reg_genmove},
    {"set_game", do_set_game},
    {"showboard", do_showboard},
    {"time_left", do_time_left},
    {"time_settings", do_time_settings},
    {"undo", do_undo},
    {"version", do_version},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static size_t find_command(const char *name)
{
    return command_find(name, commands, sizeof *commands, COMMANDS);
}

static bool do_known_command(struct gtp *g, char *rest)
{
    return say(g, find_command(command_word(&rest)) < COMMANDS ? "true" : "false");
}

static bool do_list_commands(struct gtp *g, char *rest)
{
    (void)rest;
    for (int i = 0; i < COMMANDS; i++)
        text_append(g->answer, sizeof g->answer, "%s%s", i ? "\n" : "", commands[i].name);
    return true;
}

/* ---- The loop ------------------------------------------------------------------------------------------ */

/* What the specification does first: no control characters, tabs are blanks, # begins a remark. */
static void clean(char *line)
{
    char *to = line;
    for (const char *from = line; *from && *from != '#'; from++)
        if (*from == '\t' || (unsigned char)*from >= ' ')
            *to++ = *from == '\t' || *from == 127 ? ' ' : *from;
    while (to > line && to[-1] == ' ')
        to--;
    *to = 0;
}

static bool answer(void *engine, char *line)
{
    struct gtp *g = engine;
    clean(line);
    char id[32] = "", *rest = line, *word = command_word(&rest);
    if (*word && strspn(word, "0123456789") == strlen(word) && strlen(word) < sizeof id) {
        snprintf(id, sizeof id, "%s", word);
        word = command_word(&rest);
    }
    if (!*word && !*id)
        return true;
    g->answer[0] = 0;
    size_t command = find_command(word);
    bool ok = command < COMMANDS ? commands[command].run(g, rest) : refuse(g, "unknown command");
    fprintf(g->out, "%c%s%s%s\n\n", ok ? '=' : '?', id, *g->answer ? " " : "", g->answer);
    fflush(g->out);
    return !g->quits;
}

bool gtp_run(const struct mp_game *game, const struct mp_strategy *strategy, FILE *in, FILE *out,
             struct mp_error *error)
{
    struct gtp *g = game->chances ? NULL : calloc(1, sizeof *g);
    if (!g)
        return game->chances
                   ? mp_fail(error, "%s has dice, expected a game without: GTP knows none", game->name)
                   : mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    g->game = game;
    g->out = out;
    g->search = mp_search_with(strategy, error);
    g->position = g->search ? mp_position_new(game, NULL, error) : NULL;
    bool ok = g->position;
    if (ok)
        command_loop(in, answer, g);
    mp_position_free(g->position);
    mp_search_free(g->search);
    free(g);
    return ok;
}

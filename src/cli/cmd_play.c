/* cmd_play.c - a game at the terminal: people and the engine in any mix. */
#include "cli/commands.h"

#include "base/clock.h"
#include "base/text.h"
#include "cli/terminal.h"
#include "cli/terminal_board.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct play {
    const struct cli *cli;
    struct terminal terminal;
    struct board_style style;
    struct line_reader *reader;
    const struct mp_game *game;
    struct mp_position *position; /* start with the moves played on it */
    char start[CLI_TEXT];
    mp_move *moves; /* the outcomes of chance among them */
    int count, capacity;
    struct board_mark mark; /* the last move that was not the dice */
    bool human[2];
    bool typed_dice;
    struct mp_search *engine;
    double seconds[2];    /* thought so far */
    uint64_t seed, games; /* which dice, and how many games were played before */
    int resigned;         /* the player who did, or -1 */
    bool board_shown, over_said, told_help, quit;
    char **words; /* what Tab completes */
};

static const char *player(const struct play *play, int side)
{
    return play->game->players[side];
}

static int side_to_move(const struct play *play)
{
    return play->game->side(play->game, mp_position_state(play->position));
}

static bool is_over(const struct play *play)
{
    return play->resigned >= 0 || mp_position_is_over(play->position);
}

/* ---- The record of the game --------------------------------------------------------------------------- */

/* Plays a move on a position and remembers where it was on the board. */
static bool advance(struct play *play, struct mp_position *position, mp_move move, struct mp_error *error)
{
    bool chance = mp_position_is_chance(position);
    struct board_mark mark = board_mark_move(play->game, mp_position_state(position), move);
    if (!mp_position_play(position, move, error))
        return false;
    if (!chance)
        play->mark = mark;
    return true;
}

/* Plays a move that is legal, or that error says why not. */
static bool make_move(struct play *play, mp_move move, struct mp_error *error)
{
    if (play->count == play->capacity) {
        int capacity = 2 * play->capacity + 64;
        mp_move *moves = realloc(play->moves, (size_t)capacity * sizeof *moves);
        if (!moves)
            return mp_fail(error, "out of memory");
        play->moves = moves;
        play->capacity = capacity;
    }
    if (!advance(play, play->position, move, error))
        return false;
    play->moves[play->count++] = move;
    play->board_shown = play->over_said = false;
    return true;
}

/* Back to the first count moves. */
static bool rewind_to(struct play *play, int count)
{
    struct mp_error error;
    struct mp_position *position = mp_position_new(play->game, play->start, &error);
    bool ok = position != NULL;
    play->mark = (struct board_mark){-1, -1};
    for (int i = 0; ok && i < count; i++)
        ok = advance(play, position, play->moves[i], &error);
    if (!ok) {
        printf("%s\n", error.text);
        mp_position_free(position);
        return false;
    }
    mp_position_free(play->position);
    play->position = position;
    play->count = count;
    play->resigned = -1;
    play->board_shown = play->over_said = false;
    return true;
}

/* Does a person decide what comes next? */
static bool is_asked(const struct play *play)
{
    return mp_position_is_chance(play->position) ? play->typed_dice : play->human[side_to_move(play)];
}

/* The moves of the game by name, as JSON. */
static json_t *record_moves(const struct play *play)
{
    json_t *list = json_array();
    struct mp_position *position = mp_position_new(play->game, play->start, NULL);
    char text[CLI_TEXT];
    for (int i = 0; position && i < play->count; i++) {
        print_move_text(play->game, mp_position_state(position), play->moves[i], text);
        json_array_append_new(list, json_string(text));
        mp_position_play(position, play->moves[i], NULL);
    }
    mp_position_free(position);
    return list;
}

/* ---- What is shown --------------------------------------------------------------------------------- */

static void show_clock(const struct play *play)
{
    for (int side = 0; side < 2; side++) {
        int seconds = (int)play->seconds[side];
        printf("%s%s %d:%02d", side ? "   " : "", player(play, side), seconds / 60, seconds % 60);
    }
    printf("\n");
}

static void show_board(struct play *play)
{
    printf("\n");
    board_print(&play->style, play->game, play->position, play->mark);
    show_clock(play);
    play->board_shown = true;
}

static void say_result(struct play *play)
{
    if (play->over_said)
        return;
    play->over_said = true;
    if (play->resigned >= 0) {
        printf("%s resigns, %s wins\n", player(play, play->resigned), player(play, !play->resigned));
        return;
    }
    int margin = mp_position_margin(play->position);
    if (margin == 0)
        printf("The game is a draw.\n");
    else if (play->game->margin_max > 1)
        printf("%s wins by %d.\n", player(play, margin < 0), abs(margin));
    else
        printf("%s wins.\n", player(play, margin < 0));
}

/* Depth, value, speed and the expected line, as they were after the last iteration. */
static void describe(const struct play *play, const struct mp_result *result, char *text, size_t size)
{
    char value[64], nodes[32], rate[32];
    print_value_text(play->game, result->value, value, sizeof value);
    print_large((double)result->counters.nodes, nodes, sizeof nodes);
    print_large(result->seconds > 0 ? (double)result->counters.nodes / result->seconds : 0, rate,
                sizeof rate);
    snprintf(text, size, "depth %d  %s  %s nodes  %s/s ", result->depth, value, nodes, rate);
    json_t *line = json_line(play->game, mp_position_state(play->position), result->pv, result->pv_length);
    for (size_t i = 0; i < json_array_size(line); i++)
        text_append(text, size, "%s%s", i ? move_separator(line) : " ",
                    json_string_value(json_array_get(line, i)));
    json_decref(line);
}

static void show_thinking(const struct mp_result *so_far, void *context)
{
    const struct play *play = context;
    char text[CLI_TEXT];
    describe(play, so_far, text, sizeof text);
    printf("\r%.*s\033[K", play->terminal.columns - 1, text);
    fflush(stdout);
}

/* Runs the engine on the position. Ctrl-C ends the search, a second one the program. */
static bool think(struct play *play, struct mp_result *result)
{
    struct mp_error error;
    cli_stop_on_interrupt(play->engine);
    bool ok = mp_search_run(play->engine, play->position, play->terminal.output ? show_thinking : NULL, play,
                            result, &error);
    cli_stop_on_interrupt(NULL);
    if (play->terminal.output)
        printf("\r\033[K");
    if (!ok)
        printf("%s\n", error.text);
    return ok;
}

/* ---- Commands -------------------------------------------------------------------------------------- */

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
    struct mp_result result;
    if (is_over(play) || mp_position_is_chance(play->position)) {
        printf("There is no move to advise: %s.\n",
               is_over(play) ? "the game is over" : "the dice have not been thrown");
        return;
    }
    if (!think(play, &result))
        return;
    char move[CLI_TEXT], text[CLI_TEXT];
    print_move_text(play->game, mp_position_state(play->position), result.move, move);
    describe(play, &result, text, sizeof text);
    printf("%s   (%s)\n", move, text);
}

static void command_evaluate(struct play *play, const char *value)
{
    (void)value;
    const struct mp_game *game = play->game;
    printf("Without searching, for %s:\n", player(play, side_to_move(play)));
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++) {
        char text[64];
        print_value_text(game, e->evaluate(game, e, mp_position_state(play->position)), text, sizeof text);
        printf("  %-12s %s\n", e->name, text);
    }
}

/* Back to the last decision of a person; a resignation is one. */
static void command_undo(struct play *play, const char *value)
{
    (void)value;
    int before = play->count;
    if (play->resigned >= 0) {
        rewind_to(play, before);
        return;
    }
    for (int count = before - 1; count >= 0; count--)
        if (rewind_to(play, count) && is_asked(play))
            return;
    if (before > 0)
        rewind_to(play, before);
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
    rewind_to(play, 0);
}

static void command_resign(struct play *play, const char *value)
{
    (void)value;
    if (is_over(play))
        printf("The game is over already.\n");
    else
        play->resigned = side_to_move(play);
}

static void command_quit(struct play *play, const char *value)
{
    (void)value;
    play->quit = true;
}

/* Writes beside the file first, so that a full disk loses nothing. */
static void command_save(struct play *play, const char *path)
{
    char beside[CLI_TEXT];
    snprintf(beside, sizeof beside, "%s.new", path);
    json_t *record = json_pack("{s:s, s:s, s:o}", "game", play->cli->arguments[0], "start", play->start,
                               "moves", record_moves(play));
    if (!record || json_dump_file(record, beside, JSON_INDENT(2)) || rename(beside, path)) {
        printf("%s cannot be written\n", path);
        unlink(beside);
    } else {
        printf("saved in %s\n", path);
    }
    json_decref(record);
}

/* Reads a record and plays it; on an error the game is as it was. */
static bool load(struct play *play, const char *path, struct mp_error *error)
{
    json_error_t where;
    json_t *record = json_load_file(path, 0, &where);
    if (!record && where.line < 0)
        return mp_fail(error, "%.200s cannot be read", path);
    if (!record)
        return mp_fail(error, "%.200s, line %d: %s", path, where.line, where.text);
    const char *game, *start;
    json_t *moves;
    bool ok = !json_unpack_ex(record, &where, 0, "{s:s, s:s, s:o}", "game", &game, "start", &start, "moves",
                              &moves);
    if (!ok)
        mp_fail(error, "%.200s: %s; expected a file that `save` has written", path, where.text);
    else if (strcmp(game, play->cli->arguments[0]) != 0)
        ok = mp_fail(error, "%.200s is a game of %.60s, expected %.60s", path, game, play->cli->arguments[0]);
    struct mp_position *position = ok ? mp_position_new(play->game, start, error) : NULL;
    ok = position != NULL;
    size_t count = ok ? json_array_size(moves) : 0;
    mp_move *played = calloc(count + 1, sizeof *played);
    ok = ok && played;
    for (size_t i = 0; ok && i < count; i++) {
        const char *text = json_string_value(json_array_get(moves, i));
        struct mp_error why;
        ok = text && mp_position_parse_move(position, text, &played[i], &why) &&
             mp_position_play(position, played[i], &why);
        if (!ok)
            mp_fail(error, "%.200s, move %zu: %.200s", path, i + 1, text ? why.text : "expected a string");
    }
    mp_position_free(position);
    if (ok && strlen(start) < sizeof play->start) {
        snprintf(play->start, sizeof play->start, "%s", start);
        free(play->moves);
        play->moves = played;
        play->count = play->capacity = (int)count;
        ok = rewind_to(play, (int)count);
    } else {
        free(played);
    }
    json_decref(record);
    return ok;
}

static void command_load(struct play *play, const char *path)
{
    struct mp_error error;
    if (!load(play, path, &error))
        printf("%s\n", error.text);
}

static const struct play_command play_commands[] = {
    {"help", NULL, "this list", command_help},
    {"moves", NULL, "what may be played", command_moves_list},
    {"hint", NULL, "the move the engine would play, its value and the line it expects", command_hint},
    {"eval", NULL, "what each evaluation says about the position without searching", command_evaluate},
    {"undo", NULL, "take back your last move and the answer to it", command_undo},
    {"flip", NULL, "turn the board around", command_flip},
    {"save", "FILE", "write the game to a file", command_save},
    {"load", "FILE", "go on with a game from a file", command_load},
    {"resign", NULL, "give up the game", command_resign},
    {"new", NULL, "begin again", command_new},
    {"quit", NULL, "leave; so does the end of the input", command_quit},
    {0}};

/* ---- Input ----------------------------------------------------------------------------------------- */

static void free_words(struct play *play)
{
    for (int i = 0; play->words && play->words[i]; i++)
        free(play->words[i]);
    free(play->words);
    play->words = NULL;
}

/* The moves of the position and the commands. */
static void collect_words(struct play *play)
{
    free_words(play);
    int count = is_over(play) ? 0 : mp_position_moves(play->position, NULL, NULL, 0), at = 0;
    size_t commands = sizeof play_commands / sizeof *play_commands;
    mp_move *moves = calloc((size_t)count + 1, sizeof *moves);
    play->words = calloc((size_t)count + commands, sizeof *play->words);
    if (moves && play->words) {
        mp_position_moves(play->position, moves, NULL, count);
        for (int i = 0; i < count; i++) {
            char text[CLI_TEXT];
            print_move_text(play->game, mp_position_state(play->position), moves[i], text);
            play->words[at++] = strdup(text);
        }
        for (int i = 0; play_commands[i].name; i++)
            play->words[at++] = strdup(play_commands[i].name);
    }
    free(moves);
}

static const char *const *words_now(void *context)
{
    const struct play *play = context;
    return (const char *const *)play->words;
}

/* Runs a line if it is a command. */
static bool obey(struct play *play, const char *line)
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

/* Asks until a move (or the dice) has been played or a command has changed the game. */
static void ask(struct play *play)
{
    char prompt[64];
    bool over = is_over(play), chance = !over && mp_position_is_chance(play->position);
    snprintf(prompt, sizeof prompt, "%s%s> ", over ? "" : player(play, side_to_move(play)),
             chance ? " throws" : "");
    collect_words(play);
    if (!play->words) {
        play->quit = true;
        return;
    }
    int64_t start = clock_ns();
    const char *line = line_reader_next(play->reader, prompt);
    if (!over && !chance)
        play->seconds[side_to_move(play)] += clock_seconds_since(start);
    if (!line) {
        play->quit = true;
        return;
    }
    line += strspn(line, " \t");
    if (!*line || obey(play, line))
        return;
    struct mp_error error;
    mp_move move;
    if (over)
        printf("The game is over; `new` begins again, `undo` takes back, `quit` leaves.\n");
    else if (!mp_position_parse_move(play->position, line, &move, &error) || !make_move(play, move, &error))
        printf("%s%s\n", error.text,
               play->told_help ? "" : " (`moves` lists what may be played, `help` the commands)");
}

/* ---- Turns ----------------------------------------------------------------------------------------- */

static void announce(struct play *play, const char *what, mp_move move, const char *details)
{
    char text[CLI_TEXT];
    print_move_text(play->game, mp_position_state(play->position), move, text);
    printf("%s %s %s%s\n", player(play, side_to_move(play)), what, text, details);
}

static void play_engine(struct play *play)
{
    struct mp_result result;
    struct mp_error error;
    if (!think(play, &result)) {
        play->quit = true;
        return;
    }
    char details[CLI_TEXT], text[CLI_TEXT];
    describe(play, &result, details, sizeof details);
    snprintf(text, sizeof text, "   (%.*s)", play->terminal.columns - 30, details);
    play->seconds[side_to_move(play)] += result.seconds;
    announce(play, "plays", result.move, text);
    make_move(play, result.move, &error);
}

static void throw_dice(struct play *play)
{
    struct mp_error error;
    mp_move roll = mp_position_throw(play->position, play->seed, play->games, (uint64_t)play->count);
    announce(play, "throws", roll, "");
    make_move(play, roll, &error);
}

/* Is skipping the turn all that can be done? */
static bool must_pass(const struct play *play, mp_move *move)
{
    return play->game->is_pass && mp_position_moves(play->position, NULL, NULL, 0) == 1 &&
           mp_position_moves(play->position, move, NULL, 1) == 1 && play->game->is_pass(play->game, *move);
}

static void take_turn(struct play *play)
{
    struct mp_error error;
    mp_move pass;
    bool chance = mp_position_is_chance(play->position);
    if (chance && !play->typed_dice) {
        throw_dice(play);
    } else if (!chance && must_pass(play, &pass)) {
        announce(play, "cannot move:", pass, "");
        make_move(play, pass, &error);
    } else if (!is_asked(play)) {
        play_engine(play);
    } else {
        if (!play->board_shown)
            show_board(play);
        ask(play);
    }
}

static void play_on(struct play *play)
{
    bool people = play->human[0] || play->human[1] || play->typed_dice;
    while (!play->quit) {
        if (!is_over(play)) {
            take_turn(play);
            continue;
        }
        if (!play->board_shown)
            show_board(play);
        say_result(play);
        if (people)
            ask(play);
        else
            play->quit = true;
    }
}

/* ---- Setting up ------------------------------------------------------------------------------------ */

static bool choose_sides(struct play *play)
{
    const char *side = cli_option(play->cli, "side");
    play->human[0] = !side || !strcmp(side, "first") || !strcmp(side, "both");
    play->human[1] = side && (!strcmp(side, "second") || !strcmp(side, "both"));
    if (!side || play->human[0] || play->human[1] || !strcmp(side, "none"))
        return true;
    for (int i = 0; i < 2; i++)
        play->human[i] = !strcasecmp(side, player(play, i));
    if (play->human[0] || play->human[1])
        return true;
    return cli_refuse(play->cli, "--side %.60s, expected %s or first, %s or second, both, or none", side,
                      player(play, 0), player(play, 1));
}

static struct mp_search *new_engine(const struct cli *cli, const struct mp_game *game)
{
    struct mp_strategy *strategy = cli_strategy(cli, game, "strategy", "auto");
    bool ok = strategy && cli_limit(cli, strategy, "time", "2s");
    struct mp_search *engine = ok ? cli_search(cli, strategy) : NULL;
    mp_strategy_free(strategy);
    return engine;
}

static bool prepare(struct play *play, const struct cli *cli)
{
    struct mp_error error;
    play->game = cli->game;
    play->position = mp_position_copy(cli->position, &error);
    if (!play->position)
        return cli_refuse(cli, "%s", error.text);
    if (!cli_seed(cli, (uint64_t)clock_ns(), &play->seed))
        return false;
    play->typed_dice = cli_option(cli, "typed-dice") != NULL;
    print_position_text(play->game, play->position, play->start);
    if (!choose_sides(play) || !board_choose(&play->style, cli, &play->terminal) ||
        !(play->engine = new_engine(cli, play->game)))
        return false;
    play->style.flipped = play->human[1] && !play->human[0];
    const char *path = cli_option(cli, "load");
    if (path && !load(play, path, &error))
        return cli_refuse(cli, "%s", error.text);
    play->reader = line_reader_new(words_now, play);
    return play->reader || cli_refuse(cli, "out of memory");
}

static int run(const struct cli *cli)
{
    struct play play = {.cli = cli, .terminal = terminal_look(), .mark = {-1, -1}, .resigned = -1};
    int code = EXIT_USAGE;
    if (prepare(&play, cli)) {
        printf("%s\nThe engine: %s\n", play.game->summary, mp_search_strategy(play.engine));
        if (play.human[0] || play.human[1])
            printf("Type a move, or `help`.\n");
        play_on(&play);
        code = 0;
    }
    free_words(&play);
    line_reader_free(play.reader);
    mp_search_free(play.engine);
    free(play.moves);
    mp_position_free(play.position);
    return code;
}

static const struct cli_argument arguments[] = {CLI_GAME, {0}};
static const struct cli_option options[] = {
    {"side", "WHO", "who you are: a player's name, first, second, both or none; the default is first"},
    {"time", "T", "how long the engine thinks about a move; the default is 2s"},
    {"strategy", "S", "how it thinks, see `manyply strategies`; default: the game's, on all CPUs"},
    {"threads", "N", "threads for a strategy with split=; default: all CPUs"},
    {"position", "P", "begin here, in the notation of the game"},
    {"moves", "M", "moves played from there"},
    {"load", "FILE", "go on with a game that `save` has written"},
    {"pieces", "HOW", "letters or figures; the default is figures where the terminal has them"},
    {"typed-dice", NULL, "you throw real dice and type what they show"},
    {"seed", "N", "which dice are thrown; the default is different every time"},
    {0}};

const struct cli_command command_play = {
    .name = "play",
    .summary = "play against the engine, or watch it play itself",
    .details = "  manyply play chess\n"
               "  manyply play othello --side White --time 500ms\n"
               "  manyply play halma --side none --strategy pvs,depth=3\n"
               "  manyply play backgammon --typed-dice\n\n"
               "Moves are typed in the notation of the game; `moves` lists them, Tab completes them. Ctrl-C\n"
               "makes the engine play what it has found so far; a second Ctrl-C leaves.\n",
    .text_only = true,
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_POSITION,
    .run = run};

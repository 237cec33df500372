/* cmd_play.c - a game at the terminal: people and the engine in any mix. */
#include "cli/commands.h"
#include "cli/play_inner.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Turns ----------------------------------------------------------------------------------------- */

static void say_result(struct play *play)
{
    if (play->over_said)
        return;
    play->over_said = true;
    if (play->resigned >= 0) {
        printf("%s resigns, %s wins\n", play_name(play, play->resigned), play_name(play, !play->resigned));
        return;
    }
    int margin = mp_position_margin(play->position);
    if (margin == 0)
        printf("The game is a draw.\n");
    else if (play->game->margin_max > 1)
        printf("%s wins by %d.\n", play_name(play, margin < 0), abs(margin));
    else
        printf("%s wins.\n", play_name(play, margin < 0));
}

static void announce(struct play *play, const char *what, mp_move move, const char *details)
{
    char text[CLI_TEXT];
    print_record_move_text(play->game, mp_position_state(play->position), move, text);
    const char *name = play_name(play, play_side(play));
    if (play->terminal.output)
        text_append(play->news, sizeof play->news, "%s %s %s%s\n", name, what, shown(text), details);
    else
        printf("%s %s %s%s\n", name, what, shown(text), details);
}

static void play_engine(struct play *play)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_error error;
    if (play->terminal.output && !play->board_shown)
        play_show_board(play);
    if (!play_think(play, &result)) {
        play->quit = true;
        return;
    }
    char details[CLI_TEXT], text[CLI_TEXT];
    play_describe(play, &result, details, sizeof details);
    snprintf(text, sizeof text, "   (%.*s)", play->terminal.columns - 30, details);
    play->seconds[play_side(play)] += result.seconds;
    announce(play, "plays", result.move, text);
    play_move(play, result.move, &error);
}

static void throw_dice(struct play *play)
{
    struct mp_error error;
    mp_move roll = mp_position_throw(play->position, play->seed, play->games, (uint64_t)play->count);
    announce(play, "throws", roll, "");
    play_move(play, roll, &error);
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
        play_move(play, pass, &error);
    } else if (!play_asks(play)) {
        play_engine(play);
    } else {
        if (!play->board_shown)
            play_show_board(play);
        play_ask(play);
    }
}

static void play_on(struct play *play)
{
    bool people = play->human[0] || play->human[1] || play->typed_dice;
    while (!play->quit) {
        if (!play_is_over(play)) {
            take_turn(play);
            continue;
        }
        if (!play->board_shown)
            play_show_board(play);
        say_result(play);
        if (people)
            play_ask(play);
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
        play->human[i] = !strcasecmp(side, play_name(play, i));
    if (play->human[0] || play->human[1])
        return true;
    return cli_refuse(play->cli, "--side %.60s, expected %s or first, %s or second, both, or none", side,
                      play_name(play, 0), play_name(play, 1));
}

static struct mp_search *new_engine(const struct cli *cli, const struct mp_game *game)
{
    struct mp_strategy *strategy = cli_strategy(cli, game, "strategy", "auto");
    bool ok = strategy && cli_limit(cli, strategy, "time", "2s") && cli_book(cli, strategy);
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
    if (path && !play_load(play, path, &error))
        return cli_refuse(cli, "%s", error.text);
    play->reader = line_reader_new(play_words, play);
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
    play_free_words(&play);
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
    {"book", "FILE", "play from this book while it knows the position (`manyply book`)"},
    {"position", "P", "begin here, in the notation of the game"},
    {"moves", "M", "moves played from there"},
    {"load", "FILE", "go on with a game that `save` has written, or with the first of a .pgn, .mat or .txt"},
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

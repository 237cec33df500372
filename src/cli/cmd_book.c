/* cmd_book.c - makes a book of positions that were searched beforehand, and shows what is in one. */
#include "cli/commands.h"

#include "base/clock.h"
#include "lab/book_make.h"
#include "lab/opening_names.h"
#include "lab/text_table.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static atomic_bool interrupted;

static void interrupt(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
}

/* ---- Making ------------------------------------------------------------------------------------------------ */

struct book_line {
    const struct book_make *make;
    int64_t start_ns, shown_ns;
};

static void show_progress(const struct book_report *so_far, void *context)
{
    struct book_line *line = context;
    int64_t now = clock_ns();
    if (!isatty(STDERR_FILENO) || now - line->shown_ns < 200000000)
        return;
    line->shown_ns = now;
    double rate = (so_far->positions - so_far->found) / clock_seconds_since(line->start_ns);
    fprintf(stderr, "\r%d of %d positions, %d open, %.1f positions/s, about %.0f s left\033[K",
            so_far->positions, line->make->positions, so_far->opened, rate,
            (line->make->positions - so_far->positions) / rate);
}

static int report_book(const struct cli *cli, const struct book_make *make, const struct book_report *r,
                       const char *path)
{
    char value[64];
    if (cli->json)
        return print_json(json_pack("{s:s, s:i, s:i, s:i, s:i, s:b}", "file", path, "positions", r->positions,
                                    "open", r->opened, "found", r->found, "value", r->value, "whole",
                                    r->is_whole));
    mp_value_text(cli->game, r->value, value, sizeof value);
    printf("%d positions, %d of them open, in %s; the first is worth %s\n", r->positions, r->opened, path,
           value);
    if (r->is_whole)
        printf("the whole game is in it\n");
    else if (r->positions < make->positions)
        printf("stopped; the same command goes on\n");
    return EXIT_SUCCESS;
}

static int make_file(const struct cli *cli, struct book_make *make, const char *path)
{
    struct mp_error error = {0};
    struct book_report report;
    struct book_line line = {.make = make, .start_ns = clock_ns()};
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND}, before[2];
    sigaction(SIGINT, &action, &before[0]);
    sigaction(SIGTERM, &action, &before[1]);
    bool ok = book_make(make, path, show_progress, &line, &report, &error);
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGTERM, &before[1], NULL);
    if (line.shown_ns)
        fprintf(stderr, "\r\033[K");
    return ok ? report_book(cli, make, &report, path) : cli_fail(cli, "%s", error.text);
}

static int make(const struct cli *cli, const char *path)
{
    struct book_make make = {.root = cli->position, .stop = &interrupted, .save_seconds = 60};
    if (!cli_int(cli, "positions", 1, BOOK_MOST_POSITIONS, 1000, &make.positions) ||
        !cli_int(cli, "ply", 0, MP_EVAL_MAX, 50, &make.ply_cost))
        return EXIT_USAGE;
    if (mp_position_moves(cli->position, NULL, NULL, 0) == 0)
        return cli_fail(cli, "the game is over, expected a position with a legal move");
    struct mp_strategy *strategy = cli_strategy(cli, cli->game, "strategy", NULL);
    int code = EXIT_USAGE;
    if (strategy && cli_limit(cli, strategy, "nodes", "100000")) {
        make.strategy = mp_strategy_text(strategy);
        code = make_file(cli, &make, path);
    }
    mp_strategy_free(strategy);
    return code;
}

/* ---- Showing ------------------------------------------------------------------------------------------------ */

struct known_move {
    mp_move move;
    mp_value value;
    int depth;
};

/* The best first. */
static int by_value(const void *a, const void *b)
{
    const struct known_move *x = a, *y = b;
    return (x->value < y->value) - (x->value > y->value);
}

/* The moves that lead to positions of the book. */
static int known_moves(const struct cli *cli, const struct book *book, struct known_move *known)
{
    const void *state = mp_position_state(cli->position);
    mp_move moves[CLI_TEXT];
    int count = mp_position_moves(cli->position, moves, NULL, CLI_TEXT), found = 0;
    for (int i = 0; i < count && i < CLI_TEXT; i++) {
        known[found].move = moves[i];
        found += book_move_value(book, state, moves[i], &known[found].value, &known[found].depth);
    }
    qsort(known, (size_t)found, sizeof *known, by_value);
    return found;
}

/* What the opening is called: by the last position on the way here that has a name. */
static const char *name_of_line(const struct cli *cli)
{
    const struct mp_game *game = cli->game;
    size_t count;
    const mp_move *moves = mp_position_played(cli->position, &count);
    const char *name = opening_name(game, mp_position_state(cli->position));
    if (name || cli_option(cli, "position"))
        return name;
    struct book_room at, after;
    game->initial(game, at.state);
    for (size_t i = 0; i < count; i++) {
        game->play(game, at.state, moves[i], after.state);
        memcpy(at.state, after.state, game->state_size);
        const char *here = opening_name(game, at.state);
        name = here ? here : name;
    }
    return name;
}

/* The name of the opening that a move leads to. */
static const char *name_after(const struct cli *cli, mp_move move)
{
    struct book_room after;
    cli->game->play(cli->game, mp_position_state(cli->position), move, after.state);
    const char *name = opening_name(cli->game, after.state);
    return name ? name : "";
}

static int show_json(const struct cli *cli, struct book *book, const struct known_move *known, int count,
                     const char *name)
{
    int place = book_find(book, mp_position_state(cli->position));
    json_t *moves = json_array();
    for (int i = 0; i < count; i++) {
        char text[CLI_TEXT];
        print_move_text(cli->game, mp_position_state(cli->position), known[i].move, text);
        json_array_append_new(moves,
                              json_pack("{s:s, s:i, s:i, s:s}", "move", text, "value", known[i].value,
                                        "depth", known[i].depth, "opening", name_after(cli, known[i].move)));
    }
    return print_json(json_pack("{s:s, s:s, s:i, s:b, s:b, s:s, s:o}", "game", cli->game->name, "made",
                                book_made(book), "positions", book_count(book), "known", place >= 0, "open",
                                place >= 0 && book_entry(book, place)->is_open, "opening", name ? name : "",
                                "moves", moves));
}

static int show_table(const struct cli *cli, struct book *book, const struct known_move *known, int count,
                      const char *name)
{
    struct text_table table;
    print_board(cli->game, cli->position);
    printf("%d positions by %s\n", book_count(book), shown(book_made(book)));
    if (name)
        printf("opening: %s\n", name);
    if (count == 0) {
        printf("the book has nothing after this position\n");
        return EXIT_SUCCESS;
    }
    text_table_begin(&table, "move<|value|depth|opening<");
    for (int i = 0; i < count; i++) {
        char move[CLI_TEXT], value[64];
        print_move_text(cli->game, mp_position_state(cli->position), known[i].move, move);
        mp_value_text(cli->game, known[i].value, value, sizeof value);
        text_table_add(&table, "%s|%s|%d|%s", move, value, known[i].depth, name_after(cli, known[i].move));
    }
    bool ok = text_table_print(&table, stdout);
    text_table_end(&table);
    return ok ? EXIT_SUCCESS : cli_fail(cli, "out of memory for the table");
}

static int show(const struct cli *cli, const char *path)
{
    struct mp_error error = {0};
    struct book *book = book_read(cli->game, path, &error);
    struct known_move *known = calloc(CLI_TEXT, sizeof *known);
    int code = EXIT_USAGE;
    if (!book || !known)
        code = cli_fail(cli, "%s", book ? "out of memory" : error.text);
    else {
        int count = known_moves(cli, book, known);
        const char *name = name_of_line(cli);
        code = (cli->json ? show_json : show_table)(cli, book, known, count, name);
    }
    free(known);
    book_free(book);
    return code;
}

static int run(const struct cli *cli)
{
    const char *path = cli->arguments[1], *action = cli->arguments[2];
    if (cli->game->chances)
        return cli_fail(cli, "%s has dice, expected a game without", cli->game->name);
    if (action && strcmp(action, "make") != 0 && strcmp(action, "show") != 0)
        return cli_fail(cli, "ACTION is '%.60s', expected make or show", action);
    return action && !strcmp(action, "show") ? show(cli, path) : make(cli, path);
}

static const struct cli_argument arguments[] = {
    CLI_GAME, {"FILE", "the book", false}, {"ACTION", "make or show; the default is make", true}, {0}};
static const struct cli_option options[] = {
    {"positions", "N", "make: how many positions the book is to have; the default is 1000"},
    {"strategy", "S", "make: how each is searched; default: the game's, with nodes=100000"},
    {"threads", "N", "make: threads for a strategy with split="},
    {"ply", "N", "make: a ply deeper costs as much as this loss of value; the default is 50"},
    {"position", "P", "the position that the book is about, or that is shown; the default is the beginning"},
    {"moves", "M", "moves played from there, such as \"f5 d6 c3\" or f5d6c3"},
    {0}};

const struct cli_command command_book = {
    .name = "book",
    .summary = "search openings beforehand, and look at what was found",
    .details = "  manyply book othello othello.book --positions 5000 --strategy pvs,selective=on,time=1s\n"
               "  manyply book othello othello.book show --moves f5d6\n"
               "  manyply play othello --book othello.book\n\n"
               "The best lines become longest: the next position whose successors are searched is the one "
               "that costs\n"
               "least, where each ply costs --ply, and each move what it loses. Ctrl-C stops, and the same "
               "command goes\n"
               "on; a larger --positions adds to the book. The file is written every minute, and as a whole. "
               "A strategy\n"
               "uses it with book=FILE, and so do play, `engine gtp` and `engine uci` (OwnBook, BookFile).\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_POSITION,
    .run = run};

/* cmd_learn.c - a game learns from itself, and how it went. */
#include "cli/commands.h"
#include "cli/terminal.h"

#include "base/clock.h"
#include "lab/learn.h"
#include "lab/plot.h"
#include "lab/text_table.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- How it went --------------------------------------------------------------------------------------- */

static json_t *journal_json(const struct learn_journal *j, const char *directory)
{
    json_t *list = json_array();
    for (int i = 0; i < j->count; i++) {
        const struct learn_generation *g = &j->generations[i];
        json_array_append_new(
            list,
            json_pack("{s:i, s:s, s:i, s:I, s:I, s:f, s:I, s:I, s:I, s:f, s:[f, f], s:f, s:f}", "number",
                      i + 1, "state", learn_state_name(g->state), "against", g->parent, "games",
                      (json_int_t)g->games, "positions", (json_int_t)g->positions, "held_back_error",
                      g->error, "won", (json_int_t)g->won, "drawn", (json_int_t)g->drawn, "lost",
                      (json_int_t)g->lost, "elo", g->elo, "interval", g->low, g->high, "rating", g->rating,
                      "seconds", g->seconds[0] + g->seconds[1] + g->seconds[2]));
    }
    return json_pack("{s:s, s:s, s:s, s:i, s:f, s:o}", "game", j->game, "directory", directory, "from",
                     j->from, "best", j->best, "seconds", learn_journal_seconds(j), "generations", list);
}

/* False: out of memory. */
static bool print_table(const struct learn_journal *j)
{
    struct text_table table;
    text_table_begin(&table,
                     "generation|games|positions|error|against|won|drawn|lost|Elo|rating|seconds|state<");
    for (int i = 0; i < j->count; i++) {
        const struct learn_generation *g = &j->generations[i];
        double seconds = g->seconds[0] + g->seconds[1] + g->seconds[2];
        if (g->state > LEARN_ARENA)
            text_table_add(&table, "%d|%lld|%lld|%.4f|%d|%llu|%llu|%llu|%+.0f (%+.0f to %+.0f)|%+.0f|%.0f|%s",
                           i + 1, (long long)g->games, (long long)g->positions, g->error, g->parent,
                           (unsigned long long)g->won, (unsigned long long)g->drawn,
                           (unsigned long long)g->lost, g->elo, g->low, g->high, g->rating, seconds,
                           learn_state_name(g->state));
        else
            text_table_add(&table, "%d|%lld|%lld||%d||||||%.0f|%s", i + 1, (long long)g->games,
                           (long long)g->positions, g->parent, seconds, learn_state_name(g->state));
    }
    bool ok = text_table_print(&table, stdout);
    text_table_end(&table);
    return ok;
}

/* The rating of what was kept, with the interval of the match against its parent. */
static void print_plot(const struct learn_journal *j)
{
    enum { LEAST = 2, MOST_COLUMNS = 100 };
    size_t room = (size_t)j->count + 1;
    double *numbers = calloc(4 * room, sizeof *numbers);
    int count = 1; /* the beginning, at 0 */
    if (!numbers)
        return;
    double *x = numbers, *y = x + room, *low = y + room, *high = low + room;
    for (int i = 0; i < j->count; i++) {
        const struct learn_generation *g = &j->generations[i];
        if (g->state != LEARN_KEPT)
            continue;
        x[count] = i + 1;
        y[count] = g->rating;
        low[count] = g->rating + g->low - g->elo;
        high[count++] = g->rating + g->high - g->elo;
    }
    struct plot plot = {.title = "Elo by generation",
                        .x_label = "generation",
                        .y_label = "Elo over the beginning",
                        .series_count = 1,
                        .series = {{"kept", count, x, y, low, high, false}}};
    struct terminal terminal = terminal_look();
    if (count >= LEAST) {
        printf("\n");
        plot_print(&plot, stdout, terminal.columns < MOST_COLUMNS ? terminal.columns : MOST_COLUMNS,
                   terminal.unicode);
    }
    free(numbers);
}

static int print_journal(const struct cli *cli, const struct learn_journal *j, const char *directory)
{
    if (cli->json)
        return print_json(journal_json(j, directory));
    printf("%s from %s, %.0f s so far\n\n", j->game, shown(j->from), learn_journal_seconds(j));
    if (!print_table(j))
        return cli_fail(cli, "out of memory for the table");
    print_plot(j);
    if (j->best)
        printf("\nthe best is generation %d: eval=network:%s/best.net\n", j->best, shown(directory));
    return 0;
}

static int show_status(const struct cli *cli, const char *directory)
{
    struct mp_error error = {0};
    struct learn_journal journal;
    bool is_new;
    if (!learn_journal_read(directory, &journal, &is_new, &error))
        return cli_fail(cli, "%s", error.text);
    if (is_new)
        return cli_fail(cli, "%.200s has no journal, expected a directory that `manyply learn` has begun",
                        directory);
    int code = print_journal(cli, &journal, directory);
    learn_journal_free(&journal);
    return code;
}

/* ---- While it learns ----------------------------------------------------------------------------------- */

static atomic_bool stop;

static void interrupt(int number)
{
    (void)number;
    atomic_store(&stop, true);
}

struct lesson_line {
    const struct cli *cli;
    int64_t shown_ns;
};

static void tell(const struct learn_journal *j, const char *doing, double share, void *context)
{
    struct lesson_line *line = context;
    const struct learn_generation *g = &j->generations[j->count - 1];
    int64_t now = clock_ns();
    bool watched = isatty(STDERR_FILENO);
    if (doing && watched && now - line->shown_ns >= 200000000) {
        line->shown_ns = now;
        fprintf(stderr, "\rgeneration %d, %s: %.0f%% (%.0f s in all)\033[K", j->count, doing, 100 * share,
                learn_journal_seconds(j));
    }
    if (doing || line->cli->json)
        return;
    if (watched)
        fprintf(stderr, "\r\033[K");
    printf("generation %d: %lld games, error %.4f, +%llu =%llu -%llu against %d: %s, %.0f s in all\n",
           j->count, (long long)g->games, g->error, (unsigned long long)g->won, (unsigned long long)g->drawn,
           (unsigned long long)g->lost, g->parent, learn_state_name(g->state), learn_journal_seconds(j));
    fflush(stdout);
}

static int learn(const struct cli *cli, struct learn *plan)
{
    struct mp_error error = {0};
    struct learn_journal journal;
    struct lesson_line line = {.cli = cli};
    plan->stop = &stop;
    plan->tell = tell;
    plan->context = &line;
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND}, before[2];
    sigaction(SIGINT, &action, &before[0]);
    sigaction(SIGTERM, &action, &before[1]);
    bool ok = learn_run(plan, &journal, &error);
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGTERM, &before[1], NULL);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    if (!cli->json)
        printf(ok && journal.count ? "\n" : "");
    int code = ok ? print_journal(cli, &journal, plan->directory) : cli_fail(cli, "%s", error.text);
    learn_journal_free(&journal);
    return code;
}

/* ---- The command line ---------------------------------------------------------------------------------- */

static bool read_percent(const struct cli *cli, const char *name, int initial, double *share)
{
    int percent;
    bool ok = cli_int(cli, name, 0, 100, initial, &percent);
    *share = percent / 100.0;
    return ok;
}

static bool read_plan(const struct cli *cli, struct learn *p)
{
    int rate, sprt;
    p->from = cli_option(cli, "from") ? cli_option(cli, "from") : "random";
    p->strategy = cli_option(cli, "strategy");
    if (!cli_int(cli, "generations", 0, 999, 0, &p->generations) ||
        !cli_duration(cli, "time", 0, &p->seconds) || !cli_seed(cli, 1, &p->seed) ||
        !cli_int(cli, "threads", 1, MP_MAX_THREADS, mp_cpu_count(), &p->threads) ||
        !cli_number(cli, "games", 10, INT64_C(4000000000), 10000, &p->games) ||
        !cli_number(cli, "nodes", 1, INT64_C(1000000000000), 1000, &p->nodes) ||
        !cli_number(cli, "first-nodes", 1, INT64_C(1000000000000), 10 * p->nodes, &p->first_nodes) ||
        !cli_random_plies(cli, &p->least_random, &p->most_random) ||
        !cli_int(cli, "plies", 1, 100000, 400, &p->most_plies) ||
        !cli_int(cli, "decided", 0, MP_EVAL_MAX, 0, &p->decided) ||
        !cli_int(cli, "window", 1, 64, 4, &p->window) ||
        !cli_network(cli, &p->width, &p->dense_count, p->dense) ||
        !cli_int(cli, "passes", 1, 10000, 20, &p->passes) || !cli_int(cli, "rate", 1, 100000, 200, &rate) ||
        !cli_int(cli, "scale", 1, MP_EVAL_MAX, 200, &p->scale) ||
        !read_percent(cli, "result", 50, &p->result_share) || !read_percent(cli, "lambda", 0, &p->lambda) ||
        !cli_number(cli, "test-games", 2, 1000000, 400, &p->arena_games) ||
        !cli_int(cli, "test-plies", 0, 200, 6, &p->arena_random) || !cli_int(cli, "elo", 1, 1000, 30, &sprt))
        return false;
    p->rate = rate / 1e5;
    p->ahead = cli_option(cli, "ahead");
    p->sprt = (struct sprt){.elo0 = 0, .elo1 = sprt, .alpha = 0.05, .beta = 0.05};
    if (p->arena_games % 2)
        return cli_refuse(cli, "--test-games %lld, expected an even number: games come in pairs",
                          (long long)p->arena_games);
    return p->generations > 0 || p->seconds > 0 ||
           cli_refuse(cli, "nothing says when to end, expected --generations or --time");
}

static int run(const struct cli *cli)
{
    struct mp_error error = {0};
    const char *directory = cli_option(cli, "directory");
    struct learn plan = {.game_text = cli->arguments[0], .directory = directory};
    if (cli_option(cli, "status"))
        return show_status(cli, cli_option(cli, "status"));
    if (!cli->arguments[0])
        return cli_fail(cli, "GAME is missing, expected a game, or --status DIR");
    if (!directory)
        return cli_fail(cli, "--directory is missing, expected where to learn");
    if (!read_plan(cli, &plan))
        return EXIT_USAGE;
    struct mp_game *game = mp_game_open(cli->arguments[0], &error);
    if (!game)
        return cli_fail(cli, "%s", error.text);
    plan.game = game;
    int code = learn(cli, &plan);
    mp_game_close(game);
    return code;
}

static const struct cli_argument arguments[] = {
    {"GAME", "a game, or a plug-in such as ./connect4.so; not with --status", true}, {0}};
static const struct cli_option options[] = {
    {"directory", "DIR", "where to learn, or to go on learning"},
    {"status", "DIR", "show how it goes there, and nothing else"},
    {"generations", "N", "end after so many"},
    {"time", "T", "end after so much time, that of earlier runs included: 15m"},
    {"from", "B", "begin with random (the default), eval (the game's evaluation) or the file of a network"},
    {"strategy", "S", "how games are played; default: the game's; eval= and nodes= are set here"},
    {"games", "N", "games that a generation plays; the default is 10000"},
    {"nodes", "N", "nodes a move, in games and tests; the default is 1000"},
    {"first-nodes", "N", "the same while games are played without a network; the default is ten times that"},
    {"random-plies", "N", "random moves at the beginning: 8 is 8 or 9, the default; 4-20 is any of these"},
    {"decided", "V", "end a game after four plies with a greater lead; by default never"},
    {"plies", "N", "a longer game is a draw; the default is 400"},
    {"window", "N", "learn from the games of so many generations; the default is 4"},
    {"width", "N", "hidden units for each view, a multiple of 16, or 1: a table; the default is 32"},
    {"layers", "N,N", "more layers behind these, up to three; by default none"},
    {"passes", "N", "passes over all positions; the default is 20"},
    {"rate", "N", "size of the first steps, in hundred thousandths; the default is 200"},
    {"result", "PERCENT", "learn this share from results and the rest from values; the default is 50"},
    {"lambda", "PERCENT",
     "mix later values of the game into each value, each next one by this share; the default is 0"},
    {"ahead", NULL,
     "with dice: learn from the mean over all throws instead of the one that was made; slow and steady"},
    {"scale", "N", "a value that stands for 73% of a win; the default is 200"},
    {"test-games", "N", "games of a test at most, an even number; the default is 400"},
    {"test-plies", "N", "random moves at their beginning; the default is 6"},
    {"elo", "N", "a test ends when it is clear that a network is better by so much, or not at all; 30"},
    {"threads", "N", "threads to play and train with; the default is all CPUs"},
    {"seed", "N", "which games and which weights to begin with; the default is 1"},
    {0}};

const struct cli_command command_learn = {
    .name = "learn",
    .summary = "let a game learn from itself: play, train, test, again and again",
    .details =
        "  manyply learn ./connect4.so --directory c4 --time 15m --random-plies 6-24\n"
        "  manyply learn --status c4\n"
        "  manyply search ./connect4.so --strategy pvs,eval=network:c4/best.net\n\n"
        "A generation plays games with the best network so far, trains a new one with them and those of the\n"
        "generations before, and keeps it if it beats the best. From random, the first games are played by "
        "a\n"
        "search that sees wins and nothing else, and only their results are learned. Ctrl-C stops, and the "
        "same\n"
        "command goes on, killed or not. DIR has the games (.games), the network (.net) and the test (.db, "
        "see\n"
        "`manyply results`) of each generation, best.net, and journal.json.\n\n"
        "A game with dice whose network has five outputs, such as backgammon, learns by temporal "
        "differences: it\n"
        "trains while it plays, --games games a generation, and goes on from the best so far.\n",
    .arguments = arguments,
    .options = options,
    .run = run};

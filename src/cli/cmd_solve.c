/* cmd_solve.c - plays positions out to the end of the game: the score with best play, and a line that has it. */
#include "cli/commands.h"

#include "lab/json_parts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a file has come to so far. */
struct solved {
    int total, wrong, open; /* open: a limit came first */
    uint64_t nodes;
    double seconds;
    json_t *positions;
};

/* A position and, where a file says so, its score. */
struct problem {
    struct mp_position *position;
    bool has_score;
    int score;
};

/* ---- One position -------------------------------------------------------------------------------------- */

static bool run_search(const struct cli *cli, struct mp_search *search, const struct mp_position *position,
                       struct mp_result *result, struct mp_error *error)
{
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = MP_MAX_DEPTH, .outcome = true};
    if (!cli_option(cli, "wld"))
        return mp_search_run(search, position, NULL, NULL, result, error);
    cli_duration(cli, "time", 0, &limits.seconds); /* it has been read before */
    return mp_search_run_within(search, position, &limits, NULL, NULL, result, error);
}

/* "+38", or what the value of another game is. */
static void score_text(const struct mp_game *game, mp_value value, char *text, size_t size)
{
    if (game->scoring == MP_SCORE_MARGIN && (value > MP_PROVEN || value < -MP_PROVEN || value == 0))
        snprintf(text, size, "%+d", value > 0 ? value - MP_PROVEN : value < 0 ? value + MP_PROVEN : 0);
    else
        mp_value_text(game, value, text, size);
}

/* "win", "draw" or "loss". */
static void outcome_text(mp_value value, char *text, size_t size)
{
    snprintf(text, size, "%s", value > 0 ? "win" : value < 0 ? "loss" : "draw");
}

static void report(const struct cli *cli, struct solved *sum, const struct problem *p,
                   const struct mp_result *r, json_t *line)
{
    char score[64], expected[64] = "", nodes[32], moves[CLI_TEXT];
    bool wld = cli_option(cli, "wld");
    mp_value value = wld ? (r->value > 0) - (r->value < 0) : r->value;
    mp_value wanted = wld ? (p->score > 0) - (p->score < 0) : mp_final_value(cli->game, p->score, 0);
    bool wrong = p->has_score && r->complete && value != wanted;
    if (wld)
        outcome_text(value, score, sizeof score);
    else
        score_text(cli->game, value, score, sizeof score);
    sum->total++;
    sum->wrong += wrong;
    sum->open += !r->complete;
    sum->nodes += r->counters.nodes;
    sum->seconds += r->seconds;
    if (!cli->json) {
        print_large((double)r->counters.nodes, nodes, sizeof nodes);
        print_moves_text(line, moves, sizeof moves);
        if (wrong)
            snprintf(expected, sizeof expected, " (expected %+d)", p->score);
        printf("%4d  %6s%s  %9s  %8.3f s  %s\n", sum->total, r->complete ? score : "open", expected, nodes,
               r->seconds, moves);
        fflush(stdout);
    }
    json_t *json = json_object();
    json_put(json, "position", json_position(cli->game, p->position));
    json_put_text(json, "score", score);
    json_put_number(json, "value", value);
    json_put_flag(json, "complete", r->complete);
    if (p->has_score)
        json_put_number(json, "expected", p->score);
    json_put(json, "line", json_incref(line));
    json_put_number(json, "nodes", (int64_t)r->counters.nodes);
    json_put_real(json, "seconds", r->seconds);
    json_array_append_new(sum->positions, json);
}

/* Every position begins with an empty table, so that none depends on those before. */
static bool solve(const struct cli *cli, struct mp_search *search, const struct problem *p,
                  struct solved *sum, struct mp_error *error)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    mp_search_forget(search);
    cli_stop_on_interrupt(search);
    bool ok = run_search(cli, search, p->position, &result, error);
    cli_stop_on_interrupt(NULL);
    if (ok && isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    if (ok) {
        json_t *line = json_line(cli->game, p->position, result.pv, result.pv_length);
        report(cli, sum, p, &result, line);
        json_decref(line);
    }
    return ok;
}

/* ---- A file -------------------------------------------------------------------------------------------- */

/* A line of an OBF file: a position, then the scores of moves: `...X; A2:+38; C7:+36;`. The best of them is the score. */
static bool read_problem(const struct mp_game *game, char *line, struct problem *p, struct mp_error *error)
{
    char *rest = strchr(line, ';');
    if (rest)
        *rest++ = 0;
    p->position = mp_position_new(game, line, error);
    if (!p->position)
        return false;
    for (char *word; rest && (word = strsep(&rest, ";"));) {
        const char *colon = strchr(word, ':');
        char *end;
        long score = colon ? strtol(colon + 1, &end, 10) : 0;
        if (!colon || end == colon + 1 || score < -MP_MARGIN_MAX || score > MP_MARGIN_MAX)
            continue;
        p->score = p->has_score && p->score >= score ? p->score : (int)score;
        p->has_score = true;
    }
    return true;
}

static void show_progress(const struct solved *sum, int total)
{
    enum { WIDTH = 30 };
    if (!isatty(STDERR_FILENO))
        return;
    char bar[WIDTH + 1] = "";
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i * total < sum->total * WIDTH ? '#' : '.';
    fprintf(stderr, "\r\033[K%s %d of %d, wrong %d", bar, sum->total, total, sum->wrong);
}

/* Counts the lines with something in them, and begins again. */
static int count_problems(FILE *file)
{
    int count = 0;
    bool blank = true;
    for (int c; (c = getc(file)) != EOF;) {
        blank = blank && isspace(c);
        if (c == '\n' || blank) {
            count += !blank;
            blank = true;
        }
    }
    rewind(file);
    return count + !blank;
}

static bool solve_file(const struct cli *cli, struct mp_search *search, FILE *file, struct solved *sum,
                       struct mp_error *error)
{
    int total = count_problems(file), number = 0;
    char *line = NULL;
    size_t size = 0;
    bool ok = true;
    while (ok && getline(&line, &size, file) > 0) {
        struct problem p = {0};
        struct mp_error reason = {0};
        number++;
        line[strcspn(line, "\r\n")] = 0;
        if (!line[strspn(line, " \t")] || *line == '#' || *line == '%')
            continue;
        show_progress(sum, total);
        ok = (read_problem(cli->game, line, &p, &reason) && solve(cli, search, &p, sum, &reason)) ||
             mp_fail(error, "line %d: %.400s", number, reason.text);
        mp_position_free(p.position);
    }
    free(line);
    return ok && (sum->total > 0 || mp_fail(error, "the file has no positions"));
}

/* ---- The command --------------------------------------------------------------------------------------- */

static int print_sum(const struct cli *cli, struct solved *sum, const char *strategy)
{
    int code = sum->wrong || sum->open ? EXIT_FAILURE : EXIT_SUCCESS;
    if (cli->json) {
        json_t *json = json_object();
        json_put_text(json, "game", cli->game->name);
        json_put_text(json, "strategy", strategy);
        json_put_number(json, "total", sum->total);
        json_put_number(json, "wrong", sum->wrong);
        json_put_number(json, "open", sum->open);
        json_put_number(json, "nodes", (int64_t)sum->nodes);
        json_put_real(json, "seconds", sum->seconds);
        json_put(json, "positions", json_incref(sum->positions));
        int printed = print_json(json);
        return printed ? printed : code;
    }
    char nodes[32], rate[32];
    print_large((double)sum->nodes, nodes, sizeof nodes);
    print_large(sum->seconds > 0 ? (double)sum->nodes / sum->seconds : 0, rate, sizeof rate);
    printf("%d solved, %d wrong, %d open: %s nodes in %.3f s, %s nodes/s with %s\n", sum->total - sum->open,
           sum->wrong, sum->open, nodes, sum->seconds, rate, strategy);
    return code;
}

static int run_with(const struct cli *cli, const struct mp_strategy *strategy)
{
    const char *path = cli->arguments[1];
    struct mp_error error = {0};
    struct solved sum = {.positions = json_array()};
    struct mp_search *search = cli_search(cli, strategy);
    FILE *file = search && path ? fopen(path, "r") : NULL;
    int code = EXIT_USAGE;
    if (search && path && !file)
        cli_fail(cli, "%.200s cannot be read: %s", path, strerror(errno));
    else if (search &&
             (path ? solve_file(cli, search, file, &sum, &error)
                   : solve(cli, search, &(struct problem){.position = cli->position}, &sum, &error)))
        code = print_sum(cli, &sum, mp_search_strategy(search));
    else if (search)
        cli_fail(cli, "%.200s%s%s", path ? path : "", path ? ": " : "", error.text);
    if (file)
        fclose(file);
    mp_search_free(search);
    json_decref(sum.positions);
    return code;
}

/* An exact search without a limit, with a table that need not grow first. */
static bool set_keys(const struct cli *cli, struct mp_strategy *strategy)
{
    struct mp_error error;
    if (!cli_limit(cli, strategy, "depth", "255"))
        return false;
    return cli_option(cli, "strategy") ||
           (mp_strategy_set(strategy, "hash", "256", &error) &&
            mp_strategy_set(strategy, "selective", "off", &error)) ||
           cli_refuse(cli, "%s", error.text);
}

static int run(const struct cli *cli)
{
    struct mp_strategy *strategy = NULL;
    if (cli->arguments[1] && (cli_option(cli, "position") || cli_option(cli, "moves")))
        return cli_fail(cli, "FILE and --position or --moves are both given, expected one of them");
    strategy = cli_strategy(cli, cli->game, "strategy", "auto");
    int code = strategy && set_keys(cli, strategy) ? run_with(cli, strategy) : EXIT_USAGE;
    mp_strategy_free(strategy);
    return code;
}

static const struct cli_argument arguments[] = {
    CLI_GAME,
    {"FILE", "positions, one on a line, with the scores of moves after them or without", true},
    {0}};
static const struct cli_option options[] = {
    {"position", "P", "a position in the notation of the game; the default is its beginning"},
    {"moves", "M", "moves played from there, such as \"f5 d6 c3\" or f5d6c3"},
    {"strategy", "S", "how to search; default: the game's, exact and with a table of 256 MB"},
    {"wld", NULL, "find out only whether the side to move wins, loses or draws, which is quicker"},
    {"time", "T", "give up on a position after so long, such as 10s"},
    {"threads", "N", "threads for a strategy with split=; default: all CPUs"},
    {0}};

const struct cli_command command_solve = {
    .name = "solve",
    .summary = "play positions out to the end of the game: score, line, nodes, time",
    .details = "  manyply solve othello --position "
               "'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X'\n"
               "  manyply solve othello fforum-40-59.obf --threads 1\n\n"
               "A line of FILE is a position and, as in OBF files, the scores of moves: `; A2:+38; C7:+36;`. "
               "The best of\n"
               "them is compared with what is found. Scores are final margins for the side to move. The exit "
               "code is 1\n"
               "if a score is wrong or a position was given up (open).\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_POSITION,
    .run = run};

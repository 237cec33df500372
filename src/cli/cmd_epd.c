/* cmd_epd.c - runs a test suite: positions with the moves that should be found, or should not. */
#include "cli/commands.h"

#include "base/memory.h"
#include "records/formats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a suite has come to so far. */
struct score {
    int total, solved;
    long points, most_points; /* of c0 "f5=10, Be5+=2" */
    uint64_t nodes;
    double seconds;
    json_t *positions;
};

/* Is the move one of a list such as "Nf3 Qg6"? False in *ok: a word is not a move. */
static bool is_among(const struct record *r, const char *list, mp_move move, bool *ok, struct mp_error *error)
{
    char word[64];
    bool found = false;
    for (int length; sscanf(list, " %63[^, ]%n", word, &length) == 1; list += length) {
        mp_move other;
        bool sign = strspn(word, "+#!?") == strlen(word); /* "Qd1 +" is one move */
        *ok = *ok && (sign || mp_position_parse_move(r->position, word, &other, error));
        found |= *ok && !sign && other == move;
        length += (int)strspn(list + length, ", ");
    }
    return found;
}

/* Is the value that of a mate in this many moves or fewer, or, if negative, of being mated? */
static bool mates_within(const struct mp_game *game, mp_value value, int moves)
{
    if (moves >= 0)
        return value >= mp_final_value(game, 1, 2 * moves - 1);
    return value <= mp_final_value(game, -1, -2 * moves);
}

/* A mate that is asked for: `dm 3`, or `bm #3` as some files have it; 0: none. */
static int mate_wanted(const struct record *r)
{
    const char *direct = record_tag(r, "dm"), *best = record_tag(r, "bm");
    if (best)
        return *best == '#' ? atoi(best + 1) : 0;
    return direct && !record_tag(r, "am") ? atoi(direct) : 0;
}

static bool is_solved(const struct record *r, const struct mp_result *result, bool *solved,
                      struct mp_error *error)
{
    const char *best = record_tag(r, "bm"), *avoid = record_tag(r, "am");
    int mate = mate_wanted(r);
    bool ok = true;
    if (mate)
        *solved = mates_within(r->game, result->value, mate);
    else if (best)
        *solved = is_among(r, best, result->move, &ok, error);
    else if (avoid)
        *solved = !is_among(r, avoid, result->move, &ok, error);
    else
        return mp_fail(error, "nothing to find, expected an operation bm, am or dm");
    return ok;
}

/* Adds the points of c0 "f5=10, Be5+=2"; a comment that is not of this form has none. */
static void add_points(struct score *score, const struct record *r, mp_move move)
{
    const char *list = record_tag(r, "c0");
    char word[64];
    long points, most = 0;
    for (int length; list && sscanf(list, " %63[^,]%n", word, &length) == 1; list += length) {
        mp_move other;
        char *equals = strrchr(word, '=');
        if (!equals || equals == word || sscanf(equals, "=%ld", &points) != 1)
            return;
        *equals = 0;
        if (!mp_position_parse_move(r->position, word, &other, NULL))
            return;
        most = points > most ? points : most;
        score->points += other == move ? points : 0;
        length += (int)strspn(list + length, ",");
    }
    score->most_points += most;
}

static void report_position(const struct cli *cli, struct score *score, const struct record *r,
                            const struct mp_result *result, bool solved)
{
    char move[CLI_TEXT], value[64];
    const char *id = record_tag(r, "id"), *best = record_tag(r, "bm"), *avoid = record_tag(r, "am");
    const char *wanted = best ? best : avoid ? avoid : record_tag(r, "dm");
    int (*print)(const struct mp_game *, const void *, mp_move, char *,
                 size_t) = r->game->print_record_move ? r->game->print_record_move : r->game->print_move;
    print(r->game, mp_position_state(r->position), result->move, move, sizeof move);
    mp_value_text(r->game, result->value, value, sizeof value);
    json_array_append_new(score->positions,
                          json_pack("{s:s*, s:s, s:s, s:i, s:b, s:i, s:I, s:f}", "id", id, "wanted", wanted,
                                    "move", move, "value", result->value, "solved", solved, "depth",
                                    result->depth, "nodes", (json_int_t)result->counters.nodes, "seconds",
                                    result->seconds));
    if (!cli->json && !solved)
        printf("%4d  %-28s %s %-12s played %s (%s, depth %d)\n", score->total, id ? shown(id) : "",
               best    ? "best"
               : avoid ? "not"
                       : "mate",
               shown(wanted), move, value, result->depth);
}

static void show_progress(const struct score *score, int total)
{
    enum { WIDTH = 30 };
    if (!isatty(STDERR_FILENO))
        return;
    char bar[WIDTH + 1] = "";
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i * total < score->total * WIDTH ? '#' : '.';
    fprintf(stderr, "\r\033[K%s %d of %d, solved %d", bar, score->total, total, score->solved);
}

/* Every position begins with an empty table, so that none depends on those before. */
static bool run_position(const struct cli *cli, const struct record *r, const char *strategy,
                         struct score *score, struct mp_error *error)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(r->game, strategy, error);
    bool solved = false, ok = search && mp_search_run(search, r->position, NULL, NULL, &result, error) &&
                              is_solved(r, &result, &solved, error);
    mp_search_free(search);
    if (!ok)
        return false;
    score->total++;
    score->solved += solved;
    score->nodes += result.counters.nodes;
    score->seconds += result.seconds;
    add_points(score, r, result.move);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    report_position(cli, score, r, &result, solved);
    fflush(stdout);
    return true;
}

/* Everything is read before anything is run, so that a mistake in the file is seen at once. */
static struct record **read_suite(const struct mp_game *game, FILE *file, int *count, struct mp_error *error)
{
    struct record_reader reader = record_reader(game, file);
    struct record **records = NULL, *record;
    *count = 0;
    while ((record = record_read(record_format("epd"), &reader, error))) {
        struct record **grown = memory_grow(records, *count, sizeof *grown);
        if (!grown) {
            record_free(record);
            mp_fail(error, "out of memory");
            break;
        }
        records = grown;
        records[(*count)++] = record;
    }
    return records;
}

static int print_score(const struct cli *cli, struct score *score, const char *strategy)
{
    if (cli->json)
        return print_json(json_pack("{s:s, s:s, s:i, s:i, s:I, s:I, s:I, s:f, s:O}", "file",
                                    cli->arguments[0], "strategy", strategy, "solved", score->solved, "total",
                                    score->total, "points", (json_int_t)score->points, "most_points",
                                    (json_int_t)score->most_points, "nodes", (json_int_t)score->nodes,
                                    "seconds", score->seconds, "positions", score->positions));
    char nodes[32];
    print_large((double)score->nodes, nodes, sizeof nodes);
    printf("solved %d of %d", score->solved, score->total);
    if (score->most_points)
        printf(", %ld of %ld points", score->points, score->most_points);
    printf(", %s nodes in %.1f s with %s\n", nodes, score->seconds, strategy);
    return 0;
}

static int run_suite(const struct cli *cli, const struct mp_game *game, FILE *file, const char *strategy)
{
    struct mp_error error = {0};
    struct score score = {.positions = json_array()};
    int count;
    struct record **records = read_suite(game, file, &count, &error);
    bool ok = !*error.text && (count > 0 || mp_fail(&error, "the file has no positions"));
    for (int i = 0; ok && i < count; i++) {
        show_progress(&score, count);
        struct mp_error reason;
        ok = run_position(cli, records[i], strategy, &score, &reason) ||
             mp_fail(&error, "position %d: %.400s", i + 1, reason.text);
    }
    int code = ok ? print_score(cli, &score, strategy)
                  : cli_fail(cli, "%.200s: %s", cli->arguments[0], error.text);
    for (int i = 0; i < count; i++)
        record_free(records[i]);
    free(records);
    json_decref(score.positions);
    return code;
}

/* The strategy with the limit of the command line. Null: error printed. */
static struct mp_strategy *limited_strategy(const struct cli *cli, const struct mp_game *game)
{
    int64_t number;
    if (!cli_number(cli, "nodes", 1, INT64_MAX, 0, &number))
        return NULL;
    if (cli_option(cli, "nodes") && cli_option(cli, "time")) {
        cli_fail(cli, "--nodes and --time are both given, expected one of them");
        return NULL;
    }
    struct mp_strategy *strategy = cli_strategy(cli, game, "strategy", NULL);
    if (strategy && cli_limit(cli, strategy, "time", "1s"))
        return strategy;
    mp_strategy_free(strategy);
    return NULL;
}

static int run(const struct cli *cli)
{
    const char *name = cli_option(cli, "game");
    struct mp_error error;
    struct mp_game *game = mp_game_open(name ? name : "chess", &error);
    if (!game)
        return cli_fail(cli, "%s", error.text);
    struct mp_strategy *strategy = limited_strategy(cli, game);
    FILE *file = strategy ? fopen(cli->arguments[0], "r") : NULL;
    int code = EXIT_USAGE;
    if (strategy && !file)
        code = cli_fail(cli, "%.200s cannot be read: %s", cli->arguments[0], strerror(errno));
    else if (strategy)
        code = run_suite(cli, game, file, mp_strategy_text(strategy));
    if (file)
        fclose(file);
    mp_strategy_free(strategy);
    mp_game_close(game);
    return code;
}

static const struct cli_argument arguments[] = {{"FILE", "positions with what is to be found", false}, {0}};
static const struct cli_option options[] = {
    {"nodes", "N", "nodes for each position"},
    {"time", "T", "time for each position, such as 500ms; the default is 1s"},
    {"strategy", "S", "how to search, see `manyply strategies`; default: the game's"},
    {"threads", "N", "threads for a strategy with split=; the default is all CPUs"},
    {"game", "GAME", "the game of the positions; the default is chess"},
    {0}};

const struct cli_command command_epd = {
    .name = "epd",
    .summary = "run a test suite and count the positions that are solved",
    .details =
        "  manyply epd wac.epd --nodes 100000\n\n"
        "A line of FILE is a position and operations: `bm Nf3 Qg6;` one of these moves is best, `am Nf3;`\n"
        "this one is to be avoided, `dm 3;` there is a mate in that many moves (also written bm #3), `id\n"
        "\"name\";` what the position is called, `c0 \"f5=10, Be5+=2\";` points for moves. Positions that\n"
        "are not solved are printed.\n",
    .arguments = arguments,
    .options = options,
    .run = run};

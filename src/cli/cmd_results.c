/* cmd_results.c - shows, exports and joins the games that arenas have kept. */
#include "cli/commands.h"
#include "cli/standings.h"
#include "cli/terminal.h"
#include "cli/user_folder.h"

#include "base/text.h"
#include "lab/export.h"
#include "lab/json_parts.h"
#include "lab/thinking.h"
#include "records/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- What the actions share ------------------------------------------------------------------------- */

struct view {
    const struct cli *cli;
    char file[4096];
    struct results *results;
    struct results_player *players;
    int count;
    enum mp_scoring scoring;
    struct sprt sprt;
    struct results_filter filter;
    json_t *list; /* of what is printed as JSON */
    bool failed;  /* while a game was shown, with an error */
    struct mp_error error;
};

/* A setting that is not what an arena writes. */
static bool refuse_setting(const struct view *view, const char *name, const char *expected)
{
    return cli_refuse(view->cli,
                      "%.200s is not to be trusted: its setting %s is missing or wrong, expected %s",
                      view->file, name, expected);
}

static bool read_scoring(struct view *view)
{
    char *text = results_get(view->results, "scoring");
    bool ok = false;
    for (int i = 0; text && i < 3; i++)
        if (!strcmp(text, results_scorings[i])) {
            view->scoring = (enum mp_scoring)i;
            ok = true;
        }
    free(text);
    return ok || refuse_setting(view, "scoring", "win, margin or points");
}

static bool is_share(double number)
{
    return number > 0 && number < 1;
}

static bool read_sprt(struct view *view)
{
    char *text = results_get(view->results, "sprt"), model[16] = "";
    struct sprt *sprt = &view->sprt;
    bool ok = text && sscanf(text, "%lf,%lf,%lf,%lf,%15s", &sprt->elo0, &sprt->elo1, &sprt->alpha,
                             &sprt->beta, model) == 5;
    sprt->normalised = !strcmp(model, "normalised");
    free(text);
    bool tested = sprt->elo0 != sprt->elo1;
    ok = ok && isfinite(sprt->elo0) && isfinite(sprt->elo1);
    return (ok && (!tested || (is_share(sprt->alpha) && is_share(sprt->beta)))) ||
           refuse_setting(view, "sprt", "two Elo, two chances of an error and a model");
}

/* The number of the player that an option names; -1 if it was not given. */
static bool find_player(const struct view *view, const char *option, int *number)
{
    const char *name = cli_option(view->cli, option);
    *number = -1;
    for (int i = 0; name && i < view->count; i++)
        if (!strcmp(view->players[i].name, name))
            *number = i;
    if (name && *number < 0)
        cli_fail(view->cli, "--%s %.100s is not a player of this arena", option, name);
    return !name || *number >= 0;
}

static bool read_filter(struct view *view)
{
    const char *winner = cli_option(view->cli, "winner");
    struct results_filter *filter = &view->filter;
    if (!find_player(view, "player", &filter->player) || !find_player(view, "against", &filter->other) ||
        !cli_number(view->cli, "game", 0, INT64_MAX, -1, &filter->number))
        return false;
    if (winner && !strcmp(winner, "none"))
        filter->winner = -2;
    else if (!find_player(view, "winner", &filter->winner))
        return false;
    return true;
}

static bool open_view(struct view *view)
{
    struct mp_error error;
    const char *file = cli_option(view->cli, "db");
    if (file)
        snprintf(view->file, sizeof view->file, "%s", file);
    else if (!user_last_arena(view->file, sizeof view->file) || access(view->file, R_OK) != 0)
        return cli_refuse(
            view->cli, "--db is missing, and no arena without one was kept, expected the file of an arena");
    view->results = results_open(view->file, RESULTS_READ, &error);
    if (view->results)
        view->players = results_players(view->results, &view->count, &error);
    if (!view->players)
        return cli_refuse(view->cli, "%s", error.text);
    return read_scoring(view) && read_sprt(view) && read_filter(view);
}

static void close_view(struct view *view)
{
    if (view->players)
        results_free_players(view->players, view->count);
    results_close(view->results);
}

static const char *name_of(const struct view *view, int player)
{
    return player >= 0 && player < view->count ? view->players[player].name : "?";
}

static const char *result_of(const struct results_game *game)
{
    return game->margin > 0 ? "1-0" : game->margin < 0 ? "0-1" : "1/2-1/2";
}

/* ---- Standings -------------------------------------------------------------------------------------- */

static int show_standings(struct view *view)
{
    struct mp_error error;
    struct tallies tallies;
    if (!results_tally(view->results, view->count, &tallies, &error))
        return cli_fail(view->cli, "%s", error.text);
    struct standings standings = {view->players,
                                  view->count,
                                  &tallies,
                                  view->scoring,
                                  view->sprt.elo0 != view->sprt.elo1 ? &view->sprt : NULL,
                                  {0}};
    int code = 0;
    if (!results_waited(view->results, standings.waited, &error)) {
        code = cli_fail(view->cli, "%s", error.text);
    } else if (view->cli->json) {
        char *game = results_get(view->results, "game");
        json_t *object = json_pack("{s:s}", "game", game); /* null without a name */
        code = print_json(standings_add(object, &standings));
        free(game);
    } else if (!standings_print(&standings)) {
        code = cli_fail(view->cli, "out of memory");
    }
    tallies_free(&tallies);
    return code;
}

/* ---- Games ------------------------------------------------------------------------------------------ */

static json_t *json_game(const struct view *view, const struct results_game *game)
{
    json_t *json = json_object();
    json_put_number(json, "number", game->number);
    json_put_text(json, "first", name_of(view, game->players[0]));
    json_put_text(json, "second", name_of(view, game->players[1]));
    json_put_text(json, "result", result_of(game));
    json_put_number(json, "margin", game->margin);
    json_put_text(json, "ending", game->ending);
    json_put_text(json, "reason", game->reason);
    json_put_number(json, "plies", game->plies);
    json_put(json, "seconds", json_reals(game->seconds, 2));
    json_put(json, "waited", json_reals(game->waited, 2));
    json_put_text(json, "start", game->start);
    json_put_number(json, "opening_moves", game->opening);
    json_put_number(json, "seed", (int64_t)game->seed);
    json_put_number(json, "stream", (int64_t)game->stream);
    json_put_number(json, "started", (int64_t)game->started);
    enum { FIELDS = 15 };
    if (json_object_size(json) == FIELDS)
        return json;
    json_decref(json);
    return NULL;
}

/* Appends to the list, or has failed: a list that is shorter than it should be is not printed. */
static bool append(struct view *view, json_t *list, json_t *object)
{
    if (json_array_append_new(list, object) != 0)
        view->failed = !mp_fail(&view->error,
                                "out of memory for the JSON, or a text of the file is not UTF-8");
    return !view->failed;
}

static bool show_game(const struct results_game *game, void *context)
{
    struct view *view = context;
    if (view->cli->json)
        return append(view, view->list, json_game(view, game));
    printf("%6lld  ", (long long)game->number);
    print_name(name_of(view, game->players[0]), 22);
    printf(" ");
    print_name(name_of(view, game->players[1]), 22);
    printf(" ");
    printf("%-7s %+5d %5d %8.2f %8.2f  %s\n", result_of(game), game->margin, game->plies, game->seconds[0],
           game->seconds[1], shown(game->ending));
    return true;
}

/* Prints the list that was collected, or the error. */
static int finish_list(struct view *view, const char *name, bool ok, const struct mp_error *error)
{
    json_t *list = view->list;
    view->list = NULL;
    if (ok && !view->failed && view->cli->json)
        return print_json(json_pack("{s:o}", name, list));
    json_decref(list);
    if (ok && view->failed)
        return cli_fail(view->cli, "%s", view->error.text);
    return ok ? 0 : cli_fail(view->cli, "%s", error->text);
}

static int show_games(struct view *view)
{
    struct mp_error error;
    view->list = json_array();
    if (!view->cli->json)
        printf("%6s  %-22s %-22s %-7s %5s %5s %8s %8s  %s\n", "game", "first", "second", "result", "by",
               "plies", "seconds", "seconds", "ending");
    bool ok = results_each_game(view->results, &view->filter, show_game, view, &error);
    return finish_list(view, "games", ok, &error);
}

/* ---- Moves ------------------------------------------------------------------------------------------ */

static bool show_move(const struct results_move *move, void *context)
{
    struct view *view = context;
    const struct thought *t = &move->thought;
    if (view->cli->json) {
        json_t *object = json_pack("{s:i, s:i, s:s, s:b}", "ply", move->ply, "side", move->side, "move",
                                   move->text, "chosen", move->chosen);
        if (move->chosen) {
            json_put_number(object, "alternatives", move->alternatives);
            json_put_real(object, "seconds", t->seconds);
            json_put(object, "value", t->has_value ? json_integer(t->value) : json_null());
            json_put_number(object, "depth", t->depth);
            json_put_number(object, "nodes", (int64_t)t->nodes);
        }
        return append(view, view->list, object);
    }
    printf("%4d  %d  %-12s", move->ply + 1, move->side + 1, shown(move->text));
    if (move->chosen) {
        char value[32] = "", nodes[32];
        if (t->has_value)
            snprintf(value, sizeof value, "%+d", t->value);
        print_large((double)t->nodes, nodes, sizeof nodes);
        printf(" %8s %5d %9s %9.3f s", value, t->depth, nodes, t->seconds);
    }
    printf("\n");
    return true;
}

static bool show_moves_of(const struct results_game *game, void *context)
{
    struct view *view = context;
    json_t *games = view->list;
    view->list = json_array();
    if (!view->cli->json)
        printf(
            "game %lld: %s against %s, %s (%s)%s%s\nfrom %s\n ply side move            value depth     nodes"
            "       time\n",
            (long long)game->number, shown(name_of(view, game->players[0])),
            shown(name_of(view, game->players[1])), result_of(game), shown(game->ending),
            *game->reason ? "; " : "", shown(game->reason), shown(game->start));
    if (!results_each_move(view->results, game->number, show_move, view, &view->error))
        view->failed = true;
    json_t *object = json_game(view, game);
    json_put(object, "moves", view->list);
    if (!view->failed)
        append(view, games, object);
    else
        json_decref(object);
    view->list = games;
    if (!view->cli->json)
        printf("\n");
    return !view->failed;
}

static int show_moves(struct view *view)
{
    struct mp_error error;
    view->list = json_array();
    bool ok = results_each_game(view->results, &view->filter, show_moves_of, view, &error);
    return finish_list(view, "games", ok, &error);
}

/* ---- Thinking: the columns of the report on moving horizons ----------------------------------------- */

static json_t *json_spread(const struct spread *spread)
{
    return json_pack("{s:f, s:f}", "mean", spread_mean(spread), "deviation", spread_deviation(spread));
}

static void print_spread(const struct spread *spread)
{
    printf(" %8.1f %s %6.1f", spread_mean(spread), terminal_look().unicode ? "±" : "+-",
           spread_deviation(spread));
}

static void print_thinking(const struct view *view, const struct results_game *game,
                           const struct thinking sides[2])
{
    for (int side = 0; side < 2; side++) {
        printf("%5lld %d ", (long long)game->number, side + 1);
        print_name(name_of(view, game->players[side]), 20);
        printf(" ");
        print_spread(&sides[side].alternatives);
        print_spread(&sides[side].mean_depth);
        print_spread(&sides[side].max_depth);
        print_spread(&sides[side].score);
        printf("\n");
    }
}

static void print_costs(const struct view *view, const struct results_game *game,
                        const struct thinking sides[2])
{
    printf("%5lld ", (long long)game->number);
    print_name(name_of(view, game->players[0]), 18);
    printf(" ");
    print_name(name_of(view, game->players[1]), 18);
    printf(" ");
    printf("%-7s %5d %8.2f %7.2f %7.2f %9llu %9llu\n", result_of(game), game->plies,
           game->seconds[0] + game->seconds[1], game->seconds[0], game->seconds[1],
           (unsigned long long)(sides[0].alpha_cuts + sides[1].alpha_cuts),
           (unsigned long long)(sides[0].beta_cuts + sides[1].beta_cuts));
}

static json_t *json_thinking(const struct thinking *side)
{
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o}", "alpha_cuts", (json_int_t)side->alpha_cuts,
                     "beta_cuts", (json_int_t)side->beta_cuts, "alternatives",
                     json_spread(&side->alternatives), "mean_depth", json_spread(&side->mean_depth),
                     "max_depth", json_spread(&side->max_depth), "score", json_spread(&side->score));
}

struct thinking_view {
    struct view *view;
    void (*print)(const struct view *view, const struct results_game *game, const struct thinking sides[2]);
};

static bool show_thinking_of(const struct results_game *game, void *context)
{
    const struct thinking_view *what = context;
    struct view *view = what->view;
    struct thinking sides[2];
    view->failed = !thinking_of(view->results, game->number, sides, &view->error);
    if (view->failed)
        return false;
    if (!view->cli->json) {
        what->print(view, game, sides);
        return true;
    }
    json_t *object = json_game(view, game);
    json_put(object, "sides", json_pack("[o, o]", json_thinking(&sides[0]), json_thinking(&sides[1])));
    return append(view, view->list, object);
}

static int show_thinking(struct view *view)
{
    struct mp_error error;
    view->list = json_array();
    struct thinking_view costs = {view, print_costs}, thoughts = {view, print_thinking};
    if (!view->cli->json)
        printf("%5s %-18s %-18s %-7s %5s %8s %7s %7s %9s %9s\n", "game", "first", "second", "result", "moves",
               "seconds", "first", "second", "alpha", "beta");
    bool ok = results_each_game(view->results, &view->filter, show_thinking_of, &costs, &error);
    if (ok && !view->failed && !view->cli->json) {
        printf("\n%7s %-20s %17s %17s %17s %17s\n", "game", "player", "alternatives ", "mean depth ",
               "max depth ", "score");
        ok = results_each_game(view->results, &view->filter, show_thinking_of, &thoughts, &error);
    }
    return finish_list(view, "games", ok, &error);
}

/* ---- Export ----------------------------------------------------------------------------------------- */

struct exporting {
    struct view *view;
    const struct mp_game *game;
    const struct record_format *format;
    struct mp_error error;
};

static bool write_game(const struct results_game *stored, void *context)
{
    struct exporting *exporting = context;
    struct record *record = export_game(exporting->view->results, exporting->game, stored,
                                        exporting->view->players, &exporting->error);
    bool ok = record && (exporting->format->write(record, stdout) ||
                         mp_fail(&exporting->error, "the games could not be written"));
    record_free(record);
    return ok;
}

/* The format that was asked for; null: error printed. */
static const struct record_format *find_format(const struct cli *cli)
{
    const char *name = cli_option(cli, "format");
    const struct record_format *format = record_format(name ? name : "pgn");
    if (format && !format->positions)
        return format;
    char known[256] = "";
    for (const struct record_format *f = record_formats; f->name; f++)
        if (!f->positions)
            text_append(known, sizeof known, "%s%s", *known ? ", " : "", f->name);
    cli_fail(cli, "--format %.60s, expected one of %s", name, known);
    return NULL;
}

/* The game that was played; null: error printed. A plug-in is a program, and no file may choose which program runs
 * here: it has to be named on the command line too. */
static struct mp_game *open_game(const struct view *view)
{
    struct mp_error error;
    const char *file = view->file, *plugin = cli_option(view->cli, "plugin");
    char *name = results_get(view->results, "game");
    bool is_plugin = name && (strchr(name, '/') || strstr(name, ".so"));
    struct mp_game *game = NULL;
    if (!name)
        cli_fail(view->cli, "%.200s does not say which game was played, expected a setting 'game'", file);
    else if (is_plugin && (!plugin || strcmp(plugin, name) != 0))
        cli_fail(
            view->cli,
            "%.150s was played with the plug-in %.150s, which is not run because a file says so; expected "
            "--plugin '%.150s', if you trust it",
            file, name, name);
    else if (!(game = mp_game_open(name, &error)))
        cli_fail(view->cli, "%s", error.text);
    free(name);
    return game;
}

static int export_games(struct view *view)
{
    struct exporting exporting = {.view = view, .format = find_format(view->cli)};
    if (!exporting.format)
        return EXIT_USAGE;
    if (view->cli->json)
        return cli_fail(view->cli, "export does not take --json, expected `manyply results moves --json`");
    struct mp_game *game = open_game(view);
    if (!game)
        return EXIT_USAGE;
    exporting.game = game;
    if (game->chances && !strcmp(exporting.format->name, "pgn")) {
        mp_game_close(game);
        return cli_fail(view->cli, "pgn cannot hold dice, expected --format moves");
    }
    if (exporting.format->game && strcmp(exporting.format->game, game->name) != 0) {
        cli_fail(view->cli, "%s is for %s, not for %s", exporting.format->name, exporting.format->game,
                 game->name);
        mp_game_close(game);
        return EXIT_USAGE;
    }
    bool ok = results_each_game(view->results, &view->filter, write_game, &exporting, &exporting.error) &&
              !exporting.error.text[0];
    mp_game_close(game);
    return ok ? 0 : cli_fail(view->cli, "%s", exporting.error.text);
}

/* ---- Merging ---------------------------------------------------------------------------------------- */

static int merge(const struct cli *cli)
{
    struct mp_error error;
    const char *out = cli->arguments[1];
    if (!out || !cli->arguments[2])
        return cli_fail(cli, "merge needs files, expected OUT IN...: the file to write, then those to read");
    struct results *results = results_open(out, RESULTS_WRITE, &error);
    bool ok = results;
    int64_t total = 0;
    int files = 0;
    for (int i = 2; ok && i < CLI_MAX_ARGUMENTS && cli->arguments[i]; i++) {
        int64_t added;
        ok = results_merge(results, cli->arguments[i], &added, &error);
        total += added;
        files += ok;
    }
    results_close(results);
    if (!ok)
        return cli_fail(cli, "%s", error.text);
    if (cli->json)
        return print_json(
            json_pack("{s:s, s:i, s:I}", "file", out, "files", files, "added", (json_int_t)total));
    printf("%lld game%s from %d file%s added to %s\n", (long long)total, total == 1 ? "" : "s", files,
           files == 1 ? "" : "s", out);
    return 0;
}

/* ---- The command ------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    int (*show)(struct view *view);
} actions[] = {
    {"standings", show_standings}, {"games", show_games},    {"moves", show_moves},
    {"thinking", show_thinking},   {"export", export_games},
};

static int run(const struct cli *cli)
{
    const char *action = cli->arguments[0] ? cli->arguments[0] : "standings";
    if (!strcmp(action, "merge"))
        return merge(cli);
    char known[256] = "";
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        text_append(known, sizeof known, "%s, ", actions[i].name);
        if (strcmp(actions[i].name, action) != 0)
            continue;
        if (cli->arguments[1])
            return cli_fail(cli, "unexpected argument '%.60s', expected --db FILE", cli->arguments[1]);
        struct view view = {.cli = cli};
        int code = open_view(&view) ? actions[i].show(&view) : EXIT_USAGE;
        close_view(&view);
        return code;
    }
    return cli_fail(cli, "ACTION is '%.60s', expected %sor merge", action, known);
}

static const struct cli_argument arguments[] = {
    {"ACTION", "standings, games, moves, thinking, export or merge; the default is standings", true},
    {"FILE...", "merge: the file to write, then those to read", true},
    {0}};
static const struct cli_option options[] = {
    {"db", "FILE", "the file of an arena; the default is the last arena that was told no file"},
    {"player", "NAME", "only games of this player"},
    {"against", "NAME", "only games against this player"},
    {"winner", "NAME", "only games that this player has won; none: drawn games"},
    {"game", "N", "only this game"},
    {"format", "F", "export: pgn, or moves (one game per line); the default is pgn"},
    {"plugin", "FILE", "export: the plug-in that was played, as the arena was told it"},
    {0}};

const struct cli_command command_results = {
    .name = "results",
    .summary = "show, export and join the games that arenas have kept",
    .details =
        "  manyply results                                     the last arena without --db\n"
        "  manyply results --db match.db                       standings, Elo, crosstable\n"
        "  manyply results games --db match.db --winner none   the drawn games\n"
        "  manyply results moves --db match.db --game 17       one game, move by move\n"
        "  manyply results thinking --db match.db              cut-offs, alternatives, depths, scores\n"
        "  manyply results export --db match.db >match.pgn     for other programs\n"
        "  manyply results merge all.db shard-1.db shard-2.db  the parts of `arena --shard`\n",
    .arguments = arguments,
    .options = options,
    .run = run};

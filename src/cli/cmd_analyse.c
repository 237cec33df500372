/* cmd_analyse.c - games from a file, judged move by move. */
#include "cli/commands.h"
#include "cli/user_folder.h"

#include "analysis/analysis.h"
#include "analysis/annotate.h"
#include "analysis/report_page.h"
#include "base/memory.h"
#include "base/text.h"
#include "lab/json_parts.h"
#include "lab/progress.h"
#include "records/formats.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { INTERRUPTED = 130, PATH = 4096 };

/* One file and what is made of it. */
struct analysis_job {
    const struct cli *cli;
    const char *path;
    const struct record_format *format;
    struct mp_game *game;
    char game_text[256];
    struct mp_strategy *strategy;
    struct record **records;
    int record_count;
    struct analysis analysis;
    struct progress bar;
    char output[PATH], report[PATH]; /* empty: not written */
};

/* ---- What the file is ---------------------------------------------------------------------------------- */

static bool find_format(struct analysis_job *job)
{
    const char *name = cli_option(job->cli, "from");
    char known[128] = "";
    for (const struct record_format *f = record_formats; f->name; f++)
        if (!f->positions)
            text_append(known, sizeof known, "%s%s", *known ? ", " : "", f->name);
    job->format = name ? record_format(name) : record_format_of_file(job->path);
    if (job->format && !job->format->positions)
        return true;
    if (name)
        return cli_refuse(job->cli, "--from %.60s, expected one of %s", name, known);
    if (job->format)
        return cli_refuse(job->cli, "%.200s holds positions without moves, expected games", job->path);
    return cli_refuse(job->cli, "the name of %.200s does not tell the format, expected --from with one of %s",
                      job->path, known);
}

/* What chess programs call chess. */
static bool is_chess(const char *variant)
{
    static const char *const names[] = {"Standard", "From Position", "Chess",
                                        "Chess960", "Fischerandom",  "Fischer Random"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found = found || !strcasecmp(names[i], variant);
    return found;
}

/* PGN says which game it is; without a word about it, chess. */
static void read_variant(const char *path, char *name, size_t size)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    snprintf(name, size, "chess");
    while (file && getline(&line, &room, file) > 0 &&
           (*line == '[' || strspn(line, " \t\r\n") == strlen(line))) {
        char variant[64];
        if (sscanf(line, "[Variant \"%63[^\"]\"]", variant) == 1 && !is_chess(variant))
            snprintf(name, size, "%s", variant);
    }
    free(line);
    if (file)
        fclose(file);
}

static bool open_game(struct analysis_job *job)
{
    struct mp_error error;
    const char *name = cli_option(job->cli, "game");
    if (name)
        snprintf(job->game_text, sizeof job->game_text, "%s", name);
    else if (job->format->game)
        snprintf(job->game_text, sizeof job->game_text, "%s%s", job->format->game,
                 !strcmp(job->format->name, "mat") ? ":cube=on" : "");
    else if (!strcmp(job->format->name, "pgn") && strcmp(job->path, "-") != 0)
        read_variant(job->path, job->game_text, sizeof job->game_text);
    else
        return cli_refuse(job->cli, "%.200s does not tell its game, expected --game with a game or a plug-in",
                          job->path);
    job->game = mp_game_open(job->game_text, &error);
    if (job->game)
        return true;
    return name ? cli_refuse(job->cli, "%s", error.text)
                : cli_refuse(job->cli, "%.200s is a game of %.60s, expected --game with its plug-in",
                             job->path, job->game_text);
}

static bool read_records(struct analysis_job *job, FILE *file)
{
    struct record_reader reader = record_reader(job->game, file);
    struct mp_error error = {0};
    struct record *record;
    while ((record = job->format->read(&reader, &error))) {
        struct record **records = memory_grow(job->records, job->record_count, sizeof *records);
        if (!records) {
            record_free(record);
            return cli_refuse(job->cli, "out of memory");
        }
        job->records = records;
        records[job->record_count++] = record;
        if (!strcmp(record->result, "*")) /* transcripts say nothing of it */
            record_set_result(record, record_result_by_rules(record));
    }
    if (*error.text)
        return cli_refuse(job->cli, "%.200s: %s", job->path, error.text);
    return job->record_count > 0 || cli_refuse(job->cli, "%.200s has no games", job->path);
}

static bool read_file(struct analysis_job *job)
{
    bool standard = !strcmp(job->path, "-");
    FILE *file = standard ? stdin : fopen(job->path, "r");
    if (!file)
        return cli_refuse(job->cli, "%.200s cannot be read: %s", job->path, strerror(errno));
    bool ok = read_records(job, file);
    if (!standard)
        fclose(file);
    return ok;
}

/* ---- What is made of it -------------------------------------------------------------------------------- */

/* games.pgn: games-analysed.pgn and games-analysed.html, unless the options say otherwise. */
static bool name_outputs(struct analysis_job *job)
{
    const char *output = cli_option(job->cli, "output"), *report = cli_option(job->cli, "report");
    const char *slash = strrchr(job->path, '/'), *dot = strrchr(job->path, '.');
    int stem = dot && (!slash || dot > slash) ? (int)(dot - job->path) : (int)strlen(job->path);
    bool by_itself = !output && !report && !job->cli->json && strcmp(job->path, "-") != 0;
    if (stem > PATH - 32)
        return cli_refuse(job->cli, "the name of a file has more than %d characters, expected fewer",
                          PATH - 32);
    snprintf(job->output, PATH, "%s", output ? output : "");
    snprintf(job->report, PATH, "%s", report ? report : "");
    if (!by_itself)
        return true;
    bool mat = !strcmp(job->game->name, "backgammon");
    if (mat || !job->game->chances)
        snprintf(job->output, PATH, "%.*s-analysed.%s", stem, job->path, mat ? "mat" : "pgn");
    snprintf(job->report, PATH, "%.*s-analysed.html", stem, job->path);
    return true;
}

static bool read_marks(const struct cli *cli, struct analysis_scale *scale)
{
    const char *text = cli_option(cli, "marks");
    double t[3];
    int length = 0;
    if (!text)
        return true;
    if (sscanf(text, "%lf,%lf,%lf%n", &t[0], &t[1], &t[2], &length) != 3 || text[length] || !(t[0] > 0) ||
        !(t[1] >= t[0]) || !(t[2] >= t[1]) || !(t[2] < 1e6))
        return cli_refuse(cli, "--marks %.60s, expected three rising losses such as 0.5,1,2", text);
    memcpy(scale->thresholds, t, sizeof t);
    return true;
}

/* A scheme uses the threads for one position; otherwise each has a position of its own. */
static bool choose_strategy(struct analysis_job *job)
{
    struct analysis *a = &job->analysis;
    char split[32];
    job->strategy = cli_strategy(job->cli, job->game, "strategy", NULL);
    if (!job->strategy || !cli_limit(job->cli, job->strategy, "time", "1s"))
        return false;
    bool shares = mp_strategy_get(job->strategy, "split", split, sizeof split) && strcmp(split, "none") != 0;
    int initial = shares ? 1 : mp_cpu_count();
    a->strategy = job->strategy;
    a->game = job->game;
    a->game_text = job->game_text;
    a->scale = analysis_scale_of(job->game);
    return cli_int(job->cli, "concurrency", 1, MP_MAX_THREADS,
                   initial < MP_MAX_THREADS ? initial : MP_MAX_THREADS, &a->threads) &&
           read_marks(job->cli, &a->scale);
}

static bool take_games(struct analysis_job *job)
{
    struct mp_error error;
    char folder[PATH];
    bool keeps = user_folder(USER_CACHE, "analysis", folder, sizeof folder);
    for (int i = 0; i < job->record_count; i++) {
        if (!analysis_add(&job->analysis, job->records[i], keeps ? folder : NULL, &error))
            return cli_refuse(job->cli, "%.200s: game %d: %s", job->path, i + 1, error.text);
        struct analysed_game *g = &job->analysis.games[i];
        if (cli_option(job->cli, "fresh") && g->kept) {
            remove(g->kept);
            for (int ply = 0; ply < g->count; ply++)
                g->plies[ply].done = g->plies[ply].kind == PLY_FORCED;
        }
    }
    return true;
}

static struct analysis *volatile interrupted;

static void on_interrupt(int number)
{
    analysis_stop(interrupted);
    signal(number, SIG_DFL);
}

static void show_progress(void *context, int done, int total)
{
    progress_show(context, "analysing", (double)done / total);
}

/* The exit code. */
static int think(struct analysis_job *job)
{
    struct analysis *a = &job->analysis;
    struct mp_error error;
    int done, total;
    job->bar.out = stderr;
    a->progress = show_progress;
    a->context = &job->bar;
    progress_show(&job->bar, "analysing", 0);
    interrupted = a;
    signal(SIGINT, on_interrupt);
    bool ok = analysis_run(a, &error);
    signal(SIGINT, SIG_DFL);
    progress_end(&job->bar);
    if (!ok)
        return cli_fail(job->cli, "%.200s: %s", job->path, error.text);
    analysis_count(a, &done, &total);
    if (done == total)
        return 0;
    cli_fail(job->cli, "interrupted with %d of %d moves analysed; the same command goes on from there", done,
             total);
    return INTERRUPTED;
}

/* ---- Files --------------------------------------------------------------------------------------------- */

static bool write_annotated(struct analysis_job *job, FILE *file, struct mp_error *error)
{
    const char *dot = strrchr(job->output, '.');
    bool ok = true;
    for (int i = 0; ok && i < job->analysis.game_count; i++)
        ok = annotate_write(&job->analysis, i, dot && !strcmp(dot, ".mat"), file, error);
    return ok;
}

static bool write_report(struct analysis_job *job, FILE *file, struct mp_error *error)
{
    const char *slash = strrchr(job->path, '/');
    return report_page_write(&job->analysis, slash ? slash + 1 : job->path, file, error);
}

/* Is there something that must not be replaced by a file, such as a pipe? */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* Beside its place first, so that an error leaves nothing half-done. */
static bool write_file(struct analysis_job *job, const char *path,
                       bool (*write)(struct analysis_job *, FILE *, struct mp_error *))
{
    struct mp_error error = {0};
    char part[PATH + 8];
    bool direct = is_special(path);
    snprintf(part, sizeof part, direct ? "%s" : "%s.part", path);
    FILE *file = fopen(part, "w");
    if (!file)
        return cli_refuse(job->cli, "%.200s cannot be written: %s", path, strerror(errno));
    bool ok = write(job, file, &error);
    if (fclose(file) != 0 && ok)
        ok = mp_fail(&error, "it could not be written");
    if (ok && !direct && rename(part, path) != 0)
        ok = mp_fail(&error, "it could not be written: %s", strerror(errno));
    if (!ok && !direct)
        remove(part);
    return ok || cli_refuse(job->cli, "%.200s: %s", path, error.text);
}

/* ---- Text ---------------------------------------------------------------------------------------------- */

static void print_side(const struct analysis *a, const struct analysed_game *g, int side)
{
    struct analysis_side s = analysis_of_side(a, g, side);
    double mean = s.decisions ? s.loss / s.decisions : 0;
    const char *role = a->game->players[side], *name = report_player(g, side);
    printf("  %-7s %s%s", role, strcmp(role, name) ? shown(name) : "", strcmp(role, name) ? ": " : "");
    if (a->game->chances)
        printf("error rate %.1f, luck %+.3f,", 1000 * mean, s.luck);
    else if (a->game->scoring == MP_SCORE_MARGIN)
        printf("accuracy %.1f%%, loses %.*f %s, %.*f per move,", s.accuracy, a->scale.decimals, s.loss,
               a->scale.unit, a->scale.decimals, mean);
    else
        printf("accuracy %.1f%%, loses %.*f %s per move,", s.accuracy, a->scale.decimals, mean,
               a->scale.unit);
    printf(" %d ?!  %d ?  %d ??\n", s.marks[MARK_DUBIOUS], s.marks[MARK_MISTAKE], s.marks[MARK_BLUNDER]);
}

static void print_error(const struct analysis *a, const struct analysed_game *g, int i,
                        struct mp_error *error)
{
    const struct analysed_ply *ply = &g->plies[i];
    struct mp_position *position = analysis_position(g, i, error);
    char move[160], loss[32], before[32], after[32], line[CLI_TEXT];
    if (!position)
        return;
    analysis_move_text(position, ply->move, move, sizeof move - 4);
    text_append(move, sizeof move, "%s", analysis_signs[ply->mark]);
    analysis_value_text(a, ply, ply->best_value, before, sizeof before);
    analysis_value_text(a, ply, ply->value, after, sizeof after);
    analysis_line_text(position, ply, line, sizeof line, error);
    analysis_loss_text(a, ply, loss, sizeof loss);
    printf("  %3d%-3s %-12s loses %s (%s to %s%s), best %s\n", ply->number, ply->side ? "..." : ".",
           shown(move), loss, before, after, analysis_is_final(a, ply) ? ", exact" : "", shown(line));
    mp_position_free(position);
}

static bool print_games(const struct analysis_job *job)
{
    const struct analysis *a = &job->analysis;
    struct mp_error error = {0};
    for (int i = 0; i < a->game_count; i++) {
        const struct analysed_game *g = &a->games[i];
        printf("%s%s, game %d: %s - %s %s\n", i ? "\n" : "", shown(job->path), i + 1,
               shown(report_player(g, 0)), shown(report_player(g, 1)), g->record->result);
        for (int side = 0; side < 2; side++)
            print_side(a, g, side);
        for (int ply = 0; ply < g->count; ply++)
            if (g->plies[ply].mark == MARK_MISTAKE || g->plies[ply].mark == MARK_BLUNDER)
                print_error(a, g, ply, &error);
    }
    return !*error.text || cli_refuse(job->cli, "%s", error.text);
}

/* ---- JSON ---------------------------------------------------------------------------------------------- */

static json_t *ply_json(const struct analysis *a, const struct mp_position *position,
                        const struct analysed_ply *ply)
{
    json_t *json = json_object();
    char text[CLI_TEXT];
    analysis_move_text(position, ply->move, text, sizeof text);
    json_put_text(json, "player", a->game->players[ply->side]);
    json_put_number(json, "number", ply->number);
    json_put_text(json, "move", text);
    if (ply->kind == PLY_CHANCE) {
        json_put_real(json, "luck", ply->luck);
        return json;
    }
    if (ply->kind != PLY_DECISION)
        return json;
    double sign = ply->side == 0 ? 1 : -1;
    analysis_move_text(position, ply->best, text, sizeof text);
    json_put_real(json, "value", sign * analysis_worth(a, ply, ply->value));
    json_put_text(json, "best", text);
    json_put_real(json, "best_value", sign * analysis_worth(a, ply, ply->best_value));
    json_put_real(json, "loss", ply->loss);
    json_put_text(json, "mark", analysis_signs[ply->mark]);
    json_put_number(json, "depth", ply->depth);
    json_put_flag(json, "exact", ply->exact);
    json_put(json, "line", json_line(a->game, position, ply->line, ply->line_length));
    return json;
}

static json_t *side_json(const struct analysis *a, const struct analysed_game *g, int side)
{
    struct analysis_side s = analysis_of_side(a, g, side);
    json_t *json = json_pack("{s:s, s:s, s:i, s:f, s:i, s:i, s:i, s:i}", "player", a->game->players[side],
                             "name", report_player(g, side), "decisions", s.decisions, "loss", s.loss,
                             "dubious", s.marks[MARK_DUBIOUS], "mistakes", s.marks[MARK_MISTAKE], "blunders",
                             s.marks[MARK_BLUNDER], "only_moves", s.marks[MARK_ONLY]);
    if (a->game->chances) {
        json_put_real(json, "error_rate", s.decisions ? 1000 * s.loss / s.decisions : 0);
        json_put_real(json, "luck", s.luck);
    } else {
        json_put_real(json, "accuracy", s.accuracy);
    }
    return json;
}

static json_t *game_json(const struct analysis *a, const struct analysed_game *g)
{
    json_t *json = json_object(), *tags = json_object(), *moves = json_array();
    for (int i = 0; i < g->record->tag_count; i++)
        json_put_text(tags, g->record->tags[i].name, g->record->tags[i].value);
    json_put(json, "tags", tags);
    json_put_text(json, "result", g->record->result);
    json_put(json, "players", json_pack("[o, o]", side_json(a, g, 0), side_json(a, g, 1)));
    struct mp_position *position = mp_position_new(a->game, g->record->start, NULL);
    bool ok = position;
    for (int i = 0; ok && i < g->count; i++) {
        json_array_append_new(moves, ply_json(a, position, &g->plies[i]));
        ok = mp_position_play(position, g->plies[i].move, NULL);
    }
    if (!ok)
        json_lose();
    mp_position_free(position);
    json_put(json, "moves", moves);
    return json;
}

static json_t *job_json(const struct analysis_job *job)
{
    const struct analysis *a = &job->analysis;
    json_t *json = json_object(), *games = json_array();
    json_put_text(json, "file", job->path);
    json_put_text(json, "game", job->game_text);
    json_put_text(json, "strategy", mp_strategy_text(a->strategy));
    json_put_text(json, "unit", a->scale.unit);
    json_put(json, "thresholds", json_reals(a->scale.thresholds, 3));
    for (int i = 0; i < a->game_count; i++)
        json_array_append_new(games, game_json(a, &a->games[i]));
    json_put(json, "games", games);
    return json;
}

/* ---- The command --------------------------------------------------------------------------------------- */

static int analyse(struct analysis_job *job, json_t *files)
{
    if (!find_format(job) || !open_game(job) || !choose_strategy(job) || !name_outputs(job) ||
        !read_file(job) || !take_games(job))
        return EXIT_USAGE;
    int code = think(job);
    if (code != 0)
        return code;
    if ((*job->output && !write_file(job, job->output, write_annotated)) ||
        (*job->report && !write_file(job, job->report, write_report)))
        return EXIT_USAGE;
    if (job->cli->json) {
        json_array_append_new(files, job_json(job));
        return 0;
    }
    if (!print_games(job))
        return EXIT_USAGE;
    if (*job->output || *job->report)
        printf("\nwritten: %s%s%s\n", shown(job->output), *job->output && *job->report ? ", " : "",
               shown(job->report));
    return 0;
}

static void free_job(struct analysis_job *job)
{
    analysis_free(&job->analysis);
    for (int i = 0; i < job->record_count; i++)
        record_free(job->records[i]);
    free(job->records);
    mp_strategy_free(job->strategy);
    mp_game_close(job->game);
    free(job);
}

static int run(const struct cli *cli)
{
    json_t *files = json_array();
    int code = 0;
    if (cli->arguments[1] && (cli_option(cli, "output") || cli_option(cli, "report"))) {
        json_decref(files);
        return cli_fail(cli, "--output and --report name one file, expected one FILE to analyse");
    }
    for (int i = 0; code == 0 && i < CLI_MAX_ARGUMENTS && cli->arguments[i]; i++) {
        struct analysis_job *job = calloc(1, sizeof *job);
        if (!job) {
            code = cli_fail(cli, "out of memory");
            break;
        }
        job->cli = cli;
        job->path = cli->arguments[i];
        if (i > 0 && !cli->json)
            printf("\n");
        code = analyse(job, files);
        free_job(job);
    }
    if (code == 0 && cli->json)
        return print_json(json_pack("{s:o}", "files", files));
    json_decref(files);
    return code;
}

static const struct cli_argument arguments[] = {
    {"FILE...", "games: .pgn, .mat, or moves, one game per line (.txt); - for standard input", false}, {0}};
static const struct cli_option options[] = {
    {"game", "GAME", "the game, or a plug-in; the default is what the file says, chess in a .pgn"},
    {"from", "FORMAT", "the format of FILE: pgn, moves or mat; the default follows from its name"},
    {"time", "T",
     "time to find the best move, such as 500ms; to compare takes at most as long again; default 1s"},
    {"depth", "N", "plies to search instead; what is found is then the same every time"},
    {"strategy", "S", "how to search, see `manyply strategies`; default: the game's"},
    {"concurrency", "N", "positions at a time; the default is all CPUs, or 1 for a strategy with split="},
    {"marks", "A,B,C", "losses that are dubious, a mistake and a blunder; the default depends on the game"},
    {"output", "FILE", "where the annotated games go (.pgn, .mat); the default is NAME-analysed beside FILE"},
    {"report", "FILE", "where the HTML page goes; the default is NAME-analysed.html beside FILE"},
    {"fresh", NULL, "forget what was analysed before"},
    {0}};

const struct cli_command command_analyse = {
    .name = "analyse",
    .summary = "judge the moves of games in a file, and write an annotated file and a report",
    .details =
        "  manyply analyse games.pgn --time 500ms\n"
        "  manyply analyse match.mat\n"
        "  manyply analyse transcripts.txt --game othello --depth 12\n"
        "  manyply analyse games.pgn --json --depth 8\n\n"
        "Each move gets a value, what it loses against the best one, and a mark: ?! dubious, ? mistake,\n"
        "?? blunder, a square for an only move (every other one is a blunder). Losses are in pawns (0.5, 1, "
        "2), "
        "discs\n"
        "(2, 4, 8) or points (0.04, 0.08, 0.16); docs/analyse.md explains them. Ctrl-C ends it; what has "
        "been\n"
        "analysed is kept, and the same command goes on from there. With --json nothing is written unless\n"
        "--output or --report asks for it.\n",
    .arguments = arguments,
    .options = options,
    .run = run};

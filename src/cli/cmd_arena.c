/* cmd_arena.c - plays matches, gauntlets and round robins, and keeps the games. */
#define _GNU_SOURCE /* program_invocation_name */
#include "cli/commands.h"
#include "cli/standings.h"
#include "cli/user_folder.h"

#include "base/clock.h"
#include "base/text.h"
#include "lab/arena.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Reading the options ---------------------------------------------------------------------------- */

/* Whole numbers with commas between them. */
static bool read_numbers(const char *text, int count, int *numbers)
{
    char copy[64];
    snprintf(copy, sizeof copy, "%s", text);
    char *rest = copy;
    for (int i = 0; i < count; i++) {
        int64_t number;
        char *word = strsep(&rest, ",");
        if (!word || !text_to_int(word, 0, MP_EVAL_MAX, &number))
            return false;
        numbers[i] = (int)number;
    }
    return !rest;
}

static bool read_rules(const struct cli *cli, struct match_rules *rules)
{
    const char *resign = cli_option(cli, "resign"), *draw = cli_option(cli, "draw");
    int numbers[3];
    enum { DEFAULT_PLIES = 2000 };
    if (!cli_int(cli, "plies", 1, 1000000, DEFAULT_PLIES, &rules->most_plies) ||
        !cli_duration(cli, "margin", 0.2, &rules->margin))
        return false;
    if (resign) {
        if (!read_numbers(resign, 2, numbers) || numbers[1] == 0)
            return cli_refuse(cli, "--resign %.60s, expected VALUE,MOVES such as 600,4", resign);
        rules->resign = numbers[0];
        rules->resign_moves = numbers[1];
    }
    if (draw) {
        if (!read_numbers(draw, 3, numbers) || numbers[1] == 0)
            return cli_refuse(cli, "--draw %.60s, expected VALUE,MOVES,PLY such as 10,8,80", draw);
        rules->draw = numbers[0];
        rules->draw_moves = numbers[1];
        rules->draw_after = numbers[2];
    }
    return true;
}

static bool read_real(const char *text, double least, double most, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return *text && !*end && *number >= least && *number <= most;
}

/* "0,5,alpha=0.05,beta=0.05,model=logistic" */
static bool read_sprt(const struct cli *cli, struct sprt *sprt)
{
    const char *text = cli_option(cli, "sprt");
    char copy[128];
    *sprt = (struct sprt){.alpha = 0.05, .beta = 0.05, .normalised = true};
    if (!text)
        return true;
    snprintf(copy, sizeof copy, "%s", text);
    char *rest = copy, *elo0 = strsep(&rest, ","), *elo1 = strsep(&rest, ",");
    bool ok = elo1 && read_real(elo0, -1000, 1000, &sprt->elo0) &&
              read_real(elo1, -1000, 1000, &sprt->elo1) && sprt->elo0 < sprt->elo1;
    while (ok && rest) {
        char *value = strsep(&rest, ","), *key = strsep(&value, "=");
        if (value && !strcmp(key, "alpha"))
            ok = read_real(value, 1e-6, 0.499, &sprt->alpha);
        else if (value && !strcmp(key, "beta"))
            ok = read_real(value, 1e-6, 0.499, &sprt->beta);
        else if (value && !strcmp(key, "model") &&
                 (!strcmp(value, "logistic") || !strcmp(value, "normalised")))
            sprt->normalised = !strcmp(value, "normalised");
        else
            ok = false;
    }
    return ok ||
           cli_refuse(
               cli,
               "--sprt %.60s, expected ELO0,ELO1 with ELO0 < ELO1, and if wanted ,alpha=0.05,beta=0.05 and "
               ",model=normalised or logistic",
               text);
}

/* "2/5": the second of five. */
static bool read_shard(const struct cli *cli, struct arena *arena)
{
    const char *text = cli_option(cli, "shard"), *slash = text ? strchr(text, '/') : NULL;
    char first[32];
    int64_t shard, shards;
    arena->shard = 0;
    arena->shards = 1;
    if (!text)
        return true;
    snprintf(first, sizeof first, "%.*s", slash ? (int)(slash - text) : 0, text);
    if (!slash || !text_to_int(slash + 1, 1, 1000000, &shards) || !text_to_int(first, 1, shards, &shard))
        return cli_refuse(cli, "--shard %.60s, expected I/N with I from 1 to N, such as 2/5", text);
    arena->shard = (int)shard - 1;
    arena->shards = (int)shards;
    return true;
}

static bool read_players(const struct cli *cli, struct arena *arena)
{
    const char *texts[CLI_MAX_GIVEN], *tc = cli_option(cli, "tc");
    int count = cli_options(cli, "player", texts);
    struct time_control control = {0};
    struct mp_error error;
    double patience;
    if (!cli_duration(cli, "patience", 30, &patience))
        return false;
    if (tc && !time_control_parse(tc, &control, &error))
        return cli_refuse(cli, "--tc: %s", error.text);
    if (count < 2 || count > ARENA_MOST_PLAYERS)
        return cli_refuse(cli, "%d player%s, expected 2 to %d, one --player each", count,
                          count == 1 ? "" : "s", ARENA_MOST_PLAYERS);
    for (int i = 0; i < count; i++) {
        if (!player_setup_read(arena->game, texts[i], &control, patience, &arena->players[i], &error))
            return cli_refuse(cli, "--player %d: %s", i + 1, error.text);
        arena->player_count++;
        for (int j = 0; j < i; j++)
            if (!strcmp(arena->players[i].name, arena->players[j].name))
                return cli_refuse(cli,
                                  "two players are named '%.100s', expected another name= for one of them",
                                  arena->players[i].name);
    }
    return true;
}

/* A game at a time for each CPU: while one player thinks its opponent waits. */
static bool read_concurrency(const struct cli *cli, struct arena *arena)
{
    int threads = 1, cpus = mp_cpu_count();
    for (int i = 0; i < arena->player_count; i++)
        threads = arena->players[i].threads > threads ? arena->players[i].threads : threads;
    int fair = cpus / threads > 1 ? cpus / threads : 1;
    if (!cli_int(cli, "concurrency", 1, 1024, fair, &arena->concurrency))
        return false;
    if (arena->concurrency > fair)
        fprintf(stderr,
                "manyply arena: %d games at a time with up to %d threads each on %d CPUs: players "
                "will compete for CPU time\n",
                arena->concurrency, threads, cpus);
    return true;
}

static bool read_openings(const struct cli *cli, struct arena *arena)
{
    struct mp_error error;
    int most;
    if (!cli_int(cli, "random-plies", 0, 1000, 0, &arena->random_plies) ||
        !cli_int(cli, "opening-plies", 0, 10000, 10000, &most) || !cli_seed(cli, 1, &arena->seed))
        return false;
    arena->openings_file = cli_option(cli, "openings");
    if (!arena->openings_file)
        return true;
    if (!openings_read(arena->game, arena->openings_file, most, &arena->openings, &error))
        return cli_refuse(cli, "%s", error.text);
    openings_shuffle(&arena->openings, arena->seed);
    return true;
}

static bool read_arena(const struct cli *cli, struct arena *arena)
{
    if (!cli_number(cli, "games", 2, 10000000, 100, &arena->games))
        return false;
    if (arena->games % 2)
        return cli_refuse(cli, "--games %lld, expected an even number: each opening is played by both sides",
                          (long long)arena->games);
    arena->gauntlet = cli_option(cli, "gauntlet");
    if (!read_rules(cli, &arena->rules) || !read_shard(cli, arena) || !read_sprt(cli, &arena->sprt) ||
        !read_players(cli, arena) || !read_concurrency(cli, arena) || !read_openings(cli, arena))
        return false;
    if (arena->sprt.elo0 != arena->sprt.elo1 && (arena->player_count != 2 || arena->shards > 1))
        return cli_refuse(
            cli, "--sprt is for a match of two players on one machine, expected no third player and no "
                 "--shard");
    return true;
}

/* ---- While it plays --------------------------------------------------------------------------------- */

static struct arena *volatile interrupted;

static void on_interrupt(int number)
{
    atomic_store(&interrupted->stop, true);
    signal(number, SIG_DFL);
}

struct progress_line {
    int64_t start_ns, shown_ns, done, first_done;
    bool watched;
};

static void show_game(const struct arena *arena, const struct tallies *tallies, int64_t number,
                      const struct match_game *match, void *context)
{
    struct progress_line *line = context;
    (void)number, (void)match;
    line->done++;
    int64_t now = clock_ns(), total = arena_total(arena);
    if (!line->watched || now - line->shown_ns < 200000000)
        return;
    line->shown_ns = now;
    double seconds = clock_seconds_since(line->start_ns);
    double left = seconds / (double)(line->done - line->first_done) * (double)(total - line->done);
    struct pairing_tally tally = tallies_of(tallies, 0, -1);
    fprintf(stderr, "\r%lld of %lld games, about %.0f s left; %.30s +%llu =%llu -%llu\033[K",
            (long long)line->done, (long long)total, left, shown(arena->players[0].name),
            (unsigned long long)tally.games[2], (unsigned long long)tally.games[1],
            (unsigned long long)tally.games[0]);
    double ratio;
    arena_verdict(arena, tallies, &ratio);
    if (arena->sprt.elo0 != arena->sprt.elo1)
        fprintf(stderr, ", ratio %.2f", ratio);
}

static bool count_game(const struct results_game *game, void *context)
{
    (void)game;
    ++*(int64_t *)context;
    return true;
}

/* ---- After it --------------------------------------------------------------------------------------- */

static int report(const struct cli *cli, const struct arena *arena, struct results *results,
                  const struct tallies *tallies, int64_t played, double seconds)
{
    struct mp_error error;
    int count;
    struct results_player *players = results_players(results, &count, &error);
    if (count < 0)
        return cli_fail(cli, "%s", error.text);
    bool tested = arena->sprt.elo0 != arena->sprt.elo1;
    struct standings standings = {players, count, tallies, arena->game->scoring, tested ? &arena->sprt : NULL,
                                  {0}};
    int64_t done = 0;
    if (!results_waited(results, standings.waited, &error)) {
        results_free_players(players, count);
        return cli_fail(cli, "%s", error.text);
    }
    int code = 0;
    if (!results_each_game(results, &results_all, count_game, &done, &error)) {
        code = cli_fail(cli, "%s", error.text);
    } else if (cli->json) {
        json_t *object = json_pack("{s:s, s:I, s:I, s:I, s:f}", "game", arena->game->name, "games",
                                   (json_int_t)done, "scheduled",
                                   (json_int_t)(arena->games * arena_pairings(arena)), "played",
                                   (json_int_t)played, "seconds", seconds);
        code = print_json(standings_add(object, &standings));
    } else if (!standings_print(&standings)) {
        code = cli_fail(cli, "out of memory");
    } else {
        printf("\n%lld of %lld games", (long long)done, (long long)(arena->games * arena_pairings(arena)));
        if (played < done)
            printf(", %lld of them now", (long long)played);
        printf(", in %.1f s\n", seconds);
    }
    results_free_players(players, count);
    return code;
}

/* How to go on with what is missing: this command line, with --resume. */
static void tell_how_to_resume(const struct cli *cli, const char *why)
{
    static char text[1 << 16];
    const char *program = program_invocation_name;
    cli_command_line(cli, text, sizeof text);
    if (!cli_option(cli, "db"))
        fprintf(stderr, "manyply arena: %s; its games were not kept, expected --db FILE to go on with it\n",
                shown(why));
    else
        fprintf(stderr, "manyply arena: %s; to go on: %s%s%s\n", shown(why), program,
                text + strlen("manyply"), cli_option(cli, "resume") ? "" : " --resume");
}

/* Strategies that do not depend on the clock would play the same two games again and again. */
static void warn_of_repetition(const struct arena *arena)
{
    if (!arena->openings.count && !arena->random_plies && !arena->game->chances && arena->games > 2)
        fprintf(stderr, "manyply arena: every pair of games begins in the same position; --openings or "
                        "--random-plies makes them different\n");
}

static int play(const struct cli *cli, struct arena *arena, struct results *results)
{
    struct mp_error error;
    struct tallies tallies;
    int64_t played = 0;
    if (!arena_prepare(arena, results, &error) ||
        !results_tally(results, arena->player_count, &tallies, &error))
        return cli_fail(cli, "%s", error.text);
    warn_of_repetition(arena);
    struct progress_line line = {.start_ns = clock_ns(), .watched = isatty(STDERR_FILENO)};
    if (!results_each_game(results, &results_all, count_game, &line.done, &error)) {
        tallies_free(&tallies);
        return cli_fail(cli, "%s", error.text);
    }
    line.first_done = line.done;
    arena->on_game = show_game;
    arena->context = &line;
    interrupted = arena;
    signal(SIGINT, on_interrupt);
    bool ok = arena_run(arena, results, &tallies, &played, &error);
    signal(SIGINT, SIG_DFL);
    if (line.shown_ns)
        fprintf(stderr, "\r\033[K");
    int code = report(cli, arena, results, &tallies, played, clock_seconds_since(line.start_ns));
    if (!ok) {
        tell_how_to_resume(cli, error.text);
        code = EXIT_USAGE;
    } else if (atomic_load(&arena->stop)) {
        tell_how_to_resume(cli, "interrupted");
    }
    tallies_free(&tallies);
    return code;
}

static int run_in(const struct cli *cli, struct arena *arena)
{
    struct mp_error error;
    if (!read_arena(cli, arena))
        return EXIT_USAGE;
    char last[4096];
    const char *file = cli_option(cli, "db");
    bool resume = cli_option(cli, "resume"), keeps = !file && user_last_arena(last, sizeof last);
    if (resume && !file && (!keeps || access(last, R_OK) != 0))
        return cli_fail(
            cli, "--resume without --db, and no arena without one was kept, expected the file with the "
                 "games so far");
    file = resume && !file ? last : file;
    struct results *results = results_open(file ? file : ":memory:", RESULTS_WRITE, &error);
    if (!results)
        return cli_fail(cli, "%s", error.text);
    int code = EXIT_USAGE;
    if (!resume && !results_are_new(results))
        cli_fail(cli, "%.200s already holds an arena, expected --resume to go on with it, or a new file",
                 file);
    else
        code = play(cli, arena, results);
    if (code == 0 && keeps && !resume)
        results_save(results, last, NULL); /* nobody has asked for it, so that it fails is no error */
    results_close(results);
    return code;
}

static int run(const struct cli *cli)
{
    struct arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        return cli_fail(cli, "out of memory");
    arena->game = cli->game;
    arena->game_text = cli->arguments[0];
    int code = run_in(cli, arena);
    openings_free(&arena->openings);
    for (int i = 0; i < arena->player_count; i++)
        player_setup_free(&arena->players[i]);
    free(arena);
    return code;
}

static const struct cli_argument arguments[] = {CLI_GAME, {0}};
static const struct cli_option options[] = {
    {"player", "P...",
     "who plays: a strategy, or uci:, gtp: or nboard:PROGRAM with its arguments; two or more"},
    {"games", "N", "games per pairing, an even number; the default is 100"},
    {"tc", "T",
     "time control: 2+0.02 (seconds for the game and for each move), 10ms (each move), nodes=N, depth=N"},
    {"openings", "FILE",
     "where games begin: positions (.epd, .fen), games (.pgn), or moves, one game per line"},
    {"opening-plies", "N", "use at most this many plies of each game in that file"},
    {"random-plies", "N", "random moves at the beginning (after the opening, if there is one)"},
    {"seed", "N", "seed of dice, random plies and the order of openings; the default is 1"},
    {"gauntlet", NULL, "the first player against every other, instead of all against all"},
    {"sprt", "E0,E1", "stop when E1 Elo are accepted or rejected against E0; see below"},
    {"concurrency", "N", "games at a time; the default is one for each CPU that a player needs"},
    {"db", "FILE", "keep the games in this file; by default they are kept until the next arena ends"},
    {"resume", NULL, "go on with the arena in the file, or with the last one"},
    {"shard", "I/N", "play only the I-th of N parts of the schedule; `manyply results merge` joins them"},
    {"plies", "N", "a game with more plies is a draw; the default is 2000"},
    {"resign", "V,M", "a game is lost when both players agree on a lead of V for M moves each"},
    {"draw", "V,M,P",
     "a game is drawn when both players agree on at most +-V for M moves each, from ply P on"},
    {"margin", "T", "by how much a clock may be overstepped; the default is 200ms"},
    {"patience", "T", "a limit for what has no other, such as an answer to `uci`; the default is 30s"},
    {0}};

const struct cli_command command_arena = {
    .name = "arena",
    .summary = "play matches, gauntlets and round robins between any players",
    .details =
        "Games come in pairs with the same opening and dice and the players exchanged.\n"
        "A player is a strategy or a program, followed by name=, tc= and, for programs, "
        "option.NAME=VALUE:\n\n"
        "  manyply arena othello --player pvs,depth=6 --player alphabeta,depth=4 --random-plies 8\n"
        "  manyply arena chess --tc 2+0.02 --openings book.epd --games 200 --db match.db \\\n"
        "      --player 'pvs,hash=64 name=us' --player 'uci:/usr/games/toga2 option.OwnBook=false'\n"
        "  manyply arena chess ... --player 'uci:/usr/games/gnuchess -u tc=5+0.1'\n\n"
        "A sequential test ends a match of two players as soon as it can: --sprt 0,5 accepts 5 normalised "
        "Elo\n"
        "or 0, and errs in 5% of the cases; --sprt 0,10,alpha=0.01,beta=0.1,model=logistic spells it all "
        "out.\n",
    .arguments = arguments,
    .options = options,
    .needs = CLI_NEEDS_GAME,
    .run = run};

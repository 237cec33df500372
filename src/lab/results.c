/* results.c - the SQLite tables of an arena: opening, checking, writing and reading them. */
#include "lab/results.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "lab/results_row.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct results {
    sqlite3 *database;
    char *file;
    int lock; /* a file handle that keeps other writers out; -1: none */
    bool is_new;
    bool has_waits;         /* it is of version 2 */
    bool is_ours;           /* it has been looked at, and may be changed */
    double limit, deadline; /* seconds of computing that a question may take; when the present one is over */
};

static const char schema[] =
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;CREATE TABLE players (number "
    "INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;CREATE TABLE games (number "
    "INTEGER PRIMARY KEY, first INTEGER NOT NULL, second INTEGER NOT NULL, start TEXT NOT NULL, opening "
    "INTEGER NOT NULL, seed INTEGER NOT NULL, stream INTEGER NOT NULL, result TEXT NOT NULL CHECK (result IN "
    "('1-0', '1/2-1/2', '0-1')), margin INTEGER NOT NULL, ending TEXT NOT NULL, reason TEXT NOT NULL, plies "
    "INTEGER NOT NULL, first_seconds REAL NOT NULL, second_seconds REAL NOT NULL, started REAL NOT NULL, "
    "first_waited REAL NOT NULL DEFAULT 0, second_waited REAL NOT NULL DEFAULT 0) STRICT;CREATE TABLE moves "
    "(game INTEGER NOT NULL REFERENCES games (number), ply INTEGER NOT NULL, side "
    "INTEGER NOT NULL, chosen INTEGER NOT NULL, text TEXT NOT NULL, alternatives INTEGER NOT NULL, seconds "
    "REAL, value INTEGER, depth INTEGER, mean_depth REAL, max_depth INTEGER, nodes INTEGER, alpha_cuts "
    "INTEGER, beta_cuts INTEGER, PRIMARY KEY (game, ply)) STRICT, WITHOUT ROWID;PRAGMA user_version = 2;"
    "PRAGMA application_id = 1297116281";

#define GAME_COLUMNS                                                                                         \
    "number, first, second, start, opening, seed, stream, result, margin, ending, reason, plies, "           \
    "first_seconds, second_seconds, started"
#define WAIT_COLUMNS "first_waited, second_waited"
#define NO_WAIT_COLUMNS "0.0, 0.0" /* of a file of version 1 */
#define MOVE_COLUMNS                                                                                         \
    "game, ply, side, chosen, text, alternatives, seconds, value, depth, mean_depth, max_depth, nodes, "     \
    "alpha_cuts, beta_cuts"

/* "MPly" as a number: says whose file it is. The first files of version 1 have 0. Version 2 has the columns of waits; one
 * of version 1 is read as if they were 0, and gets them when it is written to. */
enum { SCHEMA_VERSION = 2, FIRST_VERSION = 1, APPLICATION = 0x4D506C79 };

/* What a file may say. An arena has at most 10 million games for each of 2,016 pairings. */
static const int64_t most_games = INT64_C(10000000) * (RESULTS_MOST_PLAYERS * (RESULTS_MOST_PLAYERS - 1) / 2);
static const double most_seconds = 1e11;
enum { MOST_MARGIN = 1000000, MOST_TEXT = 1 << 20 };

const char *const results_scorings[3] = {"win", "margin", "points"};

/* The database has failed: says how, in which file, and what is left of it. */
static bool fail(const struct results *r, struct mp_error *error)
{
    const char *says = sqlite3_errmsg(r->database);
    switch (sqlite3_errcode(r->database)) {
    case SQLITE_INTERRUPT:
        return mp_fail(error,
                       "%.200s was given up: one question took %.0f s of computing, expected a file that an "
                       "arena has written",
                       r->file, r->limit);
    case SQLITE_NOTADB:
        return mp_fail(
            error, "%.200s: %.100s, or its beginning is damaged; expected a file that an arena has written",
            r->file, says);
    case SQLITE_CORRUPT:
        return mp_fail(error, "%.160s is damaged: %.100s; `sqlite3 %.160s .recover` may still find games",
                       r->file, says, r->file);
    default:
        return mp_fail(error, "%.200s: the database says: %.250s", r->file, says);
    }
}

/* A damaged or hostile file can make any question endless. */
static int is_too_late(void *context)
{
    const struct results *r = context;
    return clock_cpu_seconds() > r->deadline;
}

static void start_clock(struct results *r)
{
    r->deadline = clock_cpu_seconds() + r->limit;
}

static bool execute(struct results *r, const char *sql, struct mp_error *error)
{
    start_clock(r);
    return sqlite3_exec(r->database, sql, NULL, NULL, NULL) == SQLITE_OK || fail(r, error);
}

/* A statement; null: the error says why. */
static sqlite3_stmt *prepare(struct results *r, const char *sql, struct mp_error *error)
{
    sqlite3_stmt *statement = NULL;
    start_clock(r);
    if (sqlite3_prepare_v2(r->database, sql, -1, &statement, NULL) != SQLITE_OK)
        fail(r, error);
    return statement;
}

static int step(struct results *r, sqlite3_stmt *statement)
{
    start_clock(r);
    return sqlite3_step(statement);
}

/* Runs a statement that gives no rows, and frees it. */
static bool finish(struct results *r, sqlite3_stmt *statement, struct mp_error *error)
{
    bool ok = statement && step(r, statement) == SQLITE_DONE;
    if (statement && !ok)
        fail(r, error);
    sqlite3_finalize(statement);
    return ok;
}

/* The first column of the only row of a query. */
static bool ask_number(struct results *r, const char *sql, int64_t *number, struct mp_error *error)
{
    sqlite3_stmt *s = prepare(r, sql, error);
    bool ok = s && (step(r, s) == SQLITE_ROW || fail(r, error));
    *number = ok ? sqlite3_column_int64(s, 0) : 0;
    sqlite3_finalize(s);
    return ok;
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

/* ---- Opening ---------------------------------------------------------------------------------------- */

/* One writer at a time. SQLite's own locks are of another kind and let writers take turns, which would play
 * games twice. */
static bool lock_file(struct results *r, const char *file, struct mp_error *error)
{
    r->lock = open(file, O_RDWR | O_CLOEXEC | O_CREAT, 0666);
    if (r->lock < 0)
        return mp_fail(error, "cannot open %.200s: %s", file, strerror(errno));
    if (flock(r->lock, LOCK_EX | LOCK_NB) != 0)
        return mp_fail(error, "another program is writing to %.200s", file);
    return true;
}

/* Whose file it is. One of another program is neither read nor adopted, and one of nobody only if it is empty. */
static bool check_schema(struct results *r, enum results_mode mode, struct mp_error *error)
{
    int64_t application, version, all, ours;
    if (!ask_number(r, "PRAGMA application_id", &application, error) ||
        !ask_number(r, "PRAGMA user_version", &version, error) ||
        !ask_number(r, "SELECT count(*) FROM sqlite_schema", &all, error) ||
        !ask_number(
            r,
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name "
            "IN ('settings', 'players', 'games', 'moves')",
            &ours, error))
        return false;
    if (application != 0 && application != APPLICATION)
        return mp_fail(error,
                       "%.200s holds no results: it is a database of another program (application_id %lld)",
                       r->file, (long long)application);
    r->is_new = mode == RESULTS_WRITE && version == 0 && all == 0;
    if (r->is_new)
        return true;
    if (version < FIRST_VERSION || version > SCHEMA_VERSION)
        return mp_fail(
            error,
            "%.200s holds no results, or those of another version of this program: its user_version is "
            "%lld, expected %d or %d",
            r->file, (long long)version, FIRST_VERSION, SCHEMA_VERSION);
    r->has_waits = version == SCHEMA_VERSION;
    return ours == 4 ||
           mp_fail(error, "%.200s holds no results: expected the tables settings, players, games and moves",
                   r->file);
}

/* Nothing that the file says about itself may run, write or go on for ever. */
static bool distrust(struct results *r, struct mp_error *error)
{
    struct stat about;
    enum { BYTES_PER_SECOND = 1 << 20 }; /* slower than any disk */
    r->limit = 5 + (stat(r->file, &about) == 0 ? (double)about.st_size / BYTES_PER_SECOND : 0);
    sqlite3_progress_handler(r->database, 1000, is_too_late, r);
    sqlite3_limit(r->database, SQLITE_LIMIT_LENGTH, MOST_TEXT);
    sqlite3_db_config(r->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(r->database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(r->database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    return execute(r, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON", error);
}

/* Version 2 of version 1. */
static bool add_waits(struct results *r, struct mp_error *error)
{
    r->has_waits = execute(
        r,
        "BEGIN IMMEDIATE;ALTER TABLE games ADD COLUMN first_waited REAL NOT NULL DEFAULT 0;"
        "ALTER TABLE games ADD COLUMN second_waited REAL NOT NULL DEFAULT 0;"
        "PRAGMA user_version = 2;COMMIT",
        error);
    if (!r->has_waits)
        execute(r, "ROLLBACK", NULL);
    return r->has_waits;
}

struct results *results_open(const char *file, enum results_mode mode, struct mp_error *error)
{
    struct results *r = calloc(1, sizeof *r);
    if (!r || !(r->file = strdup(file))) {
        free(r);
        mp_fail(error, "out of memory");
        return NULL;
    }
    r->lock = -1;
    int flags = mode == RESULTS_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    bool on_disk = strcmp(file, ":memory:") != 0;
    bool ok = mode == RESULTS_READ || !on_disk || lock_file(r, file, error);
    if (ok && sqlite3_open_v2(file, &r->database, flags, NULL) != SQLITE_OK)
        ok = mp_fail(error, "cannot open %.200s: %s", file,
                     r->database ? sqlite3_errmsg(r->database) : "out of memory");
    if (ok)
        sqlite3_busy_timeout(r->database, 10000);
    ok = ok && distrust(r, error) && check_schema(r, mode, error);
    r->is_ours = ok;
    /* A killed program loses no finished game: what is written is in the page cache at least. */
    if (mode == RESULTS_WRITE)
        ok = ok && execute(r, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", error) &&
             (r->is_new || r->has_waits || add_waits(r, error));
    if (ok)
        return r;
    results_close(r);
    return NULL;
}

void results_close(struct results *r)
{
    if (!r)
        return;
    /* Leaves one file, which can be read where nothing may be written; not while others are reading. */
    if (r->lock >= 0 && r->is_ours) {
        sqlite3_busy_timeout(r->database, 0);
        execute(r, "PRAGMA journal_mode = DELETE", NULL);
    }
    sqlite3_close(r->database);
    if (r->lock >= 0)
        close(r->lock);
    free(r->file);
    free(r);
}

bool results_save(struct results *r, const char *file, struct mp_error *error)
{
    char beside[4096];
    if (snprintf(beside, sizeof beside, "%s.%ld", file, (long)getpid()) >= (int)sizeof beside)
        return mp_fail(error, "the name of the results file is too long");
    unlink(beside);
    sqlite3_stmt *copy = prepare(r, "VACUUM INTO ?", error);
    bind_text(copy, 1, beside);
    bool ok = finish(r, copy, error) &&
              (rename(beside, file) == 0 ||
               mp_fail(error, "%.200s cannot be written: %s", file, strerror(errno)));
    if (!ok)
        unlink(beside);
    return ok;
}

/* ---- What is played --------------------------------------------------------------------------------- */

bool results_are_new(const struct results *r)
{
    return r->is_new;
}

bool results_set(struct results *r, const char *name, const char *value, struct mp_error *error)
{
    sqlite3_stmt *statement = prepare(r, "INSERT OR REPLACE INTO settings VALUES (?, ?)", error);
    bind_text(statement, 1, name);
    bind_text(statement, 2, value);
    return finish(r, statement, error);
}

static bool add_player(struct results *r, int number, const struct results_player *player,
                       struct mp_error *error)
{
    sqlite3_stmt *statement = prepare(r, "INSERT INTO players VALUES (?, ?, ?)", error);
    sqlite3_bind_int(statement, 1, number);
    bind_text(statement, 2, player->name);
    bind_text(statement, 3, player->text);
    return finish(r, statement, error);
}

/* Ends a transaction: keeps what was done, or nothing of it. */
static bool end_transaction(struct results *r, bool ok, struct mp_error *error)
{
    if (ok && execute(r, "COMMIT", error))
        return true;
    execute(r, "ROLLBACK", NULL);
    return false;
}

bool results_begin(struct results *r, const struct results_setting *settings, int setting_count,
                   const struct results_player *players, int player_count, struct mp_error *error)
{
    if (!execute(r, "BEGIN IMMEDIATE", error))
        return false;
    bool ok = r->has_waits = execute(r, schema, error);
    for (int i = 0; ok && i < setting_count; i++)
        ok = results_set(r, settings[i].name, settings[i].value, error);
    for (int i = 0; ok && i < player_count; i++)
        ok = add_player(r, i, &players[i], error);
    ok = end_transaction(r, ok, error);
    r->is_new = r->is_new && !ok;
    return ok;
}

static struct results_row row_of(const struct results *r, sqlite3_stmt *statement, const char *table,
                                 struct mp_error *error)
{
    return (struct results_row){
        .statement = statement, .file = r->file, .table = table, .error = error, .ok = true};
}

char *results_get(struct results *r, const char *name)
{
    sqlite3_stmt *statement = prepare(r, "SELECT value FROM settings WHERE name = ?", NULL);
    bind_text(statement, 1, name);
    char *value = NULL;
    if (statement && step(r, statement) == SQLITE_ROW) {
        struct results_row row = row_of(r, statement, "settings", NULL);
        const char *text = row_text(&row, 0);
        value = row.ok ? strdup(text) : NULL;
    }
    sqlite3_finalize(statement);
    return value;
}

static bool read_player(struct results_row *row, int number, struct results_player *player)
{
    row_int(row, 0, number, number);
    *player = (struct results_player){strdup(row_text(row, 1)), strdup(row_text(row, 2))};
    if (row->ok && (!player->name || !player->text))
        row->ok = mp_fail(row->error, "out of memory");
    return row->ok;
}

struct results_player *results_players(struct results *r, int *count, struct mp_error *error)
{
    sqlite3_stmt *statement = prepare(r, "SELECT number, name, text FROM players ORDER BY number", error);
    struct results_player *players = calloc(RESULTS_MOST_PLAYERS, sizeof *players);
    bool ok = statement && (players || mp_fail(error, "out of memory"));
    int code = SQLITE_ROW;
    *count = 0;
    while (ok && (code = step(r, statement)) == SQLITE_ROW) {
        struct results_row row = row_of(r, statement, "players", error);
        ok = *count < RESULTS_MOST_PLAYERS ? read_player(&row, *count, &players[*count])
                                           : row_refuse(&row, 0, "at most 64 players");
        *count += *count < RESULTS_MOST_PLAYERS;
    }
    ok = ok && (code == SQLITE_DONE || fail(r, error));
    ok = ok && (*count > 0 || mp_fail(error, "there are no players in %.200s", r->file));
    sqlite3_finalize(statement);
    if (ok)
        return players;
    results_free_players(players, *count);
    *count = -1;
    return NULL;
}

void results_free_players(struct results_player *players, int count)
{
    for (int i = 0; i < count; i++) {
        free(players[i].name);
        free(players[i].text);
    }
    free(players);
}

/* ---- Writing games ---------------------------------------------------------------------------------- */

static bool insert_game(struct results *r, int64_t number, const int players[2], int opening,
                        const struct match_game *match, double started, struct mp_error *error)
{
    sqlite3_stmt *s = prepare(r,
                              "INSERT INTO games (" GAME_COLUMNS ", " WAIT_COLUMNS
                              ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                              error);
    /* An engine's words are quoted there, and what is not UTF-8 could not be shown as JSON again. */
    char reason[4 * sizeof match->reason];
    text_escape(match->reason, reason, sizeof reason);
    sqlite3_bind_int64(s, 1, number);
    sqlite3_bind_int(s, 2, players[0]);
    sqlite3_bind_int(s, 3, players[1]);
    bind_text(s, 4, match->start);
    sqlite3_bind_int(s, 5, opening);
    sqlite3_bind_int64(s, 6, (sqlite3_int64)match->seed);
    sqlite3_bind_int64(s, 7, (sqlite3_int64)match->stream);
    bind_text(s, 8, match->margin > 0 ? "1-0" : match->margin < 0 ? "0-1" : "1/2-1/2");
    sqlite3_bind_int(s, 9, match->margin);
    bind_text(s, 10, match_end_name(match->end));
    bind_text(s, 11, reason);
    sqlite3_bind_int(s, 12, match->plies);
    sqlite3_bind_double(s, 13, match->seconds[0]);
    sqlite3_bind_double(s, 14, match->seconds[1]);
    sqlite3_bind_double(s, 15, started);
    sqlite3_bind_double(s, 16, match->waited[0]);
    sqlite3_bind_double(s, 17, match->waited[1]);
    return finish(r, s, error);
}

static void bind_move(sqlite3_stmt *s, int64_t game, int ply, const struct match_move *move)
{
    const struct thought *thought = &move->thought;
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    sqlite3_bind_int64(s, 1, game);
    sqlite3_bind_int(s, 2, ply);
    sqlite3_bind_int(s, 3, move->side);
    sqlite3_bind_int(s, 4, !move->by_chance);
    bind_text(s, 5, move->text);
    sqlite3_bind_int(s, 6, move->alternatives);
    if (move->by_chance)
        return;
    sqlite3_bind_double(s, 7, thought->seconds);
    if (thought->has_value)
        sqlite3_bind_int(s, 8, thought->value);
    sqlite3_bind_int(s, 9, thought->depth);
    sqlite3_bind_double(s, 10, thought->mean_depth);
    sqlite3_bind_int(s, 11, thought->max_depth);
    sqlite3_bind_int64(s, 12, (sqlite3_int64)thought->nodes);
    sqlite3_bind_int64(s, 13, (sqlite3_int64)thought->alpha_cuts);
    sqlite3_bind_int64(s, 14, (sqlite3_int64)thought->beta_cuts);
}

static bool insert_moves(struct results *r, int64_t number, const struct match_game *match,
                         struct mp_error *error)
{
    sqlite3_stmt *s = prepare(
        r, "INSERT INTO moves (" MOVE_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);
    bool ok = s != NULL;
    for (int i = 0; ok && i < match->count; i++) {
        bind_move(s, number, i, &match->moves[i]);
        ok = step(r, s) == SQLITE_DONE || fail(r, error);
    }
    sqlite3_finalize(s);
    return ok;
}

bool results_add_game(struct results *r, int64_t number, const int players[2], int opening,
                      const struct match_game *match, double started, struct mp_error *error)
{
    if (!execute(r, "BEGIN IMMEDIATE", error))
        return false;
    bool ok = insert_game(r, number, players, opening, match, started, error) &&
              insert_moves(r, number, match, error);
    return end_transaction(r, ok, error);
}

/* ---- Reading games ---------------------------------------------------------------------------------- */

const struct results_filter results_all = {-1, -1, -1, -1};

static const char *result_name(int margin)
{
    return margin > 0 ? "1-0" : margin < 0 ? "0-1" : "1/2-1/2";
}

/* Games come in the order of their numbers: one that comes again is the work of a damaged index. */
static struct results_game read_game(struct results_row *row, int64_t least, int players)
{
    sqlite3_stmt *s = row->statement;
    struct results_game game = {
        .number = row_number(row, 0, least, most_games - 1),
        .players = {row_int(row, 1, 0, players - 1), row_int(row, 2, 0, players - 1)},
        .start = row_text(row, 3),
        .opening = row_int(row, 4, 0, INT32_MAX),
        .seed = (uint64_t)row_number(row, 5, INT64_MIN, INT64_MAX),
        .stream = (uint64_t)row_number(row, 6, INT64_MIN, INT64_MAX),
        .margin = row_int(row, 8, -MOST_MARGIN, MOST_MARGIN),
        .ending = row_text(row, 9),
        .reason = row_text(row, 10),
        .plies = row_int(row, 11, 0, INT32_MAX),
        .seconds = {row_real(row, 12, 0, most_seconds), row_real(row, 13, 0, most_seconds)},
        .started = row_real(row, 14, 0, most_seconds),
        .waited = {row_real(row, 15, 0, most_seconds), row_real(row, 16, 0, most_seconds)},
    };
    if (row->ok && sqlite3_column_int64(s, 1) == sqlite3_column_int64(s, 2))
        row_refuse(row, 2, "another player than the first");
    if (row->ok && strcmp(row_text(row, 7), result_name(game.margin)) != 0)
        row_refuse(row, 7, "1-0, 1/2-1/2 or 0-1 as the margin says");
    return game;
}

/* The end of a list of games: an error says how many of them were read. */
static bool end_of_games(const struct results *r, int code, int64_t count, int64_t last,
                         struct mp_error *error)
{
    if (code == SQLITE_DONE)
        return true;
    if (code != SQLITE_CORRUPT || count == 0)
        return fail(r, error);
    return mp_fail(
        error,
        "%.160s is damaged after game %lld: %.100s; %lld game%s before that can still be read: `manyply "
        "results games` shows them",
        r->file, (long long)last, sqlite3_errmsg(r->database), (long long)count, count == 1 ? "" : "s");
}

#define GAMES_ASKED(waits)                                                                                   \
    "SELECT " GAME_COLUMNS ", " waits                                                                        \
    " FROM games WHERE (?1 < 0 OR number = ?1) AND (?2 < 0 OR first = ?2 OR second = ?2) AND (?3 < 0 OR "    \
    "first = ?3 OR second = ?3) AND (?4 = -1 OR (?4 = -2 AND margin = 0) OR (first = ?4 AND margin > 0) OR " \
    "(second = ?4 AND margin < 0)) ORDER BY number"

bool results_each_game(struct results *r, const struct results_filter *filter,
                       bool (*call)(const struct results_game *game, void *context), void *context,
                       struct mp_error *error)
{
    int players;
    struct results_player *known = results_players(r, &players, error);
    results_free_players(known, players);
    sqlite3_stmt *s =
        players < 0
            ? NULL
            : prepare(r, r->has_waits ? GAMES_ASKED(WAIT_COLUMNS) : GAMES_ASKED(NO_WAIT_COLUMNS), error);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, filter->number);
    sqlite3_bind_int(s, 2, filter->player);
    sqlite3_bind_int(s, 3, filter->other);
    sqlite3_bind_int(s, 4, filter->winner);
    int code = SQLITE_ROW;
    int64_t count = 0, last = -1;
    bool ok = true;
    while (ok && code == SQLITE_ROW && (code = step(r, s)) == SQLITE_ROW) {
        struct results_row row = row_of(r, s, "games", error);
        struct results_game game = read_game(&row, last + 1, players);
        ok = row.ok;
        last = game.number;
        count++;
        if (ok && !call(&game, context))
            code = SQLITE_DONE;
    }
    ok = ok && end_of_games(r, code, count, last, error);
    sqlite3_finalize(s);
    return ok;
}

/* What a player thought; dice and moves of the opening have nothing there. */
static struct thought read_thought(struct results_row *row)
{
    struct thought thought = {
        .move = MP_NO_MOVE,
        .seconds = row_real(row, 6, 0, most_seconds),
        .has_value = !row_is_null(row, 7),
        .depth = row_int(row, 8, 0, INT32_MAX),
        .mean_depth = row_real(row, 9, 0, INT32_MAX),
        .max_depth = row_int(row, 10, 0, INT32_MAX),
        .nodes = (uint64_t)row_number(row, 11, 0, INT64_MAX),
        .alpha_cuts = (uint64_t)row_number(row, 12, 0, INT64_MAX),
        .beta_cuts = (uint64_t)row_number(row, 13, 0, INT64_MAX),
    };
    if (thought.has_value)
        thought.value = row_int(row, 7, -INT32_MAX, INT32_MAX);
    return thought;
}

bool results_each_move(struct results *r, int64_t game,
                       bool (*call)(const struct results_move *move, void *context), void *context,
                       struct mp_error *error)
{
    sqlite3_stmt *s = prepare(r, "SELECT " MOVE_COLUMNS " FROM moves WHERE game = ? ORDER BY ply", error);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, game);
    int code = SQLITE_ROW;
    bool ok = true;
    for (int ply = 0; ok && code == SQLITE_ROW && (code = step(r, s)) == SQLITE_ROW; ply++) {
        struct results_row row = row_of(r, s, "moves", error);
        struct results_move move = {
            .ply = row_int(&row, 1, ply, ply),
            .side = row_int(&row, 2, 0, 1),
            .chosen = row_int(&row, 3, 0, 1),
            .text = row_text(&row, 4),
            .alternatives = row_int(&row, 5, 0, INT32_MAX),
            .thought = {.move = MP_NO_MOVE},
        };
        if (move.chosen)
            move.thought = read_thought(&row);
        ok = row.ok;
        if (ok && !call(&move, context))
            code = SQLITE_DONE;
    }
    ok = ok && (code == SQLITE_DONE || fail(r, error));
    sqlite3_finalize(s);
    return ok;
}

static bool add_waited(const struct results_game *game, void *context)
{
    double *waited = context;
    for (int side = 0; side < 2; side++)
        waited[game->players[side]] += game->waited[side];
    return true;
}

bool results_waited(struct results *r, double waited[RESULTS_MOST_PLAYERS], struct mp_error *error)
{
    memset(waited, 0, RESULTS_MOST_PLAYERS * sizeof *waited);
    return results_each_game(r, &results_all, add_waited, waited, error);
}

struct tallying {
    struct tallies *tallies;
    bool out_of_memory;
};

static bool tally_game(const struct results_game *game, void *context)
{
    struct tallying *tallying = context;
    tallying->out_of_memory = !tallies_add(tallying->tallies, game->number, game->players[0],
                                           game->players[1], game->margin);
    return !tallying->out_of_memory;
}

bool results_tally(struct results *r, int players, struct tallies *tallies, struct mp_error *error)
{
    struct tallying tallying = {.tallies = tallies};
    if (!tallies_init(tallies, players))
        return mp_fail(error, "out of memory");
    if (results_each_game(r, &results_all, tally_game, &tallying, error) &&
        (!tallying.out_of_memory || mp_fail(error, "out of memory")))
        return true;
    tallies_free(tallies);
    return false;
}

/* ---- Merging ---------------------------------------------------------------------------------------- */

#define GAMES_MERGED(waits)                                                                                  \
    "INSERT INTO games (" GAME_COLUMNS ", " WAIT_COLUMNS ") SELECT " GAME_COLUMNS ", " waits                 \
    " FROM other.games WHERE number NOT IN (SELECT number FROM games)"

static bool merge_attached(struct results *r, const char *file, bool other_has_waits, int64_t *added,
                           struct mp_error *error)
{
    int64_t other_settings, other_players, other_games;
    if (!ask_number(
            r,
            "SELECT count(*) FROM (SELECT * FROM (SELECT * FROM settings EXCEPT SELECT * FROM other.settings)"
            " UNION SELECT * FROM (SELECT * FROM other.settings EXCEPT SELECT * FROM settings)) WHERE name "
            "<> "
            "'games'",
            &other_settings, error) ||
        !ask_number(
            r,
            "SELECT count(*) FROM (SELECT * FROM (SELECT * FROM players EXCEPT SELECT * FROM other.players)"
            " UNION SELECT * FROM (SELECT * FROM other.players EXCEPT SELECT * FROM players))",
            &other_players, error) ||
        !ask_number(
            r,
            "SELECT count(*) FROM games AS a JOIN other.games AS b USING (number) WHERE a.started <> "
            "b.started"
            " OR a.first <> b.first OR a.second <> b.second OR a.margin <> b.margin OR a.plies <> b.plies",
            &other_games, error))
        return false;
    if (other_settings || other_players)
        return mp_fail(error, "%.200s is another arena: its %s differ", file,
                       other_settings ? "settings" : "players");
    if (other_games)
        return mp_fail(error,
                       "%.200s has %lld games that were already played, differently; expected other shards",
                       file, (long long)other_games);
    return ask_number(r, "SELECT count(*) FROM other.games WHERE number NOT IN (SELECT number FROM games)",
                      added, error) &&
           execute(r,
                   "INSERT INTO moves (" MOVE_COLUMNS ") SELECT " MOVE_COLUMNS
                   " FROM other.moves WHERE game NOT IN (SELECT number FROM games)",
                   error) &&
           execute(r, other_has_waits ? GAMES_MERGED(WAIT_COLUMNS) : GAMES_MERGED(NO_WAIT_COLUMNS), error) &&
           execute(r,
                   "UPDATE settings SET value = "
                   "(SELECT max(CAST(value AS INTEGER)) FROM (SELECT value FROM settings "
                   "WHERE name = 'games' UNION ALL  SELECT value FROM other.settings WHERE "
                   "name = 'games')) WHERE name = 'games'",
                   error);
}

/* What is played, from the attached file. */
static bool copy_arena(struct results *r, struct mp_error *error)
{
    return execute(r, schema, error) && execute(r,
                                                "INSERT INTO settings SELECT * FROM other.settings;"
                                                "INSERT INTO players SELECT * FROM other.players",
                                                error);
}

struct vetting {
    struct results *results;
    struct mp_error *error;
    bool ok;
};

static bool pass_move(const struct results_move *move, void *context)
{
    (void)move, (void)context;
    return true;
}

static bool vet_moves(const struct results_game *game, void *context)
{
    struct vetting *vetting = context;
    vetting->ok = results_each_move(vetting->results, game->number, pass_move, NULL, vetting->error);
    return vetting->ok;
}

/* Opened for itself first: says what is wrong with the file, and that it has results. All of
 * it is read: what is copied later is not looked at again. */
static bool vet_file(const char *file, double *limit, bool *has_waits, struct mp_error *error)
{
    struct results *check = results_open(file, RESULTS_READ, error);
    struct vetting vetting = {.results = check, .error = error, .ok = true};
    bool ok = check && results_each_game(check, &results_all, vet_moves, &vetting, error) && vetting.ok;
    *limit = check ? check->limit : 0;
    *has_waits = check && check->has_waits;
    results_close(check);
    return ok;
}

bool results_merge(struct results *r, const char *file, int64_t *added, struct mp_error *error)
{
    double limit;
    bool has_waits;
    *added = 0;
    if (!vet_file(file, &limit, &has_waits, error))
        return false;
    r->limit += limit;
    sqlite3_stmt *attach = prepare(r, "ATTACH ? AS other", error);
    bind_text(attach, 1, file);
    if (!finish(r, attach, error))
        return false;
    bool ok = execute(r, "BEGIN IMMEDIATE", error);
    if (ok) {
        ok = (!r->is_new || copy_arena(r, error)) && merge_attached(r, file, has_waits, added, error);
        r->has_waits = r->has_waits || ok;
        ok = end_transaction(r, ok, error);
        r->is_new = r->is_new && !ok;
    }
    execute(r, "DETACH other", NULL);
    return ok;
}

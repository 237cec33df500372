/* results.c - the SQLite tables of an arena: opening, checking, writing and reading them. */
#include "lab/results.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct results {
    sqlite3 *database;
    int lock; /* a file handle that keeps other writers out; -1: none */
    bool is_new;
};

static const char schema[] =
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;CREATE TABLE players (number "
    "INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;CREATE TABLE games (number "
    "INTEGER PRIMARY KEY, first INTEGER NOT NULL, second INTEGER NOT NULL, start TEXT NOT NULL, opening "
    "INTEGER NOT NULL, seed INTEGER NOT NULL, stream INTEGER NOT NULL, result TEXT NOT NULL CHECK (result IN "
    "('1-0', '1/2-1/2', '0-1')), margin INTEGER NOT NULL, ending TEXT NOT NULL, reason TEXT NOT NULL, plies "
    "INTEGER NOT NULL, first_seconds REAL NOT NULL, second_seconds REAL NOT NULL, started REAL NOT NULL) "
    "STRICT;CREATE TABLE moves (game INTEGER NOT NULL REFERENCES games (number), ply INTEGER NOT NULL, side "
    "INTEGER NOT NULL, chosen INTEGER NOT NULL, text TEXT NOT NULL, alternatives INTEGER NOT NULL, seconds "
    "REAL, value INTEGER, depth INTEGER, mean_depth REAL, max_depth INTEGER, nodes INTEGER, alpha_cuts "
    "INTEGER, beta_cuts INTEGER, PRIMARY KEY (game, ply)) STRICT, WITHOUT ROWID;PRAGMA user_version = 1;";

enum { SCHEMA_VERSION = 1 };

const char *const results_scorings[3] = {"win", "margin", "points"};

static bool fail(const struct results *r, struct mp_error *error)
{
    return mp_fail(error, "the database says: %.400s", sqlite3_errmsg(r->database));
}

static bool execute(const struct results *r, const char *sql, struct mp_error *error)
{
    return sqlite3_exec(r->database, sql, NULL, NULL, NULL) == SQLITE_OK || fail(r, error);
}

/* A statement; null: the error says why. */
static sqlite3_stmt *prepare(const struct results *r, const char *sql, struct mp_error *error)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(r->database, sql, -1, &statement, NULL) != SQLITE_OK)
        fail(r, error);
    return statement;
}

/* Runs a statement that gives no rows, and frees it. */
static bool finish(const struct results *r, sqlite3_stmt *statement, struct mp_error *error)
{
    bool ok = statement && sqlite3_step(statement) == SQLITE_DONE;
    if (statement && !ok)
        fail(r, error);
    sqlite3_finalize(statement);
    return ok;
}

/* The first column of the only row of a query; -1 on an error. */
static int64_t ask_number(const struct results *r, const char *sql, struct mp_error *error)
{
    sqlite3_stmt *s = prepare(r, sql, error);
    int64_t number = -1;
    if (s && sqlite3_step(s) == SQLITE_ROW)
        number = sqlite3_column_int64(s, 0);
    else if (s)
        fail(r, error);
    sqlite3_finalize(s);
    return number;
}

static void bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

static const char *column_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
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

static bool check_schema(struct results *r, const char *file, enum results_mode mode, struct mp_error *error)
{
    int64_t version = ask_number(r, "PRAGMA user_version", error);
    if (version < 0)
        return false;
    r->is_new = version == 0 && mode == RESULTS_WRITE;
    return version == SCHEMA_VERSION || r->is_new ||
           mp_fail(error, "%.200s holds no results, or those of another version of this program", file);
}

struct results *results_open(const char *file, enum results_mode mode, struct mp_error *error)
{
    struct results *r = calloc(1, sizeof *r);
    if (!r) {
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
    ok = ok && check_schema(r, file, mode, error);
    /* A killed program loses no finished game: what is written is in the page cache at least. */
    if (mode == RESULTS_WRITE)
        ok = ok && execute(r, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", error);
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
    if (r->lock >= 0 && r->database) {
        sqlite3_busy_timeout(r->database, 0);
        sqlite3_exec(r->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    sqlite3_close(r->database);
    if (r->lock >= 0)
        close(r->lock);
    free(r);
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
static bool end_transaction(const struct results *r, bool ok, struct mp_error *error)
{
    if (ok && execute(r, "COMMIT", error))
        return true;
    sqlite3_exec(r->database, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

bool results_begin(struct results *r, const struct results_setting *settings, int setting_count,
                   const struct results_player *players, int player_count, struct mp_error *error)
{
    if (!execute(r, "BEGIN IMMEDIATE", error))
        return false;
    bool ok = execute(r, schema, error);
    for (int i = 0; ok && i < setting_count; i++)
        ok = results_set(r, settings[i].name, settings[i].value, error);
    for (int i = 0; ok && i < player_count; i++)
        ok = add_player(r, i, &players[i], error);
    ok = end_transaction(r, ok, error);
    r->is_new = r->is_new && !ok;
    return ok;
}

char *results_get(struct results *r, const char *name)
{
    sqlite3_stmt *statement = prepare(r, "SELECT value FROM settings WHERE name = ?", NULL);
    bind_text(statement, 1, name);
    char *value = statement && sqlite3_step(statement) == SQLITE_ROW ? strdup(column_text(statement, 0))
                                                                     : NULL;
    sqlite3_finalize(statement);
    return value;
}

struct results_player *results_players(struct results *r, int *count, struct mp_error *error)
{
    sqlite3_stmt *statement = prepare(r, "SELECT name, text FROM players ORDER BY number", error);
    struct results_player *players = NULL;
    *count = 0;
    while (statement && sqlite3_step(statement) == SQLITE_ROW) {
        struct results_player *more = memory_grow(players, *count, sizeof *players);
        if (!more)
            break;
        players = more;
        players[(*count)++] = (struct results_player){strdup(column_text(statement, 0)),
                                                      strdup(column_text(statement, 1))};
    }
    if (*count == 0) {
        mp_fail(error, "there are no players in the file");
        *count = -1;
    }
    sqlite3_finalize(statement);
    return players;
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
    sqlite3_stmt *s = prepare(r, "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                              error);
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
    bind_text(s, 11, match->reason);
    sqlite3_bind_int(s, 12, match->plies);
    sqlite3_bind_double(s, 13, match->seconds[0]);
    sqlite3_bind_double(s, 14, match->seconds[1]);
    sqlite3_bind_double(s, 15, started);
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
    sqlite3_stmt *s = prepare(r, "INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                              error);
    bool ok = s != NULL;
    for (int i = 0; ok && i < match->count; i++) {
        bind_move(s, number, i, &match->moves[i]);
        ok = sqlite3_step(s) == SQLITE_DONE || fail(r, error);
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

static struct results_game read_game(sqlite3_stmt *s)
{
    return (struct results_game){
        .number = sqlite3_column_int64(s, 0),
        .players = {sqlite3_column_int(s, 1), sqlite3_column_int(s, 2)},
        .start = column_text(s, 3),
        .opening = sqlite3_column_int(s, 4),
        .seed = (uint64_t)sqlite3_column_int64(s, 5),
        .stream = (uint64_t)sqlite3_column_int64(s, 6),
        .margin = sqlite3_column_int(s, 8),
        .ending = column_text(s, 9),
        .reason = column_text(s, 10),
        .plies = sqlite3_column_int(s, 11),
        .seconds = {sqlite3_column_double(s, 12), sqlite3_column_double(s, 13)},
        .started = sqlite3_column_double(s, 14),
    };
}

bool results_each_game(struct results *r, const struct results_filter *filter,
                       bool (*call)(const struct results_game *game, void *context), void *context,
                       struct mp_error *error)
{
    sqlite3_stmt *s = prepare(r,
                              "SELECT * FROM games WHERE (?1 < 0 OR number = ?1) AND (?2 < 0 OR first = ?2 "
                              "OR second = ?2) AND (?3 < 0 OR first = ?3 OR second = ?3) AND (?4 = -1 OR (?4 "
                              "= -2 AND margin = 0) OR (first = ?4 AND margin > 0)      OR (second = ?4 AND "
                              "margin < 0)) ORDER BY number",
                              error);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, filter->number);
    sqlite3_bind_int(s, 2, filter->player);
    sqlite3_bind_int(s, 3, filter->other);
    sqlite3_bind_int(s, 4, filter->winner);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        struct results_game game = read_game(s);
        if (!call(&game, context)) {
            code = SQLITE_DONE;
            break;
        }
    }
    bool ok = code == SQLITE_DONE || fail(r, error);
    sqlite3_finalize(s);
    return ok;
}

bool results_each_move(struct results *r, int64_t game,
                       bool (*call)(const struct results_move *move, void *context), void *context,
                       struct mp_error *error)
{
    sqlite3_stmt *s = prepare(r, "SELECT * FROM moves WHERE game = ? ORDER BY ply", error);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, game);
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        struct results_move move = {
            .ply = sqlite3_column_int(s, 1),
            .side = sqlite3_column_int(s, 2),
            .chosen = sqlite3_column_int(s, 3),
            .text = column_text(s, 4),
            .alternatives = sqlite3_column_int(s, 5),
            .thought = {.move = MP_NO_MOVE,
                        .seconds = sqlite3_column_double(s, 6),
                        .has_value = sqlite3_column_type(s, 7) != SQLITE_NULL,
                        .value = sqlite3_column_int(s, 7),
                        .depth = sqlite3_column_int(s, 8),
                        .mean_depth = sqlite3_column_double(s, 9),
                        .max_depth = sqlite3_column_int(s, 10),
                        .nodes = (uint64_t)sqlite3_column_int64(s, 11),
                        .alpha_cuts = (uint64_t)sqlite3_column_int64(s, 12),
                        .beta_cuts = (uint64_t)sqlite3_column_int64(s, 13)},
        };
        if (!call(&move, context)) {
            code = SQLITE_DONE;
            break;
        }
    }
    bool ok = code == SQLITE_DONE || fail(r, error);
    sqlite3_finalize(s);
    return ok;
}

static bool tally_game(const struct results_game *game, void *context)
{
    struct tallies *tallies = context;
    return game->players[0] >= 0 && game->players[0] < tallies->players && game->players[1] >= 0 &&
           game->players[1] < tallies->players &&
           tallies_add(tallies, game->number, game->players[0], game->players[1], game->margin);
}

bool results_tally(struct results *r, int players, struct tallies *tallies, struct mp_error *error)
{
    if (!tallies_init(tallies, players))
        return mp_fail(error, "out of memory");
    if (results_each_game(r, &results_all, tally_game, tallies, error))
        return true;
    tallies_free(tallies);
    return false;
}

/* ---- Merging ---------------------------------------------------------------------------------------- */

static bool merge_attached(struct results *r, const char *file, int64_t *added, struct mp_error *error)
{
    int64_t other_settings = ask_number(
        r,
        "SELECT count(*) FROM (SELECT * FROM (SELECT * FROM settings EXCEPT SELECT * FROM other.settings)"
        " UNION SELECT * FROM (SELECT * FROM other.settings EXCEPT SELECT * FROM settings)) WHERE name <> "
        "'games'",
        error);
    int64_t other_players = ask_number(
        r,
        "SELECT count(*) FROM (SELECT * FROM (SELECT * FROM players EXCEPT SELECT * FROM other.players)"
        " UNION SELECT * FROM (SELECT * FROM other.players EXCEPT SELECT * FROM players))",
        error);
    int64_t other_games = ask_number(
        r,
        "SELECT count(*) FROM games AS a JOIN other.games AS b USING (number) WHERE a.started <> b.started"
        " OR a.first <> b.first OR a.second <> b.second OR a.margin <> b.margin OR a.plies <> b.plies",
        error);
    if (other_settings < 0 || other_players < 0 || other_games < 0)
        return false;
    if (other_settings || other_players)
        return mp_fail(error, "%.200s is another arena: its %s differ", file,
                       other_settings ? "settings" : "players");
    if (other_games)
        return mp_fail(error,
                       "%.200s has %lld games that were already played, differently; expected other shards",
                       file, (long long)other_games);
    *added = ask_number(r, "SELECT count(*) FROM other.games WHERE number NOT IN (SELECT number FROM games)",
                        error);
    return *added >= 0 && execute(r,
                                  "INSERT INTO moves SELECT * FROM other.moves WHERE game NOT IN (SELECT "
                                  "number FROM games);INSERT INTO games SELECT * FROM other.games WHERE "
                                  "number NOT IN (SELECT number FROM games);UPDATE settings SET value = "
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

bool results_merge(struct results *r, const char *file, int64_t *added, struct mp_error *error)
{
    *added = 0;
    /* Opened for itself first: says what is wrong with the file, and that it has results. */
    struct results *check = results_open(file, RESULTS_READ, error);
    if (!check)
        return false;
    results_close(check);
    sqlite3_stmt *attach = prepare(r, "ATTACH ? AS other", error);
    bind_text(attach, 1, file);
    if (!finish(r, attach, error))
        return false;
    bool ok = execute(r, "BEGIN IMMEDIATE", error);
    if (ok) {
        ok = (!r->is_new || copy_arena(r, error)) && merge_attached(r, file, added, error);
        ok = end_transaction(r, ok, error);
        r->is_new = r->is_new && !ok;
    }
    sqlite3_exec(r->database, "DETACH other", NULL, NULL, NULL);
    return ok;
}

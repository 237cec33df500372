/* results.c - fuzzes what a results file may hold: SQL that somebody has run in a good one (arena.db, where the fuzzer is
 * started). All views then show it, or refuse it with a sentence. SQLite's own reader has fuzzers of its own. */
#include "tests/fuzz/fuzz.h"

#include "lab/results.h"

#include <sqlite3.h>
#include <unistd.h>

/* Nothing outside this file, and no end without an end. */
static int authorize(void *context, int action, const char *a, const char *b, const char *c, const char *d)
{
    (void)context, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_ATTACH || action == SQLITE_DETACH ? SQLITE_DENY : SQLITE_OK;
}

static int give_up(void *context)
{
    return ++*(int *)context > 100;
}

static void run_sql(const char *file, const char *text)
{
    sqlite3 *database;
    int steps = 0;
    require(sqlite3_open(file, &database) == SQLITE_OK, "a good file");
    sqlite3_set_authorizer(database, authorize, NULL);
    sqlite3_progress_handler(database, 1000, give_up, &steps);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 100000);
    sqlite3_exec(database, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF", NULL, NULL, NULL);
    sqlite3_exec(database, text, NULL, NULL, NULL);
    sqlite3_close(database);
}

static bool see_move(const struct results_move *move, void *context)
{
    (void)context;
    require(move->ply >= 0 && move->side >= 0 && move->side < 2 && move->text, "a move is one");
    return true;
}

struct sight {
    struct results *results;
    int players;
};

static bool see_game(const struct results_game *game, void *context)
{
    const struct sight *sight = context;
    struct mp_error error = {0};
    for (int i = 0; i < 2; i++)
        require(game->players[i] >= 0 && game->players[i] < sight->players, "a player is one of the list");
    require(game->number >= 0 && game->plies >= 0 && game->start && game->ending && game->reason,
            "a game is one");
    if (!results_each_move(sight->results, game->number, see_move, NULL, &error))
        require_sentence(&error);
    return true;
}

static void look(struct results *results)
{
    struct mp_error error = {0};
    struct tallies tallies;
    struct sight sight = {.results = results};
    struct results_player *players = results_players(results, &sight.players, &error);
    if (!players) {
        require_sentence(&error);
        return;
    }
    if (!results_each_game(results, &results_all, see_game, &sight, &error))
        require_sentence(&error);
    if (results_tally(results, sight.players, &tallies, &error))
        tallies_free(&tallies);
    else
        require_sentence(&error);
    results_free_players(players, sight.players);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t good[1 << 17];
    static size_t length;
    struct mp_error error = {0};
    char *text = fuzzed_text(data, size);
    if (!length) {
        FILE *file = fopen("arena.db", "rb");
        require(file, "arena.db is where the fuzzer is started");
        length = fread(good, 1, sizeof good, file);
        fclose(file);
    }
    fuzzed_file("fuzzed.db", good, length);
    run_sql("fuzzed.db", text);
    struct results *results = results_open("fuzzed.db", RESULTS_READ, &error);
    if (results)
        look(results);
    else
        require_sentence(&error);
    results_close(results);
    struct results *joined = results_open(":memory:", RESULTS_WRITE, &error);
    int64_t added;
    if (joined && !results_merge(joined, "fuzzed.db", &added, &error))
        require_sentence(&error);
    results_close(joined);
    free(text);
    return 0;
}

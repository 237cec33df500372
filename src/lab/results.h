/* results.h - games that were played, kept in an SQLite file: one arena in each file.
 *
 * A game is written in one transaction when it has ended, with its moves; killing the program loses the games
 * that are under way and nothing else. A file is opened for writing by one program at a time, and read by any
 * number. An object belongs to one thread at a time. What a file says is checked wherever it is read: a value that no
 * arena writes is an error. Tables (for other programs that read the file):
 *     settings (name, value)      what was played: game, time control, seed, openings
 *     players (number, name, text)
 *     games (number, first, second, start, opening, seed, stream, result, margin, ending, reason, plies,
 *            first_seconds, second_seconds, started, first_waited, second_waited)
 *     moves (game, ply, side, chosen, text, alternatives, seconds, value, depth, mean_depth, max_depth,
 *            nodes, alpha_cuts, beta_cuts)      chosen is 0 for dice and moves of the opening */
#ifndef LAB_RESULTS_H
#define LAB_RESULTS_H

#include "lab/match.h"
#include "lab/tallies.h"

struct results;

enum { RESULTS_MOST_PLAYERS = 64 };

enum results_mode {
    RESULTS_READ,
    RESULTS_WRITE, /* makes the file if there is none */
};

/* A file named ":memory:" is none: it is forgotten when it is closed. */
struct results *results_open(const char *file, enum results_mode mode, struct mp_error *error);
void results_close(struct results *results);

/* Writes all of it to another file, in the place of one that is there; for what was kept in memory. */
bool results_save(struct results *results, const char *file, struct mp_error *error);

/* ---- What is played --------------------------------------------------------------------------------- */

struct results_setting {
    const char *name, *value;
};
struct results_player {
    char *name, *text;
};

/* A file that was just made: nothing is known yet. */
bool results_are_new(const struct results *results);

/* Writes what is played, all or nothing. */
bool results_begin(struct results *results, const struct results_setting *settings, int setting_count,
                   const struct results_player *players, int player_count, struct mp_error *error);

bool results_set(struct results *results, const char *name, const char *value, struct mp_error *error);

/* The value of a setting, on the heap; null: there is none. */
char *results_get(struct results *results, const char *name);

/* All players in the order of their numbers; *count is -1 on an error. Free with results_free_players. */
struct results_player *results_players(struct results *results, int *count, struct mp_error *error);
void results_free_players(struct results_player *players, int count);

/* The names of enum mp_scoring in the setting "scoring". */
extern const char *const results_scorings[3];

/* ---- Games ------------------------------------------------------------------------------------------ */

/* A game, as it is stored. The texts belong to the results while a function is called with them. */
struct results_game {
    int64_t number;
    int players[2]; /* numbers of who had side 0 and side 1 */
    const char *start;
    int opening; /* moves of the record that were given */
    uint64_t seed, stream;
    int margin; /* for side 0 */
    const char *ending, *reason;
    int plies;
    double seconds[2];
    double started; /* seconds since 1970 */
    double waited[2];
};

bool results_add_game(struct results *results, int64_t number, const int players[2], int opening,
                      const struct match_game *match, double started, struct mp_error *error);

/* Which games; an absent condition is -1. */
struct results_filter {
    int player, other; /* took part */
    int winner;        /* -2: drawn games */
    int64_t number;
};
extern const struct results_filter results_all;

/* Calls for each game in the order of numbers, until false is returned; false on an error. */
bool results_each_game(struct results *results, const struct results_filter *filter,
                       bool (*call)(const struct results_game *game, void *context), void *context,
                       struct mp_error *error);

struct results_move {
    int ply, side;
    bool chosen; /* by a player */
    const char *text;
    int alternatives;
    struct thought thought; /* move is not known */
};
bool results_each_move(struct results *results, int64_t game,
                       bool (*call)(const struct results_move *move, void *context), void *context,
                       struct mp_error *error);

/* Seconds that the machine took from each player, which were not charged (waits.h). */
bool results_waited(struct results *results, double waited[RESULTS_MOST_PLAYERS], struct mp_error *error);

/* The tallies of all games. */
bool results_tally(struct results *results, int players, struct tallies *tallies, struct mp_error *error);

/* ---- Merging ---------------------------------------------------------------------------------------- */

/* Adds the games of another file of the same arena. A game that both have must be the same. */
bool results_merge(struct results *results, const char *file, int64_t *added, struct mp_error *error);

#endif

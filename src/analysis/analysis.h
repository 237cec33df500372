/* analysis.h - how good were the moves of a game that was played?
 *
 * Every decision is searched twice with the same strategy: the best move; then, to the same depth, the move that was
 * played, or, if that is the best one, all others. What a move loses is the difference of the two values at the greatest
 * depth that both searches have finished. Nothing is remembered from one position to the next, so what is found does not
 * depend on the number of threads or on where an analysis was interrupted. */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "records/record.h"

#include <stdatomic.h>

enum { ANALYSIS_MOST_LINE = 12 };

/* What the values of a game mean to its players. */
struct analysis_scale {
    const char *unit;     /* "pawns"; in the plural */
    double per_unit;      /* of an evaluation; dice: as the stakes say */
    int decimals;         /* how exactly values are written */
    double most;          /* a lead of more, or a proven win, counts as this much */
    double thresholds[3]; /* a loss of this much is dubious (?!), a mistake (?), a blunder (??) */
    double half; /* a lead of so much wins three games of four or so; 0: the value is the chance itself */
};
struct analysis_scale analysis_scale_of(const struct mp_game *game);

enum analysis_mark { MARK_NONE, MARK_DUBIOUS, MARK_MISTAKE, MARK_BLUNDER, MARK_ONLY, MARK_COUNT };
extern const char *const analysis_signs[MARK_COUNT]; /* "", "?!", ... as players write them */
extern const int analysis_glyphs[MARK_COUNT];        /* the same as numbers of PGN; 0: none */
extern const char *const analysis_words[MARK_COUNT]; /* "dubious", ... */

enum analysis_kind { PLY_FORCED, PLY_DECISION, PLY_CHANCE }; /* forced: there was one move */

/* One ply of a game. Values are for the player who moves. */
struct analysed_ply {
    enum analysis_kind kind;
    int side; /* who moves, or for whom the dice are thrown */
    mp_move move;
    double stake; /* backgammon: the value of a plain game, by which values are divided; others: one unit */
    int number;   /* of the move, as records count */
    bool is_item; /* records have it as an item of its own: not so the dice, and who wishes to roll */
    bool done;    /* what follows is known */
    int depth;
    bool exact; /* both searches have seen the end of the game: values are final scores */
    mp_move best;
    mp_value best_value, value; /* of the best move and of the one that was played ... */
    mp_value common_best,
        another; /* ... and at the depth that the two searches have in common: the best move, and
                                    * what it was compared with */
    int line_length;
    mp_move line[ANALYSIS_MOST_LINE]; /* the best move and what is expected to follow */
    /* What follows from that: */
    double loss; /* in units, 0 at least */
    double gap;  /* from the best move to the next: where the best one was played; else 0 */
    enum analysis_mark mark;
    double luck; /* dice: the value after the throw, minus the mean over all throws */
};

struct analysed_game {
    struct record *record; /* not owned */
    struct analysed_ply *plies;
    int count;
    char *kept; /* the file in which its plies are kept; null: none */
};

/* What one player did in a game. */
struct analysis_side {
    int decisions, marks[MARK_COUNT];
    double loss;     /* sum, in units */
    double accuracy; /* 0 to 100: see docs/analyse.md */
    double luck;
};

struct analysis {
    const struct mp_game *game;
    const char *game_text; /* as it was opened, with its options */
    const struct mp_strategy *strategy;
    struct analysis_scale scale;
    int threads; /* positions at a time */
    struct analysed_game *games;
    int game_count;
    atomic_bool stop;          /* set by anybody: ends within milliseconds */
    struct mp_search **active; /* while it runs: one for each thread */
    void (*progress)(void *context, int done, int total);
    void *context;
};

/* Takes in a game, which must last. kept_in: the folder where finished plies are kept, and looked for; null: none. */
bool analysis_add(struct analysis *analysis, struct record *record, const char *kept_in,
                  struct mp_error *error);
void analysis_free(struct analysis *analysis);

/* Plies that have been valued, and that can be. */
void analysis_count(const struct analysis *analysis, int *done, int *total);

/* Values all that is not done. False: an error; a stop is none. */
bool analysis_run(struct analysis *analysis, struct mp_error *error);

/* Ends a run; for signal handlers too. */
void analysis_stop(struct analysis *analysis);

struct analysis_side analysis_of_side(const struct analysis *analysis, const struct analysed_game *game,
                                      int side);

/* The position before a ply. Null: error. */
struct mp_position *analysis_position(const struct analysed_game *game, int ply, struct mp_error *error);

/* A move as records of the game have it (SAN), and the first moves of a line; error is set where there is no memory for
 * that. */
void analysis_move_text(const struct mp_position *position, mp_move move, char *text, size_t size);
void analysis_line_text(const struct mp_position *position, const struct analysed_ply *ply, char *text,
                        size_t size, struct mp_error *error);

/* A value of the player who moves in units, within +-most. */
double analysis_worth(const struct analysis *analysis, const struct analysed_ply *ply, mp_value value);

/* A value for people, from the view of player 0: "+0.34", "#-3". */
void analysis_value_text(const struct analysis *analysis, const struct analysed_ply *ply, mp_value value,
                         char *text, size_t size);

/* Are the values of a ply scores of games with best play, which no deeper search would change? */
bool analysis_is_final(const struct analysis *analysis, const struct analysed_ply *ply);

/* What a move loses: "2.5"; a score that is final is a whole number. */
void analysis_loss_text(const struct analysis *analysis, const struct analysed_ply *ply, char *text,
                        size_t size);

/* ---- kept.c: plies that have been valued, in a file for each game ---------------------------------------- */

bool kept_name(struct analysed_game *game, const struct analysis *analysis, const char *folder);
void kept_read(struct analysed_game *game);
void kept_add(const struct analysed_game *game, int ply);

/* marks.c */
void analysis_judge(const struct analysis *analysis, struct analysed_ply *ply);

#endif

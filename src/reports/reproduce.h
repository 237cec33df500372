/* reproduce.h - the experiments of five reports, with their figures beside ours.
 *
 * Each report is one file, reproduce_NAME.c, with the published figures as tables. What is printed is
 * Markdown: docs/reproduction.md is the output of `manyply reproduce all`. */
#ifndef REPORTS_REPRODUCE_H
#define REPORTS_REPRODUCE_H

#include "lab/match.h"
#include "lab/plot.h"
#include "lab/progress.h"
#include "lab/text_table.h"
#include "manyply/manyply.h"
#include "parallel/costs.h"

/* Where a reproduction goes, and how large it is. */
struct reproduction {
    FILE *out;      /* Markdown; null: nowhere */
    json_t *tables; /* {"title", "rows"} for each table is added here */
    bool quick;     /* smaller sizes, which the text states */
    bool unicode;
    const char *name; /* of the report */
    struct progress progress;
    struct costs costs; /* of virtual machines; steal is 0 as long as nobody has asked for any */
    char simulate[160]; /* the key that puts a strategy on one */
    double from, to;    /* the part of the report that is under way */
    int done, steps;    /* how far it is */
    struct mp_error *error;
};

struct report {
    const char *name, *summary;
    bool (*reproduce)(struct reproduction *r);
};

/* Ends with a null name. */
extern const struct report reports[];

bool reproduce_pm(struct reproduction *r);
bool reproduce_halma(struct reproduction *r);
bool reproduce_backgammon(struct reproduction *r);
bool reproduce_othello(struct reproduction *r);
bool reproduce_horizon(struct reproduction *r);

/* ---- For the reports ------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) void reproduction_text(struct reproduction *r, const char *format, ...);

/* Prints a table under its title, and ends it. False: no memory. */
bool reproduction_table(struct reproduction *r, const char *title, struct text_table *table);
void reproduction_plot(struct reproduction *r, const struct plot *plot);

/* The next part of the report goes to this share of it and has this many steps: timed searches and games are
 * one each, others say it themselves. */
void reproduction_stage(struct reproduction *r, double to, int steps);
void reproduction_step(struct reproduction *r);

/* A search that is timed. */
struct trial {
    const struct mp_game *game;
    const char *position; /* null: the beginning */
    char strategy[256];
    double seconds;          /* found: the median */
    struct mp_result result; /* of the last run */
};

/* A strategy with other keys (`split=top`; null: none) on this many threads (0: as it is), as text. */
bool reproduction_vary(struct reproduction *r, const struct mp_game *game, const char *strategy,
                       const char *keys, int threads, char *text, size_t size);

/* Runs all trials in turn, this many rounds. */
bool reproduction_time(struct reproduction *r, struct trial *trials, int count, int rounds);

/* Plays a game, after this many random plies, and leaves it in *match, which the caller frees. seed is that
 * of the dice and the random plies. A game that is longer than most_plies (0: no limit) is a draw. */
bool reproduction_match(struct reproduction *r, const struct mp_game *game, const char *const strategies[2],
                        int random_plies, int most_plies, uint64_t seed, struct match_game *match);

/* Virtual machines with the costs of this one, for the threads that it does not have: from now on r->simulate is a key
 * for strategies whose nodes cost what they do in a sequential search by this one. position may be null. */
bool reproduction_machine(struct reproduction *r, const struct mp_game *game, const char *position,
                          const char *strategy);

/* As reproduction_vary, on such a machine: the scheme as it is, from one thread on. */
bool reproduction_vary_simulated(struct reproduction *r, const struct mp_game *game, const char *strategy,
                                 const char *keys, int threads, char *text, size_t size);

/* Games of a strategy against an opponent, number 1, 2, ... */
struct series {
    const struct mp_game *game;
    const char *strategy;
    const char *opponent; /* null: random moves, other ones in each game */
    int side;             /* the strategy's in all games, or 2: first one, then the other */
    int random_plies;     /* at the beginning; the same ones in the two games of a pair */
    int games;
    /* Found: results, and what the strategy used in a game on average. */
    int won, drawn;
    double seconds, tasks, stolen;
};
bool reproduction_play(struct reproduction *r, struct series *series);

/* "0.0123", "1.23", "45.6": three digits. */
void reproduction_seconds(double seconds, char *text, size_t size);

#endif

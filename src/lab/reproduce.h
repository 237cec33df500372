/* reproduce.h - the experiments of five reports, with their figures beside ours.
 *
 * Each report is one file, reproduce_NAME.c, with the published figures as tables. What is printed is
 * Markdown: docs/reproduction.md is the output of `manyply reproduce all`. */
#ifndef LAB_REPRODUCE_H
#define LAB_REPRODUCE_H

#include "lab/plot.h"
#include "lab/progress.h"
#include "lab/table.h"
#include "manyply/manyply.h"

/* Where a reproduction goes, and how large it is. */
struct reproduction {
    FILE *out;      /* Markdown; null: nowhere */
    json_t *tables; /* {"title", "rows"} for each table is added here */
    bool quick;     /* smaller sizes, which the text states */
    bool unicode;
    struct progress progress;
    const char *name; /* of the report */
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

/* ---- For the reports ------------------------------------------------------------------------------------
 */

__attribute__((format(printf, 2, 3))) void reproduction_text(struct reproduction *r, const char *format, ...);

/* Prints a table under its title, and ends it. False: no memory. */
bool reproduction_table(struct reproduction *r, const char *title, struct table *table);
void reproduction_plot(struct reproduction *r, const struct plot *plot);
void reproduction_progress(struct reproduction *r, double share);

/* A search that is timed. */
struct trial {
    const struct mp_game *game;
    const char *position; /* null: the beginning */
    char strategy[128];
    double seconds;          /* found: the median */
    struct mp_result result; /* of the last run */
};

/* Runs all trials in turn, so many rounds, the part of the report from `from` to `to` (for the progress). */
bool reproduction_time(struct reproduction *r, struct trial *trials, int count, int rounds, double from,
                       double to);

/* Games of a strategy against another, or against a random player: seeds 1, 2, ... */
struct series {
    const struct mp_game *game;
    const char *strategy, *opponent;
    int first_side; /* the strategy's side in the first game */
    bool alternate; /* sides change from game to game */
    int games;
    int most_plies; /* 0: no limit; a longer game is a draw */
    /* Found. */
    int won, drawn;
    double seconds;             /* of the strategy's searches, a game */
    double all_seconds;         /* of both */
    double tasks, nodes, plies; /* of the strategy, a game */
};
bool reproduction_play(struct reproduction *r, struct series *series);

/* "0.0123", "1.23", "45.6": three digits. */
void reproduction_seconds(double seconds, char *text, size_t size);

#endif

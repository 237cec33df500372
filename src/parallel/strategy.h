/* strategy.h - a strategy: algorithm, parallel scheme, limits and evaluation, and its text form. */
#ifndef PARALLEL_STRATEGY_H
#define PARALLEL_STRATEGY_H

#include "parallel/crew.h"
#include "search/random_evaluation.h"

/* A strategy as a report names it: `MinimaxParAB,1,4`. */
enum { STRATEGY_NUMBERS = 3 };
struct strategy_name {
    const char *name; /* the list ends with a null name */
    const char *form; /* with what the report calls the numbers after it */
    const char *summary;
    const char *keys[STRATEGY_NUMBERS]; /* the keys that they are the values of */
    const char *text;                   /* the algorithm and the other keys */
    const char *option[2]; /* an option of the game that the report's program has set, and its value */
    bool sequential;       /* whatever the number of threads */
};
extern const struct strategy_name strategy_names[];

enum { STRATEGY_TABLE_AUTO = -1 };

struct strategy {
    const struct strategy_name *name; /* null: written out */
    char numbers[32];                 /* after that name, each with its comma */
    struct settings settings;
    const struct scheme *scheme;
    struct scheme_options scheme_options;
    int threads;         /* as asked for; a sequential scheme uses one */
    int depth;           /* 0: not given */
    uint64_t node_limit; /* 0: none */
    double seconds;      /* 0: none */
    int table_megabytes; /* 0: no table; STRATEGY_TABLE_AUTO: one that grows as it fills */
    bool compat_report;
    bool technique_given;            /* a switch of the selective search was named */
    struct random_evaluation random; /* settings.evaluation may point here: do not copy a strategy */
    char text[512];                  /* all keys that say something, in a fixed order */
};

bool strategy_parse(const struct mp_game *game, const char *text, struct strategy *strategy,
                    struct mp_error *error);

/* The first and last iteration. */
int strategy_first_depth(const struct strategy *strategy);
int strategy_last_depth(const struct strategy *strategy);

/* The last iteration there can be. */
int strategy_deepest(const struct strategy *strategy);

/* Is depth a number of plies? */
bool strategy_counts_plies(const struct strategy *strategy);

/* How many iterations a Monte-Carlo search makes if nothing else ends it. */
uint64_t strategy_iterations(const struct strategy *strategy);

/* ---- The parts of strategy.c ----------------------------------------------------------------------- */

/* strategy_keys.c: the keys by number, from 0; false: there is no such number. */
bool strategy_key_at(int index, struct mp_key_info *info);
/* Sets a key that the algorithm has; *given holds a bit for each that was set before. */
bool strategy_set(const struct mp_game *game, struct strategy *strategy, const char *name, const char *value,
                  uint64_t *given, struct mp_error *error);
void strategy_describe_techniques(struct strategy *strategy); /* adds those that are off to the text */
/* The words for enum mcts_final and enum mcts_playout. */
extern const char *const strategy_finals[], *const strategy_playouts[];

/* strategy_names.c: the name that a text of this many characters is, or null. */
const struct strategy_name *strategy_find_name(const char *text, size_t length);
/* Writes the strategy's name and its numbers as the algorithm and keys that they stand for; *text moves on to
 * what is left. */
bool strategy_expand_name(struct strategy *strategy, const char **text, char *expanded, size_t size,
                          struct mp_error *error);

/* strategy_text.c: fills strategy->text. */
void strategy_describe(struct strategy *strategy);

#endif

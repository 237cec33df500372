/* strategy.h - how a game is searched: an algorithm, a parallel scheme, limits and an evaluation, as keys with values.
 *
 * A strategy is what was given (struct mp_strategy: a text for each key) and what follows from it (struct plan).
 * keys.c has one row per key, from which reading, printing, help and lists are made; plan.c fills in what was
 * not given and refuses what does not go together; strategy.c is the object. */
#ifndef STRATEGY_STRATEGY_H
#define STRATEGY_STRATEGY_H

#include "parallel/scheme.h"
#include "search/book.h"
#include "search/cuts.h"
#include "search/network_evaluation.h"
#include "search/random_evaluation.h"

#include "manyply/manyply.h"

/* The value of split= that stands for a scheme. */
#define SCHEME_AUTO "auto"

enum { TABLE_AUTO = -1, STRATEGY_TEXT = 512, MOST_KEYS = 64 };

/* What a search is told. */
struct plan {
    struct settings settings;
    const struct scheme *scheme;
    struct scheme_options scheme_options;
    bool scheme_chosen;  /* split=auto */
    int threads;         /* 0: not given */
    int depth;           /* 0: not given */
    uint64_t node_limit; /* 0: none */
    double seconds;      /* 0: none */
    int table_megabytes; /* 0: no table; TABLE_AUTO: one that grows as it fills */
    /* settings.evaluation may point to one of these: do not copy a plan. */
    struct random_evaluation random;
    struct network_evaluation network;
    char network_path[256]; /* that it was read from; the value of the key */
    struct cuts cuts;       /* settings.cuts points to it, or nowhere */
    char cuts_path[256];    /* empty: those of the library */
    struct book *book;      /* in use; null: none */
    struct book *kept_book; /* the one that was read last, and its path */
    char book_path[256];
};

struct mp_strategy {
    const struct mp_game *game;
    const struct algorithm *algorithm;
    const struct strategy_name *name; /* of a report; null: written out */
    char numbers[32];                 /* after that name, each with its comma */
    uint64_t named;                   /* a bit for each key that the name gives */
    char *given[MOST_KEYS];           /* by the place of the key in strategy_keys[]; null: not given */
    struct plan plan;
    char text[STRATEGY_TEXT]; /* the algorithm, and all keys that say something */
};

/* ---- Keys ------------------------------------------------------------------------------------------------- */

/* How the value of a key is read and printed, and what it is in struct plan. */
enum key_kind {
    KEY_NUMBER,        /* int */
    KEY_NUMBER_OR_OFF, /* int; off is 0 */
    KEY_COUNT,         /* uint64_t */
    KEY_SWITCH,        /* bool: is it the second of two words? */
    KEY_CHOICE,        /* enum: the place in the list of words */
    KEY_TECHNIQUE,     /* on or off: a bit of settings.techniques */
    KEY_OTHER,         /* read and print do it */
};

struct key {
    const char *name; /* the list ends with a null name */
    const char *summary;
    unsigned group;      /* of the algorithms that have it */
    int scheme_key;      /* of the schemes that have it; 0: all, if it concerns schemes at all */
    const char *initial; /* its default; null: it depends, and the summary says on what */
    enum key_kind kind;
    size_t place; /* in struct plan */
    int64_t least, most;
    const char *const *words;
    unsigned technique;
    const char *values; /* what it may be; null: that follows from the rest of the row */
    bool limits;        /* says when a search ends */
    bool shares;        /* concerns threads: means nothing without a scheme */
    bool always;        /* said in the text even where it is the default; else only where it is not */
    bool (*matters)(const struct mp_strategy *strategy); /* null: always; else the text leaves it out */
    bool (*read)(const struct mp_game *game, struct plan *plan, const char *value, struct mp_error *error);
    void (*print)(const struct mp_strategy *strategy, char *text, size_t size);
};
extern const struct key strategy_keys[];

/* The place of a key in strategy_keys[]; -1: there is none of that name. */
int key_find(const char *name);

/* Does the algorithm of the strategy have it? */
bool key_applies(const struct key *key, const struct algorithm *algorithm);

/* A whole number in a range. False: the text is not one. */
bool key_read_int(const char *value, int64_t least, int64_t most, int *number);

/* Reads a value into a plan. */
bool key_read(const struct key *key, const struct mp_game *game, struct plan *plan, const char *value,
              struct mp_error *error);

/* Its value in the strategy's plan. */
void key_print(const struct key *key, const struct mp_strategy *strategy, char *text, size_t size);

/* What it may be, for people: "1 to 255", "on or off". */
void key_values(const struct key *key, char *text, size_t size);

/* ---- The plan --------------------------------------------------------------------------------------------- */

/* Makes the plan of what was given. */
bool plan_make(struct mp_strategy *strategy, struct mp_error *error);

/* The first and last iteration, and the last there can be. */
int plan_first_depth(const struct plan *plan);
int plan_last_depth(const struct plan *plan);
int plan_deepest(const struct plan *plan);

/* How many iterations a Monte-Carlo search makes if nothing else ends it. */
uint64_t plan_iterations(const struct plan *plan);

/* ---- Names of reports ------------------------------------------------------------------------------------- */

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
extern const struct strategy_name strategy_names[]; /* reports/names.c */

#endif

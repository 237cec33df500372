/* strategy.h - a strategy: algorithm, parallel scheme, limits and evaluation, and its text form. */
#ifndef PARALLEL_STRATEGY_H
#define PARALLEL_STRATEGY_H

#include "parallel/crew.h"
#include "search/random_evaluation.h"

struct strategy {
    struct settings settings;
    const struct scheme *scheme;
    struct scheme_options scheme_options;
    int threads;         /* as asked for; a sequential scheme uses one */
    int depth;           /* 0: not given */
    uint64_t node_limit; /* 0: none */
    double seconds;      /* 0: none */
    int table_megabytes; /* 0: no table */
    bool compat_report;
    struct random_evaluation random; /* settings.evaluation may point here: do not copy a strategy */
    char text[512];                  /* all keys that say something, in a fixed order */
};

bool strategy_parse(const struct mp_game *game, const char *text, struct strategy *strategy,
                    struct mp_error *error);

/* The first and last iteration. */
int strategy_first_depth(const struct strategy *strategy);
int strategy_last_depth(const struct strategy *strategy);

const struct mp_key_info *strategy_keys(void);

#endif

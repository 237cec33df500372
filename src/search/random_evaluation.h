/* random_evaluation.h - an evaluation for every game: a number that depends on nothing but the position and
 * a seed. Searches that must agree are tested with it, because it has no structure they could lean on. */
#ifndef SEARCH_RANDOM_EVALUATION_H
#define SEARCH_RANDOM_EVALUATION_H

#include "manyply/game.h"

/* Few different values, so that ties are common too: none is further from 0 than this. */
enum { RANDOM_EVALUATION_MAX = 100 };

struct random_evaluation {
    struct mp_evaluation evaluation; /* first, so that the one is found from the other */
    uint64_t seed;
};

struct random_evaluation random_evaluation(uint64_t seed);

#endif

/* network_evaluation.h - a network as an evaluation of a game. */
#ifndef SEARCH_NETWORK_EVALUATION_H
#define SEARCH_NETWORK_EVALUATION_H

#include "network/network.h"
#include "search/features.h"

struct network_evaluation {
    struct mp_evaluation evaluation; /* first, so that the one is found from the other */
    struct features features;
    struct network *network;
};

/* Reads the network of a file, made for this game; the evaluation owns it. */
bool network_evaluation_read(const struct mp_game *game, const char *path,
                             struct network_evaluation *evaluation, struct mp_error *error);

/* From a network that is there, of which it becomes one more owner. */
struct network_evaluation network_evaluation(const struct features *features, struct network *network);

#endif

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

/* The value of a state: what the game knows, or what the network says of its accumulators. */
bool network_evaluation_knows(const struct network_evaluation *evaluation, const void *state,
                              mp_value *value);
mp_value network_evaluation_value(const struct network_evaluation *evaluation, const void *state,
                                  const int16_t *const accumulators[2]);

/* Reads the network of a file, made for this game (null: the one of the library); the evaluation owns it. */
bool network_evaluation_read(const struct mp_game *game, const char *path,
                             struct network_evaluation *evaluation, struct mp_error *error);

/* From a network that is there, of which it becomes one more owner. */
struct network_evaluation network_evaluation(const struct features *features, struct network *network);

#endif

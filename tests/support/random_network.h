/* random_network.h - a network with random weights for a game, in memory and in a file. */
#ifndef TESTS_RANDOM_NETWORK_H
#define TESTS_RANDOM_NETWORK_H

#include "search/network_evaluation.h"

struct random_network {
    struct network_evaluation evaluation;
    char path[64]; /* of the file, if there is one */
};

/* False: the game shows a network nothing. dense: the width of a layer behind the accumulators, or 0. */
bool random_network_init(struct random_network *random, const struct mp_game *game, uint32_t width,
                         uint32_t dense, bool in_file);
void random_network_free(struct random_network *random);

#endif

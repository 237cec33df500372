/* tune.h - finds weights of an evaluation that predict results of games best: logistic regression on
 * positions (Österlund, "Texel's tuning method", 2014), all weights at once by gradient descent. */
#ifndef LAB_TUNE_H
#define LAB_TUNE_H

#include "manyply/manyply.h"

struct tune_settings {
    int rounds;
    int threads;
    double blend; /* what is predicted: 0 the result of the game, 1 the value that the search found */
    double prior; /* how strongly weights are held where they are: this many positions for each */
};

/* Errors are mean cross-entropies in bits, of the positions that were tuned on and of those held back (every
 * tenth thousand). */
struct tune_report {
    size_t positions, held_back;
    double scale; /* a value v wins with 1 / (1 + exp(-scale v)) */
    double before, after, held_before, held_after;
    double *weights; /* of game->tuning, on the heap */
    int weight_count;
};

/* Called after each round with the error so far. */
typedef void tune_progress(int round, double error, void *context);

/* Reads files as harvest.h writes them and tunes. The game must have game->tuning. */
bool tune_run(const struct mp_game *game, const char *const paths[], int count,
              const struct tune_settings *settings, tune_progress *progress, void *context,
              struct tune_report *report, struct mp_error *error);

/* The weights as the lines of a C table. */
void tune_print(const struct mp_game *game, const double *weights, FILE *file);

#endif

/* random_evaluation.c - hashes a position and a seed to a small value. */
#include "search/random_evaluation.h"

#include "base/random.h"

static mp_value evaluate(const struct mp_game *game, const struct mp_evaluation *self, const void *state)
{
    uint64_t seed = ((const struct random_evaluation *)self)->seed;
    uint64_t random = random_at(seed, game->key(game, state));
    return (mp_value)random_below(random, 2 * RANDOM_EVALUATION_MAX + 1) - RANDOM_EVALUATION_MAX;
}

struct random_evaluation random_evaluation(uint64_t seed)
{
    return (struct random_evaluation){
        .evaluation = {.name = "random",
                       .summary = "any number: a hash of position and seed",
                       .evaluate = evaluate},
        .seed = seed,
    };
}

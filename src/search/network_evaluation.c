/* network_evaluation.c - values a state by the inputs that are active in it. */
#include "search/network_evaluation.h"

#include <string.h>

static mp_value evaluate(const struct mp_game *game, const struct mp_evaluation *self, const void *state)
{
    (void)game;
    const struct network_evaluation *e = (const struct network_evaluation *)self;
    uint16_t inputs[2][FEATURES_MOST_ACTIVE];
    const uint16_t *const active[2] = {inputs[0], inputs[1]};
    int counts[2] = {0, 0};
    for (uint32_t view = 0; view < e->features.views; view++)
        counts[view] = features_list(&e->features, state, (int)view, inputs[view]);
    return network_value(e->network, active, counts, features_head(&e->features, state));
}

struct network_evaluation network_evaluation(const struct features *features, struct network *network)
{
    return (struct network_evaluation){
        .evaluation = {.name = "network", .summary = "what a network has learned", .evaluate = evaluate},
        .features = *features,
        .network = network_share(network),
    };
}

bool network_evaluation_read(const struct mp_game *game, const char *path,
                             struct network_evaluation *evaluation, struct mp_error *error)
{
    char name[NETWORK_NAME], made[NETWORK_MADE];
    struct features features;
    if (!features_of(game, &features, error))
        return false;
    struct network *network = network_read(path, name, made, error);
    if (!network)
        return false;
    const struct network_shape *shape = network_shape(network);
    bool fits = shape->inputs == features.count && shape->views == features.views &&
                shape->heads == features.heads;
    bool ok = (!strcmp(name, game->name) ||
               mp_fail(error, "%.200s is a network of %s, expected one of %s", path, name, game->name)) &&
              (fits ||
               mp_fail(error, "%.200s has %u inputs, %u views and %u heads, expected %u, %u and %u for %s",
                       path, shape->inputs, shape->views, shape->heads, features.count, features.views,
                       features.heads, game->name));
    if (ok)
        *evaluation = network_evaluation(&features, network);
    network_free(network);
    return ok;
}

/* network_evaluation.c - values a state by the inputs that are active in it. */
#include "search/network_evaluation.h"

#include <string.h>

bool network_evaluation_knows(const struct network_evaluation *e, const void *state, mp_value *value)
{
    const struct mp_game *game = e->features.game;
    return !e->features.cells && game->features->known && game->features->known(game, state, value);
}

mp_value network_evaluation_value(const struct network_evaluation *e, const void *state,
                                  const int16_t *const accumulators[2])
{
    const struct mp_game *game = e->features.game;
    int head = features_head(&e->features, state);
    if (e->features.outputs == 1 || !game->features->worth)
        return network_value(e->network, accumulators, head);
    int32_t shares[NETWORK_MOST_OUTPUTS];
    network_shares(e->network, accumulators, head, shares);
    return game->features->worth(game, state, shares);
}

/* From nothing, for who has no line of states. */
static mp_value evaluate(const struct mp_game *game, const struct mp_evaluation *self, const void *state)
{
    (void)game;
    const struct network_evaluation *e = (const struct network_evaluation *)self;
    struct feature_lists views;
    int16_t sums[2][NETWORK_MOST_WIDTH] __attribute__((aligned(64)));
    mp_value value;
    if (network_evaluation_knows(e, state, &value))
        return value;
    features_views(&e->features, state, &views);
    if (network_shape(e->network)->width != NETWORK_TABLE) {
        for (uint32_t view = 0; view < e->features.views; view++) {
            struct network_change all = {.come = views.inputs[view], .come_count = views.counts[view]};
            network_accumulate(e->network, NULL, &all, sums[view]);
        }
        return network_evaluation_value(e, state, (const int16_t *[]){sums[0], sums[1]});
    }
    return network_fresh_value(e->network, (const uint16_t *[]){views.inputs[0], views.inputs[1]},
                               views.counts, features_head(&e->features, state));
}

/* Of a table, where the game lists children by what a move changes. */
static int children(const struct mp_game *game, const struct mp_evaluation *self, const void *state,
                    const mp_move *moves, int count, mp_value enough, mp_value *values)
{
    const struct network_evaluation *e = (const struct network_evaluation *)self;
    char scratch[MP_FEATURES_SCRATCH] __attribute__((aligned(64)));
    uint16_t inputs[FEATURES_MOST_ACTIVE];
    const struct mp_features *features = game->features;
    features->prepare(game, state, scratch);
    for (int i = 0; i < count; i++) {
        int head, active = features->list_child(game, state, scratch, moves[i], inputs, &head, &values[i]);
        if (active >= 0)
            values[i] = network_table_value(e->network, inputs, active, head);
        if (values[i] <= enough)
            return i + 1;
    }
    return count;
}

static bool lists_children(const struct features *f, const struct network *network)
{
    return network_shape(network)->width == NETWORK_TABLE && !f->cells && f->game->features->list_child;
}

struct network_evaluation network_evaluation(const struct features *features, struct network *network)
{
    return (struct network_evaluation){
        .evaluation = {.name = "network",
                       .summary = "what a network has learned",
                       .evaluate = evaluate,
                       .children = lists_children(features, network) ? children : NULL},
        .features = *features,
        .network = network_share(network),
    };
}

/* Options do not matter here: what they change of what is seen is in the shape. */
static bool is_of(const struct mp_game *game, const char *name)
{
    size_t length = strcspn(name, ":");
    return length == strlen(game->name) && !strncmp(name, game->name, length);
}

/* Does a network fit what a game shows it? */
static bool fits(const struct network *network, const struct features *f, const char *path,
                 struct mp_error *error)
{
    const struct network_shape *shape = network_shape(network);
    return (shape->inputs == f->count && shape->views == f->views && shape->heads == f->heads &&
            shape->outputs == f->outputs && network_most_active(network) >= f->most) ||
           mp_fail(error,
                   "%.200s has %u inputs, %u active, %u views, %u heads and %u outputs, expected %u, %u, "
                   "%u, %u and %u for %s",
                   path, shape->inputs, network_most_active(network), shape->views, shape->heads,
                   shape->outputs, f->count, f->most, f->views, f->heads, f->outputs, f->game->name);
}

bool network_evaluation_read(const struct mp_game *game, const char *path,
                             struct network_evaluation *evaluation, struct mp_error *error)
{
    char name[NETWORK_NAME], made[NETWORK_MADE];
    struct features features;
    if (!features_of(game, &features, error))
        return false;
    struct network *network = path ? network_read(path, name, made, error)
                                   : network_shipped(game->name, made, error);
    if (!network)
        return false;
    bool ok = (!path || is_of(game, name) ||
               mp_fail(error, "%.200s is a network of %s, expected one of %s", path, name, game->name)) &&
              fits(network, &features, path ? path : "the network of the library", error);
    if (ok)
        *evaluation = network_evaluation(&features, network);
    network_free(network);
    return ok;
}

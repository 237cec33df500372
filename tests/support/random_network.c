/* random_network.c - makes networks that nobody has trained. */
#include "tests/support/random_network.h"

#include "tests/support/test.h"

#include <stdlib.h>
#include <unistd.h>

bool random_network_init(struct random_network *random, const struct mp_game *game, uint32_t width,
                         uint32_t dense, bool in_file)
{
    struct mp_error error = {0};
    struct features features;
    struct weights weights;
    *random = (struct random_network){.path = ""};
    if (!features_of(game, &features, &error))
        return false;
    struct network_shape shape = {.inputs = features.count,
                                  .width = width,
                                  .views = features.views,
                                  .heads = features.heads,
                                  .dense_count = dense > 0,
                                  .dense = {dense},
                                  .outputs = features.outputs,
                                  .scale = 1000};
    assert_true(weights_init(&weights, &shape));
    weights_begin(&weights, features.most, 5);
    struct network *network = network_new(&weights, features.most);
    weights_free(&weights);
    random->evaluation = network_evaluation(&features, network);
    network_free(network);
    if (in_file) {
        snprintf(random->path, sizeof random->path, "/tmp/manyply-random-XXXXXX");
        int descriptor = mkstemp(random->path);
        assert_true(descriptor >= 0 && close(descriptor) == 0);
        if (!network_write(network, game->name, "by a test", random->path, &error))
            fail_msg("%s", error.text);
    }
    return true;
}

void random_network_free(struct random_network *random)
{
    network_free(random->evaluation.network);
    if (random->path[0])
        unlink(random->path);
}

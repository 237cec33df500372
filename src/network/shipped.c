/* shipped.c - the networks that are part of the library: the files of networks/, as they are. */
#include "network/network.h"

#include "base/embed.h"

#include <string.h>

#define SHIPPED(name) EMBED(shipped_##name, NETWORKS_FOLDER "/" #name ".net")
#include "network/shipped.h"
#undef SHIPPED

static const struct {
    const char *game, *first, *end;
} all[] = {
#define SHIPPED(name) {#name, shipped_##name##_start, shipped_##name##_end},
#include "network/shipped.h"
#undef SHIPPED
};

/* Its place in the list; -1: there is none. */
static int place_of(const char *game)
{
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].game, game))
            return (int)i;
    return -1;
}

bool network_is_shipped(const char *game)
{
    return place_of(game) >= 0;
}

struct network *network_shipped(const char *game, char made[NETWORK_MADE], struct mp_error *error)
{
    char name[NETWORK_NAME];
    int i = place_of(game);
    if (i >= 0)
        return network_read_memory(all[i].first, (size_t)(all[i].end - all[i].first), name, made, error);
    mp_fail(error, "no network for %s is part of the library, expected network:FILE", game);
    return NULL;
}

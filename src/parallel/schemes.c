/* schemes.c - the list of parallel schemes. */
#include "parallel/crew.h"

#include "base/clock.h"

const struct scheme schemes[] = {
    {"none", "one thread", true, scheme_none},
    {"top", "each root move is a task, searched with the full window", false, scheme_top},
    {0},
};

bool scheme_none(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    struct crew *crew = context;
    int64_t start = clock_ns();
    bool done = driver_iterate(&crew->workers[0], depth, previous, found);
    crew->busy_seconds[0] += clock_seconds_since(start);
    return done;
}

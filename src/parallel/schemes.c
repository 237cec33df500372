/* schemes.c - the list of parallel schemes. */
#include "parallel/crew.h"
#include "search/node.h"

const struct scheme schemes[] = {
    {.name = "none", .summary = "one thread", .sequential = true, .iterate = scheme_none},
    {.name = "top",
     .summary = "each root move is a task with the full window",
     .isolates = true,
     .iterate = scheme_levels},
    {.name = "levels",
     .summary = "each move of the first levels=n levels is a task with the full window",
     .options = SCHEME_LEVELS,
     .isolates = true,
     .iterate = scheme_levels},
    {.name = "chunked",
     .summary = "chunk=n root moves at a time, each chunk with the bounds that the last one left",
     .options = SCHEME_CHUNK,
     .isolates = true,
     .iterate = scheme_chunked},
    {.name = "bfs",
     .summary = "the nodes of a level, found breadth first, dealt out in cap=n chunks",
     .options = SCHEME_CAP,
     .isolates = true,
     .iterate = scheme_bfs},
    {.name = "shared",
     .summary = "nodes of the first levels=n levels with min=n moves or more, the running bound shared",
     .options = SCHEME_LEVELS | SCHEME_MIN,
     .prunes = true,
     .hooks = &shared_hooks,
     .iterate = scheme_none},
    {.name = "pvsplit",
     .summary = "nodes of the principal variation, once their first move is done",
     .prunes = true,
     .hooks = &pvsplit_hooks,
     .iterate = scheme_none},
    {.name = "ybwc",
     .summary = "young brothers wait: any node, once its first move is done",
     .prunes = true,
     .hooks = &ybwc_hooks,
     .iterate = scheme_none},
    {.name = "abdada",
     .summary = "every thread searches the root, and puts off moves that another is searching",
     .prunes = true,
     .needs_table = true,
     .data_size = ABDADA_DATA_SIZE,
     .hooks = &abdada_hooks,
     .iterate = scheme_abdada},
    {.name = "lazy",
     .summary = "every thread searches the root; they meet in the transposition table",
     .prunes = true,
     .needs_table = true,
     .hooks = &lazy_hooks,
     .iterate = scheme_lazy},
    {.name = "games",
     .summary = "rollout: the games of all moves are dealt out in batches",
     .deals_games = true,
     .isolates = true,
     .iterate = scheme_games},
    {0},
};

/* The root is searched by worker 0; hooks may let others in. */
bool scheme_none(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    struct crew *crew = context;
    return driver_iterate(&crew->workers[0], depth, previous, found);
}

/* schemes.c - the list of parallel schemes, and what they share. */
#include "parallel/crew.h"
#include "search/node.h"

const struct scheme schemes[] = {
    {.name = "none",
     .summary = "one thread",
     .sequential = true,
     .iterate = scheme_none,
     .sample = sample_none},
    {.name = "top", .summary = "each root move is a task with the full window", .iterate = scheme_levels},
    {.name = "levels",
     .summary = "each move of the first levels=n levels is a task with the full window",
     .options = SCHEME_LEVELS,
     .iterate = scheme_levels},
    {.name = "chunked",
     .summary = "chunk=n root moves at a time, each chunk with the bounds that the last one left",
     .options = SCHEME_CHUNK,
     .iterate = scheme_chunked},
    {.name = "bfs",
     .summary = "the nodes of a level, found breadth first, dealt out in cap=n chunks",
     .options = SCHEME_CAP,
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
    {.name = "root",
     .summary = "mcts: every thread has a tree, or every chunk=n iterations; their roots are merged",
     .options = SCHEME_CHUNK | SCHEME_MERGE,
     .sample = sample_root,
     .tree_each = true},
    {.name = "leaf",
     .summary = "mcts: one tree; the threads share the playouts at a leaf",
     .sample = sample_leaf},
    {.name = "tree",
     .summary = "mcts: all threads grow one tree, without locks",
     .sample = sample_tree,
     .tree_shared = true},
    {0},
};

/* The root is searched by worker 0; hooks may let others in. */
bool scheme_none(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    struct crew *crew = context;
    return driver_iterate(&crew->workers[0], depth, previous, found);
}

int crew_thread(const struct worker *worker)
{
    const struct crew *crew = worker->scheme;
    return (int)(worker - crew->workers);
}

bool crew_cancelled(const struct worker *worker)
{
    const struct crew *crew = worker->scheme;
    return job_is_cancelled(pool_current(crew->pool, crew_thread(worker)));
}

void crew_resume(struct worker *worker, const struct job *outer)
{
    worker->stopped = control_stopped(worker->control) || job_is_cancelled(outer);
}

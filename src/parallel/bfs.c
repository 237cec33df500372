/* bfs.c - split=bfs: the tree is grown breadth first until a level has enough nodes, and these are dealt out
 * in cap chunks, one after another in their order; below, each is searched sequentially with the full window.
 * What the report on chess proposed for later: a cap on the number of pieces of work, whatever the number of
 * moves.
 *
 * Shared: the nodes of the last level. Each belongs to one chunk, whose thread alone writes its value; the
 * owner reads them when the job is done. */
#include "parallel/crew.h"

#include <stdlib.h>

/* Nodes a chunk should have, so that its parts even out. */
enum { NODES_PER_CHUNK = 8 };

struct bfs_node {
    int parent; /* -1 at the root */
    mp_move move;
    int ply;
    bool expanded; /* its children are in the tree */
    bool settled;  /* the value is known without a search */
    mp_value value;
    int best_child;
};

struct bfs {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    int depth, chunks;
    struct bfs_node *nodes;
    int count, capacity;
    int level; /* the first node of the last level */
};

/* Plays the line that leads to a node. */
static void replay(const struct bfs *bfs, struct worker *w, int index)
{
    const struct bfs_node *node = &bfs->nodes[index];
    if (node->parent < 0)
        return;
    replay(bfs, w, node->parent);
    worker_play(w, node->ply - 1, node->move);
}

static bool append(struct bfs *bfs, struct bfs_node node)
{
    if (bfs->count == bfs->capacity) {
        int capacity = bfs->capacity ? 2 * bfs->capacity : 1024;
        struct bfs_node *nodes = realloc(bfs->nodes, (size_t)capacity * sizeof *nodes);
        if (!nodes)
            return false;
        bfs->nodes = nodes;
        bfs->capacity = capacity;
    }
    bfs->nodes[bfs->count++] = node;
    return true;
}

/* Adds the children of a node, or settles it. Where the dice decide, it stays as it is. */
static bool expand(struct bfs *bfs, int index)
{
    struct worker *w = &bfs->crew->workers[0];
    int ply = bfs->nodes[index].ply;
    mp_value value;
    replay(bfs, w, index);
    if (worker_is_chance(w, ply))
        return true;
    bool ok = true;
    bfs->nodes[index].settled = worker_settled(w, ply, &value);
    struct move_list list = worker_list(w, ply);
    if (!bfs->nodes[index].settled && list.count == 0) {
        bfs->nodes[index].settled = true;
        value = worker_final(w, ply);
    }
    bfs->nodes[index].value = value;
    if (!bfs->nodes[index].settled) {
        bfs->nodes[index].expanded = true;
        for (int i = 0; i < list.count && ok; i++)
            ok = append(bfs, (struct bfs_node){.parent = index, .move = list.moves[i], .ply = ply + 1});
    }
    worker_drop(w, list);
    return ok;
}

static bool grow(struct bfs *bfs)
{
    int wanted = bfs->chunks * NODES_PER_CHUNK;
    bool ok = append(bfs, (struct bfs_node){.parent = -1});
    for (int ply = 0; ok && ply < bfs->depth && bfs->count - bfs->level < wanted; ply++) {
        int end = bfs->count;
        for (int i = bfs->level; i < end && ok; i++)
            ok = expand(bfs, i);
        if (bfs->count == end)
            break;
        bfs->level = end;
    }
    return ok;
}

static void search_chunk(struct job *job, int thread, int chunk)
{
    struct bfs *bfs = (struct bfs *)job;
    struct worker *w = &bfs->crew->workers[thread];
    /* Nodes left behind on earlier levels belong to the first chunk. */
    int size = bfs->count - bfs->level;
    int first = chunk == 0 ? 0 : bfs->level + (int)((int64_t)size * chunk / bfs->chunks);
    int end = bfs->level + (int)((int64_t)size * (chunk + 1) / bfs->chunks);
    for (int i = first; i < end && !w->stopped; i++) {
        struct bfs_node *node = &bfs->nodes[i];
        if (node->expanded || node->settled)
            continue;
        replay(bfs, w, i);
        int depth = bfs->depth - node->ply;
        node->value = depth ? w->settings->search(w, node->ply, depth, -MP_INFINITE, MP_INFINITE)
                            : worker_leaf(w, node->ply);
    }
    if (w->stopped)
        crew_discard(w);
}

/* Parents come before their children, so one pass from the end is enough; of equal children the first
 * wins. */
static void back_up(struct bfs *bfs)
{
    for (int i = 0; i < bfs->count; i++)
        if (bfs->nodes[i].expanded)
            bfs->nodes[i].value = -MP_INFINITE;
    for (int i = bfs->count - 1; i > 0; i--) {
        struct bfs_node *parent = &bfs->nodes[bfs->nodes[i].parent];
        if (-bfs->nodes[i].value >= parent->value) {
            parent->value = -bfs->nodes[i].value;
            parent->best_child = i;
        }
    }
}

static bool iterate(void *context, int depth, const struct iteration *previous, struct iteration *found)
{
    (void)previous;
    struct crew *crew = context;
    struct bfs bfs = {.crew = crew, .depth = depth};
    bfs.chunks = crew->options.cap ? crew->options.cap : crew->threads;
    bool ok = grow(&bfs) && !control_stopped(crew->workers[0].control);
    if (ok) {
        bfs.job.run = search_chunk;
        bfs.job.count = bfs.chunks;
        bfs.job.place = (struct place){.state = crew->workers[0].line.states, .depth = depth};
        pool_run(crew->pool, 0, &bfs.job);
        ok = !control_stopped(crew->workers[0].control);
    }
    if (ok) {
        back_up(&bfs);
        found->value = bfs.nodes[0].value;
        found->pv_length = 0;
        for (const struct bfs_node *node = bfs.nodes; node->expanded;) {
            node = &bfs.nodes[node->best_child];
            found->pv[found->pv_length++] = node->move;
        }
    }
    free(bfs.nodes);
    return ok;
}

const struct scheme scheme_bfs = {
    .name = "bfs",
    .summary = "the nodes of a level, found breadth first, dealt out in cap=n chunks",
    .keys = SCHEME_CAP,
    .shares = WORK_PLAIN | WORK_BOUNDS,
    .isolates = true,
    .iterate = iterate,
};

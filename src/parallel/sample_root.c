/* sample_root.c - split=root: many trees from one root, whose moves are merged in the end (root
 * parallelisation, Chaslot, Winands and van den Herik 2008).
 *
 * Without chunk= the iterations are dealt out evenly, a tree for each thread. With chunk=n every n iterations
 * grow a tree of their own, whoever makes them: which trees there are, and so the result, does not depend on
 * the threads. Their roots are kept as rows and merged at the end of a round, by one thread or
 * (merge=parallel) in groups of ten by all. Sums of whole numbers do not depend on their order.
 *
 * A task owns its tree (or, with chunks, its thread does) and its row while it runs; the end of a job
 * publishes them to the thread that opened it (pool.h). */
#include "parallel/crew.h"
#include "search/mcts.h"

#include "base/random.h"

#include <stdlib.h>

/* ---- A tree for each thread ------------------------------------------------------------------------ */

struct deal {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    struct mcts *mcts;
    uint64_t count;
};

static void grow_one(struct job *job, int thread, int task)
{
    struct deal *deal = (struct deal *)job;
    struct mcts *mcts = deal->mcts;
    struct mcts_tree *tree = &mcts->trees[task];
    uint64_t share = deal->count / (uint64_t)job->count +
                     ((uint64_t)task < deal->count % (uint64_t)job->count);
    tree->iterations += mcts_iterate_many(mcts, tree, &tree->arenas[0], &deal->crew->workers[thread],
                                          tree->iterations, share);
}

static void deal_evenly(struct crew *crew, struct mcts *mcts, uint64_t count)
{
    struct deal deal = {.crew = crew, .mcts = mcts, .count = count};
    deal.job.run = grow_one;
    deal.job.count = mcts->tree_count;
    crew_run(crew, &deal.job);
    mcts_clear_choices(mcts, mcts->choices);
    for (int i = 0; i < mcts->tree_count; i++)
        mcts_add_choices(&mcts->trees[i], mcts->choices);
}

/* ---- A tree for each chunk ------------------------------------------------------------------------- */

enum { MOST_ROWS = 4096, GROUP = 10 };

struct chunks {
    struct job job; /* first: the one is found from the other */
    struct crew *crew;
    struct mcts *mcts;
    uint64_t first_chunk;
    uint64_t count; /* iterations, of all chunks */
    struct mcts_choice *rows;
    int row_count;
    int stride; /* merging: rows that are merged already */
};

static struct mcts_choice *row(const struct chunks *chunks, int i)
{
    return chunks->rows + (size_t)i * (size_t)chunks->mcts->choice_count;
}

static void grow_chunk(struct job *job, int thread, int task)
{
    struct chunks *chunks = (struct chunks *)job;
    struct crew *crew = chunks->crew;
    struct mcts *mcts = chunks->mcts;
    struct mcts_tree *tree = &mcts->trees[thread];
    struct worker *w = &crew->workers[thread];
    uint64_t size = (uint64_t)crew->options.chunk, before = (uint64_t)task * size;
    if (w->stopped)
        return;
    mcts_restart(mcts, tree, w);
    tree->stream = random_at(mcts->root_key, chunks->first_chunk + (uint64_t)task);
    mcts_iterate_many(mcts, tree, &tree->arenas[0], w, 0,
                      chunks->count - before < size ? chunks->count - before : size);
    mcts_add_choices(tree, row(chunks, task));
}

static void merge_group(struct job *job, int thread, int task)
{
    (void)thread;
    struct chunks *chunks = (struct chunks *)job;
    int base = task * GROUP * chunks->stride;
    for (int i = base + chunks->stride; i < chunks->row_count && i < base + GROUP * chunks->stride;
         i += chunks->stride)
        mcts_merge_choices(row(chunks, base), row(chunks, i), chunks->mcts->choice_count);
}

/* Merges all rows into the first. */
static void merge_rows(struct chunks *chunks)
{
    if (!chunks->crew->options.merge_parallel) {
        for (int i = 1; i < chunks->row_count; i++)
            mcts_merge_choices(row(chunks, 0), row(chunks, i), chunks->mcts->choice_count);
        return;
    }
    for (chunks->stride = 1; chunks->stride < chunks->row_count; chunks->stride *= GROUP) {
        int width = GROUP * chunks->stride;
        chunks->job.run = merge_group;
        chunks->job.count = (chunks->row_count + width - 1) / width;
        crew_run(chunks->crew, &chunks->job);
    }
}

static void deal_chunks(struct crew *crew, struct mcts *mcts, uint64_t count)
{
    uint64_t size = (uint64_t)crew->options.chunk, left = (count + size - 1) / size;
    uint64_t most = left < MOST_ROWS ? left : MOST_ROWS;
    struct chunks chunks = {.crew = crew, .mcts = mcts, .count = count, .first_chunk = mcts->chunks_begun};
    chunks.rows = malloc(most * (size_t)mcts->choice_count * sizeof *chunks.rows);
    while (chunks.rows && left > 0 && !control_stopped(crew->workers[0].control)) {
        chunks.row_count = (int)(left < most ? left : most);
        for (int i = 0; i < chunks.row_count; i++)
            mcts_clear_choices(mcts, row(&chunks, i));
        chunks.job.run = grow_chunk;
        chunks.job.count = chunks.row_count;
        crew_run(crew, &chunks.job);
        merge_rows(&chunks);
        mcts_merge_choices(mcts->choices, row(&chunks, 0), mcts->choice_count);
        uint64_t rows = (uint64_t)chunks.row_count;
        left -= rows;
        chunks.first_chunk += rows;
        chunks.count -= rows * size < chunks.count ? rows * size : chunks.count;
    }
    mcts->chunks_begun = chunks.first_chunk;
    free(chunks.rows);
}

static void sample(struct crew *crew, struct mcts *mcts, uint64_t count)
{
    if (crew->options.chunk)
        deal_chunks(crew, mcts, count);
    else
        deal_evenly(crew, mcts, count);
}

const struct scheme scheme_root = {
    .name = "root",
    .summary = "mcts: every thread has a tree, or every chunk=n iterations; their roots are merged",
    .keys = SCHEME_CHUNK | SCHEME_MERGE,
    .shares = WORK_SAMPLES,
    .in_report = true,
    .sample = sample,
    .tree_each = true,
};

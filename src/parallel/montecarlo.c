/* montecarlo.c - makes the trees of a Monte-Carlo search, runs it in rounds and reports its results. */
#include "parallel/montecarlo.h"

#include "search/mcts.h"

#include <stdlib.h>

bool montecarlo_init(struct crew *crew, const struct mp_game *game, const struct strategy *s,
                     struct mp_error *error)
{
    crew->mcts = calloc(1, sizeof *crew->mcts);
    if (!crew->mcts)
        return mp_fail(error, "out of memory");
    bool chunks = s->scheme_options.chunk > 0;
    bool keeps = s->settings.mcts.reuse && !chunks;
    return mcts_init(crew->mcts, game, &s->settings, s->scheme->tree_each ? s->threads : 1,
                     s->scheme->tree_shared ? s->threads : 1, keeps, error);
}

void montecarlo_free(struct crew *crew)
{
    if (crew->mcts)
        mcts_free(crew->mcts);
    free(crew->mcts);
}

void montecarlo_forget(struct crew *crew)
{
    for (int i = 0; crew->mcts && i < crew->mcts->tree_count; i++)
        crew->mcts->trees[i].root = 0;
}

static uint64_t iterations_made(const struct crew *crew)
{
    uint64_t made = 0;
    for (int i = 0; i < crew->threads; i++)
        made += crew->workers[i].counters.iterations;
    return made;
}

static int deepest(const struct crew *crew)
{
    int ply = 0;
    for (int i = 0; i < crew->threads; i++)
        if (crew->workers[i].counters.max_ply > ply)
            ply = crew->workers[i].counters.max_ply;
    return ply;
}

/* The best line, after the others have been reported. */
static void conclude(struct crew *crew, int lines, void (*report)(void *report_context), void *report_context,
                     struct mp_result *result)
{
    struct mcts *mcts = crew->mcts;
    struct mp_result best = *result;
    for (int i = 0; i < mcts->choice_count; i++)
        mcts->choices[i].told = false;
    for (int line = 1; line <= lines && mcts_conclude(mcts, result); line++) {
        result->depth = deepest(crew) + 1;
        result->line = line;
        if (line == 1)
            best = *result;
        if (report)
            report(report_context);
    }
    *result = best;
}

bool montecarlo_run(struct crew *crew, uint64_t iterations, int lines, void (*report)(void *report_context),
                    void *report_context, struct mp_result *result, struct mp_error *error)
{
    enum { FIRST_STAGE = 1000 };
    struct worker *first = &crew->workers[0];
    if (!mcts_begin(crew->mcts, first, crew->history, error))
        return false;
    crew_wake(crew);
    for (uint64_t made = 0, stage = FIRST_STAGE; made < iterations; stage = made) {
        uint64_t count = stage < iterations - made ? stage : iterations - made;
        crew->scheme->sample(crew, count);
        uint64_t now = iterations_made(crew);
        bool enough = now - made < count;
        made = now;
        conclude(crew, lines, report, report_context, result);
        if (enough || result->exact)
            break;
    }
    if (result->depth == 0)
        driver_guess(first, result);
    result->complete = result->exact;
    result->stopped = control_stopped(first->control) && !result->exact;
    return true;
}

/* One thread, one tree. */
void sample_none(struct crew *crew, uint64_t count)
{
    struct mcts *mcts = crew->mcts;
    struct mcts_tree *tree = &mcts->trees[0];
    tree->iterations += mcts_iterate_many(mcts, tree, &tree->arenas[0], &crew->workers[0], tree->iterations,
                                          count);
    mcts_clear_choices(mcts, mcts->choices);
    mcts_add_choices(tree, mcts->choices);
}

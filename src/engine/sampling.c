/* sampling.c - the driver of Monte-Carlo searches: iterations in stages, each as long as all before it, until there are
 * enough, a limit is reached or the root is proven. After each stage it tells the best lines. */
#include "engine/engine.h"

#include "search/mcts.h"

#include <stdlib.h>

/* The trees, which are kept from run to run. */
static bool open(struct mp_search *s, struct mp_error *error)
{
    const struct plan *plan = &s->strategy->plan;
    struct mcts *mcts = s->data = calloc(1, sizeof *mcts);
    if (!mcts)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    bool keeps = plan->settings.mcts.reuse && !plan->scheme_options.chunk;
    return mcts_init(mcts, engine_game(s), &plan->settings, plan->scheme->tree_each ? s->crew.threads : 1,
                     plan->scheme->tree_shared ? s->crew.threads : 1, keeps, error) &&
           (!plan->scheme->open || plan->scheme->open(&s->crew, mcts, error));
}

static void close(struct mp_search *s)
{
    const struct scheme *scheme = s->crew.scheme;
    if (s->data && scheme->close)
        scheme->close(s->data);
    if (s->data)
        mcts_free(s->data);
    free(s->data);
}

static void forget(struct mp_search *s)
{
    struct mcts *mcts = s->data;
    for (int i = 0; i < mcts->tree_count; i++)
        mcts->trees[i].root = 0;
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
static void conclude(const struct mp_search *s, const struct request *request, struct mp_result *result)
{
    struct mcts *mcts = s->data;
    struct mp_result best = *result;
    for (int i = 0; i < mcts->choice_count; i++)
        mcts->choices[i].told = false;
    for (int line = 1; line <= request->lines && mcts_conclude(mcts, result); line++) {
        result->depth = deepest(&s->crew) + 1;
        result->line = line;
        if (line == 1)
            best = *result;
        request->report(request->context);
    }
    *result = best;
}

static bool run(struct mp_search *s, const struct request *request, struct mp_result *result,
                struct mp_error *error)
{
    enum { FIRST_STAGE = 1000 };
    struct crew *crew = &s->crew;
    struct mcts *mcts = s->data;
    if (!mcts_begin(s->data, &crew->workers[0], crew->history, error))
        return false;
    crew_wake(crew);
    for (uint64_t made = 0, stage = FIRST_STAGE; made < request->iterations; stage = made) {
        uint64_t left = request->iterations - made, count = stage < left ? stage : left;
        crew->scheme->sample(crew, s->data, count);
        if (mcts->failure.code != MP_ERROR_NONE) {
            forget(s); /* some of its iterations never came back */
            return mp_fail_with(error, mcts->failure.code, "%s", mcts->failure.text);
        }
        uint64_t now = iterations_made(crew);
        bool enough = now - made < count;
        made = now;
        conclude(s, request, result);
        if (enough || result->exact)
            break;
    }
    if (result->depth == 0)
        iteration_guess(&crew->workers[0], result);
    result->complete = result->exact;
    result->stopped = control_stopped(&s->control) && !result->exact;
    return true;
}

struct onlooker {
    void (*see)(void *context, const struct mp_piece *piece, const void *state);
    void *context;
};

static void see_node(void *context, const struct mcts_shown *node, const void *state)
{
    const struct onlooker *o = context;
    const struct mp_piece piece = {.struct_size = sizeof piece,
                                   .kind = MP_PIECE_GROWN,
                                   .id = (uint64_t)node->id,
                                   .parent = (uint64_t)node->parent,
                                   .nodes = node->visits,
                                   .ply = node->ply,
                                   .has_move = true,
                                   .move = node->move,
                                   .has_value = true,
                                   .value = node->value};
    o->see(o->context, &piece, state);
}

static int show(const struct mp_search *s, int most,
                void (*see)(void *context, const struct mp_piece *piece, const void *state), void *context)
{
    struct onlooker onlooker = {see, context};
    return mcts_show(s->data, &s->crew.workers[0], most, see_node, &onlooker);
}

const struct driver sampling = {.open = open, .close = close, .forget = forget, .show = show, .run = run};

/* sample_plan.c - the master of a Monte-Carlo search, and what its ranks do. */
#include "cluster/sample_plan.h"

#include "base/clock.h"
#include "base/text.h"
#include "engine/engine.h"
#include "search/mcts.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS_APART = 1000 }; /* between the seeds of two runs: more than there are ranks */

struct sample_plan {
    struct ledger *ledger;
    struct mp_search
        *search; /* the master's own, for the moves of the root and what follows from their sums */
    uint64_t seed, goal, slice, handed, before;
    double seconds;
    int64_t start_ns;
    int run, jobs; /* which of the ledger this is; on their way */
    uint64_t last_job;
    int ranks;
    char **told;  /* what each rank last told; null: nothing */
    char **older; /* what the ranks of earlier runs last told */
    int older_count;
};

/* ---- What is known of the root ------------------------------------------------------------------------- */

static struct mcts *mcts_of(struct mp_search *search)
{
    return search->data;
}

static void describe_choices(const struct mcts *m, char text[CLUSTER_TEXT])
{
    for (int i = 0; i < m->choice_count; i++) {
        const struct mcts_choice *c = &m->choices[i];
        if (c->visits > 0 || c->low == c->high)
            text_append(text, CLUSTER_TEXT, " %d:%llu:%lld:%d:%d", i, (unsigned long long)c->visits,
                        (long long)c->sum, c->low, c->high);
    }
}

/* Adds what a rank told to the choices; returns the visits. */
static uint64_t add_told(struct mcts *m, const char *text)
{
    unsigned long long visits;
    long long sum;
    int place, length;
    uint64_t total = 0;
    struct mcts_choice c = {0};
    while (sscanf(text, " %d:%llu:%lld:%d:%d%n", &place, &visits, &sum, &c.low, &c.high, &length) == 5) {
        c.visits = visits;
        c.sum = sum;
        total += visits;
        if (place >= 0 && place < m->choice_count)
            mcts_merge_choices(&m->choices[place], &c, 1);
        text += length;
    }
    return total;
}

static uint64_t add_up(struct sample_plan *p, uint64_t *from_ledger)
{
    struct mcts *m = mcts_of(p->search);
    uint64_t total = 0;
    mcts_clear_choices(m, m->choices);
    for (int i = 0; i < p->older_count; i++)
        total += add_told(m, p->older[i]);
    *from_ledger = total;
    for (int i = 0; i < p->ranks; i++)
        if (p->told[i])
            total += add_told(m, p->told[i]);
    return total;
}

bool sample_plan_result(struct sample_plan *p, struct mp_result *result, uint64_t *iterations,
                        uint64_t *from_ledger)
{
    *iterations = add_up(p, from_ledger);
    return mcts_conclude(mcts_of(p->search), result);
}

/* ---- The master ---------------------------------------------------------------------------------------- */

static bool recall(struct sample_plan *p, struct mp_error *error)
{
    char key[64];
    const char *told;
    for (bool found = true; found; p->run += found) {
        found = false;
        for (int rank = 0; rank < RUNS_APART; rank++) {
            snprintf(key, sizeof key, "run %d rank %d", p->run, rank);
            if (!(told = ledger_find(p->ledger, key)))
                continue;
            char **older = realloc(p->older, ((size_t)p->older_count + 1) * sizeof *older);
            if (!older || !(older[p->older_count] = strdup(told)))
                return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
            p->older = older;
            p->older_count++;
            found = true;
        }
    }
    return true;
}

/* The moves of the root, and the scale of rewards: from a search of one iteration. */
static bool look_at_root(struct sample_plan *p, const struct mp_position *position,
                         const struct mp_strategy *strategy, struct mp_error *error)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    char text[32] = "1";
    struct mp_strategy *own = mp_strategy_copy(strategy, error);
    bool ok = own && mp_strategy_set(own, "split", NULL, error) &&
              mp_strategy_set(own, "time", NULL, error) && mp_strategy_set(own, "iterations", "1", error) &&
              (p->search = mp_search_with(own, error)) &&
              mp_search_run(p->search, position, NULL, NULL, &result, error);
    if (ok && mp_strategy_get(own, "seed", text, sizeof text))
        p->seed = strtoull(text, NULL, 10);
    mp_strategy_free(own);
    return ok;
}

struct sample_plan *sample_plan_new(const struct mp_position *position, const struct mp_strategy *strategy,
                                    int ranks, uint64_t iterations, uint64_t slice, double seconds,
                                    struct ledger *ledger, struct mp_error *error)
{
    struct sample_plan *p = calloc(1, sizeof *p);
    bool ok = p && (p->told = calloc((size_t)ranks, sizeof *p->told));
    if (!ok)
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    if (ok) {
        p->ledger = ledger;
        p->goal = iterations;
        p->slice = slice;
        p->seconds = seconds;
        p->start_ns = clock_ns();
        p->ranks = ranks;
        ok = recall(p, error) && look_at_root(p, position, strategy, error);
    }
    if (ok) {
        p->handed = add_up(p, &p->before);
        return p;
    }
    sample_plan_free(p);
    return NULL;
}

void sample_plan_free(struct sample_plan *p)
{
    if (!p)
        return;
    for (int i = 0; p->told && i < p->ranks; i++)
        free(p->told[i]);
    for (int i = 0; i < p->older_count; i++)
        free(p->older[i]);
    free(p->told);
    free(p->older);
    mp_search_free(p->search);
    free(p);
}

static bool is_enough(const struct sample_plan *p)
{
    return p->seconds > 0 ? clock_seconds_since(p->start_ns) >= p->seconds : p->handed >= p->goal;
}

static bool next(void *master, struct farm *farm, uint64_t *id, char job[CLUSTER_TEXT])
{
    struct sample_plan *p = master;
    (void)farm;
    if (is_enough(p))
        return false;
    p->handed += p->slice;
    p->jobs++;
    *id = ++p->last_job;
    snprintf(job, CLUSTER_TEXT, "%llu", (unsigned long long)(p->seed + (uint64_t)p->run * RUNS_APART));
    return true;
}

static bool take(void *master, struct farm *farm, uint64_t id, const char *result, uint64_t nodes,
                 struct mp_error *error)
{
    struct sample_plan *p = master;
    char key[64], *text;
    (void)farm;
    (void)id;
    (void)nodes;
    p->jobs--;
    long rank = strtol(result, &text, 10);
    if (!*result || rank < 0 || rank >= p->ranks)
        return !*result || mp_fail(error, "a rank called itself %ld, expected less than %d", rank, p->ranks);
    free(p->told[rank]);
    if (!(p->told[rank] = strdup(text)))
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    snprintf(key, sizeof key, "run %d rank %ld", p->run, rank);
    return ledger_add(p->ledger, key, text, error);
}

static bool is_done(void *master)
{
    const struct sample_plan *p = master;
    return is_enough(p) && p->jobs == 0;
}

const struct farm_plan sample_farm = {.jobs_per_rank = 1, .next = next, .take = take, .is_done = is_done};

/* ---- A rank -------------------------------------------------------------------------------------------- */

static struct mp_search *make_search(const struct sample_hand *s, uint64_t seed, struct mp_error *error)
{
    struct mp_strategy *own = mp_strategy_copy(s->strategy, error);
    struct mp_search *search = NULL;
    if (own && mp_strategy_set_number(own, "seed", (int64_t)(seed + (uint64_t)s->rank), error))
        search = mp_search_with(own, error);
    mp_strategy_free(own);
    return search;
}

static bool run(void *self, struct hand *hand, const char *job, char text[CLUSTER_TEXT], uint64_t *nodes,
                struct mp_error *error)
{
    struct sample_hand *s = self;
    struct mp_result result = {MP_SIZE(struct mp_result)};
    (void)hand;
    if (!s->search)
        s->search = make_search(s, strtoull(job, NULL, 10), error);
    if (!s->search || !mp_search_run(s->search, s->position, NULL, NULL, &result, error))
        return false;
    *nodes = result.counters.iterations;
    snprintf(text, CLUSTER_TEXT, "%d", s->rank);
    describe_choices(mcts_of(s->search), text);
    return true;
}

static void stop(void *self)
{
    struct mp_search *search = ((struct sample_hand *)self)->search;
    if (search)
        mp_search_stop(search);
}

static void unstop(void *self)
{
    struct mp_search *search = ((struct sample_hand *)self)->search;
    if (search)
        mp_search_clear_stop(search);
}

const struct hand_skill sample_skill = {run, stop, unstop};

/* search_plan.c - the master of an exact search, and what its ranks do. */
#include "cluster/search_plan.h"

#include "base/text.h"
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

struct search_plan {
    const struct mp_position *position;
    struct ledger *ledger;
    struct tree *tree;
    struct mp_search *order; /* the master's own, on one thread with a small table */
    uint64_t job_nodes, nodes, last_job;
    int leaf_depth;
    struct farm *farm;
    struct mp_error error; /* of something that has no other way to tell */
    bool is_failed;
};

/* ---- How large jobs are -------------------------------------------------------------------------------- */

/* What is searched to choose the size of jobs, and at most to look at each move of the top: shares of a job. Most jobs take far
 * less than they may, having a window of one: with ten times this share the looks took 0.7 times the nodes of a search. */
enum { MEASURE_SHARE = 20, LEAST_MEASURED = 2000, ORDER_SHARE = 4000, MOST_ORDER = 100000 };

struct measure {
    uint64_t nodes[MP_MAX_DEPTH + 1]; /* up to each depth */
    int depth;
    mp_value value;
};

static void note_depth(const struct mp_result *so_far, void *context)
{
    struct measure *m = context;
    m->depth = so_far->depth;
    m->nodes[m->depth] = so_far->counters.nodes;
    m->value = so_far->value;
}

/* What a search to a depth takes, as far as it has been seen, and from there on as it has grown over two plies: odd and even
 * depths differ. */
static double expected_nodes(const struct measure *m, int depth)
{
    enum { GROWTH = 25 }; /* where too little has been seen */
    if (depth <= m->depth)
        return depth > 0 ? (double)m->nodes[depth] : 1;
    double growth = m->depth >= 3 ? (double)m->nodes[m->depth] / (double)m->nodes[m->depth - 2] : GROWTH;
    return depth > 1 ? expected_nodes(m, depth - 2) * growth : GROWTH;
}

/* The deepest search that a job should be, from a look at the root; an eldest leaf, with an open window, is like it. Never
 * the whole depth: then there would be one job. */
static bool measure(struct search_plan *p, int depth, int *order_depth, mp_value *guess,
                    struct mp_error *error)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct measure m = {0};
    uint64_t nodes = p->job_nodes / MEASURE_SHARE;
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = depth > 1 ? depth - 1 : 1,
                               .nodes = nodes > LEAST_MEASURED ? nodes : LEAST_MEASURED};
    if (!mp_search_run_within(p->order, p->position, &limits, note_depth, &m, &result, error))
        return false;
    *guess = result.value;
    *order_depth = 0;
    p->nodes += result.counters.nodes;
    p->leaf_depth = 1;
    for (int d = 1; d < depth; d++) {
        if (expected_nodes(&m, d) <= (double)p->job_nodes)
            p->leaf_depth = d;
        double order_nodes = (double)p->job_nodes / ORDER_SHARE;
        if (expected_nodes(&m, d) <= (order_nodes < MOST_ORDER ? order_nodes : MOST_ORDER))
            *order_depth = d;
    }
    return true;
}

/* ---- The ledger ---------------------------------------------------------------------------------------- */

static void key_of(const mp_move *path, int length, int depth, char key[CLUSTER_TEXT])
{
    snprintf(key, CLUSTER_TEXT, "%d", depth);
    for (int i = 0; i < length; i++)
        text_append(key, CLUSTER_TEXT, " %llu", (unsigned long long)path[i]);
}

static void recall(void *context, const mp_move *path, int length, struct tree_node *leaf)
{
    const struct search_plan *p = context;
    char key[CLUSTER_TEXT];
    int low, high;
    key_of(path, length, leaf->depth, key);
    const char *value = ledger_find(p->ledger, key);
    if (!value)
        return;
    if (!strcmp(value, "large")) {
        leaf->is_large = true;
    } else if (sscanf(value, "%d %d", &low, &high) == 2) {
        leaf->low = low > leaf->low ? low : leaf->low;
        leaf->high = high < leaf->high ? high : leaf->high;
    }
}

/* All that is known of a leaf: the last record of a key counts. */
static bool keep(struct search_plan *p, int node, struct mp_error *error)
{
    mp_move path[TREE_PATH];
    char key[CLUSTER_TEXT], value[64];
    const struct tree_node *n = tree_at(p->tree, node);
    key_of(path, tree_path(p->tree, node, path), n->depth, key);
    if (n->is_large)
        strcpy(value, "large");
    else
        snprintf(value, sizeof value, "%d %d", n->low, n->high);
    return ledger_add(p->ledger, key, value, error);
}

/* The size of jobs is a matter of the ledger, too: with another size its leaves would be of no use. */
static bool choose_size(struct search_plan *p, int depth, int *order_depth, mp_value *guess,
                        struct mp_error *error)
{
    char text[96];
    const char *kept = ledger_find(p->ledger, "leaf depth, order depth, guess");
    if (kept && sscanf(kept, "%d %d %d", &p->leaf_depth, order_depth, guess) == 3)
        return true;
    if (!measure(p, depth, order_depth, guess, error))
        return false;
    snprintf(text, sizeof text, "%d %d %d", p->leaf_depth, *order_depth, *guess);
    return ledger_add(p->ledger, "leaf depth, order depth, guess", text, error);
}

/* ---- The master ---------------------------------------------------------------------------------------- */

/* A search of the same kind for one thread. */
static struct mp_search *make_order(const struct mp_strategy *strategy, struct mp_error *error)
{
    struct mp_strategy *own = mp_strategy_copy(strategy, error);
    struct mp_search *search = NULL;
    if (own && mp_strategy_set(own, "split", NULL, error) &&
        (!mp_strategy_has(own, "hash") || mp_strategy_set(own, "hash", "4", error)))
        search = mp_search_with(own, error);
    mp_strategy_free(own);
    return search;
}

struct search_plan *search_plan_new(const struct mp_position *position, const struct mp_strategy *strategy,
                                    int depth, uint64_t job_nodes, struct ledger *ledger,
                                    struct mp_error *error)
{
    struct search_plan *p = calloc(1, sizeof *p);
    int order_depth;
    mp_value guess;
    if (!p) {
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    p->position = position;
    p->ledger = ledger;
    p->job_nodes = job_nodes;
    p->order = make_order(strategy, error);
    if (p->order && choose_size(p, depth, &order_depth, &guess, error))
        p->tree = tree_new(position, depth, p->leaf_depth, p->order, order_depth, recall, p, error);
    if (p->tree) {
        tree_guess(p->tree, guess);
        return p;
    }
    search_plan_free(p);
    return NULL;
}

void search_plan_free(struct search_plan *p)
{
    if (!p)
        return;
    tree_free(p->tree);
    mp_search_free(p->order);
    free(p);
}

bool search_plan_value(const struct search_plan *p, mp_value *value, mp_move *move)
{
    return tree_is_solved(p->tree, value, move);
}

uint64_t search_plan_nodes(const struct search_plan *p)
{
    return p->nodes + tree_nodes(p->tree);
}

int search_plan_leaf_depth(const struct search_plan *p)
{
    return p->leaf_depth;
}

/* Jobs are numbered by the leaf and by how often there was one, so that an answer finds its leaf. */
static int node_of(uint64_t id)
{
    return (int)(id & 0xffffffff);
}

static bool next(void *master, struct farm *farm, uint64_t *id, char job[CLUSTER_TEXT])
{
    struct search_plan *p = master;
    mp_value alpha, beta;
    mp_move path[TREE_PATH];
    p->farm = farm;
    int node = tree_next(p->tree, false, &alpha, &beta, &p->error);
    if (node == -1)
        node = tree_next(p->tree, true, &alpha, &beta, &p->error);
    p->is_failed = p->is_failed || node == -2;
    if (node < 0)
        return false;
    struct tree_node *n = tree_at(p->tree, node);
    n->job = *id = ++p->last_job << 32 | (uint32_t)node;
    n->alpha = alpha;
    n->beta = beta;
    snprintf(job, CLUSTER_TEXT, "%d %d %d %llu", n->depth, alpha, beta,
             (unsigned long long)(tree_may_grow(p->tree, node) ? p->job_nodes : 0));
    int length = tree_path(p->tree, node, path);
    for (int i = 0; i < length; i++)
        text_append(job, CLUSTER_TEXT, " %llu", (unsigned long long)path[i]);
    return true;
}

/* What has become of the jobs on their way. A window that has grown wider is left as it is: what it finds is of use. */
static void review(void *context, int node, mp_value alpha, mp_value beta)
{
    struct search_plan *p = context;
    struct tree_node *n = tree_at(p->tree, node);
    char news[64];
    if (alpha >= beta) {
        farm_cancel(p->farm, n->job);
        return;
    }
    bool apart = alpha >= n->beta || beta <= n->alpha;
    mp_value from = apart || alpha > n->alpha ? alpha : n->alpha;
    mp_value to = apart || beta < n->beta ? beta : n->beta;
    if (from == n->alpha && to == n->beta)
        return;
    n->alpha = from;
    n->beta = to;
    snprintf(news, sizeof news, "%d %d", from, to);
    farm_tell(p->farm, n->job, news);
}

static bool take(void *master, struct farm *farm, uint64_t id, const char *result, uint64_t nodes,
                 struct mp_error *error)
{
    struct search_plan *p = master;
    struct tree_node *n = tree_at(p->tree, node_of(id));
    mp_value value, alpha, beta;
    (void)nodes;
    p->farm = farm;
    n->job = 0;
    if (!*result)
        return true;
    if (!strcmp(result, "large"))
        n->is_large = true;
    else if (sscanf(result, "%d %d %d", &value, &alpha, &beta) == 3)
        tree_take(p->tree, node_of(id), alpha, beta, value);
    else
        return mp_fail(error, "a rank answered '%.60s', expected three numbers", result);
    if (!keep(p, node_of(id), error))
        return false;
    tree_review(p->tree, review, p);
    if (p->is_failed)
        return mp_fail_with(error, MP_ERROR_MEMORY, "%s", p->error.text);
    return true;
}

static bool is_done(void *master)
{
    const struct search_plan *p = master;
    mp_value value;
    mp_move move;
    return p->is_failed || tree_is_solved(p->tree, &value, &move);
}

const struct farm_plan search_farm = {.jobs_per_rank = 1, .next = next, .take = take, .is_done = is_done};

/* ---- A rank -------------------------------------------------------------------------------------------- */

static struct mp_position *play_path(const struct mp_position *from, const char *path, struct mp_error *error)
{
    struct mp_position *position = mp_position_copy(from, error);
    for (char *end; position && *path; path = end) {
        mp_move move = strtoull(path, &end, 10);
        if (end == path || !mp_position_play(position, move, error)) {
            mp_position_free(position);
            return NULL;
        }
    }
    return position;
}

/* Searches until the window it was last told is done. A search that is told of a tighter window begins again, and finds in
 * the table what it knew. */
static bool search_leaf(struct leaf_search *s, struct hand *hand, const struct mp_position *position,
                        int depth, mp_value alpha, mp_value beta, uint64_t most, char *text, uint64_t *nodes,
                        struct mp_error *error)
{
    char news[CLUSTER_TEXT];
    *text = 0;
    for (;;) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        if (!engine_run_window(s->search, position, depth, most ? most - *nodes : 0, alpha, beta, &result,
                               error))
            return false;
        *nodes += result.counters.nodes;
        if (!result.stopped) {
            snprintf(text, CLUSTER_TEXT, "%d %d %d", result.value, alpha, beta);
            return true;
        }
        bool told;
        if (!hand_is_wanted(hand, &told, news))
            return true;
        if ((most && *nodes >= most) || (!told && most)) {
            strcpy(text, "large");
            return true;
        }
        if (told)
            sscanf(news, "%d %d", &alpha, &beta);
    }
}

static bool run(void *self, struct hand *hand, const char *job, char text[CLUSTER_TEXT], uint64_t *nodes,
                struct mp_error *error)
{
    struct leaf_search *s = self;
    int depth, length = 0;
    mp_value alpha, beta;
    unsigned long long most;
    if (sscanf(job, "%d %d %d %llu%n", &depth, &alpha, &beta, &most, &length) < 4)
        return mp_fail(error, "a job '%.60s', expected four numbers and moves", job);
    struct mp_position *position = play_path(s->position, job + length, error);
    bool ok = position && search_leaf(s, hand, position, depth, alpha, beta, most, text, nodes, error);
    mp_position_free(position);
    return ok;
}

static void stop(void *self)
{
    mp_search_stop(((struct leaf_search *)self)->search);
}

static void unstop(void *self)
{
    mp_search_clear_stop(((struct leaf_search *)self)->search);
}

const struct hand_skill leaf_skill = {run, stop, unstop};

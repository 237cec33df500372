/* tree.c - nodes in one list, children side by side in the order in which they are looked at. */
#include "cluster/tree.h"

#include "search/worker.h"

#include <stdlib.h>
#include <string.h>

struct tree {
    const struct mp_position *root;
    const struct mp_game *game;
    struct tree_node *nodes;
    int count, capacity;
    int leaf_depth, order_depth;
    int distance; /* 1 if proven values count plies, else 0 */
    mp_value
        most; /* no value is beyond it, or below its negative: with dice, the end is on the scale of evaluations */
    struct mp_search *order;
    uint64_t searched; /* nodes, to order moves */
    tree_recall *recall;
    void *context;
    mp_value guess;
    bool has_guess;
    uint64_t round;
    bool is_failed;
    struct mp_error *error;
};

/* ---- Values from one ply to the next -------------------------------------------------------------------- */

/* What a value of a child is for its parent: of the other side, and a proven end is a ply further off. */
static mp_value to_parent(const struct tree *t, const struct tree_node *parent, mp_value value)
{
    if (value >= MP_INFINITE || value <= -MP_INFINITE)
        return parent->is_chance ? value : -value;
    if (value > MP_PROVEN)
        value -= t->distance;
    else if (value < -MP_PROVEN)
        value += t->distance;
    return parent->is_chance ? value : -value;
}

/* The other way. */
static mp_value to_child(const struct tree *t, const struct tree_node *parent, mp_value value)
{
    if (!parent->is_chance)
        value = -value;
    if (value >= MP_INFINITE || value <= -MP_INFINITE)
        return value;
    if (value > MP_PROVEN)
        return value + t->distance;
    return value < -MP_PROVEN ? value - t->distance : value;
}

/* The bounds of a child as its parent sees them. */
static mp_value child_low(const struct tree *t, const struct tree_node *parent, const struct tree_node *child)
{
    return to_parent(t, parent, parent->is_chance ? child->low : child->high);
}

static mp_value child_high(const struct tree *t, const struct tree_node *parent,
                           const struct tree_node *child)
{
    return to_parent(t, parent, parent->is_chance ? child->high : child->low);
}

/* ---- Bounds -------------------------------------------------------------------------------------------- */

static void sum_children(const struct tree *t, const struct tree_node *n, int64_t *weights, int64_t *low,
                         int64_t *high)
{
    *weights = *low = *high = 0;
    for (int i = 0; i < n->count; i++) {
        const struct tree_node *child = &t->nodes[n->first + i];
        *weights += child->weight;
        *low += (int64_t)child->weight * child_low(t, n, child);
        *high += (int64_t)child->weight * child_high(t, n, child);
    }
}

/* The bounds that follow from those of the children. They never widen. */
static void tighten(const struct tree *t, struct tree_node *n)
{
    mp_value low = -MP_INFINITE, high = -MP_INFINITE;
    if (n->is_chance) {
        int64_t weights, low_sum, high_sum;
        sum_children(t, n, &weights, &low_sum, &high_sum);
        low = mean_value(low_sum, weights);
        high = mean_value(high_sum, weights);
    } else {
        for (int i = 0; i < n->count; i++) {
            const struct tree_node *child = &t->nodes[n->first + i];
            mp_value least = child_low(t, n, child), most = child_high(t, n, child);
            low = least > low ? least : low;
            high = most > high ? most : high;
        }
    }
    n->low = low > n->low ? low : n->low;
    n->high = high < n->high ? high : n->high;
}

static void tighten_above(struct tree *t, int node)
{
    for (int at = t->nodes[node].parent; at >= 0; at = t->nodes[at].parent)
        tighten(t, &t->nodes[at]);
}

void tree_take(struct tree *t, int node, mp_value alpha, mp_value beta, mp_value value)
{
    struct tree_node *n = &t->nodes[node];
    if (value > alpha && value > n->low)
        n->low = value;
    if (value < beta && value < n->high)
        n->high = value;
    tighten_above(t, node);
}

bool tree_is_solved(const struct tree *t, mp_value *value, mp_move *move)
{
    const struct tree_node *root = &t->nodes[0];
    if (root->low < root->high)
        return false;
    *value = root->low;
    *move = MP_NO_MOVE;
    for (int i = 0; i < root->count && *move == MP_NO_MOVE; i++)
        if (child_low(t, root, &t->nodes[root->first + i]) == root->low)
            *move = t->nodes[root->first + i].move;
    return true;
}

/* ---- Growing ------------------------------------------------------------------------------------------- */

int tree_path(const struct tree *t, int node, mp_move path[TREE_PATH])
{
    int length = 0;
    for (int at = node; t->nodes[at].parent >= 0; at = t->nodes[at].parent)
        length++;
    for (int at = node, i = length; t->nodes[at].parent >= 0; at = t->nodes[at].parent)
        path[--i] = t->nodes[at].move;
    return length;
}

static bool fail(struct tree *t, const char *why)
{
    if (!t->is_failed)
        mp_fail_with(t->error, MP_ERROR_MEMORY, "%s", why);
    t->is_failed = true;
    return false;
}

/* The position of a node; null: no memory. */
static struct mp_position *position_of(const struct tree *t, int node)
{
    mp_move path[TREE_PATH];
    int length = tree_path(t, node, path);
    struct mp_position *position = mp_position_copy(t->root, NULL);
    for (int i = 0; position && i < length; i++)
        if (!mp_position_play(position, path[i], NULL)) {
            mp_position_free(position);
            position = NULL;
        }
    return position;
}

/* What the side to move may expect, from a look that costs little. */
static mp_value look_at(struct tree *t, const struct mp_position *position, int depth)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    mp_value value = 0;
    int plies = depth < t->order_depth ? depth : t->order_depth;
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = plies};
    if (t->order && plies > 0 && !mp_position_is_chance(position) &&
        mp_search_run_within(t->order, position, &limits, NULL, NULL, &result, NULL)) {
        t->searched += result.counters.nodes;
        return result.value;
    }
    mp_position_evaluate(position, NULL, &value, NULL);
    return value;
}

/* As a search sees a node: the end of the game or a draw has its value, whatever the depth. */
static void look_for_end(const struct mp_position *position, struct tree_node *n)
{
    if (mp_position_drawn(position))
        n->low = n->high = 0;
    else if (!n->is_chance && mp_position_moves(position, NULL, NULL, 0) == 0)
        n->low = n->high = mp_state_final_value(mp_position_game(position), mp_position_state(position), 0);
}

static bool reserve(struct tree *t, int more)
{
    enum { MOST = 1 << 24 };
    if (t->count + more <= t->capacity)
        return true;
    int capacity = 2 * (t->count + more);
    struct tree_node *nodes = capacity < MOST ? realloc(t->nodes, (size_t)capacity * sizeof *nodes) : NULL;
    if (!nodes)
        return fail(t, "out of memory for the top of the tree, expected --job-nodes to be larger");
    t->nodes = nodes;
    t->capacity = capacity;
    return true;
}

/* Moves that promise most first; outcomes that are likely first. */
static int by_promise(const void *one, const void *other)
{
    const struct tree_node *a = one, *b = other;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    if (a->guess != b->guess)
        return a->guess < b->guess ? -1 : 1; /* of the other side */
    return a->move < b->move ? -1 : a->move > b->move;
}

static bool add_child(struct tree *t, int node, struct mp_position *parent, mp_move move, uint32_t weight)
{
    struct mp_position *position = mp_position_copy(parent, NULL);
    if (!position || !mp_position_play(position, move, NULL)) {
        mp_position_free(position);
        return fail(t, "out of memory");
    }
    const struct tree_node *above = &t->nodes[node];
    struct tree_node child = {.move = move,
                              .weight = weight,
                              .parent = node,
                              .ply = above->ply + !above->is_chance,
                              .depth = above->depth - !above->is_chance,
                              .is_chance = mp_position_is_chance(position),
                              .low = -t->most,
                              .high = t->most};
    look_for_end(position, &child);
    child.guess = child.low == child.high ? child.low
                  : above->is_chance      ? 0
                                          : look_at(t, position, child.depth);
    t->nodes[t->count++] = child;
    mp_position_free(position);
    return true;
}

static void recall_children(struct tree *t, int node)
{
    mp_move path[TREE_PATH];
    const struct tree_node *n = &t->nodes[node];
    for (int i = 0; t->recall && i < n->count; i++) {
        struct tree_node *child = &t->nodes[n->first + i];
        if (child->low < child->high)
            t->recall(t->context, path, tree_path(t, n->first + i, path), child);
    }
}

static bool grow(struct tree *t, int node)
{
    struct mp_position *position = position_of(t, node);
    int count = position ? mp_position_moves(position, NULL, NULL, 0) : 0;
    mp_move *moves = malloc(((size_t)count + 1) * sizeof *moves);
    uint32_t *weights = malloc(((size_t)count + 1) * sizeof *weights);
    bool ok = position && moves && weights && reserve(t, count);
    int first = t->count;
    if (ok) {
        bool chance = t->nodes[node].is_chance;
        mp_position_moves(position, moves, weights, count);
        for (int i = 0; ok && i < count; i++)
            ok = add_child(t, node, position, moves[i], chance ? weights[i] : 0);
    } else {
        fail(t, "out of memory");
    }
    free(moves);
    free(weights);
    mp_position_free(position);
    if (!ok)
        return false;
    t->nodes[node].first = first;
    t->nodes[node].count = count;
    qsort(t->nodes + first, (size_t)count, sizeof *t->nodes, by_promise);
    recall_children(t, node);
    tighten(t, &t->nodes[node]);
    tighten_above(t, node);
    return true;
}

/* Is a leaf to be grown before anything is done with it? Chance is never searched as such, and the horizon is searched with
 * the ply above it. */
static bool is_unripe(const struct tree *t, const struct tree_node *n)
{
    bool fits = n->depth > 1 && n->ply < TREE_PLIES;
    return n->count == 0 && (n->is_chance || (fits && (n->depth > t->leaf_depth || n->is_large)));
}

bool tree_may_grow(const struct tree *t, int node)
{
    return t->nodes[node].depth > 1 && t->nodes[node].ply < TREE_PLIES;
}

/* ---- What is to be searched ---------------------------------------------------------------------------- */

/* One walk over what matters: each leaf that does is shown to `see`, which says whether to go on. */
struct walk {
    struct tree *tree;
    bool speculative; /* look at what the rules of order would leave for later */
    bool grows;
    int found; /* the first leaf without a job, or -1 */
    mp_value alpha, beta;
};

static void visit(struct walk *w, int node, mp_value alpha, mp_value beta);

static bool is_open(mp_value low, mp_value high, mp_value alpha, mp_value beta)
{
    return low < high && high > alpha && low < beta;
}

static void visit_child(struct walk *w, int node, int child, mp_value alpha, mp_value beta)
{
    const struct tree *t = w->tree;
    const struct tree_node *n = &t->nodes[node];
    mp_value one = to_child(t, n, alpha), other = to_child(t, n, beta);
    visit(w, child, one < other ? one : other, one < other ? other : one);
}

/* The child that a player's node stands on: of those that are open the best so far, else the first. -1: none is open.
 * *tried: at least one has been closed, so that the younger ones need not wait any more. */
static int find_leader(const struct tree *t, const struct tree_node *n, mp_value alpha, mp_value beta,
                       bool *tried)
{
    int leader = -1;
    mp_value best = -MP_INFINITE;
    *tried = false;
    for (int i = 0; i < n->count; i++) {
        const struct tree_node *child = &t->nodes[n->first + i];
        mp_value low = child_low(t, n, child), high = child_high(t, n, child);
        if (!is_open(low, high, alpha, beta)) {
            *tried = true;
        } else if (leader < 0 || low > best) {
            leader = i;
            best = low;
        }
    }
    return leader;
}

/* Young brothers wait for the eldest; then each is only asked whether it is better than the best so far. */
static void visit_moves(struct walk *w, int node, mp_value alpha, mp_value beta)
{
    struct tree *t = w->tree;
    bool tried;
    alpha = alpha > t->nodes[node].low ? alpha : t->nodes[node].low;
    int leader = find_leader(t, &t->nodes[node], alpha, beta, &tried);
    if (leader < 0)
        return;
    visit_child(w, node, t->nodes[node].first + leader, alpha, beta);
    mp_value bound = alpha;
    if (!tried && !w->speculative)
        return;
    if (bound <= -t->most && t->has_guess) { /* nothing to compare with but a guess */
        bound = t->nodes[node].ply % 2 ? -t->guess : t->guess;
        bound = bound < beta ? bound : beta - 1;
    }
    for (int i = 0; i < t->nodes[node].count && w->found < 0 && !t->is_failed; i++) {
        const struct tree_node *n = &t->nodes[node], *child = &t->nodes[n->first + i];
        if (i == leader || !is_open(child_low(t, n, child), child_high(t, n, child), alpha, beta))
            continue;
        visit_child(w, node, n->first + i, bound, bound <= -t->most ? beta : bound + 1);
    }
}

static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static mp_value within(int64_t value)
{
    return value > MP_INFINITE ? MP_INFINITE : value < -MP_INFINITE ? -MP_INFINITE : (mp_value)value;
}

/* An outcome matters as far as it can lift the mean above alpha, with all others at their best, or keep it below beta, with
 * all others at their worst (star1). A little too wide is harmless. */
static void visit_outcomes(struct walk *w, int node, mp_value alpha, mp_value beta)
{
    struct tree *t = w->tree;
    int64_t weights, low, high;
    for (int i = 0; i < t->nodes[node].count && w->found < 0 && !t->is_failed; i++) {
        const struct tree_node *n = &t->nodes[node], *child = &t->nodes[n->first + i];
        sum_children(t, n, &weights, &low, &high);
        int64_t weight = child->weight;
        int64_t others_low = low - weight * child_low(t, n, child);
        int64_t others_high = high - weight * child_high(t, n, child);
        int64_t least = divide_down(((int64_t)alpha - 1) * weights - others_high, weight);
        int64_t most = -divide_down(others_low - ((int64_t)beta + 1) * weights, weight);
        if (is_open(child_low(t, n, child), child_high(t, n, child), within(least), within(most)))
            visit_child(w, node, n->first + i, within(least), within(most));
    }
}

static void visit(struct walk *w, int node, mp_value alpha, mp_value beta)
{
    struct tree *t = w->tree;
    if (w->found >= 0 || t->is_failed)
        return;
    if (w->grows && is_unripe(t, &t->nodes[node]) &&
        is_open(t->nodes[node].low, t->nodes[node].high, alpha, beta) && !grow(t, node))
        return;
    struct tree_node *n = &t->nodes[node];
    if (!is_open(n->low, n->high, alpha, beta))
        return;
    alpha = alpha > n->low ? alpha : n->low;
    beta = beta < n->high ? beta : n->high;
    if (n->count == 0) {
        n->seen = t->round;
        n->wanted_alpha = alpha;
        n->wanted_beta = beta;
        if (w->grows && !n->job && !is_unripe(t, n)) {
            w->found = node;
            w->alpha = alpha;
            w->beta = beta;
        }
    } else if (n->is_chance) {
        visit_outcomes(w, node, alpha, beta);
    } else {
        visit_moves(w, node, alpha, beta);
    }
}

int tree_next(struct tree *t, bool speculative, mp_value *alpha, mp_value *beta, struct mp_error *error)
{
    struct walk w;
    int count;
    t->error = error;
    do { /* what is grown on the way may settle what the walk came from, so that it has to begin again */
        count = t->count;
        w = (struct walk){.tree = t, .speculative = speculative, .grows = true, .found = -1};
        t->round++;
        visit(&w, 0, -MP_INFINITE, MP_INFINITE);
    } while (t->count != count && !t->is_failed);
    *alpha = w.alpha;
    *beta = w.beta;
    return t->is_failed ? -2 : w.found;
}

void tree_review(struct tree *t, void (*see)(void *context, int node, mp_value alpha, mp_value beta),
                 void *context)
{
    struct walk w = {.tree = t, .speculative = true, .found = -1};
    t->round++;
    visit(&w, 0, -MP_INFINITE, MP_INFINITE);
    for (int i = 0; i < t->count; i++) {
        const struct tree_node *n = &t->nodes[i];
        if (!n->job)
            continue;
        bool wanted = n->seen == t->round;
        see(context, i, wanted ? n->wanted_alpha : 0, wanted ? n->wanted_beta : 0);
    }
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

struct tree *tree_new(const struct mp_position *position, int depth, int leaf_depth, struct mp_search *order,
                      int order_depth, tree_recall *recall, void *context, struct mp_error *error)
{
    struct tree *t = calloc(1, sizeof *t);
    if (!t || !(t->nodes = malloc(64 * sizeof *t->nodes))) {
        free(t);
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    t->root = position;
    t->game = mp_position_game(position);
    t->distance = t->game->scoring == MP_SCORE_WIN;
    t->most = t->game->chances ? MP_EVAL_MAX : MP_INFINITE;
    t->leaf_depth = leaf_depth;
    t->order = order;
    t->order_depth = order_depth;
    t->recall = recall;
    t->context = context;
    t->capacity = 64;
    t->count = 1;
    t->nodes[0] = (struct tree_node){
        .move = MP_NO_MOVE, .parent = -1, .depth = depth, .low = -t->most, .high = t->most};
    return t;
}

void tree_free(struct tree *t)
{
    if (!t)
        return;
    free(t->nodes);
    free(t);
}

void tree_guess(struct tree *t, mp_value value)
{
    t->guess = value;
    t->has_guess = true;
}

struct tree_node *tree_at(struct tree *t, int node)
{
    return &t->nodes[node];
}

uint64_t tree_nodes(const struct tree *t)
{
    return t->searched;
}

int tree_size(const struct tree *t)
{
    return t->count;
}

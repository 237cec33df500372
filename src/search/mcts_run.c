/* mcts_run.c - a run of Monte-Carlo search: its trees are made, or what leads on from the run before is kept. */
#include "search/mcts.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t nothing_known(const struct mp_game *game, mp_value scale)
{
    mp_value most = MP_PROVEN + game->margin_max, least = -most;
    if (game->scoring == MP_SCORE_POINTS) {
        most = scale;
        least = -scale;
    } else if (game->scoring == MP_SCORE_WIN) {
        most = MP_PROVEN + MP_MAX_PLY - 1;
        least = -(MP_PROVEN + MP_MAX_PLY - 2);
    }
    return mcts_bounds(least, most);
}

bool mcts_init(struct mcts *m, const struct mp_game *game, const struct settings *settings, int trees,
               int threads, bool keeps, struct mp_error *error)
{
    *m = (struct mcts){.game = game,
                       .settings = settings,
                       .iterate = settings->as_report ? mcts_report_iterate : mcts_iterate,
                       .value_leaf = mcts_value_leaf,
                       .distance = game->scoring == MP_SCORE_WIN,
                       /* The key is for rewards from 0 to 1; here they are from -1 to 1. */
                       .explore = (settings->as_report ? 1 : 2) * (float)settings->mcts.c};
    for (uint64_t n = 2; n < UINT64_C(1) << 62;
         n += n < 128 ? 1 : (UINT64_C(1) << (63 - __builtin_clzll(n))) / 64)
        m->roots[mcts_root_index(n)] = m->explore * __builtin_sqrtf(mcts_log(n));
    m->trees = calloc((size_t)trees, sizeof *m->trees);
    m->root_state = aligned_alloc(64, memory_lines(game->state_size));
    bool ok = m->trees && m->root_state;
    size_t bytes = ((size_t)settings->mcts.megabytes << 20) / (size_t)trees;
    while (ok && m->tree_count < trees)
        ok = mcts_tree_init(&m->trees[m->tree_count++], bytes, threads, keeps, threads > 1);
    if (ok)
        return true;
    mcts_free(m);
    return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for memory=%d (MB)", settings->mcts.megabytes);
}

void mcts_free(struct mcts *m)
{
    for (int i = 0; i < m->tree_count; i++)
        mcts_tree_free(&m->trees[i]);
    free(m->trees);
    free(m->root_state);
    free(m->choices);
    /* It is freed where it could not be made, and again with the search that it was for. */
    m->tree_count = 0;
    m->trees = NULL;
    m->root_state = NULL;
    m->choices = NULL;
}

/* The states at plies 0 and 1 of the worker are used to find a child by its key; null: there is none. */
static struct mcts_place find_child(const struct mcts *m, struct mcts_tree *tree, struct worker *w,
                                    struct mcts_place at, uint64_t key)
{
    struct mcts_block *children = mcts_children(tree, at);
    for (uint32_t i = 0; children && i < children->count; i++) {
        worker_play(w, 0, mcts_nodes(children)[i].move);
        if (m->game->key(m->game, worker_state(w, 1)) == key) {
            memcpy(worker_state(w, 0), worker_state(w, 1), m->game->state_size);
            return (struct mcts_place){children, i};
        }
    }
    return (struct mcts_place){NULL, 0};
}

static bool may_go_on(void *context)
{
    struct worker *w = context;
    worker_poll(w);
    return !w->stopped;
}

/* Makes the node that the history leads to the root. False: the tree knows nothing of it. */
static bool keep(struct mcts *m, struct mcts_tree *tree, struct worker *w, const struct mp_history *history,
                 uint64_t root_key)
{
    enum { MOST_STEPS = 64 };
    if (!tree->spare || !tree->root || history->count < tree->root_before ||
        history->count - tree->root_before > MOST_STEPS)
        return false;
    struct mcts_place at = mcts_root(tree);
    uint64_t first = history->count > tree->root_before ? history->keys[tree->root_before] : root_key;
    if (first != tree->root_key)
        return false;
    if (history->count == tree->root_before)
        return true;
    memcpy(worker_state(w, 0), m->root_state, m->game->state_size);
    for (size_t i = tree->root_before + 1; at.block && i <= history->count; i++)
        at = find_child(m, tree, w, at, i < history->count ? history->keys[i] : root_key);
    if (!at.block)
        return false;
    struct mcts_node *node = mcts_node(at);
    uint64_t bounds = mcts_own_bounds(m, at.block, mcts_load_bounds(node));
    int64_t sum = at.block->chooser == MCTS_PLAYER ? -mcts_sum(node) : mcts_sum(node);
    mcts_tree_keep(tree, at, may_go_on, w);
    node = mcts_node(mcts_root(tree));
    atomic_store_explicit(&node->sum, sum, memory_order_relaxed);
    atomic_store(&node->bounds, bounds);
    return true;
}

static uint64_t hash_of(const uint64_t *keys, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++)
        hash = random_mix(hash + keys[i]);
    return hash;
}

void mcts_restart(struct mcts *m, struct mcts_tree *tree, struct worker *w)
{
    bool learned;
    mcts_tree_reset(tree, m->unknown);
    mcts_expand(m, tree, &tree->arenas[0], w, 0, mcts_root(tree), &learned);
}

/* A hash of the moves that a run may begin with; 0: all that there are. */
static uint64_t filter_of(const struct worker *w, struct move_list allowed)
{
    uint64_t hash = 0;
    if (allowed.count == w->game->list(w->game, worker_state(w, 0), NULL, 0))
        return 0;
    for (int i = 0; i < allowed.count; i++)
        hash += random_mix(allowed.moves[i] + 1);
    return hash | 1;
}

/* Can the trees be kept? They have to lead to the root of this run, and have all the moves there that the run
 * may begin with, and no others. A drawn position may be the end of a line in them; from here the game goes
 * on. */
static bool leads_on(const struct mcts *m, const struct worker *w, const struct mp_history *history,
                     mp_value scale, uint64_t filter)
{
    size_t before = m->trees[0].root_before;
    bool same_root = history->count == before;
    return m->trees[0].root && scale == m->scale && history->count >= before &&
           hash_of(history->keys, before) == m->past && filter == (same_root ? m->filter : 0) &&
           !line_drawn(&w->line, 0);
}

/* So that a reward of MCTS_ONE is the most that can be won or lost. */
static mp_value scale_of(const struct mp_game *game, const void *root)
{
    mp_value low = -game->margin_max * game->units_per_point, high = -low;
    if (game->bounds)
        game->bounds(game, root, &low, &high);
    return high > -low ? high : -low;
}

bool mcts_begin(struct mcts *m, struct worker *w, const struct mp_history *history, struct mp_error *error)
{
    const struct mp_game *game = m->game;
    size_t size = game->state_size;
    void *root = aligned_alloc(64, memory_lines(size));
    struct move_list moves = worker_list(w, 0);
    uint64_t filter = filter_of(w, moves);
    worker_drop(w, moves);
    struct mcts_choice *choices = realloc(m->choices, (size_t)moves.count * sizeof *choices);
    if (choices)
        m->choices = choices;
    if (!root || !choices) {
        free(root);
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for the moves of a position");
    }
    memcpy(root, worker_state(w, 0), size);
    m->choice_count = moves.count;

    mp_value scale = scale_of(game, root);
    uint64_t key = game->key(game, root);
    bool same_game = leads_on(m, w, history, scale, filter);
    m->scale = scale;
    m->filter = filter;
    m->root_key = key;
    m->chunks_begun = 0;
    m->unknown = nothing_known(game, scale);
    m->past = hash_of(history->keys, history->count);
    for (int i = 0; i < m->tree_count; i++) {
        struct mcts_tree *tree = &m->trees[i];
        bool kept = same_game && keep(m, tree, w, history, key), learned;
        memcpy(worker_state(w, 0), root, size);
        if (kept) {
            mcts_expand(m, tree, &tree->arenas[0], w, 0, mcts_root(tree), &learned);
        } else {
            mcts_restart(m, tree, w);
            tree->iterations = 0;
        }
        tree->root_key = key;
        tree->root_before = history->count;
        tree->stream = random_at(key, (uint64_t)i);
    }
    memcpy(m->root_state, root, size);
    free(root);
    mcts_clear_choices(m, m->choices);
    return true;
}

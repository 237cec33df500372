/* hooks.c - the three hooks by which parallel schemes take part in a node, tried out by schemes that do on
 * one thread what others do on many: whatever the order in which moves are searched, and whoever searches
 * them, the value is minimax's. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/random.h"
#include "search/node.h"
#include "strategy/strategy.h"

struct tally {
    uint64_t stream;
    uint64_t offers, claims, refusals, releases;
    int open_claims;
};

/* Searches the rest of the node itself, last move first, on a copy: what a helper would do. */
static bool offer_to_helper(struct worker *w, struct node *node, int next, search_move_function *search_move)
{
    struct tally *tally = w->scheme;
    if (next == 0)
        return false;
    tally->offers++;
    for (int i = node->list.count - 1; i >= next; i--) {
        struct node copy = *node;
        mp_value value = search_move(w, &copy, i);
        if (w->stopped || node_update(w, w, node, node->list.moves[i], value))
            break;
    }
    return true;
}

static bool offer_refused(struct worker *w, struct node *node, int next, search_move_function *search_move)
{
    (void)search_move;
    assert_true(next >= 0 && next < node->list.count);
    ((struct tally *)w->scheme)->offers++;
    return false;
}

/* Any move may be busy, as if another thread were searching it. */
static bool claim_some(struct worker *w, const struct node *node, int i)
{
    struct tally *tally = w->scheme;
    assert_true(i > 0 && i < node->list.count);
    bool mine = random_next(&tally->stream) % 3 != 0;
    tally->claims += mine;
    tally->refusals += !mine;
    tally->open_claims += mine;
    return mine;
}

static void release(struct worker *w, const struct node *node, int i, mp_value value, bool complete)
{
    (void)node, (void)i, (void)value, (void)complete;
    struct tally *tally = w->scheme;
    tally->releases++;
    tally->open_claims--;
}

static const struct node_hooks helper = {.least_depth = 1, .offer = offer_to_helper};
static const struct node_hooks claimer = {.least_depth = 1, .claim = claim_some, .release = release};
static const struct node_hooks all = {
    .least_depth = 1, .offer = offer_refused, .claim = claim_some, .release = release};

static mp_value search_with(const struct mp_game *game, const struct mp_position *position, const char *text,
                            const struct node_hooks *hooks, struct tally *tally)
{
    struct mp_strategy *strategy;
    struct control control = {0};
    struct worker worker;
    struct mp_history history = mp_position_history(position);
    assert_non_null((strategy = mp_strategy_new(game, text, NULL)));
    struct table *table = strategy->plan.table_megabytes ? table_new(1, 1) : NULL;
    assert_true(worker_init(&worker, game, &strategy->plan.settings, &control, table, NULL));
    assert_true(worker_set_root(&worker, mp_position_state(position), &history, NULL));
    worker.hooks = hooks;
    worker.scheme = tally;
    mp_value value = strategy->plan.settings.search(&worker, 0, strategy->plan.depth, -MP_INFINITE,
                                                    MP_INFINITE);
    assert_int_equal(worker.moves.top, 0);
    assert_true(worker.pv_length[0] >= 1);
    worker_free(&worker);
    table_free(table);
    mp_strategy_free(strategy);
    return value;
}

static void any_order_gives_the_same_value(void **state)
{
    (void)state;
    const char *const searches[] = {"alphabeta,depth=5,eval=random:1", "pvs,depth=5,eval=random:1,hash=0",
                                    "pvs,depth=5,eval=random:1,hash=1"};
    const struct node_hooks *const schemes_tried[] = {&helper, &claimer, &all};
    struct mp_game *game = mp_game_open(CONNECT4_PLUGIN, NULL);
    struct tally tally = {.stream = 1};
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct mp_position *position = subjects_position(game, seed, 30);
        mp_value expected = search_with(game, position, "minimax,depth=5,eval=random:1", NULL, NULL);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                assert_int_equal(search_with(game, position, searches[i], schemes_tried[j], &tally),
                                 expected);
        mp_position_free(position);
    }
    assert_true(tally.offers > 0 && tally.claims > 0 && tally.refusals > 0);
    assert_int_equal(tally.claims, tally.releases);
    assert_int_equal(tally.open_claims, 0);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_order_gives_the_same_value)};
    return cmocka_run_group_tests_name("hooks", tests, NULL, NULL);
}

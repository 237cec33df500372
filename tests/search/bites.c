/* bites.c - small cases in which a small fault of a search shows: what the tests on random positions of real
 * games pass over, because it is rare there. tests/mutants has the faults. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "search/iteration.h"
#include "search/mcts.h"
#include "strategy/strategy.h"

static struct mp_result run(const struct mp_game *game, const struct mp_position *position, const char *text)
{
    struct mp_error error = {""};
    struct mp_result result = {0};
    struct mp_search *search = mp_search_new(game, text, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", text, error.text);
    mp_search_free(search);
    return result;
}

/* ---- One worker, whose windows and table are in our hands ------------------------------------------ */

struct bench {
    struct mp_game *game;
    struct mp_position *position;
    struct mp_strategy *strategy;
    struct control control;
    struct table *table; /* null: the strategy has none */
    struct worker worker;
};

static void set_up(struct bench *b, const char *game, const char *strategy, uint64_t seed, int most_plies)
{
    struct mp_error error = {""};
    *b = (struct bench){.game = mp_game_open(game, &error)};
    if (!b->game || !(b->strategy = mp_strategy_new(b->game, strategy, &error)))
        fail_msg("%s", error.text);
    b->position = subjects_position(b->game, seed, most_plies);
    b->table = b->strategy->plan.table_megabytes ? table_new(1, 1) : NULL;
    struct mp_history history = mp_position_history(b->position);
    assert_true(worker_init(&b->worker, b->game, &b->strategy->plan.settings, &b->control, b->table, NULL));
    assert_true(worker_set_root(&b->worker, mp_position_state(b->position), &history, NULL));
}

static void tear_down(struct bench *b)
{
    worker_free(&b->worker);
    table_free(b->table);
    mp_strategy_free(b->strategy);
    mp_position_free(b->position);
    mp_game_close(b->game);
}

static mp_value search(struct bench *b, mp_value alpha, mp_value beta)
{
    return b->strategy->plan.settings.search(&b->worker, 0, b->strategy->plan.depth, alpha, beta);
}

static void forget(struct bench *b)
{
    table_clear(b->table, 0, 1);
}

static uint64_t root_key(struct bench *b)
{
    return worker_table_key(&b->worker, 0, true);
}

/* A search that only asks "better or not?" knows a bound and no value, also where the two meet. */
static void an_empty_window_proves_no_value(void **state)
{
    (void)state;
    int met = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct bench b;
        struct table_entry entry;
        set_up(&b, "othello", "pvs,depth=3,hash=1", seed, 40);
        mp_value value = search(&b, -MP_INFINITE, MP_INFINITE);
        for (mp_value alpha = value - 3; alpha <= value + 3; alpha++) {
            forget(&b);
            mp_value found = search(&b, alpha, alpha + 1);
            assert_int_equal(found > alpha, value > alpha);
            met += found == alpha;
            if (table_probe(b.table, root_key(&b), &entry))
                assert_int_equal(entry.bound, found > alpha ? BOUND_LOWER : BOUND_UPPER);
        }
        tear_down(&b);
    }
    assert_true(met > 0);
}

/* An entry of the table settles a window only if all values that it allows are on one side. */
static void a_bound_answers_on_its_side_only(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "othello", "pvs,depth=3,hash=1", 1, 20);
    mp_value value = search(&b, -MP_INFINITE, MP_INFINITE);
    const struct {
        mp_value alpha, stored;
        enum bound bound;
        bool answers;
    } cases[] = {
        {value + 4, value + 4, BOUND_UPPER, true},  {value + 4, value + 5, BOUND_UPPER, false},
        {value + 4, value + 9, BOUND_UPPER, false}, {value - 4, value - 3, BOUND_LOWER, true},
        {value - 4, value - 4, BOUND_LOWER, false}, {value - 4, value - 9, BOUND_LOWER, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        forget(&b);
        table_store(
            b.table, root_key(&b),
            (struct table_entry){.value = cases[i].stored, .depth = 3, .bound = (uint8_t)cases[i].bound});
        uint64_t before = b.worker.counters.nodes;
        mp_value found = search(&b, cases[i].alpha, cases[i].alpha + 1);
        if ((b.worker.counters.nodes == before + 1) != cases[i].answers)
            fail_msg("case %d: the entry %s", (int)i, cases[i].answers ? "was not taken" : "was taken");
        assert_int_equal(found > cases[i].alpha, value > cases[i].alpha);
    }
    tear_down(&b);
}

/* The four first moves of Othello are worth the same, so at beta = that value the first is enough. */
static void a_value_of_beta_cuts_off(void **state)
{
    (void)state;
    static const char *const strategies[] = {"alphabeta,depth=3", "pvs,depth=3,hash=0"};
    for (int i = 0; i < 2; i++) {
        struct bench b;
        set_up(&b, "othello", strategies[i], 0, 0);
        mp_value value = search(&b, -MP_INFINITE, MP_INFINITE);
        worker_clear_counters(&b.worker);
        assert_int_equal(search(&b, -MP_INFINITE, value + 1), value);
        uint64_t all = b.worker.counters.nodes;
        worker_clear_counters(&b.worker);
        assert_int_equal(search(&b, -MP_INFINITE, value), value);
        assert_true(b.worker.counters.beta_cuts > 0);
        assert_true(2 * b.worker.counters.nodes < all);
        tear_down(&b);
    }
}

/* ---- The driver ------------------------------------------------------------------------------------ */

static mp_value true_value;
static int calls;

/* A fail-hard search: outside of its window it says no more than that. */
static mp_value clamped(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    (void)depth;
    calls++;
    w->pv_length[ply] = 1;
    return true_value < alpha ? alpha : true_value > beta ? beta : true_value;
}

static void the_ends_of_a_window_are_no_values(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "othello", "pvs,depth=5,hash=1", 0, 0);
    b.strategy->plan.settings.search = clamped;
    for (true_value = -600; true_value <= 600; true_value++) {
        struct iteration previous = {.value = 7}, found;
        calls = 0;
        assert_true(iteration_run(&b.worker, 5, &previous, &found));
        assert_int_equal(found.value, true_value);
        assert_int_equal(calls > 1, true_value <= 7 - 32 || true_value >= 7 + 32);
    }
    tear_down(&b);
}

/* ---- The order of moves ---------------------------------------------------------------------------- */

static uint64_t nodes_of(const struct mp_game *game, const char *keys)
{
    uint64_t nodes = 0;
    char text[128];
    snprintf(text, sizeof text, "pvs,depth=7,%s", keys);
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct mp_position *position = subjects_position(game, seed, 12);
        nodes += run(game, position, text).counters.nodes;
        mp_position_free(position);
    }
    return nodes;
}

/* Connect Four as a plug-in says nothing about the order of its moves: what is learned about them is all
 * there is, and each way of learning by itself saves more than half of the nodes. */
static void learning_saves_nodes(void **state)
{
    (void)state;
    static const char *const ways[] = {"hash=0,killers=off", "hash=0,history=off",
                                       "hash=1,killers=off,history=off"};
    struct mp_game *game = mp_game_open(CONNECT4_PLUGIN, NULL);
    uint64_t none = nodes_of(game, "hash=0,killers=off,history=off");
    for (int i = 0; i < 3; i++) {
        uint64_t nodes = nodes_of(game, ways[i]);
        if (2 * nodes > none)
            fail_msg("%s: %llu nodes, without %llu", ways[i], (unsigned long long)nodes,
                     (unsigned long long)none);
    }
    mp_game_close(game);
}

/* ---- Monte-Carlo trees ----------------------------------------------------------------------------- */

/* What several trees say of a move is added up; of what they have proven the tighter bounds hold. */
static void merged_trees_lose_nothing(void **state)
{
    (void)state;
    struct mcts_choice into[] = {{.visits = 3, .sum = 40, .low = -9, .high = 7},
                                 {.visits = 0, .sum = 0, .low = -9, .high = 9}};
    const struct mcts_choice from[] = {{.visits = 5, .sum = -50, .low = -2, .high = 8},
                                       {.visits = 1, .sum = 6, .low = -9, .high = 4}};
    mcts_merge_choices(into, from, 2);
    assert_int_equal(into[0].visits, 8);
    assert_int_equal(into[0].sum, -10);
    assert_int_equal(into[0].low, -2);
    assert_int_equal(into[0].high, 7);
    assert_int_equal(into[1].visits, 1);
    assert_int_equal(into[1].sum, 6);
    assert_int_equal(into[1].low, -9);
    assert_int_equal(into[1].high, 4);
}

/* ---- Schemes --------------------------------------------------------------------------------------- */

/* These schemes promise the first of equal moves in the order of the list, whoever was faster. */
static void of_equal_moves_the_first_wins(void **state)
{
    (void)state;
    static const char *const splits[] = {"top", "levels", "levels,levels=3", "bfs,cap=3", "chunked,chunk=2"};
    struct mp_game *game = mp_game_open("othello", NULL);
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct mp_position *position = subjects_position(game, seed, 40);
        struct mp_result first = run(game, position, "minimax,depth=3,eval=discs");
        for (size_t i = 0; i < sizeof splits / sizeof *splits; i++)
            for (int threads = 1; threads <= 3; threads++) {
                char text[128];
                snprintf(text, sizeof text, "minimax,depth=3,eval=discs,split=%s,eager=on,threads=%d",
                         splits[i], threads);
                struct mp_result result = run(game, position, text);
                if (result.move != first.move)
                    fail_msg("%s, position %d: move %d, expected %d", text, (int)seed, (int)result.move,
                             (int)first.move);
            }
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* A helper must know the whole line that led to its node, or it misses that a position has come back and goes
 * on below it. In the little game of the fixture positions come back all the time. */
static void helpers_know_the_line(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open(CIRCLE_PLUGIN, NULL);
    uint64_t stolen = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct mp_position *position = subjects_position(game, seed, 40);
        struct mp_result alone = run(game, position, "minimax,depth=9"), together;
        together = run(game, position, "minimax,depth=9,split=levels,levels=4,deterministic=on,threads=3");
        assert_int_equal(together.counters.nodes, alone.counters.nodes);
        assert_int_equal(together.value, alone.value);
        stolen += together.counters.tasks_stolen;
        mp_position_free(position);
    }
    assert_true(stolen > 0);
    mp_game_close(game);
}

/* ybwc shares the younger siblings only: at the least depth that it splits, all moves of the root but one. */
static void the_eldest_sibling_is_not_shared(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct mp_position *position = subjects_position(game, seed, 20);
        int moves = mp_position_moves(position, NULL, NULL, 0);
        struct mp_result result = run(game, position, "alphabeta,depth=4,split=ybwc,eager=on,threads=2");
        if (moves >= 3)
            assert_int_equal(result.counters.tasks_created, moves - 1);
        mp_position_free(position);
    }
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_window_proves_no_value),
        cmocka_unit_test(a_bound_answers_on_its_side_only),
        cmocka_unit_test(a_value_of_beta_cuts_off),
        cmocka_unit_test(the_ends_of_a_window_are_no_values),
        cmocka_unit_test(learning_saves_nodes),
        cmocka_unit_test(merged_trees_lose_nothing),
        cmocka_unit_test(of_equal_moves_the_first_wins),
        cmocka_unit_test(helpers_know_the_line),
        cmocka_unit_test(the_eldest_sibling_is_not_shared),
    };
    return cmocka_run_group_tests_name("bites", tests, NULL, NULL);
}

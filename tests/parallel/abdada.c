/* abdada.c - what threads tell each other in split=abdada, seen from two workers that are asked in turn: a
 * move under way is put off, a refuted one is not searched again, and what the table knows of an open node
 * counts, but only for the same depth and bound. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "parallel/crew.h"
#include "search/node.h"
#include "strategy/strategy.h"

enum { DEPTH = 6, KEY = 123457, ALPHA = 10, BETA = 100 };

static struct {
    struct mp_game *game;
    struct mp_position *position;
    struct mp_history history;
    struct mp_strategy *strategy;
    struct control control;
    struct root_moves root;
    struct table *table;
    struct crew crew;
    struct worker *one, *other;
} s;

static int set_up(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    s.game = mp_game_open("othello", NULL);
    s.position = mp_position_new(s.game, NULL, NULL);
    s.history = mp_position_history(s.position);
    assert_non_null((s.strategy = mp_strategy_new(s.game, "pvs,split=abdada,eager=on,threads=2", NULL)));
    s.crew = (struct crew){
        .scheme = s.strategy->plan.scheme, .options = s.strategy->plan.scheme_options, .threads = 2};
    s.table = table_new(1, 1);
    assert_true(crew_init(&s.crew, s.game, &s.strategy->plan.settings, &s.control, s.table, NULL));
    crew_clear_table(&s.crew, s.table);
    assert_true(crew_begin(&s.crew, mp_position_state(s.position), &s.history, NULL));
    s.one = &s.crew.workers[0];
    s.other = &s.crew.workers[1];
    s.one->root_moves = s.other->root_moves = &s.root;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    crew_free(&s.crew);
    table_free(s.table);
    mp_strategy_free(s.strategy);
    mp_position_free(s.position);
    mp_game_close(s.game);
    return 0;
}

/* A node at the root of a worker's line, with the four moves of the beginning. */
static struct node node_of(struct worker *w, int ply)
{
    w->moves.top = 0;
    struct move_list list = worker_list(w, 0);
    assert_int_equal(list.count, 4);
    return (struct node){.ply = ply,
                         .depth = DEPTH,
                         .stored_depth = DEPTH,
                         .key = KEY,
                         .alpha = ALPHA,
                         .beta = BETA,
                         .best = -MP_INFINITE,
                         .list = list};
}

static void a_move_under_way_is_put_off(void **state)
{
    (void)state;
    struct node mine = node_of(s.one, 2), yours = node_of(s.other, 2);
    assert_true(s.crew.scheme->hooks->claim(s.one, &mine, 1));
    assert_false(s.crew.scheme->hooks->claim(s.other, &yours, 1));
    assert_true(s.crew.scheme->hooks->claim(s.other, &yours, 2));
    assert_false(s.crew.scheme->hooks->claim(s.one, &mine, 2));
    yours.key++;
    assert_true(s.crew.scheme->hooks->claim(s.other, &yours, 1));
    s.crew.scheme->hooks->release(s.other, &yours, 1, 0, false);
    yours.key--;
    s.crew.scheme->hooks->release(s.one, &mine, 1, ALPHA + 1, false);
    assert_true(s.crew.scheme->hooks->claim(s.other, &yours, 1));
    s.crew.scheme->hooks->release(s.other, &yours, 1, ALPHA + 1, false);
    s.crew.scheme->hooks->release(s.other, &yours, 2, ALPHA + 1, false);
    /* Nothing is left of what was under way: first in the notes come the moves under way. */
    enum { SLOTS = (1 << 10) * 4 };
    for (int i = 0; i < SLOTS; i++)
        assert_int_equal(((const uint64_t *)s.crew.scheme_data)[i], 0);
}

static void a_refuted_move_is_not_searched_again(void **state)
{
    (void)state;
    struct node mine = node_of(s.one, 2), yours = node_of(s.other, 2);
    assert_false(s.crew.scheme->hooks->refuted(s.other, &yours, 1));
    s.crew.scheme->hooks->release(s.one, &mine, 1, ALPHA, false);
    assert_true(s.crew.scheme->hooks->refuted(s.other, &yours, 1));
    /* Not what raises the bound, nor what was given up. */
    s.crew.scheme->hooks->release(s.one, &mine, 2, ALPHA + 1, false);
    assert_false(s.crew.scheme->hooks->refuted(s.other, &yours, 2));
    s.one->stopped = true;
    s.crew.scheme->hooks->release(s.one, &mine, 3, ALPHA - 1, false);
    s.one->stopped = false;
    assert_false(s.crew.scheme->hooks->refuted(s.other, &yours, 3));
    /* Neither for another bound, nor for another depth, position or move. */
    struct node others[] = {yours, yours, yours, yours};
    others[0].alpha--;
    others[1].alpha++;
    others[2].stored_depth--;
    others[3].key++;
    for (int i = 0; i < 4; i++)
        assert_false(s.crew.scheme->hooks->refuted(s.other, &others[i], 1));
    assert_false(s.crew.scheme->hooks->refuted(s.other, &yours, 0));
}

/* Who takes over what holds at this depth only has found nothing that holds at others. */
static void a_refutation_says_whether_it_holds_deeper(void **state)
{
    (void)state;
    struct node mine = node_of(s.one, 2), yours = node_of(s.other, 2);
    s.crew.scheme->hooks->release(s.one, &mine, 1, ALPHA, false);
    s.crew.scheme->hooks->release(s.one, &mine, 2, ALPHA, true);
    uint64_t before = worker_open_ends(s.other);
    assert_true(s.crew.scheme->hooks->refuted(s.other, &yours, 2));
    assert_int_equal(worker_open_ends(s.other), before);
    assert_true(s.crew.scheme->hooks->refuted(s.other, &yours, 1));
    assert_int_equal(worker_open_ends(s.other), before + 1);
}

static void store(const struct node *node, int move, int depth, mp_value value, enum bound bound)
{
    table_store(s.table, node->key,
                (struct table_entry){.value = value,
                                     .move = (uint16_t)node->list.moves[move],
                                     .depth = (uint8_t)depth,
                                     .bound = (uint8_t)bound});
}

/* What ends a node, and what it is worth then. */
static void the_table_answers(void **state)
{
    (void)state;
    static const struct {
        mp_value value;
        enum bound bound;
        int depth;
        bool done;
        mp_value best, alpha;
    } cases[] = {
        {50, BOUND_EXACT, DEPTH, true, 50, 50},
        {BETA, BOUND_LOWER, DEPTH, true, BETA, ALPHA},
        {ALPHA, BOUND_UPPER, DEPTH, true, ALPHA, ALPHA},
        {50, BOUND_LOWER, DEPTH, false, 50, 50},                     /* a better bound */
        {50, BOUND_UPPER, DEPTH, false, -MP_INFINITE, ALPHA},        /* says nothing inside of the window */
        {ALPHA - 5, BOUND_LOWER, DEPTH, false, -MP_INFINITE, ALPHA}, /* nor this */
        {50, BOUND_EXACT, DEPTH - 1, false, -MP_INFINITE, ALPHA},    /* another depth */
        {BETA, BOUND_LOWER, DEPTH + 1, false, -MP_INFINITE, ALPHA},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int ply = 0; ply <= 2; ply += 2) {
            crew_clear_table(&s.crew, s.table);
            struct node node = node_of(s.one, ply);
            assert_false(s.crew.scheme->hooks->answered(s.one, &node));
            store(&node, 2, cases[i].depth, cases[i].value, cases[i].bound);
            assert_int_equal(s.crew.scheme->hooks->answered(s.one, &node), cases[i].done);
            assert_int_equal(node.best, cases[i].best);
            assert_int_equal(node.alpha, cases[i].alpha);
            if (cases[i].best > ALPHA) {
                assert_int_equal(node.best_move, node.list.moves[2]);
                assert_int_equal(s.one->pv[ply][0], node.list.moves[2]);
                assert_int_equal(s.one->pv_length[ply], 1);
            }
        }
}

/* A root without some of its moves has another value. */
static void a_filtered_root_is_on_its_own(void **state)
{
    (void)state;
    struct node node = node_of(s.one, 0);
    struct table_entry entry;
    s.root.excluded[0] = node.list.moves[0];
    s.root.excluded_count = 1;
    store(&node, 2, DEPTH, 50, BOUND_EXACT);
    assert_false(s.crew.scheme->hooks->answered(s.one, &node));
    crew_clear_table(&s.crew, s.table);
    node.best = 20;
    s.crew.scheme->hooks->raised(s.one, &node);
    assert_false(table_probe(s.table, KEY, &entry));
}

/* A better bound of a window is told at once; a null window has none that others could use. */
static void a_better_bound_is_told(void **state)
{
    (void)state;
    struct node mine = node_of(s.one, 2), yours = node_of(s.other, 2);
    mine.alpha = mine.best = 30;
    mine.best_move = mine.list.moves[3];
    s.crew.scheme->hooks->raised(s.one, &mine);
    assert_false(s.crew.scheme->hooks->answered(s.other, &yours));
    assert_int_equal(yours.alpha, 30);
    assert_int_equal(yours.best_move, yours.list.moves[3]);
    struct table_entry entry;
    mine.key++;
    mine.beta = mine.alpha + 1;
    s.crew.scheme->hooks->raised(s.one, &mine);
    assert_false(table_probe(s.table, mine.key, &entry));
}

/* A thread leaves a node that another has finished; of several, the outermost. */
static void who_is_overtaken_leaves(void **state)
{
    (void)state;
    struct node outer = node_of(s.one, 2), inner = outer;
    inner.ply = 3;
    inner.key = KEY + 1;
    inner.outer = &outer;
    s.one->open = &inner;
    assert_false(s.crew.scheme->hooks->cancelled(s.one));
    store(&outer, 1, DEPTH, 50, BOUND_LOWER); /* better, but not the end */
    assert_false(s.crew.scheme->hooks->cancelled(s.one));
    store(&inner, 1, DEPTH, BETA, BOUND_LOWER);
    assert_true(s.crew.scheme->hooks->cancelled(s.one));
    assert_true(inner.is_answered && !outer.is_answered);
    assert_int_equal(inner.best, BETA);
    inner.is_answered = false;
    crew_clear_table(&s.crew, s.table);
    store(&inner, 1, DEPTH, BETA, BOUND_LOWER);
    store(&outer, 1, DEPTH, 70, BOUND_EXACT);
    assert_true(s.crew.scheme->hooks->cancelled(s.one));
    assert_true(outer.is_answered && !inner.is_answered);
    assert_int_equal(outer.best, 70);
    s.one->open = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_move_under_way_is_put_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_refuted_move_is_not_searched_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_refutation_says_whether_it_holds_deeper, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_table_answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_filtered_root_is_on_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_better_bound_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_is_overtaken_leaves, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("abdada", tests, NULL, NULL);
}

/* crew.c - how a search begins and how its workers come to it: alone at first, with nothing left over from
 * the search before, and nothing in a worker that reaches from one task into the next. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/clock.h"
#include "base/random.h"
#include "parallel/crew.h"
#include "parallel/split.h"
#include "search/chance.h"
#include "strategy/strategy.h"

#include <sched.h>

/* The value of a search whose helpers come from jobs that were cancelled around them. */
static mp_value value_with_stopped_helpers(const struct mp_game *game, const struct mp_position *position,
                                           const char *text)
{
    struct mp_strategy *strategy;
    struct control control = {0};
    struct root_moves root = {0};
    struct iteration found;
    struct mp_history history = mp_position_history(position);
    assert_non_null((strategy = mp_strategy_new(game, text, NULL)));
    struct crew crew = {.scheme = strategy->plan.scheme,
                        .options = strategy->plan.scheme_options,
                        .threads = strategy->plan.threads};
    assert_true(crew_init(&crew, game, &strategy->plan.settings, &control, NULL, NULL));
    assert_true(crew_begin(&crew, mp_position_state(position), &history, NULL));
    for (int i = 0; i < crew.threads; i++)
        crew.workers[i].root_moves = &root;
    for (int i = 1; i < crew.threads; i++) {
        crew.workers[i].stopped = true;
        crew.workers[i].check_at = WORKER_CHECK_NODES; /* not looked at again for a while */
    }
    assert_true(crew_iterate(&crew, strategy->plan.depth, NULL, &found));
    crew_free(&crew);
    mp_strategy_free(strategy);
    return found.value;
}

/* A helper that stays stopped gives up its first task, and nobody takes it again: an outcome of a throw would
 * be missing in the mean, or the best move among the others. */
static void helpers_begin_each_task_afresh(void **state)
{
    (void)state;
    static const struct {
        const char *game, *alone, *together;
    } cases[] = {
        {DICE_PLUGIN, "star2,depth=6", "star2,split=rolls,deterministic=on,threads=3,depth=6"},
        {DICE_PLUGIN, "star1,depth=6", "star1,split=rolls,deterministic=on,threads=8,depth=6"},
        {"othello", "alphabeta,depth=7", "alphabeta,split=ybwc,deterministic=on,threads=3,depth=7"},
        {"othello", "alphabeta,depth=7", "alphabeta,split=shared,deterministic=on,threads=8,depth=7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_game *game = mp_game_open(cases[i].game, NULL);
        struct mp_search *alone = mp_search_new(game, cases[i].alone, NULL);
        assert_non_null(alone);
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct mp_position *position = subjects_position(game, seed, 6);
            struct mp_result result = {MP_SIZE(struct mp_result)};
            assert_true(mp_search_run(alone, position, NULL, NULL, &result, NULL));
            assert_int_equal(value_with_stopped_helpers(game, position, cases[i].together), result.value);
            mp_position_free(position);
        }
        mp_search_free(alone);
        mp_game_close(game);
    }
}

/* ---- The beginning --------------------------------------------------------------------------------- */

struct setting {
    struct mp_game *game;
    struct mp_position *position;
    struct mp_history history;
    struct mp_strategy *strategy;
    struct control control;
    struct root_moves root;
    struct table *table;
    struct crew crew;
};

static void set_up(struct setting *s, const char *game, const char *text)
{
    struct mp_error error = {0};
    memset(s, 0, sizeof *s);
    s->game = mp_game_open(game, NULL);
    s->position = subjects_position(s->game, 3, 20);
    s->history = mp_position_history(s->position);
    if (!(s->strategy = mp_strategy_new(s->game, text, &error)))
        fail_msg("%s: %s", text, error.text);
    s->crew = (struct crew){.scheme = s->strategy->plan.scheme,
                            .options = s->strategy->plan.scheme_options,
                            .threads = s->strategy->plan.threads};
    s->table = table_new(1, 1);
    assert_true(crew_init(&s->crew, s->game, &s->strategy->plan.settings, &s->control, s->table, NULL));
    crew_clear_table(&s->crew, s->table);
    for (int i = 0; i < s->crew.threads; i++)
        s->crew.workers[i].root_moves = &s->root;
}

static void begin(struct setting *s)
{
    assert_true(crew_begin(&s->crew, mp_position_state(s->position), &s->history, NULL));
}

static void tear_down(struct setting *s)
{
    crew_free(&s->crew);
    table_free(s->table);
    mp_strategy_free(s->strategy);
    mp_position_free(s->position);
    mp_game_close(s->game);
}

static uint64_t tasks(const struct crew *crew, bool stolen)
{
    uint64_t sum = 0;
    for (int i = 0; i < crew->threads; i++) {
        struct pool_stats stats = pool_stats(crew->pool, i);
        sum += stolen ? stats.tasks_stolen : stats.tasks_created;
    }
    return sum;
}

/* Before its time has come nobody helps, although there are tasks; a scheme that isolates windows has none.
 * When it has, the others are let in. */
static void a_search_begins_alone(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool isolates;
    } cases[] = {{"pvs,depth=10,split=ybwc,threads=3", false},
                 {"pvs,depth=10,split=abdada,threads=3", false},
                 {"alphabeta,depth=8,split=top,threads=3", true},
                 {"alphabeta,depth=8,split=bfs,threads=3", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct setting s;
        struct iteration found;
        set_up(&s, "othello", cases[i].text);
        begin(&s);
        assert_true(s.crew.alone);
        s.crew.alone_until_ns = INT64_MAX;
        assert_true(crew_iterate(&s.crew, s.strategy->plan.depth, NULL, &found));
        mp_value value = found.value;
        assert_true(s.crew.alone);
        assert_int_equal(tasks(&s.crew, true), 0);
        assert_int_equal(tasks(&s.crew, false) > 0, !cases[i].isolates);
        crew_clear_table(&s.crew, s.table);
        begin(&s);
        s.crew.alone_until_ns = 0;
        assert_true(crew_iterate(&s.crew, s.strategy->plan.depth, NULL, &found));
        assert_int_equal(found.value, value);
        assert_false(s.crew.alone);
        assert_true(tasks(&s.crew, false) > 0);
        tear_down(&s);
    }
}

static void eager_is_not_alone(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "othello", "pvs,depth=6,split=ybwc,threads=3,eager=on");
    begin(&s);
    assert_false(s.crew.alone);
    tear_down(&s);
}

/* ---- What is left over ----------------------------------------------------------------------------- */

static void do_nothing(struct job *job, int thread, int task)
{
    (void)job, (void)thread, (void)task;
}

/* Also of the workers that may not be let in this time. */
static void counters_begin_at_zero(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "othello", "pvs,depth=6,split=ybwc,threads=3");
    struct job job = {.run = do_nothing, .count = 5};
    crew_run(&s.crew, &job);
    assert_true(tasks(&s.crew, false) >= 5);
    for (int i = 0; i < 3; i++) {
        s.crew.workers[i].counters.nodes = s.crew.workers[i].reported = 1000;
        s.crew.workers[i].counters.table_hits = 7;
        atomic_store(&s.crew.workers[i].shown, 1000);
    }
    begin(&s);
    assert_int_equal(tasks(&s.crew, false), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(s.crew.workers[i].counters.nodes, 0);
        assert_int_equal(s.crew.workers[i].counters.table_hits, 0);
        assert_int_equal(s.crew.workers[i].reported, 0);
        assert_int_equal(atomic_load(&s.crew.workers[i].shown), 0);
    }
    tear_down(&s);
}

static void what_is_forgotten_is_gone(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "othello", "pvs,depth=6,split=abdada,threads=3");
    memset(s.crew.scheme_data, 0xaa, s.crew.scheme->data_size);
    crew_clear_notes(&s.crew);
    for (size_t i = 0; i < s.crew.scheme->data_size; i++)
        assert_int_equal(((char *)s.crew.scheme_data)[i], 0);
    /* All parts of the table, whoever clears them. */
    enum { ENTRIES = 20000 };
    for (uint64_t i = 0; i < ENTRIES; i++)
        table_store(s.table, random_mix(i),
                    (struct table_entry){.value = 1, .depth = 1, .bound = BOUND_EXACT});
    assert_true(table_fill(s.table) > 0);
    crew_clear_table(&s.crew, s.table);
    struct table_entry entry;
    for (uint64_t i = 0; i < ENTRIES; i++)
        assert_false(table_probe(s.table, random_mix(i), &entry));
    tear_down(&s);
}

/* ---- Splits ---------------------------------------------------------------------------------------- */

struct look {
    struct job job;
    struct worker *worker;
    int shared_ply;
};

static void look_at_ply(struct job *job, int thread, int task)
{
    (void)thread, (void)task;
    struct look *look = (struct look *)job;
    look->shared_ply = look->worker->shared_ply;
}

/* A worker knows up to where others may read its line, also when splits are nested. */
static void a_split_says_what_it_shares(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "othello", "pvs,depth=6,split=ybwc,threads=2");
    begin(&s);
    struct worker *w = &s.crew.workers[0];
    struct look look = {.job = {.run = look_at_ply, .count = 1}, .worker = w};
    assert_int_equal(w->shared_ply, WORKER_ALONE);
    crew_split(w, 3, &look.job);
    assert_int_equal(look.shared_ply, 3);
    assert_int_equal(w->shared_ply, WORKER_ALONE);
    w->shared_ply = 2;
    crew_split(w, 5, &look.job);
    assert_int_equal(look.shared_ply, 5);
    assert_int_equal(w->shared_ply, 2);
    tear_down(&s);
}

/* Two pieces of work of one split, each on a thread of its own. The first settles it; the second is done only
 * after that, and has not noticed. */
static struct {
    atomic_int begun, impatient;
} pair;

static void wait_for_other(void)
{
    enum { PATIENCE = 20 };
    atomic_fetch_add(&pair.begun, 1);
    for (int64_t start = clock_ns(); atomic_load(&pair.begun) < 2; sched_yield())
        if (clock_seconds_since(start) > PATIENCE) {
            atomic_store(&pair.impatient, 1);
            return;
        }
}

static void wait_until_settled(const struct worker *w)
{
    enum { PATIENCE = 20 };
    const struct crew *crew = w->scheme;
    const struct job *job = pool_current(crew->pool, crew_thread(w));
    for (int64_t start = clock_ns(); !job_is_cancelled(job); sched_yield())
        if (clock_seconds_since(start) > PATIENCE) {
            atomic_store(&pair.impatient, 1);
            return;
        }
}

/* A search_move_function. */
static mp_value cut_off_or_come_late(struct worker *w, const struct node *node, int i)
{
    wait_for_other();
    w->pv_length[node->ply + 1] = 0;
    if (i == 1)
        return 150;
    wait_until_settled(w);
    return 300;
}

static void what_comes_after_a_cut_off_does_not_count(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct setting s;
        set_up(&s, "othello", "pvs,depth=6,split=ybwc,threads=2,eager=on");
        begin(&s);
        struct worker *w = &s.crew.workers[0];
        struct node node = {.depth = 6, .alpha = 10, .beta = 100, .best = 5, .list = worker_list(w, 0)};
        assert_true(node.list.count >= 3);
        node.list.count = 3;
        memset(&pair, 0, sizeof pair);
        split_node(w, &node, 1, cut_off_or_come_late);
        assert_int_equal(pair.impatient, 0);
        assert_int_equal(node.best, 150);
        assert_int_equal(node.best_move, node.list.moves[1]);
        assert_int_equal(w->pv[0][0], node.list.moves[1]);
        uint64_t cancelled = 0;
        for (int thread = 0; thread < 2; thread++)
            cancelled += pool_stats(s.crew.pool, thread).tasks_cancelled;
        assert_int_equal(cancelled, 1);
        tear_down(&s);
    }
}

/* A search_move_function. */
static mp_value be_stopped_or_not(struct worker *w, const struct node *node, int i)
{
    w->pv_length[node->ply + 1] = 0;
    w->stopped = i == 1;
    return i == 1 ? 300 : 20;
}

/* A search that was stopped has come to no value, whatever it returns. */
static void what_is_stopped_does_not_count(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "othello", "pvs,depth=6,split=ybwc,threads=2,eager=on");
    begin(&s);
    struct worker *w = &s.crew.workers[0];
    struct node node = {.depth = 6, .alpha = 10, .beta = 100, .best = 5, .list = worker_list(w, 0)};
    assert_true(node.list.count >= 3);
    node.list.count = 3;
    split_node(w, &node, 1, be_stopped_or_not);
    assert_int_equal(node.best, 20);
    assert_int_equal(node.best_move, node.list.moves[2]);
    assert_false(w->stopped);
    uint64_t cancelled = 0;
    for (int thread = 0; thread < 2; thread++)
        cancelled += pool_stats(s.crew.pool, thread).tasks_cancelled;
    assert_int_equal(cancelled, 1);
    tear_down(&s);
}

/* A search_move_function. */
static mp_value reach_the_horizon(struct worker *w, const struct node *node, int i)
{
    (void)i;
    wait_for_other();
    w->pv_length[node->ply + 1] = 0;
    w->counters.leaves++;
    return 20;
}

/* Whoever was at the horizon: the value of the node depends on the depth then. */
static void the_owner_knows_what_helpers_left_open(void **state)
{
    (void)state;
    struct setting s;
    set_up(&s, "othello", "pvs,depth=6,split=ybwc,threads=2,eager=on");
    begin(&s);
    struct worker *w = &s.crew.workers[0];
    struct node node = {.depth = 6, .alpha = 10, .beta = 100, .best = 5, .list = worker_list(w, 0)};
    assert_true(node.list.count >= 3);
    node.list.count = 3;
    memset(&pair, 0, sizeof pair);
    uint64_t before = worker_open_ends(w);
    split_node(w, &node, 1, reach_the_horizon);
    assert_int_equal(pair.impatient, 0);
    assert_int_equal(worker_open_ends(w) - before, 2);
    tear_down(&s);
}

/* A search_function. The outcomes are told apart by the die, the last number of a position. */
static mp_value settle_or_come_late(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    (void)depth, (void)alpha, (void)beta;
    char text[64];
    wait_for_other();
    w->game->print_position(w->game, worker_state(w, ply), text, sizeof text);
    if (text[strlen(text) - 1] == '1')
        return 2000;
    wait_until_settled(w);
    return 75;
}

static void what_comes_after_a_throw_is_settled_does_not_count(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct setting s;
        set_up(&s, DICE_PLUGIN, "star1,depth=6,split=rolls,threads=2,eager=on");
        s.strategy->plan.settings.search = settle_or_come_late;
        begin(&s);
        struct worker *w = &s.crew.workers[0];
        struct move_list moves = worker_list(w, 0);
        worker_play(w, 0, moves.moves[0]);
        struct chance chance = {.ply = 1,
                                .depth = 3,
                                .outcomes = worker_chances(w, 1),
                                .bounded = true,
                                .fail_low = -12000,
                                .fail_high = 600,
                                .low = -100,
                                .high = 2000,
                                .weights = 6};
        assert_int_equal(chance.outcomes.count, 3);
        chance_begin(&chance);
        memset(&pair, 0, sizeof pair);
        assert_true(s.crew.scheme->hooks->rolls(w, &chance));
        assert_int_equal(pair.impatient, 0);
        /* Half of the weight at 2000, the rest at its least. */
        assert_int_equal(chance.sum, 3 * 2000 - 3 * 100);
        tear_down(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helpers_begin_each_task_afresh),
        cmocka_unit_test(a_search_begins_alone),
        cmocka_unit_test(eager_is_not_alone),
        cmocka_unit_test(counters_begin_at_zero),
        cmocka_unit_test(what_is_forgotten_is_gone),
        cmocka_unit_test(a_split_says_what_it_shares),
        cmocka_unit_test(what_comes_after_a_cut_off_does_not_count),
        cmocka_unit_test(what_is_stopped_does_not_count),
        cmocka_unit_test(the_owner_knows_what_helpers_left_open),
        cmocka_unit_test(what_comes_after_a_throw_is_settled_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* mcts_values.c - the numbers of Monte-Carlo search, on one thread and with every way to share it: what a
 * tree says adds up, to the last reward, and what is sampled agrees with what expectiminimax works out.
 *
 * In the first half a leaf is worth a number that depends on its state alone. So the sum at every node can be
 * computed from the tree's shape, whoever has grown it in which order: own visits times the worth of the
 * state, and what the children have. The second half only looks at results. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "base/random.h"
#include "engine/engine.h"
#include "games/backgammon/backgammon.h"
#include "search/mcts.h"

#include <math.h>
#include <sched.h>

enum { STATE = 1024, MOST_THREADS = 4 };

static struct mp_game *open_game(const char *name)
{
    struct mp_error error = {0};
    struct mp_game *game = mp_game_open(name, &error);
    if (!game)
        fail_msg("%s", error.text);
    assert_true(game->state_size <= STATE && !game->drawn);
    return game;
}

/* ---- A search with an open lid --------------------------------------------------------------------- */

/* What the leaves note, of all threads. */
static struct {
    uint64_t *seeds; /* null: they are not kept */
    atomic_int seed_count;
    atomic_int unmarked, misjudged; /* nodes on the way to a leaf */
    bool alone;                     /* a single thread grows a tree that others could grow too */
} notes;

struct session {
    struct mp_search *search;
    struct mcts *mcts;
    struct mp_result result;
};

static void begin(struct session *s, const struct mp_game *game, const char *text)
{
    struct mp_error error = {0};
    memset(s, 0, sizeof *s);
    memset(&notes, 0, sizeof notes);
    s->search = mp_search_new(game, text, &error);
    if (!s->search)
        fail_msg("%s: %s", text, error.text);
    s->mcts = s->search->data;
}

static void run_session(struct session *s, const struct mp_position *position)
{
    s->result = (struct mp_result){MP_SIZE(struct mp_result)};
    assert_true(mp_search_run(s->search, position, NULL, NULL, &s->result, NULL));
}

static void end(struct session *s)
{
    mp_search_free(s->search);
}

static uint64_t iterations_of(const struct session *s)
{
    uint64_t sum = 0;
    for (int i = 0; i < s->search->crew.threads; i++)
        sum += s->search->crew.workers[i].counters.iterations;
    return sum;
}

/* ---- Leaves ---------------------------------------------------------------------------------------- */

/* For the side to move: the end of a game, or any number. */
static int64_t worth(const struct mcts *m, const void *state)
{
    const struct mp_game *game = m->game;
    bool chance = game->chances && game->chances(game, state, NULL, NULL, 0) > 0;
    if (!chance && game->list(game, state, NULL, 0) == 0)
        return mcts_reward(m, mp_final_value(game, game->margin(game, state), 0));
    return (int64_t)(random_mix(game->key(game, state)) % (2 * MCTS_ONE + 1)) - MCTS_ONE;
}

/* What selection should see of a node that iterations are under way below. */
static bool is_judged(const struct mcts *m, struct mcts_place place, double pending)
{
    const struct mcts_settings *settings = &m->settings->mcts;
    const struct mcts_node *node = mcts_node(place);
    struct mcts_score score = mcts_load_score(place.block, place.index);
    double visits = (double)mcts_visits(node), sum = (double)mcts_sum(node) / MCTS_ONE;
    double seen = visits, tried = visits;
    if (settings->unobserved) {
        tried += pending;
    } else {
        sum -= pending * settings->virtual_loss;
        seen = tried += pending * settings->virtual_loss;
    }
    if (tried == 0)
        return score.mean == MCTS_FIRST && score.spread == 0;
    double mean = seen > 0 ? sum / seen : 0;
    return fabs((double)score.mean - mean) < 1e-5 && fabs((double)score.spread - 1 / sqrt(tried)) < 1e-5;
}

/* Follows the worker's line through the tree, as far as it can be told which node it is at. Each node there
 * but the root is marked as pending. */
static void check_marks(const struct mcts *m, const struct worker *w, int ply)
{
    const struct mp_game *game = m->game;
    _Alignas(64) char child[STATE];
    struct mcts_tree *tree = &m->trees[0];
    struct mcts_place at = mcts_root(tree);
    for (int p = 0; p < ply; p++) {
        struct mcts_block *children = mcts_children(tree, at);
        uint64_t key = game->key(game, worker_state(w, p + 1));
        int found = 0;
        for (uint32_t i = 0; children && i < children->count; i++) {
            game->play(game, worker_state(w, p), mcts_nodes(children)[i].move, child);
            if (game->key(game, child) == key) {
                at = (struct mcts_place){children, i};
                found++;
            }
        }
        if (found != 1)
            return;
        double pending = (double)atomic_load(&at.block->edges[at.index].pending);
        if (pending <= 0)
            atomic_fetch_add(&notes.unmarked, 1);
        if (notes.alone && at.block->chooser == MCTS_PLAYER && !is_judged(m, at, pending))
            atomic_fetch_add(&notes.misjudged, 1);
    }
}

/* A mcts_value_function. */
static int64_t value_leaf(struct mcts *m, struct worker *w, int ply, uint64_t seed)
{
    enum { CHECK = 8, YIELD = 64 };
    if (notes.seeds)
        notes.seeds[atomic_fetch_add(&notes.seed_count, 1)] = seed;
    if (m->trees[0].shared && seed % CHECK == 0)
        check_marks(m, w, ply);
    if (seed % YIELD == 0)
        sched_yield(); /* in the middle of an iteration, so that others see it */
    return m->settings->mcts.playouts * worth(m, worker_state(w, ply));
}

/* ---- The books ------------------------------------------------------------------------------------- */

struct audit {
    const struct mcts *mcts;
    struct mcts_tree *tree;
    const char *what;
    bool alone;       /* a single thread has grown the tree */
    bool kept;        /* it began with a part of another tree */
    bool with_solver; /* what is proven changes sums, and nodes are left out that are known */
    uint64_t inner, throws;
};

/* Visits of a node with children are those of the children and those before it had any. */
static void audit_visits(const struct audit *a, struct mcts_place place, uint64_t visits, uint64_t below)
{
    const struct mcts_settings *settings = &a->mcts->settings->mcts;
    uint64_t before = (uint64_t)(settings->expand - 1) * (uint64_t)settings->playouts;
    /* While one thread makes the children, others may still come for the node itself. */
    bool exact = a->alone && !a->with_solver;
    /* An iteration makes children once: a child that is new has to wait for its own. */
    uint64_t most = before ? before : (uint64_t)settings->playouts;
    if (place.block->chooser == MCTS_ROOT) {
        before = most = 0;
        exact = !a->kept && !a->with_solver;
    }
    if (visits < below + before || (exact && visits > below + most))
        fail_msg("%s: %llu visits, %llu of them below, %llu before that", a->what, (unsigned long long)visits,
                 (unsigned long long)below, (unsigned long long)before);
}

/* Checks a node and all below. The sum of the rewards there, for player 0. */
static int64_t audit_node(struct audit *a, struct mcts_place place, const void *state, int viewer)
{
    const struct mp_game *game = a->mcts->game;
    _Alignas(64) char child[STATE];
    const struct mcts_node *node = mcts_node(place);
    struct mcts_block *children = mcts_children(a->tree, place);
    uint64_t visits = mcts_visits(node), below = 0;
    unsigned long long pending = atomic_load(&place.block->edges[place.index].pending);
    int64_t total = 0;
    int side = game->side(game, state);
    if (pending)
        fail_msg("%s: %llu iterations are still under way", a->what, pending);
    for (uint32_t i = 0; children && i < children->count; i++) {
        struct mcts_place next = {children, i};
        bool chance = children->chooser == MCTS_CHANCE;
        game->play(game, state, mcts_nodes(children)[i].move, child);
        total += audit_node(a, next, child, chance ? game->side(game, child) : side);
        below += mcts_visits(mcts_node(next));
        if (a->alone && !a->with_solver && !chance && !is_judged(a->mcts, next, 0))
            fail_msg("%s: after %llu visits selection sees another mean", a->what,
                     (unsigned long long)mcts_visits(mcts_node(next)));
    }
    if (children) {
        audit_visits(a, place, visits, below);
        a->inner++;
        a->throws += children->chooser == MCTS_CHANCE;
    }
    int64_t own = (int64_t)(visits - below) * worth(a->mcts, state);
    total += side == 0 ? own : -own;
    int64_t sum = viewer == 0 ? mcts_sum(node) : -mcts_sum(node);
    if (!a->with_solver && sum != total)
        fail_msg("%s: %lld after %llu visits, %llu below, expected %lld", a->what, (long long)sum,
                 (unsigned long long)visits, (unsigned long long)below, (long long)total);
    return total;
}

/* The visits of the root. */
static uint64_t audit_tree(struct audit *audit, int number, const void *state)
{
    const struct mp_game *game = audit->mcts->game;
    audit->tree = &audit->mcts->trees[number];
    struct mcts_place root = mcts_root(audit->tree);
    assert_non_null(mcts_children(audit->tree, root));
    audit_node(audit, root, state, game->side(game, state));
    return mcts_visits(mcts_node(root));
}

static void audit_session(const struct session *s, const struct mp_position *position, bool kept,
                          const char *what)
{
    const struct mcts *m = s->mcts;
    struct audit audit = {.mcts = m,
                          .what = what,
                          .alone = !m->trees[0].shared,
                          .kept = kept,
                          .with_solver = m->settings->mcts.solver};
    uint64_t visits = 0, made = iterations_of(s) * (uint64_t)m->settings->mcts.playouts;
    for (int i = 0; i < m->tree_count; i++)
        visits += audit_tree(&audit, i, mp_position_state(position));
    /* Of chunks only the last trees are there. */
    if (s->search->crew.options.chunk)
        assert_true(visits <= made);
    else if (kept)
        assert_true(visits >= made);
    else
        assert_int_equal(visits, made);
    assert_true(audit.with_solver || audit.inner > 10);
    assert_true(audit.with_solver || (m->game->chances != NULL) == (audit.throws > 10));
    assert_int_equal(notes.unmarked, 0);
}

static const char *const games[] = {DICE_PLUGIN, "backgammon", "othello", CONNECT4_PLUGIN};
enum { GAMES = sizeof games / sizeof *games };

static const char *const ways[] = {
    "",
    ",playouts=3",
    ",expand=1",
    ",split=root,threads=3",
    ",split=root,chunk=700,threads=3",
    ",split=tree,threads=2",
    ",split=tree,threads=4,expand=1",
    ",split=tree,threads=3,playouts=2",
    ",split=tree,threads=3,vloss=3",
    ",split=tree,threads=3,vloss=0",
    ",split=tree,threads=3,unobserved=on",
};
enum { WAYS = sizeof ways / sizeof *ways };

/* One step on: the move that was found, and any outcome of the dice. */
static void go_on(struct mp_position *position, mp_move move)
{
    assert_true(mp_position_play(position, move, NULL));
    if (mp_position_is_chance(position)) {
        assert_int_equal(mp_position_moves(position, &move, NULL, 1) > 0, 1);
        assert_true(mp_position_play(position, move, NULL));
    }
}

/* Nobody is left under way, all visits are accounted for, and with them all rewards; also in what is kept of
 * a tree when the game has gone on. */
static void the_books_balance(void **state)
{
    enum { ITERATIONS = 9000 };
    struct mp_game *game = open_game(*state);
    for (int i = 0; i < WAYS; i++)
        for (int solver = 0; solver < 2; solver++) {
            char text[128];
            struct session s;
            struct mp_position *position = subjects_position(game, 5, 8);
            snprintf(text, sizeof text, "mcts,iterations=%d,solver=%s%s", ITERATIONS, solver ? "on" : "off",
                     ways[i]);
            begin(&s, game, text);
            s.mcts->value_leaf = value_leaf;
            for (int turn = 0; turn < 2; turn++) {
                run_session(&s, position);
                assert_true(s.result.exact || iterations_of(&s) == ITERATIONS);
                audit_session(&s, position, turn > 0, text);
                go_on(position, s.result.move);
                if (mp_position_moves(position, NULL, NULL, 0) == 0)
                    break;
            }
            end(&s);
            mp_position_free(position);
        }
    mp_game_close(game);
}

/* A tree that several threads could grow is grown by one: then it is known at any moment what selection sees
 * of the iterations under way, those that are leased included. */
static void who_is_under_way_is_seen(void **state)
{
    enum { ITERATIONS = 20000 };
    static const char *const marks[] = {"", ",vloss=2", ",vloss=0", ",unobserved=on"};
    struct mp_game *game = open_game(*state);
    for (int i = 0; i < 4; i++) {
        char text[128];
        struct session s;
        struct mp_position *position = subjects_position(game, 5, 8);
        snprintf(text, sizeof text, "mcts,solver=off,split=tree,threads=2%s", marks[i]);
        begin(&s, game, text);
        struct mcts *m = s.mcts;
        struct worker *w = &s.search->crew.workers[0];
        m->value_leaf = value_leaf;
        notes.alone = true;
        struct mp_history history = mp_position_history(position);
        assert_true(crew_begin(&s.search->crew, mp_position_state(position), &history, NULL));
        assert_true(mcts_begin(m, w, &history, NULL));
        assert_int_equal(mcts_iterate_many(m, m->trees, m->trees[0].arenas, w, 0, ITERATIONS), ITERATIONS);
        struct audit audit = {.mcts = m, .what = text, .alone = true};
        assert_int_equal(audit_tree(&audit, 0, mp_position_state(position)), ITERATIONS);
        assert_int_equal(notes.unmarked, 0);
        assert_int_equal(notes.misjudged, 0);
        end(&s);
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* ---- Random numbers, and what the trees of split=root are ------------------------------------------ */

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* No two iterations play the same game, in whichever stage, tree or chunk they are. */
static void no_number_is_used_twice(void **state)
{
    (void)state;
    enum { ITERATIONS = 9000 };
    static uint64_t seeds[ITERATIONS];
    struct mp_game *game = open_game("othello");
    for (int i = 0; i < WAYS; i++) {
        char text[128];
        struct session s;
        struct mp_position *position = subjects_position(game, 5, 8);
        snprintf(text, sizeof text, "mcts,iterations=%d,solver=off%s", ITERATIONS, ways[i]);
        begin(&s, game, text);
        s.mcts->value_leaf = value_leaf;
        notes.seeds = seeds;
        run_session(&s, position);
        int count = notes.seed_count;
        assert_in_range(count, ITERATIONS - 10, ITERATIONS); /* hardly a game ends that soon */
        qsort(seeds, (size_t)count, sizeof *seeds, by_size);
        for (int j = 1; j < count; j++)
            if (seeds[j] == seeds[j - 1])
                fail_msg("%s: two leaves have the same seed", text);
        end(&s);
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* Grows a tree anew, by hand, and adds what its root says. */
static void add_by_hand(struct session *s, uint64_t stream, uint64_t count, struct mcts_choice *choices)
{
    struct mcts *m = s->mcts;
    struct mcts_tree *tree = &m->trees[0];
    mcts_restart(m, tree, &s->search->crew.workers[0]);
    tree->stream = random_at(m->root_key, stream);
    assert_int_equal(mcts_iterate_many(m, tree, tree->arenas, &s->search->crew.workers[0], 0, count), count);
    mcts_add_choices(tree, choices);
}

/* A tree for each thread, or for each chunk; their roots are added up. */
static void roots_are_added_up(void **state)
{
    enum { ITERATIONS = 5003, CHUNK = 110 };
    static const char *const splits[] = {"threads=3", "threads=4", "chunk=110,threads=1",
                                         "chunk=110,threads=3", "chunk=110,merge=parallel,threads=3"};
    struct mp_game *game = open_game(*state);
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        char text[128];
        struct session s;
        struct mp_position *position = subjects_position(game, 5, 8);
        snprintf(text, sizeof text, "mcts,solver=off,iterations=%d,split=root,%s", ITERATIONS, splits[i]);
        begin(&s, game, text);
        run_session(&s, position);
        struct mcts *m = s.mcts;
        size_t size = (size_t)m->choice_count * sizeof *m->choices;
        struct mcts_choice *expected = malloc(size);
        uint64_t counts[MOST_THREADS], sum = 0;
        mcts_clear_choices(m, expected);
        for (int tree = 0; tree < m->tree_count; tree++)
            sum += counts[tree] = m->trees[tree].iterations;
        if (s.search->crew.options.chunk) {
            /* Stages end in the middle of a chunk: the next one begins another. */
            uint64_t chunk = 0, stage = 1000;
            for (uint64_t made = 0; made < ITERATIONS; made += stage, stage = made) {
                stage = stage < ITERATIONS - made ? stage : ITERATIONS - made;
                for (uint64_t done = 0; done < stage; done += CHUNK)
                    add_by_hand(&s, chunk++, stage - done < CHUNK ? stage - done : CHUNK, expected);
            }
        } else {
            assert_int_equal(sum, ITERATIONS);
            for (int tree = 0; tree < m->tree_count; tree++)
                add_by_hand(&s, (uint64_t)tree, counts[tree], expected);
        }
        for (int j = 0; j < m->choice_count; j++)
            if (m->choices[j].move != expected[j].move || m->choices[j].visits != expected[j].visits ||
                m->choices[j].sum != expected[j].sum)
                fail_msg("%s: move %d has %llu visits and %lld, expected %llu and %lld", text, j,
                         (unsigned long long)m->choices[j].visits, (long long)m->choices[j].sum,
                         (unsigned long long)expected[j].visits, (long long)expected[j].sum);
        free(expected);
        end(&s);
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* ---- Results --------------------------------------------------------------------------------------- */

static struct mp_result run(const struct mp_game *game, const char *strategy,
                            const struct mp_position *position)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(game, strategy, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", strategy, error.text);
    mp_search_free(search);
    return result;
}

/* Playouts that are shared are those that one thread would make. */
static void shared_playouts_are_the_same(void **state)
{
    (void)state;
    static const char *const names[] = {"othello", "backgammon", "chess"};
    for (int i = 0; i < 3; i++) {
        struct mp_game *game = mp_game_open(names[i], NULL);
        struct mp_position *position = subjects_position(game, 5, 8);
        struct mp_result alone = run(game, "mcts,iterations=1500,playouts=5", position);
        for (int threads = 1; threads <= MOST_THREADS; threads++) {
            char text[128];
            snprintf(text, sizeof text, "mcts,iterations=1500,playouts=5,split=leaf,threads=%d", threads);
            struct mp_result result = run(game, text, position);
            assert_int_equal(result.move, alone.move);
            assert_int_equal(result.value, alone.value);
            assert_int_equal(result.counters.nodes, alone.counters.nodes);
            assert_int_equal(result.counters.playouts, alone.counters.playouts);
            assert_int_equal(result.pv_length, alone.pv_length);
        }
        mp_position_free(position);
        mp_game_close(game);
    }
}

/* How many standard errors a value may be off: more happens once in 500 million times. */
enum { ERRORS = 6 };

static const struct {
    const char *keys;
    int iterations; /* the playouts at one leaf share the throws above: they count as one */
} samplers[] = {
    {"", 20000},
    {",expand=1000000", 20000}, /* all dice are thrown in playouts */
    {",split=root,threads=3", 20000},
    {",split=root,chunk=100,threads=3", 20000},
    {",split=root,chunk=2000,merge=parallel,threads=2", 20000},
    {",split=leaf,threads=2", 4000},
    {",split=tree,threads=2", 20000},
    {",split=tree,threads=4,vloss=2", 20000},
    {",split=tree,threads=3,unobserved=on", 20000},
};
enum { SAMPLERS = sizeof samplers / sizeof *samplers };

/* One man each, far from the other: nothing is left to decide, so every iteration is a game of dice by
 * itself, won or lost, whatever the tree does with it. */
static struct mp_position *race(const struct mp_game *game, int own, int other, int high, int low)
{
    char text[256];
    struct mp_error error = {0};
    struct mp_position *start = mp_position_new(game, NULL, NULL);
    _Alignas(64) struct backgammon s = *(const struct backgammon *)mp_position_state(start);
    mp_position_free(start);
    memset(s.own, 0, sizeof s.own);
    memset(s.opp, 0, sizeof s.opp);
    s.own[BACKGAMMON_OFF] = s.opp[BACKGAMMON_OFF] = BACKGAMMON_MEN - 1;
    s.own[own] = s.opp[other] = 1;
    s.die[0] = (uint8_t)high;
    s.die[1] = (uint8_t)low;
    game->print_position(game, &s, text, sizeof text);
    struct mp_position *position = mp_position_new(game, text, &error);
    if (!position)
        fail_msg("'%s': %s", text, error.text);
    return position;
}

static void races_are_won_as_often_as_expected(void **state)
{
    (void)state;
    static const struct {
        int own, other, high, low;
    } races[] = {{6, 6, 2, 1}, {9, 6, 2, 1}, {8, 9, 3, 1}, {7, 12, 2, 1}};
    struct mp_game *game = open_game("backgammon");
    for (size_t i = 0; i < sizeof races / sizeof *races; i++) {
        struct mp_position *position = race(game, races[i].own, races[i].other, races[i].high, races[i].low);
        double unit = game->units_per_point;
        assert_int_equal(mp_position_moves(position, NULL, NULL, 0), 1);
        double expected = run(game, "expectiminimax,depth=8,hash=16", position).value / unit;
        for (int j = 0; j < SAMPLERS; j++) {
            char text[160];
            snprintf(text, sizeof text, "mcts,solver=off,playout=random,iterations=%d%s",
                     samplers[j].iterations, samplers[j].keys);
            double value = run(game, text, position).value / unit;
            double error = sqrt((1 - expected * expected) / samplers[j].iterations);
            if (fabs(value - expected) > ERRORS * error + 1 / unit)
                fail_msg("%s, race %d: %.4f, expected %.4f with a standard error of %.4f", text, (int)i,
                         value, expected, error);
        }
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* The last two or three turns of a game, each a throw and a move. There is something to decide, so moves that
 * are tried in vain count too: in that many iterations less than 2% of what can be won. Playouts without a
 * tree do not choose, and one for every 100 iterations is too small. */
static void turns_with_dice_are_worth_what_they_should(void **state)
{
    (void)state;
    static const char *const turns[] = {"11 7 37 1", "5 8 37 2", "7 10 37 1", "4 10 38 2", "6 11 38 2"};
    struct mp_game *game = open_game(DICE_PLUGIN);
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        struct mp_position *position = mp_position_new(game, turns[i], NULL);
        assert_non_null(position);
        double expected = run(game, "expectiminimax,depth=6", position).value;
        double most = game->margin_max * game->units_per_point;
        for (int j = 0; j < SAMPLERS; j++) {
            char text[160];
            if (strstr(samplers[j].keys, "chunk=100,") || strstr(samplers[j].keys, "expand="))
                continue;
            snprintf(text, sizeof text, "mcts,solver=off,playout=random,iterations=%d%s",
                     samplers[j].iterations, samplers[j].keys);
            double value = run(game, text, position).value;
            double error = most / sqrt(samplers[j].iterations);
            if (fabs(value - expected) > ERRORS * error + 0.02 * most)
                fail_msg("%s on %s: %.0f, expected %.0f with a standard error of at most %.0f", text,
                         turns[i], value, expected, error);
        }
        mp_position_free(position);
    }
    mp_game_close(game);
}

int main(void)
{
    struct CMUnitTest tests[32];
    size_t count = 0;
    for (int i = 0; i < GAMES; i++) {
        tests[count++] = (struct CMUnitTest){"the_books_balance", the_books_balance, NULL, NULL,
                                             (void *)games[i]};
        tests[count++] = (struct CMUnitTest){"who_is_under_way_is_seen", who_is_under_way_is_seen, NULL, NULL,
                                             (void *)games[i]};
        tests[count++] = (struct CMUnitTest){"roots_are_added_up", roots_are_added_up, NULL, NULL,
                                             (void *)games[i]};
    }
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(no_number_is_used_twice);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(shared_playouts_are_the_same);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(turns_with_dice_are_worth_what_they_should);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(races_are_won_as_often_as_expected);
    return _cmocka_run_group_tests("mcts_values", tests, count, NULL, NULL);
}

/* bites.c - small cases in which a small fault of a search shows: what the tests on random positions of real
 * games pass over, because it is rare there. tests/mutants has the faults. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include "search/chance.h"
#include "search/cuts.h"
#include "search/iteration.h"
#include "search/mcts.h"
#include "search/rollout.h"
#include "search/selective.h"
#include "strategy/strategy.h"

#include <math.h>

static struct mp_result run(const struct mp_game *game, const struct mp_position *position, const char *text)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
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
    struct mp_error error = {0};
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
    return line_table_key(&b->worker.line, 0, true);
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

/* With some of its moves left out a root has another value than its position: the table must not learn it. */
static void chosen_moves_leave_no_entry(void **state)
{
    (void)state;
    struct bench b;
    struct table_entry entry;
    mp_move moves[64];
    set_up(&b, "othello", "pvs,depth=3,hash=1", 1, 20);
    assert_true(mp_position_moves(b.position, moves, NULL, 64) > 1);
    struct root_moves only = {.only = moves, .only_count = 1};
    b.worker.root_moves = &only;
    search(&b, -MP_INFINITE, MP_INFINITE);
    assert_false(table_probe(b.table, root_key(&b), &entry));
    b.worker.root_moves = NULL;
    search(&b, -MP_INFINITE, MP_INFINITE);
    assert_true(table_probe(b.table, root_key(&b), &entry));
    tear_down(&b);
}

/* Of two wins the nearer is worth more, of two losses the farther; and what is subtracted on the way to the
 * table comes back on the way from it. */
static void distances_are_counted_for_both_sides(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, CONNECT4_PLUGIN, "pvs,depth=3,hash=1", 0, 0);
    const mp_value win = MP_PROVEN + 500;
    assert_int_equal(worker_from_root(&b.worker, win, 3), win - 3);
    assert_int_equal(worker_from_root(&b.worker, -win, 3), -win + 3);
    assert_int_equal(worker_from_root(&b.worker, win - 3, -3), win);
    assert_int_equal(worker_from_root(&b.worker, -win + 3, -3), -win);
    assert_int_equal(worker_from_root(&b.worker, 499, 3), 499);
    tear_down(&b);
}

static mp_value asked_enough;

static int note_enough(const struct mp_game *game, const struct mp_evaluation *self, const void *state,
                       const mp_move *moves, int count, mp_value enough, mp_value *values)
{
    (void)game, (void)self, (void)state, (void)moves;
    asked_enough = enough;
    for (int i = 0; i < count; i++)
        values[i] = 0;
    return count;
}

/* The window counts the plies to a win from the root, an evaluation from its state. */
static void the_frontier_is_asked_in_its_own_terms(void **state)
{
    (void)state;
    struct bench b;
    const struct mp_evaluation evaluation = {.name = "none", .children = note_enough};
    set_up(&b, CONNECT4_PLUGIN, "alphabeta,depth=3", 0, 0);
    b.strategy->plan.settings.evaluation = &evaluation;
    const mp_value betas[] = {MP_PROVEN + 500, -MP_PROVEN - 500, 40}, enough[] = {3, -3, 0};
    for (int i = 0; i < 3; i++) {
        memcpy(worker_state(&b.worker, 2), worker_state(&b.worker, 0), b.game->state_size);
        struct move_list list = worker_list(&b.worker, 2);
        worker_frontier(&b.worker, 2, list, -MP_INFINITE, betas[i]);
        worker_drop(&b.worker, list);
        assert_int_equal(asked_enough, -betas[i] - enough[i]);
    }
    tear_down(&b);
}

/* A draw by a rule that looks back is one at the horizon too, whatever the evaluation thinks. In the little
 * game of the fixture both go forth and back, and forth; the last move brings the beginning the third time.
 */
static void draws_at_the_horizon_are_draws(void **state)
{
    (void)state;
    enum { FORTH = 1, BACK = 3 };
    static const mp_move moves[] = {FORTH, FORTH, BACK, BACK, FORTH, FORTH, BACK}, last = BACK;
    static const char *const strategies[] = {"minimax,eval=random:1", "alphabeta,eval=random:2",
                                             "pvs,hash=1,eval=random:3"};
    const struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = 1, .moves = &last, .move_count = 1};
    struct mp_game *game = mp_game_open(CIRCLE_PLUGIN, NULL);
    for (int i = 0; i < 3; i++) {
        struct mp_position *position = mp_position_new(game, NULL, NULL);
        struct mp_search *one_ply = mp_search_new(game, strategies[i], NULL);
        struct mp_result early = {MP_SIZE(struct mp_result)}, result = {MP_SIZE(struct mp_result)};
        for (size_t m = 0; m < sizeof moves / sizeof *moves; m++) {
            if (m == 3)
                assert_true(mp_search_run_within(one_ply, position, &limits, NULL, NULL, &early, NULL));
            assert_true(mp_position_play(position, moves[m], NULL));
        }
        assert_true(mp_search_run_within(one_ply, position, &limits, NULL, NULL, &result, NULL));
        assert_true(early.value != 0);
        assert_int_equal(result.value, 0);
        mp_search_free(one_ply);
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* A value of alpha is a bound: the move has failed low, and the line that was expected stays. */
static void a_value_of_alpha_is_no_better(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "othello", "pvs,depth=3,hash=0", 0, 0);
    struct worker *w = &b.worker;
    struct node node = {.alpha = 10, .beta = 20, .best = -MP_INFINITE};
    w->pv_length[0] = w->pv_length[1] = 0;
    assert_false(node_update(w, w, &node, 1, 10));
    assert_int_equal(node.best, 10);
    assert_int_equal(w->pv_length[0], 0);
    assert_false(node_update(w, w, &node, 2, 11));
    assert_int_equal(node.alpha, 11);
    assert_int_equal(w->pv_length[0], 1);
    assert_int_equal(w->pv[0][0], 2);
    tear_down(&b);
}

/* A position that has occurred before is another one for a rule that looks back, and for the table where a
 * search must be exact. */
static void the_past_is_part_of_a_key(void **state)
{
    (void)state;
    enum { FORTH = 1, BACK = 3 };
    static const mp_move moves[] = {FORTH, FORTH, BACK, BACK};
    struct bench b;
    set_up(&b, CIRCLE_PLUGIN, "pvs,depth=3,hash=1", 0, 0);
    for (int i = 0; i < 4; i++)
        worker_play(&b.worker, i, moves[i]);
    assert_int_equal(line_table_key(&b.worker.line, 4, false), line_table_key(&b.worker.line, 0, false));
    assert_int_not_equal(line_table_key(&b.worker.line, 4, true), line_table_key(&b.worker.line, 0, true));
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

/* ---- Dice ------------------------------------------------------------------------------------------ */

/* Whatever the window, a search with dice is on the side of it where the value is. Backgammon knows bounds of
 * what can come out, and in random positions near the end the values are near them. */
static void check_windows(const char *game, const char *strategy, uint64_t seed, int plies)
{
    struct bench b;
    set_up(&b, game, strategy, seed, plies);
    mp_value value = search(&b, -MP_INFINITE, MP_INFINITE);
    for (mp_value alpha = value - 3; alpha <= value + 3; alpha++)
        for (mp_value width = 1; width <= 3; width += 2) {
            mp_value found = search(&b, alpha, alpha + width);
            bool inside = value > alpha && value < alpha + width;
            if ((found > alpha) != (value > alpha) || (inside && found != value))
                fail_msg("%s, position %d in (%d, %d): %d, expected %d", strategy, (int)seed, alpha,
                         alpha + width, found, value);
        }
    tear_down(&b);
}

static void windows_do_not_move_means(void **state)
{
    (void)state;
    static const char *const strategies[] = {"star1", "star2", "star2,hash=1"};
    for (int i = 0; i < 3; i++) {
        char text[64];
        for (uint64_t seed = 0; seed < 20; seed++) {
            snprintf(text, sizeof text, "%s,depth=4,eval=random:%d", strategies[i], (int)seed);
            check_windows(DICE_PLUGIN, text, seed, 30);
        }
        for (uint64_t seed = 0; seed < 20; seed++) {
            snprintf(text, sizeof text, "%s,depth=1", strategies[i]);
            check_windows("backgammon", text, seed, 600);
        }
    }
}

/* What an outcome is worth takes the place of what it could have been: at the end nothing is left of that. */
static void outcomes_are_counted_once(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, DICE_PLUGIN, "star1,depth=3", 1, 6);
    int32_t weights[] = {3, 2, 1};
    struct chance c = {.outcomes = {.scores = weights, .count = 3},
                       .weights = 6,
                       .bounded = true,
                       .fail_low = -50,
                       .fail_high = 60,
                       .low = -10,
                       .high = 10};
    static const int64_t least[] = {-30, -10, 0}, most[] = {30, 10, 0};
    chance_begin(&c);
    for (int i = 0; i < 3; i++) {
        assert_false(chance_update(&b.worker, &c, i, 1));
        assert_int_equal(c.least, least[i]);
        assert_int_equal(c.most, most[i]);
    }
    assert_int_equal(c.sum, 6);
    tear_down(&b);
}

/* A throw that was searched deeper has another value. */
static void throws_are_answered_by_their_depth_only(void **state)
{
    (void)state;
    static const mp_value absurd = 5000;
    for (int depth = 0; depth <= 4; depth++) {
        struct bench b;
        mp_move moves[8];
        set_up(&b, DICE_PLUGIN, "star2,depth=3,hash=1", 1, 6);
        mp_value value = search(&b, -MP_INFINITE, MP_INFINITE);
        forget(&b);
        int count = mp_position_moves(b.position, moves, NULL, 8);
        assert_in_range(count, 2, 8);
        for (int i = 0; i < count; i++) {
            worker_play(&b.worker, 0, moves[i]);
            table_store(b.table, b.game->key(b.game, worker_state(&b.worker, 1)),
                        (struct table_entry){.value = absurd, .depth = (uint8_t)depth, .bound = BOUND_EXACT});
        }
        /* After a move two more are searched. */
        assert_int_equal(search(&b, -MP_INFINITE, MP_INFINITE), depth == 2 ? -absurd : value);
        tear_down(&b);
    }
}

/* ---- Rollouts -------------------------------------------------------------------------------------------
 */

/* Four games: 1, 3, 5 and 7. The variance is 20 / 3, the error of their mean the root of a fourth of it. */
static void the_error_is_that_of_the_mean(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "backgammon", "rollout,games=36", 0, 2);
    struct rollout_tally tallies[ROLLOUT_MOST_MOVES] = {{.games = 4, .sum = 16, .squares = 84},
                                                        {.games = 4, .sum = 12, .squares = 84}};
    struct move_list list = rollout_candidates(&b.worker);
    assert_true(list.count >= 2);
    list.count = 2;
    assert_int_equal(rollout_choose(&b.worker, list, tallies), 4);
    assert_true(fabs(b.worker.standard_error - sqrt(20.0 / 3 / 4)) < 1e-9);
    tear_down(&b);
}

/* ---- The selective search ---- */

static struct mp_position *stand_on(struct bench *b, const char *text)
{
    struct mp_error error = {0};
    struct mp_position *position = mp_position_new(b->game, text, &error);
    if (!position)
        fail_msg("%s", error.text);
    struct mp_history history = mp_position_history(position);
    assert_true(worker_set_root(&b->worker, mp_position_state(position), &history, NULL));
    return position;
}

/* Stand pat or take: without windows, tables and what is left out. Nobody can give check. */
static mp_value plain_quiescence(const struct mp_game *game, const void *state)
{
    enum { MOST = 256, STATE = 512 };
    const struct mp_evaluation *evaluation = game->evaluations;
    mp_move moves[MOST];
    _Alignas(64) char after[STATE];
    assert_true(game->state_size <= STATE && !game->selective->in_check(game, state));
    mp_value best = evaluation->evaluate(game, evaluation, state);
    int count = game->selective->list_noisy(game, state, moves, MOST);
    for (int i = 0; i < count; i++) {
        game->play(game, state, moves[i], after);
        mp_value value = -plain_quiescence(game, after);
        best = value > best ? value : best;
    }
    return best;
}

static void quiescence_takes_or_stands_pat(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        bool takes;
    } cases[] = {
        {"k7/8/8/8/8/8/4P3/K7 w - - 0 1", false},          /* nothing to take */
        {"k7/8/8/3n4/4P3/8/8/K7 w - - 0 1", true},         /* a knight for nothing */
        {"k7/8/4p3/3n4/4P3/8/8/K7 w - - 0 1", true},       /* a knight for a pawn */
        {"k7/8/4p3/3p4/8/8/3R4/K7 w - - 0 1", false},      /* a pawn for a rook */
        {"k7/8/2p1p3/3p4/4P3/1N6/3R4/K7 w - - 0 1", true}, /* several times on one square */
    };
    struct bench b;
    set_up(&b, "chess", "pvs,selective=on,hash=1,exchange=off,depth=3", 0, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_position *position = stand_on(&b, cases[i].fen);
        forget(&b);
        const struct mp_evaluation *evaluation = b.game->evaluations;
        mp_value stand_pat = evaluation->evaluate(b.game, evaluation, mp_position_state(position));
        mp_value expected = plain_quiescence(b.game, mp_position_state(position));
        mp_value value = quiescence(&b.worker, 0, -MP_INFINITE, MP_INFINITE);
        if (value != expected || (value > stand_pat) != cases[i].takes)
            fail_msg("%s: %d, expected %d, standing pat %d", cases[i].fen, value, expected, stand_pat);
        mp_position_free(position);
    }
    tear_down(&b);
}

/* Without a capture the side to move has what the evaluation says, or what the table knows to be above or below. */
static void quiescence_believes_the_table(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "chess", "pvs,depth=3,hash=1,selective=on", 0, 0);
    const mp_value value = quiescence(&b.worker, 0, -MP_INFINITE, MP_INFINITE);
    const struct {
        mp_value stored, expected;
        enum bound bound;
    } cases[] = {
        {value + 50, value + 50, BOUND_LOWER}, {value - 50, value, BOUND_LOWER},
        {value - 50, value - 50, BOUND_UPPER}, {value + 50, value, BOUND_UPPER},
        {value + 50, value + 50, BOUND_EXACT}, {value - 50, value - 50, BOUND_EXACT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        forget(&b);
        table_store(b.table, line_table_key(&b.worker.line, 0, false),
                    (struct table_entry){
                        .value = cases[i].stored, .move = NO_HASH_MOVE, .bound = (uint8_t)cases[i].bound});
        assert_int_equal(quiescence(&b.worker, 0, -MP_INFINITE, MP_INFINITE), cases[i].expected);
    }
    tear_down(&b);
}

/* What a noisy move refuted counts for it, and what it did not against it; quiet moves before it are not to blame. */
static void noisy_moves_are_learned(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, "chess", "pvs,depth=3,hash=0,selective=on", 0, 0);
    struct node node = {.depth = 6, .list = worker_list(&b.worker, 0)};
    node.list.count = 3;
    node.best_move = node.list.moves[2];
    for (int i = 0; i < 3; i++)
        node.list.scores[i] = i == 0 ? 0 : ORDER_GOOD;
    learned_cut(&b.worker, &node);
    memset(node.list.scores, 0, 3 * sizeof *node.list.scores);
    learned_score_noisy(&b.worker, &node, 0);
    assert_int_equal(node.list.scores[0], 0);
    assert_true(node.list.scores[1] < 0);
    assert_true(node.list.scores[2] > 0);
    learned_score_quiet(&b.worker, &node, 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(node.list.scores[i], 0);
    tear_down(&b);
}
/* No two values are further apart than a quiet move may gain. */
static mp_value within_reach(const struct mp_game *game, const struct mp_evaluation *self, const void *state)
{
    (void)self;
    return (mp_value)(game->key(game, state) % 161) - 80;
}

static void futility_spares_what_is_within_reach(void **state)
{
    (void)state;
    static const char *const strategies[] = {
        "pvs,depth=3,hash=0",
        "pvs,depth=3,hash=0,selective=on,quiescence=off,exchange=off,nullmove=off,lmr=off,rfp=off,lmp=off,"
        "checks=off,iir=off,deeper=off,repetition=off,correction=off,probcut=off"};
    const struct mp_evaluation evaluation = {.name = "near", .evaluate = within_reach};
    for (uint64_t seed = 0; seed < 6; seed++) {
        mp_value values[2];
        for (int i = 0; i < 2; i++) {
            struct bench b;
            set_up(&b, "chess", strategies[i], seed, 40);
            b.strategy->plan.settings.evaluation = &evaluation;
            values[i] = search(&b, -MP_INFINITE, MP_INFINITE);
            tear_down(&b);
        }
        assert_int_equal(values[1], values[0]);
    }
}

/* Multi-ProbCut takes the word of the shallow search just where the line through it says that the deep value is on the side
 * where the node seems to be, and nowhere else. */
static void a_shallow_search_cuts_on_its_side_only(void **state)
{
    (void)state;
    enum { DEEP = 4, SHALLOW = 1, REACH = 40 };
    static const char nothing_else[] =
        "selective=on,quiescence=off,exchange=off,nullmove=off,lmr=off,rfp=off,futility=off,lmp=off,"
        "checks=off,iir=off,deeper=off,repetition=off,correction=off,hash=0";
    static const struct cut lines[] = {{SHALLOW, 1, 0, 0},
                                       {SHALLOW, 1, 30, 0},
                                       {SHALLOW, 1, -30, 0},
                                       {SHALLOW, 1, 30, 7},
                                       {SHALLOW, 2, -11, 3}};
    struct cuts cuts = {.confidence = 2, .stage_plies = MP_MAX_PLY};
    int cut_high_wrongly = 0, cut_low_wrongly = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        char text[256];
        struct bench b;
        mp_value values[2], depths[2] = {SHALLOW, DEEP};
        for (int i = 0; i < 2; i++) {
            snprintf(text, sizeof text, "pvs,depth=%d,hash=0", depths[i]);
            set_up(&b, "othello", text, seed, 30);
            values[i] = search(&b, -MP_INFINITE, MP_INFINITE);
            tear_down(&b);
        }
        snprintf(text, sizeof text, "pvs,depth=%d,%s", DEEP, nothing_else);
        set_up(&b, "othello", text, seed, 30);
        b.strategy->plan.settings.cuts = &cuts;
        mp_value eval = static_value(&b.worker, 0);
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            const struct cut *line = cuts.at[0] + DEEP;
            cuts.at[0][DEEP] = lines[i];
            double middle = line->slope * values[0] + line->offset, reach = cuts.confidence * line->sigma;
            for (mp_value alpha = eval - REACH; alpha < eval + REACH; alpha++) {
                bool deep = values[1] > alpha;
                bool high = line->slope * eval + line->offset - reach >= alpha + 1;
                bool low = line->slope * eval + line->offset + reach <= alpha;
                bool cut = high ? middle - reach >= alpha + 1 : low && middle + reach <= alpha;
                bool expected = cut ? high : deep;
                assert_int_equal(search(&b, alpha, alpha + 1) > alpha, expected);
                cut_high_wrongly += high && !deep && cut;
                cut_low_wrongly += low && deep && cut;
            }
        }
        tear_down(&b);
    }
    assert_true(cut_high_wrongly > 0 && cut_low_wrongly > 0);
}

/* ---- The driver -----------------------------------------------------------------------------------------
 */

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

static void bounds_only_tighten(void **state)
{
    (void)state;
    struct mcts_node node = {0};
    atomic_init(&node.bounds, mcts_bounds(-10, 10));
    static const struct {
        mp_value low, high, low_after, high_after;
        bool learned;
    } steps[] = {{-10, 20, -10, 10, false}, {-30, 10, -10, 10, false}, {-4, 12, -4, 10, true},
                 {-9, 6, -4, 6, true},      {-5, 8, -4, 6, false},     {6, 6, 6, 6, true}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_int_equal(mcts_tighten(&node, steps[i].low, steps[i].high), steps[i].learned);
        assert_int_equal(mcts_low(mcts_load_bounds(&node)), steps[i].low_after);
        assert_int_equal(mcts_high(mcts_load_bounds(&node)), steps[i].high_after);
    }
}

/* With one square left a playout has no choice: its reward is that of the end, for the side to move before.
 */
static void playouts_count_for_the_side_to_move(void **state)
{
    (void)state;
    int seen = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct bench b;
        struct mcts mcts;
        mp_move moves[64];
        set_up(&b, "othello", "mcts,playout=random,memory=1", seed, 60);
        assert_true(mcts_init(&mcts, b.game, &b.strategy->plan.settings, 1, 1, false, NULL));
        int count = mp_position_moves(b.position, moves, NULL, 64), side = b.worker.root_side;
        struct mp_position *end = mp_position_copy(b.position, NULL);
        if (count == 1 && mp_position_play(end, moves[0], NULL) &&
            mp_position_moves(end, NULL, NULL, 0) == 0) {
            int margin = mp_position_margin(end);
            seen += margin != 0;
            assert_int_equal(mcts_play_out(&mcts, &b.worker, 0, seed),
                             mcts_margin_reward(&mcts, side == 0 ? margin : -margin));
        }
        mp_position_free(end);
        mcts_free(&mcts);
        tear_down(&b);
    }
    assert_true(seen > 3);
}

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
        cmocka_unit_test(chosen_moves_leave_no_entry),
        cmocka_unit_test(distances_are_counted_for_both_sides),
        cmocka_unit_test(the_frontier_is_asked_in_its_own_terms),
        cmocka_unit_test(draws_at_the_horizon_are_draws),
        cmocka_unit_test(a_value_of_alpha_is_no_better),
        cmocka_unit_test(the_past_is_part_of_a_key),
        cmocka_unit_test(a_value_of_beta_cuts_off),
        cmocka_unit_test(windows_do_not_move_means),
        cmocka_unit_test(outcomes_are_counted_once),
        cmocka_unit_test(throws_are_answered_by_their_depth_only),
        cmocka_unit_test(the_error_is_that_of_the_mean),
        cmocka_unit_test(quiescence_takes_or_stands_pat),
        cmocka_unit_test(quiescence_believes_the_table),
        cmocka_unit_test(noisy_moves_are_learned),
        cmocka_unit_test(futility_spares_what_is_within_reach),
        cmocka_unit_test(the_ends_of_a_window_are_no_values),
        cmocka_unit_test(learning_saves_nodes),
        cmocka_unit_test(bounds_only_tighten),
        cmocka_unit_test(a_shallow_search_cuts_on_its_side_only),
        cmocka_unit_test(playouts_count_for_the_side_to_move),
        cmocka_unit_test(merged_trees_lose_nothing),
        cmocka_unit_test(of_equal_moves_the_first_wins),
        cmocka_unit_test(helpers_know_the_line),
        cmocka_unit_test(the_eldest_sibling_is_not_shared),
    };
    return cmocka_run_group_tests_name("bites", tests, NULL, NULL);
}

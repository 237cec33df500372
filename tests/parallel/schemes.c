/* schemes.c - what each parallel scheme promises beside the value: on one thread the tree of the sequential
 * search, the tasks that its page describes, of equal moves the first, and counters that tell what was in
 * vain. What happens between threads is tried with threads that take turns, so that they do meet, however
 * busy the machine is. */
#include "tests/support/subjects.h"
#include "tests/support/test.h"

#include <stdatomic.h>
#include <time.h>

enum { MOST_MOVES = 4096 };

static struct mp_result run(const struct mp_game *game, const char *text, const struct mp_position *position)
{
    struct mp_error error = {0};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_search *search = mp_search_new(game, text, &error);
    if (!search || !mp_search_run(search, position, NULL, NULL, &result, &error))
        fail_msg("%s: %s", text, error.text);
    mp_search_free(search);
    return result;
}

/* ---- One thread ------------------------------------------------------------------------------------ */

static void assert_same_tree(const struct mp_result *a, const struct mp_result *b, const char *text)
{
    const struct mp_counters *x = &a->counters, *y = &b->counters;
    if (a->value != b->value || a->move != b->move || x->nodes != y->nodes || x->leaves != y->leaves ||
        x->alpha_cuts != y->alpha_cuts || x->beta_cuts != y->beta_cuts)
        fail_msg("%s: value %d, %llu nodes, %llu leaves, %llu cuts; without: %d, %llu, %llu, %llu", text,
                 a->value, (unsigned long long)x->nodes, (unsigned long long)x->leaves,
                 (unsigned long long)(x->alpha_cuts + x->beta_cuts), b->value, (unsigned long long)y->nodes,
                 (unsigned long long)y->leaves, (unsigned long long)(y->alpha_cuts + y->beta_cuts));
}

/* A bound that is not passed on, a cut-off that does not end the others, or another order of moves would
 * change the number of nodes, but no value. */
static void one_thread_searches_the_sequential_tree(void **state)
{
    (void)state;
    static const struct {
        const char *game, *search, *splits[6];
    } cases[] = {
        {"othello", "pvs,depth=8", {"ybwc", "pvsplit", "shared,min=2,levels=3", "lazy"}},
        {"othello", "alphabeta,depth=7", {"ybwc", "pvsplit", "shared,min=2,levels=3"}},
        {"othello", "minimax,depth=4", {"top", "levels", "bfs", "chunked,chunk=2"}},
        {"chess", "pvs,depth=5", {"ybwc", "pvsplit", "shared", "lazy"}},
        {"chess", "minimax,depth=2", {"top", "levels", "bfs,cap=50", "chunked"}},
        {CONNECT4_PLUGIN, "alphabeta,depth=8", {"ybwc", "pvsplit", "shared"}},
        {CIRCLE_PLUGIN, "pvs,depth=8", {"ybwc", "pvsplit", "shared,min=2", "lazy"}},
        {DICE_PLUGIN, "star1,depth=4", {"rolls", "ybwc"}},
        {DICE_PLUGIN, "star2,depth=4", {"rolls", "ybwc"}},
        {"backgammon", "star2,depth=2", {"rolls", "ybwc"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_game *game = mp_game_open(cases[i].game, NULL);
        for (uint64_t seed = 0; seed < 5; seed++) {
            struct mp_position *position = subjects_position(game, seed, 20);
            struct mp_result alone = run(game, cases[i].search, position);
            for (int j = 0; cases[i].splits[j]; j++) {
                char text[128];
                snprintf(text, sizeof text, "%s,split=%s,eager=on,threads=1", cases[i].search,
                         cases[i].splits[j]);
                struct mp_result result = run(game, text, position);
                assert_same_tree(&result, &alone, text);
            }
            mp_position_free(position);
        }
        mp_game_close(game);
    }
}

/* ---- Tasks ----------------------------------------------------------------------------------------- */

static int moves_after(const struct mp_position *position, mp_move move)
{
    struct mp_position *next = mp_position_copy(position, NULL);
    assert_true(mp_position_play(next, move, NULL));
    int count = mp_position_moves(next, NULL, NULL, 0);
    mp_position_free(next);
    return count;
}

static uint64_t tasks_of(const struct mp_game *game, const struct mp_position *position, const char *search)
{
    char text[256];
    snprintf(text, sizeof text, "%s,eager=on,threads=1", search);
    return run(game, text, position).counters.tasks_created;
}

/* In the middle of a game of Othello: more moves than levels, and no two positions with the same number. */
static void splits_what_it_should(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct mp_position *position = subjects_position(game, seed, 30);
        mp_move moves[MOST_MOVES];
        int count = mp_position_moves(position, moves, NULL, MOST_MOVES), below = 0, most = 0;
        for (int i = 0; i < count; i++) {
            int replies = moves_after(position, moves[i]);
            below += replies;
            most = replies > most ? replies : most;
        }
        if (count < 4) {
            mp_position_free(position);
            continue;
        }
        assert_int_equal(tasks_of(game, position, "minimax,depth=3,split=top"), count);
        assert_int_equal(tasks_of(game, position, "minimax,depth=3,split=levels,levels=1"), count);
        assert_int_equal(tasks_of(game, position, "minimax,depth=3,split=levels,levels=2"), count + below);
        assert_int_equal(tasks_of(game, position, "minimax,depth=3,split=bfs"), 1);
        assert_int_equal(tasks_of(game, position, "minimax,depth=3,split=bfs,cap=7"), 7);
        assert_int_equal(tasks_of(game, position, "alphabeta,depth=3,split=chunked,chunk=2"), count);
        assert_int_equal(tasks_of(game, position, "alphabeta,depth=3,split=shared,levels=1,min=1"), count);
        char text[128];
        snprintf(text, sizeof text, "alphabeta,depth=3,split=shared,levels=1,min=%d", count);
        assert_int_equal(tasks_of(game, position, text), count);
        snprintf(text, sizeof text, "alphabeta,depth=3,split=shared,levels=1,min=%d", count + 1);
        assert_int_equal(tasks_of(game, position, text), 0);
        assert_true(tasks_of(game, position, "alphabeta,depth=3,split=shared,levels=2,min=1") >
                    (uint64_t)count);
        /* All but the eldest of the only node that is deep enough; of the principal variation also below. */
        assert_int_equal(tasks_of(game, position, "alphabeta,depth=4,split=ybwc"), count - 1);
        assert_int_equal(tasks_of(game, position, "alphabeta,depth=2,split=pvsplit"), count - 1);
        uint64_t two = tasks_of(game, position, "alphabeta,depth=3,split=pvsplit");
        assert_in_range(two, count - 1, count - 1 + most);
        mp_position_free(position);
    }
    mp_game_close(game);
}

static void splits_throws(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open(DICE_PLUGIN, NULL);
    struct mp_position *position = mp_position_new(game, "3 4 10 2", NULL);
    assert_non_null(position);
    /* Three moves, each with three outcomes of the throw after it; each of these with three moves more. */
    assert_int_equal(tasks_of(game, position, "expectiminimax,depth=2,split=rolls+moves"), 3 + 9);
    assert_int_equal(tasks_of(game, position, "expectiminimax,depth=2,split=rolls"), 9);
    assert_int_equal(tasks_of(game, position, "expectiminimax,depth=2,split=top"), 3);
    mp_position_free(position);
    mp_game_close(game);
}

/* Between two chunks the bound is passed on: the smaller they are, the fewer nodes. One chunk for all moves
 * is split=top. */
static void chunks_learn_from_those_before(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    uint64_t nodes[3] = {0};
    static const char *const searches[] = {"alphabeta,depth=6,split=chunked,chunk=1,eager=on,threads=1",
                                           "alphabeta,depth=6,split=chunked,chunk=4,eager=on,threads=1",
                                           "alphabeta,depth=6,split=chunked,chunk=64,eager=on,threads=1"};
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct mp_position *position = subjects_position(game, seed, 30);
        for (int i = 0; i < 3; i++)
            nodes[i] += run(game, searches[i], position).counters.nodes;
        struct mp_result top = run(game, "alphabeta,depth=6,split=top,eager=on,threads=1", position);
        struct mp_result all = run(game, searches[2], position);
        assert_same_tree(&all, &top, searches[2]);
        mp_position_free(position);
    }
    assert_true(nodes[0] < nodes[1] && nodes[1] < nodes[2]);
    mp_game_close(game);
}

/* ---- Threads that take turns ----------------------------------------------------------------------- */

static const struct {
    const char *game, *search, *splits[6];
} together[] = {
    {"othello", "minimax,depth=5", {"top", "levels", "bfs,cap=12", "chunked,chunk=5"}},
    {"othello", "alphabeta,depth=7", {"top", "levels", "bfs", "chunked", "ybwc", "shared,min=2"}},
    {"othello", "pvs,depth=8", {"ybwc", "pvsplit", "shared,min=2", "abdada", "lazy"}},
    {"chess", "pvs,depth=4", {"ybwc", "pvsplit", "shared", "abdada", "lazy", "levels"}},
    {CIRCLE_PLUGIN, "pvs,depth=14", {"ybwc", "pvsplit", "shared,min=2", "abdada", "lazy"}},
    {CONNECT4_PLUGIN, "alphabeta,depth=9", {"ybwc", "pvsplit", "shared,min=2"}},
    {DICE_PLUGIN, "star1,depth=6", {"rolls", "rolls+moves", "ybwc"}},
    {DICE_PLUGIN, "star2,depth=6", {"rolls", "rolls+moves", "ybwc"}},
    {"backgammon", "star2,depth=2", {"rolls", "ybwc"}},
};

/* And on more than one thread. */
static void together_they_find_the_same_value(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof together / sizeof *together; i++) {
        struct mp_game *game = mp_game_open(together[i].game, NULL);
        uint64_t stolen[6] = {0};
        for (uint64_t seed = 0; seed < 4; seed++) {
            struct mp_position *position = subjects_position(game, seed, 20);
            mp_value expected = run(game, together[i].search, position).value;
            for (int j = 0; j < 6 && together[i].splits[j]; j++) {
                char text[128];
                snprintf(text, sizeof text, "%s,split=%s,deterministic=on,threads=%d", together[i].search,
                         together[i].splits[j], 2 + (int)seed % 3);
                struct mp_result result = run(game, text, position);
                if (result.value != expected)
                    fail_msg("%s on %s: %d, expected %d", text, game->name, result.value, expected);
                stolen[j] += result.counters.tasks_stolen;
            }
            mp_position_free(position);
        }
        for (int j = 0; j < 6 && together[i].splits[j]; j++)
            if (stolen[j] == 0)
                fail_msg("%s,split=%s: no thread has helped", together[i].search, together[i].splits[j]);
        mp_game_close(game);
    }
}

/* Whoever is faster. In Othello many moves have the same number of discs a few plies later, and some are
 * searched much sooner than others. */
static void of_equal_moves_the_first_is_chosen(void **state)
{
    (void)state;
    static const char *const splits[] = {"top", "levels", "bfs,cap=9", "chunked,chunk=9"};
    struct mp_game *game = mp_game_open("othello", NULL);
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct mp_position *position = subjects_position(game, seed, 40);
        struct mp_result alone = run(game, "minimax,depth=5,eval=discs", position);
        for (int j = 0; j < 4; j++)
            for (int threads = 1; threads <= 4; threads++) {
                char text[128];
                snprintf(text, sizeof text, "minimax,depth=5,eval=discs,split=%s,deterministic=on,threads=%d",
                         splits[j], threads);
                struct mp_result result = run(game, text, position);
                assert_int_equal(result.value, alone.value);
                if (result.move != alone.move)
                    fail_msg("%s, seed %d: another move of the same value", text, (int)seed);
                /* And so on down the line; breadth first it is known as far as the tree was grown. */
                int least = strstr(text, "bfs") ? 2 : alone.pv_length;
                if (result.pv_length < least || result.pv_length > alone.pv_length ||
                    memcmp(result.pv, alone.pv, (size_t)result.pv_length * sizeof *result.pv) != 0)
                    fail_msg("%s, seed %d: another line of the same value", text, (int)seed);
            }
        mp_position_free(position);
    }
    mp_game_close(game);
}

/* What is given up is counted, be it because of a cut-off or of a limit. */
static void counts_what_was_in_vain(void **state)
{
    (void)state;
    static const struct {
        const char *game, *search;
    } cases[] = {
        {"othello", "alphabeta,depth=9,split=ybwc"},
        {"othello", "alphabeta,depth=9,split=shared,min=2"},
        {DICE_PLUGIN, "star1,depth=9,nodes=20000,split=rolls"},
        {"othello", "minimax,depth=9,nodes=20000,split=top"},
        {"othello", "minimax,depth=9,nodes=20000,split=levels"},
        {"othello", "minimax,depth=9,nodes=20000,split=chunked"},
        {"othello", "minimax,depth=9,nodes=20000,split=bfs"},
        {"backgammon", "expectiminimax,depth=3,nodes=20000,split=rolls+moves"},
        {"backgammon", "rollout,games=1000,nodes=20000,split=games"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mp_game *game = mp_game_open(cases[i].game, NULL);
        char text[128];
        uint64_t wasted = 0;
        snprintf(text, sizeof text, "%s,deterministic=on,threads=3", cases[i].search);
        for (uint64_t seed = 0; seed < 6; seed++) {
            struct mp_position *position = subjects_position(game, seed, 20);
            struct mp_counters c = run(game, text, position).counters;
            if (c.tasks_created == 0 ||
                c.tasks_created != c.tasks_local + c.tasks_stolen + c.tasks_cancelled ||
                c.wasted_nodes > c.nodes || (c.wasted_nodes > 0 && c.tasks_cancelled == 0))
                fail_msg("%s: %llu tasks created, %llu local, %llu stolen, %llu cancelled", text,
                         (unsigned long long)c.tasks_created, (unsigned long long)c.tasks_local,
                         (unsigned long long)c.tasks_stolen, (unsigned long long)c.tasks_cancelled);
            wasted += c.wasted_nodes;
            mp_position_free(position);
        }
        if (wasted == 0)
            fail_msg("%s: nothing was in vain", text);
        mp_game_close(game);
    }
}

/* The others of lazy look further than was asked for. */
static void lazy_looks_further(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    struct mp_position *position = subjects_position(game, 1, 20);
    struct mp_result alone = run(game, "pvs,depth=6,split=lazy,deterministic=on,threads=1", position);
    struct mp_result both = run(game, "pvs,depth=6,split=lazy,deterministic=on,threads=2", position);
    assert_int_equal(alone.counters.max_ply, 6);
    assert_int_equal(both.counters.max_ply, 7);
    assert_int_equal(both.value, alone.value);
    mp_position_free(position);
    mp_game_close(game);
}

/* The first that is done ends the others, who search a tree several times as large: all together visit about
 * one and a half times the nodes of one; if each came to its end, three times. */
static void lazy_ends_when_one_is_done(void **state)
{
    (void)state;
    struct mp_game *game = mp_game_open("othello", NULL);
    uint64_t alone = 0, all = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct mp_position *position = subjects_position(game, seed, 20);
        alone += run(game, "pvs,depth=8", position).counters.nodes;
        all += run(game, "pvs,depth=8,split=lazy,deterministic=on,threads=3", position).counters.nodes;
        mp_position_free(position);
    }
    if (all <= alone || all > alone * 9 / 4)
        fail_msg("%llu nodes, and %llu on three threads", (unsigned long long)alone, (unsigned long long)all);
    mp_game_close(game);
}

/* What a position is worth says how far from the beginning it is. One at the depth asked for takes a moment. */
static atomic_int slow_discs;

static mp_value discs_on_board(const struct mp_game *game, const struct mp_evaluation *self,
                               const void *state)
{
    (void)self;
    char text[128];
    int discs = 0;
    game->print_position(game, state, text, sizeof text);
    for (const char *c = text; *c && *c != ' '; c++)
        discs += *c == 'X' || *c == 'O';
    if (discs == atomic_load(&slow_discs)) {
        const struct timespec moment = {0, 2000000};
        nanosleep(&moment, NULL);
    }
    return 100 * discs;
}

/* Who looks further is done first here, but its answer is not the one that was asked for. */
static void lazy_answers_what_was_asked(void **state)
{
    (void)state;
    enum { AT_FIRST = 4 };
    static const struct mp_evaluation evaluations[] = {{.name = "far", .evaluate = discs_on_board}, {0}};
    struct mp_game *othello = mp_game_open("othello", NULL), game = *othello;
    game.evaluations = evaluations;
    struct mp_position *position = mp_position_new(&game, NULL, NULL);
    for (int depth = 1; depth <= 2; depth++) {
        char text[64];
        snprintf(text, sizeof text, "pvs,hash=1,depth=%d,split=lazy,eager=on,threads=2", depth);
        atomic_store(&slow_discs, AT_FIRST + depth);
        mp_value value = run(&game, text, position).value;
        assert_int_equal(value, (depth % 2 ? -100 : 100) * (AT_FIRST + depth));
    }
    mp_position_free(position);
    mp_game_close(othello);
}

/* What a thread has not found itself of the line that it expects is in the table, most of the time. */
static void lines_are_completed(void **state)
{
    (void)state;
    enum { DEPTH = 8, POSITIONS = 8 };
    struct mp_game *game = mp_game_open("othello", NULL);
    int sum = 0;
    for (uint64_t seed = 0; seed < POSITIONS; seed++)
        for (int threads = 3; threads <= 4; threads++) {
            char text[128];
            struct mp_position *position = subjects_position(game, seed, 20);
            snprintf(text, sizeof text, "pvs,depth=%d,split=abdada,deterministic=on,threads=%d", DEPTH,
                     threads);
            struct mp_result result = run(game, text, position);
            sum += result.pv_length;
            for (int i = 0; i < result.pv_length; i++)
                assert_true(mp_position_play(position, result.pv[i], NULL));
            mp_position_free(position);
        }
    /* Without that half of it is known. */
    if (sum < 2 * POSITIONS * DEPTH * 2 / 3)
        fail_msg("lines of %d moves in all, expected two thirds of %d", sum, 2 * POSITIONS * DEPTH);
    mp_game_close(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_searches_the_sequential_tree),
        cmocka_unit_test(splits_what_it_should),
        cmocka_unit_test(splits_throws),
        cmocka_unit_test(chunks_learn_from_those_before),
        cmocka_unit_test(together_they_find_the_same_value),
        cmocka_unit_test(of_equal_moves_the_first_is_chosen),
        cmocka_unit_test(counts_what_was_in_vain),
        cmocka_unit_test(lazy_looks_further),
        cmocka_unit_test(lazy_ends_when_one_is_done),
        cmocka_unit_test(lazy_answers_what_was_asked),
        cmocka_unit_test(lines_are_completed),
    };
    return cmocka_run_group_tests_name("schemes", tests, NULL, NULL);
}

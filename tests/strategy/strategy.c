/* strategy.c - strategies in their text form: what is read, what is printed, what is refused and why. */
#include "tests/support/test.h"

#include "strategy/strategy.h"

static void reads_and_prints(void **state)
{
    const struct mp_game *game = *state;
    static const struct {
        const char *text, *printed;
        int first, last;
    } good[] = {
        {"minimax", "minimax,depth=4,eval=positional", 4, 4},
        {"alphabeta", "alphabeta,depth=6,eval=positional", 6, 6},
        {"alphabeta,depth=255,eval=discs", "alphabeta,depth=255,eval=discs", 255, 255},
        {"pvs", "pvs,depth=8,eval=positional,hash=auto", 1, 8},
        {"pvs,hash=0,aspiration=off,killers=off,history=off",
         "pvs,depth=8,eval=positional,hash=0,aspiration=off,killers=off,history=off", 1, 8},
        {"pvs,selective=on", "pvs,depth=8,eval=positional,hash=auto,selective=on", 1, 8},
        {"pvs,lmr=off,hash=1,selective=on,checks=off,iir=on",
         "pvs,depth=8,eval=positional,hash=1,selective=on,lmr=off,checks=off", 1, 8},
        {"pvs,time=2s", "pvs,time=2s,eval=positional,hash=auto", 1, 255},
        {"pvs,nodes=1000,depth=3", "pvs,depth=3,nodes=1000,eval=positional,hash=auto", 1, 3},
        {"minimax,time=1500ms", "minimax,time=1.5s,eval=positional", 1, 255},
        {"minimax,eval=random:17", "minimax,depth=4,eval=random:17", 4, 4},
        {"minimax,split=top,threads=3", "minimax,depth=4,eval=positional,split=top,threads=3", 4, 4},
        {"minimax,split=levels,threads=3", "minimax,depth=4,eval=positional,split=levels,levels=2,threads=3",
         4, 4},
        {"alphabeta,split=chunked,chunk=16,threads=2",
         "alphabeta,depth=6,eval=positional,split=chunked,chunk=16,threads=2", 6, 6},
        {"alphabeta,split=shared,levels=3,threads=2",
         "alphabeta,depth=6,eval=positional,split=shared,levels=3,min=6,threads=2", 6, 6},
        {"pvs,split=ybwc,threads=2", "pvs,depth=8,eval=positional,hash=auto,split=ybwc,threads=2", 1, 8},
        {"pvs,split=ybwc,threads=2,eager=on,pin=on",
         "pvs,depth=8,eval=positional,hash=auto,split=ybwc,eager=on,pin=on,threads=2", 1, 8},
        {"pvs,split=lazy,threads=2,deterministic=on,eager=off",
         "pvs,depth=8,eval=positional,hash=auto,split=lazy,deterministic=on,threads=2", 1, 8},
        {"minimax,split=auto,threads=2", "minimax,depth=4,eval=positional,split=levels,levels=2,threads=2", 4,
         4},
        {"alphabeta,split=auto,threads=2", "alphabeta,depth=6,eval=positional,split=ybwc,threads=2", 6, 6},
        {"pvs,hash=0,split=auto,threads=9", "pvs,depth=8,eval=positional,hash=0,split=ybwc,threads=9", 1, 8},
        {"minimax,threads=1", "minimax,depth=4,eval=positional", 4, 4},
        {"minimax,split=none,threads=1", "minimax,depth=4,eval=positional", 4, 4},
        {"minimax,compat=report", "minimax,depth=4,eval=positional,compat=report", 4, 4},
        {"alphabeta,order=list", "alphabeta,depth=6,order=list,eval=positional", 6, 6},
        {"horizon,hmax=off", "horizon,hmin=4,hmax=off,width=12,eval=positional", 5, 5},
        {"horizon,hmin=2,hmax=off,width=off,threshold=50",
         "horizon,hmin=2,hmax=off,width=off,threshold=50,reduced=3,eval=positional", 3, 3},
        {"MinimaxSeq,4", "MinimaxSeq,4,eval=positional", 4, 4},
        {"MinimaxSeqAB,3,threads=2", "MinimaxSeqAB,3,eval=positional", 3, 3},
        {"MinimaxPar,1,4,threads=2", "MinimaxPar,1,4,eval=positional,threads=2", 4, 4},
        {"MinimaxParAB,2,5,eval=discs,threads=3", "MinimaxParAB,2,5,eval=discs,threads=3", 5, 5},
        {"Seq,2,3", "Seq,2,3,eval=positional", 2, 2},
        {"mcts",
         "mcts,iterations=10000,c=0.35,expand=5,playout=game,final=visits,eval=positional,memory=256,seed=0",
         1, 1},
        {"mcts,playout=greedy,plies=4,solver=off,reuse=off,nodes=7,split=root,chunk=10,merge=parallel,"
         "threads=2",
         "mcts,nodes=7,c=0.35,expand=5,playout=greedy,plies=4,final=visits,solver=off,reuse=off,eval="
         "positional,"
         "memory=256,seed=0,split=root,chunk=10,merge=parallel,threads=2",
         1, 255},
        {"mcts,compat=report,split=root,threads=2",
         "mcts,iterations=1000,c=1.4142,eval=discs,memory=256,seed=0,compat=report,split=root,threads=2", 1,
         1},
        {"random,seed=9", "random,seed=9", 1, 1},
        {"random,time=1s", "random,seed=0", 1, 1},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct mp_error error = {0};
        struct mp_strategy *strategy = mp_strategy_new(game, good[i].text, &error);
        if (!strategy)
            fail_msg("%s: %s", good[i].text, error.text);
        assert_string_equal(mp_strategy_text(strategy), good[i].printed);
        assert_int_equal(plan_first_depth(&strategy->plan), good[i].first);
        assert_int_equal(plan_last_depth(&strategy->plan), good[i].last);
        /* What is printed reads as the same strategy. */
        struct mp_strategy *again = mp_strategy_new(game, mp_strategy_text(strategy), &error);
        assert_non_null(again);
        assert_string_equal(mp_strategy_text(again), mp_strategy_text(strategy));
        mp_strategy_free(again);
        mp_strategy_free(strategy);
    }
}

static void refuses_and_explains(void **state)
{
    const struct mp_game *game = *state;
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"", "unknown algorithm ''"},
        {"alphabet", "unknown algorithm 'alphabet' (did you mean alphabeta?), expected one of minimax, "
                     "alphabeta, pvs, horizon"},
        {"pvs,", "'' has no value, expected key=value"},
        {"pvs,depth", "'depth' has no value"},
        {"pvs,depth=", "'depth' has no value"},
        {"pvs,depth=0", "depth=0, expected 1 to 255"},
        {"pvs,depth=-1", "depth=-1, expected 1 to 255"},
        {"pvs,depth=256", "depth=256, expected 1 to 255"},
        {"pvs,depth=banana", "depth=banana, expected 1 to 255"},
        {"pvs,depth=3,depth=4", "depth is given twice"},
        {"pvs,deep=3", "pvs has no key 'deep', expected one of depth, nodes, time"},
        {"minimax,hash=3", "minimax has no key 'hash'"},
        {"random,split=top", "random has no key 'split'"},
        {"pvs,compat=report", "pvs has no key 'compat'"},
        {"minimax,compat=book", "compat=book, expected none or report"},
        {"minimax,compat=report,split=top", "compat=report with split=top, but the report does not have it"},
        {"pvs,lmr=off", "lmr= is a switch of the selective search, expected selective=on with it"},
        {"pvs,selective=on,lmr=maybe", "lmr=maybe, expected on or off"},
        {"alphabeta,selective=on", "alphabeta has no key 'selective'"},
        {"pvs,nodes=0", "nodes=0"},
        {"pvs,time=2", "time=2, expected such as 2s or 500ms"},
        {"pvs,threads=0", "threads=0, expected 1 to 256"},
        {"pvs,threads=2", "threads=2 without split=, expected split=auto"},
        {"pvs,threads=-1", "threads=-1, expected 1 to 256"},
        {"pvs,threads=1000000", "threads=1000000, expected 1 to 256"},
        {"pvs,threads=two", "threads=two, expected 1 to 256"},
        {"pvs,split=sideways", "split=sideways, expected one of none, top, levels"},
        {"minimax,split=ybwc", "split=ybwc is not for minimax, expected none, top, levels, chunked or bfs"},
        {"alphabeta,split=abdada", "split=abdada needs a transposition table, expected pvs"},
        {"pvs,hash=0,split=lazy", "split=lazy needs a transposition table"},
        {"pvs,split=top,levels=2", "levels= with split=top, expected split=levels or shared"},
        {"pvs,split=ybwc,chunk=2", "chunk= with split=ybwc, expected split=chunked"},
        {"pvs,split=levels,min=2", "min= with split=levels, expected split=shared"},
        {"pvs,split=top,cap=3", "cap= with split=top, expected split=bfs"},
        {"pvs,levels=2", "levels= with split=none"},
        {"pvs,split=rolls", "split=rolls needs dice, but othello does not have any"},
        {"pvs,split=ybwc,eager=yes", "eager=yes, expected on or off"},
        {"pvs,deterministic=on", "deterministic= without split=, expected a scheme"},
        {"pvs,split=none,pin=on", "pin= without split="},
        {"pvs,hash=-1", "hash=-1"},
        {"pvs,killers=maybe", "killers=maybe, expected on or off"},
        {"pvs,eval=clever",
         "eval=clever, but othello has positional, report, discs, network, network:FILE and random:SEED"},
        {"pvs,eval=random:x", "eval=random:x"},
        {"random,seed=-3", "seed=-3"},
        {"mcts,split=top", "split=top is not for mcts, expected none, root, leaf, tree or gpu"},
        {"minimax,split=leaf", "split=leaf is not for minimax"},
        {"mcts,split=tree,chunk=10", "chunk= with split=tree, expected split=root"},
        {"mcts,split=root,merge=parallel", "merge= without chunks, expected chunk=n with it"},
        {"mcts,compat=report,split=tree", "compat=report with split=tree, but the report does not have it"},
        {"mcts,playout=clever", "playout=clever, expected game, random, eval or greedy"},
        {"mcts,c=banana", "c=banana, expected 0 to 100"},
        {"mcts,c=101", "c=101, expected 0 to 100"},
        {"mcts,memory=0", "memory=0, expected 1 to 131072"},
        {"MinimaxSeq", "'' after MinimaxSeq, expected MinimaxSeq,depth with numbers"},
        {"MinimaxParAB,1", "'' after MinimaxParAB, expected MinimaxParAB,parDepth,depth with numbers"},
        {"MinimaxParAB,1,x", "'x' after MinimaxParAB"},
        {"MinimaxParAB,0,4", "levels=0, expected 1 to 255"},
        {"MinimaxSeq,4,depth=3", "depth is given twice"},
        {"minimaxSeq,4", "unknown algorithm 'minimaxSeq'"},
        {"horizon", "hmax=30 needs noisy moves, but othello does not tell any; expected hmax=off"},
        {"horizon,depth=3", "horizon has no key 'depth'"},
        {"horizon,hmin=-1", "hmin=-1, expected 0 to 254"},
        {"horizon,width=0", "width=0, expected 1 to 1048576 or off"},
        {"alphabeta,order=best", "order=best, expected guess or list"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct mp_error error = {0};
        struct mp_strategy *strategy = mp_strategy_new(game, bad[i].text, &error);
        if (strategy)
            fail_msg("'%s' was read as %s", bad[i].text, mp_strategy_text(strategy));
        assert_contains(error.text, bad[i].part);
    }
}

/* A change is made as a whole or not at all. */
static void keys_are_changed(void **state)
{
    const struct mp_game *game = *state;
    struct mp_error error = {0};
    char text[128];
    struct mp_strategy *s = mp_strategy_new(game, NULL, &error);
    assert_string_equal(mp_strategy_asked(s, text, sizeof text), "pvs,selective=on");
    assert_false(mp_strategy_is_limited(s));
    assert_true(mp_strategy_set(s, "time", "2s", &error));
    assert_true(mp_strategy_is_limited(s));
    assert_false(mp_strategy_set(s, "threads", "3", &error));
    assert_contains(error.text, "threads=3 without split=");
    assert_true(mp_strategy_set(s, "split", "auto", &error));
    assert_true(mp_strategy_set_number(s, "threads", 3, &error));
    assert_string_equal(mp_strategy_asked(s, text, sizeof text),
                        "pvs,time=2s,selective=on,split=auto,threads=3");
    assert_string_equal(mp_strategy_given(s, "split"), "auto");
    assert_true(mp_strategy_get(s, "split", text, sizeof text));
    assert_string_equal(text, "ybwc");
    assert_true(mp_strategy_get(s, "hash", text, sizeof text));
    assert_string_equal(text, "auto");
    assert_null(mp_strategy_given(s, "hash"));
    assert_false(mp_strategy_get(s, "levels", text, sizeof text));
    assert_string_equal(text, "");
    assert_true(mp_strategy_has(s, "levels"));
    assert_false(mp_strategy_has(s, "iterations"));
    assert_false(mp_strategy_has(s, "no such key"));
    /* All or nothing, and in any order. */
    const char *before = strdup(mp_strategy_text(s));
    assert_false(mp_strategy_set_all(s, "depth=4,time=1s,levels=2", &error));
    assert_contains(error.text, "levels= with split=ybwc, expected split=levels or shared");
    assert_string_equal(mp_strategy_text(s), before);
    assert_false(mp_strategy_set_all(s, "depth=4,depth", &error));
    assert_contains(error.text, "'depth' has no value");
    assert_string_equal(mp_strategy_text(s), before);
    free((void *)before);
    assert_true(mp_strategy_set_all(s, "levels=3,depth=9,depth=4,split=shared", &error));
    assert_string_equal(mp_strategy_asked(s, text, sizeof text),
                        "pvs,depth=4,time=2s,selective=on,split=shared,levels=3,threads=3");
    struct mp_strategy *copy = mp_strategy_copy(s, &error);
    /* Without split= the keys of schemes go too. */
    assert_true(mp_strategy_set(s, "split", NULL, &error));
    assert_string_equal(mp_strategy_asked(s, text, sizeof text), "pvs,depth=4,time=2s,selective=on");
    assert_true(mp_strategy_set(s, "time", NULL, &error));
    assert_string_equal(mp_strategy_text(s), "pvs,depth=4,eval=positional,hash=auto,selective=on");
    assert_string_equal(mp_strategy_asked(copy, text, sizeof text),
                        "pvs,depth=4,time=2s,selective=on,split=shared,levels=3,threads=3");
    mp_strategy_free(copy);
    mp_strategy_free(s);
    s = mp_strategy_new(game, "MinimaxParAB,1,4,threads=2", &error);
    assert_false(mp_strategy_set(s, "depth", "3", &error));
    assert_contains(error.text, "depth is given by MinimaxParAB");
    assert_true(mp_strategy_set(s, "threads", "4", &error));
    assert_string_equal(mp_strategy_text(s), "MinimaxParAB,1,4,eval=positional,threads=4");
    mp_strategy_free(s);
}

/* What players call 0-ply, 1-ply and 2-ply. */
static void players_have_names(void **state)
{
    (void)state;
    struct mp_game *backgammon = mp_game_open("backgammon", NULL), *chess = mp_game_open("chess", NULL);
    struct mp_error error = {0};
    const char *const depths[] = {"1", "2", "3"};
    for (int ply = 0; ply < 3; ply++) {
        char text[64], name[16];
        snprintf(name, sizeof name, "%d-ply", ply);
        struct mp_strategy *s = mp_strategy_new(backgammon, name, &error);
        assert_non_null(s);
        assert_string_equal(mp_strategy_text(s), name);
        assert_true(mp_strategy_get(s, "depth", text, sizeof text));
        assert_string_equal(text, depths[ply]);
        assert_true(mp_strategy_get(s, "eval", text, sizeof text));
        assert_string_equal(text, "network");
        mp_strategy_free(s);
        assert_null(mp_strategy_new(chess, name, &error));
        assert_contains(error.text, "network");
    }
    /* Threads share throws and plays, from the first millisecond on. */
    struct mp_strategy *s = mp_strategy_new(backgammon, "2-ply,threads=2", &error);
    assert_string_equal(mp_strategy_text(s), "2-ply,split=rolls+moves,eager=on,threads=2");
    mp_strategy_free(s);
    s = mp_strategy_new(backgammon, "star2,depth=3,keep=8/2,split=auto,threads=2", &error);
    assert_string_equal(mp_strategy_text(s), "star2,depth=3,eval=balanced,keep=8/2,split=ybwc,threads=2");
    mp_strategy_free(s);
    mp_game_close(backgammon);
    mp_game_close(chess);
}

/* What makes sense for a game is what its searches accept. */
static void what_fits_is_accepted(void **state)
{
    (void)state;
    static const char *const games[] = {"othello", "chess", "backgammon", "halma"};
    struct mp_info algorithm = {MP_SIZE(struct mp_info)}, scheme = {MP_SIZE(struct mp_info)};
    int fitting = 0;
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        struct mp_game *game = mp_game_open(games[g], NULL);
        for (int i = 0; mp_algorithm_at(i, &algorithm); i++)
            for (int j = 0; mp_scheme_at(j, &scheme); j++) {
                char text[64];
                struct mp_error error = {0};
                snprintf(text, sizeof text, "%s,split=%s", algorithm.name, scheme.name);
                struct mp_strategy *s = mp_strategy_new(game, text, &error);
                bool fits = mp_algorithm_fits(game, algorithm.name) &&
                            mp_scheme_fits(game, algorithm.name, scheme.name);
                if (fits && !s)
                    fail_msg("%s fits %s, but: %s", text, games[g], error.text);
                if (s && !fits && mp_algorithm_fits(game, algorithm.name))
                    fail_msg("%s is accepted for %s, but does not fit", text, games[g]);
                fitting += fits;
                mp_strategy_free(s);
            }
        mp_game_close(game);
    }
    assert_true(fitting > 100);
    assert_false(mp_algorithm_fits(NULL, "none"));
    assert_false(mp_key_fits("pvs", "ybwc", "levels"));
    assert_true(mp_key_fits("pvs", "shared", "levels"));
    assert_false(mp_key_fits("pvs", "none", "threads"));
    assert_true(mp_key_fits("pvs", "auto", "threads"));
}

/* What split=auto stands for, by what the search does and whether dice are thrown. */
static void auto_suits_the_search(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"othello", "minimax", "levels"},         {"othello", "pvs", "ybwc"},
        {"othello", "expectiminimax", "ybwc"},    {"othello", "mcts", "tree"},
        {"backgammon", "minimax", "rolls+moves"}, {"backgammon", "expectiminimax", "rolls+moves"},
        {"backgammon", "star2", "ybwc"},          {"backgammon", "rollout", "games"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char scheme[32];
        struct mp_error error = {0};
        struct mp_game *game = mp_game_open(cases[i][0], NULL);
        struct mp_strategy *s = mp_strategy_new(game, cases[i][1], &error);
        assert_true(mp_strategy_set(s, "split", "auto", &error));
        assert_true(mp_strategy_get(s, "split", scheme, sizeof scheme));
        assert_string_equal(scheme, cases[i][2]);
        mp_strategy_free(s);
        mp_game_close(game);
    }
}

static void random_plays_any_move(void **state)
{
    const struct mp_game *game = *state;
    struct mp_position *position = mp_position_new(game, NULL, NULL);
    int seen[65] = {0};
    for (int seed = 0; seed < 400; seed++) {
        char text[32];
        struct mp_result result = {MP_SIZE(struct mp_result)};
        snprintf(text, sizeof text, "random,seed=%d", seed);
        struct mp_search *search = mp_search_new(game, text, NULL);
        assert_true(mp_search_run(search, position, NULL, NULL, &result, NULL));
        assert_false(result.exact);
        seen[result.move]++;
        mp_search_free(search);
    }
    /* Four moves, each about 100 times. */
    const int squares[] = {19, 26, 37, 44};
    for (int i = 0; i < 4; i++)
        assert_in_range(seen[squares[i]], 60, 140);
    mp_position_free(position);
}

static int open_game(void **state)
{
    *state = mp_game_open("othello", NULL);
    return *state ? 0 : -1;
}

static int close_game(void **state)
{
    mp_game_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_prints),      cmocka_unit_test(refuses_and_explains),
        cmocka_unit_test(keys_are_changed),      cmocka_unit_test(what_fits_is_accepted),
        cmocka_unit_test(auto_suits_the_search), cmocka_unit_test(random_plays_any_move),
        cmocka_unit_test(players_have_names),
    };
    return cmocka_run_group_tests_name("strategy", tests, open_game, close_game);
}

/* cmd_demo.c - a tour of every game in less than a minute: a best move, and what a second thread is worth. */
#include "cli/commands.h"

#include "base/clock.h"

#include <stdlib.h>

/* What the tour shows of a game; sizes are chosen so that a row takes about a second on one core. */
struct stop {
    const char *game;
    const char *moves; /* from the initial position */
    const char *best;  /* the strategy that finds the best move */
    int perft_depth;
    struct {
        const char *strategy, *split; /* sequential, and what makes it parallel */
    } rows[4];
};

/* clang-format off */
static const struct stop stops[] = {
    {"othello", "f5d6c3d3c4f4f6g5e3f3", "pvs,time=1s", 9,
     {{"minimax,depth=7", "levels"}, {"alphabeta,depth=12", "ybwc"}, {"pvs,depth=13", "abdada"}}},
    {"chess", "e4 e5 Nf3 Nc6 Bb5 a6", "pvs,time=1s", 6,
     {{"minimax,depth=4", "levels"}, {"alphabeta,depth=8", "ybwc"}, {"pvs,depth=8", "abdada"}}},
    {"chess-pm", "", "pvs,time=500ms", 6,
     {{"alphabeta,depth=8", "ybwc"}}},
    {"halma", "b1-d3 g8-e6", "pvs,time=1s", 5,
     {{"minimax,depth=4", "levels"}, {"pvs,depth=8", "ybwc"}}},
    {"halma10", "", "pvs,time=500ms", 5,
     {{"pvs,depth=7", "ybwc"}}},
    {"halma16", "", "pvs,time=500ms", 5,
     {{"pvs,depth=6", "ybwc"}}},
    {"backgammon", "31", "star2,time=1s", 3,
     {{"expectiminimax,depth=3", "levels"}}},
    {0},
};
/* clang-format on */

/* The game and the position that is shown. */
struct setup {
    struct mp_game *game;
    struct mp_position *position;
};

static void print_row(const char *what, double one, double many, uint64_t nodes, int threads)
{
    char rate[32];
    print_large((double)nodes / one, rate, sizeof rate);
    printf("  %-34s %8.3f s %8.3f s on %d  %5.2f x   %s nodes/s\n", what, one, many, threads, one / many,
           rate);
    fflush(stdout);
}

static bool time_search(const struct setup *setup, const struct mp_strategy *strategy,
                        struct mp_result *result, struct mp_error *error)
{
    struct mp_search *search = mp_search_with(strategy, error);
    bool ok = search && mp_search_run(search, setup->position, NULL, NULL, result, error);
    mp_search_free(search);
    return ok;
}

static bool show_perft(const struct setup *setup, int depth, struct mp_error *error)
{
    int threads = mp_cpu_count();
    uint64_t leaves, same;
    char text[32];
    int64_t start = clock_ns();
    bool ok = mp_perft(setup->position, depth, 1, false, NULL, NULL, &leaves, error);
    double sequential = clock_seconds_since(start);
    start = clock_ns();
    ok = ok && mp_perft(setup->position, depth, threads, false, NULL, NULL, &same, error);
    snprintf(text, sizeof text, "perft %d", depth);
    if (ok)
        print_row(text, sequential, clock_seconds_since(start), leaves, threads);
    return ok;
}

static bool show_table(const struct setup *setup, const struct stop *stop, struct mp_error *error)
{
    printf("\n  %-34s %10s %10s %14s\n", "", "sequential", "parallel", "speed-up");
    bool ok = show_perft(setup, stop->perft_depth, error);
    for (int i = 0; ok && stop->rows[i].strategy; i++) {
        struct mp_result one = {MP_SIZE(struct mp_result)}, many = {MP_SIZE(struct mp_result)};
        char text[128];
        struct mp_strategy *strategy = mp_strategy_new(setup->game, stop->rows[i].strategy, error);
        ok = strategy && time_search(setup, strategy, &one, error) &&
             mp_strategy_set(strategy, "split", stop->rows[i].split, error) &&
             time_search(setup, strategy, &many, error);
        if (ok)
            mp_strategy_asked(strategy, text, sizeof text);
        mp_strategy_free(strategy);
        if (ok)
            print_row(text, one.seconds, many.seconds, one.counters.nodes, many.threads);
        if (ok && one.value != many.value)
            return mp_fail(error, "%s gave a different value from %s: please report this", text,
                           stop->rows[i].strategy);
    }
    return ok;
}

static bool show_game(const struct stop *stop, struct mp_error *error)
{
    struct setup setup = {.game = mp_game_open(stop->game, error)};
    setup.position = setup.game ? mp_position_new(setup.game, NULL, error) : NULL;
    bool ok = setup.position && mp_position_play_text(setup.position, stop->moves, error);
    struct mp_result result = {MP_SIZE(struct mp_result)};
    if (ok) {
        printf("\n== %s: %s\n\n", setup.game->name, setup.game->summary);
        print_board(setup.game, setup.position);
        printf("\n  thinking: %s ...\n", stop->best);
        fflush(stdout);
    }
    struct mp_strategy *best = ok ? mp_strategy_new(setup.game, stop->best, error) : NULL;
    ok = best && time_search(&setup, best, &result, error);
    mp_strategy_free(best);
    if (ok) {
        char move[CLI_TEXT], value[64], nodes[32];
        print_move_text(setup.game, mp_position_state(setup.position), result.move, move);
        mp_value_text(setup.game, result.value, value, sizeof value);
        print_large((double)result.counters.nodes, nodes, sizeof nodes);
        printf("  best move %s, value %s at depth %d after %s nodes in %.1f s\n", move, value, result.depth,
               nodes, result.seconds);
        ok = show_table(&setup, stop, error);
    }
    mp_position_free(setup.position);
    mp_game_close(setup.game);
    return ok;
}

static int run(const struct cli *cli)
{
    struct mp_error error;
    printf("Manyply %s on %d CPUs\n", mp_version(), mp_cpu_count());
    for (const struct stop *stop = stops; stop->game; stop++)
        if (!show_game(stop, &error))
            return cli_fail(cli, "%s", error.text);
    printf("\nNext: manyply serve --open, manyply play chess, manyply --help\n");
    return 0;
}

const struct cli_command command_demo = {
    .name = "demo", .summary = "a tour of every game in less than a minute", .text_only = true, .run = run};

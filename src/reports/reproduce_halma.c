/* reproduce_halma.c - Halma with chunked parallelism: one mid-game move of depth 3, by threads; and how good
 * the moves are, which the report asks for. */
#include "reports/reproduce.h"

#include "lab/positions.h"

#include <stdlib.h>
#include <string.h>

/* A mid-game board with 496 moves, as the report counts them: every jump path is one. */
static const char board[] = "3B1B2/1B1B1B2/WB4W1/3B1W2/3B1B2/4WWBW/4W3/3WWW2 w";
static const char paths[] = "halma:rules=free,moves=paths", distinct[] = "halma:rules=free";

/* ---- One move -------------------------------------------------------------------------------------- */

static const struct {
    const char *what, *strategy;
    double published, rebuilt; /* 12 threads; 2 threads; 0: not there */
} searches[] = {
    {"minimax", "minimax,depth=3,eval=report", 14.81, 0},
    {"alpha-beta", "alphabeta,depth=3,eval=report,order=list", 0.79, 1.38},
    {"top level", "alphabeta,depth=3,eval=report,order=list,split=top", 0.39, 3.73},
    {"chunked", "alphabeta,depth=3,eval=report,order=list,split=chunked", 0.15, 1.21},
    {"best first", "alphabeta,depth=3,eval=report", 0, 0},
};
enum { SEARCHES = sizeof searches / sizeof *searches };

static bool print_searches(struct reproduction *r, const struct mp_game *games[2])
{
    struct trial trials[2 * SEARCHES];
    for (int i = 0; i < 2 * SEARCHES; i++) {
        trials[i] = (struct trial){.game = games[i / SEARCHES], .position = board};
        snprintf(trials[i].strategy, sizeof trials[i].strategy, "%s", searches[i % SEARCHES].strategy);
    }
    int rounds = r->quick ? 1 : 3;
    reproduction_stage(r, 0.3, 2 * SEARCHES * rounds);
    if (!reproduction_time(r, trials, 2 * SEARCHES, rounds))
        return false;
    struct text_table table;
    text_table_begin(&table, "search<|published s|rebuilt s|ours s|leaves|ours, distinct s|leaves");
    for (int i = 0; i < SEARCHES; i++) {
        char published[16] = "-", rebuilt[16] = "-", ours[16], fewer[16];
        if (searches[i].published > 0)
            snprintf(published, sizeof published, "%.2f", searches[i].published);
        if (searches[i].rebuilt > 0)
            snprintf(rebuilt, sizeof rebuilt, "%.2f", searches[i].rebuilt);
        const struct trial *all = &trials[i], *few = &trials[SEARCHES + i];
        reproduction_seconds(all->seconds, ours, sizeof ours);
        reproduction_seconds(few->seconds, fewer, sizeof fewer);
        text_table_add(&table, "%s|%s|%s|%s|%llu|%s|%llu", searches[i].what, published, rebuilt, ours,
                       (unsigned long long)all->result.counters.leaves, fewer,
                       (unsigned long long)few->result.counters.leaves);
    }
    return reproduction_table(r, "One move of depth 3", &table);
}

/* ---- By threads ------------------------------------------------------------------------------------ */

enum { THREADS = 12, SCHEMES = 2 };
static const struct {
    const char *name, *split;
    double published[THREADS];
} schemes[SCHEMES] = {
    {"top level",
     "split=top",
     {2.473, 1.345, 0.964, 0.744, 0.620, 0.537, 0.495, 0.465, 0.441, 0.419, 0.402, 0.389}},
    {"chunked",
     "split=chunked",
     {0.457, 0.290, 0.224, 0.197, 0.185, 0.180, 0.165, 0.161, 0.156, 0.157, 0.151, 0.144}},
};

static void plot_threads(struct reproduction *r, double ours[SCHEMES][THREADS],
                         double simulated[SCHEMES][THREADS])
{
    enum { KINDS = 3 };
    double x[THREADS], y[KINDS * SCHEMES][THREADS];
    int reach = mp_cpu_count() < THREADS ? mp_cpu_count() : THREADS;
    struct plot plot = {.title = "Speed-up over the same scheme on one thread",
                        .x_label = "threads",
                        .y_label = "speed-up",
                        .ideal = true};
    static const char *const names[KINDS * SCHEMES] = {"top level, published", "top level, simulated",
                                                       "top level, ours",      "chunked, published",
                                                       "chunked, simulated",   "chunked, ours"};
    for (int i = 0; i < KINDS * SCHEMES; i++) {
        int scheme = i / KINDS;
        const double *seconds = i % KINDS == 0   ? schemes[scheme].published
                                : i % KINDS == 1 ? simulated[scheme]
                                                 : ours[scheme];
        for (int n = 0; n < THREADS; n++) {
            x[n] = n + 1;
            y[i][n] = seconds[0] / seconds[n];
        }
        plot.series[plot.series_count++] = (struct plot_series){.name = names[i],
                                                                .count = i % KINDS == 2 ? reach : THREADS,
                                                                .x = x,
                                                                .y = y[i],
                                                                .dashed = i % KINDS == 0};
    }
    reproduction_plot(r, &plot);
}

/* A chunk is a share of the moves, and all of them on one thread: that would be the top level again. The report's
 * one thread shares its bounds, as plain alpha-beta does. */
static bool vary_simulated(struct reproduction *r, const struct mp_game *game, const char *strategy,
                           const char *split, int threads, char *text, size_t size)
{
    char keys[256];
    if (threads > 1 || strcmp(split, "split=chunked") != 0)
        return reproduction_vary_simulated(r, game, strategy, split, threads, text, size);
    snprintf(keys, sizeof keys, "%s,%s", split, r->simulate);
    return reproduction_vary(r, game, strategy, keys, threads, text, size);
}

static bool print_threads(struct reproduction *r, const struct mp_game *game)
{
    static const char strategy[] = "alphabeta,depth=3,eval=report,order=list";
    struct trial trials[SCHEMES * THREADS], virtual_trials[SCHEMES * THREADS];
    double ours[SCHEMES][THREADS], simulated[SCHEMES][THREADS];
    if (!reproduction_machine(r, game, board, strategy))
        return false;
    for (int i = 0; i < SCHEMES * THREADS; i++) {
        virtual_trials[i] = trials[i] = (struct trial){.game = game, .position = board};
        if (!reproduction_vary(r, game, strategy, schemes[i / THREADS].split, i % THREADS + 1,
                               trials[i].strategy, sizeof trials[i].strategy) ||
            !vary_simulated(r, game, strategy, schemes[i / THREADS].split, i % THREADS + 1,
                            virtual_trials[i].strategy, sizeof virtual_trials[i].strategy))
            return false;
    }
    int rounds = r->quick ? 1 : 3;
    reproduction_stage(r, 0.8, SCHEMES * THREADS * (rounds + 1));
    if (!reproduction_time(r, trials, SCHEMES * THREADS, rounds) ||
        !reproduction_time(r, virtual_trials, SCHEMES * THREADS, 1))
        return false;
    struct text_table table;
    text_table_begin(&table,
                     "threads|top level, published s|simulated s|ours s|chunked, published s|simulated s|"
                     "ours s");
    for (int n = 0; n < THREADS; n++) {
        for (int i = 0; i < SCHEMES; i++) {
            ours[i][n] = trials[i * THREADS + n].seconds;
            simulated[i][n] = virtual_trials[i * THREADS + n].seconds;
        }
        text_table_add(&table, "%d|%.3f|%.3f|%.3f|%.3f|%.3f|%.3f", n + 1, schemes[0].published[n],
                       simulated[0][n], ours[0][n], schemes[1].published[n], simulated[1][n], ours[1][n]);
    }
    if (!reproduction_table(r, "By threads, every jump path a move", &table))
        return false;
    plot_threads(r, ours, simulated);
    return true;
}

/* ---- How good the moves are ------------------------------------------------------------------------ */

static const char *const judged[] = {
    "random,seed=1",
    "alphabeta,depth=1,eval=report",
    "alphabeta,depth=2,eval=report",
    "minimax,depth=3,eval=report",
    "alphabeta,depth=3,eval=report",
    "alphabeta,depth=3,eval=report,split=top",
    "alphabeta,depth=3,eval=report,split=chunked",
    "pvs,depth=4,eval=report",
};
enum { JUDGED = sizeof judged / sizeof *judged };

static const char judge_strategy[] = "pvs,eval=report";

/* limits may be null: those of the strategy. */
static bool search_position(const struct mp_game *game, const char *strategy, const struct mp_limits *limits,
                            const struct mp_position *position, struct mp_result *result,
                            struct mp_error *error)
{
    struct mp_search *search = mp_search_new(game, strategy, error);
    bool ok = search && (limits ? mp_search_run_within(search, position, limits, NULL, NULL, result, error)
                                : mp_search_run(search, position, NULL, NULL, result, error));
    mp_search_free(search);
    return ok;
}

/* What a move is worth to the side that plays it, one ply less deep than the judge. */
static bool value_of_move(const struct mp_game *game, const struct mp_position *position, mp_move move,
                          int depth, mp_value *value, struct mp_error *error)
{
    char text[2048];
    struct mp_limits judge = {MP_SIZE(struct mp_limits), .depth = depth};
    struct mp_result result = {MP_SIZE(struct mp_result)};
    game->print_position(game, mp_position_state(position), text, sizeof text);
    struct mp_position *child = mp_position_new(game, text, error);
    bool ok = child && mp_position_play(child, move, error);
    if (ok && mp_position_is_over(child))
        *value = mp_final_value(game, -game->margin(game, mp_position_state(child)), 1);
    else if ((ok = ok && search_position(game, judge_strategy, &judge, child, &result, error)))
        *value = -result.value;
    mp_position_free(child);
    return ok;
}

struct quality {
    int agreed, best, count;
    double lost, seconds;
};

static bool judge_position(struct reproduction *r, const struct mp_game *game,
                           const struct mp_position *position, int depth, struct quality qualities[JUDGED])
{
    struct mp_limits judge = {MP_SIZE(struct mp_limits), .depth = depth};
    struct mp_result best = {MP_SIZE(struct mp_result)}, chosen = {MP_SIZE(struct mp_result)};
    if (!search_position(game, judge_strategy, &judge, position, &best, r->error))
        return false;
    for (int i = 0; i < JUDGED; i++) {
        mp_value value = best.value;
        if (!search_position(game, judged[i], NULL, position, &chosen, r->error))
            return false;
        if (chosen.move != best.move &&
            !value_of_move(game, position, chosen.move, depth - 1, &value, r->error))
            return false;
        qualities[i].count++;
        qualities[i].agreed += chosen.move == best.move;
        qualities[i].best += value == best.value;
        qualities[i].lost += best.value - value;
        qualities[i].seconds += chosen.seconds;
    }
    return true;
}

static bool print_quality(struct reproduction *r, const struct mp_game *game)
{
    int wanted = r->quick ? 20 : 100, depth = r->quick ? 5 : 6;
    struct quality qualities[JUDGED] = {0};
    bool ok = true;
    reproduction_stage(r, 1, wanted);
    for (int number = 0; ok && number < wanted; number++) {
        struct mp_position *position = positions_random(game, 1, number);
        reproduction_step(r);
        ok = position ? judge_position(r, game, position, depth, qualities)
                      : mp_fail(r->error, "out of memory for positions");
        mp_position_free(position);
    }
    if (!ok)
        return false;
    struct text_table table;
    char title[160];
    text_table_begin(&table, "strategy<|the same move|as good|lost per move|ms per move");
    for (int i = 0; i < JUDGED; i++) {
        const struct quality *q = &qualities[i];
        text_table_add(&table, "%s|%.0f%%|%.0f%%|%.2f|%.2f", judged[i], 100.0 * q->agreed / q->count,
                       100.0 * q->best / q->count, q->lost / q->count, 1000 * q->seconds / q->count);
    }
    snprintf(title, sizeof title,
             "How good the moves are: %d random positions, judged by a search of depth %d", wanted, depth);
    return reproduction_table(r, title, &table);
}

/* How many moves the board has in a game. */
static int moves_on_board(const struct mp_game *game)
{
    struct mp_position *position = mp_position_new(game, board, NULL);
    int count = position ? mp_position_moves(position, NULL, NULL, 0) : 0;
    mp_position_free(position);
    return count;
}

bool reproduce_halma(struct reproduction *r)
{
    struct mp_game *games[2] = {mp_game_open(paths, r->error), mp_game_open(distinct, r->error)};
    bool ok = games[0] && games[1] && print_searches(r, (const struct mp_game *[]){games[0], games[1]}) &&
              print_threads(r, games[0]) && print_quality(r, games[1]);
    if (ok)
        reproduction_text(
            r,
            "\n"
            "Published: 12 threads of an unnamed machine, another mid-game board of about 500 "
            "moves (the report does not print it). Rebuilt and ours: the board `%s`, White to "
            "move, on %d CPUs (more threads than that share them). The report lists every jump "
            "path as a move, %d on this board; only %d differ (*distinct*), and its parallel "
            "versions search the rest again and again. Its top level shares no bound, so it "
            "takes longer than alpha-beta on one thread, there and here. *simulated* is a virtual "
            "machine with as many cores, where one thread runs the scheme as any other number does; "
            "ours on one thread is plain alpha-beta. *best first* tries "
            "the moves in the order of the game's guess. %s The quality table is what the "
            "report asks for: how often a strategy plays the move of the deeper search, how "
            "often one of the same value there, and how many steps of the evaluation it loses "
            "per move. Exact strategies of one depth differ only in which of equal moves they "
            "take.\n",
            board, mp_cpu_count(), moves_on_board(games[0]), moves_on_board(games[1]),
            r->quick ? "Single runs." : "Medians of 3 runs.");
    mp_game_close(games[0]);
    mp_game_close(games[1]);
    return ok;
}

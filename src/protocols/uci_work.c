/* uci_work.c - what the UCI engine does in a thread of its own: searching, counting, benching. */
#include "protocols/uci_engine.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/thread.h"
#include "games/chess/chess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct chess) <= UCI_STATE, "the game's states have room");

/* ---- Saying what was found ----------------------------------------------------------------------------- */

static int plies_to_end(mp_value value)
{
    return MP_PROVEN + MP_MAX_PLY - (value > 0 ? value : -value);
}

static void score_text(mp_value value, char *text, size_t size)
{
    if (value > MP_PROVEN)
        snprintf(text, size, "mate %d", (plies_to_end(value) + 1) / 2);
    else if (value < -MP_PROVEN)
        snprintf(text, size, "mate -%d", plies_to_end(value) / 2);
    else
        snprintf(text, size, "cp %d", value);
}

/* The moves of a line, each with a blank before it, as far as there is room. */
static void line_text(const struct uci *uci, const mp_move *moves, int count, char *text, size_t size)
{
    const struct mp_game *game = uci->game;
    _Alignas(64) char states[2][UCI_STATE];
    memcpy(states[0], mp_position_state(uci->position), game->state_size);
    text[0] = 0;
    for (int i = 0; i < count; i++) {
        char move[16];
        game->print_move(game, states[i % 2], moves[i], move, sizeof move);
        text_append(text, size, " %s", move);
        game->play(game, states[i % 2], moves[i], states[!(i % 2)]);
    }
}

static void say_info(const struct mp_result *r, struct uci *uci)
{
    enum { LINE_TEXT = 8 * MP_MAX_PV };
    char score[32], line[LINE_TEXT];
    score_text(r->value, score, sizeof score);
    line_text(uci, r->pv, r->pv_length, line, sizeof line);
    uint64_t rate = r->seconds > 0 ? (uint64_t)((double)r->counters.nodes / r->seconds) : 0;
    uci_say(uci,
            "info depth %d seldepth %d multipv %d score %s%s nodes %llu nps %llu hashfull %d time %llu pv%s",
            r->depth, r->counters.max_ply, r->line, score,
            r->bound > 0   ? " lowerbound"
            : r->bound < 0 ? " upperbound"
                           : "",
            (unsigned long long)r->counters.nodes, (unsigned long long)rate,
            mp_search_table_fill(uci->search), (unsigned long long)(r->seconds * 1000), line);
}

/* ---- Searching ------------------------------------------------------------------------------------- */

/* Is it time to move, with an iteration just finished? */
static bool is_enough(struct uci *uci, const struct mp_result *so_far)
{
    const struct uci_work *work = &uci->work;
    if (work->mate && so_far->value > MP_PROVEN && (plies_to_end(so_far->value) + 1) / 2 <= work->mate)
        return true;
    double stretch = pace_stretch(
        &uci->course, &(struct pace_iteration){so_far->move, so_far->value, so_far->depth, so_far->effort});
    if (work->budget.soft <= 0 || atomic_load(&uci->pondering))
        return false;
    /* A forced end that has been looked through needs no more thought; neither does the only move. */
    mp_value size = so_far->value < 0 ? -so_far->value : so_far->value;
    if (mp_position_moves(uci->position, NULL, NULL, 0) == 1)
        return true;
    if (size > MP_PROVEN && so_far->depth > 2 * plies_to_end(so_far->value))
        return true;
    double elapsed = clock_seconds_since(atomic_load(&uci->clock_since));
    return elapsed > work->budget.soft * stretch;
}

static void note_progress(const struct mp_result *so_far, void *context)
{
    struct uci *uci = context;
    say_info(so_far, uci);
    if (so_far->bound == 0 && so_far->line == 1 && is_enough(uci, so_far))
        mp_search_stop(uci->search);
}

/* An answer that was not asked for yet has to wait. */
static void wait_for_release(struct uci *uci)
{
    pthread_mutex_lock(&uci->lock);
    while (uci->hold)
        pthread_cond_wait(&uci->released, &uci->lock);
    pthread_mutex_unlock(&uci->lock);
}

/* What it took to get here is no longer there to think. */
static void begin_clock(struct uci *uci)
{
    const double shortest = 0.001;
    double *seconds = &uci->work.limits.seconds;
    if (*seconds > 0)
        *seconds = fmax(*seconds - clock_seconds_since(atomic_load(&uci->clock_since)), shortest);
}

/* Not after a `stop`: then it was not up to us how long it took. */
static void end_clock(struct uci *uci)
{
    if (uci->work.budget.hard > 0 && !atomic_load(&uci->pondering) && !atomic_load(&uci->stop))
        pace_moved(&uci->delay, &uci->work.clock, uci->work.budget.hard,
                   clock_seconds_since(atomic_load(&uci->clock_since)));
}

static void search(struct uci *uci)
{
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_error error;
    char line[64] = " (none)";
    uci->course = (struct pace_course){0};
    begin_clock(uci);
    if (mp_position_moves(uci->position, NULL, NULL, 0) == 0) {
        int margin = uci->game->margin(uci->game, mp_position_state(uci->position));
        uci_say(uci, "info depth 0 score %s", margin < 0 ? "mate 0" : "cp 0");
        result.pv_length = 0;
    } else if (mp_search_run_within(uci->search, uci->position, &uci->work.limits, note_progress, uci,
                                    &result, &error)) {
        if (result.depth == 0)
            say_info(&result, uci);
        line_text(uci, result.pv, 1, line, sizeof line);
    } else {
        uci_say(uci, "info string %s", error.text);
        result.pv_length = 0;
    }
    wait_for_release(uci);
    end_clock(uci); /* before whoever gets the answer can go on */
    if (result.pv_length < 2) {
        uci_say(uci, "bestmove%s", line);
    } else {
        char both[64];
        line_text(uci, result.pv, 2, both, sizeof both);
        uci_say(uci, "bestmove%s ponder%s", line, both + strlen(line));
    }
}

/* ---- Counting -------------------------------------------------------------------------------------- */

/* Counts in pieces that take a moment, and looks whether to stop in between. */
static uint64_t count_leaves(struct uci *uci, const void *state, int depth)
{
    enum { QUICK_DEPTH = 4 };
    const struct mp_game *game = uci->game;
    if (depth == 0)
        return 1;
    if (depth <= QUICK_DEPTH)
        return game->perft(game, state, depth, true);
    mp_move moves[UCI_MOST_MOVES];
    _Alignas(64) char child[UCI_STATE];
    int count = game->list(game, state, moves, UCI_MOST_MOVES);
    uint64_t leaves = 0;
    for (int i = 0; i < count && !atomic_load(&uci->stop); i++) {
        game->play(game, state, moves[i], child);
        leaves += count_leaves(uci, child, depth - 1);
    }
    return leaves;
}

static void perft(struct uci *uci)
{
    const struct mp_game *game = uci->game;
    const void *state = mp_position_state(uci->position);
    mp_move moves[UCI_MOST_MOVES];
    _Alignas(64) char child[UCI_STATE];
    int count = game->list(game, state, moves, UCI_MOST_MOVES);
    uint64_t leaves = 0;
    for (int i = 0; i < count && !atomic_load(&uci->stop); i++) {
        char move[16];
        game->print_move(game, state, moves[i], move, sizeof move);
        game->play(game, state, moves[i], child);
        uint64_t below = count_leaves(uci, child, uci->work.limits.depth - 1);
        if (!atomic_load(&uci->stop))
            uci_say(uci, "%s: %llu", move, (unsigned long long)below);
        leaves += below;
    }
    if (atomic_load(&uci->stop))
        uci_say(uci, "info string perft was stopped");
    else
        uci_say(uci, "\nNodes searched: %llu\n", (unsigned long long)leaves);
}

/* ---- Benching -------------------------------------------------------------------------------------- */

/* Openings, middle games, endgames: positions of every kind a search meets. */
static const char *const bench_positions[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "2r2rk1/pp1bqpp1/2n1pn1p/3p4/3P4/P1NBPN2/1P1Q1PPP/2R2RK1 b - - 4 15",
    "r2q1rk1/1b2bppp/p2ppn2/1p6/3NPP2/1BN5/PPP1Q1PP/R1B2RK1 w - - 0 13",
    "3r2k1/p4ppp/1p2p3/2r5/2P5/1P2PN2/P4PPP/3R2K1 b - - 0 24",
    "8/5pk1/4p1p1/1p1pP2p/3P1P1P/2r1K1P1/R7/8 w - - 0 41",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 w - - 0 47",
    "6k1/5p1p/2b1p1p1/1p1pP3/1P1P1PP1/3KN2P/8/8 w - - 0 38",
    "5rk1/q6p/2p3bR/1pPp1rP1/1P1Pp3/P3B1Q1/1K3P2/R7 w - - 93 90",
    "4k2r/1pb2ppp/1p2p3/1R1p4/3P4/2r1PN2/P4PPP/1R4K1 b k - 3 22",
    "r1b2k1r/ppppq3/5N1p/4P2Q/4PP2/1B6/PP5P/n2K2R1 w - - 1 17",
};

static void bench(struct uci *uci)
{
    enum { POSITIONS = sizeof bench_positions / sizeof *bench_positions };
    struct mp_search *search = uci->bench_search;
    struct mp_error error = {0};
    uint64_t nodes = 0;
    double seconds = 0;
    for (int i = 0; i < POSITIONS && !atomic_load(&uci->stop); i++) {
        struct mp_position *position = mp_position_new(uci->bench_game, bench_positions[i], &error);
        struct mp_result result = {MP_SIZE(struct mp_result)};
        mp_search_forget(search);
        if (position &&
            mp_search_run_within(search, position, &uci->work.limits, NULL, NULL, &result, &error)) {
            nodes += result.counters.nodes;
            seconds += result.seconds;
            uci_say(uci, "info string position %d of %d: %llu nodes", i + 1, POSITIONS,
                    (unsigned long long)result.counters.nodes);
        } else {
            uci_say(uci, "info string bench: %s", error.text);
        }
        mp_position_free(position);
    }
    if (atomic_load(&uci->stop))
        uci_say(uci, "info string bench was stopped");
    else
        uci_say(uci, "Time (ms)      : %.0f\nNodes searched : %llu\nNodes/second   : %.0f", seconds * 1000,
                (unsigned long long)nodes, seconds > 0 ? (double)nodes / seconds : 0);
}

/* ---- The thread ------------------------------------------------------------------------------------ */

/* A thread takes with it what the system knows of it. Who keeps the clock may want to see how long it waited for a CPU, so it
 * stays until the next command. */
static void wait_to_leave(struct uci *uci)
{
    pthread_mutex_lock(&uci->lock);
    while (!uci->leave)
        pthread_cond_wait(&uci->released, &uci->lock);
    pthread_mutex_unlock(&uci->lock);
}

static void *run(void *argument)
{
    struct uci *uci = argument;
    switch (uci->work.kind) {
    case UCI_SEARCH:
        search(uci);
        break;
    case UCI_PERFT:
        perft(uci);
        break;
    case UCI_BENCH:
        bench(uci);
        break;
    }
    wait_to_leave(uci);
    return NULL;
}

void uci_drop_bench(struct uci *uci)
{
    mp_search_free(uci->bench_search);
    mp_game_close(uci->bench_game);
    uci->bench_search = NULL;
    uci->bench_game = NULL;
}

void uci_begin(struct uci *uci, const struct uci_work *work)
{
    uci->work = *work;
    if (work->limits.moves)
        uci->work.limits.moves = uci->work.moves;
    uci->hold = work->infinite || work->ponder;
    uci->leave = false;
    uci->stop_at_ns = 0;
    atomic_store(&uci->stop, false);
    atomic_store(&uci->pondering, work->ponder);
    uci->working = thread_start(&uci->thread, run, uci);
    if (!uci->working) {
        uci->hold = false;
        uci_drop_bench(uci);
        uci_say(uci, "info string there is no thread to work with\nbestmove (none)");
    }
}

static void release(struct uci *uci)
{
    pthread_mutex_lock(&uci->lock);
    uci->hold = false;
    pthread_cond_signal(&uci->released);
    pthread_mutex_unlock(&uci->lock);
}

void uci_join(struct uci *uci)
{
    pthread_mutex_lock(&uci->lock);
    uci->leave = true;
    pthread_cond_signal(&uci->released);
    pthread_mutex_unlock(&uci->lock);
    pthread_join(uci->thread, NULL);
    uci->working = false;
    uci->stop_at_ns = 0;
    uci_drop_bench(uci);
}

void uci_end(struct uci *uci)
{
    if (!uci->working)
        return;
    struct mp_search *search = uci->work.kind == UCI_BENCH ? uci->bench_search : uci->search;
    atomic_store(&uci->stop, true);
    if (search)
        mp_search_stop(search);
    release(uci);
    uci_join(uci);
    /* The stop may have come after the end. */
    if (uci->search)
        mp_search_clear_stop(uci->search);
}

void uci_ponder_hit(struct uci *uci)
{
    if (!uci->working || !uci->work.ponder)
        return;
    int64_t now = clock_ns();
    if (uci->work.budget.hard > 0)
        uci->stop_at_ns = now + (int64_t)(uci->work.budget.hard * 1e9);
    atomic_store(&uci->clock_since, now);
    atomic_store(&uci->pondering, false);
    if (!uci->work.infinite)
        release(uci);
}

int uci_wait_ms(struct uci *uci)
{
    if (!uci->working || uci->stop_at_ns == 0)
        return -1;
    int64_t left = uci->stop_at_ns - clock_ns();
    return left > 0 ? (int)(left / 1000000) + 1 : 0;
}

void uci_tick(struct uci *uci)
{
    if (uci_wait_ms(uci) == 0) {
        mp_search_stop(uci->search);
        uci->stop_at_ns = 0;
    }
}

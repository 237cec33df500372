/* arena.c - deals the games of a schedule out to threads, plays them and stores the results. */
#include "lab/arena.h"

#include "base/random.h"
#include "base/text.h"
#include "base/thread.h"
#include "lab/heartbeat.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

/* ---- The schedule ----------------------------------------------------------------------------------- */

int64_t arena_pairings(const struct arena *a)
{
    return a->gauntlet ? a->player_count - 1 : (int64_t)a->player_count * (a->player_count - 1) / 2;
}

void arena_pairing(const struct arena *a, int64_t pairing, int players[2])
{
    players[0] = 0;
    players[1] = (int)pairing + 1;
    for (int first = 0; !a->gauntlet && first < a->player_count - 1; first++) {
        int others = a->player_count - 1 - first;
        if (pairing < others) {
            players[0] = first;
            players[1] = first + 1 + (int)pairing;
            return;
        }
        pairing -= others;
    }
}

static int64_t all_games(const struct arena *a)
{
    return a->games * arena_pairings(a);
}

static bool is_mine(const struct arena *a, int64_t number)
{
    return number / 2 % a->shards == a->shard;
}

int64_t arena_total(const struct arena *a)
{
    int64_t pairs = all_games(a) / 2;
    return 2 * (pairs / a->shards + (pairs % a->shards > a->shard));
}

/* ---- Settings in the results ------------------------------------------------------------------------ */

enum { MOST_SETTINGS = 16, SETTING_SIZE = 256 };

struct arena_settings {
    struct results_setting list[MOST_SETTINGS];
    char values[MOST_SETTINGS][SETTING_SIZE];
    int count;
};

__attribute__((format(printf, 3, 4))) static void put(struct arena_settings *s, const char *name,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->values[s->count], SETTING_SIZE, format, arguments);
    va_end(arguments);
    s->list[s->count] = (struct results_setting){name, s->values[s->count]};
    s->count++;
}

/* All that decides how a game is played. How many are, at once or by this shard, is left out. */
static void describe(const struct arena *a, struct arena_settings *s)
{
    const struct match_rules *rules = &a->rules;
    s->count = 0;
    put(s, "game", "%s", a->game_text);
    put(s, "scoring", "%s", results_scorings[a->game->scoring]);
    put(s, "schedule", "%s", a->gauntlet ? "gauntlet" : "round robin");
    put(s, "seed", "%llu", (unsigned long long)a->seed);
    if (a->openings_file) {
        const char *slash = strrchr(a->openings_file, '/');
        put(s, "openings", "%s (%d, sum %016llx)", slash ? slash + 1 : a->openings_file, a->openings.count,
            (unsigned long long)openings_sum(&a->openings));
    } else {
        put(s, "openings", "none");
    }
    put(s, "random plies", "%d", a->random_plies);
    put(s, "most plies", "%d", rules->most_plies);
    put(s, "margin", "%g s", rules->margin);
    put(s, "patience", "%g s", a->players[0].patience);
    put(s, "sprt", "%g,%g,%g,%g,%s", a->sprt.elo0, a->sprt.elo1, a->sprt.alpha, a->sprt.beta,
        a->sprt.normalised ? "normalised" : "logistic");
    put(s, "resign", "%d,%d", rules->resign, rules->resign_moves);
    put(s, "draw", "%d,%d,%d", rules->draw, rules->draw_moves, rules->draw_after);
}

/* A player as it is stored: with the time control that it has, whoever said so. */
static char *player_text(const struct player_setup *setup)
{
    size_t size = strlen(setup->text) + 128;
    char *text = malloc(size);
    if (!text)
        return NULL;
    const struct time_control *control = &setup->control;
    snprintf(text, size, "%s", setup->text);
    if (strstr(text, " tc="))
        return text;
    if (control->base > 0)
        text_append(text, size, " tc=%g+%g", control->base, control->increment);
    else if (control->move > 0)
        text_append(text, size, " tc=%gs", control->move);
    else if (control->nodes)
        text_append(text, size, " tc=nodes=%llu", (unsigned long long)control->nodes);
    else if (control->depth)
        text_append(text, size, " tc=depth=%d", control->depth);
    return text;
}

static bool begin_results(const struct arena *a, struct results *results, struct arena_settings *settings,
                          struct mp_error *error)
{
    struct results_player players[ARENA_MOST_PLAYERS];
    put(settings, "games", "%lld", (long long)a->games);
    bool ok = true;
    for (int i = 0; i < a->player_count; i++) {
        players[i] = (struct results_player){a->players[i].name, player_text(&a->players[i])};
        ok = ok && (players[i].text || mp_fail(error, "out of memory"));
    }
    ok = ok && results_begin(results, settings->list, settings->count, players, a->player_count, error);
    for (int i = 0; i < a->player_count; i++)
        free(players[i].text);
    return ok;
}

static bool same_players(const struct arena *a, struct results *results, struct mp_error *error)
{
    int count;
    struct results_player *players = results_players(results, &count, error);
    if (count < 0)
        return false;
    bool ok = count == a->player_count ||
              mp_fail(error, "the arena in the file has %d players, not %d", count, a->player_count);
    for (int i = 0; ok && i < count; i++) {
        char *text = player_text(&a->players[i]);
        if (!text || strcmp(text, players[i].text) != 0 || strcmp(a->players[i].name, players[i].name) != 0)
            ok = mp_fail(error, "player %d of the arena in the file is '%.150s', not '%.150s'", i + 1,
                         players[i].text, text ? text : "");
        free(text);
    }
    results_free_players(players, count);
    return ok;
}

bool arena_prepare(const struct arena *a, struct results *results, struct mp_error *error)
{
    struct arena_settings settings;
    describe(a, &settings);
    if (results_are_new(results))
        return begin_results(a, results, &settings, error);
    for (int i = 0; i < settings.count; i++) {
        const struct results_setting *setting = &settings.list[i];
        char *stored = results_get(results, setting->name);
        bool same = stored && !strcmp(stored, setting->value);
        if (!same)
            mp_fail(error, "the arena in the file has %s: %.150s, not %.150s", setting->name,
                    stored ? stored : "nothing", setting->value);
        free(stored);
        if (!same)
            return false;
    }
    if (!same_players(a, results, error))
        return false;
    /* More games than before is a wish, not a contradiction. */
    char games[32], *stored = results_get(results, "games");
    int64_t before = 0;
    bool more = !stored || !text_to_int(stored, 0, INT64_MAX, &before) || before < a->games;
    free(stored);
    snprintf(games, sizeof games, "%lld", (long long)a->games);
    return !more || results_set(results, "games", games, error);
}

/* ---- Playing ---------------------------------------------------------------------------------------- */

/* What the threads share; everything is touched with the lock held, except arena->stop and the heart. */
struct arena_state {
    pthread_mutex_t lock;
    struct arena *arena;
    struct results *results;
    struct tallies *tallies;
    char *done; /* by game number */
    int64_t next, played;
    bool decided; /* by the sequential test: no new games */
    bool failed;
    int failures; /* of this machine, since a game was finished */
    struct mp_error error;
    struct heartbeat heart; /* any thread may ask it */
};

static bool mark_done(const struct results_game *game, void *context)
{
    struct arena_state *state = context;
    if (game->number >= 0 && game->number < all_games(state->arena))
        state->done[game->number] = 1;
    return true;
}

/* The next game that is to be played, or -1. */
static int64_t next_game(struct arena_state *state)
{
    const struct arena *a = state->arena;
    int64_t number = -1;
    pthread_mutex_lock(&state->lock);
    bool over = state->failed || state->decided || atomic_load_explicit(&a->stop, memory_order_relaxed);
    while (!over && number < 0 && state->next < all_games(a)) {
        if (!state->done[state->next] && is_mine(a, state->next))
            number = state->next;
        state->next++;
    }
    pthread_mutex_unlock(&state->lock);
    return number;
}

/* The position where a game of this round begins. */
static bool open_game(const struct arena *a, struct match_game *match, struct mp_error *error)
{
    const struct opening *opening = a->openings.count
                                        ? &a->openings.list[match->stream % (uint64_t)a->openings.count]
                                        : NULL;
    for (uint64_t attempt = 0;; attempt++) {
        if (!match_begin(match, opening ? opening->start : NULL, error) ||
            (opening && !match_open_with_moves(match, opening->moves, opening->count, error)) ||
            !match_open_at_random(match, a->random_plies, random_at(a->seed, attempt), error))
            return false;
        /* Random moves may end a game; then other random moves are tried. */
        if (!a->random_plies || !mp_position_is_over(match->position))
            return true;
        enum { MOST_ATTEMPTS = 1000 };
        if (attempt == MOST_ATTEMPTS)
            return mp_fail(error, "%d random plies always end the game, expected fewer", a->random_plies);
        match_free(match);
        match->throws = 0;
    }
}

static double now(void)
{
    struct timeval time;
    gettimeofday(&time, NULL);
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static void keep_game(struct arena_state *state, int64_t number, const int players[2], int opening,
                      const struct match_game *match, double started)
{
    struct arena *a = state->arena;
    pthread_mutex_lock(&state->lock);
    if (!state->failed) {
        bool ok = results_add_game(state->results, number, players, opening, match, started, &state->error) &&
                  (tallies_add(state->tallies, number, players[0], players[1], match->margin) ||
                   mp_fail(&state->error, "out of memory"));
        state->failed = !ok;
        state->failures = 0;
        state->played += ok;
        state->decided = state->decided || arena_verdict(a, state->tallies, NULL) != SPRT_GO_ON;
        if (ok && a->on_game)
            a->on_game(a, state->tallies, number, match, a->context);
    }
    pthread_mutex_unlock(&state->lock);
}

/* Has the arena been stopped during a game, so that clocks ran while nobody could play? */
static bool was_stopped(struct arena_state *state, const struct match_game *match, int stops_before)
{
    bool is_timed = match->end == MATCH_TIME;
    for (int side = 0; side < 2; side++) {
        const struct time_control *control = &match->players[side]->setup->control;
        is_timed = is_timed || control->base > 0 || control->move > 0;
    }
    if (!is_timed)
        return false;
    int stops = match->end == MATCH_TIME ? heartbeat_stops_now(&state->heart)
                                         : heartbeat_stops(&state->heart);
    return stops != stops_before;
}

/* AGAIN: the machine has failed, with an error, or was stopped, without one. */
enum outcome { DONE, AGAIN, FAILED };

static enum outcome play_game(struct arena_state *state, struct player **players, int64_t number,
                              struct mp_error *error)
{
    const struct arena *a = state->arena;
    int64_t pair = number / 2;
    int who[2];
    arena_pairing(a, pair % arena_pairings(a), who);
    if (number % 2) {
        int swap = who[0];
        who[0] = who[1];
        who[1] = swap;
    }
    struct match_game match = {
        .game = a->game,
        .players = {players[who[0]], players[who[1]]},
        .rules = a->rules,
        .seed = a->seed,
        .stream = (uint64_t)(pair / arena_pairings(a)),
    };
    match.rules.stop = &a->stop;
    double started = now();
    int stops = heartbeat_stops(&state->heart);
    enum outcome outcome = open_game(a, &match, error) ? DONE : FAILED;
    int opening = match.count;
    if (outcome == DONE && !match_play(&match, error)) {
        outcome = AGAIN;
    } else if (outcome == DONE && was_stopped(state, &match, stops)) {
        outcome = AGAIN;
        error->text[0] = 0;
    } else if (outcome == DONE && match.end != MATCH_INTERRUPTED) {
        keep_game(state, number, who, opening, &match, started);
    }
    match_free(&match);
    return outcome;
}

/* After a failure of the machine: lets go of what the players use, waits for better times, each time longer, and says
 * whether to try again. */
static enum outcome recover(struct arena_state *state, struct player **players, const struct mp_error *error)
{
    enum { MOST_FAILURES = 5, TICK_NS = 50000000 };
    const struct arena *a = state->arena;
    for (int i = 0; i < a->player_count; i++)
        player_end(players[i]);
    if (!*error->text)
        return AGAIN;
    pthread_mutex_lock(&state->lock);
    int failures = ++state->failures;
    enum outcome outcome = state->failed                                   ? DONE
                           : failures < MOST_FAILURES + a->concurrency - 1 ? AGAIN
                                                                           : FAILED;
    pthread_mutex_unlock(&state->lock);
    int ticks = 1 << (failures < 5 ? failures : 5);
    for (int i = 0; i < ticks && outcome == AGAIN; i++) {
        nanosleep(&(struct timespec){.tv_nsec = TICK_NS}, NULL);
        if (atomic_load_explicit(&a->stop, memory_order_relaxed))
            outcome = DONE;
    }
    return outcome;
}

static void fail(struct arena_state *state, const struct mp_error *error)
{
    pthread_mutex_lock(&state->lock);
    if (!state->failed)
        state->error = *error;
    state->failed = true;
    pthread_mutex_unlock(&state->lock);
}

/* One thread: its own players, one game after the other. */
static void *work(void *argument)
{
    struct arena_state *state = argument;
    const struct arena *a = state->arena;
    struct player *players[ARENA_MOST_PLAYERS] = {0};
    struct mp_error error = {.text = "out of memory"};
    bool ok = true;
    for (int i = 0; i < a->player_count; i++)
        ok = ok && (players[i] = player_new(a->game, &a->players[i]));
    for (int64_t number; ok && (number = next_game(state)) >= 0;) {
        enum outcome outcome = AGAIN;
        while (outcome == AGAIN)
            if ((outcome = play_game(state, players, number, &error)) == AGAIN)
                outcome = recover(state, players, &error);
        ok = outcome == DONE;
    }
    if (!ok)
        fail(state, &error);
    for (int i = 0; i < a->player_count; i++)
        player_free(players[i]);
    return NULL;
}

bool arena_run(struct arena *a, struct results *results, struct tallies *tallies, int64_t *played,
               struct mp_error *error)
{
    struct arena_state state = {.arena = a, .results = results, .tallies = tallies};
    pthread_t *threads = calloc((size_t)a->concurrency, sizeof *threads);
    state.done = calloc((size_t)all_games(a) + 1, 1);
    pthread_mutex_init(&state.lock, NULL);
    bool ok = (threads && state.done) || mp_fail(error, "out of memory");
    ok = ok && results_each_game(results, &results_all, mark_done, &state, error);
    state.decided = ok && arena_verdict(a, tallies, NULL) != SPRT_GO_ON;
    int started = 0;
    heartbeat_start(&state.heart);
    while (ok && started < a->concurrency && thread_start(&threads[started], work, &state))
        started++;
    if (ok && started == 0)
        ok = mp_fail(error, "no thread could be started");
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    heartbeat_end(&state.heart);
    if (state.failed)
        ok = mp_fail(error, "%s", state.error.text);
    *played = state.played;
    pthread_mutex_destroy(&state.lock);
    free(state.done);
    free(threads);
    return ok;
}

enum sprt_verdict arena_verdict(const struct arena *a, const struct tallies *tallies, double *ratio)
{
    if (a->sprt.elo0 == a->sprt.elo1)
        return SPRT_GO_ON;
    struct pairing_tally tally = tallies_of(tallies, 0, 1);
    double value = sprt_ratio(&a->sprt, tally.pairs, ELO_PAIRS);
    if (ratio)
        *ratio = value;
    return sprt_verdict(&a->sprt, value);
}

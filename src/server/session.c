/* session.c - changes the game of a session, and publishes what has changed. */
#include "server/session_inner.h"

#include "base/clock.h"
#include "base/thread.h"
#include "lab/bench.h"
#include "lab/json_parts.h"
#include "server/describe.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

const char *session_id(const struct session *s)
{
    return s->id;
}

int session_side(const struct session *s)
{
    return s->game->side(s->game, mp_position_state(s->position));
}

void session_wait(struct session *s, int milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += milliseconds % 1000 * 1000000L;
    until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&s->changed, &s->lock, &until);
}

/* ---- What is published -------------------------------------------------------------------------------- */

void session_publish(struct session *s, int slot, char *text)
{
    free(s->slots[slot].text);
    s->slots[slot].text = text;
    s->slots[slot].version++;
    pthread_cond_broadcast(&s->changed);
}

char *session_json_text(json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(json);
    if (json_is_lost()) {
        free(text);
        text = NULL;
    }
    return text;
}

static json_t *plies_json(const struct session *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->count; i++)
        json_array_append(list, s->plies[i].json);
    return list;
}

/* The value before each move, and after the last. */
static json_t *values_json(const struct session *s)
{
    json_t *list = json_array();
    for (int i = 0; i <= s->count && i < MOST_MOVES; i++)
        json_array_append_new(list, s->plies[i].valued ? json_integer(s->plies[i].value) : json_null());
    return list;
}

static json_t *players_json(const struct session *s)
{
    json_t *list = json_array();
    for (int i = 0; i < 2; i++)
        json_array_append_new(list, json_pack("{s:b, s:s, s:o}", "engine", s->players[i].is_engine,
                                              "strategy", s->players[i].strategy, "parts",
                                              session_strategy_json(s, s->players[i].strategy)));
    return list;
}

char *session_state_text(const struct session *s)
{
    const struct mp_game *game = s->game;
    bool over = mp_position_is_over(s->position);
    json_t *json = json_object();
    json_put_text(json, "session", s->id);
    json_put_number(json, "revision", (int64_t)s->revision);
    json_put(json, "game", describe_game(game, s->game_name));
    json_put_text(json, "start", s->start);
    json_put(json, "position", json_position(game, s->position));
    json_put(json, "moves", plies_json(s));
    json_put(json, "values", values_json(s));
    json_put_number(json, "at", s->at);
    json_put_number(json, "turn", session_side(s));
    json_put_flag(json, "chance", mp_position_is_chance(s->position));
    json_put_flag(json, "over", over);
    json_put(json, "margin", over ? json_integer(mp_position_margin(s->position)) : json_null());
    json_put(json, "board", describe_board(game, mp_position_state(s->position)));
    json_put(json, "picture", describe_picture(game, mp_position_state(s->position)));
    json_put(json, "legal", over ? json_array() : describe_moves(game, s->position));
    json_put(json, "players", players_json(s));
    json_put_flag(json, "analyse", s->analyse);
    json_put(json, "problem", s->problem.text[0] ? json_string(s->problem.text) : json_null());
    return session_json_text(json);
}

void session_publish_state(struct session *s)
{
    session_publish(s, SLOT_STATE, session_state_text(s));
}

char *session_state(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    char *text = session_state_text(s);
    pthread_mutex_unlock(&s->lock);
    return text;
}

/* ---- What was searched -------------------------------------------------------------------------------- */

char *session_recording(struct session *s, bool positions)
{
    json_t *json = NULL;
    pthread_mutex_lock(&s->lock);
    const struct recorded *last = &s->recorded[0];
    if (last->pieces && (json = json_copy(last->about)))
        json_put(json, "pieces", recording_rows(last->pieces, positions));
    pthread_mutex_unlock(&s->lock);
    return json ? session_json_text(json) : NULL;
}

char *session_look(struct session *s, uint64_t number, uint64_t id, bool tree)
{
    json_t *json = NULL;
    pthread_mutex_lock(&s->lock);
    if (tree) {
        json = s->tree && number == s->tree_number ? recording_look(s->tree, id) : NULL;
    } else if (s->searching && number == s->search_number) {
        double after[MP_MAX_THREADS] = {0};
        struct recording *now = recording_read(s->searching, s->game, after, RECORDING_PIECES);
        json = now ? recording_look(now, id) : NULL;
        recording_free(now);
    }
    for (int i = 0; i < 2 && !json && !tree; i++) {
        const struct recorded *old = &s->recorded[i];
        if (old->pieces && json_integer_value(json_object_get(old->about, "number")) == (json_int_t)number)
            json = recording_look(old->pieces, id);
    }
    pthread_mutex_unlock(&s->lock);
    return json ? session_json_text(json) : NULL;
}

/* ---- What changes ------------------------------------------------------------------------------------- */

/* What was being thought about is no longer asked for. */
void session_revise(struct session *s)
{
    s->revision++;
    s->problem.text[0] = 0;
    json_decref(s->lab);
    s->lab = NULL;
    if (s->searching)
        mp_search_stop(s->searching);
    if (s->valuing)
        mp_search_stop(s->valuing);
    if (s->measuring)
        bench_stop(s->measuring);
    pthread_cond_broadcast(&s->changed);
}

void session_forget(struct session *s, int from)
{
    for (int i = from; i < s->count; i++)
        json_decref(s->plies[i].json);
    for (int i = from; i <= s->count && i < MOST_MOVES; i++)
        s->plies[i] = (struct ply){0};
    if (s->count > from)
        s->count = from;
}

bool session_go_to(struct session *s, int ply, struct mp_error *error)
{
    struct mp_position *position = mp_position_new(s->game, s->start, error);
    bool ok = position;
    for (int i = 0; ok && i < ply; i++)
        ok = mp_position_play(position, s->plies[i].move, error);
    if (!ok) {
        mp_position_free(position);
        return false;
    }
    mp_position_free(s->position);
    s->position = position;
    s->at = ply;
    return true;
}

bool session_play(struct session *s, mp_move move, struct mp_error *error)
{
    if (s->at >= MOST_MOVES - 1)
        return mp_fail(error, "the game has %d moves already, expected at most that many", s->at);
    json_t *json = describe_move(s->game, s->position, move);
    if (json_is_lost()) {
        json_decref(json);
        return mp_fail(error, "out of memory for a move");
    }
    if (!mp_position_play(s->position, move, error)) {
        json_decref(json);
        return false;
    }
    mp_value value = s->plies[s->at].value;
    bool valued = s->plies[s->at].valued;
    session_forget(s, s->at);
    s->plies[s->at] = (struct ply){move, json, value, valued};
    s->count = ++s->at;
    return true;
}

/* The dice are thrown by this program, with numbers that cannot be foreseen. */
bool session_roll(struct session *s, struct mp_error *error)
{
    uint64_t random;
    if (!mp_position_is_chance(s->position))
        return mp_fail(error, "no dice are to be thrown here");
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        random = (uint64_t)clock_ns();
    return session_play(s, mp_position_throw(s->position, random, 0, 0), error);
}

/* Plays a record: a text, or a list with one text for each move. */
static bool play_record(struct mp_position *position, const json_t *record, struct mp_error *error)
{
    size_t i;
    json_t *text;
    if (json_is_string(record))
        return mp_position_play_text(position, json_string_value(record), error);
    json_array_foreach(record, i, text)
    {
        mp_move move;
        if (!json_is_string(text))
            return mp_fail(error, "\"moves\": entry %zu is not a string, expected a move", i + 1);
        if (!mp_position_parse_move(position, json_string_value(text), &move, error) ||
            !mp_position_play(position, move, error))
            return false;
    }
    return true;
}

/* Sets a position up, or that of the beginning, and plays a record from there. All or nothing. */
bool session_set_up(struct session *s, const char *position, const json_t *record, struct mp_error *error)
{
    size_t count = 0;
    char text[TEXT_ROOM], *start = NULL;
    struct mp_position *first = mp_position_new(s->game, position, error);
    struct mp_position *last = first ? mp_position_new(s->game, position, error) : NULL;
    bool ok = last && play_record(last, record, error);
    const mp_move *moves = ok ? mp_position_played(last, &count) : NULL;
    if (ok && count >= MOST_MOVES)
        ok = mp_fail(error, "%zu moves, expected fewer than %d", count, MOST_MOVES);
    if (ok) {
        s->game->print_position(s->game, mp_position_state(first), text, sizeof text);
        start = strdup(text);
        ok = start || mp_fail(error, "out of memory for a position");
    }
    if (ok) {
        session_forget(s, 0);
        free(s->start);
        s->start = start;
        mp_position_free(s->position);
        s->position = first;
        s->at = 0;
        for (size_t i = 0; ok && i < count; i++)
            ok = session_play(s, moves[i], error);
    } else {
        mp_position_free(first);
    }
    mp_position_free(last);
    return ok;
}

/* ---- Beginning and end -------------------------------------------------------------------------------- */

struct session *session_new(const char *id, const char *game, const char *position, const json_t *moves,
                            struct search_limit *limit, struct mp_error *error)
{
    if (!search_limit_take(limit, SESSION_MEGABYTES, "a game", error))
        return NULL;
    struct session *s = calloc(1, sizeof *s);
    if (!s) {
        search_limit_give(limit, SESSION_MEGABYTES);
        mp_fail(error, "out of memory for a session");
        return NULL;
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&s->lock, NULL);
    snprintf(s->id, sizeof s->id, "%s", id);
    s->limit = limit;
    s->revision = 1;
    s->game_name = strdup(game);
    s->game = mp_game_open(game, error);
    bool ok = s->game && (s->game_name || mp_fail(error, "out of memory for a session")) &&
              session_set_up(s, position, moves, error);
    s->players[1].is_engine = true;
    for (int i = 0; ok && i < 2; i++)
        ok = describe_strategy(s->game, s->players[i].strategy, STRATEGY_ROOM) ||
             mp_fail(error, "out of memory for a strategy");
    if (ok)
        session_publish_state(s);
    void *(*const bodies[])(void *) = {session_think, session_value_moves};
    for (int i = 0; ok && i < 2; i++) {
        ok = thread_start(&s->threads[i], bodies[i], s) ||
             mp_fail(error, "no thread can be started for a session");
        s->started += ok;
    }
    if (ok)
        return s;
    session_free(s);
    return NULL;
}

void session_free(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    s->quits = true;
    session_revise(s);
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < s->started; i++)
        pthread_join(s->threads[i], NULL);
    session_forget(s, 0);
    json_decref(s->lab);
    recording_free(s->tree);
    for (int i = 0; i < 2; i++) {
        recording_free(s->recorded[i].pieces);
        json_decref(s->recorded[i].about);
    }
    for (int i = 0; i < SLOTS; i++)
        free(s->slots[i].text);
    mp_position_free(s->position);
    mp_game_close(s->game);
    free(s->start);
    free(s->game_name);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    search_limit_give(s->limit, SESSION_MEGABYTES);
    free(s);
}

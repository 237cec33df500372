#include "server/session.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/text.h"
#include "server/describe.h"
#include "server/values.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { STRATEGY_ROOM = 256, MOST_MOVES = 10000 };

/* ---- How many searches run
 * ---------------------------------------------------------------------------------
 */

struct search_limit {
    pthread_mutex_t lock;
    int most, running;
};

struct search_limit *search_limit_new(int most)
{
    struct search_limit *limit = calloc(1, sizeof *limit);
    if (limit) {
        pthread_mutex_init(&limit->lock, NULL);
        limit->most = most;
    }
    return limit;
}

void search_limit_free(struct search_limit *limit)
{
    if (limit)
        pthread_mutex_destroy(&limit->lock);
    free(limit);
}

/* One search more (1) or fewer (-1). False: there are enough. */
static bool search_limit_add(struct search_limit *limit, int change)
{
    pthread_mutex_lock(&limit->lock);
    bool ok = limit->running + change <= limit->most;
    limit->running += ok ? change : 0;
    pthread_mutex_unlock(&limit->lock);
    return ok;
}

int search_limit_running(struct search_limit *limit)
{
    pthread_mutex_lock(&limit->lock);
    int running = limit->running;
    pthread_mutex_unlock(&limit->lock);
    return running;
}

/* ---- A session ---------------------------------------------------------------------------------------- */

struct ply {
    mp_move move;
    json_t *json;   /* describe_move */
    mp_value value; /* what the search said before the move, for player 0 */
    bool valued;
};

struct player {
    bool is_engine;
    char strategy[STRATEGY_ROOM];
    struct mp_search *search; /* of this strategy, from when it is needed until nobody watches; else null */
};

struct slot {
    char *text;
    uint64_t version;
};

struct session {
    char id[40];
    char *game_name;
    struct mp_game *game;
    struct search_limit *limit;
    pthread_t threads[2]; /* think, value_moves */
    int started;

    pthread_mutex_t lock;
    pthread_cond_t changed; /* anything: work, news, the end */
    bool quits;
    int watchers;
    bool dismissed;

    char *start;                  /* text of the first position; null: the game's own */
    struct ply plies[MOST_MOVES]; /* only the pages that are used cost memory */
    int count, at;                /* moves made, and how many of them are shown */
    struct mp_position *position; /* after `at` moves */
    struct player players[2];
    bool analyse;
    bool has_failed; /* the engine could not play: do not ask it again until something changes */

    uint64_t revision;
    uint64_t thought, valued; /* the revisions that need no more thinking, no more values */
    struct mp_search *searching, *valuing;
    bool is_valuing; /* also between two searches */
    int64_t search_start_ns;
    struct slot slots[SLOTS];
};

const char *session_id(const struct session *s)
{
    return s->id;
}

/* ---- What is published -------------------------------------------------------------------------------- */

static void publish(struct session *s, int slot, char *text)
{
    free(s->slots[slot].text);
    s->slots[slot].text = text;
    s->slots[slot].version++;
    pthread_cond_broadcast(&s->changed);
}

static char *to_text(json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(json);
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
        json_array_append_new(list, json_pack("{s:b, s:s}", "engine", s->players[i].is_engine, "strategy",
                                              s->players[i].strategy));
    return list;
}

static json_t *picture_json(const struct session *s)
{
    char text[4096];
    if (s->game->board || !s->game->draw)
        return json_null();
    s->game->draw(s->game, mp_position_state(s->position), text, sizeof text);
    return json_string(text);
}

static char *state_text(const struct session *s)
{
    const struct mp_game *game = s->game;
    bool over = mp_position_moves(s->position, NULL, NULL, 0) == 0;
    json_t *json = json_pack(
        "{s:s, s:I, s:o, s:s?, s:o, s:o, s:o, s:i, s:i, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:b}", "session",
        s->id, "revision", (json_int_t)s->revision, "game", describe_game(game, s->game_name), "start",
        s->start, "position", describe_position_text(game, s->position), "moves", plies_json(s), "values",
        values_json(s), "at", s->at, "turn", game->side(game, mp_position_state(s->position)), "chance",
        mp_position_is_chance(s->position), "over", over, "margin",
        over ? json_integer(mp_position_margin(s->position)) : json_null(), "board",
        describe_board(s->position), "picture", picture_json(s), "legal", describe_moves(game, s->position),
        "players", players_json(s), "analyse", s->analyse);
    return to_text(json);
}

static void publish_state(struct session *s)
{
    publish(s, SLOT_STATE, state_text(s));
}

/* ---- What changes ------------------------------------------------------------------------------------- */

/* What was being thought about is no longer asked for. */
static void revise(struct session *s)
{
    s->revision++;
    s->has_failed = false;
    if (s->searching)
        mp_search_stop(s->searching);
    if (s->valuing)
        mp_search_stop(s->valuing);
    pthread_cond_broadcast(&s->changed);
}

static void forget_plies(struct session *s, int from)
{
    for (int i = from; i < s->count; i++)
        json_decref(s->plies[i].json);
    for (int i = from; i <= s->count && i < MOST_MOVES; i++)
        s->plies[i] = (struct ply){0};
    if (s->count > from)
        s->count = from;
}

static bool go_to(struct session *s, int ply, struct mp_error *error)
{
    struct mp_position *position = mp_position_new(s->game, s->start, error);
    for (int i = 0; position && i < ply; i++)
        mp_position_play(position, s->plies[i].move, NULL);
    if (!position)
        return false;
    mp_position_free(s->position);
    s->position = position;
    s->at = ply;
    return true;
}

static bool play(struct session *s, mp_move move, struct mp_error *error)
{
    if (s->at >= MOST_MOVES - 1)
        return mp_fail(error, "the game has %d moves, expected no more", s->at);
    json_t *json = describe_move(s->game, s->position, move);
    if (!mp_position_play(s->position, move, error)) {
        json_decref(json);
        return false;
    }
    mp_value value = s->plies[s->at].value;
    bool valued = s->plies[s->at].valued;
    forget_plies(s, s->at);
    s->plies[s->at] = (struct ply){move, json, value, valued};
    s->count = ++s->at;
    return true;
}

/* The dice are thrown by this program, with numbers that cannot be foreseen. */
static bool roll(struct session *s, struct mp_error *error)
{
    enum { MOST = 4096 };
    mp_move outcomes[MOST];
    uint32_t weights[MOST], total = 0;
    uint64_t random;
    if (!mp_position_is_chance(s->position))
        return mp_fail(error, "no dice are to be thrown here");
    int count = mp_position_moves(s->position, outcomes, weights, MOST), i = 0;
    for (int k = 0; k < count && k < MOST; k++)
        total += weights[k];
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        random = (uint64_t)clock_ns();
    uint32_t drawn = random_below(random_mix(random), total);
    while (drawn >= weights[i])
        drawn -= weights[i++];
    return play(s, outcomes[i], error);
}

/* A search for the strategy that a player is to have; *search is null if it has that one already. */
static bool make_search(const struct session *s, const struct player *player, const char *strategy,
                        struct mp_search **search, struct mp_error *error)
{
    *search = NULL;
    if (!strategy || !strcmp(player->strategy, strategy))
        return true;
    if (strlen(strategy) >= STRATEGY_ROOM)
        return mp_fail(error, "strategy '%.40s...' is too long, expected at most %d letters", strategy,
                       STRATEGY_ROOM - 1);
    *search = mp_search_new(s->game, strategy, error);
    return *search;
}

static void set_search(struct session *s, struct player *player, const char *strategy,
                       struct mp_search *search)
{
    if (!search)
        return;
    /* The one that is running is freed by the thread that runs it, when it finds that it was replaced. */
    if (player->search != s->searching)
        mp_search_free(player->search);
    player->search = search;
    snprintf(player->strategy, sizeof player->strategy, "%s", strategy);
}

/* ---- What a page can ask for -------------------------------------------------------------------------- */

static bool do_play(struct session *s, const json_t *request, struct mp_error *error)
{
    const char *text = json_string_value(json_object_get(request, "move"));
    mp_move move;
    if (!text)
        return mp_fail(error, "play: expected \"move\", the text of a move");
    return mp_position_parse_move(s->position, text, &move, error) && play(s, move, error);
}

static bool do_roll(struct session *s, const json_t *request, struct mp_error *error)
{
    (void)request;
    return roll(s, error);
}

/* Back to where a person last had to decide; if nobody plays but engines, one move. */
static bool do_undo(struct session *s, const json_t *request, struct mp_error *error)
{
    (void)request;
    if (s->at == 0)
        return mp_fail(error, "there is no move to take back");
    int ply = s->at - 1;
    bool people = !s->players[0].is_engine || !s->players[1].is_engine;
    for (; ply > 0; ply--) {
        const json_t *json = s->plies[ply].json;
        json_int_t player = json_integer_value(json_object_get(json, "player"));
        bool decided = !json_is_true(json_object_get(json, "dice"));
        if (decided && (!people || !s->players[player].is_engine))
            break;
    }
    if (!go_to(s, ply, error))
        return false;
    forget_plies(s, ply);
    return true;
}

static bool do_goto(struct session *s, const json_t *request, struct mp_error *error)
{
    const json_t *ply = json_object_get(request, "ply");
    if (!json_is_integer(ply) || json_integer_value(ply) < 0 || json_integer_value(ply) > s->count)
        return mp_fail(error, "goto: expected \"ply\", a number from 0 to %d", s->count);
    return go_to(s, (int)json_integer_value(ply), error);
}

/* Goes on from the position that is shown: the moves after it are forgotten. */
static bool do_continue(struct session *s, const json_t *request, struct mp_error *error)
{
    (void)request, (void)error;
    forget_plies(s, s->at);
    return true;
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
            return mp_fail(error, "\"moves\": entry %zu is no text, expected a move", i + 1);
        if (!mp_position_parse_move(position, json_string_value(text), &move, error) ||
            !mp_position_play(position, move, error))
            return false;
    }
    return true;
}

/* Sets a position up, or that of the beginning, and plays a record from there. All or nothing. */
static bool set_up(struct session *s, const char *position, const json_t *record, struct mp_error *error)
{
    size_t count = 0;
    char *start = position ? strdup(position) : NULL;
    struct mp_position *first = mp_position_new(s->game, position, error);
    struct mp_position *last = first ? mp_position_new(s->game, position, error) : NULL;
    bool ok = last && play_record(last, record, error);
    const mp_move *moves = ok ? mp_position_played(last, &count) : NULL;
    if (ok && count >= MOST_MOVES)
        ok = mp_fail(error, "%zu moves, expected less than %d", count, MOST_MOVES);
    if (ok) {
        forget_plies(s, 0);
        free(s->start);
        s->start = start;
        mp_position_free(s->position);
        s->position = first;
        s->at = 0;
        for (size_t i = 0; i < count; i++)
            play(s, moves[i], NULL);
    } else {
        free(start);
        mp_position_free(first);
    }
    mp_position_free(last);
    return ok;
}

static bool do_new(struct session *s, const json_t *request, struct mp_error *error)
{
    return set_up(s, json_string_value(json_object_get(request, "position")),
                  json_object_get(request, "moves"), error);
}

static bool do_players(struct session *s, const json_t *request, struct mp_error *error)
{
    const json_t *list = json_object_get(request, "players");
    struct mp_search *searches[2] = {NULL, NULL};
    const char *strategies[2];
    bool ok = json_array_size(list) == 2 || mp_fail(error, "players: expected \"players\", a list of two");
    for (size_t i = 0; ok && i < 2; i++) {
        strategies[i] = json_string_value(json_object_get(json_array_get(list, i), "strategy"));
        ok = make_search(s, &s->players[i], strategies[i], &searches[i], error);
    }
    for (size_t i = 0; ok && i < 2; i++) {
        set_search(s, &s->players[i], strategies[i], searches[i]);
        s->players[i].is_engine = json_is_true(json_object_get(json_array_get(list, i), "engine"));
    }
    if (!ok)
        mp_search_free(searches[0]);
    return ok;
}

static bool do_analyse(struct session *s, const json_t *request, struct mp_error *error)
{
    const json_t *on = json_object_get(request, "on");
    if (!json_is_boolean(on))
        return mp_fail(error, "analyse: expected \"on\", true or false");
    s->analyse = json_is_true(on);
    return true;
}

/* The engine plays what it has found so far. */
static bool do_stop(struct session *s, const json_t *request, struct mp_error *error)
{
    (void)request, (void)error;
    if (s->searching)
        mp_search_stop(s->searching);
    return true;
}

static const struct action {
    const char *name;
    bool (*act)(struct session *session, const json_t *request, struct mp_error *error);
    bool revises; /* what is being thought about is no longer asked for */
} actions[] = {
    {"play", do_play, true},       {"roll", do_roll, true},         {"undo", do_undo, true},
    {"goto", do_goto, true},       {"continue", do_continue, true}, {"new", do_new, true},
    {"players", do_players, true}, {"analyse", do_analyse, true},   {"stop", do_stop, false},
};

char *session_act(struct session *s, const json_t *request, struct mp_error *error)
{
    const char *name = json_string_value(json_object_get(request, "do"));
    char known[256] = "";
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (!name || strcmp(name, actions[i].name) != 0) {
            text_append(known, sizeof known, "%s%s", i ? ", " : "", actions[i].name);
            continue;
        }
        pthread_mutex_lock(&s->lock);
        bool ok = actions[i].act(s, request, error);
        if (ok && actions[i].revises)
            revise(s);
        char *text = ok ? state_text(s) : NULL;
        if (text)
            publish(s, SLOT_STATE, strdup(text));
        pthread_mutex_unlock(&s->lock);
        return text;
    }
    mp_fail(error, "\"do\" is '%.40s', expected one of %s", name ? name : "", known);
    return NULL;
}

char *session_state(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    char *text = state_text(s);
    pthread_mutex_unlock(&s->lock);
    return text;
}

/* ---- Thinking
 * ------------------------------------------------------------------------------------------------
 */

struct progress {
    struct session *session;
    const struct mp_position *position;
    uint64_t revision;
    int side;
};

static char *search_text(const struct progress *p, const struct mp_result *result, bool done)
{
    json_t *json = describe_result(p->session->game, p->position, result);
    json_object_set_new(json, "revision", json_integer((json_int_t)p->revision));
    json_object_set_new(json, "side", json_integer(p->side));
    json_object_set_new(json, "done", json_boolean(done));
    return to_text(json);
}

/* Called by the search after each iteration. */
static void show_progress(const struct mp_result *result, void *context)
{
    const struct progress *p = context;
    char *text = search_text(p, result, false);
    pthread_mutex_lock(&p->session->lock);
    publish(p->session, SLOT_SEARCH, text);
    pthread_mutex_unlock(&p->session->lock);
}

static int side_to_move(const struct session *s)
{
    return s->game->side(s->game, mp_position_state(s->position));
}

/* Is it up to an engine to go on? Not while an earlier position is shown. */
static bool is_engines_turn(const struct session *s)
{
    return s->at == s->count && s->players[side_to_move(s)].is_engine && !s->has_failed &&
           mp_position_moves(s->position, NULL, NULL, 0) > 0;
}

static bool wants_search(const struct session *s)
{
    if (s->watchers == 0 || mp_position_is_chance(s->position))
        return false;
    return is_engines_turn(s) ||
           (s->analyse && s->thought != s->revision && mp_position_moves(s->position, NULL, NULL, 0) > 0);
}

static void wait_for_change(struct session *s, int milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += milliseconds % 1000 * 1000000L;
    until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&s->changed, &s->lock, &until);
}

/* What a search has found about the position that is still asked about. */
static void take_result(struct session *s, int side, const struct mp_result *result, struct mp_error *error)
{
    struct ply *ply = &s->plies[s->at];
    ply->value = side ? -result->value : result->value;
    ply->valued = true;
    s->thought = s->revision;
    if (is_engines_turn(s)) {
        s->revision++;
        s->has_failed = !play(s, result->move, error);
        if (s->valuing)
            mp_search_stop(s->valuing);
    }
}

/* One search, with the lock held on the way in and out. */
static void search_once(struct session *s)
{
    int side = side_to_move(s);
    struct player *player = &s->players[side];
    struct mp_error error;
    struct mp_result result;
    struct mp_position *position = mp_position_copy(s->position, NULL);
    if (!player->search && !(player->search = mp_search_new(s->game, player->strategy, &error)))
        s->has_failed = true;
    struct mp_search *search = player->search;
    struct progress progress = {s, position, s->revision, side};
    if (!position || !search || !search_limit_add(s->limit, 1)) {
        mp_position_free(position);
        wait_for_change(s, 100);
        return;
    }
    s->searching = search;
    s->search_start_ns = clock_ns();
    mp_search_clear_stop(search);
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);

    bool ok = mp_search_run(search, position, show_progress, &progress, &result, &error);
    char *text = ok ? search_text(&progress, &result, true) : NULL;
    search_limit_add(s->limit, -1);

    pthread_mutex_lock(&s->lock);
    s->searching = NULL;
    if (search != s->players[0].search && search != s->players[1].search)
        mp_search_free(search);
    if (ok)
        publish(s, SLOT_SEARCH, text);
    if (progress.revision == s->revision) {
        if (ok)
            take_result(s, side, &result, &error);
        else
            s->has_failed = true;
        publish_state(s);
    }
    mp_position_free(position);
}

/* Tables are large, and what they know is of use only to those who watch. */
static void drop_searches(struct session *s)
{
    for (int i = 0; i < 2; i++) {
        mp_search_free(s->players[i].search);
        s->players[i].search = NULL;
    }
}

/* The thread that searches for the move to play. */
static void *think(void *context)
{
    struct session *s = context;
    pthread_mutex_lock(&s->lock);
    while (!s->quits) {
        if (s->watchers > 0 && mp_position_is_chance(s->position) && is_engines_turn(s)) {
            s->has_failed = !roll(s, NULL);
            s->revision++;
            publish_state(s);
        } else if (wants_search(s)) {
            search_once(s);
        } else {
            if (s->watchers == 0)
                drop_searches(s);
            pthread_cond_wait(&s->changed, &s->lock);
        }
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- The value of every move
 * --------------------------------------------------------------------------------
 */

static bool wants_values(const struct session *s)
{
    return s->watchers > 0 && s->analyse && s->valued != s->revision && !mp_position_is_chance(s->position) &&
           mp_position_moves(s->position, NULL, NULL, 0) > 0;
}

struct valuing {
    struct session *session;
    uint64_t revision;
};

/* The search that values moves changes from depth to depth; false: nobody wants to know any more. */
static bool begin_valuing(void *context, struct mp_search *search)
{
    struct valuing *v = context;
    pthread_mutex_lock(&v->session->lock);
    bool wanted = v->session->revision == v->revision && v->session->watchers > 0 && !v->session->quits;
    v->session->valuing = wanted ? search : NULL;
    pthread_mutex_unlock(&v->session->lock);
    return wanted;
}

static void show_values(void *context, json_t *values)
{
    struct valuing *v = context;
    json_object_set_new(values, "revision", json_integer((json_int_t)v->revision));
    char *text = to_text(values);
    pthread_mutex_lock(&v->session->lock);
    if (v->session->revision == v->revision)
        publish(v->session, SLOT_VALUES, text);
    else
        free(text);
    pthread_mutex_unlock(&v->session->lock);
}

/* The thread that values every move for the list. */
static void *value_moves(void *context)
{
    struct session *s = context;
    pthread_mutex_lock(&s->lock);
    while (!s->quits) {
        if (!wants_values(s)) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        struct valuing v = {s, s->revision};
        struct mp_position *position = mp_position_copy(s->position, NULL);
        if (!position || !search_limit_add(s->limit, 1)) {
            mp_position_free(position);
            wait_for_change(s, 100);
            continue;
        }
        s->is_valuing = true;
        pthread_cond_broadcast(&s->changed);
        pthread_mutex_unlock(&s->lock);
        values_find(s->game, position, begin_valuing, show_values, &v);
        search_limit_add(s->limit, -1);
        mp_position_free(position);
        pthread_mutex_lock(&s->lock);
        s->is_valuing = false;
        s->valued = v.revision;
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- Watching
 * ------------------------------------------------------------------------------------------------
 */

void watch_begin(struct watch *watch, struct session *session)
{
    *watch = (struct watch){.session = session};
    pthread_mutex_lock(&session->lock);
    session->watchers++;
    pthread_cond_broadcast(&session->changed);
    pthread_mutex_unlock(&session->lock);
}

void watch_end(struct watch *watch)
{
    struct session *s = watch->session;
    pthread_mutex_lock(&s->lock);
    if (--s->watchers == 0)
        revise(s);
    pthread_mutex_unlock(&s->lock);
}

/* How far the search is, for those who watch it between two iterations. Without one the pulse is empty: it
 * shows whether the reader is still there. */
static char *pulse_event(const struct session *s)
{
    if (!s->searching)
        return strdup(":\n\n");
    uint64_t nodes = mp_search_nodes(s->searching);
    double seconds = clock_seconds_since(s->search_start_ns);
    json_t *json = json_pack("{s:I, s:f, s:i}", "nodes", (json_int_t)nodes, "seconds", seconds, "side",
                             side_to_move(s));
    char *data = to_text(json), *event = NULL;
    size_t size = data ? strlen(data) + 32 : 0;
    if (data && (event = malloc(size)))
        snprintf(event, size, "event: pulse\ndata: %s\n\n", data);
    free(data);
    return event;
}

static char *news(struct watch *watch)
{
    static const char *const names[SLOTS] = {"state", "search", "values", "lab"};
    struct session *s = watch->session;
    size_t size = 1;
    for (int i = 0; i < SLOTS; i++)
        if (s->slots[i].text && s->slots[i].version != watch->seen[i])
            size += strlen(s->slots[i].text) + 32;
    char *text = size > 1 ? calloc(1, size) : NULL, *at = text;
    for (int i = 0; text && i < SLOTS; i++)
        if (s->slots[i].text && s->slots[i].version != watch->seen[i]) {
            at += sprintf(at, "event: %s\ndata: %s\n\n", names[i], s->slots[i].text);
            watch->seen[i] = s->slots[i].version;
        }
    return text;
}

char *watch_wait(struct watch *watch)
{
    enum { PULSE_MS = 100, QUIET_MS = 15000 };
    struct session *s = watch->session;
    pthread_mutex_lock(&s->lock);
    int64_t start = clock_ns();
    char *text = s->dismissed ? NULL : news(watch);
    while (!text && !s->dismissed) {
        double waited = 1e3 * clock_seconds_since(start);
        bool busy = s->searching || s->is_valuing;
        int left = (busy ? PULSE_MS : QUIET_MS) - (int)waited;
        if (left <= 0) {
            text = pulse_event(s);
            break;
        }
        wait_for_change(s, left);
        text = news(watch);
    }
    pthread_mutex_unlock(&s->lock);
    return text;
}

void session_dismiss(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    s->dismissed = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

int session_watchers(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    int watchers = s->watchers;
    pthread_mutex_unlock(&s->lock);
    return watchers;
}

/* ---- Beginning and end
 * ----------------------------------------------------------------------------------------
 */

struct session *session_new(const char *id, const char *game, const char *position, const json_t *moves,
                            struct search_limit *limit, struct mp_error *error)
{
    struct session *s = calloc(1, sizeof *s);
    if (!s) {
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
    bool ok = s->game && set_up(s, position, moves, error);
    s->players[1].is_engine = true;
    for (int i = 0; ok && i < 2; i++)
        snprintf(s->players[i].strategy, STRATEGY_ROOM, "%s", describe_standard_strategy(s->game));
    if (ok)
        publish_state(s);
    void *(*const bodies[])(void *) = {think, value_moves};
    for (int i = 0; ok && i < 2; i++) {
        ok = pthread_create(&s->threads[i], NULL, bodies[i], s) == 0 ||
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
    revise(s);
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < s->started; i++)
        pthread_join(s->threads[i], NULL);
    forget_plies(s, 0);
    drop_searches(s);
    for (int i = 0; i < SLOTS; i++)
        free(s->slots[i].text);
    mp_position_free(s->position);
    mp_game_close(s->game);
    free(s->start);
    free(s->game_name);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free(s);
}

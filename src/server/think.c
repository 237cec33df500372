/* think.c - the two threads of a session: one searches, or measures, the other values every move. */
#include "server/session_inner.h"

#include "base/clock.h"
#include "lab/bench.h"
#include "lab/json_parts.h"
#include "server/describe.h"
#include "server/measure.h"
#include "server/values.h"

#include <stdlib.h>
#include <string.h>

/* ---- Searching ---------------------------------------------------------------------------------------- */

struct think_progress {
    struct session *session;
    const struct mp_search *search;
    const struct mp_position *position;
    uint64_t revision, number;
    int side;
};

static char *search_text(const struct think_progress *p, const struct mp_result *result, bool done)
{
    json_t *json = describe_result(p->session->game, p->position, result);
    json_object_set_new(json, "revision", json_integer((json_int_t)p->revision));
    json_object_set_new(json, "side", json_integer(p->side));
    json_object_set_new(json, "done", json_boolean(done));
    return session_json_text(json);
}

/* Called by the search after each iteration. */
static void show_progress(const struct mp_result *result, void *context)
{
    const struct think_progress *p = context;
    char *text = search_text(p, result, false);
    struct recording *tree = recording_tree(p->search, p->session->game);
    char *tree_text = tree ? session_json_text(json_pack("{s:I, s:I, s:o}", "number", (json_int_t)p->number,
                                                         "visits", (json_int_t)result->counters.iterations,
                                                         "nodes", recording_rows(tree, false)))
                           : NULL;
    pthread_mutex_lock(&p->session->lock);
    session_publish(p->session, SLOT_SEARCH, text);
    if (tree) {
        recording_free(p->session->tree);
        p->session->tree = tree;
        p->session->tree_number = p->number;
        session_publish(p->session, SLOT_TREE, tree_text);
    }
    pthread_mutex_unlock(&p->session->lock);
}

/* Is it up to an engine to go on? Not while an earlier position is shown. */
static bool is_engines_turn(const struct session *s)
{
    return s->at == s->count && s->players[session_side(s)].is_engine && !mp_position_is_over(s->position);
}

static bool wants_search(const struct session *s)
{
    if (s->watchers == 0 || s->lab || s->problem.text[0] || mp_position_is_chance(s->position))
        return false;
    return is_engines_turn(s) || ((s->analyse || s->asked == s->revision) && s->thought != s->revision &&
                                  !mp_position_is_over(s->position));
}

/* By whose strategy the position is searched. */
static struct session_player *searcher(struct session *s)
{
    return s->asked == s->revision && s->guest.strategy[0] ? &s->guest : &s->players[session_side(s)];
}

/* What a search has found about the position that is still asked about. */
static void take_result(struct session *s, int side, const struct mp_result *result)
{
    struct ply *ply = &s->plies[s->at];
    ply->value = side ? -result->value : result->value;
    ply->valued = true;
    s->thought = s->revision;
    if (is_engines_turn(s)) {
        s->revision++;
        session_play(s, result->move, &s->problem);
        if (s->valuing)
            mp_search_stop(s->valuing);
    }
}

/* A search whose threads can be watched, within the memory that there is. Needs no lock. */
static struct mp_search *new_search(const struct session *s, const char *strategy, int *megabytes,
                                    struct mp_error *error)
{
    char text[FITTED_ROOM];
    snprintf(text, sizeof text, "%s", strategy);
    *megabytes = session_fit_strategy(s->game, text, sizeof text, search_limit_share(s->limit), error);
    if (*megabytes < 0 || !search_limit_take(s->limit, *megabytes, strategy, error))
        return NULL;
    struct mp_search *search = mp_search_new(s->game, text, error);
    if (search && mp_search_follow(search, 0, error))
        return search;
    mp_search_free(search);
    search_limit_give(s->limit, *megabytes);
    return NULL;
}

/* Makes the search of a player. The lock is held on the way in and out, but not meanwhile: a table is allocated, and
 * all of it written. */
static void make_search(struct session *s, struct session_player *player)
{
    struct mp_error error;
    char strategy[STRATEGY_ROOM];
    int megabytes;
    memcpy(strategy, player->strategy, sizeof strategy);
    pthread_mutex_unlock(&s->lock);
    struct mp_search *search = new_search(s, strategy, &megabytes, &error);
    pthread_mutex_lock(&s->lock);
    player->search = search;
    player->megabytes = megabytes;
    memcpy(player->made_of, strategy, sizeof strategy);
    if (!search && !strcmp(strategy, player->strategy)) {
        s->problem = error;
        session_publish_state(s);
    }
}

/* Frees searches of strategies that were replaced, or all: what they know is of use only to those who watch. False:
 * there are none. The lock is held on the way in and out. */
static bool drop_searches(struct session *s, bool all)
{
    struct session_player *const all_players[] = {&s->players[0], &s->players[1], &s->guest};
    struct mp_search *old[3] = {NULL};
    int megabytes = 0;
    for (int i = 0; i < 3; i++) {
        struct session_player *player = all_players[i];
        if (player->search && (all || strcmp(player->made_of, player->strategy) != 0)) {
            old[i] = player->search;
            megabytes += player->megabytes;
            player->search = NULL;
        }
    }
    if (!old[0] && !old[1] && !old[2])
        return false;
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < 3; i++)
        mp_search_free(old[i]);
    search_limit_give(s->limit, megabytes);
    pthread_mutex_lock(&s->lock);
    return true;
}

/* From now on the pieces of work of the next run are kept; without memory for them there are none to see. */
static void follow(struct mp_search *search)
{
    struct mp_activity activity = {MP_SIZE(struct mp_activity)};
    int threads = 0;
    while (mp_search_activity(search, threads, &activity, NULL))
        threads++;
    mp_search_follow(search, recording_pieces_each(threads ? threads : 1), NULL);
}

static void keep_recording(struct session *s, struct recording *pieces, json_t *about)
{
    recording_free(s->recorded[1].pieces);
    json_decref(s->recorded[1].about);
    s->recorded[1] = s->recorded[0];
    s->recorded[0] = (struct recorded){pieces, about};
    session_publish(s, SLOT_RECORDED, session_json_text(json_incref(about)));
}

/* What is told of a search that is done, besides its pieces. */
static json_t *about_search(const struct think_progress *p, const struct mp_search *search,
                            const struct mp_result *result)
{
    json_t *json = describe_result(p->session->game, p->position, result), *busy = json_array();
    char text[TEXT_ROOM];
    for (int i = 0; i < result->threads; i++)
        json_array_append_new(busy, json_real(result->busy_seconds[i]));
    mp_position_text(p->position, text, sizeof text);
    json_put_number(json, "number", (int64_t)p->number);
    json_put_number(json, "side", p->side);
    json_put_text(json, "position", text);
    json_put_text(json, "strategy", mp_search_strategy(search));
    json_put_number(json, "wasted", (int64_t)result->counters.wasted_nodes);
    json_put(json, "busy", busy);
    return json;
}

/* One search, with the lock held on the way in and out. */
static void search_once(struct session *s)
{
    int side = session_side(s);
    struct mp_error error;
    struct mp_result result = {MP_SIZE(struct mp_result)};
    struct mp_position *position = mp_position_copy(s->position, NULL);
    struct mp_search *search = searcher(s)->search;
    struct think_progress progress = {s, search, position, s->revision, s->search_number + 1, side};
    if (!position || !search_limit_add(s->limit, 1)) {
        mp_position_free(position);
        session_wait(s, 100);
        return;
    }
    follow(search);
    s->searching = search;
    s->search_number++;
    s->search_start_ns = clock_ns();
    mp_search_clear_stop(search);
    pthread_cond_broadcast(&s->changed);
    bool is_guest = search == s->guest.search;
    pthread_mutex_unlock(&s->lock);

    if (is_guest) /* it is looked at and compared: what a search before it has learned would change it */
        mp_search_forget(search);
    bool ok = mp_search_run(search, position, show_progress, &progress, &result, &error);
    char *text = ok ? search_text(&progress, &result, true) : NULL;
    json_t *about = ok ? about_search(&progress, search, &result) : NULL;
    double after[MP_MAX_THREADS] = {0};
    struct recording *recording = ok ? recording_read(search, s->game, after, RECORDING_PIECES) : NULL;
    search_limit_add(s->limit, -1);

    pthread_mutex_lock(&s->lock);
    s->searching = NULL;
    if (ok)
        session_publish(s, SLOT_SEARCH, text);
    if (recording)
        keep_recording(s, recording, about);
    else
        json_decref(about);
    if (progress.revision == s->revision) {
        if (ok)
            take_result(s, side, &result);
        else
            s->problem = error;
        session_publish_state(s);
    }
    mp_position_free(position);
}

/* ---- Measuring ---------------------------------------------------------------------------------------- */

struct measuring {
    struct session *session;
    uint64_t revision;
};

/* Shows how far the measurement is; false: nobody wants to know any more. */
static bool show_measurement(void *context, json_t *news)
{
    struct measuring *m = context;
    struct session *s = m->session;
    char *text = session_json_text(news);
    pthread_mutex_lock(&s->lock);
    bool wanted = s->revision == m->revision && s->lab && s->watchers > 0 && !s->quits;
    session_publish(s, SLOT_LAB, text);
    pthread_mutex_unlock(&s->lock);
    return wanted;
}

/* One measurement, with the lock held on the way in and out. */
static void measure_once(struct session *s)
{
    struct measuring m = {s, s->revision};
    struct mp_position *position = mp_position_copy(s->position, NULL);
    json_t *plan = json_incref(s->lab);
    if (position && search_limit_add(s->limit, 1)) {
        struct bench_stop stop;
        bench_stop_init(&stop);
        s->measuring = &stop;
        pthread_mutex_unlock(&s->lock);
        measure_run(s->game, position, plan, s->limit, &stop, show_measurement, &m);
        search_limit_add(s->limit, -1);
        pthread_mutex_lock(&s->lock);
        s->measuring = NULL;
        bench_stop_free(&stop);
        if (s->revision == m.revision) {
            json_decref(s->lab);
            s->lab = NULL;
        }
        pthread_cond_broadcast(&s->changed);
    } else {
        session_wait(s, 100);
    }
    json_decref(plan);
    mp_position_free(position);
}

/* The thread that searches for the move to play. */
void *session_think(void *context)
{
    struct session *s = context;
    pthread_mutex_lock(&s->lock);
    while (!s->quits) {
        struct session_player *player = searcher(s);
        if (drop_searches(s, s->watchers == 0)) {
            continue;
        } else if (s->watchers > 0 && s->lab) {
            measure_once(s);
        } else if (s->watchers > 0 && !s->problem.text[0] && mp_position_is_chance(s->position) &&
                   is_engines_turn(s)) {
            session_roll(s, &s->problem);
            s->revision++;
            session_publish_state(s);
        } else if (wants_search(s) && !player->search) {
            make_search(s, player);
        } else if (wants_search(s)) {
            search_once(s);
        } else {
            pthread_cond_wait(&s->changed, &s->lock);
        }
    }
    drop_searches(s, true);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- The value of every move -------------------------------------------------------------------------- */

static bool wants_values(const struct session *s)
{
    return s->watchers > 0 && !s->lab && s->analyse && s->valued != s->revision &&
           !mp_position_is_chance(s->position) && !mp_position_is_over(s->position);
}

struct valuing {
    struct session *session;
    uint64_t revision;
};

/* The search that values moves can be stopped from here on; false: nobody wants to know any more. */
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
    char *text = session_json_text(values);
    pthread_mutex_lock(&v->session->lock);
    if (v->session->revision == v->revision)
        session_publish(v->session, SLOT_VALUES, text);
    else
        free(text);
    pthread_mutex_unlock(&v->session->lock);
}

/* Values the moves of a position by the default strategy of the game. False: there is no memory for it now. */
static bool value_once(struct valuing *v, const struct mp_position *position)
{
    const struct session *s = v->session;
    struct mp_strategy *strategy = mp_strategy_new(s->game, NULL, NULL);
    char text[FITTED_ROOM] = "";
    if (strategy)
        snprintf(text, sizeof text, "%s", mp_strategy_text(strategy));
    mp_strategy_free(strategy);
    int megabytes = session_fit_strategy(s->game, text, sizeof text, search_limit_share(s->limit), NULL);
    if (megabytes < 0 || !search_limit_take(s->limit, megabytes, text, NULL))
        return false;
    values_find(s->game, text, position, begin_valuing, show_values, v);
    search_limit_give(s->limit, megabytes);
    return true;
}

/* The thread that values every move for the list. */
void *session_value_moves(void *context)
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
            session_wait(s, 100);
            continue;
        }
        s->is_valuing = true;
        pthread_cond_broadcast(&s->changed);
        pthread_mutex_unlock(&s->lock);
        bool ok = value_once(&v, position);
        search_limit_add(s->limit, -1);
        mp_position_free(position);
        pthread_mutex_lock(&s->lock);
        s->is_valuing = false;
        if (ok)
            s->valued = v.revision;
        else
            session_wait(s, 100);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* actions.c - what a page can ask a session for. */
#include "server/session_inner.h"

#include "base/text.h"
#include "lab/json_parts.h"
#include "records/formats.h"
#include "server/measure.h"

#include <stdlib.h>
#include <string.h>

static bool do_play(struct session *s, const json_t *request, struct mp_error *error)
{
    const char *text = json_string_value(json_object_get(request, "move"));
    mp_move move;
    if (!text)
        return mp_fail(error, "play: expected \"move\", the text of a move");
    if (mp_position_is_over(s->position))
        return mp_fail(error, "%s move '%.60s': the game is over", s->game->name, text);
    return mp_position_parse_move(s->position, text, &move, error) && session_play(s, move, error);
}

static bool do_roll(struct session *s, const json_t *request, struct mp_error *error)
{
    (void)request;
    return session_roll(s, error);
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
    if (!session_go_to(s, ply, error))
        return false;
    session_forget(s, ply);
    return true;
}

static bool do_goto(struct session *s, const json_t *request, struct mp_error *error)
{
    const json_t *ply = json_object_get(request, "ply");
    if (!json_is_integer(ply) || json_integer_value(ply) < 0 || json_integer_value(ply) > s->count)
        return mp_fail(error, "goto: expected \"ply\", a number from 0 to %d", s->count);
    return session_go_to(s, (int)json_integer_value(ply), error);
}

/* Goes on from the position that is shown: the moves after it are forgotten. */
static bool do_continue(struct session *s, const json_t *request, struct mp_error *error)
{
    (void)request, (void)error;
    session_forget(s, s->at);
    return true;
}

static bool do_new(struct session *s, const json_t *request, struct mp_error *error)
{
    return session_set_up(s, json_string_value(json_object_get(request, "position")),
                          json_object_get(request, "moves"), error);
}

/* The moves of a record's main line, as texts. */
static json_t *moves_of(const struct record *record)
{
    size_t count;
    const mp_move *moves = mp_position_played(record->position, &count);
    struct mp_position *start = mp_position_new(record->game, record->start, NULL);
    json_t *list = start ? json_line(record->game, start, moves, (int)count) : NULL;
    mp_position_free(start);
    return list;
}

/* The first record of a text in some form. False: it is not in that form. */
static bool set_up_record(struct session *s, const struct record_format *format, const char *text,
                          struct mp_error *error)
{
    FILE *file = fmemopen((char *)text, strlen(text), "r");
    if (!file)
        return mp_fail(error, "import: out of memory");
    struct record_reader reader = record_reader(s->game, file);
    *error = (struct mp_error){0};
    struct record *record = format->read(&reader, error);
    json_t *moves = record ? moves_of(record) : NULL;
    bool ok = record && (format->positions || json_array_size(moves) > 0) &&
              session_set_up(s, record->start, moves, error);
    json_decref(moves);
    record_free(record);
    fclose(file);
    return ok;
}

/* Anything that can be a position or a game: in the notation of the game, or in any form of records. */
static bool do_import(struct session *s, const json_t *request, struct mp_error *error)
{
    const char *text = json_string_value(json_object_get(request, "text"));
    if (!text || !text[strspn(text, " \t\r\n")])
        return mp_fail(error, "import: expected \"text\", a position or a game");
    text += strspn(text, " \t\r\n");
    char first[TEXT_ROOM];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(text, "\r\n"), text);
    if (session_set_up(s, first, NULL, error))
        return true;
    struct mp_error why = *error; /* for what does not look like a record */
    for (const struct record_format *format = record_formats; format->name; format++) {
        if (set_up_record(s, format, text, error))
            return true;
        if (format == record_formats && *text == '[')
            why = *error;
    }
    /* The moves of a PGN file without its tags, and perhaps without a result. */
    char *tagged = malloc(strlen(text) + 32);
    if (tagged)
        sprintf(tagged, "[Event \"?\"]\n\n%s\n*\n", text);
    bool ok = tagged && set_up_record(s, record_formats, tagged, error);
    free(tagged);
    if (!ok)
        mp_fail(error, "this is neither a position nor a game of %s: %.180s", s->game->name, why.text);
    return ok;
}

/* The searches themselves are made, and those before them freed, by the thread that runs them. */
static bool do_players(struct session *s, const json_t *request, struct mp_error *error)
{
    const json_t *list = json_object_get(request, "players");
    char strategies[2][STRATEGY_ROOM];
    bool ok = json_array_size(list) == 2 || mp_fail(error, "players: expected \"players\", a list of two");
    for (size_t i = 0; ok && i < 2; i++) {
        memcpy(strategies[i], s->players[i].strategy, STRATEGY_ROOM);
        ok = session_change_strategy(s, json_array_get(list, i), strategies[i], error);
    }
    ok = ok && session_check_memory(s, strategies, error);
    for (size_t i = 0; ok && i < 2; i++) {
        memcpy(s->players[i].strategy, strategies[i], STRATEGY_ROOM);
        const json_t *engine = json_object_get(json_array_get(list, i), "engine");
        if (json_is_boolean(engine))
            s->players[i].is_engine = json_is_true(engine);
    }
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

/* One search of the position that is shown, by a strategy of its own or that of the side to move. */
static bool do_search(struct session *s, const json_t *request, struct mp_error *error)
{
    const json_t *strategy = json_object_get(request, "strategy");
    char text[STRATEGY_ROOM] = "";
    if (mp_position_is_over(s->position) || mp_position_is_chance(s->position))
        return mp_fail(error, "search: there is no move to search for in this position");
    if (strategy && !session_change_strategy(s, request, text, error))
        return false;
    session_revise(s);
    snprintf(s->guest.strategy, sizeof s->guest.strategy, "%s", text);
    s->asked = s->revision;
    return true;
}

/* Nothing but what every change does. */
static bool do_lab_stop(struct session *s, const json_t *request, struct mp_error *error)
{
    (void)s, (void)request, (void)error;
    return true;
}

static bool do_lab(struct session *s, const json_t *request, struct mp_error *error)
{
    json_t *plan = measure_plan(request, error);
    if (!plan)
        return false;
    session_revise(s);
    s->lab = plan;
    return true;
}

/* clang-format off */
static const struct action {
    const char *name;
    bool (*act)(struct session *session, const json_t *request, struct mp_error *error);
    bool revises; /* what is being thought about is no longer asked for */
} actions[] = {
    {"play", do_play, true},
    {"roll", do_roll, true},
    {"undo", do_undo, true},
    {"goto", do_goto, true},
    {"continue", do_continue, true},
    {"new", do_new, true},
    {"import", do_import, true},
    {"players", do_players, true},
    {"analyse", do_analyse, true},
    {"stop", do_stop, false},
    {"search", do_search, false},
    {"lab", do_lab, false},
    {"lab_stop", do_lab_stop, true},
};
/* clang-format on */

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
            session_revise(s);
        char *text = ok ? session_state_text(s) : NULL;
        if (text)
            session_publish(s, SLOT_STATE, strdup(text));
        pthread_mutex_unlock(&s->lock);
        return text;
    }
    mp_fail(error, "\"do\" is '%.40s', expected one of %s", name ? name : "", known);
    return NULL;
}

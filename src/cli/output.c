/* output.c - positions, moves and values for people and as JSON. */
#include "cli/cli.h"

#include "base/text.h"
#include "lab/json_parts.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

void print_position_text(const struct mp_game *game, const struct mp_position *position, char *text)
{
    game->print_position(game, mp_position_state(position), text, CLI_TEXT);
}

void print_move_text(const struct mp_game *game, const void *state, mp_move move, char *text)
{
    game->print_move(game, state, move, text, CLI_TEXT);
}

const char *shown(const char *text)
{
    enum { COPIES = 8 };
    static _Thread_local char copies[COPIES][CLI_TEXT];
    static _Thread_local int next;
    if (text_is_plain(text))
        return text;
    next = (next + 1) % COPIES;
    text_escape(text, copies[next], sizeof copies[next]);
    return copies[next];
}

void print_record_move_text(const struct mp_game *game, const void *state, mp_move move, char *text)
{
    if (game->print_record_move)
        game->print_record_move(game, state, move, text, CLI_TEXT);
    else
        print_move_text(game, state, move, text);
}

/* A board has lines. */
static void print_lines(char *text)
{
    for (char *line = text, *end; line && *line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = 0;
        printf(end ? "%s\n" : "%s", shown(line));
    }
}

void print_board(const struct mp_game *game, const struct mp_position *position)
{
    char text[CLI_TEXT];
    if (game->draw) {
        game->draw(game, mp_position_state(position), text, sizeof text);
        print_lines(text);
    } else {
        print_position_text(game, position, text);
        puts(shown(text));
    }
}

void print_large(double number, char *text, size_t size)
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    int unit = 0;
    while (number >= 1000 && unit < 4) {
        number /= 1000;
        unit++;
    }
    snprintf(text, size, unit ? "%.1f%s" : "%.0f%s", number, units[unit]);
}

const char *move_separator(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strchr(json_string_value(json_array_get(list, i)), ' '))
            return ", ";
    return " ";
}

void print_moves_text(const json_t *list, char *text, size_t size)
{
    *text = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        text_append(text, size, "%s%s", i ? move_separator(list) : "",
                    json_string_value(json_array_get(list, i)));
}

/* Null unless the value is that of a finished game. */
json_t *json_outcome(const struct mp_game *game, mp_value value)
{
    if (game->scoring == MP_SCORE_POINTS || (value > -MP_PROVEN && value < MP_PROVEN))
        return json_null();
    const char *result = value > 0 ? "win" : "loss";
    if (game->scoring == MP_SCORE_MARGIN)
        return json_pack("{s:s, s:i}", "result", result, "margin", abs(value) - MP_PROVEN);
    return json_pack("{s:s, s:i}", "result", result, "plies", MP_PROVEN + MP_MAX_PLY - abs(value));
}

json_t *json_counters(const struct mp_counters *c)
{
    json_t *json = json_object();
    json_put_number(json, "nodes", (int64_t)c->nodes);
    json_put_number(json, "leaves", (int64_t)c->leaves);
    json_put_number(json, "alpha_cuts", (int64_t)c->alpha_cuts);
    json_put_number(json, "beta_cuts", (int64_t)c->beta_cuts);
    json_put_number(json, "table_probes", (int64_t)c->table_probes);
    json_put_number(json, "table_hits", (int64_t)c->table_hits);
    json_put_number(json, "tasks_created", (int64_t)c->tasks_created);
    json_put_number(json, "tasks_local", (int64_t)c->tasks_local);
    json_put_number(json, "tasks_stolen", (int64_t)c->tasks_stolen);
    json_put_number(json, "tasks_cancelled", (int64_t)c->tasks_cancelled);
    json_put_number(json, "wasted_nodes", (int64_t)c->wasted_nodes);
    json_put_real(json, "mean_depth", c->leaves ? (double)c->leaf_plies / (double)c->leaves : 0);
    json_put_number(json, "max_depth", c->max_ply);
    json_put_number(json, "alternatives", (int64_t)c->alternatives);
    json_put_real(json, "alternative_depth",
                  c->alternatives ? (double)c->alternative_plies / (double)c->alternatives : 0);
    json_put_number(json, "iterations", (int64_t)c->iterations);
    json_put_number(json, "playouts", (int64_t)c->playouts);
    return json;
}

int print_json(json_t *object)
{
    bool lost = json_is_lost();
    if (!object || lost) {
        json_decref(object);
        return cli_fail(NULL, lost ? "out of memory for the JSON" : "the JSON could not be made");
    }
    bool ok = json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
    putchar('\n');
    json_decref(object);
    return ok ? EXIT_SUCCESS : cli_fail(NULL, "the JSON could not be written");
}

/* The search that Ctrl-C stops. Written only while the signal has its usual action. */
static struct mp_search *volatile interrupted_search;

static void on_interrupt(int signal_number)
{
    mp_search_stop(interrupted_search);
    signal(signal_number, SIG_DFL);
}

void cli_stop_on_interrupt(struct mp_search *search)
{
    signal(SIGINT, SIG_DFL);
    interrupted_search = search;
    if (search)
        signal(SIGINT, on_interrupt);
}

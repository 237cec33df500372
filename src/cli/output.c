/* output.c - positions, moves and values for people and as JSON. */
#include "cli/cli.h"

#include "base/text.h"

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

void print_board(const struct mp_game *game, const struct mp_position *position)
{
    char text[CLI_TEXT];
    if (game->draw) {
        game->draw(game, mp_position_state(position), text, sizeof text);
        fputs(text, stdout);
    } else {
        print_position_text(game, position, text);
        puts(text);
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

json_t *json_line(const struct mp_game *game, const void *state, const mp_move *moves, int count)
{
    json_t *list = json_array();
    size_t size = (game->state_size + 63) / 64 * 64;
    char *now = aligned_alloc(64, size), *next = aligned_alloc(64, size), text[CLI_TEXT];
    if (now && next)
        memcpy(now, state, game->state_size);
    for (int i = 0; now && next && i < count; i++) {
        print_move_text(game, now, moves[i], text);
        json_array_append_new(list, json_string(text));
        game->play(game, now, moves[i], next);
        char *swap = now;
        now = next;
        next = swap;
    }
    free(now);
    free(next);
    return list;
}

const char *move_separator(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strchr(json_string_value(json_array_get(list, i)), ' '))
            return ", ";
    return " ";
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
    double mean = c->leaves ? (double)c->leaf_plies / (double)c->leaves : 0;
    double reached = c->alternatives ? (double)c->alternative_plies / (double)c->alternatives : 0;
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:i, s:I, s:f, s:I, s:I}",
                     "nodes", (json_int_t)c->nodes, "leaves", (json_int_t)c->leaves, "alpha_cuts",
                     (json_int_t)c->alpha_cuts, "beta_cuts", (json_int_t)c->beta_cuts, "table_probes",
                     (json_int_t)c->table_probes, "table_hits", (json_int_t)c->table_hits, "tasks_created",
                     (json_int_t)c->tasks_created, "tasks_local", (json_int_t)c->tasks_local, "tasks_stolen",
                     (json_int_t)c->tasks_stolen, "tasks_cancelled", (json_int_t)c->tasks_cancelled,
                     "wasted_nodes", (json_int_t)c->wasted_nodes, "mean_depth", mean, "max_depth", c->max_ply,
                     "alternatives", (json_int_t)c->alternatives, "alternative_depth", reached, "iterations",
                     (json_int_t)c->iterations, "playouts", (json_int_t)c->playouts);
}

int print_json(json_t *object)
{
    int failed = !object || json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(object);
    if (failed)
        fprintf(stderr, "manyply: the JSON could not be written\n");
    return failed ? EXIT_USAGE : EXIT_SUCCESS;
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

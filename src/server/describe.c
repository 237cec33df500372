/* describe.c - describes games, boards, moves and results as JSON objects. */
#include "server/describe.h"

#include "lab/catalogue.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_ROOM = 4096 };

/* ---- The catalogue ------------------------------------------------------------------------------------ */

static json_t *option_json(const struct mp_option *option)
{
    json_t *words = option->words ? json_array() : json_null();
    for (int i = 0; option->words && option->words[i]; i++)
        json_array_append_new(words, json_string(option->words[i]));
    return json_pack("{s:s, s:s, s:o, s:i, s:i, s:i}", "name", option->name, "summary", option->summary,
                     "words", words, "minimum", option->minimum, "maximum", option->maximum, "default",
                     option->initial);
}

static const char *scoring_name(enum mp_scoring scoring)
{
    return scoring == MP_SCORE_WIN ? "win" : scoring == MP_SCORE_MARGIN ? "margin" : "points";
}

void describe_strategy(const struct mp_game *game, char *text, size_t size)
{
    struct mp_strategy *strategy = mp_strategy_new(game, NULL, NULL);
    *text = 0;
    if (strategy && mp_strategy_set(strategy, "split", "auto", NULL) &&
        (mp_strategy_is_limited(strategy) || mp_strategy_set(strategy, "time", "1s", NULL)))
        mp_strategy_asked(strategy, text, size);
    mp_strategy_free(strategy);
}

/* The algorithms that make sense for the game, each with its schemes. */
static json_t *fitting_json(const struct mp_game *game)
{
    json_t *algorithms = json_object();
    struct mp_info algorithm = {MP_SIZE(struct mp_info)}, scheme = {MP_SIZE(struct mp_info)};
    for (int i = 0; mp_algorithm_at(i, &algorithm); i++) {
        if (!mp_algorithm_fits(game, algorithm.name))
            continue;
        json_t *schemes = json_array();
        for (int j = 0; mp_scheme_at(j, &scheme); j++)
            if (mp_scheme_fits(game, algorithm.name, scheme.name))
                json_array_append_new(schemes, json_string(scheme.name));
        json_object_set_new(algorithms, algorithm.name, schemes);
    }
    return algorithms;
}

json_t *describe_game(const struct mp_game *game, const char *name)
{
    char strategy[128];
    describe_strategy(game, strategy, sizeof strategy);
    json_t *options = json_array(), *evaluations = json_array();
    for (int i = 0; game->options && i < MP_MAX_OPTIONS && game->options[i].name; i++)
        json_array_append_new(options, option_json(&game->options[i]));
    for (int i = 0; game->evaluations[i].name; i++)
        json_array_append_new(evaluations, json_pack("{s:s, s:s}", "name", game->evaluations[i].name,
                                                     "summary", game->evaluations[i].summary));
    json_t *object = json_pack("{s:s, s:s, s:s, s:[s, s], s:b, s:b}", "name", name, "title", game->name,
                               "summary", game->summary, "players", game->players[0], game->players[1],
                               "dice", game->chances != NULL, "board", game->board->describe != NULL);
    json_object_set_new(object, "scoring", json_string(scoring_name(game->scoring)));
    json_object_set_new(object, "units_per_point", json_integer(game->units_per_point));
    json_object_set_new(object, "strategy", json_string(strategy));
    json_object_set_new(object, "algorithms", fitting_json(game));
    json_object_set_new(object, "options", options);
    json_object_set_new(object, "evaluations", evaluations);
    return object;
}

static void append_game(json_t *list, const char *name)
{
    struct mp_game *game = mp_game_open(name, NULL);
    if (game)
        json_array_append_new(list, describe_game(game, name));
    mp_game_close(game);
}

json_t *describe_catalogue(const char *extra)
{
    json_t *games = json_array(), *catalogue = catalogue_strategies(NULL);
    if (extra)
        append_game(games, extra);
    for (int i = 0; mp_game_name(i); i++)
        append_game(games, mp_game_name(i));
    json_object_update_new(catalogue, json_pack("{s:s, s:i, s:i, s:i, s:o}", "version", mp_version(), "cpus",
                                                mp_cpu_count(), "proven", MP_PROVEN, "longest", MP_MAX_PLY,
                                                "games", games));
    return catalogue;
}

/* ---- Positions ---------------------------------------------------------------------------------------- */

json_t *describe_position_text(const struct mp_game *game, const struct mp_position *position)
{
    char text[TEXT_ROOM];
    game->print_position(game, mp_position_state(position), text, sizeof text);
    return json_string(text);
}

static json_t *grid_json(const struct mp_board *board)
{
    int cells = board->rows * board->columns;
    json_t *homes = json_array();
    for (int i = 0; i < cells; i++)
        json_array_append_new(homes, json_integer(board->homes[i]));
    return json_pack("{s:s, s:i, s:i, s:i, s:b, s:s*, s:s*, s:s%, s:o}", "form", "grid", "bottom",
                     board->bottom, "rows", board->rows, "columns", board->columns, "chequered",
                     board->chequered, "row_names", board->row_names, "column_names", board->column_names,
                     "pieces", board->pieces, (size_t)cells, "homes", homes);
}

static json_t *backgammon_json(const struct mp_board *board)
{
    enum { CELLS = 28 };
    json_t *counts = json_array();
    for (int i = 0; i < CELLS; i++)
        json_array_append_new(counts, json_integer(board->counts[i]));
    return json_pack("{s:s, s:i, s:s%, s:o, s:[i, i], s:i, s:i}", "form", "backgammon", "bottom",
                     board->bottom, "pieces", board->pieces, (size_t)CELLS, "counts", counts, "dice",
                     board->dice[0], board->dice[1], "cube", board->cube, "cube_owner", board->cube_owner);
}

/* Without a board there is a picture in letters, or at least the text of the position. */
json_t *describe_board(const struct mp_position *position)
{
    struct mp_board board = {MP_SIZE(struct mp_board)};
    if (!mp_position_board(position, &board))
        return json_null();
    return board.form == MP_BOARD_GRID ? grid_json(&board) : backgammon_json(&board);
}

static json_t *cells_json(const struct mp_game *game, const void *state, mp_move move)
{
    uint16_t cells[MP_MAX_CELLS];
    json_t *list = json_array();
    int count = game->board->move_cells ? game->board->move_cells(game, state, move, cells, MP_MAX_CELLS) : 0;
    for (int i = 0; i < count && i < MP_MAX_CELLS; i++)
        json_array_append_new(list, json_integer(cells[i]));
    return list;
}

static json_t *move_json(const struct mp_game *game, const void *state, mp_move move, bool chance)
{
    char text[TEXT_ROOM];
    game->print_move(game, state, move, text, sizeof text);
    return json_pack("{s:s, s:o}", "text", text, "cells",
                     chance ? json_array() : cells_json(game, state, move));
}

json_t *describe_move(const struct mp_game *game, const struct mp_position *position, mp_move move)
{
    const void *state = mp_position_state(position);
    bool chance = mp_position_is_chance(position);
    json_t *json = move_json(game, state, move, chance);
    json_object_set_new(json, "player", json_integer(game->side(game, state)));
    json_object_set_new(json, "dice", json_boolean(chance));
    return json;
}

json_t *describe_moves(const struct mp_game *game, const struct mp_position *position)
{
    json_t *list = json_array();
    int count = mp_position_moves(position, NULL, NULL, 0);
    mp_move *moves = malloc(((size_t)count + 1) * sizeof *moves);
    bool chance = mp_position_is_chance(position);
    count = moves ? mp_position_moves(position, moves, NULL, count) : 0;
    for (int i = 0; i < count; i++)
        json_array_append_new(list, move_json(game, mp_position_state(position), moves[i], chance));
    free(moves);
    return list;
}

/* ---- Results ------------------------------------------------------------------------------------------ */

/* The texts of a line of play, each move in the position that it is made in. */
static json_t *line_json(const struct mp_game *game, const void *state, const mp_move *moves, int count)
{
    json_t *list = json_array();
    size_t size = (game->state_size + 63) / 64 * 64;
    char *now = aligned_alloc(64, size), *next = aligned_alloc(64, size), text[TEXT_ROOM];
    if (now && next)
        memcpy(now, state, game->state_size);
    for (int i = 0; now && next && i < count; i++) {
        game->print_move(game, now, moves[i], text, sizeof text);
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

json_t *describe_result(const struct mp_game *game, const struct mp_position *position,
                        const struct mp_result *r)
{
    const void *state = mp_position_state(position);
    json_t *line = r->pv_length ? line_json(game, state, r->pv, r->pv_length) : json_array();
    const struct mp_counters *c = &r->counters;
    return json_pack("{s:o, s:i, s:i, s:b, s:I, s:f, s:i, s:o, s:{s:I, s:I, s:I}}", "move",
                     move_json(game, state, r->move, false), "value", r->value, "depth", r->depth, "exact",
                     r->exact, "nodes", (json_int_t)c->nodes, "seconds", r->seconds, "threads", r->threads,
                     "line", line, "tasks", "created", (json_int_t)c->tasks_created, "stolen",
                     (json_int_t)c->tasks_stolen, "cancelled", (json_int_t)c->tasks_cancelled);
}

/* describe.c - describes games, boards, moves and results as JSON objects. */
#include "server/describe.h"

#include "lab/catalogue.h"
#include "lab/json_parts.h"
#include "lab/results.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_ROOM = 4096 };

/* ---- The catalogue ------------------------------------------------------------------------------------ */

bool describe_strategy(const struct mp_game *game, char *text, size_t size)
{
    struct mp_strategy *strategy = mp_strategy_new(game, NULL, NULL);
    *text = 0;
    if (strategy && mp_strategy_set(strategy, "split", "auto", NULL) &&
        (mp_strategy_is_limited(strategy) || mp_strategy_set(strategy, "time", "1s", NULL)))
        mp_strategy_asked(strategy, text, size);
    mp_strategy_free(strategy);
    return *text;
}

/* The algorithms that make sense for the game, each with its schemes. */
static json_t *fitting_json(const struct mp_game *game)
{
    json_t *algorithms = json_object();
    struct mp_info algorithm = {MP_SIZE(struct mp_info)};
    for (int i = 0; mp_algorithm_at(i, &algorithm); i++)
        if (mp_algorithm_fits(game, algorithm.name))
            json_put(algorithms, algorithm.name, catalogue_schemes(game, algorithm.name));
    return algorithms;
}

json_t *describe_game(const struct mp_game *game, const char *name)
{
    char strategy[128];
    if (!describe_strategy(game, strategy, sizeof strategy))
        json_lose();
    json_t *evaluations = json_array(), *json = json_object();
    for (int i = 0; game->evaluations[i].name; i++)
        json_array_append_new(evaluations, json_pack("{s:s, s:s}", "name", game->evaluations[i].name,
                                                     "summary", game->evaluations[i].summary));
    json_put_text(json, "name", name);
    json_put_text(json, "title", game->name);
    json_put_text(json, "summary", game->summary);
    json_put(json, "players", json_pack("[s, s]", game->players[0], game->players[1]));
    json_put_flag(json, "dice", game->chances);
    json_put_flag(json, "board", game->board->describe);
    json_put_text(json, "scoring", results_scorings[game->scoring]);
    json_put_number(json, "units_per_point", game->units_per_point);
    json_put_text(json, "strategy", strategy);
    json_put(json, "algorithms", fitting_json(game));
    json_put(json, "options", json_options(game));
    json_put(json, "evaluations", evaluations);
    return json;
}

static void append_game(json_t *list, const char *name)
{
    struct mp_game *game = mp_game_open(name, NULL);
    if (game)
        json_array_append_new(list, describe_game(game, name));
    else
        json_lose();
    mp_game_close(game);
}

json_t *describe_catalogue(const char *extra, json_t *networks)
{
    json_t *games = json_array(), *catalogue = catalogue_strategies(NULL);
    if (extra)
        append_game(games, extra);
    for (int i = 0; mp_game_name(i); i++)
        append_game(games, mp_game_name(i));
    json_object_update_new(catalogue, json_pack("{s:s, s:i, s:i, s:i, s:o, s:O}", "version", mp_version(),
                                                "cpus", mp_cpu_count(), "proven", MP_PROVEN, "longest",
                                                MP_MAX_PLY, "games", games, "networks", networks));
    return catalogue;
}

/* ---- Positions ---------------------------------------------------------------------------------------- */

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
json_t *describe_board(const struct mp_game *game, const void *state)
{
    struct mp_board board = {MP_SIZE(struct mp_board), .cube_owner = -1};
    memset(board.pieces, '.', sizeof board.pieces);
    if (!game->board->describe)
        return json_null();
    game->board->describe(game, state, &board);
    return board.form == MP_BOARD_GRID ? grid_json(&board) : backgammon_json(&board);
}

json_t *describe_picture(const struct mp_game *game, const void *state)
{
    char text[TEXT_ROOM];
    if (game->board->describe || !game->draw)
        return json_null();
    game->draw(game, state, text, sizeof text);
    return json_string(text);
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

json_t *describe_cells(const struct mp_game *game, const void *state, mp_move move)
{
    bool chance = game->chances && game->chances(game, state, NULL, NULL, 0) > 0;
    return chance ? json_array() : cells_json(game, state, move);
}

/* As players write it. */
static void print_shown(const struct mp_game *game, const void *state, mp_move move, char text[TEXT_ROOM])
{
    bool chance = game->chances && game->chances(game, state, NULL, NULL, 0) > 0;
    if (game->print_record_move && !chance)
        game->print_record_move(game, state, move, text, TEXT_ROOM);
    else
        game->print_move(game, state, move, text, TEXT_ROOM);
}

static json_t *shown_line(const struct mp_game *game, const struct mp_position *position, const mp_move *line,
                          int length)
{
    json_t *list = json_array();
    struct mp_position *copy = mp_position_copy(position, NULL);
    char text[TEXT_ROOM];
    for (int i = 0; copy && i < length; i++) {
        print_shown(game, mp_position_state(copy), line[i], text);
        json_array_append_new(list, json_string(text));
        if (!mp_position_play(copy, line[i], NULL))
            break;
    }
    mp_position_free(copy);
    return list;
}

static json_t *move_json(const struct mp_game *game, const void *state, mp_move move, bool chance)
{
    char text[TEXT_ROOM];
    game->print_move(game, state, move, text, sizeof text);
    json_t *json = json_pack("{s:s, s:o}", "text", text, "cells",
                             chance ? json_array() : cells_json(game, state, move));
    print_shown(game, state, move, text);
    json_put_text(json, "shown", text);
    return json;
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
    if (!moves)
        json_lose();
    count = moves ? mp_position_moves(position, moves, NULL, count) : 0;
    for (int i = 0; i < count; i++)
        json_array_append_new(list, move_json(game, mp_position_state(position), moves[i], chance));
    free(moves);
    return list;
}

/* ---- Results ------------------------------------------------------------------------------------------ */

json_t *describe_result(const struct mp_game *game, const struct mp_position *position,
                        const struct mp_result *r)
{
    const struct mp_counters *c = &r->counters;
    json_t *json = json_object();
    json_put(json, "move", move_json(game, mp_position_state(position), r->move, false));
    json_put_number(json, "value", r->value);
    json_put_number(json, "depth", r->depth);
    json_put_flag(json, "exact", r->exact);
    json_put_flag(json, "complete", r->complete);
    json_put_number(json, "nodes", (int64_t)c->nodes);
    json_put_real(json, "seconds", r->seconds);
    json_put_number(json, "threads", r->threads);
    json_put(json, "line", json_line(game, position, r->pv, r->pv_length));
    json_put(json, "shown", shown_line(game, position, r->pv, r->pv_length));
    json_put(json, "tasks",
             json_pack("{s:I, s:I, s:I}", "created", (json_int_t)c->tasks_created, "stolen",
                       (json_int_t)c->tasks_stolen, "cancelled", (json_int_t)c->tasks_cancelled));
    return json;
}

/* table.c - backgammon as a table of functions. Compiled once for each CPU level. */
#include "games/backgammon/backgammon.h"
#include "games/backgammon/bearoff.h"

#include "base/level.h"

static bool open(struct mp_game *game, struct mp_error *error)
{
    game->data = bearoff_new();
    return game->data || mp_fail(error, "out of memory for the bear-off table of backgammon");
}

static void close(struct mp_game *game)
{
    bearoff_free(game->data);
}

const struct mp_game LEVELED(backgammon_table) = {
    .abi_version = MP_GAME_ABI,
    .struct_size = sizeof(struct mp_game),
    .name = "backgammon",
    .summary = "backgammon; positions are GNU IDs (4HPwATDgc/ABMA, with :MatchID or a roll) or XGIDs",
    .players = {"White", "Black"},
    .state_size = sizeof(struct backgammon),
    .flags = MP_PERFT_COUNTS_FINISHED,
    .scoring = MP_SCORE_POINTS,
    .margin_max = 3 << BACKGAMMON_CUBE_LOG_MAX,
    .units_per_point = BACKGAMMON_UNITS,
    .evaluations = LEVELED(backgammon_evaluations),
    .initial = backgammon_initial,
    .list = LEVELED(backgammon_list),
    .play = backgammon_play,
    .margin = backgammon_margin,
    .side = backgammon_side,
    .key = backgammon_key,
    .parse_position = backgammon_parse_position,
    .print_position = backgammon_print_position,
    .print_move = backgammon_print_move,
    .chances = backgammon_chances,
    .parse_move = backgammon_parse_move,
    .is_pass = backgammon_is_pass,
    .draw = backgammon_draw,
    .count = LEVELED(backgammon_count),
    .bounds = backgammon_bounds,
    .open = open,
    .close = close,
    .board = backgammon_board,
    .move_cells = backgammon_move_cells,
};

/* table.c - backgammon as a table of functions. Compiled once for each CPU level. */
#include "games/backgammon/backgammon.h"
#include "games/backgammon/cube.h"

#include "base/level.h"

#include <stdlib.h>

static void close(struct mp_game *game)
{
    struct backgammon_tables *tables = game->data;
    if (tables)
        bearoff_free(tables->bearoff);
    free(tables);
}

static bool open(struct mp_game *game, struct mp_error *error)
{
    struct backgammon_tables *tables = game->data = calloc(1, sizeof *tables);
    if (tables && (tables->bearoff = bearoff_new())) {
        cube_fill_match_table(tables);
        return true;
    }
    close(game);
    game->data = NULL;
    return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for the tables of backgammon");
}

/* Without the cube the other table (bearoff.h), which is made in no time, is as good. */
static size_t table_size(const struct mp_game *game)
{
    return game->option[BACKGAMMON_OPTION_CUBE] ? bearoff_pairs_size() : 0;
}

static bool make_table(const struct mp_game *game, void *table, int threads, struct mp_error *error)
{
    const struct backgammon_tables *tables = game->data;
    return bearoff_pairs_make(tables->bearoff, table, threads, error);
}

static const struct mp_tables tables_group = {MP_SIZE(struct mp_tables), .size = table_size,
                                              .make = make_table};

static const char *const off_on[] = {"off", "on", NULL}, *const id_kinds[] = {"gnu", "xg", NULL};

/* In the order of BACKGAMMON_OPTION_... */
static const struct mp_option options[] = {
    {"cube", "players may double: the doubling cube is in use", off_on, 0, 1, 0},
    {"match", "points that win the match, 0 for money", NULL, 0, BACKGAMMON_LONGEST_MATCH, 0},
    {"jacoby", "for money, gammons count only once the cube has been turned", off_on, 0, 1, 0},
    {"ids", "how positions are written: GNU IDs or XGIDs; both are read", id_kinds, 0, 1, 0},
    {0},
};

static const struct mp_board_hooks board_hooks = {
    MP_SIZE(struct mp_board_hooks),
    .describe = backgammon_board,
    .move_cells = backgammon_move_cells,
};

const struct mp_game LEVELED(backgammon_table) = {
    MP_GAME_SIZES,
    .name = "backgammon",
    .summary = "backgammon; positions are GNU IDs (4HPwATDgc/ABMA, with :MatchID or a roll) or XGIDs",
    .players = {"White", "Black"},
    .state_size = sizeof(struct backgammon),
    .flags = MP_PERFT_COUNTS_FINISHED,
    .scoring = MP_SCORE_POINTS,
    .margin_max = 3 << BACKGAMMON_CUBE_LOG_MAX,
    .units_per_point = BACKGAMMON_UNITS,
    .options = options,
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
    .final_value = backgammon_final_value,
    .board = &board_hooks,
    .features = &LEVELED(backgammon_features),
    .tables = &tables_group,
};

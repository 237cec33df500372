/* features.c - lists what a network sees of a state. */
#include "search/features.h"

#include <ctype.h>
#include <string.h>

/* Without features of its own a game is seen by its board. An input is who looks (the first or the second player, whose
 * ways may differ), whether the piece is its own, the letter of the piece, and the cell. */
enum { LETTERS = 26, OWNERS = 2, PLAYERS = 2, MOST_INPUTS = 1 << 16 };

static void look(const struct mp_game *game, const void *state, struct mp_board *board)
{
    *board = (struct mp_board){MP_SIZE(struct mp_board), .cube_owner = -1};
    memset(board->pieces, '.', sizeof board->pieces);
    game->board->describe(game, state, board);
}

static bool of_board(const struct mp_game *game, struct features *f, struct mp_error *error)
{
    _Alignas(64) char state[MP_MAX_STATE];
    struct mp_board board;
    if (!game->board->describe)
        return mp_fail(error, "%s has no features and no board, expected one of them for a network",
                       game->name);
    game->initial(game, state);
    look(game, state, &board);
    if (board.form != MP_BOARD_GRID)
        return mp_fail(error,
                       "%s has no features and its board is not a grid, expected features for a network",
                       game->name);
    f->cells = (uint32_t)(board.rows * board.columns);
    f->count = PLAYERS * OWNERS * LETTERS * f->cells;
    f->most = f->cells;
    f->views = 2;
    f->heads = f->outputs = 1;
    return f->count <= MOST_INPUTS ||
           mp_fail(error, "%s has a board of %u cells, expected at most %d or features of its own",
                   game->name, f->cells, MOST_INPUTS / (PLAYERS * OWNERS * LETTERS));
}

bool features_of(const struct mp_game *game, struct features *f, struct mp_error *error)
{
    *f = (struct features){.game = game};
    const struct mp_features *own = game->features;
    if (!own || !own->list)
        return of_board(game, f, error);
    f->count = own->count;
    f->most = own->most;
    f->views = own->views;
    f->heads = own->heads ? own->heads : 1;
    f->outputs = own->outputs ? own->outputs : 1;
    return (f->count >= 1 && f->count <= MOST_INPUTS && f->most >= 1 && f->most <= FEATURES_MOST_ACTIVE &&
            f->views >= 1 && f->views <= 2 &&
            (f->outputs == 1 || (f->outputs == 5 && game->scoring == MP_SCORE_POINTS))) ||
           mp_fail(
               error,
               "the features of %s, expected 1 to %d inputs, 1 to %d active, 1 or 2 views and 1 output, or "
               "5 in a game for points",
               game->name, MOST_INPUTS, FEATURES_MOST_ACTIVE);
}

static void list_board(const struct features *f, const void *state, struct feature_lists *lists)
{
    struct mp_board board;
    look(f->game, state, &board);
    int count = 0;
    for (uint32_t cell = 0; cell < f->cells; cell++) {
        unsigned char piece = (unsigned char)board.pieces[cell];
        if (!isalpha(piece))
            continue;
        uint32_t owner = islower(piece) != 0, letter = (uint32_t)(toupper(piece) - 'A');
        for (uint32_t viewer = 0; viewer < 2; viewer++)
            lists->inputs[viewer][count] =
                (uint16_t)(((viewer * OWNERS + (owner != viewer)) * LETTERS + letter) * f->cells + cell);
        count++;
    }
    lists->counts[0] = lists->counts[1] = count;
}

void features_players(const struct features *f, const void *state, struct feature_lists *lists)
{
    const struct mp_game *game = f->game;
    if (f->cells) {
        list_board(f, state, lists);
        return;
    }
    for (int player = 0; player < 2; player++)
        lists->counts[player] = f->views == 2 || player == game->side(game, state)
                                    ? game->features->list(game, state, player, lists->inputs[player])
                                    : 0;
}

void features_views(const struct features *f, const void *state, struct feature_lists *views)
{
    struct feature_lists players;
    int side = f->game->side(f->game, state);
    features_players(f, state, &players);
    for (int view = 0; view < 2; view++) {
        int count = players.counts[side ^ view];
        views->counts[view] = count;
        memcpy(views->inputs[view], players.inputs[side ^ view], (size_t)count * sizeof **views->inputs);
    }
}

int features_head(const struct features *f, const void *state)
{
    const struct mp_features *own = f->game->features;
    return !f->cells && own->head ? own->head(f->game, state) : 0;
}

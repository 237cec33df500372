/* draw.c - a picture of the board as the player on roll sees it: home at the bottom right, points numbered as
 * that player's plays name them. White's chequers are X, Black's are O. And the board for other programs to
 * draw. */
#include "games/backgammon/backgammon.h"

#include "base/text.h"

enum { ROWS = 5, PICTURE = 2048 };

static char symbol(const struct backgammon *s, bool own)
{
    return (s->side == 0) == own ? 'X' : 'O';
}

/* What stands in a row (0 at the rim) of a point: a chequer, or in the last row their number if they are more
 * than the rows. */
static void draw_cell(const struct backgammon *s, int point, int row, char *text, size_t size)
{
    int own = s->own[point], opp = s->opp[25 - point], count = own + opp;
    if (row == ROWS - 1 && count > ROWS)
        text_append(text, size, "%3d", count);
    else
        text_append(text, size, "  %c", count > row ? symbol(s, own > 0) : row == 0 ? '.' : ' ');
}

static void draw_row(const struct backgammon *s, int left, int direction, int row, char *text, size_t size)
{
    text_append(text, size, "|");
    for (int i = 0; i < 12; i++) {
        if (i == 6)
            text_append(text, size, " | |");
        draw_cell(s, left + direction * i, row, text, size);
    }
    text_append(text, size, " |\n");
}

static void draw_numbers(int left, int direction, char *text, size_t size)
{
    text_append(text, size, " ");
    for (int i = 0; i < 12; i++)
        text_append(text, size, "%s%3d", i == 6 ? "    " : "", left + direction * i);
    text_append(text, size, "\n");
}

static int pips(const uint8_t men[32])
{
    int sum = 0;
    for (int p = 1; p <= BACKGAMMON_BAR; p++)
        sum += p * men[p];
    return sum;
}

static void draw_side(const struct backgammon *s, bool own, char *text, size_t size)
{
    const uint8_t *men = own ? s->own : s->opp;
    int player = own ? s->side : !s->side;
    text_append(text, size, "%s (%c): %d pips, %d on the bar, %d off\n", player ? "Black" : "White",
                symbol(s, own), pips(men), men[BACKGAMMON_BAR], men[BACKGAMMON_OFF]);
}

static void draw_turn(const struct backgammon *s, char *text, size_t size)
{
    const char *player = s->side ? "Black" : "White";
    if (s->match_length)
        text_append(text, size, "match to %d, White %d, Black %d%s\n", s->match_length, s->score[0],
                    s->score[1], s->crawford ? ", Crawford game" : "");
    if (s->cube_in_use || s->cube_log || s->cube_owner != BACKGAMMON_NO_OWNER)
        text_append(text, size, "cube at %d, %s\n", 1 << s->cube_log,
                    s->cube_owner == BACKGAMMON_NO_OWNER ? "in the middle"
                    : s->cube_owner                      ? "owned by Black"
                                                         : "owned by White");
    if (backgammon_is_over(s))
        text_append(text, size, "game over\n");
    else if (s->die[0])
        text_append(text, size, "%s to play %d%d\n", player, s->die[0], s->die[1]);
    else
        text_append(text, size, "%s to %s\n", player,
                    s->phase == BACKGAMMON_CHOOSING    ? "roll or double"
                    : s->phase == BACKGAMMON_NODDING   ? "pass, the other is about to roll"
                    : s->phase == BACKGAMMON_ANSWERING ? "take or drop"
                                                       : "throw");
}

int backgammon_draw(const struct mp_game *game, const void *state, char *text, size_t size)
{
    (void)game;
    const struct backgammon *s = state;
    char picture[PICTURE] = "";
    draw_numbers(13, 1, picture, sizeof picture);
    for (int row = 0; row < ROWS; row++)
        draw_row(s, 13, 1, row, picture, sizeof picture);
    text_append(picture, sizeof picture, "|                   | |                   |\n");
    for (int row = ROWS - 1; row >= 0; row--)
        draw_row(s, 12, -1, row, picture, sizeof picture);
    draw_numbers(12, -1, picture, sizeof picture);
    draw_side(s, false, picture, sizeof picture);
    draw_side(s, true, picture, sizeof picture);
    draw_turn(s, picture, sizeof picture);
    return snprintf(text, size, "%s", picture);
}

/* The cell of struct mp_board that is a place of a player's. */
static int cell_of(int player, int place)
{
    if (player == 0)
        return place;
    return place == BACKGAMMON_BAR ? 26 : place == BACKGAMMON_OFF ? 27 : 25 - place;
}

void backgammon_board(const struct mp_game *game, const void *state, struct mp_board *board)
{
    (void)game;
    const struct backgammon *s = state;
    board->form = MP_BOARD_BACKGAMMON;
    board->rows = 2;
    board->columns = 12;
    for (int player = 0; player < 2; player++) {
        const uint8_t *men = player == s->side ? s->own : s->opp;
        for (int place = BACKGAMMON_OFF; place <= BACKGAMMON_BAR; place++)
            if (men[place]) {
                int cell = cell_of(player, place);
                board->pieces[cell] = player ? 'o' : 'O';
                board->counts[cell] = men[place];
            }
    }
    board->dice[0] = s->die[0];
    board->dice[1] = s->die[1];
    board->cube = (uint8_t)(1 << s->cube_log);
    board->cube_owner = (int8_t)(s->cube_owner == BACKGAMMON_NO_OWNER ? -1 : s->cube_owner);
}

int backgammon_move_cells(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,
                          int capacity)
{
    (void)game;
    const struct backgammon *s = state;
    int count = 0;
    for (int step = 0; step < 4 && !backgammon_is_roll(move); step++) {
        int from = backgammon_from(move, step), die = backgammon_step_die(s, step);
        if (!from)
            continue;
        const int places[] = {from, from > die ? from - die : BACKGAMMON_OFF};
        for (int i = 0; i < 2; i++, count++)
            if (count < capacity)
                cells[count] = (uint16_t)cell_of(s->side, places[i]);
    }
    return count;
}

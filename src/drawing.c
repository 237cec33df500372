/* drawing.c - the board of a position as SVG, for reports and notebooks: grids and backgammon's board, in the look of the
 * page. The text refers to nothing outside of itself and has no identifiers, so many drawings can stand in one document. */
#include "manyply/manyply.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { CELL = 100, RIM = 42, MOST_CELLS_OF_MOVE = 64, WIDTH = 1360, HEIGHT = 1000 };

/* A text that is cut where it does not fit, and counts on. */
struct drawing {
    char *text;
    size_t size, used;
    const struct mp_game *game;
    const struct mp_board *board;
    bool flipped;
};

__attribute__((format(printf, 2, 3))) static void put(struct drawing *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t left = d->used < d->size ? d->size - d->used : 0;
    int length = vsnprintf(left ? d->text + d->used : NULL, left, format, arguments);
    d->used += length > 0 ? (size_t)length : 0;
    va_end(arguments);
}

/* Names come from games, which strangers may have written. */
static void put_escaped(struct drawing *d, const char *text, int length)
{
    for (int i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || strchr("<>&\"'", c))
            put(d, "&#%d;", c < 0x20 ? ' ' : c);
        else
            put(d, "%c", c);
    }
}

/* ---- Pieces -------------------------------------------------------------------------------------------- */

struct tone {
    const char *fill, *stroke, *line;
};

/* Black and white for players who are called so, red and yellow for others. */
static struct tone tone_of(const struct mp_game *game, int player)
{
    static const struct tone black = {"#232c36", "#0b1015", "#cfd9e3"},
                             white = {"#fbfaf6", "#26323d", "#26323d"},
                             others[2] = {{"#d5483f", "#8e211b", "#4d0f0b"},
                                          {"#f2c230", "#a37a08", "#5f4700"}};
    const char *name = game->players[player];
    return !strcasecmp(name, "black") ? black : !strcasecmp(name, "white") ? white : others[player];
}

#define FOOT "M21 89v-5q0-6 7-6h44q7 0 7 6v5z"

/* The shapes of web/src/pieces.js, in a square of 100. */
static const struct {
    char letter;
    const char *body, *lines;
} shapes[] = {
    {'P',
     "M50 17a13.5 13.5 0 0 1 8.600 24h4.400q3 4-4 8 1 17 11 29H30q10-12 11-29-7-4-4-8h4.400A13.5 13.5 0 0 1 "
     "50 17z" FOOT,
     ""},
    {'R', "M26 19h11v8h7.500v-8h11v8H63v-8h11v18l-8 7v24l6 10H28l6-10V44l-8-7z" FOOT, "M34 44h32M34 67h32"},
    {'N',
     "M33 78c0-17 17-19 17-33-5 6-12 6-17 10-3 3-5 7-10 5-5-3-6-9-3-13 4-6 6-13 9-18 3-4 5-6 8-8l-1-11 10 "
     "7c20-1 33 18 32 "
     "42 0 8-2 13-2 19z" FOOT,
     "M38.500 33.500v.5M25 52l2-2M61 30c6 9 8 21 7 34"},
    {'B',
     "M50 8a5.500 5.500 0 0 1 3.500 9.700C67 27 72 38 68 50c-2 6-5 9-9 12h3q2 4-2 6l5 "
     "10H35l5-10q-4-2-2-6h3c-4-3-7-6-9-12-4-12 "
     "1-23 14.500-32.300A5.500 5.500 0 0 1 50 8z" FOOT,
     "M50 31v17M42.500 38.500h15"},
    {'Q',
     "M14 33a5 5 0 1 1 6 4.800L33.500 49 33 27a5 5 0 1 1 4.500-.5L46 45l2-24.400a5 5 0 1 1 4 0L54 "
     "45l8.500-18.500A5 5 0 1 1 67 "
     "27l-.5 22L80 37.800a5 5 0 1 1 3.500 1L71 68l-3 10H32l-3-10L16.500 38.800A5 5 0 0 1 14 33z" FOOT,
     "M30 67q20-6 40 0"},
    {'K',
     "M46.500 8h7v7h7v7h-7v8q12-11 23-3 12 10-2 29-4 6-4.500 12l-2 10H32l-2-10q-.5-6-4.500-12-14-19-2-29 "
     "11-8 23 "
     "3v-8h-7v-7h7z" FOOT,
     "M50 31v31M30 66q20-6 40 0"},
};

static int owner_of(char piece)
{
    return islower((unsigned char)piece) ? 1 : 0;
}

static void put_disc(struct drawing *d, char letter, struct tone tone)
{
    put(d, "<circle cx=\"50\" cy=\"53\" r=\"39\" fill=\"#000\" fill-opacity=\".28\"/>");
    put(d, "<circle cx=\"50\" cy=\"50\" r=\"39\" fill=\"%s\" stroke=\"%s\" stroke-width=\"3.5\"/>", tone.fill,
        tone.stroke);
    put(d,
        "<circle cx=\"50\" cy=\"50\" r=\"29\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.5\" "
        "opacity=\".35\"/>",
        tone.line);
    if (letter == 'O')
        return;
    put(d, "<text x=\"50\" y=\"65\" font-size=\"42\" font-weight=\"600\" text-anchor=\"middle\" fill=\"%s\">",
        tone.line);
    put_escaped(d, &letter, 1);
    put(d, "</text>");
}

static void put_piece(struct drawing *d, char piece, int x, int y)
{
    struct tone tone = tone_of(d->game, owner_of(piece));
    char letter = (char)toupper((unsigned char)piece);
    size_t i = 0;
    while (i < sizeof shapes / sizeof *shapes && shapes[i].letter != letter)
        i++;
    put(d, "<g transform=\"translate(%d %d)\">", x, y);
    if (i == sizeof shapes / sizeof *shapes)
        put_disc(d, letter, tone);
    else
        put(d,
            "<path d=\"%s\" fill=\"%s\" stroke=\"%s\" stroke-width=\"3.5\" stroke-linejoin=\"round\"/>"
            "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"3.5\" stroke-linecap=\"round\"/>",
            shapes[i].body, tone.fill, tone.stroke, shapes[i].lines, tone.line);
    put(d, "</g>\n");
}

/* ---- Arrows -------------------------------------------------------------------------------------------- */

struct point {
    double x, y;
};

/* Along the points; the head ends a little before the middle of the last cell. */
static void put_arrow(struct drawing *d, const struct point *points, int count, const char *colour)
{
    struct point end = points[count - 1], before = points[count - 2];
    double length = hypot(end.x - before.x, end.y - before.y);
    if (length < 1)
        return;
    double ux = (end.x - before.x) / length, uy = (end.y - before.y) / length;
    double head = length < 80 ? length / 2 : 40;
    struct point neck = {end.x - ux * head, end.y - uy * head};
    put(d,
        "<g fill=\"none\" stroke=\"%s\" opacity=\".85\"><path stroke-width=\"14\" stroke-linejoin=\"round\" "
        "d=\"M",
        colour);
    for (int i = 0; i + 1 < count; i++)
        put(d, "%.0f %.0fL", points[i].x, points[i].y);
    put(d, "%.0f %.0f\"/><path stroke=\"none\" fill=\"%s\" d=\"M%.0f %.0fL%.0f %.0fL%.0f %.0fz\"/></g>\n",
        neck.x, neck.y, colour, end.x, end.y, neck.x - uy * head / 2, neck.y + ux * head / 2,
        neck.x + uy * head / 2, neck.y - ux * head / 2);
}

static void put_ring(struct drawing *d, struct point at, const char *colour)
{
    put(d,
        "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"43\" fill=\"none\" stroke=\"%s\" stroke-width=\"10\" "
        "opacity=\".9\"/>\n",
        at.x, at.y, colour);
}

/* Colours go into attributes: letters, digits and '#' only. */
static const char *safe_colour(const char *colour)
{
    if (!colour)
        return "#f0a81c";
    for (const char *c = colour; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '#')
            return "#f0a81c";
    return colour;
}

/* ---- Grids --------------------------------------------------------------------------------------------- */

static struct point corner_of(const struct drawing *d, int cell)
{
    int row = cell / d->board->columns, column = cell % d->board->columns;
    if (d->flipped) {
        row = d->board->rows - 1 - row;
        column = d->board->columns - 1 - column;
    }
    return (struct point){column * CELL, row * CELL};
}

/* The names of rows and columns: words with a blank between them. */
static void put_names(struct drawing *d, const char *words, bool of_rows)
{
    int count = of_rows ? d->board->rows : d->board->columns;
    for (int i = 0; words && *words && i < count; i++) {
        int length = (int)strcspn(words, " "), place = d->flipped ? count - 1 - i : i;
        if (of_rows)
            put(d, "<text x=\"-21\" y=\"%d\">", place * CELL + 59);
        else
            put(d, "<text x=\"%d\" y=\"%d\">", place * CELL + 50, d->board->rows * CELL + 30);
        put_escaped(d, words, length);
        put(d, "</text>\n");
        words += length + (words[length] ? 1 : 0);
    }
}

static void put_cell(struct drawing *d, int cell)
{
    const struct mp_board *b = d->board;
    struct point at = corner_of(d, cell);
    bool dark = (cell / b->columns + cell % b->columns) % 2;
    int x = (int)at.x, y = (int)at.y;
    put(d, "<rect x=\"%d\" y=\"%d\" width=\"100\" height=\"100\" fill=\"%s\"%s/>", x, y,
        !b->chequered ? "#2c8260"
        : dark        ? "#93acc2"
                      : "#e9eef2",
        b->chequered ? "" : " stroke=\"#1f6349\" stroke-width=\"2.5\"");
    if (b->homes[cell])
        put(d, "<rect x=\"%d\" y=\"%d\" width=\"100\" height=\"100\" fill=\"%s\" opacity=\".42\"/>", x, y,
            b->homes[cell] == 1 ? "#b98b4a" : "#5c86c9");
    put(d, "\n");
    if (b->pieces[cell] != '.' && b->pieces[cell])
        put_piece(d, b->pieces[cell], x, y);
}

static void put_grid_arrow(struct drawing *d, const uint16_t *cells, int count, const char *colour)
{
    struct point points[MOST_CELLS_OF_MOVE];
    for (int i = 0; i < count; i++) {
        points[i] = corner_of(d, cells[i]);
        points[i].x += CELL / 2.0;
        points[i].y += CELL / 2.0;
    }
    if (count == 1)
        put_ring(d, points[0], colour);
    else
        put_arrow(d, points, count, colour);
}

static void put_grid(struct drawing *d)
{
    const struct mp_board *b = d->board;
    put(d, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"18\" fill=\"#3c4f61\"/>\n", -RIM, -RIM,
        b->columns * CELL + 2 * RIM, b->rows * CELL + 2 * RIM);
    put(d, "<g font-size=\"25\" font-weight=\"600\" text-anchor=\"middle\" fill=\"#d7e1ea\">\n");
    put_names(d, b->row_names, true);
    put_names(d, b->column_names, false);
    put(d, "</g>\n");
    for (int cell = 0; cell < b->rows * b->columns; cell++)
        put_cell(d, cell);
}

/* ---- Backgammon ---------------------------------------------------------------------------------------- */

/* Where a cell is: the middle of its column, and whether it is in the upper half. */
static struct point place_of(const struct drawing *d, int cell, bool *top)
{
    if (cell == 25 || cell == 26) {
        *top = (cell == 25) != d->flipped;
        return (struct point){620, *top ? 300 : HEIGHT - 300};
    }
    if (cell == 0 || cell == 27) {
        *top = (cell == 27) != d->flipped;
        return (struct point){1280, *top ? 120 : HEIGHT - 120};
    }
    int n = d->flipped ? 25 - cell : cell, column = n <= 12 ? 12 - n : n - 13;
    *top = n > 12;
    return (struct point){80 + column * 90 + (column > 5 ? 90 : 0), *top ? 230 : HEIGHT - 230};
}

static void put_triangle(struct drawing *d, int cell)
{
    bool top;
    struct point at = place_of(d, cell, &top);
    int n = d->flipped ? 25 - cell : cell;
    put(d, "<path fill=\"%s\" d=\"M%.0f %dh86L%.0f %dz\"/>", n % 2 ? "#7d9bb5" : "#c48f58", at.x - 43,
        top ? 42 : HEIGHT - 42, at.x, top ? 430 : HEIGHT - 430);
    put(d,
        "<text x=\"%.0f\" y=\"%d\" font-size=\"21\" font-weight=\"600\" text-anchor=\"middle\" "
        "fill=\"#d7e1ea\">%d</text>\n",
        at.x, top ? 30 : HEIGHT - 12, n);
}

static void put_chequers(struct drawing *d, int cell)
{
    const struct mp_board *b = d->board;
    char piece = b->pieces[cell];
    if (piece == '.' || !piece)
        return;
    bool top, bar = cell == 25 || cell == 26, tray = cell == 0 || cell == 27;
    struct point at = place_of(d, cell, &top);
    struct tone tone = tone_of(d->game, owner_of(piece));
    int count = b->counts[cell] ? b->counts[cell] : 1, most = tray ? 15 : bar ? 4 : 5;
    for (int i = 0; i < count && i < most; i++) {
        int edge = tray ? 66 + i * 24 : bar ? 420 - i * 80 : 84 + i * 80, y = top ? edge : HEIGHT - edge;
        if (tray)
            put(d,
                "<rect x=\"%.0f\" y=\"%d\" width=\"72\" height=\"20\" rx=\"5\" fill=\"%s\" stroke=\"%s\" "
                "stroke-width=\"3\"/>\n",
                at.x - 36, y - 11, tone.fill, tone.stroke);
        else
            put(d, "<circle cx=\"%.0f\" cy=\"%d\" r=\"39\" fill=\"%s\" stroke=\"%s\" stroke-width=\"4\"/>\n",
                at.x, y, tone.fill, tone.stroke);
        if (i == most - 1 && count > most)
            put(d,
                "<text x=\"%.0f\" y=\"%d\" font-size=\"36\" font-weight=\"700\" text-anchor=\"middle\" "
                "fill=\"%s\">%d</text>\n",
                at.x, y + 13, tone.line, count);
    }
}

static void put_die(struct drawing *d, int x, int y, int number, struct tone tone)
{
    static const char *const pips[7] = {"", "4", "08", "048", "0268", "02468", "023568"};
    put(d,
        "<rect x=\"%d\" y=\"%d\" width=\"76\" height=\"76\" rx=\"14\" fill=\"%s\" stroke=\"%s\" "
        "stroke-width=\"3\"/>",
        x - 38, y - 38, tone.fill, tone.stroke);
    for (const char *pip = pips[number <= 6 ? number : 0]; *pip; pip++)
        put(d, "<circle cx=\"%d\" cy=\"%d\" r=\"7.500\" fill=\"%s\"/>", x + ((*pip - '0') % 3 - 1) * 21,
            y + ((*pip - '0') / 3 - 1) * 21, tone.line);
    put(d, "\n");
}

static void put_dice_and_cube(struct drawing *d, int side)
{
    const struct mp_board *b = d->board;
    struct tone tone = tone_of(d->game, side);
    bool left = (side == 0) == d->flipped;
    int count = b->dice[0] == b->dice[1] && b->dice[0] ? 4 : 2;
    for (int i = 0; i < count; i++)
        if (b->dice[i % 2])
            put_die(d, (left ? 300 : 930) + (2 * i - count + 1) * 47, HEIGHT / 2, b->dice[i % 2], tone);
    if (!b->cube)
        return;
    int y = b->cube_owner < 0 ? HEIGHT / 2 : (b->cube_owner == 0) != d->flipped ? HEIGHT - 90 : 90;
    put(d,
        "<rect x=\"588\" y=\"%d\" width=\"64\" height=\"64\" rx=\"10\" fill=\"#fbfaf6\" stroke=\"#5d6975\" "
        "stroke-width=\"3\"/>"
        "<text x=\"620\" y=\"%d\" font-size=\"32\" font-weight=\"700\" text-anchor=\"middle\" "
        "fill=\"#18222d\">%d</text>\n",
        y - 32, y + 12, b->cube > 1 ? b->cube : 64);
}

static void put_points(struct drawing *d, int side)
{
    put(d, "<rect width=\"%d\" height=\"%d\" rx=\"24\" fill=\"#3c4f61\"/>\n", WIDTH, HEIGHT);
    for (int x = 30; x <= 665; x += 635)
        put(d, "<rect x=\"%d\" y=\"40\" width=\"545\" height=\"%d\" rx=\"6\" fill=\"#f0e2c8\"/>\n", x,
            HEIGHT - 80);
    for (int y = 40; y <= HEIGHT - 470; y += HEIGHT - 510)
        put(d,
            "<rect x=\"1230\" y=\"%d\" width=\"100\" height=\"430\" rx=\"8\" fill=\"#000\" "
            "fill-opacity=\".25\"/>\n",
            y);
    for (int cell = 1; cell <= 24; cell++)
        put_triangle(d, cell);
    for (int cell = 0; cell <= 27; cell++)
        put_chequers(d, cell);
    put_dice_and_cube(d, side);
}

/* Each step of a play bends towards the middle, so that steps on one side of the board can be told apart. */
static void put_steps(struct drawing *d, const uint16_t *cells, int count, const char *colour)
{
    for (int i = 0; i + 1 < count; i += 2) {
        bool top, top_too;
        struct point from = place_of(d, cells[i], &top), to = place_of(d, cells[i + 1], &top_too);
        struct point middle = {(from.x + to.x) / 2, (from.y + to.y) / 2 + (top != top_too ? 0
                                                                           : top          ? 110
                                                                                          : -110)};
        put_arrow(d, (struct point[]){from, middle, to}, 3, colour);
    }
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

static void put_arrows(struct drawing *d, const void *state, const struct mp_svg *how)
{
    const struct mp_game *game = d->game;
    for (int i = 0; game->board->move_cells && i < how->arrow_count; i++) {
        uint16_t cells[MOST_CELLS_OF_MOVE];
        int count = game->board->move_cells(game, state, how->arrows[i], cells, MOST_CELLS_OF_MOVE);
        const char *colour = safe_colour(how->colours ? how->colours[i] : NULL);
        if (count < 1 || count > MOST_CELLS_OF_MOVE)
            continue;
        if (d->board->form == MP_BOARD_BACKGAMMON)
            put_steps(d, cells, count, colour);
        else
            put_grid_arrow(d, cells, count, colour);
    }
}

int mp_position_svg(const struct mp_position *position, const struct mp_svg *how, char *text, size_t size)
{
    struct mp_svg plain = {0};
    struct mp_board board = {MP_SIZE(struct mp_board)};
    if (how) /* a program may have been compiled when it had fewer members */
        memcpy(&plain, how, how->struct_size < sizeof plain ? how->struct_size : sizeof plain);
    if (size > 0)
        *text = 0;
    if (!mp_position_board(position, &board))
        return 0;
    struct drawing d = {.text = text,
                        .size = size,
                        .game = mp_position_game(position),
                        .board = &board,
                        .flipped = plain.flipped};
    bool grid = board.form == MP_BOARD_GRID;
    put(&d, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%d %d %d %d\"", grid ? -RIM : 0,
        grid ? -RIM : 0, grid ? board.columns * CELL + 2 * RIM : WIDTH,
        grid ? board.rows * CELL + 2 * RIM : HEIGHT);
    if (plain.width > 0)
        put(&d, " width=\"%d\"", plain.width);
    put(&d, " font-family=\"system-ui, sans-serif\" role=\"img\">\n");
    if (grid)
        put_grid(&d);
    else
        put_points(&d, mp_position_side(position));
    put_arrows(&d, mp_position_state(position), &plain);
    put(&d, "</svg>\n");
    return (int)d.used;
}

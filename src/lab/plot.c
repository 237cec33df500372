/* plot.c - draws a plot with dots in the terminal, or as SVG. */
#include "lab/plot.h"

#include "lab/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Axes: shared by both drawings ----------------------------------------------------------------- */

enum { MOST_TICKS = 16 };

struct axis {
    bool is_log;
    double low, high; /* of a logarithmic axis: the exponents */
    double base;      /* 2 or 10 */
    int tick_count;
    double ticks[MOST_TICKS]; /* values, not exponents */
};

static double scaled(const struct axis *axis, double value)
{
    return axis->is_log ? log(value) / log(axis->base) : value;
}

/* Where a value lies on the axis: 0 at its low end, 1 at its high end. */
static double place(const struct axis *axis, double value)
{
    return (scaled(axis, value) - axis->low) / (axis->high - axis->low);
}

/* The value at a place of the axis. */
static double value_at(const struct axis *axis, double share)
{
    double value = axis->low + share * (axis->high - axis->low);
    return axis->is_log ? pow(axis->base, value) : value;
}

static bool drawable(const struct axis *axis, double value)
{
    return isfinite(value) && (!axis->is_log || value > 0);
}

/* A step of 1, 2 or 5 times a power of ten that cuts the span into six pieces at most. */
static double round_step(double span)
{
    double unit = pow(10, floor(log10(span / 6)));
    double times = span / 6 / unit;
    return unit * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/* An axis for values from low to high; a linear one may be widened to end on ticks, and have them at whole
 * numbers only. */
static struct axis make_axis(double low, double high, bool is_log, bool on_ticks, bool whole)
{
    struct axis axis = {.is_log = is_log};
    if (is_log) {
        axis.base = high / low <= 300 ? 2 : 10;
        axis.low = scaled(&axis, low);
        axis.high = scaled(&axis, high);
        if (floor(axis.high + 1e-9) - ceil(axis.low - 1e-9) < 1) { /* fewer than two ticks */
            axis.low = floor(axis.low + 1e-9);
            axis.high = ceil(axis.high - 1e-9);
        }
    } else {
        axis.low = low;
        axis.high = high;
    }
    if (axis.high <= axis.low)
        axis.high = axis.low + 1;
    double step = is_log ? ceil((axis.high - axis.low) / (MOST_TICKS - 2)) : round_step(axis.high - axis.low);
    if (whole && step < 1)
        step = 1;
    if (!is_log && on_ticks) {
        axis.low = floor(axis.low / step + 1e-9) * step;
        axis.high = ceil(axis.high / step - 1e-9) * step;
    }
    double first = ceil(axis.low / step - 1e-9);
    for (int i = 0; i < MOST_TICKS && (first + i) * step <= axis.high + step * 1e-9; i++) {
        double tick = (first + i) * step;
        axis.ticks[axis.tick_count++] = is_log ? pow(axis.base, tick) : fabs(tick) < step * 1e-9 ? 0 : tick;
    }
    return axis;
}

/* The smallest and largest of the values that a series shows on an axis. */
static void widen(const double *values, int count, bool is_log, double *low, double *high)
{
    struct axis axis = {.is_log = is_log};
    for (int i = 0; values && i < count; i++)
        if (drawable(&axis, values[i])) {
            *low = fmin(*low, values[i]);
            *high = fmax(*high, values[i]);
        }
}

static void make_axes(const struct plot *plot, struct axis *x, struct axis *y)
{
    bool whole = true; /* half a thread is no tick */
    double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
    for (int i = 0; i < plot->series_count; i++) {
        const struct plot_series *s = &plot->series[i];
        widen(s->x, s->count, plot->log_x, &x_low, &x_high);
        for (int j = 0; j < s->count; j++)
            whole = whole && s->x[j] == floor(s->x[j]);
        widen(s->y, s->count, plot->log_y, &y_low, &y_high);
        widen(s->low, s->count, plot->log_y, &y_low, &y_high);
        widen(s->high, s->count, plot->log_y, &y_low, &y_high);
    }
    if (!(x_low <= x_high))
        x_low = x_high = 1;
    if (!(y_low <= y_high))
        y_low = y_high = 1;
    if (plot->ideal) {
        y_low = fmin(y_low, x_low);
        y_high = fmax(y_high, x_high);
    }
    *x = make_axis(x_low, x_high, plot->log_x, false, whole);
    /* Lengths are compared by eye, so a linear axis begins at nothing. */
    *y = make_axis(plot->log_y ? y_low : fmin(y_low, 0), plot->log_y ? y_high : fmax(y_high, 0), plot->log_y,
                   true, false);
}

/* ---- The terminal ---------------------------------------------------------------------------------- */

enum { ROWS = 16, MARGIN = 9, MOST_COLUMNS = 200, DOTS_WIDE = 2, DOTS_HIGH = 4 };

struct canvas {
    bool unicode;
    int columns;                            /* of the field inside the axes */
    unsigned char dots[ROWS][MOST_COLUMNS]; /* braille: one bit a dot; plain: whether there is one */
    char letters[ROWS][MOST_COLUMNS];       /* what stands there instead of dots, or 0 */
};

static void set_dot(struct canvas *canvas, double across, double up)
{
    static const unsigned char bits[DOTS_HIGH][DOTS_WIDE] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    if (across < 0 || across > 1 || up < 0 || up > 1)
        return;
    int x = (int)lround(across * (canvas->columns * DOTS_WIDE - 1));
    int y = (int)lround((1 - up) * (ROWS * DOTS_HIGH - 1));
    canvas->dots[y / DOTS_HIGH][x / DOTS_WIDE] |= bits[y % DOTS_HIGH][x % DOTS_WIDE];
}

/* One dot in every `stride` along a line. */
static void draw_line(struct canvas *canvas, double x0, double y0, double x1, double y1, int stride)
{
    double wide = fabs(x1 - x0) * canvas->columns * DOTS_WIDE, high = fabs(y1 - y0) * ROWS * DOTS_HIGH;
    int steps = (int)ceil(fmax(wide, high)) + 1;
    for (int i = 0; i <= steps; i += stride) {
        double share = (double)i / steps;
        set_dot(canvas, x0 + share * (x1 - x0), y0 + share * (y1 - y0));
    }
}

/* The line y = x, which is not straight where one axis is logarithmic and the other is not. */
static void draw_ideal(struct canvas *canvas, const struct axis *x, const struct axis *y)
{
    int steps = canvas->columns;
    for (int i = 0; i <= steps; i++) {
        double share = (double)i / steps;
        set_dot(canvas, share, place(y, value_at(x, share)));
    }
}

static void draw_series(struct canvas *canvas, const struct plot_series *s, char letter, const struct axis *x,
                        const struct axis *y)
{
    int last = -1;
    for (int i = 0; i < s->count; i++) {
        if (!drawable(x, s->x[i]) || !drawable(y, s->y[i]))
            continue;
        double across = place(x, s->x[i]), up = place(y, s->y[i]);
        if (last >= 0)
            draw_line(canvas, place(x, s->x[last]), place(y, s->y[last]), across, up, s->dashed ? 2 : 1);
        int row = (int)lround((1 - up) * (ROWS * DOTS_HIGH - 1)) / DOTS_HIGH;
        int column = (int)lround(across * (canvas->columns * DOTS_WIDE - 1)) / DOTS_WIDE;
        /* Of two points in one cell both should be seen: the second moves to a free neighbour. */
        for (int aside = 0; aside < canvas->columns; aside++) {
            int at = column + (column + aside < canvas->columns ? aside : -aside);
            if (at >= 0 && !canvas->letters[row][at]) {
                canvas->letters[row][at] = letter;
                break;
            }
        }
        last = i;
    }
}

static void print_cell(const struct canvas *canvas, int row, int column, FILE *out)
{
    unsigned dots = canvas->dots[row][column];
    if (canvas->letters[row][column])
        fputc(canvas->letters[row][column], out);
    else if (!dots)
        fputc(' ', out);
    else if (!canvas->unicode)
        fputc('.', out);
    else /* U+2800 + dots in UTF-8 */
        fprintf(out, "\xe2%c%c", (int)(0xa0 | dots >> 6), (int)(0x80 | (dots & 63)));
}

/* The tick whose label stands beside a row of the field, or null. */
static const double *tick_of_row(const struct axis *axis, int row)
{
    for (int i = 0; i < axis->tick_count; i++)
        if ((int)lround((1 - place(axis, axis->ticks[i])) * (ROWS - 1)) == row)
            return &axis->ticks[i];
    return NULL;
}

static void print_x_axis(const struct canvas *canvas, const struct axis *x, const char *label, FILE *out)
{
    char labels[MOST_COLUMNS + 32];
    int free_from = 0;
    memset(labels, ' ', sizeof labels);
    fprintf(out, "%*s%s", MARGIN - 1, "", canvas->unicode ? "└" : "+");
    for (int column = 0; column < canvas->columns; column++) {
        const char *line = canvas->unicode ? "─" : "-";
        for (int i = 0; i < x->tick_count; i++) {
            if ((int)lround(place(x, x->ticks[i]) * (canvas->columns - 1)) != column)
                continue;
            char text[32];
            int length = snprintf(text, sizeof text, "%.4g", x->ticks[i]);
            int at = column - length / 2;
            at = at + length > canvas->columns ? canvas->columns - length : at;
            at = at < 0 ? 0 : at;
            line = canvas->unicode ? "┴" : "+";
            if (at >= free_from) {
                memcpy(labels + at, text, (size_t)length);
                free_from = at + length + 1;
            }
        }
        fputs(line, out);
    }
    int length = canvas->columns;
    while (length > 0 && labels[length - 1] == ' ')
        length--;
    fprintf(out, "\n%*s%.*s\n", MARGIN, "", length, labels);
    fprintf(out, "%*s%s\n", MARGIN + (canvas->columns - (int)strlen(label)) / 2, "", label);
}

static void print_field(const struct canvas *canvas, const struct axis *y, FILE *out)
{
    for (int row = 0; row < ROWS; row++) {
        const double *tick = tick_of_row(y, row);
        if (tick)
            fprintf(out, "%*.4g %s", MARGIN - 2, *tick, canvas->unicode ? "┤" : "+");
        else
            fprintf(out, "%*s%s", MARGIN - 1, "", canvas->unicode ? "│" : "|");
        int end = canvas->columns;
        while (end > 0 && !canvas->dots[row][end - 1] && !canvas->letters[row][end - 1])
            end--;
        for (int column = 0; column < end; column++)
            print_cell(canvas, row, column, out);
        fputc('\n', out);
    }
}

void plot_print(const struct plot *plot, FILE *out, int columns, bool unicode)
{
    struct canvas *canvas = calloc(1, sizeof *canvas);
    if (!canvas)
        return;
    struct axis x, y;
    make_axes(plot, &x, &y);
    int most = MOST_COLUMNS;
    canvas->unicode = unicode;
    canvas->columns = columns - MARGIN < 20 ? 20 : columns - MARGIN > most ? most : columns - MARGIN;
    if (plot->ideal)
        draw_ideal(canvas, &x, &y);
    for (int i = 0; i < plot->series_count; i++)
        draw_series(canvas, &plot->series[i], (char)('a' + i), &x, &y);
    fprintf(out, "%s\n\n%*s\n", plot->title, MARGIN - 1, plot->y_label);
    print_field(canvas, &y, out);
    print_x_axis(canvas, &x, plot->x_label, out);
    for (int i = 0; i < plot->series_count; i++)
        fprintf(out, "%*c %s\n", MARGIN, 'a' + i, plot->series[i].name);
    if (plot->ideal)
        fprintf(out, "%*s the ideal\n", MARGIN + (unicode ? 2 : 0), unicode ? "⠒" : ".");
    free(canvas);
}

/* ---- SVG ------------------------------------------------------------------------------------------- */

enum { WIDTH = 720, HEIGHT = 440, LEFT = 64, RIGHT = 24, TOP = 48, BOTTOM = 56, LEGEND_ROW = 20 };

/* Colours that people with colour blindness tell apart (Okabe and Ito 2008); each has a shape too. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};
enum { COLOURS = sizeof colours / sizeof *colours, SHAPES = 4 };

static double svg_x(const struct axis *axis, double value)
{
    return LEFT + place(axis, value) * (WIDTH - LEFT - RIGHT);
}

static double svg_y(const struct axis *axis, double value)
{
    return HEIGHT - BOTTOM - place(axis, value) * (HEIGHT - TOP - BOTTOM);
}

static void put_axes(const struct plot *plot, const struct axis *x, const struct axis *y, FILE *out)
{
    char text[32];
    fputs("<g stroke=\"#ddd\">\n", out);
    for (int i = 0; i < y->tick_count; i++)
        fprintf(out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n", LEFT, svg_y(y, y->ticks[i]),
                WIDTH - RIGHT, svg_y(y, y->ticks[i]));
    for (int i = 0; i < x->tick_count; i++)
        fprintf(out, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n", svg_x(x, x->ticks[i]), TOP,
                svg_x(x, x->ticks[i]), HEIGHT - BOTTOM);
    fprintf(out, "</g>\n<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#333\"/>\n", LEFT, TOP,
            HEIGHT - BOTTOM, WIDTH - RIGHT);
    for (int i = 0; i < y->tick_count; i++) {
        snprintf(text, sizeof text, "%.4g", y->ticks[i]);
        svg_label(out, LEFT - 8, svg_y(y, y->ticks[i]) + 4, "end", "", text);
    }
    for (int i = 0; i < x->tick_count; i++) {
        snprintf(text, sizeof text, "%.4g", x->ticks[i]);
        svg_label(out, svg_x(x, x->ticks[i]), HEIGHT - BOTTOM + 18, "middle", "", text);
    }
    svg_label(out, (WIDTH + LEFT - RIGHT) / 2.0, HEIGHT - 14, "middle", "", plot->x_label);
    svg_label(out, LEFT - 48, TOP - 14, "start", "", plot->y_label);
    svg_label(out, (WIDTH + LEFT - RIGHT) / 2.0, 24, "middle", " font-size=\"16\" font-weight=\"bold\"",
              plot->title);
}

static void put_marker(FILE *out, int shape, double x, double y, const char *colour)
{
    static const char *const paths[SHAPES] = {"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0", "m-4 -4h8v8h-8z",
                                              "m0 -5l5 9h-10z", "m0 -5l5 5l-5 5l-5 -5z"};
    fprintf(out, "<path d=\"M%.1f %.1f%s\" fill=\"%s\"/>\n", x, y, paths[shape % SHAPES], colour);
}

static void put_series(const struct plot_series *s, int index, const struct axis *x, const struct axis *y,
                       FILE *out)
{
    const char *colour = colours[index % COLOURS];
    fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s d=\"", colour,
            s->dashed ? " stroke-dasharray=\"6 4\"" : "");
    char letter = 'M';
    for (int i = 0; i < s->count; i++)
        if (drawable(x, s->x[i]) && drawable(y, s->y[i])) {
            fprintf(out, "%c%.1f %.1f", letter, svg_x(x, s->x[i]), svg_y(y, s->y[i]));
            letter = 'L';
        }
    fputs("\"/>\n", out);
    for (int i = 0; i < s->count; i++) {
        if (!drawable(x, s->x[i]) || !drawable(y, s->y[i]))
            continue;
        double at = svg_x(x, s->x[i]);
        if (s->low && s->high && drawable(y, s->low[i]) && drawable(y, s->high[i]))
            fprintf(out, "<path stroke=\"%s\" d=\"M%.1f %.1fV%.1fm-4 0h8M%.1f %.1fh8\"/>\n", colour, at,
                    svg_y(y, s->low[i]), svg_y(y, s->high[i]), at - 4, svg_y(y, s->low[i]));
        put_marker(out, index, at, svg_y(y, s->y[i]), colour);
    }
}

static void put_ideal(const struct axis *x, const struct axis *y, FILE *out)
{
    enum { STEPS = 32 };
    fputs("<path fill=\"none\" stroke=\"#888\" stroke-dasharray=\"2 4\" d=\"", out);
    char letter = 'M';
    for (int i = 0; i <= STEPS; i++) {
        double value = value_at(x, (double)i / STEPS);
        double up = place(y, value);
        if (up >= -1e-9 && up <= 1 + 1e-9) {
            fprintf(out, "%c%.1f %.1f", letter, svg_x(x, value), svg_y(y, value));
            letter = 'L';
        }
    }
    fputs("\"/>\n", out);
}

/* The numbers of the plot in words, for those who cannot see it. */
static void put_description(const struct plot *plot, FILE *out)
{
    svg_escape(out, plot->y_label);
    fputs(" by ", out);
    svg_escape(out, plot->x_label);
    fputs(".", out);
    for (int i = 0; i < plot->series_count; i++) {
        const struct plot_series *s = &plot->series[i];
        fputs(" ", out);
        svg_escape(out, s->name);
        for (int j = 0; j < s->count; j++)
            if (isfinite(s->y[j]))
                fprintf(out, "%s %.4g at %.4g", j ? "," : ":", s->y[j], s->x[j]);
        fputs(".", out);
    }
}

void plot_svg(const struct plot *plot, FILE *out)
{
    struct axis x, y;
    make_axes(plot, &x, &y);
    int legend = LEGEND_ROW * (plot->series_count + plot->ideal);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "role=\"img\" font-family=\"sans-serif\" "
            "font-size=\"13\" fill=\"#222\">\n<title>",
            WIDTH, HEIGHT + legend + 8, WIDTH, HEIGHT + legend + 8);
    svg_escape(out, plot->title);
    fputs("</title>\n<desc>", out);
    put_description(plot, out);
    fputs("</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", out);
    put_axes(plot, &x, &y, out);
    if (plot->ideal)
        put_ideal(&x, &y, out);
    for (int i = 0; i < plot->series_count; i++)
        put_series(&plot->series[i], i, &x, &y, out);
    for (int i = 0; i < plot->series_count; i++) {
        double row = HEIGHT + LEGEND_ROW * i;
        const char *colour = colours[i % COLOURS];
        fprintf(out, "<path stroke=\"%s\" stroke-width=\"2\"%s d=\"M%d %.1fh32\"/>\n", colour,
                plot->series[i].dashed ? " stroke-dasharray=\"6 4\"" : "", LEFT, row);
        put_marker(out, i, LEFT + 16, row, colour);
        svg_label(out, LEFT + 42, row + 4, "start", "", plot->series[i].name);
    }
    if (plot->ideal) {
        double row = HEIGHT + LEGEND_ROW * plot->series_count;
        fprintf(out, "<path stroke=\"#888\" stroke-dasharray=\"2 4\" d=\"M%d %.1fh32\"/>\n", LEFT, row);
        svg_label(out, LEFT + 42, row + 4, "start", "", "the ideal");
    }
    fputs("</svg>\n", out);
}

/* plot.h - one description of a plot, drawn in the terminal or as SVG.
 *
 * A plot is a few series of points over common axes. Both drawings are pure functions of the description: the
 * same plot gives the same bytes, so they are tested against golden files. */
#ifndef LAB_PLOT_H
#define LAB_PLOT_H

#include <stdbool.h>
#include <stdio.h>

enum { PLOT_MOST_SERIES = 12 };

struct plot_series {
    const char *name;
    int count;
    const double *x, *y;      /* x ascending; points whose y is not finite are left out */
    const double *low, *high; /* the intervals of y, or null */
    bool dashed;              /* something to compare with, such as a published curve */
};

struct plot {
    const char *title, *x_label, *y_label;
    bool log_x, log_y; /* logarithmic axes, for positive numbers */
    bool ideal;        /* the dotted line y = x */
    int series_count;
    struct plot_series series[PLOT_MOST_SERIES];
};

/* Draws with braille dots in a field of this many columns, or with plain characters where the terminal has no
 * Unicode. Each series has a letter, which stands at its points. */
void plot_print(const struct plot *plot, FILE *out, int columns, bool unicode);

/* A complete SVG document with a title and a description for screen readers. */
void plot_svg(const struct plot *plot, FILE *out);

#endif

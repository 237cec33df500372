/* svg.h - text in drawings. */
#ifndef LAB_SVG_H
#define LAB_SVG_H

#include <stdio.h>

/* A text with what has a meaning in XML written as entities. */
void svg_escape(FILE *out, const char *text);

/* A label that begins, ends or has its middle at x (anchor: start, end, middle). more: other attributes, or "". */
void svg_label(FILE *out, double x, double y, const char *anchor, const char *more, const char *text);

#endif

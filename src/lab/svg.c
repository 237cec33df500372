/* svg.c - writes labels of drawings. */
#include "lab/svg.h"

void svg_escape(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : NULL;
        if (entity)
            fputs(entity, out);
        else
            fputc(*text, out);
    }
}

void svg_label(FILE *out, double x, double y, const char *anchor, const char *more, const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
    svg_escape(out, text);
    fputs("</text>\n", out);
}

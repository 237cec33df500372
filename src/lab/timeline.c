/* timeline.c - reads the timeline of a search, and draws it as SVG. */
#include "lab/timeline.h"

#include "lab/svg.h"

#include <stdlib.h>
#include <string.h>

/* In pixels of the drawing. */
enum { WIDTH = 1000, LEFT = 70, TOP = 48, ROW = 11, ROWS = 7, GAP = 14, FOOT = 56 };

/* Narrower slices would not be seen. */
static const double NARROWEST = 0.8;

enum { KIND_WAIT = 5, KIND_MOVE, KIND_IDLE, KINDS };

static const struct slice_kind {
    const char *name, *colour, *legend;
} kinds[KINDS] = {
    {"iteration", "#d9dee4", "iteration"},
    {"split", "#b7c9e2", "node that is split"},
    {"task", "#4c78a8", "own task"},
    {"help", "#f6d8ae", "helping another thread"},
    {"stolen task", "#f58518", "stolen task"},
    {"wait", "#bab0ac", "waiting for helpers"},
    {"move", "#86b0dc", "move at an own node"},
    {"idle", "#eeeeee", "idle"},
};

/* ---- Reading ------------------------------------------------------------------------------------------- */

static int kind_of(const char *name)
{
    for (int i = 0; i < KINDS; i++)
        if (!strcmp(kinds[i].name, name))
            return i;
    return -1;
}

static bool read_event(struct timeline *t, const json_t *event, size_t number)
{
    const char *name, *phase;
    int thread;
    double at, length = 0;
    if (json_unpack((json_t *)event, "{s:s, s:s, s:i, s:F, s?F}", "name", &name, "ph", &phase, "tid", &thread,
                    "ts", &at, "dur", &length) != 0 ||
        thread < 0 || thread >= MP_MAX_THREADS || length < 0)
        return false;
    t->threads = thread >= t->threads ? thread + 1 : t->threads;
    if (*phase == 'i') {
        bool aborts = !strcmp(name, "abort");
        t->marks[t->mark_count++] = (struct timeline_mark){thread, aborts, at};
        *(aborts ? &t->aborts : &t->steals) += 1;
    }
    int kind = kind_of(name);
    if (*phase == 'X' && kind >= 0)
        t->slices[t->slice_count++] = (struct timeline_slice){thread, kind, at, at + length, number};
    t->length = at + length > t->length ? at + length : t->length;
    return true;
}

/* By thread and time, the outer of two slices first. */
static int compare_slices(const void *a, const void *b)
{
    const struct timeline_slice *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread - y->thread;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->order > y->order ? -1 : 1;
}

/* Busy is who neither idles nor waits; who helps while waiting is busy. */
static void measure_busy(struct timeline *t)
{
    enum { DEEPEST = 256 };
    const struct timeline_slice *outer[DEEPEST];
    int depth = 0;
    for (int i = 0; i < t->threads; i++)
        t->busy[i] = 1;
    for (size_t i = 0; i < t->slice_count; i++) {
        const struct timeline_slice *s = &t->slices[i];
        while (depth > 0 && (outer[depth - 1]->thread != s->thread || outer[depth - 1]->end <= s->start))
            depth--;
        double share = (s->end - s->start) / t->length;
        if (s->kind == KIND_IDLE || s->kind == KIND_WAIT)
            t->busy[s->thread] -= share;
        if (depth > 0 && outer[depth - 1]->kind == KIND_WAIT)
            t->busy[s->thread] += share;
        if (depth < DEEPEST)
            outer[depth++] = s;
    }
}

bool timeline_read(struct timeline *t, const json_t *file)
{
    const json_t *events = json_object_get(file, "traceEvents"), *about = json_object_get(file, "otherData");
    size_t count = json_array_size(events);
    *t = (struct timeline){.game = json_string_value(json_object_get(about, "game")),
                           .strategy = json_string_value(json_object_get(about, "strategy"))};
    t->slices = calloc(count + 1, sizeof *t->slices);
    t->marks = calloc(count + 1, sizeof *t->marks);
    bool ok = t->game && t->strategy && count > 0 && t->slices && t->marks;
    for (size_t i = 0; ok && i < count; i++)
        ok = read_event(t, json_array_get(events, i), i);
    if (ok && t->length > 0) {
        qsort(t->slices, t->slice_count, sizeof *t->slices, compare_slices);
        measure_busy(t);
        return true;
    }
    timeline_free(t);
    return false;
}

void timeline_free(struct timeline *t)
{
    free(t->slices);
    free(t->marks);
}

/* ---- Drawing ------------------------------------------------------------------------------------------- */

static double x_of(const struct timeline *t, double at)
{
    return LEFT + at / t->length * (WIDTH - LEFT - 10);
}

static int y_of(int thread)
{
    return TOP + thread * (ROWS * ROW + GAP);
}

/* Each slice one row below the one that it is inside. */
static void draw_slices(FILE *out, const struct timeline *t)
{
    double ends[ROWS + 1];
    int depth = 0, thread = -1;
    for (size_t i = 0; i < t->slice_count; i++) {
        const struct timeline_slice *s = &t->slices[i];
        if (s->thread != thread)
            depth = 0;
        thread = s->thread;
        while (depth > 0 && s->start >= ends[depth - 1])
            depth--;
        int row = depth;
        if (depth < ROWS)
            ends[depth++] = s->end;
        double x = x_of(t, s->start), width = x_of(t, s->end) - x;
        if (row >= ROWS || width < NARROWEST)
            continue;
        fprintf(out, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", x,
                y_of(thread) + row * ROW, width, ROW - 1, kinds[s->kind].colour);
    }
}

static void draw_marks(FILE *out, const struct timeline *t)
{
    /* Marks closer than a pixel to the one before would only cover it. */
    double last[2][MP_MAX_THREADS] = {{0}};
    for (size_t i = 0; i < t->mark_count; i++) {
        const struct timeline_mark *m = &t->marks[i];
        double x = x_of(t, m->at);
        if (x - last[m->abort][m->thread] < 1)
            continue;
        last[m->abort][m->thread] = x;
        int y = y_of(m->thread) - (m->abort ? 2 : 5);
        fprintf(out, "<path d=\"M%.1f %dl-2 -4h4z\" fill=\"%s\"/>\n", x, y, m->abort ? "#e45756" : "#f58518");
    }
}

/* Ten ticks or so, at round numbers. */
static void draw_axis(FILE *out, const struct timeline *t)
{
    double step = 1;
    while (t->length / step > 12)
        step *= t->length / step > 60 ? 10 : t->length / step > 24 ? 5 : 2;
    int y = y_of(t->threads);
    for (double at = 0; at <= t->length; at += step) {
        char text[32];
        snprintf(text, sizeof text, "%g ms", at / 1000);
        fprintf(out, "<path d=\"M%.1f %dv4\" stroke=\"#888\"/>\n", x_of(t, at), y - 6);
        svg_label(out, x_of(t, at), y + 10, "middle", "", text);
    }
}

static void draw_legend(FILE *out, const struct timeline *t)
{
    double x = LEFT;
    int y = y_of(t->threads) + 24;
    for (int i = 0; i < KINDS; i++) {
        fprintf(out, "<rect x=\"%.1f\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", x, y,
                kinds[i].colour);
        svg_label(out, x + 14, y + 9, "start", "", kinds[i].legend);
        x += 26 + 6.2 * (double)strlen(kinds[i].legend);
    }
    static const char *const marks[] = {"steal", "abort"};
    for (int i = 0; i < 2; i++, x += 50) {
        fprintf(out, "<path d=\"M%.1f %dl-4 -8h8z\" fill=\"%s\"/>\n", x + 5, y + 9,
                i ? "#e45756" : "#f58518");
        svg_label(out, x + 14, y + 9, "start", "", marks[i]);
    }
}

void timeline_draw(const struct timeline *t, FILE *out)
{
    int height = y_of(t->threads) + FOOT;
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
        WIDTH, height, WIDTH, height, WIDTH, height);
    char title[512];
    snprintf(title, sizeof title, "%.40s: %.400s", t->game, t->strategy);
    svg_label(out, LEFT, 18, "start", "", title);
    for (int i = 0; i < t->threads; i++) {
        char name[32];
        snprintf(name, sizeof name, "thread %d", i);
        svg_label(out, LEFT - 8, y_of(i) + 12, "end", "", name);
        snprintf(name, sizeof name, "%.0f%% busy", 100 * t->busy[i]);
        svg_label(out, LEFT - 8, y_of(i) + 26, "end", "", name);
    }
    draw_slices(out, t);
    draw_marks(out, t);
    draw_axis(out, t);
    draw_legend(out, t);
    fputs("</svg>\n", out);
}

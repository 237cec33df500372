/* cmd_trace.c - draws the timeline of a search: one lane for each thread, what it does inside what, as an SVG
 * file that any browser shows. Reads what `search --trace` has written. */
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>

/* In pixels of the drawing. */
enum { WIDTH = 1000, LEFT = 70, TOP = 48, ROW = 11, ROWS = 7, GAP = 14, FOOT = 56 };

/* Narrower slices would not be seen. */
static const double NARROWEST = 0.8;

enum { MOST_THREADS = MP_MAX_THREADS, KIND_WAIT = 5, KIND_IDLE, KINDS };

static const struct kind {
    const char *name, *colour, *legend;
} kinds[KINDS] = {
    {"iteration", "#d9dee4", "iteration"},
    {"split", "#b7c9e2", "node that is split"},
    {"task", "#4c78a8", "own task"},
    {"help", "#f6d8ae", "helping another thread"},
    {"stolen task", "#f58518", "stolen task"},
    {"wait", "#bab0ac", "waiting for helpers"},
    {"idle", "#eeeeee", "idle"},
};

struct drawn_slice {
    int thread, kind;
    double start, end; /* in microseconds */
    size_t order;      /* in the file: of equal slices the outer one comes last */
};

struct mark {
    int thread;
    bool abort; /* else a steal */
    double at;
};

struct timeline {
    const char *game, *strategy;
    double length; /* in microseconds */
    int threads;
    struct drawn_slice *slices;
    struct mark *marks;
    size_t slice_count, mark_count;
    double busy[MOST_THREADS]; /* share of the time */
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
        thread < 0 || thread >= MOST_THREADS || length < 0)
        return false;
    t->threads = thread >= t->threads ? thread + 1 : t->threads;
    if (*phase == 'i')
        t->marks[t->mark_count++] = (struct mark){thread, !strcmp(name, "abort"), at};
    int kind = kind_of(name);
    if (*phase == 'X' && kind >= 0)
        t->slices[t->slice_count++] = (struct drawn_slice){thread, kind, at, at + length, number};
    t->length = at + length > t->length ? at + length : t->length;
    return true;
}

/* By thread and time, the outer of two slices first. */
static int compare_slices(const void *a, const void *b)
{
    const struct drawn_slice *x = a, *y = b;
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
    const struct drawn_slice *outer[DEEPEST];
    int depth = 0;
    for (int i = 0; i < t->threads; i++)
        t->busy[i] = 1;
    for (size_t i = 0; i < t->slice_count; i++) {
        const struct drawn_slice *s = &t->slices[i];
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

static bool read_timeline(struct timeline *t, const json_t *file)
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
    free(t->slices);
    free(t->marks);
    return false;
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

static void draw_text(FILE *out, double x, double y, const char *anchor, const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    for (; *text; text++) {
        if (*text == '<' || *text == '&')
            fputs(*text == '<' ? "&lt;" : "&amp;", out);
        else
            putc(*text, out);
    }
    fputs("</text>\n", out);
}

/* Each slice one row below the one that it is inside. */
static void draw_slices(FILE *out, const struct timeline *t)
{
    double ends[ROWS + 1];
    int depth = 0, thread = -1;
    for (size_t i = 0; i < t->slice_count; i++) {
        const struct drawn_slice *s = &t->slices[i];
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
    double last[2][MOST_THREADS] = {{0}};
    for (size_t i = 0; i < t->mark_count; i++) {
        const struct mark *m = &t->marks[i];
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
        draw_text(out, x_of(t, at), y + 10, "middle", text);
    }
}

static void draw_legend(FILE *out, const struct timeline *t)
{
    double x = LEFT;
    int y = y_of(t->threads) + 24;
    for (int i = 0; i < KINDS; i++) {
        fprintf(out, "<rect x=\"%.1f\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", x, y,
                kinds[i].colour);
        draw_text(out, x + 14, y + 9, "start", kinds[i].legend);
        x += 26 + 6.2 * (double)strlen(kinds[i].legend);
    }
    static const char *const marks[] = {"steal", "abort"};
    for (int i = 0; i < 2; i++, x += 50) {
        fprintf(out, "<path d=\"M%.1f %dl-4 -8h8z\" fill=\"%s\"/>\n", x + 5, y + 9,
                i ? "#e45756" : "#f58518");
        draw_text(out, x + 14, y + 9, "start", marks[i]);
    }
}

static void draw(FILE *out, const struct timeline *t)
{
    int height = y_of(t->threads) + FOOT;
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
        WIDTH, height, WIDTH, height, WIDTH, height);
    char title[512];
    snprintf(title, sizeof title, "%.40s: %.400s", t->game, t->strategy);
    draw_text(out, LEFT, 18, "start", title);
    for (int i = 0; i < t->threads; i++) {
        char name[32];
        snprintf(name, sizeof name, "thread %d", i);
        draw_text(out, LEFT - 8, y_of(i) + 12, "end", name);
        snprintf(name, sizeof name, "%.0f%% busy", 100 * t->busy[i]);
        draw_text(out, LEFT - 8, y_of(i) + 26, "end", name);
    }
    draw_slices(out, t);
    draw_marks(out, t);
    draw_axis(out, t);
    draw_legend(out, t);
    fputs("</svg>\n", out);
}

/* ---- The command --------------------------------------------------------------------------------------- */

static void print_summary(const struct timeline *t)
{
    size_t steals = 0, aborts = 0;
    for (size_t i = 0; i < t->mark_count; i++)
        *(t->marks[i].abort ? &aborts : &steals) += 1;
    printf("%s: %s\n%.3f ms, %zu slices, %zu steals, %zu aborts\n", t->game, t->strategy, t->length / 1000,
           t->slice_count, steals, aborts);
    for (int i = 0; i < t->threads; i++)
        printf("thread %d: busy %.1f%% of the time\n", i, 100 * t->busy[i]);
}

static json_t *summary_json(const struct timeline *t)
{
    size_t steals = 0, aborts = 0;
    for (size_t i = 0; i < t->mark_count; i++)
        *(t->marks[i].abort ? &aborts : &steals) += 1;
    json_t *busy = json_array();
    for (int i = 0; i < t->threads; i++)
        json_array_append_new(busy, json_real(t->busy[i]));
    return json_pack("{s:s, s:s, s:f, s:I, s:I, s:I, s:o}", "game", t->game, "strategy", t->strategy,
                     "seconds", t->length * 1e-6, "slices", (json_int_t)t->slice_count, "steals",
                     (json_int_t)steals, "aborts", (json_int_t)aborts, "busy", busy);
}

static int write_svg(const struct cli *cli, const struct timeline *t, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return cli_fail(cli, "--svg %.200s cannot be written, expected a file in an existing folder", path);
    draw(out, t);
    bool written = !ferror(out);
    if (fclose(out) != 0 || !written)
        return cli_fail(cli, "--svg %.200s could not be written", path);
    return 0;
}

static int run(const struct cli *cli)
{
    json_error_t why;
    json_t *file = json_load_file(cli->arguments[0], 0, &why);
    if (!file)
        return cli_fail(cli, "%.200s: %s, expected a file from `manyply search --trace`", cli->arguments[0],
                        why.text);
    struct timeline timeline;
    const char *svg = cli_option(cli, "svg");
    int code = 0;
    if (!read_timeline(&timeline, file)) {
        json_decref(file);
        return cli_fail(cli, "%.200s holds no timeline, expected a file from `manyply search --trace`",
                        cli->arguments[0]);
    }
    if (svg)
        code = write_svg(cli, &timeline, svg);
    if (code == 0 && cli->json)
        code = print_json(summary_json(&timeline));
    else if (code == 0)
        print_summary(&timeline);
    free(timeline.slices);
    free(timeline.marks);
    json_decref(file);
    return code;
}

static const struct cli_argument arguments[] = {
    {"FILE", "a timeline from `manyply search --trace FILE`", false}, {0}};
static const struct cli_option options[] = {{"svg", "FILE", "draw the timeline of each thread"}, {0}};

const struct cli_command command_trace = {
    .name = "trace",
    .summary = "draw what each thread did in a search",
    .details = "  manyply search othello --strategy pvs,depth=11,split=ybwc --trace out.json\n"
               "  manyply trace out.json --svg out.svg\n\n"
               "The same file opens in Perfetto (https://ui.perfetto.dev) and in chrome://tracing.\n",
    .arguments = arguments,
    .options = options,
    .run = run};

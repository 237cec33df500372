/* bench_print.c - the table, comparisons, plots, JSON and CSV of a benchmark. */
#include "lab/bench_print.h"

#include "lab/compare.h"
#include "lab/json_parts.h"
#include "lab/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- The table ------------------------------------------------------------------------------------- */

enum { NAME = 22, WIDE_NAME = 66 };
static const char *const kinds[] = {"sequential", "copies", "parallel", "simulated"};

static void large(double number, char *text, size_t size)
{
    static const char units[] = " kMGT";
    int unit = 0;
    for (; number >= 1000 && unit < 4; unit++)
        number /= 1000;
    snprintf(text, size, unit == 0 ? "%.0f" : number < 100 ? "%.1f%c" : "%.0f%c", number, units[unit]);
}

/* "pvs,eval=positional,hash=16, depth 11 to 13" */
static void print_heading(const struct bench *bench, const struct bench_row *row, FILE *out)
{
    fputs(row->strategy, out);
    if (row->depths) {
        int least = row->depths[0], most = row->depths[0];
        for (int i = 1; i < bench->position_count; i++) {
            least = row->depths[i] < least ? row->depths[i] : least;
            most = row->depths[i] > most ? row->depths[i] : most;
        }
        fprintf(out, ", depth %d", least);
        if (most > least)
            fprintf(out, " to %d", most);
    }
    fprintf(out, "\n%-*s %3s %7s %6s %8s %11s %8s %5s %6s %7s %6s\n", NAME, "", "thr", "seconds", "+-",
            "speed-up", "95%", "/ceiling", "eff.", "nodes", "nodes/s", "tasks");
}

/* A name that is too long has a line of its own. */
static void print_name(const char *name, int width, FILE *out)
{
    int length = (int)strlen(name);
    fprintf(out, length > width ? "%s\n%*s" : "%s%*s", name, length > width ? width : width - length, "");
}

static struct mp_times add_times(const struct bench *bench, const struct bench_row *row)
{
    struct mp_times sum = {0};
    for (int i = 0; i < bench->rounds * bench->position_count; i++) {
        const struct mp_times *times = &row->samples[i].times;
        sum.nodes += times->nodes;
        sum.steals += times->steals;
        sum.wakes += times->wakes;
        sum.locks += times->locks;
        sum.lines += times->lines;
        sum.waiting += times->waiting;
    }
    return sum;
}

static double all_times(const struct mp_times *t)
{
    double sum = t->nodes + t->steals + t->wakes + t->locks + t->lines + t->waiting;
    return sum > 0 ? sum : 1;
}

static void print_row(const struct bench *bench, const struct bench_row *row, FILE *out)
{
    char name[BENCH_TEXT], interval[32], rate[16], tasks[16], share[16] = "-";
    bench_row_name(row, name);
    large(row->nodes_per_second, rate, sizeof rate);
    large(row->tasks, tasks, sizeof tasks);
    snprintf(interval, sizeof interval, "%.2f-%.2f", row->speed_up.low, row->speed_up.high);
    if (row->kind == BENCH_PARALLEL)
        snprintf(share, sizeof share, "%.3f", row->share.middle);
    if (row->kind == BENCH_SIMULATED) {
        struct mp_times times = add_times(bench, row);
        snprintf(interval, sizeof interval, "%.0f%% busy", 100 * times.nodes / all_times(&times));
    }
    print_name(name, NAME, out);
    fprintf(out, " %3d %7.3g %5.1f%%", row->threads, row->seconds.middle, 100 * interval_reach(row->seconds));
    if (row->kind == BENCH_SEQUENTIAL)
        fprintf(out, " %8s %11s %8s %5s %6s %7s\n", "", "", "", "", "", rate);
    else
        fprintf(out, " %8.2f %11s %8s %5.2f %6.2f %7s %6s\n", row->speed_up.middle, interval, share,
                row->speed_up.middle / row->threads, row->nodes.middle, rate,
                row->kind == BENCH_COPIES ? "-" : tasks);
}

void bench_print_table(const struct bench *bench, FILE *out)
{
    for (int i = 0; i < bench->row_count; i++) {
        const struct bench_row *row = &bench->rows[i];
        if (i > 0 && row->kind == BENCH_SEQUENTIAL)
            fputc('\n', out);
        if (row->kind == BENCH_SEQUENTIAL)
            print_heading(bench, row, out);
        print_row(bench, row, out);
    }
}

/* ---- Comparisons ----------------------------------------------------------------------------------- */

/* Where depths were chosen, two searches may have got different ones. */
static bool same_depths(const struct bench *bench, const struct bench_row *a, const struct bench_row *b)
{
    const int *first = bench->rows[a->base].depths, *second = bench->rows[b->base].depths;
    return !first || !memcmp(first, second, (size_t)bench->position_count * sizeof *first);
}

/* The first row that a row may be compared with: of its kind, on as many threads, as deep; -1: there is
 * none. */
static int rival_of(const struct bench *bench, int index)
{
    const struct bench_row *row = &bench->rows[index];
    for (int i = 0; i < index && row->kind != BENCH_COPIES && row->kind != BENCH_SIMULATED; i++)
        if (bench->rows[i].kind == row->kind && bench->rows[i].threads == row->threads &&
            same_depths(bench, &bench->rows[i], row))
            return i;
    return -1;
}

void bench_print_comparisons(const struct bench *bench, FILE *out)
{
    bool any = false;
    for (int i = 0; i < bench->row_count; i++) {
        int rival = rival_of(bench, i);
        if (rival < 0)
            continue;
        struct comparison_result r = compare_rows(bench, rival, i);
        if (!any)
            fprintf(out, "\n%-*s thr   time      p\n", WIDE_NAME, "against the first on as many threads");
        any = true;
        char label[BENCH_TEXT];
        bench_label(bench->rows[i].strategy, bench->rows[i].asked, label);
        print_name(label, WIDE_NAME, out);
        fprintf(out, " %3d %6.3f %6.4f %s\n", bench->rows[i].threads, r.ratio, r.p,
                comparison_name(r.verdict));
    }
}

static json_t *comparisons_json(const struct bench *bench)
{
    json_t *list = json_array();
    for (int i = 0; i < bench->row_count; i++) {
        int rival = rival_of(bench, i);
        if (rival < 0)
            continue;
        struct comparison_result r = compare_rows(bench, rival, i);
        const struct bench_row *row = &bench->rows[i], *other = &bench->rows[rival];
        json_t *object = json_pack("{s:s, s:s, s:s, s:i, s:f, s:f, s:i, s:s}", "strategy", row->strategy,
                                   "against", other->strategy, "kind", kinds[row->kind], "threads",
                                   row->threads, "ratio", r.ratio, "p", r.p, "rounds", bench->rounds,
                                   "verdict", comparison_name(r.verdict));
        if (row->kind == BENCH_PARALLEL)
            json_object_update_new(
                object, json_pack("{s:s, s:s}", "asked", row->asked, "against_asked", other->asked));
        json_array_append_new(list, object);
    }
    return list;
}

/* ---- Plots ----------------------------------------------------------------------------------------- */

/* A curve has a point for the sequential search and one for each number of threads. */
enum { MOST_POINTS = BENCH_MOST_THREADS + 1 };

struct curves {
    char title[128], names[PLOT_MOST_SERIES][BENCH_TEXT];
    double x[PLOT_MOST_SERIES][MOST_POINTS], y[PLOT_MOST_SERIES][MOST_POINTS];
    double low[PLOT_MOST_SERIES][MOST_POINTS], high[PLOT_MOST_SERIES][MOST_POINTS];
    struct plot plot;
};

/* The curve of this name, which is begun at one thread where there is none; null: there is no room. */
static struct plot_series *find_curve(struct curves *c, const char *name, bool measured_alone)
{
    struct plot *plot = &c->plot;
    for (int i = 0; i < plot->series_count; i++)
        if (!strcmp(plot->series[i].name, name))
            return &plot->series[i];
    if (plot->series_count == PLOT_MOST_SERIES)
        return NULL;
    int i = plot->series_count++;
    snprintf(c->names[i], BENCH_TEXT, "%s", name);
    plot->series[i] = (struct plot_series){.name = c->names[i],
                                           .count = measured_alone ? 0 : 1,
                                           .x = c->x[i],
                                           .y = c->y[i],
                                           .low = c->low[i],
                                           .high = c->high[i]};
    c->x[i][0] = c->y[i][0] = c->low[i][0] = c->high[i][0] = 1;
    return &plot->series[i];
}

/* The curves of one sequential row; false: there are none. */
static bool make_curves(const struct bench *bench, int base, struct curves *c)
{
    *c = (struct curves){.plot = {.x_label = "threads", .y_label = "speed-up", .ideal = true}};
    snprintf(c->title, sizeof c->title, "%s: speed-up over %.*s on one thread", bench->game->name,
             (int)strcspn(bench->rows[base].strategy, ","), bench->rows[base].strategy);
    c->plot.title = c->title;
    int most_threads = 1;
    for (int i = base + 1; i < bench->row_count && bench->rows[i].base == base; i++) {
        const struct bench_row *row = &bench->rows[i];
        char name[BENCH_TEXT];
        bench_row_name(row, name);
        struct plot_series *curve = find_curve(c, name, row->threads == 1);
        if (!curve || curve->count == MOST_POINTS)
            continue;
        long index = curve - c->plot.series;
        int at = curve->count++;
        c->x[index][at] = row->threads;
        c->y[index][at] = row->speed_up.middle;
        c->low[index][at] = row->speed_up.low;
        c->high[index][at] = row->speed_up.high;
        curve->dashed = row->kind == BENCH_COPIES;
        most_threads = row->threads > most_threads ? row->threads : most_threads;
    }
    c->plot.log_x = c->plot.log_y = most_threads >= 8;
    return most_threads > 1;
}

void bench_print_plots(const struct bench *bench, FILE *out, int columns, bool unicode)
{
    struct curves *curves = malloc(sizeof *curves);
    for (int i = 0; curves && i < bench->row_count; i++)
        if (bench->rows[i].kind == BENCH_SEQUENTIAL && make_curves(bench, i, curves)) {
            fputc('\n', out);
            plot_print(&curves->plot, out, columns, unicode);
        }
    free(curves);
}

static bool cannot_write(const char *path, struct mp_error *error)
{
    return mp_fail(error, "%.300s cannot be written: %s", path, strerror(errno));
}

bool bench_write_svg(const struct bench *bench, const char *directory, struct mp_error *error)
{
    struct curves *curves = malloc(sizeof *curves);
    bool ok = curves || mp_fail(error, "out of memory for a plot");
    if (ok && mkdir(directory, 0777) != 0 && errno != EEXIST)
        ok = cannot_write(directory, error);
    for (int i = 0, number = 1; ok && i < bench->row_count; i++) {
        if (bench->rows[i].kind != BENCH_SEQUENTIAL || !make_curves(bench, i, curves))
            continue;
        char path[512];
        snprintf(path, sizeof path, "%.300s/%s-%d-%.*s.svg", directory, bench->game->name, number++,
                 (int)strcspn(bench->rows[i].strategy, ","), bench->rows[i].strategy);
        FILE *file = fopen(path, "w");
        if (file)
            plot_svg(&curves->plot, file);
        if (!file || fclose(file) != 0)
            ok = cannot_write(path, error);
    }
    free(curves);
    return ok;
}

/* ---- JSON and CSV ---------------------------------------------------------------------------------- */

static json_t *interval_json(struct interval i)
{
    return json_pack("{s:f, s:f, s:f}", "median", i.middle, "low", i.low, "high", i.high);
}

enum sample_field { SECONDS, NODES, CPU_SECONDS };

/* A list for each round, with a number for each position. */
static json_t *samples_json(const struct bench *bench, const struct bench_row *row, enum sample_field field)
{
    json_t *rounds = json_array();
    for (int round = 0; round < bench->rounds; round++) {
        json_t *list = json_array();
        for (int i = 0; i < bench->position_count; i++) {
            const struct bench_sample *sample = &row->samples[round * bench->position_count + i];
            json_array_append_new(list, field == NODES     ? json_integer((json_int_t)sample->nodes)
                                        : field == SECONDS ? json_real(sample->seconds)
                                                           : json_real(sample->cpu_seconds));
        }
        json_array_append_new(rounds, list);
    }
    return rounds;
}

static json_t *row_json(const struct bench *bench, const struct bench_row *row)
{
    json_t *object = json_pack("{s:s, s:s, s:i, s:o, s:f, s:f}", "strategy", row->strategy, "kind",
                               kinds[row->kind], "threads", row->threads, "seconds",
                               interval_json(row->seconds), "nodes_per_second", row->nodes_per_second,
                               "tasks", row->tasks);
    if (row->kind != BENCH_SEQUENTIAL)
        json_object_update_new(object,
                               json_pack("{s:s, s:o, s:f, s:o, s:o}", "base", bench->rows[row->base].strategy,
                                         "speed_up", interval_json(row->speed_up), "efficiency",
                                         row->speed_up.middle / row->threads, "nodes_ratio",
                                         interval_json(row->nodes), "rate_ratio", interval_json(row->rate)));
    if (row->kind == BENCH_PARALLEL)
        json_object_update_new(object, json_pack("{s:s, s:o, s:o}", "asked", row->asked, "share_of_ceiling",
                                                 interval_json(row->share), "rate_share_of_ceiling",
                                                 interval_json(row->rate_share)));
    if (row->depths) {
        json_t *depths = json_array();
        for (int i = 0; i < bench->position_count; i++)
            json_array_append_new(depths, json_integer(row->depths[i]));
        json_object_set_new(object, "depths", depths);
    }
    if (row->kind == BENCH_SIMULATED) {
        struct mp_times times = add_times(bench, row);
        double all = all_times(&times);
        json_object_update_new(object,
                               json_pack("{s:s, s:{s:f, s:f, s:f, s:f, s:f, s:f}}", "asked", row->asked,
                                         "shares", "nodes", times.nodes / all, "steals", times.steals / all,
                                         "wakes", times.wakes / all, "locks", times.locks / all, "lines",
                                         times.lines / all, "waiting", times.waiting / all));
    }
    json_t *samples = json_pack("{s:o, s:o}", "seconds", samples_json(bench, row, SECONDS), "nodes",
                                samples_json(bench, row, NODES));
    if (row->kind == BENCH_SEQUENTIAL)
        json_object_set_new(samples, "cpu_seconds", samples_json(bench, row, CPU_SECONDS));
    json_object_set_new(object, "samples", samples);
    return object;
}

json_t *bench_json(const struct bench *bench, json_t *machine)
{
    json_t *positions = json_array(), *rows = json_array();
    for (int i = 0; i < bench->position_count; i++)
        json_array_append_new(positions, json_position(bench->game, bench->positions[i]));
    for (int i = 0; i < bench->row_count; i++)
        json_array_append_new(rows, row_json(bench, &bench->rows[i]));
    return json_pack("{s:s, s:o, s:i, s:f, s:o, s:o, s:o}", "game", bench->game->name, "machine", machine,
                     "rounds", bench->rounds, "seconds", bench->elapsed, "positions", positions, "rows", rows,
                     "comparisons", comparisons_json(bench));
}

static void write_samples(const struct bench *bench, const struct bench_row *row, FILE *file)
{
    for (int i = 0; i < bench->rounds * bench->position_count; i++)
        fprintf(file, "\"%s\",%s,%d,%d,%d,%.9f,%.0f,%.0f,\"%s\"\n", row->strategy, kinds[row->kind],
                row->threads, i % bench->position_count + 1, i / bench->position_count + 1,
                row->samples[i].seconds, row->samples[i].nodes, row->samples[i].tasks, row->asked);
}

bool bench_write_csv(const struct bench *bench, const json_t *machine, const char *path,
                     struct mp_error *error)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return cannot_write(path, error);
    const char *key;
    json_t *value;
    fprintf(file, "# game: %s\n", bench->game->name);
    json_object_foreach((json_t *)machine, key, value)
    {
        fprintf(file, "# %s: ", key);
        json_dumpf(value, file, JSON_ENCODE_ANY | JSON_REAL_PRECISION(4));
        fputc('\n', file);
    }
    fprintf(file, "strategy,kind,threads,position,round,seconds,nodes,tasks,asked\n");
    for (int i = 0; i < bench->row_count; i++)
        write_samples(bench, &bench->rows[i], file);
    return fclose(file) == 0 || cannot_write(path, error);
}

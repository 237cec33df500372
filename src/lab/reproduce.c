/* reproduce.c - what the reproductions of all reports share. */
#include "lab/reproduce.h"

#include "lab/statistics.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct report reports[] = {
    {"pm", "parallel min-max chess", reproduce_pm},
    {"halma", "Halma with chunked parallelism", reproduce_halma},
    {0},
};

/* Breaks lines between words, so that none is longer than this where it can be helped. */
enum { LINE = 98 };

static void print_wrapped(const char *text, FILE *out)
{
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (column > 0 && column + 1 + length > LINE) {
            fputc('\n', out);
            column = 0;
        }
        column += fprintf(out, "%s%.*s", column > 0 && length > 0 ? " " : "", length, text);
        text += length;
        if (*text == '\n') {
            fputc('\n', out);
            column = 0;
        }
        text += *text != 0;
    }
}

void reproduction_text(struct reproduction *r, const char *format, ...)
{
    char text[4096];
    if (!r->out)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_wrapped(text, r->out);
    fflush(r->out);
}

bool reproduction_table(struct reproduction *r, const char *title, struct table *table)
{
    bool ok = !table->failed || mp_fail(r->error, "out of memory for a table");
    progress_end(&r->progress);
    if (ok && r->out) {
        fprintf(r->out, "\n%s\n\n", title);
        table_print(table, r->out);
        fflush(r->out);
    }
    if (ok && r->tables)
        json_array_append_new(r->tables, json_pack("{s:s, s:s, s:o}", "report", r->name, "title", title,
                                                   "rows", table_json(table)));
    table_end(table);
    return ok;
}

void reproduction_plot(struct reproduction *r, const struct plot *plot)
{
    enum { COLUMNS = 80 };
    if (!r->out)
        return;
    fprintf(r->out, "\n```\n");
    plot_print(plot, r->out, COLUMNS, r->unicode);
    fprintf(r->out, "```\n");
    fflush(r->out);
}

void reproduction_progress(struct reproduction *r, double share)
{
    progress_show(&r->progress, r->name, share);
}

void reproduction_seconds(double seconds, char *text, size_t size)
{
    snprintf(text, size, seconds < 0.0995 ? "%.4f" : seconds < 9.995 ? "%.2f" : "%.1f", seconds);
}

/* ---- Searches that are timed ----------------------------------------------------------------------------
 */

static bool run_trial(struct trial *trial, struct mp_error *error)
{
    struct mp_position *position = mp_position_new(trial->game, trial->position, error);
    struct mp_search *search = position ? mp_search_new(trial->game, trial->strategy, error) : NULL;
    bool ok = search && mp_search_run(search, position, NULL, NULL, &trial->result, error);
    mp_search_free(search);
    mp_position_free(position);
    return ok;
}

bool reproduction_time(struct reproduction *r, struct trial *trials, int count, int rounds, double from,
                       double to)
{
    double *seconds = calloc((size_t)(count * rounds), sizeof *seconds);
    if (!seconds)
        return mp_fail(r->error, "out of memory for %d searches", count);
    bool ok = true;
    for (int i = 0; ok && i < count * rounds; i++) {
        struct trial *trial = &trials[i % count];
        reproduction_progress(r, from + (to - from) * i / (count * rounds));
        ok = run_trial(trial, r->error);
        seconds[i % count * rounds + i / count] = trial->result.seconds;
    }
    for (int i = 0; ok && i < count; i++)
        trials[i].seconds = statistics_median(seconds + i * rounds, rounds);
    free(seconds);
    return ok;
}

/* measure.c - checks a request to measure, runs it as a benchmark, and publishes each round. */
#include "server/measure.h"

#include "base/clock.h"
#include "lab/bench.h"
#include "lab/bench_print.h"

#include <string.h>

enum { MOST_SECONDS = 600, SHOW_MS = 100 };

/* What one sequential search takes at least: enough to be measured, little enough to see the curve grow. */
static const double search_seconds = 0.1;

static bool are_texts(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        if (!json_is_string(item))
            return false;
    }
    return json_array_size(list) >= 1 && json_array_size(list) <= BENCH_MOST_STRATEGIES;
}

static bool are_threads(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        if (json_integer_value(item) < 1 || json_integer_value(item) > MP_MAX_THREADS)
            return false;
    }
    return json_array_size(list) >= 1 && json_array_size(list) <= BENCH_MOST_THREADS;
}

json_t *measure_plan(const json_t *request, struct mp_error *error)
{
    json_t *strategies = json_object_get(request, "strategies"),
           *threads = json_object_get(request, "threads");
    double seconds = json_number_value(json_object_get(request, "seconds"));
    if (!are_texts(strategies))
        mp_fail(error, "lab: expected \"strategies\", a list of 1 to %d strings", BENCH_MOST_STRATEGIES);
    else if (!are_threads(threads))
        mp_fail(error, "lab: expected \"threads\", a list of 1 to %d numbers from 1 to %d",
                BENCH_MOST_THREADS, MP_MAX_THREADS);
    else if (seconds < 1 || seconds > MOST_SECONDS)
        mp_fail(error, "lab: expected \"seconds\", from 1 to %d", MOST_SECONDS);
    else
        return json_pack("{s:O, s:O, s:f}", "strategies", strategies, "threads", threads, "seconds", seconds);
    return NULL;
}

struct measurement {
    bool (*show)(void *context, json_t *news);
    void *context;
    json_t *table; /* of the rounds so far; null: none */
    int64_t shown_ns;
};

/* The news: how far it is, and the table so far. */
static json_t *news(const struct measurement *m, bool running, const char *doing, double share)
{
    return json_pack("{s:b, s:s, s:f, s:O?}", "running", running, "doing", doing, "share", share, "table",
                     m->table);
}

static bool show_progress(const char *doing, double share, void *context)
{
    struct measurement *m = context;
    if (clock_seconds_since(m->shown_ns) * 1000 < SHOW_MS)
        return true;
    m->shown_ns = clock_ns();
    return m->show(m->context, news(m, true, doing, share));
}

/* The samples stay here: the page shows the intervals. */
static void take_round(const struct bench *so_far, void *context)
{
    struct measurement *m = context;
    size_t i;
    json_t *row;
    json_decref(m->table);
    m->table = bench_json(so_far, json_null());
    json_array_foreach(json_object_get(m->table, "rows"), i, row) json_object_del(row, "samples");
}

void measure_run(const struct mp_game *game, struct mp_position *position, const json_t *request,
                 struct bench_stop *stop, bool (*show)(void *context, json_t *news), void *context)
{
    struct measurement m = {.show = show, .context = context};
    const json_t *strategies = json_object_get(request, "strategies"),
                 *threads = json_object_get(request, "threads");
    struct bench_plan plan = {
        .game = game,
        .strategy_count = (int)json_array_size(strategies),
        .thread_count = (int)json_array_size(threads),
        .positions = &position,
        .position_count = 1,
        .at_least = search_seconds,
        .seconds = json_number_value(json_object_get(request, "seconds")),
        .progress = show_progress,
        .round = take_round,
        .context = &m,
        .stop = stop,
    };
    struct mp_error error = {.text = "done"};
    bool ok = true, is_open;
    for (int i = 0; ok && i < plan.strategy_count; i++) {
        plan.strategies[i] = json_string_value(json_array_get(strategies, (size_t)i));
        ok = bench_is_open(game, plan.strategies[i], &is_open, &error);
        if (ok && !is_open)
            plan.at_least = 0;
    }
    for (int i = 0; i < plan.thread_count; i++)
        plan.threads[i] = (int)json_integer_value(json_array_get(threads, (size_t)i));
    struct bench *bench = ok ? bench_run(&plan, &error) : NULL;
    show(context, news(&m, false, error.text, 1));
    bench_free(bench);
    json_decref(m.table);
}

/* measure.c - checks a request to measure, runs it as a benchmark, and publishes each round. */
#include "server/measure.h"

#include "base/clock.h"
#include "lab/bench.h"
#include "lab/bench_print.h"
#include "server/session_inner.h"

#include <stdlib.h>
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

/* How many searches by this strategy run at once when the machine's ceiling is measured, each with a table. */
static int copies_of(const struct mp_game *game, const char *text, const struct bench_plan *plan)
{
    char scheme[32];
    int copies = 1;
    struct mp_strategy *s = mp_strategy_new(game, text, NULL);
    if (s && mp_strategy_get(s, "split", scheme, sizeof scheme) && strcmp(scheme, "none") != 0) {
        const char *threads = mp_strategy_given(s, "threads");
        for (int i = 0; !threads && i < plan->thread_count; i++)
            copies = plan->threads[i] > copies ? plan->threads[i] : copies;
        copies = threads ? atoi(threads) : copies;
    }
    mp_strategy_free(s);
    return copies;
}

/* The strategies as they are run, and in *megabytes what the largest of their searches may use; tables whose size is
 * left open share half of all memory. False: see error. */
static bool fit_strategies(const struct search_limit *limit, struct bench_plan *plan,
                           char texts[][FITTED_ROOM], int *megabytes, struct mp_error *error)
{
    *megabytes = 0;
    for (int i = 0; i < plan->strategy_count; i++) {
        int copies = copies_of(plan->game, plan->strategies[i], plan);
        int share = search_limit_megabytes(limit) / 2 / copies;
        if (snprintf(texts[i], FITTED_ROOM, "%s", plan->strategies[i]) >= BENCH_TEXT)
            return mp_fail(error, "strategy '%.40s...' is too long, expected at most %d characters",
                           plan->strategies[i], BENCH_TEXT - 1);
        int each = session_fit_strategy(plan->game, texts[i], FITTED_ROOM, share ? share : 1, error);
        if (each < 0)
            return false;
        plan->strategies[i] = texts[i];
        *megabytes = each * copies > *megabytes ? each * copies : *megabytes;
    }
    return true;
}

void measure_run(const struct mp_game *game, struct mp_position *position, const json_t *request,
                 struct search_limit *limit, struct bench_stop *stop,
                 bool (*show)(void *context, json_t *news), void *context)
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
    char texts[BENCH_MOST_STRATEGIES][FITTED_ROOM];
    int megabytes;
    for (int i = 0; ok && i < plan.strategy_count; i++) {
        plan.strategies[i] = json_string_value(json_array_get(strategies, (size_t)i));
        ok = bench_is_open(game, plan.strategies[i], &is_open, &error);
        if (ok && !is_open)
            plan.at_least = 0;
    }
    for (int i = 0; i < plan.thread_count; i++)
        plan.threads[i] = (int)json_integer_value(json_array_get(threads, (size_t)i));
    ok = ok && fit_strategies(limit, &plan, texts, &megabytes, &error) &&
         search_limit_take(limit, megabytes, "the measurement", &error);
    struct bench *bench = ok ? bench_run(&plan, &error) : NULL;
    if (ok)
        search_limit_give(limit, megabytes);
    show(context, news(&m, false, error.text, 1));
    bench_free(bench);
    json_decref(m.table);
}

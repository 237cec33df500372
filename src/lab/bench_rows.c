/* bench_rows.c - what a benchmark runs: contestants by threads, their sequential searches and copies of those. */
#include "lab/bench_inner.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- Strategies as text ---------------------------------------------------------------------------- */

bool bench_change_key(const struct mp_game *game, char strategy[BENCH_TEXT], const char *key,
                      const char *value, struct mp_error *error)
{
    struct mp_strategy *s = mp_strategy_new(game, strategy, error);
    bool ok = s && mp_strategy_set(s, key, value, error);
    if (ok)
        mp_strategy_asked(s, strategy, BENCH_TEXT); /* and no default, which would be given then */
    mp_strategy_free(s);
    return ok;
}

bool bench_set_number(const struct mp_game *game, char strategy[BENCH_TEXT], const char *key, int number,
                      struct mp_error *error)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    return bench_change_key(game, strategy, key, text, error);
}

bool bench_set_costs(const struct bench *bench, char strategy[BENCH_TEXT], double node_ns,
                     struct mp_error *error)
{
    char text[128];
    struct costs costs = bench->costs;
    costs.node = node_ns > 0 ? node_ns : costs_typical.node;
    costs_print(&costs, text, sizeof text);
    return bench_change_key(bench->game, strategy, "simulate", text, error);
}

bool bench_is_open(const struct mp_game *game, const char *strategy, bool *is_open, struct mp_error *error)
{
    struct mp_strategy *s = mp_strategy_new(game, strategy, error);
    *is_open = s && mp_strategy_has(s, "depth") && !mp_strategy_is_limited(s);
    mp_strategy_free(s);
    return s;
}

/* Where ",key=" begins in a text, or null. */
static char *find_key(const char *strategy, const char *key)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, ",%s=", key);
    return strstr(strategy, wanted);
}

void bench_drop_key(char *strategy, const char *key)
{
    char *at = find_key(strategy, key);
    if (at) {
        size_t length = 1 + strcspn(at + 1, ",");
        memmove(at, at + length, strlen(at + length) + 1);
    }
}

/* Where the value of a key begins, or null. */
static char *find_value(const char *strategy, const char *key)
{
    char *at = find_key(strategy, key);
    return at ? at + strlen(",=") + strlen(key) : NULL;
}

void bench_label(const char *strategy, const char *asked, char label[BENCH_TEXT])
{
    static const char automatic[] = "auto";
    const char *wish = find_value(asked, "split"), *scheme = find_value(strategy, "split");
    size_t length = wish ? strcspn(wish, ",") : 0;
    if (!scheme || length != strlen(automatic) || strncmp(wish, automatic, length) != 0) {
        snprintf(label, BENCH_TEXT, "%s", strategy);
        return;
    }
    int before = (int)(scheme - strategy), name = (int)strcspn(scheme, ",");
    snprintf(label, BENCH_TEXT, "%.*s%s (%.*s)%s", before, strategy, automatic, name, scheme, scheme + name);
}

void bench_row_name(const struct bench_row *row, char name[BENCH_TEXT])
{
    char label[BENCH_TEXT];
    bench_label(row->strategy, row->asked, label);
    const char *split = find_key(label, "split");
    snprintf(name, BENCH_TEXT, "%s",
             row->kind == BENCH_COPIES ? "copies at once"
             : split                   ? split + 1
                                       : "sequential");
    bench_drop_key(name, "threads");
    bench_drop_key(name, "simulate");
    if (row->kind == BENCH_SIMULATED)
        text_append(name, BENCH_TEXT, " simulated");
}

/* ---- Rows ------------------------------------------------------------------------------------------ */

/* A strategy with all its keys, and how many threads it asks for itself (0: it does not say). */
struct contestant {
    char strategy[BENCH_TEXT], sequential[BENCH_TEXT];
    const char *given;
    bool splits;
    int threads;
};

static bool read_contestant(const struct mp_game *game, const char *given, struct contestant *contestant,
                            struct mp_error *error)
{
    struct mp_strategy *s = mp_strategy_new(game, given, error);
    if (!s)
        return false;
    char scheme[32];
    const char *threads = mp_strategy_given(s, "threads");
    contestant->given = given;
    contestant->threads = threads ? atoi(threads) : 0;
    snprintf(contestant->strategy, BENCH_TEXT, "%s", mp_strategy_text(s));
    contestant->splits = mp_strategy_get(s, "split", scheme, sizeof scheme) && strcmp(scheme, "none") != 0;
    bool ok = !contestant->splits || mp_strategy_set(s, "split", NULL, NULL) ||
              mp_fail(
                  error,
                  "%.100s is the name of a report's strategy, expected its keys with split=, which tell the "
                  "search without split",
                  given);
    snprintf(contestant->sequential, BENCH_TEXT, "%s", mp_strategy_text(s));
    mp_strategy_free(s);
    return ok;
}

static int add_row(struct bench *bench, enum bench_kind kind, int threads, int base, int ceiling,
                   const char strategy[BENCH_TEXT])
{
    struct bench_row *row = &bench->rows[bench->row_count];
    *row = (struct bench_row){.kind = kind, .threads = threads, .base = base, .ceiling = ceiling};
    memcpy(row->strategy, strategy, BENCH_TEXT);
    if (kind == BENCH_PARALLEL || kind == BENCH_SIMULATED)
        bench_set_number(bench->game, row->strategy, "threads", threads, NULL);
    if (kind == BENCH_SIMULATED)
        bench_set_costs(bench, row->strategy, bench->costs.node, NULL);
    return bench->row_count++;
}

/* The row of the copies on this many threads, or -1. */
static int ceiling_of(const struct bench *bench, int base, int threads)
{
    for (int i = base; i < bench->row_count; i++)
        if (bench->rows[i].kind == BENCH_COPIES && bench->rows[i].threads == threads)
            return i;
    return -1;
}

static void add_parallel(struct bench *bench, const struct contestant *contestant, enum bench_kind kind,
                         int threads, int base)
{
    int ceiling = kind == BENCH_PARALLEL ? ceiling_of(bench, base, threads) : -1;
    int row = add_row(bench, kind, threads, base, ceiling, contestant->strategy);
    snprintf(bench->rows[row].asked, BENCH_TEXT, "%s", contestant->given);
}

/* The threads of a contestant, the j-th number of them; 0: there are no more. */
static int threads_of(const struct contestant *contestant, const struct bench_plan *plan, int j)
{
    int own = contestant->threads && (plan->thread_count || !plan->simulated_count);
    if (!contestant->splits || j >= (own ? 1 : plan->thread_count))
        return 0;
    return own ? contestant->threads : plan->threads[j];
}

/* The sequential search of contestant `first`, its copies, and all contestants that share it. */
static void add_group(struct bench *bench, const struct bench_plan *plan, const struct contestant *list,
                      int first)
{
    const char *sequential = list[first].sequential;
    int base = add_row(bench, BENCH_SEQUENTIAL, 1, bench->row_count, -1, sequential), threads;
    for (int i = first; i < plan->strategy_count; i++)
        for (int j = 0; !strcmp(list[i].sequential, sequential) && (threads = threads_of(&list[i], plan, j));
             j++)
            if (threads > 1 && ceiling_of(bench, base, threads) < 0)
                add_row(bench, BENCH_COPIES, threads, base, -1, sequential);
    for (int i = first; i < plan->strategy_count; i++)
        for (int j = 0; !strcmp(list[i].sequential, sequential) && (threads = threads_of(&list[i], plan, j));
             j++)
            add_parallel(bench, &list[i], BENCH_PARALLEL, threads, base);
    for (int i = first; i < plan->strategy_count; i++)
        for (int j = 0;
             !strcmp(list[i].sequential, sequential) && list[i].splits && j < plan->simulated_count; j++)
            add_parallel(bench, &list[i], BENCH_SIMULATED, plan->simulated[j], base);
}

/* Has an earlier contestant the same sequential search, and (alone) nothing else? */
static bool is_said_before(const struct contestant *list, int index, bool alone)
{
    for (int i = 0; i < index; i++)
        if (!strcmp(list[i].sequential, list[index].sequential) && !(alone && list[i].splits))
            return true;
    return false;
}

bool bench_make_rows(struct bench *bench, const struct bench_plan *plan, struct mp_error *error)
{
    struct contestant list[BENCH_MOST_STRATEGIES];
    int most = plan->strategy_count * (2 * plan->thread_count + plan->simulated_count + 3);
    bench->rows = calloc((size_t)most, sizeof *bench->rows);
    if (!bench->rows)
        return mp_fail(error, "out of memory for a benchmark");
    for (int i = 0; i < plan->strategy_count; i++)
        if (!read_contestant(plan->game, plan->strategies[i], &list[i], error))
            return false;
    for (int i = 0; i < plan->strategy_count; i++) {
        if (!is_said_before(list, i, false))
            add_group(bench, plan, list, i);
        else if (!list[i].splits && is_said_before(list, i, true)) /* to be compared with itself */
            add_row(bench, BENCH_SEQUENTIAL, 1, bench->row_count, -1, list[i].sequential);
    }
    return true;
}

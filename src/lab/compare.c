/* compare.c - compares the times of two strategies, or of two benchmark files, row by row. */
#include "lab/compare.h"

#include "lab/statistics.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *comparison_name(enum comparison verdict)
{
    static const char *const names[] = {"no difference", "faster", "slower", "too few rounds"};
    return names[verdict];
}

static const struct comparison_result no_comparison = {.verdict = TOO_FEW, .ratio = NAN, .p = NAN};

struct comparison_result compare_times(const double *first, const double *second, int rounds, int positions)
{
    struct comparison_result result = no_comparison;
    int count = rounds * positions;
    double *differences = count > 0 ? malloc((size_t)count * sizeof *differences) : NULL;
    if (!differences)
        return result;
    for (int i = 0; i < count; i++)
        differences[i] = log(second[i] / first[i]);
    struct sign_test test = statistics_sign_test(differences, rounds, positions);
    free(differences);
    result.ratio = exp(test.middle);
    result.p = test.p;
    if (rounds >= COMPARE_LEAST_ROUNDS)
        result.verdict = !(test.p < COMPARE_LEVEL) || fabs(test.middle) < log(1 + COMPARE_LEAST) ? SAME
                         : test.middle > 0                                                       ? SLOWER
                                                                                                 : FASTER;
    return result;
}

struct comparison_result compare_rows(const struct bench *bench, int first, int second)
{
    const struct bench_row *rows[2] = {&bench->rows[first], &bench->rows[second]};
    bool alone = rows[0]->kind == BENCH_SEQUENTIAL && rows[1]->kind == BENCH_SEQUENTIAL;
    int count = bench->rounds * bench->position_count;
    double *times = malloc(2 * (size_t)count * sizeof *times);
    if (!times)
        return no_comparison;
    for (int i = 0; i < 2 * count; i++) {
        const struct bench_sample *sample = &rows[i / count]->samples[i % count];
        times[i] = alone ? sample->cpu_seconds : sample->seconds;
    }
    struct comparison_result result = compare_times(times, times + count, bench->rounds,
                                                    bench->position_count);
    free(times);
    return result;
}

/* ---- Files ----------------------------------------------------------------------------------------- */

static bool is_bench(const json_t *bench)
{
    return json_is_string(json_object_get(bench, "game")) &&
           json_is_array(json_object_get(bench, "positions")) &&
           json_is_array(json_object_get(bench, "rows"));
}

static bool same(const json_t *a, const json_t *b, const char *key)
{
    const json_t *first = json_object_get(a, key), *second = json_object_get(b, key);
    return (!first && !second) || json_equal(first, second);
}

/* The row that ran the same. Of several, because split=auto chose what was asked for besides, the one that
 * was asked for in the same words. */
static const json_t *find_partner(const json_t *row, const json_t *rows)
{
    const json_t *partner = NULL;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *other = json_array_get(rows, i);
        if (!(same(row, other, "strategy") && same(row, other, "kind") && same(row, other, "threads") &&
              same(row, other, "depths")))
            continue;
        if (same(row, other, "asked"))
            return other;
        partner = partner ? partner : other;
    }
    return partner;
}

/* A process has its luck with memory from beginning to end: of several runs each counts as one round, the
 * medians of its own. */
static bool reduce_to_medians(json_t *rounds)
{
    size_t count = json_array_size(rounds), positions = json_array_size(json_array_get(rounds, 0));
    double *list = malloc((count + 1) * sizeof *list);
    json_t *medians = json_array();
    for (size_t p = 0; list && p < positions; p++) {
        for (size_t r = 0; r < count; r++)
            list[r] = json_number_value(json_array_get(json_array_get(rounds, r), p));
        json_array_append_new(medians, json_real(statistics_median(list, (int)count)));
    }
    free(list);
    return json_array_clear(rounds) == 0 && json_array_append_new(rounds, medians) == 0;
}

static bool reduce_run(const json_t *run)
{
    const json_t *rows = json_object_get(run, "rows");
    const char *name;
    json_t *rounds;
    bool ok = true;
    for (size_t i = 0; i < json_array_size(rows); i++)
        json_object_foreach(json_object_get(json_array_get(rows, i), "samples"), name, rounds)
        {
            ok = ok && reduce_to_medians(rounds);
        }
    return ok;
}

/* Adds the samples of another run of the same benchmark. */
static bool extend(const json_t *bench, const json_t *more)
{
    const json_t *rows = json_object_get(bench, "rows"), *more_rows = json_object_get(more, "rows");
    bool ok = same(bench, more, "game") && same(bench, more, "positions");
    for (size_t i = 0; ok && i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i), *other = find_partner(row, more_rows);
        const json_t *other_samples = json_object_get(other, "samples");
        const char *name;
        json_t *rounds;
        json_object_foreach(json_object_get(row, "samples"), name, rounds)
        {
            ok = ok && json_array_extend(rounds, json_object_get(other_samples, name)) == 0;
        }
    }
    return ok;
}

static bool is_at_end(FILE *file)
{
    int c = getc(file);
    while (isspace(c))
        c = getc(file);
    return ungetc(c, file) == EOF;
}

/* A file holds the output of one run or of several, one after another. */
static json_t *load(const char *path, struct mp_error *error)
{
    json_error_t reason = {.text = ""};
    FILE *file = fopen(path, "r");
    json_t *bench = NULL;
    int runs = 1;
    bool ok = file || mp_fail(error, "%.200s cannot be read: %s", path, strerror(errno));
    while (ok && !(bench && is_at_end(file))) {
        json_t *run = json_loadf(file, JSON_DISABLE_EOF_CHECK, &reason);
        if (!run)
            ok = mp_fail(error, "%.200s: %s, expected the output of `manyply bench --json`", path,
                         reason.text);
        else if (!is_bench(run))
            ok = mp_fail(
                error, "%.200s lacks game, positions or rows, expected the output of `manyply bench --json`",
                path);
        else if (!bench)
            bench = json_incref(run);
        else if ((runs++ == 1 && !reduce_run(bench)) || !reduce_run(run) || !extend(bench, run))
            ok = mp_fail(error, "%.200s holds runs that differ, expected the same command each time", path);
        json_decref(run);
    }
    if (file)
        fclose(file);
    if (ok)
        return bench;
    json_decref(bench);
    return NULL;
}

/* times[round * positions + position] of a row, on the heap; null: it is not as it should be. Where one
 * thread is concerned CPU time, because then other programs count less. */
static double *times_of(const json_t *row, size_t *rounds, size_t positions)
{
    const json_t *samples = json_object_get(row, "samples");
    const json_t *cpu = json_object_get(samples, "cpu_seconds");
    const json_t *seconds = cpu ? cpu : json_object_get(samples, "seconds");
    *rounds = json_array_size(seconds);
    double *times = calloc(*rounds * positions + 1, sizeof *times);
    bool ok = times && *rounds > 0;
    for (size_t i = 0; ok && i < *rounds * positions; i++) {
        times[i] = json_number_value(json_array_get(json_array_get(seconds, i / positions), i % positions));
        ok = times[i] > 0;
    }
    if (ok)
        return times;
    free(times);
    return NULL;
}

static bool add_comparison(const json_t *row, const json_t *other, size_t positions, json_t *list,
                           struct mp_error *error)
{
    size_t rounds[2];
    double *times[2] = {times_of(row, &rounds[0], positions), times_of(other, &rounds[1], positions)};
    bool ok = times[0] && times[1];
    if (ok) {
        int both = (int)(rounds[0] < rounds[1] ? rounds[0] : rounds[1]);
        struct comparison_result r = compare_times(times[0], times[1], both, (int)positions);
        json_t *result = json_pack("{s:O, s:O, s:O, s:f, s:f, s:i, s:s}", "strategy",
                                   json_object_get(row, "strategy"), "kind", json_object_get(row, "kind"),
                                   "threads", json_object_get(row, "threads"), "ratio", r.ratio, "p", r.p,
                                   "rounds", both, "verdict", comparison_name(r.verdict));
        if (json_object_get(row, "asked"))
            json_object_set(result, "asked", json_object_get(row, "asked"));
        json_array_append_new(list, result);
    }
    free(times[0]);
    free(times[1]);
    return ok || mp_fail(error, "a row has no samples.seconds of positive numbers");
}

bool compare_files(const char *first, const char *second, json_t *list, struct mp_error *error)
{
    json_t *a = load(first, error), *b = a ? load(second, error) : NULL;
    bool ok = a && b;
    if (ok && !(same(a, b, "game") && same(a, b, "positions")))
        ok = mp_fail(error, "the benchmarks have different games or positions, expected the same command");
    const json_t *rows = json_object_get(a, "rows");
    size_t positions = json_array_size(json_object_get(a, "positions"));
    for (size_t i = 0; ok && i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i), *other = find_partner(row, json_object_get(b, "rows"));
        ok = !other || add_comparison(row, other, positions, list, error);
    }
    if (ok && json_array_size(list) == 0)
        ok = mp_fail(error, "the benchmarks have no strategy, threads and depths in common");
    json_decref(a);
    json_decref(b);
    return ok;
}

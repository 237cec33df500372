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

static double median_of(const double *samples, int count)
{
    double *copy = malloc((size_t)count * sizeof *copy);
    if (!copy)
        return NAN;
    memcpy(copy, samples, (size_t)count * sizeof *copy);
    double median = statistics_median(copy, count);
    free(copy);
    return median;
}

struct comparison_result compare_times(const double *first, int first_count, const double *second,
                                       int second_count)
{
    struct comparison_result result = {.ratio = median_of(second, second_count) /
                                                median_of(first, first_count),
                                       .p = statistics_rank_sum(first, first_count, second, second_count)};
    if (first_count < COMPARE_LEAST_ROUNDS || second_count < COMPARE_LEAST_ROUNDS)
        result.verdict = TOO_FEW;
    else if (!(result.p < COMPARE_LEVEL) || fabs(log(result.ratio)) < log(1 + COMPARE_LEAST))
        result.verdict = SAME;
    else
        result.verdict = result.ratio > 1 ? SLOWER : FASTER;
    return result;
}

/* ---- Files ----------------------------------------------------------------------------------------------
 */

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

static const json_t *find_partner(const json_t *row, const json_t *rows)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *other = json_array_get(rows, i);
        if (same(row, other, "strategy") && same(row, other, "kind") && same(row, other, "threads") &&
            same(row, other, "depths"))
            return other;
    }
    return NULL;
}

/* Adds the samples of another run of the same benchmark. */
static bool extend(const json_t *bench, const json_t *more)
{
    const json_t *rows = json_object_get(bench, "rows"), *more_rows = json_object_get(more, "rows");
    if (!same(bench, more, "game") || !same(bench, more, "positions"))
        return false;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i), *other = find_partner(row, more_rows);
        json_t *samples = json_object_get(row, "samples"), *list;
        const char *name;
        if (!other)
            return false;
        json_object_foreach(
            samples, name,
            list) if (json_array_extend(list, json_object_get(json_object_get(other, "samples"), name)) !=
                      0) return false;
    }
    return true;
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
    bool ok = file || mp_fail(error, "%.200s cannot be read: %s", path, strerror(errno));
    while (ok && !(bench && is_at_end(file))) {
        json_t *run = json_loadf(file, JSON_DISABLE_EOF_CHECK, &reason);
        if (!run)
            ok = mp_fail(error, "%.200s: %s, expected the output of `manyply bench --json`", path,
                         reason.text);
        else if (!is_bench(run))
            ok = mp_fail(
                error,
                "%.200s has no game, positions and rows, expected the output of `manyply bench --json`",
                path);
        else if (!bench)
            bench = json_incref(run);
        else if (!extend(bench, run))
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

/* The mean logarithm of the numbers of a round; not finite: they are not as they should be. */
static double mean_log(const json_t *rounds, size_t round)
{
    const json_t *numbers = json_array_get(rounds, round);
    size_t count = json_array_size(numbers);
    double sum = count ? 0 : NAN;
    for (size_t i = 0; i < count; i++)
        sum += log(json_number_value(json_array_get(numbers, i))) / (double)count;
    return sum;
}

/* The geometric mean of the times in each round, on the heap; null: the row is not as it should be. Where one
 * thread is concerned, CPU time, because then other programs count less, in yardsticks of that moment,
 * because then the clock of the CPU does. */
static double *times_of(const json_t *row, size_t *rounds)
{
    const json_t *samples = json_object_get(row, "samples");
    const json_t *yardsticks = json_object_get(samples, "yardstick_seconds");
    const json_t *seconds = json_object_get(samples, yardsticks ? "cpu_seconds" : "seconds");
    *rounds = json_array_size(seconds);
    double *times = calloc(*rounds + 1, sizeof *times);
    for (size_t i = 0; times && i < *rounds; i++) {
        times[i] = exp(mean_log(seconds, i) - (yardsticks ? mean_log(yardsticks, i) : 0));
        if (!isfinite(times[i]) || times[i] <= 0)
            *rounds = 0;
    }
    if (*rounds > 0)
        return times;
    free(times);
    return NULL;
}

static bool add_comparison(const json_t *row, const json_t *other, json_t *list, struct mp_error *error)
{
    size_t rounds[2];
    double *times[2] = {times_of(row, &rounds[0]), times_of(other, &rounds[1])};
    bool ok = times[0] && times[1];
    if (ok) {
        struct comparison_result r = compare_times(times[0], (int)rounds[0], times[1], (int)rounds[1]);
        json_array_append_new(list, json_pack("{s:O, s:O, s:O, s:f, s:f, s:i, s:i, s:s}", "strategy",
                                              json_object_get(row, "strategy"), "kind",
                                              json_object_get(row, "kind"), "threads",
                                              json_object_get(row, "threads"), "ratio", r.ratio, "p", r.p,
                                              "first_rounds", (int)rounds[0], "second_rounds", (int)rounds[1],
                                              "verdict", comparison_name(r.verdict)));
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
    for (size_t i = 0; ok && i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i), *other = find_partner(row, json_object_get(b, "rows"));
        ok = !other || add_comparison(row, other, list, error);
    }
    if (ok && json_array_size(list) == 0)
        ok = mp_fail(error, "the benchmarks have no strategy, threads and depths in common");
    json_decref(a);
    json_decref(b);
    return ok;
}

/* tune.c - see tune.h. Positions are kept as their shares in the terms, so that a value is a sum of products
 * and the game is asked once for each position only.
 *
 * Threads: each sums up a part of the positions into a gradient of its own; all are joined before the sums
 * are read, and nothing else is written meanwhile. */
#include "lab/tune.h"

#include "base/thread.h"
#include "lab/examples_file.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHARES = 4096 };

struct sample {
    size_t first; /* of its shares */
    float result; /* for player 0, from 0 to 1 */
    float value;  /* what the search said, for player 0 */
    bool held_back;
};

struct data {
    struct sample *samples; /* one more than there are, for the end of the last one's shares */
    size_t count, capacity;
    struct mp_share *shares;
    size_t share_count, share_capacity;
};

static int weight_count(const struct mp_tuning *tuning)
{
    int count = 0;
    for (const struct mp_terms *terms = tuning->terms; terms->name; terms++)
        count += terms->count * tuning->parts;
    return count;
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

static bool make_room(struct data *data, int shares)
{
    if (data->count + 2 > data->capacity) {
        size_t capacity = data->capacity ? 2 * data->capacity : 1 << 14;
        struct sample *samples = realloc(data->samples, capacity * sizeof *samples);
        if (!samples)
            return false;
        data->samples = samples;
        data->capacity = capacity;
    }
    if (data->share_count + (size_t)shares > data->share_capacity) {
        size_t capacity = 2 * data->share_capacity + (1 << 20);
        struct mp_share *room = realloc(data->shares, capacity * sizeof *room);
        if (!room)
            return false;
        data->shares = room;
        data->share_capacity = capacity;
    }
    return true;
}

struct tune_reading {
    const struct mp_game *game;
    struct data *data;
};

/* What the evaluation cannot say, a proven end, is nothing to learn for it. */
static bool take_position(void *context, const struct examples_position *p, struct mp_error *error)
{
    const struct tune_reading *reading = context;
    struct data *data = reading->data;
    struct mp_share shares[MOST_SHARES];
    if (fabs(p->value) > MP_EVAL_MAX)
        return true;
    int count = reading->game->tuning->shares(reading->game, p->state, shares, MOST_SHARES);
    if (count > MOST_SHARES || !make_room(data, count))
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for %zu positions", data->count);
    data->samples[data->count++] = (struct sample){.first = data->share_count,
                                                   .result = (float)p->result,
                                                   .value = (float)p->value,
                                                   .held_back = p->held_back};
    memcpy(data->shares + data->share_count, shares, (size_t)count * sizeof *shares);
    data->share_count += (size_t)count;
    return true;
}

static bool read_positions(const struct mp_game *game, const char *const paths[], int count,
                           struct data *data, struct mp_error *error)
{
    const struct examples_rule rule = {.scale = 1};
    struct tune_reading reading = {game, data};
    struct examples *examples = examples_open(game, paths, count, error);
    bool ok = examples;
    for (size_t i = 0; ok && i < examples_blocks(examples); i++)
        ok = examples_read(examples, &rule, i, take_position, &reading, error);
    examples_close(examples);
    ok = ok && (data->count > 0 || mp_fail(error, "there are no positions, expected thousands"));
    if (ok)
        data->samples[data->count].first = data->share_count;
    return ok;
}

/* ---- One pass over all positions ----------------------------------------------------------------------- */

struct pass {
    const struct data *data;
    const double *weights;
    double scale, blend;
    double *gradient; /* null: not wanted */
    size_t first, last;
    double error[2]; /* sums: tuned on, held back */
    pthread_t thread;
};

static double win_share(double scale, double value)
{
    return 1 / (1 + exp(-scale * value));
}

static double cross_entropy(double wanted, double guess)
{
    const double least = 1e-9;
    guess = fmin(fmax(guess, least), 1 - least);
    return -(wanted * log2(guess) + (1 - wanted) * log2(1 - guess));
}

static void *run_pass(void *context)
{
    struct pass *pass = context;
    const struct data *data = pass->data;
    for (size_t i = pass->first; i < pass->last; i++) {
        const struct sample *sample = &data->samples[i];
        double value = 0;
        for (size_t k = sample[0].first; k < sample[1].first; k++)
            value += pass->weights[data->shares[k].term] * (double)data->shares[k].share;
        double guess = win_share(pass->scale, value);
        double wanted = (1 - pass->blend) * (double)sample->result +
                        pass->blend * win_share(pass->scale, (double)sample->value);
        pass->error[sample->held_back] += cross_entropy(wanted, guess);
        if (!pass->gradient || sample->held_back)
            continue;
        double slope = guess - wanted;
        for (size_t k = sample[0].first; k < sample[1].first; k++)
            pass->gradient[data->shares[k].term] += slope * (double)data->shares[k].share;
    }
    return NULL;
}

/* ---- Descent ------------------------------------------------------------------------------------------- */

struct tuner {
    struct data data;
    const struct tune_settings *settings;
    int weights;
    double *start, *now, *mean,
        *square; /* one for each weight: as it was, as it is, and what Adam remembers */
    struct pass *passes;
    double *gradients; /* of all passes */
    size_t counts[2];  /* positions tuned on, held back */
    double scale;
};

/* Sums over all positions with the weights as they are; the gradient is that of the first pass afterwards. */
static void sum_up(struct tuner *t, double scale, bool gradient, double error[2])
{
    int threads = t->settings->threads;
    size_t count = t->data.count;
    memset(t->gradients, 0, (size_t)(threads * t->weights) * sizeof *t->gradients);
    for (int i = 0; i < threads; i++) {
        t->passes[i] = (struct pass){.data = &t->data,
                                     .weights = t->now,
                                     .scale = scale,
                                     .blend = t->settings->blend,
                                     .gradient = gradient ? t->gradients + i * t->weights : NULL,
                                     .first = count * (size_t)i / (size_t)threads,
                                     .last = count * (size_t)(i + 1) / (size_t)threads};
        if (i == 0 || !thread_start(&t->passes[i].thread, run_pass, &t->passes[i]))
            t->passes[i].thread = pthread_self();
    }
    error[0] = error[1] = 0;
    for (int i = 0; i < threads; i++) {
        struct pass *pass = &t->passes[i];
        if (pthread_equal(pass->thread, pthread_self()))
            run_pass(pass);
        else
            pthread_join(pass->thread, NULL);
        for (int held = 0; held < 2; held++)
            error[held] += pass->error[held];
        for (int w = 0; i > 0 && w < t->weights; w++)
            t->gradients[w] += t->gradients[i * t->weights + w];
    }
    for (int held = 0; held < 2; held++)
        error[held] /= t->counts[held] ? (double)t->counts[held] : 1;
}

/* The scale that fits the weights as they are, by golden section; results are what counts here. */
static double find_scale(struct tuner *t)
{
    const double ratio = (sqrt(5) - 1) / 2;
    struct tune_settings plain = *t->settings;
    const struct tune_settings *settings = t->settings;
    plain.blend = 0;
    t->settings = &plain;
    double low = log(1e-5), high = log(1), error[2];
    while (high - low > 1e-3) {
        double a = high - ratio * (high - low), b = low + ratio * (high - low), error_a;
        sum_up(t, exp(a), false, error);
        error_a = error[0];
        sum_up(t, exp(b), false, error);
        if (error_a < error[0])
            high = b;
        else
            low = a;
    }
    t->settings = settings;
    return exp((low + high) / 2);
}

/* One step of Adam (Kingma and Ba 2015) with steps that grow shorter: at first a
 * hundredth of the lead that wins three games of four. */
static void step(struct tuner *t, int round)
{
    const double keep_mean = 0.9, keep_square = 0.999, first_step = 0.01 / t->scale, tiny = 1e-12;
    double rate = first_step * 0.5 * (1 + cos(M_PI * round / t->settings->rounds)) + first_step / 100;
    double prior = t->settings->prior * t->scale * t->scale / (double)t->counts[0];
    for (int i = 0; i < t->weights; i++) {
        double slope = t->gradients[i] * t->scale / (double)t->counts[0] + prior * (t->now[i] - t->start[i]);
        t->mean[i] = keep_mean * t->mean[i] + (1 - keep_mean) * slope;
        t->square[i] = keep_square * t->square[i] + (1 - keep_square) * slope * slope;
        double mean = t->mean[i] / (1 - pow(keep_mean, round + 1));
        double square = t->square[i] / (1 - pow(keep_square, round + 1));
        t->now[i] -= rate * mean / (sqrt(square) + tiny);
    }
}

static void descend(struct tuner *t, tune_progress *progress, void *context, struct tune_report *report)
{
    double error[2] = {0, 0};
    for (int round = 0; round <= t->settings->rounds; round++) {
        sum_up(t, t->scale, true, error);
        if (round == 0) {
            report->before = error[0];
            report->held_before = error[1];
        }
        if (progress)
            progress(round, error[0], context);
        if (round < t->settings->rounds)
            step(t, round);
    }
    report->after = error[0];
    report->held_after = error[1];
}

static bool set_up(struct tuner *t, const struct mp_game *game, struct mp_error *error)
{
    t->weights = weight_count(game->tuning);
    size_t count = (size_t)t->weights;
    t->start = calloc(4 * count, sizeof *t->start);
    t->gradients = calloc(count * (size_t)t->settings->threads, sizeof *t->gradients);
    t->passes = calloc((size_t)t->settings->threads, sizeof *t->passes);
    if (!t->start || !t->gradients || !t->passes)
        return mp_fail(error, "out of memory");
    t->now = t->start + count;
    t->mean = t->now + count;
    t->square = t->mean + count;
    for (int i = 0; i < t->weights; i++)
        t->start[i] = t->now[i] = game->tuning->weight(game, i);
    for (size_t i = 0; i < t->data.count; i++)
        t->counts[t->data.samples[i].held_back]++;
    return t->counts[0] > 0 || mp_fail(error, "the file has too few positions, expected thousands");
}

bool tune_run(const struct mp_game *game, const char *const paths[], int count,
              const struct tune_settings *settings, tune_progress *progress, void *context,
              struct tune_report *report, struct mp_error *error)
{
    struct tuner t = {.settings = settings};
    bool ok = read_positions(game, paths, count, &t.data, error) && set_up(&t, game, error);
    *report = (struct tune_report){0};
    if (ok) {
        t.scale = find_scale(&t);
        descend(&t, progress, context, report);
        report->positions = t.counts[0];
        report->held_back = t.counts[1];
        report->scale = t.scale;
        report->weight_count = t.weights;
        report->weights = malloc((size_t)t.weights * sizeof *report->weights);
        ok = report->weights || mp_fail(error, "out of memory");
        if (ok)
            memcpy(report->weights, t.now, (size_t)t.weights * sizeof *t.now);
    }
    free(t.data.samples);
    free(t.data.shares);
    free(t.start);
    free(t.gradients);
    free(t.passes);
    return ok;
}

void tune_print(const struct mp_game *game, const double *weights, FILE *file)
{
    const struct mp_tuning *tuning = game->tuning;
    int term = 0;
    for (const struct mp_terms *terms = tuning->terms; terms->name; terms++) {
        fprintf(file, "    [%s] =", terms->name);
        for (int i = 0; i < terms->count; i++, term++) {
            fprintf(file, i % terms->per_line || terms->count == 1 ? " " : "\n        ");
            fprintf(file, tuning->parts > 1 ? "P(" : "");
            for (int part = 0; part < tuning->parts; part++)
                fprintf(file, "%s%.0f", part ? ", " : "", round(weights[term * tuning->parts + part]) + 0.0);
            fprintf(file, tuning->parts > 1 ? ")," : ",");
        }
        fprintf(file, "\n");
    }
}

/* train.c - trains a network: passes over shuffled positions in batches, all threads on each batch.
 *
 * Threads: a batch has two phases with a barrier after each. In the first every thread adds up the gradient of its part
 * of the batch in an array of its own; in the second it steps its part of the weights, for which it reads (and
 * clears) the arrays of all. Nobody writes what another reads in the same phase. */
#include "lab/train.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"
#include "lab/examples_file.h"
#include "network/gradient.h"
#include "search/features.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- The positions ------------------------------------------------------------------------------------- */

struct sample_inputs {
    size_t first; /* of its inputs: those of view 0, then of view 1 */
    uint16_t counts[2];
    uint8_t head;
    float target;
};

struct set {
    struct sample_inputs *samples;
    size_t count, capacity;
};

struct examples {
    const struct train *train;
    struct features features;
    struct set learned, held_back;
    uint16_t *inputs;
    size_t input_count, input_capacity;
};

static bool reserve(struct examples *e, struct set *set)
{
    if (set->count == set->capacity) {
        size_t capacity = set->capacity ? 2 * set->capacity : 1 << 12;
        struct sample_inputs *samples = realloc(set->samples, capacity * sizeof *samples);
        if (!samples)
            return false;
        set->samples = samples;
        set->capacity = capacity;
    }
    if (e->input_count + 2 * FEATURES_MOST_ACTIVE > e->input_capacity) {
        size_t capacity = 2 * e->input_capacity + (1 << 20);
        uint16_t *inputs = realloc(e->inputs, capacity * sizeof *inputs);
        if (!inputs)
            return false;
        e->inputs = inputs;
        e->input_capacity = capacity;
    }
    return true;
}

static double share_of(double value, const struct train *train)
{
    return 1 / (1 + exp(-value / train->scale));
}

static bool take(void *context, const void *state, double result, double value, size_t number,
                 struct mp_error *error)
{
    struct examples *e = context;
    struct set *set = examples_held_back(number) ? &e->held_back : &e->learned;
    if (!reserve(e, set))
        return mp_fail(error, "out of memory for %zu positions", number);
    double target = e->train->result_share * result +
                    (1 - e->train->result_share) * share_of(value, e->train);
    if (e->train->game->side(e->train->game, state) != 0)
        target = 1 - target;
    struct sample_inputs *sample = &set->samples[set->count++];
    *sample = (struct sample_inputs){.first = e->input_count, .target = (float)target};
    sample->head = (uint8_t)features_head(&e->features, state);
    for (uint32_t view = 0; view < e->features.views; view++) {
        int count = features_list(&e->features, state, (int)view, e->inputs + e->input_count);
        sample->counts[view] = (uint16_t)count;
        e->input_count += (size_t)count;
    }
    return true;
}

static struct example example_at(const struct examples *e, const struct sample_inputs *sample)
{
    const uint16_t *first = e->inputs + sample->first;
    return (struct example){.active = {first, first + sample->counts[0]},
                            .counts = {sample->counts[0], sample->counts[1]},
                            .head = sample->head,
                            .target = sample->target};
}

/* ---- Threads ------------------------------------------------------------------------------------------- */

struct school {
    const struct train *train;
    const struct examples *examples;
    struct weights weights;
    struct weights *gradients; /* one for each thread */
    struct adam adam;
    double *errors;     /* of each thread, in this pass */
    uint32_t *order;    /* of the positions, in this pass */
    size_t first, last; /* the present batch */
    bool judges;        /* this time the held back are only looked at */
    bool over;
    int threads;          /* that there are */
    pthread_mutex_t gate; /* held until they are counted and the barrier is there */
    pthread_barrier_t barrier;
};

struct pupil {
    struct school *school;
    int thread;
};

/* The part of a thread among so many. */
static size_t part(size_t count, int thread, int threads)
{
    return count * (size_t)thread / (size_t)threads;
}

static void learn_part(struct school *s, int thread)
{
    const int threads = s->train->threads;
    const struct set *set = s->judges ? &s->examples->held_back : &s->examples->learned;
    size_t count = s->last - s->first;
    for (size_t i = part(count, thread, threads); i < part(count, thread + 1, threads); i++) {
        size_t at = s->first + i;
        struct example example = example_at(s->examples, &set->samples[s->judges ? at : s->order[at]]);
        s->errors[thread] += gradient_add(&s->weights, &example, s->judges ? NULL : &s->gradients[thread]);
    }
}

static void work(struct school *s, int thread)
{
    const int threads = s->train->threads;
    learn_part(s, thread);
    pthread_barrier_wait(&s->barrier);
    if (!s->judges)
        gradient_step(&s->weights, s->gradients, threads, (double)(s->last - s->first), &s->adam,
                      part(s->weights.count, thread, threads), part(s->weights.count, thread + 1, threads));
    pthread_barrier_wait(&s->barrier);
}

static void *attend(void *argument)
{
    const struct pupil *pupil = argument;
    struct school *s = pupil->school;
    pthread_mutex_lock(&s->gate);
    pthread_mutex_unlock(&s->gate);
    for (;;) {
        pthread_barrier_wait(&s->barrier);
        if (s->over)
            return NULL;
        work(s, pupil->thread);
    }
}

/* One batch, or all that is held back, by all threads. */
static void run_batch(struct school *s, size_t first, size_t last, bool judges)
{
    s->first = first;
    s->last = last;
    s->judges = judges;
    pthread_barrier_wait(&s->barrier);
    work(s, 0);
}

/* ---- Passes -------------------------------------------------------------------------------------------- */

static double take_errors(struct school *s, size_t count)
{
    double sum = 0;
    for (int t = 0; t < s->train->threads; t++) {
        sum += s->errors[t];
        s->errors[t] = 0;
    }
    return count ? sum / (double)count : 0;
}

static void shuffle(struct school *s, int pass)
{
    size_t count = s->examples->learned.count;
    uint64_t stream = random_at(s->train->seed, (uint64_t)pass);
    for (size_t i = 0; i < count; i++)
        s->order[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        size_t other = random_below(random_next(&stream), (uint32_t)i);
        uint32_t swap = s->order[i - 1];
        s->order[i - 1] = s->order[other];
        s->order[other] = swap;
    }
}

static void run_passes(struct school *s, struct train_report *report)
{
    const struct train *t = s->train;
    const size_t count = s->examples->learned.count, batch = (size_t)t->batch;
    const size_t steps = (count + batch - 1) / batch * (size_t)t->passes;
    bool goes_on = true;
    for (int pass = 1; goes_on && pass <= t->passes; pass++) {
        int64_t start = clock_ns();
        shuffle(s, pass);
        for (size_t first = 0; first < count; first += batch) {
            double done = (double)s->adam.step / (double)steps;
            s->adam.step++;
            s->adam.rate = t->rate * (0.01 + 0.99 * (0.5 + 0.5 * cos(acos(-1) * done)));
            run_batch(s, first, first + batch < count ? first + batch : count, false);
        }
        report->pass = pass;
        report->learned = take_errors(s, count);
        report->positions_per_second = (double)count / clock_seconds_since(start);
        run_batch(s, 0, s->examples->held_back.count, true);
        report->held_back = take_errors(s, s->examples->held_back.count);
        goes_on = !t->progress || t->progress(report, t->context);
    }
}

/* Small numbers of both signs, so that the hidden units begin different from each other. */
static void begin_weights(struct weights *w, uint32_t active, uint64_t seed)
{
    uint64_t stream = random_at(seed, 0);
    double input = 1 / sqrt(active), output = 1 / sqrt(w->shape.width * w->shape.views);
    for (float *at = w->input; at < w->output_bias; at++) {
        double one = (double)random_below(random_next(&stream), 1 << 24) / (1 << 23) - 1;
        *at = (float)(one * (at < w->bias ? input : at < w->output ? 0.5 : output));
    }
}

static bool open_school(struct school *s, const struct train *train, const struct examples *e,
                        struct mp_error *error)
{
    struct network_shape shape = {e->features.count, (uint32_t)train->width, e->features.views,
                                  e->features.heads, train->scale};
    *s = (struct school){.train = train, .examples = e};
    bool ok = weights_init(&s->weights, &shape);
    s->gradients = calloc((size_t)train->threads, sizeof *s->gradients);
    for (int t = 0; ok && s->gradients && t < train->threads; t++)
        ok = weights_init(&s->gradients[t], &shape);
    s->adam.mean = calloc(s->weights.count, sizeof *s->adam.mean);
    s->adam.square = calloc(s->weights.count, sizeof *s->adam.square);
    s->errors = calloc((size_t)train->threads, sizeof *s->errors);
    s->order = malloc((e->learned.count + 1) * sizeof *s->order);
    ok = ok && s->gradients && s->adam.mean && s->adam.square && s->errors && s->order;
    return ok || mp_fail(error, "out of memory for a network of %zu weights", s->weights.count);
}

static void close_school(struct school *s)
{
    weights_free(&s->weights);
    for (int t = 0; s->gradients && t < s->train->threads; t++)
        weights_free(&s->gradients[t]);
    free(s->gradients);
    free(s->adam.mean);
    free(s->adam.square);
    free(s->errors);
    free(s->order);
}

static bool teach(struct school *s, struct train_report *report, struct mp_error *error)
{
    pthread_t threads[MP_MAX_THREADS];
    struct pupil pupils[MP_MAX_THREADS];
    pthread_mutex_init(&s->gate, NULL);
    pthread_mutex_lock(&s->gate);
    for (s->threads = 1; s->threads < s->train->threads; s->threads++) {
        pupils[s->threads] = (struct pupil){s, s->threads};
        if (!thread_start(&threads[s->threads], attend, &pupils[s->threads]))
            break;
    }
    pthread_barrier_init(&s->barrier, NULL, (unsigned)s->threads);
    pthread_mutex_unlock(&s->gate);
    bool ok = s->threads == s->train->threads;
    if (ok)
        run_passes(s, report);
    s->over = true;
    pthread_barrier_wait(&s->barrier);
    for (int t = 1; t < s->threads; t++)
        pthread_join(threads[t], NULL);
    pthread_barrier_destroy(&s->barrier);
    pthread_mutex_destroy(&s->gate);
    return ok || mp_fail(error, "%d threads cannot be started, expected fewer", s->train->threads);
}

/* ---- All of it ----------------------------------------------------------------------------------------- */

/* How far whole numbers are from the floats, on what was held back, as values. */
static double rounding_of(const struct school *s, const struct network *network)
{
    const struct set *set = &s->examples->held_back;
    double sum = 0;
    for (size_t i = 0; i < set->count; i++) {
        struct example e = example_at(s->examples, &set->samples[i]);
        mp_value value = network_value(network, e.active, e.counts, e.head);
        e.target = 0; /* the error is then the square of the share */
        double share = sqrt(gradient_add(&s->weights, &e, NULL));
        sum += fabs(share_of(value, s->train) - share);
    }
    return set->count ? sum / (double)set->count : 0;
}

struct network *train_run(const struct train *train, FILE *file, struct train_report *report,
                          double *rounding, size_t *positions, struct mp_error *error)
{
    struct examples e = {.train = train};
    struct school s = {.train = train};
    struct network *network = NULL;
    bool ok = features_of(train->game, &e.features, error) &&
              examples_read(train->game, file, take, &e, error) && open_school(&s, train, &e, error);
    if (ok) {
        begin_weights(&s.weights, e.features.most, train->seed);
        ok = teach(&s, report, error);
    }
    if (ok) {
        *positions = e.learned.count + e.held_back.count;
        network = network_new(&s.weights.shape, s.weights.input, s.weights.bias, s.weights.output,
                              s.weights.output_bias, e.features.most);
        if (network)
            *rounding = rounding_of(&s, network);
        else
            mp_fail(error, "out of memory for a network");
    }
    close_school(&s);
    free(e.learned.samples);
    free(e.held_back.samples);
    free(e.inputs);
    return network;
}

/* train.c - trains a network: passes over shuffled positions in batches, all threads on each batch.
 *
 * Positions are read in chunks, each a random choice of blocks of all files, and shuffled within a chunk. If all fit into
 * one chunk it is read once and shuffled anew in each pass.
 *
 * Threads do one thing at a time together, with a barrier before and after. Reading: each takes the next block of the
 * chunk and fills that block's lists. Learning has two phases, with a barrier in between: first every thread adds up the
 * gradient of its part of the batch in an array of its own; then it steps its part of the weights, for which it reads
 * (and clears) the arrays of all. Nobody writes what another reads in the same phase. */
#include "lab/train.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/thread.h"
#include "lab/examples_file.h"
#include "network/gradient.h"
#include "search/features.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JUDGED = 1 << 18 }; /* positions that are held back are read up to about so many */

/* ---- The positions ------------------------------------------------------------------------------------- */

struct sample_inputs {
    union {
        size_t first; /* of its inputs, while its block is being read: those of view 0, then of view 1 */
        const uint16_t *inputs; /* afterwards */
    };
    uint16_t counts[2];
    uint8_t head;
    float target;
};

/* What one thread reads. */
struct block {
    struct school *school;
    size_t number;
    struct sample_inputs *samples;
    uint16_t *inputs;
    size_t count, capacity, input_count, input_capacity;
    char *mirrored;              /* a state */
    struct feature_lists *views; /* of the state at hand */
    bool results_only;
};

struct train_chunk {
    bool held_back; /* these positions, instead of the others */
    struct block *blocks;
    size_t block_count;
    struct sample_inputs *samples; /* of all blocks */
    size_t count;
};

enum task { TASK_READ, TASK_LEARN, TASK_JUDGE, TASK_END };

struct school {
    const struct train *train;
    struct examples_rule rule;
    struct features features;
    struct examples *examples;
    struct weights weights;
    struct weights *gradients; /* one for each thread */
    struct adam adam;
    double *errors;            /* of each thread, in this pass */
    uint32_t *order;           /* of all blocks, in this pass */
    enum task task;            /* the present one ... */
    struct train_chunk *chunk; /* ... on these positions ... */
    size_t first, last;        /* ... of which this is the batch */
    atomic_size_t next;        /* block to read */
    atomic_bool failed;
    struct mp_error *error; /* of the first that failed */
    int threads;            /* that there are */
    pthread_mutex_t gate;   /* held until they are counted and the barrier is there */
    pthread_barrier_t barrier;
};

static bool reserve(struct block *b)
{
    if (b->count == b->capacity) {
        size_t capacity = b->capacity ? 2 * b->capacity : 1 << 10;
        struct sample_inputs *samples = realloc(b->samples, capacity * sizeof *samples);
        if (!samples)
            return false;
        b->samples = samples;
        b->capacity = capacity;
    }
    if (b->input_count + 2 * FEATURES_MOST_ACTIVE > b->input_capacity) {
        size_t capacity = 2 * b->input_capacity + (1 << 14);
        uint16_t *inputs = realloc(b->inputs, capacity * sizeof *inputs);
        if (!inputs)
            return false;
        b->inputs = inputs;
        b->input_capacity = capacity;
    }
    return true;
}

static bool add_state(struct block *b, const void *state, double target, struct mp_error *error)
{
    const struct features *features = &b->school->features;
    const struct mp_game *game = features->game;
    if (!reserve(b))
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for positions, expected fewer at a time");
    if (game->side(game, state) != 0)
        target = 1 - target;
    struct sample_inputs *sample = &b->samples[b->count++];
    *sample = (struct sample_inputs){.first = b->input_count, .target = (float)target};
    sample->head = (uint8_t)features_head(features, state);
    features_views(features, state, b->views);
    for (uint32_t view = 0; view < features->views; view++) {
        size_t count = (size_t)b->views->counts[view];
        memcpy(b->inputs + b->input_count, b->views->inputs[view], count * sizeof *b->inputs);
        sample->counts[view] = (uint16_t)count;
        b->input_count += count;
    }
    return true;
}

/* A proven value is certain, whatever the result. A position is learned as it is and turned or mirrored in one way. */
static bool take(void *context, const struct examples_position *p, struct mp_error *error)
{
    struct block *b = context;
    const struct train *t = b->school->train;
    const struct mp_game *game = t->game;
    if (p->held_back != b->school->chunk->held_back)
        return true;
    const struct examples_rule *rule = &b->school->rule;
    bool proven = fabs(p->value) > MP_EVAL_MAX;
    double share = proven ? 0 : b->results_only ? 1 : t->result_share;
    double outlook = !proven ? p->outlook : rule->margin > 0 ? examples_share(rule, p->value) : p->value > 0;
    double target = share * p->result + (1 - share) * outlook;
    if (!add_state(b, p->state, target, error))
        return false;
    if (t->plain || p->held_back || !game->transform || game->symmetry_count < 1)
        return true;
    uint64_t random = random_at(t->seed ^ (uint64_t)b->number << 32, b->count);
    game->transform(game, p->state, (int)random_below(random, (uint32_t)game->symmetry_count), b->mirrored);
    return add_state(b, b->mirrored, target, error);
}

/* A thread's part of reading a chunk. */
static void read_blocks(struct school *s)
{
    struct train_chunk *chunk = s->chunk;
    size_t i;
    while ((i = atomic_fetch_add(&s->next, 1)) < chunk->block_count && !atomic_load(&s->failed)) {
        struct block *b = &chunk->blocks[i];
        struct mp_error error = {.text = "out of memory", .code = MP_ERROR_MEMORY};
        b->mirrored = aligned_alloc(MEMORY_LINE, memory_lines(s->train->game->state_size));
        b->views = malloc(sizeof *b->views);
        bool ok = b->mirrored && b->views && examples_read(s->examples, &s->rule, b->number, take, b, &error);
        free(b->mirrored);
        free(b->views);
        for (size_t k = 0; ok && k < b->count; k++)
            b->samples[k].inputs = b->inputs + b->samples[k].first;
        if (!ok && !atomic_exchange(&s->failed, true))
            *s->error = error;
    }
}

static void chunk_free(struct train_chunk *chunk)
{
    for (size_t i = 0; i < chunk->block_count; i++) {
        free(chunk->blocks[i].samples);
        free(chunk->blocks[i].inputs);
    }
    free(chunk->blocks);
    free(chunk->samples);
    *chunk = (struct train_chunk){.held_back = chunk->held_back};
}

static struct example example_of(const struct sample_inputs *sample)
{
    return (struct example){.active = {sample->inputs, sample->inputs + sample->counts[0]},
                            .counts = {sample->counts[0], sample->counts[1]},
                            .head = sample->head,
                            .targets = {sample->target}};
}

/* ---- Threads ------------------------------------------------------------------------------------------- */

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
    size_t count = s->last - s->first;
    for (size_t i = part(count, thread, threads); i < part(count, thread + 1, threads); i++) {
        struct example example = example_of(&s->chunk->samples[s->first + i]);
        s->errors[thread] += gradient_add(&s->weights, &example,
                                          s->task == TASK_JUDGE ? NULL : &s->gradients[thread]);
    }
}

static void work(struct school *s, int thread)
{
    const int threads = s->train->threads;
    if (s->task == TASK_READ)
        read_blocks(s);
    else
        learn_part(s, thread);
    pthread_barrier_wait(&s->barrier);
    if (s->task == TASK_LEARN)
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
        if (s->task == TASK_END)
            return NULL;
        work(s, pupil->thread);
    }
}

/* One thing, by all threads. */
static void run_task(struct school *s, enum task task, struct train_chunk *chunk, size_t first, size_t last)
{
    s->task = task;
    s->chunk = chunk;
    s->first = first;
    s->last = last;
    atomic_store(&s->next, 0);
    pthread_barrier_wait(&s->barrier);
    if (task != TASK_END)
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

static void shuffle_samples(struct sample_inputs *samples, size_t count, uint64_t *stream)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = random_below(random_next(stream), (uint32_t)i);
        struct sample_inputs swap = samples[i - 1];
        samples[i - 1] = samples[other];
        samples[other] = swap;
    }
}

static void shuffle_blocks(struct school *s, uint64_t *stream)
{
    size_t count = examples_blocks(s->examples);
    for (size_t i = 0; i < count; i++)
        s->order[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        size_t other = random_below(random_next(stream), (uint32_t)i);
        uint32_t swap = s->order[i - 1];
        s->order[i - 1] = s->order[other];
        s->order[other] = swap;
    }
}

/* Reads blocks from this one of the order on, as many as have at most so many positions (at least one). */
static bool read_chunk(struct school *s, struct train_chunk *chunk, size_t first, int64_t most)
{
    size_t count = 0, total = examples_blocks(s->examples);
    for (int64_t positions = 0; first + count < total; count++) {
        positions += (int64_t)examples_block_most(s->examples, s->order[first + count]);
        if (positions > most && count > 0)
            break;
    }
    chunk_free(chunk);
    chunk->blocks = calloc(count, sizeof *chunk->blocks);
    if (!chunk->blocks)
        return mp_fail_with(s->error, MP_ERROR_MEMORY, "out of memory");
    chunk->block_count = count;
    for (size_t i = 0; i < count; i++) {
        chunk->blocks[i].school = s;
        chunk->blocks[i].number = s->order[first + i];
        chunk->blocks[i].results_only = examples_file_of(s->examples, s->order[first + i]) <
                                        s->train->results_only;
    }
    run_task(s, TASK_READ, chunk, 0, 0);
    if (atomic_load(&s->failed))
        return false;
    for (size_t i = 0; i < count; i++)
        chunk->count += chunk->blocks[i].count;
    chunk->samples = malloc((chunk->count + 1) * sizeof *chunk->samples);
    if (!chunk->samples)
        return mp_fail_with(s->error, MP_ERROR_MEMORY, "out of memory");
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        struct block *b = &chunk->blocks[i];
        if (b->count)
            memcpy(chunk->samples + at, b->samples, b->count * sizeof *b->samples);
        at += b->count;
        free(b->samples);
        b->samples = NULL;
    }
    return true;
}

/* How far the training is, 0 to 1: by passes, of which the present one has done this share, or by time. */
static double progress_of(const struct train *t, int pass, double share, int64_t start)
{
    if (t->stop && atomic_load_explicit(t->stop, memory_order_relaxed))
        return 1;
    double by_passes = (pass - 1 + share) / t->passes;
    double by_time = t->seconds > 0 ? clock_seconds_since(start) / t->seconds : 0;
    return fmin(1, fmax(by_passes, by_time));
}

/* Learns from a chunk, which stands for the part of the pass from share `from` to share `to`. */
static void learn_chunk(struct school *s, struct train_chunk *chunk, int pass, double from, double to,
                        int64_t start)
{
    const struct train *t = s->train;
    const size_t batch = (size_t)t->batch;
    for (size_t first = 0; first < chunk->count; first += batch) {
        double share = from + (to - from) * (double)first / (double)chunk->count;
        double done = progress_of(t, pass, share, start);
        if (done >= 1)
            return;
        s->adam.step++;
        s->adam.rate = t->rate * (0.01 + 0.99 * (0.5 + 0.5 * cos(acos(-1) * done)));
        run_task(s, TASK_LEARN, chunk, first, first + batch < chunk->count ? first + batch : chunk->count);
    }
}

/* One pass over all blocks. *chunk stays if it holds all of them. */
static bool run_pass(struct school *s, struct train_chunk *chunk, int pass, size_t *positions, int64_t start)
{
    const size_t total = examples_blocks(s->examples);
    uint64_t stream = random_at(s->train->seed, (uint64_t)pass);
    bool is_whole = chunk->block_count == total;
    *positions = 0;
    if (!is_whole)
        shuffle_blocks(s, &stream);
    for (size_t first = 0; first < total; first += chunk->block_count) {
        if (!is_whole && !read_chunk(s, chunk, first, s->train->buffer))
            return false;
        shuffle_samples(chunk->samples, chunk->count, &stream);
        learn_chunk(s, chunk, pass, (double)first / (double)total,
                    (double)(first + chunk->block_count) / (double)total, start);
        *positions += chunk->count;
    }
    return *positions > 0 || mp_fail(s->error, "there are no positions to learn from, expected thousands");
}

static bool run_passes(struct school *s, struct train_chunk *judged, struct train_report *report)
{
    const struct train *t = s->train;
    struct train_chunk chunk = {0};
    uint64_t stream = random_at(t->seed, 0);
    bool goes_on = true;
    shuffle_blocks(s, &stream);
    bool ok = read_chunk(s, judged, 0, 10 * (int64_t)MOST_JUDGED);
    int64_t start = clock_ns();
    for (int pass = 1; ok && goes_on && pass <= t->passes && progress_of(t, pass, 0, start) < 1; pass++) {
        int64_t pass_start = clock_ns();
        ok = run_pass(s, &chunk, pass, &report->positions, start);
        report->pass = pass;
        report->judged = judged->count;
        report->learned = take_errors(s, report->positions);
        report->positions_per_second = (double)report->positions / clock_seconds_since(pass_start);
        if (ok)
            run_task(s, TASK_JUDGE, judged, 0, judged->count);
        report->held_back = take_errors(s, judged->count);
        goes_on = ok && (!t->progress || t->progress(report, t->context));
    }
    chunk_free(&chunk);
    return ok;
}

static struct network_shape train_shape(const struct train *train, const struct features *f)
{
    struct network_shape shape = {.inputs = f->count,
                                  .width = (uint32_t)train->width,
                                  .views = f->views,
                                  .heads = f->heads,
                                  .dense_count = (uint32_t)train->dense_count,
                                  .outputs = 1,
                                  .scale = train->scale};
    for (int i = 0; i < train->dense_count; i++)
        shape.dense[i] = (uint32_t)train->dense[i];
    return shape;
}

static bool check_shape(const struct train *train, const struct features *f, struct mp_error *error)
{
    const struct network_shape shape = train_shape(train, f);
    const char *fault = network_shape_fault(&shape);
    return !fault || mp_fail(error, "a network for %s cannot have this %s", train->game->name, fault);
}

static bool open_school(struct school *s, struct mp_error *error)
{
    const struct train *train = s->train;
    struct network_shape shape = train_shape(train, &s->features);
    bool ok = weights_init(&s->weights, &shape);
    s->gradients = calloc((size_t)train->threads, sizeof *s->gradients);
    for (int t = 0; ok && s->gradients && t < train->threads; t++)
        ok = weights_init(&s->gradients[t], &shape);
    s->adam.mean = calloc(s->weights.count, sizeof *s->adam.mean);
    s->adam.square = calloc(s->weights.count, sizeof *s->adam.square);
    s->errors = calloc((size_t)train->threads, sizeof *s->errors);
    s->order = malloc((examples_blocks(s->examples) + 1) * sizeof *s->order);
    ok = ok && s->gradients && s->adam.mean && s->adam.square && s->errors && s->order;
    return ok || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a network of %zu weights",
                              s->weights.count);
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
    examples_close(s->examples);
}

static bool teach(struct school *s, struct train_chunk *judged, struct train_report *report,
                  struct mp_error *error)
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
    bool enough = s->threads == s->train->threads;
    bool ok = enough && run_passes(s, judged, report);
    run_task(s, TASK_END, NULL, 0, 0);
    for (int t = 1; t < s->threads; t++)
        pthread_join(threads[t], NULL);
    pthread_barrier_destroy(&s->barrier);
    pthread_mutex_destroy(&s->gate);
    if (!enough)
        mp_fail_with(error, MP_ERROR_SYSTEM, "%d threads cannot be started, expected fewer",
                     s->train->threads);
    return ok;
}

/* ---- All of it ----------------------------------------------------------------------------------------- */

/* How far whole numbers are from the floats, on what was held back, as a share of a win. */
static double rounding_of(const struct school *s, const struct train_chunk *judged,
                          const struct network *network)
{
    double sum = 0;
    for (size_t i = 0; i < judged->count; i++) {
        struct example e = example_of(&judged->samples[i]);
        mp_value value = network_fresh_value(network, e.active, e.counts, e.head);
        double shares[NETWORK_MOST_OUTPUTS];
        gradient_outputs(&s->weights, &e, shares);
        sum += fabs(examples_share(&s->rule, value) - shares[0]);
    }
    return judged->count ? sum / (double)judged->count : 0;
}

static bool open_examples(struct school *s, struct mp_error *error)
{
    const struct train *t = s->train;
    s->examples = examples_open(t->game, t->paths, t->path_count, error);
    return s->examples && (t->lambda <= 0 || examples_are_games(s->examples) ||
                           mp_fail(error, "lambda mixes later values of a game in, and text has no games, "
                                          "expected files of games"));
}

struct network *train_run(const struct train *train, struct train_report *report, struct mp_error *error)
{
    struct school s = {.train = train,
                       .error = error,
                       .rule = {.noisy = train->noisy,
                                .lambda = train->lambda,
                                .scale = train->scale,
                                .margin = train->game->scoring == MP_SCORE_MARGIN ? TRAIN_POINT : 0}};
    struct train_chunk judged = {.held_back = true};
    struct network *network = NULL;
    *report = (struct train_report){0};
    bool ok = features_of(train->game, &s.features, error) && check_shape(train, &s.features, error) &&
              open_examples(&s, error) && open_school(&s, error);
    if (ok) {
        weights_begin(&s.weights, s.features.most, train->seed);
        ok = teach(&s, &judged, report, error);
    }
    if (ok) {
        network = network_new(&s.weights, s.features.most);
        if (network)
            report->rounding = rounding_of(&s, &judged, network);
        else
            mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a network");
    }
    chunk_free(&judged);
    close_school(&s);
    return network;
}

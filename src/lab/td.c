/* td.c - learns by temporal differences: rounds of games that the network plays against itself, and of training on their
 * positions.
 *
 * Threads: in a round each thread first plays its games with the network of the round, which nobody changes, and keeps the
 * positions in memory of its own; then all go through the positions of all in batches. A batch has two phases with a
 * barrier after each: every thread adds up the gradient of its part in an array of its own, then steps its part of
 * the weights, for which it reads (and clears) the arrays of all. Nobody writes what another reads in the same
 * phase. */
#include "lab/td.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"
#include "network/gradient.h"
#include "search/outlook.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ACTIVE = 64, OUTPUTS = OUTLOOK };

/* Adam's first steps are as large as its rate allows, whatever the error: so the rate rises over so many steps. */
enum { WARM_UP = 100 };

struct moment {
    uint16_t inputs[MOST_ACTIVE];
    uint8_t count, head;
    float shares[OUTPUTS];  /* what the network said */
    float targets[OUTPUTS]; /* what it should have said */
};

struct td_school;

struct td_pupil {
    struct td_school *school;
    int thread;
    struct line line;
    struct accumulators *accumulators;
    struct feature_lists lists;
    struct moment *moments;
    size_t count, capacity;
    double error;
    bool failed; /* no memory */
};

struct td_school {
    const struct td *td;
    struct features features;
    struct network_evaluation evaluation; /* of this round */
    struct weights weights;
    struct weights *gradients;
    struct adam adam;
    struct td_pupil *pupils;
    const struct moment **order; /* of all positions of a round */
    size_t count;
    uint64_t games; /* before this round */
    pthread_barrier_t barrier;
};

/* ---- Playing ------------------------------------------------------------------------------------------- */

static struct moment *remember(struct td_pupil *p)
{
    if (p->count == p->capacity) {
        size_t capacity = p->capacity ? 2 * p->capacity : 1 << 14;
        struct moment *moments = realloc(p->moments, capacity * sizeof *moments);
        if (!moments)
            return NULL;
        p->moments = moments;
        p->capacity = capacity;
    }
    struct moment *m = &p->moments[p->count++];
    const struct features *f = &p->school->features;
    features_views(f, line_state(&p->line, 0), &p->lists);
    m->count = (uint8_t)p->lists.counts[0];
    m->head = (uint8_t)features_head(f, line_state(&p->line, 0));
    memcpy(m->inputs, p->lists.inputs[0], m->count * sizeof *m->inputs);
    outlook_at(p->accumulators, &p->line, 0, m->shares);
    if (p->school->td->ahead)
        outlook_ahead(p->accumulators, &p->line, 0, 1, m->targets);
    return m;
}

/* What comes next becomes the target of what was before, from the end of a game to its beginning. */
static void set_targets(struct td_pupil *p, size_t first, const float outcome[OUTPUTS])
{
    const float lambda = (float)p->school->td->lambda;
    float next[OUTPUTS];
    memcpy(next, outcome, sizeof next);
    for (size_t i = p->count; i > first; i--) {
        struct moment *m = &p->moments[i - 1];
        outlook_turn(next, m->targets);
        for (int k = 0; k < OUTPUTS; k++)
            next[k] = (1 - lambda) * m->shares[k] + lambda * m->targets[k];
    }
}

/* A move that is played at ply 0 leads to ply 1, which becomes ply 0. */
static void advance(struct td_pupil *p)
{
    memcpy(line_state(&p->line, 0), line_state(&p->line, 1), p->line.game->state_size);
}

static bool play_game(struct td_pupil *p, uint64_t number)
{
    const struct mp_game *game = p->line.game;
    uint64_t stream = random_at(p->school->td->seed, number);
    size_t first = p->count;
    mp_move outcomes[MP_MAX_MOVES];
    uint32_t weights[MP_MAX_MOVES];
    game->initial(game, line_state(&p->line, 0));
    while (!outlook_is_over(game, line_state(&p->line, 0))) {
        int count = game->chances(game, line_state(&p->line, 0), outcomes, weights, MP_MAX_MOVES);
        if (count > 0) {
            if (!remember(p))
                return false;
            line_play(&p->line, 0, outcomes[random_weighted(random_next(&stream), weights, count)]);
        } else {
            outlook_play_best(p->accumulators, &p->line, 0);
        }
        advance(p);
    }
    float outcome[OUTPUTS];
    outlook_of_end(game, line_state(&p->line, 0), outcome);
    if (!p->school->td->ahead)
        set_targets(p, first, outcome);
    return true;
}

/* ---- Rounds -------------------------------------------------------------------------------------------- */

static size_t part(size_t count, int thread, int threads)
{
    return count * (size_t)thread / (size_t)threads;
}

static void *play_part(void *argument)
{
    struct td_pupil *p = argument;
    const struct td *td = p->school->td;
    p->count = 0;
    accumulators_forget(p->accumulators);
    for (size_t i = part(td->round, p->thread, td->threads);
         i < part(td->round, p->thread + 1, td->threads) && !p->failed; i++)
        p->failed = !play_game(p, p->school->games + i);
    return NULL;
}

static void *learn_part(void *argument)
{
    struct td_pupil *p = argument;
    struct td_school *s = p->school;
    const int threads = s->td->threads, outputs = (int)s->features.outputs;
    const size_t batch = (size_t)s->td->batch;
    p->error = 0;
    for (size_t first = 0; first < s->count; first += batch) {
        size_t size = first + batch < s->count ? batch : s->count - first;
        for (size_t i = part(size, p->thread, threads); i < part(size, p->thread + 1, threads); i++) {
            const struct moment *m = s->order[first + i];
            struct example e = {.active = {m->inputs}, .counts = {m->count}, .head = m->head};
            memcpy(e.targets, m->targets, (size_t)outputs * sizeof *e.targets);
            gradient_add(&s->weights, &e, &s->gradients[p->thread]);
            p->error += pow((double)(m->shares[0] - m->targets[0]), 2);
        }
        pthread_barrier_wait(&s->barrier);
        struct adam adam = s->adam;
        adam.step += (int)(first / batch) + 1;
        if (adam.step < WARM_UP)
            adam.rate *= (double)adam.step / WARM_UP;
        gradient_step(&s->weights, s->gradients, threads, (double)size, &adam,
                      part(s->weights.count, p->thread, threads),
                      part(s->weights.count, p->thread + 1, threads));
        pthread_barrier_wait(&s->barrier);
    }
    return NULL;
}

/* All threads at one thing. */
static bool together(struct td_school *s, void *work(void *), struct mp_error *error)
{
    pthread_t threads[MP_MAX_THREADS];
    int started = 1;
    while (started < s->td->threads && thread_start(&threads[started], work, &s->pupils[started]))
        started++;
    if (started < s->td->threads) /* before a barrier that nobody would leave */
        return mp_fail_with(error, MP_ERROR_SYSTEM, "%d threads cannot be started, expected fewer",
                            s->td->threads);
    work(&s->pupils[0]);
    for (int t = 1; t < started; t++)
        pthread_join(threads[t], NULL);
    return true;
}

static bool shuffle(struct td_school *s, uint64_t round, struct mp_error *error)
{
    s->count = 0;
    for (int t = 0; t < s->td->threads; t++) {
        if (s->pupils[t].failed)
            return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for the positions of a round");
        s->count += s->pupils[t].count;
    }
    const struct moment **order = realloc(s->order, s->count * sizeof *order);
    if (!order)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for %zu positions", s->count);
    s->order = order;
    size_t at = 0;
    for (int t = 0; t < s->td->threads; t++)
        for (size_t i = 0; i < s->pupils[t].count; i++)
            order[at++] = &s->pupils[t].moments[i];
    uint64_t stream = random_at(s->td->seed ^ UINT64_C(0x5bd1e995), round);
    for (size_t i = s->count; i > 1; i--) {
        size_t other = random_below(random_next(&stream), (uint32_t)i);
        const struct moment *swap = order[i - 1];
        order[i - 1] = order[other];
        order[other] = swap;
    }
    return true;
}

static bool take_network(struct td_school *s, struct mp_error *error)
{
    struct network *network = network_new(&s->weights, s->features.most);
    if (!network)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a network");
    network_free(s->evaluation.network);
    s->evaluation = network_evaluation(&s->features, network);
    network_free(network);
    return true;
}

static bool run_rounds(struct td_school *s, struct mp_error *error)
{
    const struct td *td = s->td;
    bool goes_on = true;
    for (uint64_t round = 0; goes_on && s->games < td->games; round++) {
        double done = (double)s->games / (double)td->games;
        s->adam.rate = td->rate * pow(td->last_rate / td->rate, done);
        int64_t start = clock_ns();
        if (!together(s, play_part, error) || !shuffle(s, round, error))
            return false;
        double played = clock_seconds_since(start);
        start = clock_ns();
        if (!together(s, learn_part, error))
            return false;
        s->adam.step += (int)((s->count + (size_t)td->batch - 1) / (size_t)td->batch);
        s->games += td->round;
        struct td_report report = {.games = s->games, .positions = s->count};
        for (int t = 0; t < td->threads; t++)
            report.error += s->pupils[t].error / (double)s->count;
        report.games_per_second = (double)td->round / played;
        report.positions_per_second = (double)s->count / clock_seconds_since(start);
        if (!take_network(s, error))
            return false;
        goes_on = !td->progress || td->progress(&report, td->context);
    }
    return true;
}

/* ---- All of it ----------------------------------------------------------------------------------------- */

static bool open_pupils(struct td_school *s)
{
    s->pupils = calloc((size_t)s->td->threads, sizeof *s->pupils);
    s->gradients = calloc((size_t)s->td->threads, sizeof *s->gradients);
    bool ok = s->pupils && s->gradients;
    for (int t = 0; ok && t < s->td->threads; t++) {
        struct td_pupil *p = &s->pupils[t];
        *p = (struct td_pupil){.school = s, .thread = t};
        ok = weights_init(&s->gradients[t], &s->weights.shape) && line_init(&p->line, s->td->game) &&
             (p->accumulators = accumulators_new(&s->evaluation));
    }
    return ok;
}

static bool open_school(struct td_school *s, struct mp_error *error)
{
    const struct td *td = s->td;
    struct network_shape shape = td->shape;
    shape.inputs = s->features.count;
    shape.views = s->features.views;
    shape.heads = s->features.heads;
    shape.outputs = s->features.outputs;
    shape.scale = td->game->units_per_point;
    const char *fault = network_shape_fault(&shape);
    pthread_barrier_init(&s->barrier, NULL, (unsigned)td->threads);
    if (fault)
        return mp_fail(error, "a network of this shape: %s", fault);
    bool ok = weights_init(&s->weights, &shape);
    if (ok && td->begin && memcmp(network_shape(td->begin), &shape, sizeof shape) != 0)
        return mp_fail(error, "the network to begin with has another shape, expected the same");
    if (ok && td->begin)
        network_to_weights(td->begin, &s->weights);
    else if (ok)
        weights_begin(&s->weights, s->features.most, td->seed);
    s->adam.mean = calloc(s->weights.count, sizeof *s->adam.mean);
    s->adam.square = calloc(s->weights.count, sizeof *s->adam.square);
    return (ok && s->adam.mean && s->adam.square && take_network(s, error) && open_pupils(s)) ||
           mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a network of %zu weights",
                        s->weights.count);
}

static void close_school(struct td_school *s)
{
    for (int t = 0; s->pupils && t < s->td->threads; t++) {
        weights_free(&s->gradients[t]);
        line_free(&s->pupils[t].line);
        accumulators_free(s->pupils[t].accumulators);
        free(s->pupils[t].moments);
    }
    free(s->pupils);
    free(s->gradients);
    free(s->order);
    free(s->adam.mean);
    free(s->adam.square);
    weights_free(&s->weights);
    network_free(s->evaluation.network);
    pthread_barrier_destroy(&s->barrier);
}

bool td_fits(const struct mp_game *game)
{
    struct features f;
    return game->chances && features_of(game, &f, NULL) && f.views == 1 && f.outputs == OUTPUTS &&
           f.most <= MOST_ACTIVE;
}

struct network *td_run(const struct td *td, struct mp_error *error)
{
    struct td_school s = {.td = td};
    struct network *network = NULL;
    if (!td_fits(td->game)) {
        mp_fail(error,
                "%s cannot learn by temporal differences, expected dice, features of one view and five "
                "outputs",
                td->game->name);
        return NULL;
    }
    if (features_of(td->game, &s.features, error) && open_school(&s, error) && run_rounds(&s, error))
        network = network_share(s.evaluation.network);
    close_school(&s);
    return network;
}

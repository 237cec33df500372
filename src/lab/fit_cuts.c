/* fit_cuts.c - see fit_cuts.h.
 *
 * Threads: each takes the number of the next position, makes it, and searches it with a search of its own that forgets
 * the one before; what it finds has a place of its own. The lock guards the counter, the progress and the error. */
#include "lab/fit_cuts.h"

#include "base/random.h"
#include "base/thread.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLAY_NODES = 500, MOST_MOVES = 4096, TRIES = 100, LEAST_POSITIONS = 20 };

/* What was found of one position: its stage, and the value at each depth, or NO_VALUE. */
#define NO_VALUE MP_INFINITE
struct searched_depths {
    int stage;
    mp_value at[CUTS_DEEPEST + 1];
};

struct survey {
    const struct fit_cuts *fit;
    fit_progress *progress;
    void *context;
    struct searched_depths *samples;
    struct cuts cuts; /* for its stages */
    pthread_mutex_t lock;
    int next, done;
    bool failed;
    struct mp_error *error;
};

/* ---- One position ---------------------------------------------------------------------------------------- */

/* Plays some random moves and then some that a short search finds. False: the game is over, or see error. */
static bool reach(const struct fit_cuts *fit, struct mp_search *search, uint64_t *stream,
                  struct mp_position *position, struct mp_error *error)
{
    const struct mp_limits limits = {MP_SIZE(struct mp_limits), .nodes = PLAY_NODES};
    int random_plies = fit->least_random +
                       (int)random_below(random_next(stream),
                                         (uint32_t)(fit->most_random - fit->least_random) + 1);
    int plies = random_plies + (int)random_below(random_next(stream), (uint32_t)fit->most_plies + 1);
    bool ok = true;
    for (int ply = 0; ok && ply < plies && !mp_position_is_over(position); ply++) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        mp_move moves[MOST_MOVES];
        if (ply >= random_plies)
            ok = mp_search_run_within(search, position, &limits, NULL, NULL, &result, error);
        else {
            int count = mp_position_moves(position, moves, NULL, MOST_MOVES);
            result.move =
                moves[random_below(random_next(stream), (uint32_t)(count < MOST_MOVES ? count : MOST_MOVES))];
        }
        ok = ok && mp_position_play(position, result.move, error);
    }
    return ok && !mp_position_is_over(position);
}

/* Values of finished games are on another scale than evaluations. */
static void note(const struct mp_result *so_far, void *context)
{
    struct searched_depths *sample = context;
    if (so_far->depth <= CUTS_DEEPEST && !so_far->complete && abs(so_far->value) <= MP_EVAL_MAX)
        sample->at[so_far->depth] = so_far->value;
}

static bool take_sample(struct survey *survey, struct mp_search *search, int number, struct mp_error *error)
{
    const struct fit_cuts *fit = survey->fit;
    const struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = fit->depth};
    struct searched_depths *sample = &survey->samples[number];
    for (int depth = 0; depth <= CUTS_DEEPEST; depth++)
        sample->at[depth] = NO_VALUE;
    for (int attempt = 0; attempt < TRIES; attempt++) {
        uint64_t stream = random_at(fit->seed, (uint64_t)number * TRIES + (uint64_t)attempt);
        struct mp_error reason = {0}; /* none where a game is over, and another one is tried */
        struct mp_position *position = mp_position_new(fit->game, NULL, &reason);
        struct mp_result result = {MP_SIZE(struct mp_result)};
        mp_search_forget(search);
        bool ok = position && reach(fit, search, &stream, position, &reason);
        mp_search_forget(search);
        if (ok) {
            sample->stage = cuts_stage(&survey->cuts, fit->game, mp_position_state(position));
            ok = mp_search_run_within(search, position, &limits, note, sample, &result, &reason);
        }
        mp_position_free(position);
        if (ok || *reason.text)
            return ok || mp_fail_with(error, reason.code, "%s", reason.text);
    }
    return mp_fail(error, "%d games were over at once, expected fewer random plies", TRIES);
}

/* ---- All positions --------------------------------------------------------------------------------------- */

/* The next to search, or -1. */
static int take_number(struct survey *survey)
{
    pthread_mutex_lock(&survey->lock);
    int number = !survey->failed && survey->next < survey->fit->positions ? survey->next++ : -1;
    pthread_mutex_unlock(&survey->lock);
    return number;
}

static void *work(void *context)
{
    struct survey *survey = context;
    struct mp_error error = {0};
    struct mp_search *search = mp_search_new(survey->fit->game, survey->fit->strategy, &error);
    bool ok = search;
    for (int number; ok && (number = take_number(survey)) >= 0;) {
        ok = take_sample(survey, search, number, &error);
        pthread_mutex_lock(&survey->lock);
        if (ok && survey->progress)
            survey->progress(++survey->done, survey->context);
        pthread_mutex_unlock(&survey->lock);
    }
    if (!ok) {
        pthread_mutex_lock(&survey->lock);
        if (!survey->failed)
            mp_fail_with(survey->error, error.code, "%s", error.text);
        survey->failed = true;
        pthread_mutex_unlock(&survey->lock);
    }
    mp_search_free(search);
    return NULL;
}

static void search_all(struct survey *survey)
{
    pthread_t threads[MP_MAX_THREADS];
    int started = 0;
    pthread_mutex_init(&survey->lock, NULL);
    while (started < survey->fit->threads - 1 && thread_start(&threads[started], work, survey))
        started++;
    work(survey);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&survey->lock);
}

/* ---- Lines through points -------------------------------------------------------------------------------- */

int fit_shallow(int deep)
{
    int shallow = deep / 2 - (deep - deep / 2) % 2;
    return shallow > 0 ? shallow : 1;
}

bool fit_line(const double *shallow, const double *deep, int count, struct fit_row *row)
{
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0, squares = 0;
    if (count < LEAST_POSITIONS)
        return false;
    for (int i = 0; i < count; i++) {
        x += shallow[i] / count;
        y += deep[i] / count;
    }
    for (int i = 0; i < count; i++) {
        xx += (shallow[i] - x) * (shallow[i] - x);
        xy += (shallow[i] - x) * (deep[i] - y);
        yy += (deep[i] - y) * (deep[i] - y);
    }
    struct cut *cut = &row->cut;
    cut->slope = xx > 0 ? xy / xx : 0;
    cut->offset = y - cut->slope * x;
    row->mean_error = 0;
    for (int i = 0; i < count; i++) {
        double error = deep[i] - cut->slope * shallow[i] - cut->offset;
        squares += error * error;
        row->mean_error += fabs(error) / count;
    }
    cut->sigma = sqrt(squares / (count - 2));
    row->r2 = yy > 0 ? 1 - squares / yy : 0;
    row->positions = count;
    return cut->slope >= 0.1 && cut->slope <= 10;
}

static void fit_all(const struct survey *survey, double *shallow, double *deep, struct fit_report *report)
{
    for (int stage = 0; stage < CUTS_STAGES; stage++)
        for (int depth = 3; depth <= survey->fit->depth; depth++) {
            struct fit_row *row = &report->rows[report->row_count];
            *row = (struct fit_row){.stage = stage, .deep = depth, .cut.shallow = fit_shallow(depth)};
            int count = 0;
            for (int i = 0; i < survey->fit->positions; i++) {
                const struct searched_depths *s = &survey->samples[i];
                if (s->stage != stage || s->at[depth] == NO_VALUE || s->at[row->cut.shallow] == NO_VALUE)
                    continue;
                shallow[count] = s->at[row->cut.shallow];
                deep[count++] = s->at[depth];
            }
            if (!fit_line(shallow, deep, count, row))
                continue;
            report->cuts.at[stage][depth] = row->cut;
            report->row_count++;
        }
}

bool fit_cuts_run(const struct fit_cuts *fit, fit_progress *progress, void *context,
                  struct fit_report *report, struct mp_error *error)
{
    struct mp_error reason = {.text = "out of memory", .code = MP_ERROR_MEMORY};
    size_t count = (size_t)fit->positions;
    struct survey survey = {.fit = fit, .progress = progress, .context = context, .error = &reason};
    survey.samples = calloc(count, sizeof *survey.samples);
    double *points = calloc(2 * count, sizeof *points);
    survey.cuts.stage_plies = fit->stage_plies;
    *report = (struct fit_report){.cuts = {.confidence = fit->confidence, .stage_plies = fit->stage_plies}};
    snprintf(report->cuts.game, sizeof report->cuts.game, "%s", fit->game->name);
    struct mp_strategy *strategy = mp_strategy_new(fit->game, fit->strategy, &reason);
    bool ok = survey.samples && points && strategy;
    if (ok) {
        mp_strategy_get(strategy, "eval", report->cuts.evaluation, sizeof report->cuts.evaluation);
        report->cuts.evaluation[strcspn(report->cuts.evaluation, ":")] = 0;
        search_all(&survey);
        ok = !survey.failed;
    }
    if (ok)
        fit_all(&survey, points, points + count, report);
    if (ok && !report->row_count)
        ok = mp_fail(&reason,
                     "no %d positions of a stage have values that go together, expected more --positions",
                     LEAST_POSITIONS);
    mp_strategy_free(strategy);
    free(survey.samples);
    free(points);
    return ok || mp_fail_with(error, reason.code, "%s", reason.text);
}

bool fit_cuts_write(const struct fit_report *report, const char *made, const char *path,
                    struct mp_error *error)
{
    const struct cuts *cuts = &report->cuts;
    char fresh[4096];
    if ((size_t)snprintf(fresh, sizeof fresh, "%s.new", path) >= sizeof fresh)
        return mp_fail(error, "the path of the cuts is too long");
    FILE *file = fopen(fresh, "w");
    if (!file)
        return mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s cannot be written: %s", path, strerror(errno));
    fprintf(file, "Manyply cuts 1\n# %.200s\ngame %s\neval %s\nconfidence %g\nstage %d\n", made, cuts->game,
            cuts->evaluation, cuts->confidence, cuts->stage_plies);
    fprintf(file, "# stage, deep, shallow, slope, offset, sigma\n");
    for (int i = 0; i < report->row_count; i++) {
        const struct fit_row *row = &report->rows[i];
        fprintf(file, "cut %d %d %d %.4f %.2f %.2f\n", row->stage, row->deep, row->cut.shallow,
                row->cut.slope, row->cut.offset, row->cut.sigma);
    }
    bool ok = !ferror(file);
    ok = fclose(file) == 0 && ok && rename(fresh, path) == 0;
    if (!ok)
        remove(fresh);
    return ok || mp_fail_with(error, MP_ERROR_SYSTEM, "%.200s could not be written", path);
}

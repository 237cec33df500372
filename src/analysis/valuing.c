/* valuing.c - searches every decision of the games, on several threads: each takes the next ply that has no value, and has
 * a search of its own. A ply is written by the thread that took it and by nobody else; the lock guards the rest. */
#include "analysis/analysis.h"

#include "base/memory.h"
#include "base/thread.h"

#include <string.h>

/* Dice are judged by the evaluation after the best play, as GNU Backgammon does. */
static const char luck_strategy[] = "expectiminimax,depth=1";

struct appraisal {
    struct analysis *analysis;
    struct mp_limits again; /* the limits of the strategy, for the second search; depth is set each time */
    pthread_mutex_t lock;   /* guards what follows */
    int game, ply;          /* the next to look at */
    int done, total;
    int workers;
    struct mp_error *error;
    bool failed;
};

/* What a search has said at each depth. A search that is stopped in an iteration reports what that has found as well, under the
 * depth before: that is no value of this depth. Monte-Carlo searches have no iterations by depth; there the last word counts. */
struct at_depths {
    bool known[MP_MAX_DEPTH + 1];
    mp_value values[MP_MAX_DEPTH + 1];
};

static void note_depth(const struct mp_result *so_far, void *context)
{
    struct at_depths *at = context;
    if (so_far->depth < 0 || so_far->depth > MP_MAX_DEPTH)
        return;
    bool again = at->known[so_far->depth] && so_far->counters.iterations == 0;
    if (so_far->bound == 0 && so_far->line <= 1 && !again) {
        at->known[so_far->depth] = true;
        at->values[so_far->depth] = so_far->value;
    }
}

/* A tree that was searched whole has the same value at every greater depth. */
static void note_end(struct at_depths *at, const struct mp_result *result)
{
    note_depth(result, at);
    for (int depth = result->depth; result->complete && depth <= MP_MAX_DEPTH; depth++) {
        at->known[depth] = true;
        at->values[depth] = result->value;
    }
}

/* The values at the greatest depth that both have, or else those at the end. */
static void compare(const struct at_depths *first, const struct at_depths *second, mp_value *a, mp_value *b)
{
    for (int depth = MP_MAX_DEPTH; depth > 0; depth--)
        if (first->known[depth] && second->known[depth]) {
            *a = first->values[depth];
            *b = second->values[depth];
            return;
        }
}

static bool is_proven(mp_value value)
{
    return value > MP_PROVEN || value < -MP_PROVEN;
}

static void keep_line(struct analysed_ply *ply, const struct mp_result *result)
{
    ply->best = result->move;
    ply->best_value = result->value;
    ply->line_length = result->pv_length < ANALYSIS_MOST_LINE ? result->pv_length : ANALYSIS_MOST_LINE;
    memcpy(ply->line, result->pv, (size_t)ply->line_length * sizeof *ply->line);
    if (ply->line_length == 0)
        ply->line[ply->line_length++] = result->move;
}

/* Two searches, see analysis.h. False: an error, or a stop. */
static bool value_decision(struct appraisal *v, struct mp_search *search, const struct mp_position *position,
                           struct analysed_ply *ply, struct mp_error *error)
{
    mp_move moves[MP_MAX_MOVES];
    struct at_depths first = {0}, second = {0};
    struct mp_result best = {MP_SIZE(struct mp_result)}, other = {MP_SIZE(struct mp_result)};
    struct mp_limits limits = v->again;
    mp_search_forget(search);
    if (!mp_search_run(search, position, note_depth, &first, &best, error) || atomic_load(&v->analysis->stop))
        return false;
    note_end(&first, &best);
    bool is_best = best.move == ply->move;
    limits.depth = best.depth;
    limits.moves = is_best ? moves : &ply->move;
    limits.move_count = is_best ? 0 : 1;
    int count = is_best ? mp_position_moves(position, moves, NULL, MP_MAX_MOVES) : 0;
    for (int i = 0; i < count; i++)
        if (moves[i] != best.move)
            moves[limits.move_count++] = moves[i];
    if (!mp_search_run_within(search, position, &limits, note_depth, &second, &other, error) ||
        atomic_load(&v->analysis->stop))
        return false;
    note_end(&second, &other);
    ply->common_best = best.value;
    ply->another = other.value;
    compare(&first, &second, &ply->common_best, &ply->another);
    ply->depth = best.depth;
    ply->exact = best.complete && other.complete;
    keep_line(ply, &best);
    mp_value apart = ply->common_best - ply->another;
    ply->value = is_best                                           ? best.value
                 : is_proven(best.value) || is_proven(other.value) ? other.value
                                                                   : best.value - apart;
    if (apart < 0) { /* the second look found something better */
        mp_value better = ply->another;
        ply->value = is_best ? best.value : other.value;
        keep_line(ply, &other);
        ply->another = ply->common_best;
        ply->common_best = better;
    }
    return true;
}

/* How much better this throw is than the mean of all. */
static bool value_throw(struct appraisal *v, struct mp_search *search, const struct mp_position *position,
                        struct analysed_ply *ply, struct mp_error *error)
{
    mp_move outcomes[MP_MAX_MOVES];
    uint32_t weights[MP_MAX_MOVES];
    int count = mp_position_moves(position, outcomes, weights, MP_MAX_MOVES);
    double sum = 0, total = 0, thrown = 0;
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        struct mp_result result = {MP_SIZE(struct mp_result)};
        struct mp_position *after = mp_position_copy(position, error);
        ok = after && mp_position_play(after, outcomes[i], error) &&
             mp_search_run(search, after, NULL, NULL, &result, error) && !atomic_load(&v->analysis->stop);
        mp_position_free(after);
        double worth = analysis_worth(v->analysis, ply, result.value);
        sum += weights[i] * worth;
        total += weights[i];
        thrown = outcomes[i] == ply->move ? worth : thrown;
    }
    ply->luck = thrown - sum / total;
    ply->best = MP_NO_MOVE;
    return ok;
}

/* The next ply without a value; false: there is none. */
static bool take(struct appraisal *v, struct analysed_game **game, int *ply)
{
    struct analysis *a = v->analysis;
    pthread_mutex_lock(&v->lock);
    for (; v->game < a->game_count; v->game++, v->ply = 0) {
        *game = &a->games[v->game];
        while (v->ply < (*game)->count && (*game)->plies[v->ply].done)
            v->ply++;
        if (v->ply < (*game)->count)
            break;
    }
    bool found = !v->failed && !atomic_load(&a->stop) && v->game < a->game_count;
    *ply = v->ply++;
    pthread_mutex_unlock(&v->lock);
    return found;
}

static void finish(struct appraisal *v, struct analysed_game *game, int number,
                   const struct analysed_ply *ply, bool ok, const struct mp_error *error)
{
    pthread_mutex_lock(&v->lock);
    if (ok) {
        game->plies[number] = *ply;
        game->plies[number].done = true;
        kept_add(game, number);
        v->done++;
        if (v->analysis->progress)
            v->analysis->progress(v->analysis->context, v->done, v->total);
    } else if (!v->failed && !atomic_load(&v->analysis->stop)) {
        v->failed = true;
        mp_fail(v->error, "ply %d: %.400s", number + 1, error->text);
    }
    pthread_mutex_unlock(&v->lock);
}

static void *work(void *context)
{
    struct appraisal *v = context;
    struct analysis *a = v->analysis;
    struct analysed_game *game = NULL;
    int number;
    pthread_mutex_lock(&v->lock);
    struct mp_search *search = a->active[v->workers++];
    pthread_mutex_unlock(&v->lock);
    struct mp_search *luck = NULL; /* made when it is needed */
    while (take(v, &game, &number)) {
        struct mp_error error = {0};
        struct analysed_ply ply = game->plies[number];
        struct mp_position *position = analysis_position(game, number, &error);
        bool ok = position;
        if (ok && ply.kind == PLY_DECISION)
            ok = value_decision(v, search, position, &ply, &error);
        else if (ok)
            ok = (luck || (luck = mp_search_new(a->game, luck_strategy, &error))) &&
                 value_throw(v, luck, position, &ply, &error);
        if (ok)
            analysis_judge(a, &ply);
        mp_position_free(position);
        finish(v, game, number, &ply, ok, &error);
    }
    mp_search_free(luck);
    return NULL;
}

static void run_threads(struct appraisal *v)
{
    pthread_t threads[MP_MAX_THREADS];
    int started = 0;
    pthread_mutex_init(&v->lock, NULL);
    while (started < v->analysis->threads - 1 && thread_start(&threads[started], work, v))
        started++;
    work(v);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&v->lock);
}

bool analysis_run(struct analysis *a, struct mp_error *error)
{
    struct appraisal v = {.analysis = a, .again = {MP_SIZE(struct mp_limits)}, .error = error};
    mp_strategy_limits(a->strategy, &v.again);
    analysis_count(a, &v.done, &v.total);
    struct mp_search **searches = calloc((size_t)a->threads + 1, sizeof *searches);
    bool ok = searches || mp_fail(error, "out of memory");
    for (int i = 0; ok && i < a->threads; i++)
        ok = (searches[i] = mp_search_with(a->strategy, error)) != NULL;
    if (ok && v.done < v.total) {
        a->active = searches; /* whole, before a signal can look at it */
        run_threads(&v);
        a->active = NULL;
        ok = !v.failed;
    }
    for (int i = 0; searches && i < a->threads; i++)
        mp_search_free(searches[i]);
    free(searches);
    return ok;
}

void analysis_stop(struct analysis *a)
{
    atomic_store(&a->stop, true);
    for (int i = 0; a->active && i < a->threads; i++)
        mp_search_stop(a->active[i]);
}

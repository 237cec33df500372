/* rollouts.c - plays the games of a rollout in rounds, on all threads.
 *
 * Threads: between two rounds there is one. In a round each takes the next few games of a candidate by an atomic
 * number, plays them with a worker of its own and adds them to the sums under a lock. The sums are of whole numbers, and
 * who is left out is decided between rounds, so it does not matter who plays what. */
#include "lab/rollouts.h"

#include "base/thread.h"
#include "strategy/strategy.h"

#include <math.h>
#include <stdlib.h>

enum {
    FIRST_ROUNDS = 36, /* games: each first throw as often as it should come */
    LATER_ROUNDS = 144,
    TASK = 4, /* games */
};

struct table_room {
    struct rollouts *rollouts;
    const struct settings *settings;
    struct worker *workers;
    int threads, ready; /* wanted, and made */
    mp_move moves[ROLLOUT_MOST_MOVES];
    mp_value guesses[ROLLOUT_MOST_MOVES];
    struct rollout_tally tallies[ROLLOUT_MOST_MOVES], round[ROLLOUT_MOST_MOVES];
    bool out[ROLLOUT_MOST_MOVES];
    int count;
    int first, size;      /* games of this round */
    atomic_int next;      /* task; relaxed: it carries no data */
    pthread_mutex_t lock; /* of round[] while it is played */
    int64_t start_ns;
};

struct seat {
    struct table_room *room;
    struct worker *worker;
};

/* ---- A round ------------------------------------------------------------------------------------------- */

static void *play_tasks(void *argument)
{
    const struct seat *p = argument;
    struct table_room *r = p->room;
    const int each = (r->size + TASK - 1) / TASK;
    for (;;) {
        int task = atomic_fetch_add_explicit(&r->next, 1, memory_order_relaxed);
        int candidate = task / each, first = task % each * TASK;
        if (candidate >= r->count || p->worker->stopped)
            return NULL;
        if (r->out[candidate])
            continue;
        struct rollout_tally tally;
        rollout_play(p->worker, r->moves[candidate], r->first + first,
                     r->size - first < TASK ? r->size - first : TASK, &tally);
        if (p->worker->stopped)
            return NULL;
        pthread_mutex_lock(&r->lock);
        rollout_add(&r->round[candidate], &tally);
        pthread_mutex_unlock(&r->lock);
    }
}

/* False: it was stopped, and does not count. */
static bool play_round(struct table_room *r)
{
    pthread_t threads[MP_MAX_THREADS];
    struct seat seats[MP_MAX_THREADS];
    int started = 1;
    bool stopped = false;
    for (int i = 0; i < r->count; i++)
        r->round[i] = (struct rollout_tally){0};
    atomic_store_explicit(&r->next, 0, memory_order_relaxed);
    for (int t = 0; t < r->ready; t++)
        seats[t] = (struct seat){r, &r->workers[t]};
    /* One that cannot be started leaves its games to the others. */
    while (started < r->ready && thread_start(&threads[started], play_tasks, &seats[started]))
        started++;
    play_tasks(&seats[0]);
    for (int t = 1; t < started; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < started; t++)
        stopped = stopped || r->workers[t].stopped;
    for (int i = 0; i < r->count && !stopped; i++)
        rollout_add(&r->tallies[i], &r->round[i]);
    return !stopped;
}

/* ---- What it has come to ------------------------------------------------------------------------------- */

static void fill_row(const struct table_room *r, int i, struct rollouts_row *row)
{
    const struct rollout_tally *t = &r->tallies[i];
    const double games = (double)t->games, unit = r->workers[0].game->units_per_point;
    double mean = t->games ? (double)t->sum / games : (double)r->guesses[i];
    double variance = t->games > 1 ? ((double)t->squares - games * mean * mean) / (games - 1) : 0;
    *row = (struct rollouts_row){
        .move = r->moves[i], .games = t->games, .equity = mean / unit, .is_out = r->out[i]};
    row->error = variance > 0 ? sqrt(variance / games) / unit : 0;
    row->has_shares = t->games > 0 && rollout_tells_shares(&r->workers[0]);
    for (int k = 0; k < OUTLOOK && row->has_shares; k++)
        row->shares[k] = (double)t->shares[k] / games / ROLLOUT_WHOLE;
}

static void fill_table(const struct table_room *r, struct rollouts_table *table)
{
    table->count = 0;
    table->evaluations = 0;
    for (int i = 0; i < r->count; i++) {
        struct rollouts_row row;
        fill_row(r, i, &row);
        int at = table->count++;
        for (; at > 0 && table->rows[at - 1].equity < row.equity; at--)
            table->rows[at] = table->rows[at - 1];
        table->rows[at] = row;
    }
    for (int t = 0; t < r->ready; t++)
        table->evaluations += (int64_t)r->workers[t].counters.leaves;
    table->seconds = clock_seconds_since(r->start_ns);
}

/* Leaves out who is clearly worse than the best; how many are left. */
static int leave_out(struct table_room *r, const struct rollouts_table *table)
{
    const struct rollouts_row *best = &table->rows[0];
    int left = 0;
    for (int i = 0; i < r->count; i++) {
        struct rollouts_row row;
        fill_row(r, i, &row);
        double behind = best->equity - row.equity, joint = hypot(best->error, row.error);
        if (r->rollouts->clear > 0 && row.move != best->move && behind > r->rollouts->clear * joint)
            r->out[i] = true;
        else if (row.move == best->move)
            r->out[i] = false; /* the others have come to be worse than one that was left out */
        left += !r->out[i];
    }
    return left;
}

/* ---- All of it ----------------------------------------------------------------------------------------- */

static bool open_room(struct table_room *r, struct mp_error *error)
{
    const struct mp_strategy *strategy = r->rollouts->strategy;
    const void *root = mp_position_state(r->rollouts->position);
    struct mp_history history = mp_position_history(r->rollouts->position);
    r->settings = &strategy->plan.settings;
    r->threads = strategy->plan.threads;
    r->workers = calloc((size_t)r->threads, sizeof *r->workers);
    bool ok = r->workers || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a rollout");
    while (ok && r->ready < r->threads) {
        ok = worker_init(&r->workers[r->ready], strategy->game, r->settings, &r->rollouts->control, NULL,
                         error);
        if (ok)
            ok = worker_set_root(&r->workers[r->ready++], root, &history, error);
    }
    return ok;
}

static void choose_candidates(struct table_room *r)
{
    struct worker *w = &r->workers[0];
    if (worker_is_chance(w, 0)) {
        r->moves[0] = MP_NO_MOVE;
        r->guesses[0] = worker_static(w, 0);
        r->count = 1;
        return;
    }
    struct move_list list = rollout_candidates(w);
    for (; r->count < list.count; r->count++) {
        r->moves[r->count] = list.moves[r->count];
        r->guesses[r->count] = list.scores[r->count];
    }
    worker_drop(w, list);
}

static void run_rounds(struct table_room *r, struct rollouts_table *table)
{
    const int games = r->settings->games;
    int left = r->count;
    fill_table(r, table);
    while (r->first < games && !table->stopped && (left > 1 || r->count == 1)) {
        int wanted = r->first < LATER_ROUNDS ? FIRST_ROUNDS : LATER_ROUNDS;
        r->size = games - r->first < wanted ? games - r->first : wanted;
        table->stopped = !play_round(r);
        if (table->stopped)
            break;
        r->first += r->size;
        fill_table(r, table);
        if (r->first >= LATER_ROUNDS)
            left = leave_out(r, table);
        fill_table(r, table);
        if (r->rollouts->progress)
            r->rollouts->progress(table, r->rollouts->context);
    }
    table->seconds = clock_seconds_since(r->start_ns);
}

bool rollouts_run(struct rollouts *rollouts, struct rollouts_table *table, struct mp_error *error)
{
    const struct plan *plan = &rollouts->strategy->plan;
    struct table_room *r = calloc(1, sizeof *r);
    if (!r)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for a rollout");
    *table = (struct rollouts_table){0};
    r->rollouts = rollouts;
    r->start_ns = clock_ns();
    pthread_mutex_init(&r->lock, NULL);
    if (plan->seconds > 0)
        rollouts->control.deadline_ns = r->start_ns + (int64_t)(plan->seconds * 1e9);
    rollouts->control.node_limit = plan->node_limit;
    bool ok = open_room(r, error);
    if (ok) {
        choose_candidates(r);
        run_rounds(r, table);
    }
    for (int t = 0; t < r->ready; t++)
        worker_free(&r->workers[t]);
    pthread_mutex_destroy(&r->lock);
    free(r->workers);
    free(r);
    return ok;
}

void rollouts_stop(struct rollouts *rollouts)
{
    control_stop(&rollouts->control);
}

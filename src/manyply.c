/* manyply.c - the public interface, put together from games, search and parallel; positions are in
 * position.c. */
#include "manyply/manyply.h"

#include "base/clock.h"
#include "base/cpus.h"
#include "games/games.h"
#include "parallel/montecarlo.h"
#include "parallel/strategy.h"
#include "search/learned.h"

#include <stdlib.h>
#include <string.h>

const char *mp_version(void)
{
    return MANYPLY_VERSION;
}

int mp_cpu_count(void)
{
    int cpus = cpus_allowed();
    return cpus < MP_MAX_THREADS ? cpus : MP_MAX_THREADS;
}

/* ---- Games ------------------------------------------------------------------------------------------ */

const char *mp_game_name(int index)
{
    return games_name(index);
}

struct mp_game *mp_game_open(const char *name, struct mp_error *error)
{
    return games_open(name, error);
}

void mp_game_close(struct mp_game *game)
{
    games_close(game);
}

/* ---- Searches --------------------------------------------------------------------------------------- */

struct mp_search {
    struct mp_game game; /* a copy, because the name of a strategy may imply an option of it */
    struct strategy strategy;
    struct control control;
    struct root_moves root;
    struct table *table;
    struct crew crew;
    struct trace *trace;      /* null: nobody follows */
    int64_t start_ns, end_ns; /* of the last run */
    int64_t iteration_ns;     /* when the present iteration began */
    uint64_t iteration_nodes; /* of thread 0, at that time */
};

struct mp_search *mp_search_new(const struct mp_game *game, const char *strategy, struct mp_error *error)
{
    struct mp_search *s = calloc(1, sizeof *s);
    if (!s) {
        mp_fail(error, "out of memory");
        return NULL;
    }
    s->game = *game;
    bool ok = strategy_parse(game, strategy, &s->strategy, error);
    if (ok && s->strategy.name && s->strategy.name->option[0])
        games_set_option(&s->game, s->strategy.name->option[0], s->strategy.name->option[1], NULL);
    if (ok && s->strategy.table_megabytes > 0) {
        s->table = table_new((size_t)s->strategy.table_megabytes);
        ok = s->table || mp_fail(error, "no memory for hash=%d (MB)", s->strategy.table_megabytes);
    }
    s->crew.scheme = s->strategy.scheme;
    s->crew.options = s->strategy.scheme_options;
    s->crew.threads = ok ? s->strategy.threads : 0;
    ok = ok && crew_init(&s->crew, &s->game, &s->strategy.settings, &s->control, s->table, error);
    if (ok && s->strategy.settings.algorithm->samples)
        ok = montecarlo_init(&s->crew, &s->game, &s->strategy, error);
    for (int i = 0; ok && i < s->crew.threads; i++)
        s->crew.workers[i].root_moves = &s->root;
    if (ok && s->table)
        crew_clear_table(&s->crew, s->table);
    if (ok)
        return s;
    mp_search_free(s);
    return NULL;
}

void mp_search_free(struct mp_search *s)
{
    if (!s)
        return;
    montecarlo_free(&s->crew);
    crew_free(&s->crew);
    trace_free(s->trace);
    table_free(s->table);
    free(s);
}

const char *mp_search_strategy(const struct mp_search *s)
{
    return s->strategy.text;
}

void mp_search_stop(struct mp_search *s)
{
    control_stop(&s->control);
}

void mp_search_clear_stop(struct mp_search *s)
{
    atomic_store_explicit(&s->control.stop, false, memory_order_relaxed);
}

static void add_counters(struct mp_counters *sum, const struct mp_counters *part)
{
    sum->nodes += part->nodes;
    sum->leaves += part->leaves;
    sum->alpha_cuts += part->alpha_cuts;
    sum->beta_cuts += part->beta_cuts;
    sum->table_probes += part->table_probes;
    sum->table_hits += part->table_hits;
    sum->leaf_plies += part->leaf_plies;
    sum->iterations += part->iterations;
    sum->playouts += part->playouts;
    sum->alternatives += part->alternatives;
    sum->alternative_plies += part->alternative_plies;
    if (part->max_ply > sum->max_ply)
        sum->max_ply = part->max_ply;
}

struct run {
    struct mp_search *search;
    struct mp_result *result;
    int64_t start_ns;
    mp_progress progress;
    void *context;
};

static void sum_up(const struct run *run)
{
    const struct crew *crew = &run->search->crew;
    run->result->seconds = clock_seconds_since(run->start_ns);
    run->result->counters = (struct mp_counters){0};
    struct mp_counters *sum = &run->result->counters;
    for (int i = 0; i < crew->threads; i++) {
        add_counters(sum, &crew->workers[i].counters);
        struct pool_stats stats = crew->pool ? pool_stats(crew->pool, i) : (struct pool_stats){0};
        sum->tasks_created += stats.tasks_created;
        sum->tasks_local += stats.tasks_local;
        sum->tasks_stolen += stats.tasks_stolen;
        sum->tasks_cancelled += stats.tasks_cancelled;
        sum->wasted_nodes += stats.wasted_nodes;
        run->result->busy_seconds[i] = (i == 0 ? run->result->seconds : stats.helping_seconds) -
                                       stats.waiting_seconds;
    }
}

/* The iteration that has just ended, finished or not, as a slice of thread 0. */
static void trace_iteration(struct mp_search *s, int depth)
{
    if (!s->trace)
        return;
    const struct worker *w = &s->crew.workers[0];
    struct place root = {.state = w->states, .depth = depth};
    int64_t now = clock_ns();
    trace_end(s->trace, 0,
              (struct slice){.start_ns = s->iteration_ns,
                             .end_ns = now,
                             .nodes = w->counters.nodes - s->iteration_nodes,
                             .kind = SLICE_ITERATION},
              &root, -1);
    s->iteration_ns = now;
    s->iteration_nodes = w->counters.nodes;
    root.depth++;
    trace_begin(s->trace, 0, MP_SEARCHING, &root, 0);
}

static void report_progress(void *context)
{
    const struct run *run = context;
    trace_iteration(run->search, run->result->depth);
    if (run->progress) {
        sum_up(run);
        run->progress(run->result, run->context);
    }
}

static void begin_trace(struct mp_search *s, int depth)
{
    if (!s->trace)
        return;
    struct place root = {.state = s->crew.workers[0].states, .depth = depth};
    trace_clear(s->trace);
    s->iteration_nodes = 0;
    s->iteration_ns = clock_ns();
    trace_begin(s->trace, 0, MP_SEARCHING, &root, 0);
}

static void end_trace(struct mp_search *s)
{
    s->end_ns = clock_ns();
    if (s->trace)
        trace_begin(s->trace, 0, MP_RESTING, NULL, 0);
}

/* Only where no other worker is busy between two searches of the root. */
static void report_bound(void *context, int depth, mp_value value, int bound)
{
    const struct run *run = context;
    struct mp_result *result = run->result;
    if (!run->progress || result->depth == 0)
        return;
    int finished = result->depth;
    mp_value found = result->value;
    result->depth = depth;
    result->value = value;
    result->bound = bound;
    sum_up(run);
    run->progress(result, run->context);
    result->depth = finished;
    result->value = found;
    result->bound = 0;
}

/* The moves a run may begin with. False: there are none. */
static bool set_root(struct mp_search *s, const struct mp_position *position, const struct mp_limits *limits,
                     mp_move *fallback, int *lines, struct mp_error *error)
{
    if (mp_position_is_chance(position))
        return mp_fail(error, "the dice are to be thrown, expected a position with a player to move");
    int count = mp_position_moves(position, fallback, NULL, 1);
    if (count == 0)
        return mp_fail(error, "the game is over, expected a position with a legal move");
    s->root = (struct root_moves){.only = limits->moves, .only_count = limits->move_count};
    if (limits->move_count > 0) {
        *fallback = limits->moves[0];
        count = limits->move_count;
    }
    *lines = limits->lines < 1 ? 1 : limits->lines;
    *lines = *lines < count ? *lines : count;
    *lines = *lines < MP_MAX_LINES ? *lines : MP_MAX_LINES;
    return true;
}

static bool run_search(struct mp_search *s, const struct mp_position *position,
                       const struct mp_limits *limits, int first_depth, int last_depth, const struct run *run,
                       struct mp_error *error)
{
    *run->result = (struct mp_result){.threads = s->crew.threads};
    mp_move fallback;
    int lines = 1;
    if (!set_root(s, position, limits, &fallback, &lines, error))
        return false;
    atomic_store_explicit(&s->control.nodes, 0, memory_order_relaxed);
    s->control.node_limit = limits->nodes;
    s->control.deadline_ns = limits->seconds > 0 ? run->start_ns + (int64_t)(limits->seconds * 1e9) : 0;
    struct mp_history history = mp_position_history(position);
    if (!crew_begin(&s->crew, mp_position_state(position), &history, error))
        return false;
    bool bounds = limits->bounds && s->strategy.scheme->iterate == scheme_none;
    s->crew.workers[0].report_bound = bounds ? report_bound : NULL;
    s->crew.workers[0].report_context = (void *)run;
    if (s->table)
        table_new_run(s->table);

    struct driver driver = {
        .settings = &s->strategy.settings,
        .control = &s->control,
        .first_depth = first_depth,
        .last_depth = last_depth,
        .lines = lines,
        .root = &s->root,
        .iterate = crew_iterate,
        .context = &s->crew,
        .report = report_progress,
        .report_context = (void *)run,
    };
    s->start_ns = run->start_ns;
    begin_trace(s, driver.first_depth);
    bool ok = true;
    if (s->crew.mcts)
        ok = montecarlo_run(&s->crew, &s->strategy, fallback, report_progress, (void *)run, run->result,
                            error);
    else
        driver_run(&driver, fallback, run->result);
    mp_search_clear_stop(s);
    if (run->result->stopped)
        trace_iteration(s, run->result->depth + 1);
    end_trace(s);
    sum_up(run);
    return ok;
}

bool mp_search_run(struct mp_search *s, const struct mp_position *position, mp_progress progress,
                   void *context, struct mp_result *result, struct mp_error *error)
{
    struct run run = {s, result, clock_ns(), progress, context};
    struct mp_limits limits = {.nodes = s->strategy.node_limit, .seconds = s->strategy.seconds};
    return run_search(s, position, &limits, strategy_first_depth(&s->strategy),
                      strategy_last_depth(&s->strategy), &run, error);
}

bool mp_search_run_within(struct mp_search *s, const struct mp_position *position,
                          const struct mp_limits *limits, mp_progress progress, void *context,
                          struct mp_result *result, struct mp_error *error)
{
    struct run run = {s, result, clock_ns(), progress, context};
    int deepest = strategy_deepest(&s->strategy);
    int last = limits->depth > 0 && limits->depth < deepest ? limits->depth : deepest;
    return run_search(s, position, limits, 1, last, &run, error);
}

void mp_search_forget(struct mp_search *s)
{
    if (s->table)
        crew_clear_table(&s->crew, s->table);
    crew_clear_notes(&s->crew);
    for (int i = 0; i < s->crew.threads; i++)
        if (s->crew.workers[i].learned)
            learned_clear(s->crew.workers[i].learned, s->crew.workers[i].index_count);
}

int mp_search_table_fill(const struct mp_search *s)
{
    return s->table ? table_fill(s->table) : 0;
}

/* ---- What the threads do ----------------------------------------------------------------------------- */

bool mp_search_follow(struct mp_search *s, int slices, struct mp_error *error)
{
    trace_free(s->trace);
    s->trace = slices < 0 ? NULL : trace_new(&s->game, s->crew.threads, slices);
    if (s->crew.pool)
        pool_set_trace(s->crew.pool, s->trace);
    return s->trace || mp_fail(error, "no memory to remember %d pieces of work a thread", slices);
}

bool mp_search_activity(const struct mp_search *s, int thread, struct mp_activity *activity, void *state)
{
    if (!s->trace || thread < 0 || thread >= s->crew.threads)
        return false;
    trace_look(s->trace, thread, activity, state);
    activity->nodes = atomic_load_explicit(&s->crew.workers[thread].shown, memory_order_relaxed);
    return true;
}

bool mp_search_write_trace(const struct mp_search *s, const char *path, struct mp_error *error)
{
    if (!s->trace)
        return mp_fail(error, "nobody followed the search, expected mp_search_follow before it");
    return trace_write(s->trace, path, s->strategy.text, s->start_ns, s->end_ns, error);
}

/* ---- Descriptions ----------------------------------------------------------------------------------- */

bool mp_algorithm_at(int index, struct mp_info *info)
{
    for (int i = 0; algorithms[i].name; i++)
        if (i == index) {
            *info = (struct mp_info){algorithms[i].name, algorithms[i].summary, algorithms[i].exact};
            return true;
        }
    return false;
}

bool mp_scheme_at(int index, struct mp_info *info)
{
    for (int i = 0; schemes[i].name; i++)
        if (i == index) {
            *info = (struct mp_info){schemes[i].name, schemes[i].summary, true};
            return true;
        }
    return false;
}

bool mp_report_name_at(int index, struct mp_info *info)
{
    for (int i = 0; strategy_names[i].name; i++)
        if (i == index) {
            *info = (struct mp_info){strategy_names[i].form, strategy_names[i].summary, true};
            return true;
        }
    return false;
}

bool mp_key_at(int index, struct mp_key_info *info)
{
    return strategy_key_at(index, info);
}

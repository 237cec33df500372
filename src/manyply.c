/* manyply.c - the public interface, put together from games, search and parallel; positions are in
 * position.c. */
#include "manyply/manyply.h"

#include "base/clock.h"
#include "base/cpus.h"
#include "games/games.h"
#include "parallel/montecarlo.h"
#include "parallel/strategy.h"
#include "search/learned.h"
#include "search/mcts.h"

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
    const struct mp_game *opened;
    struct mp_game game; /* a copy, because the name of a strategy may imply an option of it */
    struct strategy strategy;
    struct control control;
    struct root_moves root;
    struct table *table;
    struct crew crew;
    mp_move *moves;                        /* root.only, where a run has a choice of moves */
    struct iteration *found[MP_MAX_LINES]; /* as many as any run so far has looked for */
    int line_count;
    struct trace *trace;      /* null: nobody follows */
    int64_t start_ns, end_ns; /* of the last run */
    int64_t iteration_ns;     /* when the present iteration began */
    uint64_t iteration_nodes; /* of thread 0, at that time */
};

char *mp_default_strategy(const struct mp_game *game, const char *limit, bool on_all_cpus, char *text,
                          size_t size)
{
    const char *how = game->chances ? "star2,depth=2" : "pvs,selective=on";
    limit = game->chances ? NULL : limit;
    snprintf(text, size, "%s%s%s%s", how, limit ? "," : "", limit ? limit : "",
             on_all_cpus ? ",split=auto" : "");
    return text;
}

/* Of a table that grows. */
enum { FIRST_MEGABYTES = 16 };

struct mp_search *mp_search_new(const struct mp_game *game, const char *strategy, struct mp_error *error)
{
    struct mp_search *s = calloc(1, sizeof *s);
    if (!s) {
        mp_fail(error, "out of memory");
        return NULL;
    }
    s->opened = game;
    s->game = *game;
    bool ok = strategy_parse(game, strategy, &s->strategy, error);
    if (ok && s->strategy.name && s->strategy.name->option[0])
        games_set_option(&s->game, s->strategy.name->option[0], s->strategy.name->option[1], NULL);
    if (ok && s->strategy.table_megabytes) {
        bool grows = s->strategy.table_megabytes == STRATEGY_TABLE_AUTO;
        size_t megabytes = grows ? FIRST_MEGABYTES : (size_t)s->strategy.table_megabytes;
        s->table = table_new(megabytes, grows ? table_most_megabytes() : megabytes);
        ok = s->table || mp_fail(error, "out of memory for a transposition table of %zu MB", megabytes);
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
    free(s->moves);
    while (s->line_count > 0)
        free(s->found[--s->line_count]);
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

/* Centuries are as good as any time that is longer. */
static int64_t seconds_to_ns(double seconds)
{
    const double most = 4e9;
    return (int64_t)((seconds < most ? seconds : most) * 1e9);
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

/* Only where no other worker is busy between two searches of the root, and of the best line: what is known of
 * another has not been reported yet. */
static void report_bound(void *context, int depth, mp_value value, int bound)
{
    const struct run *run = context;
    struct mp_result *result = run->result;
    if (!run->progress || result->depth == 0 || run->search->root.excluded_count > 0)
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

/* Is this a position of the game, or of one that was opened in the same way? */
static bool is_of_game(const struct mp_search *s, const struct mp_position *position)
{
    const struct mp_game *game = s->opened, *other = mp_position_game(position);
    return game == other ||
           (game->play == other->play && game->state_size == other->state_size &&
            !strcmp(game->name, other->name) && !memcmp(game->option, other->option, sizeof game->option));
}

static bool check_limits(const struct mp_limits *limits, struct mp_error *error)
{
    if (limits->depth < 0)
        return mp_fail(error, "limits: depth %d, expected 0 or more", limits->depth);
    if (limits->lines < 0)
        return mp_fail(error, "limits: lines %d, expected 0 or more", limits->lines);
    if (limits->move_count < 0 || (limits->move_count > 0 && !limits->moves))
        return mp_fail(error, "limits: move_count %d%s", limits->move_count,
                       limits->move_count < 0 ? ", expected 0 or more" : " without moves");
    if (!(limits->seconds >= 0))
        return mp_fail(error, "limits: seconds %g, expected 0 or more", limits->seconds);
    return true;
}

/* The moves of limits, each once, in only; returns how many, -1 if one is not legal. */
static int chosen_moves(const struct mp_limits *limits, const mp_move *legal, int legal_count, mp_move *only)
{
    int count = 0;
    for (int i = 0; i < legal_count; i++)
        for (int j = 0; j < limits->move_count; j++)
            if (limits->moves[j] == legal[i]) {
                only[count++] = legal[i];
                break;
            }
    for (int j = 0; j < limits->move_count; j++) {
        int i = 0;
        while (i < count && only[i] != limits->moves[j])
            i++;
        if (i == count)
            return -1;
    }
    return count;
}

/* The moves a run may begin with; how many lines there can be. False: it cannot begin. */
static bool set_root(struct mp_search *s, const struct mp_position *position, const struct mp_limits *limits,
                     int *lines, struct mp_error *error)
{
    if (!is_of_game(s, position))
        return mp_fail(error, "a position of %s, expected one of %s with the options of the search",
                       mp_position_game(position)->name, s->opened->name);
    if (!check_limits(limits, error))
        return false;
    if (mp_position_is_chance(position))
        return mp_fail(error, "the dice are to be thrown, expected a position with a player to move");
    int count = mp_position_moves(position, NULL, NULL, 0);
    if (count == 0)
        return mp_fail(error, "the game is over, expected a position with a legal move");
    s->root = (struct root_moves){0};
    if (limits->move_count > 0) {
        mp_move *moves = realloc(s->moves, 2 * (size_t)count * sizeof *moves);
        if (!moves)
            return mp_fail(error, "out of memory for the moves of a position");
        s->moves = moves;
        mp_position_moves(position, moves + count, NULL, count);
        count = chosen_moves(limits, moves + count, count, moves);
        if (count < 0)
            return mp_fail(error, "limits: a move that is not legal in the position");
        s->root.only = moves;
        s->root.only_count = count;
    }
    *lines = limits->lines < 1 ? 1 : limits->lines;
    *lines = *lines < count ? *lines : count;
    *lines = *lines < MP_MAX_LINES ? *lines : MP_MAX_LINES;
    return true;
}

/* Room for what an iteration finds in each line. */
static bool reserve_lines(struct mp_search *s, int lines, struct mp_error *error)
{
    while (s->line_count < lines) {
        s->found[s->line_count] = malloc(sizeof **s->found);
        if (!s->found[s->line_count])
            return mp_fail(error, "out of memory for %d lines", lines);
        s->line_count++;
    }
    return true;
}

/* What a run is to do. */
struct task {
    const struct mp_limits *limits;
    int first_depth, last_depth;
    uint64_t iterations; /* of a Monte-Carlo search */
};

static bool search_position(struct mp_search *s, const struct mp_position *position, const struct task *task,
                            const struct run *run, struct mp_error *error)
{
    const struct mp_limits *limits = task->limits;
    *run->result = (struct mp_result){.threads = s->crew.threads};
    int lines = 1;
    if (!set_root(s, position, limits, &lines, error) || !reserve_lines(s, lines, error))
        return false;
    atomic_store_explicit(&s->control.nodes, 0, memory_order_relaxed);
    s->control.node_limit = limits->nodes;
    s->control.deadline_ns = limits->seconds > 0 ? run->start_ns + seconds_to_ns(limits->seconds) : 0;
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
        .first_depth = task->first_depth,
        .last_depth = task->last_depth,
        .lines = lines,
        .found = s->found,
        .root = &s->root,
        .first = &s->crew.workers[0],
        .iterate = crew_iterate,
        .open_ends = strategy_counts_plies(&s->strategy) ? crew_open_ends : NULL,
        .context = &s->crew,
        .report = report_progress,
        .report_context = (void *)run,
    };
    s->start_ns = run->start_ns;
    begin_trace(s, driver.first_depth);
    bool ok = true;
    if (s->crew.mcts)
        ok = montecarlo_run(&s->crew, task->iterations, lines, report_progress, (void *)run, run->result,
                            error);
    else
        driver_run(&driver, run->result);
    if (run->result->stopped)
        trace_iteration(s, run->result->depth + 1);
    end_trace(s);
    sum_up(run);
    return ok;
}

/* However a run ends, a stop ends with it. */
static bool run_search(struct mp_search *s, const struct mp_position *position, const struct task *task,
                       const struct run *run, struct mp_error *error)
{
    bool ok = search_position(s, position, task, run, error);
    mp_search_clear_stop(s);
    return ok;
}

bool mp_search_run(struct mp_search *s, const struct mp_position *position, mp_progress progress,
                   void *context, struct mp_result *result, struct mp_error *error)
{
    struct run run = {s, result, clock_ns(), progress, context};
    struct mp_limits limits = {.nodes = s->strategy.node_limit, .seconds = s->strategy.seconds};
    struct task task = {.limits = &limits,
                        .first_depth = strategy_first_depth(&s->strategy),
                        .last_depth = strategy_last_depth(&s->strategy),
                        .iterations = strategy_iterations(&s->strategy)};
    return run_search(s, position, &task, &run, error);
}

bool mp_search_run_within(struct mp_search *s, const struct mp_position *position,
                          const struct mp_limits *limits, mp_progress progress, void *context,
                          struct mp_result *result, struct mp_error *error)
{
    struct run run = {s, result, clock_ns(), progress, context};
    int deepest = strategy_deepest(&s->strategy);
    bool by_depth_alone = limits->depth > 0 && limits->nodes == 0 && limits->seconds == 0;
    struct task task = {.limits = limits,
                        .first_depth = 1,
                        .last_depth = limits->depth > 0 && limits->depth < deepest ? limits->depth : deepest,
                        .iterations = by_depth_alone ? strategy_iterations(&s->strategy) : UINT64_MAX};
    return run_search(s, position, &task, &run, error);
}

void mp_search_forget(struct mp_search *s)
{
    if (s->table)
        crew_clear_table(&s->crew, s->table);
    crew_clear_notes(&s->crew);
    montecarlo_forget(&s->crew);
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
    if (slices < 0)
        return mp_fail(error, "%d pieces of work per thread to remember, expected 0 or more", slices);
    trace_free(s->trace);
    s->trace = trace_new(&s->game, s->crew.threads, slices);
    if (s->crew.pool)
        pool_set_trace(s->crew.pool, s->trace);
    return s->trace || mp_fail(error, "out of memory for a trace of %d pieces of work per thread", slices);
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

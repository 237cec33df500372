/* engine.c - searches of the public interface: made from a strategy, run within limits, stopped, forgotten. */
#include "engine/engine.h"

#include "base/clock.h"
#include "games/games.h"
#include "search/book.h"
#include "search/learned.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making ------------------------------------------------------------------------------------------- */

/* Of a table that grows. */
enum { FIRST_MEGABYTES = 16 };

static bool make_table(struct mp_search *s, struct mp_error *error)
{
    int wanted = s->strategy->plan.table_megabytes;
    size_t megabytes = wanted == TABLE_AUTO ? FIRST_MEGABYTES : (size_t)wanted;
    if (!megabytes)
        return true;
    s->table = table_new(megabytes, wanted == TABLE_AUTO ? table_most_megabytes() : megabytes);
    return s->table ||
           mp_fail_with(error, MP_ERROR_MEMORY, "no memory for a transposition table of %zu MB", megabytes);
}

/* The name of a report's strategy may imply an option of the game, and the search then has a game of its own. */
static bool make_game(struct mp_search *s, struct mp_error *error)
{
    const struct strategy_name *name = s->strategy->name;
    if (!name || !name->option[0])
        return true;
    s->own = malloc(sizeof *s->own);
    if (!s->own)
        return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    *s->own = *s->opened;
    games_set_option(s->own, name->option[0], name->option[1], NULL); /* a game without it needs none */
    return true;
}

static bool make_crew(struct mp_search *s, struct mp_error *error)
{
    const struct plan *plan = &s->strategy->plan;
    s->crew.scheme = plan->scheme;
    s->crew.options = plan->scheme_options;
    s->crew.threads = plan->threads;
    if (!crew_init(&s->crew, engine_game(s), &plan->settings, &s->control, s->table, error))
        return false;
    for (int i = 0; i < s->crew.threads; i++)
        s->crew.workers[i].root_moves = &s->root;
    if (s->table)
        crew_clear_table(&s->crew, s->table);
    return true;
}

struct mp_search *mp_search_with(const struct mp_strategy *strategy, struct mp_error *error)
{
    struct mp_search *s = calloc(1, sizeof *s);
    if (!s) {
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    const struct driver *driver = strategy->algorithm->driver;
    s->opened = strategy->game;
    s->strategy = mp_strategy_copy(strategy, error);
    bool ok = s->strategy && make_game(s, error) && make_table(s, error) && make_crew(s, error);
    if (ok && (!driver->open || driver->open(s, error)))
        return s;
    mp_search_free(s);
    return NULL;
}

struct mp_search *mp_search_new(const struct mp_game *game, const char *text, struct mp_error *error)
{
    struct mp_strategy *strategy = mp_strategy_new(game, text, error);
    struct mp_search *search = strategy ? mp_search_with(strategy, error) : NULL;
    mp_strategy_free(strategy);
    return search;
}

void mp_search_free(struct mp_search *s)
{
    if (!s)
        return;
    if (s->strategy)
        s->strategy->algorithm->driver->close(s);
    crew_free(&s->crew);
    trace_free(s->trace);
    table_free(s->table);
    free(s->moves);
    free(s->own);
    mp_strategy_free(s->strategy);
    free(s);
}

const char *mp_search_strategy(const struct mp_search *s)
{
    return s->strategy->text;
}

void mp_search_forget(struct mp_search *s)
{
    const struct driver *driver = s->strategy->algorithm->driver;
    if (s->table)
        crew_clear_table(&s->crew, s->table);
    crew_clear_notes(&s->crew);
    if (driver->forget)
        driver->forget(s);
    for (int i = 0; i < s->crew.threads; i++)
        if (s->crew.workers[i].learned)
            learned_clear(s->crew.workers[i].learned, s->crew.workers[i].order.index_count);
}

int mp_search_table_fill(const struct mp_search *s)
{
    return s->table ? table_fill(s->table) : 0;
}

void mp_search_stop(struct mp_search *s)
{
    control_stop(&s->control);
}

void mp_search_clear_stop(struct mp_search *s)
{
    atomic_store_explicit(&s->control.stop, false, memory_order_relaxed);
}

/* ---- What is told on the way -------------------------------------------------------------------------- */

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
    struct mp_result result; /* so far */
    int64_t start_ns;
    mp_progress progress;
    void *context;
};

static void sum_up(struct run *run)
{
    const struct crew *crew = &run->search->crew;
    run->result.seconds = (double)(crew_ns(crew, 0) - run->start_ns) * 1e-9;
    run->result.counters = (struct mp_counters){0};
    struct mp_counters *sum = &run->result.counters;
    for (int i = 0; i < crew->threads; i++) {
        add_counters(sum, &crew->workers[i].counters);
        struct pool_stats stats = crew->pool ? pool_stats(crew->pool, i) : (struct pool_stats){0};
        sum->tasks_created += stats.tasks_created;
        sum->tasks_local += stats.tasks_local;
        sum->tasks_stolen += stats.tasks_stolen;
        sum->tasks_cancelled += stats.tasks_cancelled;
        sum->wasted_nodes += stats.wasted_nodes;
        struct machine *machine = crew->pool ? pool_machine(crew->pool) : NULL;
        if (machine && crew->options.simulated)
            stats.waiting_seconds = (double)machine_times(machine, i).ps[TIME_WAITING] * 1e-12;
        bool throughout = i == 0 || (machine && crew->options.simulated);
        run->result.busy_seconds[i] = (throughout ? run->result.seconds : stats.helping_seconds) -
                                      stats.waiting_seconds;
    }
}

static void report_progress(void *context)
{
    struct run *run = context;
    follow_iteration(run->search, run->result.depth);
    if (run->progress) {
        sum_up(run);
        run->progress(&run->result, run->context);
    }
}

/* Only where no other worker is busy between two searches of the root, and of the best line: what is known of
 * another has not been reported yet. */
static void report_bound(void *context, int depth, mp_value value, int bound)
{
    struct run *run = context;
    struct mp_result *result = &run->result;
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

/* ---- Running ------------------------------------------------------------------------------------------ */

/* Is this a position of the game, or of one that was opened in the same way? */
static bool is_of_game(const struct mp_search *s, const struct mp_position *position)
{
    const struct mp_game *game = s->opened, *other = mp_position_game(position);
    /* Instances of one table have the name of that table, at one place. */
    return game == other ||
           (game->name == other->name && !memcmp(game->option, other->option, sizeof game->option));
}

static bool check_limits(const struct mp_limits *limits, struct mp_error *error)
{
    if (limits->depth < 0)
        return mp_fail_with(error, MP_ERROR_MISUSE, "limits: depth %d, expected 0 or more", limits->depth);
    if (limits->lines < 0)
        return mp_fail_with(error, MP_ERROR_MISUSE, "limits: lines %d, expected 0 or more", limits->lines);
    if (limits->move_count < 0 || (limits->move_count > 0 && !limits->moves))
        return mp_fail_with(error, MP_ERROR_MISUSE, "limits: move_count %d%s", limits->move_count,
                            limits->move_count < 0 ? ", expected 0 or more" : " without moves");
    if (!(limits->seconds >= 0))
        return mp_fail_with(error, MP_ERROR_MISUSE, "limits: seconds %g, expected 0 or more",
                            limits->seconds);
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
        return mp_fail_with(error, MP_ERROR_MISUSE,
                            "a position of %s, expected one of %s with the options of the search",
                            mp_position_game(position)->name, s->opened->name);
    if (!check_limits(limits, error))
        return false;
    if (mp_position_is_chance(position))
        return mp_fail(error, "the dice are to be thrown, expected a position with a player to move");
    int count = mp_position_moves(position, NULL, NULL, 0);
    if (count == 0)
        return mp_fail(error, "the game is over, expected a position with a legal move");
    s->root = (struct root_moves){.outcome = limits->outcome,
                                  .has_window = s->window.is_set,
                                  .alpha = s->window.alpha,
                                  .beta = s->window.beta};
    if (limits->move_count > 0) {
        mp_move *moves = realloc(s->moves, 2 * (size_t)count * sizeof *moves);
        if (!moves)
            return mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for the moves of a position");
        s->moves = moves;
        mp_position_moves(position, moves + count, NULL, count);
        count = chosen_moves(limits, moves + count, count, moves);
        if (count < 0)
            return mp_fail_with(error, MP_ERROR_MISUSE, "limits: a move that is not legal in the position");
        s->root.only = moves;
        s->root.only_count = count;
    }
    *lines = limits->lines < 1 ? 1 : limits->lines;
    *lines = *lines < count ? *lines : count;
    *lines = *lines < MP_MAX_LINES ? *lines : MP_MAX_LINES;
    return true;
}

/* Centuries are as good as any time that is longer. */
static int64_t seconds_to_ns(double seconds)
{
    const double most = 4e9;
    return (int64_t)((seconds < most ? seconds : most) * 1e9);
}

static bool begin(struct mp_search *s, const struct mp_position *position, const struct mp_limits *limits,
                  const struct run *run, struct mp_error *error)
{
    atomic_store_explicit(&s->control.nodes, 0, memory_order_relaxed);
    s->control.node_limit = limits->nodes;
    s->control.deadline_ns = limits->seconds > 0 ? run->start_ns + seconds_to_ns(limits->seconds) : 0;
    s->start_ns = run->start_ns;
    s->history = mp_position_history(position);
    if (!crew_begin(&s->crew, mp_position_state(position), &s->history, error))
        return false;
    bool bounds = limits->bounds && !s->crew.scheme->iterate;
    s->crew.workers[0].report_bound = bounds ? report_bound : NULL;
    s->crew.workers[0].report_context = (void *)run;
    if (s->table)
        table_new_run(s->table);
    return true;
}

/* Nothing that is smaller than it ever was, and nothing absurd. */
static bool check_size(const char *name, uint32_t size, size_t least, struct mp_error *error)
{
    enum { MOST = 1 << 16 };
    return (size >= least && size <= MOST) ||
           mp_fail_with(error, MP_ERROR_MISUSE, "struct_size %u of a struct %s, expected its sizeof", size,
                        name);
}

/* As much of the result as the caller knows. */
static void hand_over(const struct mp_result *found, struct mp_result *result)
{
    uint32_t known = result->struct_size;
    memcpy(result, found, known < sizeof *found ? known : sizeof *found);
    result->struct_size = known;
}

/* The move of the strategy's book, if it knows the position. */
static bool answer_from_book(const struct mp_search *s, const struct request *request, struct run *run)
{
    struct mp_result *result = &run->result;
    const struct book *book = request->may_use_book && request->lines == 1 ? s->strategy->plan.book : NULL;
    if (!book || !book_answer(book, s->crew.root, &result->move, &result->value, &result->depth))
        return false;
    result->line = result->pv_length = 1;
    result->pv[0] = result->move;
    if (result->depth > MP_MAX_DEPTH)
        result->depth = MP_MAX_DEPTH;
    request->report(request->context);
    return true;
}

/* However a run ends, a stop ends with it. */
static bool run_request(struct mp_search *s, const struct mp_position *position,
                        const struct mp_limits *limits, struct request *request, struct run *run,
                        struct mp_result *result, struct mp_error *error)
{
    run->search = s;
    run->start_ns = s->crew.options.simulated ? 0 : clock_ns(); /* a virtual clock begins with the run */
    run->result = (struct mp_result){MP_SIZE(struct mp_result), .threads = s->crew.threads};
    request->report = report_progress;
    request->context = run;
    bool ok = check_size("mp_result", result->struct_size, sizeof *result, error) &&
              set_root(s, position, limits, &request->lines, error) && begin(s, position, limits, run, error);
    if (ok) {
        follow_begin(s, request->first_depth);
        ok = answer_from_book(s, request, run) ||
             s->strategy->algorithm->driver->run(s, request, &run->result, error);
        if (run->result.stopped)
            follow_iteration(s, run->result.depth + 1);
        follow_end(s);
        sum_up(run);
        hand_over(&run->result, result);
    }
    mp_search_clear_stop(s);
    return ok;
}

bool mp_search_run(struct mp_search *s, const struct mp_position *position, mp_progress progress,
                   void *context, struct mp_result *result, struct mp_error *error)
{
    const struct plan *plan = &s->strategy->plan;
    struct run run = {.progress = progress, .context = context};
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .nodes = plan->node_limit,
                               .seconds = plan->seconds};
    struct request request = {.first_depth = plan_first_depth(plan),
                              .last_depth = plan_last_depth(plan),
                              .iterations = plan_iterations(plan),
                              .may_use_book = true};
    return run_request(s, position, &limits, &request, &run, result, error);
}

bool mp_search_run_within(struct mp_search *s, const struct mp_position *position,
                          const struct mp_limits *given, mp_progress progress, void *context,
                          struct mp_result *result, struct mp_error *error)
{
    const struct plan *plan = &s->strategy->plan;
    struct run run = {.progress = progress, .context = context};
    struct mp_limits limits = {MP_SIZE(struct mp_limits)};
    if (!check_size("mp_limits", given->struct_size, sizeof limits, error)) {
        mp_search_clear_stop(s);
        return false;
    }
    memcpy(&limits, given, given->struct_size < sizeof limits ? given->struct_size : sizeof limits);
    int deepest = plan_deepest(plan);
    bool by_depth_alone = limits.depth > 0 && limits.nodes == 0 && limits.seconds == 0;
    struct request request = {.first_depth = 1,
                              .last_depth = limits.depth > 0 && limits.depth < deepest ? limits.depth
                                                                                       : deepest,
                              .iterations = by_depth_alone ? plan_iterations(plan) : UINT64_MAX,
                              .may_use_book = (limits.depth || limits.nodes || limits.seconds > 0) &&
                                              !limits.move_count && !limits.outcome};
    return run_request(s, position, &limits, &request, &run, result, error);
}

bool engine_run_window(struct mp_search *s, const struct mp_position *position, int depth, uint64_t nodes,
                       mp_value alpha, mp_value beta, struct mp_result *result, struct mp_error *error)
{
    struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = depth, .nodes = nodes};
    s->window.is_set = true;
    s->window.alpha = alpha;
    s->window.beta = beta;
    bool ok = mp_search_run_within(s, position, &limits, NULL, NULL, result, error);
    s->window.is_set = false;
    return ok;
}

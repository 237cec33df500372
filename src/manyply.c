/* manyply.c - the public interface, put together from games, search and parallel. */
#include "manyply/manyply.h"

#include "base/clock.h"
#include "base/cpus.h"
#include "games/games.h"
#include "parallel/montecarlo.h"
#include "parallel/perft.h"
#include "parallel/strategy.h"
#include "search/dice.h"
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

/* ---- Positions -------------------------------------------------------------------------------------- */

struct mp_position {
    const struct mp_game *game;
    void *state, *next; /* next: where a move is played before it becomes the state */
    uint64_t *keys;     /* of the states so far, the current one excluded */
    mp_move *played;    /* the moves between them */
    size_t count, capacity;
};

/* A position without a state yet; null without memory. */
static struct mp_position *blank_position(const struct mp_game *game, struct mp_error *error)
{
    struct mp_position *p = calloc(1, sizeof *p);
    size_t size = (game->state_size + 63) / 64 * 64;
    if (p) {
        p->game = game;
        p->state = aligned_alloc(64, size);
        p->next = aligned_alloc(64, size);
    }
    if (!p || !p->state || !p->next) {
        mp_position_free(p);
        mp_fail(error, "out of memory for a position");
        return NULL;
    }
    memset(p->state, 0, size);
    memset(p->next, 0, size);
    return p;
}

struct mp_position *mp_position_new(const struct mp_game *game, const char *text, struct mp_error *error)
{
    struct mp_position *p = blank_position(game, error);
    if (p && !text) {
        game->initial(game, p->state);
    } else if (p && !game->parse_position(game, text, p->state, error)) {
        mp_position_free(p);
        return NULL;
    }
    return p;
}

/* Room for so many moves before the state. */
static bool reserve_history(struct mp_position *p, size_t capacity, struct mp_error *error)
{
    uint64_t *keys = realloc(p->keys, capacity * sizeof *keys);
    p->keys = keys ? keys : p->keys;
    mp_move *played = realloc(p->played, capacity * sizeof *played);
    p->played = played ? played : p->played;
    if (!keys || !played)
        return mp_fail(error, "out of memory for the history of a game");
    p->capacity = capacity;
    return true;
}

struct mp_position *mp_position_copy(const struct mp_position *position, struct mp_error *error)
{
    struct mp_position *p = blank_position(position->game, error);
    if (p && position->count && !reserve_history(p, position->capacity, error)) {
        mp_position_free(p);
        return NULL;
    }
    if (p) {
        memcpy(p->state, position->state, p->game->state_size);
        p->count = position->count;
    }
    if (p && p->count) {
        memcpy(p->keys, position->keys, p->count * sizeof *p->keys);
        memcpy(p->played, position->played, p->count * sizeof *p->played);
    }
    return p;
}

void mp_position_free(struct mp_position *p)
{
    if (p) {
        free(p->state);
        free(p->next);
        free(p->keys);
        free(p->played);
        free(p);
    }
}

const void *mp_position_state(const struct mp_position *p)
{
    return p->state;
}

struct mp_history mp_position_history(const struct mp_position *p)
{
    return (struct mp_history){p->keys, p->count};
}

const mp_move *mp_position_played(const struct mp_position *p, size_t *count)
{
    *count = p->count;
    return p->played;
}

bool mp_position_is_chance(const struct mp_position *p)
{
    return p->game->chances && p->game->chances(p->game, p->state, NULL, NULL, 0) > 0;
}

int mp_position_moves(const struct mp_position *p, mp_move *moves, uint32_t *weights, int capacity)
{
    const struct mp_game *game = p->game;
    struct mp_history history = mp_position_history(p);
    if (mp_position_is_chance(p))
        return game->chances(game, p->state, moves, weights, capacity);
    if (game->drawn && game->drawn(game, p->state, &history))
        return 0;
    int count = game->list(game, p->state, moves, capacity);
    for (int i = 0; weights && i < count && i < capacity; i++)
        weights[i] = 1;
    return count;
}

int mp_position_margin(const struct mp_position *p)
{
    const struct mp_game *game = p->game;
    struct mp_history history = mp_position_history(p);
    if (game->drawn && game->drawn(game, p->state, &history))
        return 0;
    int margin = game->margin(game, p->state);
    return game->side(game, p->state) == 0 ? margin : -margin;
}

bool mp_position_board(const struct mp_position *p, struct mp_board *board)
{
    *board = (struct mp_board){.cube_owner = -1};
    memset(board->pieces, '.', sizeof board->pieces);
    if (p->game->board)
        p->game->board(p->game, p->state, board);
    return p->game->board;
}

/* All moves or outcomes, on the heap; *count is 0 when the game is over, -1 without memory. */
static mp_move *all_moves(const struct mp_position *p, int *count)
{
    int total = mp_position_moves(p, NULL, NULL, 0);
    mp_move *moves = malloc(((size_t)total + 1) * sizeof *moves);
    *count = moves ? mp_position_moves(p, moves, NULL, total) : -1;
    return moves;
}

bool mp_position_play(struct mp_position *p, mp_move move, struct mp_error *error)
{
    int count;
    mp_move *moves = all_moves(p, &count);
    bool legal = false;
    for (int i = 0; i < count && !legal; i++)
        legal = moves[i] == move;
    free(moves);
    if (!legal)
        return mp_fail(error, "the move is not legal here");
    if (p->count == p->capacity && !reserve_history(p, p->capacity ? 2 * p->capacity : 64, error))
        return false;
    p->played[p->count] = move;
    p->keys[p->count++] = p->game->key(p->game, p->state);
    p->game->play(p->game, p->state, move, p->next);
    void *state = p->state;
    p->state = p->next;
    p->next = state;
    return true;
}

/* The longest legal move that text begins with; 0 if none, else its length. */
static size_t match_prefix(const struct mp_position *p, const char *text, mp_move *move)
{
    int count;
    mp_move *moves = all_moves(p, &count);
    size_t longest = 0;
    for (int i = 0; i < count; i++) {
        char name[128];
        int length = p->game->print_move(p->game, p->state, moves[i], name, sizeof name);
        if (length > 0 && (size_t)length < sizeof name && (size_t)length > longest &&
            !strncmp(text, name, (size_t)length)) {
            longest = (size_t)length;
            *move = moves[i];
        }
    }
    free(moves);
    return longest;
}

static bool parse_own_spelling(const struct mp_position *p, const char *text, mp_move *move,
                               struct mp_error *error)
{
    if (match_prefix(p, text, move) == strlen(text) && *text)
        return true;
    return mp_fail(error, "%s move '%.60s' is not legal here", p->game->name, text);
}

bool mp_position_parse_move(const struct mp_position *p, const char *text, mp_move *move,
                            struct mp_error *error)
{
    if (p->game->parse_move) {
        if (mp_position_moves(p, NULL, NULL, 0) == 0)
            return mp_fail(error, "%s move '%.60s': the game is over", p->game->name, text);
        return p->game->parse_move(p->game, p->state, text, move, error);
    }
    return parse_own_spelling(p, text, move, error);
}

/* A turn that can only be skipped, unless the text says so itself. */
static bool play_silent_pass(struct mp_position *p, struct mp_error *error)
{
    mp_move move;
    return p->game->is_pass && !mp_position_is_chance(p) && mp_position_moves(p, &move, NULL, 1) == 1 &&
           p->game->is_pass(p->game, move) && mp_position_play(p, move, error);
}

/* Plays what stands between two separators: one move, or several without blanks. */
static bool play_word(struct mp_position *p, const char *word, struct mp_error *error)
{
    while (*word) {
        mp_move move;
        size_t length = strlen(word);
        if (!mp_position_parse_move(p, word, &move, error) && (length = match_prefix(p, word, &move)) == 0) {
            if (!play_silent_pass(p, NULL))
                return false;
            continue;
        }
        if (!mp_position_play(p, move, error))
            return false;
        word += length;
    }
    return true;
}

/* How many words the longest legal move has: more than one where moves are written with blanks. */
static int most_words(const struct mp_position *p)
{
    int count, most = 1;
    mp_move *moves = all_moves(p, &count);
    for (int i = 0; i < count; i++) {
        char name[128];
        p->game->print_move(p->game, p->state, moves[i], name, sizeof name);
        int words = 1;
        for (const char *at = name; *at; at++)
            words += *at == ' ';
        most = words > most ? words : most;
    }
    free(moves);
    return most;
}

static const char separators[] = " ,\t\n";

/* Copies the first words of text, with single blanks between them; returns how long they are in text, 0 if
 * there are not so many. */
static size_t copy_words(const char *text, int words, char *copy)
{
    const char *at = text;
    for (int i = 0; i < words; i++) {
        at += strspn(at, separators);
        size_t length = strcspn(at, separators);
        if (length == 0)
            return 0;
        if (i > 0)
            *copy++ = ' ';
        memcpy(copy, at, length);
        copy += length;
        at += length;
    }
    *copy = 0;
    return (size_t)(at - text);
}

/* A move may be spelled in so many words. */
enum { MOST_WORDS = 4 };

/* Plays what stands next in a record: a move of several words if these words are one, else one word, which
 * may be several moves. Returns how much was read, 0 on an error. */
static size_t play_next(struct mp_position *p, const char *text, char *copy, struct mp_error *error)
{
    for (int words = MOST_WORDS; words > 1; words--) {
        mp_move move;
        size_t length = copy_words(text, words, copy);
        if (length && mp_position_parse_move(p, copy, &move, NULL))
            return mp_position_play(p, move, error) ? length : 0;
    }
    size_t length = copy_words(text, 1, copy);
    if (play_word(p, copy, error))
        return length;
    /* The sentence about as many words as a move has here says most. */
    for (int words = most_words(p); words > 1; words--) {
        mp_move move;
        if (copy_words(text, words, copy)) {
            mp_position_parse_move(p, copy, &move, error);
            break;
        }
    }
    return 0;
}

bool mp_position_play_text(struct mp_position *p, const char *record, struct mp_error *error)
{
    char *copy = malloc(strlen(record) + 1), *start = malloc(p->game->state_size);
    size_t count = p->count;
    bool ok = copy && start;
    if (ok)
        memcpy(start, p->state, p->game->state_size);
    else
        mp_fail(error, "out of memory");
    for (const char *rest = record; ok && *(rest += strspn(rest, separators));) {
        struct mp_error reason = {""};
        size_t length = play_next(p, rest, copy, &reason);
        rest += length;
        ok = length || mp_fail(error, "after %zu moves: %.400s", p->count - count, reason.text);
    }
    if (!ok && start) {
        memcpy(p->state, start, p->game->state_size);
        p->count = count;
    }
    free(copy);
    free(start);
    return ok;
}

mp_move mp_position_throw(const struct mp_position *p, uint64_t seed, uint64_t game, uint64_t throws_before)
{
    enum { MOST = 4096 };
    mp_move outcomes[MOST];
    uint32_t weights[MOST];
    int count = mp_position_moves(p, outcomes, weights, MOST);
    return outcomes[dice_outcome(weights, count < MOST ? count : MOST, seed, game, throws_before)];
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

/* ---- Perft ------------------------------------------------------------------------------------------ */

bool mp_perft(const struct mp_position *position, int depth, int threads, bool drop_finished,
              mp_perft_progress progress, void *context, uint64_t *leaves, struct mp_error *error)
{
    *leaves = 0;
    if (depth < 0 || depth > MP_MAX_DEPTH)
        return mp_fail(error, "perft depth %d, expected 0 to %d", depth, MP_MAX_DEPTH);
    if (threads < 1 || threads > MP_MAX_THREADS)
        return mp_fail(error, "%d threads, expected 1 to %d", threads, MP_MAX_THREADS);
    return parallel_perft(position->game, position->state, depth, threads, drop_finished, progress, context,
                          leaves, error);
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

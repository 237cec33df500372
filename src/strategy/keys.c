/* keys.c - the keys of a strategy, one row each: what it may be, whom it concerns, and where it goes. */
#include "strategy/strategy.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- When a key is part of the text --------------------------------------------------------------------- */

static bool works(const struct mp_strategy *s)
{
    return s->algorithm->work != WORK_NOTHING;
}
/* Where another limit is given, a depth that is not is none. */
static bool has_depth(const struct mp_strategy *s)
{
    return s->plan.depth || !(s->plan.node_limit || s->plan.seconds > 0) || !works(s);
}
static bool has_depth_to_say(const struct mp_strategy *s)
{
    return works(s) && has_depth(s);
}
static bool has_threshold(const struct mp_strategy *s)
{
    return s->plan.settings.threshold > 0;
}
static bool is_selective(const struct mp_strategy *s)
{
    return s->plan.settings.selective;
}
/* The table of a search of throws is none, unless it is asked for. */
static bool has_table(const struct mp_strategy *s)
{
    return s->algorithm->keys & KEYS_TABLE || s->plan.table_megabytes;
}
static bool is_not_report(const struct mp_strategy *s)
{
    return !s->plan.settings.as_report;
}
static bool evaluates_playouts(const struct mp_strategy *s)
{
    const struct mcts_settings *m = &s->plan.settings.mcts;
    return is_not_report(s) && (m->playout == MCTS_PLAYOUT_EVAL || m->playout == MCTS_PLAYOUT_GREEDY);
}
static bool has_virtual_loss(const struct mp_strategy *s)
{
    return !s->plan.settings.mcts.unobserved;
}
static bool is_eager_only(const struct mp_strategy *s)
{
    return !s->plan.scheme_options.deterministic;
}

/* ---- Keys that need a function ------------------------------------------------------------------------ */

enum { MANY = 1 << 20 };

static bool read_time(const struct mp_game *game, struct plan *plan, const char *value,
                      struct mp_error *error)
{
    (void)game, (void)error;
    plan->seconds = 0;
    return !strcmp(value, "none") || text_to_seconds(value, &plan->seconds);
}

static void print_time(const struct mp_strategy *s, char *text, size_t size)
{
    if (s->plan.seconds > 0)
        text_from_seconds(s->plan.seconds, text, size);
    else
        snprintf(text, size, "none");
}

static bool read_split(const struct mp_game *game, struct plan *plan, const char *value,
                       struct mp_error *error)
{
    (void)game;
    plan->scheme_chosen = !strcmp(value, SCHEME_AUTO);
    plan->scheme = plan->scheme_chosen ? schemes[0] : scheme_find(value);
    if (plan->scheme)
        return true;
    char known[256] = "";
    for (int i = 0; schemes[i]; i++)
        text_append(known, sizeof known, "%s, ", schemes[i]->name);
    return mp_fail(error, "strategy: split=%.60s, expected one of %s%s", value, known, SCHEME_AUTO);
}

static void print_split(const struct mp_strategy *s, char *text, size_t size)
{
    snprintf(text, size, "%s", s->plan.scheme->name);
}

static const char network_prefix[] = "network";

/* A plan that is made again keeps what it has read. An empty path is that of the library's network. */
static bool read_network(const struct mp_game *game, struct plan *plan, const char *path,
                         struct mp_error *error)
{
    struct network_evaluation fresh;
    bool known = plan->network.network && !strcmp(plan->network_path, path);
    if (strlen(path) >= sizeof plan->network_path)
        return mp_fail(error,
                       "strategy: eval=network: with a path of %zu characters, expected fewer than %zu",
                       strlen(path), sizeof plan->network_path);
    if (!known) {
        if (!network_evaluation_read(game, *path ? path : NULL, &fresh, error))
            return false;
        network_free(plan->network.network);
        plan->network = fresh;
    }
    snprintf(plan->network_path, sizeof plan->network_path, "%s", path);
    plan->settings.network = &plan->network;
    plan->settings.evaluation = &plan->network.evaluation;
    return true;
}

/* A name of the game's, network, network:FILE or random:SEED. */
static bool read_eval(const struct mp_game *game, struct plan *plan, const char *value,
                      struct mp_error *error)
{
    int64_t seed;
    if (!strncmp(value, "random:", 7) && text_to_int(value + 7, 0, INT64_MAX, &seed)) {
        plan->random = random_evaluation((uint64_t)seed);
        plan->settings.evaluation = &plan->random.evaluation;
        return true;
    }
    const char *path = value + strlen(network_prefix);
    if (!strncmp(value, network_prefix, strlen(network_prefix)) && (!*path || (*path == ':' && path[1])))
        return read_network(game, plan, path + (*path == ':'), error);
    char known[256] = "";
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++) {
        if (!strcmp(e->name, value)) {
            plan->settings.evaluation = e;
            return true;
        }
        text_append(known, sizeof known, "%s, ", e->name);
    }
    return mp_fail(error, "strategy: eval=%.60s, but %s has %snetwork, network:FILE and random:SEED", value,
                   game->name, known);
}

static void print_eval(const struct mp_strategy *s, char *text, size_t size)
{
    snprintf(text, size, "%s", s->plan.settings.evaluation->name);
    if (s->plan.settings.evaluation == &s->plan.network.evaluation && *s->plan.network_path)
        text_append(text, size, ":%s", s->plan.network_path);
    if (s->plan.settings.evaluation == &s->plan.random.evaluation)
        text_append(text, size, ":%llu", (unsigned long long)s->plan.random.seed);
}

/* Read when the evaluation is known. */
static bool read_cuts(const struct mp_game *game, struct plan *plan, const char *value,
                      struct mp_error *error)
{
    (void)game;
    *plan->cuts_path = 0;
    if (!*value || strlen(value) >= sizeof plan->cuts_path)
        return mp_fail(error, "strategy: cuts= with a path of %zu characters, expected 1 to %zu",
                       strlen(value), sizeof plan->cuts_path - 1);
    if (strcmp(value, "auto") != 0)
        snprintf(plan->cuts_path, sizeof plan->cuts_path, "%s", value);
    return true;
}

static void print_cuts(const struct mp_strategy *s, char *text, size_t size)
{
    snprintf(text, size, "%s", *s->plan.cuts_path ? s->plan.cuts_path : "auto");
}

/* As with networks, what has been read is kept. */
static bool read_book(const struct mp_game *game, struct plan *plan, const char *path, struct mp_error *error)
{
    plan->book = NULL;
    if (!strcmp(path, "none"))
        return true;
    if (strlen(path) >= sizeof plan->book_path)
        return mp_fail(error, "strategy: book= with a path of %zu characters, expected fewer than %zu",
                       strlen(path), sizeof plan->book_path);
    if (!plan->kept_book || strcmp(plan->book_path, path) != 0) {
        struct book *fresh = book_read(game, path, error);
        if (!fresh)
            return false;
        book_free(plan->kept_book);
        plan->kept_book = fresh;
        snprintf(plan->book_path, sizeof plan->book_path, "%s", path);
    }
    plan->book = plan->kept_book;
    return true;
}

static void print_book(const struct mp_strategy *s, char *text, size_t size)
{
    snprintf(text, size, "%s", s->plan.book ? s->plan.book_path : "none");
}

/* One number, or one for each level: 8/4/2. */
static bool read_keep(const struct mp_game *game, struct plan *plan, const char *value,
                      struct mp_error *error)
{
    (void)game, (void)error;
    struct settings *settings = &plan->settings;
    settings->keep = settings->keep_levels = 0;
    if (!strcmp(value, "all"))
        return true;
    for (const char *at = value;;) {
        char item[16] = "";
        size_t length = strcspn(at, "/");
        int level = settings->keep_levels++;
        if (level > SETTINGS_KEEP_LEVELS || length >= sizeof item)
            return false;
        memcpy(item, at, length);
        if (!key_read_int(item, 1, INT32_MAX, level ? &settings->keep_below[level - 1] : &settings->keep))
            return false;
        if (!at[length])
            return true;
        at += length + 1;
    }
}

static void print_keep(const struct mp_strategy *s, char *text, size_t size)
{
    const struct settings *settings = &s->plan.settings;
    snprintf(text, size, settings->keep ? "%d" : "all", settings->keep);
    for (int level = 1; level < settings->keep_levels; level++)
        text_append(text, size, "/%d", settings->keep_below[level - 1]);
}

static bool read_depth(const struct mp_game *game, struct plan *plan, const char *value,
                       struct mp_error *error)
{
    (void)game, (void)error;
    return key_read_int(value, 1, MP_MAX_DEPTH, &plan->depth);
}

static void print_depth(const struct mp_strategy *s, char *text, size_t size)
{
    snprintf(text, size, "%d", plan_last_depth(&s->plan));
}

/* The report counts from the position after the root move. */
static bool read_hmin(const struct mp_game *game, struct plan *plan, const char *value,
                      struct mp_error *error)
{
    (void)game, (void)error;
    bool ok = key_read_int(value, 0, MP_MAX_DEPTH - 1, &plan->depth);
    plan->depth++;
    return ok;
}

static void print_hmin(const struct mp_strategy *s, char *text, size_t size)
{
    snprintf(text, size, "%d", plan_last_depth(&s->plan) - 1);
}

static bool read_hash(const struct mp_game *game, struct plan *plan, const char *value,
                      struct mp_error *error)
{
    (void)game, (void)error;
    plan->table_megabytes = TABLE_AUTO;
    return !strcmp(value, "auto") || key_read_int(value, 0, MANY, &plan->table_megabytes);
}

static void print_hash(const struct mp_strategy *s, char *text, size_t size)
{
    snprintf(text, size, s->plan.table_megabytes == TABLE_AUTO ? "auto" : "%d", s->plan.table_megabytes);
}

static bool read_simulate(const struct mp_game *game, struct plan *plan, const char *value,
                          struct mp_error *error)
{
    (void)game;
    struct scheme_options *options = &plan->scheme_options;
    options->costs = costs_typical;
    options->simulated = strcmp(value, "off") != 0;
    if (!options->simulated || !strcmp(value, "on") || costs_read(value, '+', ':', &options->costs))
        return true;
    char known[256];
    costs_print(&costs_typical, known, sizeof known);
    return mp_fail(error, "strategy: simulate=%.100s, expected on, off or costs in ns such as %s", value,
                   known);
}

static void print_simulate(const struct mp_strategy *s, char *text, size_t size)
{
    if (s->plan.scheme_options.simulated)
        costs_print(&s->plan.scheme_options.costs, text, size);
    else
        snprintf(text, size, "off");
}

static bool read_c(const struct mp_game *game, struct plan *plan, const char *value, struct mp_error *error)
{
    (void)game, (void)error;
    char *end;
    plan->settings.mcts.c = strtod(value, &end);
    return strspn(value, "0123456789.") == strlen(value) && !*end && plan->settings.mcts.c <= 100;
}

static void print_c(const struct mp_strategy *s, char *text, size_t size)
{
    snprintf(text, size, "%.5g", s->plan.settings.mcts.c);
}

/* ---- The keys ----------------------------------------------------------------------------------------- */

/* The word for no, which may be one that says nothing, and the word for yes. */
static const char *const off_on[] = {"off", "on", NULL};
static const char *const orders[] = {"guess", "list", NULL};
static const char *const merges[] = {"alone", "parallel", NULL};
static const char *const compatibilities[] = {"none", "report", NULL};
static const char *const finals[] = {"visits", "value", "uct", NULL};             /* enum mcts_final */
static const char *const playouts[] = {"game", "random", "eval", "greedy", NULL}; /* enum mcts_playout */

#define KEY(a_name, a_group, a_summary) .name = a_name, .group = a_group, .summary = a_summary
#define AT(member, a_kind) .kind = a_kind, .place = offsetof(struct plan, member)
#define NUMBER(member, from, to) AT(member, KEY_NUMBER), .least = from, .most = to
#define NUMBER_OR_OFF(member, from, to) AT(member, KEY_NUMBER_OR_OFF), .least = from, .most = to
#define COUNT(member, from) AT(member, KEY_COUNT), .least = from
#define SWITCH(member, list) AT(member, KEY_SWITCH), .words = list
#define CHOICE(member, list) AT(member, KEY_CHOICE), .words = list
#define OTHER(of, what) .kind = KEY_OTHER, .read = read_##of, .print = print_##of, .values = what
#define TECHNIQUE(key, bit, text)                                                                            \
    {                                                                                                        \
        .name = key, .summary = "selective: " text, .group = KEYS_TABLE, .kind = KEY_TECHNIQUE,              \
        .words = off_on, .technique = bit, .initial = "on", .matters = is_selective                          \
    }

/* In the order in which a strategy prints them. */
/* clang-format off */
const struct key strategy_keys[] = {
    {KEY("depth", KEYS_DEPTH, "plies to search"),
     OTHER(depth, "1 to 255"), .least = 1, .most = MP_MAX_DEPTH, .limits = true, .always = true,
     .matters = has_depth_to_say},
    {KEY("hmin", KEYS_HORIZON, "plies searched after the root move; default: 4"),
     OTHER(hmin, "0 to 254"), .least = 0, .most = MP_MAX_DEPTH - 1, .limits = true, .always = true},
    {KEY("hmax", KEYS_HORIZON, "go on after noisy moves up to so many plies"),
     .initial = "30", NUMBER_OR_OFF(settings.hmax, 1, MP_MAX_DEPTH - 1), .always = true},
    {KEY("width", KEYS_HORIZON, "search only so many moves at a node, the best by static value"),
     .initial = "12", NUMBER_OR_OFF(settings.width, 1, MANY), .always = true},
    {KEY("threshold", KEYS_HORIZON, "where the static value is beyond it, go on for reduced= plies only"),
     .initial = "off", NUMBER_OR_OFF(settings.threshold, 1, MP_EVAL_MAX)},
    {KEY("reduced", KEYS_HORIZON, "plies searched while threshold= is passed"),
     .initial = "3", NUMBER(settings.reduced, 1, MP_MAX_DEPTH), .always = true, .matters = has_threshold},
    {KEY("iterations", KEYS_SAMPLES, "stop after so many; default: 10000 unless time= or nodes= is given"),
     COUNT(settings.mcts.iterations, 1), .limits = true},
    {KEY("games", KEYS_GAMES, "games played out for each move"),
     .initial = "1296", NUMBER(settings.games, 1, 1000000), .limits = true, .always = true},
    {KEY("truncate", KEYS_GAMES, "value games after so many plies instead of playing them to the end"),
     .initial = "off", NUMBER_OR_OFF(settings.truncate, 1, 1000)},
    {KEY("variance-reduction", KEYS_GAMES, "take the luck of the dice off the results"),
     .initial = "on", SWITCH(settings.variance_reduction, off_on), .always = true},
    {KEY("order", KEYS_ORDER, "best guess of the game first, or as the game lists its moves"),
     .initial = "guess", SWITCH(settings.listed_order, orders)},
    {KEY("nodes", KEYS_LIMITS, "stop after so many nodes"),
     COUNT(node_limit, 1), .limits = true, .matters = works},
    {KEY("time", KEYS_LIMITS, "stop after so long"),
     .initial = "none", OTHER(time, "such as 2s or 500ms"), .limits = true, .matters = works},
    {KEY("c", KEYS_SAMPLES,
         "how much selection looks for what is not known yet; default: 0.35, with compat=report 1.414"),
     OTHER(c, "0 to 100"), .always = true},
    /* as strong as 2 (50.1% of 400 games) with a smaller tree; 1 is weaker (44.5%) */
    {KEY("expand", KEYS_SAMPLES, "a leaf gets children at this visit"),
     .initial = "5", NUMBER(settings.mcts.expand, 1, MANY), .always = true, .matters = is_not_report},
    {KEY("playout", KEYS_SAMPLES,
         "to value a leaf: the game's own playout, random moves to the end, or moves for plies=n and "
         "then eval=: random ones, or mostly the best by eval=; default: what suits the game"),
     CHOICE(settings.mcts.playout, playouts), .always = true, .matters = is_not_report},
    {KEY("plies", KEYS_SAMPLES, "moves of a playout=eval or greedy"),
     .initial = "0", NUMBER(settings.mcts.plies, 0, MP_MAX_DEPTH), .always = true,
     .matters = evaluates_playouts},
    {KEY("playouts", KEYS_SAMPLES,
         "playouts at a leaf; default: 1, where threads share them one per thread, on a device 16"),
     .initial = "1", NUMBER(settings.mcts.playouts, 1, 1 << 16), .matters = is_not_report},
    {KEY("final", KEYS_SAMPLES, "the move with the most of this is played"),
     .initial = "visits", CHOICE(settings.mcts.final, finals), .always = true, .matters = is_not_report},
    {KEY("solver", KEYS_SAMPLES, "carry up what is proven"),
     .initial = "on", SWITCH(settings.mcts.solver, off_on), .matters = is_not_report},
    {KEY("reuse", KEYS_SAMPLES, "keep what the tree knows of the position after the moves that are played"),
     .initial = "on", SWITCH(settings.mcts.reuse, off_on), .matters = is_not_report},
    {KEY("eval", KEYS_LIMITS, "what a position at the horizon is worth; default: the first of the game"),
     OTHER(eval, "a name from `manyply evaluations`"), .always = true, .matters = works},
    {KEY("hash", KEYS_HASH,
         "transposition table in MB, 0 for none; auto grows as it fills; default: auto, for searches of "
         "throws 0"),
     OTHER(hash, "auto or 0 to 1048576"), .always = true, .matters = has_table},
    {KEY("aspiration", KEYS_TABLE, "begin with a narrow window around an earlier value"),
     .initial = "on", SWITCH(settings.aspiration, off_on)},
    {KEY("killers", KEYS_TABLE, "try moves earlier that refuted a sibling"),
     .initial = "on", SWITCH(settings.killers, off_on)},
    {KEY("history", KEYS_TABLE, "prefer moves that refuted anything"),
     .initial = "on", SWITCH(settings.history, off_on)},
    {KEY("selective", KEYS_TABLE, "search what matters deeper and give up early elsewhere; not exact"),
     .initial = "off", SWITCH(settings.selective, off_on)},
    TECHNIQUE("quiescence", TECHNIQUE_QUIESCENCE, "at the horizon, go on with captures and the like"),
    TECHNIQUE("exchange", TECHNIQUE_EXCHANGE, "put off and leave out moves that lose an exchange"),
    TECHNIQUE("nullmove", TECHNIQUE_NULL_MOVE, "skip where even a second move in a row does not help them"),
    TECHNIQUE("lmr", TECHNIQUE_REDUCTIONS, "search late moves less deep at first"),
    TECHNIQUE("rfp", TECHNIQUE_REVERSE_FUTILITY,
              "skip where the lead is larger than the depth left can change"),
    TECHNIQUE("futility", TECHNIQUE_FUTILITY, "leave out quiet moves where they cannot gain enough"),
    TECHNIQUE("lmp", TECHNIQUE_LATE_MOVES, "leave out late quiet moves near the horizon"),
    TECHNIQUE("checks", TECHNIQUE_CHECKS, "a ply more where a threat must be answered"),
    TECHNIQUE("continuation", TECHNIQUE_CONTINUATION, "prefer moves that were good after the last two"),
    TECHNIQUE("counter", TECHNIQUE_COUNTER, "prefer the move that answered the last one before"),
    TECHNIQUE("iir", TECHNIQUE_INTERNAL, "a ply less where no good move is known yet"),
    TECHNIQUE("deeper", TECHNIQUE_DEEPER, "take answers of the table from deeper searches too"),
    TECHNIQUE("repetition", TECHNIQUE_REPETITION, "a position that comes again is drawn at once"),
    TECHNIQUE("correction", TECHNIQUE_CORRECTION, "correct the evaluation by its errors in like positions"),
    TECHNIQUE("probcut", TECHNIQUE_PROBCUT, "skip what a shallow search says is outside of the window"),
    {KEY("cuts", KEYS_TABLE,
         "selective: what probcut= knows of shallow searches; auto: the library's, if it has any for eval="),
     .initial = "auto", OTHER(cuts, "auto or a file of `manyply fit-cuts`"), .matters = is_selective},
    {KEY("book", KEYS_LIMITS, "play from this book while it knows the position"),
     .initial = "none", OTHER(book, "none or a file of `manyply book`"), .matters = works},
    {KEY("memory", KEYS_SAMPLES, "MB for all trees; a full tree grows no more, but is searched on"),
     .initial = "256", NUMBER(settings.mcts.megabytes, 1, 1 << 17), .always = true},
    {KEY("seed", KEYS_SEED, "which moves, or which dice, are drawn"),
     .initial = "0", COUNT(settings.seed, 0), .always = true},
    {KEY("keep", KEYS_KEEP,
         "search only so many moves at a node, the best by static value; not exact; default: all, for "
         "rollout 5"),
     .initial = "all", OTHER(keep, "a whole number from 1, or one for each level such as 8/4/2")},
    {KEY("within", KEYS_KEEP,
         "search only moves whose static value is at most so far below the best, in units of the evaluation; "
         "not exact"),
     .initial = "off", NUMBER_OR_OFF(settings.within, 1, MP_EVAL_MAX)},
    {KEY("compat", KEYS_REPORT, "as the report on Othello, or for horizon on chess, has it, faults and all"),
     .initial = "none", SWITCH(settings.as_report, compatibilities)},
    {KEY("split", KEYS_SPLIT,
         "how threads share the work; auto: the scheme that should be fastest for such a search"),
     .initial = "none", OTHER(split, "a scheme from `manyply strategies`")},
    {KEY("levels", KEYS_TASKS, "levels from the root that are split"),
     .scheme_key = SCHEME_LEVELS, .initial = "2", NUMBER(scheme_options.levels, 1, MP_MAX_DEPTH),
     .shares = true, .always = true},
    {KEY("chunk", KEYS_SPLIT,
         "root moves at a time, default: moves / threads; or for mcts iterations per tree, or leaves in a batch"),
     .scheme_key = SCHEME_CHUNK, NUMBER(scheme_options.chunk, 1, MANY), .shares = true},
    {KEY("merge", KEYS_SAMPLES, "all threads merge the trees of the chunks, ten at a time"),
     .scheme_key = SCHEME_MERGE, .initial = "alone", SWITCH(scheme_options.merge_parallel, merges),
     .shares = true},
    {KEY("cap", KEYS_TASKS, "pieces of work; default: as many as threads"),
     .scheme_key = SCHEME_CAP, NUMBER(scheme_options.cap, 1, MANY), .shares = true},
    {KEY("min", KEYS_TASKS, "split nodes with so many moves or more"),
     .scheme_key = SCHEME_MIN, .initial = "6", NUMBER(scheme_options.least, 1, MANY), .shares = true,
     .always = true},
    {KEY("vloss", KEYS_SAMPLES, "losses that a thread on its way is counted as"),
     .scheme_key = SCHEME_TREE, .initial = "1", NUMBER(settings.mcts.virtual_loss, 0, 1 << 16),
     .shares = true, .always = true, .matters = has_virtual_loss},
    {KEY("unobserved", KEYS_SAMPLES, "count it as a visit without a result instead"),
     .scheme_key = SCHEME_TREE, .initial = "off", SWITCH(settings.mcts.unobserved, off_on), .shares = true},
    {KEY("deterministic", KEYS_TASKS,
         "one thread at a time, in a fixed order: the same nodes every time, without any gain in time"),
     .initial = "off", SWITCH(scheme_options.deterministic, off_on), .shares = true},
    {KEY("simulate", KEYS_SPLIT,
         "virtual threads, and the time that they would take on as many cores; with costs in ns, or the usual ones"),
     .initial = "off", OTHER(simulate, "on, off or costs such as node:100+steal:500"), .shares = true},
    {KEY("eager", KEYS_TASKS, "split at once, also trees too small to gain from it"),
     .initial = "off", SWITCH(scheme_options.eager, off_on), .shares = true, .matters = is_eager_only},
    {KEY("pin", KEYS_SPLIT, "keep each thread on a CPU of its own"),
     .initial = "off", SWITCH(scheme_options.pin, off_on), .shares = true},
    {KEY("threads", KEYS_LIMITS, "threads for split=; default: all CPUs"),
     NUMBER(threads, 1, MP_MAX_THREADS), .shares = true, .always = true},
    {0},
};
/* clang-format on */
_Static_assert(sizeof strategy_keys / sizeof *strategy_keys <= MOST_KEYS,
               "a strategy has room for every key");

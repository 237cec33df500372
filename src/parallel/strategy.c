#include "parallel/strategy.h"

#include "parallel/auto.h"

#include "base/cpus.h"
#include "base/text.h"
#include "search/algorithms.h"
#include "search/rollout.h"

#include <stdlib.h>
#include <string.h>

/* ---- Keys: what each may be, whom it concerns, how it is set and printed ------------------------------ */

static bool for_all(const struct algorithm *a)
{
    return a != NULL;
}
static bool for_random(const struct algorithm *a)
{
    return a->search == random_move;
}
static bool for_searches(const struct algorithm *a)
{
    return !for_random(a) && !a->samples;
}
static bool for_horizon(const struct algorithm *a)
{
    return a->search == horizon;
}
static bool for_samples(const struct algorithm *a)
{
    return a->samples;
}
static bool for_rollout(const struct algorithm *a)
{
    return a->search == rollout;
}
static bool for_depth(const struct algorithm *a)
{
    return !for_horizon(a) && !for_samples(a) && !for_rollout(a);
}
/* Random moves need no threads. */
static bool for_splits(const struct algorithm *a)
{
    return !for_random(a);
}
static bool for_seeds(const struct algorithm *a)
{
    return for_random(a) || for_samples(a) || for_rollout(a);
}
static bool for_alphabeta(const struct algorithm *a)
{
    return a->search == alphabeta;
}
static bool for_tables(const struct algorithm *a)
{
    return a->has_table;
}
static bool for_hash(const struct algorithm *a)
{
    return a->has_table || a->has_throws;
}
static bool for_keepers(const struct algorithm *a)
{
    return a->has_keep;
}
static bool for_reports(const struct algorithm *a)
{
    return a->report || a->samples;
}

static bool set_switch(const char *value, bool *state)
{
    *state = !strcmp(value, "on");
    return *state || !strcmp(value, "off");
}

static bool set_int(const char *value, int least, int most, int *number)
{
    int64_t n;
    bool ok = text_to_int(value, least, most, &n);
    if (ok)
        *number = (int)n;
    return ok;
}

static bool set_depth(struct strategy *s, const char *value)
{
    return set_int(value, 1, MP_MAX_DEPTH, &s->depth);
}
static bool set_nodes(struct strategy *s, const char *value)
{
    int64_t n;
    bool ok = text_to_int(value, 1, INT64_MAX, &n);
    s->node_limit = ok ? (uint64_t)n : 0;
    return ok;
}
static bool set_time(struct strategy *s, const char *value)
{
    return text_to_seconds(value, &s->seconds);
}
static bool set_threads(struct strategy *s, const char *value)
{
    return set_int(value, 1, MP_MAX_THREADS, &s->threads);
}
static bool set_split(struct strategy *s, const char *value)
{
    for (s->scheme = schemes; s->scheme->name; s->scheme++)
        if (!strcmp(s->scheme->name, value))
            return true;
    return false;
}
static bool set_levels(struct strategy *s, const char *value)
{
    return set_int(value, 1, MP_MAX_DEPTH, &s->scheme_options.levels);
}
static bool set_chunk(struct strategy *s, const char *value)
{
    return set_int(value, 1, 1 << 20, &s->scheme_options.chunk);
}
static bool set_cap(struct strategy *s, const char *value)
{
    return set_int(value, 1, 1 << 20, &s->scheme_options.cap);
}
static bool set_min(struct strategy *s, const char *value)
{
    return set_int(value, 1, 1 << 20, &s->scheme_options.least);
}
static bool set_eager(struct strategy *s, const char *value)
{
    return set_switch(value, &s->scheme_options.eager);
}
static bool set_deterministic(struct strategy *s, const char *value)
{
    return set_switch(value, &s->scheme_options.deterministic);
}
static bool set_pin(struct strategy *s, const char *value)
{
    return set_switch(value, &s->scheme_options.pin);
}
static bool set_hash(struct strategy *s, const char *value)
{
    return set_int(value, 0, 1 << 20, &s->table_megabytes);
}
static bool set_aspiration(struct strategy *s, const char *value)
{
    return set_switch(value, &s->settings.aspiration);
}
static bool set_killers(struct strategy *s, const char *value)
{
    return set_switch(value, &s->settings.killers);
}
static bool set_history(struct strategy *s, const char *value)
{
    return set_switch(value, &s->settings.history);
}
static bool set_selective(struct strategy *s, const char *value)
{
    return set_switch(value, &s->settings.selective);
}
static bool set_keep(struct strategy *s, const char *value)
{
    /* One number, or one for each level: 8/4/2. */
    char copy[128], *rest = copy;
    if (strlen(value) >= sizeof copy)
        return false;
    strcpy(copy, value);
    for (char *item; (item = strsep(&rest, "/"));) {
        int level = s->settings.keep_levels++;
        int *keep = level ? &s->settings.keep_below[level - 1] : &s->settings.keep;
        if (level > SETTINGS_KEEP_LEVELS || !set_int(item, 1, INT32_MAX, keep))
            return false;
    }
    return true;
}
static bool set_games(struct strategy *s, const char *value)
{
    return set_int(value, 1, 1000000, &s->settings.games);
}
static bool set_variance_reduction(struct strategy *s, const char *value)
{
    return set_switch(value, &s->settings.variance_reduction);
}
static bool set_seed(struct strategy *s, const char *value)
{
    int64_t n;
    bool ok = text_to_int(value, 0, INT64_MAX, &n);
    s->settings.seed = ok ? (uint64_t)n : 0;
    return ok;
}
static bool set_compat(struct strategy *s, const char *value)
{
    return s->compat_report = !strcmp(value, "report");
}
static bool set_order(struct strategy *s, const char *value)
{
    s->settings.listed_order = !strcmp(value, "list");
    return s->settings.listed_order || !strcmp(value, "guess");
}

/* A number, or off: 0. */
static bool set_int_or_off(const char *value, int least, int most, int *number)
{
    *number = 0;
    return !strcmp(value, "off") || set_int(value, least, most, number);
}
/* The report counts from the position after the root move. */
static bool set_hmin(struct strategy *s, const char *value)
{
    bool ok = set_int(value, 0, MP_MAX_DEPTH - 1, &s->depth);
    s->depth++;
    return ok;
}
static bool set_hmax(struct strategy *s, const char *value)
{
    return set_int_or_off(value, 1, MP_MAX_DEPTH - 1, &s->settings.hmax);
}
static bool set_truncate(struct strategy *s, const char *value)
{
    return set_int_or_off(value, 1, 1000, &s->settings.truncate);
}
static bool set_width(struct strategy *s, const char *value)
{
    return set_int_or_off(value, 1, 1 << 20, &s->settings.width);
}
static bool set_threshold(struct strategy *s, const char *value)
{
    return set_int_or_off(value, 1, MP_EVAL_MAX, &s->settings.threshold);
}
static bool set_reduced(struct strategy *s, const char *value)
{
    return set_int(value, 1, MP_MAX_DEPTH, &s->settings.reduced);
}
/* Needs the key: set_key sets it. */
static bool set_technique(struct strategy *s, const char *value)
{
    (void)s;
    bool on;
    return set_switch(value, &on);
}
static bool set_iterations(struct strategy *s, const char *value)
{
    int64_t n;
    bool ok = text_to_int(value, 1, INT64_MAX, &n);
    s->settings.mcts.iterations = ok ? (uint64_t)n : 0;
    return ok;
}
static bool set_c(struct strategy *s, const char *value)
{
    char *end;
    s->settings.mcts.c = strtod(value, &end);
    return strspn(value, "0123456789.") == strlen(value) && !*end && s->settings.mcts.c <= 100;
}
static bool set_expand(struct strategy *s, const char *value)
{
    return set_int(value, 1, 1 << 20, &s->settings.mcts.expand);
}
/* The place of a word in a list that ends with null; -1: it is not there. */
static int find_word(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (!strcmp(words[i], word))
            return i;
    return -1;
}
static const char *const finals[] = {"visits", "value", "uct", NULL};
static const char *const playouts[] = {"game", "random", "eval", "greedy", NULL};
static bool set_final(struct strategy *s, const char *value)
{
    int i = find_word(finals, value);
    s->settings.mcts.final = (enum mcts_final)i;
    return i >= 0;
}
static bool set_playout(struct strategy *s, const char *value)
{
    int i = find_word(playouts, value);
    s->settings.mcts.playout = (enum mcts_playout)i;
    return i >= 0;
}
static bool set_plies(struct strategy *s, const char *value)
{
    return set_int(value, 0, MP_MAX_DEPTH, &s->settings.mcts.plies);
}
static bool set_playouts(struct strategy *s, const char *value)
{
    return set_int(value, 1, 1 << 16, &s->settings.mcts.playouts);
}
static bool set_memory(struct strategy *s, const char *value)
{
    return set_int(value, 1, 1 << 17, &s->settings.mcts.megabytes);
}
static bool set_solver(struct strategy *s, const char *value)
{
    return set_switch(value, &s->settings.mcts.solver);
}
static bool set_reuse(struct strategy *s, const char *value)
{
    return set_switch(value, &s->settings.mcts.reuse);
}
static bool set_vloss(struct strategy *s, const char *value)
{
    return set_int(value, 0, 1 << 16, &s->settings.mcts.virtual_loss);
}
static bool set_unobserved(struct strategy *s, const char *value)
{
    return set_switch(value, &s->settings.mcts.unobserved);
}
static bool set_merge(struct strategy *s, const char *value)
{
    return s->scheme_options.merge_parallel = !strcmp(value, "parallel");
}
/* Needs the game: strategy_parse sets it. */
static bool set_eval(struct strategy *s, const char *value)
{
    (void)s, (void)value;
    return true;
}

static const struct mp_key_info keys[] = {
    {"depth", "1 to 255", "all but horizon, mcts, rollout", "plies to search"},
    {"nodes", "a whole number from 1", "all", "stop after so many nodes"},
    {"time", "such as 2s or 500ms", "all", "stop after so long"},
    {"eval", "a name from `manyply evaluations`", "all", "what a position at the horizon is worth"},
    {"threads", "1 to 256", "all", "threads for split=; the standard is all CPUs"},
    {"split", "a scheme from `manyply strategies`", "all but random", "how threads share the work"},
    {"levels", "1 to 255", "all but random, mcts",
     "split=levels or shared: levels that are split; the standard is 2"},
    {"chunk", "1 to 1048576", "all but random",
     "split=chunked: moves at a time; the standard is moves / threads; split=root: iterations a tree"},
    {"cap", "1 to 1048576", "all but random, mcts", "split=bfs: pieces of work; the standard is the threads"},
    {"min", "1 to 1048576", "all but random, mcts",
     "split=shared: split nodes with so many moves; the standard is 6"},
    {"eager", "on or off", "all but random, mcts", "split at once, also trees too small to gain from it"},
    {"deterministic", "on or off", "all but random, mcts",
     "threads take turns: the same nodes every time, without any gain in time"},
    {"pin", "on or off", "all but random", "keep each thread on a CPU of its own"},
    {"hash", "0 to 1048576", "pvs, expectiminimax, star1, star2",
     "transposition table in MB, 0 for none; the standard is 16, for searches of throws 0"},
    {"aspiration", "on or off", "pvs", "begin with a narrow window around the last value"},
    {"killers", "on or off", "pvs", "try moves first that refuted a brother"},
    {"history", "on or off", "pvs", "prefer moves that refuted anything"},
    {"selective", "on or off", "pvs", "search what matters deeper and give up early elsewhere; not exact"},
    {"quiescence", "on or off", "pvs", "selective: at the horizon, go on with captures and the like"},
    {"exchange", "on or off", "pvs", "selective: put off and leave out moves that lose an exchange"},
    {"nullmove", "on or off", "pvs", "selective: skip where even a second move in a row does not help them"},
    {"lmr", "on or off", "pvs", "selective: search late moves less deep at first"},
    {"rfp", "on or off", "pvs", "selective: skip where the lead is larger than the depth left can change"},
    {"futility", "on or off", "pvs", "selective: leave out quiet moves where they cannot gain enough"},
    {"lmp", "on or off", "pvs", "selective: leave out late quiet moves near the horizon"},
    {"checks", "on or off", "pvs", "selective: a ply more where a threat must be answered"},
    {"continuation", "on or off", "pvs", "selective: prefer moves that were good after the last two"},
    {"counter", "on or off", "pvs", "selective: prefer the move that answered the last one before"},
    {"iir", "on or off", "pvs", "selective: a ply less where no good move is known yet"},
    {"deeper", "on or off", "pvs", "selective: take answers of the table from deeper searches too"},
    {"repetition", "on or off", "pvs", "selective: a position that comes again is drawn at once"},
    {"keep", "a whole number from 1, or one for each level such as 8/4/2",
     "expectiminimax, star1, star2, rollout",
     "search only so many moves at a node, the best by static value; not exact; for rollout the standard is "
     "5"},
    {"order", "guess or list", "alphabeta", "best guess of the game first, or as the game lists its moves"},
    {"hmin", "0 to 254", "horizon", "plies searched after the root move; the standard is 4"},
    {"hmax", "1 to 254 or off", "horizon", "go on after noisy moves up to so many plies; the standard is 30"},
    {"width", "1 to 1048576 or off", "horizon",
     "search only so many moves at a node, the best by static value; the standard is 12"},
    {"threshold", "1 to 1000000 or off", "horizon",
     "where the static value is beyond it, go on for reduced= plies only; the standard is off"},
    {"reduced", "1 to 255", "horizon", "plies searched while threshold= is passed; the standard is 3"},
    {"iterations", "a whole number from 1", "mcts",
     "stop after so many; the standard is 10000 unless time= or nodes= is given"},
    {"c", "0 to 100", "mcts",
     "how much selection looks for what is not known yet; the standard is 0.35, with compat=report 1.414"},
    {"expand", "1 to 1048576", "mcts", "a leaf gets children at this visit; the standard is 5"},
    {"playout", "game, random, eval or greedy", "mcts",
     "to value a leaf: the game's own playout, random moves to the end, or moves for plies=n and then eval=: "
     "random ones, or mostly the best by eval="},
    {"plies", "0 to 255", "mcts", "moves of a playout=eval or greedy; the standard is 0"},
    {"playouts", "1 to 65536", "mcts", "playouts at a leaf; the standard is 1, with split=leaf the threads"},
    {"final", "visits, value or uct", "mcts",
     "the move with the most of this is played; the standard is visits"},
    {"solver", "on or off", "mcts", "carry up what is proven"},
    {"memory", "1 to 131072", "mcts",
     "MB for all trees; a full tree grows no more, but is searched on; the standard is 256"},
    {"reuse", "on or off", "mcts",
     "keep what the tree knows of the position after the moves that are played"},
    {"vloss", "0 to 65536", "mcts",
     "split=tree: losses that a thread on its way is counted as; the standard is 1"},
    {"unobserved", "on or off", "mcts", "split=tree: count it as a visit without a result instead"},
    {"merge", "parallel", "mcts", "split=root,chunk=n: all threads merge the trees, ten at a time"},
    {"compat", "report", "minimax, alphabeta, horizon, mcts",
     "as the report on Othello, or for horizon on chess, has it, faults and all"},
    {"games", "1 to 1000000", "rollout", "games played out for each move; the standard is 1296"},
    {"truncate", "1 to 1000 or off", "rollout",
     "value games after so many plies instead of playing them to the end; the standard is off"},
    {"variance-reduction", "on or off", "rollout",
     "take the luck of the dice off the results; the standard is on"},
    {"seed", "a whole number from 0", "random, mcts, rollout", "which moves, or which dice, are drawn"},
    {0},
};

/* The switches of the selective search among the keys. */
static const struct {
    const char *key;
    unsigned bit;
} techniques[] = {
    {"quiescence", TECHNIQUE_QUIESCENCE},
    {"exchange", TECHNIQUE_EXCHANGE},
    {"nullmove", TECHNIQUE_NULL_MOVE},
    {"lmr", TECHNIQUE_REDUCTIONS},
    {"rfp", TECHNIQUE_REVERSE_FUTILITY},
    {"futility", TECHNIQUE_FUTILITY},
    {"lmp", TECHNIQUE_LATE_MOVES},
    {"checks", TECHNIQUE_CHECKS},
    {"continuation", TECHNIQUE_CONTINUATION},
    {"counter", TECHNIQUE_COUNTER},
    {"iir", TECHNIQUE_INTERNAL},
    {"deeper", TECHNIQUE_DEEPER},
    {"repetition", TECHNIQUE_REPETITION},
};

static unsigned technique_of(const char *key)
{
    for (size_t i = 0; i < sizeof techniques / sizeof *techniques; i++)
        if (!strcmp(techniques[i].key, key))
            return techniques[i].bit;
    return 0;
}

/* In the order of keys. */
static const struct {
    bool (*applies)(const struct algorithm *algorithm);
    bool (*set)(struct strategy *strategy, const char *value);
} key_actions[] = {
    {for_depth, set_depth},
    {for_all, set_nodes},
    {for_all, set_time},
    {for_all, set_eval},
    {for_all, set_threads},
    {for_splits, set_split},
    {for_searches, set_levels},
    {for_splits, set_chunk},
    {for_searches, set_cap},
    {for_searches, set_min},
    {for_searches, set_eager},
    {for_searches, set_deterministic},
    {for_splits, set_pin},
    {for_hash, set_hash},
    {for_tables, set_aspiration},
    {for_tables, set_killers},
    {for_tables, set_history},
    {for_tables, set_selective},
    {for_tables, set_technique},
    {for_tables, set_technique},
    {for_tables, set_technique},
    {for_tables, set_technique},
    {for_tables, set_technique},
    {for_tables, set_technique},
    {for_tables, set_technique},
    {for_tables, set_technique},
    {for_tables, set_technique},
    {for_tables, set_technique},
    {for_tables, set_technique},
    {for_tables, set_technique},
    {for_tables, set_technique},
    {for_keepers, set_keep},
    {for_alphabeta, set_order},
    {for_horizon, set_hmin},
    {for_horizon, set_hmax},
    {for_horizon, set_width},
    {for_horizon, set_threshold},
    {for_horizon, set_reduced},
    {for_samples, set_iterations},
    {for_samples, set_c},
    {for_samples, set_expand},
    {for_samples, set_playout},
    {for_samples, set_plies},
    {for_samples, set_playouts},
    {for_samples, set_final},
    {for_samples, set_solver},
    {for_samples, set_memory},
    {for_samples, set_reuse},
    {for_samples, set_vloss},
    {for_samples, set_unobserved},
    {for_samples, set_merge},
    {for_reports, set_compat},
    {for_rollout, set_games},
    {for_rollout, set_truncate},
    {for_rollout, set_variance_reduction},
    {for_seeds, set_seed},
};
_Static_assert(sizeof key_actions / sizeof *key_actions == sizeof keys / sizeof *keys - 1,
               "every key has an action");
_Static_assert(sizeof keys / sizeof *keys - 1 <= 64, "which keys were given fits in 64 bits");

const struct mp_key_info *strategy_keys(void)
{
    return keys;
}

/* ---- Names that reports use --------------------------------------------------------------------------- */

/* Each is short for an algorithm with keys; the numbers after the name are the values of some of them. */
const struct strategy_name strategy_names[] = {
    {.name = "MinimaxSeq",
     .form = "MinimaxSeq,depth",
     .summary = "minimax on one thread",
     .keys = {"depth"},
     .text = "minimax",
     .option = {"continue", "on"},
     .sequential = true},
    {.name = "MinimaxPar",
     .form = "MinimaxPar,parDepth,depth",
     .summary = "minimax, each move of the first parDepth levels a task",
     .keys = {"levels", "depth"},
     .text = "minimax,split=levels,eager=on",
     .option = {"continue", "on"}},
    {.name = "MinimaxSeqAB",
     .form = "MinimaxSeqAB,depth",
     .summary = "alpha-beta on one thread, each root move with the full window, moves as listed",
     .keys = {"depth"},
     .text = "alphabeta,order=list,split=top,eager=on",
     .option = {"continue", "on"},
     .sequential = true},
    {.name = "MinimaxParAB",
     .form = "MinimaxParAB,parDepth,depth",
     .summary = "the same, each move of the first parDepth levels a task",
     .keys = {"levels", "depth"},
     .text = "alphabeta,order=list,split=levels,eager=on",
     .option = {"continue", "on"}},
    {.name = "Seq",
     .form = "Seq,depth,pruning",
     .summary = "dice: expectiminimax, the best plays by static value only",
     .keys = {"depth", "keep"},
     .text = "expectiminimax",
     .sequential = true},
    {0},
};

static const struct strategy_name *find_name(const char *text, size_t length)
{
    for (const struct strategy_name *name = strategy_names; name->name; name++)
        if (strlen(name->name) == length && !strncmp(name->name, text, length))
            return name;
    return NULL;
}

/* Writes a name and its numbers as the algorithm and keys that they stand for; *text moves on to what is
 * left. */
static bool expand_name(struct strategy *s, const char **text, char *expanded, size_t size,
                        struct mp_error *error)
{
    const struct strategy_name *name = s->name;
    snprintf(expanded, size, "%s", name->text);
    *text += strlen(name->name);
    for (int i = 0; i < STRATEGY_NUMBERS && name->keys[i]; i++) {
        *text += **text == ',';
        size_t length = strcspn(*text, ",");
        if (strspn(*text, "0123456789") != length || length == 0 || length > 9)
            return mp_fail(error, "strategy: '%.*s' after %s, expected %s with numbers",
                           (int)(length < 60 ? length : 60), *text, name->name, name->form);
        text_append(expanded, size, ",%s=%.*s", name->keys[i], (int)length, *text);
        text_append(s->numbers, sizeof s->numbers, ",%.*s", (int)length, *text);
        *text += length;
    }
    return true;
}

/* ---- Parsing ------------------------------------------------------------------------------------------ */

static bool find_algorithm(const char *name, struct strategy *s, struct mp_error *error)
{
    char known[256] = "";
    for (const struct algorithm *a = algorithms; a->name; a++) {
        if (!strcmp(a->name, name)) {
            s->settings.algorithm = a;
            return true;
        }
        text_append(known, sizeof known, "%s%s", a == algorithms ? "" : ", ", a->name);
    }
    return mp_fail(error, "strategy: unknown algorithm '%.60s', expected one of %s", name, known);
}

/* A name of the game's, or random:SEED. */
static bool find_evaluation(const struct mp_game *game, const char *name, struct strategy *s,
                            struct mp_error *error)
{
    int64_t seed;
    if (!strncmp(name, "random:", 7) && text_to_int(name + 7, 0, INT64_MAX, &seed)) {
        s->random = random_evaluation((uint64_t)seed);
        s->settings.evaluation = &s->random.evaluation;
        return true;
    }
    char known[256] = "";
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++) {
        if (!strcmp(e->name, name)) {
            s->settings.evaluation = e;
            return true;
        }
        text_append(known, sizeof known, "%s, ", e->name);
    }
    return mp_fail(error, "strategy: eval=%.60s, but %s has %sand random:SEED", name, game->name, known);
}

static bool unknown_scheme(const char *name, struct mp_error *error)
{
    char known[256] = "";
    for (const struct scheme *scheme = schemes; scheme->name; scheme++)
        text_append(known, sizeof known, "%s%s", *known ? ", " : "", scheme->name);
    return mp_fail(error, "strategy: split=%.60s, expected one of %s", name, known);
}

static bool set_key(const struct mp_game *game, struct strategy *s, const char *name, const char *value,
                    uint64_t *given, struct mp_error *error)
{
    const struct algorithm *algorithm = s->settings.algorithm;
    char allowed[512] = "";
    for (int i = 0; keys[i].name; i++) {
        if (!key_actions[i].applies(algorithm))
            continue;
        if (strcmp(keys[i].name, name) != 0) {
            text_append(allowed, sizeof allowed, "%s%s", *allowed ? ", " : "", keys[i].name);
            continue;
        }
        if (*given >> i & 1)
            return mp_fail(error, "strategy: %s is given twice, expected once", name);
        *given |= UINT64_C(1) << i;
        if (key_actions[i].set == set_eval)
            return find_evaluation(game, value, s, error);
        if (key_actions[i].set(s, value)) {
            unsigned technique = technique_of(name);
            s->technique_given |= technique != 0;
            if (!strcmp(value, "off"))
                s->settings.techniques &= ~technique;
            return true;
        }
        if (key_actions[i].set == set_split)
            return unknown_scheme(value, error);
        return mp_fail(error, "strategy: %s=%.60s, expected %s", name, value, keys[i].values);
    }
    return mp_fail(error, "strategy: %s has no key '%.60s', expected one of %s", algorithm->name, name,
                   allowed);
}

static void describe_number(struct strategy *s, const char *key, int number)
{
    if (number)
        text_append(s->text, sizeof s->text, ",%s=%d", key, number);
    else
        text_append(s->text, sizeof s->text, ",%s=off", key);
}

static void describe_horizon(struct strategy *s)
{
    text_append(s->text, sizeof s->text, ",hmin=%d", strategy_last_depth(s) - 1);
    describe_number(s, "hmax", s->settings.hmax);
    describe_number(s, "width", s->settings.width);
    if (s->settings.threshold)
        text_append(s->text, sizeof s->text, ",threshold=%d,reduced=%d", s->settings.threshold,
                    s->settings.reduced);
}

static void describe_limits(struct strategy *s, char *text, size_t size)
{
    if (s->node_limit)
        text_append(text, size, ",nodes=%llu", (unsigned long long)s->node_limit);
    if (s->seconds > 0) {
        char time[32];
        text_from_seconds(s->seconds, time, sizeof time);
        text_append(text, size, ",time=%s", time);
    }
}

static void describe_evaluation(struct strategy *s, char *text, size_t size)
{
    text_append(text, size, ",eval=%s", s->settings.evaluation->name);
    if (s->settings.evaluation == &s->random.evaluation)
        text_append(text, size, ":%llu", (unsigned long long)s->random.seed);
}

static void describe_samples(struct strategy *s, char *text, size_t size)
{
    const struct mcts_settings *m = &s->settings.mcts;
    if (s->compat_report)
        text_append(text, size, ",compat=report");
    if (m->iterations)
        text_append(text, size, ",iterations=%llu", (unsigned long long)m->iterations);
    describe_limits(s, text, size);
    text_append(text, size, ",c=%.5g", m->c);
    if (!s->compat_report) {
        text_append(text, size, ",expand=%d,playout=%s", m->expand, playouts[m->playout]);
        if (m->playout == MCTS_PLAYOUT_EVAL || m->playout == MCTS_PLAYOUT_GREEDY)
            text_append(text, size, ",plies=%d", m->plies);
        if (m->playouts > 1)
            text_append(text, size, ",playouts=%d", m->playouts);
        text_append(text, size, ",final=%s%s%s", finals[m->final], m->solver ? "" : ",solver=off",
                    m->reuse ? "" : ",reuse=off");
    }
    describe_evaluation(s, text, size);
    text_append(text, size, ",memory=%d,seed=%llu", m->megabytes, (unsigned long long)s->settings.seed);
    if (s->scheme->sequential)
        return;
    text_append(text, size, ",split=%s", s->scheme->name);
    if (s->scheme_options.chunk)
        text_append(text, size, ",chunk=%d%s", s->scheme_options.chunk,
                    s->scheme_options.merge_parallel ? ",merge=parallel" : "");
    if (s->scheme->tree_shared)
        text_append(text, size, m->unobserved ? ",unobserved=on" : ",vloss=%d", m->virtual_loss);
    text_append(text, size, ",threads=%d", s->threads);
}

static void describe_rollout(struct strategy *s)
{
    text_append(s->text, sizeof s->text, ",games=%d", s->settings.games);
    if (s->settings.truncate)
        text_append(s->text, sizeof s->text, ",truncate=%d", s->settings.truncate);
    text_append(s->text, sizeof s->text, ",variance-reduction=%s,seed=%llu",
                s->settings.variance_reduction ? "on" : "off", (unsigned long long)s->settings.seed);
}

static void describe(struct strategy *s)
{
    const struct algorithm *algorithm = s->settings.algorithm;
    char *text = s->text;
    size_t size = sizeof s->text;
    snprintf(text, size, "%s%s", s->name ? s->name->name : algorithm->name, s->numbers);
    if (algorithm->samples) {
        describe_samples(s, text, size);
        return;
    }
    if (for_random(algorithm)) {
        text_append(text, size, ",seed=%llu", (unsigned long long)s->settings.seed);
        return;
    }
    if (s->compat_report)
        text_append(text, size, ",compat=report");
    if (for_horizon(algorithm))
        describe_horizon(s);
    else if (for_rollout(algorithm))
        describe_rollout(s);
    else if (!s->name && (s->depth || !(s->node_limit || s->seconds > 0)))
        text_append(text, size, ",depth=%d", strategy_last_depth(s));
    if (s->settings.listed_order && !s->name)
        text_append(text, size, ",order=list");
    describe_limits(s, text, size);
    describe_evaluation(s, text, size);
    if (algorithm->has_table) {
        text_append(text, size, ",hash=%d", s->table_megabytes);
        text_append(text, size, "%s%s%s", s->settings.aspiration ? "" : ",aspiration=off",
                    s->settings.killers ? "" : ",killers=off", s->settings.history ? "" : ",history=off");
    }
    if (algorithm->has_throws && s->table_megabytes)
        text_append(text, size, ",hash=%d", s->table_megabytes);
    if (s->settings.selective)
        text_append(text, size, ",selective=on");
    for (int i = 0; s->settings.selective && keys[i].name; i++)
        if (technique_of(keys[i].name) & ~s->settings.techniques)
            text_append(text, size, ",%s=off", keys[i].name);
    if (s->settings.keep && !s->name)
        text_append(text, size, ",keep=%d", s->settings.keep);
    for (int level = 1; level < s->settings.keep_levels && !s->name; level++)
        text_append(text, size, "/%d", s->settings.keep_below[level - 1]);
    if (s->scheme->sequential || (s->name && s->name->sequential))
        return;
    if (!s->name)
        text_append(text, size, ",split=%s", s->scheme->name);
    if (s->scheme->options & SCHEME_LEVELS && !s->name)
        text_append(text, size, ",levels=%d", s->scheme_options.levels);
    if (s->scheme_options.chunk)
        text_append(text, size, ",chunk=%d", s->scheme_options.chunk);
    if (s->scheme_options.cap)
        text_append(text, size, ",cap=%d", s->scheme_options.cap);
    if (s->scheme->options & SCHEME_MIN)
        text_append(text, size, ",min=%d", s->scheme_options.least);
    text_append(text, size, "%s%s%s", s->scheme_options.deterministic ? ",deterministic=on" : "",
                s->scheme_options.eager && !s->scheme_options.deterministic && !s->name ? ",eager=on" : "",
                s->scheme_options.pin ? ",pin=on" : "");
    text_append(text, size, ",threads=%d", s->threads);
}

/* The report has the constant of the theory. For players who know how to stop looking less is better: 0.35
 * wins 68% of 400 games of Othello against it, with 1000 iterations a move; 0.2 loses 57% against 0.35. */
#define MCTS_REPORT_C 1.41421356
#define MCTS_STANDARD_C 0.35
/* As strong as 2 (50.1% of 400 games) with a smaller tree; 1 is weaker (44.5%). */
enum { MCTS_STANDARD_EXPAND = 5 };

/* What Monte-Carlo search is told where nothing was said. */
static bool complete_samples(const struct mp_game *game, struct strategy *s, struct mp_error *error)
{
    struct mcts_settings *m = &s->settings.mcts;
    enum { STANDARD_ITERATIONS = 10000, REPORT_ITERATIONS = 1000 };
    m->report = s->compat_report;
    if (m->c < 0)
        m->c = m->report ? MCTS_REPORT_C : MCTS_STANDARD_C;
    if (!m->iterations && !s->node_limit && s->seconds <= 0)
        m->iterations = m->report ? REPORT_ITERATIONS : STANDARD_ITERATIONS;
    if (m->report) {
        m->final = MCTS_FINAL_UCT;
        m->solver = m->reuse = false;
        m->playouts = 1;
        return !game->chances || mp_fail(error, "strategy: compat=report is for games without dice");
    }
    if (m->playout == MCTS_PLAYOUT_STANDARD)
        m->playout = game->playout_scale > 0 || game->chances ? MCTS_PLAYOUT_EVAL
                     : game->playout                          ? MCTS_PLAYOUT_GAME
                                                              : MCTS_PLAYOUT_RANDOM;
    if (m->playout == MCTS_PLAYOUT_GAME && !game->playout)
        return mp_fail(error, "strategy: playout=game, but %s has none, expected random, eval or greedy",
                       game->name);
    if (!m->playouts)
        m->playouts = s->scheme->sample == sample_leaf ? s->threads : 1;
    return true;
}

static bool check_samples(struct strategy *s, struct mp_error *error)
{
    const struct scheme *scheme = s->scheme;
    if (s->scheme_options.chunk && !(scheme->options & SCHEME_CHUNK))
        return mp_fail(error, "strategy: chunk= with split=%s, expected split=root", scheme->name);
    if (s->compat_report && !scheme->sequential && scheme->sample != sample_root)
        return mp_fail(error, "strategy: compat=report with split=%s, expected none or root", scheme->name);
    return true;
}

/* Keys of a scheme need that scheme, and a scheme may need bounds. Fills in what was not given. */
static bool check_scheme(struct strategy *s, struct mp_error *error)
{
    const struct scheme *scheme = s->scheme;
    struct scheme_options *options = &s->scheme_options;
    const struct algorithm *algorithm = s->settings.algorithm;
    if (algorithm->samples && !scheme->sample)
        return mp_fail(error, "strategy: split=%s is not for mcts, expected none, root, leaf or tree",
                       scheme->name);
    if (!algorithm->samples && !scheme->iterate)
        return mp_fail(error, "strategy: split=%s is for mcts, not for %s", scheme->name, algorithm->name);
    if (options->merge_parallel && !(scheme->options & SCHEME_MERGE && options->chunk))
        return mp_fail(error, "strategy: merge= without chunks, expected split=root,chunk=n");
    if (algorithm->samples)
        return check_samples(s, error);
    if (s->compat_report && !scheme->sequential && !for_horizon(algorithm))
        return mp_fail(error, "strategy: compat=report is sequential, expected no split=%s", scheme->name);
    if (scheme->prunes && s->settings.search == minimax)
        return mp_fail(error,
                       "strategy: split=%s shares bounds, which minimax has not, expected alphabeta or pvs",
                       scheme->name);
    if (scheme->needs_table && !(algorithm->has_table && s->table_megabytes > 0))
        return mp_fail(error,
                       "strategy: split=%s needs a transposition table, expected pvs with hash= above 0",
                       scheme->name);
    if (options->levels && !(scheme->options & SCHEME_LEVELS))
        return mp_fail(error, "strategy: levels= with split=%s, expected split=levels or shared",
                       scheme->name);
    if (options->chunk && !(scheme->options & SCHEME_CHUNK))
        return mp_fail(error, "strategy: chunk= with split=%s, expected split=chunked", scheme->name);
    if (options->cap && !(scheme->options & SCHEME_CAP))
        return mp_fail(error, "strategy: cap= with split=%s, expected split=bfs", scheme->name);
    if (options->least && !(scheme->options & SCHEME_MIN))
        return mp_fail(error, "strategy: min= with split=%s, expected split=shared", scheme->name);
    if (scheme->sequential && (options->eager || options->deterministic || options->pin))
        return mp_fail(error, "strategy: %s= without split=, expected a scheme whose threads it concerns",
                       options->eager           ? "eager"
                       : options->deterministic ? "deterministic"
                                                : "pin");
    options->eager = options->eager || options->deterministic;
    if (!options->levels)
        options->levels = scheme->options & SCHEME_LEVELS ? 2 : 1;
    if (!options->least)
        options->least = 6;
    return true;
}

static bool parse(const struct mp_game *game, char *text, struct strategy *s, struct mp_error *error)
{
    uint64_t given = 0;
    char *rest = text;
    char *name = strsep(&rest, ",");
    if (!find_algorithm(name, s, error))
        return false;
    while (rest) {
        char *value = strsep(&rest, ",");
        char *key = strsep(&value, "=");
        if (!value || !*value)
            return mp_fail(error, "strategy: '%.60s' has no value, expected key=value", key);
        if (!set_key(game, s, key, value, &given, error))
            return false;
    }
    return true;
}

/* Without the hook no move is noisy, and hmax would do nothing. */
static bool check_horizon(const struct mp_game *game, const struct strategy *s, struct mp_error *error)
{
    if (for_horizon(s->settings.algorithm) && s->settings.hmax && !game->list_noisy)
        return mp_fail(error, "strategy: hmax=%d needs noisy moves, which %s has not, expected hmax=off",
                       s->settings.hmax, game->name);
    return true;
}

/* A rollout needs dice, and its games are shared in one way. */
static bool check_rollout(const struct mp_game *game, struct strategy *s, struct mp_error *error)
{
    bool is_rollout = for_rollout(s->settings.algorithm);
    if (is_rollout && !game->chances)
        return mp_fail(error, "strategy: rollout throws dice, which %s has not, expected a search",
                       game->name);
    if (is_rollout && s->scheme->automatic)
        set_split(s, "games");
    if (is_rollout && !s->scheme->sequential && !s->scheme->deals_games)
        return mp_fail(error, "strategy: rollout with split=%s, expected split=games", s->scheme->name);
    if (!is_rollout && s->scheme->deals_games)
        return mp_fail(error,
                       "strategy: split=%s deals out the games of a rollout, which %s has not, expected "
                       "another scheme",
                       s->scheme->name, s->settings.algorithm->name);
    if (s->settings.keep_levels > 1 && (is_rollout || !s->depth))
        return mp_fail(error, "strategy: keep= for several levels %s, expected one number",
                       is_rollout ? "of a rollout, which has one" : "without depth=");
    if (is_rollout && !s->settings.keep)
        s->settings.keep = 5;
    return true;
}

/* Parses the text with a name of a report written out. */
static bool parse_written_out(const struct mp_game *game, const char *text, struct strategy *s,
                              struct mp_error *error)
{
    char expanded[128] = "";
    s->name = find_name(text, strcspn(text, ","));
    if (s->name && !expand_name(s, &text, expanded, sizeof expanded, error))
        return false;
    size_t size = sizeof expanded + strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy)
        return mp_fail(error, "out of memory");
    snprintf(copy, size, "%s%s", expanded, text);
    bool ok = parse(game, copy, s, error);
    free(copy);
    return ok;
}

bool strategy_parse(const struct mp_game *game, const char *text, struct strategy *s, struct mp_error *error)
{
    *s = (struct strategy){.scheme = schemes, .threads = cpus_allowed(), .table_megabytes = -1};
    if (s->threads > MP_MAX_THREADS)
        s->threads = MP_MAX_THREADS;
    s->settings.evaluation = game->evaluations;
    s->settings.aspiration = s->settings.killers = s->settings.history = true;
    s->settings.techniques = TECHNIQUES_ALL;
    s->settings.mcts = (struct mcts_settings){.c = -1,
                                              .expand = MCTS_STANDARD_EXPAND,
                                              .playout = MCTS_PLAYOUT_STANDARD,
                                              .megabytes = 256,
                                              .solver = true,
                                              .reuse = true,
                                              .virtual_loss = 1};
    s->settings.hmax = 30;
    s->settings.width = 12;
    s->settings.reduced = 3;
    s->settings.games = 1296;
    s->settings.variance_reduction = true;
    if (!parse_written_out(game, text, s, error) || !check_horizon(game, s, error) ||
        !check_rollout(game, s, error))
        return false;
    const struct algorithm *algorithm = s->settings.algorithm;
    if (s->table_megabytes < 0)
        s->table_megabytes = algorithm->has_table ? 16 : 0;
    /* The report's rewards are leads in discs. */
    if (algorithm->samples && s->compat_report && s->settings.evaluation == game->evaluations)
        find_evaluation(game, "discs", s, NULL);
    s->settings.search = s->compat_report        ? algorithm->report
                         : s->settings.selective ? selective
                                                 : algorithm->search;
    if (s->technique_given && !s->settings.selective)
        return mp_fail(error, "strategy: switches of the selective search, expected selective=on with them");
    if (s->scheme->automatic)
        s->scheme = auto_scheme(game, &s->settings, algorithm->has_table && s->table_megabytes > 0);
    if (s->scheme->rolls && !game->chances)
        return mp_fail(error, "strategy: split=%s needs dice, which %s has not", s->scheme->name, game->name);
    if (!check_scheme(s, error))
        return false;
    bool whole = for_horizon(algorithm) && !s->settings.hmax && !s->settings.width && !s->settings.threshold;
    bool judges = s->settings.selective && s->settings.techniques & TECHNIQUES_JUDGING;
    s->settings.exact = (algorithm->exact || whole) && !s->compat_report && !s->settings.keep && !judges;
    s->settings.aspiration = s->settings.aspiration && algorithm->has_table;
    if (s->scheme->sequential || (s->name && s->name->sequential))
        s->threads = 1;
    if (algorithm->samples && !complete_samples(game, s, error))
        return false;
    /* A throw multiplies the tree by hundreds. */
    enum { STANDARD_DEPTH_WITH_DICE = 2 };
    if (game->chances && !for_rollout(algorithm) && strategy_last_depth(s) > STANDARD_DEPTH_WITH_DICE &&
        !s->depth && !s->node_limit && s->seconds <= 0)
        s->depth = STANDARD_DEPTH_WITH_DICE;
    s->settings.keep_depth = strategy_last_depth(s);
    describe(s);
    return true;
}

int strategy_deepest(const struct strategy *s)
{
    return for_random(s->settings.algorithm) ? s->settings.algorithm->standard_depth : MP_MAX_DEPTH;
}

int strategy_last_depth(const struct strategy *s)
{
    if (for_rollout(s->settings.algorithm))
        return rollout_iterations(&s->settings);
    if (s->depth)
        return s->depth;
    bool limited = s->node_limit || s->seconds > 0;
    return limited ? strategy_deepest(s) : s->settings.algorithm->standard_depth;
}

/* A search with a limit deepens too, so that it always has an answer. */
int strategy_first_depth(const struct strategy *s)
{
    bool limited = s->node_limit || s->seconds > 0;
    return limited || s->settings.algorithm->deepens ? 1 : strategy_last_depth(s);
}

/* strategy_keys.c - the keys of a strategy: what each may be, whom it concerns, and where it goes. */
#include "parallel/strategy.h"

#include "base/text.h"
#include "search/algorithms.h"

#include <stdlib.h>
#include <string.h>

/* ---- Whom a key concerns ------------------------------------------------------------------------------ */

static bool any(const struct algorithm *a)
{
    return a != NULL;
}
static bool is_alphabeta(const struct algorithm *a)
{
    return a->search == alphabeta;
}
static bool is_sampling(const struct algorithm *a)
{
    return a->samples;
}
static bool is_search(const struct algorithm *a)
{
    return !is_random(a) && !is_sampling(a);
}
static bool has_depth(const struct algorithm *a)
{
    return !is_horizon(a) && !is_sampling(a) && !is_rollout(a);
}
/* Random moves need no threads. */
static bool has_splits(const struct algorithm *a)
{
    return !is_random(a);
}
static bool has_seed(const struct algorithm *a)
{
    return is_random(a) || is_sampling(a) || is_rollout(a);
}
static bool has_table(const struct algorithm *a)
{
    return a->has_table;
}
static bool has_hash(const struct algorithm *a)
{
    return a->has_table || a->has_throws;
}
static bool has_keep(const struct algorithm *a)
{
    return a->has_keep;
}
static bool has_report(const struct algorithm *a)
{
    return a->report || a->samples;
}

/* ---- Words -------------------------------------------------------------------------------------------- */

const char *const strategy_finals[] = {"visits", "value", "uct", NULL};
const char *const strategy_playouts[] = {"game", "random", "eval", "greedy", NULL};

/* The word for no, which may be one that nobody can give, and the word for yes. */
static const char *const off_on[] = {"off", "on", NULL};
static const char *const orders[] = {"guess", "list", NULL};
static const char *const merges[] = {"", "parallel", NULL};
static const char *const compatibilities[] = {"", "report", NULL};

/* The place of a word in a list that ends with null; -1: it is not there. */
static int find_word(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (!strcmp(words[i], word))
            return i;
    return -1;
}

/* ---- Keys that need a function ------------------------------------------------------------------------ */

enum { MANY = 1 << 20 };

/* False, perhaps with an error that says more than the key's values do. */
typedef bool set_function(const struct mp_game *game, struct strategy *strategy, const char *value,
                          struct mp_error *error);

static bool set_int(const char *value, int64_t least, int64_t most, int *number)
{
    int64_t n;
    bool ok = text_to_int(value, least, most, &n);
    if (ok)
        *number = (int)n;
    return ok;
}

static bool set_time(const struct mp_game *game, struct strategy *s, const char *value,
                     struct mp_error *error)
{
    (void)game, (void)error;
    return text_to_seconds(value, &s->seconds);
}

static bool set_split(const struct mp_game *game, struct strategy *s, const char *value,
                      struct mp_error *error)
{
    (void)game;
    char known[256] = "";
    for (s->scheme = schemes; s->scheme->name; s->scheme++) {
        if (!strcmp(s->scheme->name, value))
            return true;
        text_append(known, sizeof known, "%s%s", *known ? ", " : "", s->scheme->name);
    }
    return mp_fail(error, "strategy: split=%.60s, expected one of %s", value, known);
}

/* A name of the game's, or random:SEED. */
static bool set_eval(const struct mp_game *game, struct strategy *s, const char *value,
                     struct mp_error *error)
{
    int64_t seed;
    if (!strncmp(value, "random:", 7) && text_to_int(value + 7, 0, INT64_MAX, &seed)) {
        s->random = random_evaluation((uint64_t)seed);
        s->settings.evaluation = &s->random.evaluation;
        return true;
    }
    char known[256] = "";
    for (const struct mp_evaluation *e = game->evaluations; e->name; e++) {
        if (!strcmp(e->name, value)) {
            s->settings.evaluation = e;
            return true;
        }
        text_append(known, sizeof known, "%s, ", e->name);
    }
    return mp_fail(error, "strategy: eval=%.60s, but %s has %sand random:SEED", value, game->name, known);
}

/* One number, or one for each level: 8/4/2. */
static bool set_keep(const struct mp_game *game, struct strategy *s, const char *value,
                     struct mp_error *error)
{
    (void)game, (void)error;
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

/* The report counts from the position after the root move. */
static bool set_hmin(const struct mp_game *game, struct strategy *s, const char *value,
                     struct mp_error *error)
{
    (void)game, (void)error;
    bool ok = set_int(value, 0, MP_MAX_DEPTH - 1, &s->depth);
    s->depth++;
    return ok;
}

static bool set_hash(const struct mp_game *game, struct strategy *s, const char *value,
                     struct mp_error *error)
{
    (void)game, (void)error;
    s->table_megabytes = STRATEGY_TABLE_AUTO;
    return !strcmp(value, "auto") || set_int(value, 0, MANY, &s->table_megabytes);
}

static bool set_c(const struct mp_game *game, struct strategy *s, const char *value, struct mp_error *error)
{
    (void)game, (void)error;
    char *end;
    s->settings.mcts.c = strtod(value, &end);
    return strspn(value, "0123456789.") == strlen(value) && !*end && s->settings.mcts.c <= 100;
}

/* ---- The keys ----------------------------------------------------------------------------------------- */

/* How the value of a key is read, and into what. */
enum kind { A_NUMBER, A_NUMBER_OR_OFF, A_COUNT, EITHER_WORD, A_WORD, A_TECHNIQUE, BY_FUNCTION };

struct key {
    struct mp_key_info info;
    bool (*applies)(const struct algorithm *algorithm);
    enum kind kind;
    size_t place; /* in struct strategy */
    int64_t least, most;
    const char *const *words;
    unsigned technique;
    set_function *set;
};

#define AT(member, a_kind) .kind = a_kind, .place = offsetof(struct strategy, member)
#define NUMBER(member, from, to) AT(member, A_NUMBER), .least = from, .most = to               /* int */
#define NUMBER_OR_OFF(member, from, to) AT(member, A_NUMBER_OR_OFF), .least = from, .most = to /* off: 0 */
#define COUNT(member, from) AT(member, A_COUNT), .least = from      /* uint64_t, no more than an int64_t */
#define EITHER(member, list) AT(member, EITHER_WORD), .words = list /* bool: is it the second? */
#define WORD(member, list) AT(member, A_WORD), .words = list        /* enum: the place in the list */
#define TECHNIQUE(bit) .kind = A_TECHNIQUE, .words = off_on, .technique = bit
#define OTHER(function) .kind = BY_FUNCTION, .set = function
static const struct key keys[] = {
    {{"depth", "1 to 255", "all but horizon, mcts, rollout", "plies to search"},
     has_depth,
     NUMBER(depth, 1, MP_MAX_DEPTH)},
    {{"nodes", "a whole number from 1", "all", "stop after this many nodes"}, any, COUNT(node_limit, 1)},
    {{"time", "such as 2s or 500ms", "all", "stop after this long"}, any, OTHER(set_time)},
    {{"eval", "a name from `manyply evaluations`", "all", "what a position at the horizon is worth"},
     any,
     OTHER(set_eval)},
    {{"threads", "1 to 256", "all", "threads for split=; the default is all CPUs"},
     any,
     NUMBER(threads, 1, MP_MAX_THREADS)},
    {{"split", "a scheme from `manyply strategies`", "all but random", "how threads share the work"},
     has_splits,
     OTHER(set_split)},
    {{"levels", "1 to 255", "all but random, mcts",
      "split=levels or shared: levels that are split; the default is 2"},
     is_search,
     NUMBER(scheme_options.levels, 1, MP_MAX_DEPTH)},
    {{"chunk", "1 to 1048576", "all but random",
      "split=chunked: moves at a time; the default is moves / threads; split=root: iterations per tree"},
     has_splits,
     NUMBER(scheme_options.chunk, 1, MANY)},
    {{"cap", "1 to 1048576", "all but random, mcts",
      "split=bfs: pieces of work; the default is the number of threads"},
     is_search,
     NUMBER(scheme_options.cap, 1, MANY)},
    {{"min", "1 to 1048576", "all but random, mcts",
      "split=shared: split nodes with at least this many moves; the default is 6"},
     is_search,
     NUMBER(scheme_options.least, 1, MANY)},
    {{"eager", "on or off", "all but random, mcts", "split at once, also trees too small to gain from it"},
     is_search,
     EITHER(scheme_options.eager, off_on)},
    {{"deterministic", "on or off", "all but random, mcts",
      "threads take turns: the same nodes every time, without any gain in time"},
     is_search,
     EITHER(scheme_options.deterministic, off_on)},
    {{"pin", "on or off", "all but random", "keep each thread on a CPU of its own"},
     has_splits,
     EITHER(scheme_options.pin, off_on)},
    {{"hash", "auto or 0 to 1048576", "pvs, expectiminimax, star1, star2",
      "transposition table in MB, 0 for none; auto grows as it fills; default: auto with "
      "pvs, else 0"},
     has_hash,
     OTHER(set_hash)},
    {{"aspiration", "on or off", "pvs", "begin with a narrow window around an earlier value"},
     has_table,
     EITHER(settings.aspiration, off_on)},
    {{"killers", "on or off", "pvs", "try moves early that refuted a sibling"},
     has_table,
     EITHER(settings.killers, off_on)},
    {{"history", "on or off", "pvs", "prefer moves that refuted anything"},
     has_table,
     EITHER(settings.history, off_on)},
    {{"selective", "on or off", "pvs", "search what matters deeper and give up early elsewhere; not exact"},
     has_table,
     EITHER(settings.selective, off_on)},
    {{"quiescence", "on or off", "pvs", "selective: at the horizon, go on with captures and the like"},
     has_table,
     TECHNIQUE(TECHNIQUE_QUIESCENCE)},
    {{"exchange", "on or off", "pvs", "selective: put off and leave out moves that lose an exchange"},
     has_table,
     TECHNIQUE(TECHNIQUE_EXCHANGE)},
    {{"nullmove", "on or off", "pvs",
      "selective: skip where even two moves in a row would not help the opponent"},
     has_table,
     TECHNIQUE(TECHNIQUE_NULL_MOVE)},
    {{"lmr", "on or off", "pvs", "selective: search late moves less deep at first"},
     has_table,
     TECHNIQUE(TECHNIQUE_REDUCTIONS)},
    {{"rfp", "on or off", "pvs", "selective: skip where the lead is larger than the depth left can change"},
     has_table,
     TECHNIQUE(TECHNIQUE_REVERSE_FUTILITY)},
    {{"futility", "on or off", "pvs", "selective: leave out quiet moves where they cannot gain enough"},
     has_table,
     TECHNIQUE(TECHNIQUE_FUTILITY)},
    {{"lmp", "on or off", "pvs", "selective: leave out late quiet moves near the horizon"},
     has_table,
     TECHNIQUE(TECHNIQUE_LATE_MOVES)},
    {{"checks", "on or off", "pvs", "selective: a ply more where a threat must be answered"},
     has_table,
     TECHNIQUE(TECHNIQUE_CHECKS)},
    {{"continuation", "on or off", "pvs", "selective: prefer moves that were good after the last two"},
     has_table,
     TECHNIQUE(TECHNIQUE_CONTINUATION)},
    {{"counter", "on or off", "pvs", "selective: prefer the move that answered the last one before"},
     has_table,
     TECHNIQUE(TECHNIQUE_COUNTER)},
    {{"iir", "on or off", "pvs", "selective: a ply less where no good move is known yet"},
     has_table,
     TECHNIQUE(TECHNIQUE_INTERNAL)},
    {{"deeper", "on or off", "pvs", "selective: take answers of the table from deeper searches too"},
     has_table,
     TECHNIQUE(TECHNIQUE_DEEPER)},
    {{"repetition", "on or off", "pvs", "selective: a position that comes again is drawn at once"},
     has_table,
     TECHNIQUE(TECHNIQUE_REPETITION)},
    {{"correction", "on or off", "pvs", "selective: correct the evaluation by its errors in like positions"},
     has_table,
     TECHNIQUE(TECHNIQUE_CORRECTION)},
    {{"keep", "a whole number from 1, or one for each level such as 8/4/2",
      "expectiminimax, star1, star2, rollout",
      "search only this many moves at a node, the best by static value; not exact; for rollout the default "
      "is "
      "5"},
     has_keep,
     OTHER(set_keep)},
    {{"order", "guess or list", "alphabeta", "best guess of the game first, or as the game lists its moves"},
     is_alphabeta,
     EITHER(settings.listed_order, orders)},
    {{"hmin", "0 to 254", "horizon", "plies searched after the root move; the default is 4"},
     is_horizon,
     OTHER(set_hmin)},
    {{"hmax", "1 to 254 or off", "horizon",
      "go on after noisy moves up to this many plies; the default is 30"},
     is_horizon,
     NUMBER_OR_OFF(settings.hmax, 1, MP_MAX_DEPTH - 1)},
    {{"width", "1 to 1048576 or off", "horizon",
      "search only this many moves at a node, the best by static value; the default is 12"},
     is_horizon,
     NUMBER_OR_OFF(settings.width, 1, MANY)},
    {{"threshold", "1 to 1000000 or off", "horizon",
      "where the static value is beyond it, go on for reduced= plies only; the default is off"},
     is_horizon,
     NUMBER_OR_OFF(settings.threshold, 1, MP_EVAL_MAX)},
    {{"reduced", "1 to 255", "horizon", "plies searched while threshold= is passed; the default is 3"},
     is_horizon,
     NUMBER(settings.reduced, 1, MP_MAX_DEPTH)},
    {{"iterations", "a whole number from 1", "mcts",
      "stop after this many; the default is 10000 unless time= or nodes= is given"},
     is_sampling,
     COUNT(settings.mcts.iterations, 1)},
    {{"c", "0 to 100", "mcts", "how much selection explores; the default is 0.35, with compat=report 1.414"},
     is_sampling,
     OTHER(set_c)},
    {{"expand", "1 to 1048576", "mcts", "a leaf gets children at this visit; the default is 5"},
     is_sampling,
     NUMBER(settings.mcts.expand, 1, MANY)},
    {{"playout", "game, random, eval or greedy", "mcts",
      "to value a leaf: the game's own playout, random moves to the end, or moves for plies=n and then "
      "eval=: "
      "random ones, or mostly the best by eval="},
     is_sampling,
     WORD(settings.mcts.playout, strategy_playouts)},
    {{"plies", "0 to 255", "mcts", "moves in a playout=eval or greedy; the default is 0"},
     is_sampling,
     NUMBER(settings.mcts.plies, 0, MP_MAX_DEPTH)},
    {{"playouts", "1 to 65536", "mcts",
      "playouts at a leaf; the default is 1, or with split=leaf the number of threads"},
     is_sampling,
     NUMBER(settings.mcts.playouts, 1, 1 << 16)},
    {{"final", "visits, value or uct", "mcts",
      "the move with the most of this is played; the default is visits"},
     is_sampling,
     WORD(settings.mcts.final, strategy_finals)},
    {{"solver", "on or off", "mcts", "carry up what is proven"},
     is_sampling,
     EITHER(settings.mcts.solver, off_on)},
    {{"memory", "1 to 131072", "mcts",
      "MB for all trees; a full tree stops growing, but is still searched; the default is 256"},
     is_sampling,
     NUMBER(settings.mcts.megabytes, 1, 1 << 17)},
    {{"reuse", "on or off", "mcts",
      "keep what the tree knows of the position after the moves that are played"},
     is_sampling,
     EITHER(settings.mcts.reuse, off_on)},
    {{"vloss", "0 to 65536", "mcts",
      "split=tree: virtual losses for each thread on its way; the default is 1"},
     is_sampling,
     NUMBER(settings.mcts.virtual_loss, 0, 1 << 16)},
    {{"unobserved", "on or off", "mcts", "split=tree: count it as a visit without a result instead"},
     is_sampling,
     EITHER(settings.mcts.unobserved, off_on)},
    {{"merge", "parallel", "mcts", "split=root,chunk=n: all threads merge the trees, ten at a time"},
     is_sampling,
     EITHER(scheme_options.merge_parallel, merges)},
    {{"compat", "report", "minimax, alphabeta, horizon, mcts",
      "as in the report on Othello, or for horizon on chess, faults and all"},
     has_report,
     EITHER(compat_report, compatibilities)},
    {{"games", "1 to 1000000", "rollout", "games played out for each move; the default is 1296"},
     is_rollout,
     NUMBER(settings.games, 1, 1000000)},
    {{"truncate", "1 to 1000 or off", "rollout",
      "value games after this many plies instead of playing them to the end; the default is off"},
     is_rollout,
     NUMBER_OR_OFF(settings.truncate, 1, 1000)},
    {{"variance-reduction", "on or off", "rollout",
      "take the luck of the dice off the results; the default is on"},
     is_rollout,
     EITHER(settings.variance_reduction, off_on)},
    {{"seed", "a whole number from 0", "random, mcts, rollout", "which moves, or which dice, are drawn"},
     has_seed,
     COUNT(settings.seed, 0)},
};
enum { KEYS = sizeof keys / sizeof *keys };
_Static_assert(KEYS <= 64, "which keys were given fits in 64 bits");

bool strategy_key_at(int index, struct mp_key_info *info)
{
    bool ok = index >= 0 && index < KEYS;
    if (ok)
        *info = keys[index].info;
    return ok;
}

static bool set_value(const struct mp_game *game, struct strategy *s, const struct key *key,
                      const char *value, struct mp_error *error)
{
    void *place = (char *)s + key->place;
    int word = key->words ? find_word(key->words, value) : -1;
    int64_t count;
    switch (key->kind) {
    case A_NUMBER:
        return set_int(value, key->least, key->most, place);
    case A_NUMBER_OR_OFF:
        *(int *)place = 0;
        return !strcmp(value, "off") || set_int(value, key->least, key->most, place);
    case A_COUNT:
        if (!text_to_int(value, key->least, INT64_MAX, &count))
            return false;
        *(uint64_t *)place = (uint64_t)count;
        return true;
    case EITHER_WORD:
        *(bool *)place = word > 0;
        return word >= 0;
    case A_WORD:
        *(unsigned *)place = (unsigned)word;
        return word >= 0;
    case A_TECHNIQUE:
        s->technique_given = true;
        if (word == 0)
            s->settings.techniques &= ~key->technique;
        return word >= 0;
    case BY_FUNCTION:
        return key->set(game, s, value, error);
    }
    return false;
}

bool strategy_set(const struct mp_game *game, struct strategy *s, const char *name, const char *value,
                  uint64_t *given, struct mp_error *error)
{
    const struct algorithm *algorithm = s->settings.algorithm;
    char allowed[512] = "";
    for (int i = 0; i < KEYS; i++) {
        const struct key *key = &keys[i];
        if (!key->applies(algorithm))
            continue;
        if (strcmp(key->info.name, name) != 0) {
            text_append(allowed, sizeof allowed, "%s%s", *allowed ? ", " : "", key->info.name);
            continue;
        }
        if (*given >> i & 1)
            return mp_fail(error, "strategy: %s is given twice, expected once", name);
        *given |= UINT64_C(1) << i;
        struct mp_error more = {""};
        if (set_value(game, s, key, value, &more))
            return true;
        if (*more.text)
            return mp_fail(error, "%s", more.text);
        return mp_fail(error, "strategy: %s=%.60s, expected %s", name, value, key->info.values);
    }
    return mp_fail(error, "strategy: %s has no key '%.60s', expected one of %s", algorithm->name, name,
                   allowed);
}

void strategy_describe_techniques(struct strategy *s)
{
    for (int i = 0; i < KEYS; i++)
        if (keys[i].technique & ~s->settings.techniques)
            text_append(s->text, sizeof s->text, ",%s=off", keys[i].info.name);
}

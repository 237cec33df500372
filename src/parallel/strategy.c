#include "parallel/strategy.h"

#include "parallel/auto.h"

#include "base/cpus.h"
#include "base/text.h"
#include "search/algorithms.h"
#include "search/rollout.h"

#include <stdlib.h>
#include <string.h>

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

/* The report has the constant of the theory. For players who know how to stop looking less is better: 0.35
 * wins 68% of 400 games of Othello against it, with 1000 iterations a move; 0.2 loses 57% against 0.35. */
#define MCTS_REPORT_C 1.41421356
#define MCTS_STANDARD_C 0.35
/* As strong as 2 (50.1% of 400 games) with a smaller tree; 1 is weaker (44.5%). */
enum { MCTS_STANDARD_EXPAND = 5, MCTS_STANDARD_ITERATIONS = 10000, MCTS_REPORT_ITERATIONS = 1000 };

/* What Monte-Carlo search is told where nothing was said. */
static bool complete_samples(const struct mp_game *game, struct strategy *s, struct mp_error *error)
{
    struct mcts_settings *m = &s->settings.mcts;
    bool has_playout = game->playout && !game->final_value; /* a playout tells a margin, and no more */
    m->report = s->compat_report;
    if (m->c < 0)
        m->c = m->report ? MCTS_REPORT_C : MCTS_STANDARD_C;
    if (!m->iterations && !s->node_limit && s->seconds <= 0)
        m->iterations = m->report ? MCTS_REPORT_ITERATIONS : MCTS_STANDARD_ITERATIONS;
    if (m->report) {
        m->final = MCTS_FINAL_UCT;
        m->solver = m->reuse = false;
        m->playouts = 1;
        return !game->chances || mp_fail(error, "strategy: compat=report is for games without dice");
    }
    if (m->playout == MCTS_PLAYOUT_STANDARD)
        m->playout = game->playout_scale > 0 || game->chances ? MCTS_PLAYOUT_EVAL
                     : has_playout                            ? MCTS_PLAYOUT_GAME
                                                              : MCTS_PLAYOUT_RANDOM;
    if (m->playout == MCTS_PLAYOUT_GAME && !has_playout)
        return mp_fail(error, "strategy: playout=game, but %s has none%s, expected random, eval or greedy",
                       game->name, game->playout ? " that values an end as it does" : "");
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
    if (s->compat_report && !scheme->sequential && !is_horizon(algorithm))
        return mp_fail(error, "strategy: compat=report is sequential, expected no split=%s", scheme->name);
    if (scheme->prunes && s->settings.search == minimax)
        return mp_fail(error,
                       "strategy: split=%s shares bounds, which minimax has not, expected alphabeta or pvs",
                       scheme->name);
    if (scheme->needs_table && !(algorithm->has_table && s->table_megabytes))
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
        if (!strategy_set(game, s, key, value, &given, error))
            return false;
    }
    return true;
}

/* More threads than one need a way to share the work: to ask for them and not to say how is a mistake. */
static bool complete_threads(struct strategy *s, struct mp_error *error)
{
    bool named = s->name && s->name->sequential;
    if (s->threads > 1 && s->scheme->sequential && !named)
        return mp_fail(error, "strategy: threads=%d without split=, expected split=auto or another scheme",
                       s->threads);
    if (!s->threads)
        s->threads = cpus_allowed() < MP_MAX_THREADS ? cpus_allowed() : MP_MAX_THREADS;
    return true;
}

/* Without the hook no move is noisy, and hmax would do nothing. */
static bool check_horizon(const struct mp_game *game, const struct strategy *s, struct mp_error *error)
{
    if (is_horizon(s->settings.algorithm) && s->settings.hmax && !game->selective->list_noisy)
        return mp_fail(error, "strategy: hmax=%d needs noisy moves, which %s has not, expected hmax=off",
                       s->settings.hmax, game->name);
    return true;
}

/* A rollout needs dice, and its games are shared in one way. */
static bool check_rollout(const struct mp_game *game, struct strategy *s, struct mp_error *error)
{
    bool rolls_out = is_rollout(s->settings.algorithm);
    if (rolls_out && !game->chances)
        return mp_fail(error, "strategy: rollout throws dice, which %s has not, expected a search",
                       game->name);
    if (rolls_out && s->scheme->automatic)
        strategy_set(game, s, "split", "games", &(uint64_t){0}, NULL);
    if (rolls_out && !s->scheme->sequential && !s->scheme->deals_games)
        return mp_fail(error, "strategy: rollout with split=%s, expected split=games", s->scheme->name);
    if (!rolls_out && s->scheme->deals_games)
        return mp_fail(error,
                       "strategy: split=%s deals out the games of a rollout, which %s has not, expected "
                       "another scheme",
                       s->scheme->name, s->settings.algorithm->name);
    if (s->settings.keep_levels > 1 && (rolls_out || !s->depth))
        return mp_fail(error, "strategy: keep= for several levels %s, expected one number",
                       rolls_out ? "of a rollout, which has one" : "without depth=");
    if (rolls_out && !s->settings.keep)
        s->settings.keep = 5;
    return true;
}

/* Parses the text with a name of a report written out. */
static bool parse_written_out(const struct mp_game *game, const char *text, struct strategy *s,
                              struct mp_error *error)
{
    char expanded[128] = "";
    s->name = strategy_find_name(text, strcspn(text, ","));
    if (s->name && !strategy_expand_name(s, &text, expanded, sizeof expanded, error))
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
    *s = (struct strategy){.scheme = schemes, .table_megabytes = STRATEGY_TABLE_AUTO};
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
        !check_rollout(game, s, error) || !complete_threads(s, error))
        return false;
    const struct algorithm *algorithm = s->settings.algorithm;
    if (s->table_megabytes == STRATEGY_TABLE_AUTO && !algorithm->has_table)
        s->table_megabytes = 0;
    /* The report's rewards are leads in discs. */
    if (algorithm->samples && s->compat_report && s->settings.evaluation == game->evaluations)
        strategy_set(game, s, "eval", "discs", &(uint64_t){0}, NULL);
    s->settings.search = s->compat_report        ? algorithm->report
                         : s->settings.selective ? selective
                                                 : algorithm->search;
    if (s->technique_given && !s->settings.selective)
        return mp_fail(error, "strategy: switches of the selective search, expected selective=on with them");
    if (s->scheme->automatic)
        s->scheme = auto_scheme(game, &s->settings, algorithm->has_table && s->table_megabytes);
    if (s->scheme->rolls && !game->chances)
        return mp_fail(error, "strategy: split=%s needs dice, which %s has not", s->scheme->name, game->name);
    if (!check_scheme(s, error))
        return false;
    bool whole = is_horizon(algorithm) && !s->settings.hmax && !s->settings.width && !s->settings.threshold;
    bool judges = s->settings.selective && s->settings.techniques & TECHNIQUES_JUDGING;
    s->settings.exact = (algorithm->exact || whole) && !s->compat_report && !s->settings.keep && !judges;
    s->settings.aspiration = s->settings.aspiration && algorithm->has_table;
    if (s->scheme->sequential || (s->name && s->name->sequential))
        s->threads = 1;
    if (algorithm->samples && !complete_samples(game, s, error))
        return false;
    /* A throw multiplies the tree by hundreds. */
    enum { STANDARD_DEPTH_WITH_DICE = 2 };
    if (game->chances && !is_rollout(algorithm) && strategy_last_depth(s) > STANDARD_DEPTH_WITH_DICE &&
        !s->depth && !s->node_limit && s->seconds <= 0)
        s->depth = STANDARD_DEPTH_WITH_DICE;
    s->settings.keep_depth = strategy_last_depth(s);
    strategy_describe(s);
    return true;
}

int strategy_deepest(const struct strategy *s)
{
    if (is_rollout(s->settings.algorithm))
        return rollout_iterations(&s->settings);
    return is_random(s->settings.algorithm) ? s->settings.algorithm->standard_depth : MP_MAX_DEPTH;
}

bool strategy_counts_plies(const struct strategy *s)
{
    const struct algorithm *algorithm = s->settings.algorithm;
    return !is_random(algorithm) && !is_rollout(algorithm) && !algorithm->samples;
}

uint64_t strategy_iterations(const struct strategy *s)
{
    bool limited = s->node_limit || s->seconds > 0;
    return s->settings.mcts.iterations ? s->settings.mcts.iterations
           : limited                   ? UINT64_MAX
                                       : MCTS_STANDARD_ITERATIONS;
}

int strategy_last_depth(const struct strategy *s)
{
    if (is_rollout(s->settings.algorithm))
        return strategy_deepest(s);
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

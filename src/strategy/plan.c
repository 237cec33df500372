/* plan.c - what follows from the keys that were given: the others filled in, and what does not go together refused. */
#include "strategy/strategy.h"

#include "base/cpus.h"
#include "base/text.h"
#include "gpu/gpu.h"
#include "search/algorithms.h"

#include <string.h>

/* The report has the constant of the theory. For players who know how to stop looking less is better: 0.35
 * wins 68% of 400 games of Othello against it, with 1000 iterations a move; 0.2 loses 57% against 0.35. */
#define MCTS_REPORT_C 1.41421356
#define MCTS_DEFAULT_C 0.35
enum { MCTS_DEFAULT_ITERATIONS = 10000, MCTS_REPORT_ITERATIONS = 1000, ROLLOUT_DEFAULT_KEEP = 5 };
enum { DEVICE_DEFAULT_PLAYOUTS = 16 };

/* A throw multiplies the tree by hundreds. */
enum { DEFAULT_DEPTH_WITH_DICE = 2 };

static bool is_given(const struct mp_strategy *s, const char *key)
{
    int i = key_find(key);
    return i >= 0 && s->given[i];
}

static bool is_limited(const struct plan *plan)
{
    return plan->node_limit || plan->seconds > 0;
}

int plan_deepest(const struct plan *plan)
{
    const struct algorithm *algorithm = plan->settings.algorithm;
    return algorithm->iterations ? algorithm->iterations(&plan->settings) : MP_MAX_DEPTH;
}

int plan_last_depth(const struct plan *plan)
{
    const struct algorithm *algorithm = plan->settings.algorithm;
    if (plan->depth)
        return plan->depth;
    return is_limited(plan) || !algorithm->default_depth ? plan_deepest(plan) : algorithm->default_depth;
}

/* A search with a limit deepens too, so that it always has an answer. */
int plan_first_depth(const struct plan *plan)
{
    return is_limited(plan) || plan->settings.algorithm->deepens ? 1 : plan_last_depth(plan);
}

uint64_t plan_iterations(const struct plan *plan)
{
    return plan->settings.mcts.iterations ? plan->settings.mcts.iterations
           : is_limited(plan)             ? UINT64_MAX
                                          : MCTS_DEFAULT_ITERATIONS;
}

/* ---- Schemes ---------------------------------------------------------------------------------------------- */

/* Below the root one move is kept, so that only throws and the moves of the root are left to share: little is cut off
 * there, and each of them takes well under a millisecond. */
static bool shares_throws(const struct mp_strategy *s)
{
    const struct settings *settings = &s->plan.settings;
    return s->algorithm->work == WORK_BOUNDS && settings->keep_levels > 1 && settings->keep_below[0] == 1;
}

/* split=auto: by what the search does, and whether dice are thrown. */
static const struct scheme *choose_scheme(const struct mp_strategy *s)
{
    bool throws = s->game->chances && (s->algorithm->opens_throws || shares_throws(s));
    return scheme_best_at(throws ? WORK_THROWS : s->algorithm->work);
}

/* The schemes that could have been meant: those that share this work, or all that have a key. */
static void name_schemes(const struct mp_strategy *s, int scheme_key, char *text, size_t size)
{
    const char *last = NULL;
    *text = 0;
    for (int i = 0; schemes[i]; i++) {
        if (!(schemes[i]->shares & s->algorithm->work) || (scheme_key && !(schemes[i]->keys & scheme_key)) ||
            (schemes[i]->needs_dice && !s->game->chances) || (schemes[i]->needs_device && !s->game->kernels))
            continue;
        if (last)
            text_append(text, size, *text ? ", %s" : "%s", last);
        last = schemes[i]->name;
    }
    text_append(text, size, "%s%s", *text ? " or " : "", last ? last : "none");
}

/* Keys of a scheme need that scheme. */
static bool check_scheme_keys(const struct mp_strategy *s, struct mp_error *error)
{
    const struct scheme *scheme = s->plan.scheme;
    char expected[256], value[128];
    for (int i = 0; strategy_keys[i].name; i++) {
        if (!s->given[i] || !strategy_keys[i].shares)
            continue;
        name_schemes(s, strategy_keys[i].scheme_key, expected, sizeof expected);
        if (strategy_keys[i].scheme_key && !(strategy_keys[i].scheme_key & scheme->keys))
            return mp_fail(error, "strategy: %s= with split=%s, expected split=%s", strategy_keys[i].name,
                           scheme->name, expected);
        key_print(&strategy_keys[i], s, value, sizeof value);
        if ((strategy_keys[i].kind == KEY_SWITCH || strategy_keys[i].kind == KEY_OTHER) &&
            scheme->sequential && strcmp(value, strategy_keys[i].initial) != 0)
            return mp_fail(error, "strategy: %s= without split=, expected a scheme whose threads it concerns",
                           strategy_keys[i].name);
    }
    if (s->plan.scheme_options.merge_parallel && !s->plan.scheme_options.chunk)
        return mp_fail(error, "strategy: merge= without chunks, expected chunk=n with it");
    return true;
}

/* A scheme may need bounds, dice, a table or another kind of work. */
static bool check_scheme(const struct mp_strategy *s, struct mp_error *error)
{
    const struct scheme *scheme = s->plan.scheme;
    const struct algorithm *algorithm = s->algorithm;
    char expected[256];
    name_schemes(s, 0, expected, sizeof expected);
    if (scheme->needs_dice && !s->game->chances)
        return mp_fail(error, "strategy: split=%s needs dice, but %s does not have any; expected %s",
                       scheme->name, s->game->name, expected);
    if (scheme->needs_device && !s->game->kernels)
        return mp_fail(error, "strategy: split=%s needs kernels, but %s does not have any; expected %s",
                       scheme->name, s->game->name, expected);
    if (!(scheme->shares & algorithm->work))
        return mp_fail(error, "strategy: split=%s is not for %s, expected %s", scheme->name, algorithm->name,
                       expected);
    if (scheme->needs_table && !(algorithm->keys & KEYS_TABLE && s->plan.table_megabytes))
        return mp_fail(error,
                       "strategy: split=%s needs a transposition table, expected pvs with hash= above 0",
                       scheme->name);
    if (s->plan.settings.as_report && !scheme->sequential && !algorithm->report_is_shared &&
        !scheme->in_report)
        return mp_fail(
            error, "strategy: compat=report with split=%s, but the report does not have it; expected none",
            scheme->name);
    return check_scheme_keys(s, error);
}

static bool plan_scheme(struct mp_strategy *s, struct mp_error *error)
{
    struct plan *plan = &s->plan;
    bool named = s->name && s->name->sequential;
    /* The names that players use leave open how work is shared. */
    if (plan->scheme_chosen || (s->name && !named && plan->scheme->sequential && plan->threads > 1))
        plan->scheme = choose_scheme(s);
    /* More threads than one need a way to share the work: to ask for them and not to say how is a mistake. */
    if (plan->threads > 1 && plan->scheme->sequential && !named)
        return mp_fail(error, "strategy: threads=%d without split=, expected split=auto or another scheme",
                       plan->threads);
    if (!check_scheme(s, error))
        return false;
    if (!plan->threads)
        plan->threads = cpus_allowed() < MP_MAX_THREADS ? cpus_allowed() : MP_MAX_THREADS;
    if (plan->scheme->sequential || named)
        plan->threads = 1;
    struct scheme_options *options = &plan->scheme_options;
    options->eager = options->eager || options->deterministic || (shares_throws(s) && !is_given(s, "eager"));
    if (!is_given(s, "levels"))
        options->levels = plan->scheme->default_levels ? plan->scheme->default_levels : 1;
    return true;
}

/* ---- Algorithms ------------------------------------------------------------------------------------------- */

static bool plan_horizon(const struct mp_strategy *s, struct mp_error *error)
{
    if (s->algorithm->needs_noise && s->plan.settings.hmax && !s->game->selective->list_noisy)
        return mp_fail(error,
                       "strategy: hmax=%d needs noisy moves, but %s does not tell any; expected hmax=off",
                       s->plan.settings.hmax, s->game->name);
    return true;
}

static bool plan_dice(struct mp_strategy *s, struct mp_error *error)
{
    struct settings *settings = &s->plan.settings;
    bool is_rollout = s->algorithm->work == WORK_GAMES;
    if (is_rollout && !s->game->chances)
        return mp_fail(error, "strategy: %s throws dice, but %s does not have any; expected a search",
                       s->algorithm->name, s->game->name);
    if (settings->keep_levels > 1 && (is_rollout || !s->plan.depth))
        return mp_fail(error, "strategy: keep= for several levels %s, expected one number",
                       is_rollout ? "of a rollout, which has one" : "without depth=");
    if (is_rollout && !settings->keep)
        settings->keep = ROLLOUT_DEFAULT_KEEP;
    return true;
}

static bool plan_selective(struct mp_strategy *s, struct mp_error *error)
{
    for (int i = 0; strategy_keys[i].name; i++)
        if (s->given[i] && strategy_keys[i].kind == KEY_TECHNIQUE && !s->plan.settings.selective)
            return mp_fail(error,
                           "strategy: %s= is a switch of the selective search, expected selective=on with it",
                           strategy_keys[i].name);
    struct plan *plan = &s->plan;
    const char *evaluation = plan->settings.evaluation->name;
    if (*plan->cuts_path && !plan->settings.selective)
        return mp_fail(error, "strategy: cuts= is for the selective search, expected selective=on with it");
    if (*plan->cuts_path && !cuts_read(s->game, evaluation, plan->cuts_path, &plan->cuts, error))
        return false;
    /* The library's are for the library's network. */
    bool own_network = plan->settings.network && *plan->network_path;
    if (*plan->cuts_path ||
        (plan->settings.selective && !own_network && cuts_shipped(s->game, evaluation, &plan->cuts)))
        plan->settings.cuts = &plan->cuts;
    return true;
}

/* What the device plays are the game's playouts, or random ones where it has none, a good many at each leaf. */
static bool plan_device(struct mp_strategy *s, struct mp_error *error)
{
    struct plan *plan = &s->plan;
    struct mcts_settings *m = &plan->settings.mcts;
    const char *split = plan->scheme->name;
    const bool own = s->game->playout;
    if (!gpu_knows(s->game, error))
        return false;
    if (m->playout != (own ? MCTS_PLAYOUT_GAME : MCTS_PLAYOUT_RANDOM))
        return mp_fail(error,
                       "strategy: split=%s makes the playouts of the kernels of %s, expected playout=%s",
                       split, s->game->name, own ? "game" : "random");
    if (m->playouts > GPU_MOST_PLAYOUTS)
        return mp_fail(error, "strategy: playouts=%d with split=%s, expected at most %d", m->playouts, split,
                       GPU_MOST_PLAYOUTS);
    if (plan->scheme_options.chunk > GPU_MOST_BATCH)
        return mp_fail(error, "strategy: chunk=%d with split=%s, expected at most %d",
                       plan->scheme_options.chunk, split, GPU_MOST_BATCH);
    if (plan->scheme_options.simulated || plan->scheme_options.deterministic)
        return mp_fail(error,
                       "strategy: split=%s on virtual threads, but a device is real; expected another scheme",
                       split);
    if (!is_given(s, "playouts"))
        m->playouts = DEVICE_DEFAULT_PLAYOUTS;
    if (!is_given(s, "unobserved") && !is_given(s, "vloss"))
        m->unobserved = true;
    return true;
}

static bool plan_samples(struct mp_strategy *s, struct mp_error *error)
{
    const struct mp_game *game = s->game;
    struct plan *plan = &s->plan;
    struct mcts_settings *m = &plan->settings.mcts;
    bool report = plan->settings.as_report;
    bool has_playout = game->playout && !game->final_value; /* a playout tells a margin, and no more */
    if (!is_given(s, "c"))
        m->c = report ? MCTS_REPORT_C : MCTS_DEFAULT_C;
    if (!m->iterations && !is_limited(plan))
        m->iterations = report ? MCTS_REPORT_ITERATIONS : MCTS_DEFAULT_ITERATIONS;
    if (report) {
        m->final = MCTS_FINAL_UCT;
        m->solver = m->reuse = false;
        m->playouts = 1;
        /* The report's rewards are leads in discs. */
        if (!is_given(s, "eval"))
            key_read(&strategy_keys[key_find("eval")], game, plan, "discs", NULL);
        return !game->chances || mp_fail(error, "strategy: compat=report is for games without dice");
    }
    if (m->playout == MCTS_PLAYOUT_DEFAULT)
        m->playout = game->playout_scale > 0 || game->chances ? MCTS_PLAYOUT_EVAL
                     : has_playout                            ? MCTS_PLAYOUT_GAME
                                                              : MCTS_PLAYOUT_RANDOM;
    if (m->playout == MCTS_PLAYOUT_GAME && !has_playout)
        return mp_fail(error,
                       "strategy: playout=game, but %s does not have one%s; expected random, eval or greedy",
                       game->name, game->playout ? " that values an end as it does" : "");
    if (plan->scheme->playouts_shared && !is_given(s, "playouts"))
        m->playouts = plan->threads;
    return !plan->scheme->needs_device || plan_device(s, error);
}

/* What every key is before anything is given. */
static void plan_defaults(struct mp_strategy *s)
{
    struct network_evaluation network = s->plan.network; /* which takes long to read */
    struct book *book = s->plan.kept_book;
    char path[sizeof s->plan.network_path], book_path[sizeof s->plan.book_path];
    memcpy(path, s->plan.network_path, sizeof path);
    memcpy(book_path, s->plan.book_path, sizeof book_path);
    s->plan = (struct plan){.scheme = schemes[0], .network = network, .kept_book = book};
    memcpy(s->plan.network_path, path, sizeof path);
    memcpy(s->plan.book_path, book_path, sizeof book_path);
    s->plan.settings.algorithm = s->algorithm;
    s->plan.settings.evaluation = s->game->evaluations;
    s->plan.settings.mcts.playout = MCTS_PLAYOUT_DEFAULT;
    s->plan.table_megabytes = s->algorithm->keys & KEYS_TABLE ? TABLE_AUTO : 0;
    for (int i = 0; strategy_keys[i].name; i++)
        if (strategy_keys[i].initial)
            key_read(&strategy_keys[i], s->game, &s->plan, strategy_keys[i].initial, NULL);
}

static bool read_given(struct mp_strategy *s, struct mp_error *error)
{
    for (int i = 0; strategy_keys[i].name; i++)
        if (s->given[i] && !key_read(&strategy_keys[i], s->game, &s->plan, s->given[i], error))
            return false;
    return true;
}

bool plan_make(struct mp_strategy *s, struct mp_error *error)
{
    plan_defaults(s);
    if (!read_given(s, error) || !plan_horizon(s, error) || !plan_dice(s, error) ||
        !plan_selective(s, error) || !plan_scheme(s, error))
        return false;
    const struct algorithm *algorithm = s->algorithm;
    struct plan *plan = &s->plan;
    struct settings *settings = &plan->settings;
    if (algorithm->keys & KEYS_SAMPLES && !plan_samples(s, error))
        return false;
    settings->search = settings->as_report   ? algorithm->report
                       : settings->selective ? selective
                                             : algorithm->search;
    bool whole = algorithm->keys & KEYS_HORIZON && !settings->hmax && !settings->width &&
                 !settings->threshold;
    bool judges = settings->selective && settings->techniques & TECHNIQUES_JUDGING;
    settings->exact = (algorithm->exact || whole) && !settings->as_report && !settings_select(settings) &&
                      !judges;
    settings->aspiration = settings->aspiration && algorithm->keys & KEYS_TABLE;
    if (s->game->chances && algorithm->keys & KEYS_TASKS && !algorithm->iterations && !plan->depth &&
        !is_limited(plan) && algorithm->default_depth > DEFAULT_DEPTH_WITH_DICE)
        plan->depth = DEFAULT_DEPTH_WITH_DICE;
    settings->keep_depth = plan_last_depth(plan);
    return true;
}

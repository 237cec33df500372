/* strategy_text.c - a strategy as text: all keys that say something, in a fixed order. */
#include "parallel/strategy.h"

#include "base/text.h"
#include "search/algorithms.h"

#include <stdio.h>

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
        text_append(text, size, ",expand=%d,playout=%s", m->expand, strategy_playouts[m->playout]);
        if (m->playout == MCTS_PLAYOUT_EVAL || m->playout == MCTS_PLAYOUT_GREEDY)
            text_append(text, size, ",plies=%d", m->plies);
        if (m->playouts > 1)
            text_append(text, size, ",playouts=%d", m->playouts);
        text_append(text, size, ",final=%s%s%s", strategy_finals[m->final], m->solver ? "" : ",solver=off",
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

static void describe_table(const struct strategy *s, char *text, size_t size)
{
    if (s->table_megabytes == STRATEGY_TABLE_AUTO)
        text_append(text, size, ",hash=auto");
    else
        text_append(text, size, ",hash=%d", s->table_megabytes);
}

void strategy_describe(struct strategy *s)
{
    const struct algorithm *algorithm = s->settings.algorithm;
    char *text = s->text;
    size_t size = sizeof s->text;
    snprintf(text, size, "%s%s", s->name ? s->name->name : algorithm->name, s->numbers);
    if (algorithm->samples) {
        describe_samples(s, text, size);
        return;
    }
    if (is_random(algorithm)) {
        text_append(text, size, ",seed=%llu", (unsigned long long)s->settings.seed);
        return;
    }
    if (s->compat_report)
        text_append(text, size, ",compat=report");
    if (is_horizon(algorithm))
        describe_horizon(s);
    else if (is_rollout(algorithm))
        describe_rollout(s);
    else if (!s->name && (s->depth || !(s->node_limit || s->seconds > 0)))
        text_append(text, size, ",depth=%d", strategy_last_depth(s));
    if (s->settings.listed_order && !s->name)
        text_append(text, size, ",order=list");
    describe_limits(s, text, size);
    describe_evaluation(s, text, size);
    if (algorithm->has_table) {
        describe_table(s, text, size);
        text_append(text, size, "%s%s%s", s->settings.aspiration ? "" : ",aspiration=off",
                    s->settings.killers ? "" : ",killers=off", s->settings.history ? "" : ",history=off");
    }
    if (algorithm->has_throws && s->table_megabytes)
        describe_table(s, text, size);
    if (s->settings.selective) {
        text_append(text, size, ",selective=on");
        strategy_describe_techniques(s);
    }
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

/* marks.c - what values mean to the players of a game, and which moves are called mistakes. */
#include "analysis/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const analysis_signs[MARK_COUNT] = {"", "?!", "?", "??", "\u25a1"};
const int analysis_glyphs[MARK_COUNT] = {0, 6, 2, 4, 7};
const char *const analysis_words[MARK_COUNT] = {"", "dubious", "mistake", "blunder", "only move"};

/* Those of backgammon are GNU Backgammon's, those of chess what most sites use. A game that is not here is taken to
 * evaluate in hundredths. */
static const struct {
    const char *game;
    struct analysis_scale scale;
} scales[] = {
    {"chess", {"pawns", 100, 2, 10, {0.5, 1, 2}, 3}},
    {"chess-pm", {"pawns", 100, 2, 10, {0.5, 1, 2}, 3}},
    {"othello", {"discs", 100, 1, 64, {2, 4, 8}, 8}},
    {"halma", {"steps", 12, 1, 60, {3, 6, 12}, 12}},
    {"halma16", {"steps", 12, 1, 120, {3, 6, 12}, 12}},
    {"backgammon", {"points", 0, 3, 0, {0.04, 0.08, 0.16}, 0}},
    {NULL, {"units", 100, 2, 10, {0.5, 1, 2}, 3}},
};

struct analysis_scale analysis_scale_of(const struct mp_game *game)
{
    int i = 0;
    while (scales[i].game && strcmp(scales[i].game, game->name) != 0)
        i++;
    struct analysis_scale scale = scales[i].scale;
    if (game->scoring == MP_SCORE_POINTS) {
        scale.per_unit = game->units_per_point;
        scale.most = (double)MP_EVAL_MAX / game->units_per_point;
        scale.half = 0;
    } else if (game->scoring == MP_SCORE_MARGIN) {
        scale.most = game->margin_max;
    }
    return scale;
}

double analysis_worth(const struct analysis *a, const struct analysed_ply *ply, mp_value value)
{
    double worth = value / ply->stake;
    if (a->game->scoring != MP_SCORE_POINTS && abs(value) > MP_PROVEN) {
        double size = a->game->scoring == MP_SCORE_MARGIN ? abs(value) - MP_PROVEN : a->scale.most;
        worth = value > 0 ? size : -size;
    }
    return fmin(fmax(worth, -a->scale.most), a->scale.most);
}

/* A slower win and a later loss lose nothing. */
static double difference(const struct analysis *a, const struct analysed_ply *ply, mp_value better,
                         mp_value worse)
{
    return fmax(0, analysis_worth(a, ply, better) - analysis_worth(a, ply, worse));
}

void analysis_judge(const struct analysis *a, struct analysed_ply *ply)
{
    const double *thresholds = a->scale.thresholds;
    if (ply->kind != PLY_DECISION)
        return;
    double apart = difference(a, ply, ply->common_best, ply->another);
    bool is_best = ply->best == ply->move;
    ply->loss = is_best ? 0 : apart;
    ply->gap = is_best ? apart : 0;
    ply->mark = ply->loss >= thresholds[2]   ? MARK_BLUNDER
                : ply->loss >= thresholds[1] ? MARK_MISTAKE
                : ply->loss >= thresholds[0] ? MARK_DUBIOUS
                : ply->gap >= thresholds[2]  ? MARK_ONLY
                                             : MARK_NONE;
}

/* The chance to win, by the rule of thumb of analysis_scale.half. */
static double chance(const struct analysis_scale *scale, double worth)
{
    if (scale->half == 0)
        return fmin(fmax(0.5 + worth / 2, 0), 1);
    return 1 / (1 + pow(3, -worth / scale->half));
}

struct analysis_side analysis_of_side(const struct analysis *a, const struct analysed_game *g, int side)
{
    struct analysis_side s = {0};
    for (int i = 0; i < g->count; i++) {
        const struct analysed_ply *ply = &g->plies[i];
        if (ply->side != side || !ply->done)
            continue;
        s.luck += ply->luck;
        if (ply->kind != PLY_DECISION)
            continue;
        double best = analysis_worth(a, ply, ply->best_value);
        double lost = chance(&a->scale, best) - chance(&a->scale, best - ply->loss);
        s.decisions++;
        s.marks[ply->mark]++;
        s.loss += ply->loss;
        s.accuracy += 100 * exp(-4 * lost);
    }
    s.accuracy /= s.decisions ? s.decisions : 1;
    return s;
}

bool analysis_is_final(const struct analysis *a, const struct analysed_ply *ply)
{
    return a->game->scoring == MP_SCORE_MARGIN && ply->exact;
}

static int decimals(const struct analysis *a, const struct analysed_ply *ply)
{
    return analysis_is_final(a, ply) ? 0 : a->scale.decimals;
}

void analysis_loss_text(const struct analysis *a, const struct analysed_ply *ply, char *text, size_t size)
{
    snprintf(text, size, "%.*f", decimals(a, ply), ply->loss);
}

void analysis_value_text(const struct analysis *a, const struct analysed_ply *ply, mp_value value, char *text,
                         size_t size)
{
    mp_value seen = ply->side == 0 ? value : -value;
    if (a->game->scoring == MP_SCORE_WIN && abs(value) > MP_PROVEN) {
        int plies = MP_PROVEN + MP_MAX_PLY - abs(value);
        snprintf(text, size, "#%s%d", seen > 0 ? "" : "-", (plies + 1) / 2);
        return;
    }
    double worth = analysis_worth(a, ply, seen);
    snprintf(text, size, "%+.*f", decimals(a, ply), fabs(worth) < 0.0005 ? 0 : worth);
}

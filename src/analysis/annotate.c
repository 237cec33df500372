/* annotate.c - an analysed game as PGN with marks, values and variations, or as .mat with remarks. */
#include "analysis/annotate.h"

#include "base/text.h"
#include "records/mat.h"
#include "records/pgn.h"

#include <stdlib.h>
#include <string.h>

static bool is_error(const struct analysed_ply *ply)
{
    return ply->mark == MARK_DUBIOUS || ply->mark == MARK_MISTAKE || ply->mark == MARK_BLUNDER;
}

/* ---- PGN ----------------------------------------------------------------------------------------------- */

/* `[%eval 0.34]`, which chess programs draw as a graph, and in words what was lost. */
static void write_comment(const struct analysis *a, const struct analysed_ply *ply,
                          const struct mp_position *before, char *text, size_t size)
{
    char value[32], loss[32], best[128];
    analysis_value_text(a, ply, ply->value, value, sizeof value);
    snprintf(text, size, "[%%eval %s]", *value == '+' ? value + 1 : value);
    if (!is_error(ply))
        return;
    analysis_move_text(before, ply->best, best, sizeof best);
    analysis_loss_text(a, ply, loss, sizeof loss);
    text_append(text, size, " %c%s: loses %s %s%s, best is %s", analysis_words[ply->mark][0] - 'a' + 'A',
                analysis_words[ply->mark] + 1, loss, a->scale.unit,
                analysis_is_final(a, ply) ? " (exact)" : "", best);
}

/* Does a variation that follows the move at an item begin with this move? */
static bool has_variation(const struct record *r, int item, mp_move move)
{
    int depth = 0;
    for (int i = item + 1; i < r->item_count && !(depth == 0 && r->items[i].kind == RECORD_MOVE); i++) {
        depth += (r->items[i].kind == RECORD_OPEN) - (r->items[i].kind == RECORD_CLOSE);
        if (depth == 1 && r->items[i].kind == RECORD_OPEN && i + 1 < r->item_count &&
            r->items[i + 1].kind == RECORD_MOVE && r->items[i + 1].move == move)
            return true;
    }
    return false;
}

/* Marks, value and the better line of the move that has just been added. */
static bool add_findings(const struct analysis *a, const struct analysed_ply *ply,
                         const struct mp_position *before, bool has_line, struct record *to,
                         struct mp_error *error)
{
    char comment[512];
    if (!ply->done || ply->kind != PLY_DECISION)
        return true;
    write_comment(a, ply, before, comment, sizeof comment);
    bool ok = (!analysis_glyphs[ply->mark] || record_add_mark(to, analysis_glyphs[ply->mark])) &&
              record_add_comment(to, comment);
    if (!ok)
        return mp_fail(error, "out of memory");
    if (!is_error(ply) || has_line)
        return true;
    ok = record_begin_variation(to, error);
    for (int i = 0; ok && i < ply->line_length && !mp_position_is_chance(to->position); i++)
        ok = record_add_move(to, ply->line[i], error);
    return ok && record_end_variation(to, error);
}

/* An item of the record that is not a move of the main line. */
static bool copy_item(const struct record_item *item, int depth, struct record *to, struct mp_error *error)
{
    switch (item->kind) {
    case RECORD_MOVE:
        return record_add_move(to, item->move, error);
    case RECORD_COMMENT:
        return (depth == 0 && !strncmp(item->text, "[%eval ", 7)) || record_add_comment(to, item->text) ||
               mp_fail(error, "out of memory");
    case RECORD_MARK: /* marks 1 to 7 judge a move, and so do we */
        return (depth == 0 && item->mark >= 1 && item->mark <= 7) || record_add_mark(to, item->mark) ||
               mp_fail(error, "out of memory");
    case RECORD_OPEN:
        return record_begin_variation(to, error);
    case RECORD_CLOSE:
        return record_end_variation(to, error);
    }
    return true;
}

static bool copy_items(const struct analysis *a, const struct analysed_game *g, struct record *to,
                       struct mp_error *error)
{
    const struct record *from = g->record;
    struct mp_position *position = mp_position_new(a->game, from->start, error);
    bool ok = position;
    for (int i = 0, depth = 0, ply = 0; ok && i < from->item_count; i++) {
        const struct record_item *item = &from->items[i];
        ok = copy_item(item, depth, to, error);
        if (ok && depth == 0 && item->kind == RECORD_MOVE) {
            bool has_line = has_variation(from, i, g->plies[ply].best);
            ok = add_findings(a, &g->plies[ply++], position, has_line, to, error) &&
                 mp_position_play(position, item->move, error);
        }
        depth += (item->kind == RECORD_OPEN) - (item->kind == RECORD_CLOSE);
    }
    mp_position_free(position);
    return ok;
}

struct record *annotate_record(const struct analysis *a, const struct analysed_game *g,
                               struct mp_error *error)
{
    const struct record *from = g->record;
    struct record *to = record_new(a->game, from->start, error);
    char annotator[128];
    snprintf(annotator, sizeof annotator, "Manyply %s", mp_version());
    bool ok = to;
    for (int i = 0; ok && i < from->tag_count; i++)
        ok = record_set_tag(to, from->tags[i].name, from->tags[i].value) || mp_fail(error, "out of memory");
    ok = ok && copy_items(a, g, to, error) && record_set_result(to, from->result) &&
         (record_set_tag(to, "Annotator", annotator) || mp_fail(error, "out of memory"));
    if (ok)
        return to;
    record_free(to);
    return NULL;
}

/* ---- .mat ---------------------------------------------------------------------------------------------- */

/* 1 for a game that stands alone. */
static int game_number(const struct analysed_game *g)
{
    const char *text = record_tag(g->record, "Game");
    int number = text ? atoi(text) : 1;
    return number > 1 ? number : 1;
}

static bool write_remarks(const struct analysis *a, const struct analysed_game *g, FILE *file,
                          struct mp_error *error)
{
    struct mp_position *position = mp_position_new(a->game, g->record->start, error);
    bool ok = position;
    fprintf(file, "; game %d\n", game_number(g));
    for (int i = 0; ok && i < g->count; i++) {
        const struct analysed_ply *ply = &g->plies[i];
        char played[128], best[128], roll[8] = "";
        if (is_error(ply)) {
            analysis_move_text(position, ply->move, played, sizeof played);
            analysis_move_text(position, ply->best, best, sizeof best);
            if (i > 0 && g->plies[i - 1].kind == PLY_CHANCE) {
                struct mp_position *before = analysis_position(g, i - 1, error);
                ok = before;
                if (before)
                    mp_position_move_text(before, g->plies[i - 1].move, roll, sizeof roll);
                mp_position_free(before);
            }
            fprintf(file, "; %d) %s %s%s%s %s loses %.3f, best is %s\n", ply->number,
                    a->game->players[ply->side], roll, *roll ? ": " : "", played, analysis_signs[ply->mark],
                    ply->loss, best);
        }
        ok = ok && mp_position_play(position, ply->move, error);
    }
    mp_position_free(position);
    for (int side = 0; ok && side < 2; side++) {
        struct analysis_side s = analysis_of_side(a, g, side);
        const char *name = record_tag(g->record, side ? "Black" : "White");
        fprintf(file, "; %s: %d decisions, error rate %.1f, luck %+.3f\n",
                name ? name : a->game->players[side], s.decisions,
                s.decisions ? 1000 * s.loss / s.decisions : 0, s.luck);
    }
    return ok;
}

/* Before the match: there GNU Backgammon reads remarks, and takes them as a comment on it; between the games it takes them for
 * moves. */
static bool write_all_remarks(const struct analysis *a, int game, FILE *file, struct mp_error *error)
{
    bool ok = true;
    for (int i = game; ok && i < a->game_count && (i == game || game_number(&a->games[i]) > 1); i++)
        ok = write_remarks(a, &a->games[i], file, error);
    return ok;
}

bool annotate_write(const struct analysis *a, int game, bool as_mat, FILE *file, struct mp_error *error)
{
    const struct analysed_game *g = &a->games[game];
    if (as_mat)
        return ((game > 0 && game_number(g) > 1) || write_all_remarks(a, game, file, error)) &&
               (mat_write(g->record, file) ||
                mp_fail(error, "the game does not begin with the chequers set up, as "
                               "a .mat file expects"));
    struct record *annotated = annotate_record(a, g, error);
    bool ok = annotated && (pgn_write(annotated, file) || mp_fail(error, "the output could not be written"));
    record_free(annotated);
    return ok;
}

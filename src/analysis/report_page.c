/* report_page.c - writes the page of an analysis: for each game who played how well, the course of the game as a curve, the
 * moves with their marks, and a board for each mistake with what was played (red) and what was best (green). */
#include "analysis/report_page.h"

#include "base/text.h"
#include "lab/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BOARDS = 400, GRAPH_WIDTH = 880, GRAPH_HEIGHT = 220, GRAPH_EDGE = 46 };

static const char style[] =
    ":root{--ink:#1c2730;--dim:#5b6a77;--ground:#f6f8fa;--card:#fff;--line:#d9e1e8;--accent:#0e7c86;--bad1:#"
    "a87b00;"
    "--bad2:#c4590b;--bad3:#bb2a2a;--area:#cfe6e8}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4ebf1;--dim:#9fb0be;--ground:#121920;--card:#1b242d;--"
    "line:#31404d;"
    "--accent:#49bcc5;--bad1:#e2b93b;--bad2:#f0914b;--bad3:#f27878;--area:#1d474d}}\n"
    "*{box-sizing:border-box}body{margin:0;font:15px/1.5 "
    "system-ui,sans-serif;color:var(--ink);background:var(--ground)}\n"
    "main{max-width:960px;margin:0 auto;padding:24px 20px 60px}h1{font-size:26px;margin:0 0 "
    "4px}h2{font-size:20px;"
    "margin:0 0 12px}h3{font-size:15px;margin:22px 0 8px}p{margin:4px "
    "0}.dim{color:var(--dim);font-size:13px}\n"
    "section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:20px "
    "24px;margin-top:22px}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th{font-weight:600;color:"
    "var(--dim);"
    "font-size:13px}th,td{text-align:right;padding:5px 10px;border-bottom:1px solid "
    "var(--line)}th:first-child,"
    "td:first-child,.left{text-align:left}tr:last-child "
    "td{border-bottom:0}td:not(:last-child){white-space:nowrap}.wide{overflow-x:auto}\n"
    ".moves{columns:4 "
    "190px;column-gap:22px;font-variant-numeric:tabular-nums}.pair{break-inside:avoid;display:flex;gap:6px}"
    ".pair>*{flex:1}.pair>.n{flex:0 0 2.2em;color:var(--dim);text-align:right}\n"
    ".single{break-inside:avoid}.single .n{color:var(--dim)}\n"
    "a{color:inherit;text-decoration:none}a:hover{text-decoration:underline}.m1{color:var(--bad1)}.m2{color:"
    "var(--bad2)}"
    ".m3{color:var(--bad3)}.m1,.m2,.m3{font-weight:600}.m4{color:var(--accent)}\n"
    ".boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:18px}figure{margin:0;"
    "break-inside:"
    "avoid}figure "
    "svg{display:block;width:100%;height:auto}figcaption{margin-top:6px;font-size:14px}figure:target{outline:"
    "3px solid var(--accent);outline-offset:5px;border-radius:6px}\n"
    ".key b{display:inline-block;width:10px;height:10px;border-radius:2px;margin:0 4px 0 12px}\n"
    "@media print{body{background:#fff}section{border:0;padding:0}}\n";

/* What is written, and where in it. */
struct report_part {
    const struct analysis *analysis;
    const struct analysed_game *game;
    int number; /* of the game, from 1 on: part of the names of places on the page */
    int boards; /* that may still be drawn: a page of a thousand games would be too much for a browser */
    FILE *out;
    struct mp_error *error; /* what went wrong last; without a text nothing has */
};

const char *report_player(const struct analysed_game *g, int side)
{
    const char *role = g->record->game->players[side], *name = record_tag(g->record, role);
    return name && strcmp(name, "?") != 0 && *name ? name : role;
}

/* What others have written, without the control characters that a page may not have. */
static void write_text(FILE *out, const char *text)
{
    char plain[2048];
    text_escape(text, plain, sizeof plain);
    svg_escape(out, plain);
}

static bool is_error(const struct analysed_ply *ply)
{
    return ply->mark == MARK_DUBIOUS || ply->mark == MARK_MISTAKE || ply->mark == MARK_BLUNDER;
}

static bool is_mistake(const struct analysed_ply *ply)
{
    return ply->mark == MARK_MISTAKE || ply->mark == MARK_BLUNDER;
}

static bool has_board(const struct report_part *p, int ply)
{
    int before = 0;
    for (int i = 0; i < ply; i++)
        before += is_mistake(&p->game->plies[i]);
    return is_mistake(&p->game->plies[ply]) && before < p->boards;
}

/* ---- Who played how well ------------------------------------------------------------------------------- */

static void write_players(const struct report_part *p)
{
    const struct analysis *a = p->analysis;
    bool dice = a->game->chances;
    fprintf(p->out,
            "<div class=\"wide\"><table>\n<tr><th>Player</th><th>%s</th><th>lost per "
            "move</th><th>?!</th><th>?</th>"
            "<th>?\?</th><th>only moves found</th>%s</tr>\n",
            dice ? "error rate" : "accuracy", dice ? "<th>luck</th>" : "");
    for (int side = 0; side < 2; side++) {
        struct analysis_side s = analysis_of_side(a, p->game, side);
        double mean = s.decisions ? s.loss / s.decisions : 0;
        fprintf(p->out, "<tr><td>");
        write_text(p->out, report_player(p->game, side));
        if (strcmp(report_player(p->game, side), a->game->players[side]) != 0) {
            fprintf(p->out, " <span class=\"dim\">");
            write_text(p->out, a->game->players[side]);
            fprintf(p->out, "</span>");
        }
        fprintf(p->out, dice ? "</td><td>%.1f</td>" : "</td><td>%.1f%%</td>",
                dice ? 1000 * mean : s.accuracy);
        fprintf(p->out, "<td>%.*f %s</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td>", a->scale.decimals,
                mean, a->scale.unit, s.marks[MARK_DUBIOUS], s.marks[MARK_MISTAKE], s.marks[MARK_BLUNDER],
                s.marks[MARK_ONLY]);
        if (dice)
            fprintf(p->out, "<td>%+.3f %s</td>", s.luck, a->scale.unit);
        fprintf(p->out, "</tr>\n");
    }
    fprintf(p->out, "</table></div>\n");
}

/* ---- The curve ----------------------------------------------------------------------------------------- */

/* The value after a decision, for player 0. */
static double seen_value(const struct analysis *a, const struct analysed_ply *ply)
{
    double worth = analysis_worth(a, ply, ply->value);
    return ply->side == 0 ? worth : -worth;
}

/* How far the curve reaches: what has been lost or won for good need not be told apart. */
static double reach_of(const struct report_part *p)
{
    const struct analysis *a = p->analysis;
    double most = a->scale.thresholds[2];
    for (int i = 0; i < p->game->count; i++)
        if (p->game->plies[i].kind == PLY_DECISION && p->game->plies[i].done)
            most = fmax(most, fabs(seen_value(a, &p->game->plies[i])));
    return a->scale.half > 0 ? fmin(most, 2 * a->scale.half) : most;
}

static void write_move_name(const struct report_part *p, int ply)
{
    const struct analysed_ply *move = &p->game->plies[ply];
    struct mp_position *position = analysis_position(p->game, ply, p->error);
    char text[128] = "";
    if (position)
        analysis_move_text(position, move->move, text, sizeof text);
    mp_position_free(position);
    fprintf(p->out, "%d%s ", move->number, move->side ? "\u2026" : ".");
    if (ply > 0 && p->game->plies[ply - 1].kind == PLY_CHANCE) {
        struct mp_position *before = analysis_position(p->game, ply - 1, p->error);
        char roll[32] = "";
        if (before)
            mp_position_move_text(before, p->game->plies[ply - 1].move, roll, sizeof roll);
        mp_position_free(before);
        write_text(p->out, roll);
        fprintf(p->out, ": ");
    }
    write_text(p->out, text);
    fprintf(p->out, "%s", analysis_signs[move->mark]);
}

static void write_dot(const struct report_part *p, int ply, double x, double y)
{
    const struct analysed_ply *move = &p->game->plies[ply];
    static const char *const colours[] = {"", "--bad1", "--bad2", "--bad3"};
    fprintf(p->out, "<a href=\"#g%dp%d\"><circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"var(%s)\"><title>",
            p->number, ply, x, y, colours[move->mark]);
    write_move_name(p, ply);
    fprintf(p->out, "</title></circle></a>\n");
}

static void write_curve(const struct report_part *p)
{
    const struct analysis *a = p->analysis;
    const struct analysed_game *g = p->game;
    double reach = reach_of(p), wide = GRAPH_WIDTH - 2.0 * GRAPH_EDGE, middle = GRAPH_HEIGHT / 2.0,
           high = middle - 16;
    fprintf(
        p->out,
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" font-size=\"12\" font-family=\"system-ui,sans-serif\">\n",
        GRAPH_WIDTH, GRAPH_HEIGHT);
    for (int line = -2; line <= 2; line++) {
        double y = middle - line * high / 2;
        char label[32];
        snprintf(label, sizeof label, "%+.*f", a->scale.decimals > 1 ? a->scale.decimals - 1 : 1,
                 line * reach / 2);
        fprintf(p->out, "<path d=\"M%d %.1fH%d\" stroke=\"var(--line)\"/>\n", GRAPH_EDGE, y,
                GRAPH_WIDTH - GRAPH_EDGE);
        svg_label(p->out, GRAPH_EDGE - 8, y + 4, "end", " fill=\"var(--dim)\"", line ? label : "0");
    }
    for (int pass = 0; pass < 3; pass++) { /* the area, the line, the dots */
        bool begun = false;
        double x = GRAPH_EDGE;
        if (pass == 0)
            fprintf(p->out, "<path fill=\"var(--area)\" opacity=\".8\" d=\"M%d %.1f", GRAPH_EDGE, middle);
        else if (pass == 1)
            fprintf(p->out, "<path fill=\"none\" stroke=\"var(--accent)\" stroke-width=\"2\" d=\"");
        for (int i = 0; i < g->count; i++) {
            if (g->plies[i].kind != PLY_DECISION || !g->plies[i].done)
                continue;
            x = GRAPH_EDGE + wide * (i + 1) / g->count;
            double y = middle - high * fmin(fmax(seen_value(a, &g->plies[i]) / reach, -1), 1);
            if (pass == 2 && is_error(&g->plies[i]))
                write_dot(p, i, x, y);
            else if (pass < 2)
                fprintf(p->out, "%c%.1f %.1f", pass && !begun ? 'M' : 'L', x, y);
            begun = true;
        }
        if (pass == 0)
            fprintf(p->out, "L%.1f %.1fz", x, middle);
        if (pass < 2)
            fprintf(p->out, "\"/>\n");
    }
    fprintf(p->out, "</svg>\n<p class=\"dim\">Above the middle ");
    write_text(p->out, report_player(g, 0));
    fprintf(p->out, " leads, in %s. Dots are mistakes.</p>\n", a->scale.unit);
}

/* ---- Moves --------------------------------------------------------------------------------------------- */

static void write_move(const struct report_part *p, int i, const char *text)
{
    const struct analysed_ply *ply = &p->game->plies[i];
    char value[32] = "forced";
    if (ply->kind == PLY_DECISION)
        analysis_value_text(p->analysis, ply, ply->value, value, sizeof value);
    bool link = is_error(ply);
    if (link)
        fprintf(p->out, "<a href=\"#g%dp%d\" class=\"m%d\" title=\"%s\">", p->number, i, (int)ply->mark,
                value);
    else
        fprintf(p->out, "<span class=\"m%d\" title=\"%s\">", (int)ply->mark, value);
    write_text(p->out, text);
    fprintf(p->out, "%s%s", analysis_signs[ply->mark], link ? "</a>" : "</span>");
}

/* Two columns of moves, or one move in a line where moves are long (dice). */
static void write_moves(const struct report_part *p)
{
    const struct analysed_game *g = p->game;
    bool dice = g->record->game->chances, open = false;
    struct mp_position *position = mp_position_new(g->record->game, g->record->start, p->error);
    fprintf(p->out, "<h3>Moves</h3>\n<div class=\"moves\">\n");
    char roll[16] = "";
    for (int i = 0; position && i < g->count; i++) {
        const struct analysed_ply *ply = &g->plies[i];
        char text[160];
        analysis_move_text(position, ply->move, text, sizeof text);
        if (ply->kind == PLY_CHANCE) {
            snprintf(roll, sizeof roll, "%.12s: ", text);
        } else if (ply->is_item && dice) {
            fprintf(p->out, "<div class=\"single\"><span class=\"n\">%d%s %s</span>", ply->number,
                    ply->side ? "\u2026" : ".", roll);
            write_move(p, i, text);
            fprintf(p->out, "</div>\n");
            *roll = 0;
        } else if (ply->is_item) {
            if (ply->side == 0 || !open)
                fprintf(p->out, "%s<div class=\"pair\"><span class=\"n\">%d.</span>%s",
                        open ? "</div>\n" : "", ply->number, ply->side ? "<span>\u2026</span>" : "");
            open = true;
            write_move(p, i, text);
        }
        mp_position_play(position, ply->move, p->error);
    }
    fprintf(p->out, "%s</div>\n", open ? "</div>\n" : "");
    mp_position_free(position);
}

/* ---- Mistakes ------------------------------------------------------------------------------------------ */

/* "from +0.31 to -1.80" for player 0, and the better line. */
static void write_reason(const struct report_part *p, const struct mp_position *position,
                         const struct analysed_ply *ply)
{
    char before[32], after[32], line[1024];
    analysis_value_text(p->analysis, ply, ply->best_value, before, sizeof before);
    analysis_value_text(p->analysis, ply, ply->value, after, sizeof after);
    analysis_line_text(position, ply, line, sizeof line, p->error);
    fprintf(p->out, "%s \u2192 %s, best: ", before, after);
    write_text(p->out, line);
}

static void write_table(const struct report_part *p)
{
    const struct analysis *a = p->analysis;
    fprintf(p->out,
            "<h3>Errors</h3>\n<div class=\"wide\"><table>\n<tr><th>Move</th><th class=\"left\">Player</th>"
            "<th>loses</th><th>value</th><th class=\"left\">Better</th></tr>\n");
    for (int i = 0; i < p->game->count; i++) {
        const struct analysed_ply *ply = &p->game->plies[i];
        struct mp_position *position = is_error(ply) ? analysis_position(p->game, i, p->error) : NULL;
        if (!position)
            continue;
        char before[32], after[32], loss[32], line[1024];
        analysis_loss_text(a, ply, loss, sizeof loss);
        analysis_value_text(a, ply, ply->best_value, before, sizeof before);
        analysis_value_text(a, ply, ply->value, after, sizeof after);
        analysis_line_text(position, ply, line, sizeof line, p->error);
        if (has_board(p, i))
            fprintf(p->out, "<tr><td class=\"m%d\"><a href=\"#g%dp%d\">", (int)ply->mark, p->number, i);
        else
            fprintf(p->out, "<tr id=\"g%dp%d\"><td class=\"m%d\"><a>", p->number, i, (int)ply->mark);
        write_move_name(p, i);
        fprintf(p->out, "</a></td><td class=\"left\">");
        write_text(p->out, report_player(p->game, ply->side));
        fprintf(p->out, "</td><td>%s</td><td>%s \u2192 %s%s</td><td class=\"left\">", loss, before, after,
                analysis_is_final(a, ply) ? ", exact" : "");
        write_text(p->out, line);
        fprintf(p->out, "</td></tr>\n");
        mp_position_free(position);
    }
    fprintf(p->out, "</table></div>\n");
}

static void write_board(const struct report_part *p, int i)
{
    const struct analysed_ply *ply = &p->game->plies[i];
    static const char *const colours[] = {"#d0402f", "#2e9e5b"};
    const mp_move arrows[] = {ply->move, ply->best};
    struct mp_position *position = analysis_position(p->game, i, p->error);
    if (!position)
        return;
    struct mp_svg how = {MP_SIZE(struct mp_svg), .arrow_count = 2, .arrows = arrows, .colours = colours};
    int length = mp_position_svg(position, &how, NULL, 0);
    char *svg = length > 0 ? malloc((size_t)length + 1) : NULL;
    if (length > 0 && !svg)
        mp_fail_with(p->error, MP_ERROR_MEMORY, "out of memory for a board");
    if (svg)
        mp_position_svg(position, &how, svg, (size_t)length + 1);
    fprintf(p->out, "<figure id=\"g%dp%d\">\n%s<figcaption><span class=\"m%d\">", p->number, i,
            svg ? svg : "", (int)ply->mark);
    write_move_name(p, i);
    char loss[32];
    analysis_loss_text(p->analysis, ply, loss, sizeof loss);
    fprintf(p->out, "</span> loses %s %s%s.<br/>", loss, p->analysis->scale.unit,
            analysis_is_final(p->analysis, ply) ? " (exact)" : "");
    write_reason(p, position, ply);
    fprintf(p->out, "</figcaption></figure>\n");
    free(svg);
    mp_position_free(position);
}

static void write_boards(const struct report_part *p)
{
    int count = 0;
    for (int i = 0; i < p->game->count; i++) {
        if (!has_board(p, i))
            continue;
        if (count++ == 0)
            fprintf(p->out, "<h3>Mistakes <span class=\"dim key\"><b style=\"background:#d0402f\"></b>played"
                            "<b style=\"background:#2e9e5b\"></b>best</span></h3>\n<div class=\"boards\">\n");
        write_board(p, i);
    }
    if (count)
        fprintf(p->out, "</div>\n");
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

static void write_heading(const struct report_part *p)
{
    static const char *const details[] = {"Event", "Site", "Date", "Round"};
    const struct record *r = p->game->record;
    fprintf(p->out, "<section>\n<h2>");
    write_text(p->out, report_player(p->game, 0));
    fprintf(p->out, " \u2013 ");
    write_text(p->out, report_player(p->game, 1));
    if (strcmp(r->result, "*") != 0)
        fprintf(p->out, ", %s", r->result);
    fprintf(p->out, "</h2>\n<p class=\"dim\">Game %d", p->number);
    for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
        const char *value = record_tag(r, details[i]);
        if (!value || !*value || *value == '?')
            continue;
        fprintf(p->out, ", ");
        write_text(p->out, value);
    }
    fprintf(p->out, "</p>\n");
}

static void write_game(const struct report_part *p)
{
    struct analysis_side sides[2];
    int errors = 0;
    for (int side = 0; side < 2; side++) {
        sides[side] = analysis_of_side(p->analysis, p->game, side);
        for (int mark = MARK_DUBIOUS; mark <= MARK_BLUNDER; mark++)
            errors += sides[side].marks[mark];
    }
    write_heading(p);
    write_players(p);
    write_curve(p);
    write_moves(p);
    if (errors)
        write_table(p);
    write_boards(p);
    fprintf(p->out, "</section>\n");
}

bool report_page_write(const struct analysis *a, const char *title, FILE *file, struct mp_error *error)
{
    const struct analysis_scale *scale = &a->scale;
    fprintf(file,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
            "content=\"width=device-width, initial-scale=1\"/>\n<title>");
    write_text(file, title);
    fprintf(file, ", analysed</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
    write_text(file, title);
    fprintf(file, "</h1>\n<p class=\"dim\">%d %s, analysed by Manyply %s: ", a->game_count,
            a->game_count == 1 ? "game" : "games", mp_version());
    write_text(file, mp_strategy_text(a->strategy));
    fprintf(file,
            "</p>\n<p class=\"dim\">?! dubious: loses %g %s or more. ? mistake: %g. ?? blunder: %g. \u25a1 "
            "only move: "
            "every other one is a blunder.</p>\n",
            scale->thresholds[0], scale->unit, scale->thresholds[1], scale->thresholds[2]);
    struct report_part part = {.analysis = a, .boards = MOST_BOARDS, .out = file, .error = error};
    error->text[0] = 0;
    for (int i = 0; !*error->text && i < a->game_count; i++) {
        part.game = &a->games[i];
        part.number = i + 1;
        write_game(&part);
        for (int ply = 0; ply < part.game->count; ply++)
            part.boards -= part.boards > 0 && is_mistake(&part.game->plies[ply]);
    }
    fprintf(file, "</main>\n</body>\n</html>\n");
    return !*error->text && (!ferror(file) || mp_fail(error, "the report could not be written"));
}

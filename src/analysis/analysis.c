/* analysis.c - the games of an analysis: what is to be valued, and texts of it. */
#include "analysis/analysis.h"

#include "base/memory.h"
#include "base/text.h"
#include "records/mat.h"

#include <stdlib.h>
#include <string.h>

struct mp_position *analysis_position(const struct analysed_game *g, int ply, struct mp_error *error)
{
    struct mp_position *position = mp_position_new(g->record->game, g->record->start, error);
    for (int i = 0; position && i < ply; i++)
        if (!mp_position_play(position, g->plies[i].move, error)) {
            mp_position_free(position);
            return NULL;
        }
    return position;
}

/* Does a record have this ply as an item of its own? With dice, a player's wish to roll and the nod to it are not. */
static bool is_item(const struct analysed_game *g, const struct mp_position *position, int ply)
{
    char text[128];
    if (!g->record->game->chances || (ply > 0 && g->plies[ply - 1].kind == PLY_CHANCE))
        return true;
    mp_position_move_text(position, g->plies[ply].move, text, sizeof text);
    return !strcmp(text, "double") || !strcmp(text, "take") || !strcmp(text, "drop");
}

/* A position that ends in the number of its move, as FEN does, says where the count begins. */
static int first_number(const struct record *r)
{
    const char *last = r->start && !r->game->chances ? strrchr(r->start, ' ') : NULL;
    int number = last ? atoi(last) : 0;
    return number > 0 ? number - 1 : 0;
}

/* Walks through the main line and says of each ply what it is. */
static bool describe(const struct analysis *a, struct analysed_game *g, const mp_move *moves,
                     struct mp_error *error)
{
    struct mp_position *position = mp_position_new(g->record->game, g->record->start, error);
    bool ok = position, after_first = false;
    int number = first_number(g->record);
    for (int i = 0; ok && i < g->count; i++) {
        bool chance = mp_position_is_chance(position);
        bool choice = mp_position_moves(position, NULL, NULL, 0) > 1;
        g->plies[i].kind = chance ? PLY_CHANCE : choice ? PLY_DECISION : PLY_FORCED;
        g->plies[i].side = mp_position_side(position);
        g->plies[i].move = moves[i];
        g->plies[i].done = g->plies[i].kind == PLY_FORCED;
        g->plies[i].stake = !strcmp(a->game->name, "backgammon") ? mat_stake(position) : a->scale.per_unit;
        g->plies[i].is_item = !chance && is_item(g, position, i);
        if (g->plies[i].is_item) {
            number += g->plies[i].side == 0 || !after_first;
            after_first = g->plies[i].side == 0;
        }
        g->plies[i].number = number;
        ok = mp_position_play(position, moves[i], error);
    }
    mp_position_free(position);
    return ok;
}

bool analysis_add(struct analysis *a, struct record *record, const char *kept_in, struct mp_error *error)
{
    struct analysed_game *games = memory_grow(a->games, a->game_count, sizeof *games);
    if (!games)
        return mp_fail(error, "out of memory");
    a->games = games;
    struct analysed_game *g = &games[a->game_count++];
    *g = (struct analysed_game){.record = record, .count = record_main_line(record, NULL, 0)};
    mp_move *moves = calloc((size_t)g->count + 1, sizeof *moves);
    g->plies = calloc((size_t)g->count + 1, sizeof *g->plies);
    bool ok = (moves && g->plies) || mp_fail(error, "out of memory");
    if (ok) {
        record_main_line(record, moves, g->count);
        ok = describe(a, g, moves, error) &&
             (!kept_in || kept_name(g, a, kept_in) || mp_fail(error, "out of memory"));
    }
    free(moves);
    if (!ok)
        return false;
    kept_read(g);
    for (int i = 0; i < g->count; i++)
        if (g->plies[i].done)
            analysis_judge(a, &g->plies[i]);
    return true;
}

void analysis_free(struct analysis *a)
{
    for (int i = 0; i < a->game_count; i++) {
        free(a->games[i].plies);
        free(a->games[i].kept);
    }
    free(a->games);
    a->games = NULL;
    a->game_count = 0;
}

void analysis_count(const struct analysis *a, int *done, int *total)
{
    *done = *total = 0;
    for (int i = 0; i < a->game_count; i++)
        for (int j = 0; j < a->games[i].count; j++) {
            const struct analysed_ply *ply = &a->games[i].plies[j];
            *total += ply->kind != PLY_FORCED;
            *done += ply->kind != PLY_FORCED && ply->done;
        }
}

/* ---- Texts --------------------------------------------------------------------------------------------- */

void analysis_move_text(const struct mp_position *position, mp_move move, char *text, size_t size)
{
    const struct mp_game *game = mp_position_game(position);
    int (*print)(const struct mp_game *, const void *, mp_move, char *,
                 size_t) = game->print_record_move ? game->print_record_move : game->print_move;
    print(game, mp_position_state(position), move, text, size);
}

void analysis_line_text(const struct mp_position *position, const struct analysed_ply *ply, char *text,
                        size_t size, struct mp_error *error)
{
    struct mp_position *line = mp_position_copy(position, error);
    *text = 0;
    for (int i = 0; line && i < ply->line_length; i++) {
        char move[128];
        analysis_move_text(line, ply->line[i], move, sizeof move);
        text_append(text, size, "%s%s", i ? " " : "", move);
        if (!mp_position_play(line, ply->line[i], error))
            break;
    }
    mp_position_free(line);
}

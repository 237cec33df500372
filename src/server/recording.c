/* recording.c - copies pieces of work out of a search, picks the longest, and describes them. */
#include "server/recording.h"

#include "lab/json_parts.h"
#include "server/describe.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_ROOM = 4096 };

struct recording {
    const struct mp_game *game;
    size_t stride; /* of a state */
    int count, room;
    double *after;
    struct mp_piece *pieces;
    char *states;
};

int recording_pieces_each(int threads)
{
    enum { FEWEST = 128, MOST = 4000 };
    int each = RECORDING_PIECES / threads;
    return each < FEWEST ? FEWEST : each > MOST ? MOST : each;
}

/* Called while the search waits: nothing but copies. */
static void see(void *context, const struct mp_piece *piece, const void *state)
{
    struct recording *r = context;
    if (r->count == r->room)
        return;
    r->pieces[r->count] = *piece;
    if (state)
        memcpy(r->states + (size_t)r->count * r->stride, state, r->game->state_size);
    r->count++;
    if (piece->end > r->after[piece->thread])
        r->after[piece->thread] = piece->end;
}

static double length_of(const struct mp_piece *piece)
{
    return piece->end - piece->start;
}

static int compare_lengths(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

/* The length that `most` pieces have, or more of; -1: there is no memory to find out. */
static double shortest_of(const struct recording *r, int most)
{
    double *lengths = malloc((size_t)r->count * sizeof *lengths), shortest = -1;
    for (int i = 0; lengths && i < r->count; i++)
        lengths[i] = length_of(&r->pieces[i]);
    if (lengths) {
        qsort(lengths, (size_t)r->count, sizeof *lengths, compare_lengths);
        shortest = lengths[most];
    }
    free(lengths);
    return shortest;
}

static void keep_longest(struct recording *r, int most)
{
    if (r->count <= most)
        return;
    double shortest = shortest_of(r, most);
    int kept = 0;
    for (int i = 0; i < r->count && kept < most; i++)
        if (length_of(&r->pieces[i]) > shortest) {
            r->pieces[kept] = r->pieces[i];
            memmove(r->states + (size_t)kept++ * r->stride, r->states + (size_t)i * r->stride, r->stride);
        }
    r->count = kept;
}

/* With room for as many; what is not written takes no memory. */
static struct recording *recording_new(const struct mp_game *game, int room)
{
    struct recording *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    *r = (struct recording){.game = game, .stride = (game->state_size + 15) / 16 * 16, .room = room};
    r->pieces = malloc((size_t)room * sizeof *r->pieces);
    r->states = malloc((size_t)room * r->stride);
    if (r->pieces && r->states)
        return r;
    recording_free(r);
    return NULL;
}

struct recording *recording_read(const struct mp_search *search, const struct mp_game *game,
                                 double after[MP_MAX_THREADS], int most)
{
    struct mp_activity activity = {MP_SIZE(struct mp_activity)};
    int threads = 0;
    while (mp_search_activity(search, threads, &activity, NULL))
        threads++;
    struct recording *r = threads ? recording_new(game, threads * recording_pieces_each(threads)) : NULL;
    if (!r)
        return NULL;
    r->after = after;
    for (int i = 0; i < threads; i++)
        mp_search_pieces(search, i, after[i], see, r);
    keep_longest(r, most);
    return r;
}

/* A node of a tree is like a piece. */
static void see_node(void *context, const struct mp_piece *piece, const void *state)
{
    struct recording *r = context;
    r->pieces[r->count] = *piece;
    memcpy(r->states + (size_t)r->count++ * r->stride, state, r->game->state_size);
}

struct recording *recording_tree(const struct mp_search *search, const struct mp_game *game)
{
    struct recording *r = recording_new(game, RECORDING_BATCH);
    if (r && mp_search_tree(search, r->room, see_node, r) > 0)
        return r;
    recording_free(r);
    return NULL;
}

void recording_free(struct recording *r)
{
    if (!r)
        return;
    free(r->pieces);
    free(r->states);
    free(r);
}

int recording_count(const struct recording *r)
{
    return r->count;
}

/* ---- As JSON ------------------------------------------------------------------------------------------ */

static const void *state_of(const struct recording *r, int i)
{
    return r->states + (size_t)i * r->stride;
}

static json_t *number_if(bool known, mp_value value)
{
    return known ? json_integer(value) : json_null();
}

static json_t *move_text(const struct recording *r, int i)
{
    char text[TEXT_ROOM];
    const struct mp_piece *piece = &r->pieces[i];
    if (piece->ply < 0 || !piece->has_move)
        return json_null();
    r->game->print_move(r->game, state_of(r, i), piece->move, text, sizeof text);
    return json_string(text);
}

static json_t *position_text(const struct recording *r, int i)
{
    char text[TEXT_ROOM];
    if (r->pieces[i].ply < 0)
        return json_null();
    r->game->print_position(r->game, state_of(r, i), text, sizeof text);
    return json_string(text);
}

static json_t *row(const struct recording *r, int i, bool position)
{
    const struct mp_piece *p = &r->pieces[i];
    json_t *row = json_pack(
        "[I, I, i, i, I, I, i, i, I, o, o, o, o, b]", (json_int_t)p->id, (json_int_t)p->parent, p->thread,
        (int)p->kind, (json_int_t)(p->start * 1e6), (json_int_t)(length_of(p) * 1e6 + 0.5), p->ply, p->depth,
        (json_int_t)p->nodes, move_text(r, i), number_if(p->has_window, p->alpha),
        number_if(p->has_window, p->beta), number_if(p->has_value, p->value), p->is_given_up);
    if (position)
        json_array_append_new(row, position_text(r, i));
    return row;
}

json_t *recording_rows(const struct recording *r, bool positions)
{
    json_t *rows = json_array();
    for (int i = 0; i < r->count; i++)
        json_array_append_new(rows, row(r, i, positions));
    return rows;
}

json_t *recording_look(const struct recording *r, uint64_t id)
{
    for (int i = 0; i < r->count; i++) {
        const struct mp_piece *piece = &r->pieces[i];
        if (piece->id != id)
            continue;
        json_t *json = json_pack("{s:o, s:o}", "piece", row(r, i, false), "position", position_text(r, i));
        const void *state = piece->ply < 0 ? NULL : state_of(r, i);
        json_put(json, "board", state ? describe_board(r->game, state) : json_null());
        json_put(json, "picture", state ? describe_picture(r->game, state) : json_null());
        json_put(json, "turn", state ? json_integer(r->game->side(r->game, state)) : json_null());
        json_put(json, "cells",
                 state && piece->has_move ? describe_cells(r->game, state, piece->move) : json_array());
        return json;
    }
    return NULL;
}

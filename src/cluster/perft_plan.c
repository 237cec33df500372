/* perft_plan.c - the master of a count, and what its ranks do. */
#include "cluster/perft_plan.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* How many jobs are enough: so many that the last ones do not keep the other ranks waiting, and a kill costs little. */
enum { ENOUGH = 2000 };

struct piece {
    char *text; /* the position */
    int depth;
    uint64_t times; /* lines that lead there */
    bool is_done;
};

struct perft_plan {
    struct ledger *ledger;
    const struct mp_game *game;
    bool drop_finished;
    struct piece *pieces;
    int count, next, done, from_ledger;
    uint64_t leaves;
};

/* ---- The top of the tree ------------------------------------------------------------------------------- */

static bool add_piece(struct perft_plan *p, char *text, int depth, uint64_t times)
{
    struct piece *pieces = text ? memory_grow(p->pieces, p->count, sizeof *pieces) : NULL;
    if (!pieces) {
        free(text);
        return false;
    }
    p->pieces = pieces;
    pieces[p->count++] = (struct piece){.text = text, .depth = depth, .times = times};
    return true;
}

static char *text_of(const struct mp_position *position)
{
    int length = mp_position_text(position, NULL, 0);
    char *text = length >= 0 && length < CLUSTER_TEXT / 2 ? malloc((size_t)length + 1) : NULL;
    if (text)
        mp_position_text(position, text, (size_t)length + 1);
    return text;
}

static int by_place(const void *one, const void *other)
{
    const struct piece *a = one, *b = other;
    return a->depth != b->depth ? b->depth - a->depth : strcmp(a->text, b->text);
}

/* Sorts, and makes one of equals. */
static void merge(struct perft_plan *p)
{
    int count = 0;
    qsort(p->pieces, (size_t)p->count, sizeof *p->pieces, by_place);
    for (int i = 0; i < p->count; i++)
        if (count > 0 && by_place(&p->pieces[count - 1], &p->pieces[i]) == 0) {
            p->pieces[count - 1].times += p->pieces[i].times;
            free(p->pieces[i].text);
        } else {
            p->pieces[count++] = p->pieces[i];
        }
    p->count = count;
}

/* Replaces a piece by its children in *to; the ends of games are counted at once. A throw is no ply. */
static bool open_piece(struct perft_plan *to, const struct piece *piece, struct mp_error *error)
{
    struct mp_position *position = mp_position_new(to->game, piece->text, error);
    if (!position)
        return false;
    bool ok = true, chance = mp_position_is_chance(position);
    int count = mp_position_moves(position, NULL, NULL, 0);
    mp_move *moves = malloc(((size_t)count + 1) * sizeof *moves);
    if (count == 0 && !to->drop_finished)
        to->leaves += piece->times;
    count = moves ? mp_position_moves(position, moves, NULL, count) : 0;
    for (int i = 0; ok && i < count; i++) {
        struct mp_position *child = mp_position_copy(position, error);
        ok = child && mp_position_play(child, moves[i], error) &&
             add_piece(to, text_of(child), piece->depth - !chance, piece->times);
        mp_position_free(child);
    }
    if (!moves || !ok)
        ok = mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for %d jobs", to->count);
    free(moves);
    mp_position_free(position);
    return ok;
}

/* Every piece one move (or throw) further. */
static bool deepen(struct perft_plan *p, struct mp_error *error)
{
    struct perft_plan to = {.game = p->game, .drop_finished = p->drop_finished, .leaves = p->leaves};
    bool ok = true;
    for (int i = 0; ok && i < p->count; i++)
        ok = open_piece(&to, &p->pieces[i], error);
    for (int i = 0; i < p->count; i++)
        free(p->pieces[i].text);
    free(p->pieces);
    p->pieces = to.pieces;
    p->count = to.count;
    p->leaves = to.leaves;
    if (ok && p->count > 0)
        merge(p);
    return ok;
}

static void key_of(const struct piece *piece, char key[CLUSTER_TEXT])
{
    snprintf(key, CLUSTER_TEXT, "%d %s", piece->depth, piece->text);
}

static void finish(struct perft_plan *p, struct piece *piece, uint64_t leaves)
{
    p->leaves += leaves * piece->times;
    piece->is_done = true;
    p->done++;
}

static void recall(struct perft_plan *p)
{
    char key[CLUSTER_TEXT];
    for (int i = 0; i < p->count; i++) {
        key_of(&p->pieces[i], key);
        const char *value = ledger_find(p->ledger, key);
        if (value) {
            finish(p, &p->pieces[i], strtoull(value, NULL, 10));
            p->from_ledger++;
        }
    }
}

struct perft_plan *perft_plan_new(const struct mp_position *position, int depth, int split,
                                  bool drop_finished, struct ledger *ledger, struct mp_error *error)
{
    struct perft_plan *p = calloc(1, sizeof *p);
    if (!p) {
        mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    p->ledger = ledger;
    p->game = mp_position_game(position);
    p->drop_finished = drop_finished;
    bool ok = add_piece(p, text_of(position), depth, 1) ||
              mp_fail_with(error, MP_ERROR_MEMORY, "out of memory");
    /* Pieces have one depth, but for those one throw apart. */
    while (ok && p->count > 0 && p->pieces[p->count - 1].depth > 1 &&
           (split < 0 ? p->count < ENOUGH : p->pieces[0].depth > depth - split))
        ok = deepen(p, error);
    if (ok) {
        recall(p);
        return p;
    }
    perft_plan_free(p);
    return NULL;
}

void perft_plan_free(struct perft_plan *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->count; i++)
        free(p->pieces[i].text);
    free(p->pieces);
    free(p);
}

uint64_t perft_plan_leaves(const struct perft_plan *p)
{
    return p->leaves;
}

void perft_plan_jobs(const struct perft_plan *p, int *jobs, int *from_ledger)
{
    *jobs = p->count;
    *from_ledger = p->from_ledger;
}

/* ---- The master ---------------------------------------------------------------------------------------- */

static bool next(void *master, struct farm *farm, uint64_t *id, char job[CLUSTER_TEXT])
{
    struct perft_plan *p = master;
    (void)farm;
    while (p->next < p->count && p->pieces[p->next].is_done)
        p->next++;
    if (p->next == p->count)
        return false;
    key_of(&p->pieces[p->next], job);
    *id = (uint64_t)p->next++;
    return true;
}

static bool take(void *master, struct farm *farm, uint64_t id, const char *result, uint64_t nodes,
                 struct mp_error *error)
{
    struct perft_plan *p = master;
    struct piece *piece = &p->pieces[id];
    char key[CLUSTER_TEXT];
    (void)farm;
    (void)nodes;
    key_of(piece, key);
    if (!ledger_add(p->ledger, key, result, error))
        return false;
    finish(p, piece, strtoull(result, NULL, 10));
    return true;
}

static bool is_done(void *master)
{
    const struct perft_plan *p = master;
    return p->done == p->count;
}

const struct farm_plan perft_farm = {.jobs_per_rank = 2, .next = next, .take = take, .is_done = is_done};

/* ---- A rank -------------------------------------------------------------------------------------------- */

static bool run(void *self, struct hand *hand, const char *job, char text[CLUSTER_TEXT], uint64_t *nodes,
                struct mp_error *error)
{
    const struct perft_counter *s = self;
    char *position_text;
    (void)hand;
    int depth = (int)strtol(job, &position_text, 10);
    struct mp_position *position = mp_position_new(s->game, position_text + (*position_text == ' '), error);
    uint64_t leaves;
    bool ok = position && mp_perft(position, depth, s->threads, s->drop_finished, NULL, NULL, &leaves, error);
    mp_position_free(position);
    if (ok)
        snprintf(text, CLUSTER_TEXT, "%llu", (unsigned long long)leaves);
    *nodes = ok ? leaves : 0;
    return ok;
}

/* Nobody cancels a count; the end of all comes when there is none left. */
static void nothing(void *self)
{
    (void)self;
}

const struct hand_skill perft_skill = {run, nothing, nothing};

/* learned.c - the tables of history, counter-moves and corrections of the selective search. */
#include "search/learned.h"

#include <stdlib.h>

/* A continuation needs a table of pairs of moves; games with more numbers than this go without. */
enum { MOST_PAIRED = 1024 };

/* The game's guess comes first, where it has one. */
enum { ORDER_GUESS = 1 << 10, GUESSED_SHARE = 48 };

/* A noisy move that always refutes is worth LEARNED_MOST / NOISY_SHARE units more than one that never did. */
enum { NOISY_SHARE = 1600 };

/* Errors are kept in hundredths of a unit times ERROR_GRAIN. */
enum { ERROR_BITS = 14, ERRORS = 1 << ERROR_BITS, ERROR_GRAIN = 16, ERROR_MOST = 1024 };

struct learned {
    int16_t *moves;               /* by side and index, of quiet moves */
    int16_t *noisy;               /* the same of noisy ones */
    int16_t *continuations[2];    /* by side, index of the move one or two plies before, and index; or null */
    mp_move *counters;            /* by side and index of the opponent's last move */
    int16_t (*errors)[2][ERRORS]; /* of the evaluation, by part, side and number of the part */
};

struct learned *learned_new(uint32_t index_count)
{
    struct learned *l = calloc(1, sizeof *l);
    size_t count = 2 * (size_t)index_count, pairs = count * index_count;
    if (!l)
        return NULL;
    l->moves = malloc(count * sizeof *l->moves);
    l->noisy = malloc(count * sizeof *l->noisy);
    l->counters = malloc(count * sizeof *l->counters);
    l->errors = malloc(MP_MAX_PARTS * sizeof *l->errors);
    bool ok = l->moves && l->noisy && l->counters && l->errors;
    for (int i = 0; i < 2 && index_count <= MOST_PAIRED; i++) {
        l->continuations[i] = malloc(pairs * sizeof **l->continuations);
        ok = ok && l->continuations[i];
    }
    if (!ok) {
        learned_free(l);
        return NULL;
    }
    learned_clear(l, index_count);
    return l;
}

void learned_clear(struct learned *l, uint32_t index_count)
{
    size_t count = 2 * (size_t)index_count, pairs = count * index_count;
    memset(l->moves, 0, count * sizeof *l->moves);
    memset(l->noisy, 0, count * sizeof *l->noisy);
    memset(l->errors, 0, MP_MAX_PARTS * sizeof *l->errors);
    memset(l->counters, 0xff, count * sizeof *l->counters);
    for (int i = 0; i < 2 && l->continuations[i]; i++)
        memset(l->continuations[i], 0, pairs * sizeof **l->continuations);
}

void learned_free(struct learned *l)
{
    if (!l)
        return;
    free(l->moves);
    free(l->noisy);
    free(l->counters);
    free(l->errors);
    free(l->continuations[0]);
    free(l->continuations[1]);
    free(l);
}

uint16_t learned_index(const struct worker *w, int ply, mp_move move)
{
    uint16_t index;
    order_index(&w->order, w->game, worker_state(w, ply), &move, 1, &index);
    return index;
}

/* The tables that concern the quiet moves at a ply: its own, and those of the two moves before it. */
struct rows {
    int16_t *rows[3];
    int count;
};

static struct rows rows_at(const struct worker *w, int ply)
{
    const struct learned *l = w->learned;
    size_t side = (size_t)w->game->side(w->game, worker_state(w, ply));
    struct rows rows = {.count = 0};
    if (w->settings->history)
        rows.rows[rows.count++] = l->moves + side * w->order.index_count;
    if (!(w->settings->techniques & TECHNIQUE_CONTINUATION))
        return rows;
    for (int back = 0; back < 2; back++) {
        uint16_t before = w->frames[ply - back].index;
        if (l->continuations[back] && before != FRAME_NO_MOVE)
            rows.rows[rows.count++] = l->continuations[back] +
                                      (side * w->order.index_count + before) * w->order.index_count;
    }
    return rows;
}

/* Where the answer to the move that led to a ply is kept; null: there was none. */
static mp_move *counter_at(const struct worker *w, int ply)
{
    uint16_t before = w->frames[ply].index;
    if (before == FRAME_NO_MOVE || !(w->settings->techniques & TECHNIQUE_COUNTER))
        return NULL;
    size_t side = (size_t)w->game->side(w->game, worker_state(w, ply));
    return &w->learned->counters[side * w->order.index_count + before];
}

void learned_score_quiet(const struct worker *w, const struct node *node, int first)
{
    const struct move_list *list = &node->list;
    const struct killers *at_ply = &w->order.killers[node->ply];
    const mp_move killers[2] = {ORDER_LOAD(&at_ply->moves[0]), ORDER_LOAD(&at_ply->moves[1])};
    const mp_move *counter = counter_at(w, node->ply);
    struct rows rows = rows_at(w, node->ply);
    bool guessed = w->game->ordering->list_scored && !w->game->selective->list_quiet;
    enum { BATCH = 64 };
    uint16_t indices[BATCH];
    for (int i = first; i < list->count; i++) {
        if ((i - first) % BATCH == 0)
            order_index(&w->order, w->game, worker_state(w, node->ply), list->moves + i,
                        list->count - i < BATCH ? list->count - i : BATCH, indices);
        mp_move move = list->moves[i];
        if (w->settings->killers && (move == killers[0] || move == killers[1])) {
            list->scores[i] = ORDER_KILLER + (move == killers[0]);
            continue;
        }
        if (counter && move == *counter) {
            list->scores[i] = ORDER_KILLER - 1;
            continue;
        }
        int32_t worth = 0;
        for (int r = 0; r < rows.count; r++)
            worth += rows.rows[r][indices[(i - first) % BATCH]];
        list->scores[i] = guessed ? list->scores[i] * ORDER_GUESS + worth / GUESSED_SHARE : worth;
    }
}

/* Where what was learned of the noisy moves at a ply begins. */
static int16_t *noisy_at(const struct worker *w, int ply)
{
    size_t side = (size_t)w->game->side(w->game, worker_state(w, ply));
    return w->learned->noisy + side * w->order.index_count;
}

void learned_score_noisy(const struct worker *w, const struct node *node, int first)
{
    const struct move_list *list = &node->list;
    const int16_t *noisy = noisy_at(w, node->ply);
    const int64_t unit = w->game->selective->unit;
    for (int i = first; w->settings->history && i < list->count; i++)
        list->scores[i] += (int32_t)(noisy[learned_index(w, node->ply, list->moves[i])] * unit / NOISY_SHARE);
}

/* Moves an entry towards +-most, the less the nearer it is: what was learned long ago is forgotten. */
static void learn(int16_t *entry, int bonus, int most)
{
    int size = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * size / most);
}

/* The quiet move that has cut off is a killer and a counter-move. */
static void learn_answer(struct worker *w, const struct node *node)
{
    order_kill(&w->order, node->ply, node->best_move);
    mp_move *counter = counter_at(w, node->ply);
    if (counter)
        *counter = node->best_move;
}

void learned_cut(struct worker *w, const struct node *node)
{
    const struct move_list *list = &node->list;
    int best = 0;
    while (list->moves[best] != node->best_move)
        best++;
    bool best_is_quiet = order_is_quiet(list->scores[best]);
    int depth = node->depth < 16 ? node->depth : 16, bonus = 16 * depth * depth + 64 * depth;
    bonus = bonus < 1800 ? bonus : 1800;
    if (best_is_quiet)
        learn_answer(w, node);
    struct rows rows = rows_at(w, node->ply);
    int16_t *noisy = noisy_at(w, node->ply);
    for (int i = node->has_deferred ? best : 0; i <= best; i++) {
        bool quiet = order_is_quiet(list->scores[i]);
        if (quiet && !best_is_quiet)
            continue;
        uint16_t index = learned_index(w, node->ply, list->moves[i]);
        if (!quiet)
            learn(&noisy[index], i == best ? bonus : -bonus, LEARNED_MOST);
        for (int r = 0; quiet && r < rows.count; r++)
            learn(&rows.rows[r][index], i == best ? bonus : -bonus, LEARNED_MOST);
    }
}

/* The entries for the parts of the state at a ply; how many. */
static int errors_at(const struct worker *w, int ply, int16_t *entries[MP_MAX_PARTS])
{
    const struct mp_game *game = w->game;
    const void *state = worker_state(w, ply);
    if (!game->selective->parts || !game->selective->unit)
        return 0;
    uint64_t parts[MP_MAX_PARTS];
    int side = game->side(game, state), count = game->selective->parts(game, state, parts);
    for (int i = 0; i < count; i++)
        entries[i] = &w->learned->errors[i][side][parts[i] >> (64 - ERROR_BITS)];
    return count;
}

mp_value learned_correct(const struct worker *w, int ply, mp_value eval)
{
    int16_t *entries[MP_MAX_PARTS];
    int count = errors_at(w, ply, entries), sum = 0;
    for (int i = 0; i < count; i++)
        sum += *entries[i];
    return eval + sum * w->game->selective->unit / (100 * ERROR_GRAIN);
}

void learned_error(const struct worker *w, int ply, int depth, mp_value error)
{
    int16_t *entries[MP_MAX_PARTS];
    int count = errors_at(w, ply, entries);
    int64_t bonus = count ? (int64_t)error * 100 / w->game->selective->unit * depth / 6 : 0;
    bonus = bonus > ERROR_MOST / 4 ? ERROR_MOST / 4 : bonus < -ERROR_MOST / 4 ? -ERROR_MOST / 4 : bonus;
    for (int i = 0; i < count; i++)
        learn(entries[i], (int)bonus, ERROR_MOST);
}

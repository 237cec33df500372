/* watcher.c - a function for every function of the table, which notes that it is called and calls it. */
#include "kit/watcher.h"

#include <stdlib.h>

/* The copy's data leads back here, as searches keep copies of the table. */
struct watcher {
    struct mp_game game;
    const struct mp_game *inner;
    struct watch_calls *calls;
    struct mp_ordering ordering;
    struct mp_selective selective;
    struct mp_board_hooks board;
    struct mp_features features;
    struct mp_endgame endgame;
    struct mp_evaluation evaluations[];
};

static _Thread_local int entry = -1;

void watch_call(struct watch_calls *calls, const char *name)
{
    if (entry < 0)
        entry = (int)(atomic_fetch_add(&calls->threads, 1) % WATCH_THREADS);
    calls->thread[entry].calling = name;
    calls->thread[entry].count++;
}

uint64_t watch_count(const struct watch_calls *calls)
{
    uint64_t sum = 0;
    for (int i = 0; i < WATCH_THREADS; i++)
        sum += calls->thread[i].count;
    return sum;
}

const char *watch_calling(const struct watch_calls *calls)
{
    if (calls->fatal)
        return calls->fatal;
    for (int i = 0; i < WATCH_THREADS; i++)
        if (calls->thread[i].calling)
            return calls->thread[i].calling;
    return NULL;
}

void watch_note_fatal(struct watch_calls *calls)
{
    if (entry >= 0)
        calls->fatal = calls->thread[entry].calling;
}

/* A function of the same kind that says that it is called, and then calls. */
#define GAME const struct mp_game *game
#define WATCH(type, name, member, parameters, arguments)                                                     \
    static type watched_##name parameters                                                                    \
    {                                                                                                        \
        const struct watcher *watch = game->data;                                                            \
        const struct mp_game *inner = watch->inner;                                                          \
        watch_call(watch->calls, #name);                                                                     \
        type result = inner->member arguments;                                                               \
        watch_call(watch->calls, NULL);                                                                      \
        return result;                                                                                       \
    }
#define WATCH_VOID(name, member, parameters, arguments)                                                      \
    static void watched_##name parameters                                                                    \
    {                                                                                                        \
        const struct watcher *watch = game->data;                                                            \
        const struct mp_game *inner = watch->inner;                                                          \
        watch_call(watch->calls, #name);                                                                     \
        inner->member arguments;                                                                             \
        watch_call(watch->calls, NULL);                                                                      \
    }

/* clang-format off */
WATCH_VOID(initial, initial, (GAME, void *state), (inner, state))
WATCH(int, list, list,
      (GAME, const void *state, mp_move *moves, int capacity), (inner, state, moves, capacity))
WATCH_VOID(play, play, (GAME, const void *from, mp_move move, void *to), (inner, from, move, to))
WATCH(int, margin, margin, (GAME, const void *state), (inner, state))
WATCH(int, side, side, (GAME, const void *state), (inner, state))
WATCH(uint64_t, key, key, (GAME, const void *state), (inner, state))
WATCH(bool, parse_position, parse_position,
      (GAME, const char *text, void *state, struct mp_error *error), (inner, text, state, error))
WATCH(int, print_position, print_position,
      (GAME, const void *state, char *text, size_t size), (inner, state, text, size))
WATCH(int, print_move, print_move,
      (GAME, const void *state, mp_move move, char *text, size_t size), (inner, state, move, text, size))
WATCH(int, chances, chances, (GAME, const void *state, mp_move *outcomes, uint32_t *weights, int capacity),
      (inner, state, outcomes, weights, capacity))
WATCH(bool, drawn, drawn,
      (GAME, const void *state, const struct mp_history *history), (inner, state, history))
WATCH(uint64_t, history_key, history_key,
      (GAME, const void *state, const struct mp_history *history), (inner, state, history))
WATCH(bool, parse_move, parse_move,
      (GAME, const void *state, const char *text, mp_move *move, struct mp_error *error),
      (inner, state, text, move, error))
WATCH(bool, is_pass, is_pass, (GAME, mp_move move), (inner, move))
WATCH(int, draw, draw, (GAME, const void *state, char *text, size_t size), (inner, state, text, size))
WATCH_VOID(transform, transform, (GAME, const void *state, int way, void *to), (inner, state, way, to))
WATCH(int, print_record_move, print_record_move,
      (GAME, const void *state, mp_move move, char *text, size_t size), (inner, state, move, text, size))
WATCH(mp_value, final_value, final_value, (GAME, const void *state), (inner, state))
WATCH(int, count, count, (GAME, const void *state), (inner, state))
WATCH(uint64_t, perft, perft, (GAME, const void *state, int depth, bool drop), (inner, state, depth, drop))
WATCH(int, playout, playout, (GAME, const void *state, uint64_t seed), (inner, state, seed))
WATCH(bool, solve, solve,
      (GAME, const void *state, int depth, mp_value alpha, mp_value beta, mp_value *value, uint64_t *nodes),
      (inner, state, depth, alpha, beta, value, nodes))
WATCH_VOID(bounds, bounds,
           (GAME, const void *state, mp_value *low, mp_value *high), (inner, state, low, high))
WATCH_VOID(index_moves, ordering->index_moves,
           (GAME, const void *state, const mp_move *moves, int count, uint16_t *indices),
           (inner, state, moves, count, indices))
WATCH(int, list_scored, ordering->list_scored,
      (GAME, const void *state, int depth, mp_move *moves, int32_t *scores, int capacity),
      (inner, state, depth, moves, scores, capacity))
WATCH(int, list_quiet, selective->list_quiet,
      (GAME, const void *state, mp_move *moves, int capacity), (inner, state, moves, capacity))
WATCH(int, list_noisy, selective->list_noisy,
      (GAME, const void *state, mp_move *moves, int capacity), (inner, state, moves, capacity))
WATCH_VOID(gains, selective->gains,
           (GAME, const void *state, const mp_move *moves, int count, int32_t *gains),
           (inner, state, moves, count, gains))
WATCH(bool, exchange, selective->exchange,
      (GAME, const void *state, mp_move move, mp_value least), (inner, state, move, least))
WATCH(bool, in_check, selective->in_check, (GAME, const void *state), (inner, state))
WATCH(bool, gives_check, selective->gives_check,
      (GAME, const void *state, mp_move move), (inner, state, move))
WATCH(bool, null_move, selective->null_move, (GAME, const void *from, void *to), (inner, from, to))
WATCH(bool, recall, selective->recall,
      (GAME, const void *state, uint16_t low, mp_move *move), (inner, state, low, move))
WATCH(int, parts, selective->parts, (GAME, const void *state, uint64_t *parts), (inner, state, parts))
WATCH(int, plies, endgame->plies, (GAME, const void *state, int *most), (inner, state, most))
WATCH(int, list_features, features->list,
      (GAME, const void *state, int player, uint16_t *inputs), (inner, state, player, inputs))
WATCH(int, head, features->head, (GAME, const void *state), (inner, state))
WATCH_VOID(change, features->change,
           (GAME, const void *from, const void *to, int player, uint16_t *gone, int *gone_count,
            uint16_t *come, int *come_count),
           (inner, from, to, player, gone, gone_count, come, come_count))
WATCH(bool, known, features->known, (GAME, const void *state, mp_value *value), (inner, state, value))
WATCH(mp_value, worth, features->worth,
      (GAME, const void *state, const int32_t *shares), (inner, state, shares))
WATCH_VOID(prepare, features->prepare, (GAME, const void *state, void *scratch), (inner, state, scratch))
WATCH(int, list_child, features->list_child,
      (GAME, const void *state, const void *scratch, mp_move move, uint16_t *inputs, int *head,
       mp_value *known),
      (inner, state, scratch, move, inputs, head, known))
WATCH_VOID(describe, board->describe,
           (GAME, const void *state, struct mp_board *board), (inner, state, board))
WATCH(int, move_cells, board->move_cells,
      (GAME, const void *state, mp_move move, uint16_t *cells, int capacity),
      (inner, state, move, cells, capacity))
/* The evaluation of the game in whose place self stands. */
#define INNER_SELF (inner->evaluations + (self - watch->evaluations))
WATCH(mp_value, evaluate, evaluations[self - watch->evaluations].evaluate,
      (GAME, const struct mp_evaluation *self, const void *state), (inner, INNER_SELF, state))
WATCH(int, children, evaluations[self - watch->evaluations].children,
      (GAME, const struct mp_evaluation *self, const void *state, const mp_move *moves, int count,
       mp_value enough, mp_value *values),
      (inner, INNER_SELF, state, moves, count, enough, values))
/* clang-format on */

/* The game asks the evaluation of the search itself, and as the game that it is. */
static bool watched_solve_ending(GAME, const void *state, struct mp_ending *ending)
{
    const struct watcher *watch = game->data;
    const struct mp_evaluation *own = ending->evaluation;
    for (int i = 0; watch->evaluations[i].name; i++)
        if (own == &watch->evaluations[i])
            ending->evaluation = &watch->inner->evaluations[i];
    watch_call(watch->calls, "solve_ending");
    bool result = watch->inner->endgame->solve(watch->inner, state, ending);
    watch_call(watch->calls, NULL);
    ending->evaluation = own;
    return result;
}

static void watch_table(struct watcher *w)
{
#define TAKE(table, hook)                                                                                    \
    if ((table)->hook)                                                                                       \
    (table)->hook = watched_##hook
    struct mp_game *g = &w->game;
    TAKE(g, initial);
    TAKE(g, list);
    TAKE(g, play);
    TAKE(g, margin);
    TAKE(g, side);
    TAKE(g, key);
    TAKE(g, parse_position);
    TAKE(g, print_position);
    TAKE(g, print_move);
    TAKE(g, chances);
    TAKE(g, drawn);
    TAKE(g, history_key);
    TAKE(g, parse_move);
    TAKE(g, is_pass);
    TAKE(g, draw);
    TAKE(g, transform);
    TAKE(g, print_record_move);
    TAKE(g, final_value);
    TAKE(g, count);
    TAKE(g, perft);
    TAKE(g, playout);
    TAKE(g, solve);
    TAKE(g, bounds);
    TAKE(&w->ordering, index_moves);
    TAKE(&w->ordering, list_scored);
    TAKE(&w->selective, list_quiet);
    TAKE(&w->selective, list_noisy);
    TAKE(&w->selective, gains);
    TAKE(&w->selective, exchange);
    TAKE(&w->selective, in_check);
    TAKE(&w->selective, gives_check);
    TAKE(&w->selective, null_move);
    TAKE(&w->selective, recall);
    TAKE(&w->selective, parts);
    TAKE(&w->board, describe);
    TAKE(&w->board, move_cells);
    if (w->features.list)
        w->features.list = watched_list_features;
    TAKE(&w->features, head);
    TAKE(&w->features, change);
    TAKE(&w->features, known);
    TAKE(&w->features, worth);
    TAKE(&w->features, prepare);
    TAKE(&w->features, list_child);
    TAKE(&w->endgame, plies);
    if (w->endgame.solve)
        w->endgame.solve = watched_solve_ending;
    for (struct mp_evaluation *e = w->evaluations; e->name; e++) {
        TAKE(e, evaluate);
        TAKE(e, children);
    }
#undef TAKE
}

struct watcher *watch_new(const struct mp_game *game, struct watch_calls *calls)
{
    size_t count = 0;
    while (game->evaluations[count].name)
        count++;
    struct watcher *w = calloc(1, sizeof *w + (count + 1) * sizeof *w->evaluations);
    if (!w)
        return NULL;
    w->game = *game;
    w->inner = game;
    w->calls = calls;
    w->ordering = *game->ordering;
    w->selective = *game->selective;
    w->board = *game->board;
    if (game->features) {
        w->features = *game->features;
        w->game.features = &w->features;
    }
    if (game->endgame) {
        w->endgame = *game->endgame;
        w->game.endgame = &w->endgame;
    }
    for (size_t i = 0; i < count; i++)
        w->evaluations[i] = game->evaluations[i];
    w->game.ordering = &w->ordering;
    w->game.selective = &w->selective;
    w->game.board = &w->board;
    w->game.evaluations = w->evaluations;
    w->game.data = w;
    watch_table(w);
    return w;
}

const struct mp_game *watch_game(const struct watcher *watch)
{
    return &watch->game;
}

void watch_free(struct watcher *watch)
{
    free(watch);
}

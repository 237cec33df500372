/* worker.h - all that one searching thread owns: the line it is on, its moves, its counters. A worker is
 * used by one thread at a time; everything it needs is allocated before the search begins. */
#ifndef SEARCH_WORKER_H
#define SEARCH_WORKER_H

#include "manyply/manyply.h"
#include "search/accumulators.h"
#include "search/control.h"
#include "search/line.h"
#include "search/moves.h"
#include "search/order.h"
#include "search/settings.h"
#include "search/table.h"

#include <string.h>

/* No helper reads the line of this worker, which begins one frame before the root. */
enum { WORKER_ALONE = -2 };

enum { WORKER_CHECK_NODES = 256 };

/* What the selective search knows of each ply of the line. */
struct frame {
    mp_value eval;  /* static, of the state at the ply; MP_INFINITE: not known */
    uint16_t index; /* of the move that led to the ply */
};
enum { FRAME_NO_MOVE = UINT16_MAX }; /* nobody knows how the root came about; or the turn was handed over */

/* The moves that may be searched at the root. Written between iterations only. */
struct root_moves {
    const mp_move *only; /* these, if there are any ... */
    int only_count;
    mp_move excluded[MP_MAX_LINES]; /* ... without these */
    int excluded_count;
    bool outcome;    /* where the search goes to the end of the game, only who wins is to be found */
    bool has_window; /* the value matters only as far as it is between these; outside, a bound will do */
    mp_value alpha, beta;
};

struct node;
struct node_hooks;
struct learned;
struct worker;

/* Searches move i of a node, as `search_move` does, and notes it. */
typedef mp_value watch_function(struct worker *worker, const struct node *node, int i,
                                mp_value (*search_move)(struct worker *, const struct node *, int));

/* A static value by the key of its state. No state has the key 0 of an empty place, as good as certainly. */
struct valued {
    uint64_t key;
    mp_value value;
};
enum { VALUED_BITS = 14 };

struct worker {
    const struct mp_game *game;
    const struct settings *settings;
    struct control *control;
    struct table *table;            /* null: none */
    const struct node_hooks *hooks; /* how a parallel scheme takes part; null: sequential */
    void *scheme;                   /* for the hooks */
    watch_function *watch;          /* for those who follow the search; null: nobody does */
    struct node *open;              /* the innermost node that takes part in the scheme, or null */

    bool judges;       /* the selective search may leave out moves of this game */
    bool stopped;      /* the search is over; values are meaningless from here on */
    uint64_t check_at; /* poll the clock and the stop flag when counters.nodes gets here */
    uint64_t reported; /* nodes already added to control->nodes */
    /* The same, for other threads to read at any time: relaxed, it is only a number. */
    _Atomic uint64_t shown;
    struct mp_counters counters;
    uint64_t borrowed; /* answers that hold at their depth only, and nodes where moves may be left out */
    int root_side;
    int shared_ply; /* the last ply of its own at which helpers may be at work, or WORKER_ALONE */
    int distance;   /* 1 if proven values count plies (MP_SCORE_WIN), else 0 */

    struct line line;
    struct moves moves;
    struct order order;

    mp_move (*pv)[MP_MAX_PV]; /* the expected line from each ply on */
    int *pv_length;
    double standard_error; /* of the value at the root, where games were sampled */

    uint64_t move_since; /* counters.nodes when the present move of the root was begun */
    uint64_t best_nodes; /* what the best move of the root took */

    const struct root_moves *root_moves; /* null: all */

    /* Called when the value of the root is outside of the window it was expected in; may be null. */
    void (*report_bound)(void *context, int depth, mp_value value, int bound);
    void *report_context;

    struct frame *frames;              /* the selective search's, from ply -1 on; null without it */
    struct learned *learned;           /* the same */
    struct accumulators *accumulators; /* null: the evaluation is not a network */
    struct valued *valued;             /* what the evaluation said before; null: it is asked again */
};

bool worker_init(struct worker *worker, const struct mp_game *game, const struct settings *settings,
                 struct control *control, struct table *table, struct mp_error *error);
void worker_free(struct worker *worker);

/* Puts a position at ply 0 and clears the counters. */
bool worker_set_root(struct worker *worker, const void *state, const struct mp_history *history,
                     struct mp_error *error);

/* The same for counters alone. */
void worker_clear_counters(struct worker *worker);

/* Polls the clock, the limits and the stop flag. */
void worker_poll(struct worker *worker);

/* The moves at ply, on the stack; worker_drop takes them off again. */
struct move_list worker_list(struct worker *worker, int ply);
struct move_list worker_list_scored(struct worker *worker, int ply, int depth);
struct move_list worker_chances(struct worker *worker, int ply); /* scores are the weights */

/* The scores of a list become the static values of the states its moves lead to, for the side to move there, up to the
 * first that is `enough` or less; how many there are. Uses the place after ply. */
int worker_value_children(struct worker *worker, int ply, struct move_list list, mp_value enough);

/* The scores of a list become the static values of its moves, for the side to move at ply. */
void worker_value_moves(struct worker *worker, int ply, struct move_list list);

/* The scores of a list become 1 where the game calls a move noisy, else 0. */
void worker_mark_noisy(struct worker *worker, int ply, struct move_list list);

/* Adds what a function of the game lists to the end of a list that is on top of the stack. */
typedef int list_function(const struct mp_game *game, const void *state, mp_move *moves, int capacity);
void worker_list_more(struct worker *worker, int ply, list_function *list_moves, struct move_list *list);

/* May the search play this move at this ply? Only at the root there can be a reason why not. */
bool worker_may_play(const struct worker *worker, int ply, mp_move move);

static inline void worker_drop(struct worker *worker, struct move_list list)
{
    moves_drop(&worker->moves, list);
}

static inline void *worker_state(const struct worker *worker, int ply)
{
    return line_state(&worker->line, ply);
}

/* Plays a move from ply to ply + 1. */
static inline void worker_play(struct worker *worker, int ply, mp_move move)
{
    line_play(&worker->line, ply, move);
}

/* A node above the horizon. Its children may be at the horizon, where nothing but this is left to note. */
static inline void worker_count_node(struct worker *worker, int ply)
{
    worker->counters.nodes++;
    worker->pv_length[ply] = worker->pv_length[ply + 1] = 0;
    if (ply >= worker->counters.max_ply)
        worker->counters.max_ply = ply + 1;
}

/* An evaluation counts the plies to the end of a game from the state, a search from the root. */
static inline mp_value worker_from_root(const struct worker *worker, mp_value value, int ply)
{
    if (value > MP_PROVEN)
        return value - worker->distance * ply;
    return value < -MP_PROVEN ? value + worker->distance * ply : value;
}

/* Are moves left out at this ply, so that its value is not that of the position? */
static inline bool worker_is_filtered(const struct worker *worker, int ply)
{
    const struct root_moves *root = worker->root_moves;
    return ply == 0 && root && (root->only_count > 0 || root->excluded_count > 0);
}

/* What the evaluation says of the state at ply, as if the game were at its root. */
static inline mp_value worker_static(struct worker *worker, int ply)
{
    const struct mp_evaluation *evaluation = worker->settings->evaluation;
    if (worker->accumulators)
        return accumulators_value(worker->accumulators, &worker->line, ply);
    const void *state = worker_state(worker, ply);
    if (!worker->valued)
        return evaluation->evaluate(worker->game, evaluation, state);
    uint64_t key = worker->game->key(worker->game, state);
    struct valued *known = &worker->valued[key & ((1 << VALUED_BITS) - 1)];
    if (known->key != key)
        *known = (struct valued){key, evaluation->evaluate(worker->game, evaluation, state)};
    return known->value;
}

/* The evaluation of the state at ply. */
static inline mp_value worker_evaluate(struct worker *worker, int ply)
{
    worker->counters.leaves++;
    worker->counters.leaf_plies += (uint64_t)ply;
    return worker_from_root(worker, worker_static(worker, ply), ply);
}

/* The value of a state at the horizon, one ply below a node that has been counted. */
static inline mp_value worker_leaf(struct worker *worker, int ply)
{
    worker->counters.nodes++;
    return line_drawn(&worker->line, ply) ? 0 : worker_evaluate(worker, ply);
}

/* Can the children of a node one ply above the horizon be valued in one call? */
static inline bool worker_has_frontier(const struct worker *worker)
{
    return (worker->accumulators || worker->settings->evaluation->children) && !worker->line.keys;
}

/* The value of such a node, whose moves are listed: what searching them one by one gives, in the same order
 * and with the same counters, up to a cut-off at beta. Uses the place of the scores. */
mp_value worker_frontier(struct worker *worker, int ply, struct move_list list, mp_value alpha,
                         mp_value beta);

/* The value of a node one ply above the horizon, whose moves are not listed yet. */
mp_value worker_last_ply(struct worker *worker, int ply, mp_value alpha, mp_value beta);

/* Goes up whenever a value begins to depend on the depth of the search: an evaluation at the horizon, or
 * something taken over that may rest on one. A subtree in which it stays what it was has been searched
 * whole. */
static inline uint64_t worker_open_ends(const struct worker *worker)
{
    return worker->counters.leaves + worker->borrowed;
}

/* Does a value count the plies to an end of the game that an exact search has found? No sooner end exists, so
 * no deeper search finds another value. */
static inline bool worker_counts_to_end(const struct worker *worker, mp_value value)
{
    return (value > MP_PROVEN || value < -MP_PROVEN) && worker->distance && worker->settings->exact;
}

/* Does the value of a node hold at every greater depth, too? */
static inline bool worker_is_complete(const struct worker *worker, uint64_t open_ends_before, mp_value value)
{
    return worker_open_ends(worker) == open_ends_before || worker_counts_to_end(worker, value);
}

/* Takes the answer of a table. */
static inline void worker_borrow(struct worker *worker, const struct table_entry *entry)
{
    worker->borrowed += !entry->complete;
}

/* How many plies most lines have from a node that is searched to the end of the game; 0: it is not, or the game does not
 * know. */
static inline int worker_plies_to_end(const struct worker *worker, int ply, int depth)
{
    const struct mp_endgame *endgame = worker->game->endgame;
    int most, plies = endgame ? endgame->plies(worker->game, worker_state(worker, ply), &most) : 0;
    return plies > 0 && depth >= most ? plies : 0;
}

/* Does the game search the state at ply, below the root, to its end by itself? *value is then its value. */
bool worker_ends(struct worker *worker, int ply, int depth, mp_value alpha, mp_value beta, mp_value *value);

static inline bool worker_solve(struct worker *worker, int ply, int depth, mp_value alpha, mp_value beta,
                                mp_value *value)
{
    const struct mp_game *game = worker->game;
    if (ply == 0)
        return false;
    if (game->endgame)
        return worker_ends(worker, ply, depth, alpha, beta, value);
    if (!game->solve)
        return false;
    /* A selective search does not promise what minimax says at the depth: it takes a win however far it is. */
    int within = worker->settings->selective && worker->distance ? MP_MAX_PLY : depth;
    bool solved = game->solve(game, worker_state(worker, ply), within, alpha, beta, value,
                              &worker->counters.nodes);
    if (solved)
        *value = worker_from_root(worker, *value, ply);
    return solved;
}

/* What every search asks first at a node above the horizon. True: *value is settled, because the search has
 * been stopped or the game is drawn. */
__attribute__((always_inline)) static inline bool worker_settled(struct worker *worker, int ply,
                                                                 mp_value *value)
{
    worker_count_node(worker, ply);
    if (worker->counters.nodes >= worker->check_at)
        worker_poll(worker);
    *value = 0;
    return worker->stopped || (ply > 0 && line_drawn(&worker->line, ply));
}

/* The value of a finished game at ply. */
static inline mp_value worker_final(const struct worker *worker, int ply)
{
    return mp_state_final_value(worker->game, worker_state(worker, ply), ply);
}

/* Does chance decide at ply? */
static inline bool worker_is_chance(const struct worker *worker, int ply)
{
    const struct mp_game *game = worker->game;
    return game->chances && game->chances(game, worker_state(worker, ply), NULL, NULL, 0) > 0;
}

/* The value where chance decides: the mean over the outcomes, each searched with a full window. */
mp_value worker_chance_value(struct worker *worker, int ply, int depth);

/* The mean, rounded to the nearest, halves away from zero: a pure function of the children. */
static inline mp_value mean_value(int64_t sum, int64_t weight)
{
    return (mp_value)((2 * sum + (sum < 0 ? -weight : weight)) / (2 * weight));
}

/* The owner's expected line at ply is this move and the line below it that the finder, mostly the owner
 * itself, has found. */
static inline void worker_take_pv(struct worker *owner, const struct worker *finder, int ply, mp_move move)
{
    int below = finder->pv_length[ply + 1];
    mp_move *pv = owner->pv[ply];
    pv[0] = move;
    if (below > MP_MAX_PV - 1)
        below = MP_MAX_PV - 1;
    for (int i = 0; i < below; i++)
        pv[i + 1] = finder->pv[ply + 1][i];
    owner->pv_length[ply] = below + 1;
}

static inline void worker_set_pv(struct worker *worker, int ply, mp_move move)
{
    worker_take_pv(worker, worker, ply, move);
}

/* Puts a worker where another is: the same state at ply, reached by the same line. The other must not leave
 * ply meanwhile. */
static inline void worker_join(struct worker *worker, const struct worker *other, int ply)
{
    if (worker == other)
        return;
    int first = worker->shared_ply; /* up to there the lines are the same, and others may be reading */
    line_join(&worker->line, &other->line, first, ply);
    if (worker->frames)
        memcpy(worker->frames + first + 1, other->frames + first + 1,
               (size_t)(ply - first) * sizeof *worker->frames);
    order_learn_from(&worker->order, &other->order, ply);
}

/* Whose node is it? Cut-offs at the root side's nodes are beta cut-offs. */
static inline void worker_count_cut(struct worker *worker, int ply)
{
    const struct mp_game *game = worker->game;
    bool own = game->chances ? game->side(game, worker_state(worker, ply)) == worker->root_side
                             : ply % 2 == 0;
    if (own)
        worker->counters.beta_cuts++;
    else
        worker->counters.alpha_cuts++;
}

#endif

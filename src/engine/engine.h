/* engine.h - a search: what it keeps between runs, and how a run goes from its request to its result.
 *
 * mp_search_run makes a request and hands it to the driver of the algorithm. There are two: `deepening` searches
 * the root to depth 1, 2, 3, ... and `sampling` grows a tree until it has seen enough. Both have the crew do
 * the work, tell what they find on the way, and leave the best of it in the result. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "parallel/crew.h"
#include "strategy/strategy.h"

struct mp_search {
    struct mp_strategy *strategy;
    const struct mp_game *opened; /* as the caller has it */
    struct mp_game *own;          /* a copy where the name of a strategy implies an option of it; else null */
    struct control control;
    struct root_moves root;
    struct {
        bool is_set;
        mp_value alpha, beta;
    } window; /* of the next run */
    struct table *table;
    struct crew crew;
    struct mp_history history;             /* of the position of this run */
    void *data;                            /* the driver's own */
    mp_move *moves;                        /* root.only, where a run has a choice of moves */
    struct iteration *found[MP_MAX_LINES]; /* as many as any run so far has looked for */
    int line_count;
    struct trace *trace;      /* null: nobody follows */
    int64_t start_ns, end_ns; /* of the last run */
    int64_t iteration_ns;     /* when the present iteration began */
    uint64_t iteration_nodes; /* of thread 0, at that time */
};

/* What a run is to do. */
struct request {
    int first_depth, last_depth;
    uint64_t iterations; /* of a search that samples */
    bool may_use_book;   /* only the best move is asked for, within limits */
    int lines;           /* best moves to find, at least 1 and at most as many as there are */
    void (*report)(
        void *context); /* the result has changed: after each iteration, once for each line, the best first */
    void *context;
};

struct driver {
    bool (*open)(struct mp_search *search, struct mp_error *error); /* null: it keeps nothing of its own */
    void (*close)(struct mp_search *search);
    void (*forget)(struct mp_search *search); /* what earlier runs have learned */
    /* The tree that has been grown (mp_search_tree); null: none is. */
    int (*show)(const struct mp_search *search, int most,
                void (*see)(void *context, const struct mp_piece *piece, const void *state), void *context);
    /* The workers have their roots, and the limits are set. Fills move, value, depth, line, pv, exact, complete
     * and stopped. Whatever the result is in the end has been reported, unless it is iteration_guess. */
    bool (*run)(struct mp_search *search, const struct request *request, struct mp_result *result,
                struct mp_error *error);
};
extern const struct driver deepening, sampling;

/* The game that is searched. */
static inline const struct mp_game *engine_game(const struct mp_search *search)
{
    return search->own ? search->own : search->opened;
}

/* end_line.c: adds to a line of this depth what is missing up to the end of the game, where the game searched that by itself.
 * Not during an iteration. */
void end_line(struct worker *worker, int depth, struct iteration *line);

/* Runs to a depth, or to a number of nodes (0: any), with a window: the value is exact between alpha and beta, and outside a
 * bound on the right side. For whoever searches a part of a tree; the move is a legal one and no more. */
bool engine_run_window(struct mp_search *search, const struct mp_position *position, int depth,
                       uint64_t nodes, mp_value alpha, mp_value beta, struct mp_result *result,
                       struct mp_error *error);

/* follow.c: the run as a timeline. depth is that of the iteration that begins, or has ended. */
void follow_begin(struct mp_search *search, int depth);
void follow_iteration(struct mp_search *search, int depth);
void follow_end(struct mp_search *search);

#endif

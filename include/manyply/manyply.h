/* manyply.h - search game trees on every core you have.
 *
 * Open a game, set up a position, describe a search in a line of text, run it:
 *
 *     struct mp_error error;
 *     struct mp_game *game = mp_game_open("othello", &error);
 *     struct mp_position *position = mp_position_new(game, NULL, &error);
 *     struct mp_search *search = mp_search_new(game, "pvs,depth=8", &error);
 *     struct mp_result result = {MP_SIZE(struct mp_result)};
 *     if (mp_search_run(search, position, NULL, NULL, &result, &error))
 *         ... result.move, result.value, result.counters.nodes ...
 *
 * Functions that can fail return false or null and write one sentence to *error (which may be null).
 * The library never prints, never exits and has no global state that changes: objects are independent,
 * and two searches can run at once. An object may be used by one thread at a time, except where a
 * function says otherwise, and except a game, which does not change once it is open. Free objects in the reverse
 * order of their making: a game last, for positions, strategies and searches refer to it. docs/library.md tells
 * more, with two programs to copy. */
#ifndef MANYPLY_MANYPLY_H
#define MANYPLY_MANYPLY_H

#include <manyply/game.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MP_API __attribute__((visibility("default")))

MP_API const char *mp_version(void);

/* The CPUs this process may use (affinity and cgroup), at least 1; the default number of threads. */
MP_API int mp_cpu_count(void);

/* ---- Games ------------------------------------------------------------------------------------------ */

/* The built-in games by number, from 0; null: there is no such number. */
MP_API const char *mp_game_name(int index);

/* Opens a built-in game, or the plug-in in a file (a name with a '/'), with options if wanted:
 * "othello", "./connect4.so", "halma:rules=free". A plug-in that breaks a promise of game.h in its first positions
 * is refused; so that it may crash there, it is looked at in a child process, for a few milliseconds. */
MP_API struct mp_game *mp_game_open(const char *name, struct mp_error *error);
MP_API void mp_game_close(struct mp_game *game);

/* ---- Positions: a state and how it came about -------------------------------------------------------- */

struct mp_position;

/* text in the notation of the game; null: the initial position. */
MP_API struct mp_position *mp_position_new(const struct mp_game *game, const char *text,
                                           struct mp_error *error);
MP_API struct mp_position *mp_position_copy(const struct mp_position *position, struct mp_error *error);
MP_API void mp_position_free(struct mp_position *position);

MP_API const struct mp_game *mp_position_game(const struct mp_position *position);
MP_API const void *mp_position_state(const struct mp_position *position);
MP_API struct mp_history mp_position_history(const struct mp_position *position);

/* The moves and outcomes of chance played so far; *count is how many. Belongs to the position, until the next
 * move. */
MP_API const mp_move *mp_position_played(const struct mp_position *position, size_t *count);

/* Plays one move, which must be legal (or an outcome of chance). A drawn game can be played on, see below. */
MP_API bool mp_position_play(struct mp_position *position, mp_move move, struct mp_error *error);

/* Plays a record: moves with or without blanks or commas between them ("f5d6c3", "f5 d6, c3"; the longest
 * move that fits, where moves have blanks themselves: "31 8/5 6/5 42"). On an error the position is left as
 * it was. */
MP_API bool mp_position_play_text(struct mp_position *position, const char *record, struct mp_error *error);

/* The legal moves, or the outcomes where chance decides (weights may be null; 1 each for a player's
 * moves). Writes as far as they fit, returns how many there are, whether or not the game is drawn; 0: nobody
 * can go on. */
MP_API int mp_position_moves(const struct mp_position *position, mp_move *moves, uint32_t *weights,
                             int capacity);
MP_API bool mp_position_is_chance(const struct mp_position *position);

/* Is the game drawn here by a rule that leaves the moves as they are: a position that has come again, a count
 * of moves, too few pieces to win? To call that the end is up to the caller. Moves go on to be listed, read,
 * played and searched, because a record, a protocol or an analysis may go on where a player did not claim the
 * draw; a game that is played to its end asks mp_position_is_over. */
MP_API bool mp_position_drawn(const struct mp_position *position);

/* Is the game over by its rules: no move is left, or it is drawn? Not where chance decides. */
MP_API bool mp_position_is_over(const struct mp_position *position);

/* The margin of a position that is over for player 0 (> 0: player 0 has won); 0 where the game is drawn. */
MP_API int mp_position_margin(const struct mp_position *position);

/* The board of this position, for programs that draw it. False: the game does not describe one. */
MP_API bool mp_position_board(const struct mp_position *position, struct mp_board *board);

/* How a board is drawn. */
struct mp_svg {
    uint32_t struct_size; /* set by the caller: no more than that is read */
    bool flipped;         /* turned around */
    int width;            /* in pixels; 0: as wide as there is room */
    int arrow_count;
    const mp_move *arrows;      /* moves of the position, drawn as arrows */
    const char *const *colours; /* one for each, such as "#c33" or "green"; null: amber */
};

/* The board as an SVG document that needs nothing else, for reports and notebooks; how may be null. As
 * mp_position_text; 0: the game does not describe a board. */
MP_API int mp_position_svg(const struct mp_position *position, const struct mp_svg *how, char *text,
                           size_t size);

/* The player to move, or for whom the dice are thrown: 0 or 1. */
MP_API int mp_position_side(const struct mp_position *position);

/* The position, a legal move in it, or a line of moves from it (with blanks between them) in the notation of the game.
 * At most size bytes with the final zero; returns the length of the whole text, as snprintf does. */
MP_API int mp_position_text(const struct mp_position *position, char *text, size_t size);
MP_API int mp_position_move_text(const struct mp_position *position, mp_move move, char *text, size_t size);
MP_API int mp_position_line_text(const struct mp_position *position, const mp_move *moves, int count,
                                 char *text, size_t size);

/* What an evaluation of the game says of the position, for the side to move; null: the default one. */
MP_API bool mp_position_evaluate(const struct mp_position *position, const char *evaluation, mp_value *value,
                                 struct mp_error *error);

/* A value for people: "+12", "win by 38", "loss in 4 plies", "+0.301" points. As mp_position_text. */
MP_API int mp_value_text(const struct mp_game *game, mp_value value, char *text, size_t size);

/* Reads a move in this position. */
MP_API bool mp_position_parse_move(const struct mp_position *position, const char *text, mp_move *move,
                                   struct mp_error *error);

/* The outcome of chance in a position where chance decides (and in no other): a pure function of the seed, the number
 * of the game and how many throws came before it, the same on every machine and whatever the number of threads. It is
 * not played. */
MP_API mp_move mp_position_throw(const struct mp_position *position, uint64_t seed, uint64_t game,
                                 uint64_t throws_before);

/* ---- Strategies: how a game is searched ---------------------------------------------------------------- */

struct mp_strategy;

/* From its text form, `algorithm,key=value,...`; `manyply strategies` lists them all. Null: the default of the game,
 * on one thread (set split=auto for all CPUs) and without a limit of its own (but with dice, where every ply takes
 * hundreds of times as long, to depth 2). mp_search_run ends a search without one at the default depth, or number of
 * iterations, of its algorithm. */
MP_API struct mp_strategy *mp_strategy_new(const struct mp_game *game, const char *text,
                                           struct mp_error *error);
MP_API struct mp_strategy *mp_strategy_copy(const struct mp_strategy *strategy, struct mp_error *error);
MP_API void mp_strategy_free(struct mp_strategy *strategy);

/* Gives a key a value, instead of what it had; null: back to its default. The keys of a scheme (threads= too) go with
 * split=. What the algorithm does not have, or what does not go with the other keys, is refused, and the
 * strategy is as it was. */
MP_API bool mp_strategy_set(struct mp_strategy *strategy, const char *key, const char *value,
                            struct mp_error *error);

/* The same for a number, and for several keys at once (`split=root,chunk=10`), which need go together only in the end. */
MP_API bool mp_strategy_set_number(struct mp_strategy *strategy, const char *key, int64_t value,
                                   struct mp_error *error);
MP_API bool mp_strategy_set_all(struct mp_strategy *strategy, const char *keys, struct mp_error *error);

/* Does its algorithm have this key? */
MP_API bool mp_strategy_has(const struct mp_strategy *strategy, const char *key);

/* The value that a key was given, as it was given; null: it was not. */
MP_API const char *mp_strategy_given(const struct mp_strategy *strategy, const char *key);

/* The value of a key as the search will run: given, default or chosen (the scheme of split=auto). At most size bytes
 * with the final zero. False, and an empty text: it means nothing for this strategy. */
MP_API bool mp_strategy_get(const struct mp_strategy *strategy, const char *key, char *text, size_t size);

/* Does it say itself when a search ends, by a depth, a time or a number of anything? */
MP_API bool mp_strategy_is_limited(const struct mp_strategy *strategy);

/* All keys that say something, in a fixed order: the same search, if it is read again. Belongs to the strategy, until
 * the next change. */
MP_API const char *mp_strategy_text(const struct mp_strategy *strategy);

/* The algorithm and the keys that were given, and nothing else: "pvs,time=2s,split=auto". At most size bytes with the
 * final zero; returns text. */
MP_API char *mp_strategy_asked(const struct mp_strategy *strategy, char *text, size_t size);

/* ---- Searches --------------------------------------------------------------------------------------- */

enum { MP_MAX_PV = 256, MP_MAX_THREADS = 256, MP_MAX_DEPTH = 255, MP_MAX_LINES = 256 };

/* Everything is counted. Sums over all threads. */
struct mp_counters {
    uint64_t nodes;        /* states visited, leaves included */
    uint64_t leaves;       /* evaluations at the horizon */
    uint64_t alpha_cuts;   /* cut-offs at nodes of the opponent */
    uint64_t beta_cuts;    /* cut-offs at nodes of the side to move at the root */
    uint64_t table_probes; /* transposition table: asked, and answered with the same position */
    uint64_t table_hits;
    uint64_t tasks_created; /* pieces of work for other threads; run by their owner, by another thread,
                               or given up because the answer no longer mattered */
    uint64_t tasks_local;
    uint64_t tasks_stolen;
    uint64_t tasks_cancelled;
    uint64_t wasted_nodes; /* of nodes, those visited by tasks that were given up */
    uint64_t leaf_plies;   /* sum of the plies of the leaves: leaf_plies / leaves is the mean depth */
    int max_ply;           /* the deepest state visited */
    uint64_t alternatives; /* horizon: root moves searched, and the sum of the deepest ply below each */
    uint64_t alternative_plies;
    uint64_t iterations; /* Monte-Carlo search: ways from the root to a leaf, and playouts from there */
    uint64_t playouts;
    uint64_t reserved[8]; /* for counters to come */
};

struct mp_result {
    uint32_t struct_size; /* set by the caller: no more than that is written */
    mp_move move;         /* always legal */
    mp_value value;       /* for the side to move */
    bool exact;           /* value is what plain minimax says at this depth with this evaluation */
    bool stopped;         /* a limit or mp_search_stop ended the search before its depth */
    bool complete; /* the whole tree was searched, or as much of it as can matter: at every greater depth the
                       value is the same, so the search ended early */
    int depth;     /* the deepest finished iteration, at least 1 */
    int line;      /* which of several lines this is, from 1 on; the best at the end of a run */
    int bound;     /* 0; 1 or -1 in reports only: the value is at least or at most this */
    int threads;   /* how many searched */
    double seconds;
    struct mp_counters counters;
    int pv_length;
    mp_move pv[MP_MAX_PV];               /* the line both sides are expected to play; pv[0] is move */
    double standard_error;               /* of value, in its units, where games were sampled; else 0 */
    double busy_seconds[MP_MAX_THREADS]; /* per thread; it was idle for the rest of seconds */
    double effort; /* the share of the nodes of the last iteration that the move took; 0: not known, as on
                    * several threads */
};

struct mp_search;

/* A search by a strategy, of which it keeps a copy; or by the text of one (null: the default of the game). */
MP_API struct mp_search *mp_search_with(const struct mp_strategy *strategy, struct mp_error *error);
MP_API struct mp_search *mp_search_new(const struct mp_game *game, const char *strategy,
                                       struct mp_error *error);
MP_API void mp_search_free(struct mp_search *search);

/* The strategy with all its keys, as it will run. Belongs to the search. */
MP_API const char *mp_search_strategy(const struct mp_search *search);

/* Called on the searching thread after each finished iteration, for each of its lines, the best first, with
 * the result so far; once more if a run that is stopped in an iteration has found a better move in it; and in
 * between, if mp_limits.bounds asks for it, when a value is outside of what was expected. */
typedef void (*mp_progress)(const struct mp_result *so_far, void *context);

/* Searches until done, a limit is reached or mp_search_stop. During the run the position must not be played on or
 * freed; afterwards the search does not need it. It must be one of the search's game,
 * with a player to move who has a legal move; else the run is refused, and all is as if it had not been asked
 * for (but a stop is taken back, as by any run). A position that is drawn is searched as if it were not, and
 * the draws behind it count. What the transposition table has learned is kept for the next run. */
MP_API bool mp_search_run(struct mp_search *search, const struct mp_position *position, mp_progress progress,
                          void *context, struct mp_result *result, struct mp_error *error);

/* The limits of one run. A number below 0 is refused. */
struct mp_limits {
    uint32_t struct_size; /* set by the caller: no more than that is read */
    int depth;      /* 0: as deep as there is time. Monte-Carlo search has no depth: limited by it alone,
                     * it makes the iterations of its strategy */
    uint64_t nodes; /* 0: any number */
    double seconds; /* 0: any length */
    const mp_move *moves; /* search only these moves of the position; one that is not legal is refused ... */
    int move_count;       /* ... if there are any; one that is there twice counts once */
    int lines;            /* find this many best moves, each with its line; 0 is 1 */
    bool bounds;          /* report values outside of what was expected, too */
    /* Where the end of the game is in sight (endgame of game.h), find out only who wins: the value is then a bound
     * that has the right sign, which is not exact, and of several moves that win any one will do. */
    bool outcome;
};

/* The limits of a run by the strategy, to be changed in part: for several lines, or some moves. The caller sets
 * struct_size. */
MP_API void mp_strategy_limits(const struct mp_strategy *strategy, struct mp_limits *limits);

/* The same within limits that replace those of the strategy. A run without any ends only by
 * mp_search_stop. */
MP_API bool mp_search_run_within(struct mp_search *search, const struct mp_position *position,
                                 const struct mp_limits *limits, mp_progress progress, void *context,
                                 struct mp_result *result, struct mp_error *error);

/* Forgets all that earlier runs have learned: the next one is as the first. Not during a run. */
MP_API void mp_search_forget(struct mp_search *search);

/* How full the transposition table is with what the last run has learned, in thousandths. Any thread, during
 * a run too. */
MP_API int mp_search_table_fill(const struct mp_search *search);

/* Ends the run that is under way within 5 ms. Without one it ends the next run at once, so that a stop
 * cannot be lost between the decision to search and the search; a run takes the stop back when it returns,
 * and so does mp_search_clear_stop. Any thread may call both, also a signal handler. */
MP_API void mp_search_stop(struct mp_search *search);
MP_API void mp_search_clear_stop(struct mp_search *search);

/* ---- What the threads do ----------------------------------------------------------------------------- */

enum mp_doing { MP_RESTING, MP_SEARCHING, MP_HELPING, MP_WAITING };

/* What one thread does at this moment. */
struct mp_activity {
    uint32_t struct_size; /* set by the caller, as in all structs that the library fills */
    enum mp_doing doing;  /* nothing; its own work; a task of another thread; waiting for others */
    bool has_state;       /* the place of its present task in the tree is known: */
    int ply, depth;       /* plies from the root, and still to search */
    bool has_move;        /* the task is one move there */
    mp_move move;
    double seconds; /* since it began with that */
    uint64_t nodes; /* visited in this run so far, to a few hundred */
};

/* From the next run on, follow what each thread does: mp_search_activity tells the present, and up to
 * `slices` pieces of work per thread (0: none; the longest are kept) are remembered for
 * mp_search_write_trace. Costs less than 2% of the time. Between runs. */
MP_API bool mp_search_follow(struct mp_search *search, int slices, struct mp_error *error);

/* What a thread (0 .. threads - 1 of the result) of a search that is followed does now; false: there is no
 * such thread, or nobody follows. state, if not null, receives the position of its task (state_size bytes of
 * the game) where has_state. Any thread may call it at any time between mp_search_follow and mp_search_free,
 * during a run too: what is read is a consistent copy, and no lock is taken. */
MP_API bool mp_search_activity(const struct mp_search *search, int thread, struct mp_activity *activity,
                               void *state);

enum mp_piece_kind {
    MP_PIECE_ITERATION, /* thread 0: a depth of the whole search */
    MP_PIECE_SPLIT,     /* a node that others may help with, until everybody has left it */
    MP_PIECE_TASK,      /* a move there */
    MP_PIECE_HELP,      /* at another thread's node: it begins with a steal */
    MP_PIECE_STOLEN,    /* a move there */
    MP_PIECE_WAIT,      /* for the helpers at one's own node */
    MP_PIECE_MOVE,      /* a move at a node that one has to oneself */
    MP_PIECE_GROWN,     /* no work, but a node of the tree of a Monte-Carlo search (mp_search_tree) */
};

/* A piece of work of one thread, from its beginning to its end. */
struct mp_piece {
    uint32_t struct_size; /* set by the library */
    enum mp_piece_kind kind;
    int thread;
    uint64_t id, parent; /* its number in the run, and of what it is a part, whoever did that; 0: of nothing */
    double start, end;   /* seconds since the run began */
    uint64_t nodes;      /* that this thread visited meanwhile */
    int ply, depth;      /* ply -1: its place in the tree is not known */
    bool has_move;       /* it is this move there */
    mp_move move;
    bool is_given_up; /* the answer no longer mattered */
    bool has_window, has_value;
    mp_value alpha, beta, value; /* for the side to move at its place */
};

/* Calls `see` for the pieces of work of a thread in the last or present run that ended more than `after` seconds after
 * its beginning, in the order of their ends; state is that of their place, or null. Those that mp_search_follow keeps,
 * so a short one that was seen during a run may not be there after it. False: there is no such thread, or nobody
 * follows. Any thread may call it, as mp_search_activity; the thread of the search waits if it wants to note a piece
 * meanwhile, so `see` should only copy. */
MP_API bool mp_search_pieces(const struct mp_search *search, int thread, double after,
                             void (*see)(void *context, const struct mp_piece *piece, const void *state),
                             void *context);

/* Calls `see` for the nodes of the tree that a Monte-Carlo search has grown so far (of the first, where it has several) that
 * are visited often, at most `most`, parents first: id, parent (0: the root), ply, move, `nodes` (the visits), value. Returns
 * how many; 0: it grows no tree. Between runs, or in the progress function of a run. */
MP_API int mp_search_tree(const struct mp_search *search, int most,
                          void (*see)(void *context, const struct mp_piece *piece, const void *state),
                          void *context);

/* Writes the last run as a timeline of each thread in the trace format that Perfetto and Chrome open. Between
 * runs. */
MP_API bool mp_search_write_trace(const struct mp_search *search, const char *path, struct mp_error *error);

/* Where the time of a thread of a simulated search went, in seconds, all together those of the result. */
struct mp_times {
    uint32_t struct_size;
    double nodes;   /* searching */
    double steals;  /* taking work from others */
    double wakes;   /* getting up after a sleep */
    double locks;   /* waiting for locks */
    double lines;   /* waiting for what others wrote into the transposition table */
    double waiting; /* for others, or for work */
};

/* Of the last run; false: it was not simulated (the key simulate=), or there is no such thread. Between runs. */
MP_API bool mp_search_times(const struct mp_search *search, int thread, struct mp_times *times);

/* ---- Perft ------------------------------------------------------------------------------------------ */

/* Called now and then on the calling thread with the share of the work that is done, 0 to 1. */
typedef void (*mp_perft_progress)(double share, void *context);

/* The leaves of the game tree depth plies below a position, a throw of dice not counting as a ply. A game
 * that ends above that depth counts as one leaf or, with drop_finished, as none. progress may be null. */
MP_API bool mp_perft(const struct mp_position *position, int depth, int threads, bool drop_finished,
                     mp_perft_progress progress, void *context, uint64_t *leaves, struct mp_error *error);

/* ---- Descriptions, for help texts -------------------------------------------------------------------- */

struct mp_info {
    uint32_t struct_size;
    const char *name;
    const char *summary;
    bool exact; /* algorithms: gives what plain minimax gives */
};
struct mp_key_info {
    uint32_t struct_size;
    const char *name;
    const char *summary;
    const char *initial;      /* its default; null: it depends, as the summary says */
    const char *const *words; /* what it may be, ended by null; null: something else */
    int64_t least, most;      /* of a number; both 0: it is none */
    char values[128];         /* what it may be, for people: "1 to 255", "on or off" */
    char algorithms[128];     /* "all", "all but random" or the names it belongs to */
    char schemes[128];        /* the schemes it belongs to; empty: it is not one of some schemes only */
};

/* The algorithms and the parallel schemes by number, from 0; false: there is no such number. */
MP_API bool mp_algorithm_at(int index, struct mp_info *info);
MP_API bool mp_scheme_at(int index, struct mp_info *info);

/* The keys of strategies in the same way. */
MP_API bool mp_key_at(int index, struct mp_key_info *info);

/* Which of them make sense for a game (null: for any): an algorithm; a scheme for an algorithm; a key for both. False
 * for a name that does not exist. */
MP_API bool mp_algorithm_fits(const struct mp_game *game, const char *algorithm);
MP_API bool mp_scheme_fits(const struct mp_game *game, const char *algorithm, const char *scheme);
MP_API bool mp_key_fits(const char *algorithm, const char *scheme, const char *key);

/* The names that reports give to strategies, with the numbers that follow, `MinimaxParAB,parDepth,depth`. */
MP_API bool mp_report_name_at(int index, struct mp_info *info);

#ifdef __cplusplus
}
#endif
#endif

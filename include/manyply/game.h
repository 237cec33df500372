/* game.h - everything needed to write a game.
 *
 * A game is a small value type (its state: plain bytes that may be copied with memcpy) and one table
 * of functions, struct mp_game. Searches see nothing else, so a game written as a plug-in is searched
 * by the same code, at the same speed, as one that is built in.
 *
 * The rules every game obeys:
 *   - Two players, 0 and 1, alternate: every move hands the turn to the other player. A turn that is
 *     skipped is a move of its own (print it "pass"). An outcome of the dice leaves the turn alone.
 *   - A state never draws dice. Where chance decides, the state says so (chances) and the searcher
 *     draws or enumerates the outcomes.
 *   - Values are integers from the view of the side to move; higher is better for that side.
 *   - Functions are pure: no globals that change, no allocation, no printing. Any number of threads may
 *     call them at once on different states.
 *
 * A plug-in is a shared object that exports one symbol:
 *     MP_PLUGIN const struct mp_game mp_plugin = { MP_GAME_SIZES, .name = ... };
 * It needs this header and nothing to link with. docs/add-a-game.md walks through an example. */
#ifndef MANYPLY_GAME_H
#define MANYPLY_GAME_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when the meaning or order of existing members changes. New members are appended, to a game and to each
 * of its groups, without a change of version: a table that ends before them has them as null. */
#define MP_GAME_ABI 2u

#define MP_GAME_SIZES                                                                                        \
    .abi_version = MP_GAME_ABI, .struct_size = sizeof(struct mp_game),                                       \
    .evaluation_size = sizeof(struct mp_evaluation), .option_size = sizeof(struct mp_option)

/* Every public struct that may grow begins with its size when the program that fills it was compiled:
 * `struct mp_limits limits = {MP_SIZE(struct mp_limits), .depth = 5};` */
#define MP_SIZE(type) .struct_size = sizeof(type)

#define MP_PLUGIN __attribute__((visibility("default")))

/* A move means something to its game only. The low 16 bits should tell the moves of one state apart:
 * the transposition table remembers no more of a move than that. */
typedef uint64_t mp_move;
#define MP_NO_MOVE UINT64_MAX
#define MP_MAX_PARTS 4

/* A value, from the view of the side to move.
 *   |v| <= MP_EVAL_MAX   an evaluation;
 *   |v| >  MP_PROVEN     a proven end of the game (mp_final_value makes these);
 *   |v| <  MP_INFINITE   always. */
typedef int32_t mp_value;
#define MP_EVAL_MAX 1000000
#define MP_PROVEN 1048576
#define MP_INFINITE 1073741824

/* No line of play that a search follows is longer than this. */
#define MP_MAX_PLY 1024

/* No state has more bytes, and none more moves or outcomes of chance, than this. */
#define MP_MAX_STATE 65536
#define MP_MAX_MOVES 4096

/* What the end of a game is worth. */
enum mp_scoring {
    MP_SCORE_WIN,    /* won, drawn or lost: a proven value carries its distance, shorter wins are better */
    MP_SCORE_MARGIN, /* the margin counts (discs in Othello): a proven value carries the margin */
    MP_SCORE_POINTS, /* dice: margin times units_per_point, on the scale of the evaluations, so that
                        ends and evaluations can be averaged */
};

#define MP_MARGIN_MAX 10000

/* Who can do something about an error. */
enum mp_error_code {
    MP_ERROR_NONE,
    MP_ERROR_INPUT,  /* who gave a text or a number: it says what was expected */
    MP_ERROR_MISUSE, /* who wrote the calling program: a function was not called as its header says */
    MP_ERROR_MEMORY, /* there is not enough memory */
    MP_ERROR_SYSTEM, /* a file, a plug-in or a thread: what the system said is in the text */
};

/* One clear sentence: what was wrong, where, what was expected. */
struct mp_error {
    char text[512];
    enum mp_error_code code;
};

/* Write the sentence (error may be null) and return false, so that a parser can `return mp_fail(...)`: wrong input,
 * or another code. */
__attribute__((format(printf, 3, 0))) static inline bool
mp_fail_list(struct mp_error *error, enum mp_error_code code, const char *format, va_list arguments)
{
    if (error) {
        vsnprintf(error->text, sizeof error->text, format, arguments);
        error->code = code;
    }
    return false;
}

__attribute__((format(printf, 2, 3))) static inline bool mp_fail(struct mp_error *error, const char *format,
                                                                 ...)
{
    va_list arguments;
    va_start(arguments, format);
    mp_fail_list(error, MP_ERROR_INPUT, format, arguments);
    va_end(arguments);
    return false;
}

__attribute__((format(printf, 3, 4))) static inline bool
mp_fail_with(struct mp_error *error, enum mp_error_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    mp_fail_list(error, code, format, arguments);
    va_end(arguments);
    return false;
}

struct mp_game;

/* A way to value a state that is not searched further. Pure: the same state gives the same value.
 * A finished state may be valued like any other, or, where the evaluation sees cheaply that the game is
 * over, with mp_final_value(game, margin, 0). */
struct mp_evaluation {
    const char *name;    /* "report"; the list ends with a null name, its first entry is the default */
    const char *summary; /* one line for people */
    mp_value (*evaluate)(const struct mp_game *game, const struct mp_evaluation *self, const void *state);
    /* Optional, may be null: the values of the children of state in one call, in the order of moves, each
     * from the view of the side to move in the child; exactly what evaluate would say of them one by one.
     * Stops after the first whose value is at most enough, and returns how many were valued. */
    int (*children)(const struct mp_game *game, const struct mp_evaluation *self, const void *state,
                    const mp_move *moves, int count, mp_value enough, mp_value *values);
};

/* A setting of a game, given after its name: `halma:rules=free`. Either one of a list of words (the
 * option's number is then its place in the list) or a whole number from minimum to maximum. */
struct mp_option {
    const char *name; /* the list ends with a null name */
    const char *summary;
    const char *const *words;          /* null-terminated, or null for a number */
    int32_t minimum, maximum, initial; /* initial: the default */
};
#define MP_MAX_OPTIONS 8

/* The keys of the states that led to a state, oldest first, that state itself excluded. The searcher
 * keeps it, because a small state cannot. */
struct mp_history {
    const uint64_t *keys;
    size_t count;
};

/* A board as programs draw it. Most games have a grid, whose cells count row by row from the top left; the
 * other form is backgammon's: cells 1 to 24 are the points as player 0 counts them, 25 and 26 the bars of
 * player 0 and 1, 0 and 27 what they have borne off. */
enum mp_board_form { MP_BOARD_GRID, MP_BOARD_BACKGAMMON };
#define MP_MAX_CELLS 400

struct mp_board {
    uint32_t struct_size; /* set by who asks for the board */
    enum mp_board_form form;
    int32_t rows, columns;
    bool chequered; /* dark and light cells in turn */
    int32_t bottom; /* the player who sits at the bottom edge */
    /* What cells are called: words with a blank between them, from the top and from the left; may be null. */
    const char *row_names, *column_names;
    /* What stands on a cell: '.' nothing, a capital letter a piece of player 0, a small one of player 1.
     * K Q R B N P are drawn as pieces of chess, O as a disc, any other as a disc that bears the letter.
     * Players called Black and White have pieces in these colours. */
    char pieces[MP_MAX_CELLS];
    uint8_t counts[MP_MAX_CELLS]; /* how many of them, if more than one */
    uint8_t homes[MP_MAX_CELLS];  /* ground to be marked: 1 or 2, a home of player 0 or 1 */
    /* Games with dice: what was thrown (0: to be thrown), the doubling cube (0: there is none) and who owns
     * it (-1: nobody). */
    uint8_t dice[2];
    uint8_t cube;
    int8_t cube_owner;
};

/* Flags of a game. */
enum {
    MP_PERFT_COUNTS_FINISHED = 1, /* perft counts a game that ends early as one leaf */
    MP_REPETITION_DRAWS = 2,      /* who repeats a position may as well be given a draw at once; with drawn */
};

/* How an evaluation is put together, so that its weights can be tuned: except for rounding, the value for
 * player 0 is the sum of weight times share over its terms. */
struct mp_share {
    uint32_t term;
    float share;
};
struct mp_terms {     /* terms that stand together in the source */
    const char *name; /* as the source names the first of them; the list ends with a null name */
    int count;
    int per_line; /* how the source shows them */
};
struct mp_tuning {
    uint32_t struct_size;
    const char *evaluation; /* its name */
    const struct mp_terms *terms;
    int parts; /* each term has this many weights: 2 for middle game and endgame; term t, part p is
                * t * parts + p */
    double (*weight)(const struct mp_game *game, int term); /* as it is now */
    /* Writes the shares that are not 0, as far as they fit, and returns how many there are. */
    int (*shares)(const struct mp_game *game, const void *state, struct mp_share *shares, int capacity);
};

/* ---- Optional groups of a game. Each begins with its size when the game was compiled, and any member of it may
 * be null: a search uses what is there and works without. ---------------------------------------------- */

/* The order in which moves are tried. */
struct mp_ordering {
    uint32_t struct_size;

    /* A dense number below index_count for each move, so that tables can be kept on moves. */
    void (*index_moves)(const struct mp_game *game, const void *state, const mp_move *moves, int count,
                        uint16_t *indices);
    uint32_t index_count;

    /* As list, with a guess of how good each move is (within +-100000; higher is tried first). depth
     * is how many plies will be searched: a shallow search deserves a cheap guess. */
    int (*list_scored)(const struct mp_game *game, const void *state, int depth, mp_move *moves,
                       int32_t *scores, int capacity);
};

/* For the selective search (selective=on): a technique whose hooks are missing is left out. */
struct mp_selective {
    uint32_t struct_size;

    /* A lead that players would call small but clear, on the scale of the evaluations: a pawn in chess. The
     * margins of a selective search are multiples of it; 0: it prunes nothing by margins. */
    mp_value unit;

    /* As list, but only the moves that list_noisy leaves out. */
    int (*list_quiet)(const struct mp_game *game, const void *state, mp_move *moves, int capacity);

    /* What each of these legal moves wins at once, before any answer, on the scale of the evaluations; 0 for
     * quiet moves and for no other. */
    void (*gains)(const struct mp_game *game, const void *state, const mp_move *moves, int count,
                  int32_t *gains);

    /* Static exchange: does the move still gain at least so much once both sides have taken on its target as
     * long as it pays? */
    bool (*exchange)(const struct mp_game *game, const void *state, mp_move move, mp_value least);

    /* Is the side to move under a threat that it must answer (check)? Its evaluation then means little. */
    bool (*in_check)(const struct mp_game *game, const void *state);

    /* Will the other side be in check after this legal move? */
    bool (*gives_check)(const struct mp_game *game, const void *state, mp_move move);

    /* Hands the turn over without a move, on a copy. False: not here, because it is illegal or because having
     * to move may be a burden. */
    bool (*null_move)(const struct mp_game *game, const void *from, void *to);

    /* As list, but only moves that change much (captures, promotions), for quiescence. */
    int (*list_noisy)(const struct mp_game *game, const void *state, mp_move *moves, int capacity);

    /* The legal move whose low 16 bits these are, found without listing; false: there is none. */
    bool (*recall)(const struct mp_game *game, const void *state, uint16_t low, mp_move *move);

    /* With unit only: hashes of parts of the state that change seldom, such as
     * the pawns in chess, of which the high bits are used; returns how many, at most MP_MAX_PARTS. What the
     * evaluation gets wrong with a part, it gets wrong again. */
    int (*parts)(const struct mp_game *game, const void *state, uint64_t parts[]);
};

/* A board to look at, and moves made by pointing at it. */
struct mp_board_hooks {
    uint32_t struct_size;

    /* Describes the board; what it finds in *board is all zero, and '.' on every cell. */
    void (*describe)(const struct mp_game *game, const void *state, struct mp_board *board);

    /* The cells one points at to make a move, in order, as far as they fit; returns how many there are. On a
     * grid: the cell where a piece is put, or the way of the piece that moves from its first cell to its
     * last. In backgammon: from and to of each step. 0: the move is not on the board (a skipped turn, a
     * double). Required with describe. */
    int (*move_cells)(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,
                      int capacity);
};

#define MP_FEATURES_SCRATCH 256

/* What a network sees of a state (eval=network): of many inputs the few that are active, as each player sees them. A game
 * that does not say so is seen by its board: which piece stands on which cell. */
struct mp_features {
    uint32_t struct_size;
    uint32_t count; /* of inputs, at most 65536 */
    uint32_t most;  /* active at once in a view, at most 1024 */
    uint32_t views; /* 1: as the player to move sees the state; 2: as the other does, too */
    uint32_t heads; /* stages of a game, each with an output of its own; 0 is 1 */

    /* Writes the inputs that are active as a player sees the state, in any order, and returns how many there are; one
     * that is there several times counts as often. With one view it is asked for the player to move only. */
    int (*list)(const struct mp_game *game, const void *state, int player, uint16_t *inputs);

    /* The stage of a state, below heads. Null: 0. */
    int (*head)(const struct mp_game *game, const void *state);

    /* What list would say of one of two states only, as the same player sees both: *gone_count inputs that are active
     * in `from` alone, *come_count that are in `to` alone, at most `most` of each. The two may be any states of
     * the game; mostly they are a move or two apart. Null: two lists are compared, which takes longer. */
    void (*change)(const struct mp_game *game, const void *from, const void *to, int player, uint16_t *gone,
                   int *gone_count, uint16_t *come, int *come_count);

    /* 1: the network says how good a state is. 5: the shares of games that are won, won at least double, won triple,
     * lost at least double, lost triple, for games that are played for points; 0 is 1. */
    uint32_t outputs;

    /* Is the value of a state known without a network: because the game is over, or from a table? May be null. */
    bool (*known)(const struct mp_game *game, const void *state, mp_value *value);

    /* What five shares, of 65536 each and for the player whose view is the first, are worth in a state. Null: a game,
     * units_per_point, for each point. */
    mp_value (*worth)(const struct mp_game *game, const void *state, const int32_t shares[5]);

    /* With one view: the children of a state are listed faster than one by one. prepare writes to scratch, of
     * MP_FEATURES_SCRATCH bytes aligned to 64, what list_child needs to know of the state; list_child says of the child after
     * a move what list and head would, or returns -1 and says what known would. Both or none. */
    void (*prepare)(const struct mp_game *game, const void *state, void *scratch);
    int (*list_child)(const struct mp_game *game, const void *state, const void *scratch, mp_move move,
                      uint16_t *inputs, int *head, mp_value *known);
};

/* A table that takes long to make and is always the same, so that a program may keep it from one run to the next. The
 * program makes it, or takes the one that it has kept, and hands it over (game->table) before the game is used. Without
 * it the game is played as if it had none. */
struct mp_tables {
    uint32_t struct_size;

    /* How many bytes it has with the options of this game; 0: there is none. Two tables of a game that have as many
     * bytes are the same. */
    size_t (*size)(const struct mp_game *game);

    /* Makes it in so many bytes, on so many threads. */
    bool (*make)(const struct mp_game *game, void *table, int threads, struct mp_error *error);
};

/* What is known of a state that has been searched to the end of the game: its value lies between these. */
struct mp_known {
    mp_value low, high; /* -MP_INFINITE, MP_INFINITE: nothing on that side */
    uint16_t move;      /* the low bits of a move that is at least low; meaningful if low is known */
};

/* A state near the end of the game that a search asks the game to search to the end by itself. */
struct mp_ending {
    uint32_t struct_size;
    int32_t depth; /* the plies that the search would look ahead */
    mp_value alpha, beta;
    mp_value value; /* the answer: exact inside (alpha, beta), else a bound on the right side */

    uint64_t nodes; /* the game adds the states it visits, and polls when there are poll_at of them */
    uint64_t poll_at;
    /* True: the search is over, and so is this; value is meaningless. */
    bool (*poll)(struct mp_ending *ending);

    /* The table of the search, for states that have been searched to the end whatever the depth. plies: no line from
     * the state is longer. False: there is nothing. */
    bool (*probe)(struct mp_ending *ending, uint64_t key, struct mp_known *known);
    void (*store)(struct mp_ending *ending, uint64_t key, int plies, const struct mp_known *known);
    /* Asks for the memory of what will be probed soon. */
    void (*prefetch)(struct mp_ending *ending, uint64_t key);

    const struct mp_evaluation *evaluation; /* the search's, to order moves by */
};

/* For games with MP_SCORE_MARGIN whose end can be foreseen. Both or none. */
struct mp_endgame {
    uint32_t struct_size;

    /* How many plies most games still have from here; no line has more than *most. A search that has come near the
     * former goes to the end at once. */
    int (*plies)(const struct mp_game *game, const void *state, int *most);

    /* If no line from state has as many plies as depth, and the game is the better searcher: its value. Asked at every
     * node below the root, so it must say no quickly; when it says yes it may take long. */
    bool (*solve)(const struct mp_game *game, const void *state, struct mp_ending *ending);
};

/* The playouts of a game for a device with thousands of threads, in OpenCL C 1.2. They are those of the game's playout, or, where
 * it has none, of random moves as list orders them: one seed gives one game, here and there. Not for games with dice or with a
 * drawn. */
struct mp_kernels {
    uint32_t struct_size;
    uint32_t state_words; /* 64-bit words of a packed state, 1 to 64 */

    /* Defines
     *     typedef struct { ... } mp_state;          of state_words words, without padding
     *     bool mp_step(mp_state *state, mp_random *random);
     *         Plays a move for the side to move and hands the turn over; true, and the state as it was: the game is over.
     *         uint mp_below(mp_random *random, uint bound) draws as the library does.
     *     int mp_margin(const mp_state *state);     as margin
     *     ulong mp_perft(mp_state state, int depth, bool drop_finished);     as perft, if counts; there is no recursion
     * and no name that begins with mp_ besides. */
    const char *source;

    /* Writes the words of a state as the device is to have them. */
    void (*pack)(const struct mp_game *game, const void *state, uint64_t *words);

    bool counts; /* it has mp_perft */
};

struct mp_game {
    uint32_t abi_version; /* MP_GAME_ABI */
    /* sizeof when the game was compiled, of this struct and of the members of its two lists; write
     * MP_GAME_SIZES for all four. */
    uint32_t struct_size, evaluation_size, option_size;

    const char *name;       /* "othello": lower-case letters, digits, '-' */
    const char *summary;    /* one line for people */
    const char *players[2]; /* "Black", "White": who moves first, who second */

    uint32_t state_size; /* bytes; states are aligned to 64 bytes */
    uint32_t flags;
    enum mp_scoring scoring;
    int32_t margin_max;      /* |margin| is at most this (1 where only winning counts) */
    int32_t units_per_point; /* MP_SCORE_POINTS only */
    int32_t symmetry_count;  /* how many transforms there are besides the identity */

    const struct mp_evaluation *evaluations; /* at least one */
    const struct mp_option *options;         /* null: none */
    int32_t option[MP_MAX_OPTIONS];          /* the settings of this instance; the host fills them */

    /* ---- Required ------------------------------------------------------------------------------ */

    void (*initial)(const struct mp_game *game, void *state);

    /* Writes the legal moves of a state in which a player is to move, as far as they fit, and returns
     * how many there are. 0: the game is over. It does not ask drawn. */
    int (*list)(const struct mp_game *game, const void *state, mp_move *moves, int capacity);

    /* Plays a move (or an outcome of chance) on a copy. from and to are different states. */
    void (*play)(const struct mp_game *game, const void *from, mp_move move, void *to);

    /* A finished state: by how much the side to move has won (> 0), drawn (0) or lost (< 0). */
    int (*margin)(const struct mp_game *game, const void *state);

    /* The player to move, or for whom the dice are thrown: 0 or 1. */
    int (*side)(const struct mp_game *game, const void *state);

    /* Equal for equal positions, different for different ones, but for the collisions of a good 64-bit
     * hash. */
    uint64_t (*key)(const struct mp_game *game, const void *state);

    /* Text that the players of the game use. Printers write at most size bytes with the final zero and
     * return the length the whole text has, as snprintf does. What is printed must parse. As all texts of a
     * game, it is UTF-8 without control characters. */
    bool (*parse_position)(const struct mp_game *game, const char *text, void *state, struct mp_error *error);
    int (*print_position)(const struct mp_game *game, const void *state, char *text, size_t size);
    int (*print_move)(const struct mp_game *game, const void *state, mp_move move, char *text, size_t size);

    /* ---- Optional rules: null where the game has none -------------------------------------------- */

    /* Dice. Writes the outcomes and their weights (which may be null) as far as they fit and returns how
     * many there are; 0: a player is to move. Scoring must be MP_SCORE_POINTS. */
    int (*chances)(const struct mp_game *game, const void *state, mp_move *outcomes, uint32_t *weights,
                   int capacity);

    /* The game is drawn by a rule that leaves the moves as they are: one that looks back (repetition, a move
     * counter), or that sees that nobody can win any more. A game that is played to its end is then over, and
     * so is a line of a search; but a record, a protocol or an analysis may go on from such a state, so list
     * and play must work there as anywhere. */
    bool (*drawn)(const struct mp_game *game, const void *state, const struct mp_history *history);

    /* A hash of all that drawn() may look at besides the position, now or later; the transposition
     * table mixes it into its key when a search must be exact. Required with drawn. */
    uint64_t (*history_key)(const struct mp_game *game, const void *state, const struct mp_history *history);

    /* Reads more spellings of a move, or of an outcome of chance, than print_move writes. Null: what
     * print_move writes is read. */
    bool (*parse_move)(const struct mp_game *game, const void *state, const char *text, mp_move *move,
                       struct mp_error *error);

    /* Is this move a skipped turn? (It may be left out of a game record.) */
    bool (*is_pass)(const struct mp_game *game, mp_move move);

    /* A picture of the board in several lines, for people. */
    int (*draw)(const struct mp_game *game, const void *state, char *text, size_t size);

    /* The state turned or mirrored in way 0 .. symmetry_count-1; play goes on alike from it. */
    void (*transform)(const struct mp_game *game, const void *state, int way, void *to);

    /* As print_move, in the form that records of games use (SAN in chess). Null: print_move's. */
    int (*print_record_move)(const struct mp_game *game, const void *state, mp_move move, char *text,
                             size_t size);

    /* MP_SCORE_POINTS only: what a finished state is worth to its side to move, where that is not its margin
     * times units_per_point (a game of a match is worth what it does to the chance of winning the match). */
    mp_value (*final_value)(const struct mp_game *game, const void *state);

    /* ---- Optional hooks: one call for a lot of work. A search uses what is there and works without. */

    /* As list with capacity 0, but faster. */
    int (*count)(const struct mp_game *game, const void *state);

    /* The leaves of the tree depth >= 1 plies below state. A finished game above that depth counts as
     * one leaf or, with drop_finished, as none. */
    uint64_t (*perft)(const struct mp_game *game, const void *state, int depth, bool drop_finished);

    /* Plays a quick game to its end, or to where it is clear enough, a pure function of state and seed;
     * the margin for the side to move in state. */
    int (*playout)(const struct mp_game *game, const void *state, uint64_t seed);

    /* If the game ends in fewer than depth plies by best play of both and that is quick to prove: the value of
     * state (exact inside (alpha, beta), else a bound on the right side), with the states visited added
     * to *nodes. With MP_SCORE_WIN the value counts plies from state on, as an evaluation does. Asked at every
     * node, so it must say no quickly. Not with MP_SCORE_POINTS. The short form of endgame,
     * for games whose last plies need no table. */
    bool (*solve)(const struct mp_game *game, const void *state, int depth, mp_value alpha, mp_value beta,
                  mp_value *value, uint64_t *nodes);

    /* MP_SCORE_POINTS only. No end that can be reached from state and no evaluation of this game on the way
     * there has a value outside [*low, *high] for the side to move in state. The tighter, the more a search
     * can leave out where chance decides. */
    void (*bounds)(const struct mp_game *game, const void *state, mp_value *low, mp_value *high);

    /* Called when an instance has been opened and its options are set, and when it is closed: the place to
     * make and free tables of its own (data). What is in them must not depend on what was asked before. */
    bool (*open)(struct mp_game *game, struct mp_error *error);
    void (*close)(struct mp_game *game);
    void *data;

    /* For Monte-Carlo search: an advantage of so much in the first evaluation is half way from an even game
     * to a win, and to evaluate a leaf says more than to play it out. 0: leaves are played out, by the hook
     * or with random moves. */
    int32_t playout_scale;

    /* ---- Optional groups. In a game that mp_game_open returns only tuning, features, tables, endgame and kernels may be null: those
     * that the game does not have are empty. ---------------------------------------------------------------------- */

    const struct mp_ordering *ordering;
    const struct mp_selective *selective;
    const struct mp_board_hooks *board;
    const struct mp_tuning *tuning; /* of the evaluation whose weights can be tuned */
    const struct mp_features *features;
    const struct mp_tables *tables;
    const void
        *table; /* as tables->make left it; the program's, and there until the game is closed; null: none */
    const struct mp_endgame *endgame;
    const struct mp_kernels *kernels;
};

/* The value of a finished state, ply plies below the root, for its side to move. */
static inline mp_value mp_final_value(const struct mp_game *game, int margin, int ply)
{
    if (game->scoring == MP_SCORE_POINTS)
        return margin * game->units_per_point;
    if (margin == 0)
        return 0;
    int size = game->scoring == MP_SCORE_MARGIN ? (margin > 0 ? margin : -margin) : MP_MAX_PLY - ply;
    return margin > 0 ? MP_PROVEN + size : -MP_PROVEN - size;
}

/* The same, asked of the state. */
static inline mp_value mp_state_final_value(const struct mp_game *game, const void *state, int ply)
{
    if (game->final_value)
        return game->final_value(game, state);
    return mp_final_value(game, game->margin(game, state), ply);
}

#ifdef __cplusplus
}
#endif
#endif

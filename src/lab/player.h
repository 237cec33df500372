/* player.h - who plays: a strategy of ours, or another program that speaks a protocol.
 *
 * A player is described in one line of words (quotes keep blanks together):
 *     STRATEGY [name=NAME] [tc=TIME]
 *     uci:PROGRAM [ARGUMENT...] [name=NAME] [tc=TIME] [option.NAME=VALUE...]
 *     gtp:PROGRAM [ARGUMENT...] [name=NAME] [tc=TIME]
 *     nboard:PROGRAM [ARGUMENT...] [name=NAME] [tc=TIME] [option.NAME=VALUE...]
 * The description (struct player_setup) is shared and constant; each thread that plays makes its own
 * players. */
#ifndef LAB_PLAYER_H
#define LAB_PLAYER_H

#include "base/pace.h"
#include "lab/process.h"
#include "manyply/manyply.h"

/* How long a player may think; each part may be absent (0). As text: "2+0.02" (seconds for the game and for
 * each move), "10ms" (each move), "nodes=1000", "depth=6" or "none". */
struct time_control {
    double base, increment;
    double move;
    uint64_t nodes;
    int depth;
};
bool time_control_parse(const char *text, struct time_control *control, struct mp_error *error);

enum { PLAYER_MOST_WORDS = 32 };

struct player_setup {
    char *text; /* as it was given */
    char *name;
    char *words[PLAYER_MOST_WORDS + 1]; /* the strategy, or the program and its arguments; ends with null */
    char *options[PLAYER_MOST_WORDS];   /* "NAME=VALUE" */
    int option_count;
    struct time_control control;
    int threads; /* that think at once */
    int depth;   /* limits of a strategy besides its clock; 0: none */
    uint64_t nodes;
    const struct player_kind *program; /* how it is spoken to; null: a strategy */
    double patience;                   /* seconds that a program may take for what has no other limit */
};

/* Checks what can be checked before a game: the strategy, that the program can be started. */
bool player_setup_read(const struct mp_game *game, const char *text,
                       const struct time_control *default_control, double patience,
                       struct player_setup *setup, struct mp_error *error);
void player_setup_free(struct player_setup *setup);

/* ---- Playing ---------------------------------------------------------------------------------------- */

/* What a player thought, as far as it says so. */
struct thought {
    mp_move move;
    double seconds;
    double waited; /* of those, without a CPU (waits.h); only known on a clock */
    bool has_value;
    mp_value value; /* for the side to move */
    int depth, max_depth;
    double mean_depth;     /* of the leaves, or for horizon of the lines below the root moves */
    uint64_t alternatives; /* root moves that were searched, where the strategy counts them */
    uint64_t nodes, alpha_cuts, beta_cuts;
    uint64_t tasks, tasks_stolen; /* pieces of work, and how many of them went to another thread */
};

/* A position in which a player is to move, and the clocks. */
struct turn {
    const struct mp_position *position;
    const char *start;        /* the position where the record begins, as text */
    const char *const *moves; /* the record, as text */
    int count;
    int side;
    double left[2]; /* seconds on the clocks of the sides; meaningless without a clock */
    double increment[2];
    double allowed; /* seconds from now after which the game is lost; infinite: none */
};

enum player_answer {
    PLAYER_MOVED,
    PLAYER_LATE,    /* and stopped */
    PLAYER_ILLEGAL, /* the error says what it wanted to play */
    PLAYER_GONE,    /* the program has ended */
    PLAYER_FAILED,  /* not its fault: the game cannot go on */
};

struct player;

/* Null: out of memory. */
struct player *player_new(const struct mp_game *game, const struct player_setup *setup);
void player_free(struct player *player);

/* Lets go of what it uses; it may begin again. */
void player_end(struct player *player);

/* Before each game; a program that was stopped or has ended is started again. */
enum player_answer player_begin(struct player *player, struct mp_error *error);
enum player_answer player_think(struct player *player, const struct turn *turn, struct thought *thought,
                                struct mp_error *error);

/* The strategy with all its keys; null: it is a program, or no game has begun. */
const char *player_strategy_text(const struct player *player);

/* A kind of player. data belongs to it and is null until begin. */
struct player_kind {
    const char *game; /* the only one that it is for; null: any */
    enum player_answer (*begin)(struct player *player, struct mp_error *error);
    enum player_answer (*think)(struct player *player, const struct turn *turn, struct thought *thought,
                                struct mp_error *error);
    void (*end)(struct player *player);
};

struct player {
    const struct player_kind *kind;
    const struct player_setup *setup;
    const struct mp_game *game;
    void *data;
    struct pace_delay delay; /* on a clock */
};

extern const struct player_kind player_gtp, player_nboard, player_uci;

/* Ends a program that did not do as it should, and says how. */
enum player_answer player_give_up(struct player *player, struct process *process, enum process_answer answer,
                                  const char *question, struct mp_error *error);

#endif

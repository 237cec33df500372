/* backgammon_engine.h - what the protocols of backgammon share: how a decision is found, and how a play is
 * written.
 *
 * Plays are found without the cube, because a board alone does not tell whether it is in use. What is said
 * about it is found with it, by the network of the library. */
#ifndef PROTOCOLS_BACKGAMMON_ENGINE_H
#define PROTOCOLS_BACKGAMMON_ENGINE_H

#include "protocols/backgammon_cube.h"

/* How a program gives a game its table (struct mp_tables) and takes it back before the game is closed; without them the
 * game goes without. */
struct backgammon_table_keeper {
    bool (*take)(struct mp_game *game, struct mp_error *error);
    void (*free)(struct mp_game *game);
};

struct backgammon_engine {
    struct mp_game *game[2];     /* without and with the cube */
    struct mp_search *search[2]; /* the latter when it is first needed */
    struct backgammon_table_keeper keeper;
    int depth; /* of decisions about the cube: that of the strategy, if it has one of at most 3 */
};

/* strategy: how plays are found. keeper may be null. False: a sentence says why not; then close it all the same. */
bool backgammon_engine_open(struct backgammon_engine *engine, const char *strategy,
                            const struct backgammon_table_keeper *keeper, struct mp_error *error);
void backgammon_engine_close(struct backgammon_engine *engine);

/* Before another game. */
void backgammon_engine_forget(struct backgammon_engine *engine);

/* Finds the best move of a state, in which the cube is not in use, within limits; null: those of the strategy. */
bool backgammon_engine_decide(struct backgammon_engine *engine, const struct backgammon *state,
                              const struct mp_limits *limits, mp_move *move, struct mp_error *error);

/* Judges the cube for who is on roll in a state; depth 0: the engine's. *may_double false: nobody may double there, and
 * the judgement says nothing. */
bool backgammon_engine_cube(struct backgammon_engine *engine, const struct backgammon *state, int depth,
                            bool *may_double, struct cube_judgement *judgement, struct mp_error *error);

/* The steps of a play, `bar/20 6/off`, each by itself. Empty: a pass. */
void backgammon_engine_steps(const struct backgammon *state, mp_move move, char *text, size_t size);

#endif

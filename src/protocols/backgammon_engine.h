/* backgammon_engine.h - what the protocols of backgammon share: how a decision is found, and how a play is
 * written.
 *
 * Plays are found without the cube, because a board alone does not tell whether it is in use. What is said
 * about it is found with it: by a search that sees what the throw and the play after it bring. */
#ifndef PROTOCOLS_BACKGAMMON_ENGINE_H
#define PROTOCOLS_BACKGAMMON_ENGINE_H

#include "games/backgammon/backgammon.h"
#include "manyply/manyply.h"

struct backgammon_engine {
    struct mp_game *game[2]; /* without and with the cube */
    struct mp_search *search[2];
};

/* strategy: how plays are found. False: a sentence says why not; then close it all the same. */
bool backgammon_engine_open(struct backgammon_engine *engine, const char *strategy, struct mp_error *error);
void backgammon_engine_close(struct backgammon_engine *engine);

/* Finds the best move of a state within limits; null: those of the strategy. */
bool backgammon_engine_decide(struct backgammon_engine *engine, const struct backgammon *state,
                              const struct mp_limits *limits, mp_move *move, struct mp_error *error);

/* To roll or to double for who is on roll, to take or to drop for who has been doubled. What cannot be
 * doubled is rolled. */
bool backgammon_engine_cube(struct backgammon_engine *engine, const struct backgammon *state,
                            enum backgammon_phase phase, mp_move *move, struct mp_error *error);

/* The steps of a play, `bar/20 6/off`, each by itself. Empty: a pass. */
void backgammon_engine_steps(const struct backgammon *state, mp_move move, char *text, size_t size);

#endif

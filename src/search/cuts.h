/* cuts.h - what a shallow search says of a deep one, for Multi-ProbCut (Buro 1997): deep = slope * shallow + offset, give or
 * take sigma. `manyply fit-cuts` finds the numbers and writes them to a file; those of the library are such files.
 *
 * They hold for one game and one evaluation. How far a shallow search errs changes in the course of a game, so that there
 * are stages where a game knows how far its end is (endgame of game.h); other games have one. */
#ifndef SEARCH_CUTS_H
#define SEARCH_CUTS_H

#include "manyply/manyply.h"

#include <math.h>

enum { CUTS_STAGES = 16, CUTS_DEEPEST = 32, CUTS_NAME = 64 };

struct cut {
    int shallow; /* depth of the search that is asked; 0: there is none for this depth */
    double slope, offset, sigma;
};

struct cuts {
    char game[CUTS_NAME], evaluation[CUTS_NAME];
    double confidence; /* a search is cut when its value would have to be wrong by this many sigmas */
    int stage_plies;   /* of the game's end to a stage; the last one has all that are further away */
    struct cut at[CUTS_STAGES][CUTS_DEEPEST + 1]; /* by the stage and the depth of the deep search */
};

/* The stage of a state. */
int cuts_stage(const struct cuts *cuts, const struct mp_game *game, const void *state);

/* What is asked at a state that is to be searched to a depth; null: nothing. */
const struct cut *cuts_find(const struct cuts *cuts, const struct mp_game *game, const void *state,
                            int depth);

/* If the shallow search finds at least this, the deep one would most likely find at least beta. */
static inline double cut_high(const struct cut *cut, double confidence, mp_value beta)
{
    return ceil((beta - cut->offset + confidence * cut->sigma) / cut->slope);
}

/* If it finds at most this, the deep one would most likely find at most alpha. */
static inline double cut_low(const struct cut *cut, double confidence, mp_value alpha)
{
    return floor((alpha - cut->offset - confidence * cut->sigma) / cut->slope);
}

/* Reads a file, which must be one of this game and this evaluation. */
bool cuts_read(const struct mp_game *game, const char *evaluation, const char *path, struct cuts *cuts,
               struct mp_error *error);

/* The same from memory; `name` is for errors. */
bool cuts_read_text(const struct mp_game *game, const char *evaluation, const char *text, const char *name,
                    struct cuts *cuts, struct mp_error *error);

/* Those that are part of the library. False: there are none for this evaluation of the game. */
bool cuts_shipped(const struct mp_game *game, const char *evaluation, struct cuts *cuts);

#endif

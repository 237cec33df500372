/* othello.h - what the files of this game share. */
#ifndef GAMES_OTHELLO_OTHELLO_H
#define GAMES_OTHELLO_OTHELLO_H

#include "base/level.h"
#include "base/random.h"
#include "manyply/game.h"

struct othello {
    uint64_t own, opp; /* the discs of the side to move, and of the other side */
    uint32_t side;     /* 0: Black to move */
};

enum { OTHELLO_PASS = 64 };

/* The final score in the custom of tournaments: empty squares go to the winner. */
static inline int othello_margin(uint64_t own, uint64_t opp)
{
    int own_discs = __builtin_popcountll(own), opp_discs = __builtin_popcountll(opp);
    int empties = 64 - own_discs - opp_discs;
    int lead = own_discs - opp_discs;
    return lead > 0 ? lead + empties : lead < 0 ? lead - empties : 0;
}

static inline uint64_t othello_key(uint64_t own, uint64_t opp, uint32_t side)
{
    /* The side is added after own has been mixed: added to own itself it would be a disc on a1. */
    uint64_t mixed = random_mix(own) + (side ? UINT64_C(0xd1b54a32d192ed03) : 0);
    return random_mix(mixed + opp * UINT64_C(0x9e3779b97f4a7c15));
}

/* notation.c */
bool othello_parse_position(const struct mp_game *game, const char *text, void *state,
                            struct mp_error *error);
int othello_print_position(const struct mp_game *game, const void *state, char *text, size_t size);
int othello_print_move(const struct mp_game *game, const void *state, mp_move move, char *text, size_t size);
bool othello_parse_move(const struct mp_game *game, const void *state, const char *text, mp_move *move,
                        struct mp_error *error);
int othello_draw(const struct mp_game *game, const void *state, char *text, size_t size);
void othello_board(const struct mp_game *game, const void *state, struct mp_board *board);
int othello_move_cells(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,
                       int capacity);

/* kernels.c */
extern const struct mp_kernels othello_kernels;

/* rules.c, one copy for each level of the CPU */
extern const struct mp_game othello_table_base, othello_table_v3, othello_table_v4;

/* what the files of one level share */
#ifdef LEVEL_SUFFIX
extern const struct mp_game LEVELED(othello_table);
extern const struct mp_evaluation LEVELED(othello_evaluations)[];
extern const struct mp_endgame LEVELED(othello_endgame);
extern const struct mp_features LEVELED(othello_features);
#endif

#endif

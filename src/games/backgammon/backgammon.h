/* backgammon.h - what the files of this game share: the state, and how a play is packed into a move. */
#ifndef GAMES_BACKGAMMON_BACKGAMMON_H
#define GAMES_BACKGAMMON_BACKGAMMON_H

#include "manyply/game.h"

enum {
    BACKGAMMON_OFF = 0, /* as a place of a chequer: borne off; 1 to 24 are the points */
    BACKGAMMON_BAR = 25,
    BACKGAMMON_MEN = 15,
    BACKGAMMON_NO_OWNER = 3, /* of the cube: it stands in the middle; the number is that of a GNU match ID */
    /* Three points on a cube of 32 stay below MP_EVAL_MAX. */
    BACKGAMMON_UNITS = 10000,
    BACKGAMMON_CUBE_LOG_MAX = 5,
    BACKGAMMON_LONGEST_MATCH = 64,
};

/* The settings of an instance, in the order of its options. */
enum { BACKGAMMON_OPTION_CUBE, BACKGAMMON_OPTION_MATCH, BACKGAMMON_OPTION_JACOBY, BACKGAMMON_OPTION_IDS };

/* Who has to do what. Without the cube there is only the first. With it, who is on roll and may double says
 * `roll` or `double`; the other answers a double with `take` or `drop`, and lets a roll pass. So players take
 * turns, whatever is said. */
enum backgammon_phase {
    BACKGAMMON_PLAYING,   /* to throw, or to move with dice */
    BACKGAMMON_CHOOSING,  /* to roll or to double */
    BACKGAMMON_NODDING,   /* the other is about to roll: pass */
    BACKGAMMON_ANSWERING, /* the other has doubled */
    BACKGAMMON_DROPPED,   /* the other has dropped: the game is won */
};

/* Each side counts its places from its own view: its home is 1 to 6, its chequers move down. The same point
 * is p for one side and 25 - p for the other. */
struct backgammon {
    uint8_t own[32], opp[32]; /* chequers of the side to move and of the other, by place */
    uint8_t die[2];           /* the larger first; 0: the dice are to be thrown */
    uint8_t side;
    uint8_t phase;         /* enum backgammon_phase */
    uint8_t cube_in_use;   /* players may double (an option of the game, the same for all its states) */
    uint8_t cube_log;      /* the cube shows 1 << cube_log */
    uint8_t cube_owner;    /* 0, 1 or BACKGAMMON_NO_OWNER */
    uint8_t crawford;      /* the one game of a match in which nobody may double */
    uint8_t jacoby;        /* gammons count only once the cube has been turned (money only) */
    uint16_t match_length; /* points; 0: for money */
    uint16_t score[2];     /* of player 0 and 1 */
};

/* ---- Moves ----------------------------------------------------------------------------------------- */

/* A play is the places its steps start from, five bits each from bit 16 on: with two different dice the
 * chequer moved by the larger one, then by the smaller (0: that die is not played); with a double up to
 * four, the highest first. Where the steps start decides the position they lead to, in whatever order they
 * are made. The low 16 bits are different for different plays: the same two numbers, or the rank of four
 * among all falling sequences. The pass is a play without steps. */
enum { BACKGAMMON_FROM_SHIFT = 16, BACKGAMMON_FROM_BITS = 5 };
#define BACKGAMMON_PASS UINT64_C(0)
#define BACKGAMMON_ROLL (UINT64_C(1) << 40)

/* What is said about the cube. */
#define BACKGAMMON_ACTION (UINT64_C(1) << 41)
enum {
    BACKGAMMON_SAY_ROLL = 1,
    BACKGAMMON_SAY_DOUBLE,
    BACKGAMMON_SAY_TAKE,
    BACKGAMMON_SAY_DROP,
};

static inline mp_move backgammon_action(int what)
{
    return BACKGAMMON_ACTION | (mp_move)what;
}

static inline int backgammon_from(mp_move move, int step)
{
    return (int)(move >> (BACKGAMMON_FROM_SHIFT + BACKGAMMON_FROM_BITS * step) & 31);
}

static inline mp_move backgammon_roll(int larger, int smaller)
{
    return BACKGAMMON_ROLL | (mp_move)(larger << 3 | smaller);
}

static inline bool backgammon_is_roll(mp_move move)
{
    return move & BACKGAMMON_ROLL;
}

/* The die that a step of a play is made with. */
static inline int backgammon_step_die(const struct backgammon *s, int step)
{
    return s->die[0] == s->die[1] ? s->die[0] : step < 2 ? s->die[step] : 0;
}

static inline bool backgammon_is_over(const struct backgammon *s)
{
    return s->own[BACKGAMMON_OFF] == BACKGAMMON_MEN || s->opp[BACKGAMMON_OFF] == BACKGAMMON_MEN ||
           s->phase == BACKGAMMON_DROPPED;
}

/* May this player double from a cube of 1 << log? Not if the game decides the match for him already. */
static inline bool backgammon_cube_is_alive(const struct backgammon *s, int player, int log)
{
    return s->cube_in_use && !s->crawford && log < BACKGAMMON_CUBE_LOG_MAX &&
           !(s->match_length && s->score[player] + (1 << log) >= s->match_length);
}

static inline bool backgammon_may_double(const struct backgammon *s)
{
    return backgammon_cube_is_alive(s, s->side, s->cube_log) &&
           (s->cube_owner == BACKGAMMON_NO_OWNER || s->cube_owner == s->side) && !backgammon_is_over(s);
}

/* Hands the turn over, nothing moved. */
static inline void backgammon_turn(struct backgammon *s)
{
    for (int p = 0; p < 32; p++) {
        uint8_t men = s->own[p];
        s->own[p] = s->opp[p];
        s->opp[p] = men;
    }
    s->side ^= 1;
}

/* Gammons are worth more than a plain game, except for money under Jacoby's rule before the first double. */
static inline bool backgammon_counts_gammons(const struct backgammon *s)
{
    return !(s->jacoby && s->match_length == 0 && s->cube_owner == BACKGAMMON_NO_OWNER);
}

/* How many points a side loses whose opponent has borne off all, the cube included. */
int backgammon_stake(const struct backgammon *s, const uint8_t loser[32]);

/* The most the side to move can still lose and win, in points. */
void backgammon_limits(const struct backgammon *s, int *least, int *most);

/* rules.c: a state without chequers, the cube and the match as the options of the game say */
struct backgammon backgammon_blank(const struct mp_game *game);

/* rules.c: members of struct mp_game */
void backgammon_initial(const struct mp_game *game, void *state);
int backgammon_chances(const struct mp_game *game, const void *state, mp_move *outcomes, uint32_t *weights,
                       int capacity);
void backgammon_play(const struct mp_game *game, const void *from, mp_move move, void *to);
int backgammon_margin(const struct mp_game *game, const void *state);
int backgammon_side(const struct mp_game *game, const void *state);
uint64_t backgammon_key(const struct mp_game *game, const void *state);
bool backgammon_is_pass(const struct mp_game *game, mp_move move);
mp_value backgammon_final_value(const struct mp_game *game, const void *state);
void backgammon_bounds(const struct mp_game *game, const void *state, mp_value *low, mp_value *high);

/* position.c */
bool backgammon_parse_position(const struct mp_game *game, const char *text, void *state,
                               struct mp_error *error);
int backgammon_print_position(const struct mp_game *game, const void *state, char *text, size_t size);

/* What every position obeys, however it was read: counts what is borne off; false with a sentence if the
 * board, the score or the cube is impossible. */
bool backgammon_complete(struct backgammon *s, struct mp_error *error);

/* play_text.c */
bool backgammon_parse_move(const struct mp_game *game, const void *state, const char *text, mp_move *move,
                           struct mp_error *error);
int backgammon_print_move(const struct mp_game *game, const void *state, mp_move move, char *text,
                          size_t size);

/* The steps of a play in an order in which they can be made. */
struct backgammon_step {
    int from, to;
    bool hits;
};
int backgammon_steps(const struct backgammon *s, mp_move move, struct backgammon_step steps[4]);

/* draw.c */
int backgammon_draw(const struct mp_game *game, const void *state, char *text, size_t size);
void backgammon_board(const struct mp_game *game, const void *state, struct mp_board *board);
int backgammon_move_cells(const struct mp_game *game, const void *state, mp_move move, uint16_t *cells,
                          int capacity);

/* generate.c, evaluate.c, features.c and table.c, one copy for each level of the CPU */
#define BACKGAMMON_LEVEL(suffix)                                                                             \
    int backgammon_list##suffix(const struct mp_game *game, const void *state, mp_move *moves,               \
                                int capacity);                                                               \
    int backgammon_count##suffix(const struct mp_game *game, const void *state);                             \
    extern const struct mp_evaluation backgammon_evaluations##suffix[];                                      \
    bool backgammon_known##suffix(const struct mp_game *game, const void *state, mp_value *value);           \
    mp_value backgammon_worth##suffix(const struct mp_game *game, const void *state,                         \
                                      const int32_t shares[5]);                                              \
    extern const struct mp_features backgammon_features##suffix;                                             \
    extern const struct mp_game backgammon_table##suffix;
BACKGAMMON_LEVEL(_base)
BACKGAMMON_LEVEL(_v3)
BACKGAMMON_LEVEL(_v4)
#undef BACKGAMMON_LEVEL

#endif

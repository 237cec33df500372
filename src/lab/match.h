/* match.h - the one place where a game between two players is played.
 *
 * Dice are a pure function of a seed and the number of the throw, so that the second game of a pair, with the
 * players exchanged, has the same dice. */
#ifndef LAB_MATCH_H
#define LAB_MATCH_H

#include "lab/player.h"

#include <stdatomic.h>

/* A move of a game, or a throw of the dice. */
struct match_move {
    char *text;
    int side;         /* whose turn it was */
    bool by_chance;   /* dice, or part of the opening: nobody thought about it */
    int alternatives; /* how many legal moves there were */
    struct thought thought;
};

enum match_end {
    MATCH_RULES,       /* the game is over */
    MATCH_TIME,        /* the loser overstepped its time, or did not answer at all */
    MATCH_ILLEGAL,     /* the loser played a move that is none */
    MATCH_CRASH,       /* the loser's program ended */
    MATCH_PLIES,       /* too long: a draw */
    MATCH_RESIGNED,    /* both players saw it lost for long enough */
    MATCH_AGREED,      /* both players saw it level for long enough: a draw */
    MATCH_INTERRUPTED, /* by match_rules.stop: no result */
};
const char *match_end_name(enum match_end end);

/* When to call it a day; 0 where not wanted. Values are those of the players, as they say them. */
struct match_rules {
    int most_plies;          /* a longer game is a draw; 0: no limit */
    double margin;           /* seconds that a clock may be overstepped */
    mp_value resign;         /* lost for both players by at least this ... */
    int resign_moves;        /* ... at this many moves of each in a row */
    mp_value draw;           /* within +-this for both ... */
    int draw_moves;          /* ... at this many moves of each in a row ... */
    int draw_after;          /* ... from this ply on */
    const atomic_bool *stop; /* ends the game when it becomes true; may be null */
};

struct match_game {
    /* Given. */
    const struct mp_game *game;
    struct player *players[2]; /* of side 0 and of side 1 */
    struct match_rules rules;
    uint64_t seed, stream; /* of the dice */
    /* Dice from elsewhere; null: from the seed. */
    bool (*throw_dice)(const struct match_game *match, mp_move *outcome, void *context,
                       struct mp_error *error);
    /* Called after each move; may be null. */
    void (*on_move)(const struct match_game *match, const struct match_move *move, void *context);
    void *context;

    /* Found: the game as it was played. */
    struct mp_position *position;
    char *start; /* the position where the record begins, as text */
    struct match_move *moves;
    int count;
    int plies;  /* moves that players chose */
    int throws; /* of the dice */
    enum match_end end;
    int margin;        /* for side 0; of a game that the rules did not end 1, 0 or -1 */
    double seconds[2]; /* that the sides were charged for */
    double waited[2];  /* that the machine took, and were not charged */
    char reason[200];  /* more about the end, "" if there is no more to say */
};

/* Begins a game: position is text, or null for the beginning. */
bool match_begin(struct match_game *match, const char *position, struct mp_error *error);

/* Plays moves of an opening: these, a record as in mp_position_play_text, or this many random ones as a
 * function of a seed and the stream, until the game is over. */
bool match_open_with_moves(struct match_game *match, const mp_move *moves, int count, struct mp_error *error);
bool match_open_with_text(struct match_game *match, const char *record, struct mp_error *error);
bool match_open_at_random(struct match_game *match, int plies, uint64_t seed, struct mp_error *error);

/* Plays to the end. False: something is wrong that is no player's fault. */
bool match_play(struct match_game *match, struct mp_error *error);

void match_free(struct match_game *match);

#endif

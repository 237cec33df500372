/* terms.h - the terms of the evaluation `standard`: how they are numbered, and what each is worth.
 *
 * A weight is a pair of numbers, for the middle game and for the endgame, in hundredths of a pawn, kept in
 * one word so that both are added at once. The evaluation without its scaling is the sum of weight times
 * count over all terms, which is what a tuner needs to know. */
#ifndef GAMES_CHESS_TERMS_H
#define GAMES_CHESS_TERMS_H

#include <stdint.h>

#define CHESS_PAIR(middle, end) ((middle) + (end)*65536)

static inline int chess_middle(int32_t pair)
{
    return (int16_t)(uint16_t)pair;
}
static inline int chess_end(int32_t pair)
{
    return (pair + 32768) >> 16;
}

/* A range is named by its first term; the comment says what it is indexed by. */
enum {
    TERM_MATERIAL = 0,                         /* kind */
    TERM_SQUARE = TERM_MATERIAL + 5,           /* kind * 64 + square as White sees it */
    TERM_MOBILITY = TERM_SQUARE + 6 * 64,      /* (kind - knight) * 28 + targets */
    TERM_BISHOP_PAIR = TERM_MOBILITY + 4 * 28, /* single terms from here */
    TERM_ROOK_OPEN_FILE,
    TERM_ROOK_HALF_OPEN_FILE,
    TERM_KNIGHT_OUTPOST,
    TERM_BISHOP_OUTPOST,
    TERM_PAWN_DOUBLED,
    TERM_PAWN_ISOLATED,
    TERM_PAWN_BACKWARD,
    TERM_SHELTER_NEAR,   /* own pawn on the rank in front of the king, on its file or beside */
    TERM_SHELTER_FAR,    /* the same one rank on */
    TERM_KING_OPEN_FILE, /* the king's file or one beside it has no own pawn */
    TERM_THREAT_PAWN_ON_MINOR,
    TERM_THREAT_PAWN_ON_MAJOR,
    TERM_THREAT_MINOR_ON_MAJOR,
    TERM_THREAT_ROOK_ON_QUEEN,
    TERM_HANGING_PAWN,
    TERM_HANGING_PIECE,
    TERM_TEMPO,
    TERM_BAD_BISHOP,        /* own pawns on the colour of a bishop */
    TERM_MINOR_BEHIND_PAWN, /* a knight or bishop with a pawn in front */
    TERM_ROOK_BEHIND_PASSED,
    TERM_SAFE_CHECK,                                   /* kind - knight: squares for a check not covered */
    TERM_STORM = TERM_SAFE_CHECK + 4,                  /* rank of an enemy pawn before the king */
    TERM_PASSED_BLOCKED = TERM_STORM + 8,              /* rank, if something stands in its way */
    TERM_PHALANX = TERM_PASSED_BLOCKED + 8,            /* rank of the pawn */
    TERM_PROTECTED = TERM_PHALANX + 8,                 /* rank */
    TERM_PASSED = TERM_PROTECTED + 8,                  /* rank */
    TERM_PASSED_FREE = TERM_PASSED + 8,                /* rank, if its next square is free and safe */
    TERM_PASSED_OWN_KING = TERM_PASSED_FREE + 8,       /* distance to its next square */
    TERM_PASSED_ENEMY_KING = TERM_PASSED_OWN_KING + 8, /* distance */
    TERM_KING_ATTACK = TERM_PASSED_ENEMY_KING + 8,     /* units of attack on the enemy king */
    TERM_LEVER = TERM_KING_ATTACK + 32,                /* rank of a pawn that attacks an enemy pawn */
    TERM_LEVER_PUSH = TERM_LEVER + 8,                  /* rank of a pawn that would after one step */
    TERM_RAMMED = TERM_LEVER_PUSH + 8,                 /* rank of a pawn that stands before an enemy pawn */
    TERM_CANDIDATE = TERM_RAMMED + 8,                  /* rank of a pawn that others can help to pass */
    TERM_PUSH_THREAT = TERM_CANDIDATE + 8,             /* a piece that a safe step of a pawn would attack */
    TERM_SPACE,                                        /* safe central squares behind the own pawns */
    TERM_ROOK_ON_SEVENTH,
    TERM_RESTRICTED, /* squares of the enemy's pieces that are attacked and no pawn protects */
    TERM_WEAK_ZONE,  /* squares around the enemy king that are attacked and only the king protects */
    TERM_COUNT,
};

extern const int32_t chess_weights[TERM_COUNT];

#endif

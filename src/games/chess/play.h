/* play.h - plays a move on a copy of the board, in two parts: the pieces (all that perft needs), and the
 * rest of the state with its key. */
#ifndef GAMES_CHESS_PLAY_H
#define GAMES_CHESS_PLAY_H

#include "games/chess/generate.h"

CHESS_INLINE void chess_place(struct chess *s, int kind, int side, int square)
{
    s->sets[kind] |= chess_bit(square);
    s->sets[CHESS_WHITE + side] |= chess_bit(square);
}

/* The pieces, the right to castle, and the square behind a pawn that an enemy pawn could reach by taking in
 * passing, whether or not that would be legal. Both squares are cleared in every set, so it does not matter
 * what was taken. */
CHESS_INLINE void chess_play_pieces(const struct chess *from_state, mp_move move, int us, struct chess *t)
{
    int from = chess_from(move), to = chess_to(move), how = chess_how(move);
    uint64_t gone = chess_bit(from) | chess_bit(to);
    for (int i = 0; i < CHESS_SETS; i++)
        t->sets[i] = from_state->sets[i] & ~gone;
    t->castlers = from_state->castlers & ~gone;
    if (chess_piece(move) == CHESS_KING)
        t->castlers &= ~chess_back_rank(us);
    t->en_passant = 0;
    if (how == CHESS_CASTLE) {
        chess_place(t, CHESS_KING, us, chess_castled_king(us, to > from));
        chess_place(t, CHESS_ROOK, us, chess_castled_rook(us, to > from));
        return;
    }
    chess_place(t, chess_landed(move), us, to);
    if (how == CHESS_DOUBLE_STEP) {
        int behind = (from + to) / 2;
        if (chess_tables.pawn[us][behind] & t->sets[CHESS_PAWN] & t->sets[CHESS_WHITE + !us])
            t->en_passant = (uint8_t)behind;
    } else if (how == CHESS_EN_PASSANT) {
        uint64_t victim = chess_forward(chess_bit(to), !us);
        t->sets[CHESS_PAWN] ^= victim;
        t->sets[CHESS_WHITE + !us] ^= victim;
    }
}

/* By how much a move changes the key of the pieces, and the side. */
CHESS_INLINE uint64_t chess_move_key(mp_move move, int us)
{
    const uint64_t(*own)[64] = chess_tables.piece_keys[us], (*enemy)[64] = chess_tables.piece_keys[!us];
    int from = chess_from(move), to = chess_to(move), how = chess_how(move);
    uint64_t key = chess_tables.side_key ^ own[chess_piece(move)][from];
    if (how == CHESS_CASTLE)
        return key ^ own[CHESS_ROOK][to] ^ own[CHESS_KING][chess_castled_king(us, to > from)] ^
               own[CHESS_ROOK][chess_castled_rook(us, to > from)];
    key ^= own[chess_landed(move)][to];
    if (how == CHESS_EN_PASSANT)
        return key ^ enemy[CHESS_PAWN][us ? to + 8 : to - 8];
    return chess_taken(move) == CHESS_NOTHING ? key : key ^ enemy[chess_taken(move)][to];
}

/* All of a move. The square of a pawn that can be taken in passing is kept, and hashed, only if a capture is
 * legal: otherwise the position is the same without it. */
CHESS_INLINE void chess_play_move(const struct chess *s, mp_move move, int us, struct chess *t)
{
    chess_play_pieces(s, move, us, t);
    bool irreversible = chess_piece(move) == CHESS_PAWN || chess_taken(move) != CHESS_NOTHING;
    t->clock = irreversible ? 0 : (uint16_t)(s->clock + 1);
    t->number = (uint16_t)(s->number + us);
    t->side = !us;
    t->key = s->key ^ chess_move_key(move, us);
    for (uint64_t lost = s->castlers & ~t->castlers; lost; lost = bits_rest(lost))
        t->key ^= chess_tables.castler_keys[bits_first(lost)];
    if (s->en_passant)
        t->key ^= chess_tables.en_passant_keys[s->en_passant];
    if (t->en_passant) {
        struct chess_view v = chess_look(t, !us);
        if (chess_passing_takers(t, &v, !us))
            t->key ^= chess_tables.en_passant_keys[t->en_passant];
        else
            t->en_passant = 0;
    }
}

#endif

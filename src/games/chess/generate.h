/* generate.h - the legal moves of a position, as sets of squares, as a count, or as a list.
 *
 * Everything is specialised for the side to move: `us` is a constant at every call, and all is inlined.
 * Nothing illegal is ever generated: a look at the lines to the king tells first which pieces are pinned
 * and where a check can be met. */
#ifndef GAMES_CHESS_GENERATE_H
#define GAMES_CHESS_GENERATE_H

#include "games/chess/chess.h"
#include "games/chess/tables.h"

#define CHESS_INLINE __attribute__((always_inline)) static inline

#define CHESS_RANK_1 UINT64_C(0xff)
#define CHESS_RANK(n) (CHESS_RANK_1 << 8 * ((n)-1))
#define CHESS_FILE_A UINT64_C(0x0101010101010101)
#define CHESS_FILE_H (CHESS_FILE_A << 7)

/* Seen from a side: one step forward, and the two captures of its pawns. */
CHESS_INLINE uint64_t chess_forward(uint64_t set, int us)
{
    return us ? set >> 8 : set << 8;
}
CHESS_INLINE uint64_t chess_take_west(uint64_t set, int us)
{
    set &= ~CHESS_FILE_A;
    return us ? set >> 9 : set << 7;
}
CHESS_INLINE uint64_t chess_take_east(uint64_t set, int us)
{
    set &= ~CHESS_FILE_H;
    return us ? set >> 7 : set << 9;
}
CHESS_INLINE uint64_t chess_back_rank(int us)
{
    return us ? CHESS_RANK(8) : CHESS_RANK_1;
}

/* What the generator finds out first. */
struct chess_view {
    uint64_t own, enemy, occupied;
    uint64_t checkers;
    uint64_t answer;       /* where a piece other than the king may land, in view of a check */
    uint64_t pin_straight; /* lines from the king to a pinning rook or queen, the pinner included */
    uint64_t pin_diagonal;
    int king;
};

CHESS_INLINE uint64_t chess_straight_sliders(const struct chess *s)
{
    return s->sets[CHESS_ROOK] | s->sets[CHESS_QUEEN];
}
CHESS_INLINE uint64_t chess_diagonal_sliders(const struct chess *s)
{
    return s->sets[CHESS_BISHOP] | s->sets[CHESS_QUEEN];
}

/* Sorts the sliders that look at the king along lines without another enemy: nothing between, check; one
 * own piece between, a pin. */
CHESS_INLINE uint64_t chess_find_pins(struct chess_view *v, uint64_t snipers)
{
    uint64_t pins = 0;
    for (; snipers; snipers = bits_rest(snipers)) {
        uint64_t between = chess_tables.between[v->king][bits_first(snipers)];
        uint64_t sniper = snipers & -snipers, blockers = between & v->own;
        if (!blockers)
            v->checkers |= sniper;
        else if (!bits_rest(blockers))
            pins |= between | sniper;
    }
    return pins;
}

CHESS_INLINE struct chess_view chess_look(const struct chess *s, int us)
{
    struct chess_view v;
    v.own = s->sets[CHESS_WHITE + us];
    v.enemy = s->sets[CHESS_WHITE + !us];
    v.occupied = v.own | v.enemy;
    v.king = bits_first(s->sets[CHESS_KING] & v.own);
    v.checkers = ((chess_tables.knight[v.king] & s->sets[CHESS_KNIGHT]) |
                  (chess_tables.pawn[us][v.king] & s->sets[CHESS_PAWN])) &
                 v.enemy;
    v.pin_straight = chess_find_pins(&v, chess_rook_attacks(v.king, v.enemy) & chess_straight_sliders(s) &
                                             v.enemy);
    v.pin_diagonal = chess_find_pins(&v, chess_bishop_attacks(v.king, v.enemy) & chess_diagonal_sliders(s) &
                                             v.enemy);
    v.answer = ~UINT64_C(0);
    if (v.checkers)
        v.answer = v.checkers | chess_tables.between[v.king][bits_first(v.checkers)];
    return v;
}

/* All squares that a side attacks, with the given squares occupied. */
CHESS_INLINE uint64_t chess_attacked_by(const struct chess *s, int side, uint64_t occupied)
{
    uint64_t own = s->sets[CHESS_WHITE + side], pawns = s->sets[CHESS_PAWN] & own;
    uint64_t attacked = chess_take_west(pawns, side) | chess_take_east(pawns, side);
    for (uint64_t set = s->sets[CHESS_KNIGHT] & own; set; set = bits_rest(set))
        attacked |= chess_tables.knight[bits_first(set)];
    for (uint64_t set = chess_diagonal_sliders(s) & own; set; set = bits_rest(set))
        attacked |= chess_bishop_attacks(bits_first(set), occupied);
    for (uint64_t set = chess_straight_sliders(s) & own; set; set = bits_rest(set))
        attacked |= chess_rook_attacks(bits_first(set), occupied);
    return attacked | chess_tables.king[bits_first(s->sets[CHESS_KING] & own)];
}

/* Without the king's own square occupied: it cannot hide from a slider by stepping back. */
CHESS_INLINE uint64_t chess_danger(const struct chess *s, const struct chess_view *v, int us)
{
    return chess_attacked_by(s, !us, v->occupied ^ chess_bit(v->king));
}

/* ---- Sets of targets ----------------------------------------------------------------------------------- */

CHESS_INLINE uint64_t chess_king_targets(const struct chess *s, const struct chess_view *v, int us)
{
    uint64_t targets = chess_tables.king[v->king] & ~v->own;
    return targets ? targets & ~chess_danger(s, v, us) : 0;
}

/* May the king castle with this rook? The squares both cross must be empty, those the king crosses safe; and
 * in Chess960 the rook may have been what shielded the king's new square. */
CHESS_INLINE bool chess_may_castle(const struct chess *s, const struct chess_view *v, int us, int rook)
{
    bool kingside = rook > v->king;
    int king_to = chess_castled_king(us, kingside), rook_to = chess_castled_rook(us, kingside);
    uint64_t both = chess_bit(v->king) | chess_bit(rook);
    uint64_t king_path = chess_tables.between[v->king][king_to] | chess_bit(king_to);
    uint64_t rook_path = chess_tables.between[rook][rook_to] | chess_bit(rook_to);
    if ((king_path | rook_path) & v->occupied & ~both)
        return false;
    if (king_path & chess_danger(s, v, us))
        return false;
    uint64_t occupied = (v->occupied & ~both) | chess_bit(rook_to);
    return !(chess_rook_attacks(king_to, occupied) & chess_straight_sliders(s) & v->enemy &
             chess_back_rank(us));
}

/* The rooks with which the king may castle now. */
CHESS_INLINE uint64_t chess_castlings(const struct chess *s, const struct chess_view *v, int us)
{
    uint64_t rooks = s->castlers & chess_back_rank(us), legal = 0;
    if (v->checkers)
        return 0;
    for (; rooks; rooks = bits_rest(rooks))
        if (chess_may_castle(s, v, us, bits_first(rooks)))
            legal |= rooks & -rooks;
    return legal;
}

CHESS_INLINE uint64_t chess_knight_targets(const struct chess_view *v, int from)
{
    return chess_tables.knight[from] & v->answer & ~v->own;
}
CHESS_INLINE uint64_t chess_diagonal_targets(const struct chess_view *v, int from)
{
    uint64_t line = chess_bit(from) & v->pin_diagonal ? v->pin_diagonal : ~UINT64_C(0);
    return chess_bishop_attacks(from, v->occupied) & v->answer & ~v->own & line;
}
CHESS_INLINE uint64_t chess_straight_targets(const struct chess_view *v, int from)
{
    uint64_t line = chess_bit(from) & v->pin_straight ? v->pin_straight : ~UINT64_C(0);
    return chess_rook_attacks(from, v->occupied) & v->answer & ~v->own & line;
}

/* The pieces that can use their way of moving at all. */
CHESS_INLINE uint64_t chess_free_knights(const struct chess *s, const struct chess_view *v)
{
    return s->sets[CHESS_KNIGHT] & v->own & ~(v->pin_straight | v->pin_diagonal);
}

/* Where a set of own pawns can go: each set is shifted by the same distance from where its pawns stand. */
struct chess_pawn_targets {
    uint64_t step, double_step, west, east;
};

CHESS_INLINE struct chess_pawn_targets chess_pawn_targets(const struct chess_view *v, uint64_t pawns, int us)
{
    struct chess_pawn_targets t;
    uint64_t empty = ~v->occupied;
    uint64_t pushers = pawns & ~v->pin_diagonal, takers = pawns & ~v->pin_straight;
    uint64_t held = pushers & v->pin_straight, bound = takers & v->pin_diagonal;
    t.step = chess_forward(pushers & ~held, us);
    t.west = chess_take_west(takers & ~bound, us);
    t.east = chess_take_east(takers & ~bound, us);
    if (held)
        t.step |= chess_forward(held, us) & v->pin_straight;
    if (bound) {
        t.west |= chess_take_west(bound, us) & v->pin_diagonal;
        t.east |= chess_take_east(bound, us) & v->pin_diagonal;
    }
    t.step &= empty;
    t.double_step = chess_forward(t.step & (us ? CHESS_RANK(6) : CHESS_RANK(3)), us) & empty & v->answer;
    t.step &= v->answer;
    t.west &= v->enemy & v->answer;
    t.east &= v->enemy & v->answer;
    return t;
}

/* Would the king be safe after this pawn has taken in passing? Two pawns leave their squares at once, so the
 * lines to the king are looked at anew. */
CHESS_INLINE bool chess_may_take_in_passing(const struct chess *s, const struct chess_view *v, int us,
                                            int from)
{
    uint64_t victim = chess_forward(chess_bit(s->en_passant), !us);
    uint64_t occupied = v->occupied ^ chess_bit(from) ^ victim ^ chess_bit(s->en_passant);
    uint64_t leapers = s->sets[CHESS_KNIGHT] | s->sets[CHESS_PAWN];
    return !((chess_rook_attacks(v->king, occupied) & chess_straight_sliders(s) & v->enemy) |
             (chess_bishop_attacks(v->king, occupied) & chess_diagonal_sliders(s) & v->enemy) |
             (v->checkers & leapers & ~victim));
}

/* The own pawns that may take in passing. */
CHESS_INLINE uint64_t chess_passing_takers(const struct chess *s, const struct chess_view *v, int us)
{
    uint64_t legal = 0;
    uint64_t takers = chess_tables.pawn[!us][s->en_passant] & s->sets[CHESS_PAWN] & v->own;
    for (; takers; takers = bits_rest(takers))
        if (chess_may_take_in_passing(s, v, us, bits_first(takers)))
            legal |= takers & -takers;
    return legal;
}

/* ---- Counting ------------------------------------------------------------------------------------------ */

CHESS_INLINE int chess_count_pawn_moves(const struct chess *s, const struct chess_view *v, int us)
{
    struct chess_pawn_targets t = chess_pawn_targets(v, s->sets[CHESS_PAWN] & v->own, us);
    int count = bits_count(t.step) + bits_count(t.double_step) + bits_count(t.west) + bits_count(t.east);
    const uint64_t last = chess_back_rank(!us);
    if ((t.step | t.west | t.east) & last)
        count += 3 * (bits_count(t.step & last) + bits_count(t.west & last) + bits_count(t.east & last));
    return s->en_passant ? count + bits_count(chess_passing_takers(s, v, us)) : count;
}

CHESS_INLINE int chess_count_moves(const struct chess *s, int us)
{
    struct chess_view v = chess_look(s, us);
    int count = bits_count(chess_king_targets(s, &v, us));
    if (bits_rest(v.checkers))
        return count;
    count += chess_count_pawn_moves(s, &v, us);
    for (uint64_t set = chess_free_knights(s, &v); set; set = bits_rest(set))
        count += bits_count(chess_knight_targets(&v, bits_first(set)));
    for (uint64_t set = chess_diagonal_sliders(s) & v.own & ~v.pin_straight; set; set = bits_rest(set))
        count += bits_count(chess_diagonal_targets(&v, bits_first(set)));
    for (uint64_t set = chess_straight_sliders(s) & v.own & ~v.pin_diagonal; set; set = bits_rest(set))
        count += bits_count(chess_straight_targets(&v, bits_first(set)));
    if (s->castlers & chess_back_rank(us))
        count += bits_count(chess_castlings(s, &v, us));
    return count;
}

/* ---- Listing ------------------------------------------------------------------------------------------- */

CHESS_INLINE mp_move *chess_add_targets(const struct chess *s, const struct chess_view *v, mp_move *out,
                                        int from, int piece, uint64_t targets)
{
    for (uint64_t set = targets & v->enemy; set; set = bits_rest(set)) {
        int to = bits_first(set);
        *out++ = chess_move(from, to, CHESS_PLAIN, piece, chess_kind_at(s, to));
    }
    for (uint64_t set = targets & ~v->enemy; set; set = bits_rest(set))
        *out++ = chess_move(from, bits_first(set), CHESS_PLAIN, piece, CHESS_NOTHING);
    return out;
}

/* Moves of pawns that all came the same way. */
CHESS_INLINE mp_move *chess_add_pawns(const struct chess *s, mp_move *out, uint64_t targets, int distance,
                                      int how, int us)
{
    const uint64_t last = chess_back_rank(!us);
    for (uint64_t set = targets & last; set; set = bits_rest(set)) {
        int to = bits_first(set);
        for (int promotion = 3; promotion >= 0; promotion--)
            *out++ = chess_move(to - distance, to, CHESS_PROMOTION + promotion, CHESS_PAWN,
                                chess_kind_at(s, to));
    }
    for (uint64_t set = targets & ~last; set; set = bits_rest(set)) {
        int to = bits_first(set);
        *out++ = chess_move(to - distance, to, how, CHESS_PAWN, chess_kind_at(s, to));
    }
    return out;
}

/* Noisy: captures and promotions. */
enum chess_part { CHESS_ALL, CHESS_NOISY, CHESS_QUIET };

CHESS_INLINE mp_move *chess_list_pawn_moves(const struct chess *s, const struct chess_view *v, int us,
                                            enum chess_part part, mp_move *out)
{
    struct chess_pawn_targets t = chess_pawn_targets(v, s->sets[CHESS_PAWN] & v->own, us);
    const int up = us ? -8 : 8;
    if (part != CHESS_QUIET) {
        out = chess_add_pawns(s, out, t.west, up - 1, CHESS_PLAIN, us);
        out = chess_add_pawns(s, out, t.east, up + 1, CHESS_PLAIN, us);
        if (s->en_passant)
            for (uint64_t set = chess_passing_takers(s, v, us); set; set = bits_rest(set))
                *out++ = chess_move(bits_first(set), s->en_passant, CHESS_EN_PASSANT, CHESS_PAWN, CHESS_PAWN);
    }
    if (part == CHESS_NOISY)
        t.step &= chess_back_rank(!us);
    if (part == CHESS_QUIET)
        t.step &= ~chess_back_rank(!us);
    out = chess_add_pawns(s, out, t.step, up, CHESS_PLAIN, us);
    return part == CHESS_NOISY ? out : chess_add_pawns(s, out, t.double_step, 2 * up, CHESS_DOUBLE_STEP, us);
}

/* Writes the legal moves, or part of them; returns the end of what was written. */
CHESS_INLINE mp_move *chess_list_moves(const struct chess *s, int us, enum chess_part part, mp_move *out)
{
    struct chess_view v = chess_look(s, us);
    uint64_t wanted = part == CHESS_NOISY ? v.enemy : part == CHESS_QUIET ? ~v.enemy : ~UINT64_C(0);
    if (!bits_rest(v.checkers)) {
        out = chess_list_pawn_moves(s, &v, us, part, out);
        for (uint64_t set = chess_free_knights(s, &v); set; set = bits_rest(set)) {
            int from = bits_first(set);
            out = chess_add_targets(s, &v, out, from, CHESS_KNIGHT, chess_knight_targets(&v, from) & wanted);
        }
        for (uint64_t set = chess_diagonal_sliders(s) & v.own & ~v.pin_straight; set; set = bits_rest(set)) {
            int from = bits_first(set);
            int piece = s->sets[CHESS_QUEEN] & chess_bit(from) ? CHESS_QUEEN : CHESS_BISHOP;
            out = chess_add_targets(s, &v, out, from, piece, chess_diagonal_targets(&v, from) & wanted);
        }
        for (uint64_t set = chess_straight_sliders(s) & v.own & ~v.pin_diagonal; set; set = bits_rest(set)) {
            int from = bits_first(set);
            int piece = s->sets[CHESS_QUEEN] & chess_bit(from) ? CHESS_QUEEN : CHESS_ROOK;
            out = chess_add_targets(s, &v, out, from, piece, chess_straight_targets(&v, from) & wanted);
        }
        if (part != CHESS_NOISY && s->castlers & chess_back_rank(us))
            for (uint64_t set = chess_castlings(s, &v, us); set; set = bits_rest(set))
                *out++ = chess_move(v.king, bits_first(set), CHESS_CASTLE, CHESS_KING, CHESS_NOTHING);
    }
    return chess_add_targets(s, &v, out, v.king, CHESS_KING, chess_king_targets(s, &v, us) & wanted);
}

#endif

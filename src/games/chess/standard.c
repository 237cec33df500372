/* standard.c - the evaluation `standard`: material, squares, mobility, pawns, kings, threats, each term for
 * White minus Black, blended by how much material is left. Compiled once for each CPU level.
 *
 * The same code adds up the value and, for a tuner, counts the terms (chess_trace). */
#include "games/chess/standard.h"
#include "games/chess/generate.h"
#include "games/chess/terms.h"

#include "base/level.h"

#define RANKS_4_TO_6 (CHESS_RANK(4) | CHESS_RANK(5) | CHESS_RANK(6))
#define RANKS_3_TO_5 (CHESS_RANK(3) | CHESS_RANK(4) | CHESS_RANK(5))
#define DARK UINT64_C(0xaa55aa55aa55aa55)
#define CENTRAL_FILES (UINT64_C(0x3c3c3c3c3c3c3c3c))

/* Where the terms go. counts is null when only the value is wanted, and then costs nothing. */
struct tally {
    int32_t sum;
    int16_t *counts;
};

CHESS_INLINE void add(struct tally *tally, int term, int times)
{
    tally->sum += chess_weights[term] * times;
    if (tally->counts)
        tally->counts[term] = (int16_t)(tally->counts[term] + times);
}

/* What the terms of one side need to know. */
struct half {
    uint64_t own, pawns;
    uint64_t pawn_attacks, attacks, attacks_but_king;
    uint64_t kind_attacks[CHESS_KING]; /* of knights, bishops, rooks and queens */
    uint64_t pawn_span;                /* all squares that the pawns attack now or after moving on */
    uint64_t king_zone;                /* the squares around the king and in front of them */
    int king;
};

/* ---- Sets ---------------------------------------------------------------------------------------------- */

/* The set and everything in front of it. */
CHESS_INLINE uint64_t fill_forward(uint64_t set, int us)
{
    set |= us ? set >> 8 : set << 8;
    set |= us ? set >> 16 : set << 16;
    return set | (us ? set >> 32 : set << 32);
}

CHESS_INLINE uint64_t beside(uint64_t set)
{
    return (set & ~CHESS_FILE_A) >> 1 | (set & ~CHESS_FILE_H) << 1;
}

CHESS_INLINE int rank_of(int square, int us)
{
    return (us ? 63 - square : square) / 8;
}

CHESS_INLINE int distance(int a, int b)
{
    int files = a % 8 - b % 8, ranks = a / 8 - b / 8;
    files = files < 0 ? -files : files;
    ranks = ranks < 0 ? -ranks : ranks;
    return files > ranks ? files : ranks;
}

CHESS_INLINE struct half look_at(const struct chess *s, int us)
{
    struct half h = {.own = s->sets[CHESS_WHITE + us]};
    h.pawns = s->sets[CHESS_PAWN] & h.own;
    h.pawn_attacks = chess_take_west(h.pawns, us) | chess_take_east(h.pawns, us);
    h.pawn_span = fill_forward(h.pawn_attacks, us);
    h.king = bits_first(s->sets[CHESS_KING] & h.own);
    uint64_t around = chess_tables.king[h.king] | chess_bit(h.king);
    h.king_zone = around | chess_forward(around, us);
    h.attacks_but_king = h.pawn_attacks;
    h.attacks = h.pawn_attacks | chess_tables.king[h.king];
    return h;
}

/* ---- Pieces -------------------------------------------------------------------------------------------- */

CHESS_INLINE void add_square(struct tally *tally, int kind, int square, int us)
{
    add(tally, TERM_SQUARE + kind * 64 + (us ? square ^ 56 : square), us ? -1 : 1);
}

/* Material, squares and mobility of all pieces of one kind; returns their units of attack on the enemy king:
 * the squares of its zone they attack, weighted by kind. */
CHESS_INLINE int add_kind(struct tally *tally, const struct chess *s, struct half *h,
                          const struct half *enemy, int kind, int us)
{
    static const int units_of[CHESS_KING] = {0, 2, 2, 3, 4};
    const int sign = us ? -1 : 1;
    uint64_t all = s->sets[CHESS_WHITE] | s->sets[CHESS_BLACK], queens = s->sets[CHESS_QUEEN];
    uint64_t area = ~(h->pawns | chess_bit(h->king) | enemy->pawn_attacks), set = s->sets[kind] & h->own;
    int units = 0;
    add(tally, TERM_MATERIAL + kind, sign * bits_count(set));
    for (; set; set = bits_rest(set)) {
        int square = bits_first(set);
        uint64_t attacks = 0;
        if (kind == CHESS_KNIGHT)
            attacks = chess_tables.knight[square];
        if (kind == CHESS_BISHOP || kind == CHESS_QUEEN)
            attacks |= chess_bishop_attacks(square, kind == CHESS_BISHOP ? all & ~queens : all);
        if (kind == CHESS_ROOK || kind == CHESS_QUEEN)
            attacks |= chess_rook_attacks(
                square, kind == CHESS_ROOK ? all & ~(queens | (s->sets[CHESS_ROOK] & h->own)) : all);
        add_square(tally, kind, square, us);
        add(tally, TERM_MOBILITY + (kind - CHESS_KNIGHT) * 28 + bits_count(attacks & area), sign);
        units += units_of[kind] * bits_count(attacks & enemy->king_zone);
        h->kind_attacks[kind] |= attacks;
    }
    h->attacks |= h->kind_attacks[kind];
    h->attacks_but_king |= h->kind_attacks[kind];
    return units;
}

CHESS_INLINE void add_pieces(struct tally *tally, const struct chess *s, struct half *h,
                             const struct half *enemy, int us)
{
    const int sign = us ? -1 : 1;
    int units = 0;
    for (int kind = CHESS_KNIGHT; kind <= CHESS_QUEEN; kind++)
        units += add_kind(tally, s, h, enemy, kind, us);
    units = units / 2 < 31 ? units / 2 : 31;
    add(tally, TERM_KING_ATTACK + units, sign);

    uint64_t bishops = s->sets[CHESS_BISHOP] & h->own, knights = s->sets[CHESS_KNIGHT] & h->own;
    if (bits_rest(bishops))
        add(tally, TERM_BISHOP_PAIR, sign);
    uint64_t outposts = h->pawn_attacks & ~enemy->pawn_span & (us ? RANKS_3_TO_5 : RANKS_4_TO_6);
    add(tally, TERM_KNIGHT_OUTPOST, sign * bits_count(knights & outposts));
    add(tally, TERM_BISHOP_OUTPOST, sign * bits_count(bishops & outposts));
    uint64_t behind = chess_forward(h->pawns | enemy->pawns, !us);
    add(tally, TERM_MINOR_BEHIND_PAWN, sign * bits_count((knights | bishops) & behind));
    add(tally, TERM_BAD_BISHOP,
        sign * (bits_count(bishops & DARK) * bits_count(h->pawns & DARK) +
                bits_count(bishops & ~DARK) * bits_count(h->pawns & ~DARK)));

    uint64_t own_files = fill_forward(h->pawns, us) | fill_forward(h->pawns, !us);
    uint64_t enemy_files = fill_forward(enemy->pawns, us) | fill_forward(enemy->pawns, !us);
    uint64_t rooks = s->sets[CHESS_ROOK] & h->own & ~own_files;
    add(tally, TERM_ROOK_OPEN_FILE, sign * bits_count(rooks & ~enemy_files));
    add(tally, TERM_ROOK_HALF_OPEN_FILE, sign * bits_count(rooks & enemy_files));
    uint64_t seventh = us ? CHESS_RANK(2) : CHESS_RANK(7), last = us ? CHESS_RANK(1) : CHESS_RANK(8);
    if ((chess_bit(enemy->king) & last) | (enemy->pawns & seventh))
        add(tally, TERM_ROOK_ON_SEVENTH, sign * bits_count(s->sets[CHESS_ROOK] & h->own & seventh));
}

/* ---- Pawns --------------------------------------------------------------------------------------------- */

/* Pawns that attack an enemy pawn, could after a step, or stand before one. */
CHESS_INLINE void add_levers(struct tally *tally, const struct half *h, const struct half *enemy, int us)
{
    const int sign = us ? -1 : 1;
    /* Two pawns attack each other or not at all. */
    uint64_t attacking = h->pawns & enemy->pawn_attacks;
    uint64_t pushed = chess_forward(h->pawns, us) & ~(h->pawns | enemy->pawns) & enemy->pawn_attacks;
    uint64_t rammed = h->pawns & chess_forward(enemy->pawns, !us);
    for (uint64_t set = attacking; set; set = bits_rest(set))
        add(tally, TERM_LEVER + rank_of(bits_first(set), us), sign);
    for (uint64_t set = pushed; set; set = bits_rest(set))
        add(tally, TERM_LEVER_PUSH + rank_of(bits_first(set), us) - 1, sign);
    for (uint64_t set = rammed; set; set = bits_rest(set))
        add(tally, TERM_RAMMED + rank_of(bits_first(set), us), sign);
}

/* Pawns with a free file before them that are not passed, but have as many helpers beside or behind as there
 * are enemies ahead on the files beside. */
CHESS_INLINE void add_candidates(struct tally *tally, const struct half *h, const struct half *enemy,
                                 uint64_t passed, int us)
{
    uint64_t open = h->pawns & ~passed & ~fill_forward(enemy->pawns, !us) &
                    ~fill_forward(chess_forward(h->pawns, !us), !us);
    for (uint64_t set = open; set; set = bits_rest(set)) {
        uint64_t row = beside(set & -set);
        int helpers = bits_count(fill_forward(row, !us) & h->pawns);
        int enemies = bits_count(fill_forward(chess_forward(row, us), us) & enemy->pawns);
        if (helpers >= enemies)
            add(tally, TERM_CANDIDATE + rank_of(bits_first(set), us), us ? -1 : 1);
    }
}

/* The terms of one side that depend on nothing but pawns; returns its passed pawns. */
CHESS_INLINE uint64_t add_pawns(struct tally *tally, const struct half *h, const struct half *enemy, int us)
{
    const int sign = us ? -1 : 1;
    uint64_t pawns = h->pawns;
    uint64_t behind = fill_forward(chess_forward(pawns, !us), !us);
    uint64_t files = fill_forward(pawns, us) | behind;
    uint64_t isolated = pawns & ~beside(files);
    uint64_t stuck = chess_forward(chess_forward(pawns, us) & enemy->pawn_attacks & ~h->pawn_span, !us);
    add(tally, TERM_MATERIAL + CHESS_PAWN, sign * bits_count(pawns));
    add(tally, TERM_PAWN_DOUBLED, sign * bits_count(pawns & behind));
    add(tally, TERM_PAWN_ISOLATED, sign * bits_count(isolated));
    add(tally, TERM_PAWN_BACKWARD, sign * bits_count(stuck & ~isolated));
    for (uint64_t set = pawns; set; set = bits_rest(set))
        add_square(tally, CHESS_PAWN, bits_first(set), us);
    for (uint64_t set = pawns & beside(pawns); set; set = bits_rest(set))
        add(tally, TERM_PHALANX + rank_of(bits_first(set), us), sign);
    for (uint64_t set = pawns & h->pawn_attacks; set; set = bits_rest(set))
        add(tally, TERM_PROTECTED + rank_of(bits_first(set), us), sign);
    add_levers(tally, h, enemy, us);
    uint64_t passed = pawns & ~(enemy->pawn_span | fill_forward(enemy->pawns, !us) | behind);
    add_candidates(tally, h, enemy, passed, us);
    return passed;
}

/* Pawns move seldom: what they are worth by themselves is remembered, by each thread for itself. An entry of
 * zeros is right for a board without pawns. */
struct pawns {
    uint64_t white, black, passed;
    int32_t sum;
};
enum { REMEMBERED_BITS = 11 };
static _Thread_local struct pawns remembered[1 << REMEMBERED_BITS];

/* The terms of both sides' pawns; returns the passed ones. */
CHESS_INLINE uint64_t add_all_pawns(struct tally *tally, const struct half *white, const struct half *black)
{
    uint64_t mixed = white->pawns * UINT64_C(0x9e3779b97f4a7c15) ^
                     black->pawns * UINT64_C(0xd1342543de82ef95);
    struct pawns *known = &remembered[mixed >> (64 - REMEMBERED_BITS)];
    if (tally->counts || known->white != white->pawns || known->black != black->pawns) {
        struct tally own = {0, tally->counts};
        uint64_t passed = add_pawns(&own, white, black, 0) | add_pawns(&own, black, white, 1);
        *known = (struct pawns){white->pawns, black->pawns, passed, own.sum};
    }
    tally->sum += known->sum;
    return known->passed;
}

/* A passed pawn: the further, the better; better still if it can go on, and if the own king is nearer to the
 * next square than the other. */
CHESS_INLINE void add_passed(struct tally *tally, const struct half *h, const struct half *enemy,
                             uint64_t all, uint64_t rooks, int square, int us)
{
    const int sign = us ? -1 : 1;
    int rank = rank_of(square, us), next = us ? square - 8 : square + 8;
    add(tally, TERM_PASSED + rank, sign);
    if (rank < 3)
        return;
    if (all & chess_bit(next))
        add(tally, TERM_PASSED_BLOCKED + rank, sign);
    else if (!(enemy->attacks & chess_bit(next)))
        add(tally, TERM_PASSED_FREE + rank, sign);
    if (fill_forward(chess_bit(square), !us) & rooks)
        add(tally, TERM_ROOK_BEHIND_PASSED, sign);
    add(tally, TERM_PASSED_OWN_KING + distance(h->king, next), sign);
    add(tally, TERM_PASSED_ENEMY_KING + distance(enemy->king, next), sign);
}

CHESS_INLINE void add_all_passed(struct tally *tally, const struct chess *s, const struct half *h,
                                 const struct half *enemy, uint64_t passed, int us)
{
    uint64_t all = s->sets[CHESS_WHITE] | s->sets[CHESS_BLACK];
    for (uint64_t set = passed & h->own; set; set = bits_rest(set))
        add_passed(tally, h, enemy, all, s->sets[CHESS_ROOK] & h->own, bits_first(set), us);
}

/* ---- Kings and threats --------------------------------------------------------------------------------- */

CHESS_INLINE void add_king(struct tally *tally, const struct half *h, const struct half *enemy, int us)
{
    const int sign = us ? -1 : 1;
    uint64_t king = chess_bit(h->king), row = king | beside(king);
    uint64_t near = chess_forward(row, us), columns = fill_forward(row, us) | fill_forward(row, !us);
    uint64_t own_files = fill_forward(h->pawns, us) | fill_forward(h->pawns, !us);
    add_square(tally, CHESS_KING, h->king, us);
    add(tally, TERM_SHELTER_NEAR, sign * bits_count(near & h->pawns));
    add(tally, TERM_SHELTER_FAR, sign * bits_count(chess_forward(near, us) & h->pawns));
    add(tally, TERM_KING_OPEN_FILE, sign * bits_count(columns & ~own_files & CHESS_RANK_1));
    for (uint64_t set = fill_forward(near, us) & enemy->pawns; set; set = bits_rest(set))
        add(tally, TERM_STORM + rank_of(bits_first(set), us), sign);
}

/* Squares from which a piece could give check and where nothing covers them. */
CHESS_INLINE void add_checks(struct tally *tally, const struct chess *s, const struct half *h,
                             const struct half *enemy, int us)
{
    const int sign = us ? -1 : 1;
    uint64_t all = s->sets[CHESS_WHITE] | s->sets[CHESS_BLACK], safe = ~(h->own | enemy->attacks);
    uint64_t straight = chess_rook_attacks(enemy->king, all) & safe;
    uint64_t diagonal = chess_bishop_attacks(enemy->king, all) & safe;
    const uint64_t from[CHESS_KING] = {0, chess_tables.knight[enemy->king] & safe, diagonal, straight,
                                       straight | diagonal};
    for (int kind = CHESS_KNIGHT; kind <= CHESS_QUEEN; kind++)
        add(tally, TERM_SAFE_CHECK + kind - CHESS_KNIGHT,
            sign * bits_count(h->kind_attacks[kind] & from[kind]));
}

CHESS_INLINE void add_threats(struct tally *tally, const struct chess *s, const struct half *h,
                              const struct half *enemy, int us)
{
    const int sign = us ? -1 : 1;
    uint64_t minors = (s->sets[CHESS_KNIGHT] | s->sets[CHESS_BISHOP]) & enemy->own;
    uint64_t majors = chess_straight_sliders(s) & enemy->own, queens = s->sets[CHESS_QUEEN] & enemy->own;
    uint64_t hanging = h->attacks & ~enemy->attacks;
    uint64_t minor_attacks = h->kind_attacks[CHESS_KNIGHT] | h->kind_attacks[CHESS_BISHOP];
    add(tally, TERM_THREAT_PAWN_ON_MINOR, sign * bits_count(h->pawn_attacks & minors));
    add(tally, TERM_THREAT_PAWN_ON_MAJOR, sign * bits_count(h->pawn_attacks & majors));
    add(tally, TERM_THREAT_MINOR_ON_MAJOR, sign * bits_count(minor_attacks & majors));
    add(tally, TERM_THREAT_ROOK_ON_QUEEN, sign * bits_count(h->kind_attacks[CHESS_ROOK] & queens));
    add(tally, TERM_HANGING_PAWN, sign * bits_count(hanging & enemy->pawns));
    add(tally, TERM_HANGING_PIECE, sign * bits_count(hanging & (minors | majors)));

    uint64_t all = s->sets[CHESS_WHITE] | s->sets[CHESS_BLACK];
    uint64_t steps = chess_forward(h->pawns, us) & ~all & ~enemy->pawn_attacks &
                     (h->attacks | ~enemy->attacks);
    uint64_t reached = chess_take_west(steps, us) | chess_take_east(steps, us);
    add(tally, TERM_PUSH_THREAT, sign * bits_count(reached & (minors | majors) & ~h->pawn_attacks));
    add(tally, TERM_RESTRICTED, sign * bits_count(h->attacks & enemy->attacks & ~enemy->pawn_attacks));
    uint64_t zone = chess_tables.king[enemy->king] & h->attacks & ~enemy->attacks_but_king;
    add(tally, TERM_WEAK_ZONE, sign * bits_count(zone));
    uint64_t home = us ? CENTRAL_FILES & (CHESS_RANK(5) | CHESS_RANK(6) | CHESS_RANK(7))
                       : CENTRAL_FILES & (CHESS_RANK(2) | CHESS_RANK(3) | CHESS_RANK(4));
    uint64_t behind = fill_forward(chess_forward(h->pawns, !us), !us);
    add(tally, TERM_SPACE, sign * bits_count(home & behind & ~h->pawns & ~enemy->pawn_attacks));
}

/* ---- All together -------------------------------------------------------------------------------------- */

CHESS_INLINE void add_all(struct tally *tally, const struct chess *s)
{
    struct half white = look_at(s, 0), black = look_at(s, 1);
    add_pieces(tally, s, &white, &black, 0);
    add_pieces(tally, s, &black, &white, 1);
    uint64_t passed = add_all_pawns(tally, &white, &black);
    add_all_passed(tally, s, &white, &black, passed, 0);
    add_all_passed(tally, s, &black, &white, passed, 1);
    add_king(tally, &white, &black, 0);
    add_king(tally, &black, &white, 1);
    add_checks(tally, s, &white, &black, 0);
    add_checks(tally, s, &black, &white, 1);
    add_threats(tally, s, &white, &black, 0);
    add_threats(tally, s, &black, &white, 1);
    add(tally, TERM_TEMPO, s->side ? -1 : 1);
}

/* From 24 in the initial position down to 0 without pieces. */
CHESS_INLINE int phase_of(const struct chess *s)
{
    int phase = bits_count(s->sets[CHESS_KNIGHT] | s->sets[CHESS_BISHOP]) +
                2 * bits_count(s->sets[CHESS_ROOK]) + 4 * bits_count(s->sets[CHESS_QUEEN]);
    return phase < 24 ? phase : 24;
}

/* How much of an endgame lead can be turned into a win, in 64ths: little with bishops of opposite colours
 * and nothing else, or without pawns and hardly a piece more. */
CHESS_INLINE int winning_share(const struct chess *s, int end)
{
    static const int worth[CHESS_KING] = {0, 3, 3, 5, 9};
    uint64_t strong = s->sets[CHESS_WHITE + (end < 0)], weak = s->sets[CHESS_WHITE + (end > 0)];
    uint64_t bishops = s->sets[CHESS_BISHOP];
    if (!(s->sets[CHESS_PAWN] & strong)) {
        int lead = 0;
        for (int kind = CHESS_KNIGHT; kind <= CHESS_QUEEN; kind++)
            lead += worth[kind] * (bits_count(s->sets[kind] & strong) - bits_count(s->sets[kind] & weak));
        if (lead <= 3)
            return 8;
    }
    bool others = s->sets[CHESS_KNIGHT] | s->sets[CHESS_ROOK] | s->sets[CHESS_QUEEN];
    bool one_each = bishops & strong && bishops & weak && bits_count(bishops) == 2;
    return !others && one_each && bits_count(bishops & DARK) == 1 ? 32 : 64;
}

mp_value LEVELED(chess_standard)(const struct chess *s)
{
    struct tally tally = {0, NULL};
    add_all(&tally, s);
    int middle = chess_middle(tally.sum), end = chess_end(tally.sum), phase = phase_of(s);
    end = end * winning_share(s, end) / 64;
    int value = (middle * phase + end * (24 - phase)) / 24;
    return s->side ? -value : value;
}

int32_t LEVELED(chess_trace)(const struct chess *s, int16_t *counts)
{
    struct tally tally = {0, counts};
    add_all(&tally, s);
    return tally.sum;
}

/* ---- For a tuner --------------------------------------------------------------------------------------- */

static double weight(const struct mp_game *game, int term)
{
    (void)game;
    int32_t pair = chess_weights[term / 2];
    return term % 2 ? chess_end(pair) : chess_middle(pair);
}

/* Each term has a share in the middle game and one in the endgame. */
static int shares(const struct mp_game *game, const void *state, struct mp_share *out, int capacity)
{
    (void)game;
    const struct chess *s = state;
    int16_t counts[TERM_COUNT] = {0};
    int end = chess_end(LEVELED(chess_trace)(s, counts)), phase = phase_of(s), total = 0;
    const float blend[2] = {(float)phase / 24, (float)(24 - phase) / 24 * (float)winning_share(s, end) / 64};
    for (int i = 0; i < 2 * TERM_COUNT; i++) {
        float share = (float)counts[i / 2] * blend[i % 2];
        if (share == 0)
            continue;
        if (total < capacity)
            out[total] = (struct mp_share){(uint32_t)i, share};
        total++;
    }
    return total;
}

#define TERMS(name, count, per_line)                                                                         \
    {                                                                                                        \
#name, count, per_line                                                                               \
    }
#define SINGLE(name) TERMS(name, 1, 1)
static const struct mp_terms terms[] = {
    TERMS(TERM_MATERIAL, 5, 5),
    TERMS(TERM_SQUARE, 6 * 64, 8),
    TERMS(TERM_MOBILITY, 4 * 28, 7),
    SINGLE(TERM_BISHOP_PAIR),
    SINGLE(TERM_ROOK_OPEN_FILE),
    SINGLE(TERM_ROOK_HALF_OPEN_FILE),
    SINGLE(TERM_KNIGHT_OUTPOST),
    SINGLE(TERM_BISHOP_OUTPOST),
    SINGLE(TERM_PAWN_DOUBLED),
    SINGLE(TERM_PAWN_ISOLATED),
    SINGLE(TERM_PAWN_BACKWARD),
    SINGLE(TERM_SHELTER_NEAR),
    SINGLE(TERM_SHELTER_FAR),
    SINGLE(TERM_KING_OPEN_FILE),
    SINGLE(TERM_THREAT_PAWN_ON_MINOR),
    SINGLE(TERM_THREAT_PAWN_ON_MAJOR),
    SINGLE(TERM_THREAT_MINOR_ON_MAJOR),
    SINGLE(TERM_THREAT_ROOK_ON_QUEEN),
    SINGLE(TERM_HANGING_PAWN),
    SINGLE(TERM_HANGING_PIECE),
    SINGLE(TERM_TEMPO),
    SINGLE(TERM_BAD_BISHOP),
    SINGLE(TERM_MINOR_BEHIND_PAWN),
    SINGLE(TERM_ROOK_BEHIND_PASSED),
    TERMS(TERM_SAFE_CHECK, 4, 4),
    TERMS(TERM_STORM, 8, 8),
    TERMS(TERM_PASSED_BLOCKED, 8, 8),
    TERMS(TERM_PHALANX, 8, 8),
    TERMS(TERM_PROTECTED, 8, 8),
    TERMS(TERM_PASSED, 8, 8),
    TERMS(TERM_PASSED_FREE, 8, 8),
    TERMS(TERM_PASSED_OWN_KING, 8, 8),
    TERMS(TERM_PASSED_ENEMY_KING, 8, 8),
    TERMS(TERM_KING_ATTACK, 32, 8),
    TERMS(TERM_LEVER, 8, 8),
    TERMS(TERM_LEVER_PUSH, 8, 8),
    TERMS(TERM_RAMMED, 8, 8),
    TERMS(TERM_CANDIDATE, 8, 8),
    SINGLE(TERM_PUSH_THREAT),
    SINGLE(TERM_SPACE),
    SINGLE(TERM_ROOK_ON_SEVENTH),
    SINGLE(TERM_RESTRICTED),
    SINGLE(TERM_WEAK_ZONE),
    {0},
};

const struct mp_tuning LEVELED(chess_tuning) = {
    MP_SIZE(struct mp_tuning), .evaluation = "standard", .terms = terms, .parts = 2,
    .weight = weight,          .shares = shares};

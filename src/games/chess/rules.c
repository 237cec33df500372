/* rules.c - the rules of chess as a table of functions. Compiled once for each CPU level. */
#include "games/chess/play.h"
#include "games/chess/standard.h"

#include "base/level.h"
#include "base/random.h"

#include <string.h>

/* ---- Required ------------------------------------------------------------------------------------------ */

static void initial(const struct mp_game *game, void *state)
{
    chess_parse_position(game, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", state, NULL);
}

static mp_move *list_for(const struct chess *s, enum chess_part part, mp_move *out)
{
    if (part == CHESS_NOISY)
        return s->side ? chess_list_moves(s, 1, CHESS_NOISY, out) : chess_list_moves(s, 0, CHESS_NOISY, out);
    if (part == CHESS_QUIET)
        return s->side ? chess_list_moves(s, 1, CHESS_QUIET, out) : chess_list_moves(s, 0, CHESS_QUIET, out);
    return s->side ? chess_list_moves(s, 1, CHESS_ALL, out) : chess_list_moves(s, 0, CHESS_ALL, out);
}

/* Straight into the caller's memory if all moves are sure to fit. */
static int list_within(const struct chess *s, enum chess_part part, mp_move *moves, int capacity)
{
    if (capacity >= CHESS_MOST_MOVES)
        return (int)(list_for(s, part, moves) - moves);
    mp_move all[CHESS_MOST_MOVES];
    int count = (int)(list_for(s, part, all) - all);
    int written = count < capacity ? count : capacity;
    if (written > 0)
        memcpy(moves, all, (size_t)written * sizeof *moves);
    return count;
}

static int list(const struct mp_game *game, const void *state, mp_move *moves, int capacity)
{
    (void)game;
    return list_within(state, CHESS_ALL, moves, capacity);
}

static int list_noisy(const struct mp_game *game, const void *state, mp_move *moves, int capacity)
{
    (void)game;
    return list_within(state, CHESS_NOISY, moves, capacity);
}

static int list_quiet(const struct mp_game *game, const void *state, mp_move *moves, int capacity)
{
    (void)game;
    return list_within(state, CHESS_QUIET, moves, capacity);
}

static int count(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct chess *s = state;
    return s->side ? chess_count_moves(s, 1) : chess_count_moves(s, 0);
}

static void play(const struct mp_game *game, const void *from, mp_move move, void *to)
{
    (void)game;
    const struct chess *s = from;
    if (s->side)
        chess_play_move(s, move, 1, to);
    else
        chess_play_move(s, move, 0, to);
}

static bool in_check(const struct chess *s)
{
    uint64_t enemy = s->sets[CHESS_WHITE + !s->side], all = s->sets[CHESS_WHITE] | s->sets[CHESS_BLACK];
    int king = bits_first(s->sets[CHESS_KING] & s->sets[CHESS_WHITE + s->side]);
    return ((chess_tables.knight[king] & s->sets[CHESS_KNIGHT]) |
            (chess_tables.pawn[s->side][king] & s->sets[CHESS_PAWN]) |
            (chess_rook_attacks(king, all) & chess_straight_sliders(s)) |
            (chess_bishop_attacks(king, all) & chess_diagonal_sliders(s))) &
           enemy;
}

static int margin(const struct mp_game *game, const void *state)
{
    (void)game;
    return in_check(state) ? -1 : 0;
}

static int side(const struct mp_game *game, const void *state)
{
    (void)game;
    return ((const struct chess *)state)->side;
}

static uint64_t key(const struct mp_game *game, const void *state)
{
    (void)game;
    return ((const struct chess *)state)->key;
}

/* ---- Rules that look back ------------------------------------------------------------------------------ */

/* No line of play ends in mate: bare kings, one minor piece in all, or bishops that all stand on squares of
 * one colour. */
static bool cannot_mate(const struct chess *s)
{
    const uint64_t dark = UINT64_C(0xaa55aa55aa55aa55);
    if (s->sets[CHESS_PAWN] | s->sets[CHESS_ROOK] | s->sets[CHESS_QUEEN])
        return false;
    uint64_t knights = s->sets[CHESS_KNIGHT], bishops = s->sets[CHESS_BISHOP];
    if (knights)
        return !bishops && !bits_rest(knights);
    return !(bishops & dark) || !(bishops & ~dark);
}

/* Only positions since the last capture or pawn move can come again, and only every other one has the same
 * side to move. */
static bool occurred_twice(const struct chess *s, const struct mp_history *history)
{
    size_t window = s->clock < history->count ? s->clock : history->count;
    int occurrences = 0;
    for (size_t back = 4; back <= window; back += 2)
        occurrences += history->keys[history->count - back] == s->key;
    return occurrences >= 2;
}

/* Fifty moves by each side without progress, unless the last of them mates. */
static bool drawn(const struct mp_game *game, const void *state, const struct mp_history *history)
{
    const struct chess *s = state;
    if (s->clock >= 100 && (!in_check(s) || count(game, s)))
        return true;
    return (s->clock >= 8 && occurred_twice(s, history)) || cannot_mate(s);
}

/* The clock and how often each position since the last irreversible move has occurred, in any order. The
 * move number is part of it for the evaluations that look at it; it splits hardly any transpositions,
 * because the same position at the same ply has the same number. */
static uint64_t history_key(const struct mp_game *game, const void *state, const struct mp_history *history)
{
    (void)game;
    const struct chess *s = state;
    size_t window = s->clock < history->count ? s->clock : history->count;
    uint64_t sum = 0;
    for (size_t back = 1; back <= window; back++)
        sum += random_mix(history->keys[history->count - back]);
    return random_mix(sum + random_mix((uint64_t)s->clock << 16 | s->number));
}

/* ---- Hooks --------------------------------------------------------------------------------------------- */

/* What pieces are worth in an exchange. */
static const int16_t worth[CHESS_NOTHING + 1] = {100, 320, 330, 500, 950, 10000, 0};

/* Most valuable victim first, taken by the least valuable piece; then promotions; quiet moves by where they
 * lead. */
static int32_t guess(mp_move move, int us)
{
    static const int8_t centre[8] = {0, 1, 2, 3, 3, 2, 1, 0};
    int to = chess_to(move), from = chess_from(move), piece = chess_piece(move);
    int32_t score = 0;
    if (chess_taken(move) != CHESS_NOTHING)
        score += 10000 + 10 * worth[chess_taken(move)] - piece;
    if (chess_is_promotion(move))
        score += chess_landed(move) == CHESS_QUEEN ? 9000 : -2000;
    if (score || piece == CHESS_KING)
        return score;
    int gain = centre[to % 8] + centre[to / 8] - centre[from % 8] - centre[from / 8];
    int advance = us ? from / 8 - to / 8 : to / 8 - from / 8;
    return 4 * gain + advance;
}

static int list_scored(const struct mp_game *game, const void *state, int depth, mp_move *moves,
                       int32_t *scores, int capacity)
{
    (void)depth;
    const struct chess *s = state;
    int total = list(game, state, moves, capacity);
    for (int i = 0; i < total && i < capacity; i++)
        scores[i] = guess(moves[i], s->side);
    return total;
}

/* Is there a legal move of the pawn on a square that lands, by stepping or taking, as move says? */
CHESS_INLINE bool pawn_may(const struct chess *s, const struct chess_view *v, mp_move move, int us)
{
    int from = chess_from(move), how = chess_how(move);
    uint64_t to = chess_bit(chess_to(move));
    if (how == CHESS_EN_PASSANT)
        return s->en_passant && chess_to(move) == s->en_passant &&
               chess_passing_takers(s, v, us) & chess_bit(from);
    struct chess_pawn_targets t = chess_pawn_targets(v, chess_bit(from), us);
    if (how == CHESS_DOUBLE_STEP)
        return t.double_step & to;
    return (t.step | t.west | t.east) & to && !(to & chess_back_rank(!us)) == (how == CHESS_PLAIN);
}

CHESS_INLINE bool piece_may(const struct chess *s, const struct chess_view *v, mp_move move, int us)
{
    int from = chess_from(move), piece = chess_piece(move);
    uint64_t bit = chess_bit(from), targets = 0;
    if (piece == CHESS_KING)
        targets = chess_king_targets(s, v, us);
    if (piece == CHESS_KNIGHT && bit & chess_free_knights(s, v))
        targets = chess_knight_targets(v, from);
    if (bit & chess_diagonal_sliders(s) & ~v->pin_straight)
        targets |= chess_diagonal_targets(v, from);
    if (bit & chess_straight_sliders(s) & ~v->pin_diagonal)
        targets |= chess_straight_targets(v, from);
    return targets >> chess_to(move) & 1;
}

CHESS_INLINE bool is_legal(const struct chess *s, mp_move move, int us)
{
    struct chess_view v = chess_look(s, us);
    uint64_t to = chess_bit(chess_to(move));
    int piece = chess_piece(move), how = chess_how(move);
    if (!(v.own & chess_bit(chess_from(move))))
        return false;
    if (how == CHESS_CASTLE)
        return piece == CHESS_KING && s->castlers & chess_back_rank(us) & to && !v.checkers &&
               chess_may_castle(s, &v, us, chess_to(move));
    if (piece != CHESS_KING && bits_rest(v.checkers))
        return false;
    if (piece == CHESS_PAWN)
        return pawn_may(s, &v, move, us);
    return how == CHESS_PLAIN && piece_may(s, &v, move, us);
}

static bool recall(const struct mp_game *game, const void *state, uint16_t low, mp_move *move)
{
    (void)game;
    const struct chess *s = state;
    int how = chess_how(low), taken = chess_kind_at(s, chess_to(low));
    if (how > CHESS_PROMOTION + CHESS_QUEEN - CHESS_KNIGHT)
        return false;
    taken = how == CHESS_CASTLE ? CHESS_NOTHING : how == CHESS_EN_PASSANT ? CHESS_PAWN : taken;
    *move = chess_move(chess_from(low), chess_to(low), how, chess_kind_at(s, chess_from(low)), taken);
    return s->side ? is_legal(s, *move, 1) : is_legal(s, *move, 0);
}

/* By the piece and where it goes. */
static void index_moves(const struct mp_game *game, const void *state, const mp_move *moves, int total,
                        uint16_t *indices)
{
    (void)game;
    (void)state;
    for (int i = 0; i < total; i++)
        indices[i] = (uint16_t)(chess_piece(moves[i]) * 64 + chess_to(moves[i]));
}

/* ---- Hooks of the selective search --------------------------------------------------------------------- */

static bool check_hook(const struct mp_game *game, const void *state)
{
    (void)game;
    return in_check(state);
}

/* The pawns, and the other pieces of each side. Sums of products: the high bits depend on every piece. */
static int parts(const struct mp_game *game, const void *state, uint64_t parts[])
{
    (void)game;
    static const uint64_t factors[] = {UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9),
                                       UINT64_C(0x94d049bb133111eb), UINT64_C(0xd6e8feb86659fd93),
                                       UINT64_C(0xa0761d6478bd642f), UINT64_C(0xe7037ed1a0b428db)};
    const struct chess *s = state;
    const uint64_t *sets = s->sets, white = sets[CHESS_WHITE], black = sets[CHESS_BLACK];
    parts[0] = (sets[CHESS_PAWN] & white) * factors[0] + (sets[CHESS_PAWN] & black) * factors[1];
    parts[1] = parts[2] = 0;
    for (int kind = CHESS_KNIGHT; kind <= CHESS_KING; kind++) {
        parts[1] += (sets[kind] & white) * factors[kind];
        parts[2] += (sets[kind] & black) * factors[kind];
    }
    return 3;
}

/* By the piece that lands, or by one behind it whose line it leaves open. */
static bool gives_check(const struct mp_game *game, const void *state, mp_move move)
{
    const struct chess *s = state;
    int us = s->side, how = chess_how(move), landed = chess_landed(move);
    if (how == CHESS_CASTLE || how == CHESS_EN_PASSANT) {
        struct chess after;
        play(game, state, move, &after);
        return in_check(&after);
    }
    int king = bits_first(s->sets[CHESS_KING] & s->sets[CHESS_WHITE + !us]);
    uint64_t from = chess_bit(chess_from(move)), to = chess_bit(chess_to(move));
    if (landed == CHESS_PAWN && chess_tables.pawn[!us][king] & to)
        return true;
    if (landed == CHESS_KNIGHT && chess_tables.knight[king] & to)
        return true;
    /* Most moves neither end nor begin on a line to the king. */
    uint64_t lines = chess_tables.aligned[king], own = s->sets[CHESS_WHITE + us] & ~from & lines;
    uint64_t straight = chess_straight_sliders(s) & own, diagonal = chess_diagonal_sliders(s) & own;
    if (!(lines & from))
        straight = diagonal = 0;
    if (lines & to) {
        straight |= landed == CHESS_ROOK || landed == CHESS_QUEEN ? to : 0;
        diagonal |= landed == CHESS_BISHOP || landed == CHESS_QUEEN ? to : 0;
    }
    uint64_t all = ((s->sets[CHESS_WHITE] | s->sets[CHESS_BLACK]) ^ from) | to;
    return (straight && chess_rook_attacks(king, all) & straight) ||
           (diagonal && chess_bishop_attacks(king, all) & diagonal);
}

static void gains(const struct mp_game *game, const void *state, const mp_move *moves, int total,
                  int32_t *gained)
{
    (void)game;
    (void)state;
    for (int i = 0; i < total; i++) {
        gained[i] = worth[chess_taken(moves[i])];
        if (chess_is_promotion(moves[i]))
            gained[i] += worth[chess_landed(moves[i])] - worth[CHESS_PAWN];
    }
}

/* Both sides take on the target with their least valuable piece as long as it pays, sliders behind others
 * included; pins are not looked at. The balance is kept for the side that is to take next. */
static bool exchange(const struct mp_game *game, const void *state, mp_move move, mp_value least)
{
    (void)game;
    const struct chess *s = state;
    int how = chess_how(move), to = chess_to(move);
    if (how == CHESS_CASTLE)
        return least <= 0;
    mp_value balance = worth[chess_taken(move)] - least;
    if (chess_is_promotion(move))
        balance += worth[chess_landed(move)] - worth[CHESS_PAWN];
    if (balance < 0)
        return false;
    balance -= worth[chess_landed(move)];
    if (balance >= 0)
        return true;
    uint64_t occupied = (s->sets[CHESS_WHITE] | s->sets[CHESS_BLACK] | chess_bit(to)) ^
                        chess_bit(chess_from(move));
    if (how == CHESS_EN_PASSANT)
        occupied ^= chess_bit(s->side ? to + 8 : to - 8);
    uint64_t straight = chess_straight_sliders(s), diagonal = chess_diagonal_sliders(s);
    uint64_t attackers = (chess_tables.pawn[0][to] & s->sets[CHESS_PAWN] & s->sets[CHESS_BLACK]) |
                         (chess_tables.pawn[1][to] & s->sets[CHESS_PAWN] & s->sets[CHESS_WHITE]) |
                         (chess_tables.knight[to] & s->sets[CHESS_KNIGHT]) |
                         (chess_tables.king[to] & s->sets[CHESS_KING]) |
                         (chess_rook_attacks(to, occupied) & straight) |
                         (chess_bishop_attacks(to, occupied) & diagonal);
    for (int side = !s->side;; side = !side) {
        attackers &= occupied;
        uint64_t own = attackers & s->sets[CHESS_WHITE + side];
        if (!own)
            return side != s->side;
        int kind = CHESS_PAWN;
        while (!(own & s->sets[kind]))
            kind++;
        /* A king cannot take what is still protected. */
        if (kind == CHESS_KING && attackers & s->sets[CHESS_WHITE + !side])
            return side != s->side;
        uint64_t taker = own & s->sets[kind];
        occupied ^= taker & -taker;
        if (kind == CHESS_PAWN || kind == CHESS_BISHOP || kind == CHESS_QUEEN)
            attackers |= chess_bishop_attacks(to, occupied) & diagonal;
        if (kind == CHESS_ROOK || kind == CHESS_QUEEN)
            attackers |= chess_rook_attacks(to, occupied) & straight;
        balance = -balance - 1 - worth[kind];
        if (balance >= 0)
            return side == s->side;
    }
}

/* Not in check, and not with pawns alone, where it is often better not to have to move. */
static bool null_move(const struct mp_game *game, const void *from, void *to)
{
    (void)game;
    const struct chess *s = from;
    uint64_t slow = s->sets[CHESS_PAWN] | s->sets[CHESS_KING];
    if (!(s->sets[CHESS_WHITE + s->side] & ~slow) || in_check(s))
        return false;
    struct chess *t = to;
    *t = *s;
    t->side = !s->side;
    t->clock++;
    t->key ^= chess_tables.side_key;
    if (s->en_passant)
        t->key ^= chess_tables.en_passant_keys[s->en_passant];
    t->en_passant = 0;
    return true;
}

/* ---- Playouts ------------------------------------------------------------------------------------------ */

/* Pawns ahead, for the side to move. */
static int pawns_ahead(const struct chess *s)
{
    static const int pawns[CHESS_KING] = {1, 3, 3, 5, 9};
    uint64_t own = s->sets[CHESS_WHITE + s->side];
    int ahead = 0;
    for (int kind = CHESS_PAWN; kind <= CHESS_QUEEN; kind++)
        ahead += pawns[kind] * (2 * bits_count(s->sets[kind] & own) - bits_count(s->sets[kind]));
    return ahead;
}

/* Random moves until the game ends, or one side is a rook ahead three times in a row, which no recapture
 * undoes; after 200 plies two pawns ahead is a win. */
static int playout(const struct mp_game *game, const void *state, uint64_t seed)
{
    enum { MOST_PLIES = 200, CLEAR = 5, CLEAR_PLIES = 3, SLIGHT = 2 };
    struct chess line[2] = {*(const struct chess *)state};
    mp_move moves[CHESS_MOST_MOVES];
    uint64_t stream = seed;
    int clear = 0, sign = 1;
    for (int ply = 0;; ply++, sign = -sign) {
        const struct chess *s = &line[ply & 1];
        int ahead = pawns_ahead(s);
        clear = ahead >= CLEAR || ahead <= -CLEAR ? clear + 1 : 0;
        if (clear == CLEAR_PLIES || ply == MOST_PLIES)
            return ahead >= SLIGHT ? sign : ahead <= -SLIGHT ? -sign : 0;
        int total = (int)(list_for(s, CHESS_ALL, moves) - moves);
        if (total == 0)
            return sign * margin(game, s);
        if (s->clock >= 100 || cannot_mate(s))
            return 0;
        uint32_t choice = random_below(random_next(&stream), (uint32_t)total);
        play(game, s, moves[choice], &line[!(ply & 1)]);
    }
}

static const char *const off_on[] = {"off", "on", NULL};
static const struct mp_option options[] = {
    [CHESS_OPTION_960] = {.name = "chess960",
                          .summary = "castling is written king takes rook",
                          .words = off_on},
    {0},
};

static bool open_game(struct mp_game *game, struct mp_error *error)
{
    (void)game, (void)error;
    chess_prepare_tables(CHESS_USES_PEXT);
    return true;
}

static const struct mp_ordering ordering = {
    MP_SIZE(struct mp_ordering),
    .list_scored = list_scored,
    .index_moves = index_moves,
    .index_count = 6 * 64,
};

static const struct mp_selective selective = {
    MP_SIZE(struct mp_selective),
    .unit = 100,
    .list_noisy = list_noisy,
    .list_quiet = list_quiet,
    .gains = gains,
    .exchange = exchange,
    .in_check = check_hook,
    .gives_check = gives_check,
    .null_move = null_move,
    .recall = recall,
    .parts = parts,
};

static const struct mp_board_hooks board_hooks = {
    MP_SIZE(struct mp_board_hooks),
    .describe = chess_board,
    .move_cells = chess_move_cells,
};

const struct mp_game LEVELED(chess_table) = {
    MP_GAME_SIZES,
    .name = "chess",
    .summary = "chess and Chess960; positions are FEN, moves e2e4 or SAN",
    .players = {"White", "Black"},
    .state_size = sizeof(struct chess),
    .flags = MP_REPETITION_DRAWS,
    .scoring = MP_SCORE_WIN,
    .margin_max = 1,
    .evaluations = LEVELED(chess_evaluations),
    .playout_scale = 200,
    .options = options,
    .initial = initial,
    .list = list,
    .play = play,
    .margin = margin,
    .side = side,
    .key = key,
    .parse_position = chess_parse_position,
    .print_position = chess_print_position,
    .print_move = chess_print_move,
    .drawn = drawn,
    .history_key = history_key,
    .parse_move = chess_parse_move,
    .draw = chess_draw,
    .count = count,
    .perft = LEVELED(chess_perft),
    .playout = playout,
    .open = open_game,
    .print_record_move = chess_print_san,
    .ordering = &ordering,
    .selective = &selective,
    .board = &board_hooks,
    .tuning = &LEVELED(chess_tuning),
    .features = &LEVELED(chess_features),
};

/* solve.c - the end of a game of Othello, played out exactly. Compiled once for each CPU level.
 *
 * Fail-soft principal variation search on the final margin, in three storeys by the number of empty squares:
 *   - TABLE_EMPTIES and more: what is known of a position is kept in the table of the search, moves that leave the
 *     opponent few replies come first (fastest first), and what can never be turned bounds the margin;
 *   - SMALL_EMPTIES and more: fastest first alone;
 *   - below: squares in quadrants with an odd number of empties first, because whoever plays there first tends to play
 *     there last (parity); the last four by name (last.h). */
#include "games/othello/last.h"
#include "games/othello/stable.h"

/* Nodes and time of FFO 40 to 44: a table from 9 squares on costs 10% more nodes than from 8, fastest first from 7 on
 * 15% more than from 6. Further terms in the order of moves (stable discs, frontier) changed nodes by less than 3%.
 * A quarter of the evaluation from 12 squares on: 7% fewer nodes for FFO 40 and 41, with eval=positional. */
enum {
    SOLVE_EMPTIES = 14,
    TABLE_EMPTIES = 8,
    SMALL_EMPTIES = 6,
    ETC_EMPTIES = 9,
    EVALUATED_EMPTIES = 12,
    EVALUATION_SHARE = 4
};

static const uint64_t quadrants[4] = {UINT64_C(0x000000000f0f0f0f), UINT64_C(0x00000000f0f0f0f0),
                                      UINT64_C(0x0f0f0f0f00000000), UINT64_C(0xf0f0f0f000000000)};

static uint64_t odd_quadrants(uint64_t empty)
{
    uint64_t odd = 0;
    for (int i = 0; i < 4; i++)
        if (bits_count(empty & quadrants[i]) & 1)
            odd |= quadrants[i];
    return odd;
}

/* ---- Few squares: parity alone ------------------------------------------------------------------------- */

static int solve_few(uint64_t own, uint64_t opp, int empties, uint64_t odd, int alpha, int beta,
                     uint64_t *nodes)
{
    ++*nodes;
    uint64_t squares = othello_mobility(own, opp);
    if (!squares) {
        if (!othello_mobility(opp, own))
            return othello_margin(own, opp);
        return -solve_few(opp, own, empties, odd, -beta, -alpha, nodes);
    }
    int best = LAST_NONE;
    for (int even = 0; even < 2; even++)
        for (uint64_t s = squares & (even ? ~odd : odd); s; s = bits_rest(s)) {
            int square = bits_first(s), lower = best > alpha ? best : alpha;
            uint64_t turned = othello_flips(own, opp, square);
            uint64_t left = odd ^ quadrants[last_quadrant(square)], at = s & -s;
            int value = empties == 5 ? -last_4(opp ^ turned, own ^ turned ^ at, -beta, -lower, left, nodes)
                                     : -solve_few(opp ^ turned, own ^ turned ^ at, empties - 1, left, -beta,
                                                  -lower, nodes);
            if (value > best) {
                best = value;
                if (best >= beta)
                    return best;
            }
        }
    return best;
}

/* Any number of squares up to SMALL_EMPTIES - 1. */
static int solve_small(uint64_t own, uint64_t opp, int empties, int alpha, int beta, uint64_t *nodes)
{
    uint64_t empty = ~(own | opp), odd = odd_quadrants(empty);
    if (empties > 4)
        return solve_few(own, opp, empties, odd, alpha, beta, nodes);
    if (empties == 4)
        return last_4(own, opp, alpha, beta, odd, nodes);
    int a = empties ? bits_first(empty) : 0, b = empties > 1 ? bits_first(bits_rest(empty)) : 0;
    if (empties == 3)
        return last_3(own, opp, alpha, beta, a, b, bits_first(bits_rest(bits_rest(empty))), nodes);
    if (empties == 2)
        return last_2(own, opp, alpha, beta, a, b, nodes);
    ++*nodes;
    return empties ? last_1(own, a) : othello_margin(own, opp);
}

/* What an evaluation says, in hundredths of a disc; a margin that is proven is one, too. */
static int margin_worth(mp_value v)
{
    return v > MP_PROVEN ? 100 * (v - MP_PROVEN) : v < -MP_PROVEN ? 100 * (v + MP_PROVEN) : v;
}

/* ---- Fastest first ------------------------------------------------------------------------------------- */

struct solver {
    const struct mp_game *game;
    struct mp_ending *ending;
    bool stopped;
};

struct board {
    uint64_t own, opp;
    uint64_t squares; /* where own may play */
    uint64_t key;     /* where the table is used */
    uint32_t side;
    int empties;
};

struct
try {
    struct board board; /* after the move */
    int square;
    int score;
};

enum { MOST_TRIES = 34 };

static const uint64_t try_corners = UINT64_C(0x8100000000000081);

/* Corners first, squares that give a corner away last. */
static const int8_t try_worth[64] = {
    9, 2, 8, 6, 6, 8, 2, 9, 2, 1, 3, 4, 4, 3, 1, 2, 8, 3, 7, 5, 5, 7, 3, 8, 6, 4, 5, 0, 0, 5, 4, 6,
    6, 4, 5, 0, 0, 5, 4, 6, 8, 3, 7, 5, 5, 7, 3, 8, 2, 1, 3, 4, 4, 3, 1, 2, 9, 2, 8, 6, 6, 8, 2, 9,
};

static int list_tries(struct solver *solver, const struct board *b, struct try *tries)
{
    bool with_key = b->empties > TABLE_EMPTIES;
    const uint64_t odd = odd_quadrants(~(b->own | b->opp));
    int count = 0;
    for (uint64_t s = b->squares; s; s = bits_rest(s)) {
        struct try *t = &tries[count++];
        uint64_t at = s & -s;
        t->square = bits_first(s);
        uint64_t turned = othello_flips(b->own, b->opp, t->square);
        uint64_t own = b->opp ^ turned, opp = b->own ^ turned ^ at;
        uint64_t squares = othello_mobility(own, opp);
        t->board = (struct board){own, opp, squares, 0, b->side ^ 1, b->empties - 1};
        if (with_key) {
            t->board.key = othello_key(own, opp, b->side ^ 1);
            solver->ending->prefetch(solver->ending, t->board.key);
        }
        t->score = -(bits_count(squares) + bits_count(squares & try_corners)) * 32;
        t->score += try_worth[t->square] + (at & odd ? 8 : 0);
    }
    return count;
}

/* Far from the end the evaluation of the search knows better than the number of replies, and is worth its time. */
static void order_by_evaluation(struct solver *solver, const struct board *b, struct try *tries, int count)
{
    const struct mp_evaluation *e = solver->ending->evaluation;
    struct othello state __attribute__((aligned(64))) = {b->own, b->opp, b->side};
    mp_move moves[MOST_TRIES];
    mp_value values[MOST_TRIES];
    for (int i = 0; i < count; i++)
        moves[i] = (mp_move)tries[i].square;
    e->children(solver->game, e, &state, moves, count, -MP_INFINITE, values);
    for (int i = 0; i < count; i++)
        tries[i].score -= margin_worth(values[i]) / EVALUATION_SHARE;
}

static inline struct try *pick(struct try *tries, int i, int count)
{
    int best = i;
    for (int j = i + 1; j < count; j++)
        if (tries[j].score > tries[best].score)
            best = j;
    if (best != i) {
        struct try t = tries[i];
        tries[i] = tries[best];
        tries[best] = t;
    }
    return &tries[i];
}

static int solve_board(struct solver *s, const struct board *b, int alpha, int beta);

static int solve_child(struct solver *s, const struct board *b, int alpha, int beta)
{
    if (b->empties < SMALL_EMPTIES)
        return solve_small(b->own, b->opp, b->empties, alpha, beta, &s->ending->nodes);
    return solve_board(s, b, alpha, beta);
}

/* ---- The table ----------------------------------------------------------------------------------------- */

static int margin_of(mp_value v)
{
    return v > MP_PROVEN ? v - MP_PROVEN : v < -MP_PROVEN ? v + MP_PROVEN : 0;
}

static int low_of(const struct mp_known *known)
{
    return known->low > -MP_INFINITE ? margin_of(known->low) : -64;
}

static int high_of(const struct mp_known *known)
{
    return known->high < MP_INFINITE ? margin_of(known->high) : 64;
}

static void remember(struct solver *s, const struct board *b, int best, int square, int alpha, int beta)
{
    mp_value value = mp_final_value(s->game, best, 0);
    struct mp_known known = {.low = best > alpha ? value : -MP_INFINITE,
                             .high = best < beta ? value : MP_INFINITE,
                             .move = (uint16_t)square};
    s->ending->store(s->ending, b->key, 2 * b->empties, &known);
}

/* Has a child been seen to be bad enough for the opponent? (Enhanced transposition cut-off.) */
static bool child_cuts(struct solver *s, struct try *tries, int count, int beta, int *best)
{
    for (int i = 0; i < count; i++) {
        struct mp_known known;
        if (s->ending->probe(s->ending, tries[i].board.key, &known) && -high_of(&known) >= beta) {
            *best = -high_of(&known);
            return true;
        }
    }
    return false;
}

static int solve_pass(struct solver *s, const struct board *b, int alpha, int beta)
{
    struct board passed = {
        b->opp,      b->own,    othello_mobility(b->opp, b->own), othello_key(b->opp, b->own, b->side ^ 1),
        b->side ^ 1, b->empties};
    if (!passed.squares)
        return othello_margin(b->own, b->opp);
    return -solve_board(s, &passed, -beta, -alpha);
}

static int search_tries(struct solver *s, struct try *tries, int count, int alpha, int beta, int *square)
{
    int best = LAST_NONE;
    for (int i = 0; i < count; i++) {
        const struct try *t = pick(tries, i, count);
        int lower = best > alpha ? best : alpha, value;
        if (i == 0 || beta - lower == 2) {
            value = -solve_child(s, &t->board, -beta, -lower);
        } else {
            value = -solve_child(s, &t->board, -lower - 2, -lower);
            if (value > lower && value < beta && !s->stopped)
                value = -solve_child(s, &t->board, -beta, -value);
        }
        if (s->stopped)
            return 0;
        if (value > best) {
            best = value;
            *square = t->square;
            if (best >= beta)
                return best;
        }
    }
    return best;
}

static int solve_board(struct solver *s, const struct board *b, int alpha, int beta)
{
    struct mp_ending *e = s->ending;
    if (++e->nodes >= e->poll_at && e->poll(e)) {
        s->stopped = true;
        return 0;
    }
    if (!b->squares)
        return solve_pass(s, b, alpha, beta);
    struct try tries[MOST_TRIES];
    int square = OTHELLO_PASS;
    if (b->empties < TABLE_EMPTIES)
        return search_tries(s, tries, list_tries(s, b, tries), alpha, beta, &square);

    if (64 - 2 * bits_count(b->opp) <= alpha) {
        int most = 64 - 2 * bits_count(stable_discs(b->opp, b->own));
        if (most <= alpha)
            return most;
    }
    struct mp_known known = {-MP_INFINITE, MP_INFINITE, OTHELLO_PASS};
    bool found = e->probe(e, b->key, &known);
    if (found) {
        if (low_of(&known) >= beta || low_of(&known) == high_of(&known))
            return low_of(&known);
        if (high_of(&known) <= alpha)
            return high_of(&known);
    }
    int count = list_tries(s, b, tries), best;
    if (b->empties >= EVALUATED_EMPTIES && e->evaluation && e->evaluation->children)
        order_by_evaluation(s, b, tries, count);
    for (int i = 0; i < count; i++)
        if (tries[i].square == known.move)
            tries[i].score = INT32_MAX;
    if (b->empties >= ETC_EMPTIES && child_cuts(s, tries, count, beta, &best))
        return best;
    best = search_tries(s, tries, count, alpha, beta, &square);
    if (!s->stopped)
        remember(s, b, best, square, alpha, beta);
    return best;
}

/* ---- The hooks ----------------------------------------------------------------------------------------- */

/* The largest even margin whose value is at most v. */
static int margin_below(mp_value v)
{
    int margin = v > MP_PROVEN ? v - MP_PROVEN : v < -MP_PROVEN - 1 ? v + MP_PROVEN : v >= 0 ? 0 : -1;
    margin = margin > 64 ? 64 : margin < -66 ? -66 : margin;
    return margin & ~1;
}

/* Between two moves there is at most one pass, so no line is longer than twice the empties, and one that begins with
 * a move is shorter. */
static int plies(const struct mp_game *game, const void *state, int *most)
{
    (void)game;
    const struct othello *s = state;
    int empties = 64 - bits_count(s->own | s->opp);
    *most = 2 * empties;
    return empties;
}

static bool solve(const struct mp_game *game, const void *state, struct mp_ending *ending)
{
    const struct othello *s = state;
    int empties = 64 - bits_count(s->own | s->opp);
    if (empties > SOLVE_EMPTIES || ending->depth < 2 * empties)
        return false;
    struct board board = {
        s->own,  s->opp, othello_mobility(s->own, s->opp), othello_key(s->own, s->opp, s->side),
        s->side, empties};
    if (ending->depth == 2 * empties && !board.squares)
        return false;
    struct solver solver = {game, ending, false};
    int alpha = margin_below(ending->alpha), beta = -margin_below(-ending->beta);
    ending->value = mp_final_value(game, solve_child(&solver, &board, alpha, beta), 0);
    return true;
}

const struct mp_endgame LEVELED(othello_endgame) = {
    MP_SIZE(struct mp_endgame),
    .plies = plies,
    .solve = solve,
};

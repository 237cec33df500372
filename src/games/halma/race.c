/* race.c - makes the distance tables, backwards from the full goal, breadth first. Compiled once for each CPU level.
 *
 * The first search finds `most`: moves that stay within the seven diagonals all the time, the landings of a chain
 * included. The others find bounds from below by allowing more than the rules do. A piece outside may stand anywhere
 * there, and comes in by one move from wherever it likes; up to OUT pieces are followed so, and with one more a state
 * counts a move for each piece that is not in the goal, which is never too many. While other pieces of the army are
 * outside, anything may stand there or not, as it suits the army. While none is (`alone`), only opponents do, and they
 * keep their distance: so a chain cannot leave over the first diagonal outside.
 *
 * Threads: all go through the states of one distance, each through chunks that it takes from a counter, and mark those
 * that lead there. A byte is written by several threads at once only with the same value. */
#include "games/halma/race.h"

#include "base/level.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The corner of the board in 64 bits, row * 8 + column; row + column <= 6 is inside. */
enum { SIDE = 8, OUT = 2, NONE = 255 };

/* What is searched: moves inside alone; or bounds, for opponents that are too far away to be jumped over, that can be
 * jumped over from the first diagonals outside, or also from the last one inside. */
enum search_kind { INSIDE, APART, FAR, NEAR };

static uint64_t diagonals(int from, int to)
{
    uint64_t set = 0;
    for (int square = 0; square < SIDE * SIDE; square++) {
        int sum = square / SIDE + square % SIDE;
        if (sum >= from && sum <= to)
            set |= UINT64_C(1) << square;
    }
    return set;
}

#define COLUMN UINT64_C(0x0101010101010101)
#define DIRECTIONS(X) X(0, -9) X(1, -8) X(2, -7) X(3, -1) X(4, 1) X(5, 7) X(6, 8) X(7, 9)

/* One step in a direction, which is a shift by so many bits; what leaves a row is lost. */
static inline uint64_t step(uint64_t set, int shift)
{
    if (shift == -9 || shift == -1 || shift == 7)
        set &= ~COLUMN;
    if (shift == -7 || shift == 1 || shift == 9)
        set &= ~(COLUMN << 7);
    return shift > 0 ? set << shift : set >> -shift;
}

static inline uint64_t spread(uint64_t set)
{
    uint64_t row = set | step(set, 1) | step(set, -1);
    return row | row << SIDE | row >> SIDE;
}

struct maker {
    struct race_table *table;
    int pieces, threads;
    bool apart; /* the board is so large that opponents are never near */
    uint64_t inside, goal;
    uint64_t edge, rim;            /* the last two diagonals inside, the first two outside */
    uint64_t gate;                 /* inside, one jump over an opponent away from the outside */
    uint32_t half_of[RACE_HALVES]; /* halves by their number of pieces, then by their own number */
    uint32_t half_first[RACE_HALF + 2];
    uint64_t board[2][RACE_HALVES]; /* what a half is in 64 bits */
    uint32_t bit[SIDE * SIDE];      /* the bit of a square in a set of 28 */
    /* For each number of pieces outside: the states, and where those with so many in the high half begin. */
    _Atomic uint8_t *bytes[OUT + 1];
    uint32_t count[OUT + 1], first[OUT + 1][RACE_HALF + 2];
    /* The present round. */
    enum search_kind kind;
    int out, distance;
    _Atomic uint32_t next; /* high half */
};

static size_t place(const struct maker *m, int out, uint32_t set)
{
    uint32_t high = set >> RACE_HALF, low = set & (RACE_HALVES - 1);
    int above = bits_count(high);
    return m->first[out][above] + (size_t)m->table->number[high] * m->table->ways[m->pieces - out - above] +
           m->table->number[low];
}

static void mark(struct maker *m, int out, uint32_t set)
{
    _Atomic uint8_t *byte = &m->bytes[out][place(m, out, set)];
    if (atomic_load_explicit(byte, memory_order_relaxed) > m->distance + 1)
        atomic_store_explicit(byte, (uint8_t)(m->distance + 1), memory_order_relaxed);
}

struct jumps {
    uint64_t from[8], empty;
};

static struct jumps jumps_of(uint64_t own, uint64_t room)
{
    struct jumps jumps = {.empty = room & ~own};
#define X(number, shift) jumps.from[number] = step(own & step(jumps.empty, -(shift)), -(shift));
    DIRECTIONS(X)
#undef X
    return jumps;
}

/* Where chains lead from a set, without what is outside coming in anew. */
static uint64_t flood(const struct jumps *jumps, uint64_t origin, uint64_t found)
{
    for (uint64_t fresh = origin; fresh;) {
        uint64_t landings = 0;
#define X(number, shift) landings |= step(step(fresh & jumps->from[number], shift), shift);
        DIRECTIONS(X)
#undef X
        fresh = landings & ~found;
        found |= fresh;
    }
    return found;
}

/* Where a chain leads that may begin anywhere outside. */
static uint64_t from_outside(const struct maker *m, const struct jumps *jumps, bool alone)
{
    uint64_t start = m->rim;
    if (!alone)
        start |= m->edge;
    else if (m->kind == NEAR)
        start |= m->gate;
    start &= jumps->empty;
    return flood(jumps, start, start);
}

/* Does a chain of this piece, by which it reaches these squares over own pieces, lead anywhere outside? */
static bool roams(const struct maker *m, uint64_t piece, uint64_t chain, bool alone)
{
    uint64_t exits = ~m->inside;
    if (!alone)
        exits |= m->edge;
    else if (m->kind == NEAR)
        exits |= m->gate;
    else if (m->kind == APART)
        return false;
    return (piece | chain) & exits;
}

/* All states from which one move leads to this one. The way that a piece can go it can come, but for the goal, which
 * is not left. */
static void go_back(struct maker *m, uint32_t set)
{
    uint64_t own = m->board[0][set & (RACE_HALVES - 1)] | m->board[1][set >> RACE_HALF];
    bool bounds = m->kind != INSIDE, alone = m->out == 0;
    struct jumps jumps = jumps_of(own, bounds ? m->inside | m->rim : m->inside);
    uint64_t entries = bounds ? from_outside(m, &jumps, alone) : 0;
    for (uint64_t rest = own; rest; rest = bits_rest(rest)) {
        uint64_t piece = rest & -rest;
        uint32_t without = set ^ m->bit[bits_first(piece)];
        uint64_t sources = flood(&jumps, piece, 0);
        if (bounds && roams(m, piece, sources, alone))
            sources |= entries | m->rim;
        bool was_outside = bounds && ((piece & m->edge) || (sources & ~m->inside));
        sources = (sources | (spread(piece) & jumps.empty)) & m->inside & ~piece;
        if (!(piece & m->goal))
            sources &= ~m->goal;
        for (; sources; sources = bits_rest(sources))
            mark(m, m->out, without | m->bit[bits_first(sources)]);
        if (was_outside && m->out < OUT)
            mark(m, m->out + 1, without);
    }
    if (m->out == 0)
        return;
    uint64_t left = from_outside(m, &jumps, m->out == 1) | (m->edge & jumps.empty);
    for (left &= m->inside & ~m->goal; left; left = bits_rest(left))
        mark(m, m->out - 1, set | m->bit[bits_first(left)]);
}

static void *work(void *context)
{
    struct maker *m = context;
    for (;;) {
        uint32_t high = atomic_fetch_add_explicit(&m->next, 1, memory_order_relaxed);
        if (high >= RACE_HALVES)
            return NULL;
        int below = m->pieces - m->out - bits_count(high);
        if (below < 0 || below > RACE_HALF)
            continue;
        uint32_t ways = m->table->ways[below];
        const _Atomic uint8_t *bytes = m->bytes[m->out] +
                                       place(m, m->out, high << RACE_HALF | ((1u << below) - 1));
        for (uint32_t i = 0; i < ways; i++)
            if (atomic_load_explicit(bytes + i, memory_order_relaxed) == m->distance)
                go_back(m, high << RACE_HALF | m->half_of[m->half_first[below] + i]);
    }
}

/* One round: all states of this distance with so many pieces outside. */
static void go_round(struct maker *m)
{
    enum { MOST_THREADS = 64 };
    pthread_t threads[MOST_THREADS];
    int started = 0;
    atomic_store(&m->next, 0);
    while (started < m->threads - 1 && started < MOST_THREADS && thread_start(&threads[started], work, m))
        started++;
    work(m);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* Any bound is right that is not too high: no piece reaches the goal without a move. */
static void bound(struct maker *m)
{
    for (uint32_t high = 0; high < RACE_HALVES; high++) {
        int below = m->pieces - OUT - bits_count(high);
        if (below < 0 || below > RACE_HALF)
            continue;
        for (uint32_t i = 0; i < m->table->ways[below]; i++) {
            uint32_t low = m->half_of[m->half_first[below] + i];
            uint64_t own = m->board[0][low] | m->board[1][high];
            m->bytes[OUT][place(m, OUT, high << RACE_HALF | low)] = (uint8_t)(1 + OUT +
                                                                              bits_count(own & ~m->goal));
        }
    }
}

/* Numbers squares of the goal: the bits of such a set, as a set of the 28 squares. */
static uint32_t full_set(const struct maker *m, uint32_t numbers)
{
    uint32_t set = 0;
    for (uint64_t g = m->goal; g; g = bits_rest(g), numbers >>= 1)
        if (numbers & 1)
            set |= m->bit[bits_first(g)];
    return set;
}

static void search(struct maker *m, enum search_kind kind)
{
    m->kind = kind;
    int outs = kind == INSIDE ? 1 : OUT + 1;
    for (int out = 0; out < outs; out++)
        memset((void *)m->bytes[out], NONE, m->count[out]);
    if (kind != INSIDE)
        bound(m);
    for (uint32_t set = 0; set < 1u << bits_count(m->goal); set++)
        if (bits_count(set) == m->pieces)
            m->bytes[0][place(m, 0, full_set(m, set))] = 0;
    for (m->distance = 0; m->distance < RACE_UNKNOWN; m->distance++)
        for (m->out = 0; m->out < outs; m->out++)
            go_round(m);
}

/* The gap between a bound and `most`; 3 stands for all that two bits cannot tell. */
static uint8_t gap(int most, int least)
{
    return (uint8_t)(most - least < 3 ? most - least : 3);
}

static void add_bounds(struct maker *m, enum search_kind kind, int shift)
{
    uint8_t *bytes = m->table->bytes;
    search(m, kind);
    for (uint32_t i = 0; i < m->table->count; i++)
        bytes[i] |= (uint8_t)(gap(bytes[i] & RACE_UNKNOWN, m->bytes[0][i]) << shift);
}

static void find_distances(struct maker *m)
{
    struct race_table *table = m->table;
    search(m, INSIDE);
    for (uint32_t i = 0; i < table->count; i++)
        table->bytes[i] = m->bytes[0][i] < RACE_UNKNOWN ? m->bytes[0][i] : RACE_UNKNOWN;
    if (m->apart) {
        add_bounds(m, APART, 4);
        for (uint32_t i = 0; i < table->count; i++)
            table->bytes[i] |= (uint8_t)((table->bytes[i] & 0x30) << 2);
    } else {
        add_bounds(m, FAR, 4);
        add_bounds(m, NEAR, 6);
    }
}

/* ---- Numbering ------------------------------------------------------------------------------------------- */

static void number_halves(struct maker *m)
{
    uint32_t total = 0;
    for (int pieces = 0; pieces <= RACE_HALF; pieces++) {
        m->half_first[pieces] = total;
        for (uint32_t half = 0; half < RACE_HALVES; half++)
            if (bits_count(half) == pieces) {
                m->table->number[half] = (uint16_t)(total - m->half_first[pieces]);
                m->half_of[total++] = half;
            }
        m->table->ways[pieces] = total - m->half_first[pieces];
    }
    m->table->ways[RACE_HALF + 1] = 0;
}

static void place_squares(struct maker *m)
{
    int number = 0;
    for (int square = 0; square < SIDE * SIDE; square++)
        m->bit[square] = m->inside >> square & 1 ? 1u << number++ : 0;
    for (uint32_t half = 0; half < RACE_HALVES; half++) {
        m->board[0][half] = m->board[1][half] = 0;
        for (int square = 0; square < SIDE * SIDE; square++) {
            if (m->bit[square] & half)
                m->board[0][half] |= UINT64_C(1) << square;
            if (m->bit[square] >> RACE_HALF & half)
                m->board[1][half] |= UINT64_C(1) << square;
        }
    }
}

/* Where the states with so many pieces in the high half begin; how many there are. */
static uint32_t number_states(const uint32_t *ways, int pieces, uint32_t *first)
{
    uint32_t total = 0;
    for (int above = 0; above <= RACE_HALF + 1; above++) {
        int below = pieces - above;
        first[above] = total;
        if (above <= RACE_HALF && below >= 0 && below <= RACE_HALF)
            total += ways[above] * ways[below];
    }
    return total;
}

static bool prepare(struct maker *m, struct race_table *table, int pieces, int goal, int threads)
{
    m->table = table;
    m->pieces = pieces;
    m->threads = threads;
    m->inside = diagonals(0, RACE_DIAGONALS - 1);
    m->goal = diagonals(0, goal - 1);
    m->apart = goal == 5;
    m->rim = diagonals(RACE_DIAGONALS, RACE_DIAGONALS + 1);
    m->edge = diagonals(RACE_DIAGONALS - 2, RACE_DIAGONALS - 1);
    /* The two squares at the edges of the board have no square behind the opponent. */
    m->gate = diagonals(RACE_DIAGONALS - 1, RACE_DIAGONALS - 1) & (~UINT64_C(0) >> 16) & ~(COLUMN << 6);
    number_halves(m);
    place_squares(m);
    table->pieces = (uint32_t)pieces;
    bool ok = true;
    for (int out = 0; out <= OUT; out++) {
        m->count[out] = number_states(table->ways, pieces - out, m->first[out]);
        m->bytes[out] = malloc(m->count[out]);
        ok = ok && m->bytes[out];
    }
    memcpy(table->first, m->first[0], sizeof table->first);
    table->count = m->count[0];
    return ok;
}

bool LEVELED(race_make)(struct race_table *table, int pieces, int goal, int threads, struct mp_error *error)
{
    struct maker *m = calloc(1, sizeof *m);
    bool ok = m && prepare(m, table, pieces, goal, threads);
    if (ok)
        find_distances(m);
    for (int out = 0; m && out <= OUT; out++)
        free((void *)m->bytes[out]);
    free(m);
    return ok || mp_fail_with(error, MP_ERROR_MEMORY, "out of memory for the distances of a race");
}

/* generate.c - the plays of a roll, each resulting position once.
 *
 * The rules: a chequer on the bar enters first; both dice are played if any order allows it, else the larger
 * if it can be; of a double as many steps as possible; chequers are borne off only while all are home.
 *
 * No play is ever compared with the others, because the cases in which two of them meet are known:
 *   - Double: a position tells, from the highest point down, how many steps started where. So the falling
 *     sequences of starting places are the positions, one to one; and every legal play can be made in
 *     falling order.
 *   - Two dice a > b: the steps "x by a" and "y by b" meet another pair only if one chequer makes both steps
 *     and no blot is hit half way on either path, or if both steps bear off. Pairs that can be made with a
 *     first are listed first, then those that need b first and are not known yet.
 *
 * Compiled once for each CPU level. */
#include "games/backgammon/backgammon.h"
#include "games/backgammon/sets.h"

#include "base/bits.h"
#include "base/level.h"

#include <string.h>

/* The board as sets of places, bit p for place p of the side to move. */
struct sets {
    uint32_t occupied; /* by own chequers, the bar included */
    uint32_t single;   /* one own chequer */
    uint32_t open;     /* points that may be landed on */
    uint32_t blots;    /* of the opponent */
};

enum { POINTS = BACKGAMMON_POINTS, BAR_BIT = BACKGAMMON_BAR_BIT, BEYOND_HOME = 1 << 7 };

static inline struct sets sets_of(const struct backgammon *s)
{
    const uint32_t on_board = POINTS | BAR_BIT;
    uint32_t any = backgammon_places_above(s->own, 0) & on_board,
             several = backgammon_places_above(s->own, 1);
    uint32_t opp_any = backgammon_places_above(s->opp, 0), opp_several = backgammon_places_above(s->opp, 1);
    return (struct sets){
        .occupied = any,
        .single = any & ~several,
        .open = ~backgammon_other_view(opp_several) & POINTS,
        .blots = backgammon_other_view(opp_any & ~opp_several) & POINTS,
    };
}

/* Where a step with this die may start. */
static inline uint32_t sources(uint32_t occupied, uint32_t open, int die)
{
    uint32_t set = occupied & open << die;
    if (occupied & BAR_BIT)
        return set & BAR_BIT;
    if (occupied < BEYOND_HOME && occupied) {
        if (occupied >> die)
            set |= occupied & 1u << die;
        else
            set |= UINT32_C(0x80000000) >> __builtin_clz(occupied);
    }
    return set;
}

/* The occupied places after one step. */
static inline uint32_t after_step(const struct sets *b, int from, int die)
{
    uint32_t left = b->occupied & ~(b->single & 1u << from);
    return from > die ? left | 1u << (from - die) : left;
}

/* The list under construction. Counting uses the same code with writing switched off. */
struct plays {
    mp_move *moves;
    int count, capacity;
    int steps; /* double: of the plays listed so far */
};

__attribute__((always_inline)) static inline void add(struct plays *plays, mp_move move)
{
    if (plays->count < plays->capacity)
        plays->moves[plays->count] = move;
    plays->count++;
}

static inline mp_move pair(int by_larger, int by_smaller)
{
    mp_move places = (mp_move)(by_larger | by_smaller << BACKGAMMON_FROM_BITS);
    return places << BACKGAMMON_FROM_SHIFT | places;
}

/* Adds "x by a" with each y of a set by b. */
__attribute__((always_inline)) static inline void add_pairs(struct plays *plays, int x, uint32_t set,
                                                            bool write)
{
    if (!write) {
        plays->count += bits_count(set);
        return;
    }
    for (; set; set &= set - 1)
        add(plays, pair(x, __builtin_ctz(set)));
}

/* Can x move by a and then y by b? */
static inline bool larger_first(const struct sets *b, int x, int y, int larger, int smaller)
{
    return sources(b->occupied, b->open, larger) >> x & 1 &&
           sources(after_step(b, x, larger), b->open, smaller) >> y & 1;
}

/* The chequers that can move by b after x has moved by a, but for one that would move to x: it gets as far by
 * a and then b, if it can and hits nothing on the way. */
static inline uint32_t seconds(const struct sets *b, int x, int larger, int smaller)
{
    uint32_t set = sources(after_step(b, x, larger), b->open, smaller);
    int y = x + smaller;
    if (set >> y & 1 && y > larger && larger_first(b, y, y - larger, larger, smaller) &&
        !(b->blots >> (y - larger) & 1))
        set &= ~(1u << y);
    return set;
}

/* Does a pair that needs the smaller die first lead where a pair listed before leads? */
static inline bool is_known(const struct sets *b, int x, int y, int larger, int smaller)
{
    if (larger_first(b, x, y, larger, smaller))
        return true;
    if (y - smaller == x && y > larger && larger_first(b, y, y - larger, larger, smaller))
        return !((b->blots >> x | b->blots >> (y - larger)) & 1);
    return x <= larger && y <= smaller && x <= smaller && larger_first(b, y, x, larger, smaller);
}

/* Nothing is borne off and nobody is on the bar: any two steps of different chequers can be made in either
 * order, so only one chequer making both, the smaller die first, is left to look at. */
static inline uint32_t new_chains(const struct sets *b, int larger, int smaller)
{
    uint32_t chains = b->occupied & b->open << smaller & ~(b->occupied << smaller) &
                      b->open << (larger + smaller);
    uint32_t known = b->open << larger & ~(b->blots << larger) & ~(b->blots << smaller);
    return chains & ~known;
}

__attribute__((always_inline)) static inline void list_pairs(const struct backgammon *s, const struct sets *b,
                                                             struct plays *plays, bool write)
{
    int larger = s->die[0], smaller = s->die[1];
    for (uint32_t set = sources(b->occupied, b->open, larger); set; set &= set - 1) {
        int x = __builtin_ctz(set);
        add_pairs(plays, x, seconds(b, x, larger, smaller), write);
    }
    uint32_t outside = b->occupied & ~(BEYOND_HOME - 1u);
    bool may_bear_off = (outside & (outside - 1)) == 0 && (outside & ~b->single) == 0;
    if (!may_bear_off && !(b->occupied & BAR_BIT)) {
        for (uint32_t set = new_chains(b, larger, smaller); set; set &= set - 1) {
            int y = __builtin_ctz(set);
            add(plays, pair(y - smaller, y));
        }
        return;
    }
    for (uint32_t set = sources(b->occupied, b->open, smaller); set; set &= set - 1) {
        int y = __builtin_ctz(set);
        for (uint32_t next = sources(after_step(b, y, smaller), b->open, larger); next; next &= next - 1) {
            int x = __builtin_ctz(next);
            if (!is_known(b, x, y, larger, smaller))
                add(plays, pair(x, y));
        }
    }
}

/* Only one die can be played. */
static void list_single_steps(const struct backgammon *s, const struct sets *b, struct plays *plays)
{
    for (int i = 0; i < 2 && plays->count == 0; i++)
        for (uint32_t set = sources(b->occupied, b->open, s->die[i]); set; set &= set - 1) {
            int from = __builtin_ctz(set);
            add(plays, i == 0 ? pair(from, 0) : pair(0, from));
        }
}

/* What a step from a place adds to the move: the place, and its part of the rank. */
static inline mp_move step_code(int step, int from)
{
    unsigned x = (unsigned)from;
    unsigned rank = step == 0   ? x * (x + 1) * (x + 2) * (x + 3) / 24
                    : step == 1 ? x * (x + 1) * (x + 2) / 6
                    : step == 2 ? x * (x + 1) / 2
                                : x;
    return (mp_move)x << (BACKGAMMON_FROM_SHIFT + BACKGAMMON_FROM_BITS * step) | rank;
}

struct doubles {
    struct plays *plays;
    uint8_t *men;
    uint32_t open;
    int die;
};

/* A play that cannot go on in falling order; it counts if none is longer. */
__attribute__((always_inline)) static inline void add_double(struct plays *plays, int steps, uint32_t last,
                                                             mp_move move, bool write)
{
    if (steps < plays->steps)
        return;
    if (steps > plays->steps) {
        plays->steps = steps;
        plays->count = 0;
    }
    if (steps < 4) {
        add(plays, move);
        return;
    }
    if (!write)
        plays->count += bits_count(last);
    else
        for (; last; last &= last - 1)
            add(plays, move + step_code(3, __builtin_ctz(last)));
}

/* Goes on with the step of this number, from places not above `highest`. */
__attribute__((always_inline)) static inline void
extend(const struct doubles *d, int step, int highest, uint32_t occupied, mp_move move, bool write,
       void (*deeper)(const struct doubles *, int, int, uint32_t, mp_move))
{
    uint32_t set = sources(occupied, d->open, d->die) & ((2u << highest) - 1);
    if (!set || step == 3) {
        add_double(d->plays, set ? 4 : step, set, move, write);
        return;
    }
    uint8_t *men = d->men;
    for (; set; set &= set - 1) {
        int from = __builtin_ctz(set), to = from > d->die ? from - d->die : BACKGAMMON_OFF;
        uint32_t next = men[from] == 1 ? occupied & ~(1u << from) : occupied;
        men[from]--;
        men[to]++;
        deeper(d, step + 1, from, to ? next | 1u << to : next, move + step_code(step, from));
        men[from]++;
        men[to]--;
    }
}

static void write_doubles(const struct doubles *d, int step, int highest, uint32_t occupied, mp_move move)
{
    extend(d, step, highest, occupied, move, true, write_doubles);
}

static void count_doubles(const struct doubles *d, int step, int highest, uint32_t occupied, mp_move move)
{
    extend(d, step, highest, occupied, move, false, count_doubles);
}

/* What may be said about the cube. */
static int list_actions(const struct backgammon *s, struct plays *plays)
{
    if (s->phase == BACKGAMMON_NODDING) {
        add(plays, BACKGAMMON_PASS);
        return plays->count;
    }
    bool choosing = s->phase == BACKGAMMON_CHOOSING;
    add(plays, backgammon_action(choosing ? BACKGAMMON_SAY_ROLL : BACKGAMMON_SAY_TAKE));
    add(plays, backgammon_action(choosing ? BACKGAMMON_SAY_DOUBLE : BACKGAMMON_SAY_DROP));
    return plays->count;
}

__attribute__((always_inline)) static inline int generate(const struct backgammon *s, mp_move *moves,
                                                          int capacity, bool write)
{
    struct plays plays = {.moves = moves, .capacity = capacity};
    if (backgammon_is_over(s))
        return 0;
    if (s->phase != BACKGAMMON_PLAYING)
        return list_actions(s, &plays);
    if (s->die[0] == 0)
        return 0;
    struct sets sets = sets_of(s);
    if (s->die[0] == s->die[1]) {
        uint8_t men[32];
        memcpy(men, s->own, sizeof men);
        struct doubles d = {&plays, men, sets.open, s->die[0]};
        plays.steps = 1;
        (write ? write_doubles : count_doubles)(&d, 0, BACKGAMMON_BAR, sets.occupied, 0);
    } else {
        list_pairs(s, &sets, &plays, write);
        if (plays.count == 0)
            list_single_steps(s, &sets, &plays);
    }
    if (plays.count == 0)
        add(&plays, BACKGAMMON_PASS);
    return plays.count;
}

int LEVELED(backgammon_list)(const struct mp_game *game, const void *state, mp_move *moves, int capacity)
{
    (void)game;
    return generate(state, moves, capacity, true);
}

int LEVELED(backgammon_count)(const struct mp_game *game, const void *state)
{
    (void)game;
    return generate(state, NULL, 0, false);
}

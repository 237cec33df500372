/* features.c - what a network sees of backgammon, as the side that is to throw: of each side and place, that there is a
 * first chequer, a second, and so on; how many pips the side is ahead; and where the sides can meet, how many throws of
 * each would hit the other, what that would cost, and how many let the last two of its chequers run. Compiled once for each CPU level. */
#include "games/backgammon/backgammon.h"
#include "games/backgammon/sets.h"

#include "base/level.h"

#include <string.h>

/* So many chequers on a place are told apart, and all that are off. */
enum {
    MOST_ON_PLACE = 8,
    PLACES = BACKGAMMON_BAR * MOST_ON_PLACE, /* points 1 to 24, and the bar */
    PER_SIDE = PLACES + BACKGAMMON_MEN,
    THROWS = 36,
    MOST_LOSS = 15, /* pips, in the mean over all throws; more count as this */
    MOST_LEAD = 40, /* in twos of pips */
    SHOTS = 2 * PER_SIDE,
    LOSSES = SHOTS + 2 * (THROWS + 1),
    LEADS = LOSSES + 2 * (MOST_LOSS + 1),
    RUNS = LEADS + 2 * MOST_LEAD + 1,
    RUNNERS = 2, /* the last two places of a side */
    INPUTS = RUNS + 2 * RUNNERS * (THROWS + 1),
    MOST_EXTRA = 5 + 2 * RUNNERS,
};

/* The input of chequer number n, from 1, on a place. */
static inline int input_of(int side, int place, int n)
{
    return side * PER_SIDE + (place == BACKGAMMON_OFF ? PLACES : (place - 1) * MOST_ON_PLACE) + n - 1;
}

static inline int told_apart(int place, int men)
{
    return place != BACKGAMMON_OFF && men > MOST_ON_PLACE ? MOST_ON_PLACE : men;
}

/* Chequers of who is to throw (0) and of the other (1). */
static inline const uint8_t *men_of(const struct backgammon *s, int side)
{
    bool answers = s->phase == BACKGAMMON_NODDING || s->phase == BACKGAMMON_ANSWERING;
    return (side == 0) != answers ? s->own : s->opp;
}

static int add(int side, int place, int from, int to, uint16_t *inputs, int count)
{
    for (int n = from + 1; n <= to; n++)
        inputs[count++] = (uint16_t)input_of(side, place, n);
    return count;
}

/* ---- Shots --------------------------------------------------------------------------------------------- */

/* What a side that throws can do to the other, as it counts the points. */
struct aim {
    uint32_t own;  /* its chequers, on the bar too */
    uint32_t open; /* points that it may move to */
    uint32_t blots;
    int bar;
};

/* The blots that a throw of two different dice can hit. Bearing off is left out. */
static inline uint32_t hits_by(const struct aim *aim, int a, int b)
{
    uint32_t own = aim->own, first = UINT32_C(1) << (BACKGAMMON_BAR - a),
             second = UINT32_C(1) << (BACKGAMMON_BAR - b);
    if (aim->bar > 1)
        return (first | second) & aim->blots;
    if (aim->bar == 0)
        return (own >> a | own >> b | (own >> a & aim->open) >> b | (own >> b & aim->open) >> a) & aim->blots;
    own &= ~(uint32_t)BACKGAMMON_BAR_BIT;
    uint32_t hit = 0;
    if (first & aim->open)
        hit |= first | (own | first) >> b;
    if (second & aim->open)
        hit |= second | (own | second) >> a;
    return hit & aim->blots;
}

static inline uint32_t hits_by_double(const struct aim *aim, int a)
{
    uint32_t from = aim->own, hit = 0;
    if (aim->bar) {
        uint32_t entry = UINT32_C(1) << (BACKGAMMON_BAR - a);
        if (!(entry & aim->open))
            return 0;
        from = (from & ~(uint32_t)BACKGAMMON_BAR_BIT) | entry;
        hit = entry;
    }
    for (int steps = 4 - aim->bar; steps > 0; steps--)
        hit |= from = from >> a & aim->open;
    return hit & aim->blots;
}

static struct aim aim_of(const uint8_t *thrower, const uint8_t *other)
{
    uint32_t theirs = backgammon_places_above(other, 0) & BACKGAMMON_POINTS;
    uint32_t points = backgammon_places_above(other, 1) & BACKGAMMON_POINTS;
    return (struct aim){.own = backgammon_places_above(thrower, 0) & (BACKGAMMON_POINTS | BACKGAMMON_BAR_BIT),
                        .open = BACKGAMMON_POINTS & ~backgammon_other_view(points),
                        .blots = backgammon_other_view(theirs & ~points),
                        .bar = thrower[BACKGAMMON_BAR]};
}

/* Of 36 throws, how many a chequer on one place could make with both dice. */
static int count_runs(uint32_t place, uint32_t open)
{
    int runs = 0;
    for (int a = 1; a <= 6; a++) {
        uint32_t first = place >> a & open;
        runs += (first >> a & open) != 0;
        for (int b = 1; b < a; b++)
            runs += 2 * (((first >> b | (place >> b & open) >> a) & open) != 0);
    }
    return runs;
}

/* Of 36 throws, how many hit, and how many pips the dearest blots that they hit lose together. */
static int count_shots(const struct aim *aim, int *pips)
{
    int shots = 0;
    *pips = 0;
    if (!aim->own || !(aim->blots & ((UINT32_C(1) << (31 - __builtin_clz(aim->own))) - 1)))
        return 0;
    for (int a = 1; a <= 6; a++) {
        uint32_t hit = hits_by_double(aim, a);
        shots += hit != 0;
        *pips += hit ? 31 - __builtin_clz(hit) : 0;
        for (int b = 1; b < a; b++) {
            hit = hits_by(aim, a, b);
            shots += 2 * (hit != 0);
            *pips += hit ? 2 * (31 - __builtin_clz(hit)) : 0;
        }
    }
    return shots;
}

static int pips_of(const uint8_t *men)
{
    int pips = 0;
    for (int place = 1; place <= BACKGAMMON_BAR; place++)
        pips += place * men[place];
    return pips;
}

/* Inputs that are no chequers. */
static int list_extra(const struct backgammon *s, uint16_t inputs[MOST_EXTRA])
{
    const uint8_t *men[2] = {men_of(s, 0), men_of(s, 1)};
    int count = 0, lead = (pips_of(men[1]) - pips_of(men[0])) / 2;
    lead = lead < -MOST_LEAD ? -MOST_LEAD : lead > MOST_LEAD ? MOST_LEAD : lead;
    inputs[count++] = (uint16_t)(LEADS + MOST_LEAD + lead);
    for (int side = 0; side < 2 && backgammon_has_contact(s->own, s->opp); side++) {
        struct aim aim = aim_of(men[side], men[!side]);
        int pips, shots = count_shots(&aim, &pips), loss = pips / THROWS;
        inputs[count++] = (uint16_t)(SHOTS + side * (THROWS + 1) + shots);
        inputs[count++] = (uint16_t)(LOSSES + side * (MOST_LOSS + 1) + (loss < MOST_LOSS ? loss : MOST_LOSS));
        for (int i = 0; i < RUNNERS && aim.own; i++) {
            uint32_t last = UINT32_C(1) << (31 - __builtin_clz(aim.own));
            inputs[count++] = (uint16_t)(RUNS + (RUNNERS * side + i) * (THROWS + 1) +
                                         count_runs(last, aim.open));
            aim.own &= ~last;
        }
    }
    return count;
}

/* ---- Lists --------------------------------------------------------------------------------------------- */

static int list(const struct mp_game *game, const void *state, int player, uint16_t *inputs)
{
    (void)game, (void)player;
    int count = 0;
    for (int side = 0; side < 2; side++) {
        const uint8_t *men = men_of(state, side);
        for (int place = 0; place <= BACKGAMMON_BAR; place++)
            count = add(side, place, 0, told_apart(place, men[place]), inputs, count);
    }
    return count + list_extra(state, inputs + count);
}

/* Adds those that are not among the known. */
static int add_others(const uint16_t *extra, int extra_count, const uint16_t *known, int known_count,
                      uint16_t *inputs, int count)
{
    for (int i = 0; i < extra_count; i++) {
        bool is_known = false;
        for (int j = 0; j < known_count; j++)
            is_known = is_known || known[j] == extra[i];
        if (!is_known)
            inputs[count++] = extra[i];
    }
    return count;
}

static void change(const struct mp_game *game, const void *from, const void *to, int player, uint16_t *gone,
                   int *gone_count, uint16_t *come, int *come_count)
{
    (void)game, (void)player;
    *gone_count = *come_count = 0;
    for (int side = 0; side < 2; side++) {
        const uint8_t *before = men_of(from, side), *after = men_of(to, side);
        for (int first = 0; first <= BACKGAMMON_BAR; first += 8) {
            uint64_t a, b;
            memcpy(&a, before + first, sizeof a);
            memcpy(&b, after + first, sizeof b);
            for (uint64_t differ = a ^ b; differ;) {
                int shift = __builtin_ctzll(differ) & ~7, place = first + shift / 8;
                int old = told_apart(place, (int)(a >> shift & 255)),
                    new = told_apart(place, (int)(b >> shift & 255));
                *gone_count = add(side, place, new, old, gone, *gone_count);
                *come_count = add(side, place, old, new, come, *come_count);
                differ &= ~(UINT64_C(255) << shift);
            }
        }
    }
    uint16_t before[MOST_EXTRA], after[MOST_EXTRA];
    int before_count = list_extra(from, before), after_count = list_extra(to, after);
    *gone_count = add_others(before, before_count, after, after_count, gone, *gone_count);
    *come_count = add_others(after, after_count, before, before_count, come, *come_count);
}

/* Races are another game. */
enum { CONTACT, RACE, HEADS };

static int head(const struct mp_game *game, const void *state)
{
    (void)game;
    const struct backgammon *s = state;
    return backgammon_has_contact(s->own, s->opp) ? CONTACT : RACE;
}

const struct mp_features LEVELED(backgammon_features) = {
    MP_SIZE(struct mp_features),
    .count = INPUTS,
    .most = 2 * BACKGAMMON_MEN + MOST_EXTRA,
    .views = 1,
    .heads = HEADS,
    .list = list,
    .head = head,
    .change = change,
    .outputs = 5,
    .known = LEVELED(backgammon_known),
    .worth = LEVELED(backgammon_worth),
};

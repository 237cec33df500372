/* evaluate.c - what a backgammon position is worth, in units of BACKGAMMON_UNITS a point.
 *
 * At the horizon the dice are to be thrown, so a position is one that the other side has just left; formulas
 * that value the side that has moved are negated. Where both sides are home the bear-off table knows better
 * than any formula. Compiled once for each CPU level. */
#include "games/backgammon/apply.h"
#include "games/backgammon/backgammon.h"
#include "games/backgammon/bearoff.h"
#include "games/backgammon/cube.h"
#include "games/backgammon/pubeval.h"
#include "games/backgammon/sets.h"

#include "base/level.h"

typedef mp_value formula(const struct mp_game *game, const struct backgammon *s);

static inline mp_value finished(const struct mp_game *game, const struct backgammon *s)
{
    return backgammon_final_value(game, s);
}

static inline int pip_lead(const struct backgammon *s)
{
    int lead = 0;
    for (int p = 1; p <= BACKGAMMON_BAR; p++)
        lead += p * (s->opp[p] - s->own[p]);
    return lead;
}

/* A value that was found for money and a cube of 1, made to fit the state's. */
static inline mp_value fit(const struct mp_game *game, const struct backgammon *s, int64_t value)
{
    if (s->cube_in_use || s->match_length) {
        struct cube_chances chances = cube_guess(s, value);
        return cube_value(game->data, s, &chances);
    }
    int least, most;
    backgammon_limits(s, &least, &most);
    int64_t low = (int64_t)least * BACKGAMMON_UNITS, high = (int64_t)most * BACKGAMMON_UNITS;
    value *= 1 << s->cube_log;
    return (mp_value)(value < low ? low : value > high ? high : value);
}

/* ---- report ---------------------------------------------------------------------------------------- */

/* homeChips + 10 borneOff - distance - 10 onBar - opponentChips, for the side that has moved. */

enum { REPORT_UNIT = 20 }; /* so that the best of formulas is worth less than a win, and means stay precise */

static inline mp_value report(const struct mp_game *game, const struct backgammon *s)
{
    if (backgammon_is_over(s))
        return finished(game, s);
    int home = 0, opponents_home = 0, distance = 0;
    for (int p = 1; p <= 6; p++) {
        home += s->opp[p];
        opponents_home += s->own[p];
    }
    for (int p = 1; p <= 24; p++)
        distance += p * s->opp[p];
    int value = home + 10 * s->opp[BACKGAMMON_OFF] - distance - 10 * s->opp[BACKGAMMON_BAR] - opponents_home;
    return -value * REPORT_UNIT;
}

/* ---- pips: the lead in the race, a fiftieth of a point each ---------------------------------------- */

enum { PIP_UNITS = BACKGAMMON_UNITS / 50 };

static inline mp_value pips(const struct mp_game *game, const struct backgammon *s)
{
    if (backgammon_is_over(s))
        return finished(game, s);
    int lead = pip_lead(s);
    return fit(game, s, (lead < -45 ? -45 : lead > 45 ? 45 : lead) * PIP_UNITS);
}

/* ---- pubeval --------------------------------------------------------------------------------------- */

/* The linear sum for a side that has moved: men are its chequers, others the opponent's. */
static inline int32_t pubeval_sum(const struct pubeval *numbers, const uint8_t men[32],
                                  const uint8_t others[32])
{
    int32_t sum = numbers->bar * others[BACKGAMMON_BAR] + numbers->off[men[BACKGAMMON_OFF]];
    uint32_t set = backgammon_places_above(men, 0) & BACKGAMMON_POINTS;
    for (; set; set &= set - 1) {
        int p = __builtin_ctz(set);
        sum += numbers->men[p][men[p]];
    }
    uint32_t blots = backgammon_places_above(others, 0) & ~backgammon_places_above(others, 1);
    for (set = backgammon_other_view(blots & BACKGAMMON_POINTS); set; set &= set - 1)
        sum += numbers->blot[__builtin_ctz(set)];
    return sum;
}

/* The sums say which play is best, not what a position is worth. These lines turn them into points; they are
 * least-squares fits to the cubeless equities that GNU Backgammon gives to 16,759 positions (2-ply for the
 * eight best plays of a roll, 0-ply for the others). */
/* A factor as a whole number: units * 2^20 for one PUBEVAL_ONE-th. */
#define FACTOR(points) ((int64_t)((points)*BACKGAMMON_UNITS / PUBEVAL_ONE * 1048576))
#define UNITS(points) ((int64_t)((points)*BACKGAMMON_UNITS))

static inline int64_t race_value(const struct backgammon *s)
{
    int64_t moved = pubeval_sum(&pubeval_race, s->opp, s->own),
            other = pubeval_sum(&pubeval_race, s->own, s->opp);
    return ((moved * FACTOR(0.0127) - other * FACTOR(0.0073)) >> 20) - pip_lead(s) * UNITS(0.0207) -
           UNITS(0.2127);
}

static inline bool table_value(const struct mp_game *game, const struct backgammon *s, mp_value *value)
{
    const struct backgammon_tables *tables = game->data;
    if (!tables || !bearoff_is_home(s->own) || !bearoff_is_home(s->opp))
        return false;
    const struct bearoff_pair *pair = s->match_length
                                          ? NULL
                                          : bearoff_pairs_find(tables->bearoff, game->table, s->own, s->opp);
    if (pair) {
        *value = cube_pair_value(s, pair);
    } else if (s->cube_in_use || s->match_length) {
        const double all = (double)BEAROFF_ONE * BEAROFF_ONE;
        struct bearoff_chances found = bearoff_chances(tables->bearoff, s);
        struct cube_chances chances = {.win = (double)found.won / all,
                                       .gammon = (double)found.gammons_won / all,
                                       .lost_gammon = (double)found.gammons_lost / all};
        *value = cube_value(tables, s, &chances);
    } else {
        int least, most;
        backgammon_limits(s, &least, &most);
        bool gammons = most - least > 2 << s->cube_log;
        *value = fit(game, s, bearoff_equity(tables->bearoff, s, gammons) * BACKGAMMON_UNITS / BEAROFF_ONE);
    }
    return true;
}

/* As published: what the side that has moved sees. */
static inline mp_value pubeval(const struct mp_game *game, const struct backgammon *s)
{
    mp_value value;
    if (backgammon_is_over(s))
        return finished(game, s);
    if (backgammon_has_contact(s->own, s->opp)) {
        int64_t moved = pubeval_sum(&pubeval_contact, s->opp, s->own);
        return fit(game, s, -(((moved * FACTOR(0.0774)) >> 20) - UNITS(0.9401)));
    }
    return table_value(game, s, &value) ? value : fit(game, s, -race_value(s));
}

/* Both sides and the race: better where replies are searched, because a play is still seen after the
 * reply. */
static inline mp_value balanced(const struct mp_game *game, const struct backgammon *s)
{
    mp_value value;
    if (backgammon_is_over(s))
        return finished(game, s);
    if (backgammon_has_contact(s->own, s->opp)) {
        int64_t moved = pubeval_sum(&pubeval_contact, s->opp, s->own);
        int64_t other = pubeval_sum(&pubeval_contact, s->own, s->opp);
        return fit(game, s,
                   -(((moved * FACTOR(0.0601) - other * FACTOR(0.0369)) >> 20) - pip_lead(s) * UNITS(0.0119) -
                     UNITS(0.4925)));
    }
    return table_value(game, s, &value) ? value : fit(game, s, -race_value(s));
}

/* Who has to answer the other, who is to throw, sees what the other sees, negated. */
__attribute__((always_inline)) static inline mp_value for_side(formula *value, const struct mp_game *game,
                                                               const struct backgammon *s)
{
    if (s->phase != BACKGAMMON_NODDING && s->phase != BACKGAMMON_ANSWERING)
        return value(game, s);
    struct backgammon turned = *s;
    backgammon_turn(&turned);
    return -value(game, &turned);
}

/* ---- What a network learns: the rest is known -------------------------------------------------------- */

bool LEVELED(backgammon_known)(const struct mp_game *game, const void *state, mp_value *value)
{
    struct backgammon turned;
    const struct backgammon *s = state;
    bool answers = s->phase == BACKGAMMON_NODDING || s->phase == BACKGAMMON_ANSWERING;
    if (answers) {
        turned = *s;
        backgammon_turn(&turned);
        s = &turned;
    }
    bool over = backgammon_is_over(s);
    if (over)
        *value = finished(game, s);
    if (!over && !table_value(game, s, value))
        return false;
    *value = answers ? -*value : *value;
    return true;
}

static inline mp_value shares_value(const struct mp_game *game, const struct backgammon *s,
                                    const int32_t shares[5])
{
    /* Who has borne off cannot lose a gammon any more. */
    if (s->cube_in_use || s->match_length) {
        const double all = 65536;
        struct cube_chances chances = {.win = shares[0] / all};
        if (s->opp[BACKGAMMON_OFF] == 0) {
            chances.gammon = shares[1] / all;
            chances.backgammon = shares[2] / all;
        }
        if (s->own[BACKGAMMON_OFF] == 0) {
            chances.lost_gammon = shares[3] / all;
            chances.lost_backgammon = shares[4] / all;
        }
        return cube_value(game->data, s, &chances);
    }
    int64_t points = 2 * (int64_t)shares[0] - 65536;
    if (backgammon_counts_gammons(s)) {
        points += s->opp[BACKGAMMON_OFF] ? 0 : shares[1] + shares[2];
        points -= s->own[BACKGAMMON_OFF] ? 0 : shares[3] + shares[4];
    }
    return fit(game, s, points * BACKGAMMON_UNITS / 65536);
}

mp_value LEVELED(backgammon_worth)(const struct mp_game *game, const void *state, const int32_t shares[5])
{
    const struct backgammon *s = state;
    if (s->phase != BACKGAMMON_NODDING && s->phase != BACKGAMMON_ANSWERING)
        return shares_value(game, s, shares);
    struct backgammon turned = *s;
    backgammon_turn(&turned);
    return -shares_value(game, &turned, shares);
}

/* ---- Both forms of each ---------------------------------------------------------------------------- */

__attribute__((always_inline)) static inline int all(formula *value, const struct mp_game *game,
                                                     const void *state, const mp_move *moves, int count,
                                                     mp_value enough, mp_value *values)
{
    for (int i = 0; i < count; i++) {
        struct backgammon child;
        backgammon_apply(state, moves[i], &child);
        values[i] = for_side(value, game, &child);
        if (values[i] <= enough)
            return i + 1;
    }
    return count;
}

#define EVALUATION(name)                                                                                     \
    static mp_value name##_one(const struct mp_game *game, const struct mp_evaluation *self,                 \
                               const void *state)                                                            \
    {                                                                                                        \
        (void)self;                                                                                          \
        return for_side(name, game, state);                                                                  \
    }                                                                                                        \
    static int name##_all(const struct mp_game *game, const struct mp_evaluation *self, const void *state,   \
                          const mp_move *moves, int count, mp_value enough, mp_value *values)                \
    {                                                                                                        \
        (void)self;                                                                                          \
        return all(name, game, state, moves, count, enough, values);                                         \
    }
EVALUATION(balanced)
EVALUATION(pubeval)
EVALUATION(pips)
EVALUATION(report)

const struct mp_evaluation LEVELED(backgammon_evaluations)[] = {
    {"balanced", "pubeval of both sides and the lead in the race, in points; exact at the end of races",
     balanced_one, balanced_all},
    {"pubeval", "Tesauro's public linear evaluator of the side that has moved; exact at the end of races",
     pubeval_one, pubeval_all},
    {"pips", "the lead in the race", pips_one, pips_all},
    {"report", "home + 10*off - distance - 10*bar - opponent's home, of the side that has moved", report_one,
     report_all},
    {0},
};

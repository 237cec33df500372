/* cube.c - the doubling cube and the score of a match.
 *
 * With a cube that is turned at the perfect moment (a live cube), the value of a position is a straight line
 * between the points at which either side doubles the other out; with a cube that nobody turns (a dead one)
 * it is a straight line between certain loss and certain win. Real positions are in between: Rick Janowski,
 * "Take-Points in Money Games" (1993), takes a mean of both with a weight of about 2/3 for the live cube.
 *
 * The chances to win a match follow from the same model, score by score: at each score a new game begins
 * even, a win is a gammon in a quarter of the games, and what the points are worth is known from the scores
 * before. In the Crawford game there is no cube; after it, the player behind doubles at once. */
#include "games/backgammon/cube.h"

static const double LIVE = 0.68;    /* the weight of the live cube */
static const double GAMMONS = 0.25; /* of the games that are won, where gammons count */

/* A game as one player, "I", sees it. */
struct stakes {
    const struct backgammon_tables *tables;
    struct backgammon state; /* cube, match and score */
    int me;                  /* which player I am */
    double gammons[2];       /* the share among the wins of the other player, and among mine */
};

/* ---- Points and the match -------------------------------------------------------------------------- */

/* What winning this many points is worth to me: 1 is a point, or the match. */
static double worth(const struct stakes *k, int points)
{
    const struct backgammon *s = &k->state;
    if (s->match_length == 0)
        return points;
    int mine = s->match_length - s->score[k->me], other = s->match_length - s->score[!k->me];
    bool crawford_is_over = mine == 1 || other == 1; /* or is being played */
    mine -= points > 0 ? points : 0;
    other += points < 0 ? points : 0;
    if (mine <= 0)
        return 1;
    if (other <= 0)
        return -1;
    double chance = k->tables->match[mine][other];
    if (crawford_is_over)
        chance = other == 1 ? k->tables->after_crawford[mine] : 1 - k->tables->after_crawford[other];
    return 2 * chance - 1;
}

/* Certain win and certain loss with a cube of 1 << log. Under Jacoby's rule a first double makes gammons
 * count. */
static double result(const struct stakes *k, bool won, int log)
{
    double share = k->state.jacoby && log == 0 ? 0 : k->gammons[won];
    int points = won ? 1 << log : -(1 << log);
    return (1 - share) * worth(k, points) + share * worth(k, 2 * points);
}

/* ---- The cube -------------------------------------------------------------------------------------- */

static bool may_turn(const struct stakes *k, bool mine, int log)
{
    return backgammon_cube_is_alive(&k->state, mine ? k->me : !k->me, log);
}

/* My chance to win at which a double, of mine or of the other player, is just as good dropped as taken. */
static double cash_point(const struct stakes *k, bool mine, int log)
{
    int c = 1 << log;
    bool again = may_turn(k, !mine, log + 1);
    /* The ends of the line with the doubled cube: where who took it doubles me out in turn, and where I
     * win. */
    double taker_wins = again ? cash_point(k, !mine, log + 1) : mine ? 0 : 1;
    double value = again ? worth(k, mine ? -2 * c : 2 * c) : result(k, !mine, log + 1);
    double doubler_wins = mine ? 1 : 0, most = result(k, mine, log + 1);
    double share = most == value ? 1 : (worth(k, mine ? c : -c) - value) / (most - value);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return taker_wins + share * (doubler_wins - taker_wins);
}

enum owner { NOBODY, ME, OTHER };

static double with_cube(const struct stakes *k, double chance, int log, enum owner owner)
{
    double low = 0, high = 1, at_low = result(k, false, log), at_high = result(k, true, log);
    double dead = at_low + chance * (at_high - at_low), live;
    if (owner != OTHER && may_turn(k, true, log)) {
        high = cash_point(k, true, log);
        at_high = worth(k, 1 << log);
    }
    if (owner != ME && may_turn(k, false, log)) {
        low = cash_point(k, false, log);
        at_low = worth(k, -(1 << log));
    }
    if (chance >= high)
        live = dead > at_high ? dead : at_high;
    else if (chance <= low)
        live = dead < at_low ? dead : at_low;
    else
        live = at_low + (chance - low) / (high - low) * (at_high - at_low);
    return k->state.cube_in_use ? dead + LIVE * (live - dead) : dead;
}

/* ---- The table of matches -------------------------------------------------------------------------- */

/* The chance of a player behind who doubles at once; the games before are known. */
static double doubles_at_once(const double *table, int away, int points)
{
    double single = away <= points ? 1 : table[away - points];
    double gammon = away <= 2 * points ? 1 : table[away - 2 * points];
    return ((1 - GAMMONS) * single + GAMMONS * gammon) / 2;
}

void cube_fill_match_table(struct backgammon_tables *t)
{
    enum { MOST = BACKGAMMON_LONGEST_MATCH };
    t->after_crawford[1] = 0.5;
    for (int away = 2; away <= MOST; away++)
        t->after_crawford[away] = doubles_at_once(t->after_crawford, away, 2);
    t->match[1][1] = 0.5;
    for (int away = 2; away <= MOST; away++) {
        t->match[away][1] = doubles_at_once(t->after_crawford, away, 1);
        t->match[1][away] = 1 - t->match[away][1];
    }
    for (int most = 2; most <= MOST; most++)
        for (int least = 2; least <= most; least++) {
            struct stakes k = {.tables = t, .gammons = {GAMMONS, GAMMONS}};
            k.state.cube_in_use = true;
            k.state.match_length = MOST;
            k.state.score[0] = (uint16_t)(MOST - most);
            k.state.score[1] = (uint16_t)(MOST - least);
            double chance = (with_cube(&k, 0.5, 0, NOBODY) + 1) / 2;
            t->match[most][least] = most == least ? 0.5 : chance;
            t->match[least][most] = most == least ? 0.5 : 1 - chance;
        }
}

/* ---- Values of states ------------------------------------------------------------------------------ */

static mp_value units(double value)
{
    return (mp_value)(value * BACKGAMMON_UNITS + (value < 0 ? -0.5 : 0.5));
}

mp_value cube_match_value(const struct backgammon_tables *tables, const struct backgammon *s, int points)
{
    struct stakes k = {.tables = tables, .state = *s, .me = s->side};
    return units(worth(&k, points));
}

/* My chance to win, from what the position is worth: gammons are a fixed share of the wins until the value
 * says that they are more. */
static double chance_of(struct stakes *k, double equity)
{
    double most = 1 + k->gammons[1], least = -1 - k->gammons[0];
    if (equity > most) {
        if (k->gammons[1] > 0)
            k->gammons[1] = equity < 2 ? equity - 1 : 1;
        return 1;
    }
    if (equity < least) {
        if (k->gammons[0] > 0)
            k->gammons[0] = equity > -2 ? -equity - 1 : 1;
        return 0;
    }
    return (equity - least) / (most - least);
}

mp_value cube_value(const struct backgammon_tables *tables, const struct backgammon *s, int64_t cubeless)
{
    struct stakes k = {.tables = tables, .state = *s, .me = s->side};
    k.gammons[0] = s->own[BACKGAMMON_OFF] == 0 ? GAMMONS : 0;
    k.gammons[1] = s->opp[BACKGAMMON_OFF] == 0 ? GAMMONS : 0;
    double chance = chance_of(&k, (double)cubeless / BACKGAMMON_UNITS);
    enum owner owner = s->cube_owner == BACKGAMMON_NO_OWNER ? NOBODY : s->cube_owner == s->side ? ME : OTHER;
    bool may_double = s->phase == BACKGAMMON_CHOOSING || s->phase == BACKGAMMON_ANSWERING;
    double as_it_is = with_cube(&k, chance, s->cube_log, owner);
    if (!may_double)
        return units(as_it_is);
    double dropped = worth(&k, 1 << s->cube_log), taken = with_cube(&k, chance, s->cube_log + 1, OTHER);
    double doubled = dropped < taken ? dropped : taken;
    return units(s->phase == BACKGAMMON_CHOOSING && as_it_is > doubled ? as_it_is : doubled);
}

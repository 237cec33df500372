/* cube.c - the doubling cube and the score of a match.
 *
 * With a cube that is turned at the perfect moment (a live cube), the value of a position is a straight line
 * between the points at which either side doubles the other out; with a cube that nobody turns (a dead one)
 * it is a straight line between certain loss and certain win. Real positions are in between: Rick Janowski,
 * "Take-Points in Money Games" (1993), takes a mean of both; the weight of the live cube is how well a player can be
 * expected to use it, which depends on how much a throw may change.
 *
 * The chances to win a match follow from the same model, score by score: at each score a new game begins
 * even, a win is a gammon as often as in most games, and what the points are worth is known from the scores
 * before. In the Crawford game there is no cube; after it, the player behind doubles at once, and the other drops if the
 * first throws went against him and he loses nothing by it. */
#include "games/backgammon/cube.h"

#include "games/backgammon/sets.h"

static const double GAMMONS = 0.25; /* of the games that are won, where nothing is known about them */

/* The weight of the live cube. In a race a throw is worth the less the longer it is, so that the best moment is missed by
 * less; the weight grows with the pips of who is to throw, and is least when both sides are home. The figures are those of
 * GNU Backgammon. */
static const double LIVE_CONTACT = 0.68, LIVE_RACE = 0.55, LIVE_PIP = 0.00125, LIVE_LEAST = 0.6,
                    LIVE_RACE_MOST = 0.7;

/* Of the games of a match: gammons among the wins, the weight of the live cube, and by how much the chance to win is up or
 * down after the first throws. With these the table differs from that of Neil Kazaross by 0.0012 on average up to 15
 * points, and by 0.006 at most. */
static const double MATCH_GAMMONS = 0.29, MATCH_LIVE = 0.76, MATCH_FIRST_THROWS = 0.024;

/* A game as one player, "I", sees it. */
struct stakes {
    const struct backgammon_tables *tables;
    const struct backgammon *state; /* cube, match and score */
    int me;                         /* which player I am */
    /* The shares among the wins of the other player, and among mine; of the gammons those that are no more. */
    double gammons[2], backgammons[2];
};

/* ---- Points and the match -------------------------------------------------------------------------- */

/* What winning this many points is worth to me: 1 is a point, or the match. */
static double worth(const struct stakes *k, int points)
{
    const struct backgammon *s = k->state;
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
    int points = won ? 1 << log : -(1 << log);
    double plain = worth(k, points), gammon = k->gammons[won], backgammon = k->backgammons[won];
    if (gammon + backgammon == 0 || (k->state->jacoby && log == 0))
        return plain;
    return (1 - gammon - backgammon) * plain + gammon * worth(k, 2 * points) +
           (backgammon > 0 ? backgammon * worth(k, 3 * points) : 0);
}

/* ---- The cube -------------------------------------------------------------------------------------- */

static bool may_turn(const struct stakes *k, bool mine, int log)
{
    return backgammon_cube_is_alive(k->state, mine ? k->me : !k->me, log);
}

/* For money, as if there were no largest cube: the games that the taker wins begin where he doubles me out, and so on. */
static double money_cash_point(const struct stakes *k, bool mine)
{
    double win = 1 + k->gammons[1] + 2 * k->backgammons[1], loss = 1 + k->gammons[0] + 2 * k->backgammons[0];
    return (mine ? loss + 1 : loss - 0.5) / (win + loss + 0.5);
}

/* My chance to win at which a double, of mine or of the other player, is just as good dropped as taken. */
static double cash_point(const struct stakes *k, bool mine, int log)
{
    if (k->state->match_length == 0)
        return money_cash_point(k, mine);
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

/* Where x lies between a and b, there also between their values. */
static double between(double x, double a, double b, double at_a, double at_b)
{
    return b > a ? at_a + (x - a) / (b - a) * (at_b - at_a) : at_a;
}

/* The line of the live cube has a bend where either side doubles the other out. Beyond, who could do so plays on for a
 * gammon. */
static double with_cube(const struct stakes *k, double chance, int log, enum owner owner, double live_weight)
{
    double lost = result(k, false, log), won = result(k, true, log);
    double low = 0, high = 1, at_low = lost, at_high = won;
    double dead = lost + chance * (won - lost), live;
    bool mine = owner != OTHER && may_turn(k, true, log), others = owner != ME && may_turn(k, false, log);
    if (!k->state->cube_in_use || (!mine && !others))
        return dead;
    if (mine) {
        high = cash_point(k, true, log);
        at_high = worth(k, 1 << log);
    }
    if (others) {
        low = cash_point(k, false, log);
        at_low = worth(k, -(1 << log));
    }
    if (chance >= high)
        live = between(chance, high, 1, at_high, won);
    else if (chance <= low)
        live = between(chance, 0, low, lost, at_low);
    else
        live = between(chance, low, high, at_low, at_high);
    return dead + live_weight * (live - dead);
}

/* ---- The table of matches -------------------------------------------------------------------------- */

/* What a win of the player behind is worth to him; the games before are known. */
static double won_behind(const double *table, int away, int points)
{
    double single = away <= points ? 1 : table[away - points];
    double gammon = away <= 2 * points ? 1 : table[away - 2 * points];
    return (1 - MATCH_GAMMONS) * single + MATCH_GAMMONS * gammon;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

void cube_fill_match_table(struct backgammon_tables *t)
{
    enum { MOST = BACKGAMMON_LONGEST_MATCH };
    t->after_crawford[1] = 0.5;
    for (int away = 2; away <= MOST; away++) {
        double won = won_behind(t->after_crawford, away, 2), dropped = t->after_crawford[away - 1];
        t->after_crawford[away] = (least(won * (0.5 + MATCH_FIRST_THROWS), dropped) +
                                   least(won * (0.5 - MATCH_FIRST_THROWS), dropped)) /
                                  2;
    }
    t->match[1][1] = 0.5;
    for (int away = 2; away <= MOST; away++) {
        t->match[away][1] = won_behind(t->after_crawford, away, 1) / 2;
        t->match[1][away] = 1 - t->match[away][1];
    }
    for (int behind = 2; behind <= MOST; behind++)
        for (int ahead = 2; ahead <= behind; ahead++) {
            struct backgammon s = {.cube_in_use = true, .match_length = MOST};
            struct stakes k = {.tables = t, .state = &s, .gammons = {MATCH_GAMMONS, MATCH_GAMMONS}};
            s.score[0] = (uint16_t)(MOST - behind);
            s.score[1] = (uint16_t)(MOST - ahead);
            double chance = (with_cube(&k, 0.5, 0, NOBODY, MATCH_LIVE) + 1) / 2;
            t->match[behind][ahead] = behind == ahead ? 0.5 : chance;
            t->match[ahead][behind] = behind == ahead ? 0.5 : 1 - chance;
        }
}

/* ---- Values of states ------------------------------------------------------------------------------ */

static mp_value units(double value)
{
    return (mp_value)(value * BACKGAMMON_UNITS + (value < 0 ? -0.5 : 0.5));
}

mp_value cube_match_value(const struct backgammon_tables *tables, const struct backgammon *s, int points)
{
    struct stakes k = {.tables = tables, .state = s, .me = s->side};
    return units(worth(&k, points));
}

struct cube_chances cube_guess(const struct backgammon *s, int64_t cubeless)
{
    double equity = (double)cubeless / BACKGAMMON_UNITS;
    double gammons = s->opp[BACKGAMMON_OFF] == 0 ? GAMMONS : 0;
    double lost_gammons = s->own[BACKGAMMON_OFF] == 0 ? GAMMONS : 0;
    double most = 1 + gammons, least = -1 - lost_gammons;
    double win = equity >= most ? 1 : equity <= least ? 0 : (equity - least) / (most - least);
    if (equity > most && gammons > 0)
        gammons = equity < 2 ? equity - 1 : 1;
    if (equity < least && lost_gammons > 0)
        lost_gammons = equity > -2 ? -equity - 1 : 1;
    return (struct cube_chances){
        .win = win, .gammon = win * gammons, .lost_gammon = (1 - win) * lost_gammons};
}

/* A share of a share, both of them estimates. */
static double share_of(double part, double whole)
{
    return part <= 0 || whole <= 0 ? 0 : part >= whole ? 1 : part / whole;
}

static double live_weight(const struct backgammon *s)
{
    if (backgammon_has_contact(s->own, s->opp))
        return LIVE_CONTACT;
    if (bearoff_is_home(s->own) && bearoff_is_home(s->opp))
        return LIVE_LEAST;
    int pips = 0;
    for (int p = 1; p <= 24; p++)
        pips += p * s->own[p];
    double weight = LIVE_RACE + LIVE_PIP * pips;
    return weight < LIVE_LEAST ? LIVE_LEAST : weight > LIVE_RACE_MOST ? LIVE_RACE_MOST : weight;
}

/* What a phase is worth: rolled, or doubled and then taken or dropped. */
static double best_of(const struct backgammon *s, double rolled, double taken, double dropped)
{
    double doubled = dropped < taken ? dropped : taken;
    return s->phase == BACKGAMMON_ANSWERING || (s->phase == BACKGAMMON_CHOOSING && doubled > rolled) ? doubled
                                                                                                     : rolled;
}

mp_value cube_value(const struct backgammon_tables *tables, const struct backgammon *s,
                    const struct cube_chances *c)
{
    struct stakes k = {.tables = tables, .state = s, .me = s->side};
    const double games[2] = {1 - c->win, c->win}, gammons[2] = {c->lost_gammon, c->gammon},
                 backgammons[2] = {c->lost_backgammon, c->backgammon};
    for (int won = 0; won < 2; won++) {
        k.backgammons[won] = share_of(backgammons[won], games[won]);
        k.gammons[won] = share_of(gammons[won], games[won]) - k.backgammons[won];
        k.gammons[won] = k.gammons[won] < 0 ? 0 : k.gammons[won];
    }
    enum owner owner = s->cube_owner == BACKGAMMON_NO_OWNER ? NOBODY : s->cube_owner == s->side ? ME : OTHER;
    double weight = live_weight(s), rolled = with_cube(&k, c->win, s->cube_log, owner, weight);
    if (s->phase != BACKGAMMON_CHOOSING && s->phase != BACKGAMMON_ANSWERING)
        return units(rolled);
    return units(best_of(s, rolled, with_cube(&k, c->win, s->cube_log + 1, OTHER, weight),
                         worth(&k, 1 << s->cube_log)));
}

mp_value cube_pair_value(const struct backgammon *s, const struct bearoff_pair *pair)
{
    const double points = (double)(1 << s->cube_log) / BEAROFF_PAIRS_ONE;
    bool mine = s->cube_owner != !s->side && backgammon_cube_is_alive(s, s->side, s->cube_log);
    bool others = s->cube_owner != s->side && backgammon_cube_is_alive(s, !s->side, s->cube_log);
    double rolled = mine && others ? pair->centred
                    : mine         ? pair->owned
                    : others       ? pair->lent
                                   : pair->cubeless;
    bool again = backgammon_cube_is_alive(s, !s->side, s->cube_log + 1);
    return units(best_of(s, rolled * points, 2 * (again ? pair->lent : pair->cubeless) * points,
                         (double)(1 << s->cube_log)));
}

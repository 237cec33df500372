/* rollout.c - what a move is worth is what games from it come to, both sides playing the move that looks
 * best.
 *
 * Three ways to get by with fewer games. All moves get the same dice. The first two throws are dealt out
 * evenly: of 36 games each outcome of a throw comes as often as it should, and of 36 x 36 each pair. And the
 * luck of each throw, by how much the best play after it looks better than the mean over all throws, is taken
 * off the result (variance-reduction=on): it is 0 on average, whatever the evaluation is worth, and most of
 * what is left is skill. */
#include "search/rollout.h"

#include "search/algorithms.h"
#include "search/dice.h"
#include "search/node.h"

#include <math.h>

enum {
    FIRST_GAMES = 36,
    MOST_STRATA = 1296, /* a throw with more is drawn like any other */
    HERE = 1,   /* the places of the worker's line that a game uses: the state and the next in turn, */
    THROWN = 3, /* a throw that is looked at, */
    PLAYED = 4, /* and a play after it */
};

int rollout_iterations(const struct settings *settings)
{
    int iterations = 2;
    for (int64_t games = FIRST_GAMES; games < settings->games; games *= 2)
        iterations++;
    return iterations;
}

int rollout_games(const struct settings *settings, int iteration)
{
    if (iteration >= rollout_iterations(settings))
        return settings->games;
    return iteration == 1 ? 0 : FIRST_GAMES << (iteration - 2);
}

static void value_moves(struct worker *w, int ply, struct move_list list)
{
    worker_value_moves(w, ply, list);
    w->counters.leaves += (uint64_t)list.count;
}

struct move_list rollout_candidates(struct worker *w)
{
    struct node node = {.list = worker_list(w, 0)};
    int keep = w->settings->keep < ROLLOUT_MOST_MOVES ? w->settings->keep : ROLLOUT_MOST_MOVES;
    value_moves(w, 0, node.list);
    if (w->settings->within)
        node_keep_within(&node, w->settings->within);
    node_keep_best(&node, keep);
    return node.list;
}

/* The best move at ply by static value; MP_NO_MOVE where the game is over. */
static mp_move best_move(struct worker *w, int ply, mp_value *value)
{
    struct move_list list = worker_list(w, ply);
    int best = 0;
    *value = list.count ? 0 : worker_final(w, ply);
    if (list.count) {
        value_moves(w, ply, list);
        for (int i = 1; i < list.count; i++)
            best = list.scores[i] > list.scores[best] ? i : best;
        *value = list.scores[best];
    }
    mp_move move = list.count ? list.moves[best] : MP_NO_MOVE;
    worker_drop(w, list);
    return move;
}

/* ---- Dice ------------------------------------------------------------------------------------------ */

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Which of this many equal parts a throw (0 or 1) of a game falls into. The second is a Latin square: for
 * each of the first it runs through all parts, and so it does within each round of games. */
static uint32_t stratum(const struct settings *settings, int number, int throw, uint32_t parts)
{
    uint64_t random = random_at(settings->seed, parts);
    uint32_t first = (uint32_t)(((uint64_t)number + random) % parts), step = (uint32_t)(random >> 32) % parts;
    if (throw == 0)
        return first;
    while (common_divisor(step, parts) != 1)
        step = (step + 1) % parts;
    return (uint32_t)(((uint64_t)number / parts + (uint64_t)first * step + (random >> 48)) % parts);
}

static int throw_dice(const struct worker *w, struct move_list outcomes, int number, int throw)
{
    const uint32_t *weights = (const uint32_t *)outcomes.scores;
    uint32_t total = 0;
    for (int i = 0; i < outcomes.count; i++)
        total += weights[i];
    if (throw > 1 || total > MOST_STRATA)
        return dice_outcome(weights, outcomes.count, w->settings->seed, (uint64_t)number, (uint64_t) throw);
    uint32_t part = stratum(w->settings, number, throw, total);
    int i = 0;
    while (part >= weights[i])
        part -= weights[i++];
    return i;
}

/* ---- One game -------------------------------------------------------------------------------------- */

/* A game under way. */
struct match {
    struct worker *worker;
    int ply, place; /* moves played, and where in the line its state is */
    int number, throws;
    double luck;                  /* of the side to move at the root, so far */
    bool tells;                   /* the network tells shares of won and lost games, too: */
    double lucky_shares[OUTLOOK]; /* and that is the luck in them */
    mp_move reply; /* the move that looking at the throw has found; MP_NO_MOVE: none has been looked for */
};

static int sign_of(const struct match *m)
{
    const struct worker *w = m->worker;
    return w->game->side(w->game, worker_state(w, m->place)) == w->root_side ? 1 : -1;
}

static void move_on(struct match *m, mp_move move)
{
    struct worker *w = m->worker;
    int next = m->place == HERE ? HERE + 1 : HERE;
    w->game->play(w->game, worker_state(w, m->place), move, worker_state(w, next));
    m->place = next;
    if (++w->counters.nodes >= w->check_at)
        worker_poll(w);
}

/* The shares of games that the side to move at the root can expect from the state at a place. */
static void expect(const struct match *m, int place, float shares[OUTLOOK])
{
    struct worker *w = m->worker;
    outlook_at(w->accumulators, &w->line, place, shares);
    if (w->game->side(w->game, worker_state(w, place)) != w->root_side)
        outlook_turn(shares, shares);
}

/* Takes off the mean of the shares after each throw, and adds those after the one that came: weight is its part of the
 * mean, less 1 for that one. */
static void add_shares(struct match *m, mp_move reply, double weight)
{
    struct worker *w = m->worker;
    float shares[OUTLOOK];
    worker_play(w, THROWN, reply);
    expect(m, PLAYED, shares);
    for (int k = 0; k < OUTLOOK; k++)
        m->lucky_shares[k] -= weight * (double)shares[k];
}

/* By how much a throw is better than the mean of all for the side that throws; *reply is the play after
 * it. */
static double luck_of(struct match *m, struct move_list outcomes, int thrown)
{
    struct worker *w = m->worker;
    int64_t sum = 0, weights = 0;
    mp_value chosen = 0;
    for (int i = 0; i < outcomes.count; i++)
        weights += (uint32_t)outcomes.scores[i];
    for (int i = 0; i < outcomes.count; i++) {
        mp_value value;
        w->game->play(w->game, worker_state(w, m->place), outcomes.moves[i], worker_state(w, THROWN));
        mp_move move = best_move(w, THROWN, &value);
        sum += (int64_t)(uint32_t)outcomes.scores[i] * value;
        if (m->tells && move != MP_NO_MOVE)
            add_shares(m, move, (uint32_t)outcomes.scores[i] / (double)weights - (i == thrown));
        if (i == thrown) {
            chosen = value;
            m->reply = move;
        }
    }
    return chosen - (double)sum / (double)weights;
}

static void throw_and_move_on(struct match *m)
{
    struct worker *w = m->worker;
    struct move_list outcomes = worker_chances(w, m->place);
    int thrown = throw_dice(w, outcomes, m->number, m->throws++);
    if (w->settings->variance_reduction)
        m->luck += sign_of(m) * luck_of(m, outcomes, thrown);
    mp_move outcome = outcomes.moves[thrown];
    worker_drop(w, outcomes);
    move_on(m, outcome);
}

/* Plays on until the end or the cut; what the game has come to without the luck. Its last state is at m->place. */
static double play_out(struct match *m)
{
    struct worker *w = m->worker;
    int cut = w->settings->truncate ? w->settings->truncate : MP_MAX_PLY;
    while (!w->stopped) {
        mp_value value;
        if (worker_is_chance(w, m->place)) {
            if (m->ply >= cut)
                return sign_of(m) * worker_static(w, m->place) - m->luck;
            throw_and_move_on(m);
            continue;
        }
        mp_move move = m->reply;
        m->reply = MP_NO_MOVE;
        if (move == MP_NO_MOVE && (move = best_move(w, m->place, &value)) == MP_NO_MOVE)
            return sign_of(m) * value - m->luck;
        move_on(m, move);
        m->ply++;
    }
    return 0;
}

static void add_game(struct match *m, int64_t value, struct rollout_tally *tally)
{
    tally->games++;
    tally->sum += value;
    tally->squares += value * value;
    if (!m->tells || m->worker->stopped)
        return;
    float shares[OUTLOOK];
    expect(m, m->place, shares);
    for (int k = 0; k < OUTLOOK; k++)
        tally->shares[k] += llrint(((double)shares[k] - m->lucky_shares[k]) * ROLLOUT_WHOLE);
}

bool rollout_tells_shares(const struct worker *w)
{
    return w->settings->network && w->settings->network->features.outputs == OUTLOOK;
}

void rollout_play(struct worker *w, mp_move move, int first, int count, struct rollout_tally *tally)
{
    *tally = (struct rollout_tally){0};
    for (int i = 0; i < count && !w->stopped; i++) {
        struct match m = {.worker = w,
                          .ply = move != MP_NO_MOVE,
                          .place = HERE,
                          .number = first + i,
                          .reply = MP_NO_MOVE,
                          .tells = rollout_tells_shares(w)};
        if (move == MP_NO_MOVE)
            memcpy(worker_state(w, HERE), worker_state(w, 0), w->game->state_size);
        else
            w->game->play(w->game, worker_state(w, 0), move, worker_state(w, HERE));
        add_game(&m, llrint(play_out(&m)), tally);
        if (m.ply + m.throws > w->counters.max_ply)
            w->counters.max_ply = m.ply + m.throws;
    }
}

/* ---- All games ------------------------------------------------------------------------------------- */

void rollout_add(struct rollout_tally *sum, const struct rollout_tally *part)
{
    sum->games += part->games;
    sum->sum += part->sum;
    sum->squares += part->squares;
    for (int k = 0; k < OUTLOOK; k++)
        sum->shares[k] += part->shares[k];
}

mp_value rollout_choose(struct worker *w, struct move_list list, const struct rollout_tally *tallies)
{
    int best = 0;
    bool played = tallies[0].games > 0;
    for (int i = 1; i < list.count; i++)
        if (played ? tallies[i].sum > tallies[best].sum : list.scores[i] > list.scores[best])
            best = i;
    const struct rollout_tally *t = &tallies[best];
    double games = (double)t->games, mean = played ? (double)t->sum / games : 0;
    double variance = games > 1 ? ((double)t->squares - games * mean * mean) / (games - 1) : 0;
    w->standard_error = variance > 0 ? sqrt(variance / games) : 0;
    w->pv_length[1] = 0;
    worker_set_pv(w, 0, list.moves[best]);
    return played ? mean_value(t->sum, t->games) : list.scores[best];
}

mp_value rollout(struct worker *w, int ply, int depth, mp_value alpha, mp_value beta)
{
    (void)alpha, (void)beta;
    struct rollout_tally tallies[ROLLOUT_MOST_MOVES];
    worker_count_node(w, ply);
    struct move_list list = rollout_candidates(w);
    for (int i = 0; i < list.count && !w->stopped; i++)
        rollout_play(w, list.moves[i], 0, rollout_games(w->settings, depth), &tallies[i]);
    mp_value value = w->stopped ? 0 : rollout_choose(w, list, tallies);
    worker_drop(w, list);
    return value;
}

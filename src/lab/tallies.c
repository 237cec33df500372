/* tallies.c - adds games to the tally of each pairing, and matches the two games of a pair. */
#include "lab/tallies.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

struct pair_half {
    int64_t key; /* the number of the pair + 1; 0: a free place */
    int first;   /* who had side 0 in it */
    int margin;  /* for that player */
};

bool tallies_init(struct tallies *t, int players)
{
    *t = (struct tallies){.players = players};
    t->between = calloc((size_t)players * (size_t)players, sizeof *t->between);
    return t->between != NULL;
}

void tallies_free(struct tallies *t)
{
    free(t->between);
    free(t->halves);
    *t = (struct tallies){0};
}

/* The place of a pair among so many, a power of two: its own or a free one. */
static struct pair_half *place_of(struct pair_half *halves, size_t places, int64_t key)
{
    size_t at = (size_t)random_mix((uint64_t)key) & (places - 1);
    while (halves[at].key != 0 && halves[at].key != key)
        at = (at + 1) & (places - 1);
    return &halves[at];
}

/* At least half of the places stay free. */
static bool make_room(struct tallies *t)
{
    if (2 * (t->half_count + 1) <= t->half_places)
        return true;
    size_t places = t->half_places ? 2 * t->half_places : 64;
    struct pair_half *halves = calloc(places, sizeof *halves);
    if (!halves)
        return false;
    for (size_t i = 0; i < t->half_places; i++)
        if (t->halves[i].key)
            *place_of(halves, places, t->halves[i].key) = t->halves[i];
    free(t->halves);
    t->halves = halves;
    t->half_places = places;
    return true;
}

/* The half of a pair that has been seen, or a free place for it; null without memory. Numbers may have gaps of any
 * size: those of a shard do, and those of a file that is not what it seems. */
static struct pair_half *find_half(struct tallies *t, int64_t pair)
{
    return make_room(t) ? place_of(t->halves, t->half_places, pair + 1) : NULL;
}

/* 0 lost, 1 drawn, 2 won. */
static int outcome(int margin)
{
    return margin > 0 ? 2 : margin == 0 ? 1 : 0;
}

static void add_pair(struct pairing_tally *tally, int one, int other)
{
    double mean = (one + other) / 2.0;
    tally->pairs[outcome(one) + outcome(other)]++;
    tally->pair_margin += mean;
    tally->pair_margin_square += mean * mean;
}

bool tallies_add(struct tallies *t, int64_t number, int first, int second, int margin)
{
    struct pair_half *half = find_half(t, number / 2);
    if (!half)
        return false;
    struct pairing_tally *forth = &t->between[first * t->players + second];
    struct pairing_tally *back = &t->between[second * t->players + first];
    forth->games[outcome(margin)]++;
    back->games[outcome(-margin)]++;
    forth->margin += margin;
    back->margin -= margin;
    if (half->key) {
        int earlier = half->first == first ? half->margin : -half->margin;
        add_pair(forth, margin, earlier);
        add_pair(back, -margin, -earlier);
    }
    t->half_count += half->key == 0;
    *half = (struct pair_half){number / 2 + 1, first, margin};
    return true;
}

struct pairing_tally tallies_of(const struct tallies *t, int player, int other)
{
    struct pairing_tally sum = {0};
    for (int b = 0; b < t->players; b++) {
        const struct pairing_tally *part = &t->between[player * t->players + b];
        if (b == player || (other >= 0 && b != other))
            continue;
        for (int i = 0; i < ELO_GAMES; i++)
            sum.games[i] += part->games[i];
        for (int i = 0; i < ELO_PAIRS; i++)
            sum.pairs[i] += part->pairs[i];
        sum.margin += part->margin;
        sum.pair_margin += part->pair_margin;
        sum.pair_margin_square += part->pair_margin_square;
    }
    return sum;
}

uint64_t tally_games(const struct pairing_tally *tally)
{
    return tally->games[0] + tally->games[1] + tally->games[2];
}

static uint64_t count_pairs(const struct pairing_tally *tally)
{
    uint64_t count = 0;
    for (int i = 0; i < ELO_PAIRS; i++)
        count += tally->pairs[i];
    return count;
}

void tally_margin(const struct pairing_tally *tally, double *mean, double *error)
{
    double games = (double)tally_games(tally), pairs = (double)count_pairs(tally);
    *mean = games > 0 ? tally->margin / games : 0;
    *error = NAN;
    if (pairs >= 2) {
        double pair_mean = tally->pair_margin / pairs;
        double variance = (tally->pair_margin_square - pairs * pair_mean * pair_mean) / (pairs - 1);
        *error = sqrt(fmax(variance, 0) / pairs);
    }
}

bool tally_elo(const struct pairing_tally *tally, struct elo *elo)
{
    return count_pairs(tally) > 0 ? elo_estimate(tally->pairs, ELO_PAIRS, elo)
                                  : elo_estimate(tally->games, ELO_GAMES, elo);
}

#include "games/backgammon/bearoff.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { HOME = 6 };

/* Shared: `filled` is set with release order once the rows are written and read with acquire order, so
 * whoever sees it set sees the rows; the mutex lets only one thread write them. */
struct bearoff {
    pthread_mutex_t mutex;
    atomic_bool filled;
    uint32_t choose[22][HOME + 1];
    uint32_t left[BEAROFF_POSITIONS][BEAROFF_THROWS];
    uint32_t none_off[BEAROFF_POSITIONS - BEAROFF_FULL][BEAROFF_THROWS];
    int64_t mean[BEAROFF_POSITIONS]; /* throws, BEAROFF_ONE for 1 */
};

struct bearoff *bearoff_new(void)
{
    /* Zeroed memory that costs nothing until it is filled. */
    struct bearoff *b = calloc(1, sizeof *b);
    if (b)
        pthread_mutex_init(&b->mutex, NULL);
    return b;
}

void bearoff_free(struct bearoff *b)
{
    if (b) {
        pthread_mutex_destroy(&b->mutex);
        free(b);
    }
}

/* The number of a home board. Counted from the 6 point down, the chequers so far are a rising sequence, and
 * the number is its rank (combinatorial number system); a step down or off makes it smaller. */
static uint32_t rank(const struct bearoff *b, const uint8_t *men)
{
    uint32_t sum = 0, number = 0;
    for (uint32_t k = 1; k <= HOME; k++) {
        sum += men[HOME + 1 - k];
        number += b->choose[sum + k - 1][k];
    }
    return number;
}

static void unrank(const struct bearoff *b, uint32_t number, uint8_t *men)
{
    uint32_t above[HOME + 1] = {0};
    for (uint32_t k = HOME; k >= 1; k--) {
        uint32_t c = 21;
        while (b->choose[c][k] > number)
            c--;
        number -= b->choose[c][k];
        above[k] = c - (k - 1);
    }
    for (uint32_t k = 1; k <= HOME; k++)
        men[HOME + 1 - k] = (uint8_t)(above[k] - above[k - 1]);
}

/* Tries all ways to play the dice that are left and keeps the board with the lowest mean. The steps of a
 * double need to be tried in falling order only: from `from` down. */
static void try_steps(const struct bearoff *b, uint8_t *men, const int *dice, int count, int from,
                      uint32_t *best)
{
    int highest = HOME;
    while (highest > 0 && men[highest] == 0)
        highest--;
    if (count == 0 || highest == 0) {
        uint32_t number = rank(b, men);
        if (*best == BEAROFF_POSITIONS || b->mean[number] < b->mean[*best])
            *best = number;
        return;
    }
    int die = dice[0];
    for (from = from < highest ? from : highest; from > 0; from--) {
        if (men[from] == 0 || (from < die && from < highest))
            continue;
        int to = from > die ? from - die : BACKGAMMON_OFF;
        men[from]--;
        men[to]++;
        try_steps(b, men, dice + 1, count - 1, dice[1] == die ? from : HOME, best);
        men[from]++;
        men[to]--;
    }
}

/* Adds what a throw leads to, weighted. */
static void add_throw(const struct bearoff *b, uint32_t number, uint8_t *men, int larger, int smaller,
                      uint64_t *left, uint64_t *none_off)
{
    uint32_t best = BEAROFF_POSITIONS;
    uint64_t weight = larger == smaller ? 1 : 2;
    if (larger == smaller) {
        try_steps(b, men, (int[]){larger, larger, larger, larger, larger}, 4, HOME, &best);
    } else {
        try_steps(b, men, (int[]){larger, smaller, 0}, 2, HOME, &best);
        try_steps(b, men, (int[]){smaller, larger, 0}, 2, HOME, &best);
    }
    for (int k = 1; k < BEAROFF_THROWS; k++) {
        left[k] += weight * b->left[best][k - 1];
        if (number >= BEAROFF_FULL && best >= BEAROFF_FULL)
            none_off[k] += weight * b->none_off[best - BEAROFF_FULL][k - 1];
    }
}

static void fill_position(struct bearoff *b, uint32_t number)
{
    uint8_t men[32] = {0};
    uint64_t left[BEAROFF_THROWS] = {36u * (uint64_t)BEAROFF_ONE};
    uint64_t none_off[BEAROFF_THROWS] = {36u * (uint64_t)BEAROFF_ONE};
    unrank(b, number, men);
    for (int larger = 1; larger <= 6; larger++)
        for (int smaller = 1; smaller <= larger; smaller++)
            add_throw(b, number, men, larger, smaller, left, none_off);
    uint64_t mean = 0;
    for (int k = 0; k < BEAROFF_THROWS; k++) {
        mean += left[k];
        b->left[number][k] = (uint32_t)((left[k] + 18) / 36);
        if (number >= BEAROFF_FULL)
            b->none_off[number - BEAROFF_FULL][k] = (uint32_t)((none_off[k] + 18) / 36);
    }
    b->mean[number] = (int64_t)(mean / 36);
}

static void fill(struct bearoff *b)
{
    for (int n = 0; n < 22; n++)
        for (int k = 0; k <= HOME; k++)
            b->choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : b->choose[n - 1][k - 1] + b->choose[n - 1][k];
    /* Number 0 is the empty board: nothing is left. */
    for (uint32_t number = 1; number < BEAROFF_POSITIONS; number++)
        fill_position(b, number);
}

static void ensure_filled(struct bearoff *b)
{
    if (atomic_load_explicit(&b->filled, memory_order_acquire))
        return;
    pthread_mutex_lock(&b->mutex);
    if (!atomic_load_explicit(&b->filled, memory_order_relaxed)) {
        fill(b);
        atomic_store_explicit(&b->filled, true, memory_order_release);
    }
    pthread_mutex_unlock(&b->mutex);
}

const uint32_t *bearoff_left(struct bearoff *b, const uint8_t men[32])
{
    ensure_filled(b);
    return b->left[rank(b, men)];
}

const uint32_t *bearoff_none_off(struct bearoff *b, const uint8_t men[32])
{
    ensure_filled(b);
    return b->none_off[rank(b, men) - BEAROFF_FULL];
}

int64_t bearoff_equity(struct bearoff *b, const struct backgammon *s, bool gammons)
{
    const uint32_t *own = bearoff_left(b, s->own), *opp = bearoff_left(b, s->opp);
    uint64_t won = 0, gammons_won = 0, gammons_lost = 0;
    for (int k = 1; k < BEAROFF_THROWS; k++)
        won += (uint64_t)(own[k - 1] - own[k]) * opp[k - 1];
    if (gammons && s->opp[BACKGAMMON_OFF] == 0) {
        const uint32_t *none = bearoff_none_off(b, s->opp);
        for (int k = 1; k < BEAROFF_THROWS; k++)
            gammons_won += (uint64_t)(own[k - 1] - own[k]) * none[k - 1];
    }
    if (gammons && s->own[BACKGAMMON_OFF] == 0) {
        const uint32_t *none = bearoff_none_off(b, s->own);
        for (int k = 1; k < BEAROFF_THROWS; k++)
            gammons_lost += (uint64_t)(opp[k - 1] - opp[k]) * none[k];
    }
    int64_t twice = (int64_t)((2 * won + gammons_won) >> 30) - (int64_t)(gammons_lost >> 30);
    return twice - BEAROFF_ONE;
}

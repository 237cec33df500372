/* bearoff.c - fills the table of bear-off positions once, on first use, and looks equities up in it. */
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
    /* The board with the lowest mean after this many steps (1 to 4) with one die. */
    uint32_t best[BEAROFF_POSITIONS][7][5];
};

struct bearoff *bearoff_new(void)
{
    /* Memory that costs nothing until it is filled. */
    struct bearoff *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    pthread_mutex_init(&b->mutex, NULL);
    for (int n = 0; n < 22; n++)
        for (int k = 0; k <= HOME; k++)
            b->choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : b->choose[n - 1][k - 1] + b->choose[n - 1][k];
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
uint32_t bearoff_number(const struct bearoff *b, const uint8_t men[32])
{
    uint32_t sum = 0, number = 0;
    for (uint32_t k = 1; k <= HOME; k++) {
        sum += men[HOME + 1 - k];
        number += b->choose[sum + k - 1][k];
    }
    return number;
}

void bearoff_men(const struct bearoff *b, uint32_t number, uint8_t men[32])
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

static uint32_t better(const struct bearoff *b, uint32_t a, uint32_t c)
{
    return b->mean[c] < b->mean[a] ? c : a;
}

/* The boards that one step with each die leads to. */
struct steps {
    uint32_t boards[7][HOME];
    int count[7];
};

static void find_steps(const struct bearoff *b, uint8_t *men, struct steps *steps)
{
    int highest = HOME;
    while (men[highest] == 0)
        highest--;
    for (int die = 1; die <= 6; die++) {
        steps->count[die] = 0;
        for (int from = highest; from > 0; from--) {
            if (men[from] == 0 || (from < die && from < highest))
                continue;
            int to = from > die ? from - die : BACKGAMMON_OFF;
            men[from]--;
            men[to]++;
            steps->boards[die][steps->count[die]++] = bearoff_number(b, men);
            men[from]++;
            men[to]--;
        }
    }
}

/* The best board after one step with a die and then this many with another, 0 to 3. */
static uint32_t best_after(const struct bearoff *b, const struct steps *steps, int die, int other, int more)
{
    uint32_t best = BEAROFF_POSITIONS;
    for (int i = 0; i < steps->count[die]; i++) {
        uint32_t board = steps->boards[die][i];
        if (more > 0)
            board = b->best[board][other][more];
        best = best == BEAROFF_POSITIONS ? board : better(b, best, board);
    }
    return best;
}

/* Adds what a throw leads to, weighted. */
static void add_throw(const struct bearoff *b, uint32_t number, uint32_t next, uint64_t weight,
                      uint64_t *left, uint64_t *none_off)
{
    for (int k = 1; k < BEAROFF_THROWS; k++)
        left[k] += weight * b->left[next][k - 1];
    if (number >= BEAROFF_FULL && next >= BEAROFF_FULL)
        for (int k = 1; k < BEAROFF_THROWS; k++)
            none_off[k] += weight * b->none_off[next - BEAROFF_FULL][k - 1];
}

static void fill_position(struct bearoff *b, uint32_t number)
{
    uint8_t men[32] = {0};
    struct steps steps;
    uint64_t left[BEAROFF_THROWS] = {36u * (uint64_t)BEAROFF_ONE};
    uint64_t none_off[BEAROFF_THROWS] = {36u * (uint64_t)BEAROFF_ONE};
    bearoff_men(b, number, men);
    find_steps(b, men, &steps);
    for (int die = 1; die <= 6; die++)
        for (int more = 0; more < 4; more++)
            b->best[number][die][more + 1] = best_after(b, &steps, die, die, more);
    for (int larger = 1; larger <= 6; larger++) {
        add_throw(b, number, b->best[number][larger][4], 1, left, none_off);
        for (int smaller = 1; smaller < larger; smaller++)
            add_throw(b, number,
                      better(b, best_after(b, &steps, larger, smaller, 1),
                             best_after(b, &steps, smaller, larger, 1)),
                      2, left, none_off);
    }
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
    return b->left[bearoff_number(b, men)];
}

const uint32_t *bearoff_none_off(struct bearoff *b, const uint8_t men[32])
{
    ensure_filled(b);
    return b->none_off[bearoff_number(b, men) - BEAROFF_FULL];
}

struct bearoff_chances bearoff_chances(struct bearoff *b, const struct backgammon *s)
{
    const uint32_t *own = bearoff_left(b, s->own), *opp = bearoff_left(b, s->opp);
    struct bearoff_chances chances = {0};
    for (int k = 1; k < BEAROFF_THROWS; k++)
        chances.won += (uint64_t)(own[k - 1] - own[k]) * opp[k - 1];
    if (s->opp[BACKGAMMON_OFF] == 0) {
        const uint32_t *none = bearoff_none_off(b, s->opp);
        for (int k = 1; k < BEAROFF_THROWS; k++)
            chances.gammons_won += (uint64_t)(own[k - 1] - own[k]) * none[k - 1];
    }
    if (s->own[BACKGAMMON_OFF] == 0) {
        const uint32_t *none = bearoff_none_off(b, s->own);
        for (int k = 1; k < BEAROFF_THROWS; k++)
            chances.gammons_lost += (uint64_t)(opp[k - 1] - opp[k]) * none[k];
    }
    return chances;
}

int64_t bearoff_equity(struct bearoff *b, const struct backgammon *s, bool gammons)
{
    struct bearoff_chances c = bearoff_chances(b, s);
    if (!gammons)
        c.gammons_won = c.gammons_lost = 0;
    int64_t twice = (int64_t)((2 * c.won + c.gammons_won) >> 30) - (int64_t)(c.gammons_lost >> 30);
    return twice - BEAROFF_ONE;
}
